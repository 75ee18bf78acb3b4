"""`done` of a side that can do nothing: recorded as such, and not as if the side had declined something."""

from tests.domain.teaching import BOTH, NORTH, SOUTH, done, lesson, step, teach, title_of
from tests.face.domain import (
    Mark,
    SideDone,
    StepClosed,
    does,
)
from tests.face.domain import (
    done as was_done,
)
from tests.face.projections import text_of

PAID = (does(Mark, offered=lambda game, side: side == SOUTH),)
"""Only South may mark."""


def test_done_without_any_order_is_idle() -> None:
    lesson(step("1", allows=()), step("2")).when(done()).then(StepClosed, step="1", side=NORTH, how="idle", why="")


def test_done_with_an_order_declines() -> None:
    lesson(step("1", allows=(Mark,)), step("2")).when(done()).then(StepClosed, step="1", how="declined")


def test_done_of_each_side_has_its_own_result() -> None:
    title = title_of(step("1", BOTH, allows=(Mark,)), step("2"), orders=PAID)
    story = teach(title)
    story.when(done(by=NORTH)).then(SideDone, step="1", side=NORTH, how="idle")
    story.when(done(by=SOUTH)).then(StepClosed, step="1", side=SOUTH, how="declined")


def test_step_that_a_side_declined_is_declined_in_any_order() -> None:
    title = title_of(step("1", BOTH, allows=(Mark,)), step("2"), orders=PAID)
    story = teach(title)
    story.when(done(by=SOUTH)).then(SideDone, step="1", side=SOUTH, how="declined")
    story.when(done(by=NORTH)).then(StepClosed, step="1", side=NORTH, how="declined")


def test_idle_step_was_not_carried_out() -> None:
    story = lesson(step("1", allows=()), step("2", when=was_done("1"), allows=(Mark,)), step("3", allows=(Mark,)))
    story.when(done()).then_open("3")


def test_idle_step_reads_without_declining() -> None:
    for event in (SideDone(step="1", side=NORTH, how="idle"), StepClosed(step="1", side=NORTH, how="idle")):
        assert "nothing" in text_of(event)
        assert "decline" not in text_of(event)
