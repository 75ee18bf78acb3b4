"""Suggest orders in Phase 11: bribes, leases, piracy."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION_POOL,
    empires_of,
    is_crippled,
    kind_of,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.orions import (
    AcceptBribe,
    Bribe,
    Lease,
    OfferLease,
    OrionRepair,
    Pirate,
    SealBid,
    active_fleets,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    Orders,
    each_empire,
    each_unit,
    guess,
    mine,
)
from umpire_ledger.kit import Game, names_in

bribes = each_empire(Bribe, ep=1, wish="raid the enemy")
ships_offered = each_unit(OfferLease, lambda unit: unit.at == ORION_POOL)
pirates = each_unit(Pirate, lambda unit: unit.at == ORION_POOL, at="1106")


def orion_repairs(game: Game, side: str) -> Orders:
    for unit in mine(game, side, is_crippled):
        yield OrionRepair(seat=side, unit=unit.id, ep=guess(game, f"repair {kind_of(unit)}"))


def bribes_accepted(game: Game, side: str) -> Orders:
    offers = sorted(marker.removeprefix("bribe ") for marker in game.markers if marker.startswith("bribe "))
    for empire in offers:
        yield AcceptBribe(seat=side, empire=empire)


def bids(game: Game, side: str) -> Orders:
    """Suggest no bid, and a bid of each empire."""
    yield SealBid(seat=side, ep=0)
    for empire in empires_of(game, side):
        yield SealBid(seat=side, ep=2, empire=empire)


def leases(game: Game, side: str) -> Orders:
    for unit in names_in(game, "on offer")[:1]:
        for empire in empires_of(game, side):
            for at in active_fleets(game, empire)[:1]:
                yield Lease(seat=side, unit=unit, at=at, empire=empire)
