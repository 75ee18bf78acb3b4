"""Ledgers for the stories: one in memory, and a path for one in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ledger.table import Numbers, open_table
from umpire_ledger.ledger.application import Ledger


@pytest.fixture
def ledger() -> Iterator[Ledger[Numbers]]:
    with open_table(snapshot_every=5) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "umpire.db"
