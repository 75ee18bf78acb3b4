"""Every position has a state: the fold of its line, with snapshots or without, live or read again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ledger.table import Numbers, Tally, number, open_table, play
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.branch import branch_to
from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.ledger.snapshots import pack_snapshot, unpack_snapshot
from umpire_ledger.ledger.tree import Edge


def states_by_hand(follows: list[int]) -> list[Numbers]:
    """The state at each position, record by record: state(n) = state(follows of n) + n."""
    states: list[Numbers] = [()]
    for position, follow in enumerate(follows, 1):
        states.append((*states[follow], position))
    return states


# For each record: None to go on, or a number that picks an earlier position to go back to.
histories = st.lists(st.one_of(st.none(), st.none(), st.integers(0, 10**6)), min_size=1, max_size=60)


def follows_of(history: list[int | None]) -> list[int]:
    return [at if back is None else back % (at + 1) for at, back in enumerate(history)]


class TestBranch:
    @given(histories)
    def test_it_is_what_walking_back_record_by_record_gives(self, history: list[int | None]) -> None:
        follows = follows_of(history)
        rewinds = [(at, follow) for at, follow in enumerate(follows, 1) if follow != at - 1]
        for at, state in enumerate(states_by_hand(follows)):
            branch = branch_to(at, [rewind for rewind in rewinds if rewind[0] <= at])
            assert tuple(reversed(list(branch))) == state
            assert branch_to(at, rewinds) == branch
            assert [n for n in range(len(follows) + 2) if n in branch] == list(state)
            assert len(branch) == len(state)


class TestState:
    @settings(max_examples=60, deadline=None)
    @given(histories, st.integers(1, 7), st.integers(1, 4), st.booleans())
    def test_at_every_position_it_is_the_fold_by_hand(
        self, history: list[int | None], every: int, chunk: int, in_hand: bool
    ) -> None:
        follows = follows_of(history)
        states = states_by_hand(follows)
        with open_table(snapshot_every=every) as ledger:
            for after in range(0, len(follows), chunk):
                part = list(enumerate(follows[after : after + chunk], after + 1))
                drafts = [number(position, follows=follow) for position, follow in part]
                state = states[part[-1][0]] if in_hand else None
                ledger.append("g", after=after, seat="a", command=f"c{after}", drafts=drafts, state=state)
            assert [ledger.state("g", at) for at in range(len(states))] == states
            assert ledger.verify("g").valid
            ledger.take_snapshots("g")
            ledger._states.clear()
            assert [ledger.state("g", at) for at in reversed(range(len(states)))] == states[::-1]
            ledger.drop_snapshots()
            assert [ledger.state("g", at) for at in range(len(states))] == states

    def test_many_stretches_and_chunks(self, path: Path) -> None:
        """Longer than one read of the store, with a rewind in the middle of each read."""
        with open_table(path) as ledger:
            drafts = [number(n, follows=n - 10 if n % 300 == 0 else None) for n in range(1, 2001)]
            ledger.append("g", after=0, seat="a", command="c", drafts=drafts)
            follows = [n - 10 if n % 300 == 0 else n - 1 for n in range(1, 2001)]
            assert ledger.state("g") == states_by_hand(follows)[-1]
            assert (
                ledger.checkpoint("g", 1234).root
                == Edge().grow(record.leaf("g") for record in ledger.records("g", 1, 1234)).root()
            )


class TestInHand:
    def test_with_the_callers_state_nothing_is_folded(self) -> None:
        tally = Tally()
        with open_table(folding=tally) as ledger:
            ledger.append("g", after=0, seat="a", command="c1", drafts=[number(1)], state=(1,))
            ledger.append("g", after=1, seat="a", command="c2", drafts=[number(2)], state=(1, 2))
            assert ledger.state("g") == (1, 2)
            assert ledger.state("g", 1) == (1,)
            assert tally.folded == 0

    def test_without_it_only_what_is_new_is_folded(self) -> None:
        tally = Tally()
        with open_table(folding=tally) as ledger:
            for n in range(10):
                play(ledger, "g", [n])
                ledger.state("g")
            assert tally.folded == 10

    def test_a_refused_order_leaves_no_state_behind(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1])
        with pytest.raises(Exception, match="decided at"):
            ledger.append("g", after=0, seat="a", command="late", drafts=[number(9)], state=(9,))
        assert ledger.state("g") == (1,)


class TestSnapshots:
    def test_another_process_starts_from_the_last_one(self, path: Path) -> None:
        with open_table(path, snapshot_every=5) as ledger:
            for n in range(1, 13):
                ledger.append(
                    "g", after=n - 1, seat="a", command=f"{n}", drafts=[number(n)], state=tuple(range(1, n + 1))
                )
        tally = Tally()
        with open_table(path, folding=tally) as ledger:
            assert ledger.state("g") == tuple(range(1, 13))
            assert tally.folded == 2

    def test_those_of_another_schema_are_left_alone(self, path: Path) -> None:
        with open_table(path, snapshot_every=2) as ledger:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(1), number(2)], state=(1, 2))
        tally = Tally("numbers 2")
        with open_table(path, folding=tally, snapshot_every=2) as ledger:
            assert ledger.state("g") == (1, 2)
            assert tally.folded == 2
            assert ledger.take_snapshots("g") == 1

    def test_one_on_an_abandoned_line_is_not_used_for_the_line_that_counts(self, path: Path) -> None:
        with open_table(path, snapshot_every=4) as ledger:
            play(ledger, "g", [1], [2], [3], [4])
            ledger.take_snapshots("g")
            ledger.append("g", after=4, seat="a", command="back", drafts=[number(5, follows=1)])
        with open_table(path) as ledger:
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
    def test_a_damaged_or_missing_one_costs_only_time(self, path: Path, damage: str) -> None:
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

    def test_one_that_cannot_be_written_does_not_fail_the_order(
        self, ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise StoreUnavailable("the disk is full", where="here", remedy="make room")

        monkeypatch.setattr(ledger._snapshots, "keep", full)
        numbers = tuple(range(5))
        ledger.append("g", after=0, seat="a", command="c", drafts=[number(n) for n in numbers], state=numbers)
        assert ledger.state("g") == numbers

    def test_its_bytes(self) -> None:
        edge = Edge().grow([b"x" * 32] * 11)
        assert unpack_snapshot(pack_snapshot(edge, b"state")) == (edge, b"state")
        assert unpack_snapshot(b"nonsense") is None
