"""A game is checked where it lies: lines, index and kept edge."""

from __future__ import annotations

import io
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.ledger.table import Tally, number, open_table, play
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import BrokenLedger
from umpire_ledger.ledger.verification.log_checker import Verdict


class TestVerify:
    def test_a_changed_row_is_found(self, path: object) -> None:
        """Somebody who drops the triggers can change a row, and is found out."""
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
            assert "the `prior` of #5 fits what stands before it, that of #6 does not" in verdict.reason

    def test_an_index_that_does_not_fit_the_line_is_found(self, path: object) -> None:
        with open_table(str(path)) as ledger:
            play(ledger, "g", *([n] for n in range(10)))
        raw = sqlite3.connect(str(path))
        raw.execute("DROP TRIGGER record_stays")
        raw.execute("UPDATE record SET follows = 1 WHERE position = 5")
        raw.commit()
        with open_table(str(path)) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 5)
            assert "index" in verdict.reason

    def test_a_line_that_is_no_record_says_which(self, path: object) -> None:
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


class TestTheLastOrder:
    """No later `prior` vouches for it; the edge that was kept with it does."""

    CHANGE = """UPDATE record SET line = CAST(replace(line, '"n":4', '"n":8') AS BLOB) WHERE position = 5"""

    @pytest.fixture
    def changed(self, path: Path) -> Path:
        """A game of two orders, a record in the middle of the second changed."""
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

    def test_a_change_in_it_is_found_at_the_first_record_that_nobody_vouches_for(self, changed: Path) -> None:
        with open_table(changed) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad, verdict.size) == ("INVALID", 4, 3)
            assert "a record from #4 to #6 was changed" in verdict.reason
            assert verdict.changed_between == (4, 6)
            assert verdict.expected == ledger.checkpoint("g").hex != verdict.found

    def test_a_change_in_it_is_never_vouched_for_by_the_next_order(self, changed: Path) -> None:
        with open_table(changed) as ledger:
            play(ledger, "g", [6])
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 4)

    def test_without_the_kept_edge_only_a_checkpoint_tells(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [0, 1, 2], [3, 4, 5])
            checkpoint = ledger.checkpoint("g")
        self.alter(path, "DROP TRIGGER record_stays", self.CHANGE, "DROP TABLE edge")
        with open_table(path) as ledger:
            assert ledger.verify("g").valid
            verdict = ledger.verify("g", checkpoint)
            assert (verdict.first_bad, verdict.changed_between) == (1, (1, 6))
            assert "from #4 to #6 was changed, or an earlier one and every `prior` behind it" in verdict.reason

    def test_a_tail_that_was_cut_off_is_missed(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [0, 1, 2], [3, 4, 5])
        self.alter(path, "DROP TRIGGER record_is_kept", "DELETE FROM record WHERE position > 3")
        with open_table(path) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.size) == ("INCOMPLETE", 3)
            assert verdict.reason == "nothing after #3: the ledger had 6 records"

    def test_a_stretch_that_was_taken_out_is_missed(self, path: Path) -> None:
        """Longer than one read of the store."""
        with open_table(path) as ledger:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(n) for n in range(1600)])
        between = "DELETE FROM record WHERE position BETWEEN 513 AND 1100"
        self.alter(path, "DROP TRIGGER record_is_kept", between)
        with open_table(path) as ledger:
            verdict = ledger.verify("g")
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 513)


class TestAnotherHistory:
    def test_the_last_record_is_not_blamed_for_an_earlier_one(self, path: Path) -> None:
        """Somebody wrote #3 otherwise, and every `prior` behind it anew: only a seat's checkpoint knows."""
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


class TestTheClock:
    @staticmethod
    def told(path: Path, *seconds: int) -> Verdict:
        times = iter(seconds)
        noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
        with Ledger.open(path, Tally(), clock=lambda: noon + timedelta(seconds=next(times))) as ledger:
            play(ledger, "g", *([n] for n in seconds))
            return ledger.verify("g")

    def test_one_that_goes_back_is_told_and_breaks_nothing(self, path: Path) -> None:
        verdict = self.told(path, 1, 2, 2, 1, 9)
        assert verdict.verdict == "VALID"
        assert [(one.position, one.at[17:19], one.before[17:19]) for one in verdict.clock_back] == [(4, "01", "02")]

    def test_of_a_file_that_is_no_log_nothing_is_said_of_clocks(self) -> None:
        verdict = replay_log.verify(io.BytesIO(b"hello\n"))
        assert (verdict.clock_back, verdict.clock_back_left_out) == ((), 0)

    def test_of_many_the_first_are_named(self, path: Path) -> None:
        verdict = self.told(path, *range(150, 0, -1))
        assert (len(verdict.clock_back), verdict.clock_back_left_out) == (100, 49)
        assert verdict.clock_back[0].position == 2
