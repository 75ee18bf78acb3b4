"""Limit each seat: requests per second, and streams. Each worker process counts its own."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

FORGOTTEN = 10_000
"""Callers that are remembered; beyond that those whose allowance is whole again are forgotten."""


class Allowance:
    """A bucket for each caller: `rate` per second flow in, up to `burst`.

    A request takes one; or it spends its cost when that is known, and the next one waits until the bucket is not empty.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, who: str) -> float:
        """Take one and return 0.0; or return the seconds until there is one."""
        now = time.monotonic()
        with self._lock:
            left = self._now(who, now)
            if left < 1:
                return (1 - left) / self.rate
            self._keep(who, left - 1, now)
        return 0.0

    def wait(self, who: str) -> float:
        """Return in how many seconds something is left; 0.0 if there is something now."""
        with self._lock:
            left = self._now(who, time.monotonic())
        return 0.0 if left > 0 else max(-left / self.rate, 0.001)

    def spend(self, who: str, cost: float) -> None:
        """Take what a request has cost, even if it is more than there was."""
        now = time.monotonic()
        with self._lock:
            self._keep(who, self._now(who, now) - cost, now)

    def used(self, who: str) -> float:
        """Return how much of the bucket is used."""
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
        """Count one more; says whether there was room."""
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
    """The number of open streams, in all and for each caller."""

    def __init__(self, most: int, most_a_seat: int) -> None:
        self._most, self._most_a_seat = most, most_a_seat
        self._open: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of open streams."""
        return self._open.total()

    def is_full(self, who: str) -> bool:
        """Whether this caller may open no other one."""
        return self.open >= self._most or self._open[who] >= self._most_a_seat

    @contextmanager
    def counted(self, who: str) -> Iterator[None]:
        """Count one for as long as it is open."""
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
