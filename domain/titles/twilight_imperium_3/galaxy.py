"""Read the map: systems, their planets and neighbours, the units in them, and the order of players at the table."""

from collections.abc import Mapping
from typing import Any

from umpire_ledger.domain.titles.twilight_imperium_3.units import active_systems, is_ship, refuse, unknown
from umpire_ledger.kit import Game, Unit, names_in, owner_by_id, word_in


def systems(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """Return the systems of the scenario: `planets` and `adjacent` of each."""
    found: Mapping[str, Mapping[str, Any]] = game.tables.get("systems", {})
    return found


def planets_in(game: Game, system: str) -> tuple[str, ...]:
    return tuple(systems(game).get(system, {}).get("planets", {}))


def active_planets(game: Game) -> tuple[str, ...]:
    """Return the planets of the systems that are activated now."""
    return tuple(planet for system in active_systems(game) for planet in planets_in(game, system))


def planet(game: Game, name: str) -> Mapping[str, Any]:
    """Return a planet's resources and influence; empty if there is no planet of this name."""
    found: Mapping[str, Any] = systems(game).get(system_of(game, name), {}).get("planets", {}).get(name, {})
    return found


def system_of(game: Game, place: str) -> str:
    """Return the system of a place, which may be the system itself; "" if the place is not on the map."""
    if place in systems(game):
        return place
    return next((system for system in systems(game) if place in planets_in(game, system)), "")


def adjacent(game: Game, system: str) -> tuple[str, ...]:
    return tuple(systems(game).get(system, {}).get("adjacent", ()))


def distance(game: Game, origin: str, goal: str) -> int:
    """Return the number of steps from one system to another, 0 for the same; 999 if they are not connected."""
    seen, edge, steps = {origin}, [origin], 0
    while edge:
        if goal in edge:
            return steps
        edge = [one for here in edge for one in adjacent(game, here) if one not in seen]
        seen.update(edge)
        steps += 1
    return 999


def verify_system(game: Game, system: str, rule: str) -> None:
    """Check that a system is on the map.

    Raises:
        UnknownName: The map has no such system.
    """
    if system not in systems(game):
        some = ", ".join(systems(game))
        raise unknown(game, "no-such-system", rule, system=system, systems=some)


def verify_planet(game: Game, name: str, rule: str) -> None:
    """Check that a planet is in an activated system.

    Raises:
        RuleViolation: The planet is elsewhere.
    """
    here = active_planets(game)
    if name not in here:
        raise refuse(game, "planet-not-in-system", rule, planet=name, planets=here)


# --- units and owners -------------------------------------------------------------------------------------------------


def owner(game: Game, word: str) -> str:
    """Return the owner of a side, unit or planet, by its id; "" for anything else."""
    return owner_by_id(game, word) or word_in(game, f"control/{word}")


def at_place(game: Game, place: str, side: str = "") -> tuple[Unit, ...]:
    """Return the units in one place, of a side or of all, by id."""
    found = (one for one in game.units.values() if one.at == place and not one.fate and side in ("", one.side))
    return tuple(sorted(found, key=lambda one: one.id))


def ships_in(game: Game, system: str, side: str = "") -> tuple[Unit, ...]:
    return tuple(unit for unit in at_place(game, system, side) if is_ship(game, unit))


def enemy_ships_in(game: Game, system: str, side: str) -> tuple[Unit, ...]:
    return tuple(ship for ship in ships_in(game, system) if ship.side != side)


def units_in(game: Game, system: str, side: str = "") -> tuple[Unit, ...]:
    """Return the units of a system, in space and on its planets."""
    return tuple(unit for place in (system, *planets_in(game, system)) for unit in at_place(game, place, side))


def enemies_at(game: Game, place: str, side: str) -> tuple[Unit, ...]:
    return tuple(unit for unit in at_place(game, place) if unit.side != side)


def controller(game: Game, name: str) -> str:
    """Return the side that owns a planet, or ""."""
    return word_in(game, f"control/{name}")


def is_activated_by(game: Game, system: str, side: str) -> bool:
    return side in names_in(game, f"activated/{system}")


def clockwise(game: Game, side: str) -> tuple[str, ...]:
    """Return the other players clockwise, from the left of a side; the scenario lists sides in table order."""
    at = game.side_ids.index(side) if side in game.side_ids else 0
    return game.side_ids[at + 1 :] + game.side_ids[:at]
