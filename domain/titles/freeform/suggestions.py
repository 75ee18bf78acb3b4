"""Suggest orders that a scenario defines, by trying values for one argument after another.

Each requirement is checked as soon as its arguments have values, so that few useless combinations are tried.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from umpire_ledger.domain.titles.freeform.own_orders import OwnOrder
from umpire_ledger.domain.titles.freeform.texts import TakesText
from umpire_ledger.domain.titles.freeform.values import EvaluationContext, holds
from umpire_ledger.kit import Game, Order, Suggest, Value, board_in, is_foggy, places_beside

MOST_TOLD, MOST_ASKED = 120, 4000
"""The most suggestions of one order, and the most argument values that are tried to find them."""
MOST_COUNTED = 400_000
"""The most units to evaluate for one order, because each value that is tried may count all units."""
MOST_PLACES = 400


def ideas_for(own: OwnOrder) -> Suggest:
    """Return the function that suggests one order to a side."""

    def tries(game: Game, side: str) -> Iterable[Order]:
        asked = EvaluationContext(game, side)
        open_now = all(one.about or holds(one.node, asked) for one in own.requires)
        found = _chosen(own, asked, list(own.takes.items()), _Patience(game)) if open_now else ()
        for given in islice(found, MOST_TOLD):
            yield own.type(seat=side, **given)

    return tries


def could_give(own: OwnOrder, game: Game, side: str) -> bool:
    """Check whether a side could give an order with any units, sides and choices.

    Return True also if this is unknown: in games with fog, and if there are too many combinations to try.
    """
    if is_foggy(game):
        return True
    asked, patience = EvaluationContext(game, side), _Patience(game)
    if not all(one.about or holds(one.node, asked) for one in own.requires):
        return False
    counted = [(name, takes) for name, takes in own.takes.items() if _is_countable(takes)]
    return any(True for _ in _chosen(own, asked, counted, patience)) or patience.left < 0


def _is_countable(takes: TakesText) -> bool:
    """Check whether `_worth` returns every possible value of an argument."""
    return takes.type == "choice" or (takes.type in ("unit", "side") and takes.default is None)


class _Patience:
    """A limit on the values that may still be tried."""

    def __init__(self, game: Game) -> None:
        self.left = min(MOST_ASKED, MOST_COUNTED // max(1, len(game.units)))


def _chosen(
    own: OwnOrder, asked: EvaluationContext, open_yet: list[tuple[str, TakesText]], patience: _Patience
) -> Iterator[Mapping[str, Value]]:
    if not open_yet:
        yield asked.given
        return
    (name, takes), *later = open_yet
    for value in _worth(takes, asked):
        patience.left -= 1
        if patience.left < 0:
            return
        then = asked._replace(given={**asked.given, name: value})
        chosen = then.given.keys()
        due = (each for each in own.requires if name in each.about and each.about <= chosen)
        if all(holds(each.node, then) for each in due):
            yield from _chosen(own, then, later, patience)


def _worth(takes: TakesText, asked: EvaluationContext) -> Iterable[Value]:
    """Return the values of an argument that are worth trying."""
    game = asked.game
    match takes.type:
        case "unit":
            return _units(asked)
        case "units":
            return [(unit,) for unit in _units(asked)]
        case "place":
            return _places(asked)
        case "path":
            return [(place,) for place in _places(asked)]
        case "side":
            return game.side_ids
        case "number":
            few = range(takes.least, min(takes.most, takes.least + 9) + 1)
            return dict.fromkeys((*few, takes.most))
        case "choice":
            return takes.choices
        case _:
            return [str(takes.default) if takes.default else "as agreed"]


def _units(asked: EvaluationContext) -> list[str]:
    """Return the ids of all units in play, the side's own units first.

    If another argument already names a unit, units of other sides come first, as likely targets.
    """
    own_last = any(one in asked.game.units for one in asked.given.values() if isinstance(one, str))
    found = asked.game.in_play()
    return [unit.id for unit in sorted(found, key=lambda unit: (unit.side == asked.side) is own_last)]


def _places(asked: EvaluationContext) -> list[str]:
    """Return the places next to the side's own units, the places of units, and the named places of the board."""
    game = asked.game
    board = board_in(game.tables)
    own = dict.fromkeys(unit.at for unit in game.in_play(asked.side) or game.in_play())
    beside = (place for one in own for place in places_beside(board, one))
    stand = (unit.at for unit in game.in_play())
    every = chain(beside, stand, board.points, board.areas, board.boxes)
    return list(dict.fromkeys(islice(every, MOST_PLACES)))
