"""`umpire key`: keys of your own, with which a seat signs its orders; the secret half stays in your configuration."""

import os
from pathlib import Path

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import INPUT_FILE, game_argument, json_option, ledger_option, seat_option, typed
from umpire_ledger.cli.own_keys import PASSPHRASE_FILE, own_keys, passphrase_in
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.cli.session import sign_with_own_keys
from umpire_ledger.desk.orders.order_files import read_order_json
from umpire_ledger.desk.signing.checkpoints import keep_note, read_note
from umpire_ledger.desk.signing.signing import signed


@click.group()
def key() -> None:
    """Keep keys of your own: a seat with a key signs its orders, and nobody else can give them.

    The secret half lies in `~/.config/umpire/keys` (or below XDG_CONFIG_HOME), for your eyes only. The public half goes
    into the game: `umpire new … --key athens=…`, `take-seat … --key …`, or the order `give-key`. Then each command
    with --as athens signs by itself where the key lies.

    \b
    Examples:
      umpire key new athens
      umpire order harbour give-key athens "$(umpire key show athens)" --as athens
    """


@key.command()
@click.argument("name", metavar="SEAT")
@click.option("--passphrase", is_flag=True, help="Lock it with a pass-phrase, which is asked for.")
@json_option
def new(name: str, passphrase: bool, as_json: bool) -> None:
    """Make a key and print its public half. SEAT is only its name: it may serve in many games.

    UMPIRE_KEY_PASSPHRASE_FILE names a file that holds the pass-phrase, where nobody can type it.

    Example: umpire key new athens
    """
    kept = os.environ.get(PASSPHRASE_FILE, "")
    said = ""
    if passphrase:
        said = (
            passphrase_in(kept) if kept else str(click.prompt("pass-phrase", hide_input=True, confirmation_prompt=True))
        )
        if not said:
            raise usage("the pass-phrase is empty", rule="keys", remedy="give one, or leave --passphrase out")
    keys = own_keys()
    made = keys.new(name, said)
    if as_json:
        print_json({"name": name, "key": made.text(), "folder": str(keys.folder)})
    else:
        say(made.text())
        say(f"its secret half is in {keys.folder}; give the line above to whoever opens the game", err=True)


@key.command()
@click.argument("name", metavar="SEAT")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print the public half of a key.

    Example: umpire key show athens
    """
    found = own_keys().public(name)
    if as_json:
        print_json({"name": name, "key": found.text(), "id": found.id.hex()})
    else:
        say(found.text())


@key.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the keys that you have.

    Example: umpire key list
    """
    keys = own_keys()
    found = [keys.public(name) for name in keys.names()]
    if as_json:
        print_json([{"name": one.name, "key": one.text(), "id": one.id.hex()} for one in found])
    elif found:
        print_table(("key", "public half"), [(one.short, one.text()) for one in found])
    else:
        say(f"no keys in {keys.folder}")


@key.command()
@click.argument("name", metavar="SEAT")
@click.argument("checkpoint", metavar="CHECKPOINT", type=INPUT_FILE)
@click.argument("order", metavar="ORDER")
def sign(name: str, checkpoint: Path, order: str) -> None:
    """Sign one order for a ledger that lies elsewhere, and print it as a line of an order file.

    CHECKPOINT has the three lines of the game as you saw it; by signing you vouch for that history. ORDER is an order
    as JSON; - reads it from standard input. The line may be sent by mail or over HTTP: whoever enters it can change
    nothing in it, and it can be given once.

    Example: umpire key sign athens harbour.checkpoint '{"as": "athens", "order": "done"}'
    """
    raw = read_order_json(typed(order))
    line = signed(raw, own_keys().secret(name), umpire.read_checkpoint(checkpoint))
    say(msgspec.json.encode(line).decode())


@key.command()
@game_argument
@click.argument("file", metavar="FILE", type=INPUT_FILE)
@seat_option
@ledger_option
@json_option
def cosign(game_id: str, file: Path, seat: str, where: str, as_json: bool) -> None:
    """Sign somebody's checkpoint of GAME too, if the ledger still holds exactly the history that it was made of.

    FILE is a checkpoint as `umpire seal` wrote it. Your signature is added below, and nothing is recorded.

    Example: umpire key cosign harbour athens.checkpoint --as syracuse
    """
    with umpire.open(where, read_only=True) as desk:
        sign_with_own_keys(desk)
        note = keep_note(file, desk.game(game_id).cosigned(read_note(file), seat))
    names = [one.name for one in note.signatures]
    if as_json:
        print_json({"file": str(file), "size": note.checkpoint.size, "root": note.checkpoint.hex, "signed": names})
    else:
        say(f"{file}: #{note.checkpoint.size} of {game_id}, signed by {', '.join(names)}")
