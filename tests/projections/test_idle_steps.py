"""Conformance: a step in which the title only took off old marks, and nobody did anything, was declined."""

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.projections.record.visible_record import Seen
from umpire_ledger.projections.reports.conformance import conformance
from umpire_ledger.projections.tables.order_history import RecordedOrder

WHERE = e.Where(turn=1, side="coalition")


def deed(first: int, order: str, *events: AnyEvent) -> RecordedOrder:
    records = tuple(
        Seen(position=first + at, at="", seat="coalition", command="c", event=one) for at, one in enumerate(events)
    )
    return RecordedOrder(records=records, turn=1, step="5-3A", where="", cause={"order": order})


def opened(*acts: AnyEvent) -> RecordedOrder:
    """The step before is left; what the title settles in 5-3A comes with it."""
    return deed(1, "done", e.StepOpened(step="5-3A", name="check", where=WHERE, waits=("coalition",)), *acts)


CLOSED = e.StepClosed(step="5-3A", side="coalition")


def state_of(*deeds: RecordedOrder) -> str:
    return next(one.state for one in conformance(None, deeds, 1) if one.id == "5-3A")


def test_old_marks_that_are_taken_off_are_nobodys_deed() -> None:
    old = e.MarkerSet(marker="sealed", before="decoys", after=None, cause="a new round")
    assert state_of(opened(old), deed(5, "done", CLOSED)) == "declined"


def test_what_the_title_settles_there_is_done() -> None:
    new = e.MarkerSet(marker="annexation 1502", before=1, after=2)
    assert state_of(opened(new), deed(5, "done", CLOSED)) == "done"


def test_an_order_that_takes_something_off_is_a_deed() -> None:
    off = e.MarkerSet(marker="supply", before=1, after=None)
    assert state_of(opened(), deed(5, "check-supply", off), deed(7, "done", CLOSED)) == "done"


def test_a_step_that_is_passed_over_behind_it_is_no_deed_either() -> None:
    """5-5B, which is followed by decoys that nobody has."""
    passed = e.StepPassed(step="5-3B", name="forces", why="nobody is here")
    old = e.MarkerSet(marker="directed by coalition", before="Z-FF-2", after=None)
    assert state_of(opened(old), deed(5, "done", CLOSED, passed)) == "declined"
