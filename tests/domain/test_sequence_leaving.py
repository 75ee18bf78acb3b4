"""Check how a step is left: by an answer, or by an order that ends its side's part."""

import re

import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
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
    OTHERS,
    Answer,
    Closes,
    Dice,
    Game,
    Mark,
    NothingDecided,
    Pay,
    Result,
    SideDone,
    StepClosed,
    TitleFault,
    does,
    leave_when_nothing_is_due,
)
from tests.face.testing import Story


class TestAnswer:
    def test_answer_closes_the_step_and_names_the_next(self) -> None:
        ask = step("A", answers=(Answer("stay"), Answer("leave", to="C")))
        lesson(ask, step("B"), step("C")).play(done("stay")).then_open("B")
        story = lesson(ask, step("B"), step("C"))
        story.when(done("leave")).then(StepClosed, step="A", answer="leave", to="C", side=NORTH)
        story.then_open("C")

    def test_step_with_answers_requires_an_answer(self) -> None:
        story = lesson(step("A", answers=(Answer("stay"), Answer("leave"))), step("B"))
        story.when(done()).then_refused("answer-missing", rule="A", choices="stay, leave")
        story.when(done("fly")).then_refused("not-an-answer", rule="A", answer="fly", choices="stay, leave")

    def test_step_without_answers_refuses_an_answer(self) -> None:
        story = lesson(step("A"), step("B")).when(done("stay"))
        story.then_refused("no-answer-asked-for", rule="A")
        story.play(done()).then_open("B")

    def test_answer_can_depend_on_a_condition(self) -> None:
        ask = step("A", answers=(Answer("stay"), Answer("leave", when=is_marked("road"))))
        story = lesson(ask, step("B"))
        story.when(done("leave")).then_refused("not-an-answer", rule="A", choices="stay")
        story.play(mark("road"), done("leave")).then_open("B")

    def test_answer_can_belong_to_a_single_side(self) -> None:
        ask = step("A", BOTH, answers=(Answer("attack", by=NORTH), Answer("defend", by=SOUTH)))
        story = lesson(ask, step("B"))
        story.when(done("attack", by=SOUTH)).then_refused("not-an-answer", rule="A", choices="defend")
        story.play(done("defend", by=SOUTH)).then_open("B")

    def test_side_cannot_give_an_answer_of_the_dice(self) -> None:
        ask = step("A", answers=(Answer("hit", to="C", by_dice=True), Answer("miss", by_dice=True)))
        story = lesson(ask, step("B"), step("C"))
        refusal = story.when(done("hit")).then_refused("not-an-answer", rule="A", answer="hit").refusal
        assert str(refusal.fields["choices"]).endswith(": mark, pay, roll, choose")  # type: ignore[union-attr]

    def test_order_whose_dice_answer_closes_the_step(self) -> None:
        ask = step("A", allows=(Pay,), answers=(Answer("hit", to="C", by_dice=True), Answer("miss", by_dice=True)))
        title = title_of(ask, step("B"), step("C"), orders=(does(Pay, answer_hit),))
        story = teach(title).when(pay(NORTH))
        story.then(StepClosed, step="A", answer="hit", to="C")
        story.then_open("C")


class TestAnOrderThatEndsItsSidesPart:
    """Decisions whose results include `Closes`."""

    def deciding(self, closes: Closes, **more: object) -> Story:
        """Open step A for North and South, with `pay` deciding the given close."""
        pays = does(Pay, lambda game, order, dice: [closes])
        return lesson(step("A", BOTH, allows=(Pay,), **more), step("B"), step("C"), orders=(pays,))

    def test_closing_order_ends_only_the_part_of_its_side(self) -> None:
        story = self.deciding(Closes())
        story.when(pay(SOUTH)).then(SideDone, step="A", side=SOUTH, how="done")
        story.then_not(StepClosed)
        assert story.then_open("A").game.cursor.waiting() == (NORTH,)

    def test_of_the_last_side_closes_the_step(self) -> None:
        self.deciding(Closes()).play(pay(SOUTH), pay(NORTH)).then_open("B")

    def test_closing_order_of_the_last_side_closes_the_step(self) -> None:
        self.deciding(Closes()).play(done(by=NORTH), pay(SOUTH)).then_open("B")

    def test_in_turn_the_next_side_acts(self) -> None:
        story = self.deciding(Closes(), in_turn=True).play(pay(NORTH))
        story.when(pay(NORTH)).then_refused("step-of-another-side", rule="A", seat="north", sides="South")
        story.play(pay(SOUTH)).then_open("B")

    def test_everybody_closes_it_for_all(self) -> None:
        story = self.deciding(Closes(everybody=True)).when(pay(SOUTH))
        story.then_not(SideDone)
        story.then_open("B")

    def test_closing_order_with_an_answer_closes_for_all_sides(self) -> None:
        answers = (Answer("stay"), Answer("leave", to="C"))
        story = self.deciding(Closes("leave"), answers=answers).when(pay(SOUTH))
        story.then(StepClosed, step="A", answer="leave", to="C")
        story.then_open("C")

    def test_side_not_waited_for_has_no_part_to_end(self) -> None:
        pays = does(Pay, lambda game, order, dice: [Closes()])
        story = lesson(step("A", NORTH, also=OTHERS, allows=(Pay,)), step("B"), orders=(pays,))
        with pytest.raises(TitleFault) as fault:
            story.when(pay(SOUTH))
        assert re.findall("north|south|step A", fault.value.what) == ["step A", "south", "north"]
        assert "Closes(everybody=True)" in fault.value.rule
        story.then_open("A")

    def test_order_without_event_is_fault_of_title(self) -> None:
        story = lesson(step("A", NORTH, allows=(Pay,)), step("B"), orders=(does(Pay, lambda game, order, dice: []),))
        with pytest.raises(NothingDecided) as fault:
            story.when(pay(NORTH))
        assert (fault.value.title, fault.value.event) == (story.title.id, None)
        story.then_open("A")

    def test_order_cannot_close_its_step_twice(self) -> None:
        twice = does(Pay, lambda game, order, dice: [StepClosed(step="A", to=""), Closes()])
        story = lesson(step("A", allows=(Pay,)), step("B"), orders=(twice,))
        with pytest.raises(TitleFault) as fault:
            story.when(pay(NORTH))
        assert re.findall("north|south|step A", fault.value.what) == ["step A", "north"]
        assert "Closes()" in fault.value.rule
        story.then_open("A")

    def test_step_closes_with_the_last_side_that_has_actions_due(self) -> None:
        """End the part of a side that gave no order by `leave_when_nothing_is_due`."""
        title = title_of(step("A", BOTH, allows=(Mark,)), step("B"), orders=(does(Mark, mark_and_leave),))
        story = teach(title, due__north=2, due__south=1)
        story.when(mark("due/south", None, by=NORTH)).then(SideDone, step="A", side=SOUTH)
        story.play(mark("due/north", None)).then_open("B")


def pay(by: str) -> Pay:
    return Pay(seat=by, account="gold", amount=1)


def answer_hit(game: Game, order: Pay, dice: Dice) -> list[Result]:
    return [Closes("hit")]


def mark_and_leave(game: Game, order: Mark, dice: Dice) -> list[Result]:
    return leave_when_nothing_is_due(game, sets_marker(order.marker, order.to)(game), is_due)


def is_due(game: Game, side: str) -> bool:
    return bool(game.markers.get(f"due/{side}"))
