"""Check that compact ranges are stored with the records, so that an order hashes only its own records."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import pytest

from tests.face.ledger import (
    BrokenLedger,
    CompactRange,
    Ledger,
    PendingOrder,
    PositionConflict,
    parse_stored,
    row_of,
    to_keep,
    write_down,
)
from tests.ledger.table import Numbers, SlowClock, number, open_table, play
from umpire_ledger.ledger import replay_log


def by_hand(ledger: Ledger[Numbers], game_id: str = "g") -> CompactRange:
    """Return the compact range of all leaves."""
    return CompactRange().grow(record.leaf(game_id) for record in ledger.records(game_id))


def kept(path: Path) -> list[tuple[int, int]]:
    """Return (game, size) of each stored compact range, as `sqlite3` shows them."""
    with sqlite3.connect(path) as raw:
        return raw.execute("SELECT game, size FROM edge ORDER BY game").fetchall()


def alter(path: Path, *statements: str) -> None:
    """Run statements as a user of `sqlite3` who ignores the triggers."""
    raw = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        raw.execute(statement)
    raw.close()


def hash_nothing(ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if an older record is hashed from here on."""

    def refuse(game_id: str, at: int) -> CompactRange:
        raise AssertionError(f"the records of {game_id} up to #{at} are hashed again")

    monkeypatch.setattr(ledger._edges, "_hashed", refuse)


@pytest.fixture
def written(path: Path) -> Path:
    """Return a ledger file with a game of six records in four orders."""
    with open_table(path) as ledger:
        play(ledger, "g", [1, 2], [3], [4, 5], [6])
    return path


class TestStoredRanges:
    def test_stored_range_ends_at_last_record_for_each_size(self, path: Path) -> None:
        for _ in range(17):
            with open_table(path) as ledger:
                play(ledger, "g", [1], [2, 3])
                assert ledger._edges.kept("g") == (ledger.size("g"), by_hand(ledger))
        with open_table(path) as ledger:
            assert ledger.verify("g").valid

    def test_ledger_opened_for_one_order_hashes_no_old_record(
        self, written: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with open_table(written) as ledger:
            hash_nothing(ledger, monkeypatch)
            root = ledger.checkpoint("g").hex
            assert play(ledger, "g", [7])[0].prior == root
            monkeypatch.undo()
            assert ledger.verify("g").valid

    def test_compact_range_is_stored_per_game(self, written: Path) -> None:
        with open_table(written) as ledger:
            play(ledger, "h", [1, 2, 3])
        assert kept(written) == [(1, 6), (2, 3)]

    def test_copy_and_imported_log_store_a_compact_range(
        self, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = io.BytesIO()
        with open_table(written) as ledger:
            ledger.fork("g", 5, "h")
            replay_log.write(ledger, "g", log)
        assert kept(written) == [(1, 6), (2, 5)]
        elsewhere = tmp_path / "elsewhere.db"
        with open_table(elsewhere) as ledger:
            replay_log.read_into(ledger, io.BytesIO(log.getvalue()))
        assert kept(elsewhere) == [(1, 6)]
        with open_table(elsewhere) as ledger:
            hash_nothing(ledger, monkeypatch)
            play(ledger, "g", [7])
            monkeypatch.undo()
            assert ledger.verify("g").valid

    def test_refused_order_leaves_compact_range_unchanged(self, written: Path) -> None:
        with open_table(written) as ledger, open_table(written) as other:
            ledger.checkpoint("g")
            play(other, "g", [7])
            with pytest.raises(PositionConflict):
                ledger.append("g", after=6, seat="a", command="late", drafts=[number(8)])
            log = io.BytesIO()
            replay_log.write(other, "g", log)
            renamed = log.getvalue().replace(b'"game":"g"', b'"game":"h"')
            with pytest.raises(BrokenLedger):
                replay_log.read_into(ledger, io.BytesIO(renamed))
        assert kept(written) == [(1, 7)]


class TestDamagedRanges:
    def test_ledger_without_edge_table_gets_it_with_next_order(self, written: Path) -> None:
        alter(written, "DROP TABLE edge")
        for read_only in (True, False):
            with open_table(written, read_only=read_only) as ledger:
                assert ledger.checkpoint("g").root == by_hand(ledger).root()
                assert ledger.verify("g").valid
        with open_table(written) as ledger:
            play(ledger, "g", [7])
            assert ledger.verify("g").valid
        assert kept(written) == [(1, 7)]

    def test_earlier_edition_writes_without_compact_range(self, written: Path) -> None:
        # An earlier edition does not know the table: its rows are stored, and the compact range stays as it was.
        with open_table(written) as ledger:
            order = PendingOrder(seat="a", command="from 0.9", drafts=[number(7), number(8)])
            records = write_down("g", by_hand(ledger), order, SlowClock())
            ledger._store.insert_lines("g", map(row_of, records))
        assert kept(written) == [(1, 6)]
        with open_table(written) as ledger:
            assert ledger.verify("g").valid
            assert ledger.checkpoint("g").root == by_hand(ledger).root()
            play(ledger, "g", [9])
            assert ledger.verify("g").valid
        assert kept(written) == [(1, 9)]

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE edge SET size = 4",
            "UPDATE edge SET size = 'six'",
            "UPDATE edge SET peaks = substr(peaks, 2)",
            "UPDATE edge SET peaks = zeroblob(64)",
            "UPDATE edge SET root = zeroblob(32)",
            "DELETE FROM edge",
        ],
    )
    def test_damaged_compact_range_is_computed_from_records(self, written: Path, damage: str) -> None:
        alter(written, damage)
        with open_table(written) as ledger:
            root = by_hand(ledger).root().hex()
            assert ledger.checkpoint("g").hex == root
            assert play(ledger, "g", [7])[0].prior == root
            assert ledger.verify("g").valid

    def test_order_after_deleted_records_is_refused(self, written: Path) -> None:
        # An order would store a new compact range, and hide that records are missing.
        alter(written, "DROP TRIGGER record_is_kept", "DELETE FROM record WHERE position = 6")
        with open_table(written) as ledger:
            with pytest.raises(BrokenLedger, match="records are missing") as broken:
                play(ledger, "g", [7])
            assert (broken.value.position, broken.value.expected, broken.value.found) == (6, "6 records", "5 records")
            assert ledger.size("g") == 5


class TestRangeColumns:
    @pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 8, 100])
    def test_stored_compact_range_is_parsed_back(self, size: int) -> None:
        edge = CompactRange().grow(bytes([n]) * 32 for n in range(size))
        assert parse_stored(to_keep(edge)) == edge

    def test_inconsistent_columns_of_compact_range_are_refused(self) -> None:
        size, peaks, root = to_keep(CompactRange().grow(bytes([n]) * 32 for n in range(6)))
        for columns in (
            (size + 1, peaks, root),
            (size, peaks[:-1], root),
            (size, peaks[::-1], root),
            (size, b"", root),
        ):
            assert parse_stored(columns) is None
