"""Suggest orders in movement: toward the enemy and back, reserves, field repair."""

from itertools import islice, pairwise

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battle_hexes
from umpire_ledger.domain.titles.federation_and_empire.combat.ground import PlaceGce
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    at_hex,
    empire_of,
    empires_of,
    enemies,
    has,
    is_base,
    is_crippled,
    is_ship,
    kind_of,
    living,
    phasing,
    printed_of,
    this_turn,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.pods import ExchangePods, SendPods
from umpire_ledger.domain.titles.federation_and_empire.economy.reconfigure import Reconfigure
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import DeployRepair, FieldRepair
from umpire_ledger.domain.titles.federation_and_empire.economy.reserves import FormReserve, MoveReserve, fleet_of
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import distance, is_hex, neighbours, way
from umpire_ledger.domain.titles.federation_and_empire.movement.moving import (
    BEATEN_OFF,
    MoveUnits,
    is_held_against,
    new_stations,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.reactions import React, moved_enemies
from umpire_ledger.domain.titles.federation_and_empire.movement.retrograde import Dissolve, Retrograde
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    FEW,
    Made,
    Orders,
    Pick,
    guess,
    mine,
    new_id,
    ships,
    trait,
)
from umpire_ledger.kit import Game, Suggest, Unit, names_in, step_open


def dissolved_groups(game: Game, side: str) -> Orders:
    """Suggest dissolving each group of some units."""
    groups = {str(unit.get("group")) for unit in mine(game, side, lambda unit: bool(unit.get("group")))}
    return (Dissolve(seat=side, group=group) for group in sorted(groups))


def stacks(game: Game, side: str) -> list[list[Unit]]:
    """Return a side's free ships by place, the largest stacks first; single ships if there are no others."""
    places: dict[str, list[Unit]] = {}
    for unit in units_where(game, lambda unit: ships(unit) and _is_free(game, unit), side):
        places.setdefault(unit.at, []).append(unit)
    found = sorted(places.values(), key=len, reverse=True)
    return ([stack for stack in found if len(stack) > 1] or found)[:FEW]


def _is_free(game: Game, unit: Unit) -> bool:
    """Check whether a ship has not moved, raided or been reconfigured in this player turn, and is not mothballed."""
    now = this_turn(game)
    still = unit.get("raid_kind") is None and unit.get("raided") != game.turn and unit.get("mothballed") is not True
    return still and now not in (unit.get("moved"), unit.get("reconfigured"))


def toward(game: Game, side: str, start: str) -> tuple[str, ...]:
    """Return the path from a hex to the nearest enemy in another, six hexes at most; one step if there is none."""
    hostile = enemies(game, side)
    foes = {unit.at for unit in living(game) if unit.side in hostile}
    nearest = min(((distance(start, foe), foe) for foe in foes if is_hex(foe) and foe != start), default=None)
    return way(start, nearest[1])[:6] if nearest else neighbours(start)[:1]


def toward_the_enemy(order: Made) -> Suggest:
    """Suggest moving stacks and pairs of ships toward the nearest enemy, and retreating units to an adjacent hex."""

    def suggest(game: Game, side: str) -> Orders:
        for unit in mine(game, side, lambda unit: unit.get("outcome") == "retreats" and is_hex(unit.at)):
            yield order(seat=side, units=(unit.id,), path=neighbours(unit.at)[-1:])
        for stack in stacks(game, side):
            path = toward(game, side, stack[0].at)
            for some in (stack[:3], stack[:2]) if path else ():
                yield order(seat=side, units=tuple(unit.id for unit in some), path=path)

    return suggest


def moves(game: Game, side: str) -> Orders:
    """Suggest moves toward the enemy; in 8A also from node to node of a network that the scenario names."""
    if step_open(game) == "8A":
        nodes = {empire: names_in(game, f"nodes of {empire}") for empire in empires_of(game, side)}
        for unit in mine(game, side, lambda unit: ships(unit) and unit.at in nodes.get(empire_of(unit), ())):
            for node in [one for one in nodes[empire_of(unit)] if one != unit.at][:2]:
                yield MoveUnits(seat=side, units=(unit.id,), path=(node,))
    if step_open(game) in BEATEN_OFF:
        yield from _ways_out(game, side, lambda unit: unit.get("outcome") == "retreats")
    if step_open(game) == "3A-6B":
        yield from _ways_out(game, side, lambda unit: ships(unit) and unit.at in new_stations(game))
    if step_open(game) == "3A-6D":
        for unit in mine(game, side, lambda unit: ships(unit) and _is_free(game, unit)):
            paths = (way(unit.at, at) for at in new_stations(game))
            yield from (MoveUnits(seat=side, units=(unit.id,), path=path) for path in paths if path)
    yield from toward_the_enemy(MoveUnits)(game, side)
    if step_open(game) == "8A":  # The only stack may be a dock and its tug, which stay.
        for unit in mine(game, side, lambda unit: is_ship(unit) and is_hex(unit.at) and _is_free(game, unit)):
            yield MoveUnits(seat=side, units=(unit.id,), path=neighbours(unit.at)[-1:])


