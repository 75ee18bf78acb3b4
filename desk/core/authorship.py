"""Check the author of an order, and the seat that enters it.

The author of an order is the seat under "as". Usually that seat gives it. The referee may enter the orders of other
seats, for example a file of the whole table; the record then has `entered_by`. No other seat may give the orders of
another.
"""

from collections.abc import Callable, Mapping
from typing import Any

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE

ENTERED_BY = "entered_by"
"""Key of an order that another seat than its author entered."""


def hand_of(raw: Mapping[str, Any]) -> str:
    """Return the seat that gives an order, which is the seat that reads the answer."""
    return str(raw.get(ENTERED_BY, raw.get("as", "")))


def authored(raw: Mapping[str, Any], hand: str, where: Callable[[], str] = str) -> dict[str, Any]:
    """Return the order with its author, and with the seat that enters it if that is another one.

    Args:
        where: Returns the current step for a refusal.

    Raises:
        RuleViolation: When another seat than the referee gives an order that is not its own.
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
