"""Measure durable orders: the cost of one without its flush, with everything that `umpire order` does.

    python -m tests.benchmarks.bench_orders [--planted 10]

Each row is measured with a flush that costs nothing, 0.1 ms and 1 ms, the same for both sides, and once on this disk.
`--planted` makes every order slower by N per cent, to check that the benchmark detects it.
"""

import argparse
import itertools
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.benchmarks import flush
from tests.benchmarks.measure import Row, compare, show, took
from umpire_ledger.desk.orders.file_play import play_lines
from umpire_ledger.ledger.records.record import Draft
from umpire_ledger.testing.fixtures import FIXTURES

ORDERS = 100
"""Orders of one round."""
ROUNDS = 7
TOGETHER = 16
"""Orders in one transaction, as a bot's file has them."""
HARBOUR = FIXTURES / "war-galley"
RawOrder = dict[str, Any]


def scenario(units: int) -> str:
    """Return a freeform scenario of `units` units, above two thousand without attributes, to keep a file's limit."""
    attributes = "attributes = { crew = 4, manpower = 3, fire = false, hull = 6 }\n" if units <= 2_000 else ""
    sides = '[{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]'
    head = f'title = "freeform"\nname = "A long campaign"\ndice = "table"\nsides = {sides}\n'
    return head + "".join(
        f'[[units]]\nid = "u{number}"\nside = "{"red" if number % 2 else "blue"}"\nkind = "ship"\nat = "0101"\n'
        f"{attributes}"
        for number in range(units)
    )


def moves(units: int) -> Iterator[RawOrder]:
    """Yield moves without end, each by another unit."""
    for number in itertools.count():
        unit = number % units
        side = "red" if unit % 2 else "blue"
        yield {"as": side, "order": "move", "unit": f"u{unit}", "path": ["0101", f"{number % 9000 + 200:04}"]}


class Table:
    """A game on a ledger of its own, and the orders of its sides."""

    def __init__(self, folder: Path, name: str, units: int = 40, *, place: str = "") -> None:
        """Open a game. `place`: the URL of a database, in place of a file in the folder."""
        self.desk = umpire.open(place or folder / f"{name}.db")
        self.game = self.desk.new_from_text("freeform", scenario(units), id="g")
        self.orders = moves(units)
        self.slower = 0.0

    def one(self, *, follow: bool = False) -> None:
        raw = dict(next(self.orders))
        self.game.seat(raw.pop("as")).order(raw)
        if follow:
            self.game.catch_up()
        if self.slower:
            until = time.process_time() + self.slower
            while time.process_time() < until:
                pass

    def several(self, number: int = ORDERS, *, follow: bool = False) -> None:
        for _ in range(number):
            self.one(follow=follow)

    def together(self) -> None:
        """Give as many orders, sixteen in a transaction."""
        for _ in range(ORDERS // TOGETHER):
            lines = list(enumerate(itertools.islice(self.orders, TOGETHER), 1))
            play_lines(self.desk.ledger, "g", lines, "orders")

    def inserts(self, folder: Path, name: str) -> Callable[[], None]:
        """Return the floor: as many rows of the newest orders' bytes into a bare table, each with its commit."""
        lines = [bytes(line) for line in self.desk.ledger.lines("g", self.game.size - ORDERS + 1)]
        raw = sqlite3.connect(folder / f"{name}.raw.db")
        raw.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "CREATE TABLE record (id INTEGER PRIMARY KEY AUTOINCREMENT, line BLOB NOT NULL)"
        )

        def work() -> None:
            for line in lines:
                raw.execute("INSERT INTO record (line) VALUES (?)", (line,))
                raw.commit()

        return work


def against_inserts(folder: Path, units: int = 40) -> list[Row]:
    """Give orders in turn without read models, against bare inserts; the goal is that of a flush of 1 ms."""
    table = Table(folder, f"inserts{units}", units)
    table.several()
    floor = table.inserts(folder, f"inserts{units}")
    rows = []
    for name, cost in flush.COSTS.items():
        with flush.costs(cost):
            before = flush.count()
            found = compare(table.several, floor, rounds=ROUNDS)
            flushes = (flush.count() - before) / ROUNDS / ORDERS / 2
        goal = 0.90 if name == "1 ms" else 0
        measure = f"an order, {units} units, {name}, {flushes:.1f} flushes"
        rows.append(Row.of(measure, "a bare insert of its bytes", found, "at least", goal, speed=True, times=ORDERS))
    return rows


def recorded(folder: Path) -> list[Row]:
    """Record orders in the ledger only: checked, hashed and written, but not decided, and without notifications."""
    table = Table(folder, "recorded")
    table.several()
    floor = table.inserts(folder, "recorded")
    ledger, numbers = table.desk.ledger, itertools.count()
    last = ledger.record("g", table.game.size)
    drafts = [Draft(event=bytes(last.event), cause=bytes(last.cause))]
    state = ledger.state("g")

    def work() -> None:
        for after in range(ledger.size("g"), ledger.size("g") + ORDERS):
            command = f"{next(numbers):016}"
            ledger.append("g", after=after, seat=last.seat, command=command, drafts=drafts, state=state)

    rows = []
    for name in ("no flush", "1 ms"):
        with flush.costs(flush.COSTS[name]):
            found = compare(work, floor, rounds=ROUNDS)
        measure = f"an order, the ledger's part alone, {name}"
        goal = 0.90 if name == "1 ms" else 0
        rows.append(Row.of(measure, "a bare insert of its bytes", found, "at least", goal, speed=True, times=ORDERS))
    return rows


