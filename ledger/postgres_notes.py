"""What is noted beside the games of a ledger in PostgreSQL and may be changed."""

from __future__ import annotations

from typing import Any, cast

from umpire_ledger.ledger.beside import Note
from umpire_ledger.ledger.postgres_server import Connection

NOTE = "SELECT value FROM umpire.beside WHERE game = %s AND kind = %s AND name = %s"


def notes_of(kind: str, game: str | None) -> tuple[str, ...]:
    """The statement that selects notes, and its values."""
    select = "SELECT game, kind, name, value FROM umpire.beside WHERE kind = %s"
    if game is None:
        return f"{select} ORDER BY game, name", kind
    return f"{select} AND game = %s ORDER BY name", kind, game


class PostgresNotes:
    """Notes over a connection in a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, kind: str, game: str | None = None) -> list[Note]:
        """The notes of a kind, of one game or (None) of all, by name."""
        select, *values = notes_of(kind, game)
        return [Note(*row) for row in self._connection.execute(cast(Any, select), values).fetchall()]

    def one(self, game: str, kind: str, name: str = "") -> str | None:
        """The value of one note, found by its key; None where it is not there."""
        found = self._connection.execute(NOTE, (game, kind, name)).fetchone()
        return cast(str, found[0]) if found else None

    def put(self, note: Note) -> None:
        """Note it, over an older one of the same name."""
        self._connection.execute(
            "INSERT INTO umpire.beside (game, kind, name, value) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (game, kind, name) DO UPDATE SET value = excluded.value",
            note,
        )

    def drop(self, game: str, kind: str, name: str = "") -> bool:
        """Forget a note; says whether there was one."""
        gone = self._connection.execute(
            "DELETE FROM umpire.beside WHERE game = %s AND kind = %s AND name = %s", (game, kind, name)
        )
        return gone.rowcount > 0
