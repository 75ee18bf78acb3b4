"""Provide recorders and a factory for SQLite to the `eventsourcing` library, with safer behavior than its own.

The schema of the file, its guards and its opening are in sqlite_connection.py.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    InfrastructureFactory,
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
    SQLiteProcessRecorder,
)
from eventsourcing.utils import Environment, EnvType, strtobool

from umpire_ledger.ledger.merkle.compact_ranges import KeptEdge
from umpire_ledger.ledger.records.chunks import Read, backwards, forwards
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.record import Row
from umpire_ledger.ledger.storage import refusal_log
from umpire_ledger.ledger.storage.byte_counter import count, counting
from umpire_ledger.ledger.storage.copies import home_of
from umpire_ledger.ledger.storage.interface import Away, LoggedRefusal, SignalWait
from umpire_ledger.ledger.storage.metadata import MetadataEntry, SqliteMetadata
from umpire_ledger.ledger.storage.record_mapper import TOPIC, StoredRecord
from umpire_ledger.ledger.storage.sqlite_connection import (
    APPLICATION_ID,
    EDGE,
    MEMORY,
    SCHEMA,
    STORE_FORMAT,
    Datastore,
    primary_code,
)
from umpire_ledger.ledger.storage.sqlite_snapshots import SNAPSHOT_TABLE, SnapshotRecorder, key_of

__all__ = [
    "APPLICATION_ID",
    "SCHEMA",
    "STORE_FORMAT",
    "Datastore",
    "LedgerFactory",
    "LedgerProcessRecorder",
    "LedgerRecorder",
    "SnapshotRecorder",
]

LINE = "coalesce(CAST(line AS BLOB), x'')"
"""A record's line as bytes. Only damage can make it empty, and then the reader reports that it is not a record."""
ASIDE_PATIENCE = 0.05  # seconds; a refusal does not wait for another writer

FROM_TO = "FROM record WHERE game = ? AND position BETWEEN ? AND ? ORDER BY position"
LINES = f"SELECT {LINE} {FROM_TO}"
LINES_BACK = f"{LINES} DESC"
ROWS = f"SELECT position, command, follows, {LINE} {FROM_TO}"
INSERT = "INSERT INTO record (game, position, command, follows, line) VALUES"
AT_ONCE = 64
INSERT_MANY = f"{INSERT} {', '.join(['(?1, ?, ?, ?, ?)'] * AT_ONCE)}"


