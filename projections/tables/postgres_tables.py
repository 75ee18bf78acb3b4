"""Store read models in PostgreSQL, in schema `umpire_views` of the ledger's own database.

Rows and the position that they show change in one transaction, as in a file. One program at a time updates a game: it
takes an advisory lock on the game, reads the position again, and continues from there.

Searches use a `tsvector` column that the server generates from the searched columns. Text is split at punctuation and
stemmed as by FTS5's `porter`, and no stop words are left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.adapt import Loader
from psycopg.pq import TransactionStatus
from psycopg.types.string import StrDumper

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.projections.tables.catalogue import INDEXES, TABLES, VIEWS
from umpire_ledger.projections.tables.dialect import (
    SCHEMA,
    SEARCHED,
    MayNotWrite,
    StatementResult,
    Tables,
    Values,
    Words,
)
from umpire_ledger.projections.tables.views_file import FORMAT

MARK = "Umpire read models, format "
LOCKS = 0x554D5056  # "UMPV": the first of the two numbers of every advisory lock on read models
EVERY, LAYING = -1, -2
"""Second number of a lock on all games, or on creating the tables. A lock on one game has a hash of its id there."""
TYPES = {int: "bigint", str: 'text COLLATE "C"', bytes: "bytea"}
CONDITIONS = ("counts", "starts")
WEIGHTS = dict(zip(SEARCHED, "ABC", strict=True))
"""The `tsvector` weight that marks the words of each searched column."""
MOST_WORDS = 200_000
"""The most characters of a column that are indexed, because a `tsvector` can contain at most a megabyte."""
LONGEST_NAME = 63
BETWEEN_WORDS = r"[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\u00ab\u00b7\u00bb\u2010-\u2027\u2190-\u21ff]+"
"""Characters that separate words, both on the server and here. Other characters may depend on the server's locale."""
_cut = re.compile(BETWEEN_WORDS).split


class TableConnection:
    """A connection that behaves like one of `sqlite3`, except that errors are StoreUnavailable.

    It accepts the same SQL, and returns conditions as numbers. `name`: the name of the database, for messages.
    """

    def __init__(self, connection: psycopg.Connection[Any], name: str) -> None:
        self._connection = connection
        self._name = name
        self.dialect = Postgres()
        connection.adapters.register_loader("bool", _Number)
        connection.adapters.register_dumper(str, _Text)
        connection.execute(f"SET search_path = {SCHEMA}")
        connection.execute("SET default_transaction_read_only = off")

    @property
    def in_transaction(self) -> bool:
        return self._connection.info.transaction_status != TransactionStatus.IDLE

    @property
    def is_open(self) -> bool:
        """Whether the connection can still be used."""
        return not self._connection.closed and not self._connection.broken

    def execute(self, sql: str, values: Values = (), /) -> StatementResult:
        """Execute one statement.

        Raises:
            StoreUnavailable: When the database refuses it or cannot be reached.
        """
        try:
            return self._connection.execute(_translated(sql) if values else sql, values or None)
        except psycopg.Error as error:
            raise self._trouble(error) from error

    def executemany(self, sql: str, rows: Iterable[Values], /) -> StatementResult:
        """Execute one statement for many rows.

        Raises:
            StoreUnavailable: When the database refuses it or cannot be reached.
        """
        if isinstance(rows, list) and len(rows) == 1:  # executemany sends more messages.
            return self.execute(sql, rows[0])
        try:
            cursor = self._connection.cursor()
            cursor.executemany(_translated(sql), rows)
        except psycopg.Error as error:
            raise self._trouble(error) from error
        return cursor

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _trouble(self, error: psycopg.Error) -> StoreUnavailable:
        said = str(error).split("\n", maxsplit=1)[0]
        remedy = "the ledger still has every record: try `umpire rebuild`"
        if isinstance(error, pg.LockNotAvailable):
            remedy = "the ledger still has every record; another program is writing the read models: try again later"
        what = f"the read models in schema {SCHEMA} of {self._name} cannot be used: {said}"
        kind = MayNotWrite if isinstance(error, pg.InsufficientPrivilege) else StoreUnavailable
        return kind(what, where=self._name, remedy=remedy)


class _Text(StrDumper):
    """Sends text to PostgreSQL without NUL, which a log may contain but PostgreSQL cannot store."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj)


class _Number(Loader):
    """Reads a condition as SQLite returns it: 1 or 0."""

    def load(self, data: Any) -> int:
        return int(bytes(data) == b"t")


@lru_cache(maxsize=1024)
def _translated(sql: str) -> str:
    """Return a statement with the driver's placeholders `%s` and `%(name)s`."""
    sql = re.sub(r"(?<![:\w]):(\w+)", r"%(\1)s", sql.replace("%", "%%"))
    return sql.replace("char(10)", "chr(10)").replace("?", "%s")


