"""`umpire rename`, `archive`, `unarchive`, `backup`: names, what is put away, and a copy of the ledger."""

from pathlib import Path

import click

import umpire_ledger as umpire
from umpire_ledger.cli.errors import BROKEN
from umpire_ledger.cli.options import game_argument, json_option, ledger_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.domain.game.verb_agreement import counted


@click.command()
@game_argument
@click.argument("name", default="")
@click.option("--clear", is_flag=True, help="Go back to the scenario's name.")
@ledger_option
@json_option
def rename(game_id: str, name: str, clear: bool, where: str, as_json: bool) -> None:
    """Give GAME the display NAME that lists and notices show. Its id stays, and so does every record.

    The name is this ledger's own: an export does not have it.

    \b
    Examples:
      umpire rename harbour "Summer league, round 2"
      umpire rename harbour --clear
    """
    if bool(name.strip()) == clear:
        raise click.UsageError("Give the new name, or --clear to go back to the scenario's.")
    with umpire.open(where) as desk:
        game = desk.game(game_id)
        game.rename(name)
        called = game.display_name
    if as_json:
        print_json({"game": game_id, "display_name": called})
    else:
        say(f"{game_id}: {called}")


@click.command()
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where the log goes.")
@ledger_option
@json_option
def archive(game_id: str, output: Path | None, where: str, as_json: bool) -> None:
    """Write GAME's whole log, check what was written, and take the game out of the list. Nothing is deleted.

    The log lies in umpire.archive/ beside umpire.db unless -o says otherwise. It holds every secret and the seed of the
    dice: it is the referee's. `umpire games --archived` lists the game, `umpire unarchive` puts it back.

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
        say(f"{game_id} is archived: {done.file}, {done.size} records, VALID, root {done.root}")
        say("  it holds every secret of the game: keep it from the players")


@click.command()
@game_argument
@ledger_option
@json_option
def unarchive(game_id: str, where: str, as_json: bool) -> None:
    """Put GAME back into the list of games. The log that was written of it stays where it is.

    Example: umpire unarchive harbour
    """
    with umpire.open(where) as desk:
        desk.game(game_id).unarchive()
    if as_json:
        print_json({"game": game_id, "archived": False})
    else:
        say(f"{game_id} is in the list of games again")


@click.command()
@click.argument("output", metavar="FILE", type=click.Path(path_type=Path))
@ledger_option
@json_option
def backup(output: Path, where: str, as_json: bool) -> None:
    """Copy the whole ledger into FILE, as of one moment, while others write to it; the copy is checked.

    The copy is one file, and a ledger like any other: --ledger FILE opens it. It appears when it is whole, and never
    over a file that is there. The read models are not in it; they are made anew. Exit code 5 where a game does not
    verify, in the copy as in the ledger.

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
        say(f"{done.file}: {held}, {done.bytes} bytes, checked")
    for game, why in done.broken.items():
        say(f"Warning: {game} does not verify: {why}; the copy is what the ledger is", err=True)
    if done.broken:
        click.get_current_context().exit(BROKEN)


@click.command()
@click.option("--why", default="", metavar="WORDS", help="The reason; it stays in the record of every game.")
@ledger_option
@json_option
def restored(why: str, where: str, as_json: bool) -> None:
    """Play on in a restored backup, in place of a ledger that is lost: every game gets a new seed for its dice.

    A public record in each game says so. Give this command before the first order; an order without it also gets a new
    seed, as in any copy. After it, `open-dice` opens the seeds from before the restore too, so that `umpire verify`
    recomputes every roll. Do not play on in the original: then its dice could be foreseen.

    \b
    Examples:
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
        said = f"a new seed for its dice, record #{one.position}" if one.position else "no seed to replace"
        say(f"{one.game}: {said}")
