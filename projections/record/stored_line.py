"""A record as the projections read it: its envelope and its event, without salt and hashes."""

import msgspec
from msgspec import Raw

from umpire_ledger.domain.game.events import AnyEvent

NOTHING = Raw(b"")


class Seen(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One stored line. `event` is None where it is redacted; `prior` stands on an order's first record only."""

    position: int
    at: str
    seat: str
    command: str
    prior: str | None = None
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    cause: Raw = NOTHING
    event: AnyEvent | None = None


decode = msgspec.json.Decoder(Seen).decode
"""A stored line to what is seen of it; raises msgspec.DecodeError."""


class Heard(msgspec.Struct, frozen=True, gc=False):
    """Of a stored line only what a fold needs."""

    position: int
    visible_to: tuple[str, ...] | None = None
    event: AnyEvent | None = None


hear = msgspec.json.Decoder(Heard).decode
