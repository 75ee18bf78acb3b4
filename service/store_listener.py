"""Wait for new records: for a signal from the store if it sends any, else for the next query a few milliseconds later.

A signal can be lost if a writer is killed after its commit, or while the connection is down. So a store with signals is
also queried, but less often.
"""

import asyncio
import threading
from contextlib import suppress

from umpire_ledger.desk.desk import Desk
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database

SELDOM = 1.0
"""Seconds between two queries to a store with signals."""
STEP = 0.5
"""Seconds after which the thread checks whether to end."""


class StoreListener:
    """A listener for one event loop. `poll`: the seconds between two queries to a store without signals."""

    def __init__(self, desk: Desk, poll: float) -> None:
        self._desk = desk
        self._poll = poll
        self._heard: asyncio.Event | None = None
        self._hears = False
        self._stopped = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def pause(self) -> None:
        """Wait until there may be new records."""
        if self._heard is None:
            await asyncio.sleep(self._poll)
            return
        with suppress(TimeoutError):  # then the store is queried
            await asyncio.wait_for(self._heard.wait(), SELDOM if self._hears else self._poll)
        self._heard.clear()

    def open(self) -> None:
        """Begin to listen in a separate thread, if the store sends signals."""
        if is_database(self._desk.where):
            self._loop, self._heard = asyncio.get_running_loop(), asyncio.Event()
            threading.Thread(target=self._listen, name="umpire-ear", daemon=True).start()

    def close(self) -> None:
        """Stop listening; the thread ends soon."""
        self._stopped.set()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            with suppress(StoreUnavailable):  # without a listener, the service queries the store at intervals
                self._listen_once()
            self._hears = False
            self._stopped.wait(STEP)

    def _listen_once(self) -> None:
        with self._desk.ledger.record_signals() as wait:
            self._hears = wait is not None
            while wait is not None and not self._stopped.is_set():
                if wait(STEP):
                    self._wake()

    def _wake(self) -> None:
        assert self._loop is not None
        assert self._heard is not None
        with suppress(RuntimeError):  # the loop was closed meanwhile
            self._loop.call_soon_threadsafe(self._heard.set)
