"""Test branches: rewinds leave every record in place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from tests.at_least_one import at_least_one
from tests.face.ledger import Ledger, branch_to
from tests.ledger.table import Numbers, follows_of, histories, number, play, states_by_hand


class TestBranch:
    @given(histories)
    def test_branch_matches_states_computed_by_hand(self, history: list[int | None]) -> None:
        follows = follows_of(history)
        rewinds = [(at, follow) for at, follow in enumerate(follows, 1) if follow != at - 1]
        for at, state in at_least_one(enumerate(states_by_hand(follows))):
            branch = branch_to(at, [rewind for rewind in rewinds if rewind[0] <= at])
            assert tuple(reversed(list(branch))) == state
            assert branch_to(at, rewinds) == branch
            assert [n for n in range(len(follows) + 2) if n in branch] == list(state)
            assert len(branch) == len(state)


class TestRewind:
    def test_rewind_keeps_abandoned_records_out_of_state(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2], [3])
        ledger.append("g", after=3, seat="referee", command="rewind", drafts=[number(4, follows=1)])
        assert ledger.state("g") == (1, 4)
        assert ledger.state("g", 3) == (1, 2, 3)
        assert ledger.branch("g").stretches == ((1, 1), (4, 4))
        assert [n for n in range(6) if n in ledger.branch("g")] == [1, 4]
        assert [record.position for record in ledger.branch_records("g")] == [4, 1]
        assert [json.loads(line)["position"] for line in ledger.branch_bytes("g")] == [1, 4]
        assert ledger.size("g") == 4

    def test_redo_is_a_rewind_to_the_abandoned_tip(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2], [3])
        ledger.append("g", after=3, seat="referee", command="undo", drafts=[number(4, follows=1)])
        ledger.append("g", after=4, seat="referee", command="redo", drafts=[number(5, follows=3)])
        assert ledger.state("g") == (1, 2, 3, 5)
        assert list(ledger.branch("g")) == [5, 3, 2, 1]

    def test_rewind_to_the_beginning_is_empty(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2])
        ledger.append("g", after=2, seat="referee", command="again", drafts=[number(3, follows=0), number(4)])
        assert ledger.state("g") == (3, 4)
        assert ledger.state("g", 0) == ()

    def test_follows_of_predecessor_is_not_stored(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1])
        (record,) = ledger.append("g", after=1, seat="a", command="c", drafts=[number(2, follows=1)])
        assert record.follows is None
        assert ledger.state("g") == (1, 2)

    def test_two_rewinds_in_one_order(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2], [3])
        drafts = [number(4, follows=2), number(5, follows=3), number(6)]
        ledger.append("g", after=3, seat="referee", command="twice", drafts=drafts)
        assert ledger.state("g") == (1, 2, 3, 5, 6)
        assert ledger.state("g", 4) == (1, 2, 4)

    def test_rewind_by_same_ledger_is_not_read_from_store(
        self, ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Each later read would otherwise query the index of rewinds again.
        asked: list[str] = []
        index = ledger.recorder.rewinds
        monkeypatch.setattr(ledger.recorder, "rewinds", lambda game, *after: asked.append(game) or index(game, *after))
        play(ledger, "g", [1], [2], [3])
        ledger.append("g", after=3, seat="referee", command="rewind", drafts=[number(4, follows=1)])
        assert ledger.branch("g").stretches == ((1, 1), (4, 4))
        assert asked == []
