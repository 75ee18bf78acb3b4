"""List, start and copy the ledger's games (`umpire games`, `new`, `fork`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    INPUT_FILE,
    complete_listed,
    each_once,
    game_argument,
    json_option,
    ledger_option,
    position,
    verify_digits,
)
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import minutes, print_csv, print_json, print_markdown, print_table, say
from umpire_ledger.cli.session import between_orders, follow
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.records.limits import MOST_DIGITS


@click.command(cls=Explained)
@click.option(
    "--waiting",
    default="",
    metavar="SIDE",
    shell_complete=complete_listed,
    help="List games in which this side or seat must act.",
)
@click.option("--title", default="", metavar="TITLE", shell_complete=complete_listed, help="List games of this title.")
@click.option(
    "--idle", metavar="TIME", help="List running games that have had no record for this long: 90m, 36h, 3d, 2w."
)
@click.option("--ended/--running", "ended", default=None, help="List finished games only, or running ones only.")
@click.option("--disputed", is_flag=True, help="List games with an open dispute.")
@click.option("--archived", is_flag=True, help="List archived games only.")
@click.option("--all", "every", is_flag=True, help="List archived games too.")
@click.option(
    "--sort",
    default="entered",
    show_default=True,
    metavar="BY",
    shell_complete=complete_listed,
    help="Sort by entered, opened, last, waiting (the longest wait first), game, name, title, turn or disputes.",
)
@click.option("--reverse", is_flag=True, help="Reverse the order.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a Markdown table.")
@click.option("--json", "form", flag_value="json", help="Print JSON, including errors.")
@ledger_option
def games(where: str, form: str | None, archived: bool, every: bool, **wanted: Any) -> None:
    """List games and who must act in each.

    A line shows the current step, the sides that must act and since when, and open disputes. Times are UTC. Games
    appear in the order in which they entered this ledger, unless you sort them. A game that cannot be read is listed
    with the fault. If one of several database servers is down, the games on the others are listed and the exit code is
    7.

    \b
    Examples:
      umpire games --ledger club.db
      umpire games --waiting athens --sort waiting
      umpire games --idle 3d --csv > idle.csv
    """
    away: list[umpire.StoreUnavailable] = []
    with umpire.open(where, read_only=True) as desk:
        listed = desk.games(archived=None, away=away.append, **wanted)
    found = [one for one in listed if every or one.archived == archived]
    if form == "json":
        print_json(found)
    elif form is None:
        print_table(SHOWN, map(_shown, found), empty="no games")
        if (left_out := len(listed) - len(found)) and not archived:
            say(f"{counted(left_out, 'archived game')} not listed: `umpire games --archived`")
    else:
        (print_csv if form == "csv" else print_markdown)(COLUMNS, map(_cells, found))
    if away:
        what = "; ".join(one.what for one in away)
        raise umpire.StoreUnavailable(what, where=away[0].where, remedy=away[0].remedy)


SHOWN = ("game", "name", "title", "records", "waits for", "since", "last record", "disputes", "where")
COLUMNS = (
    *("game", "display_name", "title", "records", "turn", "where", "waiting", "since", "last_at", "opened_at", "ended"),
    *("disputes", "archived", "trouble"),
)


def _shown(entry: umpire.GameEntry) -> Sequence[object]:
    where = entry.trouble or entry.where
    return (
        *(entry.game, entry.display_name, entry.title, entry.records, ", ".join(entry.waiting), minutes(entry.since)),
        *(minutes(entry.last_at), ", ".join(entry.disputes), f"(archived) {where}" if entry.archived else where),
    )


def _cells(one: umpire.GameEntry) -> list[object]:
    values = (getattr(one, name) for name in COLUMNS)
    return [", ".join(value) if isinstance(value, tuple) else value for value in values]


@click.command(cls=Explained)
@click.argument("title_id", metavar="TITLE")
@click.option("--id", "game_id", required=True, metavar="ID", help="Id of the new game, for example harbour.")
@click.option(
    "--scenario", required=True, type=INPUT_FILE, metavar="FILE", help="Scenario file (TOML); - reads standard input."
)
@click.option(
    "--dice",
    type=click.Choice(["ledger", "shared", "witnessed", "table"]),
    envvar="UMPIRE_DICE",
    help="Choose how dice are rolled. The scenario sets the default.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Set an option of the scenario. Repeatable."
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="SEAT=KEY",
    help="Set the public key with which a seat signs its orders. Repeatable.",
)
@ledger_option
@json_option
def new(
    title_id: str,
    game_id: str,
    scenario: Path,
    dice: umpire.DiceMode | None,
    options: tuple[str, ...],
    keys: tuple[str, ...],
    where: str,
    as_json: bool,
) -> None:
    """Start a game from a scenario.

    Umpire checks the scenario, records the setup and shows who must act. A scenario with a fault does not start a game:
    `umpire scenario --check FILE` lists all faults.

    \b
    Examples:
      umpire new war-galley --id harbour --scenario harbour.toml --dice table
      umpire new war-galley --id two --scenario harbour.toml --option weather=true
    """
    with umpire.open(where) as desk:
        settled, by_seat = each_once("--option", map(_option, options)), each_once("--key", map(_key, keys))
        game = desk.new(title_id, scenario, id=game_id, dice=dice, options=settled, keys=by_seat)
        follow(game)
        name = game.title.name if game.title else title_id
        more = {"left_to_table": game.left_to_table} if game.left_to_table else {}
        say_outcome(game.opening, as_json, summary=f"{game_id}: {name}, {game.name}", more=more)
        say(*(f"decided at the table: {one}" for one in game.left_to_table if not as_json))


def _option(text: str) -> tuple[str, umpire.Value]:
    """Return the name and value in NAME=VALUE; true, false and whole numbers are not text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is not an option; write, for example, --option weather=true")
    plain: dict[str, umpire.Value] = {"true": True, "false": False}
    if value.lower() in plain:
        return name, plain[value.lower()]
    if not value.removeprefix("-").isdecimal():
        return name, value
    verify_digits(value, f"--option {name}", MOST_DIGITS)
    return name, int(value)


def _key(text: str) -> tuple[str, str]:
    seat, equals, public = text.partition("=")
    if not equals or not seat:
        raise click.BadParameter(
            f"{text!r} is not a key of a seat; write --key athens=KEY, as `umpire key show` prints it"
        )
    return seat, public


@click.command(cls=Explained)
@game_argument
@click.option("--id", "new_id", required=True, metavar="ID", help="Id of the copy.")
@click.option("--at", metavar="N", help="Copy up to position N. Default: the whole game.")
@ledger_option
@json_option
def fork(game_id: str, new_id: str, at: str | None, where: str, as_json: bool) -> None:
    """Copy a game to try an alternative.

    The original does not change. If the ledger rolls the dice, the copy gets a new seed: its rolls do not show what the
    original will roll. Compare both with `umpire diff GAME COPY`.

    \b
    Example:
      umpire fork harbour --at 412 --id syracuse-what-if
    """
    with umpire.open(where) as desk:
        game = desk.game(game_id)
        upto = between_orders(game, position(at))
        copy = game.fork(new_id, at=upto)
        follow(copy)
        said = {"game": new_id, "of": game_id, "at": upto, "position": copy.size, "where": copy.where}
    if as_json:
        print_json(said)
    else:
        say(f"Copied {game_id} up to #{upto} as {new_id} · {said['where']}")
