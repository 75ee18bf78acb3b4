"""Mark the games that came into a ledger as copies, until this ledger adds the first record to them.

Play may continue in the original with the same seeds. So the caller that records the first order must know that it is a
copy; the ledger itself knows no dice.
"""

from __future__ import annotations

import os
import platform
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from umpire_ledger.ledger.storage.metadata import MetadataEntry, SqliteMetadata

Copying = Literal["backup", "import", "file"]
WAYS: tuple[Copying, ...] = get_args(Copying)
COPIED = "copied"
HOME = "home"
SIZES = "SELECT id, (SELECT max(position) FROM record WHERE record.game = game.key) FROM game"


def copied_entry(game_id: str, how: Copying, size: int) -> MetadataEntry:
    """Return the mark of a game that came in with this size and in this way."""
    return MetadataEntry(game_id, COPIED, "", f"{how} {size}")


def how_copied(mark: str | None, size: int) -> Copying | None:
    """Return the way in which a game of this size came in; None without a mark, or if records were added since."""
    return next((how for how in WAYS if mark == f"{how} {size}"), None)


def home_of(file: Path) -> str:
    """Return the identity of a file: its inode, and a digest of this machine's name and the path; "" if it has none."""
    try:
        inode = os.stat(file).st_ino
    except OSError:
        return ""
    place = f"{platform.node()}\0{os.path.realpath(file)}"
    return f"{inode} {sha256(place.encode(errors='surrogateescape')).hexdigest()}"


def is_same_home(one: str, other: str) -> bool:
    """Return whether two homes identify one file. A rename keeps the inode; on some disks only the path is stable."""
    return any(part == another for part, another in zip(one.split(), other.split(), strict=False))


def mark_backup(copy: sqlite3.Connection) -> None:
    """Mark every game of a ledger that was just copied into this database as a backup."""
    with closing(copy.cursor()) as cursor:
        sizes = cursor.execute(SIZES).fetchall()
    copy.execute("BEGIN")
    metadata = SqliteMetadata(copy)
    metadata.drop("", HOME)
    for game, size in sizes:
        metadata.put(copied_entry(game, "backup", size))
    copy.execute("COMMIT")
