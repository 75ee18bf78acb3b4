"""Pass new records of this and other processes to the waiting streams.

One query for the whole ledger serves all streams, every few milliseconds while a stream waits, or at a signal from the
store (`store_listener.py`). So 200 streams need as many queries as one.
"""

import asyncio
from collections import defaultdict

from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.seat import Seat
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.service.encoding import encoded_record
from umpire_ledger.service.store_listener import StoreListener

AT_ONCE = 500
"""Maximum number of positions in one batch. A reader that returns after a year gets the records in several batches."""
MOST_SHARED = 200
Batch = tuple[bytes, int, int]
"""The text of the events, the position up to which it goes, and the number of its records."""


class ChangeFeed:
    """The new records of all games, for the streams. `poll`: seconds between two queries to a store without signals."""

    def __init__(self, desk: Desk, poll: float) -> None:
        self._desk = desk
        self._ear = StoreListener(desk, poll)
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._shared: dict[tuple[str, str, int, int], Batch] = {}
        self._sizes: dict[tuple[int, str], int] = {}
        self._shut_out: dict[int, str] = {}
        self._number: int | None = None
        self._stopping = False
        self._all: set[asyncio.Event] = set()

    # --- used by a stream ---------------------------------------------------------------------------------------------

    def listen(self, game_id: str) -> asyncio.Event:
        """Return an event that is set when the game grows, and when the service stops."""
        event = asyncio.Event()
        self._waiting[game_id].add(event)
        self._all.add(event)
        return event

    def leave(self, game_id: str, event: asyncio.Event) -> None:
        """Stop waiting for a game."""
        self._all.discard(event)
        self._waiting[game_id].discard(event)
        if not self._waiting[game_id]:
            del self._waiting[game_id]

    def batch(self, seat: Seat, after: int) -> Batch:
        """Return the records that a seat may see after a position, as events of a stream.

        The text is made once for all readers of the seat.
        """
        number, size = self._number, seat.game.size
        if number is not None:  # the size was read after the number, so it is as new or newer
            self._sizes[number, seat.game.id] = size
        until = min(size, after + AT_ONCE)
        key = (seat.game.id, seat.name, after, until)
        if key not in self._shared:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            records = list(seat.follow(after, until=until)) if until > after else []
            self._shared[key] = b"".join(map(encoded_record, records)), max(until, after), len(records)
        return self._shared[key]

    def revocation_stamp(self) -> str:
        """Return the stamp that changes with each revocation, as of the newest record or later."""
        number, word = self._number, self._desk.invitations.revocation_stamp
        if number is not None:
            self._shut_out[number] = word
        return word

    def at_hand(self, seat: Seat, after: int, admitted: str) -> Batch | None:
        """Return the result of `batch` if another reader made it after the newest record, without a query to the store.

        Args:
            seat: The seat of the reader.
            after: The position before the batch.
            admitted: The revocation stamp at the reader's admission. After a later revocation, return None.
        """
        number = self._number
        if number is None or self._shut_out.get(number) != admitted:
            return None
        size = self._sizes.get((number, seat.game.id))
        if size is None:
            return None
        return self._shared.get((seat.game.id, seat.name, after, min(size, after + AT_ONCE)))

    # --- used by the process ------------------------------------------------------------------------------------------

    @property
    def is_stopping(self) -> bool:
        """Whether the streams must end."""
        return self._stopping

    def stop(self) -> None:
        """Make every stream end."""
        self._stopping = True
        for event in tuple(self._all):
            event.set()

    async def run(self) -> None:
        """Query the store repeatedly while streams wait."""
        self._ear.open()
        try:
            while True:
                await self._ear.pause()
                await self._ask()
        finally:
            self._ear.close()

    async def _ask(self) -> None:
        if not self._all:
            self._number = None  # so the next reader queries the store itself
            return
        for game in await asyncio.to_thread(self._news):
            for event in tuple(self._waiting.get(game, ())):
                event.set()

    def _news(self) -> list[str]:
        """Return the games that have grown; at the first query, all games with streams, as nothing is known yet."""
        before = self._number
        try:
            self._number, games = self._desk.ledger.changed_games(before)
        except StoreUnavailable:
            return []
        if games:
            for kept in (self._shared, self._sizes, self._shut_out):
                kept.clear()
        return list(self._waiting) if before is None else games
