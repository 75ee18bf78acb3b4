"""Estimate the machines that 100,000 games need, from the measured costs of orders and viewers.

    python -m tests.benchmarks.simulate_load [--costs FILE]

FILE is what `bench_partitions --json` wrote. Orders arrive at random (Poisson), each of a game drawn at random; two of
one game follow each other. An order takes a core of a service, a core of the router if there are several servers, and
a core of the server that has its partition. Then it waits for a flush and for the standby, which delays no other
order. Each viewer of its game adds cost to the service. For each load the result is the least number of machines at
which 99 of 100 orders are answered in `SOON` and no machine is busier than `BUSY`.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

GAMES, PARTITIONS, CORES, ORDERS = 100_000, 16, 4, 20_000
SOON, BUSY = 0.25, 0.6
MOST = 64


class Costs(NamedTuple):
    """Costs in seconds. `service`: of its processor, an order from request to answer; `router`, `database`: of theirs;
    `watcher`: of the service's, for each watcher; `flush`: until it is on the disk; `standby`: until it is on the other
    machine too.
    """

    service: float
    router: float
    database: float
    watcher: float
    flush: float
    standby: float


MEASURED = Costs(
    service=1 / 387, router=0.00094, database=0.00054, watcher=(1 / 103 - 1 / 387) / 25, flush=0.001, standby=0.001
)
"""`service`, `watcher`: docs/explanation/performance.md, one worker, 387 orders a second, and 103 with 25 streams a
game; client and server shared two busy cores, so they are upper bounds. `router`, `database`: bench_partitions,
unless
a file of it is given. `flush` is assumed: a disk that keeps what it says. `standby`: 0.8 ms by bench_standby
on one machine; 0.2 for a network of one site is assumed."""


class Load(NamedTuple):
    """A load. `playing`: games at once; `every`: seconds between two orders of one; `watching`: at each."""

    name: str
    playing: int
    every: float
    watching: int

    @property
    def rate(self) -> float:
        return self.playing / self.every


LOADS = (
    Load("by correspondence: one order per game per day, a quarter of them in one hour", GAMES // 4, 3600, 1),
    Load("a league's evening: 3 of 100 games are played, an order every 20 s", GAMES * 3 // 100, 20, 2),
    Load("a great evening: 10 of 100 games, an order every 20 s", GAMES // 10, 20, 2),
    Load("a final: 1 of 100 games, an order every 20 s, 200 watch each", GAMES // 100, 20, 200),
    Load("everybody: 30 of 100 games, an order every 10 s", GAMES * 3 // 10, 10, 2),
    Load("twice that: 60 of 100 games, an order every 10 s", GAMES * 6 // 10, 10, 2),
)


class Outcome(NamedTuple):
    """`p50`, `p99`: seconds until an order is answered; `busiest`: of the services, the router, and the servers."""

    p50: float
    p99: float
    busiest: tuple[float, float, float]

    @property
    def does(self) -> bool:
        return self.p99 <= SOON and max(self.busiest) <= BUSY


class Machines:
    """Several machines of `CORES` cores each; a piece of work takes one core of one machine."""

    def __init__(self, count: int) -> None:
        self._free = [[0.0] * CORES for _ in range(count)]
        self.spent = [0.0] * count

    def work(self, at: int, ready: float, seconds: float) -> float:
        """When a piece of work is done that was ready then, on that machine."""
        begins = max(ready, heapq.heappop(self._free[at]))
        heapq.heappush(self._free[at], begins + seconds)
        self.spent[at] += seconds
        return begins + seconds


def simulated(load: Load, costs: Costs, services: int, servers: int, seed: int = 1) -> Outcome:
    """Simulate a number of orders and return their outcome."""
    chance = random.Random(seed)
    web, router, databases = Machines(services), Machines(1), Machines(servers)
    service = costs.service + load.watching * costs.watcher
    last_of: dict[int, float] = {}
    now, took = 0.0, []
    for _ in range(ORDERS):
        now += chance.expovariate(load.rate)
        game = chance.randrange(load.playing)
        ready = web.work(chance.randrange(services), max(now, last_of.get(game, 0.0)), drawn(chance, service))
        if servers > 1:
            ready = router.work(0, ready, drawn(chance, costs.router))
        ready = databases.work(game % PARTITIONS % servers, ready, drawn(chance, costs.database))
        last_of[game] = ready + costs.flush + costs.standby
        took.append(last_of[game] - now)
    took.sort()
    web_, router_, databases_ = (max(machines.spent) / CORES / now for machines in (web, router, databases))
    return Outcome(took[len(took) // 2], took[len(took) * 99 // 100], (web_, router_, databases_))


def drawn(chance: random.Random, mean: float) -> float:
    """Return the time of a piece of work: half of the mean always, the rest more or less."""
    return mean / 2 + chance.expovariate(2 / mean)


def fewest(load: Load, costs: Costs) -> tuple[int, int, Outcome]:
    """Return (services, servers, outcome); 0 services if no number of them is enough."""
    enough = (n for n in range(1, PARTITIONS + 1) if max(simulated(load, costs, MOST, n).busiest[1:]) <= BUSY)
    servers = next(enough, PARTITIONS)
    found = simulated(load, costs, 1, servers)
    for services in range(1, MOST + 1):
        found = simulated(load, costs, services, servers)
        if found.does:
            return services, servers, found
    return 0, servers, found


def costs_of(file: str) -> Costs:
    """With what an order costs the servers by a run of `bench_partitions`; the least of its rounds."""
    found = json.loads(Path(file).read_text())["found"]["an order"]
    alone, spread = (min(servers for _, _, servers in found[place]) / 1000 for place in ("one table", "3 servers"))
    return MEASURED._replace(database=alone, router=max(0.0, spread - alone))


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--costs", default="")
    given = parser.parse_args(words)
    costs = costs_of(given.costs) if given.costs else MEASURED
    said = ", ".join(f"{name} {1000 * value:.2f}" for name, value in costs._asdict().items())
    print(f"ms: {said}; machines of {CORES} cores\n")
    print("| load | orders a second | services | servers | busiest service, router, server | p50, p99 ms |")
    print("|---|---|---|---|---|---|")
    for load in LOADS:
        services, servers, found = fewest(load, costs)
        busy = ", ".join(f"{100 * one:.0f} %" for one in found.busiest)
        times = f"{1000 * found.p50:.0f}, {1000 * found.p99:.0f}"
        counts = f"{services} | {servers}" if services else "none do | with one router"
        print(f"| {load.name} | {load.rate:.0f} | {counts} | {busy} | {times} |")


if __name__ == "__main__":
    main()
