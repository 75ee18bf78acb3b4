"""What is asked for is what is stored; what is not there is said."""

from __future__ import annotations

import pytest

from tests.ledger.table import Numbers, play
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.errors import (
    NoSuchGame,
    NoSuchRecord,
)


class TestReading:
    def test_an_unknown_game_record_or_command(self, ledger: Ledger[Numbers]) -> None:
        for read in (ledger.state, ledger.branch, ledger.checkpoint, ledger.verify, ledger.lines):
            with pytest.raises(NoSuchGame):
                read("nowhere")
        with pytest.raises(NoSuchGame):
            list(ledger.records("nowhere"))
        play(ledger, "g", [1, 2])
        for position in (0, 3):
            with pytest.raises(NoSuchRecord, match=f"no record #{position}"):
                ledger.record("g", position)
        for position in (-1, 3):
            with pytest.raises(NoSuchRecord):
                ledger.state("g", position)
        assert ledger.answer("g", "unknown") == ledger.answer("nowhere", "c") == ()
        assert ledger.size("nowhere") == 0

    def test_a_part_of_the_records(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", *([n] for n in range(1, 10)))
        assert [record.position for record in ledger.records("g", 3, 5)] == [3, 4, 5]
        assert [record.position for record in ledger.records("g", 8, 100)] == [8, 9]
        assert list(ledger.records("g", 5, 4)) == []

    def test_a_long_order_is_answered_whole(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [0], list(range(100)), [0])
        assert len(ledger.answer("g", "order 2")) == 100
