"""Check a ledger's database without reading its games: format, structure, guards, stray rows.

Every check runs separately, so that damage that stops one check does not hide the results of the others.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator

from umpire_ledger.ledger.merkle.compact_ranges import parse_stored
from umpire_ledger.ledger.records.check_result import RESTORE, VERIFY_EACH, CheckResult
from umpire_ledger.ledger.storage import metadata, refusal_log
from umpire_ledger.ledger.storage.sqlite_connection import APPLICATION_ID, EDGE, SCHEMA, STORE_FORMAT, as_text
from umpire_ledger.ledger.storage.sqlite_snapshots import SNAPSHOT_TABLE, lay

MOST_NAMED = 5
_blanks = re.compile(r" ?([(),]) ?").sub
_named = re.compile(r"CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER|VIEW) (\w+)").match


def look_inside(connection: sqlite3.Connection) -> Iterator[CheckResult]:
    """Yield the results of the checks that need only plain queries."""
    connection.text_factory = as_text
    known = _format(connection)
    yield known
    if known.state == "bad":
        return
    for check, name in CHECKS:
        try:
            yield check(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            remedy = f"{RESTORE}, or import the games' replay logs into a new ledger"
            yield CheckResult(check=name, state="bad", what=f"it cannot be read: {error}", remedy=remedy)


def _format(connection: sqlite3.Connection) -> CheckResult:
    """Check that the file is a ledger of a known format."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        return CheckResult(check="database", state="bad", what="this is not a ledger", remedy="check --ledger")
    written = connection.execute("PRAGMA user_version").fetchone()[0]
    if written > STORE_FORMAT:
        what = f"format {written} was written by a newer Umpire; this one reads up to {STORE_FORMAT}"
        return CheckResult(check="format", state="bad", what=what, remedy="update Umpire")
    if written < 1:
        return CheckResult(check="format", state="bad", what=f"there has never been a format {written}", remedy=RESTORE)
    return CheckResult(check="format", state="ok", what=f"ledger format {written}")


def _structure(connection: sqlite3.Connection) -> CheckResult:
    """Check every page, every row, and every index, on which all queries depend."""
    faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    if not faults:
        return CheckResult(check="database", state="ok", what="the database is sound")
    what = f"the database is damaged: {' '.join(faults[0].split())}"
    return CheckResult(check="database", state="bad", what=what, remedy=f"{RESTORE}; then {VERIFY_EACH}")


def _schema(connection: sqlite3.Connection) -> CheckResult:
    """Check that tables, indexes and the view are as a ledger creates them. Those of a later edition may be missing."""
    present = _present(connection)
    laid = _laid((*SCHEMA, EDGE, *refusal_log.ASIDE, metadata.TABLE, lay(SNAPSHOT_TABLE)))
    earlier = _laid((refusal_log.EARLIER,))
    wrong = [name for name, one in laid.items() if present.get(name, one) not in (one, earlier.get(name))]
    wrong += [name for name, (kind, _) in _laid(SCHEMA).items() if name not in {*present, "edge"} and kind != "TRIGGER"]
    if not wrong:
        return CheckResult(check="tables", state="ok", what="the tables are those of a ledger")
    what = f"these tables differ from a ledger's: {_names(wrong)}"
    return CheckResult(check="tables", state="bad", what=what, remedy=f"{RESTORE}; then {VERIFY_EACH}")


def _guards(connection: sqlite3.Connection) -> CheckResult:
    """Check that the triggers that protect the records exist, and no others."""
    present = {name for name, (kind, _) in _present(connection).items() if kind == "TRIGGER"}
    wanted = {name for name, (kind, _) in _laid(SCHEMA).items() if kind == "TRIGGER"}
    known = wanted | _laid(refusal_log.ASIDE).keys()
    remedy = f"another program changed this file: {VERIFY_EACH}"
    if missing := sorted(wanted - present):
        what = f"these triggers were removed: {', '.join(missing)}"
        return CheckResult(check="guards", state="bad", what=what, remedy=remedy)
    if strange := sorted(present - known):
        return CheckResult(
            check="guards", state="bad", what=f"these triggers are not Umpire's: {_names(strange)}", remedy=remedy
        )
    return CheckResult(check="guards", state="ok", what="records cannot be changed or deleted")


def _present(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {str(name): (str(kind).upper(), _words(str(sql))) for kind, name, sql in rows}


def _laid(statements: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the kind and the statement of each object that some statements create, by name."""
    made = ((_named(words), words) for words in map(_words, statements))
    return {found[2]: (found[1], words) for found, words in made if found}


def _words(statement: str) -> str:
    """Return a statement in the form in which SQLite stores it, with single blanks."""
    return _blanks(r"\1", " ".join(statement.replace("IF NOT EXISTS ", "").split()))


def _belonging(connection: sqlite3.Connection) -> CheckResult:
    """Check that every game has records, and every record and every stored root has a game."""
    empty = "SELECT CAST(id AS TEXT) FROM game WHERE NOT EXISTS (SELECT 1 FROM record WHERE game = game.key)"
    lost = [f"game {game} has no records" for (game,) in connection.execute(empty)]
    for table, number, *_ in connection.execute("PRAGMA foreign_key_check"):
        lost.append(f"row {number} of table {table} belongs to no game")
    if not lost:
        return CheckResult(check="rows", state="ok", what="every record belongs to a game")
    return CheckResult(check="rows", state="bad", what=_names(lost), remedy=f"{RESTORE}; then {VERIFY_EACH}")


def _edges(connection: sqlite3.Connection) -> CheckResult:
    """Check the stored compact ranges. A damaged one is ignored, so the game's last order cannot be verified."""
    hurt: list[str] = []
    if "edge" in _present(connection):
        select = (
            "SELECT CAST(id AS TEXT), CAST(size AS INTEGER), CAST(peaks AS BLOB), CAST(root AS BLOB)"
            " FROM edge JOIN game ON game.key = edge.game"
        )
        hurt = [str(game) for game, *kept in connection.execute(select) if None in kept or parse_stored(kept) is None]
    if not hurt:
        return CheckResult(check="kept roots", state="ok", what="every stored root is consistent")
    remedy = "verify against a seat's checkpoint; the next order stores a root again"
    return CheckResult(
        check="kept roots", state="warn", what=f"no Merkle root covers the last order of {_names(hurt)}", remedy=remedy
    )


def _refusals(connection: sqlite3.Connection) -> CheckResult:
    """Check each refusal by its hash, because refusals are not in any game's tree."""
    kept = [(str(row[1]), refusal_log.refusal_from_row(row)) for row in refusal_log.read_refusals(connection)]
    changed = [game for game, how in kept if how == "changed"]
    if changed:
        what = f"refused orders changed after they were recorded: {len(changed)}, in {_names(sorted(set(changed)))}"
        return CheckResult(check="refusals", state="bad", what=what, remedy=f"{RESTORE}, or continue without them")
    unprotected = sum(how == "unprotected" for _, how in kept)
    what = f"refused orders, unchanged: {len(kept)}"
    if unprotected:
        what = f"{unprotected} of {len(kept)} refused orders are from an earlier version: changes cannot be detected"
    return CheckResult(check="refusals", state="ok", what=what)


def _names(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


CHECKS: tuple[tuple[Callable[[sqlite3.Connection], CheckResult], str], ...] = (
    (_structure, "database"),
    (_schema, "tables"),
    (_guards, "guards"),
    (_belonging, "rows"),
    (_edges, "kept roots"),
    (_refusals, "refusals"),
)
