"""Move units, advance days, search and embark (5.1.R, 5.1.T, 5.2.C and 5.2.K), and move in rear areas (5.1.I)."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war import flying, limits, rear, task_forces
from umpire_ledger.domain.titles.pacific_war.activation import hidden_worth
from umpire_ledger.domain.titles.pacific_war.intelligence import limit
from umpire_ledger.domain.titles.pacific_war.month import days_left, one_day_on
from umpire_ledger.domain.titles.pacific_war.pieces import (
    COMBAT_ARMS,
    JAPAN,
    TO_COME,
    arm,
    ashore,
    enemy_of,
    for_hidden,
    has,
    hostile_unit,
    is_vacated_by,
    of_arm,
    off_map,
    own_of_arm,
    own_unit,
    phase_of,
    refuse,
    takes_part,
    this_cycle,
    this_use,
    verify_on_map,
)
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    Asks,
    Dice,
    Game,
    Move,
    Name,
    Order,
    Reason,
    Result,
    TableRoll,
    Unit,
    UnitMoved,
    UnitName,
    after,
    changed,
    marked,
    word_in,
)

RULES = {
    "5.1.I": "13.0",
    "5.1.P": "20.1",
    "5.1.R": "23.4",
    "5.1.S": "22.0",
    "5.1.T": "23.5.1",
    "5.2.C": "23.6",
    "5.2.D": "28.0",
    "5.2.H": "31.0",
    "5.2.K": "23.6",
    "5.2.L": "28.0",
}
"""The rule of movement in each phase that has one."""
CYCLE = ("5.2.C", "5.2.K")
FLIES_LATER = Reason("flies-later", "air units fly only in the air mission phase")
CONTACT = ("5.1.R", "5.1.T")
EMBARK_IN_CONTACT = "embark_in_contact"
"""The option that ground units embark and disembark in the contact phases too."""
JAPANESE_SUBMARINES = "japanese_submarines"
"""The option for the optional rules 34.1 and 34.2."""


class AdvanceDay(Order, frozen=True, kw_only=True, tag="advance-day"):
    """Advance the Day marker and the Operation Naval Movement marker by a number of days."""

    days: Annotated[int, msgspec.Meta(ge=1, le=31)] = 1


class Search(TableRoll, frozen=True, kw_only=True, tag="search"):
    """Search for an enemy Task Force, or a ship outside one: one roll on the search table; if found, it is detected."""

    target: UnitName


class Undetect(Order, frozen=True, kw_only=True, tag="undetect"):
    """Turn your own Task Forces, and ships outside them, to their undetected side."""

    task_forces: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=40)]


class Embark(Order, frozen=True, kw_only=True, tag="embark"):
    """Take a ground unit aboard a ship in the same place."""

    unit: UnitName
    ship: UnitName


class Disembark(Order, frozen=True, kw_only=True, tag="disembark"):
    """Unload a unit from its ship, at the ship's place."""

    unit: UnitName


class FormTaskForce(Order, frozen=True, kw_only=True, tag="form-task-force"):
    """Form a Task Force of ships in one place."""

    task_force: Name
    ships: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=40)]


def rule_of(game: Game) -> str:
    phase = phase_of(game)
    return f"{phase} [{RULES.get(phase, '24.0')}]"


# --- moving -----------------------------------------------------------------------------------------------------------


def with_it(game: Game, unit: Unit) -> tuple[Unit, ...]:
    """Return a unit and all units that move with it: ships of a Task Force, and units aboard these ships."""
    ships = tuple(one for one in of_arm(game, "naval") if one.get("task_force") == unit.id)
    carriers = {unit.id, *(ship.id for ship in ships)}
    aboard = (one for one in of_arm(game, "air", "ground") if one.get("aboard") in carriers)
    return (unit, *ships, *aboard)