def _ways_out(game: Game, side: str, goes: Pick) -> Orders:
    """Suggest for each unit one path out of its hex, of one or two hexes, to a hex that no enemy holds."""
    for unit in mine(game, side, goes):
        near = [(one,) for one in neighbours(unit.at)]
        far = [(*first, one) for first in near for one in neighbours(first[0]) if one != unit.at]
        free = (path for path in (*near, *far) if not is_held_against(game, side, path[-1]))
        yield from (MoveUnits(seat=side, units=(unit.id,), path=path) for path in islice(free, 1))


def reactions(game: Game, side: str) -> Orders:
    """Suggest that stacks and single ships go toward enemies that have moved."""
    goals = dict.fromkeys(foe.at for foe in moved_enemies(game, side) if is_hex(foe.at))
    for stack in stacks(game, side):
        for goal in sorted(goals, key=lambda goal: distance(stack[0].at, goal))[:2]:
            path = way(stack[0].at, goal)[:6]
            for some in (stack[:3], stack[:1]) if path else ():
                yield React(seat=side, units=tuple(unit.id for unit in some), path=path)


def one_hex_away(order: Made) -> Suggest:
    """Suggest that one ship of each stack goes one hex away."""

    def suggest(game: Game, side: str) -> Orders:
        for stack in stacks(game, side):
            yield order(seat=side, units=(stack[0].id,), path=neighbours(stack[0].at)[-1:])

    return suggest


retrogrades = one_hex_away(Retrograde)


def reserves(game: Game, side: str) -> Orders:
    """Suggest reserves of ships in one place, joining a reserve there or forming a new one; largest groups first."""
    free = units_where(game, lambda unit: is_ship(unit) and is_hex(unit.at) and _stands_by(game, unit), side)
    kept = {unit.at: fleet_of(unit) for unit in units_where(game, lambda unit: bool(fleet_of(unit)), side)}
    places: dict[tuple[str, str], list[str]] = {}
    for unit in free:
        places.setdefault((empire_of(unit), unit.at), []).append(unit.id)
    for (_, at), units in sorted(places.items(), key=lambda one: (one[0][1] not in kept, -len(one[1])))[: 2 * FEW]:
        yield FormReserve(seat=side, fleet=kept.get(at) or f"R{at}", units=tuple(units[:2]))


def _stands_by(game: Game, unit: Unit) -> bool:
    return not fleet_of(unit) and unit.get("reserve_moved") != this_turn(game)


def fleets_moved(game: Game, side: str) -> Orders:
    units = mine(game, side, lambda unit: bool(unit.get("reserve")), 99)
    target = next(iter(battle_hexes(game, phasing(game))), "")
    for fleet in dict.fromkeys(fleet_of(unit) for unit in units):
        start = next(unit.at for unit in units if fleet_of(unit) == fleet)
        path = (way(start, target) if target else ()) or neighbours(start)[:1]
        if path:
            yield MoveReserve(seat=side, fleet=fleet, path=path)


def reconfigured(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: has(unit, "modular") or has(unit, "hdw")):
        yield Reconfigure(seat=side, unit=unit.id, kind=f"{unit.kind} scout", ep=1)


def gces_placed(game: Game, side: str) -> Orders:
    for unit in mine(game, side, is_base):
        yield PlaceGce(seat=side, unit=new_id(game, side), at=unit.at, ep=1, empire=empire_of(unit))
    for empire in empires_of(game, side):
        if capital := printed_of(game, empire, "capital"):
            yield PlaceGce(seat=side, unit=new_id(game, side), at=capital, ep=1, empire=empire)


def pods_sent(game: Game, side: str) -> Orders:
    return (SendPods(seat=side, unit=unit.id) for unit in mine(game, side, trait("tug")))


def pods_exchanged(game: Game, side: str) -> Orders:
    tugs = mine(game, side, trait("tug"))
    return (ExchangePods(seat=side, unit=one.id, other=two.id, pods=two.names("pods")) for one, two in pairwise(tugs))


def repairers_deployed(game: Game, side: str) -> Orders:
    for unit in mine(game, side, trait("repair")):
        cripples = mine(game, side, lambda one: is_crippled(one) and is_hex(one.at))
        for place in sorted({one.at for one in cripples} or {"1205"}):
            yield DeployRepair(seat=side, unit=unit.id, at=place)


def field_repairs(game: Game, side: str) -> Orders:
    for repairer in mine(game, side, lambda unit: unit.get("repairs_from") is not None):
        for unit in (one for one in at_hex(game, repairer.at, side) if is_crippled(one)):
            ep = guess(game, f"repair {kind_of(unit)}")
            yield FieldRepair(seat=side, repairer=repairer.id, unit=unit.id, ep=ep)
