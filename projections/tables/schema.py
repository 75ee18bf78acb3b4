"""Create the file of read models. `sqlite_utils` is imported only to create one, because the import takes 90 ms."""

import contextlib
import functools
import os
import secrets
import sqlite3
from pathlib import Path

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.projections.tables.catalogue import INDEXES, TABLES, VIEWS
from umpire_ledger.projections.tables.dialect import SEARCHED
from umpire_ledger.projections.tables.views_file import APPLICATION_ID, FORMAT, MEMORY, connect, is_views

NOT_NULL = frozenset(("game", "position", "id", "event", "text"))
KEY = "id"
"""The key column of every table to which other tables refer."""
BESIDE = ("", "-wal", "-shm", "-journal")
"""Suffixes of the file's name, for the file itself and for the files that SQLite stores next to it."""


def make(connection: sqlite3.Connection) -> None:
    """Create the empty tables, the views and the search index, all in one transaction.

    There are no triggers, because the search index is filled after the rows.
    """
    connection.executescript(f"BEGIN;\n{_statements()};\nCOMMIT")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


@functools.cache
def _statements() -> str:
    """Return the SQL that `sqlite_utils` runs for an empty database, without the tables that SQLite itself adds."""
    from sqlite_utils import Database  # noqa: PLC0415 -- 44 ms: few commands need it

    database = Database(memory=True)
    for name, table in TABLES.items():
        database.table(name).create(
            {column.name: column.type for column in table.columns},
            pk=table.key if len(table.key) > 1 else table.key[0],
            foreign_keys=[(one.name, one.refers, KEY) for one in table.columns if one.refers],
            not_null=NOT_NULL & set(table.names),
        )
    for name, column in INDEXES:
        database.table(name).create_index([column])
    for name, view in VIEWS.items():
        database.create_view(name, view.select)
    database.table("audit").enable_fts(SEARCHED, tokenize="porter")
    made = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'audit_fts_*'"
    with contextlib.closing(database.conn):
        return ";\n".join(sql for (sql,) in database.execute(made).fetchall())


def open_for_writing(path: str, *, timeout: float = 10.0) -> sqlite3.Connection:
    """Return a connection to the read models at `path`, created if they are missing or of another format.

    Raises:
        StoreUnavailable: When a file of another program is in the way.
        sqlite3.Error: When the file cannot be used.
    """
    if path == MEMORY:
        connection = sqlite3.connect(MEMORY, isolation_level=None, cached_statements=256, check_same_thread=False)
        make(connection)
        return connection
    if not Path(path).is_file():
        _make_file(Path(path))
    connection = connect(path, write=True, timeout=timeout)
    if not is_views(connection):
        connection = _make_anew(Path(path), connection)
    connection.execute("PRAGMA synchronous = NORMAL")  # The ledger restores rows lost in a power cut.
    connection.execute("PRAGMA cache_size = -32768")  # KiB
    return connection


def in_the_way(path: str) -> StoreUnavailable:
    """Return the error for a file or folder of another program at the path of the read models."""
    what = f"{path} is not a file of read models, but they belong there"
    return StoreUnavailable(what, where=path, remedy="move it elsewhere")


def _make_anew(path: Path, connection: sqlite3.Connection) -> sqlite3.Connection:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.close()
    if application != APPLICATION_ID and tables:
        raise in_the_way(str(path))
    kept = looked_in(path)
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    _make_file(path)
    anew = connect(path, write=True)
    put_looked(anew, kept)
    return anew


def looked_in(path: str | Path) -> list[tuple[str, str, int]]:
    """Return the readable read marks as (game, seat, position)."""
    select = "SELECT game, seat, position FROM looked WHERE typeof(position) = 'integer'"
    # Read marks are a convenience; unreadable ones are dropped.
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError), contextlib.closing(connect(path)) as found:
        return found.execute(select).fetchall()
    return []


def put_looked(connection: sqlite3.Connection, looked: list[tuple[str, str, int]]) -> None:
    """Write read marks into new tables, because no record contains them."""
    connection.executemany("INSERT OR IGNORE INTO looked (game, seat, position) VALUES (?, ?, ?)", looked)


def _make_file(path: Path) -> None:
    """Build the file under a temporary name, then link it, so that another process never sees incomplete tables."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    fresh.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(fresh, isolation_level=None)
        with contextlib.closing(connection):
            make(connection)
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        _give_name(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _give_name(fresh: Path, path: Path) -> None:
    """Give a finished file its name; if another process was first, its identical file stays."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    except OSError:  # The file system has no hard links.
        if not path.exists():
            fresh.replace(path)
