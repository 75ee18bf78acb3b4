"""Run a witness, which cosigns only extensions of the newest checkpoint of each game (`umpire witness`)."""

from pathlib import Path

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    CountRange,
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
    """Run a witness that cosigns checkpoints.

    A checkpoint has the size and root hash of a game's log. A witness keeps the newest checkpoint of each game and
    cosigns only checkpoints that extend it. So everyone who requires its signature knows that they all saw the same
    history. Requests have the C2SP format tlog-witness; `umpire serve --witness FOLDER` accepts them over HTTP.

    \b
    Examples:
      umpire witness new tower --name tower
      umpire witness ask harbour --note athens.checkpoint -o request
      umpire witness add tower request >> athens.checkpoint
      umpire verify harbour --checkpoint athens.checkpoint --witness KEY
    """


@witness.command(cls=Explained)
@folder_argument
@click.option("--name", required=True, metavar="NAME", help="Name of the witness in its signatures.")
@json_option
def new(folder: Path, name: str, as_json: bool) -> None:
    """Create a witness and print its public key.

    \b
    Example:
      umpire witness new tower --name tower
    """
    key = new_witness(folder, name, keys_in(folder))
    if as_json:
        print_json({"name": name, "key": key.text(), "folder": str(folder)})
    else:
        say(key.text())


@witness.command(cls=Explained)
@folder_argument
@json_option
def show(folder: Path, as_json: bool) -> None:
    """Print the public key of a witness.

    \b
    Example:
      umpire witness show tower
    """
    key = Witness(folder, keys_in(folder)).key
    if as_json:
        print_json({"name": key.name, "key": key.text()})
    else:
        say(key.text())


@witness.command(cls=Explained)
@folder_argument
@click.argument("game_id", metavar="GAME")
@click.argument("key", metavar="KEY")
@json_option
def trust(folder: Path, game_id: str, key: str, as_json: bool) -> None:
    """Require a key on a game's checkpoints.

    From then on, the witness cosigns a checkpoint of GAME only if KEY or another required key signed it. It no longer
    cosigns checkpoints of games without a required key. A witness without required keys cosigns unsigned checkpoints
    too.

    \b
    Example:
      umpire witness trust tower harbour "$(umpire key show athens)"
    """
    Witness(folder, keys_in(folder)).trust(game_id, key)
    if as_json:
        print_json({"folder": str(folder), "game": game_id, "key": key})
    else:
        say(f"{folder}: checkpoints of {game_id} signed with {'+'.join(key.split('+')[:2])} are cosigned")


@witness.command(cls=Explained)
@game_argument
@click.option(
    "--note", "note", type=INPUT_FILE, metavar="FILE", help="Checkpoint to cosign. Default: the current one, unsigned."
)
@click.option(
    "--old",
    type=CountRange(min=0),
    default=0,
    metavar="N",
    help="Size of the last checkpoint that the witness cosigned.",
)
@click.option("-o", "--output", required=True, type=OUTPUT_FILE, metavar="FILE", help="Write to this file; - prints.")
@ledger_option
def ask(game_id: str, note: Path | None, old: int, output: Path | None, where: str) -> None:
    """Write a request to a witness.

    The request has a checkpoint of GAME and a proof that it extends the checkpoint that the witness knows. If the
    witness answers that it knows another size, give that size with --old.

    \b
    Example:
      umpire witness ask harbour --note athens.checkpoint --old 412 -o request
    """
    with umpire.open(where, read_only=True) as desk:
        game = desk.game(game_id)
        asked = game.submission(read_note(note) if note else SignedNote(game.checkpoint().text()), old)
    if output is None:
        say(*asked.written().splitlines())
        return
    with whole_file(output) as out:
        out.write(asked.written().encode())


@witness.command(cls=Explained)
@folder_argument
@click.argument("request", metavar="REQUEST", type=INPUT_FILE)
@json_option
def add(folder: Path, request: Path, as_json: bool) -> None:
    """Cosign the checkpoint of a request.

    The witness signs if the checkpoint extends the newest one it knows, and prints the signature. Append that line to
    the checkpoint. Exit code 5: the witness does not sign.

    \b
    Example:
      umpire witness add tower request >> athens.checkpoint
    """
    asked = Submission.read(read_text(request, MOST_REQUEST))
    line = Witness(folder, keys_in(folder)).add(asked).line()
    if as_json:
        said = asked.note.checkpoint
        print_json({"game": said.game, "size": said.size, "root": said.hex, "signature": line})
    else:
        say(
            *([] if asked.note.signatures else [""]), line.rstrip("\n")
        )  # an empty line precedes the first signature of a note
