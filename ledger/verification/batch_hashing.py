"""Hash the later records of an order fast: their lines begin alike, except for the position.

Most records are such: public, following their predecessor, without a cause. Only salt and event of their line are new,
so only these are read; any other line is left to the full reader. The full reader would accept each line that is
accepted here too, with the same leaf. This is one function because its speed is measured.
"""

from __future__ import annotations

from binascii import unhexlify
from hashlib import sha256

from umpire_ledger.ledger.records.json_keys import decode, encode, repeated_key
from umpire_ledger.ledger.records.limits import RECORD_DEPTH, RECORD_DIGITS
from umpire_ledger.ledger.records.record import ALL_ABSENT, LEAF, UNREADABLE, Record, begin, names

SALT = 32
"""Hex digits."""
BETWEEN = b'","event":{'
NO_LIMIT = 2 * RECORD_DEPTH
"""Bytes in which nothing is nested too deep: each level has two brackets."""
RETURN = 0x0D


class SameOrder:
    """The common beginning of an order's later records: in their lines, and in the headers that are hashed."""

    __slots__ = ("_begin", "_envelope", "_names")

    def __init__(self, game_id: str, first: Record, line: bytes) -> None:
        """Take the beginning from the order's first record; its `line` must be as a ledger writes it."""
        # A quotation mark within a name is escaped, so the first of these is the field itself.
        end = line.index(b',"prior":"')
        self._envelope = line[len(b'{"position":%d' % first.position) : end] + b',"salt":"'
        self._begin = LEAF + begin(game_id)
        self._names = names(first.at, first.seat, first.command) + ALL_ABSENT

    def leaf(self, position: int, line: bytes) -> bytes | None:
        """Return the leaf of the record at `position`; None for a line that the full reader must check.

        That includes events with enough bytes or brackets to exceed a limit.
        """
        start = b'{"position":%d%b' % (position, self._envelope)
        if not line.startswith(start):
            return None
        end = len(start) + SALT
        salt = line[end - SALT : end]
        event = line[end + len(BETWEEN) - 1 : -1]
        if not line.startswith(BETWEEN, end) or not line.endswith(b"}}") or RETURN in event:
            return None
        if len(event) >= NO_LIMIT and (
            len(event) > RECORD_DIGITS or event.count(b"[") + event.count(b"{") >= RECORD_DEPTH
        ):
            return None
        try:
            value = decode(event)
            if len(value) != event.count(b":") and encode(value) != event and repeated_key(event) is not None:
                return None
            inner = sha256(unhexlify(salt) + event).digest()
        except UNREADABLE:
            return None
        if salt.lower() != salt:
            return None
        return sha256(self._begin + position.to_bytes(8, "big") + self._names + inner).digest()
