"""Time a Federation & Empire battle of 200 ships in one hex against one of 20, in memory.

python -m tests.benchmarks.bench_battle

Two rounds, each with forces of twelve ships a side: the extra cost is that of the hex, not of the force.
"""

import statistics
import time

from tests.benchmarks.measure import Row, show
from tests.titles.federation_table import battle, says, ship

FORCE = 12


def per_order(ships: int) -> float:
    """Return the seconds an order of two rounds at 1105, with this number of ships of both sides in the hex."""
    units = [ship(f"{letter}-{n:03}", empire, "1105", command=FORCE) for n in range(ships // 2) for letter, empire in (
        ("K", "klingon"), ("Z", "kzinti"))]  # fmt: skip
    table = battle(*units)
    start, before = time.perf_counter(), len(table.lines)
    for step in ("5-7A1", "5-3A", "5-7A1"):
        for side, letter in (("coalition", "K"), ("alliance", "Z")) if step == "5-7A1" else ():
            names = [f"{letter}-{n:03}" for n in range(min(FORCE, ships // 2))]
            table.plan("5-3D", says(side, "seal-flagship", unit=names[0]))
            table.plan("5-3E", says(side, "seal-force", units=names))
        table.to(step, s5_7A2="stay")
    return (time.perf_counter() - start) / (len(table.lines) - before)


def main() -> None:
    pairs = [(per_order(200), per_order(20)) for _ in range(5)]
    times = statistics.median(one / other for one, other in pairs)
    many, few = (min(pair[at] for pair in pairs) * 1000 for at in (0, 1))
    against = "a battle of 20 ships"
    show(
        [
            Row("200 ships in one hex: one order of a battle", against, times, "at most", 3),
            Row("200 ships in one hex: one order, ms", f"{few:.2f} ms with 20", many, "at most", 5),
        ]
    )


if __name__ == "__main__":
    main()
