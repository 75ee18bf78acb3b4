"""The search index over the words of the audit trail: filled behind the rows, many at a time.

Filling it with every order would cost as much as all other rows together. So an order that is followed leaves it
behind by less than `LAG` records; whoever searches, and whoever closes the read models, fills it up first.
`game.searched` says up to where it is filled.
"""

import sqlite3

from umpire_ledger.projections.tables.schema import SEARCHED
from umpire_ledger.projections.tables.views_file import row_id

LAG = 64
"""Records of a game that may wait for the index."""
_NAMES = ", ".join(SEARCHED)
_ROWS = f"id, {_NAMES} FROM audit WHERE id BETWEEN ? AND ?"


def fill(connection: sqlite3.Connection, key: int, searched: int, position: int) -> None:
    """Take in the words of the records behind `searched`, up to a position."""
    if searched < position:
        connection.execute(
            f"INSERT INTO audit_fts (rowid, {_NAMES}) SELECT {_ROWS}",
            (row_id(key, searched + 1), row_id(key, position)),
        )
    connection.execute("UPDATE game SET searched = ? WHERE key = ?", (position, key))


def fill_all(connection: sqlite3.Connection) -> None:
    """The same for every game, up to where it is followed."""
    behind = connection.execute("SELECT key, searched, position FROM game WHERE searched < position").fetchall()
    for key, searched, position in behind:
        fill(connection, key, searched, position)


def empty(connection: sqlite3.Connection, key: int, searched: int) -> None:
    """Take a game's words out, before its rows go: the index asks the rows what to take out."""
    connection.execute(
        f"INSERT INTO audit_fts (audit_fts, rowid, {_NAMES}) SELECT 'delete', {_ROWS}",
        (row_id(key, 1), row_id(key, searched)),
    )


def empty_all(connection: sqlite3.Connection) -> None:
    """The same for all games."""
    connection.execute("INSERT INTO audit_fts (audit_fts) VALUES ('delete-all')")
