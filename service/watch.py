"""What was recorded, by this process or by another one, told to the streams that wait for it.

One question for the whole ledger, asked every few milliseconds for as long as anybody waits, or when the store tells
(`ear.py`): so two hundred streams cost no more than one.
"""

import asyncio
from collections import defaultdict

from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.seat import Seat
from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.service.ear import Ear
from umpire_ledger.service.encoding import encoded_record

AT_ONCE = 500
"""Positions looked at for one batch: whoever comes back after a year is told piece by piece."""
MOST_SHARED = 200
Batch = tuple[bytes, int, int]
"""The text of the events, up to which position it goes, how many records are in it."""


class Watch:
    """`poll`: seconds between two questions to a store that tells nothing by itself."""

    def __init__(self, desk: Desk, poll: float) -> None:
        self._desk = desk
        self._ear = Ear(desk, poll)
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._shared: dict[tuple[str, str, int, int], Batch] = {}
        self._number: int | None = None
        self._stopping = False
        self._all: set[asyncio.Event] = set()

    # --- for a stream -------------------------------------------------------------------------------------------------

    def listen(self, game: str) -> asyncio.Event:
        """An event that is set when the game has grown, and at the stop."""
        event = asyncio.Event()
        self._waiting[game].add(event)
        self._all.add(event)
        return event

    def leave(self, game: str, event: asyncio.Event) -> None:
        """Nobody waits for it any more."""
        self._all.discard(event)
        self._waiting[game].discard(event)
        if not self._waiting[game]:
            del self._waiting[game]

    def batch(self, seat: Seat, after: int) -> Batch:
        """What a seat may see behind a position, as events of a stream. The same for all who sit there: made once."""
        until = min(seat.game.size, after + AT_ONCE)
        key = (seat.game.id, seat.name, after, until)
        if key not in self._shared:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            records = list(seat.follow(after, until=until)) if until > after else []
            self._shared[key] = b"".join(map(encoded_record, records)), max(until, after), len(records)
        return self._shared[key]

    # --- for the process ----------------------------------------------------------------------------------------------

    @property
    def is_stopping(self) -> bool:
        """Whether streams are to end."""
        return self._stopping

    def stop(self) -> None:
        """Let every stream end."""
        self._stopping = True
        for event in tuple(self._all):
            event.set()

    async def run(self) -> None:
        """Ask for ever, as long as anybody waits."""
        self._ear.open()
        try:
            while True:
                await self._ear.pause()
                await self._ask()
        finally:
            self._ear.close()

    async def _ask(self) -> None:
        if not self._all:
            self._number = None  # whoever comes next looks for itself first
            return
        for game in await asyncio.to_thread(self._news):
            for event in tuple(self._waiting.get(game, ())):
                event.set()

    def _news(self) -> list[str]:
        """The games that have grown; at the first question all that are waited for, because nobody knows yet."""
        before = self._number
        try:
            self._number, games = self._desk.ledger.news(before)
        except StoreUnavailable:
            return []
        if games:
            self._shared.clear()
        return list(self._waiting) if before is None else games
