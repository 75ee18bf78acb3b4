"""Compare two positions of one game, or a copy with its original (`umpire diff`)."""

from collections.abc import Iterator
from typing import NamedTuple

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import complete_game, json_option, ledger_option, position, seat_option, table_options
from umpire_ledger.cli.printing import print_json, print_table, say, table_form
from umpire_ledger.domain.game.events.phrases import say as say_value


class GamePosition(NamedTuple):
    """A position of a game; None for its last position."""

    game: str
    at: int | None


@click.command(cls=Explained)
@click.argument("game_id", metavar="GAME", shell_complete=complete_game)
@click.argument("before", metavar="[A]", default="")
@click.argument("after", metavar="[B]", default="")
@seat_option
@ledger_option
@table_options
@json_option
def diff(game_id: str, before: str, after: str, seat: str, where: str, as_json: bool) -> None:
    """Compare two positions or two games.

    A and B are positions of GAME, other games, or positions of other games (what-if#590). If you leave B out, A is
    compared with the newest record. You see only what the seat may see.

    \b
    Examples:
      umpire diff harbour 412 430
      umpire diff harbour what-if
      umpire diff harbour 590 what-if#595
    """
    with umpire.open(where, read_only=True) as desk:
        known = desk.ledger.game_ids()
        first = _place(game_id, known, game_id)
        second = _place(before, known, first.game) if before else None
        third = _place(after, known, first.game) if after else None
        left, right = _two(first, second, third)
        one, other = (desk.game(place.game) for place in (left, right))
        _verify_alike(one, other)
        found = _at(one, left, seat).diff(_at(other, right, seat))
        names = list(_names(one, left, other, right))
        both = f"{one.full_name} and {other.full_name}" if one.id != other.id else ""
    if as_json:
        print_json([{key: getattr(one, key) for key in one.__struct_fields__} for one in found])
        return
    if both and not table_form():
        say(both)
    rows = [(each.kind, each.id, each.what, say_value(each.before), say_value(each.after)) for each in found]
    print_table(("kind", "id", "change", *names), rows, empty="no differences")


def _place(text: str, known: tuple[str, ...], game_id: str) -> GamePosition:
    """Return the position for `12`, `#12`, the id of a game, or `game#12`."""
    name, mark, number = text.rpartition("#")
    if text in known:
        return GamePosition(text, None)
    if mark and name in known:
        return GamePosition(name, position(number))
    if number.isascii() and number.isdigit() and not name:
        return GamePosition(game_id, position(number))
    return GamePosition(text, None)  # opening it reports that there is no such game


def _two(
    first: GamePosition, second: GamePosition | None, third: GamePosition | None
) -> tuple[GamePosition, GamePosition]:
    """Return the two positions to compare: the two given positions, or the given one and the game."""
    if second is None:
        remedy = "name two positions, or another game: `umpire diff GAME 412 430`, `umpire diff GAME what-if`"
        raise usage("the second position is missing", where="umpire diff", remedy=remedy)
    if third is not None:
        return second, third
    return (second, first) if second.game == first.game else (first, second)


def _verify_alike(one: umpire.PlayedGame, other: umpire.PlayedGame) -> None:
    if one.title_id != other.title_id:
        what = f"{one.id} is a game of {one.title_id}, {other.id} of {other.title_id}"
        raise usage(what, where="umpire diff", remedy="compare two games of the same title")


def _at(game: umpire.PlayedGame, place: GamePosition, seat: str) -> umpire.Position:
    looker = game.seat(seat)
    return looker.now if place.at is None else looker.at(place.at)


def _names(one: umpire.PlayedGame, left: GamePosition, other: umpire.PlayedGame, right: GamePosition) -> Iterator[str]:
    """Yield the headings of the two compared positions."""
    for game, place in ((one, left), (other, right)):
        number = game.size if place.at is None else place.at
        yield f"at #{number}" if one.id == other.id else f"{game.id} #{number}"
