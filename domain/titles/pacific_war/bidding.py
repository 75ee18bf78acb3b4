"""Decide which side becomes the Operation player (5.1.O). Bids are sealed or open, by an option of the game.

A bid of 0 means no bid. If neither player bids, the month ends. The summary does not print how to break ties (18.0), so
the scenario has a table for it.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war.command import available
from umpire_ledger.domain.titles.pacific_war.intelligence import sealed
from umpire_ledger.domain.titles.pacific_war.month import NO_BID, TRIGGER
from umpire_ledger.domain.titles.pacific_war.pieces import enemy_of, refuse, unmarked, withdrawn
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    ChoiceMade,
    Closes,
    Dice,
    Game,
    Order,
    Result,
    Roles,
    RulingMade,
    TableRoll,
    changed,
    choice_key,
    emptied,
    marked,
    paid,
    reveal,
    word_in,
)

BID, RULE, BASE = "bid", "5.1.O [18.0]", "5.1.O [11.3.1]"
SEALED = "sealed_bids"
MISSION = ("mission", "mission_target", "interfered")
PER_OPERATION = (
    "condition",
    "operation_level",
    "time_multiple",
    "naval_movement",
    "cycle",
    "lighting",
    "surprise",
    *MISSION,
)
ROLES = ("operation_player", "reaction_player", "advantage", "disadvantage")


class MakeBid(Order, frozen=True, kw_only=True, tag="bid"):
    """Bid Command Points to become the Operation player; 0: no bid."""

    points: Annotated[int, msgspec.Meta(ge=0, le=9999)]


class BreakTie(TableRoll, frozen=True, kw_only=True, tag="break-tie"):
    """Roll on the scenario's table for tied bids. Either player may roll."""


class ClaimOperation(Order, frozen=True, kw_only=True, tag="claim-operation"):
    """Claim the operation without a bid, as the Reaction player of an operation that the end of a month interrupted."""


def decide_bid(game: Game, order: MakeBid, _: Dice) -> list[Result]:
    """Record a bid, at most all the points that the side can pay.

    Raises:
        RuleViolation: The bid exceeds the side's Command Points.
    """
    side = game.side_of(order.seat)
    most = available(game, side)
    if order.points > most:
        raise refuse(game, "too-few-command-points", RULE, limit=most)
    if game.options.get(SEALED, True):
        return [*sealed(game, side, BID, order.points, RULE), Closes()]
    return [ChoiceMade(question=BID, side=side, choice=order.points, rule=RULE), Closes()]


def clear_the_table(game: Game) -> list[Result]:
    """Clear the markers of an operation that is over; its units remain in place, by ruling.

    A claim (5.4) that was not made before the bids expires, because the page offers it only when play resumes.
    """
    gone = [*unmarked(game, "may_claim"), *withdrawn(game, RULE)]
    if game.markers.get("operation_state") != "over" or not word_in(game, "operation_player"):
        return gone
    return [*gone, *unmarked(game, *PER_OPERATION, *ROLES, "bid"), LEFT_AS_THEY_ARE]


LEFT_AS_THEY_ARE = RulingMade(
    ruling="Units and detected Task Forces stay as the operation left them",
    reason="5.3 does not say what becomes of them",
    rule="5.3 [20.5]",
)


def bid_of(game: Game, side: str) -> int:
    """Return the bid of a side; 0 for no bid."""
    choice = game.choices.get(choice_key(BID, side))
    return choice.choice if choice is not None and isinstance(choice.choice, int) else 0


def open_bids(game: Game) -> list[Result]:
    """Reveal sealed bids together. If neither side bids, the month ends at once."""
    laid_open = [
        event
        for side in game.side_ids
        if (made := game.choices.get(choice_key(BID, side))) is not None and made.sealed  # a side may be excused
        for event in reveal(game, side, BID, RULE)
    ]
    if any(bid_of(game, side) for side in game.side_ids):
        return list(laid_open)
    return [*laid_open, *marked(game, TRIGGER, NO_BID, "neither player bids", RULE)]


def tied(game: Game, _: str) -> bool:
    first, second = (bid_of(game, side) for side in game.side_ids)
    return first == second


def decide_break_tie(game: Game, order: BreakTie, dice: Dice) -> list[Result]:
    rolled = roll_on(game, dice, order, "tied-bids", purpose="tied bids", rule=RULE)
    if rolled.row is None:
        return list(rolled.told)
    won = marked(game, "tie_won_by", rolled.said, f"roll {rolled.total}", RULE)
    return [*rolled.told, *won, Closes(everybody=True)]


# --- the reaction player's claim (5.4) --------------------------------------------------------------------------------


def claimants(game: Game) -> tuple[str, ...]:
    """Return the side that may become the Operation player without a bid."""
    side = word_in(game, "may_claim")
    return (side,) if side else ()


def claim_is_open(game: Game, _: str) -> bool:
    return bool(claimants(game))


def decide_claim(game: Game, _: ClaimOperation, __: Dice) -> list[Result]:
    """Record the claim of the operation. Without a bid, the side's own points are the only limit."""
    return [*marked(game, "claimed_by", game.markers["may_claim"], "claimed", "5.4"), Closes()]


def is_claimed(game: Game, _: str) -> bool:
    return bool(game.markers.get("claimed_by"))


# --- the operation begins ---------------------------------------------------------------------------------------------


def winner_of(game: Game) -> str:
    """Return the Operation player: the side that claimed, won the roll for a tie, or bid higher."""
    for marker in ("claimed_by", "tie_won_by"):
        if side := game.markers.get(marker):
            return str(side)
    return max(game.side_ids, key=lambda side: bid_of(game, side))


def begin_operation(game: Game) -> list[Result]:
    """Begin an operation: clear the previous one, set roles and number, add the free Offensive Support Base."""
    side = winner_of(game)
    bid = None if is_claimed(game, "") else bid_of(game, side)
    counts = (
        f"{account}/{one}"
        for one in game.side_ids
        for account in ("spent", "activation", "activation-hidden-paid", "damage")
    )
    return [
        *([LEFT_AS_THEY_ARE] if is_claimed(game, "") else []),
        *unmarked(game, *PER_OPERATION, "advantage", "may_claim", "claimed_by", "tie_won_by"),
        *(event for account in counts for event in emptied(game, account, "a new operation")),
        *(event for unit in game.in_play() if unit.get("gone") for event in changed(unit, "gone", 0)),
        *marked(game, "operation", game.number("operation") + 1, rule=RULE),
        *marked(game, "operation_state", "in preparation", rule=RULE),
        *marked(game, "operation_player", side, rule=RULE),
        *marked(game, "reaction_player", enemy_of(side), rule=RULE),
        *marked(game, "bid", bid, rule=RULE),
        *paid(game, f"osb/{side}", 1, "free for the Operation player", BASE),
    ]


def role(marker: str) -> Roles:
    """Return the function of a role: the side that a marker names."""

    def holder(game: Game) -> tuple[str, ...]:
        side = word_in(game, marker)
        return (side,) if side else ()

    return holder
