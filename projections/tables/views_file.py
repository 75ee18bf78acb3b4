"""Read the file of read models next to a ledger with few imports: sqlite3 and msgspec, not the domain.

The read models of `umpire.db` are in `umpire.views.db`. Every table can be rebuilt from the ledger, so the file may be
deleted at any time; only the read marks of seats are then lost. The tables have plain names for people who use
`sqlite3` or `datasette`.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from umpire_ledger.ledger.records.errors import StoreUnavailable

if TYPE_CHECKING:
    from umpire_ledger.projections.tables.dialect import Tables

APPLICATION_ID = 0x554D5056  # "UMPV"
FORMAT = 7
"""Schema version of the tables. A file of another version is rebuilt."""
MEMORY = ":memory:"
HIDDEN = "hidden"
"""The name of the event in a record that a seat may not see."""
WITHHELD = "withheld from this copy of the log"
UNSEEN = "something that is hidden from this seat"
MOST_SINCE = 20
"""The most orders in a turn view."""
POSITIONS = 10**10
"""The largest position plus 1. For example, 30000000412 is the row id of #412 in the third game of the file."""

NO_LIMIT = 2**62
"""LIMIT for a statement that reads all rows."""
SEEN = (
    "(visible_to IS NULL OR visible_to IN (SELECT visible_to FROM sees WHERE game = :game AND seat = :seat)"
    " OR (visible_to <> '[]' AND position <= (SELECT secrets_open FROM game WHERE id = :game)))"
)
"""SQL condition that a seat may see a record, with parameters :game and :seat. An unknown seat sees public records."""

StorePath = str | os.PathLike[str]
"""Path of a file. This module does not import pathlib, because that takes half the running time of `umpire status`."""

KEYS = frozenset(
    (
        *("game", "title", "name", "seat", "side", "position", "turn", "where", "open", "steps", "waiting", "orders"),
        *("allowed", "answers", "pick", "owed", "ended", "winner", "sides", "units", "accounts", "markers", "choices"),
        *("dice", "dice_asked", "asked", "on_done", "note", "tells", "ours", "by_itself", "amending", "copied", "last"),
        *("waits", "disputes", "kept", "hidden", "last_seen", "contacts", "sealed"),
    )
)
"""Required keys of a stored turn view. They are repeated here, because `turn_view.TurnView` imports the domain."""

Pair = tuple[str, str]

_decode = msgspec.json.Decoder().decode


def views_path(ledger: StorePath) -> str:
    """Return the path of a ledger's read models, `umpire.views.db` for `umpire.db`. No two ledgers share one.

    Returns `MEMORY` for a ledger in memory or in a database.
    """
    if str(ledger) == MEMORY or "://" in str(ledger):
        return MEMORY
    stem, ending = os.path.splitext(os.fspath(ledger))
    return f"{stem}.views{ending}"


