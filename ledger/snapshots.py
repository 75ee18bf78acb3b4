"""Snapshots: the folded state and the tree's right edge at some positions. A cache, droppable at any time.

zlib ends with a checksum: a snapshot that was damaged is seen as no snapshot, and can never give a wrong `prior`.
"""

from __future__ import annotations

import contextlib
import zlib
from typing import Generic

from eventsourcing.persistence import IntegrityError, OperationalError

from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.ledger.folding import Folding, S
from umpire_ledger.ledger.store import SnapshotStore
from umpire_ledger.ledger.tree import Edge

LEVEL = 1  # states repeat themselves: the first level saves nearly as much as the last, in a tenth of the time


class Snapshots(Generic[S]):
    """The snapshots of the games in one store. `every`: records from one to the next."""

    def __init__(self, store: SnapshotStore, folding: Folding[S], every: int) -> None:
        self._store = store
        self._folding = folding
        self.every = every
        self._last: dict[str, int] = {}

    def positions(self, game: str, most: int) -> list[int]:
        """Where there are snapshots up to position `most`, the newest first."""
        return self._store.positions(game, self._folding.schema, most)

    def state(self, game: str, position: int) -> bytes | None:
        """The dumped state in the snapshot at a position; None when there is none, or when it is damaged."""
        found = self._find(game, position)
        return None if found is None else found[1]

    def edge(self, game: str, position: int) -> Edge | None:
        """The right edge in the snapshot at a position, likewise."""
        found = self._find(game, position)
        return None if found is None else found[0]

    def _find(self, game: str, position: int) -> tuple[Edge, bytes] | None:
        raw = self._store.state(game, position, self._folding.schema)
        snapshot = None if raw is None else unpack_snapshot(raw)
        return snapshot if snapshot is not None and snapshot[0].size == position else None

    def take_when_due(self, game: str, edge: Edge, state: S) -> None:
        """Leave a snapshot behind when the last one is far enough away."""
        if edge.size < self.every:
            return
        last = self._last.get(game)
        if last is None:
            last = self._last[game] = max(self.positions(game, edge.size), default=0)
        if edge.size - last >= self.every:
            self.take(game, edge, state)

    def take(self, game: str, edge: Edge, state: S) -> None:
        """Leave a snapshot behind; one that cannot be written costs only time, because the events are safe by now."""
        self._last[game] = edge.size
        with contextlib.suppress(StoreUnavailable, IntegrityError, OperationalError):
            self._store.keep(game, edge.size, self._folding.schema, pack_snapshot(edge, self._folding.dump(state)))

    def drop(self) -> None:
        """Forget them all."""
        self._store.drop()
        self._last.clear()


def pack_snapshot(edge: Edge, state: bytes) -> bytes:
    """The edge, then the state."""
    return zlib.compress(edge.encode() + state, LEVEL)


def unpack_snapshot(raw: bytes) -> tuple[Edge, bytes] | None:
    """(edge, state), None when these bytes are not a snapshot."""
    try:
        plain = zlib.decompress(raw)
        edge, end = Edge.decode(plain)
    except (zlib.error, ValueError):
        return None
    return edge, plain[end:]
