"""The generic orders at this table: what the group does under a rule that is not printed here, in known words.

They know the places, kinds and accounts of the scenario, and leave alone what the sequence of play keeps for itself.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import planets_in, system_of, systems
from umpire_ledger.domain.titles.twilight_imperium_3.units import NOW, kinds, label, refuse, unknown
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
)


def record_move(game: Game, order: Move, dice: Dice) -> list[Result]:
    """Any way over known places. Raises UnknownName for a place that is not on the map."""
    for place in order.path:
        _verify_place(game, place)
    return decide_move(game, order, dice)


def record_place(game: Game, order: Place, dice: Dice) -> list[Result]:
    """A unit of a known kind. Raises UnknownName for another kind, or for a place that is not on the map."""
    _verify_place(game, order.at)
    if order.kind not in kinds(game):
        raise unknown(game, f"there is no kind {order.kind}", f"name one of: {', '.join(kinds(game))}", label(game))
    return decide_place(game, order, dice)


def _verify_place(game: Game, place: str) -> None:
    if not system_of(game, place):
        some = ", ".join((*systems(game), *(one for system in systems(game) for one in planets_in(game, system))))
        raise unknown(game, f"there is no place {place}", f"name one of: {some}", label(game))


def record_remove(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Any unit; troops in space are lost with the last ship of their side."""
    results = decide_remove(game, order, dice)
    return [*results, *stranded(after(game, results), game.units[order.unit].at, label(game))]


def record_pay(game: Game, order: Pay, dice: Dice) -> list[Result]:
    """Counters and goods. Raises RuleViolation when more would be spent than there is."""
    held = game.accounts.get(order.account, 0)
    if order.amount < 0 and held + order.amount < 0:
        raise refuse(game, f"{order.account} holds {held}", f"spend at most {held}", label(game))
    return decide_pay(game, order, dice)


def record_mark(game: Game, order: Mark, dice: Dice) -> list[Result]:
    """Any marker but those of the sequence. Raises RuleViolation for one that begins with `now/`."""
    if order.marker.startswith(NOW):
        what = f"{order.marker} belongs to the sequence of play"
        raise refuse(game, what, "leave it; `undo` takes an order back", label(game))
    return decide_mark(game, order, dice)
