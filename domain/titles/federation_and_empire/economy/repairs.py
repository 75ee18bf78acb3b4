"""Repair units: at bases in Phase 2, at the depot, and in the field in Phase 7.

Prices are the scenario's `costs`; the players state those that it does not list.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    DEPOT,
    OFF_MAP,
    at_hex,
    battle_unit,
    empire_of,
    everybody_aboard,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    is_ship,
    kind_of,
    living,
    named_once,
    need_trait,
    own_unit,
    payer_of,
    phasing,
    printed,
    printed_of,
    refuse,
    regrouped,
    rule_of,
    spent,
    stepped_off,
    this_turn,
    travelled,
    units_where,
    verify_not_held,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points, listed_price, price
from umpire_ledger.domain.titles.federation_and_empire.house_values import REPAIR_TUGS
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    PlaceOrNone,
    Reason,
    Result,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    listed,
    moved,
    names_in,
    number_of,
    paid,
    removed,
    step_open,
)

NOT_CRIPPLED = Reason("not-crippled", "it is not crippled")

HexOrNone = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4})?$")]


class Repair(Order, frozen=True, kw_only=True, tag="repair"):
    """Pay to repair a crippled unit at a base or FRD (`yard`), flipped in 2A4, or a base's `sids`, removed at once."""

    unit: UnitName
    ep: Points | None = None
    yard: UnitOrNone = ""
    sids: Points = 0
    helped: tuple[UnitName, ...] = ()


class Depot(Order, frozen=True, kw_only=True, tag="depot"):
    """Depot Level Repair: add a crippled ship, note its progress, place it repaired, or salvage it for EPs."""

    unit: UnitName
    act: Literal["add", "progress", "place", "salvage"]
    at: HexOrNone = ""
    ep: Points | None = None


class DeployRepair(Order, frozen=True, kw_only=True, tag="deploy-repair"):
    """Deploy a repair ship or tug to a supply point or FRD."""

    unit: UnitName
    at: Hex


class FieldRepair(Order, frozen=True, kw_only=True, tag="field-repair"):
    """Repair a crippled ship with a deployed repair unit of the same empire in the same hex."""

    repairer: UnitName
    unit: UnitName
    ep: Points | None = None


# --- repairs ----------------------------------------------------------------------------------------------------------


def decide_repair(game: Game, order: Repair, _: Dice) -> list[Result]:
    """Pay for a repair and note it on the unit; damage points of a base come off at once.

    Raises:
        RuleViolation: The unit is not crippled, is out of supply, or its repair is already paid; its hex has no working
            base or FRD with room; a base is repaired in 2A2, or another unit in 2A3; the base has fewer damage points;
            or engineers cannot help.
    """
    unit = own_unit(game, order, order.unit)
    if hex_in_hand(game):
        return _repair_in_combat(game, order, unit)
    number = "420.6" if printed(step_open(game)) == "2A3" else "420.2"
    if is_base(unit) != (number == "420.6"):
        here, there = ("a base", "2A3") if is_base(unit) else ("not a base", "2A2")
        raise refuse(game, "repaired-elsewhere", unit=unit.id, place=here, repair_place=there)
    helped = [event for name in order.helped for event in _engineers(game, order, name, unit)]
    if order.sids:
        return [*helped, *_repair_sids(game, order, unit, number)]
    if not is_crippled(unit) or unit.get("repair") is not None:
        why = Reason("paid-already", "its repair has already been paid for") if is_crippled(unit) else NOT_CRIPPLED
        raise refuse(game, "cannot-be-repaired", unit=unit.id, why=why)
    yard = _yard_for(game, order, unit)
    if unit.get("supply") == "out":
        raise refuse(game, "base-out-of-supply", "410.23", unit=unit.id)
    rule, ep = rule_of(game), price(game, order.ep, f"repair {kind_of(unit)}", number)
    return [
        *spent(game, payer_of(game, unit), ep, f"repair of {unit.id}", rule),
        *helped,
        *changed(unit, "repair", ep, "paid", rule),
        *changed(unit, "repaired_by", yard.id, "", rule),
    ]


def _engineers(game: Game, order: Repair, name: str, base: Unit) -> list[Result]:
    """Mark engineers at a base as having helped, once in a player turn (541.34-A)."""
    unit = own_unit(game, order, name)
    need_trait(game, unit, "engineers", "engineer unit", "541.34-A")
    if unit.at != base.at or not is_base(base):
        raise refuse(game, "not-at-repaired-base", "541.34-A", unit=name, at=base.at)
    return named_once(game, unit, "worked", Reason("worked", "has worked"), "name another unit", "541.34-A")


