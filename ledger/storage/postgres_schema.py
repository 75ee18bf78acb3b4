"""Define the tables of a ledger in PostgreSQL, with their guards, grants and migrations.

Schema `umpire` has the tables `record` (the lines), `edge` (the compact range of each game's tree, stored with its last
record), `aside` (refusals), `beside` (changeable metadata) and `snapshot` (a cache). The comment of the schema names
the format. Every key begins with the game, and every statement is about one game, or is a listed query about all of
them, so that the tables can be spread by game over partitions or servers (`postgres_partitions.py`);
`tests/statements.py` checks each with a parser.

Records are protected twice: triggers refuse UPDATE, DELETE and TRUNCATE to every user, and the role that plays has no
right to them. That role may add records and refusals, and change compact ranges, metadata and snapshots. The owner of
the tables creates and changes them: `umpire db init|upgrade`, in one transaction, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from umpire_ledger.ledger.storage.postgres_partitions import partitioned

FORMAT = 1
"""Version of the tables. Each migration raises it by one."""
SCHEMA = "umpire"
LOCKS = 0x554D5052  # "UMPR": the first of the two numbers of every advisory lock of this program
LAYING, NUMBERING, NOTING = 1, 2, 3
"""The second number of a lock: for changing tables, for the library's numbers, for changing metadata."""
CHANNEL = "umpire"
"""The channel on which NOTIFY names a game that has grown."""
MARK = "Umpire ledger, store format "
APPENDED = ("record", "aside")
CHANGED = ("edge", "beside", "snapshot")

FORMAT_1 = (
    f"CREATE SCHEMA {SCHEMA}",
    # `number` is for programs that follow the library's notifications. An index on an `xact` column would cost more for
    # every record, so `changed_games` reads `edge` instead. COLLATE "C" orders by bytes, as SQLite does.
    """CREATE TABLE umpire.record (
        game text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        command text COLLATE "C",
        follows bigint,
        topic text,
        line bytea NOT NULL,
        number bigint GENERATED ALWAYS AS IDENTITY,
        PRIMARY KEY (game, position)
    )""",
    "CREATE UNIQUE INDEX record_command ON umpire.record (game, command) WHERE command IS NOT NULL",
    "CREATE INDEX record_follows ON umpire.record (game, position, follows) WHERE follows IS NOT NULL",
    "CREATE INDEX record_first ON umpire.record (game, number) WHERE position = 1",
    "CREATE INDEX record_number ON umpire.record (number)",
    """CREATE TABLE umpire.edge (
        game text COLLATE "C" PRIMARY KEY,
        size bigint NOT NULL,
        peaks bytea NOT NULL,
        root bytea NOT NULL,
        xact xid8 NOT NULL DEFAULT pg_current_xact_id()
    )""",
    "CREATE INDEX edge_xact ON umpire.edge (xact)",
    """CREATE TABLE umpire.aside (
        game text COLLATE "C" NOT NULL,
        id bigint NOT NULL,
        after bigint NOT NULL,
        at text NOT NULL,
        seat text NOT NULL,
        told bytea NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (game, id)
    )""",
    """CREATE TABLE umpire.beside (
        game text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        value text NOT NULL,
        PRIMARY KEY (game, kind, name)
    )""",
    "CREATE INDEX beside_named ON umpire.beside (kind, name)",
    """CREATE TABLE umpire.snapshot (
        game text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        PRIMARY KEY (game, position)
    )""",
    # With the primary key, this leaves no gap even with concurrent writers: an uncommitted record of another
    # transaction is not visible, and records are never removed. A game begins at 1; the library's tests begin some
    # at 0.
    """CREATE FUNCTION umpire.record_is_appended() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(%(locks)s, %(numbering)s);
            IF NEW.position > 1 AND EXISTS (
                SELECT 1 FROM umpire.record WHERE game = NEW.game AND position = NEW.position - 1
            ) THEN
                RETURN NEW;
            END IF;
            IF NEW.position IN (0, 1) AND NOT EXISTS (
                SELECT 1 FROM umpire.record WHERE game = NEW.game AND position >= NEW.position
            ) THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION 'a record is appended behind the last one, without a gap'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
    """CREATE FUNCTION umpire.stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'table % is never changed and nothing in it deleted', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END $$""",
    """CREATE TRIGGER record_is_appended BEFORE INSERT ON umpire.record
        FOR EACH ROW EXECUTE FUNCTION umpire.record_is_appended()""",
    *(
        f"CREATE TRIGGER {table}_{name} BEFORE {when} ON umpire.{table} FOR EACH {each} EXECUTE FUNCTION umpire.stays()"
        for table in APPENDED
        for name, when, each in (("stays", "UPDATE OR DELETE", "ROW"), ("is_kept", "TRUNCATE", "STATEMENT"))
    ),
)

MIGRATIONS: dict[int, tuple[str, ...]] = {0: FORMAT_1}
"""Statements from each format to the next; 0 is a database without a ledger. A released migration never changes."""

GUARDS = ("record_is_appended", "record_stays", "record_is_kept", "aside_stays", "aside_is_kept")


class SchemaState(NamedTuple):
    """A database's format. `format`: 0 if there is no ledger, -1 if the schema of that name is not a ledger's."""

    format: int
    server: str


def state_of(connection: Any) -> SchemaState:
    """Return the format of a database's ledger.

    It reads the table of schemas, because PostgreSQL caches the lookup of a name. Otherwise a process that waited while
    another one created the ledger would not see the new schema.
    """
    server, found, comment = connection.execute(
        "SELECT current_setting('server_version'), found.oid, obj_description(found.oid, 'pg_namespace')"
        " FROM (SELECT 1) AS one LEFT JOIN pg_namespace AS found ON nspname = %s",
        (SCHEMA,),
    ).fetchone()
    if found is None:
        return SchemaState(0, server)
    number = (comment or "").removeprefix(MARK)
    return SchemaState(int(number) if number != comment and number.isdigit() else -1, server)


def bring_up(connection: Any, partitions: int = 0) -> SchemaState:
    """Create the tables or migrate them to this program's format, in a transaction; return the format before.

    If two processes start at once, one waits for the other and then has nothing to do. `partitions`: the number of
    partitions of new tables; 0 for none.
    """
    connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, LAYING))
    before = state_of(connection)
    if 0 <= before.format < FORMAT:
        for step in range(before.format, FORMAT):
            statements: Iterable[str] = MIGRATIONS[step]
            if partitions and step == 0:
                statements = partitioned(statements, partitions, APPENDED)
            for statement in statements:
                connection.execute(_filled(statement))
        connection.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{MARK}{FORMAT}'")
    return before


def grant(connection: Any, role: str) -> None:
    """Give a role the rights that playing needs, and no others. It raises the driver's errors."""
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 -- 101 ms: nothing else here needs the driver

    for statement in (
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {{role}}",
        *(f"GRANT SELECT, INSERT ON {SCHEMA}.{table} TO {{role}}" for table in APPENDED),
        *(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {SCHEMA}.{table} TO {{role}}" for table in CHANGED),
    ):
        connection.execute(SQL(statement).format(role=Identifier(role)))


def _filled(statement: str) -> str:
    return statement.replace("%(locks)s", str(LOCKS)).replace("%(numbering)s", str(NUMBERING))
