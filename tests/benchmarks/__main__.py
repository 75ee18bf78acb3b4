"""Run every benchmark; print a table and write a file of all figures.

    python -m tests.benchmarks                                         # some minutes
    python -m tests.benchmarks --records 250000 --json FILE            # as the goals are set
    python -m tests.benchmarks --growth --long --picture FILE.svg      # how each thing grows

Flushes take a fixed time if a C compiler is installed (`flush.py`). Ratios are of one run, with the least and greatest
of its rounds and the ratio of processor time. If these disagree, the machine was busy.
"""

import argparse
import json
import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks import (
    bench_battle,
    bench_federation,
    bench_ledger,
    bench_long_games,
    bench_orders,
    bench_page,
    bench_peers,
    bench_projections,
    bench_sequence,
    bench_start,
    flush,
    growth,
    measure,
)

Bench = Callable[[argparse.Namespace], object]
BENCHES: dict[str, Bench] = {
    "orders": lambda given: bench_orders.main(),
    "ledger": lambda given: bench_ledger.main(given.records),
    "long_games": lambda given: bench_long_games.main(
        min(given.records, 20_000), tuple(size for size in (5_000, 50_000, 250_000) if size <= given.records)
    ),
    "start": lambda given: bench_start.main(min(given.records, 5_000)),
    "sequence": lambda given: bench_sequence.main(2_000),
    "projections": lambda given: bench_projections.main(given.records),
    "federation": lambda given: bench_federation.main(),
    "battle": lambda given: bench_battle.main(),
    "page": lambda given: bench_page.main(min(given.records, 5_000), min(given.records, 50_000)),
    "peers": lambda given: bench_peers.main(given.boardgame),
}
SIZES = {
    "records": [5_000, 20_000, 100_000],
    "units": [40, 200, 1_000, 5_000],
    "games": [1, 10, 100, 1_000],
}
LONGEST = {"records": 1_000_000, "games": 10_000}
"""Benchmarks that `--long` adds."""


def machine() -> dict[str, Any]:
    """Return the machine of a run, and its load at the beginning."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "flushes": "pinned" if flush.is_pinned() else "those of this disk",
    }


def grown(long: bool) -> list[growth.Point]:
    sizes = {name: [*some, *([LONGEST[name]] if long and name in LONGEST else [])] for name, some in SIZES.items()}
    points = []
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as name, flush.costs(0.0):
        folder = Path(name)
        for found in (
            growth.by_records(folder, sizes["records"]),
            growth.by_units(folder, sizes["units"]),
            growth.by_games(folder, sizes["games"]),
        ):
            for point in found:
                print(
                    f"{point.size:>9,} {point.grows_with:<22} {point.what:<32} {point.milliseconds:>12.2f} ms",
                    flush=True,
                )
                points.append(point)
    return points


def main(given: argparse.Namespace) -> None:
    about, began = machine(), time.monotonic()
    measure.most_rounds = 1 if given.quick else measure.most_rounds
    print(json.dumps(about), flush=True)
    points: list[growth.Point] = []
    if given.growth:
        points = grown(given.long)
        if given.picture and not growth.draw(points, given.picture):
            sys.exit("matplotlib is missing, which draws: pip install '.[bench]'")
    else:
        for name in given.only or BENCHES:
            print(f"\n{name}", flush=True)
            BENCHES[name](given)
    if given.json:
        found = {"machine": about, "rows": measure.shown, "growth": [point._asdict() for point in points]}
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"\n{time.monotonic() - began:.0f} s", flush=True)


def read(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=50_000, help="of the long game")
    parser.add_argument("--only", action="append", choices=list(BENCHES), help="one of them; may be repeated")
    parser.add_argument("--growth", action="store_true", help="how each thing grows, in place of the table")
    parser.add_argument("--long", action="store_true", help="up to 1,000,000 records and 10,000 games")
    parser.add_argument("--quick", action="store_true", help="one round each: whether they run, no figure to quote")
    parser.add_argument("--boardgame", default="", help="a folder with boardgame.io")
    parser.add_argument("--json", type=Path, help="where all figures are written")
    parser.add_argument("--picture", type=Path, help="where --growth is drawn, an SVG file")
    return parser.parse_args(words)


if __name__ == "__main__":
    flush.again_pinned("tests.benchmarks")
    main(read())
