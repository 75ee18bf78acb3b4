"""Store snapshots in PostgreSQL, with the interface of the `eventsourcing` library."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import OperationalError, StoredEvent
from eventsourcing.postgres import PostgresAggregateRecorder, PostgresDatastore, PostgresRecorder

from umpire_ledger.ledger.storage.postgres_connection import Datastore
from umpire_ledger.ledger.storage.record_mapper import TOPIC
from umpire_ledger.ledger.storage.sqlite_snapshots import SNAPSHOT_TABLE, key_of

MOVE = "UPDATE umpire.snapshot SET topic = %s, state = %s WHERE game = %s AND position = %s"
KEEP = "INSERT INTO umpire.snapshot (game, position, topic, state) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
"""Insert a snapshot. One that another process stored at the same moment has the same state."""


class SnapshotRecorder(PostgresAggregateRecorder):
    """Snapshots, a cache. Its table may be dropped at any time."""

    datastore: Datastore

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = SNAPSHOT_TABLE) -> None:
        PostgresRecorder.__init__(self, datastore)
        self.events_table_name = events_table_name

    def create_table(self) -> None:
        """Check the tables. The one for snapshots is created with the ledger."""
        self.datastore.prepare()

    def keep(self, game_id: str, position: int, schema: str, state: bytes) -> None:
        """Store a snapshot; it replaces an older one at the same position."""
        with self.datastore.writing() as connection:
            moved = connection.execute(MOVE, (schema, state, game_id, position))
            if not moved.rowcount:
                connection.execute(KEEP, (game_id, position, schema, state))

    def positions(self, game_id: str, schema: str, most: int) -> list[int]:
        """Return the positions up to `most` that have a snapshot of this schema, newest first."""
        select = (
            "SELECT position FROM umpire.snapshot WHERE game = %s AND topic = %s AND position <= %s"
            " ORDER BY position DESC"
        )
        with contextlib.suppress(OperationalError):  # the table was dropped
            return [position for (position,) in self.datastore.rows(select, game_id, schema, most)]
        return []

    def state(self, game_id: str, position: int, schema: str) -> bytes | None:
        """Return the stored snapshot; None if there is none."""
        select = "SELECT state FROM umpire.snapshot WHERE game = %s AND position = %s AND topic = %s"
        with contextlib.suppress(OperationalError):  # the table was dropped
            rows = self.datastore.rows(select, game_id, position, schema)
            return cast(bytes, rows[0][0]) if rows else None
        return None

    def drop(self, game_id: str | None = None) -> None:
        """Delete the snapshots of a game (None: of all games, one game at a time)."""
        every = self.datastore.rows("SELECT DISTINCT game FROM umpire.snapshot") if game_id is None else [(game_id,)]
        for (one,) in every:
            with self.datastore.writing() as connection:
                connection.execute("DELETE FROM umpire.snapshot WHERE game = %s", (one,))

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> None:
        """Insert events for the library."""
        rows = [(key_of(one.originator_id), one.originator_version, one.topic, one.state) for one in stored_events]
        with self.datastore.transaction(commit=True) as cursor:
            cursor.executemany(
                "INSERT INTO umpire.snapshot (game, position, topic, state) VALUES (%s, %s, %s, %s)", rows
            )

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
        return selected(self.datastore, "snapshot", "state", originator_id, gt, lte, desc, limit)


def selected(
    datastore: Datastore,
    table: str,
    column: str,
    originator_id: UUID | str,
    gt: int | None,
    lte: int | None,
    desc: bool,
    limit: int | None,
) -> list[StoredEvent]:
    """Return the rows of a game in one of the ledger's tables, for the library."""
    rows = datastore.rows(
        f"SELECT position, topic, {column} FROM umpire.{table} WHERE game = %s AND position > %s AND position <= %s"
        f" ORDER BY position {'DESC' if desc else 'ASC'} LIMIT %s::bigint",
        key_of(originator_id),
        -1 if gt is None else gt,
        2**63 - 1 if lte is None else lte,
        limit,
    )
    return [StoredEvent(originator_id, position, topic or TOPIC, state) for position, topic, state in rows]
