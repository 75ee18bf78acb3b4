"""Read a few facts from a ledger file with plain `sqlite3`, for callers that only look for new records.

This module does not load `eventsourcing` and writes nothing. A file that is not a ledger raises `sqlite3.Error`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from umpire_ledger.ledger.storage.metadata import MetadataEntry, SqliteMetadata


def _ask(file: Path, question: str, *values: str) -> list[tuple[str | int | None, ...]]:
    with closing(_connected(file)) as connection:
        return connection.execute(question, values).fetchall()


def _connected(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)


def game_ids(file: Path) -> tuple[str, ...]:
    """Return the ids of all games, the oldest first."""
    return tuple(str(row[0]) for row in _ask(file, "SELECT id FROM game ORDER BY key"))


def size(file: Path, game_id: str) -> int:
    """Return the number of records of a game; 0 if there is no such game."""
    found = _ask(
        file, "SELECT max(position) FROM record JOIN game ON game.key = record.game WHERE game.id = ?", game_id
    )
    return int(found[0][0] or 0)


def last_lines(file: Path) -> list[tuple[str, int, str]]:
    """Return (game, position, line) of the last record of each game, the oldest game first."""
    select = (
        "SELECT game.id, record.position, CAST(record.line AS TEXT) FROM game JOIN record ON record.game = game.key"
        " AND record.position = (SELECT max(position) FROM record WHERE game = game.key) ORDER BY game.key"
    )
    return [(str(game), int(position or 0), str(line)) for game, position, line in _ask(file, select)]


def metadata_of_kind(file: Path, kind: str) -> list[MetadataEntry]:
    """Return the metadata entries of a kind, of all games."""
    with closing(_connected(file)) as connection:
        return SqliteMetadata(connection).of(kind)