def decide_move(game: Game, order: Move, _: Dice) -> list[Result]:
    """Move a unit along a path, with all units that move with it.

    Raises:
        RuleViolation: See `why_not`; or the path is empty, or the phase or the units do not allow it.
    """
    rule = rule_of(game)
    unit = own_unit(game, order.seat, order.unit, rule)
    if why := why_not(game, unit):
        raise refuse(game, "cannot-move", rule, unit=unit.id, why=why)
    path = order.path[1:] if order.path[0] == unit.at else order.path
    if not path:
        raise refuse(game, "already-there", rule, unit=unit.id, at=unit.at)
    for place in path:
        verify_on_map(game, place, rule)
    moving = with_it(game, unit)
    _verify_way(game, unit, moving, path)
    return [
        *(UnitMoved(unit=one.id, path=(one.at, *path), cause=order.cause, rule=rule) for one in moving),
        *_what_moving_notes(game, unit, moving, len(path)),
    ]


def _verify_way(game: Game, unit: Unit, moving: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Refuse a path that the phase or the units do not allow.

    Raises:
        RuleViolation: The path leaves the rear areas, an air unit has no base to land on, the path is too long, a
            retreat ends with enemies, or a unit that is not activated would move with the others.
    """
    phase = phase_of(game)
    if phase == "5.1.I":
        rear.verify_rear(game, unit, path)
        return
    if phase == "5.2.H":
        _verify_retreat(game, unit, path)
        return
    bases = flying.own_bases(game, unit.side)
    if arm(unit) == "air" and path[-1] not in bases:
        raise refuse(
            game,
            "no-own-base",
            rule_of(game),
            place=path[-1],
            side=game.side_name(unit.side),
            bases=", ".join(bases) or "none",
        )
    _verify_all_activated(game, unit, moving)
    limits.verify_distance(game, unit, moving, path, rule_of(game))
    _verify_reach(game, moving, len(path))


def _verify_retreat(game: Game, unit: Unit, path: tuple[str, ...]) -> None:
    """Refuse a retreat that ends with ground units of the enemy.

    Raises:
        RuleViolation: Ground units of the enemy are in the place.
    """
    foes = [one.id for one in ashore(game, enemy_of(unit.side)) if one.at == path[-1]]
    if foes:
        raise refuse(game, "retreat-into-enemy", rule_of(game), unit=unit.id, enemies=foes)


def _verify_all_activated(game: Game, unit: Unit, moving: tuple[Unit, ...]) -> None:
    """Refuse a move in which a unit that is not activated would move with the others.

    Raises:
        RuleViolation: Such a unit moves with the others.
    """
    idle = [one.id for one in moving if "activated" in one.attributes and not one.get("activated")]
    if idle:
        raise refuse(game, "riders-not-activated", rule_of(game), units=idle, unit=unit.id)


def _what_moving_notes(game: Game, unit: Unit, moving: tuple[Unit, ...], hexes: int) -> list[Result]:
    """Record facts about a move, for example its month, its distance, or that an air unit has flown."""
    return [*_of_phase(game, unit, moving, hexes), *limits.notes_of(game, unit, moving, hexes)]


def _of_phase(game: Game, unit: Unit, moving: tuple[Unit, ...], hexes: int) -> list[Result]:
    match phase_of(game):
        case "5.1.I":
            alone = task_forces.leave(game, unit, "moved by itself", rear.RULE)
            return [*changed(unit, "moved_in", game.number("month")), *_what_it_vacates(game, unit), *alone]
        case "5.1.T":
            ships = (one for one in moving if arm(one) != "task-force")
            far = ((one, one.number("gone") + hexes) for one in ships)
            return [event for one, gone in far for event in changed(one, "gone", gone, rule="5.1.T [22.0]")]
        case "5.2.H":
            return changed(unit, "fought", "")
        case "5.2.D" | "5.2.L":
            ashore = changed(unit, "aboard", "", "to a base", rule_of(game)) if unit.get("aboard") else []
            return [*changed(unit, "used", this_use(game)), *ashore]
        case _:
            return []


def _what_it_vacates(game: Game, unit: Unit) -> list[Result]:
    """Record the place that a unit leaves empty in 5.1.I, for its first move in the phase only."""
    if unit.get("moved_in") == game.number("month"):
        return []
    place = unit.at if is_vacated_by(game, unit) else ""
    return changed(unit, "vacated", place) if place or unit.get("vacated") else []


def why_not(game: Game, unit: Unit) -> Reason | None:
    """Return the reason why a unit may not move in this phase; None if it may."""
    phase = phase_of(game)
    if is_optional_submarine(game, unit) and phase in CYCLE:
        return None
    if unit.at == TO_COME or arm(unit) not in (*COMBAT_ARMS, "task-force"):
        return Reason("never-moves", "it cannot move")
    if phase == "5.1.I":
        return rear.why_no_transport(game, unit)
    if phase == "5.2.H":
        return why_no_retreat(game, unit)
    if unit.get("task_force"):
        return Reason("in-task-force", f"it sails with {unit.get('task_force')}, which moves as a whole")
    if unit.get("aboard") and not (arm(unit) == "air" and phase in flying.WHOSE):
        return Reason("aboard", f"it is aboard {unit.get('aboard')} and goes with it")
    if phase in CYCLE and arm(unit) == "air":
        return FLIES_LATER
    if phase in flying.WHOSE and (why := flying.why_not_flying(game, unit)):
        return why
    if not any(one.get("activated") for one in with_it(game, unit)):
        return Reason("not-activated", "it is not activated")
    if unit.id in game.hidden and hidden_worth(game, unit.side) > has(game, for_hidden(unit.side)):
        return Reason("hidden-units-unpaid", "the activated hidden units need more points than have been paid for them")
    return None


def why_no_retreat(game: Game, unit: Unit) -> Reason | None:
    """Return the reason why a unit cannot retreat in 5.2.H; None if it has fought in this phase and not retreated."""
    fought = unit.get("fought") == f"{this_cycle(game)}.5.2.H"
    if arm(unit) == "ground" and fought:
        return None
    return Reason("not-in-combat", "it has not fought in ground combat, or has already retreated")


def is_optional_submarine(game: Game, unit: Unit) -> bool:
    """Check for Japanese submarines that move in 5.2.C and 5.2.K by optional rules 34.1 and 34.2."""
    return bool(game.options.get(JAPANESE_SUBMARINES)) and unit.side == JAPAN and arm(unit) == "patrol"


def has_units_to_move(marker: str) -> Asks:
    """Return a check whether the side that a marker names has activated units, or submarines that move by an option."""

    def is_able(game: Game, _: str) -> bool:
        side = word_in(game, marker)
        optional = marker != "reaction_player" and any(is_optional_submarine(game, one) for one in game.in_play(side))
        return takes_part(game, side) or optional

    return is_able


def reach(game: Game) -> int:
    """Return the distance allowed in 5.1.T by the Condition and the days at sea, in places; -1 for any number."""
    a_day = limit(game, "reach")
    return a_day * max(1, game.number("naval_movement")) if a_day >= 0 else -1


def farthest(moving: Iterable[Unit]) -> int:
    """Return the most places that any of the units has moved in 5.1.T; for a Task Force, its ships count."""
    return max((one.number("gone") for one in moving if arm(one) != "task-force"), default=0)


def _verify_reach(game: Game, moving: tuple[Unit, ...], hexes: int) -> None:
    """Refuse a move in which a unit would exceed its distance in 5.1.T, counting all its moves.

    Raises:
        RuleViolation: The distance exceeds the Condition's limit.
    """
    if phase_of(game) != "5.1.T":
        return
    most, gone = reach(game), farthest(moving)
    if 0 <= most < gone + hexes:
        raise refuse(
            game,
            "beyond-condition",
            "5.1.T [22.0]",
            given=gone + hexes,
            condition=game.markers.get("condition"),
            limit=most - gone,
        )


def decide_advance_day(game: Game, order: AdvanceDay, _: Dice) -> list[Result]:
    """Advance the days one by one. Entering Month Begin ends the month, so no order can advance beyond it.

    Raises:
        RuleViolation: The days are more than the month has left, or more than are paid for.
    """
    left, paid_for = days_left(game), limits.days_paid(game)
    is_paid = paid_for is None or left <= paid_for
    if order.days > left and is_paid:
        raise refuse(game, "month-ends", "5.1.R [5.4]", limit=left, given=order.days)
    if paid_for is not None and order.days > paid_for:
        raise refuse(game, "too-many-days" if paid_for else "no-days-left", "5.1.P [20.2.5]", limit=paid_for)
    results = marked(game, "naval_movement", game.number("naval_movement") + order.days, "at sea", "5.1.R [23.4]")
    for _day in range(order.days):
        results += one_day_on(after(game, results))
    return results


def can_advance(game: Game, side: str) -> bool:
    """Return whether Time multiples still pay for a day at sea."""
    return limits.days_paid(game) != 0


# --- searching --------------------------------------------------------------------------------------------------------


def decide_search(game: Game, order: Search, dice: Dice) -> list[Result]:
    """Roll once on the search table.

    Raises:
        RuleViolation: The target is not an enemy Task Force or a ship that sails alone, is off the map, is already
            detected, or was already searched for in vain.
    """
    rule = f"{phase_of(game)} [24.0]"
    force = hostile_unit(game, order.seat, order.target, rule)
    if force.at == TO_COME or not task_forces.is_one(game, force):
        sails = f"search for {force.get('task_force')}, with which it sails" if force.get("task_force") else ""
        remedy = sails or "search for an enemy Task Force, or for an enemy ship that is not in one"
        raise refuse(game, "not-a-task-force", rule, unit=force.id, remedy=remedy)
    if force.at in off_map(game):
        raise refuse(game, "task-force-off-map", rule, unit=force.id, at=force.at)
    if force.get("detected"):
        raise refuse(game, "detected-already", rule, unit=force.id)
    if task_forces.is_searched(game, force):
        when = "on this day" if phase_of(game) == "5.1.R" else "in this phase"
        raise refuse(game, "searched-already", rule, unit=force.id, when=when)
    purpose = f"search for {force.id}"
    sky = limits.weather_for_search(game, force.at)
    rolled = roll_on(game, dice, order, "search", purpose=purpose, rule=rule, subjects=(force.id,), modifiers=sky)
    if rolled.row is None:
        return list(rolled.told)
    if rolled.row == "found":
        return [*rolled.told, *changed(force, "detected", True, purpose, rule)]
    bound = game.options.get(task_forces.SEARCHED_ONCE, True)
    note = changed(force, "searched", task_forces.this_search(game), purpose, rule) if bound else []
    return [*rolled.told, *note]


def decide_undetect(game: Game, order: Undetect, _: Dice) -> list[Result]:
    """Turn Task Forces over. The scenario decides which are eligible (32.2), or else their owner decides.

    Raises:
        RuleViolation: A unit is not a detected Task Force of the side, or is not eligible.
    """
    rule = "5.2.N [32.2]"
    forces = [own_of_arm(game, order.seat, one, ("task-force", "naval"), rule) for one in order.task_forces]
    ready = task_forces.detected_forces(game, game.side_of(order.seat))
    if wrong := [one.id for one in forces if one not in ready]:
        mine = ", ".join(one.id for one in ready)
        raise refuse(game, "not-detected", rule, units=wrong, detected=mine or "none")
    for one in forces:
        if why := limits.why_not_turned(game, one):
            able = ", ".join(one.id for one in limits.may_turn(game, one.side)) or "none"
            raise refuse(game, "stays-detected", rule, unit=one.id, why=why, units=able)
    return [event for one in forces for event in changed(one, "detected", False, rule=rule)]


# --- ships and their cargo --------------------------------------------------------------------------------------------


def decide_embark(game: Game, order: Embark, _: Dice) -> list[Result]:
    """Put a ground unit aboard a ship. Air units never embark; they stay on the carriers that the scenario names.

    Raises:
        RuleViolation: The unit and the ship are not in the same place, the unit is already aboard or not activated, or
            the phase does not allow it.
    """
    rule = rule_of(game)
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), rule)
    ship = own_of_arm(game, order.seat, order.ship, ("naval",), rule)
    _verify_phase(game, unit, rule)
    if unit.at != ship.at:
        raise refuse(game, "not-together", rule, unit=unit.id, unit_at=unit.at, ship=ship.id, ship_at=ship.at)
    if unit.get("aboard"):
        raise refuse(game, "already-aboard", rule, unit=unit.id, ship=unit.get("aboard"))
    if not unit.get("activated"):
        raise refuse(game, "embarking-not-activated", rule, unit=unit.id)
    return changed(unit, "aboard", ship.id, "embarked", rule)


def decide_disembark(game: Game, order: Disembark, _: Dice) -> list[Result]:
    """Put a unit ashore in its ship's place; an air unit only at a base of its side.

    Raises:
        RuleViolation: The unit is not aboard a ship, an air unit would have no base, or the phase does not allow it.
    """
    rule = rule_of(game)
    unit = own_of_arm(game, order.seat, order.unit, ("ground", "air"), rule)
    if not unit.get("aboard"):
        raise refuse(game, "not-aboard", rule, unit=unit.id)
    _verify_phase(game, unit, rule)
    if arm(unit) == "air" and phase_of(game) in CYCLE:
        raise refuse(game, "stays-aboard", rule, unit=unit.id, why=FLIES_LATER)
    if arm(unit) == "air" and unit.at not in flying.own_bases(game, unit.side):
        raise refuse(game, "no-base-for-it", rule, at=unit.at, unit=unit.id)
    return changed(unit, "aboard", "", "disembarked", rule)


def _verify_phase(game: Game, unit: Unit, rule: str) -> None:
    """Refuse a ground unit in a contact phase, unless the option `embark_in_contact` is on.

    Raises:
        RuleViolation: The ground unit may not embark or disembark now.
    """
    if arm(unit) == "ground" and phase_of(game) in CONTACT and not game.options.get(EMBARK_IN_CONTACT, True):
        raise refuse(game, "no-embarking-in-contact", rule, unit=unit.id)


def decide_form_task_force(game: Game, order: FormTaskForce, _: Dice) -> list[Result]:
    """Form a Task Force, or add ships to an existing one; detected ships make it detected.

    Raises:
        RuleViolation: The ships and the Task Force are not in the same place, a ship is not activated, or the id is
            another unit's.
    """
    rule = rule_of(game)
    ships = [own_of_arm(game, order.seat, one, ("naval",), rule) for one in order.ships]
    there = game.units.get(order.task_force)
    places = {ship.at for ship in ships} | ({there.at} if there and not there.fate else set())
    if len(places) > 1:
        raise refuse(game, "ships-apart", rule, places=tuple(sorted(places)))
    if idle := [ship.id for ship in ships if not ship.get("activated")]:
        raise refuse(game, "ships-not-activated", rule, ships=idle)
    if there and not there.fate and arm(own_unit(game, order.seat, there.id, rule)) != "task-force":
        raise refuse(game, "task-force-exists", rule, unit=there.id)
    if there and there.fate and (arm(there), there.side) != ("task-force", game.side_of(order.seat)):
        raise refuse(game, "task-force-id-used", rule, unit=there.id, fate=there.fate)
    return list(task_forces.join(game, ships, order.task_force, rule))
