"""Move ships into the activated system, with the units that cannot move alone (TA.2 and TR.2).

"Unactivated" means without the mover's own counter, and "enemy territory" means a system with enemy ships. In a
transfer, this action itself activates the two systems, so ships can still move between them.

The option `fleet_limit` selects a reading. With "moved", the printed sentence, the limit counts ships that moved in
during this activation, Fighters too. With "system", as in the full game, it counts all ships in the system, but
Fighters only beyond carrying capacity.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    adjacent,
    at_place,
    enemy_ships_in,
    is_activated_by,
    ships_in,
    system_of,
    verify_system,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    ids,
    is_afloat,
    is_ship,
    label,
    own_units,
    refuse,
    value,
    what_of,
)
from umpire_ledger.kit import Dice, Game, Order, PlaceName, Result, Unit, UnitName, after, changed, moved


class MoveShips(Order, frozen=True, kw_only=True, tag="move-ships"):
    """Move ships and what they carry along systems, from the ships' system to the activated system.

    Passengers may join at any system on the way, from space or from a planet.
    """

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]
    path: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=2)]


def decide_move_ships(game: Game, order: MoveShips, _: Dice) -> list[Result]:
    """Move one group of ships along one path.

    Raises:
        RuleViolation: The path does not end in the activated system, starts in an activated one, passes enemy ships or
            is too long; there are too many passengers; troops would stay in space without a ship; or the Fleet area
            allows fewer ships.
    """
    side, rule = game.side_of(order.seat), label(game)
    units = own_units(game, side, order.units, rule)
    _verify_path(game, side, order.path, rule)
    for unit in units:
        _verify_mover(game, unit, order.path, rule)
    _verify_capacity(game, units, order.path, rule)
    results = [event for unit in units for event in _moved(game, unit, order.path, rule)]
    then = after(game, results)
    _verify_nobody_is_left(then, side, order.path[0], rule)
    _verify_fleet(then, side, order.path[-1], rule)
    return results


def can_move(game: Game, side: str) -> bool:
    """Return whether a ship of a side reaches an activated system, and the side has a counter in its Fleet area."""
    if fleet_limit(game, side) < 1:
        return False
    return any(_reaches(game, unit) for unit in game.in_play(side) if moves_itself(game, unit))


def _reaches(game: Game, ship: Unit) -> bool:
    """Return whether a ship reaches the activated system; in a transfer, the other one of the two."""
    goals = set(active_systems(game))
    if len(goals) > 1:
        return ship.at in goals
    if is_activated_by(game, ship.at, ship.side):
        return False
    edge, seen = {ship.at}, {ship.at}
    for _ in range(value(game, ship, "move")):
        edge = {there for here in edge for there in adjacent(game, here)} - seen
        if edge & goals:
            return True
        seen |= edge
        edge = {here for here in edge if not enemy_ships_in(game, here, ship.side)}
    return False


def _has_moved(game: Game, unit: Unit) -> bool:
    return unit.get("arrived") == activation(game)


def _verify_path(game: Game, side: str, path: tuple[str, ...], rule: str) -> None:
    for system in path:
        verify_system(game, system, rule)
    goals = active_systems(game)
    if path[-1] not in goals:
        raise refuse(game, "system-not-activated", rule, system=path[-1], systems=" or ".join(goals))
    for here, there in pairwise(path):
        if there not in adjacent(game, here):
            near = ", ".join(adjacent(game, here))
            raise refuse(game, "not-adjacent", rule, system=there, from_system=here, systems=near)
    if rule == "TR.2" and (len(path) > 2 or path[0] not in goals):
        raise refuse(game, "outside-transfer", rule, systems=" to ".join(goals))
    if rule != "TR.2" and is_activated_by(game, path[0], side):
        raise refuse(game, "ships-held-by-counter", rule, system=path[0], side=game.side_name(side))
    for system in path[1:-1]:
        if enemies := enemy_ships_in(game, system, side):
            raise refuse(game, "way-blocked", rule, system=system, enemies=ids(enemies))


def moves_itself(game: Game, unit: Unit) -> bool:
    """Return whether a unit is a ship that can move alone; a Fighter can if it has a movement value."""
    return is_ship(game, unit) and value(game, unit, "move") > 0


def _verify_mover(game: Game, unit: Unit, path: tuple[str, ...], rule: str) -> None:
    if what_of(game, unit) in ("dock", ""):
        raise refuse(game, "cannot-move", rule, unit=unit.id)
    if rule == "TR.2" and _has_moved(game, unit):
        raise refuse(game, "moved-in-transfer", rule, unit=unit.id)
    if not moves_itself(game, unit):
        return
    if unit.at != path[0]:
        raise refuse(game, "unit-elsewhere", rule, unit=unit.id, system=path[0], at=unit.at)
    far = value(game, unit, "move")
    if len(path) - 1 > far:
        raise refuse(game, "too-far", rule, unit=unit.id, limit=far, given=len(path) - 1)


def _verify_capacity(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], rule: str) -> None:
    """Check that passengers are on the path, in no system activated earlier, and that the ships have room for all."""
    passengers = [unit for unit in units if not moves_itself(game, unit)]
    for unit in passengers:
        boards = system_of(game, unit.at)
        if boards not in path[:-1]:
            raise refuse(game, "not-on-the-way", rule, unit=unit.id)
        if rule != "TR.2" and is_activated_by(game, boards, unit.side):
            raise refuse(game, "unit-in-activated-system", rule, unit=unit.id, system=boards)
    room = sum(value(game, unit, "capacity") for unit in units if moves_itself(game, unit))
    if len(passengers) > room:
        raise refuse(game, "too-many-passengers", rule, given=len(passengers), limit=room)


def _verify_nobody_is_left(game: Game, side: str, system: str, rule: str) -> None:
    """Check that no unit that needs a ship stays in space without one."""
    left = [unit for unit in at_place(game, system, side) if not is_ship(game, unit)]
    if left and not ships_in(game, system, side):
        raise refuse(game, "left-in-space", rule, units=ids(left))


def _moved(game: Game, unit: Unit, path: tuple[str, ...], rule: str) -> list[Result]:
    boards = path.index(system_of(game, unit.at))
    cause = "moves" if moves_itself(game, unit) else "carried"
    return [
        *moved(unit, path[boards:], cause, rule),
        *changed(unit, "arrived", activation(game), cause, rule),
    ]


# --- fleet limit ------------------------------------------------------------------------------------------------------


def fleet_limit(game: Game, side: str) -> int:
    """Return the number of command counters in the Fleet area."""
    return game.accounts.get(f"fleet/{side}", 0)


def counted(game: Game, ships: Iterable[Unit]) -> int:
    """Return the number of ships that count against the fleet limit, as the option `fleet_limit` says."""
    every = tuple(ships)
    if game.options.get("fleet_limit") == "moved":
        return len(every)
    large = [ship for ship in every if is_afloat(game, ship)]
    room = sum(value(game, ship, "capacity") for ship in large)
    return len(large) + max(0, len(every) - len(large) - room)


def _against_the_limit(game: Game, side: str, system: str) -> tuple[Unit, ...]:
    """Return a side's ships in a system that the limit counts: those that moved in this activation, or all."""
    ships = ships_in(game, system, side)
    if game.options.get("fleet_limit") == "moved":
        return tuple(ship for ship in ships if _has_moved(game, ship))
    return ships


def _verify_fleet(game: Game, side: str, system: str, rule: str) -> None:
    number, most = counted(game, _against_the_limit(game, side, system)), fleet_limit(game, side)
    if number > most:
        how = "would have moved into" if game.options.get("fleet_limit") == "moved" else "would be in"
        raise refuse(
            game, "fleet-too-large", rule, given=number, how=how, system=system, limit=most, excess=number - most
        )


def has_arrived(game: Game, side: str) -> bool:
    """Return whether a ship of the side has moved during this activation, even if it has been lost since."""
    ships = (unit for unit in game.units.values() if unit.side == side and is_ship(game, unit))
    return any(ship.get("arrived") == activation(game) for ship in ships)
