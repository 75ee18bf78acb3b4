"""Read models in PostgreSQL: in the database of the ledger, in a schema of their own, `umpire_views`.

Rows and the position they stand at change in one transaction, as in a file. A game is followed by one program at a
time: whoever begins takes an advisory lock on it, asks anew how far it is followed, and goes on from there.

Words are found by a `tsvector` that the table makes of its own columns: cut at everything that is no letter and no
digit, and to their stems as FTS5's `porter` does it, no word left out.
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
from umpire_ledger.projections.tables.dialect import SCHEMA, SEARCHED, Found, MayNotWrite, Tables, Values, Words
from umpire_ledger.projections.tables.views_file import FORMAT

MARK = "Umpire read models, format "
LOCKS = 0x554D5056  # "UMPV": the first of the two numbers of every advisory lock on read models
EVERY, LAYING = -1, -2
"""The second: all games, the tables themselves; else a hash of the game's id."""
TYPES = {int: "bigint", str: 'text COLLATE "C"', bytes: "bytea"}
CONDITIONS = ("counts", "starts")
WEIGHTS = dict(zip(SEARCHED, "ABC", strict=True))
"""By which a word of one column is told from that of another."""
MOST_WORDS = 200_000
"""Characters of a column that can be searched; a `tsvector` holds no more than a megabyte."""
LONGEST_NAME = 63
BETWEEN_WORDS = r"[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\u00ab\u00b7\u00bb\u2010-\u2027\u2190-\u21ff]+"
"""Signs that are in no word, for the server and here: what else is a letter it may know in another locale only."""
_cut = re.compile(BETWEEN_WORDS).split


class TableConnection:
    """A connection that behaves as `sqlite3`'s does: the same SQL, numbers for conditions, StoreUnavailable for errors.

    `name`: of the database, for people.
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
        """Whether it can still be used."""
        return not self._connection.closed and not self._connection.broken

    def execute(self, sql: str, values: Values = (), /) -> Found:
        """One statement. Raises StoreUnavailable."""
        try:
            return self._connection.execute(_translated(sql) if values else sql, values or None)
        except psycopg.Error as error:
            raise self._trouble(error) from error

    def executemany(self, sql: str, rows: Iterable[Values], /) -> Found:
        """The same for many rows. Raises StoreUnavailable."""
        if isinstance(rows, list) and len(rows) == 1:  # the driver's way for many has more to say to the server
            return self.execute(sql, rows[0])
        try:
            cursor = self._connection.cursor()
            cursor.executemany(_translated(sql), rows)
        except psycopg.Error as error:
            raise self._trouble(error) from error
        return cursor

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    def _trouble(self, error: psycopg.Error) -> StoreUnavailable:
        said = str(error).split("\n", maxsplit=1)[0]
        remedy = "nothing is lost, the ledger holds everything: try `umpire rebuild`"
        if isinstance(error, pg.LockNotAvailable):
            remedy = "nothing is lost, the ledger holds everything: another program writes them, try again later"
        what = f"the read models in schema {SCHEMA} of {self._name} cannot be used: {said}"
        kind = MayNotWrite if isinstance(error, pg.InsufficientPrivilege) else StoreUnavailable
        return kind(what, where=self._name, remedy=remedy)


class _Text(StrDumper):
    """Text as PostgreSQL takes it: it has no place for NUL, which a log may hold."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj)


class _Number(Loader):
    """A condition as SQLite gives it: 1 or 0."""

    def load(self, data: Any) -> int:
        return int(bytes(data) == b"t")


@lru_cache(maxsize=1024)
def _translated(sql: str) -> str:
    """Values as the driver has them: `%s`, `%(name)s`."""
    sql = re.sub(r"(?<![:\w]):(\w+)", r"%(\1)s", sql.replace("%", "%%"))
    return sql.replace("char(10)", "chr(10)").replace("?", "%s")


