"""Phase 11: the Orions' own turn: ships come home, are repaired and bought; bribes, leases by auction, piracy.

A side `orion` plays them, a person or a committee; without it the steps are passed. [reading] Bids are sealed and
opened together: the printed text does not say.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.battle import chosen, commit_and_open
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    ORION_POOL,
    empire_of,
    is_crippled,
    own_empire,
    own_unit,
    owner_name,
    refuse,
    rule_of,
    spent,
    turn_order,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex
from umpire_ledger.domain.titles.federation_and_empire.repairs import mended
from umpire_ledger.kit import Dice, Game, Name, Order, Result, Unit, UnitName, changed, marked, moved, names_in, paid

ORION = "orion"
Bid = Annotated[int, msgspec.Meta(ge=0, le=999)]


class OrionRepair(Order, frozen=True, kw_only=True, tag="orion-repair"):
    """A crippled Orion ship is repaired."""

    unit: UnitName


class Bribe(Order, frozen=True, kw_only=True, tag="bribe"):
    """An empire offers the Orions a bribe."""

    ep: Annotated[int, msgspec.Meta(ge=1, le=999)]
    wish: Name
    empire: str = ""


class AcceptBribe(Order, frozen=True, kw_only=True, tag="accept-bribe"):
    """The Orions take an empire's bribe."""

    empire: Name


class OfferLease(Order, frozen=True, kw_only=True, tag="offer-lease"):
    """A ship of the Orion Force Pool is put up for auction."""

    unit: UnitName


class SealBid(Order, frozen=True, kw_only=True, tag="seal-bid"):
    """Bid for the first ship that is on offer, 0 for none; opened when every side with a player turn has bid."""

    ep: Bid


class Lease(Order, frozen=True, kw_only=True, tag="lease"):
    """The highest bidder pays and takes the ship to his fleet."""

    unit: UnitName
    at: Hex
    empire: str = ""


class Pirate(Order, frozen=True, kw_only=True, tag="pirate"):
    """An Orion ship is deployed for piracy."""

    unit: UnitName
    at: Hex


# --- home and shipyard ------------------------------------------------------------------------------------------------


def orions(game: Game) -> tuple[str, ...]:
    """The side that plays the Orions."""
    return (ORION,) if ORION in game.side_ids else ()


def _orion_ships(game: Game) -> tuple[Unit, ...]:
    return units_where(game, lambda unit: empire_of(unit) == ORION)


def recover(game: Game) -> list[Result]:
    """11A: ships that were deployed for piracy are in the Force Pool again."""
    out = (unit for unit in _orion_ships(game) if unit.side == ORION and unit.at != ORION_POOL)
    return [event for unit in out for event in moved(unit, (ORION_POOL,), "recovered", "11A")]


def end_leases(game: Game) -> list[Result]:
    """11B: every leased ship is Orion again."""
    leased = (unit for unit in _orion_ships(game) if unit.side != ORION)
    cause, rule = "the lease ends", "11B"
    return [
        event
        for unit in leased
        for event in (*changed(unit, "side", ORION, cause, rule), *moved(unit, (ORION_POOL,), cause, rule))
    ]


