"""Measure the cost of spreading a ledger: one table, sixteen partitions on one server, the same on three servers.

The three servers have one address. The three forms take turns in one run, with clock time and processor time.

    python -m tests.benchmarks.bench_partitions [games] [records a game] [--json FILE]

It starts its own servers (Debian's PostgreSQL), fills each ledger with as many games, and measures an order of one
record (durable), the opening of a game of 1,000 records, the list of all games, and the orders a second of eight
writers. Lines of the games that are only listed are made up, 400 bytes each.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.bench_stores import orders_a_second
from tests.cluster.servers import Server, own_folder
from tests.cluster.spread import PARTITIONS, Spread
from tests.databases import connected
from tests.ledger.table import Numbers, Tally, number
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.storage import postgres_admin
from umpire_ledger.ledger.storage.metadata import MetadataEntry

ROUNDS, ORDERS, LONG = 7, 200, 1_000
WRITERS, WRITING_ROUNDS, SECONDS = 8, 3, 4.0
FILL = (
    "INSERT INTO umpire.record (game, position, command, line) SELECT 'filler-' || game, position, 'c' || position,"
    " convert_to(repeat('x', 400), 'UTF8') FROM generate_series({first}, {last}) AS game,"
    " generate_series(1, {records}) AS position ORDER BY game, position"
)
EDGES = (
    "INSERT INTO umpire.edge (game, size, peaks, root) SELECT 'filler-' || game, {records}, '', ''"
    " FROM generate_series({first}, {last}) AS game"
)
AT_ONCE = 500


class Place(NamedTuple):
    """A ledger, and the servers that it takes."""

    url: str
    servers: tuple[Server, ...]

    def processor(self) -> float:
        """Return the seconds of processor time that its servers have used."""
        processes = (process for server in self.servers for process in server.processes())
        return sum(int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) for process in processes) / 1e9


class Took(NamedTuple):
    """Milliseconds: on the clock, of the client's processor, of the servers'."""

    clock: float
    client: float
    servers: float


@contextmanager
def places(folder: Path) -> Iterator[dict[str, Place]]:
    """Three ledgers, empty."""
    server = Server(folder, "alone").lay().start()
    found = {}
    for name, partitions in (("one table", 0), ("16 partitions", PARTITIONS)):
        database = f"bench_{partitions}"
        with connected(server.url()) as connection:
            connection.execute(f"CREATE DATABASE {database}")
        postgres_admin.init(server.url(database), partitions=partitions)
        found[name] = Place(server.url(database), (server,))
    spread = Spread(folder)
    found["3 servers"] = Place(spread.router.url("club"), (*spread.servers, spread.router))
    yield found
    spread.stop()
    server.stop()


def fill(place: Place, games: int, records: int) -> None:
    with connected(place.url) as connection:
        for first in range(1, games + 1, AT_ONCE):
            given = {"first": first, "last": min(games, first + AT_ONCE - 1), "records": records}
            connection.execute(FILL.format(**given))
            connection.execute(EDGES.format(**given))
    with Ledger.open(place.url, Tally()) as ledger:
        orders = [PendingOrder(seat="red", command=f"c{n}", drafts=[number(n)], state=None) for n in range(LONG)]
        ledger.append_many("long", after=0, orders=orders)
    for server in place.servers:
        for name in server.databases():
            with connected(server.url(name)) as connection:
                connection.execute("VACUUM ANALYZE")


def took(place: Place, work: Callable[[], object], times: int) -> Took:
    """Return the time of one of `times` repetitions."""
    servers, client, clock = place.processor(), time.process_time(), time.perf_counter()
    work()
    spent = (time.perf_counter() - clock, time.process_time() - client, place.processor() - servers)
    return Took(*(round(1000 * one / times, 3) for one in spent))


def measures(ledger: Ledger[Numbers]) -> dict[str, tuple[Callable[[], object], int]]:
    """Return the work to measure, each with its number of repetitions."""

    def order() -> None:
        size = ledger.size("played")
        for n in range(ORDERS):
            ledger.append("played", after=size + n, seat="red", command=f"order {size + n}", drafts=[number(n)])

    def look() -> None:
        for n in range(ORDERS):
            with ledger.metadata() as metadata:
                metadata.put(MetadataEntry("played", "looked", "red", str(n)))

    return {
        "an order": (order, ORDERS),
        "a note, one at a time in a ledger": (look, ORDERS),
        f"opening {LONG} records": (lambda: sum(1 for _ in ledger.lines("long")), 1),
        "the list of all games": (ledger.game_ids, 1),
        "what is new": (lambda: ledger.changed_games(ledger.changed_games()[0]), 1),
    }


def main(games: int, records: int, file: str = "") -> None:
    found: dict[str, dict[str, list[Any]]] = {}
    with own_folder() as folder, places(folder) as there:
        ledgers = {}
        for name, place in there.items():
            start = time.perf_counter()
            fill(place, games, records)
            print(
                f"{name}: {games} games, {games * records:,} records, {time.perf_counter() - start:.0f} s", flush=True
            )
            ledgers[name] = Ledger.open(place.url, Tally(), snapshot_every=10**9)
        for _ in range(ROUNDS):
            for name, place in there.items():
                for what, (work, times) in measures(ledgers[name]).items():
                    found.setdefault(what, {}).setdefault(name, []).append(took(place, work, times))
        show(found)
        for round_ in range(WRITING_ROUNDS):
            for name, place in there.items():
                rate = orders_a_second(place.url, WRITERS, many=True, seconds=SECONDS, tag=f"w{round_}")
                found.setdefault(f"orders a second, {WRITERS} writers", {}).setdefault(name, []).append(rate)
        for ledger in ledgers.values():
            ledger.close()
    show(found)
    if file:
        load = [round(one, 1) for one in os.getloadavg()]
        Path(file).write_text(json.dumps({"games": games, "records": records, "load": load, "found": found}, indent=1))


def show(found: dict[str, dict[str, list[Any]]]) -> None:
    print(
        "\n| what | where | clock ms: least, median, most | processor ms, client + servers (least) |\n|---|---|---|---|"
    )
    for what, by_place in found.items():
        for name, rounds in by_place.items():
            if isinstance(rounds[0], Took):
                clock = sorted(one.clock for one in rounds)
                client, servers = (min(getattr(one, field) for one in rounds) for field in ("client", "servers"))
                said = f"{clock[0]:.2f}, {clock[len(clock) // 2]:.2f}, {clock[-1]:.2f} | {client:.2f} + {servers:.2f}"
            else:
                rates = sorted(rounds)
                said = f"{rates[0]:.0f}, {rates[len(rates) // 2]:.0f}, {rates[-1]:.0f} a second |"
            print(f"| {what} | {name} | {said} |")
    print(f"\nload of the machine behind it: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=10_000)
    parser.add_argument("records", type=int, nargs="?", default=20)
    parser.add_argument("--json", default="")
    given = parser.parse_args()
    main(given.games, given.records, given.json)
