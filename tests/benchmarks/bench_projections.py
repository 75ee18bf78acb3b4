"""Projecting, searching and `umpire status` against their floors: `python -m tests.benchmarks.bench_projections [N]`.

Projecting is measured the whole way: from stored lines to a finished file with words, undo points and turn views in it.
"""

import itertools
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.games import fill, folding
from tests.benchmarks.measure import Row, another_process, compare, ratio, seconds, show
from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Draft
from umpire_ledger.projections.tables.audit_search import Filter, audit_lines
from umpire_ledger.projections.tables.audit_trail import AuditTrail
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.dialect import SEARCHED
from umpire_ledger.projections.tables.step_index import StepPlaces
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import views_path
from umpire_ledger.projections.tables.waiting import Waiting

PRAGMAS = ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -32768")
NAMES = ", ".join(SEARCHED)
SEARCHES = {"rare": '"roll 1006"', "common": "boarding"}
SCAN = "SELECT position, text FROM audit WHERE text LIKE ? OR cause LIKE ? OR units LIKE ? ORDER BY id DESC LIMIT 20"
PAGE = 20
"""As the scan has it: a reader of twenty lines need not wait for all."""
TIMES = 20


def made_by_follower(views: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Return the rows of the audit trail."""
    return views.execute("SELECT * FROM audit ORDER BY id").fetchall()


def raw(folder: Path, views: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write the floor: the same table and index by sqlite3 alone, one executemany each."""
    with closing(fresh(folder)) as connection:
        for (sql,) in views.execute(
            "SELECT sql FROM sqlite_master WHERE name IN ('audit', 'audit_fts') ORDER BY rowid"
        ):
            connection.execute(sql)
        connection.execute("BEGIN")
        row = ", ".join("?" * len(TABLES["audit"].columns))
        words, again = itertools.tee(rows)
        connection.executemany(f"INSERT INTO audit VALUES ({row})", words)
        connection.executemany(
            f"INSERT INTO audit_fts (rowid, {NAMES}) VALUES (?, ?, ?, ?)", ((r[-1], r[5], r[13], r[12]) for r in again)
        )
        connection.execute("COMMIT")


def fresh(folder: Path) -> sqlite3.Connection:
    path = folder / "raw.db"
    for name in folder.glob("raw.db*"):
        name.unlink()
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def projecting_rows(folder: Path, ledger: Ledger[Game], records: int) -> list[Row]:
    views = folder / "views.db"

    def whole() -> None:
        for name in folder.glob("views.db*"):
            name.unlink()
        ledger._states.forget()
        with Follower(ledger, views, find_title) as follower:
            follower.lay_views("g")

    whole()
    with closing(sqlite3.connect(views)) as made:
        rows = made_by_follower(made)
        found = compare(whole, lambda: raw(folder, made, rows), rounds=3)
    measure = f"projecting {records:,} records, from lines to views"
    return [
        Row.of(measure, "raw executemany + FTS5", found, "at least", 0.9, speed=True),
        Row("  making the rows alone, µs a record", "", making(ledger, records), "at most", 6),
    ]


def making(ledger: Ledger[Game], records: int) -> float:
    """Return the microseconds a record from the stored line to its row."""

    def work() -> None:
        trail = AuditTrail(1, "g", StepPlaces(0, Game(), lambda position: Game()), [(1, records)], Waiting(find_title))
        for _ in trail.rows(ledger.lines("g")):
            pass

    return statistics.median(seconds(work) for _ in range(3)) / records * 1e6


def again(work: Callable[[], object]) -> None:
    for _ in range(TIMES):
        work()


def search_rows(folder: Path, ledger: Ledger[Game], records: int) -> list[Row]:
    rows = []
    with Follower(ledger, folder / "views.db", find_title) as follower:
        connection = follower.connection
        for name, words in SEARCHES.items():
            like = (f"%{words.strip(chr(34))}%",) * 3

            def search(words: str = words) -> None:
                wanted = Filter(text=words)
                found = list(audit_lines(connection, "g", "referee", wanted, newest_first=True, limit=PAGE))
                assert found

            def scan(like: tuple[str, ...] = like) -> None:
                assert connection.execute(SCAN, like).fetchall()

            found = compare(partial(again, search), partial(again, scan))
            goal = {"rare": 0.01, "common": 1.0}[name]
            measure = f"search in {records:,} lines, a {name} word"
            rows.append(Row.of(measure, "a LIKE scan that stops at 20 lines", found, "at most", goal, times=TIMES))
    return rows


STATUS = (
    "from umpire_ledger.projections.tables.views_file import fresh_turn_view;"
    " assert fresh_turn_view({path!r}, 'g', 'red')['position']"
)
IMPORTS = "import click, msgspec, immutables, sqlite3"


def status_row(folder: Path) -> Row:
    """Only the reading; the command itself adds what it prints."""
    path = folder / "small.db"
    with Ledger.open(path, folding()) as ledger:
        fill(ledger, 5_000)
        with Follower(ledger, views_path(path), find_title) as follower:
            follower.lay_views("g")
    ours = f"{IMPORTS}\n{STATUS.format(path=str(path))}"
    measured = ratio(lambda: python(ours), lambda: python(IMPORTS), rounds=15)
    return Row("stored turn view of 5,000 records, read in a new process", IMPORTS, measured, "at most", 1.25)


def python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, env=another_process())


def one_order_row(folder: Path) -> Row:
    """Catch up after one order, with ledger and read models open and all turn views rebuilt."""
    path = folder / "small.db"
    with Ledger.open(path, folding()) as ledger, Follower(ledger, views_path(path), find_title) as follower:
        orders = itertools.count()

        def record() -> None:
            event = b'{"type":"note.added","text":"a fine evening"}'
            size = ledger.size("g")
            ledger.append("g", after=size, seat="red", command=f"b{next(orders)}", drafts=[Draft(event=event)])

        times = []
        for _ in range(50):
            record()
            times.append(seconds(lambda: follower.catch_up("g")))
    return Row("catching up after one order, ms", "", statistics.median(times) * 1000, "at most", 3)


def main(records: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        show([status_row(folder), one_order_row(folder)])
        with Ledger.open(folder / "umpire.db", folding(), snapshot_every=10**9) as ledger:
            fill(ledger, records, keep_states=False)
            show(projecting_rows(folder, ledger, records))
            show(search_rows(folder, ledger, records))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 250_000)
