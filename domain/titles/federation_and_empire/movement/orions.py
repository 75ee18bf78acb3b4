"""Play Phase 11, the Orions' own turn: ships return, are repaired and bought; bribes, leases by auction, piracy.

The side `orion`, a person or a committee, plays them; without it the steps are passed. [reading] Bids are sealed and
revealed together, because the printed text does not say how to bid. A pirate on the map is an enemy of all sides.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import chosen, commit_and_open
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION,
    ORION_POOL,
    RIDERS,
    empire_of,
    empires_of,
    has,
    is_base,
    is_crippled,
    is_ship,
    kind_of,
    living,
    own_empire,
    own_unit,
    owner_name,
    refuse,
    regrouped,
    rule_of,
    spent,
    stepped_off,
    travelled,
    turn_order,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import price
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import mended
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, is_hex
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    marked,
    moved,
    names_in,
    paid,
)

Bid = Annotated[int, msgspec.Meta(ge=0, le=999)]


class OrionRepair(Order, frozen=True, kw_only=True, tag="orion-repair"):
    """Repair a crippled Orion ship."""

    unit: UnitName
    ep: Bid | None = None


class Bribe(Order, frozen=True, kw_only=True, tag="bribe"):
    """Offer the Orions a bribe from an empire."""

    ep: Annotated[int, msgspec.Meta(ge=1, le=999)]
    wish: Name
    empire: str = ""


class AcceptBribe(Order, frozen=True, kw_only=True, tag="accept-bribe"):
    """Accept an empire's bribe, as the Orions."""

    empire: Name


class OfferLease(Order, frozen=True, kw_only=True, tag="offer-lease"):
    """Put a ship of the Orion Force Pool up for auction."""

    unit: UnitName


class SealBid(Order, frozen=True, kw_only=True, tag="seal-bid"):
    """Bid for the first ship on offer, 0 for no bid; all bids are revealed when every side with player turns has bid.

    `also`: bids of your other empires, each as EMPIRE=EP.
    """

    ep: Bid
    empire: str = ""
    also: tuple[Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]*=[0-9]{1,3}$")], ...] = ()


class Lease(Order, frozen=True, kw_only=True, tag="lease"):
    """Pay the highest bid and take the ship to a fleet."""

    unit: UnitName
    at: Hex
    empire: str = ""


class Pirate(Order, frozen=True, kw_only=True, tag="pirate"):
    """Deploy an Orion ship for piracy."""

    unit: UnitName
    at: Hex


# --- home and shipyard ------------------------------------------------------------------------------------------------


def orions(game: Game) -> tuple[str, ...]:
    """Return the side that plays the Orions."""
    return (ORION,) if ORION in game.side_ids else ()


def _orion_ships(game: Game) -> tuple[Unit, ...]:
    return units_where(game, lambda unit: empire_of(unit) == ORION)


def recover(game: Game) -> list[Result]:
    """Return the ships that were deployed for piracy to the Force Pool (11A)."""
    out = [unit for unit in _orion_ships(game) if unit.side == ORION and unit.at != ORION_POOL]
    home = travelled(game, out, (ORION_POOL,), "recovered", "11A")
    return [*(event for unit in out for event in changed(unit, "piracy", None, "recovered", "11A")), *home]


OF_THE_LESSEE = ("lessee", "reserve", "fleet", "group", "mission", "assigned", "supply", "designated")
"""Attributes that a lessee set on a ship; they end with the lease."""


def end_leases(game: Game) -> list[Result]:
    """Return every leased ship to the Orions (11B); units of the lessee aboard it stay in their hex."""
    leased = (unit for unit in _orion_ships(game) if unit.side != ORION and not has(unit, "captured"))
    cause, rule = "the lease ends", "11B"
    results: list[Result] = []
    for unit in leased:
        now = after(game, results)  # a group that two leased ships leave takes the name of one that stays
        ship = now.units[unit.id]
        results += [
            *stepped_off(now, ship, cause, rule),
            *regrouped(now, ship, rule),
            *(one for name in OF_THE_LESSEE for one in changed(ship, name, None, cause, rule)),
            *changed(ship, "side", ORION, cause, rule),
            *moved(ship, (ORION_POOL,), cause, rule),
        ]
    return results


