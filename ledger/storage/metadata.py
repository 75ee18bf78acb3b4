"""Store changeable metadata of the games: display names, archive flags, sent notices, sessions admitted by a link.

Metadata is not part of a game, so it is not in its records, tree or export. Two ledgers may give one game different
names. It is in the ledger's file because it cannot be computed again: no rebuild changes it, and a backup contains it.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple, Protocol

TABLE = (
    "CREATE TABLE beside (game TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (game, kind, name))"
)
"""Table, created with the first entry.

As in the table of refusals, game ids are text, so a row may name a missing game.
"""
INDEX = "CREATE INDEX IF NOT EXISTS beside_named ON beside (kind, name)"
"""Index for searches without a game. An older ledger gets it with its next entry; until then SQLite scans the table."""

DISPLAY_NAME = "display name"
ARCHIVED = "archived"


class MetadataEntry(NamedTuple):
    """A metadata entry of a kind for a game. `name`: its subject; "" if each game has only one."""

    game: str
    kind: str
    name: str
    value: str


class MetadataStore(Protocol):
    """The metadata of one ledger. Changes are made in a transaction."""

    def of(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the entries of a kind, of one game or (None) of all, by name."""

    def one(self, game_id: str, kind: str, name: str = "") -> str | None:
        """Return the value of one entry, found by its key; None if there is none."""

    def put(self, entry: MetadataEntry) -> None:
        """Store an entry; it replaces an older one of the same name."""

    def drop(self, game_id: str, kind: str, name: str = "") -> bool:
        """Delete an entry; return whether there was one."""


class SqliteMetadata:
    """Metadata over a connection to an SQLite file. Changes are made in a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the entries of a kind, of one game or (None) of all, by name; [] if there is no table."""
        if not self._is_there():
            return []
        select = "SELECT game, kind, name, value FROM beside WHERE kind = ? AND coalesce(?, game) = game ORDER BY 1, 3"
        rows = self._connection.execute(select, (kind, game_id)).fetchall()
        return [MetadataEntry(*map(str, row)) for row in rows]

    def one(self, game_id: str, kind: str, name: str = "") -> str | None:
        """Return the value of one entry, found by its key; None if there is none."""
        if not self._is_there():
            return None
        select = "SELECT CAST(value AS TEXT) FROM beside WHERE game = ? AND kind = ? AND name = ?"
        found = self._connection.execute(select, (game_id, kind, name)).fetchone()
        return str(found[0]) if found else None

    def named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the entries with one name, of any game, found by an index."""
        if not self._is_there():
            return []
        select = "SELECT game, kind, name, value FROM beside WHERE kind = ? AND name = ?"
        return [MetadataEntry(*map(str, row)) for row in self._connection.execute(select, (kind, name)).fetchall()]

    def put(self, entry: MetadataEntry) -> None:
        """Store an entry; it replaces an older one of the same name.

        The first entry creates the table and its index.
        """
        if not self._is_there():
            self._connection.execute(TABLE)
        self._connection.execute(INDEX)
        self._connection.execute("INSERT OR REPLACE INTO beside (game, kind, name, value) VALUES (?, ?, ?, ?)", entry)

    def drop(self, game_id: str, kind: str, name: str = "") -> bool:
        """Delete an entry; return whether there was one."""
        if not self._is_there():
            return False
        where = "DELETE FROM beside WHERE game = ? AND kind = ? AND name = ?"
        return self._connection.execute(where, (game_id, kind, name)).rowcount > 0

    def _is_there(self) -> bool:
        asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'beside'"
        return self._connection.execute(asked).fetchone() is not None
