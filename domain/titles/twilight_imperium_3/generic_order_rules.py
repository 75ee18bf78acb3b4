"""Check generic orders, with which the group records effects of rules that are not printed here.

They must use places, kinds and accounts of the scenario, and cannot touch the markers of the sequence of play.
"""

from collections.abc import Callable, Mapping

from umpire_ledger.domain.titles.twilight_imperium_3.cards import whose_card_lies_open
from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    at_place,
    planets_in,
    ships_in,
    system_of,
    systems,
    verify_system,
)
from umpire_ledger.domain.titles.twilight_imperium_3.movement import moves_itself
from umpire_ledger.domain.titles.twilight_imperium_3.production import ready_planets
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    active_systems,
    is_afloat,
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
    Reason,
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
    moved,
    names_in,
    replace,
)

SPENT = ("TA.7", "TR.5")
"""Production steps: goods and planet cards are spent, and mines laid in an activated system."""
WRITTEN = ("arrived", "bombarded", "damaged", "fired", "landed", "mined", "produced", "range", "shot")
"""Attributes that the scenario or the rules set on units."""
ACTIVATED = "activated/"
"""Prefix of the markers that list the sides with a command counter in a system."""
LISTS = (ACTIVATED, "tech/")
"""Prefixes of the markers that list names."""


def has_units_to_touch(game: Game, side: str) -> bool:
    """Return whether a side's `move` or `remove` may affect any unit."""
    return bool(_to_touch(game, side))


def can_change(game: Game, side: str) -> bool:
    """Return whether a side's `change` may affect any unit: one that sustains damage, or a PDS."""
    return any(is_one(game, unit) for unit in _to_touch(game, side) for is_one, _, _ in CHANGED.values())


def can_place(game: Game, side: str) -> bool:
    """Return whether a piece of any kind is left in reinforcements."""
    return any(_pieces_left(game, side, kind) for kind in kinds(game))


def can_mark(game: Game, side: str) -> bool:
    """Return whether a side's `mark` may change anything: during production, only a planet card that can pay."""
    return label(game) not in SPENT or bool(ready_planets(game, side))


