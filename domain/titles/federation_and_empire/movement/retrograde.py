"""Decide retrograde movement in Phase 6, and dissolve groups."""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import nonphasing
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    at_hex,
    has,
    is_base,
    is_crippled,
    living,
    named_once,
    need_trait,
    own_units,
    refuse,
    rule_of,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import distance, is_hex
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import Path, go, verify_speed, verify_supply_point
from umpire_ledger.kit import Dice, Game, Name, Order, Reason, Result, changed, step_open


class Retrograde(Order, frozen=True, kw_only=True, tag="retrograde"):
    """Move units back along a path in retrograde movement."""

    units: Units
    path: Path


class Dissolve(Order, frozen=True, kw_only=True, tag="dissolve"):
    """Dissolve a group."""

    group: Name


def nonphasing_x(game: Game) -> tuple[str, ...]:
    """Return the non-phasing sides that have an X-ship on the map (6D3)."""
    have = {unit.side for unit in living(game) if has(unit, "x") and is_hex(unit.at)}
    return tuple(side for side in nonphasing(game) if side in have)


def others_in_groups(game: Game) -> tuple[str, ...]:
    """Return the non-phasing sides that have a group to dissolve (6C)."""
    have = {unit.side for unit in living(game) if unit.get("group") is not None}
    return tuple(side for side in nonphasing(game) if side in have)


def others_with_pods(game: Game) -> tuple[str, ...]:
    """Return the non-phasing sides that have a crippled tug with pods (6F)."""
    tugs = (unit for unit in living(game) if has(unit, "tug") and is_crippled(unit))
    have = {unit.side for unit in tugs if unit.names("pods")}
    return tuple(side for side in nonphasing(game) if side in have)


TACTICAL = 3
"""Maximum length of a tactical retrograde, in hexes (6D1)."""


def can_retrograde(game: Game, side: str) -> bool:
    """Check whether a side has a unit in supply that may make retrograde movement in this step."""
    step, here = step_open(game), [unit for unit in living(game) if unit.side == side and is_hex(unit.at)]
    bases = [unit.at for unit in here if has(unit, "pacification")]
    own = [unit for unit in here if unit.get("supply") != "out" and not is_base(unit)]
    if step == "6D1":
        return any(0 < distance(unit.at, base) <= TACTICAL for unit in own for base in bases)
    return any(step != "6D3" or has(unit, "x") for unit in own)


def decide_retrograde(game: Game, order: Retrograde, _: Dice) -> list[Result]:
    """Move units back: in 6D1 up to three hexes to a pacification base, in 6D2 the phasing side's, in 6D3 X-ships.

    Raises:
        RuleViolation: In 6D1 the path is too long, or ends at no pacification base; in 6D3 a unit is not an X-ship; a
            unit is out of supply, mothballed or too slow; or the units cannot move together (`verify_together`).
    """
    units, step = own_units(game, order, order.units), step_open(game)
    end = order.path[-1]
    for unit in units:
        if unit.get("supply") == "out":
            raise refuse(game, "reaction-out-of-supply", "410.24", unit=unit.id)
        if unit.get("mothballed") is True:
            raise refuse(game, "mothballed-reactor", unit=unit.id)
        if step == "6D3":
            need_trait(game, unit, "x", "X-ship", "523.242")
        if step == "6D1" and len(order.path) - (order.path[0] == unit.at) > TACTICAL:
            raise refuse(game, "freighter-path-too-long", "544.47", given=len(order.path))
    if step == "6D1" and not any(has(one, "pacification") for one in at_hex(game, end, units[0].side)):
        raise refuse(game, "no-pacification-base", "544.47", place=end)
    number = {"6D1": "544.47", "6D3": "523.242"}.get(step, "206.0")
    if step != "6D1":
        verify_supply_point(game, units, end, number)
    verify_speed(game, units, order.path, number)
    went = [
        event
        for unit in units
        for event in named_once(
            game, unit, "retrograded", Reason("retrograded", "went back"), "name units that have not", number
        )
    ]
    return [*go(game, units, order.path, {"6D1": "tactical retrograde"}.get(step, "retrograde")), *went]


def decide_dissolve(game: Game, order: Dissolve, _: Dice) -> list[Result]:
    """Dissolve a group of the side.

    Raises:
        RuleViolation: No unit of the side is in the group.
    """
    side, rule = game.side_of(order.seat), rule_of(game)
    units = units_where(game, lambda unit: unit.get("group") == order.group, side)
    if not units:
        raise refuse(game, "no-such-group", group=order.group)
    return [event for unit in units for event in changed(unit, "group", None, "dissolved", rule)]
