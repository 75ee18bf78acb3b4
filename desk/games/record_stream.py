"""Stream records as they are recorded. Poll the store, because other processes may write, too."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.core.outcomes import SeenRecord, seen_records

POLL = 0.1
"""Seconds between two polls of the store."""


class Following:
    """A stream of records, endless unless `until` or `patience` ends it.

    `position` is the position of the last record that was read, even if the seat may not see it.
    `follow(after=position)` continues from there, even in another process.
    """

    def __init__(
        self, game: OpenGame, seat: str, after: int, *, until: int | None = None, patience: float | None = None
    ) -> None:
        self._game = game
        self._seat = seat
        self.position = after
        self._until = until
        self._patience = patience
        self._closed = False

    def close(self) -> None:
        """End the stream, from any thread; a reader that waits for the next record gets none."""
        self._closed = True

    def __iter__(self) -> Iterator[SeenRecord]:
        quiet = time.monotonic()
        while not self._over(quiet):
            found, size = self._new()
            for record in found:
                self.position = record.position
                yield record
            self.position = size
            if found:
                quiet = time.monotonic()
            elif not self._over(quiet):
                time.sleep(POLL)

    async def __aiter__(self) -> AsyncIterator[SeenRecord]:
        quiet = time.monotonic()
        while not self._over(quiet):
            found, size = await asyncio.to_thread(self._new)
            for record in found:
                self.position = record.position
                yield record
            self.position = size
            if found:
                quiet = time.monotonic()
            elif not self._over(quiet):
                await asyncio.sleep(POLL)

    def _over(self, quiet: float) -> bool:
        reached = self._until is not None and self.position >= self._until
        weary = self._patience is not None and time.monotonic() - quiet > self._patience
        return self._closed or reached or weary

    def _new(self) -> tuple[list[SeenRecord], int]:
        """Return the new records that the seat may see, and the last position that was read."""
        ledger, game = self._game.ledger, self._game.id
        size = ledger.size(game)
        size = size if self._until is None else min(size, self._until)
        if size <= self.position:
            return [], self.position
        records = ledger.records(game, self.position + 1, size)
        return list(seen_records(records, ledger.state(game), self._seat)), size
