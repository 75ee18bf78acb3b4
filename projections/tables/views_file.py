"""Read the file of read models next to a ledger with few imports: sqlite3 and msgspec, not the domain.

`umpire.db` has `umpire.views.db`. Every table can be rebuilt from the ledger, so the file may be deleted at any time;
only the read marks of seats are lost with it. The tables have plain names, for `sqlite3` and `datasette`.
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
"""The event of a record that a seat may not see."""
WITHHELD = "withheld from this copy of the log"
UNSEEN = "something that is hidden from this seat"
MOST_SINCE = 20
"""The most orders in a turn view."""
POSITIONS = 10**10
"""The largest position plus 1: 30000000412 is the row id of #412 in the third game of the file."""

NO_LIMIT = 2**62
"""LIMIT of a statement that reads all rows."""
SEEN = (
    "(visible_to IS NULL OR visible_to IN (SELECT visible_to FROM sees WHERE game = :game AND seat = :seat)"
    " OR (visible_to <> '[]' AND position <= (SELECT secrets_open FROM game WHERE id = :game)))"
)
"""Condition that a seat may see a record; parameters :game and :seat. An untaken seat sees public records."""

StorePath = str | os.PathLike[str]
"""Path of a file. Not pathlib: importing it would cost half the time of `umpire status` after its start."""

KEYS = frozenset(
    (
        *("game", "title", "name", "seat", "side", "position", "turn", "where", "open", "steps", "waiting", "orders"),
        *("allowed", "answers", "pick", "owed", "ended", "winner", "sides", "units", "accounts", "markers", "choices"),
        *("dice", "dice_asked", "asked", "on_done", "note", "tells", "ours", "by_itself", "amending", "copied", "last"),
        *("waits", "disputes", "kept", "hidden", "last_seen", "contacts", "sealed"),
    )
)
"""Keys of a turn view; a row without one is damaged. Not read from `turn_view.TurnView`: it imports the domain."""

Pair = tuple[str, str]

_decode = msgspec.json.Decoder().decode


def views_path(ledger: StorePath) -> str:
    """Return the path of a ledger's read models: `umpire.db` has `umpire.views.db`; no two ledgers share one.

    A ledger in memory has them in memory, and so has one in a database.
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
    """Return the id of a record's rows: the rows of a game are adjacent, in position order."""
    return key * POSITIONS + position


def key_of(connection: "Tables", game_id: str) -> int:
    """Return the small integer key of a game, 0 if it has no rows."""
    found = typed(connection.execute("SELECT key FROM game WHERE id = ?", (game_id,)), tuple[int])
    return int(next(found, (0,))[0])


def connect(path: StorePath, *, write: bool = False, timeout: float = 5.0) -> sqlite3.Connection:
    """Return a connection to an existing SQLite file; the caller begins and ends transactions.

    Threads may share it, if one at a time uses it.

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
            # A WAL file in a read-only folder is readable only if SQLite may assume that no program writes.
            connection.close()
            connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    """Decode a text column; damage leaves another text, which then differs from the expected one."""
    return raw.decode(errors="replace")


AT_ONCE = 500
"""Rows whose types are checked together: one by one would take thirty times as long."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of SQLite for a damaged file; if the schema is damaged, its message may not be valid text."""


def typed(rows: Iterable[tuple[Any, ...]], kind: Any) -> Iterator[Any]:
    """Yield rows as tuples of this kind, with checked types: damage can leave any type in any column.

    Raises:
        msgspec.ValidationError: When a value has another type; `trouble` turns it into a refusal.
    """
    waiting = iter(rows)
    while some := list(islice(waiting, AT_ONCE)):
        yield from msgspec.convert(some, list[kind])


@contextlib.contextmanager
def trouble(path: StorePath) -> Iterator[None]:
    """Turn errors of SQLite, or a damaged row, into StoreUnavailable; the ledger itself is not affected."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError, msgspec.DecodeError) as error:
        remedy = "the ledger still has every record: delete this file, or try `umpire rebuild`"
        if is_busy(error):
            remedy = "the ledger still has every record; another program is writing this file: try again later"
        what = f"the read models in {path} cannot be used: {error}"
        raise StoreUnavailable(what, where=str(path), remedy=remedy) from error


def is_busy(error: BaseException) -> bool:
    """Return whether the error only means that another program is writing."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_views(connection: sqlite3.Connection) -> bool:
    """Return whether a file contains read models of this format."""
    marks: list[int] = [
        connection.execute(f"PRAGMA {mark}").fetchone()[0] for mark in ("application_id", "user_version")
    ]
    return marks == [APPLICATION_ID, FORMAT]


