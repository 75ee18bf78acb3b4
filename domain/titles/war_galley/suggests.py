"""Suggest orders of each type, for lists of possible actions and for random play. `decide` may still refuse them."""

from collections.abc import Iterator

from umpire_ledger.domain.titles.war_galley import contact, movement, status
from umpire_ledger.domain.titles.war_galley.activation import (
    ActivateBoth,
    CrewTest,
    active_ships,
    partners_of_admiral,
    why_not_both,
)
from umpire_ledger.domain.titles.war_galley.boarding import Board, manpower_left, targets_of
from umpire_ledger.domain.titles.war_galley.fatigue import Tire
from umpire_ledger.domain.titles.war_galley.hexes import DIRECTIONS, distance, neighbour, neighbours
from umpire_ledger.domain.titles.war_galley.initiative import NameFirst, RollInitiative
from umpire_ledger.domain.titles.war_galley.levels import SetLevels, squadron_in_hand, why_cruise_only
from umpire_ledger.domain.titles.war_galley.ships import afloat, enemy_of
from umpire_ledger.domain.titles.war_galley.squadrons import Join, open_to, unassigned
from umpire_ledger.domain.titles.war_galley.wind import RollWind
from umpire_ledger.domain.titles.war_galley.withdrawal import FleetTest
from umpire_ledger.kit import Game, Order, Roll, Unit


def roll_wind(_: Game, side: str) -> Iterator[Order]:
    """Yield the wind roll of step A."""
    yield RollWind(seat=side)


def join(game: Game, side: str) -> Iterator[Order]:
    """Yield an order for every squadron that an undecided ship may join."""
    for ship in unassigned(game, side):
        for squadron in open_to(game, ship):
            yield Join(seat=side, ship=ship.id, squadron=squadron)


def roll_initiative(_: Game, side: str) -> Iterator[Order]:
    """Yield the side's own roll."""
    yield RollInitiative(seat=side)


def name_first(game: Game, side: str) -> Iterator[Order]:
    """Yield an order to name each side."""
    for one in game.side_ids:
        yield NameFirst(seat=side, side=one)


def set_levels(game: Game, side: str) -> Iterator[Order]:
    """Yield all ships at cruise, all that can at maximum, and only the first ship at maximum."""
    ships = squadron_in_hand(game, side)
    slow = tuple(ship.id for ship in ships if why_cruise_only(ship))
    yield SetLevels(seat=side, level="cruise")
    yield SetLevels(seat=side, level="maximum", but=slow)
    if len(ships) > 1:
        yield SetLevels(seat=side, level="cruise", but=(ships[0].id,))


def activate_both(game: Game, side: str) -> Iterator[Order]:
    """Return an attempt with each squadron that may act with the Admiral's own."""
    possible = () if why_not_both(game, side) else partners_of_admiral(game, side)
    return (ActivateBoth(seat=side, squadron=one) for one in possible)


def crew_test(_: Game, side: str) -> Iterator[Order]:
    """Yield the crew test of the active ship."""
    yield CrewTest(seat=side)


def move_ship(game: Game, side: str) -> Iterator[Order]:
    """Yield moves of each waiting ship: towards the nearest enemy, and one hex and all its hexes in each direction."""
    for ship in movement.waits_to_move(game):
        most = movement.allowance(game, ship)
        for path in dict.fromkeys((_approach(game, ship, most), *_straight(ship, most))):
            if path:
                yield movement.MoveShip(seat=side, ship=ship.id, path=path)


def _approach(game: Game, ship: Unit, most: int) -> tuple[str, ...]:
    """Return the path towards the nearest enemy, at most up to a hex next to it."""
    foes = afloat(game, enemy_of(game, ship.side))
    goal = min(foes, key=lambda foe: distance(foe.at, ship.at), default=ship).at
    path: list[str] = []
    at = ship.at
    while len(path) < most and distance(at, goal) > 1:
        at = min(neighbours(at), key=lambda one: distance(one, goal))
        path.append(at)
    return tuple(path)


def _straight(ship: Unit, most: int) -> Iterator[tuple[str, ...]]:
    for way in DIRECTIONS:
        path: list[str] = []
        at = ship.at
        while len(path) < most and (at := neighbour(at, way)):
            path.append(at)
        yield tuple(path[:1])
        yield tuple(path)


def stay(game: Game, side: str) -> Iterator[Order]:
    """Yield an order that all waiting ships stay, then that one of them stays."""
    ships = movement.waits_to_move(game)
    if ships:
        yield movement.Stay(seat=side)
        yield movement.Stay(seat=side, ships=(ships[0].id,))


