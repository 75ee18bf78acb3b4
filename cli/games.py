"""`umpire games`, `new`, `fork`, `scenario`: the ledger's games."""

from pathlib import Path

import click

import umpire_ledger as umpire
from umpire_ledger.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    at_option,
    game_argument,
    json_option,
    ledger_option,
    position,
    seat_option,
    verify_digits,
)
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.cli.session import between_orders, follow, looking
from umpire_ledger.ledger.limits import MOST_DIGITS


@click.command()
@ledger_option
@json_option
def games(where: str, as_json: bool) -> None:
    """List the ledger's games.

    Example: umpire games --ledger club.db
    """
    with umpire.open(where, read_only=True) as desk:
        found = desk.games()
    if as_json:
        print_json(found)
        return
    rows = [
        (one.game, one.title, one.records, one.opened_at[:19], one.last_at[:19], one.trouble or one.where)
        for one in found
    ]
    print_table(("game", "title", "records", "opened", "last record", "where"), rows)


@click.command()
@click.argument("title_id", metavar="TITLE")
@click.option("--id", "game_id", required=True, metavar="ID", help="The game's id, for instance syracuse-1.")
@click.option(
    "--scenario", required=True, type=INPUT_FILE, metavar="FILE", help="The scenario (TOML); - is standard input."
)
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
    dice: umpire.DiceSource | None,
    options: tuple[str, ...],
    where: str,
    as_json: bool,
) -> None:
    """Open a game of TITLE from a scenario file.

    Example: umpire new war-galley --id syracuse-1 --scenario syracuse.toml --dice table
    """
    with umpire.open(where) as desk:
        game = desk.new(title_id, scenario, id=game_id, dice=dice, options=dict(map(_option, options)))
        follow(game)
        name = game.title.name if game.title else title_id
        say_outcome(game.opening, as_json, summary=f"{game_id}: {name}, {game.name}")


def _option(text: str) -> tuple[str, umpire.Value]:
    """K=V; true, false and whole numbers are what they look like."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is no option; write for instance --option weather=true")
    plain: dict[str, umpire.Value] = {"true": True, "false": False}
    if value.lower() in plain:
        return name, plain[value.lower()]
    if not value.removeprefix("-").isdecimal():
        return name, value
    verify_digits(value, f"--option {name}", MOST_DIGITS)
    return name, int(value)


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
    with umpire.open(where) as desk:
        game = desk.game(game_id)
        upto = between_orders(game, position(at))
        copy = game.fork(new_id, at=upto)
        follow(copy)
        said = {"game": new_id, "of": game_id, "at": upto, "position": copy.size, "where": copy.where}
    if as_json:
        print_json(said)
    else:
        say(f"{new_id}: a copy of {game_id} up to #{upto} · {said['where']}")


@click.command()
@game_argument
@at_option
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Where to; printed if left out.")
@seat_option
@ledger_option
@json_option
def scenario(game_id: str, at: str | None, output: Path | None, seat: str, where: str, as_json: bool) -> None:
    """Write a scenario (TOML) that goes on where GAME stands, or stood at a position.

    It holds all that play has brought about: units with every attribute, accounts, markers, answers, and where play
    stands. A game opened from it goes on as this one would; ledger dice fall from a new seed. A seat may write it where
    it knows all that is in it: with sealed answers that is the referee, who keeps the file from the players.

    \b
    Examples:
      umpire scenario syracuse-1 --at 412 -o midway.toml
      umpire new war-galley --id syracuse-2 --scenario midway.toml
    """
    with looking(where, game_id, seat) as looker:
        stood = between_orders(looker.game, position(at))
        text = looker.scenario(output, at=stood)
    if as_json:
        print_json({"game": game_id, "at": stood, "file": str(output) if output else None, "scenario": text})
    elif output:
        say(f"{output}: {game_id} as it stood at #{stood}")
    else:
        say(*text.removesuffix("\n").split("\n"))
