"""Recorders and factory for SQLite, as the `eventsourcing` library wants them, without its traps.

A ledger is one SQLite file: table `game` (a small integer key for each id), table `record` (the lines), view
`records` (the same, readable), table `snapshot` (a cache). What is recorded stays: triggers refuse UPDATE and DELETE,
and INSERT over an existing row too, because INSERT OR REPLACE deletes the old row without any delete trigger firing.
One connection writes and one reads, each behind a lock. `synchronous=FULL` in WAL: durable when acknowledged.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any, Literal, cast
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
    SQLiteAggregateRecorder,
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
    SQLiteProcessRecorder,
)
from eventsourcing.utils import Environment, EnvType, strtobool

from ledger.codec import TOPIC, StoredRecord
from ledger.errors import StoreUnavailable
from ledger.store import Row

APPLICATION_ID = 0x554D5052  # "UMPR"
STORE_FORMAT = 1
MEMORY = ":memory:"
CHUNK = 512  # rows read at once: no cursor stays open, so no reader holds back a checkpoint or sees old rows
STATEMENTS = 256  # the library passes True here, which sqlite3 reads as a cache of one

SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {STORE_FORMAT}",
    "CREATE TABLE game (key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE)",
    # AUTOINCREMENT and a name of its own: VACUUM may renumber an implicit rowid, and others poll by it.
    """CREATE TABLE record (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game INTEGER NOT NULL REFERENCES game (key),
        position INTEGER NOT NULL,
        command TEXT,  -- on an order's first record only
        follows INTEGER,  -- only where a record does not continue its predecessor
        topic TEXT,  -- NULL: a record
        line BLOB NOT NULL,
        UNIQUE (game, position)
    )""",
    "CREATE UNIQUE INDEX record_command ON record (game, command) WHERE command IS NOT NULL",
    "CREATE INDEX record_follows ON record (game, position, follows) WHERE follows IS NOT NULL",
    # A game begins at 1; the library's own tests count some sequences from 0.
    """CREATE TRIGGER record_is_appended BEFORE INSERT ON record
        WHEN NEW.position <> coalesce(
            (SELECT max(position) + 1 FROM record WHERE game = NEW.game), NEW.position IN (0, 1) AND NEW.position)
        BEGIN SELECT RAISE(ABORT, 'a record is appended behind the last one, without a gap'); END""",
    """CREATE TRIGGER record_is_new BEFORE INSERT ON record
        WHEN EXISTS (SELECT 1 FROM record WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'a record is never replaced'); END""",
    """CREATE TRIGGER record_command_is_new BEFORE INSERT ON record
        WHEN NEW.command IS NOT NULL
            AND EXISTS (SELECT 1 FROM record WHERE game = NEW.game AND command = NEW.command)
        BEGIN SELECT RAISE(ABORT, 'this command was recorded before'); END""",
    """CREATE TRIGGER record_stays BEFORE UPDATE ON record
        BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END""",
    """CREATE TRIGGER record_is_kept BEFORE DELETE ON record
        BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END""",
    """CREATE TRIGGER game_is_new BEFORE INSERT ON game
        WHEN EXISTS (SELECT 1 FROM game WHERE key = NEW.key OR id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'a game is never replaced'); END""",
    "CREATE TRIGGER game_stays BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'a game keeps its id'); END",
    "CREATE TRIGGER game_is_kept BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END",
    """CREATE VIEW records AS SELECT record.id, game.id AS game, position, CAST(line AS TEXT) AS line
        FROM record JOIN game ON game.key = record.game""",
)
SNAPSHOT_TABLE = "snapshot"


class Datastore(SQLiteDatastore):
    """One SQLite file, or memory. Opens at once, so that what is wrong with the file is said at opening.

    Raises:
        StoreUnavailable: missing, not a ledger, of a newer format, locked, read-only, full or damaged.
    """

    def __init__(
        self,
        db_name: str,
        *,
        create: bool = True,
        read_only: bool = False,
        lock_timeout: float = 5.0,
        originator_id_type: Literal["uuid", "text"] = "text",
    ) -> None:
        # The parent's pool opens nothing until it is asked, and it is never asked.
        super().__init__(db_name=db_name, originator_id_type=originator_id_type)
        self.db_name = db_name
        self.in_memory = db_name == MEMORY
        self.read_only = read_only
        self.lock_timeout = lock_timeout
        self._write_lock = RLock()
        self._read_lock = self._write_lock if self.in_memory else RLock()
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._depth = 0
        self.closed = False
        with self._translated():
            self._open(create=create)

    def _open(self, *, create: bool) -> None:
        if self.in_memory:
            self._writer = self._reader = self._connect(MEMORY, uri=False)
            self.is_new = True
            return
        path = Path(self.db_name).absolute()
        self._check_path(path, create=create and not self.read_only)
        connection = self._connect_to(path)
        try:
            self.is_new = self._is_new(connection)
        except BaseException:
            connection.close()
            raise
        if self.read_only:
            self._reader = connection
            return
        self._writer = connection
        if not self.is_new:
            self._use_wal(connection)

    def _check_path(self, path: Path, *, create: bool) -> None:
        if path.is_dir():
            raise self._unavailable("is a folder, not a ledger", "give the path of a ledger file in it")
        if not path.parent.is_dir():
            raise self._unavailable("is in a folder that does not exist", f"create the folder {path.parent} first")
        if not create and not path.exists():
            raise self._unavailable("does not exist", "check the path, or open a first game in it")

    def _connect_to(self, path: Path) -> sqlite3.Connection:
        if not self.read_only:
            return self._connect(path.as_uri() + "?mode=rwc")
        connection = self._connect(path.as_uri() + "?mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            # A ledger in WAL in a folder that cannot be written: SQLite can read it only when told that nobody writes.
            wal = path.with_name(path.name + "-wal")
            connection.close()
            if wal.exists() and wal.stat().st_size:
                raise
            connection = self._connect(path.as_uri() + "?mode=ro&immutable=1")
        return connection

    def _connect(self, name: str, *, uri: bool = True) -> sqlite3.Connection:
        connection = sqlite3.connect(
            name,
            uri=uri,
            timeout=self.lock_timeout,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=STATEMENTS,
        )
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        """True for an empty database; raises StoreUnavailable for one that is no ledger of ours."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application == APPLICATION_ID:
            if version > STORE_FORMAT:
                raise self._unavailable(
                    f"has store format {version}, this program knows {STORE_FORMAT}: it was written by a newer Umpire",
                    "update Umpire",
                )
            return False
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables or application or self.read_only:
            raise self._unavailable("is an SQLite file, but not a ledger", "give the path of a ledger, or a new file")
        return True

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        if mode == "wal" or self.in_memory:
            return
        # A file that cannot be written stays as it is: reading works, writing says so.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL").fetchone()

    def prepare(self) -> None:
        """Make an empty database a ledger, in one transaction. Two first starts at once are both fine."""
        if not self.is_new:
            return
        with self.writing() as connection:
            if self._is_new(connection):
                for statement in SCHEMA:
                    connection.execute(statement)
        self._use_wal(connection)
        self.is_new = False

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The writer inside BEGIN IMMEDIATE; committed at the end, undone by an exception. May be nested.

        Raises:
            StoreUnavailable: locked longer than the timeout, read-only, full, damaged.
            IntegrityError: the library's, when a constraint or trigger refuses.
        """
        with self._write_lock, self._translated():
            connection = self._writer
            if connection is None:
                raise self._not_writable()
            if self._depth:
                yield connection
                return
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._depth = 1
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # a full disk has undone it already
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The reader, for one statement whose rows are all fetched before the end."""
        with self._read_lock, self._translated():
            if self._reader is None:
                if self.closed:
                    raise self._unavailable("was closed", "open it again")
                self._reader = self._connect_to(Path(self.db_name).absolute())
            yield self._reader

    @contextlib.contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """The library's own way in, for its tracking recorder."""
        with self.writing() if commit else self.reading() as connection:
            cursor = SQLiteCursor(connection.cursor())
            with cursor:
                yield cursor

    def has_table(self, name: str) -> bool:
        """A snapshot table may have been dropped."""
        with self.reading() as connection:
            found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
            return found.fetchone() is not None

    def close(self) -> None:
        """Close both connections, after any reader in another thread: closing under it could crash the interpreter."""
        if getattr(self, "_write_lock", None) is None:  # __del__ after a failed __init__
            return
        with self._write_lock, self._read_lock:
            self.closed = True
            for connection in (self._reader, self._writer):
                if connection is not None:
                    connection.close()
            self._reader = self._writer = None
        super().close()

    def _not_writable(self) -> StoreUnavailable:
        if self.closed:
            return self._unavailable("was closed", "open it again")
        return self._unavailable("was opened read-only", "open it for writing")

    def _unavailable(self, what: str, remedy: str) -> StoreUnavailable:
        return StoreUnavailable(f"{self.db_name} {what}", where=self.db_name, remedy=remedy)

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise IntegrityError(str(error)) from error
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            if primary_code(error) == sqlite3.SQLITE_ERROR:  # a wrong statement, e.g. no such table
                raise OperationalError(str(error)) from error
            what, remedy = TROUBLES.get(primary_code(error), SOME_TROUBLE)
            raise self._unavailable(f"{what} ({error})", remedy) from error


