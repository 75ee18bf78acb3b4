"""Check that reading returns the stored records, and refuses missing records."""

from __future__ import annotations

import pytest

from tests.face.ledger import Ledger, NoSuchGame, NoSuchRecord
from tests.ledger.table import Numbers, open_table, play
from umpire_ledger.ledger import reading


class TestReading:
    def test_unknown_game_record_or_order_id_is_refused(self, ledger: Ledger[Numbers]) -> None:
        for read in (ledger.state, ledger.branch, ledger.checkpoint, ledger.verify, ledger.lines):
            with pytest.raises(NoSuchGame):
                read("nowhere")
        with pytest.raises(NoSuchGame):
            list(ledger.records("nowhere"))
        play(ledger, "g", [1, 2])
        for position in (0, 3):
            with pytest.raises(NoSuchRecord, match=rf"#{position}\b"):
                ledger.record("g", position)
        for position in (-1, 3):
            with pytest.raises(NoSuchRecord):
                ledger.state("g", position)
        assert ledger.answer("g", "unknown") == ledger.answer("nowhere", "c") == ()
        assert ledger.size("nowhere") == 0

    def test_records_between_two_positions_are_returned(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", *([n] for n in range(1, 10)))
        assert [record.position for record in ledger.records("g", 3, 5)] == [3, 4, 5]
        assert [record.position for record in ledger.records("g", 8, 100)] == [8, 9]
        assert list(ledger.records("g", 5, 4)) == []

    def test_long_order_is_answered_whole(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [0], list(range(100)), [0])
        assert len(ledger.answer("g", "order 2")) == 100


class TestLinesWith:
    """Lines are searched by their bytes; the results of earlier searches are cached."""

    MARK = b'"n":7'

    def test_lines_with_mark_are_the_same_for_repeated_searches(self, ledger: Ledger[Numbers]) -> None:
        for numbers in ([1, 7], [7, 2, 71], [3], [7]):
            play(ledger, "g", numbers)
            play(ledger, "other", [7])
            for _ in range(2):
                assert ledger.lines_with("g", self.MARK) == [line for line in ledger.lines("g") if self.MARK in line]
        assert ledger.lines_with("g", b'"n":8') == []
        with pytest.raises(NoSuchGame):
            ledger.lines_with("nowhere", self.MARK)

    def test_lines_with_mark_include_other_writers(self, place: str) -> None:
        with open_table(place) as mine, open_table(place) as theirs:
            play(mine, "g", [7])
            assert len(mine.lines_with("g", self.MARK)) == 1
            play(theirs, "g", [1], [7])
            assert len(mine.lines_with("g", self.MARK)) == 2

    @pytest.mark.parametrize("limit", ["MOST_MARKED", "FEW"])
    def test_lines_with_mark_are_searched_again_after_eviction(
        self, ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch, limit: str
    ) -> None:
        monkeypatch.setattr(reading, limit, 1)
        play(ledger, "g", [7, 8], [7, 8])
        for _ in range(2):
            assert len(ledger.lines_with("g", self.MARK)) == len(ledger.lines_with("g", b'"n":8')) == 2
            assert len(ledger._reading._marked) <= 1
