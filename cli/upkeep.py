"""`umpire rebuild`, `doctor`: read models from zero; is this machine and this file sound."""

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from umpire_ledger.cli.errors import BROKEN, STORE
from umpire_ledger.cli.options import json_option, ledger_option
from umpire_ledger.cli.printing import print_json, print_table, progress
from umpire_ledger.desk.read_models import rebuild_all
from umpire_ledger.desk.sitting import open_ledger
from umpire_ledger.desk.wiring import find_title, title_references
from umpire_ledger.domain.flow.checks import check as check_title
from umpire_ledger.ledger.health import Finding, look_at_file, look_at_sqlite

PACKAGES = ("click", "eventsourcing", "immutables", "msgspec", "rich", "sqlite-utils")
OLDEST_PYTHON = (3, 11)


@click.command()
@ledger_option
@json_option
def rebuild(where: str, as_json: bool) -> None:
    """Throw the read models away and make them anew from the ledger. Safe at any time.

    Example: umpire rebuild --ledger club.db
    """
    with open_ledger(where, read_only=True) as ledger:
        total = sum(entry.size for entry in ledger.games())
        with progress("reading", total) as tell:
            followed = rebuild_all(ledger, where, tell)
    if as_json:
        print_json(followed)
    else:
        click.echo("\n".join(f"{game}: {records} records read" for game, records in followed.items()) or "no games")


@click.command()
@ledger_option
@json_option
def doctor(where: str, as_json: bool) -> None:
    """Say what is wrong with this machine or this ledger, and what to do.

    Looks at Python and its SQLite, at the packages, at every title's sequence, at the file, and verifies every game.
    Exit code 7 when the store cannot be used, 5 when a game is broken.

    Example: umpire doctor --ledger club.db
    """
    findings = [*_machine(), *_titles(), *look_at_file(Path(where))]
    usable = all(finding.state != "bad" for finding in findings)
    games = list(_games(where)) if usable and Path(where).is_file() else []
    if as_json:
        print_json([{key: getattr(one, key) for key in one.__struct_fields__} for one in (*findings, *games)])
    else:
        marks = {"ok": "ok", "warn": "WARN", "bad": "BAD"}
        print_table(
            ("", "check", "what", "do"),
            [(marks[one.state], one.check, one.what, one.remedy) for one in (*findings, *games)],
        )
    if not usable:
        click.get_current_context().exit(STORE)
    if any(one.state == "bad" for one in games):
        click.get_current_context().exit(BROKEN)


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
    for name in sorted(title_references()):
        title = find_title(name)
        faults = check_title(title) if title else ()
        for fault in faults:
            what = f"{fault.place}: {fault.what}"
            yield Finding(check=name, state="warn", what=what, remedy=fault.remedy)
        if not faults:
            yield Finding(check=name, state="ok", what="the sequence of play is sound")


def _games(where: str) -> Iterator[Finding]:
    with open_ledger(where, read_only=True) as ledger:
        for game in ledger.games():
            verdict = ledger.verify(game.id)
            yield Finding(
                check=game.id,
                state="ok" if verdict.valid else "bad",
                what=f"{verdict.verdict}, {verdict.size} records" + (f": {verdict.reason}" if verdict.reason else ""),
                remedy="" if verdict.valid else "compare with a checkpoint or an export; nothing behind it counts",
            )
