"""Define the result of an order."""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import AnyEvent, RestrictedEvent
from umpire_ledger.domain.game.state import Game


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an order: its events, some of them restricted, and the game after them.

    `failure`: the reason why the order was not carried out although its dice were rolled; then the events are only the
    rolls.
    """

    told: tuple[AnyEvent | RestrictedEvent, ...]
    game: Game
    failure: DomainError | None = None


def events_of(told: tuple[AnyEvent | RestrictedEvent, ...]) -> Iterator[AnyEvent]:
    """Yield the events without their restrictions."""
    return (one.event if isinstance(one, RestrictedEvent) else one for one in told)
