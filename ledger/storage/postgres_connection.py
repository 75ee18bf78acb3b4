"""Connect to a PostgreSQL database, and explain why it cannot be used.

Each statement that reads is a transaction of its own, and all its rows are fetched before it ends. So no reader holds a
snapshot, sees old rows or keeps the server from removing dead rows. A write is one transaction. When it is
acknowledged, it is as durable as the server's `synchronous_commit` makes it.

The library's pool is not used. It reports an unreachable server only after half a minute, and it starts threads even
for a program that gives one order. This pool keeps as many connections as were in use at once, at most `MOST_IDLE`, and
closes the others.

If the URL names several servers, one of them takes writes, and another one takes over when it fails. Meanwhile readers
and writers wait, at most `TAKING_OVER` seconds. `asked` repeats a query. If the connection breaks inside `writing`, the
error is ConnectionBroken before the commit and CommitUnknown during it. Callers repeat both with the same order id
(`commits.py`).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeVar, cast

import psycopg
from eventsourcing import persistence
from eventsourcing.persistence import IntegrityError, OperationalError
from eventsourcing.postgres import PostgresDatastore
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row, tuple_row

from umpire_ledger.ledger.records.errors import CannotBeWritten, CommitUnknown, ConnectionBroken, StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import passwords_in, shown
from umpire_ledger.ledger.storage.postgres_schema import CHANNEL, FORMAT, SCHEMA, bring_up, state_of

Connection = psycopg.Connection[Any]
T = TypeVar("T")
MOST_IDLE = 8
CONNECTING = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""Defaults for options that the URL does not set, in seconds; the last one is in milliseconds.

They limit the time until one server must answer, and until a connection to a lost machine is given up.
"""
TAKING_OVER = 60.0
"""Limit in seconds of the wait for a server that takes writes, if the URL names several."""
PASSING = (
    "refused",
    "read-only",
    "starting up",
    "shutting down",
    "not yet accepting",
    "recovery mode",
    "timeout expired",
)
"""Parts of messages from a cluster that is about to have a new primary."""
PAUSE = 0.25
INIT = "ask the operator of the database to run `umpire db init`"


class UnfitSchema(StoreUnavailable, OperationalError):
    """A statement failed because a table is missing, damaged, or of another edition of this program."""


