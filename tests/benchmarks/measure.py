"""Measure two pieces of work in turn, several times; wall and processor time; print rows with their goals.

Other work on the machine meets both sides of a ratio. The least, the median and the greatest of the rounds are shown: a
row whose rounds are far apart has measured the machine.
"""

import gc
import os
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

most_rounds = 100
"""Maximum of rounds of every measure; one, if the run only checks that a benchmark works."""

Way = Literal["at most", "at least"]
Work = Callable[[], object]


class Took(NamedTuple):
    """Seconds of one piece of work: on the clock, and of processors, its own child processes with it."""

    wall: float
    processor: float


class Compared(NamedTuple):
    """Two pieces of work, round by round."""

    ours: list[Took]
    floor: list[Took]

    def ratios(self, which: str = "wall") -> list[float]:
        """Return the times of Umpire divided by the floor's, sorted."""
        pairs = zip(self.ours, self.floor, strict=True)
        return sorted(getattr(one, which) / max(1e-9, getattr(other, which)) for one, other in pairs)

    def median(self, which: str = "wall") -> float:
        return statistics.median(self.ratios(which))


class Row(NamedTuple):
    """One line of the table: a ratio, or a figure if it is not measured `against` anything.

    `speed`: the ratio is of speeds, the floor's time divided by Umpire's. `goal` 0: none was set.
    """

    measure: str
    against: str
    ratio: float
    way: Way = "at most"
    goal: float = 0
    least: float | None = None
    most: float | None = None
    processor: float | None = None
    ours: float | None = None
    floor: float | None = None

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.goal if self.way == "at most" else self.ratio >= self.goal

    def __str__(self) -> str:
        mark = "met" if self.is_met else "not met"
        goal = f"goal {self.way} {self.goal:g}: {mark}" if self.goal else ""
        spread = "" if self.least is None or self.most is None else f"({self.least:.2f}–{self.most:.2f})"
        processor = "" if self.processor is None else f"cpu {self.processor:.2f}"
        ours = "" if self.ours is None else f"{self.ours * 1000:.3g} ms"
        figures = f"{self.ratio:>9.3f} {spread:<13} {processor:<10} {ours:>9}"
        return f"{self.measure:<62} {self.against:<44} {figures}  {goal}".rstrip()

    @classmethod
    def of(
        cls,
        measure: str,
        against: str,
        found: Compared,
        way: Way = "at most",
        goal: float = 0,
        *,
        speed: bool = False,
        times: int = 1,
    ) -> "Row":
        """Return a row of a comparison. `times`: repetitions of the row's work in one round."""
        wall, processor = found.ratios(), found.ratios("processor")
        if speed:
            wall, processor = sorted(1 / one for one in wall), sorted(1 / max(1e-9, one) for one in processor)
        return cls(
            measure,
            against,
            statistics.median(wall),
            way,
            goal,
            least=wall[0],
            most=wall[-1],
            processor=statistics.median(processor),
            ours=statistics.median(one.wall for one in found.ours) / times,
            floor=statistics.median(one.wall for one in found.floor) / times,
        )


def took(work: Work) -> Took:
    """Return the time of one run of the work."""
    gc.collect()
    wall, processor = time.perf_counter(), _processor()
    work()
    return Took(time.perf_counter() - wall, _processor() - processor)


def seconds(work: Work) -> float:
    """Return the seconds on the clock of one run of the work."""
    return took(work).wall


def clocked(work: Work) -> float:
    """Return the seconds of one of hundreds of short runs; to collect garbage before each takes fifty times as long."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def compare(ours: Work, floor: Work, *, rounds: int = 5) -> Compared:
    """Run both in turn for `rounds` rounds; the first one changes from round to round."""
    found = Compared([], [])
    for number in range(min(rounds, most_rounds)):
        sides = [(found.ours, ours), (found.floor, floor)]
        for times, work in sides if number % 2 == 0 else sides[::-1]:
            times.append(took(work))
    return found


def ratio(ours: Work, floor: Work, *, rounds: int = 5) -> float:
    """Median over rounds of our time divided by the floor's."""
    return compare(ours, floor, rounds=rounds).median()


def another_process() -> dict[str, str]:
    """Return the environment of a measured command. It may cache compiled modules, or compilation would be measured."""
    left = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**left, "PYTHONPATH": "."}


shown: list[dict[str, Any]] = []
"""Every row of this run, for the file that a run writes."""


def show(rows: list[Row]) -> None:
    for row in rows:
        print(row, flush=True)
        shown.append(row._asdict() | {"is_met": row.is_met if row.goal else None})


def _processor() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
