"""What read models are written with: one SQL for SQLite and PostgreSQL, and here alone what the two say differently.

Everybody else writes SQL that both take: `?` and `:name` for values, ON CONFLICT for what may be there, conditions that
are conditions (`counts`, `starts`), a name for each inner query. `dialect_of` a connection has the rest; PostgreSQL's
is in `postgres_tables.py`, which needs its driver and is imported only where there is a database.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from umpire_ledger.ledger.records.errors import StoreUnavailable

SCHEMA = "umpire_views"
"""Where the read models of a ledger in PostgreSQL lie."""
Values = Sequence[Any] | Mapping[str, Any]


class MayNotWrite(StoreUnavailable):
    """A role that plays has no right to read models in the database, and will have none later."""


class Found(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Tables(Protocol):
    """A connection to read models: that of `sqlite3`, or one that behaves like it."""

    @property
    def in_transaction(self) -> bool: ...

    def execute(self, sql: str, values: Values = (), /) -> Found: ...

    def executemany(self, sql: str, rows: Iterable[Values], /) -> Found: ...

    def close(self) -> None: ...


class Words(NamedTuple):
    """Words that must stand together, the last of them with any ending if `open`; in one column, or in any."""

    words: str
    column: str = ""
    open: bool = False


class Dialect(Protocol):
    """What is said differently."""

    @property
    def begin(self) -> str:
        """Begins a transaction."""

    @property
    def hits(self) -> str:
        """FROM … WHERE …: rows of the audit trail that have words (`:match`), between two ids (`:first`, `:last`)."""

    @property
    def hit(self) -> str:
        """The id of such a row, as it is fastest sorted by."""

    @property
    def rank(self) -> str:
        """Sorts the best of them first."""

    def written(self, connection: Tables) -> int:
        """Another number whenever another connection may have written the read models."""

    def hold(self, connection: Tables, game: str | None) -> None:
        """In a transaction that has begun: nobody else writes the rows of a game meanwhile; None: of any."""

    def wait(self, connection: Tables, seconds: float) -> None:
        """How long to wait for another program that writes."""

    def next_key(self, connection: Tables) -> int:
        """The key of a game that is new."""

    def emptied(self, connection: Tables) -> None:
        """No game is left: keys begin again."""

    def match(self, every: Sequence[Words]) -> str:
        """What finds rows that have all of these; "" for none."""

    def match_any(self, some: Sequence[Words]) -> str:
        """What finds rows that have any of these."""

    def index(self, connection: Tables, first: int, last: int) -> None:
        """Take the words of the rows between two ids into the index."""

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """Take them out, before the rows go."""

    def unindex_all(self, connection: Tables) -> None:
        """The same for all rows."""

    def attribute(self, name: str) -> str:
        """A unit's attribute, as a column of a title's view."""

    def fits(self, name: str) -> bool:
        """Whether a view or a column may be called so."""

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """The views of titles, each with the statement that laid it."""

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """Lay one, by its statement."""

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """The names of its columns; none where it is not there."""


SEARCHED = ("text", "cause", "units")
_NAMES = ", ".join(SEARCHED)
_ROWS = f"id, {_NAMES} FROM audit WHERE id BETWEEN ? AND ?"


class Sqlite:
    """SQLite's way; its search index is FTS5, with the rows of the audit trail as its content."""

    begin = "BEGIN IMMEDIATE"
    # CROSS JOIN keeps SQLite from walking the table and asking the index row by row.
    hits = (
        "audit_fts CROSS JOIN audit ON audit.id = audit_fts.rowid"
        " WHERE audit_fts MATCH :match AND audit_fts.rowid BETWEEN :first AND :last"
    )
    hit = "audit_fts.rowid"
    rank = "rank"

    def written(self, connection: Tables) -> int:
        """SQLite counts what other connections write."""
        return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def hold(self, connection: Tables, game: str | None) -> None:
        """A transaction that has begun to write holds the whole file."""

    def wait(self, connection: Tables, seconds: float) -> None:
        """At most so long."""
        connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def next_key(self, connection: Tables) -> int:
        """Behind the highest."""
        return int(connection.execute("SELECT coalesce(max(key), 0) + 1 FROM game").fetchone()[0])

    def emptied(self, connection: Tables) -> None:
        """There is no highest."""

    def match(self, every: Sequence[Words]) -> str:
        """FTS5's own words."""
        return " AND ".join(map(_phrase, every))

    def match_any(self, some: Sequence[Words]) -> str:
        """Likewise."""
        return " OR ".join(map(_phrase, some))

    def index(self, connection: Tables, first: int, last: int) -> None:
        """From the rows."""
        connection.execute(f"INSERT INTO audit_fts (rowid, {_NAMES}) SELECT {_ROWS}", (first, last))

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """The index asks the rows what to take out."""
        take_out = f"INSERT INTO audit_fts (audit_fts, rowid, {_NAMES}) SELECT 'delete', {_ROWS}"
        connection.execute(take_out, (first, last))

    def unindex_all(self, connection: Tables) -> None:
        """At once."""
        connection.execute("INSERT INTO audit_fts (audit_fts) VALUES ('delete-all')")

    def attribute(self, name: str) -> str:
        """A number stays one."""
        return f"""json_extract(units.attributes, '$."{name}"')"""

    def fits(self, name: str) -> bool:
        """Any length."""
        return True

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """SQLite keeps the statement."""
        return dict(
            connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name GLOB 'units_*'")
        )

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """As it is."""
        connection.execute(sql)

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """By SQLite's own table of columns."""
        return {column for _, column, *_ in connection.execute(f"PRAGMA table_info({view})")}


def _phrase(one: Words) -> str:
    column = f"{one.column} : " if one.column else ""
    quoted = one.words.replace('"', '""')
    return f'{column}"{quoted}"{"*" if one.open else ""}'


SQLITE = Sqlite()


def dialect_of(connection: Tables) -> Dialect:
    """That of a connection; SQLite's own says none."""
    found: Dialect = getattr(connection, "dialect", SQLITE)
    return found
