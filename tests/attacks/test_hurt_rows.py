"""Put foreign values into a column or an index of a ledger: every reader reports them, and none crashes."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.attacks.attack import run
from tests.attacks.shown import LEDGER, VIEWS, make_store

PAGE = 4096
CODES = (0, 5, 6, 7)
LOOKS = (
    *(("status", "ford3", "--at", "8"), ("lines", "ford3"), ("audit", "ford3"), ("undo", "ford3", "--preview")),
    *(("refusals", "ford3"), ("undo-points", "ford3"), ("status", "ford3"), ("verify", "ford3"), ("doctor",)),
)
Hurt = Callable[[Path], None]


def _sql(*statements: str) -> Hurt:
    def hurt(ledger: Path) -> None:
        with closing(sqlite3.connect(ledger, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)

    return hurt


def _in_index(index: str, old: bytes, new: bytes) -> Hurt:
    """Overwrite bytes in a page of an index; its table stays the same."""

    def hurt(ledger: Path) -> None:
        with closing(sqlite3.connect(ledger)) as connection:
            root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,)).fetchone()[0]
        raw = ledger.read_bytes()
        page = slice((root - 1) * PAGE, root * PAGE)
        assert old in raw[page]
        ledger.write_bytes(raw[: page.start] + raw[page].replace(old, new) + raw[page.stop :])

    return hurt


def _of_rewind(change: Callable[[int, int, int], tuple[bytes, bytes]]) -> Hurt:
    """Overwrite the second game's entry in the index of rewinds: (game, position, follows, id)."""

    def hurt(ledger: Path) -> None:
        select = "SELECT position, follows, id FROM record WHERE game = 2 AND follows IS NOT NULL"
        with closing(sqlite3.connect(ledger)) as connection:
            position, follows, row = connection.execute(select).fetchone()
        _in_index("record_follows", *change(position, follows, row))(ledger)

    return hurt


NO_POSITION = _of_rewind(
    lambda at, to, row: (b"\x05\x01\x01\x01\x01" + bytes((2, at)), b"\x05\x01\0\x01\x01" + bytes((2, at)))
)
HURT: dict[str, Hurt] = {
    "a column by another name": _sql("UPDATE sqlite_master SET sql = replace(sql, 'seat TEXT', 'sect TEXT')"),
    "a snapshot at no position": _in_index("sqlite_autoindex_snapshot_1", b"\x01\x01ford3", b"\0\x01ford3"),
    "a rewind at position 0": _of_rewind(lambda at, to, row: (bytes((2, at, to, row)), bytes((2, 0, to, row)))),
    "a rewind to what comes later": _of_rewind(lambda at, to, row: (bytes((2, at, to, row)), bytes((2, at, 99, row)))),
    "a rewind at no position": NO_POSITION,
    "a record that is gone": _sql("DROP TRIGGER record_is_kept", "DELETE FROM record WHERE game = 2 AND position = 15"),
    "a game's key that is text": _sql("DROP TRIGGER game_stays", "UPDATE game SET id = CAST(id AS BLOB)"),
}


@pytest.mark.parametrize("hurt", HURT.values(), ids=HURT)
def test_damaged_row_is_reported_by_readers(hurt: Hurt, tmp_path: Path) -> None:
    make_store(tmp_path)
    (tmp_path / VIEWS).unlink()
    hurt(tmp_path / LEDGER)
    told = [run((*words, "--ledger", LEDGER), tmp_path) for words in LOOKS]
    assert [answer.crash for answer in told if answer.crash] == []
    assert {answer.code for answer in told} <= {*CODES}
    assert any(answer.code for answer in told), "somebody must have noticed"