def decide_orion_repair(game: Game, order: OrionRepair, _: Dice) -> list[Result]:
    """Repair a crippled Orion ship at once.

    Raises:
        RuleViolation: The unit is not a ship, is not crippled, or its repair costs more than the treasury holds.
    """
    unit = _orion_ship(game, order)
    if not is_crippled(unit):
        raise refuse(game, "retrograde-not-crippled", unit=unit.id)
    rule, ep = rule_of(game), price(game, order.ep, f"repair {kind_of(unit)}", free=True)
    return [*spent(game, ORION, ep, f"repair of {unit.id}", rule), *mended(unit, "Orion shipyard", rule)]


# --- bribes -----------------------------------------------------------------------------------------------------------


def decide_bribe(game: Game, order: Bribe, _: Dice) -> list[Result]:
    """Note the offer of a bribe, which is paid when it is accepted.

    Raises:
        RuleViolation: The empire has already offered a bribe, or offers more than its treasury holds.
    """
    empire = own_empire(game, order, order.empire)
    if names_in(game, f"bribe {empire}"):
        raise refuse(game, "bribe-offered", "504.33", empire=owner_name(game, empire))
    held = game.accounts.get(f"{empire}/EP", 0)
    if order.ep > held:
        raise refuse(game, "bribe-too-high", "504.33", empire=owner_name(game, empire), limit=held)
    return marked(game, f"bribe {empire}", (str(order.ep), order.wish), "offered", rule_of(game))


def decide_accept_bribe(game: Game, order: AcceptBribe, _: Dice) -> list[Result]:
    """Pay an offered bribe to the Orions.

    Raises:
        RuleViolation: That empire has offered no bribe.
    """
    offer = names_in(game, f"bribe {order.empire}")
    if not offer:
        raise refuse(game, "no-bribe-offered", "504.33", empire=order.empire)
    rule = rule_of(game)
    return [
        *spent(game, order.empire, int(offer[0]), "bribe to the Orions", rule),
        *paid(game, f"{ORION}/EP", int(offer[0]), f"bribe of {order.empire}", rule),
        *marked(game, f"bribe {order.empire}", None, "accepted", rule),
    ]


def bribes_to_lapse(game: Game, _: str) -> tuple[str, ...]:
    """Describe the bribes that lapse at the end of 11E."""
    left = ", ".join(sorted(m.removeprefix("bribe ") for m in game.markers if m.startswith("bribe ")))
    return (f"bribes that lapse: {left}",) if left else ()


def decline_bribes(game: Game) -> list[Result]:
    """Remove the bribes that were not accepted (11F)."""
    old = sorted(marker for marker in game.markers if marker.startswith("bribe "))
    return [event for marker in old for event in marked(game, marker, None, "not accepted", "11E")]


# --- leases and piracy ------------------------------------------------------------------------------------------------


def _orion_ship(game: Game, order: OrionRepair | OfferLease | Pirate, number: str = "") -> Unit:
    """Return the Orion ship of an order.

    Raises:
        RuleViolation: The unit is not a ship; a leader, for instance, goes with a ship.
    """
    unit = own_unit(game, order, order.unit)
    if not is_ship(unit):
        raise refuse(game, "not-in-force-pool", number, unit=unit.id)
    return unit


def decide_offer_lease(game: Game, order: OfferLease, _: Dice) -> list[Result]:
    """Put a ship of the Force Pool up for auction.

    Raises:
        RuleViolation: The unit is not a ship, is not in the Force Pool, or is already on offer.
    """
    unit = _orion_ship(game, order, "504.33")
    if unit.at != ORION_POOL or unit.id in names_in(game, "on offer"):
        raise refuse(game, "cannot-be-offered", "504.33", unit=unit.id)
    return marked(game, "on offer", (*names_in(game, "on offer"), unit.id), "", rule_of(game))


def on_offer(game: Game, _: str) -> tuple[str, ...]:
    """Return the ships on offer."""
    return names_in(game, "on offer")


def bids_missing(game: Game, side: str) -> bool:
    """Check whether a ship is on offer and the side has not bid."""
    return bool(names_in(game, "on offer")) and f"{side} bid" not in names_in(game, "sealed")