class LedgerRecorder(SQLiteApplicationRecorder):
    """Stores the lines: without gaps, idempotent by order id, and never changed.

    There is no `subscribe()`; poll instead.
    """

    datastore: Datastore

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = "record") -> None:
        super().__init__(datastore, events_table_name)
        self._keys: dict[str, int] = {}

    def construct_create_table_statements(self) -> list[str]:
        """Return no statements, because Datastore.prepare creates the whole schema at once."""
        return []

    def create_table(self) -> None:
        """Create the ledger if it does not exist; also create tables that a derived recorder adds."""
        self.datastore.prepare()
        if self.create_table_statements:
            super().create_table()

    # The ledger's interface: rows in, lines out.

    def transaction(self) -> contextlib.AbstractContextManager[object]:
        """Return a context in which several insert_lines are one transaction."""
        return self.datastore.writing()

    def insert_lines(self, game_id: str, rows: Iterable[Row], edge: KeptEdge | None = None) -> None:
        """Append rows and store the compact range after them, in one transaction.

        Raises:
            IntegrityError: There is a gap, a taken position or a known order id.
            CommitUnknown: The disk failed during the commit.
        """
        try:
            key, connection = self._inserted(game_id, rows, edge)
        except IntegrityError:
            self.datastore.settle()  # The conflict may be with its own rows, which are then the answer to the order.
            raise
        if not connection.in_transaction:  # a key from a transaction that is undone must not be cached
            self._keys[game_id] = key

    def _inserted(self, game_id: str, rows: Iterable[Row], edge: KeptEdge | None) -> tuple[int, sqlite3.Connection]:
        with self.datastore.writing() as connection:
            key = self._key_for_writing(connection, game_id)
            _insert(connection, key, counting(rows))
            if edge is not None:
                _keep_edge(connection, key, edge)
            return key, connection

    def reopen(self) -> bool:
        """Return whether later reads are final: SQLite has removed the log into which a failed commit wrote."""
        return self.datastore.reopen()

    def lock_game(self, game_id: str) -> contextlib.AbstractContextManager[object]:
        """Return an empty context.

        In a file, a late writer loses little, because it learns of the conflict before it writes.
        """
        return contextlib.nullcontext()

    def size(self, game_id: str) -> int:
        """Return the last position; 0 if there is no such game."""
        found = self._one("SELECT CAST(max(position) AS INTEGER) FROM record WHERE game = ?", game_id)
        return found[0] or 0 if found else 0

    def kept_edge(self, game_id: str) -> tuple[int, KeptEdge | None]:
        """Return (last position, compact range) from one statement, because another writer could write between two."""
        select = (
            "SELECT (SELECT CAST(max(position) AS INTEGER) FROM record WHERE game = ?1),"
            " CAST(size AS INTEGER), CAST(peaks AS BLOB), CAST(root AS BLOB)"
            " FROM (SELECT 1) LEFT JOIN edge ON edge.game = ?1"
        )
        try:
            found = self._one(select, game_id)
        except OperationalError:  # a ledger of an earlier edition
            return self.size(game_id), None
        size, *edge = found or (0, None)
        return size or 0, cast(KeptEdge, tuple(edge)) if edge[0] is not None else None

    def lines(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `first` to `last`, read in chunks."""
        return chain.from_iterable(chain.from_iterable(forwards(self._read(LINES, game_id), first, last)))

    def lines_back(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `last` down to `first`, read in small chunks."""
        return chain.from_iterable(chain.from_iterable(backwards(self._read(LINES_BACK, game_id), first, last)))

    def lines_with(self, game_id: str, mark: bytes, first: int, last: int) -> list[bytes]:
        """Return those lines from `first` to `last` that contain these bytes, the oldest first."""
        span = "game = ? AND position BETWEEN ? AND ?"
        select = f"SELECT {LINE} FROM record WHERE {span} AND instr({LINE}, ?) > 0 ORDER BY position"
        return [line for (line,) in self._all(select, game_id, first, last, mark)]

    def rows(self, game_id: str, first: int, last: int) -> Iterator[Row]:
        """Return (position, order id, follows, line) of these records, read in chunks."""
        return chain.from_iterable(forwards(self._read(ROWS, game_id), first, last))

    def position_of(self, game_id: str, command: str) -> int | None:
        """Return the first position of the order with this order id; None if it is unknown."""
        found = self._one("SELECT position FROM record WHERE game = ? AND command = ?", game_id, command)
        return cast(int, found[0]) if found else None

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (position, order id) of the orders whose id begins with `prefix`, from the partial index."""
        return self._all(
            "SELECT CAST(position AS INTEGER), CAST(command AS TEXT) FROM record"
            " WHERE game = ? AND command IS NOT NULL AND command >= ? AND command < ?"
            " ORDER BY position",
            game_id,
            prefix,
            prefix + chr(0x10FFFF),
        )

    def rewinds(self, game_id: str, after: int) -> list[tuple[int, int]]:
        """Return (position, follows) after `after`, from the partial index alone."""
        return self._all(
            "SELECT CAST(position AS INTEGER), CAST(follows AS INTEGER) FROM record"
            " WHERE game = ? AND follows IS NOT NULL AND position > ?"
            " ORDER BY position",
            game_id,
            after,
        )

    def games(self, away: Away | None = None) -> list[str]:
        """Return the ids of the games that have records, oldest first."""
        with self.datastore.reading() as connection:
            select = (
                "SELECT CAST(id AS TEXT) FROM game"
                " WHERE EXISTS (SELECT 1 FROM record WHERE game = game.key) ORDER BY key"
            )
            return [game for (game,) in connection.execute(select)]

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """Return an empty mapping; for a file, `quick_read.py` counts without opening the ledger."""
        return {}

    def own_connection(self) -> Any:
        """Refuse, because the read models of a file are in a file of their own."""
        what = "the read models of a ledger in a file are not in a database"
        raise StoreUnavailable(what, where=self.datastore.db_name, remedy="open them by their file")

    def _key(self, connection: sqlite3.Connection, game_id: str) -> int | None:
        key = self._keys.get(game_id)
        if key is None:
            row = connection.execute("SELECT key FROM game WHERE id = ?", (game_id,)).fetchone()
            if row is None:
                return None
            key = cast(int, row[0])
            if not connection.in_transaction:
                self._keys[game_id] = key
        return key

    def _key_for_writing(self, connection: sqlite3.Connection, game_id: str) -> int:
        key = self._key(connection, game_id)
        if key is None:
            key = connection.execute("INSERT INTO game (id) VALUES (?)", (game_id,)).lastrowid
        return cast(int, key)

    def _one(self, select: str, game_id: str, *more: object) -> tuple[Any, ...] | None:
        with self.datastore.reading() as connection:
            key = self._key(connection, game_id)
            if key is None:
                return None
            return cast("tuple[Any, ...] | None", connection.execute(select, (key, *more)).fetchone())

    def _all(self, select: str, game_id: str, *more: object) -> list[Any]:
        with self.datastore.reading() as connection:
            key = self._key(connection, game_id)
            return [] if key is None else connection.execute(select, (key, *more)).fetchall()

    def _read(self, select: str, game_id: str) -> Read[Any]:
        return lambda low, high: self._all(select, game_id, low, high)

    # Refusals, which are not part of a game's tree or exports and are not checked by `verify`.

    def append_refusal(self, game_id: str, after: int, at: str, seat: str, told: bytes) -> None:
        """Store a refusal with a game, without waiting for another writer."""
        with self.datastore.patience(ASIDE_PATIENCE), self.datastore.writing() as connection:
            refusal_log.append_refusal(connection, game_id, after, at, seat, told)
        count(len(told))

    def refusals(self, game_id: str, after: int = 0) -> list[tuple[int, LoggedRefusal]]:
        """Return (number, refusal) pairs, oldest first. A refusal is a `LoggedRefusal`."""
        with self.datastore.reading() as connection:
            rows = refusal_log.read_refusals(connection, "WHERE game = ? AND id > ?", game_id, after)
        return [(row[0], (*row[2:6], refusal_log.refusal_from_row(row))) for row in rows]

    def last_aside(self, game_id: str) -> int:
        """Return the number of the newest refusal; 0 if there is none."""
        with self.datastore.reading() as connection:
            return refusal_log.last(connection, game_id)

    # Changeable metadata, which is also outside the records.

    @contextlib.contextmanager
    def metadata(self) -> Iterator[SqliteMetadata]:
        """Open the metadata in a transaction, so that values that were read are still valid when one is written."""
        with self.datastore.writing() as connection:
            yield SqliteMetadata(connection)

    def metadata_of_kind(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the metadata entries of a kind, of one game or of all."""
        with self.datastore.reading() as connection:
            return SqliteMetadata(connection).of(kind, game_id)

    def metadata_value(self, game_id: str, kind: str, name: str) -> str | None:
        """Return the value of one metadata entry; None if there is none."""
        with self.datastore.reading() as connection:
            return SqliteMetadata(connection).one(game_id, kind, name)

    def metadata_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the metadata entries with one name, of any game."""
        with self.datastore.reading() as connection:
            return SqliteMetadata(connection).named(kind, name)

    def home(self) -> str:
        """Return the identity of the file; "" in memory."""
        return "" if self.datastore.in_memory else home_of(Path(self.datastore.db_name))

    def copy_to(self, copy: sqlite3.Connection) -> None:
        """Copy the whole ledger, as of one moment, into an empty database. Others may write in the meantime."""
        with self.datastore.reading() as connection:
            connection.backup(copy)

    # The library's interface: stored events in, stored events and notifications out.

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Insert events for the library.

        Raises:
            IntegrityError: From the library: there is a gap, a taken position or a known order id.
        """
        with self.datastore.transaction(commit=True) as cursor:
            return self._insert_events(cursor, stored_events, **kwargs)

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        ids = []
        for event in stored_events:
            key = self._key_for_writing(c.sqlite_cursor.connection, key_of(event.originator_id))
            row = event if isinstance(event, StoredRecord) else None
            c.execute(
                "INSERT INTO record (game, position, command, follows, topic, line) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    key,
                    event.originator_version,
                    row and row.command,
                    row and row.follows,
                    None if event.topic == TOPIC else event.topic,
                    event.state,
                ),
            )
            ids.append(c.lastrowid)
        return ids

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
        rows = self._all(
            f"SELECT position, topic, {LINE} FROM record WHERE game = ? AND position > ? AND position <= ?"
            f" ORDER BY position {'DESC' if desc else 'ASC'} LIMIT ?",
            key_of(originator_id),
            -1 if gt is None else gt,
            2**63 - 1 if lte is None else lte,
            -1 if limit is None else limit,
        )
        return [StoredEvent(originator_id, position, topic or TOPIC, line) for position, topic, line in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Notification]:
        """Read the events of all games for the library, in the order in which they were recorded."""
        first = 0 if start is None else start + (not inclusive_of_start)
        wanted = f"AND coalesce(topic, '{TOPIC}') IN ({', '.join('?' * len(topics))})" if topics else ""
        select = (
            "SELECT record.id, game.id, position, coalesce(topic, ?), line FROM record JOIN game ON game.key = game"
            f" WHERE record.id >= ? AND record.id <= ? {wanted} ORDER BY record.id LIMIT ?"
        )
        last = 2**63 - 1 if stop is None else stop
        with self.datastore.reading() as connection:
            rows = connection.execute(select, (TOPIC, first, last, *topics, limit)).fetchall()
        return [
            Notification(self.convert_originator_id(game), position, topic, line, number)
            for number, game, position, topic, line in rows
        ]

    def newest(self) -> int:
        """Return the highest id; 0 if nothing is recorded."""
        return self.max_notification_id() or 0

    def changed_games(self, after: int) -> tuple[int, list[str]]:
        """Return the number of the newest record of all games, and the ids of the games with records after a number."""
        select = (
            "SELECT max(record.id), CAST(game.id AS TEXT) FROM record JOIN game ON game.key = record.game"
            " WHERE record.id > ? GROUP BY record.game"
        )
        with self.datastore.reading() as connection:
            rows = connection.execute(select, (after,)).fetchall()
        return max((number for number, _ in rows), default=after), [game for _, game in rows]

    def record_signals(self) -> contextlib.AbstractContextManager[SignalWait | None]:
        """Return an empty context, because SQLite sends no signals."""
        return contextlib.nullcontext()

    def max_notification_id(self) -> int | None:  # type: ignore[override]  # the library's says int and gives None
        """Return the highest id; None if nothing is recorded."""
        with self.datastore.reading() as connection:
            return cast("int | None", connection.execute("SELECT max(id) FROM record").fetchone()[0])


