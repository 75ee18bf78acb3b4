"""Read rows of a game in chunks, so that a slow reader holds neither many rows nor a snapshot of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

R = TypeVar("R")

CHUNK = 512
"""Number of rows read at once, forwards."""
BACK = 64
"""Number of rows read at once, backwards. Such readers usually need few rows."""

Read = Callable[[int, int], list[R]]
"""Function that returns the rows from one position to another, both included, in the required order."""


def forwards(read: Read[R], first: int, last: int) -> Iterator[list[R]]:
    """Yield the rows from `first` to `last` in lists, up to the first empty list."""
    for low in range(first, last + 1, CHUNK):
        rows = read(low, min(last, low + CHUNK - 1))
        if not rows:
            return
        yield rows


def backwards(read: Read[R], first: int, last: int) -> Iterator[list[R]]:
    """Yield the rows from `last` down to `first` in lists."""
    while last >= first:
        low = max(first, last - BACK + 1)
        yield read(low, last)
        last = low - 1
