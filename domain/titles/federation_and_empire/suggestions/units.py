"""Suggest orders for single units in a battle: bonuses, towing, web casters, SWACs, transfers, fates."""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.combat.fates import SAF, RollFate, StrikeSaf, aimed, rolled_for
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    has,
    hex_in_hand,
    is_crippled,
    living,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.missions import RevealAdmiral
from umpire_ledger.domain.titles.federation_and_empire.raids.designations import (
    AssignSwac,
    AttackCloaked,
    CastWeb,
    GiveBonus,
    PullOut,
    ReturnGce,
    TakeCore,
    Tow,
    TransferFighters,
    TransferGce,
    aboard,
    is_unused_caster,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import FEW, Orders
from umpire_ledger.kit import Game, step_open


def bonuses(game: Game, side: str) -> Orders:
    for unit in serving(game, side)[:1]:
        yield GiveBonus(seat=side, unit=unit.id, bonus="formation")
    for unit in [unit for unit in serving(game, side) if has(unit, "scout")][:1]:
        yield GiveBonus(seat=side, unit=unit.id, bonus="scout")


def cores(game: Game, side: str) -> Orders:
    for unit in [unit for unit in serving(game, side) if has(unit, "isc") and not unit.get("core")][:1]:
        yield TakeCore(seat=side, units=(unit.id,))


def tows(game: Game, side: str) -> Orders:
    here = serving(game, side)
    towed = {unit.get("tows") for unit in here}
    for cripple in [unit for unit in here if is_crippled(unit) and unit.get("in_web") and unit.id not in towed][:1]:
        for ship in [unit for unit in here if not is_crippled(unit) and not unit.get("tows")][:1]:
            yield Tow(seat=side, ship=ship.id, cripple=cripple.id)


def pulled(game: Game, side: str) -> Orders:
    for ship in [unit for unit in serving(game, side) if unit.get("tows")][:FEW]:
        yield PullOut(seat=side, ship=ship.id)


def webs_cast(game: Game, side: str) -> Orders:
    for caster in [unit for unit in serving(game, side) if is_unused_caster(unit)][:1]:
        if step_open(game) == "5-3J":
            targets = [unit for foe in foe_in_battle(game, side) for unit in serving(game, foe)][:1]
            yield from (CastWeb(seat=side, caster=caster.id, target=unit.id, by=1) for unit in targets)
        else:
            yield CastWeb(seat=side, caster=caster.id, target=caster.id, by=1)


def cloaked(game: Game, side: str) -> Orders:
    for unit in [unit for unit in serving(game, side) if has(unit, "cloak")][:FEW]:
        yield AttackCloaked(seat=side, units=(unit.id,))


def swacs(game: Game, side: str) -> Orders:
    for unit in [unit for unit in serving(game, side) if has(unit, "swac")][:FEW]:
        yield AssignSwac(seat=side, unit=unit.id, mission="wild")


def fighters(game: Game, side: str) -> Orders:
    here = serving(game, side)
    for taker in [unit for unit in here if unit.number("fighters_gone")][:1]:
        for giver in [unit for unit in here if unit.id != taker.id and aboard(unit, "fighters") > 0][:1]:
            yield TransferFighters(seat=side, unit=giver.id, to=taker.id, number=1)


def gces_back(game: Game, side: str) -> Orders:
    for unit in [unit for unit in serving(game, side) if unit.get("gce") == "landed"][:FEW]:
        yield ReturnGce(seat=side, units=(unit.id,))


def gces(game: Game, side: str) -> Orders:
    here = serving(game, side)
    for giver in [unit for unit in here if unit.get("gce") == "aboard"][:1]:
        for taker in [unit for unit in here if unit.get("gce") is None][:1]:
            yield TransferGce(seat=side, unit=giver.id, to=taker.id)


def fates_rolled(game: Game, side: str) -> Orders:
    for unit in rolled_for(game, side)[:FEW]:
        yield RollFate(seat=side, unit=unit.id, at_least=4)


def safs(game: Game, side: str) -> Orders:
    for unit in aimed(game, side):
        looked_up = SAF.name in game.tables
        yield (
            StrikeSaf(seat=side, unit=unit.id)
            if looked_up
            else StrikeSaf(seat=side, unit=unit.id, result="missed", at_least=4)
        )


def admirals(game: Game, side: str) -> Orders:
    here = {unit.id for unit in serving(game, side)} if hex_in_hand(game) else set()
    found = (one for one in living(game) if one.get("aboard") in here and one.get("effect") is None)
    for leader in [one for one in found if has(one, "leader")][:1]:
        yield RevealAdmiral(seat=side, leader=leader.id, effect=1)
