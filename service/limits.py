"""Limit the requests per second and the streams of each seat. Each worker process has its own counts."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

FORGOTTEN = 10_000
"""Number of stored callers from which callers with a full allowance are dropped."""


class Allowance:
    """A token bucket for each caller, filled with `rate` tokens per second up to `burst`.

    A request takes one token. If its cost is known only later, it spends the cost then, and the next request waits
    until the bucket is not empty.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, who: str) -> float:
        """Take one token and return 0.0; without a token, return the seconds until there is one."""
        now = time.monotonic()
        with self._lock:
            left = self._now(who, now)
            if left < 1:
                return (1 - left) / self.rate
            self._keep(who, left - 1, now)
        return 0.0

    def wait(self, who: str) -> float:
        """Return the seconds until the bucket is not empty; 0.0 if it is not empty now."""
        with self._lock:
            left = self._now(who, time.monotonic())
        return 0.0 if left > 0 else max(-left / self.rate, 0.001)

    def spend(self, who: str, cost: float) -> None:
        """Take the cost of a request, even if the bucket has less."""
        now = time.monotonic()
        with self._lock:
            self._keep(who, self._now(who, now) - cost, now)

    def used(self, who: str) -> float:
        """Return the used part of the bucket, in tokens."""
        with self._lock:
            return self._burst - self._now(who, time.monotonic())

    def _keep(self, who: str, left: float, now: float) -> None:
        if len(self._left) >= FORGOTTEN:
            self._left = {one: held for one, held in self._left.items() if self._now(one, now) < self._burst}
        self._left[who] = left, now

    def _now(self, who: str, now: float) -> float:
        left, at = self._left.get(who, (self._burst, now))
        return min(self._burst, left + (now - at) * self.rate)


class UnderWay:
    """The number of each caller's requests under way."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._now: Counter[str] = Counter()
        self._lock = Lock()

    def enter(self, who: str) -> bool:
        """Count one more request; return whether the limit allows it."""
        with self._lock:
            if self._now[who] >= self.most:
                return False
            self._now[who] += 1
            return True

    def leave(self, who: str) -> None:
        """Count one request less."""
        with self._lock:
            self._now[who] -= 1
            if not self._now[who]:
                del self._now[who]


class Streams:
    """The number of open streams, in total and for each caller."""

    def __init__(self, most: int, most_a_seat: int) -> None:
        self._most, self._most_a_seat = most, most_a_seat
        self._open: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of open streams."""
        return self._open.total()

    def is_full(self, who: str) -> bool:
        """Return whether this caller may not open another stream."""
        return self.open >= self._most or self._open[who] >= self._most_a_seat

    @contextmanager
    def counted(self, who: str) -> Iterator[None]:
        """Count a stream while it is open."""
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
