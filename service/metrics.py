"""Count events for Prometheus, in its text format. Workers store counters in a folder; the answering worker adds them.

Labels are routes and statuses, never games or seats, because the operator of a machine need not know who plays which
game.
"""

import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the buckets of request times, in seconds."""
HELP = {
    "umpire_requests_total": ("counter", "Requests by method, route and status."),
    "umpire_request_seconds": ("histogram", "Duration of requests, without streams."),
    "umpire_orders_total": ("counter", "Orders recorded, and orders repeated with the same key."),
    "umpire_records_streamed_total": ("counter", "Records sent to streams."),
    "umpire_streams_dropped_total": ("counter", "Streams closed because the reader was too slow."),
    "umpire_notices_total": ("counter", "Notifications by outcome."),
    "umpire_streams_open": ("gauge", "Streams that are open."),
    "umpire_workers": ("gauge", "Number of worker processes that are responding."),
}
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
"""Methods with their own counter. Any other word counts as `other`, because too many counters would fill the memory."""
LEFT_EVERY = 1.0
ALIVE = 10.0
"""Seconds without new counters after which a worker counts as ended."""


class _Left(msgspec.Struct):
    """The counters and gauges that a worker stored."""

    counters: dict[str, float]
    open: int = 0
    at: float = 0.0


class Metrics:
    """The counters of this process. `folder`: the folder in which workers store their counters; "" for one worker."""

    def __init__(self, folder: str = "") -> None:
        self._counters: dict[str, float] = defaultdict(float)
        self._lock = threading.Lock()
        self._folder = Path(folder) if folder else None
        self._open = 0

    def request(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count one answered request. `seconds`: None for a stream."""
        method = method if method in METHODS else "other"
        with self._lock:
            self._counters[f'umpire_requests_total{{method="{method}",route="{_safe(route)}",status="{status}"}}'] += 1
            if seconds is None:
                return
            for edge in BUCKETS:
                if seconds <= edge:
                    self._counters[f'umpire_request_seconds_bucket{{le="{edge:g}"}}'] += 1
            self._counters['umpire_request_seconds_bucket{le="+Inf"}'] += 1
            self._counters["umpire_request_seconds_count"] += 1
            self._counters["umpire_request_seconds_sum"] += seconds

    def orders(self, came: str) -> None:
        """Count one order: `recorded` or `repeated`."""
        self._add(f'umpire_orders_total{{came="{came}"}}')

    def streamed(self, records: int) -> None:
        """Count records sent in a stream."""
        self._add("umpire_records_streamed_total", records)

    def dropped(self) -> None:
        """Count a stream that was closed because its reader was slow."""
        self._add("umpire_streams_dropped_total")

    def noticed(self, came: str) -> None:
        """Count a notice by its result, one of the words that `umpire notices` prints."""
        self._add(f'umpire_notices_total{{came="{came}"}}')

    def streams(self, open: int) -> None:
        """Set the number of open streams."""
        self._open = open

    def _add(self, name: str, by: float = 1) -> None:
        with self._lock:
            self._counters[name] += by

    # --- totals -------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Store the counters for the other workers."""
        if self._folder is None:
            return
        file = self._folder / f"{os.getpid()}.json"
        begun = file.with_suffix(".part")
        with suppress(OSError):  # a lost write does not matter, as the counters are written again soon
            begun.write_bytes(msgspec.json.encode(self._now()))
            begun.replace(file)

    def _now(self) -> _Left:
        with self._lock:
            return _Left(counters=dict(self._counters), open=self._open, at=time.time())

    def text(self) -> str:
        """Return the counters of all workers, including ended ones, so that no counter decreases."""
        own = self._now()
        others = list(self._others())
        alive = [one for one in others if own.at - one.at < ALIVE]
        total: dict[str, float] = defaultdict(float)
        for one in (own, *others):
            for name, value in one.counters.items():
                total[name] += value
        gauges = {"umpire_streams_open": own.open + sum(one.open for one in alive), "umpire_workers": 1 + len(alive)}
        return "".join(_lines({**total, **gauges}))

    def _others(self) -> Iterator[_Left]:
        for file in self._folder.glob("*.json") if self._folder else ():
            if file.stem != str(os.getpid()):
                with suppress(OSError, msgspec.DecodeError):  # the worker has just ended
                    yield msgspec.json.decode(file.read_bytes(), type=_Left)


def _lines(values: dict[str, float]) -> Iterable[str]:
    for name, (kind, says) in HELP.items():
        found = [one for one in values if one.partition("{")[0].startswith(name)]
        yield f"# HELP {name} {says}\n# TYPE {name} {kind}\n"
        yield from (f"{one} {values[one]:.10g}\n" for one in found)


def _safe(label: str) -> str:
    return label.replace("\\", "").replace('"', "").replace("\n", "")
