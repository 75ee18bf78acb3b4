"""Questions to all games of a ledger whose partitions lie on other servers, when one of those is down.

PostgreSQL answers such a question whole or not at all. Where whoever asks would rather have the games that can be
reached, each partition is asked by itself; a server that was found away is not waited for again.
"""

from __future__ import annotations

from typing import Any

import psycopg

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.storage.interface import Away
from umpire_ledger.ledger.storage.postgres_connection import Datastore

Part = tuple[str, str | None, str | None]
"""A partition of a table, the name of its database, and its server's host and port; None where it lies in this one"""

ELSEWHERE = (
    "SELECT quote_ident(part.relname), server.srvname::text,"
    " (SELECT string_agg(option_value, ':' ORDER BY option_name) FROM pg_options_to_table(server.srvoptions)"
    " WHERE option_name IN ('host', 'port'))"
    " FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid"
    " LEFT JOIN pg_foreign_table ON ftrelid = part.oid LEFT JOIN pg_foreign_server AS server ON server.oid = ftserver"
    " WHERE inhparent = %s::text::regclass ORDER BY part.relname"
)
"""Every `Part` of a table."""


def rows_of_all(store: Datastore, table: str, select: str, away: Away | None) -> list[Any]:
    """What a question to a whole table finds, sorted by its first column. `{}` in it stands for the table.

    Raises StoreUnavailable; of a server behind the router only where nobody is to hear of it as `away`, or where the
    partitions may not be asked one by one.
    """
    try:
        return store.rows(select.format(f"umpire.{table}"))
    except StoreUnavailable as error:
        if away is None or not _tells_of_another(error):
            raise
        whole = error
    parts: list[Part] = store.rows(ELSEWHERE, f"umpire.{table}")
    rows: list[tuple[Any, ...]] = []
    gone: set[str | None] = set()
    for part, _, place in parts:
        if place in gone:
            continue
        try:
            rows += store.rows(select.format(f"umpire.{part}"))
        except StoreUnavailable as error:
            if not _tells_of_another(error):
                raise whole from error
            gone.add(place)
            away(_is_away(store, place, [str(name) for _, name, at in parts if at == place]))
    return sorted(rows)


def _tells_of_another(error: StoreUnavailable) -> bool:
    """Class 08 comes from a server that answered: it is another one that it could not connect to."""
    said = error.__cause__
    return isinstance(said, psycopg.Error) and (said.sqlstate or "").startswith("08")


def _is_away(store: Datastore, place: str | None, names: list[str]) -> StoreUnavailable:
    what = f"{place} cannot be reached, and the games in its databases are missing here: {', '.join(names)}"
    remedy = "start that server, or ask whoever keeps it; the games of the other servers are played on meanwhile"
    return StoreUnavailable(what, where=store.name, remedy=remedy)
