"""Movement: operational with reactions beside it, reserves, retrograde, strategic; marking reserves.

How far a unit may go is in rules that we do not have; the path is recorded hex by hex. What the printed sequence itself
says is carried out: tactical retrograde within three hexes, one leader in 8A.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import ours
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    OFF_MAP,
    RIDERS,
    Units,
    at_hex,
    empire_of,
    has,
    is_base,
    living,
    named_once,
    need_trait,
    own_units,
    phasing,
    printed,
    refuse,
    rule_of,
    this_turn,
    travelled,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import is_hex, longest_stride
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceOrNone,
    Result,
    Unit,
    UnitOrNone,
    changed,
    listed,
    names_in,
    number_of,
    replace,
    step_open,
    unit_of,
)

Place = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*)$")]
Path = Annotated[tuple[Place, ...], msgspec.Meta(min_length=1)]
CAUSES = {"8A": "Strategic Movement", "3A-2G": "retreat", "3A-4G": "retreat", "3A-4N": "retreat", "3A-6B": "withdrawal"}


class MoveUnits(Order, frozen=True, kw_only=True, tag="move-units"):
    """Units that stand together go along one path, hex by hex."""

    units: Units
    path: Path


class React(Order, frozen=True, kw_only=True, tag="react"):
    """Units react along a path to an enemy's movement."""

    units: Units
    path: Path
    to: UnitOrNone = ""


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


class Dissolve(Order, frozen=True, kw_only=True, tag="dissolve"):
    """A group is a group no longer."""

    group: Name


# --- paths ------------------------------------------------------------------------------------------------------------


