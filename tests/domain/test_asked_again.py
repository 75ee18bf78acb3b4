"""Test roles that change during a step: an open step no longer waits for a side that has lost its role there."""

from typing import Any

from tests.domain.teaching import BOTH, NORTH, SOUTH, done, is_marked, mark, step, teach, title_of
from tests.face.domain import (
    Answer,
    Each,
    Game,
    Mark,
    SealChoice,
    SideDone,
    Step,
    StepClosed,
    Title,
    Together,
    Undo,
    called,
)
from tests.face.testing import Story

TO_DO = {"north": "n", "south": "s"}
"""By side, the marker that takes its last target."""


def able(game: Game) -> tuple[str, ...]:
    return tuple(side for side in BOTH if not game.markers.get(TO_DO[side]))


def targets(again: bool = True) -> Any:
    return called("sides with a target", able, none="no side has a target", asked_again=again)


def title(*, again: bool = True, **more: Any) -> Title:
    forfeits = more.pop("forfeits", {})
    return title_of(
        Step("1", "step 1", by="able", allows=(Mark,), **more),
        step("2", allows=(Mark,)),
        roles={"able": targets(again)},
        forfeits=forfeits,
    )


def test_side_without_a_target_is_waited_for_no_more() -> None:
    story = teach(title()).when(mark("n"))
    story.then(SideDone, step="1", side=NORTH, how="done")
    assert story.game.cursor.opened("1").waits == (SOUTH,)  # type: ignore[union-attr]


def test_last_side_without_a_target_ends_the_step() -> None:
    story = teach(title()).play(mark("n")).when(mark("s", by=SOUTH))
    story.then(StepClosed, step="1", side=SOUTH, how="done", why="no side has a target")
    story.then_open("2")


def test_order_of_one_side_takes_the_target_of_the_other() -> None:
    story = teach(title()).when(mark("n", by=SOUTH))
    story.then(SideDone, step="1", side=NORTH, how="done")


def test_order_that_takes_no_target_ends_nothing() -> None:
    teach(title()).when(mark("x")).then_not(SideDone).then_not(StepClosed)


def test_role_that_is_asked_once_waits_on() -> None:
    teach(title(again=False)).when(mark("n")).then_not(SideDone)


def test_side_that_owes_an_action_is_waited_for() -> None:
    story = teach(title(needs=is_marked("x"))).when(mark("n")).then_not(SideDone)
    story.when(mark("x")).then(SideDone, side=NORTH)


def test_side_that_would_lose_something_is_waited_for() -> None:
    at_risk = {"1": lambda game, side: ("the bridge",) if side == NORTH else ()}
    teach(title(forfeits=at_risk)).when(mark("n")).then_not(SideDone)
    teach(title(forfeits=at_risk)).when(mark("s", by=SOUTH)).then(SideDone, side=SOUTH)


def test_answer_and_secret_step_wait() -> None:
    teach(title(answers=(Answer("yes"),))).when(mark("n")).then_not(SideDone)
    teach(title(secret=True)).when(mark("n")).then_not(SideDone)


def test_side_that_declined_before_leaves_the_step_declined_or_done() -> None:
    """End the step for South without an act, and remove North's target after an act in the step."""
    story = teach(title()).play(done(by=SOUTH)).when(mark("n"))
    story.then(StepClosed, step="1", side=NORTH, how="done")


def test_parallel_step_is_left_by_an_order_in_another() -> None:
    tracks = Together("0", "together", steps=(
        Step("0a", "the search", by="able", allows=()), step("0b", SOUTH, allows=(Mark,)),
    ))  # fmt: skip
    story = teach(title_of(tracks, step("2"), roles={"able": targets()})).when(mark("n", by=SOUTH))
    story.then(SideDone, step="0a", side=NORTH)
    story.then_open("0a", "0b")


def test_undo_gives_the_target_and_the_wait_back() -> None:
    story = teach(title()).play(mark("n"), Undo(seat=NORTH))
    assert story.game.cursor.opened("1").waits == BOTH  # type: ignore[union-attr]


class TestPublicSet:
    """The only member of a set is picked if sealed choices cannot change the set."""

    def at_the_pick(self, *, is_public: bool, members: tuple[str, ...] = ("0101",)) -> Story:
        hexes = Each("3", "hexes", of="hexes", by=BOTH, steps=(step("3a", BOTH, allows=(Mark,)),))
        held = called("hexes", lambda game, side: members, none="no hex is left", is_public=is_public)
        lessons = title_of(step("0", allows=(SealChoice,)), hexes, sets={"hexes": held})
        return teach(lessons).play(SealChoice(seat=NORTH, question="where", choice="left"), done())

    def test_only_member_is_picked_for_any_side(self) -> None:
        for side in BOTH:
            story = self.at_the_pick(is_public=True).when(mark("x", by=side))
            story.then(StepClosed, step="3", item="0101", why="the only one")

    def test_set_that_may_be_secret_waits_for_the_side_with_the_secret(self) -> None:
        self.at_the_pick(is_public=False).when(mark("x", by=SOUTH)).then_refused(rule="3", do="pick")

    def test_two_members_are_a_choice(self) -> None:
        story = self.at_the_pick(is_public=True, members=("0101", "0102")).when(mark("x", by=SOUTH))
        story.then_refused(rule="3", do="pick")
