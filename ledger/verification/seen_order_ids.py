"""Remember the ids of orders in eight bytes each, so that a log of a million orders needs little memory."""

import os
from array import array
from hashlib import blake2b

_FIRST = 1024
"""Places in a new table. The number of places is always a power of two."""


class OrderIds:
    """A set of ids that only grows: open addressing over 64-bit digests, with at least half of the table empty.

    The digests have a random key for each set, so that an attacker cannot find two ids with the same digest. Among a
    million ids, two have the same digest by chance with a probability of 3 in 100 million.
    """

    def __init__(self) -> None:
        self._key = os.urandom(16)
        self._places = array("Q", bytes(8 * _FIRST))
        self._count = 0

    def add(self, name: str) -> bool:
        """Add an id; return whether it was there already."""
        digest = int.from_bytes(blake2b(name.encode(), digest_size=8, key=self._key).digest(), "big") or 1
        at = self._place_of(digest)
        if self._places[at]:
            return True
        self._places[at] = digest
        self._count += 1
        if 2 * self._count > len(self._places):
            self._grow()
        return False

    def _place_of(self, digest: int) -> int:
        """Return the place of a digest; if it is not there, the free place for it."""
        places, last = self._places, len(self._places) - 1
        at = digest & last
        while places[at] and places[at] != digest:
            at = (at + 1) & last
        return at

    def _grow(self) -> None:
        before = self._places
        self._places = array("Q", bytes(16 * len(before)))
        for digest in before:
            if digest:
                self._places[self._place_of(digest)] = digest
