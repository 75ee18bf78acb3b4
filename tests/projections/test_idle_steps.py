"""Test conformance: a step is declined if no side acted in it and the title only removed old markers."""

from tests.face.domain import AnyEvent, events as e
from tests.face.projections import RecordedOrder, VisibleRecord, conformance

WHERE = e.Where(turn=1, side="coalition")


def deed(first: int, order: str, *events: AnyEvent) -> RecordedOrder:
    records = tuple(
        VisibleRecord(position=first + at, at="", seat="coalition", command="c", event=one)
        for at, one in enumerate(events)
    )
    return RecordedOrder(records=records, turn=1, step="5-3A", where="", cause={"order": order})


def opened(*acts: AnyEvent) -> RecordedOrder:
    """Return an order that opens step 5-3A: the side ends the previous step, and the title's own changes follow."""
    return deed(1, "done", e.StepOpened(step="5-3A", name="check", where=WHERE, waits=("coalition",)), *acts)


CLOSED = e.StepClosed(step="5-3A", side="coalition")


def state_of(*deeds: RecordedOrder) -> str:
    return next(one.state for one in conformance(None, deeds, 1) if one.id == "5-3A")


def test_old_marks_that_are_taken_off_are_nobodys_deed() -> None:
    old = e.MarkerSet(marker="sealed", before="decoys", after=None, cause="a new round")
    assert state_of(opened(old), deed(5, "done", CLOSED)) == "declined"


def test_step_with_change_by_the_title_is_done() -> None:
    new = e.MarkerSet(marker="annexation 1502", before=1, after=2)
    assert state_of(opened(new), deed(5, "done", CLOSED)) == "done"


def test_step_with_order_that_removes_a_marker_is_done() -> None:
    off = e.MarkerSet(marker="supply", before=1, after=None)
    assert state_of(opened(), deed(5, "check-supply", off), deed(7, "done", CLOSED)) == "done"


def test_step_followed_by_a_passed_step_is_declined() -> None:
    """Step 5-5B is followed by decoys that neither side has."""
    passed = e.StepPassed(step="5-3B", name="forces", why="nobody is here")
    old = e.MarkerSet(marker="directed by coalition", before="Z-FF-2", after=None)
    assert state_of(opened(old), deed(5, "done", CLOSED, passed)) == "declined"
