"""Fill the search index over the words of the audit trail, many rows at a time.

Updating the index with every order would cost as much as writing all other rows. So after an order it may lag by fewer
than `LAG` records. A search, and closing the read models, complete it first. `game.searched` is its last position.
"""

from umpire_ledger.projections.tables.dialect import Tables, dialect_of
from umpire_ledger.projections.tables.views_file import row_id

LAG = 64
"""The number of unindexed records at which a game's index is filled."""


def fill(connection: Tables, key: int, searched: int, position: int) -> None:
    """Index the words of the records after `searched`, up to a position."""
    if searched < position:
        dialect_of(connection).index(connection, row_id(key, searched + 1), row_id(key, position))
    connection.execute("UPDATE game SET searched = ? WHERE key = ?", (position, key))


def fill_all(connection: Tables) -> None:
    """Index the records of every game that are not indexed yet."""
    behind = connection.execute("SELECT key, searched, position FROM game WHERE searched < position").fetchall()
    for key, searched, position in behind:
        fill(connection, key, searched, position)


def empty(connection: Tables, key: int, searched: int) -> None:
    """Remove a game's words from the index, before its rows are deleted."""
    dialect_of(connection).unindex(connection, row_id(key, 1), row_id(key, searched))


def empty_all(connection: Tables) -> None:
    """Empty the index of all games."""
    dialect_of(connection).unindex_all(connection)
