"""Choose the store of a ledger by its name, and the library's settings for it. This module opens nothing."""

from __future__ import annotations

from importlib.util import find_spec

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import POSTGRESQL, scheme_of, shown

SQLITE = "umpire_ledger.ledger.storage.sqlite:LedgerFactory"
POSTGRES = "umpire_ledger.ledger.storage.postgres:LedgerFactory"
NEEDED = ("psycopg", "psycopg_pool")


def settings_of(where: str, *, create: bool, read_only: bool, lock_timeout: float) -> dict[str, str]:
    """Return the library's settings for the store of a ledger.

    Raises:
        StoreUnavailable: There is no such store, or its driver is not installed.
    """
    opening = {"CREATE": "y" if create else "n", "READ_ONLY": "y" if read_only else "n"}
    scheme = scheme_of(where)
    if not scheme:
        settings = {"DBNAME": where, "LOCK_TIMEOUT": str(lock_timeout), **opening}
        return {"PERSISTENCE_MODULE": SQLITE, **{f"SQLITE_{name}": value for name, value in settings.items()}}
    if scheme not in POSTGRESQL:
        what, remedy = f"Umpire cannot use {scheme} as a store", "give the path of an SQLite file, or postgresql://…"
        raise StoreUnavailable(what, where=shown(where), remedy=remedy)
    verify_driver(where)
    settings = {"URL": where, "LOCK_SECONDS": str(lock_timeout), **opening}
    return {"PERSISTENCE_MODULE": POSTGRES, **{f"POSTGRES_{name}": value for name, value in settings.items()}}


def verify_driver(where: str) -> None:
    """Check that the driver for PostgreSQL is installed.

    Raises:
        StoreUnavailable: The driver is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise StoreUnavailable(
            f"a ledger in PostgreSQL needs {' and '.join(missing)}, which is not installed",
            where=shown(where),
            remedy="pip install 'umpire-ledger[postgres]'",
        )
