"""Orders worth trying, by order type, for listing what is possible and for random play. `decide` has the last word.

A few of each kind: with a thousand units nobody wants a thousand suggestions.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from umpire_ledger.domain.titles.federation_and_empire import economy as e
from umpire_ledger.domain.titles.federation_and_empire import fighting as f
from umpire_ledger.domain.titles.federation_and_empire import forces as c
from umpire_ledger.domain.titles.federation_and_empire import intensity as n
from umpire_ledger.domain.titles.federation_and_empire import interception as i
from umpire_ledger.domain.titles.federation_and_empire import missions as m
from umpire_ledger.domain.titles.federation_and_empire import moving as v
from umpire_ledger.domain.titles.federation_and_empire import orions as o
from umpire_ledger.domain.titles.federation_and_empire import raids as r
from umpire_ledger.domain.titles.federation_and_empire import retreat as t
from umpire_ledger.domain.titles.federation_and_empire import shipyard as s
from umpire_ledger.domain.titles.federation_and_empire import stasis as z
from umpire_ledger.domain.titles.federation_and_empire.battle import answered, battle_hexes, battlers, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    DEPOT,
    ORION_POOL,
    POOL,
    at_hex,
    empires_of,
    enemies,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    is_crippled,
    living,
    names_in,
    phasing,
    printed,
    printed_of,
    step_of,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import distance, is_hex, neighbours, way
from umpire_ledger.kit import Choose, Game, Mark, Order, Remove, Roll, Suggest, Unit, choice_key

FEW = 3
Pick = Callable[[Unit], bool]
Made = Callable[..., Order]
Orders = Iterator[Order]


def mine(game: Game, side: str, pick: Pick = lambda unit: True, most: int = FEW) -> list[Unit]:
    """Some of a side's units, by id."""
    found = sorted((unit for unit in living(game) if unit.side == side and pick(unit)), key=lambda unit: unit.id)
    return found[:most]


def a_unit(order: Made, pick: Pick = lambda unit: True, **more: object) -> Suggest:
    """The order for each of some units."""
    return lambda game, side: (order(seat=side, unit=unit.id, **more) for unit in mine(game, side, pick))


def in_the_battle(order: Made, pick: Pick = lambda unit: True, **more: object) -> Suggest:
    """The order for each of some units of the battle in hand."""

    def suggest(game: Game, side: str) -> Orders:
        found = (unit for unit in in_battle(game, side) if pick(unit))
        return (order(seat=side, unit=unit.id, **more) for unit in islice(found, FEW))

    return suggest


def an_empire(order: Made, **more: object) -> Suggest:
    """The order for each empire of the side."""
    return lambda game, side: (order(seat=side, empire=empire, **more) for empire in empires_of(game, side))


def plain(order: Made, **more: object) -> Suggest:
    """The order as it is."""
    return lambda game, side: iter((order(seat=side, **more),))


def ships(unit: Unit) -> bool:
    """A unit that moves about on the map."""
    return not is_base(unit) and is_hex(unit.at) and not has(unit, "leader")


def trait(name: str) -> Pick:
    return lambda unit: has(unit, name)


def new_id(game: Game, side: str) -> str:
    """An id that no unit has."""
    return f"{side}-new-{len(game.units) + 1}"


# --- economy and shipyard ---------------------------------------------------------------------------------------------


def _counts(game: Game, side: str) -> Orders:
    yield e.Count(seat=side, counter=e.COUNTERS[step_of(game)], place="1003")  # type: ignore[arg-type]


def _grids(game: Game, side: str) -> Orders:
    for account, ep in islice((one for one in sorted(game.accounts.items()) if "/grid " in one[0] and one[1] > 0), FEW):
        empire, _, grid = account.partition("/grid ")
        yield e.JoinGrid(seat=side, empire=empire, grid=grid, ep=ep)


def _salvage(game: Game, side: str) -> Orders:
    lost = sorted(
        u.id for u in game.units.values() if u.side == side and u.fate == "destroyed" and not u.get("salvaged")
    )
    for unit in lost[:FEW]:
        yield e.Receive(seat=side, ep=1, source="salvage", unit=unit, empire=empires_of(game, side)[0])


