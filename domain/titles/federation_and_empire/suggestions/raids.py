"""Suggest orders in Phase 3A: the Raid Pool, raids and the answers to them, interception, small-scale combat."""

from umpire_ledger.domain.titles.federation_and_empire.combat.dice_awaited import assaults_due
from umpire_ledger.domain.titles.federation_and_empire.combat.skirmish import CarryPoints, Skirmish, Suffer
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    at_hex,
    empires_of,
    enemies,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    living,
    printed_of,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex, neighbours, way
from umpire_ledger.domain.titles.federation_and_empire.movement.wyn import SellShip, is_own_in_service
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import is_decoy
from umpire_ledger.domain.titles.federation_and_empire.raids.interception import (
    InterceptAt,
    Load,
    RollIntercept,
    Stay,
    can_intercept,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_answers import (
    MISSIONS,
    AnswerRaid,
    Disrupt,
    Fighters,
    aimed_at,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_pool import Emplace, Pool, Resist
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_rounds import is_raid_round, may_fight, round_place
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import (
    SPECIAL,
    PayRaid,
    Raid,
    Recall,
    hexes_of_raid,
    kind_of_raid,
    raid_cost,
    raiders,
    specials_to_move,
    targets,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    FEW,
    Orders,
    each_unit,
    mine,
    new_id,
    ships,
)
from umpire_ledger.kit import Game, Unit, names_in, step_open

ships_sold = each_unit(SellShip, lambda unit: is_own_in_service(unit) and is_crippled(unit), ep=2)
stays = each_unit(Stay, lambda unit: unit.get("raid_kind") == "blockade")


def raids_paid(game: Game, side: str) -> Orders:
    for unit in raiders(game, "special"):
        yield PayRaid(seat=side, unit=unit.id, ep=raid_cost(game, unit) or 0)


def carried_points(game: Game, side: str) -> Orders:
    return (CarryPoints(seat=side, at=at, points=-1) for at in targets(game)[:1])


def pool_moves(game: Game, side: str) -> Orders:
    if step_open(game) == "2B7":
        aside = mine(game, side, lambda unit: unit.at != POOL and (is_decoy(unit) or has(unit, "team")))
        yield from (Pool(seat=side, unit=unit.id) for unit in aside)
    if step_open(game) == "3A-1A":
        yield from (Pool(seat=side, unit=u.id) for u in mine(game, side, lambda u: ships(u) and not is_crippled(u)))
    for unit in mine(game, side, lambda unit: unit.at == POOL and not has(unit, "decoy")):
        capital = printed_of(game, str(unit.get("empire")), "capital") or "1205"
        yield Pool(seat=side, unit=unit.id, to=str(capital))


def resistance(game: Game, side: str) -> Orders:
    for kind in ("sabotage", "infiltration", "rebellion"):
        yield Resist(seat=side, kind=kind, at="1003", at_least=4)
        for marker in sorted(game.markers):
            if marker.startswith(f"{kind} "):
                yield Resist(seat=side, kind=kind, at=marker.removeprefix(f"{kind} "), at_least=4)


def _raids_specially(unit: Unit) -> bool:
    """Check whether a unit on the map is not crippled and carries drones, or is a fighter or PF."""
    return any(has(unit, trait) for trait in SPECIAL) and not is_crippled(unit) and is_hex(unit.at)


def raiders_named(game: Game, side: str) -> Orders:
    kind = kind_of_raid(game)
    if kind == "special" and step_open(game) == "3A-3B":
        units = list(specials_to_move(game, ""))[:FEW]
    elif kind == "special":
        units = mine(game, side, _raids_specially)
    else:
        out = [unit.id for unit in raiders(game, kind)]
        units = mine(game, side, lambda unit: (unit.at == POOL and not has(unit, "decoy")) or unit.id in out)
    foes = (foe.at for foe in living(game) if foe.side in enemies(game, side) and is_hex(foe.at))
    places = sorted({*foes}) or ["1003"]
    moves = step_open(game) not in ("3A-3A", "3A-4A")
    for unit in units:
        nearest = min(places, key=lambda at: (len(way(unit.at, at)), at))
        for target in dict.fromkeys((places[0], nearest)):
            path = way(unit.at, target) or neighbours(unit.at)[:1] or (target,)
            yield Raid(seat=side, unit=unit.id, path=path if moves else ())


def answers(game: Game, side: str) -> Orders:
    for place in targets(game):
        aimed = aimed_at(game, place) or empires_of(game, side)
        for empire in (one for one in empires_of(game, side) if one in aimed):
            yield AnswerRaid(seat=side, at=place, unit=new_id(game, side), police=True, empire=empire)
        for unit in mine(game, side, lambda u: ships(u) and is_hex(u.at) and u.at != place, 2):  # noqa: B023 -- at once
            yield AnswerRaid(seat=side, at=place, unit=unit.id, path=way(unit.at, place) or (place,))


def fighters(game: Game, side: str) -> Orders:
    for place in targets(game):
        units = tuple(unit.id for unit in at_hex(game, place, side))
        for some in dict.fromkeys((units, units[:1], ())):
            yield Fighters(seat=side, at=place, units=some)


def _who_fight(game: Game, side: str) -> list[tuple[Unit, ...]]:
    """Return the side's units in the current battle; outside Phase 5 those that may fight, grouped by raided hex."""
    if step_open(game) == "5-6X4":
        return [assaults_due(game, side)]
    if hex_in_hand(game):
        return [serving(game, side)]
    able = may_fight(game, side) if is_raid_round(game) else ()
    places = dict.fromkeys(round_place(game, unit) for unit in able)
    return [tuple(unit for unit in able if round_place(game, unit) == place) for place in places]


def skirmishes(game: Game, side: str) -> Orders:
    for units in filter(None, _who_fight(game, side)):
        yield Skirmish(seat=side, units=tuple(unit.id for unit in units))


def sufferers(game: Game, side: str) -> Orders:
    if step_open(game) == "5-6D":
        shocked = (unit for unit in serving(game, side) if unit.get("fate_rolled") and not is_base(unit))
        for unit in shocked:
            yield Suffer(seat=side, unit=unit.id, outcome="destroyed" if is_crippled(unit) else "crippled")
        return
    for units in [serving(game, side)] if hex_in_hand(game) else _who_fight(game, side):
        for unit in [unit for unit in units if not is_base(unit)][:2]:
            yield Suffer(seat=side, unit=unit.id, outcome="crippled")
            yield Suffer(seat=side, unit=unit.id, outcome="retreats")


def recalls(game: Game, side: str) -> Orders:
    for unit in raiders(game):
        home = str(unit.get("raid_from") or "")
        yield Recall(seat=side, unit=unit.id)
        for end in (home, *neighbours(unit.at)) if home else ():
            yield Recall(seat=side, unit=unit.id, path=way(unit.at, end))


def disruptions(game: Game, side: str) -> Orders:
    for unit in raiders(game, "normal"):
        yield Disrupt(seat=side, unit=unit.id)
        yield Disrupt(seat=side, unit=unit.id, how="alternate attack")
        yield from (Disrupt(seat=side, unit=unit.id, how=how) for how in MISSIONS)


def hexes_of_interception(game: Game, side: str) -> Orders:
    for unit in raiders(game, "special"):
        for at in hexes_of_raid(unit):
            yield InterceptAt(seat=side, at=at)
            for ship in at_hex(game, at, side)[:2]:
                yield InterceptAt(seat=side, at=at, units=(ship.id,))


def interceptions(game: Game, side: str) -> Orders:
    if step_open(game) == "3A-3G":
        for at in names_in(game, "interception"):
            group = names_in(game, f"intercept group {at}")
            for ship in at_hex(game, at, side):
                yield RollIntercept(seat=side, at_least=3, units=group or (ship.id,), at=at)
    for runner in raiders(game, "blockade"):
        yield RollIntercept(seat=side, runner=runner.id, at_least=4)
        for at in runner.names("course"):
            units = tuple(unit.id for unit in at_hex(game, at, side) if can_intercept(unit))[:2]
            if units:
                yield RollIntercept(seat=side, runner=runner.id, at_least=4, units=units)


def loads(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.get("raid_kind") == "blockade"):
        yield Load(seat=side, unit=unit.id, ep=0 if unit.get("cargo_ep") or unit.get("cargo") else 2)
        yield Load(seat=side, unit=unit.id, cargo=("supplies",))


def stations(game: Game, side: str) -> Orders:
    for unit in mine(game, side, ships, 1):
        yield Emplace(seat=side, unit=new_id(game, side), at=unit.at, empire=empires_of(game, side)[0])