class Postgres:
    """PostgreSQL's way."""

    begin = "BEGIN"
    hits = f"audit WHERE audit.words @@ to_tsquery('{SCHEMA}.words', :match) AND audit.id BETWEEN :first AND :last"
    hit = "audit.id"
    rank = f"ts_rank(audit.words, to_tsquery('{SCHEMA}.words', :match)) DESC, audit.id DESC"

    def __init__(self) -> None:
        self._asked = itertools.count()

    def written(self, connection: Tables) -> int:
        """Always another: the server does not say who has written."""
        return next(self._asked)

    def hold(self, connection: Tables, game: str | None) -> None:
        """An advisory lock on the game, until the transaction ends; whoever makes all games anew waits for all."""
        if game is None:
            connection.execute("SELECT pg_advisory_xact_lock(?, ?)", (LOCKS, EVERY))
            return
        both = "SELECT pg_advisory_xact_lock_shared(?, ?), pg_advisory_xact_lock(?, hashtext(?) & 2147483647)"
        connection.execute(both, (LOCKS, EVERY, LOCKS, game))

    def wait(self, connection: Tables, seconds: float) -> None:
        """At most so long."""
        connection.execute(f"SET lock_timeout = {max(1, round(seconds * 1000))}")

    def next_key(self, connection: Tables) -> int:
        """From a sequence: two programs may follow two new games at once."""
        return int(connection.execute(f"SELECT nextval('{SCHEMA}.game_keys')").fetchone()[0])

    def emptied(self, connection: Tables) -> None:
        """The sequence begins again."""
        connection.execute(f"ALTER SEQUENCE {SCHEMA}.game_keys RESTART")

    def match(self, every: Sequence[Words]) -> str:
        """A `tsquery`; words of which no letter is left find nothing, as with FTS5."""
        return " & ".join(map(_phrase, every))

    def match_any(self, some: Sequence[Words]) -> str:
        """Likewise."""
        return " | ".join(map(_phrase, some))

    def index(self, connection: Tables, first: int, last: int) -> None:
        """The table does it itself."""

    def unindex(self, connection: Tables, first: int, last: int) -> None:
        """Likewise."""

    def unindex_all(self, connection: Tables) -> None:
        """Likewise."""

    def attribute(self, name: str) -> str:
        """As JSON: a number stays one."""
        return f"(units.attributes::jsonb -> '{name}')"

    def fits(self, name: str) -> bool:
        """A longer name would be cut."""
        return len(name) <= LONGEST_NAME

    def laid_views(self, connection: Tables) -> dict[str, str]:
        """PostgreSQL keeps no statement: it is noted beside the view. Whoever may lay some does it alone."""
        if connection.in_transaction:
            connection.execute(f"SELECT pg_advisory_xact_lock({LOCKS}, {LAYING})")
        return dict(
            connection.execute(
                "SELECT relname, coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class"
                f" WHERE relnamespace = '{SCHEMA}'::regnamespace AND relkind = 'v' AND starts_with(relname, 'units_')"
            )
        )

    def lay_view(self, connection: Tables, name: str, sql: str) -> None:
        """With its statement beside it."""
        connection.execute(sql)
        quoted = sql.replace("'", "''")
        connection.execute(f"COMMENT ON VIEW \"{name}\" IS '{quoted}'")

    def columns_of(self, connection: Tables, view: str) -> set[str]:
        """By the server's table of columns."""
        select = "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
        return {name for (name,) in connection.execute(select, (SCHEMA, view))}


def _phrase(one: Words) -> str:
    """Words in their order. In another locale a server leaves large letters beyond ASCII alone: both are tried."""
    ways = dict.fromkeys((one.words.lower(), _lower_ascii(one.words)))
    return f"({' | '.join(f'({_in_order(_cut(way), one)})' for way in ways)})"


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
    """The read models of a database, laid if they are missing, laid anew if of another format.

    Raises StoreUnavailable, also where the role may not lay them.
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
        what = f"the read models in schema {SCHEMA} of {name} may not be written by this role"
        raise MayNotWrite(what, where=name, remedy="`umpire db upgrade --role` gives it the right")
    return found


def _may_write(connection: Tables) -> bool:
    """Whether this role may look into the schema, and write its tables."""
    rights = (
        "SELECT has_schema_privilege(nspname, 'USAGE') AND (SELECT bool_and(has_table_privilege(oid, 'INSERT, DELETE'))"
        " FROM pg_class WHERE relnamespace = pg_namespace.oid AND relkind = 'r') FROM pg_namespace WHERE nspname = ?"
    )
    return bool(connection.execute(rights, (SCHEMA,)).fetchone()[0])


def bring_up(connection: psycopg.Connection[Any], name: str, role: str) -> None:
    """Lay them for a role that is to play. Raises StoreUnavailable."""
    found = TableConnection(connection, name)
    found.execute("BEGIN")
    try:
        lay(found, role)
        found.execute("COMMIT")
    finally:
        found.close()


def format_of(connection: Tables) -> int:
    """That of the tables; 0 where there are none."""
    select = f"SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = '{SCHEMA}'"
    row = connection.execute(select).fetchone()
    number = (row[0] if row and row[0] else "").removeprefix(MARK)
    return int(number) if number.isdigit() else 0


def lay(connection: Tables, role: str = "") -> None:
    """Lay the tables, those of another format thrown away; `role` may write them. In a transaction.

    Two that begin at once are both fine: one waits for the other, and finds nothing to do.
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
    """What lays them."""
    return [
        f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE",
        f"CREATE SCHEMA {SCHEMA}",
        f"SET LOCAL search_path = {SCHEMA}",
        "CREATE SEQUENCE game_keys",
        "CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, Language = porter)",
        "CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple)",
        "ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword, word, numword WITH stems",
        # Not the server's own functions alone: a generated column takes only what never changes.
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
