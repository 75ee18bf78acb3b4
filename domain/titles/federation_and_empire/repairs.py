"""Repairs: at bases in Phase 2, of Depot Level, in the field in Phase 7.

Costs are the players' to state: the tables of costs are not in the printed sequence.
"""

from collections.abc import Iterator
from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire.economy import Points
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    DEPOT,
    OFF_MAP,
    at_hex,
    empire_of,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    need_trait,
    own_unit,
    phasing,
    printed,
    refuse,
    rule_of,
    spent,
    this_turn,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    PlaceOrNone,
    Result,
    Unit,
    UnitName,
    changed,
    moved,
    paid,
    removed,
    step_open,
)


class Repair(Order, frozen=True, kw_only=True, tag="repair"):
    """Pay for the repair of a crippled unit at a base or FRD; it is flipped in 2A4."""

    unit: UnitName
    ep: Points


class Depot(Order, frozen=True, kw_only=True, tag="depot"):
    """Depot Level Repair: add a crippled ship, note its progress, place it repaired, or salvage it for EPs."""

    unit: UnitName
    act: Literal["add", "progress", "place", "salvage"]
    at: PlaceOrNone = ""
    ep: Points = 0


class DeployRepair(Order, frozen=True, kw_only=True, tag="deploy-repair"):
    """A repair ship or tug is deployed to a supply point or FRD."""

    unit: UnitName
    at: Hex


class FieldRepair(Order, frozen=True, kw_only=True, tag="field-repair"):
    """A deployed repair unit repairs a crippled ship of its own empire in its hex."""

    repairer: UnitName
    unit: UnitName
    ep: Points = 0


# --- repairs ----------------------------------------------------------------------------------------------------------


def decide_repair(game: Game, order: Repair, _: Dice) -> list[Result]:
    """EPs are paid and noted on the unit.

    Raises:
        RuleViolation: not crippled; paid already; no working base or FRD in its hex; out of supply; a base in 2A2 or
            a ship in 2A3.
    """
    unit = own_unit(game, order, order.unit)
    if hex_in_hand(game):
        return _repair_in_combat(game, order, unit)
    if not is_crippled(unit) or unit.get("repair") is not None:
        why = "its repair is paid" if is_crippled(unit) else "it is not crippled"
        raise refuse(game, f"{unit.id} is not repaired: {why}", "name a crippled unit that waits for repair")
    if is_base(unit) != (printed(step_open(game)) == "2A3"):
        here, there = ("a base", "2A3") if is_base(unit) else ("a ship", "2A2")
        raise refuse(game, f"{unit.id} is {here}", f"repair it in {there}")
    yards = (one for one in at_hex(game, unit.at, unit.side) if one.id != unit.id or is_base(unit))
    if not any((is_base(one) or has(one, "frd")) and one.get("operational") is not False for one in yards):
        raise refuse(game, f"there is no base or FRD at {unit.at}", "move it to one first", "420.2")
    if unit.get("supply") == "out":
        raise refuse(game, f"{unit.id} is out of supply", "repair units in supply", "410.23")
    rule = rule_of(game)
    return [
        *spent(game, empire_of(unit), order.ep, f"repair of {unit.id}", rule),
        *changed(unit, "repair", order.ep, "paid", rule),
    ]


def _repair_in_combat(game: Game, order: Repair, unit: Unit) -> list[Result]:
    """5-6X8: a base of the hex that is crippled is mended at once, once a round.

    Raises RuleViolation: no base of this battle, or not crippled.
    """
    rule, cause = rule_of(game, "425.3"), f"combat repair of {unit.id}"
    if not is_base(unit) or unit.at != hex_in_hand(game) or not is_crippled(unit):
        what = f"{unit.id} is no crippled base at {hex_in_hand(game)}"
        raise refuse(game, what, "name one that is, or `done`", "425.3")
    return [*spent(game, empire_of(unit), order.ep, cause, rule), *mended(unit, cause, rule)]


def flip_repaired(game: Game) -> list[Result]:
    """2A4: whatever was paid for is at full strength again."""
    side, rule = phasing(game), "2A4 (420.52)"
    waiting = units_where(game, lambda unit: unit.get("repair") is not None, side)
    return [event for unit in waiting for event in mended(unit, "repaired", rule)]


def mended(unit: Unit, cause: str, rule: str) -> list[Result]:
    """The unit is on its full-strength side."""
    return [*changed(unit, "crippled", None, cause, rule), *changed(unit, "repair", None, cause, rule)]


# --- Depot Level Repair -----------------------------------------------------------------------------------------------


