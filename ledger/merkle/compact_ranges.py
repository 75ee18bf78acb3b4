"""Maintain the compact range of each game's tree, from which the next `prior` and every checkpoint are computed.

The compact range at the end of a game is stored with it, in one transaction with the records. So a process that opens
the ledger for one order need not hash the game again. If the stored compact range does not match the game's size, that
of the last snapshot is used, and the leaves since then are hashed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from umpire_ledger.ledger.merkle.tree import HASH, CompactRange
from umpire_ledger.ledger.records.errors import BrokenLedger, record_count
from umpire_ledger.ledger.records.record import Record

KeptEdge = tuple[int, bytes, bytes]
"""A compact range as stored with its game: size, concatenated peaks, root."""


class SnapshotEdges(Protocol):
    """Access to the compact ranges in snapshots."""

    def positions(self, game_id: str, most: int) -> Sequence[int]:
        """Return the positions of snapshots up to `most`, newest first."""

    def edge(self, game_id: str, position: int) -> CompactRange | None:
        """Return the compact range in the snapshot at a position; None if it cannot be read."""


class CompactRanges:
    """The compact ranges of the games in one store. The one after this ledger's own last write is cached.

    `stored`: returns a game's size and its stored compact range; `records`: returns records from one position to
    another.
    """

    def __init__(
        self,
        stored: Callable[[str], tuple[int, KeptEdge | None]],
        records: Callable[[str, int, int], Iterable[Record]],
        snapshots: SnapshotEdges,
    ) -> None:
        self._stored = stored
        self._records = records
        self._snapshots = snapshots
        self._in_hand: dict[str, CompactRange] = {}

    def for_writing(self, game_id: str, after: int) -> CompactRange | None:
        """Return the compact range at `after`; None if the game does not end there.

        Raises:
            BrokenLedger: Records at the end are missing. A new order after the others would hide this.
        """
        edge = self._in_hand.get(game_id)
        if edge is not None and edge.size == after:
            return edge
        size, kept = self.kept(game_id)
        if kept is not None and kept.size > size:
            raise BrokenLedger(
                game=game_id, position=size + 1, reason="records are missing", expected=record_count(kept.size),
                found=record_count(size),
            )  # fmt: skip
        if size != after:
            return None
        return kept if kept is not None and kept.size == after else self._hashed(game_id, after)

    def at(self, game_id: str, at: int) -> CompactRange:
        """Return the compact range at a position that the game has."""
        edge = self._in_hand.get(game_id)
        if edge is None or edge.size != at:
            _, edge = self.kept(game_id)
        return edge if edge is not None and edge.size == at else self._hashed(game_id, at)

    def kept(self, game_id: str) -> tuple[int, CompactRange | None]:
        """Return the game's size and its stored compact range, which is None if it is missing or inconsistent."""
        size, kept = self._stored(game_id)
        return size, None if kept is None else parse_stored(kept)

    def _hashed(self, game_id: str, at: int) -> CompactRange:
        """Return the compact range, built from a cached one or that of a snapshot, and the leaves since then."""
        edge = self._in_hand.get(game_id)
        if edge is None or edge.size > at:
            edge = CompactRange()
        for position in self._snapshots.positions(game_id, at):
            if position <= edge.size:
                break
            found = self._snapshots.edge(game_id, position)
            if found is not None:
                edge = found
                break
        if edge.size == at:
            return edge
        return edge.grow(leaf_of(game_id, record) for record in self._records(game_id, edge.size + 1, at))

    def cache(self, game_id: str, edge: CompactRange) -> None:
        """Cache the compact range after the newest write."""
        self._in_hand[game_id] = edge

    def invalidate(self, game_id: str) -> None:
        """Drop the cached compact range, because another process has written records."""
        self._in_hand.pop(game_id, None)


def leaf_of(game_id: str, record: Record) -> bytes:
    """Return the leaf of a stored record.

    Raises:
        BrokenLedger: The salt of the record or a hash in it is malformed.
    """
    try:
        return record.leaf(game_id)
    except (ValueError, OverflowError) as error:
        raise BrokenLedger(game=game_id, position=record.position, reason=f"not a record: {error}") from error


def to_keep(edge: CompactRange) -> KeptEdge:
    """Return a compact range in the form stored with its game."""
    return edge.size, b"".join(edge.peaks), edge.root()


def parse_stored(kept: KeptEdge) -> CompactRange | None:
    """Return the stored compact range; None if size, peaks and root do not match."""
    size, peaks, root = kept
    edge = CompactRange(size, tuple(peaks[start : start + HASH] for start in range(0, len(peaks), HASH)))
    fits = len(peaks) == HASH * size.bit_count() and edge.root() == root
    return edge if fits else None
