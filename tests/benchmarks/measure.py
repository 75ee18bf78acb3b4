"""Measuring: two things in turn, several times, and the median of their ratios; rows printed beside their goals."""

import gc
import statistics
import time
from collections.abc import Callable
from typing import Literal, NamedTuple

Way = Literal["at most", "at least"]


class Row(NamedTuple):
    """One line of the table. `slack`: how much worse than the goal a foundation may be."""

    measure: str
    against: str
    ratio: float
    way: Way
    goal: float

    def __str__(self) -> str:
        met = self.ratio <= self.goal if self.way == "at most" else self.ratio >= self.goal
        mark = "met" if met else "not met"
        return f"{self.measure:<58} {self.against:<44} {self.ratio:>9.3f}  goal {self.way} {self.goal:<7} {mark}"


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes, once."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratio(ours: Callable[[], object], floor: Callable[[], object], *, rounds: int = 5) -> float:
    """Median over rounds of our time divided by the floor's, one after the other in each round."""
    pairs = [(seconds(ours), seconds(floor)) for _ in range(rounds)]
    return statistics.median(one / other for one, other in pairs)


def show(rows: list[Row]) -> None:
    for row in rows:
        print(row, flush=True)
