"""Define the result of an order."""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import AnyEvent, RestrictedEvent
from umpire_ledger.domain.game.state import Game


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an order: its events, some of them secret, and the game after them.

    `failure`: the reason why the order was not carried out although its dice were rolled; its events then record the
    rolls.
    """

    told: tuple[AnyEvent | RestrictedEvent, ...]
    game: Game
    failure: DomainError | None = None


def events_of(told: tuple[AnyEvent | RestrictedEvent, ...]) -> Iterator[AnyEvent]:
    """Yield the events without their visibility."""
    return (one.event if isinstance(one, RestrictedEvent) else one for one in told)