def _to_touch(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units that a side's orders may affect: its own, or all before a battle and after it reveals a card."""
    is_shared = side in whose_card_lies_open(game) or label(game).startswith("SB.pre")
    return game.in_play() if is_shared else game.in_play(side)


def record_move(game: Game, order: Move, dice: Dice) -> list[Result]:
    """Move a unit along places of the map; units aboard the last ship of a side go with it.

    Raises:
        RuleViolation: A place is not on the map, the last one is not for such a unit, or troops would be in space
            without a ship.
    """
    for place in order.path:
        _verify_place(game, place)
    unit = game.units.get(order.unit)
    results = decide_move(game, order, dice)
    if unit is None:
        return results
    _verify_kind_of_place(game, order.unit, unit.kind, order.path[-1])
    _verify_not_adrift(game, order.unit, unit.side, unit.kind, order.path[-1])
    along = [event for one in _aboard(game, unit) for event in moved(one, order.path, order.cause, label(game))]
    return [*results, *along]


def record_place(game: Game, order: Place, dice: Dice) -> list[Result]:
    """Place a new unit of a known kind.

    Raises:
        RuleViolation: The kind or place is unknown, the order states attributes, the place is not for such a unit,
            troops would be in space without a ship, or no piece of the kind is left in reinforcements.
    """
    _verify_place(game, order.at)
    if order.kind not in kinds(game):
        raise unknown(game, "no-such-kind", label(game), kind=order.kind, kinds=tuple(kinds(game)))
    if order.attributes:
        raise refuse(
            game, "attributes-not-allowed", label(game), unit=order.unit, attributes=tuple(sorted(order.attributes))
        )
    _verify_kind_of_place(game, order.unit, order.kind, order.at)
    _verify_not_adrift(game, order.unit, order.side, order.kind, order.at)
    _verify_pieces_left(game, order)
    return decide_place(game, order, dice)


def _verify_place(game: Game, place: str) -> None:
    if not system_of(game, place):
        some = ", ".join((*systems(game), *(one for system in systems(game) for one in planets_in(game, system))))
        raise unknown(game, "no-such-place", label(game), place=place, places=some)


def _verify_kind_of_place(game: Game, name: str, kind: str, place: str) -> None:
    """Check that ships are in space and Space Docks on planets; other units may be in either."""
    what, in_space = kinds(game).get(kind, {}).get("what"), place in systems(game)
    if what in ("ship", "fighter") and not in_space:
        raise refuse(game, "ship-needs-space", label(game), unit=name)
    if what == "dock" and in_space:
        raise refuse(game, "dock-needs-planet", label(game), unit=name)


def _verify_not_adrift(game: Game, name: str, side: str, kind: str, place: str) -> None:
    """Check that a carried unit in space has a ship of its side with it."""
    is_carried = kinds(game).get(kind, {}).get("what") not in ("ship", "fighter")
    if is_carried and place in systems(game) and not ships_in(game, place, side):
        raise refuse(game, "space-without-ship", label(game), unit=name, side=game.side_name(side))


def _verify_pieces_left(game: Game, order: Place) -> None:
    """Check that the scenario's `limit` of a kind leaves a piece to place."""
    if not _pieces_left(game, order.side, order.kind):
        raise refuse(game, "no-piece-left", label(game), kind=order.kind)


def _pieces_left(game: Game, side: str, kind: str) -> bool:
    limit = kinds(game)[kind].get("limit", 0)
    return not limit or sum(unit.kind == kind for unit in game.in_play(side)) < limit


def _aboard(game: Game, ship: Unit) -> tuple[Unit, ...]:
    """Return the units in space that leave with a ship: they cannot move alone, and no other ship stays for them."""
    if not is_afloat(game, ship) or ship.at not in systems(game):
        return ()
    beside = tuple(one for one in at_place(game, ship.at, ship.side) if one.id != ship.id)
    if any(is_afloat(game, one) for one in beside):
        return ()
    return tuple(one for one in beside if not moves_itself(game, one))


def record_change(game: Game, order: Change, dice: Dice) -> list[Result]:
    """Change the damage of a ship that sustains it, or the range of a PDS.

    Raises:
        RuleViolation: The unit is of another kind, or the attribute cannot have that value.
    """
    unit = game.units.get(order.unit)
    if unit is not None and order.attribute in CHANGED:
        is_one, otherwise, values = CHANGED[order.attribute]
        if not is_one(game, unit):
            raise refuse(game, "wrong-unit", label(game), unit=unit.id, why=otherwise)
        if not (order.to is None or (type(order.to) is values and order.to >= 0)):  # type: ignore[operator]
            raise refuse(
                game,
                "not-a-value",
                label(game),
                attribute=order.attribute,
                unit=unit.id,
                given=order.to,
                values=VALUES[values],
            )
    return decide_change(game, order, dice)


CHANGED: Mapping[str, tuple[Callable[[Game, Unit], bool], Reason, type]] = {
    "damaged": (
        lambda game, unit: bool(value(game, unit, "sustain")),
        Reason("sustains-no-damage", "does not sustain damage"),
        bool,
    ),
    "range": (lambda game, unit: what_of(game, unit) == "pds", Reason("not-a-pds", "is not a PDS"), int),
}
"""Attributes that `change` may set: which units have them, the reason for refusing others, and the type of value."""
VALUES = {bool: "true", int: "0 or more systems"}


def record_remove(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Remove a unit; troops in space are lost with the last ship of their side."""
    results = decide_remove(game, order, dice)
    return [*results, *stranded(after(game, results), game.units[order.unit].at, label(game))]


def record_mark(game: Game, order: Mark, dice: Dice) -> list[Result]:
    """Set a marker; of the command counters in a system, only the player's own may come or go.

    Raises:
        RuleViolation: Another player's counter would come or go, the system is not on the map, or a planet card would
            be turned up during production.
    """
    if order.marker.startswith(LISTS) and isinstance(order.to, str):
        order = replace(order, to=(order.to,))  # A typed list of one name arrives as a plain word.
    if label(game) in SPENT and order.marker.startswith("exhausted/") and order.to is not True:
        raise refuse(game, "cannot-be-readied", label(game), marker=order.marker, given=order.to)
    side = game.side_of(order.seat)
    if order.marker.startswith(ACTIVATED):
        verify_system(game, order.marker.removeprefix(ACTIVATED), label(game))
        after = order.to if isinstance(order.to, tuple) else ()
        if {*names_in(game, order.marker)} ^ {*after} != {side}:
            raise refuse(
                game,
                "counter-of-another-side",
                label(game),
                marker=order.marker,
                side=game.side_name(side),
                side_id=side,
            )
    return decide_mark(game, order, dice)


def record_pay(game: Game, order: Pay, dice: Dice) -> list[Result]:
    """Change an account of counters, goods or mines.

    Raises:
        RuleViolation: More would be spent than there is; mines are in a system that is not on the map; or, during
            production, goods come in or mines are taken or laid elsewhere.
    """
    family, _, rest = order.account.partition("/")
    if family == "mines":
        verify_system(game, rest.partition("/")[0], label(game))
    if label(game) in SPENT:
        _verify_spent(game, order)
    held = game.accounts.get(order.account, 0)
    if order.amount < 0 and held + order.amount < 0:
        raise refuse(game, "account-too-low", label(game), account=order.account, limit=held)
    return decide_pay(game, order, dice)


def _verify_spent(game: Game, order: Pay) -> None:
    """Check that production only spends goods, and lays mines only in an activated system.

    Raises:
        RuleViolation: Goods come in, mines are taken, or mines are laid elsewhere.
    """
    family, _, rest = order.account.partition("/")
    if family == "trade-goods" and order.amount > 0:
        raise refuse(game, "account-cannot-grow", label(game), account=order.account)
    if family == "mines" and (order.amount < 0 or rest.partition("/")[0] not in active_systems(game)):
        raise refuse(
            game, "no-mines-there", label(game), account=order.account, systems=" or ".join(active_systems(game))
        )
