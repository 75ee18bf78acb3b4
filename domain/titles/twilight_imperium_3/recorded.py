"""The generic orders at this table: what the group does under a rule that is not printed here, in known words.

They know the places, kinds and accounts of the scenario, and leave alone what the sequence of play keeps for itself.
"""

from collections.abc import Callable, Mapping

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    at_place,
    planets_in,
    ships_in,
    system_of,
    systems,
    verify_system,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    ids,
    is_ship,
    kinds,
    label,
    refuse,
    unknown,
    value,
    what_of,
)
from umpire_ledger.kit import (
    Change,
    Dice,
    Game,
    Mark,
    Move,
    Pay,
    Place,
    Remove,
    Result,
    Unit,
    after,
    decide_change,
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
    """Any way over known places.

    Raises:
        RuleViolation: a place that is not on the map, or where such a unit is not; troops left in space without a ship.
    """
    for place in order.path:
        _verify_place(game, place)
    unit = game.units.get(order.unit)
    results = decide_move(game, order, dice)
    if unit is not None:
        _verify_kind_of_place(game, order.unit, unit.kind, order.path[-1])
        _verify_nobody_is_left(after(game, results), unit)
    return results


def record_place(game: Game, order: Place, dice: Dice) -> list[Result]:
    """A unit of a known kind, as new.

    Raises:
        RuleViolation: another kind, a place that is not on the map, or where such a unit is not.
    """
    _verify_place(game, order.at)
    if order.kind not in kinds(game):
        raise unknown(game, f"there is no kind {order.kind}", f"name one of: {', '.join(kinds(game))}", label(game))
    if order.attributes:
        what = f"{order.unit} comes into play without {', '.join(sorted(order.attributes))}"
        raise refuse(game, what, "leave `attributes` out", label(game))
    _verify_kind_of_place(game, order.unit, order.kind, order.at)
    return decide_place(game, order, dice)


def _verify_place(game: Game, place: str) -> None:
    if not system_of(game, place):
        some = ", ".join((*systems(game), *(one for system in systems(game) for one in planets_in(game, system))))
        raise unknown(game, f"there is no place {place}", f"name one of: {some}", label(game))


def _verify_kind_of_place(game: Game, name: str, kind: str, place: str) -> None:
    """Ships are in space, Space Docks on planets; what ships carry is in both."""
    what, in_space = kinds(game).get(kind, {}).get("what"), place in systems(game)
    if what in ("ship", "fighter") and not in_space:
        raise refuse(game, f"{name} is a ship and stands in space", "name a system", label(game))
    if what == "dock" and in_space:
        raise refuse(game, f"{name} is a Space Dock and stands on a planet", "name a planet", label(game))


def _verify_nobody_is_left(game: Game, moved: Unit) -> None:
    """What a side has in space does not stay behind when the last of its ships is moved away."""
    left = [one for one in at_place(game, moved.at, moved.side) if moved.at in systems(game)]
    if is_ship(game, moved) and left and not ships_in(game, moved.at, moved.side):
        raise refuse(game, f"{ids(left)} would be left in space without a ship", "move them first", label(game))


def record_change(game: Game, order: Change, dice: Dice) -> list[Result]:
    """Damage of a ship that sustains it, or the range of a PDS.

    Raises:
        RuleViolation: a unit of another kind; a value that the attribute does not have.
    """
    unit = game.units.get(order.unit)
    if unit is not None and order.attribute in CHANGED:
        is_one, otherwise, values = CHANGED[order.attribute]
        if not is_one(game, unit):
            raise refuse(game, f"{unit.id} {otherwise}", "name another unit", label(game))
        if not (order.to is None or (type(order.to) is values and order.to >= 0)):  # type: ignore[operator]
            what = f"{order.attribute} of {unit.id} cannot be {order.to}"
            raise refuse(game, what, f"give {VALUES[values]}, or nothing", label(game))
    return decide_change(game, order, dice)


CHANGED: Mapping[str, tuple[Callable[[Game, Unit], bool], str, type]] = {
    "damaged": (lambda game, unit: bool(value(game, unit, "sustain")), "does not sustain damage", bool),
    "range": (lambda game, unit: what_of(game, unit) == "pds", "is no PDS", int),
}
"""By attribute that steps open to `change`: which units have it, what is said of the others, and its values."""
VALUES = {bool: "true", int: "a number of systems from 0"}


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
    """Counters, goods and mines.

    Raises:
        RuleViolation: more would be spent than there is; mines in a system that is not on the map.
    """
    family, _, rest = order.account.partition("/")
    if family == "mines":
        verify_system(game, rest.partition("/")[0], label(game))
    held = game.accounts.get(order.account, 0)
    if order.amount < 0 and held + order.amount < 0:
        raise refuse(game, f"{order.account} holds {held}", f"spend at most {held}", label(game))
    return decide_pay(game, order, dice)
