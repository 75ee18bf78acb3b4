"""Movement: operational with reactions beside it, reserves, retrograde, strategic; field repair; marking reserves.

How far a unit may go is in rules that we do not have; the path is recorded hex by hex. What the printed sequence itself
says is carried out: tactical retrograde within three hexes, field repair within one empire, one leader in 8A.
"""

from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.economy import Points
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    HEX,
    OFF_MAP,
    at_hex,
    changed,
    empire_of,
    has,
    is_base,
    is_crippled,
    living,
    moved,
    need_trait,
    own_unit,
    own_units,
    phasing,
    refuse,
    rule_of,
    spent,
    step_of,
    travelled,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import distance, longest_stride
from umpire_ledger.domain.titles.federation_and_empire.shipyard import mended
from umpire_ledger.kit import Dice, Game, Name, Order, Result, Unit

Place = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*)$")]
Hex = Annotated[str, msgspec.Meta(pattern=HEX)]
Path = Annotated[tuple[Place, ...], msgspec.Meta(min_length=1)]
CAUSES = {"8A": "Strategic Movement", "3A-2G": "retreat", "3A-4G": "retreat", "3A-4N": "retreat", "3A-6B": "withdrawal"}
Units = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]


class MoveUnits(Order, frozen=True, kw_only=True, tag="move-units"):
    """Units that stand together go along one path, hex by hex."""

    units: Units
    path: Path


class React(Order, frozen=True, kw_only=True, tag="react"):
    """Units react along a path to an enemy's movement."""

    units: Units
    path: Path
    to: str = ""


class FormReserve(Order, frozen=True, kw_only=True, tag="form-reserve"):
    """Units become a reserve: a Tactical Reserve Force in 4A, a Reserve Fleet in 9A."""

    fleet: Name
    units: Units


class MoveReserve(Order, frozen=True, kw_only=True, tag="move-reserve"):
    """A reserve goes to its battle, all its units along one path."""

    fleet: Name
    path: Path


class Retrograde(Order, frozen=True, kw_only=True, tag="retrograde"):
    """Units go back along a path in retrograde movement."""

    units: Units
    path: Path


class DeployRepair(Order, frozen=True, kw_only=True, tag="deploy-repair"):
    """A repair ship or tug is deployed to a supply point or FRD."""

    unit: Name
    at: Hex


class FieldRepair(Order, frozen=True, kw_only=True, tag="field-repair"):
    """A deployed repair unit repairs a crippled ship of its own empire in its hex."""

    repairer: Name
    unit: Name
    ep: Points = 0


class Dissolve(Order, frozen=True, kw_only=True, tag="dissolve"):
    """A group is a group no longer."""

    group: Name


# --- paths ------------------------------------------------------------------------------------------------------------


