"""Define the attributes of units, the accounts, and small queries that all chapters of Pacific War use.

    arm           naval, air, ground, headquarters, base, task-force, patrol, submarine-command, resource, link
    activation    Activation Points of the unit
    activated     the unit takes part in the operation
    hits          hits on a ship or base
    crippled      the ship's hits have reached `cripples`; it sinks at `sinks`
    steps         steps of an air or ground unit
    full_steps    the most steps that the unit may have
    broken, isolated, status, linked, interdicted: as the counters show them
    task_force    the Task Force with which a ship sails
    detected      the Task Force, or the ship that sails alone, is detected
    aboard        the ship that carries an air or ground unit
    repaired      month of the ship's last repair
    rallied       battle cycle of the unit's last attempt to rally
    used          operation, battle cycle and step of its last combat or flight; for submarines the phase
    searched      operation, battle cycle and phase of the last failed search for it; in 5.1.R also month and day
    came          month and phase in which it entered the map
    moved_in      month of its last Strategic Transport
    vacated       the place that it left empty by Strategic Transport
    gone          places that it moved in the reaction's contact phase of this operation
    covered       Activation Points that it used while it was hidden
    covered_in    the operation of `covered`
    went          places that it moved in a phase
    went_in       operation, battle cycle and phase of `went`
    arrives       month in which it may enter; until then it waits at `TO_COME`

Accounts of Command Points: `points/SIDE` (General Record Track), `points/HQ`, `pool/SIDE` (Future Operation Pool).

Accounts of an operation: `spent/SIDE` (Command Points), `activation/SIDE` (Activation Points),
`activation-hidden/SIDE` (part of them, for units that are hidden now), `activation-hidden-paid/SIDE` (part of them,
paid for hidden units at any time), `damage/SIDE` (damage inflicted).

Other accounts: `initiative/SIDE`, `osb/SIDE`, `steps/SIDE/ARM`, `submarines/SIDE`, `submarines/COMMAND`,
`anti-shipping`, `merchant`, `escorts`, `escorting`, `homeland`, `bombing`.
"""

from umpire_ledger.domain.titles.pacific_war.refusals import REFUSALS
from umpire_ledger.kit import (
    ChoiceMade,
    Game,
    Result,
    Unit,
    UnitRemoved,
    Value,
    after,
    changed,
    choice_key,
    look_up,
    marked,
    names_in,
    refusing,
    removed,
    step_open,
    unit_of,
)

NAME = "Pacific War"
refuse = refusing(NAME, REFUSALS)

JAPAN, ALLIES = "japan", "allies"
TO_COME = "to-come"
COMBAT_ARMS = ("naval", "air", "ground")
Row = str | dict[str, Value]


def phase_of(game: Game) -> str:
    """Return the printed phase of the first open step, for orders that several phases share: `5.1.R` for 5.1.R/move."""
    return step_open(game)[:5]


def label_of(game: Game) -> str:
    """Return the step for records of generic orders: of parallel steps, submarine combat or else the search."""
    steps = [one.step for one in game.cursor.open]
    beside = (step for part in ("/submarines", "/search") for step in steps if step.endswith(part))
    return next(beside, step_open(game))


def this_cycle(game: Game) -> str:
    """Return the battle cycle as attributes record it: `2.1` is the first cycle of the second operation."""
    return f"{game.number('operation')}.{game.number('cycle')}"


def this_use(game: Game) -> str:
    """Return the battle cycle and step as the attribute `used` records them: `2.1.5.2.F`."""
    return f"{this_cycle(game)}.{step_open(game)}"


def this_phase(game: Game) -> str:
    """Return the phase as attributes record it: `2.1.5.2.C`; for 5.1.I, which is played once a month, `m3.5.1.I`."""
    return f"m{game.number('month')}.5.1.I" if phase_of(game) == "5.1.I" else f"{this_cycle(game)}.{phase_of(game)}"


