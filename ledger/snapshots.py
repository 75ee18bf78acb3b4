"""Store snapshots: the state and the compact range at some positions.

They are a cache, which may be deleted at any time.

A snapshot begins with a hash over its game, its schema and its content. So a snapshot that is damaged, or moved to
another game or position, is ignored and cannot produce a wrong `prior`. A person who can write the file can also write
such a hash; `umpire doctor --deep` therefore rebuilds every game from its records.
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
"""Version of the packed form of a snapshot. Raise it when the form changes."""
LEVEL = 1  # A state repeats itself, so the first level saves nearly as much as the last, in a tenth of the time.


class Snapshots(Generic[S]):
    """The snapshots of the games in one store. `every`: number of records from one snapshot to the next."""

    def __init__(self, store: SnapshotStore, folding: StateBuilder[S], every: int) -> None:
        self._store = store
        self._folding = folding
        self.every = every
        self.used = True
        """False if stored snapshots must be ignored, for callers that doubt them."""
        self._last: dict[str, int] = {}

    @property
    def schema(self) -> str:
        """Name of a state's structure and encoding. A snapshot of another schema is neither read nor changed."""
        return f"{self._folding.schema}/{PACKED}"

    def positions(self, game_id: str, most: int) -> list[int]:
        """Return the positions of snapshots up to `most`, newest first; none if snapshots are ignored."""
        return self._store.positions(game_id, self.schema, most) if self.used else []

    def kept_at(self, game_id: str) -> list[int]:
        """Return the positions of all snapshots, ignored or not, oldest first."""
        return self._store.positions(game_id, self.schema, 2**63 - 1)[::-1]

    def state(self, game_id: str, position: int) -> bytes | None:
        """Return the dumped state in the snapshot at a position; None if the snapshot is missing or damaged."""
        found = self.find(game_id, position)
        return None if found is None else found[1]

    def edge(self, game_id: str, position: int) -> CompactRange | None:
        """Return the compact range in the snapshot at a position; None if the snapshot is missing or damaged."""
        found = self.find(game_id, position)
        return None if found is None else found[0]

    def find(self, game_id: str, position: int) -> tuple[CompactRange, bytes] | None:
        """Return (compact range, dumped state) of the snapshot at a position; None if it is missing or damaged."""
        raw = self._store.state(game_id, position, self.schema)
        snapshot = None if raw is None else unpack_snapshot(raw, game_id, self.schema)
        return snapshot if snapshot is not None and snapshot[0].size == position else None

    def take_when_due(self, game_id: str, edge: CompactRange, state: S) -> None:
        """Store a snapshot if the last one is at least `every` records older."""
        if edge.size < self.every:
            return
        last = self._last.get(game_id)
        if last is None:
            last = self._last[game_id] = max(self.positions(game_id, edge.size), default=0)
        if edge.size - last >= self.every:
            self.take(game_id, edge, state)

    def take(self, game_id: str, edge: CompactRange, state: S) -> None:
        """Store a snapshot. A failure costs only time, because the events are already recorded."""
        self._last[game_id] = edge.size
        with contextlib.suppress(StoreUnavailable, IntegrityError, OperationalError):  # a snapshot is a cache
            packed = pack_snapshot(game_id, self.schema, edge, self._folding.dump(state))
            self._store.keep(game_id, edge.size, self.schema, packed)

    def drop(self, game_id: str | None = None) -> None:
        """Delete the snapshots of a game (None: of all games)."""
        self._store.drop(game_id)
        self._last.clear()
        self.used = True


def pack_snapshot(game_id: str, schema: str, edge: CompactRange, state: bytes) -> bytes:
    """Return the bytes of a snapshot: a hash over game, schema and the rest, then the compact range and the state."""
    plain = edge.encode() + state
    return zlib.compress(_hash(game_id, schema, plain) + plain, LEVEL)


def unpack_snapshot(raw: bytes, game_id: str, schema: str) -> tuple[CompactRange, bytes] | None:
    """Return (compact range, state); None if the bytes are not a snapshot of this game and schema."""
    try:
        unpacked = zlib.decompress(raw)
        plain = unpacked[HASH:]
        edge, end = CompactRange.decode(plain)
    except (zlib.error, ValueError):
        return None
    return (edge, plain[end:]) if unpacked[:HASH] == _hash(game_id, schema, plain) else None


def _hash(game_id: str, schema: str, plain: bytes) -> bytes:
    return hashlib.sha256(text(game_id) + text(schema) + plain).digest()
