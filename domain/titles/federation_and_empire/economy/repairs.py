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

HexOrNone = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4})?$")]


class Repair(Order, frozen=True, kw_only=True, tag="repair"):
    """Pay for the repair of a crippled unit at a base or FRD (`yard`), flipped in 2A4; of a base's `sids`, at once."""

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
    """A repair ship or tug is deployed to a supply point or FRD."""

    unit: UnitName
    at: Hex


class FieldRepair(Order, frozen=True, kw_only=True, tag="field-repair"):
    """A deployed repair unit repairs a crippled ship of its own empire in its hex."""

    repairer: UnitName
    unit: UnitName
    ep: Points | None = None


# --- repairs ----------------------------------------------------------------------------------------------------------


def decide_repair(game: Game, order: Repair, _: Dice) -> list[Result]:
    """Pay for a repair and note it on the unit; damage points of a base come off at once.

    Raises:
        RuleViolation: not crippled; paid already; no working base or FRD with room in its hex; out of supply; a base in
            2A2 or a ship in 2A3; more damage points than it has; engineers who cannot help.
    """
    unit = own_unit(game, order, order.unit)
    if hex_in_hand(game):
        return _repair_in_combat(game, order, unit)
    number = "420.6" if printed(step_open(game)) == "2A3" else "420.2"
    if is_base(unit) != (number == "420.6"):
        here, there = ("a base", "2A3") if is_base(unit) else ("no base", "2A2")
        raise refuse(game, f"{unit.id} is {here}", f"repair it in {there}")
    helped = [event for name in order.helped for event in _engineers(game, order, name, unit)]
    if order.sids:
        return [*helped, *_repair_sids(game, order, unit, number)]
    if not is_crippled(unit) or unit.get("repair") is not None:
        why = "its repair is paid" if is_crippled(unit) else "it is not crippled"
        raise refuse(game, f"{unit.id} is not repaired: {why}", "name a crippled unit that waits for repair")
    yard = _yard_for(game, order, unit)
    if unit.get("supply") == "out":
        raise refuse(game, f"{unit.id} is out of supply", "repair units in supply", "410.23")
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
        raise refuse(
            game, f"{name} is not at a base that is repaired", f"name one at {base.at}, for a base", "541.34-A"
        )
    return named_once(game, unit, "worked", "has worked", "name another unit", "541.34-A")


def _repair_sids(game: Game, order: Repair, unit: Unit, number: str = "420.6") -> list[Result]:
    had = unit.number("sids")
    if order.sids > had:
        remedy = f"repair at most {had}" if had else "name a base that has some, or `done`"
        raise refuse(game, f"{unit.id} has {had} SIDS", remedy, number)
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
        what = f"{order.yard} is no base or FRD at {unit.at} that works"
        raise refuse(game, what, f"name one of: {', '.join(one.id for one in yards) or 'none'}", "420.2")
    if not yards:
        raise refuse(game, f"there is no base or FRD at {unit.at}", "move it to one first", "420.2")
    named = [one for one in yards if order.yard in ("", one.id)]
    able = [one for one in named if not one.number("repairs") or _busy(game, one) < one.number("repairs")]
    free = next((one for one in named if one.id == unit.id), next(iter(able), None))
    if free is None:
        said = ", ".join(f"{one.id} repairs {_busy(game, one)} of {one.number('repairs')}" for one in named)
        raise refuse(game, f"no yard at {unit.at} has room: {said}", "repair it in a later turn, or elsewhere", "420.2")
    return free


def _busy(game: Game, yard: Unit) -> int:
    """Return the number of ships that a base or FRD repairs in this turn; its own repair takes no room."""
    return sum(one.get("repaired_by") == yard.id and one.id != yard.id for one in living(game))


def _repair_in_combat(game: Game, order: Repair, unit: Unit) -> list[Result]:
    """Repair a crippled base of the battle hex at once, or take off damage that it has absorbed (5-6X8).

    Raises:
        RuleViolation: not a base of this battle, or not crippled; more damage points than it has.
    """
    rule, cause = rule_of(game, "425.3"), f"combat repair of {unit.id}"
    if order.sids and is_base(unit) and unit.at == hex_in_hand(game):
        return _repair_sids(game, order, unit, "425.3")
    if not is_base(unit) or unit.at != hex_in_hand(game) or not is_crippled(unit):
        what = f"{unit.id} is no crippled base at {hex_in_hand(game)}"
        raise refuse(game, what, "name one that is, or `done`", "425.3")
    ep = price(game, order.ep, f"repair {kind_of(unit)}", "425.3")
    return [*spent(game, payer_of(game, unit), ep, cause, rule), *mended(unit, cause, rule)]