class Datastore(PostgresDatastore):
    """One database. It connects at once, so that errors appear at opening, unless it is to be used `as_found`.

    Raises:
        StoreUnavailable: The database is unreachable, has no ledger and none may be created, has a newer format, or is
            read-only.
    """

    def __init__(
        self,
        url: str,
        *,
        create: bool = True,
        read_only: bool = False,
        lock_timeout: float = 5.0,
        originator_id_type: Literal["uuid", "text"] = "text",
        as_found: bool = False,
    ) -> None:
        # The parent's pool is created closed and stays closed.
        super().__init__("", "", "", "", "", schema=SCHEMA, originator_id_type=originator_id_type)
        self._url = url
        self.name = shown(url)
        self.read_only = read_only
        self.lock_seconds = lock_timeout
        self.closed = False
        self._was_reached = False
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._mine = threading.local()
        self._several = _names_several(url)
        self._waits = TAKING_OVER if self._several and not as_found else 0.0
        if not as_found:
            self._open(create=create)

    def _open(self, *, create: bool) -> None:
        found = self.asked(state_of)
        if found.format > FORMAT:
            what = f"has store format {found.format}, this program knows {FORMAT}: it was written by a newer Umpire"
            raise self.unavailable(what, "update Umpire")
        if found.format < 0:
            raise self.unavailable(f"has a schema `{SCHEMA}` that is not Umpire's", "use another database")
        self.is_new = found.format == 0
        if self.is_new and (self.read_only or not create):
            raise self.unavailable("has no ledger yet", f"check the name, open a first game in it, or {INIT}")
        if 0 < found.format < FORMAT:
            raise self.unavailable(f"has store format {found.format}, this program writes {FORMAT}", UPGRADE)

    def prepare(self) -> None:
        """Create the ledger in an empty database, in one transaction. Two processes may do this at once."""
        if self.is_new:
            with self.writing() as connection:
                bring_up(connection)
            self.is_new = False

    # --- reading ------------------------------------------------------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return all rows of one statement as tuples. It is repeated if the server has dropped the connection."""

        def ask(connection: Connection) -> list[Any]:
            return connection.execute(cast(Any, query), values or None, binary=True).fetchall()

        return self.asked(ask)

    def row(self, query: str, *values: object) -> tuple[Any, ...]:
        """Return the row of a statement that always finds a row."""
        return cast("tuple[Any, ...]", self.rows(query, *values)[0])

    def asked(self, ask: Callable[[Connection], T]) -> T:
        """Return the result of one query; it is repeated if the connection broke, unless the connection was new."""
        with self._translated():
            until = time.monotonic() + self._waits
            while True:
                connection, is_fresh = self._taken()
                try:
                    answer = ask(connection)
                except psycopg.OperationalError:
                    if not connection.broken or (is_fresh and time.monotonic() >= until):
                        self._let_go(connection)
                        raise
                    self._drop(connection)
                except BaseException:
                    self._let_go(connection)
                    raise
                else:
                    self._let_go(connection)
                    return answer

    # --- writing ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction: committed at the end, undone by an exception. It can be nested in a thread.

        Raises:
            CommitUnknown: The server disconnected during the commit.
            ConnectionBroken: The server disconnected before the commit; nothing was recorded.
            StoreUnavailable: The database is locked longer than the timeout, read-only, full or unreachable; nothing
                was recorded.
            IntegrityError: From the library: a constraint or trigger refuses.
        """
        mine: Connection | None = getattr(self._mine, "connection", None)
        if mine is not None:
            with self._at_work(mine):
                yield mine
            return
        if self.read_only:
            raise self.unavailable("was opened read-only", "open it for writing")
        connection = self._begun()
        self._mine.connection, self._mine.grown = connection, set()
        try:
            with self._at_work(connection):
                yield connection
            self._commit(connection)
        except BaseException:
            self._undo(connection)
            raise
        finally:
            grown, self._mine.connection = self._mine.grown, None
        self._tell(connection, grown)
        self._let_go(connection)

    def _begun(self, begin: str = "BEGIN", *values: object) -> Connection:
        """Return a connection after its first statement. A broken connection is replaced, as in `asked`."""
        with self._translated():
            until = time.monotonic() + self._waits
            while True:
                connection, is_fresh = self._taken()
                try:
                    connection.execute(cast(Any, begin), values or None)
                except psycopg.OperationalError:
                    if not connection.broken or (is_fresh and time.monotonic() >= until):
                        connection.close()
                        raise
                    self._drop(connection)
                except BaseException:
                    connection.close()
                    raise
                else:
                    return connection

    @contextlib.contextmanager
    def _at_work(self, connection: Connection) -> Iterator[None]:
        """Raise ConnectionBroken if the server disconnects inside a transaction, at any statement."""
        with self._translated():
            try:
                yield
            except psycopg.OperationalError as error:
                if connection.broken:
                    what = f"{self.name} disconnected before it recorded anything: {self._safe_message(error)}"
                    raise ConnectionBroken(what, where=self.name, remedy=AWAY[1]) from error
                raise

    def _commit(self, connection: Connection) -> None:
        with self._translated():
            try:
                connection.execute("COMMIT")
            except psycopg.OperationalError as error:
                # Class 08: this server passed the commit on to another server and lost it.
                if connection.broken or (error.sqlstate or "").startswith("08"):
                    raise self._lost(error) from error
                raise

    def settle(self) -> None:
        """After a lost acknowledgment, wait until earlier commits have reached the standby, if there is one.

        If a connection broke while its commit waited for the standby, the commit exists, but possibly on this server
        alone. The next commit waits for all earlier ones.
        """
        if getattr(self._mine, "in_doubt", False) and self._mine.connection is None:
            with self.writing() as connection:
                connection.execute("SELECT pg_logical_emit_message(true, 'umpire', '')")
            self._mine.in_doubt = False

    def _lost(self, error: psycopg.Error) -> CommitUnknown:
        self._mine.in_doubt = True
        what = f"{self.name} disconnected while it was recording: {self._safe_message(error)}"
        return CommitUnknown(what, where=self.name)

    def _undo(self, connection: Connection) -> None:
        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        else:
            self._let_go(connection)

    def has_grown(self, game_id: str) -> None:
        """Note a game within a transaction, to notify listeners of it after the commit."""
        self._mine.grown.add(game_id)

    def _tell(self, connection: Connection, games: set[str]) -> None:
        """Notify listeners after the commit, because the server runs transactions that notify one at a time.

        A lost notification only costs time, because listeners also poll.
        """
        with contextlib.suppress(psycopg.Error):  # listeners also poll
            for game in games:
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, game))

    # --- connections --------------------------------------------------------------------------------------------------

    def _taken(self) -> tuple[Connection, bool]:
        """Return a connection, and whether it is new."""
        with self._lock:
            if self.closed:
                raise self.unavailable("was closed", "open it again")
            if self._idle:
                return self._idle.pop(), False
        return self._connected(), True

    def _let_go(self, connection: Connection) -> None:
        with self._lock:
            if not connection.closed and not self.closed and len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _drop(self, broken: Connection) -> None:
        """Close a broken connection and all idle ones, because a restart of the server breaks them too."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in (broken, *idle):
            connection.close()

    def _connected(self) -> Connection:
        until = time.monotonic() + self._waits
        while True:
            try:
                connection = self._connection()
            except psycopg.OperationalError as error:
                # After one successful connection, name and password are known to be right. Before, they may be
                # mistyped.
                passes = self._was_reached or any(word in str(error) for word in PASSING)
                if not passes or time.monotonic() >= until:
                    raise
                time.sleep(PAUSE)
            else:
                self._was_reached = True
                return connection

    def _connection(self) -> Connection:
        settings: dict[str, Any] = {**CONNECTING, **({"target_session_attrs": "read-write"} if self._several else {})}
        try:
            connection = psycopg.connect(
                self._url,
                autocommit=True,
                fallback_application_name="umpire",
                client_encoding="UTF8",
                **{name: value for name, value in settings.items() if name not in self._url},
            )
        except psycopg.ProgrammingError:  # libpq's message may repeat a part of the password
            raise self.unavailable("is not the address of a PostgreSQL database", ADDRESS) from None
        connection.execute(f"SET lock_timeout = {max(1, round(self.lock_seconds * 1000))}")
        if self.read_only:
            connection.execute("SET default_transaction_read_only = on")
        return connection

    def own_connection(self) -> Connection:
        """Return a connection for other tables in this database; it commits automatically, and the caller closes it."""
        with self._translated():
            return self._connected()

    @contextlib.contextmanager
    def listening(self) -> Iterator[Connection]:
        """Open a separate connection that is notified which games have grown.

        Raises:
            StoreUnavailable: The database cannot be reached.
        """
        with self._translated():
            connection = self._connected()
            try:
                connection.execute(f"LISTEN {CHANNEL}")
                yield connection
            finally:
                connection.close()

    @contextlib.contextmanager
    def holding(self, name: str) -> Iterator[None]:
        """Hold an advisory lock over a separate connection.

        Raises:
            StoreUnavailable: The lock is not granted in time, or the database cannot be reached.
        """
        lock, unlock = (f"SELECT pg_advisory_{act}(hashtextextended(%s, 0))" for act in ("lock", "unlock"))
        connection = self._begun(lock, name)
        try:
            yield
        finally:
            with contextlib.suppress(psycopg.Error):  # the lock ends with the connection
                connection.execute(unlock, (name,))
            self._let_go(connection)

    @contextlib.contextmanager
    def one_moment(self) -> Iterator[Connection]:
        """Open a read-only connection that sees the database as of one moment while it is in use."""
        with self._translated():
            connection, _ = self._taken()
            try:
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield connection
            finally:
                self._undo(connection)

    @contextlib.contextmanager
    def get_connection(self) -> Iterator[psycopg.Connection[DictRow]]:
        """Open a connection for the library, with the rows and errors that it expects."""
        with _as_the_library_has_it():
            connection, _ = self._taken()
            connection.row_factory = dict_row
            try:
                yield connection
            finally:
                connection.row_factory = tuple_row
                self._let_go(connection)

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they are returned."""
        if getattr(self, "_lock", None) is None:  # __del__ after a failed __init__
            return
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        super().close()

    # --- errors -------------------------------------------------------------------------------------------------------

    def unavailable(self, what: str, remedy: str) -> StoreUnavailable:
        """Return the error for this database."""
        return StoreUnavailable(f"{self.name} {what}", where=self.name, remedy=remedy)

    def _safe_message(self, error: BaseException) -> str:
        """Return the driver's message on one line and without a password."""
        said = " ".join(str(error).split())
        for password in passwords_in(self._url):
            said = said.replace(password, "…")
        return said

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.IntegrityError as error:
            raise IntegrityError(self._safe_message(error)) from error
        except psycopg.DataError as error:
            what = f"PostgreSQL cannot store this: {self._safe_message(error)}"
            raise CannotBeWritten(what, where=self.name, remedy="leave out the character NUL") from error
        except (pg.UndefinedTable, pg.UndefinedColumn, pg.InvalidSchemaName) as error:
            what = f"{self.name} is damaged: its tables are not those of a ledger ({self._safe_message(error)})"
            raise UnfitSchema(what, where=self.name, remedy=RESTORE) from error
        except psycopg.Error as error:
            if isinstance(error, psycopg.ProgrammingError) and not isinstance(error, pg.InsufficientPrivilege):
                raise
            what, remedy = _trouble(error)
            raise self.unavailable(f"{what} ({self._safe_message(error)})", remedy) from error


