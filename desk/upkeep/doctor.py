"""Find the faults of this machine, its titles and a ledger, each with a remedy."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.desk.orders.titles import faults
from umpire_ledger.desk.upkeep.doctor_deep import look_deep
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.ledger.storage.health import CheckResult, look_at_file, look_at_sqlite
from umpire_ledger.ledger.storage.stores import verify_driver
from umpire_ledger.ledger.verification.log_checker import Verdict
from umpire_ledger.projections.tables.game_rows import Progress
from umpire_ledger.projections.tables.missing_records import missing_beside, missing_words

PACKAGES = ("click", "eventsourcing", "immutables", "msgspec", "rich", "sqlite-utils")
OLDEST_PYTHON = (3, 11)
COMPARE = "compare the game with a checkpoint or an export; no record after the fault can be trusted"


OF_THE_GAMES = ("rows", "refusals")
"""Checks of a file that concern the contents of games. A fault here does not make the file unusable."""


class CheckUp(msgspec.Struct, frozen=True, kw_only=True):
    """The findings about the machine and the file, and, if the file can be used, about each game."""

    machine: tuple[CheckResult, ...]
    games: tuple[CheckResult, ...]

    @property
    def usable(self) -> bool:
        """Whether the ledger can be opened and its list of games is reliable."""
        return all(one.state != "bad" or one.check in OF_THE_GAMES for one in self.machine)

    @property
    def unbroken(self) -> bool:
        """Whether every game verifies and the tables next to the games are unchanged."""
        beside = (one for one in self.machine if one.check in OF_THE_GAMES)
        return all(one.state != "bad" for one in (*beside, *self.games))


def check_up(where: str, *, deep: bool = False, tell: Progress | None = None) -> CheckUp:
    """Check Python and its SQLite, the packages, every title's sequence and the file, and verify every game in it.

    Open even a damaged file if possible, to distinguish intact games from damaged ones. No fault stops the check of the
    next game.

    Args:
        deep: Also rebuild every game, and compare the snapshots and the read models with it, row by row.
        tell: Called with the number of records of a game that have been read.
    """
    if is_database(where):
        return _of_database(where, deep, tell)
    machine = (*_machine(look_at_sqlite()), *_titles(), *look_at_file(Path(where)))
    games = tuple(_games(where, deep, tell)) if os.path.isfile(where) else ()
    return CheckUp(machine=machine, games=games)


def _of_database(where: str, deep: bool, tell: Progress | None) -> CheckUp:
    verify_driver(where)
    from umpire_ledger.ledger.storage.postgres_health import look_at_database  # noqa: PLC0415 -- 71 ms: the driver is an extra

    machine = (*_machine(), *_titles(), *look_at_database(where))
    found = CheckUp(machine=machine, games=())
    return msgspec.structs.replace(found, games=tuple(_games(where, deep, tell)) if found.usable else ())


def _machine(*store: CheckResult) -> Iterator[CheckResult]:
    found = platform.python_version_tuple()
    new_enough = tuple(map(int, found[:2])) >= OLDEST_PYTHON
    yield CheckResult(
        check="python",
        state="ok" if new_enough else "bad",
        what=f"Python {platform.python_version()}",
        remedy="" if new_enough else "install Python 3.11 or newer",
    )
    yield from store
    yield from map(_package, PACKAGES)


def _package(package: str) -> CheckResult:
    try:
        return CheckResult(check=package, state="ok", what=version(package))
    except PackageNotFoundError:
        return CheckResult(
            check=package, state="bad", what="is not installed", remedy="install Umpire again: `pip install .`"
        )


def _titles() -> Iterator[CheckResult]:
    for name, found in faults():
        for fault in found:
            what = f"{fault.place}: {fault.what}"
            yield CheckResult(check=name, state="warn", what=what, remedy=fault.remedy)
        if not found:
            yield CheckResult(check=name, state="ok", what="the sequence of play is sound")


def _games(where: str, deep: bool, tell: Progress | None) -> Iterator[CheckResult]:
    try:
        with open_ledger(where, read_only=True) as ledger:
            for game in ledger.game_ids():
                yield from _game(ledger, where, game)
            if deep:
                yield from look_deep(ledger, where, tell)
    except StoreUnavailable as error:
        yield CheckResult(check="games", state="bad", what=error.what, remedy=error.remedy)


def _game(ledger: Ledger[Game], where: str, game_id: str) -> Iterator[CheckResult]:
    try:
        yield from _verified(ledger.verify(game_id))
        yield from _lost(ledger, where, game_id)
    except Exception as error:  # any fault of a game must not stop the check of the others
        yield CheckResult(check=game_id, state="bad", what=f"it cannot be checked: {error}", remedy=COMPARE)


def _lost(ledger: Ledger[Game], where: str, game_id: str) -> Iterator[CheckResult]:
    """Report lost records that the read models still have; the ledger itself has no trace of them."""
    size = ledger.size(game_id)
    if known := missing_beside(where, game_id, size):
        what, remedy = missing_words(game_id, size, known)
        yield CheckResult(check=game_id, state="warn", what=what, remedy=remedy)


def _verified(verdict: Verdict) -> Iterator[CheckResult]:
    why = f": {verdict.reason}" if verdict.reason else ""
    yield CheckResult(
        check=verdict.game,
        state="ok" if verdict.valid else "bad",
        what=f"{verdict.verdict}, {counted(verdict.size, 'record')}{why}",
        remedy="" if verdict.valid else COMPARE,
    )
    if verdict.clock_back:
        first, *others = verdict.clock_back
        more = len(others) + verdict.clock_back_left_out
        what = f"#{first.position}: {first.what}{f', and {more} more' if more else ''}"
        remedy = "the log is intact: set this machine's clock, and check decisions that depend on these times"
        yield CheckResult(check=verdict.game, state="warn", what=what, remedy=remedy)