def _repair_sids(game: Game, order: Repair, unit: Unit, number: str = "420.6") -> list[Result]:
    had = unit.number("sids")
    if order.sids > had:
        raise refuse(game, "too-many-steps" if had else "no-steps", number, unit=unit.id, limit=had)
    one = price(game, order.ep, "repair SIDS", number)
    ep = one * order.sids if listed_price(game, "repair SIDS") is not None else one
    rule, cause = rule_of(game, number), f"SIDS of {unit.id}"
    return [
        *spent(game, payer_of(game, unit), ep, cause, rule),
        *changed(unit, "sids", had - order.sids or None, cause, rule),
    ]


def _yard_for(game: Game, order: Repair, unit: Unit) -> Unit:
    """Return a working base or FRD in the unit's hex that has room for a repair; the named one, if one is named."""
    here = [one for one in at_hex(game, unit.at, unit.side) if one.id != unit.id or is_base(unit)]
    yards = [one for one in here if (is_base(one) or has(one, "frd")) and one.get("operational") is not False]
    if order.yard and order.yard not in [one.id for one in yards]:
        raise refuse(
            game,
            "not-a-working-yard",
            "420.2",
            yard=order.yard,
            at=unit.at,
            yards=", ".join(one.id for one in yards) or "none",
        )
    if not yards:
        raise refuse(game, "no-yard-there", "420.2", at=unit.at)
    named = [one for one in yards if order.yard in ("", one.id)]
    able = [one for one in named if has_room(game, one)]
    free = next((one for one in named if one.id == unit.id), next(iter(able), None))
    if free is None:
        said = ", ".join(f"{one.id} repairs {ships_in_repair(game, one)} of {one.number('repairs')}" for one in named)
        raise refuse(game, "no-yard-with-room", "420.2", at=unit.at, yards=said)
    return free


def ships_in_repair(game: Game, yard: Unit) -> int:
    """Return the number of ships that a base or FRD repairs in this turn; its own repair does not count."""
    return sum(one.get("repaired_by") == yard.id and one.id != yard.id for one in living(game))


def has_room(game: Game, yard: Unit) -> bool:
    """Check whether a base or FRD repairs fewer ships than it can."""
    return not yard.number("repairs") or ships_in_repair(game, yard) < yard.number("repairs")


def _repair_in_combat(game: Game, order: Repair, unit: Unit) -> list[Result]:
    """Repair a crippled base of the battle hex at once, or take off damage that it has absorbed (5-6X8).

    Raises:
        RuleViolation: The unit is not a base of this battle, is not crippled, or has fewer damage points.
    """
    rule, cause = rule_of(game, "425.3"), f"combat repair of {unit.id}"
    if order.sids and is_base(unit) and unit.at == hex_in_hand(game):
        return _repair_sids(game, order, unit, "425.3")
    if not is_base(unit) or unit.at != hex_in_hand(game) or not is_crippled(unit):
        raise refuse(game, "not-a-crippled-base", "425.3", unit=unit.id, hex=hex_in_hand(game))
    ep = price(game, order.ep, f"repair {kind_of(unit)}", "425.3")
    return [*spent(game, payer_of(game, unit), ep, cause, rule), *mended(unit, cause, rule)]


def flip_repaired(game: Game) -> list[Result]:
    """Flip each unit with a paid repair to full strength (2A4)."""
    side, rule = phasing(game), "2A4 (420.52)"
    waiting = units_where(game, lambda unit: unit.get("repair") is not None, side)
    return [event for unit in waiting for event in mended(unit, "repaired", rule)]


def mended(unit: Unit, cause: str, rule: str) -> list[Result]:
    """Return the events that flip a unit to its full-strength side."""
    names = ("crippled", "repair", "repaired_by")
    return [event for name in names for event in changed(unit, name, None, cause, rule)]


# --- Depot Level Repair -----------------------------------------------------------------------------------------------


DEPOT_RULES = {"3A-5A": "424.32", "5-6X7": "424.33"}
"""By step: the printed rule of the depot. Other steps use 424.35 for adding a ship, and else 424.3."""


