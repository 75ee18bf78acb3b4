"""Track searches for Task Forces and their detection, which passes on to ships that join or leave (24.0, 32.2).

A ship that sails alone counts as a Task Force: players search for it, detect it and turn it over in the same way. A
detected ship stays detected, whichever Task Force it sails with.
"""

from collections.abc import Iterable, Iterator

from umpire_ledger.domain.titles.pacific_war.pieces import arm, of_arm, phase_of, this_phase
from umpire_ledger.kit import Game, Result, Unit, UnitChanged, UnitPlaced, Value, changed, removed

SEARCHED_ONCE = "searched_once"
"""The option that allows only one search for a Task Force in a phase, or in a day of 5.1.R."""


JOINED = "joined by a detected ship"


def this_search(game: Game) -> str:
    """Return the phase, in 5.1.R with the day, as the attribute `searched` records it."""
    day = f".{game.number('month')}-{game.number('day')}" if phase_of(game) == "5.1.R" else ""
    return f"{this_phase(game)}{day}"


def is_searched(game: Game, force: Unit) -> bool:
    """Return whether a Task Force was searched for in vain in this phase, or on this day of 5.1.R."""
    return bool(game.options.get(SEARCHED_ONCE, True)) and force.get("searched") == this_search(game)


def force_of(game: Game, ship: Unit) -> Unit | None:
    """Return the Task Force that a ship sails with; None for a ship that sails alone."""
    force = game.units.get(str(ship.get("task_force") or ""))
    return force if force is not None and not force.fate else None


def is_one(game: Game, unit: Unit) -> bool:
    """Return whether a unit is a Task Force, or a ship that sails alone."""
    return arm(unit) == "task-force" or (arm(unit) == "naval" and force_of(game, unit) is None)


def every_force(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the Task Forces on the map, with ships that sail alone; if no side is named, those of both sides."""
    return tuple(one for one in of_arm(game, "task-force", "naval", side=side) if is_one(game, one))


def detected_forces(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the Task Forces, and ships that count as one, that are detected."""
    return tuple(one for one in every_force(game, side) if one.get("detected"))


def is_detected(game: Game, ship: Unit) -> bool:
    """Return whether a ship, or the Task Force that it sails with, is detected."""
    return bool((force_of(game, ship) or ship).get("detected"))


def join(game: Game, ships: Iterable[Unit], force: str, rule: str) -> Iterator[Result]:
    """Let ships join a Task Force, which is detected if one of them is; form the Task Force if it does not exist.

    A Task Force that they leave is dissolved if it has no other ship.
    """
    joining, there = list(ships), game.units.get(force)
    seen = any(is_detected(game, ship) for ship in joining)
    if there is None or there.fate:
        at, side = joining[0].at, joining[0].side
        attributes: dict[str, Value] = {"arm": "task-force", "detected": False}
        yield UnitPlaced(unit=force, side=side, kind="task-force", at=at, attributes=attributes, rule=rule)
    if seen and not (
        there and not there.fate and there.get("detected")
    ):  # a separate record: the ship's own detection ends
        yield UnitChanged(unit=force, attribute="detected", before=False, after=True, cause=JOINED, rule=rule)
    for ship in joining:
        yield from changed(ship, "task_force", force, rule=rule)
        yield from changed(ship, "detected", False, rule=rule) if ship.get("detected") else ()
    yield from _dissolved(game, joining, force, rule)


def leave(game: Game, ship: Unit, cause: str, rule: str) -> Iterator[Result]:
    """Take a ship out of its Task Force; it stays detected if the Task Force was."""
    if not ship.get("task_force"):
        return
    yield from changed(ship, "task_force", "", cause, rule)
    yield from changed(ship, "detected", True, cause, rule) if is_detected(game, ship) else ()
    yield from _dissolved(game, [ship], "", rule)


def _dissolved(game: Game, leaving: list[Unit], to: str, rule: str) -> Iterator[Result]:
    """Dissolve the Task Forces that have no ship left after these ships have left them."""
    gone = {ship.id for ship in leaving}
    left = {force.id: force for ship in leaving if (force := force_of(game, ship)) is not None and force.id != to}
    for force in left.values():
        rest = (ship for ship in of_arm(game, "naval", side=force.side) if ship.get("task_force") == force.id)
        if all(ship.id in gone for ship in rest):
            yield from removed(force, "dissolved", "its ships have left it", rule)