def decide_orion_repair(game: Game, order: OrionRepair, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if not is_crippled(unit):
        raise refuse(game, f"{unit.id} is not crippled", "name a crippled ship, or `done`")
    return mended(unit, "Orion shipyard", rule_of(game))


# --- bribes -----------------------------------------------------------------------------------------------------------


def decide_bribe(game: Game, order: Bribe, _: Dice) -> list[Result]:
    """The offer is noted; it is paid when it is taken. Raises RuleViolation for more than the treasury holds."""
    empire = own_empire(game, order, order.empire)
    held = game.accounts.get(f"{empire}/EP", 0)
    if order.ep > held:
        raise refuse(game, f"{owner_name(game, empire)} holds {held} EP", f"offer at most {held}", "504.33")
    return marked(game, f"bribe {empire}", (str(order.ep), order.wish), "offered", rule_of(game))


def decide_accept_bribe(game: Game, order: AcceptBribe, _: Dice) -> list[Result]:
    """EPs go to the Orions. Raises RuleViolation when that empire has offered nothing."""
    offer = names_in(game, f"bribe {order.empire}")
    if not offer:
        raise refuse(game, f"{order.empire} offers no bribe", "name an empire that does, or `done`", "504.33")
    rule = rule_of(game)
    return [
        *spent(game, order.empire, int(offer[0]), "bribe to the Orions", rule),
        *paid(game, f"{ORION}/EP", int(offer[0]), f"bribe of {order.empire}", rule),
        *marked(game, f"bribe {order.empire}", None, "accepted", rule),
    ]


def bribes_to_lapse(game: Game, _: str) -> tuple[str, ...]:
    """Bribes that are off the table when 11E is left."""
    left = ", ".join(sorted(m.removeprefix("bribe ") for m in game.markers if m.startswith("bribe ")))
    return (f"bribes that lapse: {left}",) if left else ()


def decline_bribes(game: Game) -> list[Result]:
    """11F: what was not accepted is off the table."""
    old = sorted(marker for marker in game.markers if marker.startswith("bribe "))
    return [event for marker in old for event in marked(game, marker, None, "not accepted", "11E")]


# --- leases and piracy ------------------------------------------------------------------------------------------------


def decide_offer_lease(game: Game, order: OfferLease, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if unit.at != ORION_POOL or unit.id in names_in(game, "on offer"):
        raise refuse(
            game, f"{unit.id} cannot be offered", "name a ship of the Force Pool that is not on offer", "504.33"
        )
    return marked(game, "on offer", (*names_in(game, "on offer"), unit.id), "", rule_of(game))


def on_offer(game: Game, _: str) -> tuple[str, ...]:
    """The ships on offer."""
    return names_in(game, "on offer")


def bids_missing(game: Game, side: str) -> bool:
    """Whether a ship is on offer and the side has not bid."""
    return bool(names_in(game, "on offer")) and f"{side} bid" not in names_in(game, "sealed")


def decide_seal_bid(game: Game, order: SealBid, _: Dice) -> list[Result]:
    """Raises RuleViolation: nothing is on offer; a second bid."""
    if not names_in(game, "on offer"):
        raise refuse(game, "no ship is on offer", "`done`", "504.33")
    return commit_and_open(game, game.side_of(order.seat), "bid", order.ep, "504.33", turn_order(game))


def highest(game: Game) -> str:
    """The side with the highest opened bid; on equal bids the earlier in turn order. "" where nobody bids."""
    bids = {side: chosen(game, "bid", side) for side in turn_order(game)}
    numbers = {side: bid for side, bid in bids.items() if isinstance(bid, int) and bid > 0}
    return max(numbers, key=lambda side: numbers[side], default="") if len(bids) == len(turn_order(game)) else ""


def decide_lease(game: Game, order: Lease, _: Dice) -> list[Result]:
    """Raises RuleViolation: not on offer; bids are not opened, or another side's was higher."""
    side, empire = game.side_of(order.seat), own_empire(game, order, order.empire)
    if order.unit not in names_in(game, "on offer")[:1]:
        on_offer = ", ".join(names_in(game, "on offer")[:1]) or "nothing"
        raise refuse(game, f"{order.unit} is not the ship that is bid for", f"it is {on_offer}", "504.33")
    if any(bids_missing(game, one) for one in turn_order(game)) or highest(game) != side:
        raise refuse(game, "yours is not the highest of the opened bids", "wait until all have bid", "504.33")
    bid, unit, rule = chosen(game, "bid", side), game.units[order.unit], rule_of(game, "504.33")
    assert isinstance(bid, int)
    return [
        *spent(game, empire, bid, f"lease of {unit.id}", rule),
        *paid(game, f"{ORION}/EP", bid, f"lease of {unit.id}", rule),
        *changed(unit, "side", side, "leased", rule),
        *moved(unit, (order.at,), "leased", rule),
        *marked(game, "on offer", names_in(game, "on offer")[1:] or None, "leased", rule),
        *marked(game, "sealed", None, "the next ship is bid for", rule),
    ]


def close_auction(game: Game) -> list[Result]:
    """11H: what found no bidder stays in the pool."""
    return [*marked(game, "on offer", None, "the auction is over", "11G"), *marked(game, "sealed", None)]


def decide_pirate(game: Game, order: Pirate, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if unit.at != ORION_POOL:
        raise refuse(game, f"{unit.id} is at {unit.at}", "name a ship of the Force Pool", "504.34")
    rule = rule_of(game, "504.34")
    return [*changed(unit, "piracy", game.turn, "", rule), *moved(unit, (order.at,), "piracy", rule)]
