"""Find values that an order makes public on purpose: a card that its owner plays, or an argument that was never secret.

Playing a hidden card openly is not a leak, and the rest of the hand stays secret. A value is played openly if the
side's secrets contained it before the order but not after it, and a public event names it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.events import RestrictedEvent
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game


def played_openly(before: Game, decision: Decision, side: str) -> frozenset[str]:
    """Return the secrets of a side that a decision makes public."""
    gone = _secrets_of(before, side) - _secrets_of(decision.game, side)
    return frozenset(gone.keys() & public_words(decision))


def differ_openly(orders: tuple[Order, Order], decisions: tuple[Decision, Decision]) -> bool:
    """Return whether two orders differ in an argument that a public event names and no secret event contains."""
    first, second = (set(_words(msgspec.to_builtins(order))) for order in orders)
    return _named_openly(first - second, decisions[0]) or _named_openly(second - first, decisions[1])


def _named_openly(words: set[str], decision: Decision) -> bool:
    return bool(words & public_words(decision) - secret_words(decision))


def public_words(decision: Decision) -> set[str]:
    """Return every text in the public events of a decision."""
    return set(_words([msgspec.to_builtins(one) for one in decision.told if not isinstance(one, RestrictedEvent)]))


def secret_words(decision: Decision) -> set[str]:
    """Return every text in the events of a decision that only some seats may see."""
    return set(_words([msgspec.to_builtins(one.event) for one in decision.told if isinstance(one, RestrictedEvent)]))


def _secrets_of(game: Game, side: str) -> Counter[str]:
    """Count the texts in the sealed answers of a side."""
    sealed = (one.choice for one in game.choices.values() if one.side == side and one.sealed and one.known)
    return Counter(_words(list(sealed)))


def _words(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from _words(one)
        case dict():
            yield from _words(list(value.values()))