class Postgres:
    """The SQL dialect of PostgreSQL."""

    begin = "BEGIN"
    hits = f"audit WHERE audit.words @@ to_tsquery('{SCHEMA}.words', :match) AND audit.id BETWEEN :first AND :last"
    hit = "audit.id"
    rank = f"ts_rank(audit.words, to_tsquery('{SCHEMA}.words', :match)) DESC, audit.id DESC"

    def __init__(self) -> None:
        self._asked = itertools.count()

    def written(self, connection: Tables) -> int:
        """Return a new number each time, because the server does not report other writers."""
        return next(self._asked)

    def hold(self, connection: Tables, game_id: str | None) -> None:
        """Take an advisory lock on the game until the transaction ends; a rebuild of all games waits for every game."""
        if game_id is None:
            connection.execute("SELECT pg_advisory_xact_lock(?, ?)", (LOCKS, EVERY))
            return
        both = "SELECT pg_advisory_xact_lock_shared(?, ?), pg_advisory_xact_lock(?, hashtext(?) & 2147483647)"
        connection.execute(both, (LOCKS, EVERY, LOCKS, game_id))

    def wait(self, connection: Tables, seconds: float) -> None:
        """Set the lock timeout."""
        connection.execute(f"SET lock_timeout = {max(1, round(seconds * 1000))}")

    def next_key(self, connection: Tables) -> int:
        """Return the next value of a sequence, because two programs may add games at the same time."""
        return int(connection.execute(f"SELECT nextval('{SCHEMA}.game_keys')").fetchone()[0])

    def emptied(self, connection: Tables) -> None:
        """Restart the sequence of keys."""
        connection.execute(f"ALTER SEQUENCE {SCHEMA}.game_keys RESTART")

    def match(self, every: Sequence[Words]) -> str:
        """Return a `tsquery` for all of the words; words without letters or digits find nothing, as with FTS5."""
        return " & ".join(map(_phrase, every))

    def match_any(self, some: Sequence[Words]) -> str:
        """Return a `tsquery` for any of the words."""
        return " | ".join(map(_phrase, some))

    def index(self, connection: Tables, first: int, last: int) -> None:
        """Do nothing: the column is generated."""

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """Do nothing: the column is generated."""

    def unindex_all(self, connection: Tables) -> None:
        """Do nothing: the column is generated."""

    def attribute(self, name: str) -> str:
        """Return the SQL expression for a unit's attribute as JSON, so that a number stays a number."""
        return f"(units.attributes::jsonb -> '{name}')"

    def fits(self, name: str) -> bool:
        """Return whether the name is short enough, because PostgreSQL truncates longer names."""
        return len(name) <= LONGEST_NAME

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """Return the views of titles with their statements, which are stored as comments on the views.

        In a transaction, it first takes the lock for creating views.
        """
        if connection.in_transaction:
            connection.execute(f"SELECT pg_advisory_xact_lock({LOCKS}, {LAYING})")
        return dict(
            connection.execute(
                "SELECT relname, coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class"
                f" WHERE relnamespace = '{SCHEMA}'::regnamespace AND relkind = 'v' AND starts_with(relname, 'units_')"
            )
        )

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """Create a view, and store its statement as a comment, because PostgreSQL does not keep it."""
        connection.execute(sql)
        quoted = sql.replace("'", "''")
        connection.execute(f"COMMENT ON VIEW \"{name}\" IS '{quoted}'")

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """Return the names of a view's columns from the server's `information_schema`."""
        select = "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
        return {name for (name,) in connection.execute(select, (SCHEMA, view))}


def _phrase(words: Words) -> str:
    """Return the `tsquery` for words that follow each other.

    In some locales a server does not convert non-ASCII capitals to lower case, so the query accepts both forms.
    """
    ways = dict.fromkeys((words.words.lower(), _lower_ascii(words.words)))
    return f"({' | '.join(f'({_in_order(_cut(way), words)})' for way in ways)})"


def _lower_ascii(words: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in words)


def _in_order(words: list[str], one: Words) -> str:
    weight = WEIGHTS.get(one.column, "")
    said = [f"'{word}':{weight}" if weight else f"'{word}'" for word in words if word]
    if one.open and said:
        said[-1] += "*" if weight else ":*"
    return " <-> ".join(said) or "'nothing' & !'nothing'"


# --- laying -----------------------------------------------------------------------------------------------------------


