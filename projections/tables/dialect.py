"""Define the differences between the SQL of SQLite and PostgreSQL for the read models.

Other modules write SQL that both accept: `?` and `:name` for values, ON CONFLICT for existing rows, boolean conditions
(`counts`, `starts`), and a name for each inner query. `dialect_of` returns everything else. The dialect of PostgreSQL
is in `postgres_tables.py`, which needs the database driver and is imported only for a database.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from umpire_ledger.ledger.records.errors import StoreUnavailable

SCHEMA = "umpire_views"
"""The schema of the read models in a PostgreSQL ledger."""
Values = Sequence[Any] | Mapping[str, Any]


class MayNotWrite(StoreUnavailable):
    """The database role has no right to write the read models; trying again does not help."""


class StatementResult(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Tables(Protocol):
    """A connection to read models, of `sqlite3` or with the same behavior."""

    @property
    def in_transaction(self) -> bool: ...

    def execute(self, sql: str, values: Values = (), /) -> StatementResult: ...

    def executemany(self, sql: str, rows: Iterable[Values], /) -> StatementResult: ...

    def close(self) -> None: ...


class Words(NamedTuple):
    """Words that must occur together. `column`: the column to search, or "". `open`: the last word may be longer."""

    words: str
    column: str = ""
    open: bool = False


class Dialect(Protocol):
    """The differences between databases."""

    @property
    def begin(self) -> str:
        """The statement that begins a transaction."""

    @property
    def hits(self) -> str:
        """The FROM and WHERE clauses for audit rows that match `:match`, with ids from `:first` to `:last`."""

    @property
    def hit(self) -> str:
        """The expression for the id of a matching row by which it can be sorted fastest."""

    @property
    def rank(self) -> str:
        """The ORDER BY expression that sorts the best matches first."""

    def written(self, connection: Tables) -> int:
        """Return a number that changes whenever another connection may have written the read models."""

    def hold(self, connection: Tables, game_id: str | None) -> None:
        """Lock the rows of a game, or of every game if None, against other writers until the transaction ends."""

    def wait(self, connection: Tables, seconds: float) -> None:
        """Set how many seconds to wait while another program writes."""

    def next_key(self, connection: Tables) -> int:
        """Return the key for a new game."""

    def emptied(self, connection: Tables) -> None:
        """Restart the keys, because no game remains."""

    def match(self, every: Sequence[Words]) -> str:
        """Return the search term for rows that contain all of these words; "" for no words."""

    def match_any(self, some: Sequence[Words]) -> str:
        """Return the search term for rows that contain any of these words."""

    def index(self, connection: Tables, first: int, last: int) -> None:
        """Add the words of the rows between two ids to the search index."""

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """Remove the words of the rows between two ids from the search index, before the rows are deleted."""

    def unindex_all(self, connection: Tables) -> None:
        """Remove all rows from the search index."""

    def attribute(self, name: str) -> str:
        """Return the SQL expression for a unit's attribute as a column of a title's view."""

    def fits(self, name: str) -> bool:
        """Return whether the database accepts this name for a view or a column."""

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """Return the views of titles, each with its CREATE statement."""

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """Create a view of a title from its statement."""

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """Return the names of a view's columns; an empty set if the view does not exist."""


SEARCHED = ("text", "cause", "units")
_NAMES = ", ".join(SEARCHED)
_ROWS = f"id, {_NAMES} FROM audit WHERE id BETWEEN ? AND ?"


class Sqlite:
    """SQL of SQLite; its search index is FTS5, with the rows of the audit trail as its content."""

    begin = "BEGIN IMMEDIATE"
    # CROSS JOIN keeps SQLite from walking the table and asking the index row by row.
    hits = (
        "audit_fts CROSS JOIN audit ON audit.id = audit_fts.rowid"
        " WHERE audit_fts MATCH :match AND audit_fts.rowid BETWEEN :first AND :last"
    )
    hit = "audit_fts.rowid"
    rank = "rank"

    def written(self, connection: Tables) -> int:
        """Return SQLite's `data_version`, which changes when another connection writes."""
        return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def hold(self, connection: Tables, game_id: str | None) -> None:
        """Do nothing, because a writing transaction locks the whole file."""

    def wait(self, connection: Tables, seconds: float) -> None:
        """Set SQLite's busy timeout."""
        connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def next_key(self, connection: Tables) -> int:
        """Return the highest key plus 1."""
        return int(connection.execute("SELECT coalesce(max(key), 0) + 1 FROM game").fetchone()[0])

    def emptied(self, connection: Tables) -> None:
        """Do nothing, because `next_key` starts at 1 in an empty table."""

    def match(self, every: Sequence[Words]) -> str:
        """Return an FTS5 query for all of the words."""
        return " AND ".join(map(_phrase, every))

    def match_any(self, some: Sequence[Words]) -> str:
        """Return an FTS5 query for any of the words."""
        return " OR ".join(map(_phrase, some))

    def index(self, connection: Tables, first: int, last: int) -> None:
        """Index the words of the rows."""
        connection.execute(f"INSERT INTO audit_fts (rowid, {_NAMES}) SELECT {_ROWS}", (first, last))

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """Remove rows from the index, which reads their words from the table."""
        take_out = f"INSERT INTO audit_fts (audit_fts, rowid, {_NAMES}) SELECT 'delete', {_ROWS}"
        connection.execute(take_out, (first, last))

    def unindex_all(self, connection: Tables) -> None:
        """Empty the index with one statement."""
        connection.execute("INSERT INTO audit_fts (audit_fts) VALUES ('delete-all')")

    def attribute(self, name: str) -> str:
        """Return the SQL expression for a unit's attribute; a number stays a number."""
        return f"""json_extract(units.attributes, '$."{name}"')"""

    def fits(self, name: str) -> bool:
        """Return True, because SQLite accepts names of any length."""
        return True

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """Return the views of titles from SQLite's schema, which stores their statements."""
        return dict(
            connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name GLOB 'units_*'")
        )

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """Run the statement unchanged."""
        connection.execute(sql)

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """Return the names of a view's columns from SQLite's schema."""
        return {column for _, column, *_ in connection.execute(f"PRAGMA table_info({view})")}


def _phrase(one: Words) -> str:
    column = f"{one.column} : " if one.column else ""
    quoted = one.words.replace('"', '""')
    return f'{column}"{quoted}"{"*" if one.open else ""}'


SQLITE = Sqlite()


def dialect_of(connection: Tables) -> Dialect:
    """Return the dialect of a connection; for a connection of `sqlite3`, that of SQLite."""
    found: Dialect = getattr(connection, "dialect", SQLITE)
    return found
