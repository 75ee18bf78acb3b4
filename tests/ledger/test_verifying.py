"""A game is checked where it lies: lines, index and kept edge."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.ledger.table import number, open_table, play
from umpire_ledger.ledger.errors import BrokenLedger


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
            assert ledger.verify("g", checkpoint).first_bad == 4

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