def decide_depot(game: Game, order: Depot, _: Dice) -> list[Result]:
    """Raises RuleViolation: not crippled, or a second of its type this turn; not in the box; no hex to place it."""
    unit, rule = own_unit(game, order, order.unit), rule_of(game, "424.3")
    if step_open(game) == "3A-5A":
        _verify_casualty(game, order, unit)
    if order.act == "add":
        return _into_depot(game, unit)
    if unit.at != DEPOT:
        raise refuse(
            game, f"{unit.id} is not in the DLR box", f"in it are: {', '.join(_in_depot(game, unit.side))}", "424.3"
        )
    if order.act == "progress":
        return changed(unit, "depot", unit.number("depot") + 1, "progress", rule)
    if order.act == "salvage":
        gone = removed(unit, "salvaged", "depot", rule_of(game, "424.34"))
        return [*gone, *_salvage(game, unit, order.ep)]
    if not order.at:
        raise refuse(game, "the order does not say where it is placed", 'say it: "at": "0508"', "424.3")
    return [
        *changed(unit, "depot", None, "placed", rule),
        *mended(unit, "depot repair", rule),
        *moved(unit, (order.at,), "depot", rule),
    ]


def _verify_casualty(game: Game, order: Depot, unit: Unit) -> None:
    """Raises RuleViolation in 3A-5A: anything but adding a unit that was crippled in the raids of this player turn."""
    if order.act != "add":
        raise refuse(game, f"{unit.id}: casualties of raids only enter the depot here", '"act": "add"', "424.32")
    now = this_turn(game)
    if unit.get("raid_hurt") != now:
        able = ", ".join(one.id for one in units_where(game, lambda one: one.get("raid_hurt") == now, unit.side))
        what = f"{unit.id} was not crippled in these raids"
        raise refuse(game, what, f"name one that was: {able or 'none'}", "424.32")


def _salvage(game: Game, unit: Unit, ep: int) -> list[Result]:
    return paid(game, f"{empire_of(unit)}/EP", ep, f"salvage of {unit.id}", rule_of(game, "424.34"))


def _in_depot(game: Game, side: str) -> Iterator[str]:
    return (unit.id for unit in at_hex(game, DEPOT, side))


def _into_depot(game: Game, unit: Unit) -> list[Result]:
    if not is_crippled(unit):
        raise refuse(game, f"{unit.id} is not crippled", "name a crippled ship", "424.35")
    if unit.at == DEPOT:
        raise refuse(game, f"{unit.id} is in the DLR box", "`progress` it, or name another", "424.35")
    same = (one for one in at_hex(game, DEPOT, unit.side) if one.kind == unit.kind and one.get("entered") == game.turn)
    if printed(step_open(game)) == "2B3" and (first := next(same, None)):
        what = f"{first.id}, a {unit.kind}, was added this turn: one crippled ship of each type"
        raise refuse(game, what, "name a ship of another type", "424.35")
    rule = rule_of(game)
    return [*changed(unit, "entered", game.turn, "depot", rule), *moved(unit, (DEPOT,), "depot", rule)]


# --- field repair -----------------------------------------------------------------------------------------------------


def decide_deploy_repair(game: Game, order: DeployRepair, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    need_trait(game, unit, "repair", "repair ship or tug", "422.3")
    rule = rule_of(game, "422.3")
    return [*changed(unit, "repairs_from", unit.at, "deployed", rule), *moved(unit, (order.at,), "field repair", rule)]


def decide_field_repair(game: Game, order: FieldRepair, _: Dice) -> list[Result]:
    """Raises RuleViolation: not deployed; another hex; another empire; not crippled; out of supply."""
    repairer, unit = own_unit(game, order, order.repairer), own_unit(game, order, order.unit)
    if repairer.get("repairs_from") is None:
        raise refuse(game, f"{repairer.id} is not deployed for repairs", "deploy it in step 7B", "422.3")
    if empire_of(repairer) != empire_of(unit):
        what = f"{repairer.id} is {empire_of(repairer)}, {unit.id} is {empire_of(unit)}"
        raise refuse(game, what, "repair ships of the same empire", "420.434")
    if repairer.at != unit.at or not is_crippled(unit):
        why = "it is not crippled" if repairer.at == unit.at else f"it is at {unit.at}"
        raise refuse(game, f"{unit.id} is not repaired: {why}", f"name a crippled ship at {repairer.at}", "422.22")
    if unit.get("supply") == "out":
        raise refuse(game, f"{unit.id} is out of supply", "repair ships in supply", "410.23")
    rule, cause = rule_of(game, "420.434"), f"field repair by {repairer.id}"
    return [*spent(game, empire_of(unit), order.ep, cause, rule), *mended(unit, cause, rule)]


def return_repairers(game: Game) -> list[Result]:
    """7D: repair ships leave the board, repair tugs go back where they came from."""
    side, rule = phasing(game), "7D (422.22)"
    out = units_where(game, lambda unit: bool(unit.get("repairs_from")), side)
    return [
        event
        for unit in out
        for event in (
            *moved(unit, (_home_of(unit),), "repairs are over", rule),
            *changed(unit, "repairs_from", None, "repairs are over", rule),
        )
    ]


def _home_of(unit: Unit) -> str:
    return str(unit.get("repairs_from")) if has(unit, "tug") else OFF_MAP