def verify_together(game: Game, units: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Raises RuleViolation: units in different places; a base; a path with a gap; nowhere to go."""
    places = {unit.at for unit in units}
    if len(places) > 1:
        raise refuse(
            game, f"the units stand at {' and '.join(sorted(places))}", "move each place's units by themselves"
        )
    if (base := next(filter(is_base, units), None)) is not None:
        raise refuse(game, f"{base.id} is a base and does not move", "leave it out")
    whole = path if path[0] in places else (*places, *path)
    if len(whole) < 2:
        raise refuse(game, f"they are at {path[0]} already", "name the hexes they go to")
    if longest_stride(whole) > 1:
        gap = next(f"{a} to {b}" for a, b in pairwise(whole) if longest_stride((a, b)) > 1)
        raise refuse(game, f"the path has a gap: {gap}", "name every hex on the way")


def go(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], cause: str) -> list[Result]:
    """All of them along the path, checked."""
    verify_together(game, units, path)
    return travelled(game, units, path, cause, rule_of(game))


def decide_move_units(game: Game, order: MoveUnits, _: Dice) -> list[Result]:
    """Raises RuleViolation: `verify_together`; mothballed; for 8A's Strategic Movement a unit out of supply."""
    units = own_units(game, order, order.units)
    for unit in units:
        if unit.get("mothballed") is True:
            raise refuse(game, f"{unit.id} is mothballed", "activate it in step 2B1")
    back = [event for unit in units for event in changed(unit, "outcome", None, "it has retreated", rule_of(game))]
    return [*go(game, units, order.path, CAUSES.get(step_of(game), "operational movement")), *back]


def decide_react(game: Game, order: React, _: Dice) -> list[Result]:
    """Reaction of the non-phasing side (3B3), or of phasing X-ships to a reserve (4A, 4B) [reading A9]."""
    units = own_units(game, order, order.units)
    if step_of(game) in ("4A", "4B"):
        for unit in units:
            need_trait(game, unit, "x", "X-ship", "523.222")
    return go(game, units, order.path, f"reaction to {order.to}" if order.to else "reaction")


# --- reserves ---------------------------------------------------------------------------------------------------------


def fleet_of(unit: Unit) -> str:
    return str(unit.get("reserve") or "")


def decide_form_reserve(game: Game, order: FormReserve, _: Dice) -> list[Result]:
    """Raises RuleViolation: units in different places; a unit that is in another reserve; the phasing side in 4A."""
    units = own_units(game, order, order.units)
    tactical = step_of(game) == "4A"
    if tactical and game.side_of(order.seat) == phasing(game):
        raise refuse(game, "only the non-phasing player forms a Tactical Reserve Force", "react with X-ships", "543.1")
    if len({unit.at for unit in units}) > 1:
        raise refuse(game, "a reserve stands in one place", "name units of one hex", "543.1" if tactical else "507.1")
    for unit in units:
        if fleet_of(unit):
            raise refuse(game, f"{unit.id} is in the reserve {fleet_of(unit)}", "name other units", "507.1")
    name = f"TRF {order.fleet}" if tactical else order.fleet
    return [event for unit in units for event in changed(unit, "reserve", name, "reserve", rule_of(game))]


def decide_move_reserve(game: Game, order: MoveReserve, _: Dice) -> list[Result]:
    """The reserve goes and is a reserve no longer. Raises RuleViolation: no such reserve; another one was picked."""
    picked = game.cursor.item("4B/fleet")
    fleet = order.fleet if picked else f"TRF {order.fleet.removeprefix('TRF ')}"
    units = tuple(sorted((u for u in living(game) if fleet_of(u) == fleet), key=lambda u: u.id))
    if not units or units[0].side != game.side_of(order.seat) or picked not in ("", fleet):
        raise refuse(
            game, f"{order.fleet} is not the reserve that moves now", f"move {picked or 'a TRF that was formed'}"
        )
    return [*go(game, units, order.path, f"reserve {fleet}"), *_stand_down(units, rule_of(game))]


def _stand_down(units: tuple[Unit, ...], rule: str) -> list[Result]:
    return [event for unit in units for event in changed(unit, "reserve", None, "no reserve any more", rule)]


def reserve_fleets(game: Game, side: str) -> tuple[str, ...]:
    """The Reserve Fleets of all but the phasing side, by name."""
    return tuple(sorted({fleet_of(unit) for unit in living(game) if unit.side != side} - {""} - set(_forces(game))))


def _forces(game: Game) -> tuple[str, ...]:
    return tuple(fleet for fleet in map(fleet_of, living(game)) if fleet.startswith("TRF "))


def force_waits(game: Game, _: str) -> bool:
    """Whether a Tactical Reserve Force was formed and has not moved."""
    return bool(_forces(game))


def take_off_reserves(game: Game) -> list[Result]:
    """1D: the markers that the phasing side placed on its last turn come off."""
    side = phasing(game)
    units = tuple(sorted((u for u in living(game) if u.side == side and fleet_of(u)), key=lambda u: u.id))
    return _stand_down(units, "1D (507.1)")


# --- retrograde -------------------------------------------------------------------------------------------------------


def decide_retrograde(game: Game, order: Retrograde, _: Dice) -> list[Result]:
    """6D1 within three hexes to a pacification base, 6D2 the phasing side's, 6D3 X-ships.

    Raises RuleViolation: too far or to no pacification base in 6D1; no X-ship in 6D3; out of supply; `verify_together`.
    """
    units, step = own_units(game, order, order.units), step_of(game)
    end = order.path[-1]
    for unit in units:
        if unit.get("supply") == "out":
            raise refuse(game, f"{unit.id} is out of supply", "leave it out", "410.24")
        if step == "6D3":
            need_trait(game, unit, "x", "X-ship", "523.242")
    if step == "6D1":
        way = distance(units[0].at, end)
        if way > 3:
            raise refuse(game, f"{end} is {way} hexes away", "go to a pacification base within three hexes", "544.47")
        if not any(has(one, "pacification") for one in at_hex(game, end, units[0].side)):
            raise refuse(game, f"there is no pacification base at {end}", "go to one within three hexes", "544.47")
    return go(game, units, order.path, {"6D1": "tactical retrograde"}.get(step, "retrograde"))


def decide_dissolve(game: Game, order: Dissolve, _: Dice) -> list[Result]:
    """Raises RuleViolation when no unit of yours is in the group."""
    side, rule = game.side_of(order.seat), rule_of(game)
    units = sorted((u for u in living(game) if u.side == side and u.get("group") == order.group), key=lambda u: u.id)
    if not units:
        raise refuse(game, f"you have no group {order.group}", "`units` shows who is in which group")
    return [event for unit in units for event in changed(unit, "group", None, "dissolved", rule)]


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
    out = sorted((u for u in living(game) if u.side == side and u.get("repairs_from")), key=lambda u: u.id)
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