def open_views(ledger: StorePath) -> sqlite3.Connection | None:
    """Open the read models of a ledger for reading; return None if there are none, or of another format."""
    path = views_path(ledger)
    if path == MEMORY or not os.path.isfile(path):
        return None
    try:
        connection = connect(path)
    except UNREADABLE:
        return None
    with contextlib.suppress(*UNREADABLE):  # None: the ledger itself is read
        if is_views(connection):
            return connection
    connection.close()
    return None


def last_record(ledger: sqlite3.Connection, game_id: str) -> tuple[int, str] | None:
    """Return (position, line) of a game's last record, from the ledger's own view; None if there is no such game."""
    select = "SELECT position, line FROM records WHERE game = ? ORDER BY position DESC LIMIT 1"
    found: tuple[int, str] | None = ledger.execute(select, (game_id,)).fetchone()
    return found


def is_fresh(ledger: StorePath, views: sqlite3.Connection, game_id: str, edition: str = "") -> bool:
    """Return whether the read models show the ledger's last record of a game, as made by this edition of the program.

    The line itself is compared, so that read models of another ledger are never taken for this one's.
    """
    followed = views.execute("SELECT position, last_line, edition FROM game WHERE id = ?", (game_id,)).fetchone()
    if followed is None or followed[2] != edition:
        return False
    try:
        with contextlib.closing(connect(ledger)) as connection:
            return last_record(connection, game_id) == (followed[0], followed[1])
    except sqlite3.Error:  # opening the ledger reports the fault
        return False


def fresh_turn_view(ledger: StorePath, game_id: str, seat: str, edition: str = "") -> dict[str, Any] | None:
    """Return a seat's turn view, if it is stored and up to date, with `since`: the quick way of `umpire status`.

    None: catch up first (`projections.tables.updater`), or the game has no such seat.
    """
    views = open_views(ledger)
    if views is None:
        return None
    with contextlib.closing(views):
        try:
            if looked(views, game_id, ""):  # an older copy: opening the ledger reports it (`missing_records`)
                return None
            return stored_turn_view(views, game_id, seat) if is_fresh(ledger, views, game_id, edition) else None
        except (sqlite3.Error, ValueError):  # damaged rows: updating the read models reports them
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
    with contextlib.closing(views), contextlib.suppress(*UNREADABLE):  # 0: they are made again
        found = views.execute("SELECT CAST(position AS INTEGER) FROM game WHERE id = ?", (game_id,)).fetchone()
        return int(found[0] or 0) if found else 0
    return 0


def stored_turn_view(views: sqlite3.Connection, game_id: str, seat: str) -> dict[str, Any] | None:
    """Return a seat's turn view as stored, with `since`; None if there is none."""
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
    """Return whether these are valid stored orders; a damaged file may contain anything."""
    return isinstance(last, list) and all(isinstance(one, dict) and type(one.get("position")) is int for one in last)


def lag(last: list[dict[str, Any]], position: int) -> list[dict[str, Any]]:
    """Return the orders that begin after a position."""
    return [one for one in last if one["position"] > position]


def seats_of(views: sqlite3.Connection, game_id: str) -> dict[str, str]:
    """Return the seats that have a turn view, each with its side ("" for the referee and the spectator)."""
    return dict(typed(views.execute("SELECT seat, side FROM seat WHERE game = ? ORDER BY nth", (game_id,)), Pair))


def looked(views: "Tables", game_id: str, seat: str) -> int:
    """Return the read mark of a seat, 0 if it has none."""
    select = "SELECT position FROM looked WHERE game = ? AND seat = ? AND typeof(position) = 'integer'"
    found = views.execute(select, (game_id, seat)).fetchone()
    return int(found[0]) if found else 0


def last_looked(ledger: StorePath, game_id: str, seat: str) -> int:
    """Return the read mark of a seat, 0 if it has none or it cannot be read."""
    views = open_views(ledger)
    if views is None:
        return 0
    with contextlib.closing(views), contextlib.suppress(*UNREADABLE):  # a read mark is a convenience
        return looked(views, game_id, seat)
    return 0


def mark_read(ledger: StorePath, game_id: str, seat: str, position: int) -> None:
    """Set the read mark of a seat. Errors are ignored: it is only a convenience."""
    path = views_path(ledger)
    if path == MEMORY:
        return
    # A read mark is a convenience.
    with contextlib.suppress(*UNREADABLE), contextlib.closing(connect(path, write=True, timeout=0.2)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        record_read_mark(connection, game_id, seat, position)


def record_read_mark(connection: sqlite3.Connection, game_id: str, seat: str, position: int) -> None:
    """Set the read mark of a seat on an open connection."""
    if looked(connection, game_id, seat) != position:
        connection.execute(
            "INSERT OR REPLACE INTO looked (game, seat, position) VALUES (?, ?, ?)", (game_id, seat, position)
        )
