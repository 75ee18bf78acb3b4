"""Count the bytes that a caller adds to a store, to enforce a limit on the caller.

The count belongs to the thread or task that opened it. Without an open count, a ledger counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from umpire_ledger.ledger.records.record import Row


class WrittenBytes:
    """Bytes of records and refusals so far."""

    def __init__(self) -> None:
        self.size = 0


_count: ContextVar[WrittenBytes | None] = ContextVar("written", default=None)


@contextmanager
def counted() -> Iterator[WrittenBytes]:
    """Count the bytes that are written in this context."""
    written = WrittenBytes()
    token = _count.set(written)
    try:
        yield written
    finally:
        _count.reset(token)


def count(size: int) -> None:
    """Add bytes to the count that is open, if there is one."""
    written = _count.get()
    if written is not None:
        written.size += size


def counting(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows that a store inserts, and count the bytes of their lines."""
    for row in rows:
        count(len(row[-1]))
        yield row