def set_sails(game: Game, side: str) -> Iterator[Order]:
    """Yield an order to raise or lower the sails of each waiting galley."""
    for ship in movement.waits_to_move(game):
        if not ship.get("natural_sails"):
            yield movement.SetSails(seat=side, ship=ship.id, to="down" if ship.get("sails_up") else "up")


def _contacts(game: Game, side: str) -> Iterator[tuple[str, str]]:
    """Return the ids of each active ship and of each enemy next to it, in pairs."""
    foes = afloat(game, enemy_of(game, side))
    return ((ship.id, foe.id) for ship in active_ships(game) for foe in foes if distance(ship.at, foe.at) <= 1)


def ram(game: Game, side: str) -> Iterator[Order]:
    """Return a ram of every enemy next to an active ship."""
    return (contact.Ram(seat=side, ship=ship, target=foe) for ship, foe in _contacts(game, side))


def grapple(game: Game, side: str) -> Iterator[Order]:
    """Return a grapple of every enemy next to an active ship."""
    return (contact.Grapple(seat=side, ship=ship, target=foe) for ship, foe in _contacts(game, side))


def foul(game: Game, side: str) -> Iterator[Order]:
    """Return a fouling of every enemy next to an active ship."""
    return (contact.Foul(seat=side, ship=ship, target=foe) for ship, foe in _contacts(game, side))


def set_fire(game: Game, side: str) -> Iterator[Order]:
    """Return an order to set fire to every enemy next to an active ship."""
    return (contact.SetFire(seat=side, ship=ship, target=foe) for ship, foe in _contacts(game, side))


def hit(game: Game, side: str) -> Iterator[Order]:
    """Yield a loss of manpower and of crew for every enemy next to an active ship."""
    for _, foe in _contacts(game, side):
        yield contact.Hit(seat=side, ship=foe, loses="manpower")
        yield contact.Hit(seat=side, ship=foe, loses="crew")


def cast_off(game: Game, side: str) -> Iterator[Order]:
    """Yield an order to end each grapple of an active ship."""
    for ship in active_ships(game):
        for other in ship.names("grappled"):
            yield contact.CastOff(seat=side, ship=ship.id, target=other)


def run_aground(game: Game, side: str) -> Iterator[Order]:
    """Return a grounding of every active ship."""
    return (contact.RunAground(seat=side, ship=ship.id) for ship in active_ships(game))


def roll(_: Game, side: str) -> Iterator[Order]:
    """Yield a roll of two dice for a table that the summary does not print."""
    yield Roll(seat=side, dice="2d6", purpose="missiles")


def board(game: Game, side: str) -> Iterator[Order]:
    """Yield, for each grappled enemy, a boarding by all ships together and by each ship alone.

    A ship with several targets sends half of its manpower if it boards alone.
    """
    boarders: dict[str, list[Unit]] = {}
    for ship in active_ships(game):
        for target in targets_of(game, ship) if manpower_left(ship) else ():
            boarders.setdefault(target.id, []).append(ship)
    for foe, ships in boarders.items():
        yield Board(seat=side, ships=tuple(ship.id for ship in ships), target=foe)
        for ship in ships:
            part = manpower_left(ship) // 2 if len(targets_of(game, ship)) > 1 else manpower_left(ship)
            yield Board(seat=side, ships=(ship.id,), target=foe, send={ship.id: max(1, part)})


def tire(game: Game, side: str) -> Iterator[Order]:
    """Return an order to add one Fatigue counter to each active ship."""
    return (Tire(seat=side, ships=(ship.id,)) for ship in active_ships(game))


def disengage(game: Game, side: str) -> Iterator[Order]:
    """Return an attempt for each fouled ship that has not tried."""
    return (status.Disengage(seat=side, ship=ship.id) for ship in status.fouled(game, side))


def fight_fire(game: Game, side: str) -> Iterator[Order]:
    """Return an attempt for each burning ship that has not tried."""
    return (status.FightFire(seat=side, ship=ship.id) for ship in status.burning(game, side))


def check_spread(game: Game, side: str) -> Iterator[Order]:
    """Yield a roll for all exposed ships at once, then for each alone."""
    ships = status.exposed(game, side)
    if ships:
        yield status.CheckSpread(seat=side)
    yield from (status.CheckSpread(seat=side, ship=ship.id) for ship in ships)


def check_sinking(game: Game, side: str) -> Iterator[Order]:
    """Yield a roll for all rammed ships at once, then for each alone."""
    ships = status.sinking(game, side)
    if ships:
        yield status.CheckSinking(seat=side)
    yield from (status.CheckSinking(seat=side, ship=ship.id) for ship in ships)


def fleet_test(_: Game, side: str) -> Iterator[Order]:
    """Yield the test of a fleet without its Admiral."""
    yield FleetTest(seat=side)
