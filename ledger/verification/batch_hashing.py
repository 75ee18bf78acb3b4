"""The records of an order behind its first, read fast: their lines begin alike, but for the position.

Most records are such: seen by everybody, following their predecessor, without a cause. Of their line only the salt
and the event are new, so only these are looked at; any other line is left to the reader that looks at everything.
What is taken here it would have taken too, with the same leaf. Tests that one measures stand in this one function.
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
    """What the later records of one order begin with: in their lines, and in the headers that are hashed."""

    __slots__ = ("_begin", "_envelope", "_names")

    def __init__(self, game: str, first: Record, line: bytes) -> None:
        """`line` is that of the order's first record, and known to be as a ledger writes it."""
        # A quotation mark within a name is escaped, so the first of these is the field itself.
        end = line.index(b',"prior":"')
        self._envelope = line[len(b'{"position":%d' % first.position) : end] + b',"salt":"'
        self._begin = LEAF + begin(game)
        self._names = names(first.at, first.seat, first.command) + ALL_ABSENT

    def leaf(self, position: int, line: bytes) -> bytes | None:
        """The leaf of the record at `position`; None for a line that must be looked at whole.

        That is so too where an event is long enough, and has brackets enough, to go beyond a limit.
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