def file_uri(path: StorePath) -> str:
    """Return the URI of a file for sqlite3."""
    absolute = os.path.abspath(path).replace(os.sep, "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file://{'' if absolute.startswith('/') else '/'}{absolute}"


def row_id(key: int, position: int) -> int:
    """Return the id of a record's rows, so that the rows of a game are adjacent and in position order."""
    return key * POSITIONS + position


def key_of(connection: "Tables", game_id: str) -> int:
    """Return the small integer key of a game; 0 if it has no rows."""
    found = typed(connection.execute("SELECT key FROM game WHERE id = ?", (game_id,)), tuple[int])
    return int(next(found, (0,))[0])


def connect(path: StorePath, *, write: bool = False, timeout: float = 5.0) -> sqlite3.Connection:
    """Return a connection to an existing SQLite file. The caller begins and ends transactions.

    Threads may share the connection if only one uses it at a time.

    Raises:
        sqlite3.Error: When the file cannot be opened.
    """
    uri = file_uri(path)
    connection = sqlite3.connect(
        f"{uri}?mode={'rw' if write else 'ro'}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        cached_statements=256,
        check_same_thread=False,
    )
    if not write:
        try:
            connection.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError:
            # SQLite can read a database in WAL mode from a read-only folder only as an immutable file.
            connection.close()
            connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    """Decode a text column. A damaged text is decoded too, and then differs from the expected text."""
    return raw.decode(errors="replace")


AT_ONCE = 500
"""The number of rows whose types are checked together, because one by one would take thirty times as long."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors for a damaged file. If the schema is damaged, the message of SQLite may not be valid text."""


def typed(rows: Iterable[tuple[Any, ...]], kind: Any) -> Iterator[Any]:
    """Yield rows as tuples of this type, and check the types, because damage can leave any value in any column.

    Raises:
        msgspec.ValidationError: When a value has another type; `trouble` turns it into StoreUnavailable.
    """
    waiting = iter(rows)
    while some := list(islice(waiting, AT_ONCE)):
        yield from msgspec.convert(some, list[kind])


@contextlib.contextmanager
def trouble(path: StorePath) -> Iterator[None]:
    """Turn SQLite errors and damaged rows into StoreUnavailable; the ledger itself is not affected."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError, msgspec.DecodeError) as error:
        remedy = "the ledger still has every record: delete this file, or try `umpire rebuild`"
        if is_busy(error):
            remedy = "the ledger still has every record; another program is writing this file: try again later"
        what = f"the read models in {path} cannot be used: {error}"
        raise StoreUnavailable(what, where=str(path), remedy=remedy) from error


def is_busy(error: BaseException) -> bool:
    """Return whether an error only means that another program is writing."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_views(connection: sqlite3.Connection) -> bool:
    """Return whether a file contains read models of this format."""
    marks: list[int] = [
        connection.execute(f"PRAGMA {mark}").fetchone()[0] for mark in ("application_id", "user_version")
    ]
    return marks == [APPLICATION_ID, FORMAT]


def open_views(ledger: StorePath) -> sqlite3.Connection | None:
    """Open the read models of a ledger for reading; return None if there are none, or they have another format."""
    path = views_path(ledger)
    if path == MEMORY or not os.path.isfile(path):
        return None
    try:
        connection = connect(path)
    except UNREADABLE:
        return None
    with contextlib.suppress(*UNREADABLE):  # Without read models, the caller reads the ledger.
        if is_views(connection):
            return connection
    connection.close()
    return None


def last_record(ledger: sqlite3.Connection, game_id: str) -> tuple[int, str] | None:
    """Return the position and line of a game's last record, from the ledger itself; None if there is no such game."""
    select = "SELECT position, line FROM records WHERE game = ? ORDER BY position DESC LIMIT 1"
    found: tuple[int, str] | None = ledger.execute(select, (game_id,)).fetchone()
    return found


def is_fresh(ledger: StorePath, views: sqlite3.Connection, game_id: str, edition: str = "") -> bool:
    """Return whether the read models show the ledger's last record of a game, and were made by this edition.

    The line itself is compared, so that read models of another ledger are not mistaken for those of this one.
    """
    followed = views.execute("SELECT position, last_line, edition FROM game WHERE id = ?", (game_id,)).fetchone()
    if followed is None or followed[2] != edition:
        return False
    try:
        with contextlib.closing(connect(ledger)) as connection:
            return last_record(connection, game_id) == (followed[0], followed[1])
    except sqlite3.Error:  # Opening the ledger reports the fault.
        return False


def fresh_turn_view(ledger: StorePath, game_id: str, seat: str, edition: str = "") -> dict[str, Any] | None:
    """Return a seat's stored turn view with `since`, for a quick answer of `umpire status`; None if there is none.

    Returns None also if the read models are not up to date (see `projections.tables.updater`).
    """
    views = open_views(ledger)
    if views is None:
        return None
    with contextlib.closing(views):
        try:
            if looked(views, game_id, ""):  # An older copy; opening the ledger reports it.
                return None
            return stored_turn_view(views, game_id, seat) if is_fresh(ledger, views, game_id, edition) else None
        except (sqlite3.Error, ValueError):  # Updating the read models reports damaged rows.
            return None


def display_name(ledger: StorePath, game_id: str) -> str:
    """Return the ledger's display name of a game, from the game metadata; "" if there is none."""
    select = "SELECT value FROM beside WHERE game = ? AND kind = 'display name' AND typeof(value) = 'text'"
    if views_path(ledger) == MEMORY:
        return ""
    # The scenario's name is shown instead; doctor reports the damage.
    with contextlib.suppress(*UNREADABLE), contextlib.closing(connect(ledger)) as connection:
        found = connection.execute(select, (game_id,)).fetchone()
        return str(found[0]) if found else ""
    return ""


def followed(ledger: StorePath, game_id: str) -> int:
    """Return the number of records in the stored read models of a game; 0 if it is unknown."""
    views = open_views(ledger)
    if views is None:
        return 0
    with contextlib.closing(views), contextlib.suppress(*UNREADABLE):  # Damaged read models are rebuilt.
        found = views.execute("SELECT CAST(position AS INTEGER) FROM game WHERE id = ?", (game_id,)).fetchone()
        return int(found[0] or 0) if found else 0
    return 0


def stored_turn_view(views: sqlite3.Connection, game_id: str, seat: str) -> dict[str, Any] | None:
    """Return a seat's stored turn view with `since`, the orders after its read mark; None if there is none."""
    select = "SELECT view FROM turn_view WHERE game = ? AND seat = ? AND typeof(view) = 'text'"
    found = views.execute(select, (game_id, seat)).fetchone()
    if found is None:
        return None
    try:
        view = _decode(found[0])
    except msgspec.DecodeError:
        return None
    if not isinstance(view, dict) or not view.keys() >= KEYS or not _are_told(view["last"]):
        return None
    return {**view, "since": lag(view["last"], looked(views, game_id, seat))}


def _are_told(last: object) -> bool:
    """Return whether a value is a valid list of stored orders, because a damaged file may contain any value."""
    return isinstance(last, list) and all(isinstance(one, dict) and type(one.get("position")) is int for one in last)


def lag(last: list[dict[str, Any]], position: int) -> list[dict[str, Any]]:
    """Return the orders that begin after a position."""
    return [one for one in last if one["position"] > position]


def seats_of(views: sqlite3.Connection, game_id: str) -> dict[str, str]:
    """Return the seats that can see a game, each with its side ("" for the referee and the spectator)."""
    return dict(typed(views.execute("SELECT seat, side FROM seat WHERE game = ? ORDER BY nth", (game_id,)), Pair))


def looked(views: "Tables", game_id: str, seat: str) -> int:
    """Return the read mark of a seat; 0 if it has none."""
    select = "SELECT position FROM looked WHERE game = ? AND seat = ? AND typeof(position) = 'integer'"
    found = views.execute(select, (game_id, seat)).fetchone()
    return int(found[0]) if found else 0


def last_looked(ledger: StorePath, game_id: str, seat: str) -> int:
    """Return the read mark of a seat; 0 if it has none or it cannot be read."""
    views = open_views(ledger)
    if views is None:
        return 0
    with contextlib.closing(views), contextlib.suppress(*UNREADABLE):  # A read mark is only a convenience.
        return looked(views, game_id, seat)
    return 0


def mark_read(ledger: StorePath, game_id: str, seat: str, position: int) -> None:
    """Set the read mark of a seat. Errors are ignored, because it is only a convenience."""
    path = views_path(ledger)
    if path == MEMORY:
        return
    # Without a read mark, the seat only sees more orders as new.
    with contextlib.suppress(*UNREADABLE), contextlib.closing(connect(path, write=True, timeout=0.2)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        record_read_mark(connection, game_id, seat, position)


def record_read_mark(connection: sqlite3.Connection, game_id: str, seat: str, position: int) -> None:
    """Set the read mark of a seat on an open connection."""
    if looked(connection, game_id, seat) != position:
        connection.execute(
            "INSERT OR REPLACE INTO looked (game, seat, position) VALUES (?, ?, ?)", (game_id, seat, position)
        )
