"""Suggest orders in Phase 1 and for transports, leaders and decoys: supply, income, debt, missions."""

from umpire_ledger.domain.titles.federation_and_empire.counters.counters import (
    COUNTERS,
    Annex,
    Count,
    Negotiate,
    Survey,
    Survive,
    counters_of,
    untested_teams,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    at_hex,
    empire_of,
    empires_of,
    has,
    hex_in_hand,
    in_battle,
    kind_of,
    printed,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import missions
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import (
    Borrow,
    CheckSupply,
    Income,
    JoinGrid,
    PayInterest,
    Receive,
    Scrap,
    StateInterest,
    Trade,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.missions import (
    CODES,
    LINES,
    AssignMission,
    Designate,
    LoseLeader,
    Support,
    TransferLeader,
    transports_free,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import (
    AnnounceDecoys,
    AssignDecoy,
    RevealDecoy,
    decoys_present,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    FEW,
    Orders,
    each_empire,
    each_unit,
    guess,
    mine,
    ships,
    trait,
)
from umpire_ledger.kit import Game, Unit, choice_key, step_open

negotiations = each_unit(Negotiate, trait("diplomat"), at_least=4)
trades = each_unit(Trade, trait("tug"), ep=1)
incomes = each_empire(Income, ep=30, xtp=2)
interest_payments = each_empire(PayInterest)
loans = each_empire(Borrow, ep=2)


def support_lines(game: Game, side: str) -> Orders:
    for line, (kind, _, _) in LINES.items():
        for unit in mine(game, side, trait(kind)):
            ep = guess(game, f"support {line}")
            yield Support(seat=side, unit=unit.id, line=line, ep=ep)  # type: ignore[arg-type]


def scrapped(game: Game, side: str) -> Orders:
    for unit in mine(game, side, ships):
        yield Scrap(seat=side, unit=unit.id, ep=guess(game, f"scrap {kind_of(unit)}"))


def out_of_supply(game: Game, side: str) -> Orders:
    judged = in_battle(game, side) if hex_in_hand(game) else mine(game, side, ships, 1)
    for unit in judged[:1]:
        yield CheckSupply(seat=side, out=(unit.id,))


def counts(game: Game, side: str) -> Orders:
    """Suggest a new counter, at a diplomat if there is one, and the removal of a present one."""
    counter = COUNTERS[step_open(game)]
    places = [unit.at for unit in mine(game, side, trait("diplomat"))] or ["1003"]
    mine_now = [name for name in counters_of(game, side) if name.startswith(f"{counter} ")]
    yield Count(seat=side, counter=counter, place=places[0])  # type: ignore[arg-type]
    for name in mine_now[:1]:
        yield Count(seat=side, counter=counter, place=name.partition(" ")[2], turns=0)  # type: ignore[arg-type]


def surveys(game: Game, side: str) -> Orders:
    """Suggest surveys by the survey ships, with stated points, and with each team."""
    for team in mine(game, side, trait("team")):
        yield Survey(seat=side, empire=empire_of(team), team=1, by=team.id)
        yield Survey(seat=side, empire=empire_of(team), points=3, team=1, by=team.id)
    for empire in empires_of(game, side):
        yield from (Survey(seat=side, empire=empire, points=points) for points in (3, None))


def survivals(game: Game, side: str) -> Orders:
    for team in untested_teams(game, side):
        yield Survive(seat=side, team=team.id, at_least=3)


def annexations(game: Game, side: str) -> Orders:
    """Suggest the annexation of counted provinces, and transfers of annexed ones to a friend."""
    for name in counters_of(game, side):
        for empire in empires_of(game, side):
            yield Annex(seat=side, province=name.partition(" ")[2], empire=empire)
    for marker in sorted(one for one in game.markers if one.startswith("province ")):
        for empire in empires_of(game, side):
            for friend in empires_of(game, side):
                yield Annex(seat=side, province=marker.partition(" ")[2], empire=empire, to=friend)


def interest_stated(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        yield from (StateInterest(seat=side, empire=empire, amount=amount) for amount in (1, 0))


def grids(game: Game, side: str) -> Orders:
    held = [(account, ep) for account, ep in sorted(game.accounts.items()) if "/grid " in account and ep > 0]
    for account, ep in held[:FEW]:
        empire, _, grid = account.partition("/grid ")
        yield JoinGrid(seat=side, empire=empire, grid=grid, ep=ep)


def salvage(game: Game, side: str) -> Orders:
    lost = sorted(
        u.id for u in game.units.values() if u.side == side and u.fate == "destroyed" and not u.get("salvaged")
    )
    for unit in lost[:FEW]:
        ep = guess(game, f"salvage {kind_of(game.units[unit])}")
        yield Receive(seat=side, ep=ep, source="salvage", unit=unit)


def missions_assigned(game: Game, side: str) -> Orders:
    known = missions(game)
    codes = CODES.get(printed(step_open(game)), known or ("J1", "A"))
    able = [code for code in codes if not known or code in known]
    for unit in transports_free(game, side)[:FEW] if able else ():
        yield AssignMission(seat=side, unit=unit.id, code=able[-1])


def designations(game: Game, side: str) -> Orders:
    units = in_battle(game, side) if hex_in_hand(game) else mine(game, side, ships)
    for unit in units[:2]:
        yield Designate(seat=side, units=(unit.id,), role="escort" if hex_in_hand(game) else "1st fleet")


def leaders_transferred(game: Game, side: str) -> Orders:
    for leader in mine(game, side, lambda unit: has(unit, "leader") or has(unit, "team")):
        for ship in (*at_hex(game, leader.at, side)[:2], *_far_ships(game, side)):
            if ship.id != leader.id and not has(ship, "leader"):
                yield TransferLeader(seat=side, leader=leader.id, ship=ship.id)


def _far_ships(game: Game, side: str) -> list[Unit]:
    """Return ships elsewhere that a leader may go to in the open step: the Raid Pool in 3A-1A, any in 2B6 and 8A."""
    step = step_open(game)
    if step == "3A-1A":
        return mine(game, side, lambda unit: unit.at == POOL and not has(unit, "decoy"))
    return mine(game, side, ships) if step in ("2B6", "8A") else []


def leaders_lost(game: Game, side: str) -> Orders:
    kind = "team" if step_open(game) == "5-6C" else "leader"
    for leader in mine(game, side, lambda unit: has(unit, kind) and hex_in_hand(game) in ("", unit.at)):
        yield LoseLeader(seat=side, leader=leader.id)


def decoys_assigned(game: Game, side: str) -> Orders:
    for decoy in mine(game, side, trait("decoy")):
        for ship in mine(game, side, lambda unit: ships(unit) and empire_of(unit) == "romulan", 2):
            yield AssignDecoy(seat=side, decoy=decoy.id, ship=ship.id)


def decoys_announced(game: Game, side: str) -> Orders:
    here = decoys_present(game, side)
    if here:
        yield AnnounceDecoys(seat=side, number=len(here), types=tuple(sorted({unit.kind for unit in here})))


def decoys_revealed(game: Game, side: str) -> Orders:
    for decoy in mine(game, side, trait("decoy")):
        choice = game.choices.get(choice_key(f"decoy {decoy.id}", side))
        if choice is not None and choice.sealed:
            yield RevealDecoy(seat=side, decoy=decoy.id, purpose="diverts what is aimed at it")