def open_for_writing(connection: psycopg.Connection[Any], name: str, timeout: float) -> TableConnection:
    """Return the read models of a database, created if they are missing or of another format.

    Raises:
        StoreUnavailable: When the database cannot be used.
        MayNotWrite: When the role may not write the tables.
    """
    found = TableConnection(connection, name)
    found.dialect.wait(found, timeout)
    if format_of(found) != FORMAT:
        found.execute("BEGIN")
        try:
            lay(found)
            found.execute("COMMIT")
        except BaseException:
            found.execute("ROLLBACK")
            raise
    if not _may_write(found):
        what = f"this role may not write the read models in schema {SCHEMA} of {name}"
        raise MayNotWrite(what, where=name, remedy="`umpire db upgrade --role` grants the right")
    return found


def _may_write(connection: Tables) -> bool:
    """Return whether this role may use the schema and write its tables."""
    rights = (
        "SELECT has_schema_privilege(nspname, 'USAGE') AND (SELECT bool_and(has_table_privilege(oid, 'INSERT, DELETE'))"
        " FROM pg_class WHERE relnamespace = pg_namespace.oid AND relkind = 'r') FROM pg_namespace WHERE nspname = ?"
    )
    return bool(connection.execute(rights, (SCHEMA,)).fetchone()[0])


def bring_up(connection: psycopg.Connection[Any], name: str, role: str) -> None:
    """Create the tables for a role that plays.

    Raises:
        StoreUnavailable: When the database cannot be used.
    """
    found = TableConnection(connection, name)
    found.execute("BEGIN")
    try:
        lay(found, role)
        found.execute("COMMIT")
    finally:
        found.close()


def format_of(connection: Tables) -> int:
    """Return the format of the tables; 0 if there are none."""
    select = f"SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = '{SCHEMA}'"
    row = connection.execute(select).fetchone()
    number = (row[0] if row and row[0] else "").removeprefix(MARK)
    return int(number) if number.isdigit() else 0


def lay(connection: Tables, role: str = "") -> None:
    """Create the tables in a transaction, replace those of another format, and give `role` the right to write them.

    If two programs begin at the same time, one waits for the other, and then has nothing to create.
    """
    connection.execute(f"SELECT pg_advisory_xact_lock({LOCKS}, {LAYING})")
    if format_of(connection) != FORMAT:
        for statement in statements():
            connection.execute(statement)
    if role:
        quoted = '"' + role.replace('"', '""') + '"'
        connection.execute(f"GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {quoted}")
        for kind in ("TABLES", "SEQUENCES"):
            connection.execute(f"GRANT ALL ON ALL {kind} IN SCHEMA {SCHEMA} TO {quoted}")


def statements() -> list[str]:
    """Return the statements that create the tables."""
    return [
        f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE",
        f"CREATE SCHEMA {SCHEMA}",
        f"SET LOCAL search_path = {SCHEMA}",
        "CREATE SEQUENCE game_keys",
        "CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, Language = porter)",
        "CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple)",
        "ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword, word, numword WITH stems",
        # A generated column accepts only immutable functions, and the server's own functions are not immutable.
        f"""CREATE FUNCTION words_of(said text, weight "char") RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
            SELECT setweight(to_tsvector('{SCHEMA}.words',
                regexp_replace(left(said, {MOST_WORDS}), '{BETWEEN_WORDS}', ' ', 'g')), weight) $$""",
        "CREATE FUNCTION instr(said text, part text) RETURNS integer LANGUAGE sql IMMUTABLE AS"
        " $$ SELECT strpos(said, part) $$",
        *(_create(name) for name in TABLES),
        "CREATE INDEX audit_words ON audit USING gin (words)",
        *(f"CREATE INDEX {table}_{column} ON {table} ({column})" for table, column in INDEXES),
        *(f"CREATE VIEW {name} AS {view.select}" for name, view in VIEWS.items()),
        f"COMMENT ON SCHEMA {SCHEMA} IS '{MARK}{FORMAT}'",
    ]


def _create(name: str) -> str:
    table = TABLES[name]
    columns = [
        f"{one.name} {'boolean' if one.name in CONDITIONS else TYPES[one.type]}"
        f"{' NOT NULL' if one.name in table.key else ''}"
        for one in table.columns
    ]
    if name == "audit":
        parts = " || ".join(f"words_of({column}, '{weight}')" for column, weight in WEIGHTS.items())
        columns.append(f"words tsvector GENERATED ALWAYS AS ({parts}) STORED")
    return f"CREATE TABLE {name} ({', '.join(columns)}, PRIMARY KEY ({', '.join(table.key)}))"
