"""Query all games of a ledger with partitions on other servers, even if one of these is down.

PostgreSQL answers such a query completely or not at all. For a caller that accepts only the reachable games, each
partition is queried separately, and an unreachable server only once.
"""

from __future__ import annotations

from typing import Any

import psycopg

from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.storage.interface import Away
from umpire_ledger.ledger.storage.postgres_connection import Datastore

Part = tuple[str, str | None, str | None]
"""A partition of a table, the name of its database, and its server's host and port; None if it is in this database."""

ELSEWHERE = (
    "SELECT quote_ident(part.relname), server.srvname::text,"
    " (SELECT string_agg(option_value, ':' ORDER BY option_name) FROM pg_options_to_table(server.srvoptions)"
    " WHERE option_name IN ('host', 'port'))"
    " FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid"
    " LEFT JOIN pg_foreign_table ON ftrelid = part.oid LEFT JOIN pg_foreign_server AS server ON server.oid = ftserver"
    " WHERE inhparent = %s::text::regclass ORDER BY part.relname"
)
"""Query for every `Part` of a table."""


def rows_of_all(store: Datastore, table: str, select: str, away: Away | None) -> list[Any]:
    """Return the rows of a query over a whole table, sorted by the first column. The table replaces `{}` in the query.

    Raises:
        StoreUnavailable: The database cannot be reached, or the partitions cannot be queried separately, or a server of
            a partition cannot be reached and there is no `away`.
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
    """Return whether the error concerns another server: SQLSTATE class 08, if a server could not connect to it."""
    said = error.__cause__
    return isinstance(said, psycopg.Error) and (said.sqlstate or "").startswith("08")


def _is_away(store: Datastore, place: str | None, names: list[str]) -> StoreUnavailable:
    what = f"{place} cannot be reached, and the games in its databases are missing here: {', '.join(names)}"
    remedy = "start that server, or ask its operator; games on the other servers can continue in the meantime"
    return StoreUnavailable(what, where=store.name, remedy=remedy)
