"""Create, upgrade and inspect the store of a ledger, for its operator.

The file of a ledger is created automatically and needs none of these functions, but they accept it.
"""

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database, shown
from umpire_ledger.ledger.storage.postgres_schema import FORMAT
from umpire_ledger.ledger.storage.sqlite_connection import STORE_FORMAT
from umpire_ledger.ledger.storage.stores import verify_driver

MOST_PARTITIONS = 1024


class StoreState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a store. `format`: the format of its tables, 0 without a ledger.

    `program`: the format that this program uses. `before`: the format before the tables were created or upgraded, else
    the same as `format`.
    """

    ledger: str
    store: str
    format: int
    program: int
    before: int

    @property
    def fits(self) -> bool:
        """Whether this program can open the ledger."""
        return self.format == self.program


def store_state(where: str) -> StoreState:
    """Return the state of a store.

    Raises:
        StoreUnavailable: When it cannot be reached, or a file is not a ledger.
    """
    if not is_database(where):
        return _file(where, create=False)
    verify_driver(where)
    from umpire_ledger.ledger.storage import postgres_admin  # noqa: PLC0415 -- 88 ms: the driver is an extra, and slow to import

    found = postgres_admin.status(where)
    if found.format < 0:
        raise StoreUnavailable(
            f"{shown(where)} has a schema with Umpire's name that Umpire did not create",
            where=shown(where),
            remedy="use another database",
        )
    return StoreState(
        ledger=shown(where),
        store=f"PostgreSQL {found.server}",
        format=found.format,
        program=FORMAT,
        before=found.format,
    )


def lay_store(where: str, *, role: str = "", partitions: int = 0) -> StoreState:
    """Create the tables if there are none.

    Args:
        role: The database role that clients use; it gets only the rights that they need.
        partitions: The number of partitions of the tables, by game; not for a file.

    Raises:
        StoreUnavailable: When the store cannot be reached.
        WrongUse: When there are partitions for a file.
    """
    if partitions and not is_database(where):
        what, remedy = "a ledger in a file has no partitions", "omit --partitions, or use postgresql://…"
        raise WrongUse(what, where=where, rule="", remedy=remedy)
    if not is_database(where):
        return _file(where, create=True)
    verify_driver(where)
    from umpire_ledger.ledger.storage.postgres_admin import init  # noqa: PLC0415 -- 91 ms: the driver is an extra, and slow to import

    before = init(where, role, partitions).format
    _lay_read_models(where, role)
    return msgspec.structs.replace(store_state(where), before=before)


def bring_up_store(where: str, *, role: str = "") -> StoreState:
    """Upgrade the tables to this program's format.

    Raises:
        StoreUnavailable: When the store cannot be reached or upgraded.
    """
    if not is_database(where):
        return _file(where, create=False)
    verify_driver(where)
    from umpire_ledger.ledger.storage.postgres_admin import upgrade  # noqa: PLC0415 -- 84 ms: the driver is an extra, and slow to import

    before = upgrade(where, role).format
    _lay_read_models(where, role)
    return msgspec.structs.replace(store_state(where), before=before)


def _lay_read_models(where: str, role: str) -> None:
    """Create the tables of the read models, and let the clients' role write them."""
    from umpire_ledger.projections.tables.postgres_tables import bring_up  # noqa: PLC0415 -- 87 ms: the driver is an extra, and slow to import

    with open_ledger(where) as ledger:
        bring_up(ledger.own_connection(), shown(where), role)


def _file(where: str, *, create: bool) -> StoreState:
    open_ledger(where, create=create).close()
    return StoreState(ledger=where, store="SQLite", format=STORE_FORMAT, program=STORE_FORMAT, before=STORE_FORMAT)
