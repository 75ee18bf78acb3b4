"""Open the SQLite file of a ledger: its schema, its two connections, and the errors if it cannot be used.

A ledger is one SQLite file. It has the table `game` (a small integer key for each id), the table `record` (the lines),
the view `records` (the same, readable), the table `edge` (the compact range of each game's tree, stored with its last
record), the table `snapshot` (a cache), and after the first refusal the table `aside` (refusals).

Records cannot be changed. Triggers refuse UPDATE and DELETE, and also INSERT over an existing row, because INSERT OR
REPLACE deletes the old row without firing a delete trigger.

One connection writes and one reads, each with its lock. `synchronous=FULL` in WAL mode makes an acknowledged write
durable.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import Literal

from eventsourcing.persistence import IntegrityError, OperationalError
from eventsourcing.sqlite import SQLiteCursor, SQLiteDatastore

from umpire_ledger.ledger.records.errors import CommitUnknown, StoreUnavailable

APPLICATION_ID = 0x554D5052  # "UMPR"
STORE_FORMAT = 1
MEMORY = ":memory:"
STATEMENTS = 256  # the library passes True here, which sqlite3 reads as a cache of one statement

EDGE = """CREATE TABLE edge (
        game INTEGER PRIMARY KEY REFERENCES game (key),
        size INTEGER NOT NULL,
        peaks BLOB NOT NULL,  -- roots of the complete subtrees, the largest first, one behind the other
        root BLOB NOT NULL
    )"""
"""Table of compact ranges. In a ledger of an earlier edition, the next order creates it.

