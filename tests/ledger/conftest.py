"""Provide ledgers for the tests, so that each test runs in memory, in a file, and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.ledger import Ledger
from tests.ledger.table import Numbers, open_table


@pytest.fixture
def ledger(store: str, request: pytest.FixtureRequest) -> Iterator[Ledger[Numbers]]:
    where = ":memory:" if store == "sqlite" else request.getfixturevalue("database")
    with open_table(where, snapshot_every=5) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file path, for tests that apply only to SQLite."""
    return tmp_path / "umpire.db"
