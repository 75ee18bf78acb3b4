"""Durable orders a second by 1, 4 and 16 writers, on one game and on many: a ledger in a file and one in PostgreSQL.

    python -m tests.benchmarks.bench_stores [seconds] [URL]

Each writer is a process with a ledger of its own and gives orders of one record. On one game each waits for its turn:
who was late reads on and tries again, in turn (`Ledger.turn`). Without a URL a server is started from the wheel
`pgserver`, as it is set there: `fsync` and `synchronous_commit` on.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from contextlib import nullcontext
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from tests.ledger.table import Tally, number
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import PositionConflict, StoreUnavailable

WRITERS = (1, 4, 16)
ROUNDS = 3


def write(where: str, game_id: str, name: str, seconds: float, together: Barrier, done: Any) -> None:
    """Give orders for `seconds` and report the number that was acknowledged."""
    with Ledger.open(where, Tally(), snapshot_every=10**9) as ledger:
        size, count, was_late = ledger.size(game_id), 0, False
        together.wait()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                with ledger.lock_game(game_id) if was_late else nullcontext():
                    size, before = ledger.size(game_id) if was_late else size, size
                    ledger.append(game_id, after=size, seat=name, command=f"{name} {count}", drafts=[number(count)])
            except PositionConflict as first:
                size, was_late = first.found, True
            except StoreUnavailable:  # locked for too long: it tries again
                size = ledger.size(game_id)
            else:
                size, count, was_late = size + 1, count + 1, was_late and size != before
        done.put(count)


def orders_a_second(where: str, writers: int, *, many: bool, seconds: float, tag: str) -> float:
    context = multiprocessing.get_context("spawn")
    together, done = context.Barrier(writers), context.Queue()
    names = [f"{tag}-{n}" for n in range(writers)]
    games = [f"g-{name}" if many else f"g-{tag}" for name in names]
    with Ledger.open(where, Tally()) as ledger:
        for game in sorted(set(games)):
            ledger.append(game, after=0, seat="referee", command="open", drafts=[number(0)])
    processes = [
        context.Process(target=write, args=(where, game, name, seconds, together, done))
        for game, name in zip(games, names, strict=True)
    ]
    for process in processes:
        process.start()
    total = sum(done.get() for _ in processes)
    for process in processes:
        process.join()
    return total / seconds


def main(seconds: float = 3.0, url: str = "") -> None:
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as folder:
        server = None
        if not url:
            import pgserver  # noqa: PLC0415 -- an extra

            server = pgserver.get_server(Path(folder) / "server", cleanup_mode="stop")
            url = server.get_uri()
        places = {"file": str(Path(folder) / "umpire.db"), "PostgreSQL": url}
        print("| writers | on | store | orders a second: least, median, most |\n|---|---|---|---|")
        for writers in WRITERS:
            for many in (False, True):
                found: dict[str, list[float]] = {store: [] for store in places}
                for round_ in range(ROUNDS):
                    for store, where in places.items():
                        tag = f"{writers}-{'many' if many else 'one'}-{round_}"
                        found[store].append(orders_a_second(where, writers, many=many, seconds=seconds, tag=tag))
                for store, rates in found.items():
                    least, median, most = sorted(rates)
                    on = "a game each" if many else "one game"
                    print(f"| {writers} | {on} | {store} | {least:.0f}, {median:.0f}, {most:.0f} |", flush=True)
        if server is not None:
            server.cleanup()


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((float, str), sys.argv[1:], strict=False)))
