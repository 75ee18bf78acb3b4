"""Suggest orders in Phase 5: withdrawal, forces, intensity, stasis, damage, retreat and pursuit."""

from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire.combat.assignments import pinwheels_sealed
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    answered,
    battlers,
    foe_in_battle,
    is_working_base,
    round_number,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import RollDamage, Score, compot_of, damage_of
from umpire_ledger.domain.titles.federation_and_empire.combat.damage_chart import has_chart
from umpire_ledger.domain.titles.federation_and_empire.combat.directed import Direct, Sacrifice, cost_of
from umpire_ledger.domain.titles.federation_and_empire.combat.electronic_warfare import SealEW, ShiftEW, is_printed
from umpire_ledger.domain.titles.federation_and_empire.combat.forces import (
    SealEscorts,
    SealFlagship,
    SealForce,
    command_limit,
    flagship_sealed,
    groups_of,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import (
    PURPOSES,
    AdjustIntensity,
    Announce,
    FightingRetreat,
    SealIntensity,
    VaryIntensity,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.pinwheels import DeclarePinwheels, DissolvePinwheel
from umpire_ledger.domain.titles.federation_and_empire.combat.prizes import Capture, UseCaptured
from umpire_ledger.domain.titles.federation_and_empire.combat.pursuit import (
    AddSlow,
    RollPursuit,
    SealPursuit,
    Stand,
    is_slow,
    slow_units,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.rescues import Rescue
from umpire_ledger.domain.titles.federation_and_empire.combat.retreat import RetreatUnits, pursued
from umpire_ledger.domain.titles.federation_and_empire.combat.withdrawal import (
    AnnounceWithdrawal,
    Evade,
    NameFlagship,
    Withdraw,
    announced,
    announced_by_name,
    open_flagship,
    who_may_lead,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    RIDERS,
    at_hex,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    is_carried,
    is_crippled,
    is_ship,
    phasing,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.allotment import Allot, CarryOver, takers
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import neighbours
from umpire_ledger.domain.titles.federation_and_empire.movement.stasis import (
    DeclareStasis,
    NameTargets,
    RollStasis,
    RollTarget,
    names_first,
    targets_missing,
    valid_targets,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import (
    RecordDecoys,
    WithdrawDecoy,
    is_decoy,
    ship_of_decoy,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    FEW,
    Made,
    Orders,
    each_in_battle,
    plain,
    trait,
)
from umpire_ledger.kit import Game, Suggest, Unit, step_open

evasions = each_in_battle(Evade, trait("cloak"), at_least=4)
pinwheels_dissolved = plain(DissolvePinwheel)
captured_ships = each_in_battle(UseCaptured, trait("captured"))
fighting_retreats = plain(FightingRetreat)
intensities = plain(SealIntensity, bir=4)
variable_intensities = plain(VaryIntensity)
war_plans = plain(AdjustIntensity, by=1, why="war-plans")
stasis_rolls = plain(RollStasis)
damage_rolls = plain(RollDamage)
sacrifices = each_in_battle(Sacrifice, trait("penal"))
carried_over = plain(CarryOver)
pursuit_rolls = plain(RollPursuit)


def shifts(game: Game, side: str) -> Orders:
    """Suggest a shift of 1, -1 and 0."""
    return (ShiftEW(seat=side, shift=shift) for shift in (1, -1, 0))


def electronic_warfare(game: Game, side: str) -> Orders:
    """Suggest no points, and the points of up to two scouts and bases of the force."""
    free = [one for one in serving(game, side) if not one.get("frozen") and not has(one, "xbase")]
    able = [one for one in free if has(one, "scout") or is_base(one)][:2]
    yield SealEW(seat=side, points=0)
    yield SealEW(seat=side, points=0, units=tuple(one.id for one in free[:1]))
    if able:
        points = sum(one.number("ew") for one in able) if is_printed(game) else 3
        yield SealEW(seat=side, points=points, units=tuple(one.id for one in able))


def decoys(game: Game, side: str) -> Orders:
    """Suggest no decoys, and those that were recorded for ships of the side."""
    yield RecordDecoys(seat=side)
    ship = next((unit.id for unit in game.in_play(side) if has(unit, "cloak")), "")
    unseen = [unit for unit in game.in_play(side) if has(unit, "decoy") and not unit.get("revealed")]
    if unseen and ship:
        yield RecordDecoys(seat=side, places=tuple(f"{one.id} {ship_of_decoy(game, one) or ship}" for one in unseen))


def withdrawals_named(game: Game, side: str) -> Orders:
    for unit in [unit for unit in in_battle(game, side) if not is_base(unit)][:1]:
        yield AnnounceWithdrawal(seat=side, units=(unit.id,))


def decoys_withdrawn(game: Game, side: str) -> Orders:
    gone = [unit for unit in game.in_play(side) if unit.get("withdrew") == hex_in_hand(game)]
    decoys = [unit for unit in game.in_play(side) if has(unit, "decoy") and ship_of_decoy(game, unit)]
    if gone and decoys and neighbours(gone[0].at):
        yield WithdrawDecoy(seat=side, decoy=decoys[0].id, path=neighbours(gone[0].at)[-1:])


def slow_added(game: Game, side: str) -> Orders:
    for unit in [unit for unit in in_battle(game, side) if not is_base(unit)][:FEW]:
        yield AddSlow(seat=side, units=(unit.id,))


def escorts(game: Game, side: str) -> Orders:
    """Suggest no groups, and one group of two."""
    yield SealEscorts(seat=side)
    if len(ships := list(in_battle(game, side))) > 1:
        yield SealEscorts(seat=side, groups=(f"{ships[0].id}: {ships[1].id}",))


def out_of_the_battle(order: Made) -> Suggest:
    """Suggest that all ships of the battle hex go to one of two hexes next to it."""

    def suggest(game: Game, side: str) -> Orders:
        place = hex_in_hand(game)
        here = [unit for unit in at_hex(game, place, side) if not is_base(unit) and not is_carried(unit)]
        here = [unit for unit in here if RIDERS.isdisjoint(unit.names("traits"))]
        if order is Withdraw and announced_by_name(game, side):
            here = list(announced(game, side))
        units = tuple(unit.id for unit in here)
        if units and neighbours(place):
            for path in (neighbours(place)[:1], neighbours(place)[-1:]):
                yield order(seat=side, units=units, path=path)

    return suggest


withdrawals = out_of_the_battle(Withdraw)
retreats = out_of_the_battle(RetreatUnits)


def flagships_named(game: Game, side: str) -> Orders:
    """Suggest flagships, those with a command rating first: one without a rating is refused if another unit has one."""
    for unit in sorted(who_may_lead(game, side), key=lambda one: one.get("command") is None)[:FEW]:
        yield NameFlagship(seat=side, unit=unit.id)


def flagships_sealed(game: Game, side: str) -> Orders:
    approach = answered(game, "5-2A3") == "accept" and side != phasing(game)
    able = [unit for unit in in_battle(game, side) if not (approach and is_working_base(unit))]
    named = open_flagship(game, side)
    bound = side != phasing(game) and round_number(game) == 1 and any(unit.id == named for unit in able)
    for unit in able:
        if unit.id == named or not bound:
            yield SealFlagship(seat=side, unit=unit.id)


def forces_sealed(game: Game, side: str) -> Orders:
    units = in_battle(game, side)
    if answered(game, "5-2A3") == "accept" and side != phasing(game):
        units = tuple(unit for unit in units if not is_working_base(unit))  # 5-2A4: the base is left out
    named = game.units.get(flagship_sealed(game, side)[0])
    most = command_limit(game, named, 0) if named else None
    led = _whole_groups(game, side, [unit for unit in units if not is_base(unit)], named)[:most]
    ours = tuple(unit.id for unit in units if unit == named or is_base(unit) or unit in led)
    ours = _without_broken_groups(game, side, ours, tuple(unit.id for unit in units))
    yield SealForce(seat=side, units=ours)
    able = {name: game.units[name] for name in ours}
    yield SealForce(
        seat=side,
        units=ours,
        rescues=tuple(name for name in ours if has(able[name], "tug")),
        bombards=tuple(name for name in ours if has(able[name], "drone"))[:1],
        gce=tuple(name for name in ours if able[name].get("gce") is None)[:1],
    )
    recorded = {ship_of_decoy(game, unit) for unit in game.in_play(side) if is_decoy(unit)}
    if placed := tuple(f"{name} rear" for name in ours if name in recorded):
        yield SealForce(seat=side, units=ours, decoys=placed)
    wheel = [name for name in ours if has(able[name], "pinwheel") and able[name].get("pinwheel") is None]
    if len(wheel) > 1:
        yield SealForce(seat=side, units=ours, pinwheels=(" ".join(wheel),))
    if led:
        fewer = tuple(unit for unit in ours if unit != led[-1].id)
        yield SealForce(seat=side, units=_without_broken_groups(game, side, fewer, tuple(unit.id for unit in units)))


def _without_broken_groups(game: Game, side: str, ours: tuple[str, ...], every: tuple[str, ...]) -> tuple[str, ...]:
    """Return the force without the groups that the limit has split: a group fights whole or not at all (515.15)."""
    here = [tuple(name for name in group if name in every) for group in groups_of(game, side)]
    broken = {name for group in here if not set(group) <= set(ours) for name in group}
    return tuple(name for name in ours if name not in broken) or ours


def _whole_groups(game: Game, side: str, units: list[Unit], flagship: Unit | None) -> list[Unit]:
    """Return the units without the flagship: those of its escort group first, then group by group."""
    of = {name: number for number, group in enumerate(groups_of(game, side), 1) for name in group}
    first = of.get(flagship.id, 0) if flagship else 0
    beside = [unit for unit in units if unit != flagship]
    return sorted(beside, key=lambda unit: (not first or of.get(unit.id) != first, of.get(unit.id, 0)))


def pinwheels(game: Game, side: str) -> Orders:
    yield DeclarePinwheels(seat=side, number=pinwheels_sealed(game, side))


def announcements(game: Game, side: str) -> Orders:
    target = next((unit.id for foe in foe_in_battle(game, side) for unit in serving(game, foe) if is_base(unit)), "")
    step = step_open(game)
    traits = {"5-4A6": ("saf",), "5-4B": ("shock",), "5-4A5": ("troops", "commando")}.get(step, ())
    aim = "" if step == "5-4B" else target

    def able(unit: Unit) -> bool:
        lands = step == "5-4A5" and unit.get("gce") == "aboard"
        return any(has(unit, trait) for trait in traits) or lands or bool(unit.get("eligible"))

    for unit in [unit for unit in serving(game, side) if able(unit)][:2]:
        yield Announce(seat=side, units=(unit.id,), purpose=PURPOSES.get(step, ""), factors=1, target=aim)


def stasis_attempts(game: Game, side: str) -> Orders:
    targets = [unit.id for foe in foe_in_battle(game, side) for unit in serving(game, foe)]
    carriers = [unit.id for unit in serving(game, side) if has(unit, "sfg")]
    if targets and carriers:
        yield DeclareStasis(seat=side, attempts=dict(zip(carriers, targets, strict=False)))


DRONE_SHIPS = ("one drone ship", "two drone ships", "three drone ships")


def possible_attempts(game: Game) -> tuple[str, ...]:
    """Return each ship with a stasis field generator with each enemy that fights, for a form."""
    fighting = serving(game)
    carriers = [unit for unit in fighting if has(unit, "sfg")]
    return tuple(f"{ship.id}={foe.id}" for ship in carriers for foe in fighting if foe.side != ship.side)


def called_modifiers(_: Game) -> tuple[str, ...]:
    """Return modifiers of COMPOT that the title does not add up, for a form."""
    return tuple(f"{6 * count}:drone bombardment of {words}" for count, words in enumerate(DRONE_SHIPS, 1))


def stasis_targets(game: Game, side: str) -> Orders:
    valid = () if names_first(game, side) else valid_targets(game, side)
    if valid:
        yield NameTargets(seat=side, targets=valid[:3])


def targets_rolled(game: Game, side: str) -> Orders:
    if not any(targets_missing(game, one) for one in battlers(game)):
        yield RollTarget(seat=side)


def scores(game: Game, side: str) -> Orders:
    yield Score(seat=side, points=None if has_chart(game) else compot_of(serving(game, side)) // 3)


def directed(game: Game, side: str) -> Orders:
    targets = [unit for foe in foe_in_battle(game, side) for unit in serving(game, foe)]
    for unit in targets:
        result: Literal["crippled", "destroyed"] = "destroyed" if is_crippled(unit) else "crippled"
        if cost_of(game, unit, result) <= damage_of(game, side):
            yield Direct(seat=side, unit=unit.id, result=result)
            return


def allotments(game: Game, side: str) -> Orders:
    for unit in takers(game, side)[:4]:
        yield Allot(seat=side, unit=unit.id, result="destroyed" if is_crippled(unit) else "crippled")


def captures(game: Game, side: str) -> Orders:
    for foe in foe_in_battle(game, side):
        for unit in [one for one in serving(game, foe) if is_crippled(one) and not is_base(one)][:1]:
            yield Capture(seat=side, unit=unit.id, at_least=5)


def pursuit_forces(game: Game, side: str) -> Orders:
    units = _led(game, [unit for unit in in_battle(game, side) if is_ship(unit)])
    if units:
        yield SealPursuit(seat=side, units=units)
    if len(units) > 1 and any(slow_units(game, one) for one in pursued(game)):
        yield SealPursuit(seat=side, units=units[:1], slow=units[1:2])


def stands(game: Game, side: str) -> Orders:
    quick = _led(game, [unit for unit in in_battle(game, side) if not is_base(unit) and not is_slow(unit)])
    if quick:
        yield Stand(seat=side, units=quick)


def _led(game: Game, units: list[Unit]) -> tuple[str, ...]:
    """Return the best flagship of these units, with as many of the others as it leads."""
    limits = {unit.id: command_limit(game, unit) for unit in units}
    best = max(limits, key=lambda name: limits[name] or 0, default="")
    most = limits.get(best)
    others = [name for name in limits if name != best]
    kept = {best, *(others if most is None else others[:most])}
    return tuple(name for name in limits if name in kept)


def rescues(game: Game, side: str) -> Orders:
    here = serving(game, side)
    for tug in [unit for unit in here if unit.get("task") == "rescue"][:1]:
        for unit in [one for one in here if one.id != tug.id][:1]:
            yield Rescue(seat=side, tug=tug.id, unit=unit.id)
