"""Check that snapshots only save time and never change a result."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.face.ledger import (
    CompactRange,
    Ledger,
    StoreUnavailable,
    pack_snapshot,
    unpack_snapshot,
)
from tests.ledger.table import Numbers, Tally, number, open_table, play


class TestSnapshots:
    def test_another_process_starts_from_the_last_one(self, place: str) -> None:
        with open_table(place, snapshot_every=5) as ledger:
            for n in range(1, 13):
                ledger.append(
                    "g", after=n - 1, seat="a", command=f"{n}", drafts=[number(n)], state=tuple(range(1, n + 1))
                )
        tally = Tally()
        with open_table(place, folding=tally) as ledger:
            assert ledger.state("g") == tuple(range(1, 13))
            assert tally.folded == 2

    def test_those_of_another_schema_are_left_alone(self, place: str) -> None:
        with open_table(place, snapshot_every=2) as ledger:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(1), number(2)], state=(1, 2))
        tally = Tally("numbers 2")
        with open_table(place, folding=tally, snapshot_every=2) as ledger:
            assert ledger.state("g") == (1, 2)
            assert tally.folded == 2
            assert ledger.take_snapshots("g") == 1

    def test_snapshot_on_abandoned_branch_is_not_used(self, place: str) -> None:
        with open_table(place, snapshot_every=4) as ledger:
            play(ledger, "g", [1], [2], [3], [4])
            ledger.take_snapshots("g")
            ledger.append("g", after=4, seat="a", command="back", drafts=[number(5, follows=1)])
        with open_table(place) as ledger:
            assert ledger.state("g") == (1, 5)
            assert ledger.state("g", 4) == (1, 2, 3, 4)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE snapshot SET state = x'00'",
            "UPDATE snapshot SET state = substr(state, 1, length(state) - 1)",
            "DELETE FROM snapshot",
            "DROP TABLE snapshot",
        ],
    )
    def test_damaged_or_missing_snapshot_costs_only_time(self, path: Path, damage: str) -> None:
        with open_table(path, snapshot_every=2) as ledger:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(1), number(2)], state=(1, 2))
            root = ledger.checkpoint("g").root
        raw = sqlite3.connect(path)
        raw.execute(damage)
        raw.commit()
        raw.close()
        for read_only in (True, False):
            with open_table(path, read_only=read_only) as ledger:
                assert ledger.state("g") == (1, 2)
                assert ledger.checkpoint("g").root == root
        with open_table(path) as ledger:
            play(ledger, "g", [3])
            assert ledger.verify("g").valid

    def test_failed_snapshot_does_not_fail_the_order(
        self, ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise StoreUnavailable("the disk is full", where="here", remedy="make room")

        monkeypatch.setattr(ledger._snapshots._store, "keep", full)
        numbers = tuple(range(5))
        ledger.append("g", after=0, seat="a", command="c", drafts=[number(n) for n in numbers], state=numbers)
        assert ledger.state("g") == numbers

    def test_snapshot_is_unpacked_for_its_game_and_schema_only(self) -> None:
        edge = CompactRange().grow([b"x" * 32] * 11)
        packed = pack_snapshot("g", "numbers 1", edge, b"state")
        assert unpack_snapshot(packed, "g", "numbers 1") == (edge, b"state")
        assert unpack_snapshot(packed, "h", "numbers 1") is None
        assert unpack_snapshot(packed, "g", "numbers 2") is None
        assert unpack_snapshot(b"nonsense", "g", "numbers 1") is None

    def test_snapshot_moved_to_another_game_is_not_used(self, path: Path) -> None:
        # One flipped bit changes the name of the game in the row.
        with open_table(path, snapshot_every=2) as ledger:
            play(ledger, "g1", [1, 2, 3])
            play(ledger, "g3", [7, 8, 9])
            ledger.take_snapshots("g1")
        with sqlite3.connect(path) as raw:
            raw.execute("UPDATE snapshot SET game = 'g3'")
        with open_table(path) as ledger:
            assert ledger.state("g3") == (7, 8, 9)
            assert ledger.checkpoint("g3").root == ledger._edges._hashed("g3", 3).root()