def _names_several(url: str) -> bool:
    """Return whether a URL names more than one server."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # the error is reported when it connects
        return False
    return "," in str(given.get("host") or given.get("hostaddr") or "")


UPGRADE = "ask the operator of the database to run `umpire db upgrade`"
RESTORE = "restore a backup, or import the last exports into a new database"
ADDRESS = "write it as postgresql://user@host:5432/database; escape special characters in a password (%40 for @)"
AWAY = ("cannot be reached", "check host, port and user, and that the server runs; every acknowledged order is safe")
TROUBLES: tuple[tuple[type[psycopg.Error], str, str], ...] = (
    (pg.InsufficientPrivilege, "does not allow this user to do that", "ask for `umpire db init --role USER`"),
    (pg.ReadOnlySqlTransaction, "is read-only", "open it for writing, on the server that accepts writes"),
    (pg.LockNotAvailable, "is locked by another program", "wait until it has finished, then try again"),
    (pg.DiskFull, "cannot grow: the disk is full", "free some space; every acknowledged order is safe"),
    (pg.TooManyConnections, "has no free connection", "wait a moment, or raise max_connections"),
)


def _trouble(error: psycopg.Error) -> tuple[str, str]:
    """Return (what, remedy) for an error of the driver."""
    for kind, what, remedy in TROUBLES:
        if isinstance(error, kind):
            return what, remedy
    return AWAY if isinstance(error, psycopg.OperationalError) else ("cannot be used", "see the server's log")


@contextlib.contextmanager
def _as_the_library_has_it() -> Iterator[None]:
    """Translate the driver's errors into the library's classes."""
    try:
        yield
    except psycopg.Error as error:
        names: Sequence[str] = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "psycopg"]
        found = next((getattr(persistence, name) for name in names if hasattr(persistence, name)), None)
        raise (found or persistence.PersistenceError)(str(error)) from error
