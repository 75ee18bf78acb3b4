"""`umpire games`, `new`, `fork`: the ledger's games."""

from pathlib import Path

import click

from umpire_ledger.cli.input_files import read_text
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, position
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import print_json, print_table
from umpire_ledger.cli.session import follow
from umpire_ledger.desk.sitting import fork as fork_game
from umpire_ledger.desk.sitting import new_game, open_ledger
from umpire_ledger.desk.wiring import need_title
from umpire_ledger.domain.game.events import DiceSource, Value


@click.command()
@ledger_option
@json_option
def games(where: str, as_json: bool) -> None:
    """List the ledger's games.

    Example: umpire games --ledger club.db
    """
    with open_ledger(where, read_only=True) as ledger:
        entries = []
        for entry in ledger.games():
            state = ledger.state(entry.id)
            entries.append(
                {
                    "game": entry.id,
                    "title": state.title,
                    "name": state.name,
                    "records": entry.size,
                    "turn": state.turn,
                    "where": state.where,
                    "ended": state.ended,
                    "opened_at": entry.opened_at,
                    "last_at": entry.last_at,
                }
            )
    if as_json:
        print_json(entries)
    else:
        columns = ("game", "title", "records", "opened", "last record", "where")
        keys = ("game", "title", "records", "opened_at", "last_at", "where")
        print_table(columns, [[str(one[key])[:19] if "_at" in key else one[key] for key in keys] for one in entries])


@click.command()
@click.argument("title_id", metavar="TITLE")
@click.option("--id", "game_id", required=True, metavar="ID", help="The game's id, for instance syracuse-1.")
@click.option("--scenario", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The scenario (TOML).")
@click.option(
    "--dice", type=click.Choice(["ledger", "table"]), help="Who throws the dice; the scenario's word if left out."
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="Set an option of the scenario.")
@ledger_option
@json_option
def new(
    title_id: str,
    game_id: str,
    scenario: Path,
    dice: DiceSource | None,
    options: tuple[str, ...],
    where: str,
    as_json: bool,
) -> None:
    """Open a game of TITLE from a scenario file.

    Example: umpire new war-galley --id syracuse-1 --scenario syracuse.toml --dice table
    """
    title = need_title(title_id)
    text = read_text(scenario)
    with open_ledger(where, create=True) as ledger:
        outcome = new_game(ledger, title, text, game=game_id, dice=dice, options=dict(map(_option, options)))
        follow(ledger, where, game_id)
        say_outcome(outcome, game_id, as_json, summary=f"{game_id}: {title.name}, {outcome.game.name}")


def _option(text: str) -> tuple[str, Value]:
    """K=V; true, false and whole numbers are what they look like."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is no option; write for instance --option weather=true")
    plain: dict[str, Value] = {"true": True, "false": False}
    if value.lower() in plain:
        return name, plain[value.lower()]
    return name, int(value) if value.removeprefix("-").isdecimal() else value


@click.command()
@game_argument
@click.option("--id", "new_id", required=True, metavar="ID", help="The copy's id.")
@click.option("--at", metavar="N", help="Copy up to position N; the whole game if left out.")
@ledger_option
@json_option
def fork(game_id: str, new_id: str, at: str | None, where: str, as_json: bool) -> None:
    """Copy GAME up to a position under another id, to try what would have been.

    The copy of a game with ledger dice gets a seed of its own: it cannot tell what the game will roll.

    Example: umpire fork syracuse-1 --at 412 --id syracuse-what-if
    """
    with open_ledger(where) as ledger:
        upto = position(at) or ledger.size(game_id)
        state = fork_game(ledger, game_id, upto, new_id)
        follow(ledger, where, new_id)
        size = ledger.size(new_id)
    if as_json:
        print_json({"game": new_id, "of": game_id, "at": upto, "position": size, "where": state.where})
    else:
        click.echo(f"{new_id}: a copy of {game_id} up to #{upto} · {state.where}")
