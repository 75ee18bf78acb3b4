"""Repair a file of read models by creating its tables again; the ledger then fills them.

A file of Umpire's read models is deleted. An unrecognizable file, or a ledger in its place, is renamed. The file of
another program stays, and an error reports that it is in the way.
"""

import contextlib
import itertools
import os
import sqlite3
from pathlib import Path

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.projections.tables import title_views
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.schema import (
    BESIDE,
    in_the_way,
    looked_in,
    make,
    open_for_writing,
    put_looked,
)
from umpire_ledger.projections.tables.views_file import APPLICATION_ID, MEMORY, connect, is_busy, is_views

ENOUGH = 3
"""The number of known table names that identifies a file without Umpire's application id."""
MAGIC = b"SQLite format 3\0"
MARK = slice(68, 72)
"""Position of the application id in an SQLite file, big-endian."""
HURT = ".hurt"
LEDGER = 0x554D5052  # "UMPR"


def mend(path: str) -> None:
    """Create the tables again if their file is damaged, and keep the read marks if they can be read.

    Raises:
        StoreUnavailable: When the file is another program's, or cannot be written.
    """
    if path != MEMORY and os.path.lexists(path) and not (_is_laid(path, titles=True) and _is_sound(path)):
        lay_anew(path)


def mend_tables(path: str) -> None:
    """Create the tables again if their definitions differ from this edition's.

    Rows are not read, so the time does not depend on their number. Views of titles are not checked, because their
    columns depend on rows.

    Raises:
        StoreUnavailable: When the file is another program's, or cannot be written.
    """
    if path != MEMORY and os.path.lexists(path) and not _is_laid(path, titles=False):
        lay_anew(path)


def lay_anew(path: str) -> None:
    """Create the tables again, and keep the read marks if they can be read.

    Raises:
        StoreUnavailable: When the file is another program's, or cannot be written.
    """
    looked = looked_in(path)
    try:
        _clear(Path(path))
        with contextlib.closing(open_for_writing(path)) as connection:
            put_looked(connection, looked)
    except (OSError, sqlite3.Error) as error:
        what = f"the read models in {path} are damaged and cannot be rebuilt: {error}"
        raise StoreUnavailable(
            what, where=path, remedy="delete that file, or free some disk space, then try again"
        ) from error


def _is_sound(path: str) -> bool:
    """Return whether every page can be read, or another program is writing the file. The time grows with its size."""
    try:
        with contextlib.closing(connect(path)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return is_busy(error)


def _is_laid(path: str, *, titles: bool) -> bool:
    """Return whether the tables have the right definitions and can be written, or another program is writing the file.

    `titles`: whether to check the views of titles too.
    """
    try:
        with contextlib.closing(connect(path)) as connection:
            if not is_views(connection):
                return False
            laid = {name: (kind, sql) for name, kind, sql in connection.execute(_LAID)}
            of_titles = {name: ("view", sql) for name, sql in title_views.wanted(connection).items()} if titles else {}
        with contextlib.closing(sqlite3.connect(MEMORY, isolation_level=None)) as fresh:
            make(fresh)
            wanted = of_titles | {name: (kind, sql) for name, kind, sql in fresh.execute(_LAID)}
            if not titles:
                laid = {name: one for name, one in laid.items() if not title_views.is_one(name, one[0])}
            return os.access(path, os.W_OK) and laid == wanted
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return is_busy(error)


_LAID = "SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


def _clear(path: Path) -> None:
    """Delete or rename an existing file to make room for a new one.

    Raises:
        StoreUnavailable: When the file is another program's.
        OSError: When the file cannot be moved or deleted.
    """
    if path.is_dir():
        raise in_the_way(str(path))
    if not path.is_symlink() and not _is_ours(path):
        _put_aside(path)
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """Return whether a file contains Umpire's read models; False if that is unknown.

    Raises:
        StoreUnavailable: When it is an SQLite file of another program.
    """
    with path.open("rb") as file:
        head = file.read(100)
    mark = int.from_bytes(head[MARK], "big")
    if not head or mark == APPLICATION_ID:
        return True
    if not head.startswith(MAGIC) or mark == LEDGER:
        return False
    names = _tables(path)
    if names and len(names & TABLES.keys()) < ENOUGH:
        raise in_the_way(str(path))
    return bool(names)


def _tables(path: Path) -> set[str]:
    """Return the names of the tables in the file itself, without its write-ahead log; none if they cannot be read."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    hurt = contextlib.suppress(sqlite3.Error, UnicodeDecodeError)  # A file without tables is renamed.
    with hurt, contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return set()


def _put_aside(path: Path) -> None:
    """Rename a file and its companions to a free name such as `umpire.views.db.hurt1`."""
    free = (path.with_name(f"{path.name}{HURT}{number}") for number in itertools.count(1))
    aside = next(name for name in free if not name.exists())
    for ending in BESIDE:
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + ending))