def followed(folder: Path, units: int) -> list[Row]:
    """Give orders as `umpire order` does, with read models. The goal is their share of the cost."""
    table = Table(folder, f"followed{units}", units)
    table.game.catch_up()
    table.several(follow=True)
    rows = []
    for name in ("no flush", "1 ms"):
        with flush.costs(flush.COSTS[name]):
            found = compare(partial(table.several, follow=True), table.several, rounds=ROUNDS)
        measure = f"an order, {units:,} units, read models followed, {name}"
        rows.append(Row.of(measure, "the same order without read models", found, "at most", 1.5, times=ORDERS))
    table.desk.close()
    return rows


def followed_in_a_database(folder: Path) -> list[Row]:
    """Give orders with ledger and read models in PostgreSQL: a server of one's own, from the wheel `pgserver`.

    It flushes as it is set there, and its processor time is in no figure: the ratio is of the clock.
    """
    try:
        import pgserver  # noqa: PLC0415 -- an extra
    except ImportError:
        print("without the wheel pgserver there is no row of PostgreSQL")
        return []
    server = pgserver.get_server(folder / "server", cleanup_mode="delete")
    try:
        table = Table(folder, "database", place=server.get_uri())
        table.game.catch_up()
        table.several(follow=True)
        found = compare(partial(table.several, follow=True), table.several, rounds=ROUNDS)
        table.desk.close()
    finally:
        server.cleanup()
    measure = "an order in PostgreSQL, 40 units, read models followed"
    return [Row.of(measure, "the same order without read models", found, times=ORDERS)]


def followed_galley(folder: Path) -> list[Row]:
    """War Galley's recorded battle as its order file gives it: a title with steps."""
    lines = (HARBOUR / "orders/great-harbour.jsonl").read_text(encoding="utf-8").splitlines()
    orders = [json.loads(line) for line in lines if line and not line.startswith("#")]
    numbers = itertools.count()

    def battle(*, follow: bool) -> Callable[[], None]:
        def work() -> None:
            with umpire.open(folder / f"galley{next(numbers)}.db") as desk:
                game = desk.new("war-galley", HARBOUR / "scenarios/great-harbour.toml", id="g")
                game.catch_up()
                for order in orders:
                    raw = dict(order)
                    game.seat(raw.pop("as")).order(raw)
                    if follow:
                        game.catch_up()

        return work

    with flush.costs(0.0):
        found = compare(battle(follow=True), battle(follow=False), rounds=3)
    measure = "an order of War Galley, read models followed, no flush"
    return [Row.of(measure, "the same battle without read models", found, "at most", 1.5, times=len(orders))]


def in_one_transaction(folder: Path, name: str, cost: flush.Cost) -> Row:
    """Sixteen orders a transaction against as many alone."""
    together, alone = Table(folder, f"together {name}"), Table(folder, f"alone {name}")
    number = ORDERS // TOGETHER * TOGETHER
    together.together()
    with flush.costs(cost):
        found = compare(together.together, partial(alone.several, number), rounds=ROUNDS)
    goal = 6 if name == "1 ms" else 0
    measure = f"{TOGETHER} orders a transaction, {name}"
    return Row.of(measure, "the same orders one by one", found, "at least", goal, speed=True, times=number)


def planted(folder: Path, per_cent: float = 10) -> list[Row]:
    """Show a slower order in the ratio: the same order with that much more work, against itself, and itself twice."""
    rows = []
    for slower in (0.0, per_cent):
        ours, same = Table(folder, f"planted{slower}"), Table(folder, f"sound{slower}")
        with flush.costs(0.0):
            ours.several()
            same.several()
            ours.slower = took(ours.several).processor / ORDERS * slower / 100
            found = compare(ours.several, same.several, rounds=4 * ROUNDS)
        name = f"an order made {slower:g} % slower" if slower else "an order against itself"
        rows.append(Row.of(name, "the order as it is", found, times=ORDERS))
    return rows


def main(planted_per_cent: float = 10) -> None:
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as place:
        folder = Path(place)
        show(planted(folder, planted_per_cent))
        show(against_inserts(folder))
        show(against_inserts(folder, 1_000))
        show(recorded(folder))
        for flushed, cost in flush.COSTS.items():
            show([in_one_transaction(folder, flushed, cost)])
        for units in (40, 1_000, 5_000):
            show(followed(folder, units))
        show(followed_galley(folder))
        show(followed_in_a_database(folder))


if __name__ == "__main__":
    flush.again_pinned("tests.benchmarks.bench_orders")
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--planted", type=float, default=10)
    main(given.parse_args().planted)