def verify_together(game: Game, units: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Raises RuleViolation: units in different places; a base; not on the map; a path with a gap; nowhere to go."""
    places = {unit.at for unit in units}
    boxed = next((place for place in (*sorted(places), *path) if not is_hex(place) and place != OFF_MAP), "")
    if boxed:
        raise refuse(game, f"{boxed} is no hex of the map", "name units on the map, and the hexes they go to")
    if len(places) > 1:
        raise refuse(
            game, f"the units stand at {' and '.join(sorted(places))}", "move each place's units by themselves"
        )
    if (base := next(filter(is_base, units), None)) is not None:
        raise refuse(game, f"{base.id} is a base and does not move", "leave it out")
    away = next((unit for unit in units if unit.at == OFF_MAP and (has(unit, "repair") or has(unit, "decoy"))), None)
    if away is not None:
        comes = "it is deployed in step 7B" if has(away, "repair") else "it goes where its ship goes"
        raise refuse(
            game, f"{away.id} is off the map", f"leave it out: {comes}", "422.3" if has(away, "repair") else ""
        )
    ids = {unit.id for unit in units}
    alone = next((unit for unit in units if _is_alone(game, unit, ids)), None)
    if alone is not None:
        raise refuse(game, f"{alone.id} goes with a ship, not by himself", "move the ship, or `transfer-leader`")
    whole = path if path[0] in places else (*places, *path)
    if len(whole) < 2:
        raise refuse(game, f"they are at {path[0]} already", "name the hexes they go to")
    if longest_stride(whole) > 1 and not _by_network(game, units):
        gap = next(f"{a} to {b}" for a, b in pairwise(whole) if longest_stride((a, b)) > 1)
        raise refuse(game, f"the path has a gap: {gap}", "name every hex on the way")


def _by_network(game: Game, units: tuple[Unit, ...]) -> bool:
    """Whether they go from node to node of a network that the scenario names (8A)."""
    return step_open(game) == "8A" and all(names_in(game, f"nodes of {empire_of(unit)}") for unit in units)


def _is_alone(game: Game, unit: Unit, ids: set[str]) -> bool:
    """Whether a leader or team is named without its ship; one whose ship is lost may still leave a battle."""
    if RIDERS.isdisjoint(unit.names("traits")):
        return False
    carrier = game.units.get(str(unit.get("aboard") or ""))
    with_him = carrier is not None and not carrier.fate and (carrier.side, carrier.at) == (unit.side, unit.at)
    return carrier.id not in ids if carrier is not None and with_him else step_open(game) in ONCE


def go(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], cause: str) -> list[Result]:
    """All of them along the path, checked."""
    verify_together(game, units, path)
    return travelled(game, units, path, cause, rule_of(game))


def decide_move_units(game: Game, order: MoveUnits, _: Dice) -> list[Result]:
    """Raises RuleViolation: `verify_together`; mothballed; not one of those who move in this step."""
    units, step = own_units(game, order, order.units), step_open(game)
    for unit in units:
        if unit.get("mothballed") is True:
            raise refuse(game, f"{unit.id} is mothballed", "activate it in step 2B1")
        _verify_may_move(game, unit, step)
    if step == "3A-6D" and order.path[-1] not in new_stations(game):
        what = f"no station was emplaced at {order.path[-1]} in this turn"
        raise refuse(game, what, f"go to one of: {', '.join(new_stations(game)) or 'none'}", "544.3")
    if step == "3B2":
        _verify_speed(game, units, order.path)
    if step == "8A":
        _verify_network(game, units, order.path)
    noted = [event for unit in units for event in _noted(game, unit, step)]
    return [*go(game, units, order.path, CAUSES.get(step, "operational movement")), *noted]


ONCE = {"3A-6D": "moved", "3B2": "moved", "8A": "moved_strategically"}
"""What is noted on a unit that has moved, by step: it moves there once in a player turn."""


def _verify_may_move(game: Game, unit: Unit, step: str) -> None:
    """Raises RuleViolation: not beaten off where only those retreat; not at a new station; it raided; reconfigured."""
    if step in ("3A-2G", "3A-4G", "3A-4N") and unit.get("outcome") != "retreats":
        raise refuse(game, f"{unit.id} is not forced to retreat", "name a unit that is", "314.244")
    if step == "3A-6B" and unit.at not in new_stations(game):
        what = f"no station was emplaced at {unit.at}"
        raise refuse(game, what, f"withdraw from {', '.join(new_stations(game)) or 'nowhere'}", "544.231")
    if step == "3B2" and unit.get("raided") == game.turn:
        raise refuse(game, f"{unit.id} has raided in this turn", "leave it out")
    if step == "3B2" and unit.get("reconfigured") == this_turn(game):
        number = "525.222" if has(unit, "hdw") else "433.432"
        raise refuse(game, f"{unit.id} was reconfigured: it has given up its movement", "leave it out", number)


def _verify_speed(game: Game, units: tuple[Unit, ...], path: tuple[str, ...], number: str = "") -> None:
    """Raises RuleViolation for a path longer than a unit's `speed`, where the scenario names it."""
    for unit in units:
        speed, way = unit.get("speed"), len(path) - (path[0] == unit.at)
        if isinstance(speed, int) and way > speed:
            raise refuse(game, f"{unit.id} moves {speed} hexes, not {way}", "give a shorter path", number)


def _verify_network(game: Game, units: tuple[Unit, ...], path: tuple[str, ...]) -> None:
    """Raises RuleViolation: a hex that is no SMN of the empire's; more moves than it has, where a scenario says so."""
    for empire in dict.fromkeys(map(empire_of, units)):
        nodes, most = names_in(game, f"nodes of {empire}"), game.markers.get(f"strategic moves of {empire}")
        off = next((place for place in (units[0].at, *path) if nodes and place not in nodes), "")
        if off:
            raise refuse(game, f"{off} is no SMN of {empire}", f"name hexes of: {listed(nodes)}", "204.2")
        before = [one for one in living(game) if one.get("moved_strategically") == this_turn(game)]
        moves = sum(empire_of(one) == empire for one in (*before, *units))
        if isinstance(most, int) and moves > most:
            what = f"that would be {moves} strategic moves of {empire}: it has {most}"
            raise refuse(game, what, "name fewer units, or `done`", "204.2")


def _noted(game: Game, unit: Unit, step: str) -> list[Result]:
    if step in ONCE:
        return named_once(game, unit, ONCE[step], "has moved", "name units that have not")
    return changed(unit, "outcome", None, "it has retreated", rule_of(game))


def new_stations(game: Game) -> tuple[str, ...]:
    """The hexes in which pacification stations were emplaced in this player turn."""
    stations = (game.units.get(name) for name in names_in(game, "stations"))
    return tuple(dict.fromkeys(one.at for one in stations if one is not None and not one.fate))


def decide_react(game: Game, order: React, _: Dice) -> list[Result]:
    """Reaction of the non-phasing side (3B3), or of phasing X-ships to a reserve (4A, 4B) [reading A9].

    [reading] Who reacts goes away from a reserve, and is in it no longer.

    Raises RuleViolation: in 4A or 4B no X-ship, or not the phasing side's; `to` is no unit, one of one's own side, or
    one that has not moved.
    """
    game = _at_3b3(game)
    units = own_units(game, order, order.units)
    if order.to:
        _verify_moved(game, unit_of(game, order.to, rule_of(game)), game.side_of(order.seat))
    if step_open(game) in ("4A", "4B"):
        if game.side_of(order.seat) != phasing(game):
            what = "units react to the reserves of their enemy"
            raise refuse(game, what, "`move-reserve`, or `done`", "523.222")
        for unit in units:
            need_trait(game, unit, "x", "X-ship", "523.222")
    counted = [event for unit in units for event in _reacted(game, unit)]
    went = go(game, units, order.path, f"reaction to {order.to}" if order.to else "reaction")
    return [*went, *counted, *_stand_down(units, rule_of(game))]


def _at_3b3(game: Game) -> Game:
    """Where a reaction is given while units move: in 3B3, also when its side has left that."""
    here = game.cursor.open[0]
    if here.step != "3B2":
        return game
    reaction = replace(here, step="3B3", name="reaction movement")
    return replace(game, cursor=replace(game.cursor, open=(reaction, *game.cursor.open[1:])))


def not_waited_for(game: Game, _: str) -> tuple[str, ...]:
    """What a side gives up that leaves 3B3 while units move."""
    moves = game.cursor.opened("3B2") is not None
    return ("to be waited for when 3B2 is left; until then its units may still react",) if moves else ()


def _verify_moved(game: Game, enemy: Unit, side: str) -> None:
    """Raises RuleViolation: a unit of one's own; one that has not moved in this player turn."""
    why = "is of your own side: units react to an enemy" if enemy.side == side else ""
    if not why and this_turn(game) not in (enemy.get("moved"), enemy.get("reserve_moved")):
        why = "has not moved in this player turn"
    if why:
        raise refuse(game, f"{enemy.id} {why}", "name the unit that moved, or leave `to` out")


def _reacted(game: Game, unit: Unit) -> list[Result]:
    """Raises RuleViolation: mothballed; it has reacted as often as a unit may in a player turn."""
    number = "523.222" if printed(step_open(game)) in ("4A", "4B") else "205.0"
    now, most = this_turn(game), number_of(game, ours.REACTIONS)
    before = unit.number("reactions") if unit.get("reacted") == now else 0
    if unit.get("mothballed") is True or before >= most:
        why = f"has reacted {before} times in this player turn" if before else "is mothballed"
        raise refuse(game, f"{unit.id} {why}", "name another unit", number)
    rule = rule_of(game)
    return [*changed(unit, "reacted", now, "", rule), *changed(unit, "reactions", before + 1, "reacts", rule)]


# --- reserves ---------------------------------------------------------------------------------------------------------


def fleet_of(unit: Unit) -> str:
    return str(unit.get("reserve") or "")


def decide_form_reserve(game: Game, order: FormReserve, _: Dice) -> list[Result]:
    """Raises RuleViolation: units in different places; a unit that is in another reserve; the phasing side in 4A."""
    units = own_units(game, order, order.units)
    tactical = step_open(game) == "4A"
    if tactical and game.side_of(order.seat) == phasing(game):
        raise refuse(game, "only the non-phasing player forms a Tactical Reserve Force", "react with X-ships", "543.1")
    waiting = forces_waiting(game, game.side_of(order.seat))
    if tactical and waiting:
        raise refuse(game, f"{waiting[0]} is formed and waits", "move it with `move-reserve` first", "543.22")
    others = {fleet_of(unit) for unit in living(game) if unit.side != game.side_of(order.seat)}
    if order.fleet in others:
        raise refuse(game, f"another side has a reserve {order.fleet}", "give it another name")
    if len({unit.at for unit in units}) > 1:
        raise refuse(game, "a reserve stands in one place", "name units of one hex", "543.1" if tactical else "507.1")
    for unit in units:
        _verify_may_stand_by(game, unit)
    if not tactical:
        _verify_mark(game, order, units)
    name = f"TRF {order.fleet}" if tactical else order.fleet
    return [event for unit in units for event in changed(unit, "reserve", name, "reserve", rule_of(game))]


def _verify_mark(game: Game, order: FormReserve, units: tuple[Unit, ...]) -> None:
    """Raises RuleViolation: another reserve has the name; the empire has placed as many markers as the scenario has."""
    others = [one for one in living(game) if fleet_of(one)]
    if any(fleet_of(one) == order.fleet and (one.side, one.at) != (units[0].side, units[0].at) for one in others):
        raise refuse(game, f"{order.fleet} is the name of another reserve", "choose another name", "507.1")
    for empire in dict.fromkeys(map(empire_of, units)):
        most = game.markers.get(f"reserves of {empire}")
        placed = {fleet_of(one) for one in others if empire_of(one) == empire} - {order.fleet}
        if isinstance(most, int) and len(placed) >= most:
            what = f"{empire} has placed {len(placed)} reserve markers, all that it has"
            raise refuse(game, what, f"add to one of: {', '.join(sorted(placed))}, or `done`", "507.1")


def _verify_may_stand_by(game: Game, unit: Unit) -> None:
    """Raises RuleViolation: in another reserve; moved as a reserve in this player turn; a base; a leader; a box."""
    number = "543.1" if step_open(game) == "4A" else "507.1"
    if fleet_of(unit):
        raise refuse(game, f"{unit.id} is in the reserve {fleet_of(unit)}", "name other units", number)
    if unit.get("reserve_moved") == this_turn(game):
        raise refuse(game, f"{unit.id} has moved as a reserve in this player turn", "name other units", number)
    if is_base(unit) or not RIDERS.isdisjoint(unit.names("traits")) or not is_hex(unit.at):
        raise refuse(game, f"{unit.id} is no ship on the map", "name ships on the map", number)


def decide_move_reserve(game: Game, order: MoveReserve, _: Dice) -> list[Result]:
    """The reserve goes and is a reserve no longer. Raises RuleViolation: no such reserve; another one was picked."""
    picked = game.cursor.item("4B/fleet")
    fleet = order.fleet if picked else f"TRF {order.fleet.removeprefix('TRF ')}"
    units = units_where(game, lambda unit: fleet_of(unit) == fleet)
    units = tuple(unit for unit in units if unit.side == game.side_of(order.seat))
    if not units and picked == fleet:
        raise refuse(game, f"{order.fleet} has moved: it is a reserve no longer", "`done`")
    if not units or picked not in ("", fleet):
        raise refuse(
            game, f"{order.fleet} is not the reserve that moves now", f"move {picked or 'a TRF that was formed'}"
        )
    units = _of_one_hex(game, order, units)
    went = [event for unit in units for event in changed(unit, "reserve_moved", this_turn(game), "", rule_of(game))]
    return [*go(game, units, order.path, f"reserve {fleet}"), *_stand_down(units, rule_of(game)), *went]


def _of_one_hex(game: Game, order: MoveReserve, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """All of the reserve; where it stands in several hexes, those at which the path begins [reading].

    Raises RuleViolation for a reserve in several hexes and a path that begins at none of them.
    """
    places = sorted({unit.at for unit in units})
    if len(places) > 1 and order.path[0] not in places:
        what = f"the units of {order.fleet} stand at {' and '.join(places)}"
        raise refuse(game, what, "begin the `path` with the hex that they leave, and move each hex's by themselves")
    return tuple(unit for unit in units if len(places) == 1 or unit.at == order.path[0])


def _stand_down(units: tuple[Unit, ...], rule: str) -> list[Result]:
    return [event for unit in units for event in changed(unit, "reserve", None, "no reserve any more", rule)]


def reserve_fleets(game: Game, side: str) -> tuple[str, ...]:
    """The Reserve Fleets of all but the phasing side, by name."""
    return tuple(sorted({fleet_of(unit) for unit in living(game) if unit.side != side} - {""} - set(_forces(game))))


def owner_of_fleet(game: Game) -> tuple[str, ...]:
    """The side whose Reserve Fleet was picked."""
    picked = game.cursor.item("4B/fleet")
    sides = {unit.side for unit in living(game) if fleet_of(unit) == picked}
    return tuple(side for side in game.side_ids if side in sides)


def _forces(game: Game) -> tuple[str, ...]:
    return tuple(fleet for fleet in map(fleet_of, living(game)) if fleet.startswith("TRF "))


def forces_waiting(game: Game, side: str) -> tuple[str, ...]:
    """The Tactical Reserve Forces of this side, or of all, that were formed and have not moved."""
    mine = (fleet_of(unit) for unit in living(game) if side in ("", unit.side))
    return tuple(dict.fromkeys(fleet for fleet in mine if fleet.startswith("TRF ")))


def force_waits(game: Game, side: str) -> bool:
    """Whether a Tactical Reserve Force of this side was formed and has not moved."""
    return bool(forces_waiting(game, side))


def take_off_reserves(game: Game) -> list[Result]:
    """1D: the markers that the phasing side placed on its last turn come off."""
    side = phasing(game)
    return _stand_down(units_where(game, lambda unit: bool(fleet_of(unit)), side), "1D (507.1)")


def verify_supply_point(game: Game, units: Iterable[Unit], end: str, number: str) -> None:
    """Raises RuleViolation where the scenario names supply points and a way back ends at none of them."""
    for empire in dict.fromkeys(map(empire_of, units)):
        points = names_in(game, f"supply points of {empire}")
        if points and end not in points:
            raise refuse(game, f"{end} is no supply point of {empire}", f"go to one of: {listed(points)}", number)


# --- retrograde -------------------------------------------------------------------------------------------------------


def can_retrograde(game: Game, side: str) -> bool:
    """Whether a side has a unit in supply that may make retrograde movement in this step."""
    fast = step_open(game) == "6D3"
    own = (unit for unit in living(game) if unit.side == side and unit.get("supply") != "out")
    return any(not fast or has(unit, "x") for unit in own)


def decide_retrograde(game: Game, order: Retrograde, _: Dice) -> list[Result]:
    """6D1 within three hexes to a pacification base, 6D2 the phasing side's, 6D3 X-ships; as fast as a scenario says.

    Raises RuleViolation: too far or to no pacification base in 6D1; no X-ship in 6D3; out of supply; `verify_together`.
    """
    units, step = own_units(game, order, order.units), step_open(game)
    end = order.path[-1]
    for unit in units:
        if unit.get("supply") == "out":
            raise refuse(game, f"{unit.id} is out of supply", "leave it out", "410.24")
        if unit.get("mothballed") is True:
            raise refuse(game, f"{unit.id} is mothballed", "activate it in step 2B1")
        if step == "6D3":
            need_trait(game, unit, "x", "X-ship", "523.242")
        if step == "6D1" and len(order.path) - (order.path[0] == unit.at) > 3:
            raise refuse(game, f"the path has {len(order.path)} hexes", "go three hexes at most", "544.47")
    if step == "6D1" and not any(has(one, "pacification") for one in at_hex(game, end, units[0].side)):
        raise refuse(game, f"there is no pacification base at {end}", "go to one within three hexes", "544.47")
    number = {"6D1": "544.47", "6D3": "523.242"}.get(step, "206.0")
    if step != "6D1":
        verify_supply_point(game, units, end, number)
    _verify_speed(game, units, order.path, number)
    went = [
        event
        for unit in units
        for event in named_once(game, unit, "retrograded", "went back", "name units that have not", number)
    ]
    return [*go(game, units, order.path, {"6D1": "tactical retrograde"}.get(step, "retrograde")), *went]


def decide_dissolve(game: Game, order: Dissolve, _: Dice) -> list[Result]:
    """Raises RuleViolation when no unit of yours is in the group."""
    side, rule = game.side_of(order.seat), rule_of(game)
    units = units_where(game, lambda unit: unit.get("group") == order.group, side)
    if not units:
        raise refuse(game, f"you have no group {order.group}", "`units` shows who is in which group")
    return [event for unit in units for event in changed(unit, "group", None, "dissolved", rule)]
