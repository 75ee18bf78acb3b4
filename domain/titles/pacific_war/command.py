"""Receive and allocate Command Points (5.1.G): on the General Record Track, with headquarters, or in the pool.

In a Strategic scenario, unused points are eliminated before the new points arrive, except in the pool. For a Campaign
the rules do not say; unused points are kept, and a ruling records this every month.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war.limits import may_have_pool
from umpire_ledger.domain.titles.pacific_war.pieces import (
    JAPAN,
    entry,
    has,
    of_arm,
    of_month,
    own_of_arm,
    refuse,
)
from umpire_ledger.domain.titles.pacific_war.tables import read_at, roll_on
from umpire_ledger.kit import (
    Asks,
    Closes,
    Dice,
    Game,
    Name,
    Order,
    Result,
    RulingMade,
    TableRoll,
    emptied,
    names_in,
    paid,
)

RULE, ALLOCATION, POOL = "5.1.G [10.0]", "5.1.G [10.3]", "5.1.G [10.4]"
BY_SHIPPING = "command-points-by-shipping"
"""The table with Japan's Command Points for its Merchant Shipping Points."""
POOL_IN_BID = "pool_in_bid"
"""The option that points in a Future Operation Pool count in a bid."""
Points = Annotated[int, msgspec.Meta(ge=1, le=9999)]


class ReceivePoints(TableRoll, frozen=True, kw_only=True, tag="receive-points"):
    """Roll on the side's Command Point Table for this month's Command Points (Strategic)."""


class AllocatePoints(Order, frozen=True, kw_only=True, tag="allocate-points"):
    """Give Command Points from the General Record Track to a headquarters, or to `pool`."""

    to: Name
    points: Points


def strategic(game: Game, _: str) -> bool:
    return game.markers.get("kind") == "strategic"


def on_the_track(phase: str) -> Asks:
    """Return a check whether the scenario's Phase Track has a phase. By 5.0, a Campaign omits several phases."""

    def is_played(game: Game, _: str) -> bool:
        return phase not in names_in(game, "omitted_phases")

    return is_played


def purses(game: Game, side: str) -> tuple[str, ...]:
    """Return the accounts of a side's Command Points except the pool: General Record Track, then headquarters."""
    return (f"points/{side}", *(f"points/{one.id}" for one in of_arm(game, "headquarters", side=side)))


def available(game: Game, side: str) -> int:
    """Return all Command Points that a side can bid, including the pool unless the option is off."""
    pool = (f"pool/{side}",) if game.options.get(POOL_IN_BID, True) else ()
    return sum(has(game, account) for account in (*purses(game, side), *pool))


def points_to_lapse(game: Game, _: str) -> tuple[str, ...]:
    """Describe the Command Points of the previous month that are lost when 5.1.F ends."""
    purse = {account: has(game, account) for side in game.side_ids for account in purses(game, side)}
    left = ", ".join(f"{points} of {account.removeprefix('points/')}" for account, points in purse.items() if points)
    return (f"unused Command Points: {left}",) if left else ()


def drop_unused(game: Game) -> list[Result]:
    """Eliminate unused Command Points, except pools, in a Strategic scenario; otherwise keep them by a ruling."""
    if strategic(game, ""):
        accounts = (account for side in game.side_ids for account in purses(game, side))
        return [event for account in accounts for event in emptied(game, account, "unused", RULE)]
    ruling = "Command Points that were not used last month are kept"
    return [RulingMade(ruling=ruling, reason="5.1.G is silent about them in a Campaign", rule=RULE)]


def assign_points(game: Game) -> list[Result]:
    """Assign the month's Command Points of a Campaign, as the scenario sets them."""
    return [
        event
        for side in game.side_ids
        for event in paid(
            game, f"points/{side}", entry(of_month(game, f"command-points/{side}"), "points"), "assigned", RULE
        )
    ]


def decide_receive_points(game: Game, order: ReceivePoints, dice: Dice) -> list[Result]:
    """Receive the month's Command Points by the side's table, or Japan's by its shipping if there is a table for it."""
    side = game.side_of(order.seat)
    if side == JAPAN and BY_SHIPPING in game.tables:
        return [*_by_shipping(game, order), Closes()]
    table = f"command-points/{side}"
    rolled = roll_on(game, dice, order, table, purpose=f"Command Points of {side}", rule=RULE)
    if rolled.row is None:
        return list(rolled.told)
    return [*rolled.told, *paid(game, f"points/{side}", rolled.number("points"), "received", RULE), Closes()]


def _by_shipping(game: Game, order: ReceivePoints) -> list[Result]:
    """Return Japan's Command Points by its Merchant Shipping Points.

    Raises:
        RuleViolation: The order has modifiers, although no die is rolled.
    """
    if order.modifiers:
        raise refuse(game, "no-dice-for-japan", RULE)
    merchant = has(game, "merchant")
    row, where = read_at(game, order, BY_SHIPPING, merchant, RULE)
    read = f", read off {where}" if order.by_the_book else ""
    return paid(game, f"points/{JAPAN}", entry(row, "points"), f"{merchant} Merchant Shipping Points{read}", RULE)


def decide_allocate_points(game: Game, order: AllocatePoints, _: Dice) -> list[Result]:
    """Move points from the General Record Track to one of the side's headquarters, or to the Future Operation Pool.

    Raises:
        RuleViolation: The track has too few points, the headquarters is not the side's own, or the side may not have a
            pool.
    """
    side = game.side_of(order.seat)
    rule = POOL if order.to == "pool" else ALLOCATION
    source = f"points/{side}"
    if order.points > has(game, source):
        raise refuse(game, "too-few-on-track", rule, limit=has(game, source))
    if order.to == "pool":
        if not may_have_pool(game, side):
            raise refuse(game, "no-future-pool", rule, side=game.side_name(side))
        target = f"pool/{side}"
    else:
        target = f"points/{own_of_arm(game, order.seat, order.to, ('headquarters',), rule).id}"
    cause = f"allocated to {order.to}"
    return [*paid(game, source, -order.points, cause, rule), *paid(game, target, order.points, cause, rule)]
