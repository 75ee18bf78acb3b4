"""Check that every position has the state of its branch, with snapshots or without, live or read again."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.face.ledger import CompactRange, Ledger, PositionConflict
from tests.ledger.table import Numbers, Tally, follows_of, histories, number, open_table, play, states_by_hand


class TestState:
    @examples(60)
    @given(histories, st.integers(1, 7), st.integers(1, 4), st.booleans())
    def test_state_at_each_position_equals_a_fold_by_hand(
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
            ledger._states.forget()
            assert [ledger.state("g", at) for at in reversed(range(len(states)))] == states[::-1]
            ledger.drop_snapshots()
            assert [ledger.state("g", at) for at in range(len(states))] == states

    def test_many_stretches_and_chunks(self, place: str) -> None:
        """Use a game longer than one read of the store, with a rewind in the middle of each read."""
        with open_table(place) as ledger:
            drafts = [number(n, follows=n - 10 if n % 300 == 0 else None) for n in range(1, 2001)]
            ledger.append("g", after=0, seat="a", command="c", drafts=drafts)
            follows = [n - 10 if n % 300 == 0 else n - 1 for n in range(1, 2001)]
            assert ledger.state("g") == states_by_hand(follows)[-1]
            assert (
                ledger.checkpoint("g", 1234).root
                == CompactRange().grow(record.leaf("g") for record in ledger.records("g", 1, 1234)).root()
            )


class TestCachedState:
    def test_state_given_by_the_caller_is_not_folded(self) -> None:
        tally = Tally()
        with open_table(folding=tally) as ledger:
            ledger.append("g", after=0, seat="a", command="c1", drafts=[number(1)], state=(1,))
            ledger.append("g", after=1, seat="a", command="c2", drafts=[number(2)], state=(1, 2))
            assert ledger.state("g") == (1, 2)
            assert ledger.state("g", 1) == (1,)
            assert tally.folded == 0

    def test_state_folds_new_records_only(self) -> None:
        tally = Tally()
        with open_table(folding=tally) as ledger:
            for n in range(10):
                play(ledger, "g", [n])
                ledger.state("g")
            assert tally.folded == 10

    def test_refused_order_leaves_no_state(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1])
        with pytest.raises(PositionConflict, match=r"#0.*#1"):
            ledger.append("g", after=0, seat="a", command="late", drafts=[number(9)], state=(9,))
        assert ledger.state("g") == (1,)
