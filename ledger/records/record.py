"""Define the envelope. One record is one JSON line, and the same bytes are stored, hashed and exported.

FORMAT.md, sections 1 to 3, defines every byte. The ledger does not interpret `event` and `cause`. They are stored as
the given bytes, because another encoding would have another hash.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import lru_cache
from struct import pack

import msgspec
from msgspec import Raw

from umpire_ledger.ledger.records.errors import CannotBeWritten
from umpire_ledger.ledger.records.json_keys import repeated_key
from umpire_ledger.ledger.records.limits import MOST_OBJECT, RECORD_DEPTH, fault_of_json, said

HEADER_VERSION = b"\x01"
LEAF = b"\x00"  # RFC 6962 section 2.1: the prefix of a leaf, so that it is never mistaken for a node
CAUSE = b"\x01"  # no event starts with this byte, so the hash of a cause is never the hash of an event
ABSENT = b"\x00"
PRESENT = b"\x01"
ALL_ABSENT = 4 * ABSENT
NOTHING = Raw(b"")

Row = tuple[int, str | None, int | None, bytes]
"""A record as a store keeps it: (position, order id on an order's first record, follows, line)."""

sha256 = hashlib.sha256
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")
# An id is also a checkpoint's origin, in which C2SP tlog-checkpoint allows no space and no plus sign.
GAME_ID = re.compile(r"[^\s+\x00-\x1f\x7f-\x9f]{1,200}")


UNREADABLE = (msgspec.DecodeError, ValueError, RecursionError)
"""Errors of decoding foreign bytes, which may not be JSON or UTF-8, or have an endless number or nesting."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event to record: its JSON object as bytes, and the seats that may see it."""

    event: bytes
    visible_to: tuple[str, ...] | None = None
    """The seats that may see it. None is public; () is for no seat until it is revealed."""
    follows: int | None = None
    """The position whose state this record continues if it is not its predecessor (a rewind); 0 is the start."""
    cause: bytes | None = None
    """The order as it was given, a JSON object; on at most one draft of an order, its most secret one."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, dict=False):
    """One event in its envelope. The fields have the order of the line; an absent field is omitted."""

    position: int
    """From 1, without gaps, never reused."""
    at: str
    """UTC with microseconds: 2026-11-21T01:22:33.123456Z."""
    seat: str
    command: str
    """Order id, which the records of one order share."""
    prior: str | None = None
    """Root over all earlier records, 64 hex digits; only on an order's first record."""
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    salt: str | None = None
    """16 random bytes as 32 hex digits; withheld with the event."""
    cause: Raw = NOTHING
    """JSON object; NOTHING if there is none. It must be that object, because a field is omitted by identity."""
    event: Raw = NOTHING
    """JSON object; NOTHING if it is withheld."""
    inner: str | None = None
    """Only in a redacted record: SHA-256(salt, event), 64 hex digits."""
    cause_hash: str | None = None
    """Only in a redacted record that had a cause: SHA-256(salt, 0x01, cause), 64 hex digits."""

    @property
    def redacted(self) -> bool:
        """Whether the event is withheld, so that the record has only its hash."""
        return self.inner is not None

    def encode(self) -> bytes:
        """Return the line, without its newline."""
        return _encode(self)

    @staticmethod
    def decode(line: bytes) -> Record:
        """Return the record in a line that this ledger wrote.

        Raises:
            msgspec.DecodeError: The line is not JSON, or has an unknown field or a field of the wrong type.
        """
        return _decode(line)

    def redact(self) -> Record:
        """Return the record with event, cause and salt withheld. Its leaf does not change."""
        if self.salt is None:
            return self
        inner, cause_hash = self.hashes()
        return msgspec.structs.replace(
            self,
            salt=None,
            cause=NOTHING,
            event=NOTHING,
            inner=inner.hex(),
            cause_hash=cause_hash.hex() if cause_hash else None,
        )

    def hashes(self) -> tuple[bytes, bytes]:
        """Return (inner, cause_hash): 32 bytes each, the second empty if the record has no cause."""
        if self.salt is None:
            return bytes.fromhex(self.inner or ""), bytes.fromhex(self.cause_hash or "")
        salt = bytes.fromhex(self.salt)
        inner = sha256(b"".join((salt, self.event))).digest()
        return inner, sha256(b"".join((salt, CAUSE, self.cause))).digest() if self.cause else b""

    def header(self, game_id: str, cause_hash: bytes) -> bytes:
        """Return the envelope in the fixed layout that is hashed (FORMAT.md, section 2)."""
        start = begin(game_id) + self.position.to_bytes(8, "big") + names(self.at, self.seat, self.command)
        if self.prior is None and self.follows is None and self.visible_to is None and not cause_hash:
            return start + ALL_ABSENT
        return (
            start
            + (ABSENT if self.follows is None else PRESENT + self.follows.to_bytes(8, "big"))
            + (ABSENT if self.visible_to is None else seats(self.visible_to))
            + (ABSENT if self.prior is None else PRESENT + bytes.fromhex(self.prior))
            + (PRESENT + cause_hash if cause_hash else ABSENT)
        )

    def leaf(self, game_id: str) -> bytes:
        """Return this record's leaf in the tree of its game, 32 bytes."""
        inner, cause_hash = self.hashes()
        return sha256(LEAF + self.header(game_id, cause_hash) + inner).digest()


def row_of(record: Record, line: bytes | None = None) -> Row:
    """Return a record in the form of a store. `line`: its encoding, if the caller has it."""
    line = record.encode() if line is None else line
    return record.position, record.command if record.prior is not None else None, record.follows, line


def text(value: str) -> bytes:
    """Return the length in bytes (4 bytes, big-endian), then the UTF-8 text."""
    raw = value.encode()
    return pack(">I", len(raw)) + raw


# Many records share the game, the seats, and the time, seat and order id of an order.
@lru_cache(maxsize=64)
def begin(game_id: str) -> bytes:
    """Return the first two fields of the header."""
    return HEADER_VERSION + text(game_id)


@lru_cache(maxsize=64)
def names(at: str, seat: str, command: str) -> bytes:
    """Return the three fields that all records of an order share."""
    return text(at) + text(seat) + text(command)


@lru_cache(maxsize=256)
def seats(names: tuple[str, ...]) -> bytes:
    """Return a byte for present, the number of seats (4 bytes, big-endian), then each seat."""
    return PRESENT + pack(">I", len(names)) + b"".join(map(text, names))


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode
_is_salt = re.compile("[0-9a-f]{32}").fullmatch
_is_hash = re.compile("[0-9a-f]{64}").fullmatch
skip = msgspec.json.Decoder(Raw).decode
"""Read one JSON value and discard it. Raises msgspec.DecodeError."""


def fault(record: Record, line: bytes) -> str:
    """Return the fault in the form of a foreign record; "" if there is none.

    `line`: its encoding. The caller checks position and time, because it knows the right ones. Hex is checked by
    pattern, because bytes.fromhex alone would also accept capitals and blanks: other bytes for the same hash.
    """
    if not record.seat or not record.command or (record.visible_to and "" in record.visible_to):
        return "a seat or the command has no name"
    if b"\r" in line:
        return "the event or the cause has a carriage return"
    if record.follows is not None and not 0 <= record.follows < record.position - 1:
        return "`follows` must name an earlier position than the predecessor's"
    if record.prior is not None and not _is_hash(record.prior):
        return "`prior` is not a hash"
    if record.salt is None:
        return _fault_of_withheld(record)
    if not _is_salt(record.salt):
        return "the salt is not 16 bytes long"
    if record.inner is not None or record.cause_hash is not None:
        return "a record shows its event or withholds it, never both"
    if not record.event or not line.endswith(b"}}"):  # The event is last, and only a JSON object ends with a brace.
        return "the event is missing or is not an object"
    if record.cause and not bytes(record.cause).startswith(b"{"):
        return "the cause is not an object"
    if (key := repeated_key(bytes(record.event))) is not None:
        return f"the event has a key twice in one object: {key!r}"
    if record.cause and (key := repeated_key(bytes(record.cause))) is not None:
        return f"the cause has a key twice in one object: {key!r}"
    return ""


def _fault_of_withheld(record: Record) -> str:
    if record.event or record.cause:
        return "the salt is missing"
    if record.inner is None or not _is_hash(record.inner):
        return "event and inner hash are both missing"
    if record.cause_hash is not None and not _is_hash(record.cause_hash):
        return "`cause_hash` is not a hash"
    return ""


def is_time(value: str) -> bool:
    """Return whether a text is a time in UTC with microseconds, as in `Record.at`. A month 13 is not valid."""
    if TIME.fullmatch(value) is None:
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def check_object(raw: bytes, name: str, where: str) -> None:
    """Check that `raw` is one JSON object in UTF-8 on one line, within the limits.

    Raises:
        CannotBeWritten: It is not.
    """
    beyond = f"longer than {said(MOST_OBJECT)}" if len(raw) > MOST_OBJECT else fault_of_json(raw, RECORD_DEPTH - 1)
    if beyond:
        raise CannotBeWritten(
            f"the {name} exceeds a limit: {beyond}", where=where, remedy="split it into several orders"
        )
    try:
        skip(raw)
        if not raw.isascii():
            raw.decode()
    except UNREADABLE as error:
        raise CannotBeWritten(
            f"the {name} is not JSON: {error}", where=where, remedy="encode it as one compact JSON object in UTF-8"
        ) from error
    if (key := repeated_key(raw)) is not None:
        raise CannotBeWritten(
            f"the {name} has a key twice in one object: {key!r}", where=where, remedy="write each key once"
        )
    if not raw.startswith(b"{") or not raw.endswith(b"}") or b"\n" in raw or b"\r" in raw:
        raise CannotBeWritten(
            f"the {name} is not a JSON object on one line", where=where, remedy="encode it as one compact JSON object"
        )


def check_game_id(game_id: str) -> None:
    """Check that an id can be the origin of a checkpoint.

    Raises:
        CannotBeWritten: It cannot.
    """
    if not GAME_ID.fullmatch(game_id) or not _is_text(game_id):
        raise CannotBeWritten(
            f"{game_id!r} cannot be the id of a game",
            where="the game id",
            remedy="use 1 to 200 letters, digits and signs, without spaces or plus signs, e.g. syracuse-1",
        )


def check_name(value: str, name: str, where: str) -> None:
    """Check that a seat or order id is Unicode text and not empty.

    Raises:
        CannotBeWritten: It is not.
    """
    if not value or not _is_text(value):
        raise CannotBeWritten(f"{value!r} cannot be a {name}", where=where, remedy=f"give the {name} as plain text")


def _is_text(value: str) -> bool:
    """Return whether a text can be encoded in UTF-8, which has no lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
