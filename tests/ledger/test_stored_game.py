"""Check a stored game: its lines, its index and its compact range."""

from __future__ import annotations

import io
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.face.ledger import BrokenLedger, Ledger, log_checker_Verdict as Verdict
from tests.ledger.table import Tally, number, open_table, play
from tests.naming import Naming
from umpire_ledger.ledger import replay_log


class TestVerify:
    def test_changed_row_is_reported(self, path: object) -> None:
        # A user who drops the triggers can change a row; the check reports it.
        with open_table(str(path)) as ledger:
            play(ledger, "g", *([n] for n in range(10)))
        raw = sqlite3.connect(str(path))
        raw.execute("DROP TRIGGER record_stays")
        raw.execute("""UPDATE record SET line = CAST(replace(line, '"n":4', '"n":8') AS BLOB) WHERE position = 5""")
        raw.commit()
        with open_table(str(path)) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad, verdict.size) == ("INVALID", 5, 4)
            assert verdict.changed_between == (5, 6)
            assert verdict.reason == Naming("#5", "#6", "prior", "#5", "#6")

    def test_index_different_from_line_is_reported(self, path: object) -> None:
        with open_table(str(path)) as ledger:
            play(ledger, "g", *([n] for n in range(10)))
        raw = sqlite3.connect(str(path))
        raw.execute("DROP TRIGGER record_stays")
        raw.execute("UPDATE record SET follows = 1 WHERE position = 5")
        raw.commit()
        with open_table(str(path)) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 5)
            assert verdict.changed_between == (5, 5), "the record's line is not what the hashes of it and #6 say"

    def test_line_other_than_a_record_is_reported(self, path: object) -> None:
        with open_table(str(path)) as ledger:
            play(ledger, "g", [1], [2])
        raw = sqlite3.connect(str(path))
        raw.execute("DROP TRIGGER record_stays")
        raw.execute("UPDATE record SET line = x'ff' WHERE position = 2")
        raw.commit()
        with open_table(str(path)) as ledger:
            with pytest.raises(BrokenLedger, match="#2") as broken:
                list(ledger.records("g"))
            assert broken.value.position == 2


class TestIndexOfOrderIds:
    @pytest.mark.parametrize(
        ("indexed", "found"),
        [
            (1, [(1, 2, 3), (1, 2, 3), (1, 2, 3), (4,)]),
            (2, [None, (2, 3), (2, 3), (4,)]),
            (3, [None, None, (3,), (4,)]),
            (4, [None, None, None, None]),
            (5, [None, None, None, (4,)]),
        ],
    )
    def test_order_at_a_position_outside_the_indexed_one_is_refused(
        self, path: Path, indexed: int, found: list[tuple[int, ...] | None]
    ) -> None:
        """Move the id of an order of three records in the index. Position 5 does not exist."""
        with open_table(path) as ledger:
            play(ledger, "g", [1, 2, 3], [4])
        TestLastOrder.alter(
            path,
            "DROP TRIGGER record_stays",
            "UPDATE record SET command = NULL WHERE position = 1",
            f"UPDATE record SET command = 'order 1' WHERE position = {indexed}",
        )
        with open_table(path) as ledger:
            for position, order in at_least_one(enumerate(found, 1)):
                if order is None:
                    with pytest.raises(BrokenLedger):
                        ledger.order_at("g", position)
                else:
                    assert tuple(record.position for record in ledger.order_at("g", position)) == order