def flip_repaired(game: Game) -> list[Result]:
    """Flip in 2A4 each unit with a paid repair to full strength."""
    side, rule = phasing(game), "2A4 (420.52)"
    waiting = units_where(game, lambda unit: unit.get("repair") is not None, side)
    return [event for unit in waiting for event in mended(unit, "repaired", rule)]


def mended(unit: Unit, cause: str, rule: str) -> list[Result]:
    """Return the events that flip a unit to its full-strength side."""
    names = ("crippled", "repair", "repaired_by")
    return [event for name in names for event in changed(unit, name, None, cause, rule)]


# --- Depot Level Repair -----------------------------------------------------------------------------------------------


DEPOT_RULES = {"3A-5A": "424.32", "5-6X7": "424.33"}
"""The rule of the depot printed at a step; other steps use 424.35 for adding a ship, and 424.3."""


def decide_depot(game: Game, order: Depot, _: Dice) -> list[Result]:
    """Add a crippled ship to the depot, note its progress, place it repaired, or salvage it.

    Raises:
        RuleViolation: not crippled, or a second of its type this turn; not in the box; a hex that the enemy holds.
    """
    number = DEPOT_RULES.get(printed(step_open(game)), "424.3")
    unit, rule = own_unit(game, order, order.unit), rule_of(game, number)
    if number in DEPOT_RULES.values():
        _verify_casualty(game, order, unit, number)
    if order.act == "add":
        return _into_depot(game, unit)
    if unit.at != DEPOT:
        raise refuse(
            game,
            f"{unit.id} is not in the DLR box",
            f"in it: {', '.join(_in_depot(game, unit.side)) or 'nobody'}",
            number,
        )
    if order.act == "progress":
        noted = named_once(game, unit, "depot_progress", "has made progress", "name another, or `done`", number)
        return [*noted, *changed(unit, "depot", unit.number("depot") + 1, "progress", rule)]
    if order.act == "salvage":
        ashore = _ashore(game, unit, rule_of(game, "424.34"))
        gone = removed(unit, "salvaged", "depot", rule_of(game, "424.34"))
        return [*ashore, *gone, *_salvage(game, unit, order.ep)]
    if not order.at:
        raise refuse(game, "the order does not say where it is placed", "say it as `at`, for instance 0508", number)
    if unit.get("entered") == game.turn:
        raise refuse(game, f"{unit.id} came into the box in this turn", "name one that was there before", number)
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
    """Check that a casualty is added to the depot: in 3A-5A one of these raids, in 5-6X7 one of the battle hex.

    Raises:
        RuleViolation: the order does not add a unit; the unit was not crippled in these raids, or is not in the battle.
    """
    if order.act != "add":
        raise refuse(game, f"{unit.id}: casualties only enter the depot here", "give `act` as add", number)
    now = this_turn(game)
    if number == "424.33" and unit.at != DEPOT:
        battle_unit(game, order, unit.id, number)
    if number == "424.32" and unit.get("raid_hurt") != now:
        able = ", ".join(one.id for one in units_where(game, lambda one: one.get("raid_hurt") == now, unit.side))
        what = f"{unit.id} was not crippled in these raids"
        raise refuse(game, what, f"name one that was: {able or 'none'}", "424.32")


def _salvage(game: Game, unit: Unit, said: int | None) -> list[Result]:
    ep = price(game, said, f"salvage {kind_of(unit)}", "424.34")
    return paid(game, f"{payer_of(game, unit)}/EP", ep, f"salvage of {unit.id}", rule_of(game, "424.34"))


def _in_depot(game: Game, side: str) -> Iterator[str]:
    return (unit.id for unit in at_hex(game, DEPOT, side))


def _into_depot(game: Game, unit: Unit) -> list[Result]:
    number = DEPOT_RULES.get(printed(step_open(game)), "424.35")
    if not is_crippled(unit):
        raise refuse(game, f"{unit.id} is not crippled", "name a crippled ship", number)
    if unit.at == DEPOT:
        raise refuse(game, f"{unit.id} is in the DLR box", "`progress` it, or name another", number)
    if not is_ship(unit):
        raise refuse(game, f"{unit.id} is no ship", "name a crippled ship", number)
    if step_open(game) != "2B3":
        return _boxed(game, unit)
    chosen = (one for one in game.units.values() if one.get("chosen_for_depot") == this_turn(game))
    same = (one for one in chosen if kind_of(one) == kind_of(unit) and empire_of(one) == empire_of(unit))
    if first := min((one.id for one in same), default=""):
        what = f"{first}, a {kind_of(unit)}, was added this turn: one crippled ship of each type"
        raise refuse(game, what, "name a ship of another type", number)
    return [*_boxed(game, unit), *changed(unit, "chosen_for_depot", this_turn(game), "depot", rule_of(game))]