TROUBLES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_BUSY: ("is locked by another program", "wait until it has finished, then try again"),
    sqlite3.SQLITE_LOCKED: ("is locked by another program", "wait until it has finished, then try again"),
    sqlite3.SQLITE_READONLY: ("is read-only", "make the file and its folder writable, or work on a copy"),
    sqlite3.SQLITE_PERM: ("may not be used by you", "ask for the right to read and write the file and its folder"),
    sqlite3.SQLITE_AUTH: ("may not be used by you", "ask for the right to read and write the file and its folder"),
    sqlite3.SQLITE_FULL: ("cannot grow: the disk is full", "make room; everything acknowledged is safe"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "check that the path exists and may be read and written"),
    sqlite3.SQLITE_NOTADB: ("is not a ledger", "give the path of a ledger, or a new file"),
    sqlite3.SQLITE_CORRUPT: ("is damaged", "restore a backup, or import the last export into a new file"),
    sqlite3.SQLITE_IOERR: ("cannot be read or written", "check the disk; everything acknowledged was written"),
}


SOME_TROUBLE = ("cannot be used", "check this machine and this file")


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def key_of(originator_id: UUID | str) -> str:
    """The library's ids as text."""
    return originator_id.hex if isinstance(originator_id, UUID) else originator_id


class LedgerRecorder(SQLiteApplicationRecorder):
    """Stores the lines. Gapless, idempotent by command id, never changed. No `subscribe()`: poll."""

    datastore: Datastore

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = "record") -> None:
        super().__init__(datastore, events_table_name)
        self._keys: dict[str, int] = {}

    def construct_create_table_statements(self) -> list[str]:
        """None here: the whole schema is made at once, see Datastore.prepare."""
        return []

    def create_table(self) -> None:
        """Make sure that there is a ledger; a recorder that adds tables of its own gets them too."""
        self.datastore.prepare()
        if self.create_table_statements:
            super().create_table()

    # The ledger's own way: rows in, lines out.

    def transaction(self) -> contextlib.AbstractContextManager[object]:
        """Several insert_lines as one."""
        return self.datastore.writing()

    def insert_lines(self, game: str, rows: Iterable[Row]) -> None:
        """Append rows in one transaction. Raises IntegrityError for a gap, a taken position or a known command."""
        with self.datastore.writing() as connection:
            key = self._key_for_writing(connection, game)
            connection.executemany(
                "INSERT INTO record (game, position, command, follows, line) VALUES (?, ?, ?, ?, ?)",
                ((key, *row) for row in rows),
            )
        if not connection.in_transaction:  # a key made in a transaction that is undone must not be remembered
            self._keys[game] = key

    def size(self, game: str) -> int:
        """The last position, 0 for no such game."""
        found = self._one("SELECT max(position) FROM record WHERE game = ?", game)
        return found[0] or 0 if found else 0

    def lines(self, game: str, first: int, last: int) -> Iterator[bytes]:
        """The lines from `first` to `last`, in chunks."""
        select = "SELECT line FROM record WHERE game = ? AND position BETWEEN ? AND ? ORDER BY position"
        return chain.from_iterable(chain.from_iterable(self._chunks(select, game, first, last)))

    def lines_back(self, game: str, first: int, last: int) -> Iterator[bytes]:
        """The lines from `last` down to `first`, in small chunks: whoever reads backwards soon has enough."""
        select = "SELECT line FROM record WHERE game = ? AND position BETWEEN ? AND ? ORDER BY position DESC"
        while last >= first:
            low = max(first, last - 63)
            for (line,) in self._all(select, game, low, last):
                yield line
            last = low - 1

    def rows(self, game: str, first: int, last: int) -> Iterator[Row]:
        """(position, command, follows, line), in chunks."""
        select = (
            "SELECT position, command, follows, line FROM record WHERE game = ? AND position BETWEEN ? AND ?"
            " ORDER BY position"
        )
        return chain.from_iterable(self._chunks(select, game, first, last))

    def position_of(self, game: str, command: str) -> int | None:
        """Where the order with this command id begins."""
        found = self._one("SELECT position FROM record WHERE game = ? AND command = ?", game, command)
        return cast(int, found[0]) if found else None

    def rewinds(self, game: str, after: int) -> list[tuple[int, int]]:
        """(position, follows) behind `after`, from the partial index alone."""
        return self._all(
            "SELECT position, follows FROM record WHERE game = ? AND follows IS NOT NULL AND position > ?"
            " ORDER BY position",
            game,
            after,
        )

    def games(self) -> list[str]:
        """Ids of the games that have records, oldest first."""
        with self.datastore.reading() as connection:
            select = "SELECT id FROM game WHERE EXISTS (SELECT 1 FROM record WHERE game = game.key) ORDER BY key"
            return [game for (game,) in connection.execute(select)]

    def _key(self, connection: sqlite3.Connection, game: str) -> int | None:
        key = self._keys.get(game)
        if key is None:
            row = connection.execute("SELECT key FROM game WHERE id = ?", (game,)).fetchone()
            if row is None:
                return None
            key = cast(int, row[0])
            if not connection.in_transaction:
                self._keys[game] = key
        return key

    def _key_for_writing(self, connection: sqlite3.Connection, game: str) -> int:
        key = self._key(connection, game)
        if key is None:
            key = connection.execute("INSERT INTO game (id) VALUES (?)", (game,)).lastrowid
        return cast(int, key)

    def _one(self, select: str, game: str, *more: object) -> tuple[Any, ...] | None:
        with self.datastore.reading() as connection:
            key = self._key(connection, game)
            if key is None:
                return None
            return cast("tuple[Any, ...] | None", connection.execute(select, (key, *more)).fetchone())

    def _all(self, select: str, game: str, *more: object) -> list[Any]:
        with self.datastore.reading() as connection:
            key = self._key(connection, game)
            return [] if key is None else connection.execute(select, (key, *more)).fetchall()

    def _chunks(self, select: str, game: str, first: int, last: int) -> Iterator[list[Any]]:
        for low in range(first, last + 1, CHUNK):
            rows = self._all(select, game, low, min(last, low + CHUNK - 1))
            if not rows:
                return
            yield rows

    # The library's way: stored events in, stored events and notifications out.

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """The library's insert. Raises its IntegrityError for a gap, a taken position or a known command."""
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
        """The library's read of one game."""
        rows = self._all(
            "SELECT position, topic, line FROM record WHERE game = ? AND position > ? AND position <= ?"
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
        """The library's read over all games, in the order they were recorded."""
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

    def max_notification_id(self) -> int | None:  # type: ignore[override]  # the library's says int and gives None
        """The highest id, None when nothing is recorded."""
        with self.datastore.reading() as connection:
            return cast("int | None", connection.execute("SELECT max(id) FROM record").fetchone()[0])


class LedgerProcessRecorder(SQLiteProcessRecorder, LedgerRecorder):
    """The same with the library's tracking table beside it, for whoever follows other ledgers."""

    def __init__(self, datastore: SQLiteDatastore, *, events_table_name: str = "record") -> None:
        super().__init__(datastore, events_table_name=events_table_name)


class SnapshotRecorder(SQLiteAggregateRecorder):
    """Folded states: a cache. May be dropped, table and all, at any time."""

    datastore: Datastore

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = SNAPSHOT_TABLE) -> None:
        super().__init__(datastore, events_table_name)
        table = events_table_name
        self._insert = f"INSERT INTO {table} (game, position, topic, state) VALUES (?, ?, ?, ?)"
        self._replace = f"INSERT OR REPLACE INTO {table} (game, position, topic, state) VALUES (?, ?, ?, ?)"

    def construct_create_table_statements(self) -> list[str]:
        """Text ids here: snapshots are few, and they may go with their table without touching `game`."""
        return [
            f"CREATE TABLE IF NOT EXISTS {self.events_table_name} (game TEXT NOT NULL, position INTEGER NOT NULL,"
            " topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (game, position))"
        ]

    def create_table(self) -> None:
        """Only when it is missing: opening a ledger must not wait for the write lock."""
        self.datastore.prepare()
        if not self.datastore.read_only and not self.datastore.has_table(self.events_table_name):
            super().create_table()

    def keep(self, game: str, position: int, schema: str, state: bytes) -> None:
        """Write one, over an older one at the same position."""
        with self.datastore.writing() as connection:
            connection.execute(self._replace, (game, position, schema, state))

    def positions(self, game: str, schema: str, most: int) -> list[int]:
        """Positions up to `most` that have a snapshot of this schema, newest first."""
        select = (
            f"SELECT position FROM {self.events_table_name} WHERE game = ? AND topic = ? AND position <= ?"
            " ORDER BY position DESC"
        )
        return [position for (position,) in self._rows(select, game, schema, most)]

    def state(self, game: str, position: int, schema: str) -> bytes | None:
        """The bytes that were kept."""
        select = f"SELECT state FROM {self.events_table_name} WHERE game = ? AND position = ? AND topic = ?"
        rows = self._rows(select, game, position, schema)
        return cast(bytes, rows[0][0]) if rows else None

    def drop(self) -> None:
        """Forget them all."""
        with self.datastore.writing() as connection:
            connection.execute(f"DELETE FROM {self.events_table_name}")

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
        """The library's read."""
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


class LedgerFactory(SQLiteFactory):
    """What PERSISTENCE_MODULE names. Settings beside the library's: SQLITE_CREATE and SQLITE_READ_ONLY (y or n)."""

    SQLITE_CREATE = "SQLITE_CREATE"
    SQLITE_READ_ONLY = "SQLITE_READ_ONLY"

    aggregate_recorder_class = SnapshotRecorder
    application_recorder_class = LedgerRecorder
    process_recorder_class = LedgerProcessRecorder

    datastore: Datastore

    def __init__(self, env: Environment | EnvType | None) -> None:
        # Not the library's __init__: it would open a pool on the file before anybody looked at what the file is.
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
        """The snapshot store for `snapshots`; any other purpose gets a table of its name."""
        table = SNAPSHOT_TABLE if purpose == "snapshots" else f"stored_{purpose}"
        recorder = self.aggregate_recorder_class(self.datastore, table)
        if self.env_create_table():
            recorder.create_table()
        return recorder

    def application_recorder(self) -> LedgerRecorder:
        """The recorder of the lines."""
        recorder = self.application_recorder_class(self.datastore)
        if self.env_create_table():
            recorder.create_table()
        return recorder
