"""Fly air missions (5.2.D and 5.2.L). One side flies; the other side may interfere, and may strike back (28.12).

If the other side has air units, it may interfere after a mission is launched and before it is resolved with the
remaining air units. If the other side has none, a mission is resolved at once.

An air unit flies once in a battle cycle: a mission, a movement between bases, a paradrop or a Simultaneous Strike.
Interference does not count as flying; an air unit may interfere once with each mission.

A Simultaneous Strike follows a mission against a Task Force with air units on its carriers. Both happen at the same
time, so air units may strike even if their carrier has just sunk.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war import limits
from umpire_ledger.domain.titles.pacific_war.pieces import (
    arm,
    enemy_of,
    hostile_unit,
    of_arm,
    off_map,
    own_of_arm,
    phase_of,
    refuse,
    this_cycle,
    this_use,
    verify_on_map,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    PlaceName,
    PlaceOrNone,
    Reason,
    Result,
    Unit,
    UnitMoved,
    UnitName,
    UnitOrNone,
    changed,
    is_foggy,
    marked,
    names_in,
    step_open,
    word_in,
)

WHOSE = {"5.2.D": "advantage", "5.2.L": "disadvantage"}
"""Air mission phases, each with the marker of the side that flies."""
STRIKE = "simultaneous_strike"
"""Marker with the air units that may now answer a mission."""
AT_ONCE = "28.12"
MISSION, TARGET, INTERFERED = "mission", "mission_target", "interfered"
"""Markers of a launched mission: its air units, its target, and the air units that have interfered with it."""
TARGETS = ("naval", "air", "ground", "base")
"""The arms that an air mission can attack."""


class LaunchMission(Order, frozen=True, kw_only=True, tag="launch-mission"):
    """Launch an air mission against an enemy unit, or `at` the place of a drop: the other side may interfere first."""

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=40)]
    target: UnitOrNone = ""
    at: PlaceOrNone = ""


class Paradrop(Order, frozen=True, kw_only=True, tag="paradrop"):
    """Drop a ground unit on a place from an air unit at the same base."""

    unit: UnitName
    by: UnitName
    at: PlaceName


def flown(game: Game, unit: Unit) -> bool:
    """Return whether an air unit has flown in this battle cycle."""
    return str(unit.get("used") or "").startswith(f"{this_cycle(game)}.")


def owns_the_phase(game: Game, side: str) -> bool:
    """Return whether the missions of this phase are a side's own."""
    return side == word_in(game, WHOSE.get(phase_of(game), ""))


def is_simultaneous(game: Game) -> bool:
    """Return whether a Simultaneous Strike is open."""
    return AT_ONCE in step_open(game)


def strike_is_open(game: Game, _: str) -> bool:
    return bool(names_in(game, STRIKE))


def strikers(game: Game, units: tuple[str, ...], rule: str) -> list[Unit]:
    """Return the air units of a Simultaneous Strike.

    Raises:
        RuleViolation: A unit is not on a carrier of the Task Force that is attacked.
    """
    able = names_in(game, STRIKE)
    if wrong := [one for one in units if one not in able]:
        raise refuse(game, "not-on-that-carrier", rule, units=wrong, carrier_units=able)
    return [game.units[one] for one in units]


def verify_mission(game: Game, flying: list[Unit], target: Unit, rule: str) -> None:
    """Refuse an attack from the air that the open phase or mission does not allow.

    Raises:
        RuleViolation: An air unit has flown or is not activated, the target is out of reach, the weather is foul, the
            interference is not allowed, the order differs from the launch, or the enemy may interfere first.
    """
    if is_simultaneous(game):
        _verify_within_reach(game, target, rule)
        return
    if not owns_the_phase(game, flying[0].side):
        _verify_interference(game, flying, target, rule)
        return
    if names_in(game, MISSION):
        _verify_as_launched(game, flying, target.id, rule)
        return
    _verify_within_reach(game, target, rule)
    _verify_can_fly(game, flying, rule)
    limits.verify_sky(game, (target.at, *(one.at for one in flying)))
    if may_be_met(game, flying[0].side):
        raise refuse(game, "enemy-may-interfere", rule, enemy=game.side_name(enemy_of(flying[0].side)))


def _verify_within_reach(game: Game, target: Unit, rule: str) -> None:
    """Refuse a target in a box off the map, or troops aboard a ship.

    Raises:
        RuleViolation: Aircraft cannot reach the target.
    """
    if target.at in off_map(game):
        raise refuse(game, "target-off-map", rule, target=target.id, at=target.at)
    if arm(target) == "ground" and target.get("aboard"):
        raise refuse(game, "target-aboard-ship", rule, target=target.id, ship=target.get("aboard"))


