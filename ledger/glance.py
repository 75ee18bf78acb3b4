"""A glance at a ledger file with plain `sqlite3`, for those who only want to know whether anything is new.

Nothing of `eventsourcing` is loaded, nothing is written. Raises sqlite3.Error for a file that is no ledger.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def _ask(file: Path, question: str, *values: str) -> list[tuple[str | int | None, ...]]:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
        return connection.execute(question, values).fetchall()


def game_ids(file: Path) -> tuple[str, ...]:
    """The ids of all games, the oldest first."""
    return tuple(str(row[0]) for row in _ask(file, "SELECT id FROM game ORDER BY key"))


def size(file: Path, game: str) -> int:
    """How many records a game has; 0: no such game."""
    found = _ask(file, "SELECT max(position) FROM record JOIN game ON game.key = record.game WHERE game.id = ?", game)
    return int(found[0][0] or 0)
