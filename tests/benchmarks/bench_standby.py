"""Measure the cost of a synchronous standby for an order: with the acknowledgement of the primary's disk only, and with
the standby's too; in turn, in one run, on one cluster.

    python -m tests.benchmarks.bench_standby

It starts its own (Debian's PostgreSQL, Patroni and etcd): a primary and a standby, both on this machine and this disk.
Between two machines a network comes to it; both flushes are this disk's.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.benchmarks.bench_stores import orders_a_second
from tests.cluster.servers import Cluster, own_folder
from tests.databases import connected
from tests.ledger.table import Numbers, Tally, number
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.storage import postgres_admin

HOW = {"the primary alone": "local", "with a synchronous standby": "on"}
"""PostgreSQL's `synchronous_commit`, which a connection sets for itself."""
ROUNDS, ORDERS = 7, 200
WRITERS, WRITING_ROUNDS, SECONDS = 8, 3, 4.0


def an_order(ledger: Ledger[Numbers]) -> float:
    """Return the milliseconds an order, the mean of many."""
    size, began = ledger.size("played"), time.perf_counter()
    for n in range(size, size + ORDERS):
        ledger.append("played", after=n, seat="red", command=f"order {n}", drafts=[number(n)])
    return 1000 * (time.perf_counter() - began) / ORDERS


@contextmanager
def places(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the URLs of one ledger, with the standby's acknowledgement and without it."""
    cluster = Cluster(folder)
    try:
        cluster.start()
        postgres_admin.init(cluster.url())
        found = {name: f"{cluster.url()}&options={quote(f'-csynchronous_commit={how}')}" for name, how in HOW.items()}
        for name, where in found.items():
            with connected(where) as connection:
                assert connection.execute("SHOW synchronous_commit").fetchone() == (HOW[name],)
        yield found
    finally:
        cluster.stop()


def main() -> None:
    alone: dict[str, list[float]] = {name: [] for name in HOW}
    together: dict[str, list[float]] = {name: [] for name in HOW}
    with own_folder() as folder, places(folder) as found:
        for _ in range(ROUNDS):
            for name, where in found.items():
                with Ledger.open(where, Tally()) as ledger:
                    alone[name].append(an_order(ledger))
        for turn in range(WRITING_ROUNDS):
            for name, where in found.items():
                tag = f"{HOW[name]}-{turn}"
                together[name].append(orders_a_second(where, WRITERS, many=True, seconds=SECONDS, tag=tag))
    print(
        f"| acknowledged by | an order, ms: least, median, most | {WRITERS} writers, orders a second |\n|---|---|---|"
    )
    for name in HOW:
        one = f"{min(alone[name]):.2f}, {statistics.median(alone[name]):.2f}, {max(alone[name]):.2f}"
        many = f"{min(together[name]):.0f}, {statistics.median(together[name]):.0f}, {max(together[name]):.0f}"
        print(f"| {name} | {one} | {many} |")


if __name__ == "__main__":
    main()