def has_bid(game: Game, side: str) -> bool:
    """Return whether no ship is on offer, or the side has sealed its bid for it."""
    return not bids_missing(game, side)


def decide_seal_bid(game: Game, order: SealBid, _: Dice) -> list[Result]:
    """Seal a side's bids; the last side to bid reveals all bids. A ship without bids makes way for the next one.

    Raises:
        RuleViolation: No ship is on offer; the side has already bid; a bid is more than the treasury holds; an empire
            is another side's, even with a bid of 0; or an empire is named twice, or has no fleet.
    """
    side, offered = game.side_of(order.seat), names_in(game, "on offer")
    if not offered:
        raise refuse(game, "no-ship-on-offer", "504.33")
    if not bids_missing(game, side):
        raise refuse(
            game,
            "bid-sealed-already",
            "504.33",
            side_has=game.side_does(side, "has"),
            unit=offered[0],
            remedy=_what_next(game, side),
        )
    choice = tuple(word for ep, empire in _bids(game, order) for word in (str(ep), empire))
    results = commit_and_open(game, side, "bid", choice, "504.33", turn_order(game))
    opened = after(game, results)
    if any(bids_missing(opened, one) for one in turn_order(game)) or highest(opened):
        return results
    return [*results, *_next_on_offer(opened, "nobody bids")]


def _bids(game: Game, order: SealBid) -> list[tuple[int, str]]:
    """Return each bid of an order with its empire, the main one first; the empire is "" for a bid of 0.

    Raises:
        RuleViolation: A bid is more than the treasury holds, or an empire is named twice or has no fleet.
    """
    more = ((int(ep), empire) for empire, _, ep in (one.partition("=") for one in order.also))
    told = ((order.ep, order.empire), *more)
    said = [(ep, own_empire(game, order, empire) if ep or empire else "") for ep, empire in told]
    bids, named = [(ep, empire if ep else "") for ep, empire in said], [empire for _, empire in said if empire]
    for ep, empire in bids:
        held = game.accounts.get(f"{empire}/EP", 0)
        if ep > held:
            raise refuse(game, "bid-too-high", "504.33", empire=owner_name(game, empire), limit=held)
        if named.count(empire) > 1:
            raise refuse(game, "bids-twice", "504.33", empire=owner_name(game, empire))
        if empire and not active_fleets(game, empire):
            raise refuse(game, "no-fleet-to-join", "504.33", empire=owner_name(game, empire))
    return bids


def _next_on_offer(game: Game, cause: str) -> list[Result]:
    rule = rule_of(game, "504.33")
    return [
        *marked(game, "on offer", names_in(game, "on offer")[1:] or None, cause, rule),
        *marked(game, "sealed", None, "the next ship is bid for", rule),
    ]


def bid_of(game: Game, side: str) -> tuple[int, str]:
    """Return a side's highest revealed bid and its empire, the first among equals; bids of old games have none."""
    bid = chosen(game, "bid", side)
    if isinstance(bid, tuple):
        best = max(range(0, len(bid), 2), key=lambda at: int(bid[at]))
        return int(bid[best]), bid[best + 1]
    return (bid if isinstance(bid, int) else 0), ""


def highest(game: Game) -> str:
    """Return the side with the highest revealed bid; among equals, the first in turn order.

    The result is "" if not all bids are revealed, or none is above 0.
    """
    opened = [side for side in turn_order(game) if chosen(game, "bid", side) is not None]
    bids = {side: bid_of(game, side)[0] for side in opened}
    best = max(bids, key=lambda side: bids[side], default="")
    return best if len(opened) == len(turn_order(game)) and bids[best] else ""


def active_fleets(game: Game, empire: str) -> tuple[str, ...]:
    """Return the hexes in which an empire has ships."""
    own = (unit for unit in living(game) if empire_of(unit) == empire and is_hex(unit.at) and not is_base(unit))
    return tuple(sorted({unit.at for unit in own if RIDERS.isdisjoint(unit.names("traits"))}))


