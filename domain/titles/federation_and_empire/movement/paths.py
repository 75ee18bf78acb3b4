"""Check paths of units that move together: hex by hex, and within the scenario's limits of length and end.

Rules that we do not have set a unit's range; the path is recorded hex by hex.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    GCE,
    OFF_MAP,
    RIDERS,
    empire_of,
    has,
    hex_in_hand,
    is_base,
    is_ship,
    living,
    refuse,
    rule_of,
    this_turn,
    travelled,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex, longest_stride
from umpire_ledger.kit import Game, PlaceOrNone, Reason, Result, Unit, listed, names_in, step_open

Place = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*)$")]
Path = Annotated[tuple[Place, ...], msgspec.Meta(min_length=1)]
ONCE = {"3A-6D": "moved", "3B2": "moved", "8A": "moved_strategically"}
"""Attribute that notes a move, by step in which a unit moves once in a player turn."""


def verify_together(game: Game, units: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Check that units can go together along a path.

    Raises:
        RuleViolation: The units are in different places; a unit is a base or not on the map; the path has a gap, or
            leads nowhere; a leader goes without their ship; or docks or ground combat elements have no carrier
            [reading, 509.1-F].
    """
    places = {unit.at for unit in units}
    boxed = next((place for place in (*sorted(places), *path) if not is_hex(place) and place != OFF_MAP), "")
    if boxed:
        raise refuse(game, "off-map-unit", place=boxed)
    if len(places) > 1:
        raise refuse(game, "units-in-several-places", places=" and ".join(sorted(places)))
    if (base := next(filter(is_base, units), None)) is not None:
        raise refuse(game, "base-does-not-move", base=base.id)
    away = next((unit for unit in units if unit.at == OFF_MAP and (has(unit, "repair") or has(unit, "decoy"))), None)
    if away is not None:
        deployed = Reason("repair-unit", "it is deployed in step 7B")
        comes = deployed if has(away, "repair") else Reason("decoy", "it moves with its ship")
        raise refuse(game, "stays-off-map", "422.3" if has(away, "repair") else "", unit=away.id, why=comes)
    ids = {unit.id for unit in units}
    alone = next((unit for unit in units if _is_alone(game, unit, ids)), None)
    if alone is not None:
        raise refuse(game, "leader-moves-with-ship", leader=alone.id)
    whole = path if path[0] in places else (*places, *path)
    if len(whole) < 2:
        raise refuse(game, "at-destination", place=path[0])
    if longest_stride(whole) > 1 and not _by_network(game, units):
        gap = next(f"{a} to {b}" for a, b in pairwise(whole) if longest_stride((a, b)) > 1)
        raise refuse(game, "path-gap", gap=gap)
    _verify_carried(game, units)


TOWED = {"3B2": "509.1", "5-1C": "302.12", "5-7D": "509.1-F", "5-8L": "302.72", "8A": "509.1"}
"""The rule by which docks and ground combat elements go with others, by step."""


def _verify_carried(game: Game, units: tuple[Unit, ...]) -> None:
    """Check that units that cannot move alone have enough carriers among the units that go.

    Raises:
        RuleViolation: There are more FRDs than transports with mission F, or more GCEs than ships.
    """
    docks = sum(has(unit, "frd") for unit in units)
    tugs = sum(unit.get("mission") == "F" and is_ship(unit) for unit in units)
    number = TOWED.get(step_open(game), "")
    if docks > tugs:
        raise refuse(game, "too-few-transports", number, docks=docks, transports=tugs)
    elements = [unit.id for unit in units if unit.kind == GCE]
    if len(elements) > sum(map(is_ship, units)):
        raise refuse(game, "element-moves-with-ship", number, element=elements[-1])


def _by_network(game: Game, units: tuple[Unit, ...]) -> bool:
    """Check whether the units go from node to node of a network that the scenario names (8A)."""
    return step_open(game) == "8A" and all(names_in(game, f"nodes of {empire_of(unit)}") for unit in units)


def _is_alone(game: Game, unit: Unit, ids: set[str]) -> bool:
    """Check whether a leader or team is named without its ship; one whose ship is lost may still leave a battle."""
    if RIDERS.isdisjoint(unit.names("traits")):
        return False
    carrier = game.units.get(str(unit.get("aboard") or ""))
    with_him = carrier is not None and not carrier.fate and (carrier.side, carrier.at) == (unit.side, unit.at)
    return carrier.id not in ids if carrier is not None and with_him else not hex_in_hand(game)


def go(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], cause: str) -> list[Result]:
    """Check a path and return the events that move all units along it."""
    verify_together(game, units, path)
    return travelled(game, units, path, cause, rule_of(game))


def verify_speed(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], number: str = "") -> None:
    """Check a path against the `speed` of each unit, if the scenario sets one.

    Raises:
        RuleViolation: The path is longer than a unit's speed.
    """
    for unit in units:
        speed, way = unit.get("speed"), len(path) - (path[0] == unit.at)
        if isinstance(speed, int) and way > speed:
            raise refuse(game, "path-too-long", number, unit=unit.id, limit=speed, given=way)


def verify_network(game: Game, units: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Check a strategic move against the scenario's network and number of moves, if it has them.

    Raises:
        RuleViolation: A hex is not an SMN of the empire, or the empire has fewer moves.
    """
    for empire in dict.fromkeys(map(empire_of, units)):
        nodes, most = names_in(game, f"nodes of {empire}"), game.markers.get(f"strategic moves of {empire}")
        off = next((place for place in (units[0].at, *path) if nodes and place not in nodes), "")
        if off:
            raise refuse(game, "not-a-node", "204.2", hex=off, empire=empire, nodes=listed(nodes))
        before = [one for one in living(game) if one.get("moved_strategically") == this_turn(game)]
        moves = sum(empire_of(one) == empire for one in (*before, *units))
        if isinstance(most, int) and moves > most:
            raise refuse(game, "too-many-strategic-moves", "204.2", given=moves, empire=empire, limit=most)


def verify_supply_point(game: Game, units: Iterable[Unit], end: str, number: str) -> None:
    """Check that units return to a supply point of their empire, if the scenario names any.

    Raises:
        RuleViolation: The path ends at none of them.
    """
    for empire in dict.fromkeys(map(empire_of, units)):
        points = names_in(game, f"supply points of {empire}")
        if points and end not in points:
            raise refuse(game, "not-a-supply-point", number, place=end, empire=empire, places=listed(points))