def enemy_of(side: str) -> str:
    return ALLIES if side == JAPAN else JAPAN


# --- units ------------------------------------------------------------------------------------------------------------


def arm(unit: Unit) -> str:
    return str(unit.get("arm", ""))


def of_arm(game: Game, *arms: str, side: str = "") -> tuple[Unit, ...]:
    """Return the units of these arms, sorted by id, without units still to come; if no side is named, of both sides."""
    return tuple(unit for unit in game.in_play(side) if arm(unit) in arms and unit.at != TO_COME)


def ashore(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the ground units that are not aboard a ship. Only these can fight, demolish and hold a hex."""
    return tuple(one for one in of_arm(game, "ground", side=side) if not one.get("aboard"))


def activated(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the combat units that are activated."""
    return tuple(unit for unit in of_arm(game, *COMBAT_ARMS, side=side) if unit.get("activated"))


def for_hidden(side: str) -> str:
    """Return the account of Activation Points paid for units that are hidden now; it is public, like Command Points."""
    return f"activation-hidden/{side}"


def hidden_paid(side: str) -> str:
    """Return the account of all Activation Points that a side has paid for hidden units in this operation."""
    return f"activation-hidden-paid/{side}"


def takes_part(game: Game, side: str = "") -> bool:
    """Return whether a side, or any side if none is named, has activated units.

    For hidden units, points paid for them count.
    """
    sides = (side,) if side else game.side_ids
    return any(activated(game, one) or has(game, for_hidden(one)) for one in sides)


def off_map(game: Game) -> tuple[str, ...]:
    """Return the boxes off the map: the holding boxes, and `TO_COME`."""
    return (TO_COME, *names_in(game, "holding_boxes"))


def own_unit(game: Game, seat: str, unit: str, rule: str) -> Unit:
    """Return a unit in play that belongs to the seat's side.

    Raises:
        RuleViolation: The unit is unknown, or belongs to the other side.
    """
    found = unit_of(game, unit, f"{NAME} {rule}")
    side = game.side_of(seat)
    if found.side != side:
        raise refuse(game, "unit-of-another-side", rule, unit=unit, side=game.side_name(found.side))
    return found


def own_of_arm(game: Game, seat: str, unit: str, arms: tuple[str, ...], rule: str) -> Unit:
    """Return a unit of the seat's side on the map that has one of these arms.

    Raises:
        RuleViolation: The unit is not such a unit.
    """
    found = own_unit(game, seat, unit, rule)
    if arm(found) not in arms or found.at == TO_COME:
        mine = ", ".join(one.id for one in of_arm(game, *arms, side=found.side)[:8]) or "you have none"
        raise refuse(game, "not-on-map", rule, unit=unit, arm=" or ".join(arms), units=mine)
    return found


def hostile_unit(game: Game, seat: str, unit: str, rule: str) -> Unit:
    """Return a unit in play that belongs to the enemy.

    Raises:
        RuleViolation: The unit is unknown, or belongs to the seat's side.
    """
    found = unit_of(game, unit, f"{NAME} {rule}")
    if found.side == game.side_of(seat):
        raise refuse(game, "own-unit", rule, unit=unit)
    return found


def enemies_at(game: Game, side: str, place: str) -> tuple[str, ...]:
    """Return the ids of the enemy's combat units and bases in a place."""
    return tuple(one.id for one in of_arm(game, *COMBAT_ARMS, "base", side=enemy_of(side)) if one.at == place)


def coming(game: Game) -> str:
    """Return the month and phase as the attribute `came` records them: `3.5.1.J`."""
    return f"{game.number('month')}.{phase_of(game)}"


def enemies_before(game: Game, side: str, place: str) -> tuple[str, ...]:
    """Return the ids of enemies that were in a place when the phase began, so that the order of moves has no effect."""
    there = tuple(one for one in enemies_at(game, side, place) if not _came_now(game, game.units[one]))
    left = (one for one in of_arm(game, *COMBAT_ARMS, side=enemy_of(side)) if one.get("vacated") == place)
    return (*there, *(one.id for one in left if phase_of(game) == "5.1.I" and _came_now(game, one)))


def is_vacated_by(game: Game, unit: Unit) -> bool:
    """Return whether a unit is alone in its place, now and when the phase began, among units and bases of its side."""
    return all(one == unit.id for one in enemies_before(game, enemy_of(unit.side), unit.at))


def _came_now(game: Game, unit: Unit) -> bool:
    transported = phase_of(game) == "5.1.I" and unit.get("moved_in") == game.number("month")
    return transported or unit.get("came") == coming(game)


def verify_on_map(game: Game, at: str, rule: str) -> None:
    """Refuse `TO_COME`, where units wait to enter, as a place on the map.

    Raises:
        RuleViolation: The place is `TO_COME`.
    """
    if at == TO_COME:
        raise refuse(game, "not-a-place", rule, place=TO_COME)


# --- events -----------------------------------------------------------------------------------------------------------


def unmarked(game: Game, *markers: str) -> list[Result]:
    """Clear markers."""
    return [event for marker in markers for event in marked(game, marker, None)]


ANSWERS = ("bid", "operational intelligence")
"""Questions with answers for one operation only: the bids, and the Condition."""


def withdrawn(game: Game, rule: str) -> list[Result]:
    """Withdraw the answers for an operation, so that no view lists them after its end."""
    given = (game.choices.get(choice_key(question, side)) for question in ANSWERS for side in game.side_ids)
    return [
        ChoiceMade(question=one.question, side=one.side, choice=None, rule=rule)
        for one in given
        if one is not None and (one.sealed or one.choice is not None)
    ]


def has(game: Game, account: str) -> int:
    """Return the balance of an account; 0 if there is none."""
    return game.accounts.get(account, 0)


def with_what_follows(game: Game, results: list[Result], rule: str) -> list[Result]:
    """Add the consequences of units that leave play: units aboard are lost, Task Forces without ships are dissolved.

    Removals of activated units come last, because the last of them ends the operation and no event may follow.
    """
    gone = [one.unit for one in results if isinstance(one, UnitRemoved)]
    then = after(game, results)
    every = [*results, *(event for one in gone for event in _left_behind(then, then.units[one], rule))]
    return sorted(every, key=lambda event: _how_late(game, event))


def _left_behind(game: Game, gone: Unit, rule: str) -> list[Result]:
    cause = f"{gone.id} is {gone.fate}"
    aboard = (one for one in of_arm(game, "air", "ground") if one.get("aboard") == gone.id)
    results = [event for one in aboard for event in removed(one, "lost", cause, rule)]
    ships = of_arm(game, "naval", side=gone.side)
    for ship in (one for one in ships if one.get("task_force") == gone.id):
        results += changed(ship, "task_force", "", cause, rule)
        results += changed(ship, "detected", True, cause, rule) if gone.get("detected") else []
    force = game.units.get(str(gone.get("task_force")))
    if force and not force.fate and not any(ship.get("task_force") == force.id for ship in ships):
        results += removed(force, "dissolved", cause, rule)
    return results


def _how_late(game: Game, event: Result) -> int:
    if not isinstance(event, UnitRemoved):
        return 0
    return 2 if game.units[event.unit].get("activated") else 1


# --- dice and tables --------------------------------------------------------------------------------------------------


def entry(row: Row, name: str) -> int:
    """Return a number from a table row; 0 if the row lacks it."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, int) else 0


def of_month(game: Game, table: str) -> Row:
    """Return the row of the current month in a table with a row for each month; an empty row if there is none."""
    rows = game.tables.get(table, {}).get("rows", {})
    return look_up(game, table, game.number("month"))[1] if str(game.number("month")) in rows else {}
