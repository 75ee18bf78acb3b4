"""Keep snapshots: the folded state and the compact range at some positions. A cache, which may be deleted at any time.

A snapshot begins with a hash over its game, its schema and its content. So a damaged one, or one moved to another game
or position, is ignored and cannot produce a wrong `prior`. A person who can write the file can write a hash too:
`umpire doctor --deep` folds every game again.
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from typing import Generic

from eventsourcing.persistence import IntegrityError, OperationalError

from umpire_ledger.ledger.merkle.tree import HASH, CompactRange
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.record import text
from umpire_ledger.ledger.state_builder import S, StateBuilder
from umpire_ledger.ledger.storage.interface import SnapshotStore

PACKED = 2
"""Goes up when a snapshot is packed in another way."""
LEVEL = 1  # states repeat themselves: the first level saves nearly as much as the last, in a tenth of the time


class Snapshots(Generic[S]):
    """The snapshots of the games in one store. `every`: records from one to the next."""

    def __init__(self, store: SnapshotStore, folding: StateBuilder[S], every: int) -> None:
        self._store = store
        self._folding = folding
        self.every = every
        self.used = True
        """False: stored snapshots are ignored, for callers that doubt them."""
        self._last: dict[str, int] = {}

    @property
    def schema(self) -> str:
        """The name of the shape of a state and its packing; a snapshot of another schema is not read or changed."""
        return f"{self._folding.schema}/{PACKED}"

    def positions(self, game: str, most: int) -> list[int]:
        """Return the positions of snapshots up to `most`, the newest first; none if snapshots are not used."""
        return self._store.positions(game, self.schema, most) if self.used else []

    def kept_at(self, game: str) -> list[int]:
        """Return the positions of all snapshots, used or not, the oldest first."""
        return self._store.positions(game, self.schema, 2**63 - 1)[::-1]

    def state(self, game: str, position: int) -> bytes | None:
        """Return the dumped state in the snapshot at a position; None if it is missing or damaged."""
        found = self.find(game, position)
        return None if found is None else found[1]

    def edge(self, game: str, position: int) -> CompactRange | None:
        """Return the compact range in the snapshot at a position; None if it is missing or damaged."""
        found = self.find(game, position)
        return None if found is None else found[0]

    def find(self, game: str, position: int) -> tuple[CompactRange, bytes] | None:
        """Return (compact range, dumped state) of the snapshot at a position; None if it is missing or damaged."""
        raw = self._store.state(game, position, self.schema)
        snapshot = None if raw is None else unpack_snapshot(raw, game, self.schema)
        return snapshot if snapshot is not None and snapshot[0].size == position else None

    def take_when_due(self, game: str, edge: CompactRange, state: S) -> None:
        """Store a snapshot if the last one is far enough away."""
        if edge.size < self.every:
            return
        last = self._last.get(game)
        if last is None:
            last = self._last[game] = max(self.positions(game, edge.size), default=0)
        if edge.size - last >= self.every:
            self.take(game, edge, state)

    def take(self, game: str, edge: CompactRange, state: S) -> None:
        """Store a snapshot; a failure costs only time, because the events are safe by now."""
        self._last[game] = edge.size
        with contextlib.suppress(StoreUnavailable, IntegrityError, OperationalError):  # a snapshot is a cache
            packed = pack_snapshot(game, self.schema, edge, self._folding.dump(state))
            self._store.keep(game, edge.size, self.schema, packed)

    def drop(self, game: str | None = None) -> None:
        """Forget those of a game; None: all."""
        self._store.drop(game)
        self._last.clear()
        self.used = True


def pack_snapshot(game: str, schema: str, edge: CompactRange, state: bytes) -> bytes:
    """Return the bytes of a snapshot: a hash over game, schema and the rest; the compact range; the state."""
    plain = edge.encode() + state
    return zlib.compress(_hash(game, schema, plain) + plain, LEVEL)


def unpack_snapshot(raw: bytes, game: str, schema: str) -> tuple[CompactRange, bytes] | None:
    """Return (compact range, state); None if these bytes are not a snapshot of this game and schema."""
    try:
        unpacked = zlib.decompress(raw)
        plain = unpacked[HASH:]
        edge, end = CompactRange.decode(plain)
    except (zlib.error, ValueError):
        return None
    return (edge, plain[end:]) if unpacked[:HASH] == _hash(game, schema, plain) else None


def _hash(game: str, schema: str, plain: bytes) -> bytes:
    return hashlib.sha256(text(game) + text(schema) + plain).digest()
