"""Check the author of an order, and the seat that enters it.

The author of an order is the seat under "as". Usually that seat gives it. The referee may enter the orders of other
seats, for example a file of the whole table; the record then has `entered_by`. No other seat may give orders for
another seat.
"""

from collections.abc import Callable, Mapping
from typing import Any

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE

ENTERED_BY = "entered_by"
"""Key for the seat that entered an order for its author."""


def hand_of(raw: Mapping[str, Any]) -> str:
    """Return the seat that gives an order and reads the answer."""
    return str(raw.get(ENTERED_BY, raw.get("as", "")))


def authored(raw: Mapping[str, Any], hand: str, where: Callable[[], str] = str) -> dict[str, Any]:
    """Return the order with its author and, if another seat enters it, with that seat.

    Args:
        where: Returns the current step for a refusal.

    Raises:
        RuleViolation: When a seat other than the referee gives an order for another seat.
    """
    author = raw.get("as", hand)
    words = {name: value for name, value in raw.items() if name != ENTERED_BY}
    if author == hand:
        return {"as": hand, **words}
    if hand != REFEREE:
        raise RuleViolation(
            f"this is an order of {author}, but {hand} gives it",
            where=where(),
            rule="seats",
            remedy=f"give it as {author}, or let the referee enter it: --as {REFEREE}",
            code="given-by-another-seat",
            fields={"author": author, "hand": hand},
        )
    return {**words, ENTERED_BY: REFEREE}
