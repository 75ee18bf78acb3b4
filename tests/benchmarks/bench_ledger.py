"""Opening, any position, verifying, importing, memory: each against its floor in the same run.

python -m tests.benchmarks.bench_ledger [records]
"""

import io
import itertools
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.games import SCENARIO, fill
from tests.benchmarks.measure import Row, another_process, clocked, compare, seconds, show
from umpire_ledger.desk.core.adapters import GameStateBuilder, _decode_line, need_title
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.desk.orders.file_play import play_lines
from umpire_ledger.desk.scenarios.opening import new_game
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record


def raw_table(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file)
    connection.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE record (id INTEGER PRIMARY KEY AUTOINCREMENT, line BLOB NOT NULL)"
    )
    return connection


def opening_rows(file: Path, records: int) -> list[Row]:
    """Rebuild a game from its first record, against selecting and decoding alone."""

    def ours() -> None:
        with open_ledger(file, read_only=True) as ledger:
            ledger.state("g")

    def floor() -> None:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        rows = connection.execute("SELECT position, line FROM record WHERE game = 1 ORDER BY position")
        while some := rows.fetchmany(512):
            for _, line in some:
                _decode_line(line)
        connection.close()

    measure = f"opening a game of {records:,} records, no snapshot"
    return [Row.of(measure, "SELECT and decode", compare(ours, floor), "at most", 1.6)]


