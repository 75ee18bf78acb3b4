"""Copy a ledger while others write to it: SQLite's online backup, checked before it gets its final name.

The copy is one moment of the ledger in one file, without a `-wal`. It is written under a temporary name and renamed in
one step, so that an interrupted copy is never mistaken for a ledger.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from umpire_ledger.ledger.records.check_result import CheckResult
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.storage.copies import mark_backup
from umpire_ledger.ledger.storage.database_checks import look_inside

T = TypeVar("T")
UNFINISHED = ".part"
"""Suffix of the name of an incomplete copy."""


def back_up(copy: Callable[[sqlite3.Connection], None], to: Path, check: Callable[[Path], T]) -> T:
    """Make a copy, look inside it, check it, give it its name, and return the result of the check.

    `copy` fills an empty database; `check` examines the games of the file at the given path.

    Raises:
        StoreUnavailable: The name is taken, the copy cannot be made, or it is a damaged database. No file of that name
            is left.
    """
    _verify_free(to)
    unfinished = to.with_name(f".{to.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        with _trouble(to):
            with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                copy(connection)
                mark_backup(connection)
                connection.execute("PRAGMA journal_mode = DELETE").fetchone()
                _verify_sound(list(look_inside(connection)), to)
            checked = check(unfinished)
            _settle(unfinished)
            _give_name(unfinished, to)
            _settle(to.parent)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(OSError):  # The first error is reported, for instance a name that is too long.
                unfinished.with_name(unfinished.name + ending).unlink()
    return checked


def _verify_free(to: Path) -> None:
    if os.path.lexists(to):
        raise StoreUnavailable(
            f"{to} already exists", where=str(to), remedy="name a new file: a backup never overwrites a file"
        )
    if not os.path.isdir(to.parent):
        what = f"the folder of {to} does not exist"
        raise StoreUnavailable(what, where=str(to), remedy=f"create the folder {to.parent} first")


def _verify_sound(found: list[CheckResult], to: Path) -> None:
    damaged = [one for one in found if one.state == "bad" and one.check in ("database", "format", "tables")]
    if damaged:
        what = f"the copy is damaged and was not kept: {damaged[0].what}"
        raise StoreUnavailable(what, where=str(to), remedy="`umpire doctor` lists the faults of the ledger itself")


def _give_name(unfinished: Path, to: Path) -> None:
    """Rename the copy in one step, but never over another file."""
    try:
        os.link(unfinished, to)
    except FileExistsError:
        _verify_free(to)
        raise
    except OSError:  # This file system has no hard links.
        _verify_free(to)
        os.rename(unfinished, to)


def _settle(path: Path) -> None:
    """Wait until the file or folder is on the disk. Some file systems do not support this for folders."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(number)


@contextlib.contextmanager
def _trouble(to: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
        said = getattr(error, "strerror", None) or str(error)
        remedy = "check the folder, its free space and permissions; the ledger itself is unchanged"
        raise StoreUnavailable(f"{to} cannot be written: {said}", where=str(to), remedy=remedy) from error
