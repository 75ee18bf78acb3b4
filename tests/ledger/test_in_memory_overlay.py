"""Dry-run orders in memory, with the same result as in a copy of the game and without changing the ledger."""

from __future__ import annotations

import pytest

from tests.face.ledger import (
    CannotBeWritten,
    Ledger,
    NoSuchGame,
    PendingOrder,
    PositionConflict,
)
from tests.ledger.table import Numbers, number, open_table, play


@pytest.fixture
def begun(ledger: Ledger[Numbers]) -> Ledger[Numbers]:
    """Build a ledger with a snapshot every five records; #8 returns to #3."""
    play(ledger, "other", [9])
    play(ledger, "g", [1, 2], [3], [4, 5], [6, 7])
    ledger.append("g", after=7, seat="referee", command="back", drafts=[number(8, follows=3)])
    return ledger


def test_dry_run_order_is_not_in_the_ledger(begun: Ledger[Numbers]) -> None:
    before = list(begun.lines("g"))
    with begun.tried("g") as trial:
        play(trial, "g", [9, 10])
        trial.append("g", after=10, seat="referee", command="again", drafts=[number(11, follows=7)])
        assert trial.state("g") == (1, 2, 3, 4, 5, 6, 7, 11)
        assert trial.state("g", 10) == (1, 2, 3, 8, 9, 10)
        assert trial.rewinds("g") == [(8, 3), (11, 7)]
        assert [one.position for one in trial.branch_records("g", 10)] == [10, 9, 8, 3, 2, 1]
        assert len(trial.answer("g", "order 9")) == 2
        assert trial.verify("g").size == 11
        assert trial.verify("g").valid
        assert trial.lines_with("g", b'"n":1') == [*list(trial.lines("g", 1, 1)), *trial.lines("g", 10, 11)]
        assert trial.game_ids() == ("g",)
    assert list(begun.lines("g")) == before
    assert begun.state("g") == (1, 2, 3, 8)


def test_dry_run_records_equal_recorded_events(begun: Ledger[Numbers]) -> None:
    with begun.tried("g") as trial:
        play(trial, "g", [9], [10])
        tried = [one.event for one in trial.records("g")]
    play(begun, "g", [9], [10])
    assert [one.event for one in begun.records("g")] == tried


def test_dry_run_answers_known_order_and_refuses_late_order(begun: Ledger[Numbers]) -> None:
    with begun.tried("g") as trial:
        (again,) = trial.append("g", after=8, seat="referee", command="back", drafts=[number(8, follows=3)])
        assert again.position == 8
        play(trial, "g", [9])
        with pytest.raises(PositionConflict, match="#9"):
            trial.append("g", after=8, seat="athens", command="late", drafts=[number(9)])
        with pytest.raises(CannotBeWritten, match=r"\bx\b"):
            trial.append_many("g", after=9, orders=[_order("x"), _order("x")])


def test_dry_run_ignores_orders_of_other_writers(begun: Ledger[Numbers]) -> None:
    with begun.tried("g") as trial:
        play(begun, "g", [9, 10], [11])
        assert trial.size("g") == 8
        assert trial.lines_with("g", b'"n":10') == []
        play(trial, "g", [90])
        assert trial.state("g") == (1, 2, 3, 8, 90)
        assert trial.commands("g", "order ") == [(at, f"order {at}") for at in (1, 3, 4, 6, 9)]
    assert begun.verify("g").valid


def test_dry_run_of_unknown_game_is_refused() -> None:
    with open_table() as ledger, pytest.raises(NoSuchGame):
        ledger.tried("g")


def _order(command: str) -> PendingOrder:
    return PendingOrder(seat="athens", command=command, drafts=[number(1)])
