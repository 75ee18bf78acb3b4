"""Decode the envelope and the event of a record for the projections, without its salt and hashes.

An event that this edition cannot read becomes `Unreadable`, so that one record cannot make every command fail.
"""

import re
from typing import Any, NoReturn

import msgspec
from msgspec import Raw

from umpire_ledger.domain.game.events import AnyEvent, read
from umpire_ledger.ledger.records.errors import BrokenLedger
from umpire_ledger.ledger.records.record import UNREADABLE

NOTHING = Raw(b"")


class VisibleRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One stored record. `event` is None if it is redacted; only an order's first record has `prior`."""

    position: int
    at: str
    seat: str
    command: str
    prior: str | None = None
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    cause: Raw = NOTHING
    event: AnyEvent | None = None


class FoldInput(msgspec.Struct, frozen=True, gc=False):
    """The part of a stored record that a rebuild needs."""

    position: int
    visible_to: tuple[str, ...] | None = None
    event: AnyEvent | None = None


class _Envelope(msgspec.Struct, frozen=True):
    """A stored line whose event is not decoded."""

    position: int
    at: str
    seat: str
    command: str
    prior: str | None = None
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    cause: Raw = NOTHING
    event: Raw = NOTHING


_seen = msgspec.json.Decoder(VisibleRecord).decode
_heard = msgspec.json.Decoder(FoldInput).decode
_envelope = msgspec.json.Decoder(_Envelope).decode
_place = re.compile(rb'{"position":([1-9][0-9]{0,15}),').match


def decode(line: bytes) -> VisibleRecord:
    """Decode a stored line to its visible fields.

    Raises:
        BrokenLedger: When the line is not a valid record.
    """
    try:
        if not line.isascii():
            line.decode()  # The cause stays as bytes, but must be valid text too.
        return _seen(line)
    except UNREADABLE:
        fields = _fields(line)
        return VisibleRecord(**{**fields, "event": _event(fields)})


def decode_for_fold(line: bytes) -> FoldInput:
    """Decode a stored line to the fields that a rebuild needs.

    Raises:
        BrokenLedger: When the line is not a valid record.
    """
    try:
        return _heard(line)
    except UNREADABLE:
        fields = _fields(line)
        return FoldInput(fields["position"], fields["visible_to"], _event(fields))


def _fields(line: bytes) -> dict[str, Any]:
    """Return the envelope's fields.

    Raises:
        BrokenLedger: When the line is not a valid record.
    """
    try:
        line.decode()
        return msgspec.structs.asdict(_envelope(line))
    except UNREADABLE as error:
        no_record(line, error)


def no_record(line: bytes, error: Exception) -> NoReturn:
    """Raise the error for a line that is not a valid record, with the position in the line or -1.

    Raises:
        BrokenLedger: Always.
    """
    found = _place(line)
    reason = f"a stored line is not a record: {error}"
    raise BrokenLedger(position=int(found[1]) if found else -1, reason=reason) from error


def _event(fields: dict[str, Any]) -> AnyEvent | None:
    raw = bytes(fields["event"])
    return read(raw, fields["position"]) if raw else None