def _verify_can_fly(game: Game, flying: list[Unit], rule: str) -> None:
    """Refuse air units that are not activated or have flown in this battle cycle.

    Raises:
        RuleViolation: An air unit is not ready.
    """
    if idle := [one.id for one in flying if not one.get("activated")]:
        raise refuse(game, "flyers-not-activated", rule, units=idle)
    if again := [one.id for one in flying if flown(game, one)]:
        raise refuse(game, "flown-already", rule, units=again)


def _verify_interference(game: Game, flying: list[Unit], target: Unit, rule: str) -> None:
    """Refuse interference with a unit outside the mission, a second one by the same unit, or one that comes too late.

    Raises:
        RuleViolation: The interference is not allowed.
    """
    if step_open(game).endswith("/strike"):
        raise refuse(game, "interference-over", rule)
    if target.id not in names_in(game, MISSION):
        raise refuse(game, "only-interference-at-missions", rule, side=game.side_name(flying[0].side))
    if again := [one.id for one in flying if one.id in names_in(game, INTERFERED)]:
        raise refuse(game, "interfered-already", rule, units=again)


def _verify_as_launched(game: Game, flying: list[Unit], target: str, rule: str) -> None:
    """Refuse air units or a target other than those of the launched mission.

    Raises:
        RuleViolation: The order differs from the launch.
    """
    mission, aim = names_in(game, MISSION), word_in(game, TARGET)
    if wrong := [one.id for one in flying if one.id not in mission]:
        raise refuse(game, "not-in-mission", rule, units=wrong, mission=mission)
    if target != aim:
        raise refuse(game, "other-aim", rule, aim=aim, target=target)


def notes(game: Game, flying: list[Unit]) -> list[Result]:
    """Record the units that have flown or interfered, and in a Simultaneous Strike those that may still strike."""
    if not is_simultaneous(game) and not owns_the_phase(game, flying[0].side):
        met = dict.fromkeys((*names_in(game, INTERFERED), *(one.id for one in flying)))
        return marked(game, INTERFERED, tuple(met))
    noted = [event for one in flying if not one.fate for event in changed(one, "used", this_use(game))]
    if not is_simultaneous(game):
        return [*noted, *([Closes()] if names_in(game, MISSION) else [])]
    left = tuple(one for one in names_in(game, STRIKE) if one not in {unit.id for unit in flying})
    return [*noted, *marked(game, STRIKE, left or None), *([] if left else [Closes()])]


def calls_for(game: Game, flying: list[Unit], target: Unit) -> list[Result]:
    """Mark the air units that may answer a mission against carriers with a Simultaneous Strike."""
    if is_simultaneous(game) or not owns_the_phase(game, flying[0].side):
        return []
    return marked(game, STRIKE, may_answer(game, target) or None, f"mission against {target.id}", AT_ONCE)


def may_answer(game: Game, target: Unit) -> tuple[str, ...]:
    """Return the air units that may answer a mission: those on carriers of the target Task Force that have not flown.

    A ship that sails alone counts as a Task Force. A mission against an air unit on a carrier counts as a mission
    against the carrier's Task Force.
    """
    struck = game.units.get(str(target.get("aboard") or target.id), target)
    if arm(struck) != "naval":
        return ()
    force = struck.get("task_force")
    ships = {
        one.id for one in of_arm(game, "naval") if one.id == struck.id or (force and one.get("task_force") == force)
    }
    aboard = (one for one in of_arm(game, "air", side=target.side) if one.get("aboard") in ships)
    return tuple(one.id for one in aboard if not flown(game, one))


def decline(game: Game) -> list[Result]:
    """End the Simultaneous Strike."""
    return marked(game, STRIKE, None, rule=AT_ONCE)


# --- missions that are launched ---------------------------------------------------------------------------------------


def may_be_met(game: Game, side: str) -> bool:
    """Return whether the other side has air units to interfere with; always true if units may be hidden."""
    return is_foggy(game) or bool(of_arm(game, "air", side=enemy_of(side)))


