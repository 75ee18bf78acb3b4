"""Test quick reads, the fast path of `umpire status`."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.face.projections import (
    KEYS,
    MEMORY,
    TurnView,
    connect,
    fresh_turn_view,
    looked,
    mark_read,
    open_views,
    views_path,
)
from tests.projections.table import RED, Table

HEAVY = (
    "umpire_ledger.domain",
    "eventsourcing",
    "sqlite_utils",
    "umpire_ledger.ledger.ledger",
    "hashlib",
    "pathlib",
)


@pytest.fixture
def table(file_table: Table) -> Table:
    """Table in a file, because only a file can be read without opening a ledger."""
    return file_table


def test_read_models_are_next_to_their_ledger(tmp_path: Path) -> None:
    assert views_path("club/umpire.db") == "club/umpire.views.db"
    assert views_path(tmp_path / "games") == str(tmp_path / "games.views")
    assert views_path(MEMORY) == MEMORY


@pytest.mark.parametrize("name", ["50%.db", "who? me.db", "no. #1.db", "Zürich.db", "no ending"])
def test_ledger_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    connect_new(tmp_path / name)
    with contextlib.closing(connect(tmp_path / name)) as connection:
        assert connection.execute("SELECT count(*) FROM orders").fetchone() == (0,)


def connect_new(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id)")


def test_view_is_fresh_until_an_order_is_recorded(table: Table) -> None:
    assert fresh_turn_view(table.path, "g", RED) is None
    table.follow()
    view = fresh_turn_view(table.path, "g", RED)
    assert view is not None
    assert view["position"] == table.size
    table.play(RED, "pay", account="vp/red", amount=1)
    assert fresh_turn_view(table.path, "g", RED) is None


def test_missing_view_is_none(table: Table, tmp_path: Path) -> None:
    table.follow()
    assert fresh_turn_view(table.path, "g", "somebody") is None
    assert fresh_turn_view(table.path, "another", RED) is None
    assert fresh_turn_view(tmp_path / "missing.db", "g", RED) is None
    assert open_views(MEMORY) is None


def test_read_mark_survives_a_rebuild(table: Table) -> None:
    table.follow()
    mark_read(table.path, "g", RED, table.size)
    table.views.rebuild_all()
    assert looked(table.views.connection, "g", RED) == table.size
    view = fresh_turn_view(table.path, "g", RED)
    assert view is not None
    assert view["since"] == []


def test_read_mark_without_read_models_is_dropped(tmp_path: Path) -> None:
    mark_read(tmp_path / "missing.db", "g", RED, 7)
    assert list(tmp_path.iterdir()) == []


def test_reading_a_stored_view_imports_nothing_heavy(table: Table) -> None:
    # `umpire status` of a ledger without new records costs little more than starting Python.
    table.follow()
    code = (
        "import sys; before = set(sys.modules);"
        "from umpire_ledger.projections.tables.views_file import fresh_turn_view;"
        f"assert fresh_turn_view({str(table.path)!r}, 'g', 'red')['seat'] == 'red';"
        f"print([name for name in {HEAVY!r} if name in set(sys.modules) - before])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_stored_turn_view_has_the_known_keys() -> None:
    assert set(TurnView.__struct_fields__) == KEYS
