"""Find the positions of a branch. Rewinds make the log a tree; a branch is the path from its root to one position.

Record n continues the state of record n - 1 or, with `follows` = p, that of record p. So branch(n) = branch(p) + [n],
and every position has a branch, including positions that a later rewind abandoned.

In the ledger, a line is a record's stored bytes, never a branch.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from threading import RLock

import msgspec

from umpire_ledger.ledger.records.errors import BrokenLedger
from umpire_ledger.ledger.storage.interface import LineStore


class Branch(msgspec.Struct, frozen=True):
    """The positions on the branch that ends at `at`, as stretches (first, last), both included, oldest first."""

    at: int
    stretches: tuple[tuple[int, int], ...]

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, int):
            return False
        index = bisect_right(self.stretches, (position, self.at)) - 1
        return index >= 0 and position <= self.stretches[index][1]

    def __iter__(self) -> Iterator[int]:
        """Yield the positions from newest to oldest, as an undo reads them."""
        for first, last in reversed(self.stretches):
            yield from range(last, first - 1, -1)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.stretches)

    def after(self, position: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches after `position`, oldest first."""
        for first, last in self.stretches:
            if last > position:
                yield max(first, position + 1), last


def branch_to(at: int, rewinds: Sequence[tuple[int, int]]) -> Branch:
    """Return the branch of `at`. `rewinds`: (position, follows) of all rewinds, in order of position."""
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


def rewinds_of(store: LineStore, game_id: str, after: int = 0) -> list[tuple[int, int]]:
    """Return (position, follows) of the rewinds after `after`, in order of position.

    They come from an index, which can be damaged although the lines are intact.

    Raises:
        BrokenLedger: The index names an impossible rewind.
    """
    found = store.rewinds(game_id, after)
    last = after
    for position, follows in found:
        if not (isinstance(position, int) and isinstance(follows, int) and position > last and 0 <= follows < position):
            at = position if isinstance(position, int) and position > 0 else last + 1
            raise BrokenLedger(game=game_id, position=at, reason="the store's index of rewinds is damaged")
        last = position
    return found


class Branches:
    """The branches of the games in one store, and their lines. The rewinds of each game are cached."""

    def __init__(self, store: LineStore) -> None:
        self._store = store
        self._lock = RLock()
        self._rewinds: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        """By game: the position up to which all rewinds are known, and those rewinds."""

    def to(self, game_id: str, at: int) -> Branch:
        """Return the branch of position `at`, which the game must have.

        Raises:
            BrokenLedger: When the index of rewinds is damaged.
        """
        with self._lock:
            known, rewinds = self._rewinds.get(game_id, (0, []))
            if known < at:
                rewinds = rewinds + rewinds_of(self._store, game_id, known)
                # Another writer may have added records after `at` in the meantime, so the list is complete only up to
                # `at`.
                known = max(at, rewinds[-1][0]) if rewinds else at
                self._rewinds[game_id] = known, rewinds
            return branch_to(at, rewinds)

    def grew(self, game_id: str, after: int, size: int, rewinds: list[tuple[int, int]]) -> None:
        """Note the records `after` + 1 to `size` and the rewinds among them, which saves a query."""
        with self._lock:
            known, before = self._rewinds.get(game_id, (0, []))
            if known == after:
                self._rewinds[game_id] = size, before + rewinds if rewinds else before

    def lines(self, game_id: str, branch: Branch, after: int = 0) -> Iterator[bytes]:
        """Return the stored lines of a branch after position `after`, the oldest first."""
        return chain.from_iterable(self._store.lines(game_id, first, last) for first, last in branch.after(after))

    def lines_back(self, game_id: str, branch: Branch) -> Iterator[tuple[int, bytes]]:
        """Yield (position, stored line) along a branch, newest first. Each line is read when the caller takes it.

        Raises:
            BrokenLedger: Records are missing.
        """
        lines = chain.from_iterable(
            self._store.lines_back(game_id, first, last) for first, last in reversed(branch.stretches)
        )
        for position in branch:
            line = next(lines, None)
            if line is None:
                raise BrokenLedger(game=game_id, position=position, reason="records are missing")
            yield position, line
