"""Store snapshots in an SQLite ledger, with the interface of the `eventsourcing` library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import OperationalError, StoredEvent
from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteCursor, SQLiteDatastore

from umpire_ledger.ledger.storage.sqlite_connection import Datastore

SNAPSHOT_TABLE = "snapshot"


def key_of(originator_id: UUID | str) -> str:
    """Return the library's id as text."""
    return originator_id.hex if isinstance(originator_id, UUID) else originator_id


def lay(table: str) -> str:
    """Return the statement that creates the table."""
    return (
        f"CREATE TABLE IF NOT EXISTS {table} (game TEXT NOT NULL, position INTEGER NOT NULL,"
        " topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (game, position))"
    )


class SnapshotRecorder(SQLiteAggregateRecorder):
    """Snapshots, a cache. Its table may be dropped at any time."""

    datastore: Datastore

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = SNAPSHOT_TABLE) -> None:
        super().__init__(datastore, events_table_name)
        table = events_table_name
        self._insert = f"INSERT INTO {table} (game, position, topic, state) VALUES (?, ?, ?, ?)"
        self._replace = f"INSERT OR REPLACE INTO {table} (game, position, topic, state) VALUES (?, ?, ?, ?)"

    def construct_create_table_statements(self) -> list[str]:
        """Return the statement of the table.

        Its ids are text, so that it can be dropped without changing the table `game`.
        """
        return [lay(self.events_table_name)]

    def create_table(self) -> None:
        """Create the table only if it is missing, because opening a ledger must not wait for the write lock."""
        self.datastore.prepare()
        if not self.datastore.read_only and not self.datastore.has_table(self.events_table_name):
            super().create_table()

    def keep(self, game_id: str, position: int, schema: str, state: bytes) -> None:
        """Store a snapshot; it replaces an older one at the same position."""
        with self.datastore.writing() as connection:
            connection.execute(self._replace, (game_id, position, schema, state))

    def positions(self, game_id: str, schema: str, most: int) -> list[int]:
        """Return the positions up to `most` that have a snapshot of this schema, newest first."""
        select = (
            f"SELECT CAST(position AS INTEGER) FROM {self.events_table_name}"
            " WHERE game = ? AND topic = ? AND position <= ?"
            " ORDER BY position DESC"
        )
        return [position for (position,) in self._rows(select, game_id, schema, most) if position is not None]

    def state(self, game_id: str, position: int, schema: str) -> bytes | None:
        """Return the stored snapshot; None if there is none."""
        select = (
            f"SELECT CAST(state AS BLOB) FROM {self.events_table_name} WHERE game = ? AND position = ? AND topic = ?"
        )
        rows = self._rows(select, game_id, position, schema)
        return cast(bytes, rows[0][0]) if rows else None

    def drop(self, game_id: str | None = None) -> None:
        """Delete the snapshots of a game (None: of all games)."""
        with self.datastore.writing() as connection:
            connection.execute(f"DELETE FROM {self.events_table_name} WHERE game = coalesce(?, game)", (game_id,))

    def _rows(self, select: str, *values: object) -> list[Any]:
        try:
            with self.datastore.reading() as connection:
                return connection.execute(select, values).fetchall()
        except OperationalError:  # the table was dropped
            return []

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> None:
        rows = [(key_of(e.originator_id), e.originator_version, e.topic, e.state) for e in stored_events]
        c.executemany(self._insert, rows)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[StoredEvent]:
        """Read events for the library."""
        rows = self._rows(
            f"SELECT position, topic, state FROM {self.events_table_name}"
            " WHERE game = ? AND position > ? AND position <= ?"
            f" ORDER BY position {'DESC' if desc else 'ASC'} LIMIT ?",
            key_of(originator_id),
            -1 if gt is None else gt,
            2**63 - 1 if lte is None else lte,
            -1 if limit is None else limit,
        )
        return [StoredEvent(originator_id, position, topic, state) for position, topic, state in rows]