def _insert(connection: sqlite3.Connection, key: int, rows: Iterable[Row]) -> None:
    """Insert rows, many with one statement. This takes two thirds of the time of single ones, including the guards."""
    waiting = iter(rows)
    while len(some := list(islice(waiting, AT_ONCE))) == AT_ONCE:
        connection.execute(INSERT_MANY, [key, *chain.from_iterable(some)])
    # The key is part of the statement, because adding it to each row would rebuild all rows.
    connection.executemany(f"{INSERT} ({key:d}, ?, ?, ?, ?)", some)


def _keep_edge(connection: sqlite3.Connection, key: int, edge: KeptEdge) -> None:
    """Store the compact range in the transaction of the records. An older ledger gets the table now."""
    keep = "INSERT OR REPLACE INTO edge (game, size, peaks, root) VALUES (?, ?, ?, ?)"
    try:
        connection.execute(keep, (key, *edge))
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_ERROR:
            raise
        connection.execute(EDGE)
        connection.execute(keep, (key, *edge))


class LedgerProcessRecorder(SQLiteProcessRecorder, LedgerRecorder):
    """The ledger's recorder with the library's tracking table, to follow other ledgers."""

    def __init__(self, datastore: SQLiteDatastore, *, events_table_name: str = "record") -> None:
        super().__init__(datastore, events_table_name=events_table_name)


