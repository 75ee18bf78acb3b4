"""Test the checks of a database: indexes, tables, triggers, foreign rows, stored roots, refused orders."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.face.ledger import (
    ASIDE,
    EARLIER,
    CheckResult,
    StoreUnavailable,
    look_at_file,
)
from tests.ledger.table import open_table, play


def found(path: Path) -> dict[str, CheckResult]:
    return {one.check: one for one in look_at_file(path) if one.state != "ok"}


def alter(path: Path, *statements: str) -> None:
    """Run statements as a user of `sqlite3` who ignores the triggers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for statement in statements:
            raw.execute(statement)


@pytest.fixture
def written(path: Path) -> Path:
    """Return a ledger with two games of three records, a rewind in the first, and two refused orders."""
    with open_table(path) as ledger:
        play(ledger, "g1", [1, 2], [3])
        play(ledger, "g3", [1], [2])
        ledger.append_refusal("g1", "athens", b'{"order":"ram"}')
        ledger.append_refusal("g3", "athens", b'{"order":"row"}')
    return path


def test_sound_ledger_has_no_findings(written: Path) -> None:
    assert found(written) == {}
    assert {one.check for one in look_at_file(written)} >= {"database", "tables", "guards", "rows", "refusals"}


@pytest.mark.parametrize(
    ("check", "says", "statements"),
    [
        ("guards", "record_stays", ["DROP TRIGGER record_stays"]),
        (
            "guards",
            "these triggers are not Umpire's: listener",
            ["CREATE TRIGGER listener AFTER INSERT ON record BEGIN SELECT 1; END"],
        ),
        ("tables", "record_follows", ["DROP INDEX record_follows"]),
        (
            "tables",
            "records",
            ["DROP VIEW records", "CREATE VIEW records AS SELECT id, game, position, line FROM record"],
        ),
        ("rows", "game g9 has no records", ["INSERT INTO game (id) VALUES ('g9')"]),
        (
            "rows",
            "of table record belongs to no game",
            ["DROP TRIGGER record_stays", "UPDATE record SET game = 7 WHERE game = 2"],
        ),
        ("rows", "of table edge belongs to no game", ["UPDATE edge SET game = 7 WHERE game = 2"]),
        ("kept roots", "last order of g3", ["UPDATE edge SET root = zeroblob(32) WHERE game = 2"]),
        (
            "refusals",
            "refused orders changed after they were recorded: 1, in g1",
            ["DROP TRIGGER aside_stays", """UPDATE aside SET told = '{"order":"sue"}' WHERE game = 'g1'"""],
        ),
        ("format", "there has never been a format 0", ["PRAGMA user_version = 0"]),
    ],
)
def test_damaged_database_finding_has_remedy(written: Path, check: str, says: str, statements: list[str]) -> None:
    alter(written, *statements)
    finding = found(written)[check]
    assert says in finding.what
    assert finding.remedy


def test_index_without_row_is_reported(written: Path) -> None:
    """Report a missing row, without which the answer to an order cannot be found by its id."""
    with closing(sqlite3.connect(written, isolation_level=None)) as raw:
        page, size = (
            raw.execute(question).fetchone()[0]
            for question in ("SELECT rootpage FROM sqlite_master WHERE name = 'record_command'", "PRAGMA page_size")
        )
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw_bytes = bytearray(written.read_bytes())
    cells = (page - 1) * size + 3
    raw_bytes[cells + 1] -= 1  # one cell less on the page of the index
    written.write_bytes(raw_bytes)
    assert "the database is damaged" in found(written)["database"].what


@pytest.mark.parametrize(("free", "state"), [(64 * 2**20, "ok"), (64 * 2**20 - 1, "warn")])
def test_low_disk_space_is_reported(written: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=free))
    room = next(one for one in look_at_file(written) if one.check == "room")
    assert room.state == state
    assert f"{free // 2**20} MiB are free" in room.what


def test_ledger_with_other_tables_is_refused(written: Path) -> None:
    alter(written, "DROP VIEW records", "ALTER TABLE record RENAME COLUMN line TO lime")
    with pytest.raises(StoreUnavailable, match="not those of a ledger"):
        open_table(written)


def test_unknown_format_number_is_refused(written: Path) -> None:
    alter(written, "PRAGMA user_version = 0")
    with pytest.raises(StoreUnavailable, match="format 0"):
        open_table(written)


class TestRefusedOrders:
    def test_unchanged_refusal_is_sound(self, written: Path) -> None:
        with open_table(written) as ledger:
            assert [(told, kept) for *_, told, kept in ledger.refusal_log("g1")] == [(b'{"order":"ram"}', "sound")]

    @pytest.mark.parametrize(
        "change",
        [
            *("seat = 'blue'", "after = 2", "at = 'then'", "told = x'00'", "game = 'g3'"),
            *("after = -1", "after = 'two'", "seat = x'62'", "at = 7.5"),
        ],
    )
    def test_refusal_changed_in_any_column_is_reported(self, written: Path, change: str) -> None:
        alter(written, "DROP TRIGGER aside_stays", f"UPDATE aside SET {change} WHERE game = 'g1'")
        with open_table(written) as ledger:
            kept = [one[-1] for game in ("g1", "g3") for one in ledger.refusal_log(game)]
        assert sorted(kept) == ["changed", "sound"]

    def test_those_of_an_earlier_edition_are_unprotected_and_stay(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [1])
        assert ASIDE[0] != EARLIER
        kept = "INSERT INTO aside (game, after, at, seat, told) VALUES ('g', 1, 'then', 'a', x'7b7d')"
        alter(path, EARLIER, *ASIDE[1:], kept)
        assert found(path) == {}
        with open_table(path) as ledger:
            assert [one[-1] for one in ledger.refusal_log("g")] == ["unprotected"]
            ledger.append_refusal("g", "a", b"{}")
            assert [one[-1] for one in ledger.refusal_log("g")] == ["unprotected", "sound"]
        assert found(path) == {}
        said = {one.check: one.what for one in look_at_file(path)}["refusals"]
        assert said == "1 of 2 refused orders are from an earlier version: changes cannot be detected"
