"""Keep the newest checkpoint of games as a witness, which cosigns only extensions of it (`umpire witness`)."""

from pathlib import Path

import click

import umpire_ledger as umpire
from umpire_ledger.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    Count,
    game_argument,
    json_option,
    ledger_option,
)
from umpire_ledger.cli.own_keys import ask_passphrase
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.core.text_files import read_text, whole_file
from umpire_ledger.desk.signing.checkpoints import read_note
from umpire_ledger.desk.signing.key_store import KeyFolder
from umpire_ledger.desk.signing.witness import MOST_REQUEST, Submission, Witness, new_witness
from umpire_ledger.ledger.signed_note import SignedNote

folder_argument = click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))


def keys_in(folder: Path) -> KeyFolder:
    """Return the keys in a witness's folder."""
    return KeyFolder(folder, ask_passphrase)


@click.group()
def witness() -> None:
    """Be a witness: keep the newest checkpoint of each game, and cosign none that does not extend it.

    Whoever has a game's checkpoint with the signature of a witness knows that everybody else who asked that witness
    was shown the same history. The requests are those of C2SP tlog-witness; `umpire serve --witness FOLDER` takes them
    over HTTP, at /witness/add-checkpoint.

    \b
    Examples:
      umpire witness new tower --name tower
      umpire witness ask harbour --note athens.checkpoint -o request
      umpire witness add tower request >> athens.checkpoint
      umpire verify harbour --checkpoint athens.checkpoint --witness KEY
    """


@witness.command()
@folder_argument
@click.option("--name", required=True, metavar="NAME", help="What its signatures are called.")
@json_option
def new(folder: Path, name: str, as_json: bool) -> None:
    """Make a witness in FOLDER, and print its public key.

    Example: umpire witness new tower --name tower
    """
    key = new_witness(folder, name, keys_in(folder))
    if as_json:
        print_json({"name": name, "key": key.text(), "folder": str(folder)})
    else:
        say(key.text())


@witness.command()
@folder_argument
@json_option
def show(folder: Path, as_json: bool) -> None:
    """Print the public key of the witness in FOLDER.

    Example: umpire witness show tower
    """
    key = Witness(folder, keys_in(folder)).key
    if as_json:
        print_json({"name": key.name, "key": key.text()})
    else:
        say(key.text())


@witness.command()
@folder_argument
@click.argument("game_id", metavar="GAME")
@click.argument("key", metavar="KEY")
@json_option
def trust(folder: Path, game_id: str, key: str, as_json: bool) -> None:
    """Let the witness in FOLDER cosign checkpoints of GAME that are signed with KEY, and none of games without such.

    Until the first key is trusted it cosigns what anybody shows it.

    Example: umpire witness trust tower harbour "$(umpire key show athens)"
    """
    Witness(folder, keys_in(folder)).trust(game_id, key)
    if as_json:
        print_json({"folder": str(folder), "game": game_id, "key": key})
    else:
        say(f"{folder}: checkpoints of {game_id} signed with {'+'.join(key.split('+')[:2])} are cosigned")


@witness.command()
@game_argument
@click.option("--note", "note", type=INPUT_FILE, metavar="FILE", help="A checkpoint; else the present one, unsigned.")
@click.option("--old", type=Count(min=0), default=0, metavar="N", help="Up to where the witness has cosigned the game.")
@click.option("-o", "--output", required=True, type=OUTPUT_FILE, metavar="FILE", help="Where to; - prints.")
@ledger_option
def ask(game_id: str, note: Path | None, old: int, output: Path | None, where: str) -> None:
    """Write what a witness is asked: a checkpoint of GAME, and the proof that it extends the one the witness knows.

    A witness that knows another one says which: then ask with --old.

    Example: umpire witness ask harbour --note athens.checkpoint --old 412 -o request
    """
    with umpire.open(where, read_only=True) as desk:
        game = desk.game(game_id)
        asked = game.submission(read_note(note) if note else SignedNote(game.checkpoint().text()), old)
    if output is None:
        say(*asked.written().splitlines())
        return
    with whole_file(output) as out:
        out.write(asked.written().encode())


@witness.command()
@folder_argument
@click.argument("request", metavar="REQUEST", type=INPUT_FILE)
@json_option
def add(folder: Path, request: Path, as_json: bool) -> None:
    """Cosign the checkpoint in REQUEST, if it extends the newest that this witness knows, and print the signature.

    It is a line for the foot of a signed note: >> appends it. Exit code 5 where the witness refuses.

    Example: umpire witness add tower request >> athens.checkpoint
    """
    asked = Submission.read(read_text(request, MOST_REQUEST))
    line = Witness(folder, keys_in(folder)).add(asked).line()
    if as_json:
        said = asked.note.checkpoint
        print_json({"game": said.game, "size": said.size, "root": said.hex, "signature": line})
    else:
        say(*([] if asked.note.signatures else [""]), line.rstrip("\n"))  # an empty line begins the foot of a bare note