def decide_launch(game: Game, order: LaunchMission, _: Dice) -> list[Result]:
    """Launch an air mission; its units count as flown even if the other side stops it.

    Raises:
        RuleViolation: The phase belongs to the other side, an air unit is not activated or has flown, the order does
            not have exactly one target or place, the target cannot be attacked, or the weather is foul.
    """
    rule = f"{phase_of(game)} [28.0]"
    side = game.side_of(order.seat)
    if not owns_the_phase(game, side):
        raise refuse(game, "only-interference", rule, side=game.side_name(side))
    flying = [own_of_arm(game, order.seat, one, ("air",), rule) for one in order.units]
    _verify_can_fly(game, flying, rule)
    if bool(order.target) == bool(order.at):
        raise refuse(game, "one-aim-only", rule)
    verify_on_map(game, order.at, rule)
    if order.target:
        target = hostile_unit(game, order.seat, order.target, rule)
        _verify_within_reach(game, target, rule)
        if arm(target) not in TARGETS:
            raise refuse(game, "not-a-target", rule, target=target.id, targets=" or ".join(TARGETS))
    aim = game.units[order.target].at if order.target else order.at
    limits.verify_sky(game, (aim, *(one.at for one in flying)))
    return [
        *(event for one in flying for event in changed(one, "used", this_use(game), rule=rule)),
        *marked(game, TARGET, order.target or order.at, "launched", rule),
        *marked(game, MISSION, tuple(one.id for one in flying), "launched", rule),
    ]


def mission_is_launched(game: Game, _: str) -> bool:
    return bool(names_in(game, MISSION))


def still_flying(game: Game) -> bool:
    """Return whether an air unit of the mission is still in play."""
    return any(one in game.units and not game.units[one].fate for one in names_in(game, MISSION))


def end_mission(game: Game) -> list[Result]:
    """Clear the markers of a mission that is flown, given up, or shot down."""
    return [event for marker in (MISSION, TARGET, INTERFERED) for event in marked(game, marker, None)]


# --- other flights ----------------------------------------------------------------------------------------------------


def why_not_flying(game: Game, unit: Unit) -> Reason | None:
    """Return the reason why a unit may not fly to another base in an air mission phase; None if it may."""
    if not owns_the_phase(game, unit.side):
        return Reason("owner-only-interferes", "its owner only interferes with missions in this phase")
    if arm(unit) == "ground":
        return Reason("ground-unit", "only air units fly; ground units are dropped by `paradrop`")
    if arm(unit) != "air":
        return Reason("not-an-air-unit", "only air units fly")
    return Reason("flown-already", "it has already flown in this battle cycle") if flown(game, unit) else None


def own_bases(game: Game, side: str) -> tuple[str, ...]:
    """Return the places of a side's bases, on which its air units may land."""
    return tuple(dict.fromkeys(base.at for base in of_arm(game, "base", side=side)))


def decide_paradrop(game: Game, order: Paradrop, _: Dice) -> list[Result]:
    """Drop a ground unit from an air unit at the same base. The scenario may limit drops to its paratroop units.

    Raises:
        RuleViolation: The ground unit cannot be dropped, a unit is not activated, the two are not at the same base, the
            air unit has flown, the phase belongs to the other side, or the enemy may interfere first.
    """
    rule = "5.2.D [28.14]" if phase_of(game) == "5.2.D" else "5.2.L [28.0]"
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), rule)
    carrier = own_of_arm(game, order.seat, order.by, ("air",), rule)
    if why := _why_no_drop(game, unit, carrier):
        raise refuse(game, "cannot-be-dropped", rule, unit=unit.id, why=why)
    limits.verify_sky(game, (unit.at, order.at))
    if names_in(game, MISSION):
        _verify_as_launched(game, [carrier], order.at, rule)
    elif may_be_met(game, unit.side):
        raise refuse(game, "enemy-may-interfere-with-drop", rule, enemy=game.side_name(enemy_of(unit.side)))
    verify_on_map(game, order.at, rule)
    if order.at == unit.at:
        raise refuse(game, "dropped-there-already", rule, unit=unit.id, at=order.at)
    path = (unit.at, order.at)
    drop = UnitMoved(unit=unit.id, path=path, cause=f"dropped by {carrier.id}", rule=rule)
    over = [Closes()] if names_in(game, MISSION) else []
    return [drop, *changed(carrier, "used", this_use(game), "paradrop", rule), *over]


def _why_no_drop(game: Game, unit: Unit, carrier: Unit) -> Reason | None:
    is_launched = carrier.id in names_in(game, MISSION)
    if not is_launched and (why := why_not_flying(game, carrier)):
        return Reason(why.key, f"{carrier.id}: {why}")
    if not unit.get("paratroops") and any("paratroops" in one.attributes for one in of_arm(game, "ground")):
        return Reason("no-paratroops", "it is not a paratroop unit")
    idle = [one.id for one in (unit, carrier) if not one.get("activated")]
    if idle:
        return Reason("not-activated", f"not activated: {', '.join(idle)}")
    if unit.at != carrier.at or unit.at not in own_bases(game, unit.side):
        return Reason("not-at-one-base", f"{unit.id} and {carrier.id} are not at the same base of their side")
    return Reason("aboard", f"it is aboard {unit.get('aboard')}") if unit.get("aboard") else None
