"""Rows of a game read a stretch at a time: no reader holds rows or a snapshot of the store, however slowly it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

R = TypeVar("R")

CHUNK = 512
"""Rows read at once, forwards."""
BACK = 64
"""Rows read at once, backwards: such readers soon have enough."""

Read = Callable[[int, int], list[R]]
"""The rows from one position to another, both included, in the order in which they are wanted"""


def forwards(read: Read[R], first: int, last: int) -> Iterator[list[R]]:
    """Yield the rows from `first` to `last` in lists, up to the first empty one."""
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
