"""What is wrong with this machine, its titles, or a ledger, and what to do."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.titles import faults
from umpire_ledger.ledger.health import Finding, look_at_file, look_at_sqlite

PACKAGES = ("click", "eventsourcing", "immutables", "msgspec", "rich", "sqlite-utils")
OLDEST_PYTHON = (3, 11)


class CheckUp(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on the machine and at the file, and, where the file can be used, in each game."""

    machine: tuple[Finding, ...]
    games: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether the ledger can be opened at all."""
        return all(finding.state != "bad" for finding in self.machine)

    @property
    def unbroken(self) -> bool:
        """Whether every game verifies."""
        return all(finding.state != "bad" for finding in self.games)


def check_up(where: str) -> CheckUp:
    """Look at Python and its SQLite, the packages, every title's sequence, the file, and verify every game in it."""
    machine = (*_machine(), *_titles(), *look_at_file(Path(where)))
    usable = CheckUp(machine=machine, games=()).usable
    return CheckUp(machine=machine, games=tuple(_games(where)) if usable and os.path.isfile(where) else ())


def _machine() -> Iterator[Finding]:
    found = platform.python_version_tuple()
    new_enough = tuple(map(int, found[:2])) >= OLDEST_PYTHON
    yield Finding(
        check="python",
        state="ok" if new_enough else "bad",
        what=f"Python {platform.python_version()}",
        remedy="" if new_enough else "install Python 3.11 or newer",
    )
    yield look_at_sqlite()
    yield from map(_package, PACKAGES)


def _package(package: str) -> Finding:
    try:
        return Finding(check=package, state="ok", what=version(package))
    except PackageNotFoundError:
        return Finding(
            check=package, state="bad", what="is not installed", remedy="install Umpire again: `pip install .`"
        )


def _titles() -> Iterator[Finding]:
    for name, found in faults():
        for fault in found:
            what = f"{fault.place}: {fault.what}"
            yield Finding(check=name, state="warn", what=what, remedy=fault.remedy)
        if not found:
            yield Finding(check=name, state="ok", what="the sequence of play is sound")


def _games(where: str) -> Iterator[Finding]:
    with Desk(where, read_only=True) as desk:
        for game in desk.games():
            verdict = desk.ledger.verify(game.game)
            yield Finding(
                check=game.game,
                state="ok" if verdict.valid else "bad",
                what=f"{verdict.verdict}, {verdict.size} records" + (f": {verdict.reason}" if verdict.reason else ""),
                remedy="" if verdict.valid else "compare with a checkpoint or an export; nothing behind it counts",
            )
