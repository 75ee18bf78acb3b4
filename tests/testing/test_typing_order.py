"""Test the contract check `typing-order`: two orders of two sides in one step, decided both ways."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from tests.domain.teaching import BOTH, NORTH, SOUTH, done, lesson, mark, step
from tests.face.domain import (
    Answer,
    Order,
    Roll,
    Sent,
    freeform_TITLE as TITLE,
    page_of,
)
from tests.face.testing import (
    Finding,
    Observed,
    OrderPair,
    Start,
    Story,
    difference,
    difference_of_sides,
    is_shared,
    kept,
    recorded_blocks,
    recorded_pairs,
    run_play as play,
    suggested_pairs,
)
from tests.titles.test_own_sequences import FILES, scenario_of


def swapped(story: Story, first: Order, second: Order, *, pips: tuple[int, ...] = ()) -> str:
    """Return the difference that swapping two orders makes."""
    step = story.title.plan.step("A")
    assert step is not None
    return difference(
        story.title, OrderPair(story.game, step, Sent(order=first, pips=pips or None), Sent(order=second))
    )


class TestDifference:
    def test_orders_about_other_things_make_none(self) -> None:
        assert not swapped(lesson(step("A", BOTH), step("B")), mark("hill"), mark("wood", by=SOUTH))

    def test_orders_about_one_thing_make_one(self) -> None:
        found = swapped(lesson(step("A", BOTH), step("B")), mark("hill", "red"), mark("hill", "blue", by=SOUTH))
        assert found == "marker hill: blue, or red"

    def test_order_of_leaving_makes_none(self) -> None:
        assert not swapped(lesson(step("A", BOTH), step("B")), done(), done(by=SOUTH))

    def test_side_shut_out_of_a_shared_step_makes_a_difference(self) -> None:
        story = lesson(step("A", NORTH, also=SOUTH), step("B"))
        found = swapped(story, done(), mark("hill", by=SOUTH))
        assert found.startswith("after done by north, mark by south: the step is closed; marker hill")

    def test_answer_that_closes_a_step_for_all_makes_one(self) -> None:
        story = lesson(step("A", BOTH, answers=(Answer("war", to="C"), Answer("peace"))), step("B"), step("C"))
        assert swapped(story, done("war"), done("peace", by=SOUTH))
        assert not swapped(story, done("war"), done("war", by=SOUTH))

    def test_dice_are_those_of_their_order(self) -> None:
        rolls = (Roll(seat=side, dice="2d6", purpose="luck") for side in BOTH)
        assert not swapped(lesson(step("A", BOTH), step("B")), *rolls)

    def test_list_of_the_same_names_is_the_same(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        assert not swapped(story, mark("hill", ("red", "blue")), mark("hill", ("blue", "red"), by=SOUTH))


class TestTriedSteps:
    @pytest.mark.parametrize(
        ("more", "tried"),
        [
            ({"by": BOTH}, True),
            ({"by": NORTH, "also": SOUTH}, True),
            ({"by": NORTH}, False),
            ({"by": BOTH, "in_turn": True}, False),
            ({"by": BOTH, "first_come": "the first takes it"}, False),
        ],
    )
    def test_several_sides_without_a_stated_order(self, more: dict[str, Any], tried: bool) -> None:
        story = lesson(step("A", **more), step("B"))
        one = story.title.plan.step("A")
        assert one is not None
        assert is_shared(story.title, story.game, one) is tried

    def test_reason_is_on_the_page_of_the_sequence(self) -> None:
        page = {line["id"]: line for line in page_of(lesson(step("A", BOTH, first_come="the first takes it")).title)}
        assert page["A"]["first_come"] == "the first takes it"


class TestRecordedNeighbors:
    def pairs(self, *orders: dict[str, Any], **more: Any) -> list[OrderPair]:
        story = lesson(step("A", BOTH, **more), step("B"))
        starts = []
        for order in orders:
            starts.append(Start(story.game, order))
            story.when(order).then_accepted()
        return list(recorded_pairs(Observed(story.title, [], starts)))

    def test_orders_of_two_sides_in_one_step_are_tried(self) -> None:
        marks = [{"as": side, "order": "mark", "marker": "hill", "to": side} for side in BOTH]
        [pair] = self.pairs(*marks)
        assert (pair.step.id, pair.first.order.seat, pair.second.order.seat) == ("A", NORTH, SOUTH)

    def test_orders_of_one_side_are_not(self) -> None:
        assert not self.pairs(*({"as": NORTH, "order": "mark", "marker": "hill", "to": to} for to in BOTH))

    def test_orders_in_a_step_that_states_its_order_are_not(self) -> None:
        marks = [{"as": side, "order": "mark", "marker": "hill", "to": side} for side in BOTH]
        assert not self.pairs(*marks, first_come="the last counts")


class TestRecordedSteps:
    """All orders of one opening of a step, once with each side first."""

    HILL, WOOD = mark("hill", "red"), mark("wood")
    LATE = mark("hill", "blue", by=SOUTH)

    def seen(self, *orders: Order, **more: Any) -> Observed:
        story = lesson(step("A", BOTH, **more), step("B"))
        starts = []
        for order in orders:
            starts.append(Start(story.game, msgspec.to_builtins(order)))
            story.when(order).then_accepted()
        return Observed(story.title, [], starts)

    def found(self, *orders: Order, **more: Any) -> list[str]:
        seen = self.seen(*orders, **more)
        return [difference_of_sides(seen.title, block) for block in recorded_blocks(seen)]

    def test_difference_between_distant_orders_is_found(self) -> None:
        orders = (self.HILL, self.WOOD, self.LATE)
        seen = self.seen(*orders)
        assert not [pair for pair in recorded_pairs(seen) if difference(seen.title, pair)]
        assert self.found(*orders) == ["South first; marker hill: blue, or red"]

    def test_finding_names_the_orders(self) -> None:
        trial = SimpleNamespace(observed=self.seen(self.HILL, self.WOOD, self.LATE), own_games=(), seed=1)
        [finding] = kept(trial)  # type: ignore[arg-type]
        assert finding.about == "A"
        assert finding.order.count(";") == 2

    def test_orders_about_other_things_make_none(self) -> None:
        assert self.found(self.HILL, self.WOOD, mark("ford", by=SOUTH)) == [""]

    def test_orders_with_both_ends_of_the_step_make_none(self) -> None:
        assert self.found(self.HILL, done(), mark("ford", by=SOUTH), done(by=SOUTH)) == [""]

    def test_orders_of_one_side_do_not_form_a_block(self) -> None:
        assert not self.found(self.HILL, self.WOOD, mark("ford"))

    def test_step_that_states_its_order_does_not_form_a_block(self) -> None:
        assert not self.found(self.HILL, self.WOOD, self.LATE, first_come="the last counts")


def differences(name: str, *edits: tuple[str, str]) -> set[str]:
    """Return the steps of a game of freeform in which the order of typing makes a difference."""
    scenario = scenario_of(name, *edits)
    title = TITLE.with_sequence(scenario.sequence(), scenario.options)
    seen = play(Observed(title, [scenario]), seed=1, orders=300)
    assert not any(isinstance(one, Finding) for one in seen.findings["never-stuck"])
    return {pair.step.id for pair in suggested_pairs(seen, 1) if difference(title, pair)}


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_order_of_typing_makes_no_difference_in_a_game_of_a_file(name: str) -> None:
    assert not differences(name)


def test_order_of_typing_in_a_file_without_a_reason_is_found() -> None:
    reason = 'first_come = "a support counts for a move that is laid out before it"\n'
    assert differences("courts", (reason, "")) == {"3"}
