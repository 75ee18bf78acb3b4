"""Compare snapshots with the records: rebuild every state and hash every leaf again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

import msgspec

from umpire_ledger.ledger.merkle.compact_ranges import leaf_of
from umpire_ledger.ledger.merkle.tree import CompactRange
from umpire_ledger.ledger.reading import GameReader
from umpire_ledger.ledger.records.errors import record_count
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.state_builder import S, StateBuilder
from umpire_ledger.ledger.state_cache import StateCache


class FalseSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that must not be used.

    `passed_over`: readers detect its damage and ignore it, so it costs only time.
    """

    position: int
    what: str
    passed_over: bool = False


class SnapshotCheck(Generic[S]):
    """Compares snapshots with states that were built without any snapshot."""

    def __init__(
        self, snapshots: Snapshots[S], states: StateCache[S], reading: GameReader, folding: StateBuilder[S]
    ) -> None:
        self._snapshots = snapshots
        self._states = states
        self._reading = reading
        self._folding = folding

    def find(self, game_id: str) -> Iterator[FalseSnapshot]:
        """Yield the false snapshots of a game in order of position.

        Snapshots of another schema are never used, so not checked.

        Raises:
            NoSuchGame: There is no such game.
        """
        size = self._reading.need_game(game_id)
        edge = CompactRange()
        for position in self._snapshots.kept_at(game_id):
            if not 1 <= position <= size:
                yield FalseSnapshot(position=position, what=f"the game has {record_count(size)}")
                continue
            leaves = (leaf_of(game_id, record) for record in self._reading.records(game_id, edge.size + 1, position))
            edge = edge.grow(leaves)
            found = self._snapshots.find(game_id, position)
            if found is None:
                yield FalseSnapshot(position=position, what="it is damaged, so Umpire skips it", passed_over=True)
            elif found[0] != edge:
                yield FalseSnapshot(position=position, what="its hashes do not match the records")
            elif not self._is_state(game_id, position, found[1]):
                yield FalseSnapshot(position=position, what="its state does not match the records")

    def _is_state(self, game_id: str, position: int, dumped: bytes) -> bool:
        try:
            loaded = self._folding.load(dumped)
        except (ValueError, TypeError, KeyError, RecursionError):
            return False
        return loaded == self._states.at(game_id, position)
