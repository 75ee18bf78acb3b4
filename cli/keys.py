"""Manage the user's own keys, with which seats sign their orders (`umpire key`).

The secret half of a key stays in the user's configuration.
"""

import os
from pathlib import Path

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
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
    """Manage your signing keys.

    A seat with a key signs its orders, and no one else can give them. Umpire keeps the secret half in
    `~/.config/umpire/keys`, readable by you alone. The public half goes into the game: with `umpire new --key`, or with
    the order `give-key` or `take-seat`. From then on, commands with --as SEAT sign if the secret half is on this
    machine.

    \b
    Examples:
      umpire key new athens
      umpire order harbour give-key athens "$(umpire key show athens)" --as athens
    """


@key.command(cls=Explained)
@click.argument("name", metavar="SEAT")
@click.option("--passphrase", is_flag=True, help="Protect the key with a pass-phrase that you type.")
@json_option
def new(name: str, passphrase: bool, as_json: bool) -> None:
    """Create a key and print its public half.

    SEAT is the key's name; one key can serve in many games. Without a terminal, the environment variable
    UMPIRE_KEY_PASSPHRASE_FILE names a file that contains the pass-phrase.

    \b
    Example:
      umpire key new athens
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
        say(f"The secret half is in {keys.folder}. Give the line above to the referee who starts the game.", err=True)


@key.command(cls=Explained)
@click.argument("name", metavar="SEAT")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print the public half of a key.

    \b
    Example:
      umpire key show athens
    """
    found = own_keys().public(name)
    if as_json:
        print_json({"name": name, "key": found.text(), "id": found.id.hex()})
    else:
        say(found.text())


@key.command("list", cls=Explained)
@json_option
def list_(as_json: bool) -> None:
    """List your keys.

    \b
    Example:
      umpire key list
    """
    keys = own_keys()
    found = [keys.public(name) for name in keys.names()]
    if as_json:
        print_json([{"name": one.name, "key": one.text(), "id": one.id.hex()} for one in found])
    elif found:
        print_table(("key", "public half"), [(one.short, one.text()) for one in found])
    else:
        say(f"No keys in {keys.folder}.")


@key.command(cls=Explained)
@click.argument("name", metavar="SEAT")
@click.argument("checkpoint", metavar="CHECKPOINT", type=INPUT_FILE)
@click.argument("order", metavar="ORDER")
def sign(name: str, checkpoint: Path, order: str) -> None:
    """Sign an order for a ledger on another machine.

    Umpire prints one line for an order file. The line cannot be changed and is recorded only once, so you can send it
    by mail or over HTTP. With the signature you confirm the history of CHECKPOINT, the three lines that `umpire seal`
    printed.

    \b
    Example:
      umpire key sign athens mine.checkpoint '{"as": "athens", "order": "done"}'
    """
    raw = read_order_json(typed(order))
    line = signed(raw, own_keys().secret(name), umpire.read_checkpoint(checkpoint))
    say(msgspec.json.encode(line).decode())


@key.command(cls=Explained)
@game_argument
@click.argument("file", metavar="FILE", type=INPUT_FILE)
@seat_option
@ledger_option
@json_option
def cosign(game_id: str, file: Path, seat: str, where: str, as_json: bool) -> None:
    """Add your signature to another seat's checkpoint.

    FILE is a checkpoint that `umpire seal` wrote: the size and root hash of the game's log. Umpire signs it only if the
    ledger still has exactly that history. Nothing is recorded in the game.

    \b
    Example:
      umpire key cosign harbour athens.checkpoint --as syracuse
    """
    with umpire.open(where, read_only=True) as desk:
        sign_with_own_keys(desk)
        note = keep_note(file, desk.game(game_id).cosigned(read_note(file), seat))
    names = [one.name for one in note.signatures]
    if as_json:
        print_json({"file": str(file), "size": note.checkpoint.size, "root": note.checkpoint.hex, "signed": names})
    else:
        say(f"Signed {file}: #{note.checkpoint.size} of {game_id}, signatures of {', '.join(names)}")