def _builds(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        at = printed_of(game, empire, "capital") or (ORION_POOL if side == "orion" else "1205")
        unit = new_id(game, side)
        yield s.Build(seat=side, unit=unit, kind="FF", at=at, ep=2, attack=4, defense=4, empire=empire)


def _missions(game: Game, side: str) -> Orders:
    code = m.CODES.get(printed(step_of(game)), ("J1", "A"))[-1]
    return iter([m.AssignMission(seat=side, unit=unit.id, code=code) for unit in mine(game, side, trait("tug"))])


def _designates(game: Game, side: str) -> Orders:
    units = in_battle(game, side) if hex_in_hand(game) else mine(game, side, ships)
    for unit in units[:2]:
        yield m.Designate(seat=side, units=(unit.id,), role="escort" if hex_in_hand(game) else "1st fleet")


def _leaders(game: Game, side: str) -> Orders:
    for leader in mine(game, side, trait("leader")):
        for ship in at_hex(game, leader.at, side)[:2]:
            if ship.id != leader.id:
                yield m.TransferLeader(seat=side, leader=leader.id, ship=ship.id)


def _losses(game: Game, side: str) -> Orders:
    for leader in mine(game, side, lambda unit: has(unit, "leader") or has(unit, "team"))[:1]:
        yield m.LoseLeader(seat=side, leader=leader.id)


def _assigned(game: Game, side: str) -> Orders:
    for decoy in mine(game, side, trait("decoy")):
        for ship in mine(game, side, trait("cloak"), 1):
            yield m.AssignDecoy(seat=side, decoy=decoy.id, ship=ship.id)


def _revealed(game: Game, side: str) -> Orders:
    for decoy in mine(game, side, trait("decoy")):
        choice = game.choices.get(choice_key(f"decoy {decoy.id}", side))
        if choice is not None and choice.sealed:
            yield m.RevealDecoy(seat=side, decoy=decoy.id, purpose="diverts what is aimed at it")


def _depot(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.at == DEPOT):
        yield s.Depot(seat=side, unit=unit.id, act="progress")
        yield s.Depot(seat=side, unit=unit.id, act="place", at="1205")
        yield s.Depot(seat=side, unit=unit.id, act="salvage", ep=1)
    for unit in mine(game, side, lambda unit: is_crippled(unit) and unit.at != DEPOT, 1):
        yield s.Depot(seat=side, unit=unit.id, act="add")


def _deploys(game: Game, side: str) -> Orders:
    for unit in mine(game, side, ships, 1):
        empire = empires_of(game, side)[0]
        yield s.Deploy(seat=side, unit=new_id(game, side), kind="MB", at=unit.at, empire=empire, defense=6)


# --- raids ------------------------------------------------------------------------------------------------------------


def _pools(game: Game, side: str) -> Orders:
    if step_of(game) == "3A-1A":
        yield from (r.Pool(seat=side, unit=u.id) for u in mine(game, side, lambda u: ships(u) and not is_crippled(u)))
    for unit in mine(game, side, lambda unit: unit.at == POOL and not has(unit, "decoy")):
        capital = printed_of(game, str(unit.get("empire")), "capital") or "1205"
        yield r.Pool(seat=side, unit=unit.id, to=str(capital))


def _resists(game: Game, side: str) -> Orders:
    for kind in ("sabotage", "infiltration", "rebellion"):
        yield r.Resist(seat=side, kind=kind, at="1003", at_least=4)


def _raids(game: Game, side: str) -> Orders:
    kind = r.kind_of_raid(game)
    if kind == "special":
        units = mine(game, side, lambda unit: has(unit, "drone") and not is_crippled(unit) and is_hex(unit.at))
    else:
        out = [unit.id for unit in r.raiders(game, kind)]
        units = mine(game, side, lambda unit: (unit.at == POOL and not has(unit, "decoy")) or unit.id in out)
    foes = (foe.at for foe in living(game) if foe.side in enemies(game, side) and is_hex(foe.at))
    target = min(foes, default="1003")
    moves = step_of(game) not in ("3A-3A", "3A-4A")
    return iter([r.Raid(seat=side, unit=unit.id, path=(target,) if moves else ()) for unit in units])


def _answers(game: Game, side: str) -> Orders:
    for place in r.targets(game)[:2]:
        empire = empires_of(game, side)[0]
        yield r.AnswerRaid(seat=side, at=place, unit=new_id(game, side), police=True, empire=empire)
        for unit in mine(game, side, lambda u: ships(u) and u.at != place, 2):  # noqa: B023 -- used at once
            yield r.AnswerRaid(seat=side, at=place, unit=unit.id, path=(place,))


def _fighters(game: Game, side: str) -> Orders:
    for place in r.targets(game)[:2]:
        units = tuple(unit.id for unit in at_hex(game, place, side))
        if units:
            yield r.Fighters(seat=side, at=place, units=units)


def _skirmishes(game: Game, side: str) -> Orders:
    units = (
        in_battle(game, side) if hex_in_hand(game) else [u for p in r.targets(game)[:1] for u in at_hex(game, p, side)]
    )
    if units:
        yield r.Skirmish(seat=side, units=tuple(unit.id for unit in units))


def _sufferers(game: Game, side: str) -> Orders:
    units = (
        in_battle(game, side) if hex_in_hand(game) else [u for p in r.targets(game)[:1] for u in at_hex(game, p, side)]
    )
    for unit in [unit for unit in units if not is_base(unit)][:2]:
        yield r.Suffer(seat=side, unit=unit.id, outcome="crippled")
        yield r.Suffer(seat=side, unit=unit.id, outcome="retreats")


def _recalls(game: Game, side: str) -> Orders:
    return iter([r.Recall(seat=side, unit=unit.id) for unit in r.raiders(game)])


def _disrupts(game: Game, side: str) -> Orders:
    for unit in r.raiders(game, "normal"):
        yield r.Disrupt(seat=side, unit=unit.id)
        yield r.Disrupt(seat=side, unit=unit.id, how="alternate attack")


def _hexes_of_interception(game: Game, side: str) -> Orders:
    return iter([i.InterceptAt(seat=side, at=unit.at) for unit in r.raiders(game, "special")[:1]])


def _interceptions(game: Game, side: str) -> Orders:
    if step_of(game) == "3A-3G":
        yield i.RollIntercept(seat=side, at_least=3)
    for runner in r.raiders(game, "blockade"):
        yield i.RollIntercept(seat=side, runner=runner.id, at_least=4)


def _loads(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.get("raid_kind") == "blockade"):
        yield i.Load(seat=side, unit=unit.id, ep=0 if unit.get("cargo_ep") else 2)


def _stations(game: Game, side: str) -> Orders:
    for unit in mine(game, side, ships, 1):
        yield r.Emplace(seat=side, unit=new_id(game, side), at=unit.at, empire=empires_of(game, side)[0])


# --- movement ---------------------------------------------------------------------------------------------------------


def _stacks(game: Game, side: str) -> list[list[Unit]]:
    """Some places' ships of a side, each place by itself."""
    places: dict[str, list[Unit]] = {}
    for unit in sorted(
        (u for u in living(game) if u.side == side and ships(u) and not u.get("raid_kind")), key=lambda u: u.id
    ):
        places.setdefault(unit.at, []).append(unit)
    return list(places.values())[:FEW]


def _toward(game: Game, side: str, start: str) -> tuple[str, ...]:
    """The way from a hex to the nearest enemy's, six hexes at most; one step aside where they stand together."""
    hostile = enemies(game, side)
    foes = {unit.at for unit in living(game) if unit.side in hostile}
    nearest = min(((distance(start, foe), foe) for foe in foes if is_hex(foe) and foe != start), default=None)
    return way(start, nearest[1])[:6] if nearest else neighbours(start)[:1]


def _moves(order: Made) -> Suggest:
    def suggest(game: Game, side: str) -> Orders:
        for unit in mine(game, side, lambda unit: unit.get("outcome") == "retreats" and is_hex(unit.at)):
            yield order(seat=side, units=(unit.id,), path=neighbours(unit.at)[-1:])
        for stack in _stacks(game, side):
            path = _toward(game, side, stack[0].at)
            for some in (stack, stack[:1]) if path else ():
                yield order(seat=side, units=tuple(unit.id for unit in some), path=path)

    return suggest


def _back(order: Made) -> Suggest:
    """One hex away."""

    def suggest(game: Game, side: str) -> Orders:
        for stack in _stacks(game, side):
            yield order(seat=side, units=(stack[0].id,), path=neighbours(stack[0].at)[-1:])

    return suggest


def _reserves(game: Game, side: str) -> Orders:
    for stack in _stacks(game, side)[:2]:
        yield v.FormReserve(seat=side, fleet=f"R{stack[0].at}", units=tuple(unit.id for unit in stack[:2]))


def _fleets(game: Game, side: str) -> Orders:
    units = mine(game, side, lambda unit: bool(unit.get("reserve")), 99)
    target = next(iter(battle_hexes(game, phasing(game))), "")
    for fleet in dict.fromkeys(v.fleet_of(unit) for unit in units):
        start = next(unit.at for unit in units if v.fleet_of(unit) == fleet)
        path = (way(start, target) if target else ()) or neighbours(start)[:1]
        if path:
            yield v.MoveReserve(seat=side, fleet=fleet, path=path)


def _repair_bases(game: Game, side: str) -> Orders:
    for unit in mine(game, side, trait("repair")):
        cripples = mine(game, side, lambda one: is_crippled(one) and is_hex(one.at))
        for place in sorted({one.at for one in cripples} or {"1205"}):
            yield v.DeployRepair(seat=side, unit=unit.id, at=place)


def _field_repairs(game: Game, side: str) -> Orders:
    for repairer in mine(game, side, lambda unit: unit.get("repairs_from") is not None):
        for unit in (one for one in at_hex(game, repairer.at, side) if is_crippled(one)):
            yield v.FieldRepair(seat=side, repairer=repairer.id, unit=unit.id, ep=1)


# --- combat -----------------------------------------------------------------------------------------------------------


def _whole_stack(order: Made) -> Suggest:
    """All ships of the battle hex go to a hex beside it."""

    def suggest(game: Game, side: str) -> Orders:
        place = hex_in_hand(game)
        units = tuple(unit.id for unit in at_hex(game, place, side) if not is_base(unit))
        if units and neighbours(place):
            for path in (neighbours(place)[:1], neighbours(place)[-1:]):
                yield order(seat=side, units=units, path=path)

    return suggest


def _forces(game: Game, side: str) -> Orders:
    units = in_battle(game, side)
    if answered(game, "5-2A3") == "accept" and side != phasing(game):
        units = tuple(unit for unit in units if not is_base(unit))  # 5-2A4: the base is left out
    yield c.SealForce(seat=side, units=tuple(unit.id for unit in units))


def _pinwheels(game: Game, side: str) -> Orders:
    for number in (0, 1):
        yield c.DeclarePinwheels(seat=side, number=number)


def _flagships(game: Game, side: str) -> Orders:
    named = game.markers.get("flagship")
    for unit in in_battle(game, side):
        if unit.id == named or not named or side == phasing(game) or c.round_number(game) > 1:
            yield c.SealFlagship(seat=side, unit=unit.id)


def _open_flagships(game: Game, side: str) -> Orders:
    place = hex_in_hand(game)
    return iter([c.NameFlagship(seat=side, unit=unit.id) for unit in in_battle(game, side) if unit.at == place][:FEW])


def _announced(game: Game, side: str) -> Orders:
    for unit in in_battle(game, side)[:2]:
        yield n.Announce(seat=side, units=(unit.id,), purpose="assault", factors=1)


def _stasis(game: Game, side: str) -> Orders:
    targets = [unit.id for foe in foe_in_battle(game, side) for unit in in_battle(game, foe)]
    carriers = [unit.id for unit in in_battle(game, side) if has(unit, "sfg")]
    if targets and carriers:
        yield z.DeclareStasis(seat=side, attempts=dict(zip(carriers, targets, strict=False)))


def _targets(game: Game, side: str) -> Orders:
    valid = tuple(unit.id for unit in in_battle(game) if not unit.get("frozen"))
    if valid:
        yield z.NameTargets(seat=side, targets=valid[:3])


def _scores(game: Game, side: str) -> Orders:
    compot = f.compot_of(in_battle(game, side))
    yield f.Score(seat=side, points=compot // 4, compot=compot)


def _directs(game: Game, side: str) -> Orders:
    points = f.damage_of(game, side)
    targets = [unit for foe in foe_in_battle(game, side) for unit in in_battle(game, foe)]
    for unit in targets[:2]:
        yield f.Direct(seat=side, unit=unit.id, result="crippled", points=points // 2)
        yield f.Direct(seat=side, unit=unit.id, result="destroyed", points=points)


def _allots(game: Game, side: str) -> Orders:
    for unit in in_battle(game, side)[:4]:
        yield f.Allot(seat=side, unit=unit.id, result="destroyed" if is_crippled(unit) else "crippled")


def _captures(game: Game, side: str) -> Orders:
    for foe in foe_in_battle(game, side):
        for unit in [one for one in in_battle(game, foe) if is_crippled(one) and not is_base(one)][:1]:
            yield f.Capture(seat=side, unit=unit.id, at_least=5)


def _pursuits(game: Game, side: str) -> Orders:
    units = tuple(unit.id for unit in in_battle(game, side) if not is_base(unit))
    if units:
        yield t.SealPursuit(seat=side, units=units)
    if len(units) > 1:
        yield t.SealPursuit(seat=side, units=units[:1], slow=units[1:2])


def _stands(game: Game, side: str) -> Orders:
    units = tuple(unit.id for unit in in_battle(game, side))
    if units:
        yield t.Stand(seat=side, units=units)


def _rescues(game: Game, side: str) -> Orders:
    here = in_battle(game, side)
    for tug in [unit for unit in here if has(unit, "tug")][:1]:
        for unit in [one for one in here if one.id != tug.id][:1]:
            yield t.Rescue(seat=side, tug=tug.id, unit=unit.id)


def _accepted(game: Game, side: str) -> Orders:
    offers = sorted(marker.removeprefix("bribe ") for marker in game.markers if marker.startswith("bribe "))
    return iter([o.AcceptBribe(seat=side, empire=empire) for empire in offers])


def _leases(game: Game, side: str) -> Orders:
    for unit in names_in(game, "on offer")[:1]:
        yield o.Lease(seat=side, unit=unit, at="1205", empire=empires_of(game, side)[0])


def _removals(game: Game, side: str) -> Orders:
    return iter(
        [Remove(seat=side, unit=u.id, fate="sold") for u in mine(game, side, lambda u: ships(u) and is_crippled(u), 1)]
    )


def _both_named(game: Game, side: str) -> Orders:
    if all(names_in(game, f"targets of {one}") for one in battlers(game)):
        yield z.RollTarget(seat=side)


def _agreed_rolls(game: Game, side: str) -> Orders:
    """Now and then a die for a rule that we do not have."""
    if game.acts % 6 == 0:
        yield Roll(seat=side, dice="1d6", purpose="whatever the rule asks")


def _agreed_marks(game: Game, side: str) -> Orders:
    if game.acts % 7 == 0:
        yield Mark(seat=side, marker="agreed", to=step_of(game))


SUGGESTS: Mapping[type[Order], Suggest] = {
    Roll: _agreed_rolls,
    Mark: _agreed_marks,
    Choose: plain(Choose, question="special fighters", choice="1204"),
    Remove: _removals,
    e.CheckSupply: lambda game, side: iter([e.CheckSupply(seat=side, out=(u.id,)) for u in mine(game, side, ships, 1)]),
    e.Count: _counts,
    e.Survey: an_empire(e.Survey, points=3, team=1),
    e.Annex: an_empire(e.Annex, province="1003"),
    e.StateDebt: an_empire(e.StateDebt, debt=10),
    e.StateInterest: an_empire(e.StateInterest, amount=1),
    e.Income: an_empire(e.Income, ep=30, xtp=2),
    e.JoinGrid: _grids,
    e.Scrap: a_unit(e.Scrap, lambda unit: ships(unit) and is_crippled(unit), ep=1),
    e.PayInterest: an_empire(e.PayInterest),
    e.Borrow: an_empire(e.Borrow, ep=2),
    e.Spend: an_empire(e.Spend, ep=1, purpose="what the rule asks"),
    e.Receive: _salvage,
    m.AssignMission: _missions,
    m.Designate: _designates,
    m.Support: a_unit(m.Support, ships, line="homeless", ep=1),
    m.Pods: a_unit(m.Pods, trait("tug"), pods=("P1",)),
    m.TransferLeader: _leaders,
    m.LoseLeader: _losses,
    m.AssignDecoy: _assigned,
    c.RecordDecoys: plain(c.RecordDecoys),
    m.RevealDecoy: _revealed,
    m.AnnounceDecoys: plain(m.AnnounceDecoys, number=1, types=("KR",)),
    s.Repair: a_unit(s.Repair, is_crippled, ep=1),
    s.Build: _builds,
    s.Convert: a_unit(s.Convert, ships, kind="DW", ep=1),
    s.Activate: a_unit(s.Activate, lambda unit: unit.get("mothballed") is True, ep=1),
    s.FormDivision: a_unit(s.FormDivision, ships, division="77th"),
    s.DisbandDivision: plain(s.DisbandDivision, division="77th"),
    s.Depot: _depot,
    s.Replace: a_unit(s.Replace, ships, what="fighters", ep=1),
    s.Battleship: an_empire(s.Battleship, option="begin", ep=3),
    s.Deploy: _deploys,
    s.Colony: an_empire(s.Colony, at="1301", ep=1),
    s.Scuttle: a_unit(s.Scuttle, lambda unit: ships(unit) and is_crippled(unit)),
    r.Pool: _pools,
    r.Resist: _resists,
    r.Raid: _raids,
    r.AnswerRaid: _answers,
    r.Fighters: _fighters,
    r.Skirmish: _skirmishes,
    r.Suffer: _sufferers,
    r.CarryPoints: plain(r.CarryPoints, at="1105", points=-1),
    r.Recall: _recalls,
    r.Disrupt: _disrupts,
    i.InterceptAt: _hexes_of_interception,
    i.RollIntercept: _interceptions,
    i.Load: _loads,
    i.Stay: a_unit(i.Stay, lambda unit: unit.get("raid_kind") == "blockade"),
    r.Emplace: _stations,
    v.MoveUnits: _moves(v.MoveUnits),
    v.React: _moves(v.React),
    v.FormReserve: _reserves,
    v.MoveReserve: _fleets,
    v.Retrograde: _back(v.Retrograde),
    v.DeployRepair: _repair_bases,
    v.FieldRepair: _field_repairs,
    v.Dissolve: plain(v.Dissolve, group="CVA1"),
    c.Withdraw: _whole_stack(c.Withdraw),
    c.NameFlagship: _open_flagships,
    c.Evade: in_the_battle(c.Evade, trait("cloak"), at_least=4),
    c.SealEscorts: plain(c.SealEscorts),
    c.SealFlagship: _flagships,
    c.SealForce: _forces,
    c.DeclarePinwheels: _pinwheels,
    c.DissolvePinwheel: plain(c.DissolvePinwheel),
    c.UseCaptured: in_the_battle(c.UseCaptured, trait("captured")),
    n.FightingRetreat: plain(n.FightingRetreat),
    n.SealIntensity: plain(n.SealIntensity, bir=4),
    n.VaryIntensity: plain(n.VaryIntensity),
    n.AdjustIntensity: plain(n.AdjustIntensity, by=1, why="war-plans"),
    n.SealEW: plain(n.SealEW, points=3),
    n.ShiftEW: plain(n.ShiftEW, shift=1),
    n.Announce: _announced,
    z.DeclareStasis: _stasis,
    z.RollStasis: plain(z.RollStasis),
    z.NameTargets: _targets,
    z.RollTarget: _both_named,
    f.RollDamage: plain(f.RollDamage),
    f.Score: _scores,
    f.Direct: _directs,
    f.Sacrifice: in_the_battle(f.Sacrifice, trait("penal")),
    f.Allot: _allots,
    f.CarryOver: plain(f.CarryOver),
    f.Capture: _captures,
    t.RetreatUnits: _whole_stack(t.RetreatUnits),
    t.SealPursuit: _pursuits,
    t.RollPursuit: plain(t.RollPursuit),
    t.Stand: _stands,
    t.Rescue: _rescues,
    o.OrionRepair: a_unit(o.OrionRepair, is_crippled),
    o.Bribe: an_empire(o.Bribe, ep=1, wish="raid the enemy"),
    o.AcceptBribe: _accepted,
    o.OfferLease: a_unit(o.OfferLease, lambda unit: unit.at == ORION_POOL),
    o.SealBid: plain(o.SealBid, ep=2),
    o.Lease: _leases,
    o.Pirate: a_unit(o.Pirate, lambda unit: unit.at == ORION_POOL, at="1106"),
}
