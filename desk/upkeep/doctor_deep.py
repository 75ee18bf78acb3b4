"""Rebuild every game for `umpire doctor --deep`, and compare all its cached data with the result.

Snapshots and read models save time. An attacker who can write the files can forge them, and no hash detects this. So
they are compared with a rebuild from the records alone. The read models are checked in a copy, after the same update as
before a query. The files themselves stay unchanged.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.logs.log_files import misfits_in
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.check_result import CheckResult
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database, shown
from umpire_ledger.projections.tables import row_check
from umpire_ledger.projections.tables.game_rows import Progress
from umpire_ledger.projections.tables.row_check import FalseRow
from umpire_ledger.projections.tables.seat_visibility import Knowledge
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import MEMORY, views_path

MOST_NAMED = 5
REBUILD = "`umpire rebuild` rebuilds it from the ledger"
ANEW = "nothing is lost: `umpire rebuild`, or delete the file"
VIEWS, SEARCH = "read models", "search index"


def look_deep(ledger: Ledger[Game], where: str, tell: Progress | None = None) -> Iterator[CheckResult]:
    """Check all cached data of every game. Afterward, `ledger` no longer uses snapshots."""
    ledger.doubt_snapshots()
    with tempfile.TemporaryDirectory(prefix="umpire-") as folder:
        copy = Path(folder) / "copy.views.db"
        in_database = is_database(where)
        of_the_file = list(_of_database(ledger, where, copy) if in_database else _of_file(views_path(where), copy))
        yield from of_the_file
        whole = any(one.check == VIEWS and one.state == "ok" for one in of_the_file)
        stored = copy if whole and copy.is_file() else None
        with Follower(ledger, Path(folder) / "fresh.views.db", find_title, edition=EDITION) as fresh:
            for game in ledger.game_ids():
                try:
                    yield from _game(ledger, game, fresh, stored, tell)
                except Exception as error:  # any fault of a game must not stop the check of the others
                    what = f"its state cannot be rebuilt: {error}"
                    yield CheckResult(check=game, state="bad", what=what, remedy="`umpire verify` shows the fault")


def _of_database(ledger: Ledger[Game], where: str, copy: Path) -> Iterator[CheckResult]:
    """Copy the read models in the ledger's database, and yield the results of checks before the comparison."""
    from umpire_ledger.projections.tables.postgres_copied import copied_from_database  # noqa: PLC0415 -- 78 ms: an extra

    try:
        copied = copied_from_database(ledger.own_connection(), shown(where), copy)
    except StoreUnavailable as error:
        yield CheckResult(check=VIEWS, state="bad", what=error.what, remedy=error.remedy)
        return
    if copied is None:
        yield CheckResult(check=VIEWS, state="ok", what="not created yet in this format")
        return
    what = f"they can be read; {copied.looked} read marks, which no record can confirm"
    yield CheckResult(check=VIEWS, state="ok", what=what)


def _of_file(views: str, copy: Path) -> Iterator[CheckResult]:
    """Copy the read models in a file, and yield the results of checks before the comparison."""
    if views == MEMORY or not os.path.isfile(views):
        yield CheckResult(check=VIEWS, state="ok", what="there are none yet")
        return
    try:
        copied = row_check.copied(views, copy)
    except StoreUnavailable as error:
        yield CheckResult(check=VIEWS, state="bad", what=error.what, remedy=ANEW)
        return
    if copied is None:
        yield CheckResult(check=VIEWS, state="warn", what="they have a different format", remedy=ANEW)
        return
    if copied.fault:
        yield CheckResult(check=VIEWS, state="bad", what=f"their file is damaged: {copied.fault}", remedy=ANEW)
        return
    what = f"their file is sound; {copied.looked} read marks, which no record can confirm"
    yield CheckResult(check=VIEWS, state="ok", what=what)
    if not copied.titles_fit:
        what = "a view of units by title does not have the attributes that units have"
        yield CheckResult(check=VIEWS, state="bad", what=what, remedy=ANEW)
    if copied.search_fits:
        yield CheckResult(check=SEARCH, state="ok", what="it matches the audit trail")
    else:
        yield CheckResult(check=SEARCH, state="bad", what="it does not match the audit trail", remedy=ANEW)


# --- one game ---------------------------------------------------------------------------------------------------------


def _game(
    ledger: Ledger[Game], game_id: str, fresh: Follower, stored: Path | None, tell: Progress | None
) -> Iterator[CheckResult]:
    fresh.lay_views(game_id, tell)
    yield from _misfits(ledger, game_id)
    snapshots = list(_snapshots(ledger, game_id))
    yield from snapshots
    rows = list(_rows(ledger, game_id, fresh, stored)) if stored else []
    yield from rows
    if not snapshots and not rows:
        yield CheckResult(check=game_id, state="ok", what="rebuilt: snapshots and read models match the records")


def _misfits(ledger: Ledger[Game], game_id: str) -> Iterator[CheckResult]:
    found = misfits_in(ledger, game_id)
    count = len(found.findings) + found.left_out
    if count:
        are = "is" if count == 1 else "are"
        first = found.findings[0].position
        what = f"{counted(count, 'event')} {are} not valid in the game at that position, the first at #{first}"
        yield CheckResult(check=game_id, state="warn", what=what, remedy=f"`umpire verify {game_id}` lists them")


def _snapshots(ledger: Ledger[Game], game_id: str) -> Iterator[CheckResult]:
    for one in ledger.false_snapshots(game_id):
        what = f"table snapshot, key #{one.position}: {one.what}"
        yield CheckResult(check=game_id, state="warn" if one.passed_over else "bad", what=what, remedy=REBUILD)


def _rows(ledger: Ledger[Game], game_id: str, fresh: Follower, copy: Path) -> Iterator[CheckResult]:
    edition = row_check.edition_of(copy, game_id)
    if edition not in (None, EDITION):
        what = f"the read models were made by version {edition or 'unknown'}, whose texts may differ: not compared"
        yield CheckResult(check=game_id, state="warn", what=what, remedy=REBUILD)
        return
    try:
        with Follower(ledger, copy, find_title, edition=EDITION) as following:
            following.catch_up(game_id)
        rows = row_check.compare(copy, fresh, Knowledge(ledger, fresh.connection), game_id, ledger.size(game_id))
    except StoreUnavailable as error:
        yield CheckResult(
            check=game_id, state="bad", what=f"its read models cannot be compared: {error}", remedy=REBUILD
        )
        return
    yield from _named(game_id, rows)


def _named(game_id: str, rows: Sequence[FalseRow]) -> Iterator[CheckResult]:
    """Yield results that name the first few false rows and count the others."""
    for row in rows[:MOST_NAMED]:
        key = ", ".join(map(str, row.key))
        what = f"read models, table {row.table}{f', key {key}' if key else ''}: it {row.what}"
        yield CheckResult(check=game_id, state="bad", what=what, remedy=REBUILD)
    if len(rows) > MOST_NAMED:
        what = f"and {counted(len(rows) - MOST_NAMED, 'more row')} in the read models"
        yield CheckResult(check=game_id, state="bad", what=what, remedy=REBUILD)
