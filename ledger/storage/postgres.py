"""Provide recorders and a factory for PostgreSQL to the `eventsourcing` library, with safer behavior than its own.

The library's own recorder locks the whole table for each insert, so that its numbers have no gap in which a reader
could miss a record. Here games are independent, and their orders are recorded at the same time. To find new records,
`changed_games` reads the transaction of each game's stored compact range. The library's numbers are only for programs
that follow the library's notifications; their readers wait until no transaction is writing.

`POSTGRES_ENABLE_DB_FUNCTIONS` has no effect here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from sqlite3 import Connection as Copy
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    BaseInfrastructureFactory,
    IntegrityError,
    Notification,
    ProgrammingError,
    StoredEvent,
)
from eventsourcing.postgres import (
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresFactory,
    PostgresProcessRecorder,
    PostgresRecorder,
)
from eventsourcing.utils import Environment, EnvType, strtobool
from psycopg import Cursor
from psycopg.rows import DictRow

from umpire_ledger.ledger.merkle.compact_ranges import KeptEdge
from umpire_ledger.ledger.records.chunks import Read, backwards, forwards
from umpire_ledger.ledger.records.record import Row
from umpire_ledger.ledger.storage import refusal_log
from umpire_ledger.ledger.storage.byte_counter import count, counting
from umpire_ledger.ledger.storage.interface import Away, LoggedRefusal, SignalWait
from umpire_ledger.ledger.storage.metadata import MetadataEntry
from umpire_ledger.ledger.storage.postgres_connection import Datastore
from umpire_ledger.ledger.storage.postgres_copy import fill
from umpire_ledger.ledger.storage.postgres_fanout import rows_of_all
from umpire_ledger.ledger.storage.postgres_metadata import PostgresMetadata
from umpire_ledger.ledger.storage.postgres_schema import CHANNEL, LOCKS, NOTING, NUMBERING
from umpire_ledger.ledger.storage.postgres_snapshots import SnapshotRecorder, selected
from umpire_ledger.ledger.storage.record_mapper import TOPIC, StoredRecord
from umpire_ledger.ledger.storage.sqlite_snapshots import key_of

__all__ = ["Datastore", "LedgerFactory", "LedgerProcessRecorder", "LedgerRecorder", "SnapshotRecorder"]

AT_ONCE = 128
"""Limit of rows in one INSERT. A line may have 4 MiB, and the size of a statement is limited."""

FROM_TO = "FROM umpire.record WHERE game = %s AND position BETWEEN %s AND %s ORDER BY position"
LINES = f"SELECT line {FROM_TO}"
LINES_BACK = f"{LINES} DESC"
ROWS = f"SELECT position, command, follows, line {FROM_TO}"
INSERT = (
    "INSERT INTO umpire.record (game, position, command, follows, line)"
    " SELECT %s, * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[])"
)
MOVE_EDGE = "UPDATE umpire.edge SET size = %s, peaks = %s, root = %s, xact = pg_current_xact_id() WHERE game = %s"
KEEP_EDGE = "INSERT INTO umpire.edge (game, size, peaks, root) VALUES (%s, %s, %s, %s)"
OLDEST = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
WHOLE_NUMBERS = "SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, NUMBERING)


class LedgerRecorder(PostgresApplicationRecorder):
    """Stores the lines: without gaps, idempotent by order id, and never changed."""

    datastore: Datastore

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "record") -> None:
        # The parent's __init__ would ask the server for types of its own tables.
        PostgresRecorder.__init__(self, datastore)
        self.events_table_name = events_table_name
        self.channel_name = CHANNEL

    def create_table(self) -> None:
        """Create the ledger if it does not exist; also create tables that a derived recorder adds."""
        self.datastore.prepare()
        if self.sql_create_statements:
            super().create_table()

    # The ledger's interface: rows in, lines out.

    def transaction(self) -> contextlib.AbstractContextManager[object]:
        """Return a context in which several insert_lines are one transaction."""
        return self.datastore.writing()

    def insert_lines(self, game_id: str, rows: Iterable[Row], edge: KeptEdge | None = None) -> None:
        """Append rows and store the compact range after them, in one transaction.

        Raises:
            IntegrityError: There is a gap, a taken position or a known order id.
            CommitUnknown: The server disconnected during the commit.
        """
        try:
            self._inserted(game_id, counting(rows), edge)
        except IntegrityError:
            self.datastore.settle()  # the conflict may be with its own rows, whose acknowledgment was lost
            raise

    def _inserted(self, game_id: str, waiting: Iterator[Row], edge: KeptEdge | None) -> None:
        with self.datastore.writing() as connection:
            while some := list(islice(waiting, AT_ONCE)):
                connection.execute(INSERT, (game_id, *map(list, zip(*some, strict=True))))
            # No ON CONFLICT: foreign partitions do not support it. Two first orders already conflict at record 1.
            if edge is not None and not connection.execute(MOVE_EDGE, (*edge, game_id)).rowcount:
                connection.execute(KEEP_EDGE, (game_id, *edge))
            self.datastore.has_grown(game_id)

    def reopen(self) -> bool:
        """Return False, because an unreachable server may still be committing."""
        return False

    def lock_game(self, game_id: str) -> contextlib.AbstractContextManager[object]:
        """Hold an advisory lock, granted in the order of requests.

        A lost connection loses only its place in that order.
        """
        return self.datastore.holding(f"umpire turn {game_id}")

    def size(self, game_id: str) -> int:
        """Return the last position; 0 if there is no such game."""
        return self.datastore.row("SELECT max(position) FROM umpire.record WHERE game = %s", game_id)[0] or 0

    def kept_edge(self, game_id: str) -> tuple[int, KeptEdge | None]:
        """Return (last position, compact range) from one statement, because another writer could write between two."""
        select = (
            "SELECT (SELECT max(position) FROM umpire.record WHERE game = %s), edge.size, edge.peaks, edge.root"
            " FROM (SELECT 1) AS one LEFT JOIN (SELECT * FROM umpire.edge WHERE game = %s) AS edge ON true"
        )
        size, *edge = self.datastore.row(select, game_id, game_id)
        return size or 0, cast(KeptEdge, tuple(edge)) if edge[0] is not None else None

    def lines(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `first` to `last`, read in chunks."""
        return chain.from_iterable(chain.from_iterable(forwards(self._read(LINES, game_id), first, last)))

    def lines_back(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `last` down to `first`, read in small chunks."""
        return chain.from_iterable(chain.from_iterable(backwards(self._read(LINES_BACK, game_id), first, last)))

    def lines_with(self, game_id: str, mark: bytes, first: int, last: int) -> list[bytes]:
        """Return those lines from `first` to `last` that contain these bytes, the oldest first."""
        select = (
            "SELECT line FROM umpire.record WHERE game = %s AND position BETWEEN %s AND %s"
            " AND position(%s::bytea in line) > 0 ORDER BY position"
        )
        return [line for (line,) in self.datastore.rows(select, game_id, first, last, mark)]

    def rows(self, game_id: str, first: int, last: int) -> Iterator[Row]:
        """Return (position, order id, follows, line) of these records, read in chunks."""
        return chain.from_iterable(forwards(self._read(ROWS, game_id), first, last))

    def _read(self, select: str, game_id: str) -> Read[Any]:
        return lambda low, high: self.datastore.rows(select, game_id, low, high)

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """Return the sizes in the stored compact ranges, which are updated with the records."""
        return dict(rows_of_all(self.datastore, "edge", "SELECT game, size FROM {} ORDER BY game", away))

    def own_connection(self) -> Any:
        """Return a connection outside the pool."""
        return self.datastore.own_connection()

    def position_of(self, game_id: str, command: str) -> int | None:
        """Return the first position of the order with this order id; None if it is unknown."""
        select = "SELECT position FROM umpire.record WHERE game = %s AND command = %s"
        found = self.datastore.rows(select, game_id, command)
        return cast(int, found[0][0]) if found else None

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (first position, order id) of the orders whose id begins with `prefix`."""
        return self.datastore.rows(
            "SELECT position, command FROM umpire.record WHERE game = %s AND command >= %s AND command < %s"
            " ORDER BY position",
            game_id,
            prefix,
            prefix + chr(0x10FFFF),
        )

    def rewinds(self, game_id: str, after: int) -> list[tuple[int, int]]:
        """Return (position, follows) after `after`, from the partial index alone."""
        return self.datastore.rows(
            "SELECT position, follows FROM umpire.record WHERE game = %s AND follows IS NOT NULL AND position > %s"
            " ORDER BY position",
            game_id,
            after,
        )

    def games(self, away: Away | None = None) -> list[str]:
        """Return the ids of the games that have records, oldest first."""
        select = "SELECT number, game FROM {} WHERE position = 1 ORDER BY number"
        return [game for _, game in rows_of_all(self.datastore, "record", select, away)]

    def newest(self) -> int:
        """Return the oldest unfinished transaction.

        A row that becomes visible later belongs to it or to a later one.
        """
        return cast(int, self.datastore.row(f"SELECT {OLDEST}")[0])

    def changed_games(self, after: int) -> tuple[int, list[str]]:
        """Return the games that transaction `after` or a later one changed.

        While a transaction takes long, games of later ones are repeated.
        """
        select = f"SELECT {OLDEST}, (SELECT array_agg(game) FROM umpire.edge WHERE xact >= %s::text::xid8)"
        newest, games = self.datastore.row(select, str(after))
        return max(newest, after), list(games or ())

    @contextlib.contextmanager
    def record_signals(self) -> Iterator[SignalWait]:
        """Listen with LISTEN over a separate connection; writers notify after each commit."""
        with self.datastore.listening() as connection:
            yield lambda seconds: any(True for _ in connection.notifies(timeout=seconds, stop_after=1))

    # Refusals, which are outside the records.

    def append_refusal(self, game_id: str, after: int, at: str, seat: str, told: bytes) -> None:
        """Store a refusal under its game's next number; a lock orders concurrent refusals of the game."""
        insert = (
            "INSERT INTO umpire.aside (game, id, after, at, seat, told, hash)"
            " SELECT %s, coalesce(max(id), 0) + 1, %s, %s, %s, %s, %s FROM umpire.aside WHERE game = %s"
        )
        values = (game_id, after, at, seat, told, refusal_log.hash_of(game_id, after, at, seat, told), game_id)
        with self.datastore.writing() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('umpire aside ' || %s, 0))", (game_id,))
            connection.execute(insert, values)
        count(len(told))

    def refusals(self, game_id: str, after: int = 0) -> list[tuple[int, LoggedRefusal]]:
        """Return (number, refusal) pairs, oldest first. A refusal is a `LoggedRefusal`."""
        select = (
            "SELECT id, game, after, at, seat, told, hash FROM umpire.aside WHERE game = %s AND id > %s ORDER BY id"
        )
        rows = self.datastore.rows(select, game_id, after)
        return [(row[0], (*row[2:6], refusal_log.refusal_from_row(row))) for row in rows]

    def last_aside(self, game_id: str) -> int:
        """Return the number of the newest refusal; 0 if there is none."""
        return cast(
            int, self.datastore.row("SELECT coalesce(max(id), 0) FROM umpire.aside WHERE game = %s", game_id)[0]
        )

    # Changeable metadata, which is also outside the records.

    @contextlib.contextmanager
    def metadata(self) -> Iterator[PostgresMetadata]:
        """Open the metadata in a transaction, one at a time, so that values read in it stay valid until its end."""
        with self.datastore.writing() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, NOTING))
            yield PostgresMetadata(connection)

    def metadata_of_kind(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the metadata entries of a kind, of one game or of all."""
        return self.datastore.asked(lambda connection: PostgresMetadata(connection).of(kind, game_id))

    def metadata_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the metadata entries with one name, of any game."""
        return self.datastore.asked(lambda connection: PostgresMetadata(connection).named(kind, name))

    def metadata_value(self, game_id: str, kind: str, name: str) -> str | None:
        """Return the value of one metadata entry; None if there is none."""
        return self.datastore.asked(lambda connection: PostgresMetadata(connection).one(game_id, kind, name))

    def home(self) -> str:
        """Return "", because a database has no file of its own, and a restored server looks like the original."""
        return ""

    def copy_to(self, copy: Copy) -> None:
        """Copy the whole ledger, as of one moment, into an empty SQLite database. Others may write in the meantime."""
        with self.datastore.one_moment() as connection:
            fill(copy, connection)

    # The library's interface: stored events in, stored events and notifications out.

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Insert events for the library, one at a time.

        Unlike the library's own method it does not retry, because a second try could meet rows that the first one
        wrote.

        Raises:
            IntegrityError: From the library: there is a gap, a taken position or a known order id.
        """
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(*WHOLE_NUMBERS)
            self._insert_events(cursor, stored_events, **kwargs)
            return [self._insert_event(cursor, event) for event in stored_events]

    def _insert_event(self, cursor: Cursor[DictRow], event: StoredEvent) -> int:
        row = event if isinstance(event, StoredRecord) else None
        topic = None if event.topic == TOPIC else event.topic
        cursor.execute(
            "INSERT INTO umpire.record (game, position, command, follows, topic, line)"
            " VALUES (%s, %s, %s, %s, %s, %s) RETURNING number",
            (
                key_of(event.originator_id),
                event.originator_version,
                row and row.command,
                row and row.follows,
                topic,
                event.state,
            ),
        )
        return cast("dict[str, int]", cursor.fetchone())["number"]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[StoredEvent]:
        """Read the events of one game for the library."""
        return selected(self.datastore, "record", "line", originator_id, gt, lte, desc, limit)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Notification]:
        """Read the events of all games for the library, by number, when no transaction is writing."""
        first = 0 if start is None else start + (not inclusive_of_start)
        wanted = "AND coalesce(topic, %s) = ANY(%s)" if topics else ""
        select = (
            "SELECT number, game, position, coalesce(topic, %s) AS topic, line FROM umpire.record"
            f" WHERE number >= %s AND number <= %s {wanted} ORDER BY number LIMIT %s"
        )
        values = (TOPIC, first, 2**63 - 1 if stop is None else stop, *((TOPIC, list(topics)) if topics else ()), limit)
        with self.datastore.transaction() as cursor:
            cursor.execute(*WHOLE_NUMBERS)
            rows = cursor.execute(select, values).fetchall()
        return list(map(self._notification, rows))

    def _notification(self, row: DictRow) -> Notification:
        game = self._library_id(row["game"])
        return Notification(game, row["position"], row["topic"], bytes(row["line"]), row["number"])

    def _library_id(self, game_id: str) -> UUID | str:
        return UUID(game_id) if self.datastore.originator_id_type == "uuid" else game_id

    def max_notification_id(self) -> int | None:
        """Return the highest number; None if nothing is recorded."""
        with self.datastore.transaction() as cursor:
            cursor.execute(*WHOLE_NUMBERS)
            found = cursor.execute("SELECT max(number) FROM umpire.record").fetchone()
        return cast("dict[str, int | None]", found)["max"]


class LedgerProcessRecorder(PostgresProcessRecorder, LedgerRecorder):
    """The ledger's recorder with the library's tracking table, to follow other ledgers."""


class LedgerFactory(PostgresFactory):
    """The factory that PERSISTENCE_MODULE names.

    Settings: POSTGRES_URL, POSTGRES_CREATE, POSTGRES_READ_ONLY (y or n).
    """

    aggregate_recorder_class = SnapshotRecorder
    application_recorder_class = LedgerRecorder
    process_recorder_class = LedgerProcessRecorder

    datastore: Datastore

    def __init__(self, env: Environment | EnvType | None) -> None:
        # The library's __init__ requires host, user and password separately.
        BaseInfrastructureFactory.__init__(self, env)
        url = self.env.get("POSTGRES_URL")
        if not url:
            raise ProgrammingError("POSTGRES_URL is not set")
        ids = self.env.get(self.ORIGINATOR_ID_TYPE) or "text"
        self.datastore = Datastore(
            url,
            create=strtobool(self.env.get("POSTGRES_CREATE") or "y"),
            read_only=strtobool(self.env.get("POSTGRES_READ_ONLY") or "n"),
            lock_timeout=float(self.env.get("POSTGRES_LOCK_SECONDS") or 5.0),
            originator_id_type="uuid" if ids == "uuid" else "text",
        )
        if self.env_create_table():
            self.datastore.prepare()

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """Return the snapshot store for any purpose: a ledger has no other aggregates."""
        return SnapshotRecorder(self.datastore)

    def application_recorder(self) -> LedgerRecorder:
        """Return the recorder of the lines."""
        return LedgerRecorder(self.datastore)
