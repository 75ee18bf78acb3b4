"""Decide the capture of crippled enemy ships (5-6X1), and their use for +1 on the damage die, once (5-4C2, 5-4D)."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import enemy_unit
from umpire_ledger.domain.titles.federation_and_empire.combat.directed import mauler_of
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    RIDERS,
    aboard_of,
    battle_unit,
    has,
    is_base,
    is_crippled,
    need_trait,
    refuse,
    regrouped,
    rule_of,
    try_for,
    verify_not_frozen,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import left_behind
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    marked,
    names_in,
    removed,
    step_open,
)


class Capture(TableRoll, frozen=True, kw_only=True, tag="capture"):
    """Roll for the capture of a crippled enemy ship; `at_least` if the scenario has no table `capture`.

    `mauler`: a mauler that tries to capture a ship instead of directing damage.
    """

    unit: UnitName
    mauler: UnitOrNone = ""
    at_least: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None


def decide_capture(game: Game, order: Capture, dice: Dice) -> list[Result]:
    """Roll to capture a crippled enemy ship.

    Raises:
        RuleViolation: The unit does not fight, is not crippled, is frozen or is a base; or its capture was already
            tried in this round.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "305.1")
    found = enemy_unit(game, side, order.unit, "305.1")
    verify_not_frozen(game, found)
    if is_base(found) or not is_crippled(found):
        raise refuse(game, "not-a-crippled-enemy", "305.1", unit=order.unit)
    mauler = mauler_of(game, order, order.mauler, "308.47") if order.mauler else None
    tries = found.names("capture_tried")
    if order.mauler in tries or (not order.mauler and "" in tries):
        raise refuse(game, "capture-tried-already", "305.1", unit=order.unit)
    tried = try_for(game, dice, order, "capture", order.at_least, f"capture of {order.unit}", (order.unit,))
    if tried.row is None:
        return list(tried.told)
    noted = changed(found, "capture_tried", (*tries, order.mauler), "", rule)
    noted += changed(mauler, "mauls", True, "capture", rule) if mauler else []
    if tried.row != "success":
        return [*tried.told, *noted]
    traits = (*found.names("traits"), "captured")
    return [
        *tried.told,
        *noted,
        *changed(found, "side", side, "captured", rule),
        *changed(found, "traits", traits, "captured", rule),
        *(event for name in OF_THE_OWNER for event in changed(found, name, None, "captured", rule)),
        *regrouped(game, found, rule),
        *_captured_with(game, found, side, rule),
    ]


OF_THE_OWNER = ("reserve", "reserve_moved", "fleet", "group", "pinwheel", "mission", "support", "supply", "designated")
"""Attributes that a ship has from its owner, cleared when it is captured."""


def _captured_with(game: Game, ship: Unit, side: str, rule: str) -> list[Result]:
    """Capture the cargo of a ship; an admiral waits for 5-6X2, and teams and diplomats leave the ship [reading]."""
    cause = f"{ship.id} is captured"
    return [event for unit in aboard_of(game, (ship,)) for event in _leaves(game, unit, side, cause, rule)]


def _leaves(game: Game, unit: Unit, side: str, cause: str, rule: str) -> list[Result]:
    if RIDERS.isdisjoint(unit.names("traits")):
        return [*changed(unit, "side", side, cause, rule), *_captured_with(game, unit, side, rule)]
    waits = has(unit, "leader") and game.options.get(options.admirals.name)
    return [] if waits else changed(unit, "aboard", None, cause, rule)


class UseCaptured(Order, frozen=True, kw_only=True, tag="use-captured"):
    """Announce that a captured ship gives +1 to your damage die."""

    unit: UnitName


def decide_use_captured(game: Game, order: UseCaptured, _: Dice) -> list[Result]:
    """Use a captured ship for +1 on the damage die; it is removed in 5-4D.

    Raises:
        RuleViolation: The ship is not captured, is frozen or is already used, or the side has already used another one.
    """
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "captured", "captured ship", "305.21")
    verify_not_frozen(game, unit)
    used = names_in(game, "captured used")
    if unit.id in used:
        raise refuse(game, "used-already", "305.21", unit=unit.id)
    if (first := next((name for name in used if game.units[name].side == unit.side), "")) != "":
        raise refuse(game, "bonus-given-already", "305.21", unit=first)
    return marked(game, "captured used", (*used, unit.id), "", rule_of(game, "305.21"))


def captured_to_go(game: Game, side: str) -> tuple[str, ...]:
    """Describe a side's captured ships that are used up when it ends 5-4C4; () if there are none."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    gone = ", ".join(unit.id for unit in units if unit and not unit.fate and unit.side == side)
    return (f"captured ships that are used up: {gone}",) if gone else ()


def remove_used(game: Game) -> list[Result]:
    """Remove the captured ships that gave their +1 (5-4D)."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    rule = f"{step_open(game)} (305.21)"
    return [
        event
        for unit in units
        if unit and not unit.fate
        for event in (*left_behind(game, unit, rule), *removed(unit, "used up", "captured ship", rule))
    ]
