"""Compare stored read models with freshly made ones, row by row, and report each forged or damaged row.

Both are files; read models in a database are copied into one. SQLite compares them, so that memory use does not grow
with the length of a game.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from umpire_ledger.projections.tables import search_index, title_views
from umpire_ledger.projections.tables.catalogue import BY_ROW, TABLES
from umpire_ledger.projections.tables.seat_visibility import NO_STATE, Knowledge, eyes_named
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import connect, is_views, row_id, trouble

NOT_COMPARED = ("looked", "snapshot")
"""Tables that are not compared here: read marks, which no record contains, and snapshots (see `false_snapshots`)."""

MADE_AT_LOOKING = ("turn_view",)
"""Tables whose rows are made on demand, so that they may be missing; existing rows must be right."""

MOST = 1000
"""The most differing rows of a table to fetch, which are enough to report a larger forgery."""


class FalseRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row that the ledger does not confirm. `key`: its key columns, without the game."""

    table: str
    key: tuple[Any, ...]
    what: Literal["differs", "is missing", "is not in the ledger"]


class CopyCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Findings in a copy of read models. `fault`: damage that SQLite reports, or "".

    `search_fits`, `titles_fit`: whether the search index and the views of titles are right. `looked`: the number of
    read marks.
    """

    fault: str = ""
    search_fits: bool = True
    titles_fit: bool = True
    looked: int = 0


def copied(views: str, copy: Path) -> CopyCheck | None:
    """Copy read models into a new file, and check it; return None if they are of another format.

    Raises:
        StoreUnavailable: When they cannot be read.
    """
    with trouble(views), closing(connect(views)) as stored:
        if not is_views(stored):
            return None
        with closing(sqlite3.connect(copy)) as target:
            stored.backup(target)
    with trouble(views), closing(connect(copy, write=True)) as connection:
        with suppress(sqlite3.Error):  # The integrity check reports damage.
            search_index.fill_all(connection)
        faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
        if faults:
            return CopyCheck(fault=" ".join(faults[0].split()))
        looked = connection.execute("SELECT count(*) FROM looked").fetchone()[0]
        fit = title_views.are_sound(connection)
        return CopyCheck(search_fits=_search_fits(connection), titles_fit=fit, looked=looked)


def _search_fits(connection: sqlite3.Connection) -> bool:
    """Return whether the search index contains the words of the audit trail."""
    try:
        connection.execute("INSERT INTO audit_fts (audit_fts, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError:
        return False
    return True


def edition_of(copy: Path, game_id: str) -> str | None:
    """Return the edition that made a game's rows; None if there are none.

    Raises:
        StoreUnavailable: When the copy cannot be read.
    """
    with trouble(copy), closing(connect(copy)) as stored:
        found = stored.execute("SELECT coalesce(edition, '') FROM game WHERE id = ?", (game_id,)).fetchone()
        return str(found[0]) if found else None


def compare(copy: Path, fresh: Follower, known: Knowledge, game_id: str, size: int) -> list[FalseRow]:
    """Return every row of a game that the ledger does not confirm.

    Raises:
        StoreUnavailable: When the copy cannot be read.
    """
    with trouble(copy), closing(connect(copy, write=True)) as stored:
        return [*false_rows(stored, fresh.path, game_id), *false_snapshots(stored, known, game_id, size)]


def false_rows(stored: sqlite3.Connection, fresh: str, game_id: str) -> Iterator[FalseRow]:
    """Yield the rows of a game that differ from those in the file `fresh`, table by table."""
    stored.execute("ATTACH ? AS fresh", (fresh,))
    try:
        keys = {name: _key(stored, name, game_id) for name in ("main", "fresh")}
        for table in TABLES:
            if table not in NOT_COMPARED:
                yield from _false_rows(stored, table, game_id, keys)
    finally:
        stored.execute("DETACH fresh")


def _key(connection: sqlite3.Connection, name: str, game_id: str) -> int:
    found = connection.execute(f"SELECT key FROM {name}.game WHERE id = ?", (game_id,)).fetchone()
    return int(found[0]) if found else 0


def _false_rows(stored: sqlite3.Connection, table: str, game_id: str, keys: dict[str, int]) -> Iterator[FalseRow]:
    key = TABLES[table].key
    selects = {name: _select(name, table, game_id, keys[name]) for name in keys}
    more = stored.execute(f"{selects['main']} EXCEPT {selects['fresh']} LIMIT {MOST}", {"game": game_id}).fetchall()
    less = stored.execute(f"{selects['fresh']} EXCEPT {selects['main']} LIMIT {MOST}", {"game": game_id}).fetchall()
    more, less = (list(map(_as_anywhere, rows)) for rows in (more, less))
    alike = {*more} & {*less}
    shown = _shown(table)
    at = [shown.index(name) for name in key if name != "game" or table == "game"]
    there, wanted = (
        {tuple(row[index] for index in at): None for row in rows if row not in alike} for rows in (more, less)
    )
    for found in {**there, **wanted}:
        what: Literal["differs", "is missing", "is not in the ledger"] = "differs"
        if found not in there:
            if table in MADE_AT_LOOKING:
                continue
            what = "is missing"
        elif found not in wanted:
            what = "is not in the ledger"
        yield FalseRow(table=table, key=found, what=what)


def _as_anywhere(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without NUL in its text, because some stores cannot hold it."""
    return tuple(one.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(one, str) else one for one in row)


def _shown(table: str) -> list[str]:
    """Return the columns that must be equal in both files."""
    return [name for name in TABLES[table].names if not (table == "game" and name == "key")]


def _select(name: str, table: str, game_id: str, key: int) -> str:
    """Return the SELECT for a game's rows in one of the two files, with the game's key subtracted from row ids."""
    first, last = row_id(key, 0), row_id(key + 1, -1)
    ids = TABLES[table].row_ids
    columns = ", ".join(f'"{column}"' + (f" - {first}" if column in ids else "") for column in _shown(table))
    if table == "game":
        return f"SELECT {columns} FROM {name}.game WHERE id = :game"
    if table not in BY_ROW:
        return f"SELECT {columns} FROM {name}.{table} WHERE game = :game"
    return f"SELECT {columns} FROM {name}.{table} WHERE id BETWEEN {first} AND {last} OR game = :game"


def false_snapshots(stored: sqlite3.Connection, fresh: Knowledge, game_id: str, size: int) -> Iterator[FalseRow]:
    """Yield the stored snapshots of seats' knowledge that differ from states rebuilt without snapshots."""
    select = "SELECT position, sees, state FROM snapshot WHERE game = ? AND schema = ? ORDER BY position, sees"
    for position, sees, state in stored.execute(select, (game_id, fresh.schema)).fetchall():
        try:
            seen = eyes_named(sees)
            fits = 1 <= position <= size and fresh.load(zlib.decompress(state)) == fresh.folded(game_id, seen, position)
        except NO_STATE:
            fits = False
        if not fits:
            yield FalseRow(table="snapshot", key=(position, sees), what="differs")
