"""Hash the later records of an order fast: their lines begin alike, except for the position.

Most records are such later records: public, following their predecessor, and without a cause. Only salt and event of
their line are new, so only these are read. Any other line is left to the full reader. The full reader would also accept
each line that is accepted here, with the same leaf. `leaf` is one function for speed.
"""

from __future__ import annotations

from binascii import unhexlify
from hashlib import sha256

from umpire_ledger.ledger.records.json_keys import decode, encode, repeated_key
from umpire_ledger.ledger.records.limits import RECORD_DEPTH, RECORD_DIGITS
from umpire_ledger.ledger.records.record import ALL_ABSENT, LEAF, UNREADABLE, Record, begin, names

SALT = 32
"""Length of a salt, in hex digits."""
BETWEEN = b'","event":{'
NO_LIMIT = 2 * RECORD_DEPTH
"""Length in bytes below which nothing can be nested too deep, because each level has two brackets."""
RETURN = 0x0D


class SameOrder:
    """The common beginning of an order's later records, in their lines and in the headers that are hashed."""

    __slots__ = ("_begin", "_envelope", "_names")

    def __init__(self, game_id: str, first: Record, line: bytes) -> None:
        """Take the beginning from the order's first record. Its `line` must have the form that a ledger writes."""
        # A quotation mark within a name is escaped, so the first match is the field itself.
        end = line.index(b',"prior":"')
        self._envelope = line[len(b'{"position":%d' % first.position) : end] + b',"salt":"'
        self._begin = LEAF + begin(game_id)
        self._names = names(first.at, first.seat, first.command) + ALL_ABSENT

    def leaf(self, position: int, line: bytes) -> bytes | None:
        """Return the leaf of the record at `position`; None for a line that the full reader must check.

        That includes events whose number of bytes or brackets could exceed a limit.
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
