"""Store changeable metadata of the games of a ledger in PostgreSQL."""

from __future__ import annotations

from typing import Any, cast

from umpire_ledger.ledger.storage.metadata import MetadataEntry
from umpire_ledger.ledger.storage.postgres_connection import Connection

SELECT = "SELECT game, kind, name, value FROM umpire.beside WHERE kind = %s"
CHANGE = "UPDATE umpire.beside SET value = %s WHERE game = %s AND kind = %s AND name = %s"
ADD = "INSERT INTO umpire.beside (game, kind, name, value) VALUES (%s, %s, %s, %s)"


class PostgresMetadata:
    """Metadata over a connection to a database. Changes are made in a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the entries of a kind, of one game or (None) of all, by name."""
        if game_id is None:
            return self._found(f"{SELECT} ORDER BY game, name", kind)
        return self._found(f"{SELECT} AND game = %s ORDER BY name", kind, game_id)

    def one(self, game_id: str, kind: str, name: str = "") -> str | None:
        """Return the value of one entry, found by its key; None if there is none."""
        found = self._found(f"{SELECT} AND game = %s AND name = %s", kind, game_id, name)
        return found[0].value if found else None

    def named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the entries with one name, of any game, found by an index."""
        return self._found(f"{SELECT} AND name = %s", kind, name)

    def _found(self, select: str, *values: str) -> list[MetadataEntry]:
        return [MetadataEntry(*row) for row in self._connection.execute(cast(Any, select), values).fetchall()]

    def put(self, entry: MetadataEntry) -> None:
        """Store an entry; it replaces an older one of the same name."""
        game, kind, name, value = entry
        moved = self._connection.execute(CHANGE, (value, game, kind, name))
        if not moved.rowcount:  # only one transaction at a time changes metadata
            self._connection.execute(ADD, (game, kind, name, value))

    def drop(self, game_id: str, kind: str, name: str = "") -> bool:
        """Delete an entry; return whether there was one."""
        gone = self._connection.execute(
            "DELETE FROM umpire.beside WHERE game = %s AND kind = %s AND name = %s", (game_id, kind, name)
        )
        return gone.rowcount > 0