def won_ships(game: Game, side: str) -> tuple[str, ...]:
    """Return the ship that a side has won and not deployed, if its empire has a fleet to deploy it with."""
    offered = names_in(game, "on offer")[:1]
    sealed = all(not bids_missing(game, one) for one in turn_order(game))
    if not offered or not sealed or highest(game) not in (side or highest(game), ""):
        return ()
    winner = highest(game)
    return offered if winner and active_fleets(game, _lessee(game, winner, "")) else ()


def ship_is_won(game: Game, side: str) -> bool:
    """Check whether a side has won a ship and not deployed it."""
    return bool(won_ships(game, side))


def bids_awaited(game: Game, side: str) -> bool:
    """Check whether a side that has bid must wait for another side to bid, or to deploy the ship that it won."""
    if not names_in(game, "on offer") or bids_missing(game, side) or ship_is_won(game, side):
        return False
    return any(bids_missing(game, one) for one in turn_order(game)) or ship_is_won(game, "")


def _lessee(game: Game, side: str, said: str) -> str:
    """Return the empire that bid; if the bid named none, the empire of the order, or the first of the side."""
    return bid_of(game, side)[1] or said or next(iter(empires_of(game, side)), "")


def _what_next(game: Game, side: str) -> str:
    """Return, as a remedy, the next action of a side for the first ship on offer."""
    if bids_missing(game, side):
        return "bid for it with `seal-bid`"
    missing = [game.side_name(one) for one in turn_order(game) if bids_missing(game, one)]
    if missing:
        return f"wait for the bid of {' and '.join(missing)}: all are revealed together"
    mine = won_ships(game, side)
    return f"deploy {mine[0]} with `lease`" if mine else f"wait for {game.side_name(highest(game))} to deploy it"


def decide_lease(game: Game, order: Lease, _: Dice) -> list[Result]:
    """Pay the winning bid once and add the ship to an active fleet of the bidder.

    Raises:
        RuleViolation: The ship is not on offer; bids are not yet revealed, or the side's is not the highest; or the
            empire did not bid, or has no ship there.
    """
    side = game.side_of(order.seat)
    if order.unit not in names_in(game, "on offer")[:1]:
        on_offer = ", ".join(names_in(game, "on offer")[:1]) or "nothing"
        raise refuse(game, "not-on-offer", "504.33", unit=order.unit, on_offer=on_offer)
    if any(bids_missing(game, one) for one in turn_order(game)) or highest(game) != side:
        raise refuse(game, "not-highest-bid", "504.33", remedy=_what_next(game, side))
    bid, empire = bid_of(game, side)[0], _lessee(game, side, order.empire)
    if order.empire not in ("", empire):
        raise refuse(game, "bid-of-another-empire", "504.33", empire=owner_name(game, empire))
    fleets = active_fleets(game, empire)
    if order.at not in fleets:
        raise refuse(
            game,
            "no-ships-there",
            "504.33",
            empire=owner_name(game, empire),
            at=order.at,
            places=", ".join(fleets) or "none",
        )
    unit, rule = game.units[order.unit], rule_of(game, "504.33")
    return [
        *spent(game, empire, bid, f"lease of {unit.id}", rule),
        *paid(game, f"{ORION}/EP", bid, f"lease of {unit.id}", rule),
        *stepped_off(game, unit, f"{unit.id} is leased", rule),
        *changed(unit, "side", side, "leased", rule),
        *changed(unit, "lessee", empire, "leased", rule),
        *moved(unit, (order.at,), "leased", rule),
        *_next_on_offer(game, "leased"),
    ]


def close_auction(game: Game) -> list[Result]:
    """Close the auction in 11H; ships without a bidder stay in the pool."""
    return [*marked(game, "on offer", None, "the auction is over", "11G"), *marked(game, "sealed", None)]


def decide_pirate(game: Game, order: Pirate, _: Dice) -> list[Result]:
    """Deploy an Orion ship for piracy.

    Raises:
        RuleViolation: The unit is not a ship, or is not in the Force Pool.
    """
    unit = _orion_ship(game, order, "504.34")
    if unit.at != ORION_POOL:
        raise refuse(game, "not-a-pool-ship", "504.34", unit=unit.id, at=unit.at)
    rule = rule_of(game, "504.34")
    return [*changed(unit, "piracy", game.turn, "", rule), *travelled(game, (unit,), (order.at,), "piracy", rule)]
