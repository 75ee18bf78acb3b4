"""Check that `done` by a side that can do nothing is recorded as idle instead of declined."""

import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    is_marked,
    lesson,
    mark,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    Heading,
    Instant,
    Mark,
    Scenario,
    Side,
    SideDone,
    StepClosed,
    does,
    done as was_done,
    read_scenario,
    replace,
)
from tests.face.projections import text_of
from tests.face.testing import Story
from tests.taken_over import written

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
        others = [text_of(replace(event, how=how)) for how in ("done", "declined", "excused")]
        assert text_of(event) not in others


@pytest.mark.parametrize(("declines", "ends"), [(SOUTH, "declined"), (NORTH, "idle")])
def test_taken_over_step_remembers_who_declined(declines: str, ends: str) -> None:
    """Continue from a mid-game setup inside the step, in which South declined, or North had no order."""
    story = teach(title_of(step("1", BOTH, allows=(Mark,)), step("2"), orders=PAID)).play(done(by=declines))
    story = taken_over(story)
    assert story.game.cursor.open[0].declined is (declines == SOUTH)
    if declines == SOUTH:
        story.when(done(by=NORTH)).then(StepClosed, step="1", side=NORTH, how=ends)
    else:
        story.play(mark("x", by=SOUTH)).when(done(by=SOUTH)).then(StepClosed, step="1", side=SOUTH, how="done")


def test_position_without_the_word_opens_as_before() -> None:
    """Assume that no side declined in a file of an earlier edition, which does not state it."""
    story = teach(title_of(step("1", BOTH, allows=(Mark,)), step("2"), orders=PAID)).play(done(by=SOUTH))
    text = written(story.title, base(), story.game)
    assert ", declined = true" in text
    old = Story(story.title, read_scenario(text.replace(", declined = true", ""), story.title.scenario))
    assert old.game.cursor.open[0].declined is False
    old.when(done(by=NORTH)).then(StepClosed, step="1", side=NORTH, how="idle")


def test_position_of_an_undeclined_step_has_no_such_word() -> None:
    story = teach(title_of(step("1", BOTH, allows=(Mark,)), step("2"), orders=PAID)).play(done(by=NORTH))
    assert "declined" not in written(story.title, base(), story.game)


def test_step_suspended_by_an_instant_remembers_who_declined() -> None:
    """The suspended step is `held` by the instant's frame."""
    instant = Instant(name="x lies there", when=is_marked("x"), to="P")
    procedure = Heading("P", "a procedure", steps=(step("P.1", allows=(Mark,)), auto("P.2")))
    title = title_of(
        step("1", BOTH, allows=(Mark,)), step("2"), procedures=(procedure,), instants=(instant,), orders=PAID,
        acts={"P.2": sets_marker("x", None)},
    )  # fmt: skip
    story = teach(title).play(mark("y", by=SOUTH))
    story.given(SideDone(step="1", side=NORTH, how="declined"))
    story = taken_over(story.play(mark("x", by=SOUTH)).then_open("P.1"))
    assert story.game.cursor.frames[-1].held[0].declined


def base() -> Scenario:
    return Scenario(title="teaching", name="a lesson", sides=tuple(Side(id=side, name=side.title()) for side in BOTH))


def taken_over(story: Story) -> Story:
    """Return a game that is opened from the position of another game."""
    return Story(story.title, read_scenario(written(story.title, base(), story.game), story.title.scenario))
