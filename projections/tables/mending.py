"""Mending a file of read models: whatever happened to it, the tables are laid anew, and then filled from the ledger.

A file that is recognisably ours is thrown away. What cannot be told, noise or a ledger that somebody has put there, is
kept beside it under another name. The file of another program stays, and says that it is in the way.
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
"""Tables of ours by whose names a file without our mark is known."""
MAGIC = b"SQLite format 3\0"
MARK = slice(68, 72)
"""Where an SQLite file has its application id, big-endian."""
HURT = ".hurt"
LEDGER = 0x554D5052  # "UMPR"


def mend(path: str) -> None:
    """Lay the tables anew where their file is damaged; where each seat last looked is kept if it can be read.

    Raises StoreUnavailable for a file of another program, and where nothing can be written.
    """
    if path != MEMORY and os.path.lexists(path) and not (_is_laid(path, titles=True) and _is_sound(path)):
        lay_anew(path)


def mend_tables(path: str) -> None:
    """The same where the tables are not those of this edition; what lies in them is not read, however much it is.

    So the views of titles are not looked at: what their columns should be stands in the rows of every game.
    """
    if path != MEMORY and os.path.lexists(path) and not _is_laid(path, titles=False):
        lay_anew(path)


def lay_anew(path: str) -> None:
    """The same, whole or not."""
    looked = looked_in(path)
    try:
        _clear(Path(path))
        with contextlib.closing(open_for_writing(path)) as connection:
            put_looked(connection, looked)
    except (OSError, sqlite3.Error) as error:
        what = f"the read models in {path} are hurt, and cannot be made anew: {error}"
        raise StoreUnavailable(what, where=path, remedy="delete that file, or make room and try again") from error


def _is_sound(path: str) -> bool:
    """Whether every page can be read, which takes as long as the file is; one that another writes just now is."""
    try:
        with contextlib.closing(connect(path)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return is_busy(error)


def _is_laid(path: str, *, titles: bool) -> bool:
    """Whether the tables lie there as they are laid, and can be written; a file that another writes just now is.

    `titles`: with the views of titles.
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
    """Make room for a new file. Raises StoreUnavailable for what is another program's, OSError."""
    if path.is_dir():
        raise in_the_way(str(path))
    if not path.is_symlink() and not _is_ours(path):
        _put_aside(path)
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """False for what cannot be told. Raises StoreUnavailable for an SQLite file of another program."""
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
    """The tables that the file itself has, whatever lies beside it; none where they cannot be read."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    hurt = contextlib.suppress(sqlite3.Error, UnicodeDecodeError)  # without tables it is made again
    with hurt, contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return set()


def _put_aside(path: Path) -> None:
    """Under another name, with what belongs to it: `umpire.views.db.hurt1`."""
    free = (path.with_name(f"{path.name}{HURT}{number}") for number in itertools.count(1))
    aside = next(name for name in free if not name.exists())
    for ending in BESIDE:
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + ending))
