"""Create a ledger's tables, migrate them to this program's format, and report their format, for operators."""

from __future__ import annotations

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.storage.postgres_connection import Connection, Datastore
from umpire_ledger.ledger.storage.postgres_schema import FORMAT, SCHEMA, SchemaState, bring_up, grant, state_of


def status(url: str) -> SchemaState:
    """Return the present format of the database.

    Raises:
        StoreUnavailable: The database cannot be used.
    """
    store = Datastore(url, read_only=True, as_found=True)
    try:
        return store.asked(state_of)
    finally:
        store.close()


def init(url: str, role: str = "", partitions: int = 0) -> SchemaState:
    """Create the tables if there are none, and return the format before.

    Args:
        role: The role that gets the rights to play.
        partitions: The number of partitions by a hash of the game's id; only for new tables.

    Raises:
        StoreUnavailable: The database has an older or newer ledger, or any ledger if `partitions` is set, or there is
            no such role.
    """
    if partitions:
        otherwise, remedy = "already has a ledger", "create another one with --partitions, then export and import"
        return _brought_up(url, role, (0,), otherwise, remedy, partitions)
    return _brought_up(url, role, (0, FORMAT), "has an older ledger", "run `umpire db upgrade`")


def upgrade(url: str, role: str = "") -> SchemaState:
    """Migrate the tables to this program's format, and return the format before.

    Raises:
        StoreUnavailable: The database has no ledger or a newer one, or there is no such role.
    """
    return _brought_up(url, role, range(1, FORMAT + 1), "has no ledger yet", "create one with `umpire db init`")


def _brought_up(
    url: str, role: str, fit: tuple[int, ...] | range, otherwise: str, remedy: str, partitions: int = 0
) -> SchemaState:
    store = Datastore(url, as_found=True)
    try:
        with store.writing() as connection:
            before = state_of(connection)
            if before.format > FORMAT:
                raise store.unavailable(f"has store format {before.format}, newer than this program's", "update Umpire")
            if before.format < 0:
                raise store.unavailable(f"has a schema `{SCHEMA}` that is not Umpire's", "use another database")
            if before.format not in fit:
                raise store.unavailable(otherwise, remedy)
            bring_up(connection, partitions)
            if role:
                _verify_role(store, connection, role)
                grant(connection, role)
        return before
    finally:
        store.close()


def _verify_role(store: Datastore, connection: Connection, role: str) -> None:
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    if found is None:
        raise StoreUnavailable(
            f"there is no role {role} on this server; nothing was changed",
            where=store.name,
            remedy=f'CREATE ROLE "{role}" LOGIN, with a password if it needs one; then repeat this command',
        )
