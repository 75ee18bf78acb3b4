"""Damage a file of read models, or replace it by a foreign file: each way is a function of the file."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

Hurt = Callable[[Path], None]
PAGE = 4096


def _write(at: int, what: bytes) -> Hurt:
    """Overwrite bytes from an offset; a negative offset counts from the end."""

    def hurt(views: Path) -> None:
        raw = bytearray(views.read_bytes())
        start = at if at >= 0 else len(raw) + at
        raw[start : start + len(what)] = what
        views.write_bytes(raw)

    return hurt


def _cut(keep: Callable[[int], int]) -> Hurt:
    return lambda views: os.truncate(views, keep(views.stat().st_size))


def _whole(what: Callable[[int], bytes]) -> Hurt:
    return lambda views: views.write_bytes(what(views.stat().st_size)) and None


def _sql(*statements: str) -> Hurt:
    def hurt(views: Path) -> None:
        with closing(sqlite3.connect(views, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)

    return hurt


def _beside(ending: str, what: bytes, mode: int = 0o644) -> Hurt:
    """Leave another file next to the read models."""

    def hurt(views: Path) -> None:
        left = views.with_name(views.name + ending)
        left.write_bytes(what)
        left.chmod(mode)

    return hurt


def _flips(every: int) -> Hurt:
    def hurt(views: Path) -> None:
        chance, raw = random.Random(every), bytearray(views.read_bytes())
        for start in range(0, len(raw), every):
            raw[min(start + chance.randrange(every), len(raw) - 1)] ^= 1 << chance.randrange(8)
        views.write_bytes(raw)

    return hurt


def _stale_wal(views: Path) -> None:
    """Leave the write-ahead log of another database."""
    other = views.with_name("other.db")
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (x)")
    for ending in ("-wal", "-shm"):
        shutil.copy(other.with_name(other.name + ending), views.with_name(views.name + ending))
        views.with_name(views.name + ending).chmod(0o444)
    connection.close()


def _ledger(views: Path) -> None:
    shutil.copy(views.with_name("umpire.db"), views)


def _nowhere(views: Path) -> None:
    views.unlink()
    views.symlink_to("nowhere.db")


def _noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def _schema_of_noise(views: Path) -> None:
    """Damage a name in the schema: SQLite's error quotes it, and it is invalid UTF-8."""
    raw = views.read_bytes()
    assert raw.count(b"viewunitsunits")
    views.write_bytes(raw.replace(b"viewunitsunits", b"viewu\xeeitsunits"))


HURT: dict[str, Hurt] = {
    "empty": _cut(lambda size: 0),
    "one byte": _cut(lambda size: 1),
    "its header alone": _cut(lambda size: 100),
    "half": _cut(lambda size: size // 2),
    "without its last page": _cut(lambda size: size - PAGE),
    "without its last byte": _cut(lambda size: size - 1),
    "noise": _whole(_noise),
    "a little noise": _whole(lambda size: _noise(10)),
    "text": _whole(lambda size: b"rubbish" * 1000),
    "zeros": _whole(bytes),
    "no header": _write(0, bytes(100)),
    "another magic": _write(0, b"SQLite format 4\0"),
    "another page size": _write(16, b"\x02\x00"),
    "another encoding": _write(56, b"\0\0\0\x02"),
    "noise in the first page": _write(100, _noise(PAGE - 100)),
    "noise in the second page": _write(PAGE, _noise(PAGE)),
    "noise in the fifth page": _write(4 * PAGE, _noise(PAGE)),
    "noise in the last page": _write(-PAGE, _noise(PAGE)),
    "a bit in each page": _flips(PAGE),
    "a bit in every 64 bytes": _flips(64),
    "no mark": _sql("PRAGMA application_id = 0"),
    "another's mark": _sql("PRAGMA application_id = 12345"),
    "an older format": _sql("PRAGMA user_version = 0"),
    "a newer format": _sql("PRAGMA user_version = 99"),
    "no audit": _sql("DROP TABLE audit"),
    "no looked": _sql("DROP TABLE looked"),
    "no search": _sql("DROP TABLE audit_fts"),
    "half the search": _sql("DELETE FROM audit_fts_data"),
    "a column less": _sql("DROP VIEW dice", "ALTER TABLE audit DROP COLUMN cause"),
    "a column more": _sql("ALTER TABLE turn_view ADD COLUMN more TEXT"),
    "a table more": _sql("CREATE TABLE more (x)"),
    "a trigger": _sql("CREATE TRIGGER t BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END"),
    "no index": _sql("DROP INDEX idx_audit_order_id"),
    "views of nothing": _sql("UPDATE turn_view SET view = NULL"),
    "views cut short": _sql("UPDATE turn_view SET view = substr(view, 1, 40)"),
    "views that are a number": _sql("UPDATE turn_view SET view = '7'"),
    "text that is none": _sql("UPDATE audit SET text = CAST(x'ff00ff' AS TEXT)", "UPDATE turn_view SET view = x'ff'"),
    "text that is bytes": _sql("UPDATE audit SET text = CAST(text AS BLOB)"),
    "a number that is bytes": _sql("UPDATE audit SET position = x'01'"),
    "an order that is a number": _sql("UPDATE audit SET cause = '7' WHERE cause <> ''"),
    "secrets from nowhere": _sql("UPDATE secret SET first = x'0a'"),
    "units without attributes": _sql("UPDATE unit SET attributes = NULL"),
    "undo points of bytes": _sql("UPDATE undo_point SET turn = x'01', name = x'02'"),
    "a position of bytes": _sql("UPDATE game SET position = x'01'"),
    "a key of bytes": _sql("UPDATE game SET last_line = x'01'"),
    "a schema that is no text": _schema_of_noise,
    "a game that is further": _sql("UPDATE game SET position = 1000"),
    "a game without a line": _sql("UPDATE game SET last_line = NULL, edition = NULL"),
    "a game that is nobody's": _sql("UPDATE game SET id = 'other'"),
    "snapshots that are none": _sql("UPDATE snapshot SET state = x'00'"),
    "where it looked is a word": _sql("UPDATE looked SET position = 'word'"),
    "a ledger": _ledger,
    "noise in its wal": _beside("-wal", _noise(9000)),
    "another's wal, read-only": _stale_wal,
    "noise in its shm": _beside("-shm", _noise(32768), 0o444),
    "noise in a journal": _beside("-journal", _noise(5000), 0o444),
    "a link to nothing": _nowhere,
    "read-only": lambda views: views.chmod(0o444),
}


def _somebody_elses(views: Path) -> None:
    views.unlink()
    with closing(sqlite3.connect(views)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
        connection.commit()


def _folder(views: Path) -> None:
    views.unlink()
    views.mkdir()


SOMEBODY_ELSES: dict[str, Hurt] = {"another program's": _somebody_elses, "a folder": _folder}
