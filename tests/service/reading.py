"""A reader of a stream: its events, read in a thread of their own."""

import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import httpx

from tests.service.served import PATIENCE, Caller


class Event(NamedTuple):
    """One event of a stream, and when it came."""

    kind: str
    id: str
    data: Any
    at: float


class Reader:
    """The events that have arrived. `next` waits for one more."""

    def __init__(self) -> None:
        self._events: queue.Queue[Event | None] = queue.Queue()
        self.began = threading.Event()
        self.status = 0

    def read(self, caller: Caller, path: str, headers: dict[str, str]) -> None:
        with suppress(httpx.HTTPError), caller.http.stream("GET", path, headers=headers) as answer:
            self.status = answer.status_code
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                self.began.set()
                if line and not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    data = json.loads(fields["data"])
                    self._events.put(Event(fields.get("event", ""), fields.get("id", ""), data, time.monotonic()))
                    fields = {}
        self.began.set()
        self._events.put(None)

    def next(self) -> Event | None:
        """Return the next event; None at the end of the stream."""
        return self._events.get(timeout=PATIENCE)

    def rest(self) -> Iterator[Event]:
        """Return every event up to the end."""
        return iter(self.next, None)


@contextmanager
def reading(caller: Caller, path: str, **headers: str) -> Iterator[Reader]:
    """Read a stream; headers are written with `_` for `-`."""
    reader = Reader()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    threading.Thread(target=reader.read, args=(caller, path, named), daemon=True).start()
    assert reader.began.wait(PATIENCE)
    yield reader