def _boxed(game: Game, unit: Unit) -> list[Result]:
    """Return the events with which a ship enters the box, and those aboard with it."""
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
        RuleViolation: deployed already; a tug away from the capital or beyond the limit; neither SMN nor FRD there.
    """
    if unit.get("repairs_from") is not None:
        raise refuse(game, f"{unit.id} is deployed at {unit.at}", "name another, or `done`", "422.3")
    capital, nodes = printed_of(game, empire_of(unit), "capital"), names_in(game, f"nodes of {empire_of(unit)}")
    if has(unit, "tug") and capital and unit.at != capital:
        raise refuse(game, f"{unit.id} is not at the capital", f"name a repair tug at {capital}", "422.8")
    out, most = _repair_tugs_out(game, empire_of(unit)), number_of(game, REPAIR_TUGS)
    if has(unit, "tug") and most and len(out) >= most:
        what = f"{listed(out)} {'is' if len(out) == 1 else 'are'} deployed, and {most} of an empire at most"
        raise refuse(game, what, "name a repair ship, or set `repair-tugs`", "422.8")
    docks = sorted({one.at for one in living(game) if one.side == unit.side and has(one, "frd")})
    if nodes and place not in (*nodes, *docks):
        what = f"there is neither an SMN nor an FRD at {place}"
        raise refuse(game, what, f"name one of: {listed((*nodes, *docks))}", "422.3")


def _repair_tugs_out(game: Game, empire: str) -> tuple[str, ...]:
    """Return the repair tugs of an empire that are deployed."""
    out = (unit for unit in living(game) if unit.get("repairs_from") is not None and has(unit, "tug"))
    return tuple(unit.id for unit in out if empire_of(unit) == empire)


def _verify_capacity(game: Game, repairer: Unit) -> list[Result]:
    """Count one more repair by this unit.

    Raises:
        RuleViolation: the unit has made as many repairs as the scenario lets it.
    """
    most, made = repairer.get("field_repairs"), repairer.number("repaired")
    if isinstance(most, int) and made >= most:
        raise refuse(game, f"{repairer.id} has repaired {made} ships", "name another repair unit", "422.22")
    return changed(repairer, "repaired", made + 1, "field repair", rule_of(game, "422.22"))


def decide_field_repair(game: Game, order: FieldRepair, _: Dice) -> list[Result]:
    """Repair a crippled ship in the hex of a deployed repair unit at once.

    Raises:
        RuleViolation: not deployed; not a ship; another hex; another empire; not crippled; out of supply.
    """
    repairer, unit = own_unit(game, order, order.repairer), own_unit(game, order, order.unit)
    if repairer.get("repairs_from") is None:
        raise refuse(game, f"{repairer.id} is not deployed for repairs", "deploy it in step 7B", "422.3")
    if not is_ship(unit):
        raise refuse(game, f"{unit.id} is no ship", "name a crippled ship", "420.434")
    if empire_of(repairer) != empire_of(unit):
        what = f"{repairer.id} is {empire_of(repairer)}, {unit.id} is {empire_of(unit)}"
        raise refuse(game, what, "repair ships of the same empire", "420.434")
    if repairer.at != unit.at or not is_crippled(unit):
        why = "it is not crippled" if repairer.at == unit.at else f"it is at {unit.at}"
        raise refuse(game, f"{unit.id} is not repaired: {why}", f"name a crippled ship at {repairer.at}", "422.22")
    if unit.get("supply") == "out":
        raise refuse(game, f"{unit.id} is out of supply", "repair ships in supply", "410.23")
    rule, cause = rule_of(game, "420.434"), f"field repair by {repairer.id}"
    counted = _verify_capacity(game, repairer)
    ep = price(game, order.ep, f"repair {kind_of(unit)}", "422.22", free=True)
    return [*counted, *spent(game, payer_of(game, unit), ep, cause, rule), *mended(unit, cause, rule)]


def return_repairers(game: Game) -> list[Result]:
    """Take repair ships off the board in 7D and return repair tugs to the place that they came from."""
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
