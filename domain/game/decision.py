"""What comes of an order."""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import AnyEvent, RestrictedEvent
from umpire_ledger.domain.game.state import Game


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What an order brings about: its events, some of them secret, and the game after them.

    `failure`: why the order was not carried out although its dice were rolled; its events then record the rolls.
    """

    told: tuple[AnyEvent | RestrictedEvent, ...]
    game: Game
    failure: DomainError | None = None


def events_of(told: tuple[AnyEvent | RestrictedEvent, ...]) -> Iterator[AnyEvent]:
    """The events, secret or not."""
    return (one.event if isinstance(one, RestrictedEvent) else one for one in told)