class TestLastOrder:
    """No later `prior` covers the last order; the stored compact range does."""

    CHANGE = """UPDATE record SET line = CAST(replace(line, '"n":4', '"n":8') AS BLOB) WHERE position = 5"""

    @pytest.fixture
    def changed(self, path: Path) -> Path:
        """Return a game of two orders with a changed record in the middle of the second."""
        with open_table(path) as ledger:
            play(ledger, "g", [0, 1, 2], [3, 4, 5])
        self.alter(path, "DROP TRIGGER record_stays", self.CHANGE)
        return path

    @staticmethod
    def alter(path: Path, *statements: str) -> None:
        raw = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            raw.execute(statement)
        raw.close()

    def test_change_in_last_order_is_reported_from_its_first_record(self, changed: Path) -> None:
        with open_table(changed) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad, verdict.size) == ("INVALID", 4, 3)
            assert verdict.reason == Naming("#4", "#6")
            assert verdict.changed_between == (4, 6)
            assert verdict.expected == ledger.checkpoint("g").hex != verdict.found

    def test_change_in_last_order_is_reported_after_next_order(self, changed: Path) -> None:
        with open_table(changed) as ledger:
            play(ledger, "g", [6])
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 4)

    def test_change_without_compact_range_needs_a_checkpoint(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [0, 1, 2], [3, 4, 5])
            checkpoint = ledger.checkpoint("g")
        self.alter(path, "DROP TRIGGER record_stays", self.CHANGE, "DROP TABLE edge")
        with open_table(path) as ledger:
            assert ledger.verify("g").valid
            verdict = ledger.verify("g", checkpoint)
            assert (verdict.first_bad, verdict.changed_between) == (1, (1, 6))
            assert verdict.reason == Naming("#4", "#6", "prior")

    def test_deleted_tail_is_reported(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [0, 1, 2], [3, 4, 5])
        self.alter(path, "DROP TRIGGER record_is_kept", "DELETE FROM record WHERE position > 3")
        with open_table(path) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.size) == ("INCOMPLETE", 3)
            assert verdict.reason == Naming("#3", 6)

    def test_deleted_range_of_records_is_reported(self, path: Path) -> None:
        """Use a game longer than one read of the store."""
        with open_table(path) as ledger:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(n) for n in range(1600)])
        between = "DELETE FROM record WHERE position BETWEEN 513 AND 1100"
        self.alter(path, "DROP TRIGGER record_is_kept", between)
        with open_table(path) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 513)


class TestForgedHistory:
    def test_forged_history_is_not_blamed_on_last_record(self, path: Path) -> None:
        # A forger wrote #3 differently, and every later `prior` again: only a seat's checkpoint reveals it.
        with open_table() as ledger:
            play(ledger, "g", *([n] for n in range(20)))
            checkpoint = ledger.checkpoint("g")
        with open_table(path) as forged:
            play(forged, "g", *([n if n != 2 else 99] for n in range(20)))
            assert forged.verify("g").valid
            verdict = forged.verify("g", checkpoint)
        assert (verdict.verdict, verdict.first_bad, verdict.changed_between) == ("INVALID", 1, (1, 20))
        assert (verdict.expected, verdict.found) == (checkpoint.hex, forged_root(path))


def forged_root(path: Path) -> str:
    with open_table(path) as ledger:
        return ledger.checkpoint("g").hex


class TestClock:
    @staticmethod
    def told(path: Path, *seconds: int) -> Verdict:
        times = iter(seconds)
        noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
        with Ledger.open(path, Tally(), clock=lambda: noon + timedelta(seconds=next(times))) as ledger:
            play(ledger, "g", *([n] for n in seconds))
            return ledger.verify("g")

    def test_clock_going_back_is_reported_and_log_is_valid(self, path: Path) -> None:
        verdict = self.told(path, 1, 2, 2, 1, 9)
        assert verdict.verdict == "VALID"
        assert [(one.position, one.at[17:19], one.before[17:19]) for one in verdict.clock_back] == [(4, "01", "02")]

    def test_file_other_than_a_log_reports_no_clock(self) -> None:
        verdict = replay_log.verify(io.BytesIO(b"hello\n"))
        assert (verdict.clock_back, verdict.clock_back_left_out) == ((), 0)

    def test_clock_faults_are_listed_up_to_a_limit(self, path: Path) -> None:
        verdict = self.told(path, *range(150, 0, -1))
        assert (len(verdict.clock_back), verdict.clock_back_left_out) == (100, 49)
        assert verdict.clock_back[0].position == 2
