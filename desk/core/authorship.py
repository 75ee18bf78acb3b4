"""Who an order is from, and whose hand gives it.

An order is its author's: the seat under "as". Usually that seat gives it itself. The referee may enter the orders of
other seats, a file of the whole table's for instance; then the record says so, under `entered_by`, as a late entry says
when it happened. No other seat gives anybody else's orders.
"""

from collections.abc import Callable, Mapping
from typing import Any

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE

ENTERED_BY = "entered_by"
"""Beside an order's words, where another hand than its author's gave it."""


def hand_of(raw: Mapping[str, Any]) -> str:
    """Whose hand gives an order that has its author: those eyes read the answer."""
    return str(raw.get(ENTERED_BY, raw.get("as", "")))


def authored(raw: Mapping[str, Any], hand: str, where: Callable[[], str] = str) -> dict[str, Any]:
    """The order with its author, and with the hand that gives it where that is another. `where`: asked for a refusal.

    Raises RuleViolation for somebody else's order, unless the referee enters it.
    """
    author = raw.get("as", hand)
    words = {name: value for name, value in raw.items() if name != ENTERED_BY}
    if author == hand:
        return {"as": hand, **words}
    if hand != REFEREE:
        raise RuleViolation(
            f"this is an order of {author}, and {hand} gives it",
            where=where(),
            rule="seats",
            remedy=f"give it as {author}, or let the referee enter it: --as {REFEREE}",
        )
    return {**words, ENTERED_BY: REFEREE}
