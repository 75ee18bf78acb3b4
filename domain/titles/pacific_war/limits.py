"""Read the limits that a scenario sets for rules that chapter 5.0 names without a number.

These are distances of movement (23.0), days of an operation (20.2.5), effects of foul weather (6.0), sides that may
have a Future Operation Pool (10.4), and conditions for turning Task Forces over (32.2). The players apply limits that a
scenario leaves out; `umpire scenario --check` lists them.
"""

from collections.abc import Iterable, Iterator

from umpire_ledger.domain.titles.pacific_war import task_forces
from umpire_ledger.domain.titles.pacific_war.pieces import (
    arm,
    enemies_at,
    of_arm,
    phase_of,
    refuse,
    this_cycle,
    this_phase,
)
from umpire_ledger.kit import Game, Modifier, Reason, Result, Unit, changed, names_in

DAYS, POOLS, TURNED = "days_a_multiple", "future_pools", "undetected"
"""Markers: days that each Time multiple pays for, sides with a pool, conditions for turning a Task Force over."""
DISTANCE, FOUL, ZONE = "distance", "foul", "zone"
"""Prefixes of the markers for distances, effects of foul weather, and the places of a weather zone."""
AT_SEA = ("5.1.R",)
"""The phases in which the distance limit of ships is per day."""
LIMITED = ("5.1.R", "5.1.T", "5.2.C", "5.2.D", "5.2.K", "5.2.L")
"""The phases in which distances are limited."""


def number_at(game: Game, marker: str) -> int | None:
    """Return the number that a marker holds; None if the scenario sets none."""
    value = game.markers.get(marker)
    return value if type(value) is int else None


# --- foul weather -----------------------------------------------------------------------------------------------------


def foul_zone(game: Game, places: Iterable[str]) -> str:
    """Return a zone with foul weather that contains any of the places; "" if there is none."""
    wanted = set(places)
    zones = names_in(game, "weather_zones")
    foul = (zone for zone in zones if game.markers.get(f"weather/{zone}") == "foul")
    return next((zone for zone in foul if wanted & set(names_in(game, f"{ZONE}/{zone}"))), "")


def weather_for_search(game: Game, place: str) -> tuple[Modifier, ...]:
    """Return the modifier of foul weather for a search in a place; empty if there is none."""
    amount, zone = number_at(game, f"{FOUL}/search"), foul_zone(game, (place,))
    return (Modifier(amount=amount, source=f"foul weather in the zone {zone}"),) if amount and zone else ()


def verify_sky(game: Game, places: Iterable[str]) -> None:
    """Refuse an air mission from or to a place with foul weather, if the scenario forbids such missions.

    Raises:
        RuleViolation: The weather there is foul.
    """
    zone = foul_zone(game, places)
    if zone and game.markers.get(f"{FOUL}/missions") is False:
        raise refuse(game, "foul-weather", "5.1.A [6.0]", zone=zone)


# --- distances --------------------------------------------------------------------------------------------------------


def verify_distance(game: Game, unit: Unit, moving: Iterable[Unit], path: tuple[str, ...], rule: str) -> None:
    """Refuse a path that exceeds the scenario's distance limit, counting all moves of the unit in this phase.

    Raises:
        RuleViolation: The unit would move too far.
    """
    if phase_of(game) not in LIMITED:
        return
    gone = max((_went(game, one) for one in _counted(unit, moving)), default=0)
    for most, source in _limits(game, unit, path):
        if gone + len(path) > most:
            raise refuse(
                game,
                "too-far",
                rule,
                unit=unit.id,
                given=gone + len(path),
                source=source,
                limit=most,
                limit_2=max(0, most - gone),
            )


def _limits(game: Game, unit: Unit, path: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield every distance limit of a path, with its source in words."""
    is_naval = arm(unit) in ("naval", "task-force")
    a_day = is_naval and phase_of(game) in AT_SEA
    days = max(1, game.number("naval_movement")) if a_day else 1
    name = "naval_a_day" if a_day else "naval" if is_naval else arm(unit)
    distance = number_at(game, f"{DISTANCE}/{name}")
    if distance is not None:
        yield (
            distance * days,
            f"the distance limit for {'naval' if is_naval else arm(unit)} units" + _in_days(a_day, days),
        )
    most, zone = number_at(game, f"{FOUL}/places"), foul_zone(game, (unit.at, *path))
    if most is not None and zone:
        yield most * days, f"the distance limit in foul weather (zone {zone})" + _in_days(a_day, days)


def _in_days(a_day: bool, days: int) -> str:
    return f" in {days} {'day' if days == 1 else 'days'}" if a_day else ""


def _counted(unit: Unit, moving: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose distance counts: the ships of a Task Force, or the unit that moves."""
    if arm(unit) != "task-force":
        return (unit,)
    return tuple(one for one in moving if arm(one) == "naval")


def _went(game: Game, unit: Unit) -> int:
    return unit.number("went") if unit.get("went_in") == this_phase(game) else 0


def notes_of(game: Game, unit: Unit, moving: Iterable[Unit], places: int) -> list[Result]:
    """Record how far units have moved in this phase, if the scenario limits it."""
    is_limited = any(one.startswith((f"{DISTANCE}/", f"{FOUL}/places")) for one in game.markers)
    if not is_limited or phase_of(game) not in LIMITED:
        return []
    results: list[Result] = []
    for one in _counted(unit, moving):
        results += changed(one, "went", _went(game, one) + places)
        results += changed(one, "went_in", this_phase(game))
    return results


# --- time, pools, detection -------------------------------------------------------------------------------------------


def days_paid(game: Game) -> int | None:
    """Return the number of days at sea that Time multiples still pay for; None if the scenario sets no limit."""
    a_multiple = number_at(game, DAYS)
    if a_multiple is None:
        return None
    return max(0, a_multiple * max(1, game.number("time_multiple")) - game.number("naval_movement"))


def may_have_pool(game: Game, side: str) -> bool:
    """Return whether a side may have a Future Operation Pool: if the scenario names it, or names no side at all."""
    return POOLS not in game.markers or side in names_in(game, POOLS)


def why_not_turned(game: Game, force: Unit) -> Reason | None:
    """Return the reason why a detected Task Force cannot be turned over (32.2); None if it can."""
    asks = names_in(game, TURNED)
    if "apart" in asks and (foes := enemies_at(game, force.side, force.at)):
        return Reason("enemy-there", f"enemy units are in {force.at}: {', '.join(foes)}")
    if "in-port" in asks and not any(one.at == force.at for one in of_arm(game, "base", side=force.side)):
        return Reason("no-base", f"its side has no base in {force.at}")
    if "quiet" in asks and (fought := [one.id for one in _ships(game, force) if _attacked(game, one)]):
        return Reason("attacked", f"{', '.join(fought)} attacked in this battle cycle")
    return None


def _ships(game: Game, force: Unit) -> tuple[Unit, ...]:
    sails_with = (one for one in of_arm(game, "naval", side=force.side) if one.get("task_force") == force.id)
    return (force, *sails_with)


def _attacked(game: Game, ship: Unit) -> bool:
    return str(ship.get("used") or "").startswith(f"{this_cycle(game)}.")


def may_turn(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the detected Task Forces of a side that may be turned over."""
    return tuple(one for one in task_forces.detected_forces(game, side) if not why_not_turned(game, one))