def decide_depot(game: Game, order: Depot, _: Dice) -> list[Result]:
    """Add a crippled ship to the depot, note its progress, place it repaired, or salvage it.

    Raises:
        RuleViolation: The ship to add is not crippled, or is the second of its type this turn; the ship is not in the
            box; or the enemy holds the hex.
    """
    number = DEPOT_RULES.get(printed(step_open(game)), "424.3")
    unit, rule = own_unit(game, order, order.unit), rule_of(game, number)
    if number in DEPOT_RULES.values():
        _verify_casualty(game, order, unit, number)
    if order.act == "add":
        return _into_depot(game, unit)
    if unit.at != DEPOT:
        raise refuse(
            game, "not-in-repair-box", number, unit=unit.id, in_box=", ".join(_in_depot(game, unit.side)) or "nobody"
        )
    if order.act == "progress":
        noted = named_once(
            game,
            unit,
            "depot_progress",
            Reason("progressed", "has made progress"),
            "name another, or end the step: `done`",
            number,
        )
        return [*noted, *changed(unit, "depot", unit.number("depot") + 1, "progress", rule)]
    if order.act == "salvage":
        ashore = _ashore(game, unit, rule_of(game, "424.34"))
        gone = removed(unit, "salvaged", "depot", rule_of(game, "424.34"))
        return [*ashore, *gone, *_salvage(game, unit, order.ep)]
    if not order.at:
        raise refuse(game, "place-missing", number)
    if unit.get("entered") == game.turn:
        raise refuse(game, "entered-this-turn", number, unit=unit.id)
    verify_not_held(game, unit.side, order.at, number)
    return [
        *changed(unit, "depot", None, "placed", rule),
        *mended(unit, "depot repair", rule),
        *travelled(game, (unit,), (order.at,), "depot", rule),
    ]


def _ashore(game: Game, ship: Unit, rule: str) -> list[Result]:
    """Move the units aboard a salvaged ship to the capital; without a capital they stay in the box [reading]."""
    capital = printed_of(game, empire_of(ship), "capital")
    off, riders = stepped_off(game, ship, f"{ship.id} is salvaged", rule), everybody_aboard(game, (ship,))
    home = [event for unit in riders if capital for event in moved(unit, (capital,), "depot", rule)]
    return [*off, *home]


def _verify_casualty(game: Game, order: Depot, unit: Unit, number: str) -> None:
    """Check that the order adds a casualty to the depot: of these raids in 3A-5A, in the battle hex in 5-6X7.

    Raises:
        RuleViolation: The order does not add a unit, or the unit was not crippled in these raids or is not in the
            battle.
    """
    if order.act != "add":
        raise refuse(game, "only-casualties-enter", number, unit=unit.id)
    now = this_turn(game)
    if number == "424.33" and unit.at != DEPOT:
        battle_unit(game, order, unit.id, number)
    if number == "424.32" and unit.get("raid_hurt") != now:
        able = ", ".join(one.id for one in units_where(game, lambda one: one.get("raid_hurt") == now, unit.side))
        raise refuse(game, "not-crippled-in-raids", "424.32", unit=unit.id, units=able or "none")


def _salvage(game: Game, unit: Unit, said: int | None) -> list[Result]:
    ep = price(game, said, f"salvage {kind_of(unit)}", "424.34")
    return paid(game, f"{payer_of(game, unit)}/EP", ep, f"salvage of {unit.id}", rule_of(game, "424.34"))


def _in_depot(game: Game, side: str) -> Iterator[str]:
    return (unit.id for unit in at_hex(game, DEPOT, side))


def _into_depot(game: Game, unit: Unit) -> list[Result]:
    number = DEPOT_RULES.get(printed(step_open(game)), "424.35")
    if not is_crippled(unit):
        raise refuse(game, "not-crippled", number, unit=unit.id)
    if unit.at == DEPOT:
        raise refuse(game, "in-repair-box", number, unit=unit.id)
    if not is_ship(unit):
        raise refuse(game, "not-a-crippled-ship", number, unit=unit.id)
    if step_open(game) != "2B3":
        return _boxed(game, unit)
    chosen = (one for one in game.units.values() if one.get("chosen_for_depot") == this_turn(game))
    same = (one for one in chosen if kind_of(one) == kind_of(unit) and empire_of(one) == empire_of(unit))
    if first := min((one.id for one in same), default=""):
        raise refuse(game, "type-entered-this-turn", number, ship=first, kind=kind_of(unit))
    return [*_boxed(game, unit), *changed(unit, "chosen_for_depot", this_turn(game), "depot", rule_of(game))]


def _boxed(game: Game, unit: Unit) -> list[Result]:
    """Return the events that move a ship and all units aboard it into the box."""
    rule = rule_of(game)
    over = [event for name in ("reserve", "group", "pinwheel") for event in changed(unit, name, None, "depot", rule)]
    entered = changed(unit, "entered", game.turn, "depot", rule)
    return [*over, *regrouped(game, unit, rule), *entered, *travelled(game, (unit,), (DEPOT,), "depot", rule)]


# --- field repair -----------------------------------------------------------------------------------------------------


