"""Making the file of read models. `sqlite_utils` is imported only when there is one to make: it costs 90 ms."""

import contextlib
import os
import secrets
import sqlite3
from pathlib import Path

from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.projections.tables.views_file import APPLICATION_ID, FORMAT, MEMORY, connect, is_views

TABLES: dict[str, tuple[dict[str, type], tuple[str, ...]]] = {
    # What is followed: up to which record, and that record's line, by which another ledger's game is recognised.
    "game": (
        {"key": int, "id": str, "title": str, "name": str, "position": int, "last_line": str, "edition": str}
        | {"opened_at": str, "last_at": str, "turn": int, "where": str, "ended": str}
        # Who is waited for since when and open disputes (both JSON), and in words the record that cannot be read.
        | {"waits": str, "disputes": str, "unreadable": str},
        ("key",),
    ),
    "seat": ({"game": str, "seat": str, "side": str, "knows": str}, ("game", "seat")),
    "looked": ({"game": str, "seat": str, "position": int}, ("game", "seat")),
    "secret": ({"game": str, "visible_to": str, "event": str, "first": int}, ("game", "visible_to", "event")),
    "sees": ({"game": str, "seat": str, "visible_to": str}, ("game", "seat", "visible_to")),
    "audit": (
        {"id": int, "game": str, "position": int, "at": str, "turn": int, "step": str, "seat": str, "command": str}
        | {"starts": int, "event": str, "text": str, "rule": str, "dice": str, "cause": str, "counts": int}
        | {"visible_to": str, "units": str},
        ("id",),
    ),
    "roll": (
        {"id": int, "game": str, "roll": int, "position": int, "seat": str, "purpose": str, "dice": str, "pips": str}
        | {"modifiers": str, "total": int, "needed": str, "outcome": str, "source": str, "rule": str, "subjects": str},
        ("id",),
    ),
    "undo_point": (
        {"id": int, "game": str, "position": int, "opened": int, "step": str, "name": str, "turn": int, "where": str},
        ("id",),
    ),
    "turn_view": (
        {"game": str, "seat": str, "position": int, "turn": int, "where": str, "open": str, "waiting": str}
        | {"view": str},
        ("game", "seat"),
    ),
    "unit": (
        {"game": str, "knows": str, "id": str, "side": str, "kind": str, "at": str, "attributes": str, "fate": str},
        ("game", "knows", "id"),
    ),
    "account": ({"game": str, "knows": str, "id": str, "amount": int}, ("game", "knows", "id")),
    "marker": ({"game": str, "knows": str, "id": str, "value": str}, ("game", "knows", "id")),
    "snapshot": (
        {"game": str, "position": int, "sees": str, "schema": str, "state": bytes},
        ("game", "position", "sees"),
    ),
}
BY_GAME = ("roll",)
NOT_NULL = frozenset(("game", "position", "id", "event", "text"))
VIEWS = {
    "dice": "SELECT roll.*, audit.at, audit.turn, audit.step, audit.counts, audit.visible_to"
    " FROM roll JOIN audit ON audit.id = roll.id",
    **{
        f"{table}s": f"SELECT seat.seat, {table}.* FROM seat JOIN {table}"
        f" ON {table}.game = seat.game AND {table}.knows = seat.knows"
        for table in ("unit", "account", "marker")
    },
}
SEARCHED = ("text", "cause", "units")
BESIDE = ("", "-wal", "-shm", "-journal")
"""What the names of the file and of what SQLite lays beside it end with."""


def make(connection: sqlite3.Connection) -> None:
    """Lay the empty tables, views and the search index; without triggers, the index is filled after the rows."""
    from sqlite_utils import Database  # noqa: PLC0415 -- see the head of the module

    database = Database(connection)
    for name, (columns, key) in TABLES.items():
        database.table(name).create(columns, pk=key if len(key) > 1 else key[0], not_null=NOT_NULL & columns.keys())
    database.table("game").create_index(["id"], unique=True)
    for name in BY_GAME:
        database.table(name).create_index(["game"])
    for name, select in VIEWS.items():
        database.create_view(name, select)
    database.table("audit").enable_fts(SEARCHED, tokenize="porter")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def open_for_writing(path: str, *, timeout: float = 10.0) -> sqlite3.Connection:
    """A connection to the read models at `path`, made if they are missing, made anew if of another format.

    Raises:
        StoreUnavailable: a file of somebody else's is in the way.
        sqlite3.Error: the file cannot be used.
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
    connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is followed again
    connection.execute("PRAGMA cache_size = -32768")  # KiB
    return connection


def in_the_way(path: str) -> StoreUnavailable:
    """The refusal of a file or a folder that is somebody else's."""
    what = f"{path} is in the way: the read models belong there, and it is something else"
    return StoreUnavailable(what, where=path, remedy="move it elsewhere")


def _make_anew(path: Path, connection: sqlite3.Connection) -> sqlite3.Connection:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.close()
    if application != APPLICATION_ID and tables:
        raise in_the_way(str(path))
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    _make_file(path)
    return connect(path, write=True)


def _make_file(path: Path) -> None:
    """Build under a temporary name, then link: two first starts at once must not meet half-made tables."""
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
    """The first to be ready wins; both made the same."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            fresh.replace(path)
