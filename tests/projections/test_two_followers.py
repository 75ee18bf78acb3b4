"""Check that rows equal those of a rebuild if two programs follow one ledger while a third writes."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.face.desk import GameStateBuilder
from tests.face.ledger import Ledger
from tests.face.projections import Follower
from tests.projections.table import RED, TITLES, Table, rows

ROOT = Path(__file__).parents[2]
ORDERS = 40
FOLLOWS = """
import sys
from tests.projections.table import TITLES
from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.updater import Follower

path, views, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
turns = read = 0
with Ledger.open(path, GameStateBuilder()) as ledger, Follower(ledger, views, TITLES.get) as follower:
    print("ready", flush=True)
    while follower.connection.execute("SELECT coalesce(max(position), 0) FROM game").fetchone()[0] < last:
        read += follower.catch_up("g")
        turns += 1
print(read, turns)
"""


def follows(path: str | Path, views: str | Path, last: int) -> subprocess.Popen[str]:
    """Start a program that follows until it has the last record; it prints the number of records that it applied."""
    words = [sys.executable, "-c", FOLLOWS, str(path), str(views), str(last)]
    started = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def taken_in(program: subprocess.Popen[str]) -> int:
    out, err = program.communicate(timeout=120)
    assert (program.returncode, err) == (0, "")
    read, turns = map(int, out.split())
    assert turns > 0
    return read


def test_two_programs_follow_into_one_database(tmp_path: Path, database: str) -> None:
    """Check that one program at a time follows a game, and that each record is applied once."""
    table = Table(tmp_path, place=database)
    last = table.size + ORDERS
    programs = [follows(database, database, last) for _ in range(2)]
    for number in range(ORDERS):
        table.play(RED, "move", unit="red-1", path=[f"01{number % 9 + 2:02}"])
    assert sum(map(taken_in, programs)) == last
    followed = rows(table.views)
    assert table.views.catch_up("g") == 0
    table.views.rebuild("g")
    assert rows(table.views) == followed
    table.close()


@pytest.mark.parametrize("files", ["one file", "two files"])
def test_two_programs_follow_at_once(tmp_path: Path, files: str) -> None:
    table = Table(tmp_path)
    last = table.size + ORDERS
    paths = [tmp_path / "both.db"] * 2 if files == "one file" else [tmp_path / "one.db", tmp_path / "other.db"]
    programs = [follows(table.path, views, last) for views in paths]
    for number in range(ORDERS):
        table.play(RED, "move", unit="red-1", path=[f"01{number % 9 + 2:02}"])
    assert table.size == last
    read = [taken_in(program) for program in programs]
    # In one file each record is applied once, by either program; in two files by both.
    assert sum(read) == (last if files == "one file" else 2 * last)
    table.follow()
    for views in paths:
        with (
            Ledger.open(table.path, GameStateBuilder()) as ledger,
            closing(Follower(ledger, views, TITLES.get)) as found,
        ):
            followed = rows(found)
            assert found.catch_up("g") == 0
            found.rebuild("g")
            assert rows(found) == followed == rows(table.views)
    table.close()
