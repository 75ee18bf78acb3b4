"""Check that a ledger file is sound and that the machine can keep it safely, from outside with read-only `sqlite3`."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from umpire_ledger.ledger.records.check_result import CheckResult
from umpire_ledger.ledger.storage.database_checks import look_inside

__all__ = ["CheckResult", "look_at_file", "look_at_sqlite"]

SOUND_SQLITE = (3, 51, 3)
"""First version without a defect that can lose a WAL reset when several connections write and checkpoint at once."""
LITTLE_ROOM = 64 * 2**20
"""Free space in bytes, below which the disk is nearly full."""


def look_at_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> CheckResult:
    """Check that the SQLite library does not have the known WAL defect."""
    said = ".".join(map(str, version))
    if version >= SOUND_SQLITE:
        return CheckResult(check="sqlite", state="ok", what=f"SQLite {said}")
    return CheckResult(
        check="sqlite",
        state="warn",
        what=f"SQLite {said} is older than 3.51.3 and has a known WAL defect with several writers",
        remedy="let only one program at a time write to a ledger, or use a Python with a newer SQLite",
    )


def look_at_file(file: Path) -> Iterator[CheckResult]:
    """Yield the results of all checks of a ledger file that do not read its games."""
    if not os.path.isfile(file):
        yield CheckResult(
            check="file", state="bad", what=f"there is no file {file}", remedy="check --ledger, or open a game"
        )
        return
    yield from _room_and_rights(file)
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as connection:
            yield from look_inside(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        remedy = "restore a backup, or import the games' replay logs into a new ledger"
        yield CheckResult(check="database", state="bad", what=f"{file} cannot be read: {error}", remedy=remedy)


def _room_and_rights(file: Path) -> Iterator[CheckResult]:
    folder = file.absolute().parent
    writable = os.access(file, os.W_OK) and os.access(folder, os.W_OK)
    if writable:
        yield CheckResult(check="rights", state="ok", what="the file and its folder are writable")
    else:
        remedy = f"make {file} and its folder writable; SQLite also writes next to the file"
        yield CheckResult(check="rights", state="warn", what="the ledger is readable but not writable", remedy=remedy)
    free = shutil.disk_usage(folder).free
    if free < LITTLE_ROOM:
        remedy = "free some space before the next game; an order for which there is no space is refused"
        yield CheckResult(check="room", state="warn", what=f"only {free // 2**20} MiB are free", remedy=remedy)
    else:
        yield CheckResult(check="room", state="ok", what=f"{free // 2**20} MiB are free")