class LedgerFactory(SQLiteFactory):
    """The factory that PERSISTENCE_MODULE names.

    It has the additional settings SQLITE_CREATE and SQLITE_READ_ONLY (y, n).
    """

    SQLITE_CREATE = "SQLITE_CREATE"
    SQLITE_READ_ONLY = "SQLITE_READ_ONLY"

    aggregate_recorder_class = SnapshotRecorder
    application_recorder_class = LedgerRecorder
    process_recorder_class = LedgerProcessRecorder

    datastore: Datastore

    def __init__(self, env: Environment | EnvType | None) -> None:
        # The library's __init__ would open a pool on the file before the file is checked.
        InfrastructureFactory.__init__(self, env)
        ids = self.env.get(self.ORIGINATOR_ID_TYPE) or "text"
        self.datastore = Datastore(
            self.env.get(self.SQLITE_DBNAME) or MEMORY,
            create=strtobool(self.env.get(self.SQLITE_CREATE) or "y"),
            read_only=strtobool(self.env.get(self.SQLITE_READ_ONLY) or "n"),
            lock_timeout=float(self.env.get(self.SQLITE_LOCK_TIMEOUT) or 5.0),
            originator_id_type="uuid" if ids == "uuid" else "text",
        )
        if self.env_create_table():
            self.datastore.prepare()

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """Return the snapshot store for `snapshots`; for any other purpose, a table with its name."""
        table = SNAPSHOT_TABLE if purpose == "snapshots" else f"stored_{purpose}"
        recorder = self.aggregate_recorder_class(self.datastore, table)
        if self.env_create_table():
            recorder.create_table()
        return recorder

    def application_recorder(self) -> LedgerRecorder:
        """Return the recorder of the lines."""
        recorder = self.application_recorder_class(self.datastore)
        if self.env_create_table():
            recorder.create_table()
        return recorder
