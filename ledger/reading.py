"""Read a game as it is stored: its size, its lines and records, and the records of an order.

This module does not determine which records count; branches.py does.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from umpire_ledger.ledger.records.errors import BrokenLedger, NoSuchGame, NoSuchRecord
from umpire_ledger.ledger.records.record import UNREADABLE, Record
from umpire_ledger.ledger.storage.interface import Away, LineStore

AT_ONCE = 32  # records of an order read at once
MOST_MARKED = 64
"""Limit of searched marks that are cached, each with its lines if they are few."""
FEW = 1000


def wrong_index(game_id: str, position: int, order_id: str) -> BrokenLedger:
    """Return the error for an index of order ids that contradicts the log."""
    return BrokenLedger(
        game=game_id,
        position=position,
        reason=f"the index of order ids does not lead from {order_id} to this record",
        remedy=f"if `umpire verify {game_id}` finds no fault, export the whole game and import it into a new ledger",
    )


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games. Times are UTC, as in the records."""

    id: str
    size: int
    opened_at: str
    last_at: str


class GameReader:
    """Reads the games of one store."""

    def __init__(self, store: LineStore) -> None:
        self._store = store
        self._seen: dict[str, int] = {}
        """Sizes of the games at the last query. Records are never removed, so these positions need no other query."""
        self._newest: tuple[str, int, list[bytes]] = ("", 0, [])
        """Game, first position and lines of the newest write by this process, which are often read next."""
        self._marked: dict[tuple[str, bytes], tuple[int, tuple[bytes, ...]]] = {}
        """By game and mark: the position up to which the game was searched, and the lines that contain the mark."""

    def game_ids(self, away: Away | None = None) -> tuple[str, ...]:
        """Return the ids of all games, the oldest first. `away`: as in `LineStore.games`."""
        return tuple(self._store.games(away))

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, the oldest first."""
        return tuple(map(self._entry, self._store.games()))

    def _entry(self, game_id: str) -> StoredGame:
        size = self.size(game_id)
        return StoredGame(
            id=game_id, size=size, opened_at=self.record(game_id, 1).at, last_at=self.record(game_id, size).at
        )

    def wrote(self, game_id: str, after: int, lines: list[bytes]) -> None:
        """Note the lines that were just written after a position."""
        self._seen[game_id] = max(after + len(lines), self._seen.get(game_id, 0))
        self._newest = (game_id, after + 1, lines)

    def size(self, game_id: str) -> int:
        """Return the present number of records of the game; 0 if there is no such game."""
        size = self._store.size(game_id)
        if size:
            self._seen[game_id] = size
        return size

    def need_game(self, game_id: str) -> int:
        """Return the size of a game.

        Raises:
            NoSuchGame: There is no such game.
        """
        size = self.size(game_id)
        if not size:
            raise NoSuchGame(game=game_id)
        return size

    def need_position(self, game_id: str, at: int | None) -> int:
        """Return `at`, or the last position for None; 0 is before the first record.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        if at is not None and 0 <= at <= self._seen.get(game_id, -1):
            return at
        size = self.need_game(game_id)
        if at is None:
            return size
        if not 0 <= at <= size:
            raise NoSuchRecord(game=game_id, position=at, size=size)
        return at

    def record(self, game_id: str, position: int) -> Record:
        """Return one record.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        for line in self._store.lines(game_id, position, position):
            return self.decode(game_id, position, line)
        raise NoSuchRecord(game=game_id, position=position, size=self.need_game(game_id))

    def records(self, game_id: str, start: int = 1, stop: int | None = None) -> Iterator[Record]:
        """Return an iterator over the records from `start` to `stop`, both included, in order.

        Raises:
            NoSuchGame: When there is no such game.
        """
        lines = self.lines(game_id, start, stop)
        return (self.decode(game_id, position, line) for position, line in enumerate(lines, max(start, 1)))

    def lines(self, game_id: str, start: int = 1, stop: int | None = None) -> Iterator[bytes]:
        """Return the stored bytes of the records from `start` to `stop`, without newlines.

        Raises:
            NoSuchGame: When there is no such game.
        """
        if stop is None or not 0 < stop <= self._seen.get(game_id, 0):
            size = self.need_game(game_id)
            stop = size if stop is None else min(stop, size)
        of, first, newest = self._newest
        if of == game_id and max(start, 1) >= first and stop < first + len(newest):
            return iter(newest[max(start, 1) - first : stop - first + 1])
        return self._store.lines(game_id, max(start, 1), stop)

    def lines_with(self, game_id: str, mark: bytes) -> list[bytes]:
        """Return the lines that contain these bytes, the oldest first.

        Raises:
            NoSuchGame: When there is no such game.
        """
        size = self.need_game(game_id)
        seen, found = self._marked.pop((game_id, mark), (0, ()))
        if seen < size:
            found = (*found, *self._store.lines_with(game_id, mark, seen + 1, size))
        if len(found) <= FEW:
            self._marked[game_id, mark] = max(seen, size), found
        for oldest in list(self._marked)[:-MOST_MARKED]:
            self._marked.pop(oldest, None)
        return list(found)

    def answer(self, game_id: str, command: str) -> tuple[Record, ...]:
        """Return the records of the order with this order id; () if it is unknown.

        Raises:
            BrokenLedger: When the index of order ids is wrong.
        """
        start = self._store.position_of(game_id, command)
        if start is None:
            return ()
        found = tuple(self._order_from(game_id, start, command))
        if not found:
            raise wrong_index(game_id, start, command)
        return found

    def order_at(self, game_id: str, position: int) -> tuple[Record, ...]:
        """Return the records of the order that wrote a position; at least one.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
            BrokenLedger: The index of order ids does not find a record that the log has.
        """
        record = self.record(game_id, position)
        found = self.answer(game_id, record.command)
        if not found or not found[0].position <= position <= found[-1].position:
            raise wrong_index(game_id, position, record.command)
        return found

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (first position, order id) of the orders whose id begins with `prefix`, the oldest first."""
        return self._store.commands(game_id, prefix)

    def _order_from(self, game_id: str, start: int, command: str) -> Iterator[Record]:
        size = self.size(game_id)
        for low in range(start, size + 1, AT_ONCE):
            for record in self.records(game_id, low, min(size, low + AT_ONCE - 1)):
                if record.command != command:
                    return
                yield record

    def decode(self, game_id: str, position: int, line: bytes) -> Record:
        """Decode a stored line.

        Raises:
            BrokenLedger: When the line is not a record.
        """
        try:
            return Record.decode(line)
        except UNREADABLE as error:
            raise BrokenLedger(game=game_id, position=position, reason=f"not a record: {error}") from error
