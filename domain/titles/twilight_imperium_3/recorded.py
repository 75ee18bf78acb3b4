"""The generic orders at this table: what the group does under a rule that is not printed here, in known words.

They know the places, kinds and accounts of the scenario, and leave alone what the sequence of play keeps for itself.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import planets_in, system_of, systems
from umpire_ledger.domain.titles.twilight_imperium_3.units import kinds, label, refuse, unknown
from umpire_ledger.kit import (
    Dice,
    Game,
    Mark,
    Move,
    Pay,
    Place,
    Remove,
    Result,
    after,
    decide_mark,
    decide_move,
    decide_pay,
    decide_place,
    decide_remove,
    names_in,
)

WRITTEN = ("arrived", "bombarded", "damaged", "fired", "landed", "mined", "produced", "range", "shot")
"""Attributes of units that the scenario gives and the rules write."""
ACTIVATED = "activated/"
"""Markers that list whose command counters lie in a system."""


def record_move(game: Game, order: Move, dice: Dice) -> list[Result]:
    """Any way over known places. Raises UnknownName for a place that is not on the map."""
    for place in order.path:
        _verify_place(game, place)
    return decide_move(game, order, dice)


def record_place(game: Game, order: Place, dice: Dice) -> list[Result]:
    """A unit of a known kind, as new. Raises UnknownName for another kind, or for a place that is not on the map."""
    _verify_place(game, order.at)
    if order.kind not in kinds(game):
        raise unknown(game, f"there is no kind {order.kind}", f"name one of: {', '.join(kinds(game))}", label(game))
    if order.attributes:
        what = f"{order.unit} comes into play without {', '.join(sorted(order.attributes))}"
        raise refuse(game, what, "leave `attributes` out", label(game))
    return decide_place(game, order, dice)


def _verify_place(game: Game, place: str) -> None:
    if not system_of(game, place):
        some = ", ".join((*systems(game), *(one for system in systems(game) for one in planets_in(game, system))))
        raise unknown(game, f"there is no place {place}", f"name one of: {some}", label(game))


def record_remove(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Any unit; troops in space are lost with the last ship of their side."""
    results = decide_remove(game, order, dice)
    return [*results, *stranded(after(game, results), game.units[order.unit].at, label(game))]


def record_mark(game: Game, order: Mark, dice: Dice) -> list[Result]:
    """A marker; of the command counters in a system only one's own comes or goes.

    Raises:
        RuleViolation: another player's counter would come or go.
    """
    side = game.side_of(order.seat)
    if order.marker.startswith(ACTIVATED):
        after = order.to if isinstance(order.to, tuple) else ()
        if {*names_in(game, order.marker)} ^ {*after} != {side}:
            what = f"{order.marker} would not change by the counter of {game.side_name(side)} alone"
            raise refuse(game, what, f"put {side} on the list, or take it off", label(game))
    return decide_mark(game, order, dice)


def record_pay(game: Game, order: Pay, dice: Dice) -> list[Result]:
    """Counters and goods. Raises RuleViolation when more would be spent than there is."""
    held = game.accounts.get(order.account, 0)
    if order.amount < 0 and held + order.amount < 0:
        raise refuse(game, f"{order.account} holds {held}", f"spend at most {held}", label(game))
    return decide_pay(game, order, dice)
