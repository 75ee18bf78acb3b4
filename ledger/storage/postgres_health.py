"""Check that a ledger in PostgreSQL is sound and its server well configured, without reading its games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from umpire_ledger.ledger.merkle.compact_ranges import parse_stored
from umpire_ledger.ledger.records.check_result import RESTORE, VERIFY_EACH, CheckResult
from umpire_ledger.ledger.records.errors import LedgerError
from umpire_ledger.ledger.storage import refusal_log
from umpire_ledger.ledger.storage.postgres_connection import Datastore
from umpire_ledger.ledger.storage.postgres_schema import APPENDED, FORMAT, GUARDS, SCHEMA, state_of

OLDEST = 130000
"""Oldest `server_version_num` that can be used. Transactions have had 64-bit numbers since."""
MOST_NAMED = 5
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")
COLUMNS = {
    "record": {"game", "position", "command", "follows", "topic", "line", "number"},
    "edge": {"game", "size", "peaks", "root", "xact"},
    "aside": {"game", "id", "after", "at", "seat", "told", "hash"},
    "beside": {"game", "kind", "name", "value"},
    "snapshot": {"game", "position", "topic", "state"},
}
KEYS = {"record_pkey", "record_command", "edge_pkey", "aside_pkey", "beside_pkey", "snapshot_pkey"}


def look_at_database(url: str) -> Iterator[CheckResult]:
    """Yield the results of all checks of a database that do not read its games."""
    store = Datastore(url, read_only=True, as_found=True)
    try:
        known = _checked(_format, "database", store)
        yield known
        if known.check == "database":
            return
        yield from (_server(store), _durable(store))
        if known.state == "ok":
            for check, name in CHECKS:
                yield _checked(check, name, store)
    finally:
        store.close()


def _checked(check: Callable[[Datastore], CheckResult], name: str, store: Datastore) -> CheckResult:
    try:
        return check(store)
    except LedgerError as error:
        return CheckResult(check=name, state="bad", what=error.what, remedy=error.remedy)


def _format(store: Datastore) -> CheckResult:
    found = store.asked(state_of).format
    if found == FORMAT:
        return CheckResult(check="format", state="ok", what=f"ledger format {found}")
    if found <= 0:
        what = "there is no ledger" if not found else f"schema `{SCHEMA}` is not Umpire's"
        return CheckResult(check="format", state="bad", what=what, remedy="check --ledger, or run `umpire db init`")
    remedy = "`umpire db upgrade`" if found < FORMAT else "install a newer Umpire"
    return CheckResult(check="format", state="bad", what=f"format {found}; this program has {FORMAT}", remedy=remedy)


def _server(store: Datastore) -> CheckResult:
    number, said = store.row("SELECT current_setting('server_version_num')::int, current_setting('server_version')")
    if number < OLDEST:
        remedy = "use PostgreSQL 13 or newer"
        return CheckResult(check="server", state="bad", what=f"PostgreSQL {said} is too old", remedy=remedy)
    return CheckResult(check="server", state="ok", what=f"PostgreSQL {said}")


def _durable(store: Datastore) -> CheckResult:
    names = ", ".join(f"current_setting('{name}')" for name in DURABLE)
    off = [name for name, value in zip(DURABLE, store.row(f"SELECT {names}"), strict=True) if value == "off"]
    if not off:
        return CheckResult(check="flush", state="ok", what="acknowledged orders are on the server's disk")
    what = f"{' and '.join(off)} off: a crash of the server can lose orders that were acknowledged"
    remedy = "turn them on, unless you can afford to lose orders"
    return CheckResult(check="flush", state="warn", what=what, remedy=remedy)


def _tables(store: Datastore) -> CheckResult:
    select = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s"
    there: dict[str, set[str]] = {}
    for table, column in store.rows(select, SCHEMA):
        there.setdefault(str(table), set()).add(str(column))
    keys = {str(name) for (name,) in store.rows("SELECT indexname FROM pg_indexes WHERE schemaname = %s", SCHEMA)}
    lacking = set() if _is_router(store) else KEYS - keys
    wrong = [table for table, columns in COLUMNS.items() if there.get(table) != columns] + sorted(lacking)
    if not wrong:
        return CheckResult(check="tables", state="ok", what="the tables are those of a ledger")
    what = f"these tables differ from a ledger's: {_names(wrong)}"
    return CheckResult(check="tables", state="bad", what=what, remedy=f"{RESTORE}; then {VERIFY_EACH}")


def _guards(store: Datastore) -> CheckResult:
    select = (
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE relnamespace = to_regnamespace(%s) AND (NOT tgisinternal OR tgparentid <> 0)"
        " GROUP BY tgname HAVING bool_and(tgenabled IN ('O', 'A'))"
    )
    present = {str(name) for (name,) in store.rows(select, SCHEMA)}
    missing = [name for name in GUARDS if name not in present]
    if _is_router(store):
        return CheckResult(check="guards", state="ok", what="records are on other servers: check each of them")
    if not missing:
        return CheckResult(check="guards", state="ok", what="records cannot be changed or deleted")
    what = f"these triggers were removed: {', '.join(missing)}"
    remedy = f"the tables were changed by another program: {VERIFY_EACH}"
    return CheckResult(check="guards", state="bad", what=what, remedy=remedy)


def _is_router(store: Datastore) -> bool:
    """Return whether the partitions are on other servers, each of which has its own keys and guards."""
    select = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s) AND relkind = 'f'"
    return bool(store.row(select, SCHEMA)[0])


def _rights(store: Datastore) -> CheckResult:
    """Check that the user does not own the tables, because an owner can remove the guards."""
    ask = " OR ".join(
        f"has_table_privilege('{SCHEMA}.{table}', '{right}')"
        for table in APPENDED
        for right in ("UPDATE", "DELETE", "TRUNCATE")
    )
    user, too_much = store.row(f"SELECT current_user::text, {ask}")
    if not too_much:
        return CheckResult(check="rights", state="ok", what=f"{user} may add records, but not change them")
    remedy = "play with a role that may only add records: `umpire db init --role NAME`"
    return CheckResult(
        check="rights", state="warn", what=f"{user} owns the tables, so it could change records", remedy=remedy
    )


def _gaps(store: Datastore) -> CheckResult:
    select = "SELECT game FROM umpire.record GROUP BY game HAVING min(position) <> 1 OR count(*) <> max(position)"
    found = [f"game {game} lacks records" for (game,) in store.rows(f"{select} ORDER BY game")]
    if not found:
        return CheckResult(check="rows", state="ok", what="every game has its records from #1 on, without a gap")
    return CheckResult(check="rows", state="bad", what=_names(found), remedy=f"{RESTORE}; then {VERIFY_EACH}")


def _edges(store: Datastore) -> CheckResult:
    rows = store.rows("SELECT game, size, peaks, root FROM umpire.edge ORDER BY game")
    hurt = [str(game) for game, *kept in rows if parse_stored(tuple(kept)) is None]
    if not hurt:
        return CheckResult(check="kept roots", state="ok", what="every stored root is consistent")
    remedy = "verify against a seat's checkpoint; the next order stores a root again"
    what = f"no Merkle root covers the last order of {_names(hurt)}"
    return CheckResult(check="kept roots", state="warn", what=what, remedy=remedy)


def _refusals(store: Datastore) -> CheckResult:
    rows: list[tuple[Any, ...]] = store.rows(
        "SELECT id, game, after, at, seat, told, hash FROM umpire.aside ORDER BY id"
    )
    changed = sorted({str(row[1]) for row in rows if refusal_log.refusal_from_row(row) != "sound"})
    if not changed:
        return CheckResult(check="refusals", state="ok", what=f"refused orders, unchanged: {len(rows)}")
    what = f"refused orders changed after they were recorded, in {_names(changed)}"
    return CheckResult(check="refusals", state="bad", what=what, remedy=f"{RESTORE}, or continue without them")


def _names(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


CHECKS: tuple[tuple[Callable[[Datastore], CheckResult], str], ...] = (
    (_tables, "tables"),
    (_guards, "guards"),
    (_rights, "rights"),
    (_gaps, "rows"),
    (_edges, "kept roots"),
    (_refusals, "refusals"),
)