def position_rows(file: Path, records: int) -> list[Row]:
    """Compute the state at random positions, with snapshots every 500, against a full rebuild to there."""
    positions = random.Random(2).sample(range(records // 2, records), 100)
    middle = statistics.median_low(positions)
    with open_ledger(file, read_only=True) as ledger:
        ledger.state("g", 1)
        took = sorted(clocked(lambda at=at: ledger.state("g", at)) for at in positions)
        at_random, p95 = statistics.median(took), took[95]
        whole = seconds(lambda: GameStateBuilder().fold(Game(), ledger.lines("g", 1, middle)))
    start = records // 2
    with open_ledger(file, read_only=True) as ledger:
        forward = statistics.mean(clocked(lambda at=at: ledger.state("g", at)) for at in range(start, start + 200))
    with open_ledger(file, read_only=True) as ledger:
        back = statistics.mean(clocked(lambda at=at: ledger.state("g", at)) for at in range(start + 200, start, -1))
    print(
        f"  a position: median {at_random * 1000:.2f} ms, p95 {p95 * 1000:.2f} ms; a full rebuild {whole * 1000:.0f} ms"
    )
    return [
        Row(
            f"state at any position of {records:,}, snapshots every 500",
            "full rebuild",
            at_random / whole,
            "at most",
            1 / 150,
        ),
        Row("a step back", "a step forward", back / forward, "at most", 1.5),
    ]


def verify_row(folder: Path, records: int) -> Row:
    """Check every `prior`, ten records an order, against reading and hashing every leaf."""
    with open_ledger(folder / "big.db", read_only=True) as ledger:
        log = io.BytesIO()
        replay_log.write(ledger, "g", log)
    raw = log.getvalue()

    def ours() -> None:
        assert replay_log.verify(io.BytesIO(raw)).verdict == "VALID"

    def floor() -> None:
        for line in io.BytesIO(raw):
            if line.startswith(b'{"position"'):
                Record.decode(line).leaf("g")

    found = compare(ours, floor, rounds=3)
    return Row.of(f"verify {records:,} records", "read and hash every leaf", found, "at least", 0.65, speed=True)


INDEXED = """
CREATE TABLE indexed (id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL, position INTEGER NOT NULL,
                      command TEXT, line BLOB NOT NULL, UNIQUE (game, position));
CREATE UNIQUE INDEX indexed_command ON indexed (game, command) WHERE command IS NOT NULL;
"""
"""The ledger's own columns and indexes, and nothing that guards them."""


RawRow = tuple[int, int, str | None, bytes]


def raw_rows(ledger: Ledger[Game], until: int | None = None) -> list[RawRow]:
    """Return the rows of the game as the ledger keeps them."""
    found = ledger.records("g", 1, until)
    return [(1, one.position, one.command if one.prior else None, one.encode()) for one in found]


def insert_raw(file: Path, rows: list[RawRow]) -> None:
    """Insert rows into a bare table: the floor of all work that writes many rows."""
    connection = raw_table(file)
    connection.executescript(INDEXED)
    connection.executemany("INSERT INTO indexed (game, position, command, line) VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()


def import_row(folder: Path, records: int) -> Row:
    """Import a replay log into a new ledger, against `executemany` of the same rows."""
    with open_ledger(folder / "big.db", read_only=True) as ledger:
        log = io.BytesIO()
        replay_log.write(ledger, "g", log)
        rows = raw_rows(ledger)
    fresh = (folder / f"import{number}.db" for number in itertools.count())

    def ours() -> None:
        with open_ledger(next(fresh), create=True) as other:
            replay_log.read_into(other, io.BytesIO(log.getvalue()))

    found = compare(ours, lambda: insert_raw(next(fresh), rows), rounds=3)
    return Row.of(f"import of {records:,} records", "raw executemany", found, "at least", 0.40, speed=True)


def size_row(folder: Path, records: int) -> Row:
    """Measure the bytes that snapshots every 500 records add to the file."""
    with_snapshots = (folder / "big.db").stat().st_size
    without = (folder / "plain.db").stat().st_size
    return Row(f"file of {records:,} records with snapshots", "without", with_snapshots / without, "at most", 1.15)


MEMORY = """
import re, sys
import click, msgspec, immutables, sqlite3
from pathlib import Path
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.ledger import replay_log
import io, os
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
base = peak()
what, file, log = sys.argv[1:4]
if what == "open":
    with open_ledger(file, read_only=True) as ledger:
        ledger.state("g")
elif what == "verify":
    with open(log, "rb") as stream:
        assert replay_log.verify(stream).valid
elif what == "export":
    with open_ledger(file, read_only=True) as ledger, open(os.devnull, "wb") as out:
        replay_log.write(ledger, "g", out)
elif what == "import":
    with open(log, "rb") as stream, open_ledger(file + ".imported", create=True) as ledger:
        replay_log.read_into(ledger, stream)
print((peak() - base) / 1024)
"""


def memory_rows(folder: Path, records: int) -> list[Row]:
    """Measure the mebibytes above the imports, in a process of its own."""
    log = folder / "big.jsonl"
    with open_ledger(folder / "big.db", read_only=True) as ledger, log.open("wb") as out:
        replay_log.write(ledger, "g", out)
    rows = []
    for what in ("open", "verify", "export", "import"):
        file = folder / ("plain.db" if what == "open" else "big.db")
        command = [sys.executable, "-c", MEMORY, what, str(file), str(log)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=another_process())
        rows.append(Row(f"memory to {what} {records:,} records, MiB", "the imports", float(done.stdout), "at most", 10))
    return rows


def trial_row(folder: Path, records: int) -> Row:
    """Run `play --check` of one order after many records and after none: no part of the game is copied."""
    with open_ledger(folder / "tried.db", create=True) as ledger:
        new_game(ledger, need_title("freeform"), SCENARIO, game_id="short")
        fill(ledger, records)
        order = [(1, {"as": "red", "order": "note", "text": "tried"})]
        measured = compare(
            lambda: play_lines(ledger, "g", order, "orders", check=True),
            lambda: play_lines(ledger, "short", order, "orders", check=True),
        )
    measure = f"trying one order after {records:,} records, the ledger's part"
    return Row.of(measure, "the same in a game just opened", measured, "at most", 2)


def main(records: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        show([trial_row(folder, min(20_000, records))])
        for size in sorted({min(5_000, records), min(50_000, records), records}):
            file = folder / ("plain.db" if size == records else f"plain{size}.db")
            with Ledger.open(file, GameStateBuilder(), snapshot_every=10**9) as ledger:
                fill(ledger, size, keep_states=False)
            show(opening_rows(file, size))
        with Ledger.open(folder / "big.db", GameStateBuilder(), snapshot_every=500) as ledger:
            fill(ledger, records)
        show(position_rows(folder / "big.db", records))
        show([size_row(folder, records)])
        show([verify_row(folder, records)])
        show([import_row(folder, records)])
        show(memory_rows(folder, records))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 250_000)