def decide_deploy_repair(game: Game, order: DeployRepair, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    need_trait(game, unit, "repair", "repair ship or tug", "422.3")
    _verify_deploys(game, unit, order.at)
    rule = rule_of(game, "422.3")
    went = travelled(game, (unit,), (order.at,), "field repair", rule)
    return [*changed(unit, "repairs_from", unit.at, "deployed", rule), *went]


def _verify_deploys(game: Game, unit: Unit, place: str) -> None:
    """Check that a repair unit may be deployed to a place.

    Raises:
        RuleViolation: The unit is already deployed; a tug is away from the capital, or one too many; or the place has
            neither an SMN nor an FRD.
    """
    if unit.get("repairs_from") is not None:
        raise refuse(game, "deployed-already", "422.3", unit=unit.id, at=unit.at)
    capital, nodes = printed_of(game, empire_of(unit), "capital"), names_in(game, f"nodes of {empire_of(unit)}")
    if has(unit, "tug") and capital and unit.at != capital:
        raise refuse(game, "not-at-capital", "422.8", unit=unit.id, capital=capital)
    out, most = _repair_tugs_out(game, empire_of(unit)), number_of(game, REPAIR_TUGS)
    if has(unit, "tug") and most and len(out) >= most:
        raise refuse(
            game, "too-many-deployed", "422.8", ships=listed(out), are="is" if len(out) == 1 else "are", limit=most
        )
    docks = sorted({one.at for one in living(game) if one.side == unit.side and has(one, "frd")})
    if nodes and place not in (*nodes, *docks):
        raise refuse(game, "no-node-or-dock", "422.3", place=place, places=listed((*nodes, *docks)))


def _repair_tugs_out(game: Game, empire: str) -> tuple[str, ...]:
    """Return the repair tugs of an empire that are deployed."""
    out = (unit for unit in living(game) if unit.get("repairs_from") is not None and has(unit, "tug"))
    return tuple(unit.id for unit in out if empire_of(unit) == empire)


def _verify_capacity(game: Game, repairer: Unit) -> list[Result]:
    """Count one more repair by this unit.

    Raises:
        RuleViolation: The unit has made as many repairs as the scenario allows.
    """
    most, made = repairer.get("field_repairs"), repairer.number("repaired")
    if isinstance(most, int) and made >= most:
        raise refuse(game, "repairer-has-repaired", "422.22", repairer=repairer.id, limit=made)
    return changed(repairer, "repaired", made + 1, "field repair", rule_of(game, "422.22"))


def decide_field_repair(game: Game, order: FieldRepair, _: Dice) -> list[Result]:
    """Repair a crippled ship in the hex of a deployed repair unit at once.

    Raises:
        RuleViolation: The repair unit is not deployed; or the ship is not a ship, is in another hex, of another empire,
            not crippled or out of supply.
    """
    repairer, unit = own_unit(game, order, order.repairer), own_unit(game, order, order.unit)
    if repairer.get("repairs_from") is None:
        raise refuse(game, "not-deployed", "422.3", repairer=repairer.id)
    if not is_ship(unit):
        raise refuse(game, "not-a-ship-to-repair", "420.434", unit=unit.id)
    if empire_of(repairer) != empire_of(unit):
        raise refuse(
            game,
            "other-empires-repairer",
            "420.434",
            repairer=repairer.id,
            repairer_empire=empire_of(repairer),
            unit=unit.id,
            unit_empire=empire_of(unit),
        )
    if repairer.at != unit.at or not is_crippled(unit):
        why = NOT_CRIPPLED if repairer.at == unit.at else Reason("elsewhere", f"it is at {unit.at}")
        raise refuse(game, "ship-not-repaired", "422.22", unit=unit.id, why=why, at=repairer.at)
    if unit.get("supply") == "out":
        raise refuse(game, "ship-out-of-supply", "410.23", unit=unit.id)
    rule, cause = rule_of(game, "420.434"), f"field repair by {repairer.id}"
    counted = _verify_capacity(game, repairer)
    ep = price(game, order.ep, f"repair {kind_of(unit)}", "422.22", free=True)
    return [*counted, *spent(game, payer_of(game, unit), ep, cause, rule), *mended(unit, cause, rule)]


def return_repairers(game: Game) -> list[Result]:
    """Take repair ships off the board, and return repair tugs to the places from which they came (7D)."""
    side, rule = phasing(game), "7D (422.22)"
    out = units_where(game, lambda unit: bool(unit.get("repairs_from")), side)
    return [
        event
        for unit in out
        for event in (
            *travelled(game, (unit,), (_home_of(unit),), "repairs are over", rule),
            *changed(unit, "repairs_from", None, "repairs are over", rule),
            *changed(unit, "repaired", None, "repairs are over", rule),
        )
    ]


def _home_of(unit: Unit) -> str:
    return str(unit.get("repairs_from")) if has(unit, "tug") else OFF_MAP
