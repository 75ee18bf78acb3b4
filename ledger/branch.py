"""Which positions count: the log is a tree of rewinds, a branch is the way from its root to one position.

Record n continues the state of record n - 1, or, with `follows` = p, that of record p. So
branch(n) = branch(p) + [n], and every position has a branch, those abandoned by a later rewind too.
People are told of the "line" of play; in the ledger a line is a record's stored bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec


class Branch(msgspec.Struct, frozen=True):
    """The positions that count at `at`, as stretches (first, last), both included, oldest first."""

    at: int
    stretches: tuple[tuple[int, int], ...]

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, int):
            return False
        index = bisect_right(self.stretches, (position, self.at)) - 1
        return index >= 0 and position <= self.stretches[index][1]

    def __iter__(self) -> Iterator[int]:
        """Newest first, as somebody looks who wants to undo."""
        for first, last in reversed(self.stretches):
            yield from range(last, first - 1, -1)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.stretches)

    def after(self, position: int) -> Iterator[tuple[int, int]]:
        """The stretches behind `position`, oldest first."""
        for first, last in self.stretches:
            if last > position:
                yield max(first, position + 1), last


def branch_to(at: int, rewinds: Sequence[tuple[int, int]]) -> Branch:
    """The branch of `at`, given all (position, follows) in position order."""
    stretches: list[tuple[int, int]] = []
    last, index = at, len(rewinds)
    while last > 0:
        index = bisect_right(rewinds, (last, last), 0, index)
        if index == 0:
            stretches.append((1, last))
            break
        index -= 1
        position, follows = rewinds[index]
        stretches.append((position, last))
        last = follows
    return Branch(at, tuple(reversed(stretches)))
