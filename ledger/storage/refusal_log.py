"""Store refused orders next to the games, each with its own hash, so that a change to one is detected.

They are not part of any game's tree. Rows of an earlier edition have no hash, so changes to them cannot be detected.
"""

from __future__ import annotations

import hashlib
import sqlite3
from struct import pack
from typing import Any, Literal

from umpire_ledger.ledger.records.record import text

Kept = Literal["sound", "unprotected", "changed"]
"""Whether a row is as it was written. `unprotected`: an earlier edition stored it without a hash."""

ASIDE = (
    # Refusals are not part of any game's history. They are not a read model, because they cannot be computed again.
    # Text ids, as for snapshots: an order may be refused to a game that never began.
    """CREATE TABLE aside (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game TEXT NOT NULL,
        after INTEGER NOT NULL,
        at TEXT NOT NULL,
        seat TEXT NOT NULL,
        told BLOB NOT NULL, hash BLOB
    )""",
    "CREATE INDEX aside_game ON aside (game)",
    "CREATE TRIGGER aside_stays BEFORE UPDATE ON aside BEGIN SELECT RAISE(ABORT, 'a refusal is never changed'); END",
    "CREATE TRIGGER aside_is_kept BEFORE DELETE ON aside BEGIN SELECT RAISE(ABORT, 'a refusal is never deleted'); END",
)
EARLIER = ASIDE[0].replace(", hash BLOB", "")
"""Statement with which an earlier edition created the table."""
MEND = "ALTER TABLE aside ADD COLUMN hash BLOB"
"""Statement that migrates the table of an earlier edition to the present columns."""

IS_LAID = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'aside'"
LAST = "SELECT coalesce(max(id), 0) FROM aside WHERE game = ?"
ROWS = "SELECT id, game, after, at, seat, CAST(told AS BLOB), {hash} FROM aside"


def hash_of(game_id: str, after: int, at: str, seat: str, told: bytes) -> bytes:
    """Return the SHA-256 of a row (FORMAT.md, section 7)."""
    return hashlib.sha256(text(game_id) + pack(">Q", after) + text(at) + text(seat) + told).digest()


def refusal_from_row(row: tuple[Any, ...]) -> Kept:
    """Return whether a row, as `ROWS` selects it, is as it was written."""
    _, *fields, found = row
    if found is None:
        return "unprotected"
    game, after, at, seat, told = fields
    well_typed = isinstance(after, int) and 0 <= after < 2**63 and isinstance(told, bytes)
    if not well_typed or not all(isinstance(one, str) for one in (game, at, seat)):
        return "changed"
    return "sound" if found == hash_of(game, after, at, seat, told) else "changed"


def read_refusals(connection: sqlite3.Connection, where: str = "", *values: object) -> list[tuple[Any, ...]]:
    """Return the rows, oldest first, for `refusal_from_row`; none if there is no table."""
    columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(aside)")}
    if not columns:
        return []
    select = ROWS.format(hash="CAST(hash AS BLOB)" if "hash" in columns else "NULL")
    return connection.execute(f"{select} {where} ORDER BY id", values).fetchall()


def last(connection: sqlite3.Connection, game_id: str) -> int:
    """Return the number of a game's last row; 0 if it has none. Rows of all games share the numbers."""
    laid = connection.execute(IS_LAID).fetchone()
    return int(connection.execute(LAST, (game_id,)).fetchone()[0]) if laid else 0


def append_refusal(connection: sqlite3.Connection, game_id: str, after: int, at: str, seat: str, told: bytes) -> None:
    """Add a row. The first row creates the table, and a table of an earlier edition is migrated."""
    columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(aside)")}
    if not columns:
        for statement in ASIDE:
            connection.execute(statement)
    elif "hash" not in columns:
        connection.execute(MEND)
    connection.execute(
        "INSERT INTO aside (game, after, at, seat, told, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (game_id, after, at, seat, told, hash_of(game_id, after, at, seat, told)),
    )