An edition that does not know the table does not update it. Then the sizes differ, and the leaves are hashed again.
"""

SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {STORE_FORMAT}",
    "CREATE TABLE game (key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE)",
    # AUTOINCREMENT and an explicit column, because VACUUM may renumber an implicit rowid, by which other processes
    # poll.
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
    EDGE,
    "CREATE UNIQUE INDEX record_command ON record (game, command) WHERE command IS NOT NULL",
    "CREATE INDEX record_follows ON record (game, position, follows) WHERE follows IS NOT NULL",
    # A game begins at 1; the library's own tests begin some sequences at 0.
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


class UnfitTables(StoreUnavailable, OperationalError):
    """A statement failed because a table of the file is missing, damaged, or of another edition of this program.

    A caller that expects this catches the library's OperationalError; for any other, the store cannot be used.
    """


class Datastore(SQLiteDatastore):
    """One SQLite file, or memory. It is opened at once, so that errors appear at opening.

    Raises:
        StoreUnavailable: The file is missing, not a ledger, of a newer format, locked, read-only, full or damaged.
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
        # The parent's pool opens nothing before its first use, and it is never used.
        super().__init__(db_name=db_name, originator_id_type=originator_id_type)
        self.db_name = db_name
        self.in_memory = db_name == MEMORY
        self.read_only = read_only
        self._why_read_only = "was opened read-only"
        self.lock_timeout = lock_timeout
        self._write_lock = RLock()
        self._read_lock = self._write_lock if self.in_memory else RLock()
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._depth = 0
        self._in_doubt = False
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
        try:
            connection = self._look_at(path)
        except sqlite3.OperationalError as error:
            if self.read_only or primary_code(error) not in NO_RIGHT_TO_WRITE or not os.path.exists(path):
                raise
            self.read_only = True  # a ledger that cannot be written can still be read
            self._why_read_only = "is read-only"
            connection = self._look_at(path)
        if self.read_only:
            self._reader = connection
            return
        self._writer = connection
        if not self.is_new:
            self._use_wal(connection)

    def _look_at(self, path: Path) -> sqlite3.Connection:
        connection = self._connect_to(path)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            self.is_new = self._is_new(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_path(self, path: Path, *, create: bool) -> None:
        if os.path.isdir(path):
            raise self._unavailable("is a folder, not a ledger", "give the path of a ledger file in it")
        if not os.path.isdir(path.parent):
            raise self._unavailable("is in a folder that does not exist", f"create the folder {path.parent} first")
        if not create and not os.path.exists(path):
            raise self._unavailable("does not exist", "check the path, or open a first game in it")

    def _connect_to(self, path: Path) -> sqlite3.Connection:
        if not self.read_only:
            return self._connect(path.as_uri() + "?mode=rwc")
        connection = self._connect(path.as_uri() + "?mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            # In a read-only folder, SQLite can read a ledger in WAL mode only if it is declared to have no writers.
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
        connection.text_factory = as_text
        return connection

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        """Return whether the database is empty.

        Raises:
            StoreUnavailable: It is neither empty nor a ledger.
        """
        # Count tables first: another process may be creating the ledger, and its mark appears together with them.
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application == APPLICATION_ID:
            self._check_format(connection, version)
            return False
        if tables or application or self.read_only:
            raise self._unavailable("is an SQLite file, but not a ledger", "give the path of a ledger, or a new file")
        return True

    def _check_format(self, connection: sqlite3.Connection, version: int) -> None:
        if version > STORE_FORMAT:
            raise self._unavailable(
                f"has store format {version}, this program knows {STORE_FORMAT}: it was written by a newer Umpire",
                "update Umpire",
            )
        if version < 1:
            raise self._unavailable(f"has store format {version}, which never existed", DAMAGED[1])
        for columns in READ:
            try:
                connection.execute(f"{columns} LIMIT 0")
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_ERROR:
                    raise
                raise self._unavailable(
                    f"is damaged: its tables are not those of a ledger ({error})", DAMAGED[1]
                ) from error

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        if mode == "wal" or self.in_memory:
            return
        deadline = monotonic() + self.lock_timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
                return
            except sqlite3.OperationalError as error:
                # SQLite does not wait here while another process first opens the file. A file that cannot be written
                # stays as it is: it can be read, and a write reports the error.
                if primary_code(error) != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    return
                sleep(0.01)

    def prepare(self) -> None:
        """Create the ledger in an empty database, in one transaction. Two processes may do this at once."""
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
        """Open a transaction (BEGIN IMMEDIATE): committed at the end, undone by an exception. It can be nested.

        Raises:
            CommitUnknown: The disk failed during the commit.
            StoreUnavailable: The file is locked longer than the timeout, read-only, full or damaged; nothing was
                recorded.
            IntegrityError: From the library: a constraint or trigger refuses.
        """
        with self._writing_alone(), self._translated():
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
                self._commit(connection)
            except BaseException:
                if connection.in_transaction:  # a full disk has already undone it
                    with contextlib.suppress(sqlite3.Error):  # the first failure is reported
                        connection.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0

    def _commit(self, connection: sqlite3.Connection) -> None:
        """Commit the transaction.

        A failed flush leaves a whole transaction in the write-ahead log. This connection ignores it, but the next
        program that recovers the log finds it.

        Raises:
            CommitUnknown: A later reader may find a part of the transaction.
        """
        try:
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if primary_code(error) in NOT_COMMITTED:
                raise
            self._in_doubt = True
            what, _ = TROUBLES.get(primary_code(error), SOME_TROUBLE)
            raise CommitUnknown(f"{self.db_name} {what} ({error})", where=self.db_name) from error
        self._in_doubt = False

    def settle(self) -> None:
        """After a commit of unknown outcome, flush the present content to the database file.

        Raises:
            StoreUnavailable: It cannot be flushed.
        """
        if not self._in_doubt or self._depth:
            return
        with self._writing_alone(), self._translated():
            assert self._writer is not None
            (busy, *_) = self._writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            if busy:
                raise self._unavailable(*TROUBLES[sqlite3.SQLITE_BUSY])
            self._in_doubt = False

    def reopen(self) -> bool:
        """Close the file and open it again; return whether every later reader will see its present content.

        SQLite removes the write-ahead log with the last connection, after a complete checkpoint. If another program has
        the file open, the log stays, with the remains of a failed commit.
        """
        if self.in_memory or self._depth:
            return False
        with self._writing_alone(), self._read_lock, self._translated():
            self._close_both()
            path = Path(self.db_name).absolute()
            is_final = not os.path.exists(f"{path}-wal")
            self._writer = self._look_at(path)
            return is_final

    @contextlib.contextmanager
    def _writing_alone(self) -> Iterator[None]:
        """Let one thread of this process write at a time. The others wait, as long as for another program.

        Raises:
            StoreUnavailable: A thread waited longer than the timeout.
        """
        if not self._write_lock.acquire(timeout=self.lock_timeout):
            raise self._unavailable(*TROUBLES[sqlite3.SQLITE_BUSY])
        try:
            yield
        finally:
            self._write_lock.release()

    @contextlib.contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Limit the time for which the writer waits for another program.

        Raises:
            StoreUnavailable: A thread of this process writes longer than the usual timeout.
        """
        with self._writing_alone():
            if self._writer is not None:
                self._writer.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
            try:
                yield
            finally:
                if self._writer is not None:
                    self._writer.execute(f"PRAGMA busy_timeout = {int(self.lock_timeout * 1000)}")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lock the reader for one statement, whose rows must all be fetched inside the context."""
        with self._read_lock, self._translated():
            if self._reader is None:
                if self.closed:
                    raise self._unavailable("was closed", "open it again")
                self._reader = self._connect_to(Path(self.db_name).absolute())
            yield self._reader

    @contextlib.contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Open a transaction for the library's tracking recorder."""
        with self.writing() if commit else self.reading() as connection:
            cursor = SQLiteCursor(connection.cursor())
            with cursor:
                yield cursor

    def has_table(self, name: str) -> bool:
        """Return whether a table exists. The table of snapshots may have been dropped."""
        with self.reading() as connection:
            found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
            return found.fetchone() is not None

    def close(self) -> None:
        """Close both connections, after any reader in another thread, because closing under it could crash the
        interpreter.
        """
        if getattr(self, "_write_lock", None) is None:  # __del__ after a failed __init__
            return
        with self._write_lock, self._read_lock:
            self.closed = True
            self._close_both()
        super().close()

    def _close_both(self) -> None:
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close()
        self._reader = self._writer = None

    def _not_writable(self) -> StoreUnavailable:
        if self.closed:
            return self._unavailable("was closed", "open it again")
        return self._unavailable(self._why_read_only, "make the file and its folder writable, and open it for writing")

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
        except UnicodeDecodeError as error:  # SQLite's message about a damaged schema may not be text
            raise self._unavailable(*DAMAGED) from error
        except sqlite3.DatabaseError as error:
            if primary_code(error) == sqlite3.SQLITE_ERROR:
                what = f"{self.db_name} is damaged: its tables are not those of a ledger ({error})"
                raise UnfitTables(what, where=self.db_name, remedy=DAMAGED[1]) from error
            what, remedy = TROUBLES.get(primary_code(error), SOME_TROUBLE)
            raise self._unavailable(f"{what} ({error})", remedy) from error


DAMAGED = ("is damaged", "restore a backup, or import the last export into a new file")
READ = (
    "SELECT key, id FROM game",
    "SELECT id, game, position, command, follows, topic, line FROM record",
    "SELECT id, game, position, line FROM records",
)
"""Columns that the ledgers of all editions have."""

TROUBLES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_BUSY: ("is locked by another program", "wait until it has finished, then try again"),
    sqlite3.SQLITE_LOCKED: ("is locked by another program", "wait until it has finished, then try again"),
    sqlite3.SQLITE_READONLY: ("is read-only", "make the file and its folder writable, or work on a copy"),
    sqlite3.SQLITE_PERM: ("is not accessible to you", "ask for read and write permission for the file and its folder"),
    sqlite3.SQLITE_AUTH: ("is not accessible to you", "ask for read and write permission for the file and its folder"),
    sqlite3.SQLITE_FULL: ("cannot grow: the disk is full", "free some space; every acknowledged order is safe"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "check that the path exists and that you can read and write it"),
    sqlite3.SQLITE_NOTADB: ("is not a ledger", "give the path of a ledger, or a new file"),
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_IOERR: ("cannot be read or written", "check the disk; every acknowledged order was written"),
}


NOT_COMMITTED = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CONSTRAINT),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
)
"""Results of a COMMIT that left nothing in the file, because the last page of a transaction marks it as complete."""
NO_RIGHT_TO_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
SOME_TROUBLE = ("cannot be used", "check this machine and this file")


def as_text(raw: bytes) -> str:
    """Decode a text column. Damaged text becomes other text without an exception, so that the checks can report it."""
    return raw.decode(errors="replace")


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's result code without its extension."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
