"""A record as the projections read it: its envelope and its event, without salt and hashes.

An event that this edition cannot read is read as `Unreadable`: no look at a ledger fails because of one record.
"""

from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.domain.game.events import AnyEvent, read
from umpire_ledger.ledger.record import UNREADABLE

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


class Heard(msgspec.Struct, frozen=True, gc=False):
    """Of a stored line only what a fold needs."""

    position: int
    visible_to: tuple[str, ...] | None = None
    event: AnyEvent | None = None


class _Envelope(msgspec.Struct, frozen=True):
    """A stored line with its event unread."""

    position: int
    at: str
    seat: str
    command: str
    prior: str | None = None
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    cause: Raw = NOTHING
    event: Raw = NOTHING


_seen = msgspec.json.Decoder(Seen).decode
_heard = msgspec.json.Decoder(Heard).decode
_envelope = msgspec.json.Decoder(_Envelope).decode


def decode(line: bytes) -> Seen:
    """A stored line to what is seen of it. Raises `UNREADABLE` for what is no record at all."""
    try:
        return _seen(line)
    except UNREADABLE:
        fields = msgspec.structs.asdict(_envelope(line))
        return Seen(**{**fields, "event": _event(fields)})


def hear(line: bytes) -> Heard:
    """A stored line to what a fold needs of it. Raises as `decode` does."""
    try:
        return _heard(line)
    except UNREADABLE:
        fields = msgspec.structs.asdict(_envelope(line))
        return Heard(fields["position"], fields["visible_to"], _event(fields))


def _event(fields: dict[str, Any]) -> AnyEvent | None:
    raw = bytes(fields["event"])
    return read(raw, fields["position"]) if raw else None
