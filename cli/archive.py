"""Rename and archive games, and back up the ledger (`umpire rename`, `archive`, `unarchive`, `backup`, `restored`)."""

from pathlib import Path

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import BROKEN
from umpire_ledger.cli.options import game_argument, json_option, ledger_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.domain.game.verb_agreement import counted


@click.command(cls=Explained)
@game_argument
@click.argument("name", metavar="[NAME]", default="")
@click.option("--clear", is_flag=True, help="Return to the scenario's name.")
@ledger_option
@json_option
def rename(game_id: str, name: str, clear: bool, where: str, as_json: bool) -> None:
    """Change a game's display name.

    Lists and notices show the display name. The game's id and its records do not change. The name belongs to this
    ledger: an exported log does not contain it.

    \b
    Examples:
      umpire rename harbour "Summer league, round 2"
      umpire rename harbour --clear
    """
    if bool(name.strip()) == clear:
        raise click.UsageError("Give the new name, or --clear to return to the scenario's name.")
    with umpire.open(where) as desk:
        game = desk.game(game_id)
        game.rename(name)
        called = game.display_name
    if as_json:
        print_json({"game": game_id, "display_name": called})
    else:
        say(f"Renamed {game_id}: {called}")


@click.command(cls=Explained)
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the log to this file.")
@ledger_option
@json_option
def archive(game_id: str, output: Path | None, where: str, as_json: bool) -> None:
    """Export a game and hide it from lists.

    Umpire writes the whole log to umpire.archive/ next to umpire.db, or to -o FILE, and checks it. Nothing is deleted.
    The log contains every secret and the dice seeds: keep it from the players. `umpire games --archived` lists archived
    games; `umpire unarchive` shows one in lists again.

    \b
    Examples:
      umpire archive harbour
      umpire archive harbour -o safe/harbour.jsonl
    """
    with umpire.open(where) as desk:
        done = desk.game(game_id).archive(output)
    if as_json:
        print_json(done)
    else:
        say(f"Archived {game_id}: {counted(done.size, 'record')} in {done.file}, VALID, root {done.root}")
        say("Warning: the log contains every secret of the game; keep it from the players.")


@click.command(cls=Explained)
@game_argument
@ledger_option
@json_option
def unarchive(game_id: str, where: str, as_json: bool) -> None:
    """Show an archived game in lists again.

    The exported log is not deleted.

    \b
    Example:
      umpire unarchive harbour
    """
    with umpire.open(where) as desk:
        desk.game(game_id).unarchive()
    if as_json:
        print_json({"game": game_id, "archived": False})
    else:
        say(f"{game_id} is in lists again.")


@click.command(cls=Explained)
@click.argument("output", metavar="FILE", type=click.Path(path_type=Path))
@ledger_option
@json_option
def backup(output: Path, where: str, as_json: bool) -> None:
    """Copy the ledger while others use it.

    FILE contains all games as of one moment. Umpire checks the copy and refuses to replace an existing file. Read
    models are left out: they can be rebuilt from the records. Umpire names each game that does not verify; the exit
    code is then 5.

    \b
    Examples:
      umpire backup club-2026-11-22.db
      umpire games --ledger club-2026-11-22.db
    """
    with umpire.open(where, read_only=True) as desk:
        done = desk.backup(output)
    if as_json:
        print_json(done)
    else:
        held = f"{counted(done.games, 'game')}, {counted(done.records, 'record')}"
        say(f"Copied {held} to {done.file}: {done.bytes:,} bytes, checked.")
    for game, why in done.broken.items():
        say(f"Warning: {game} does not verify, in the ledger or the copy: {why}", err=True)
    if done.broken:
        click.get_current_context().exit(BROKEN)


@click.command(cls=Explained)
@click.option("--why", default="", metavar="REASON", help="State the reason. It is recorded in every game.")
@ledger_option
@json_option
def restored(why: str, where: str, as_json: bool) -> None:
    """Record that this ledger is a restored backup.

    If the original ledger is lost, run this command before anyone gives a new order in the backup. Each game gets a new
    dice seed, and a public record says so. The order `open-dice` then also reveals the earlier seeds, so that `umpire
    verify` recomputes every roll. Do not also continue play in the original: its next rolls could be predicted.

    \b
    Example:
      umpire restored --ledger club-2026-11-22.db --why "the disk failed"
    """
    with umpire.open(where) as desk:
        done = list(desk.restored(why=why))
        for one in done:
            desk.game(one.game).catch_up()
    if as_json:
        print_json(done)
        return
    for one in done:
        said = f"new dice seed (#{one.position})" if one.position else "no dice seed"
        say(f"{one.game}: {said}")
