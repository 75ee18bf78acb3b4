"""Play one small sequence for each sentence under «learnt the hard way» (DESIGN 6)."""

import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    excuse,
    heading,
    is_marked,
    laid,
    lesson,
    mark,
    opened,
    passed,
    pick,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    ACTIVE,
    END,
    Answer,
    DeclarationError,
    Each,
    Game,
    Go,
    LoopClosed,
    Mark,
    Pay,
    PlayJumped,
    Roll,
    Rounds,
    Scenario,
    Side,
    SideDone,
    Step,
    StepClosed,
    StepOpened,
    StepPassed,
    Together,
    Turns,
    Where,
    check,
    chose,
    fact,
    given,
)
from tests.face.testing import Story


def living(game: Game, side: str) -> bool:
    return not game.markers.get(f"dead/{side}")


class TestLoopsAreTheScopeOfAnswers:
    RETREAT = step("A", answers=(Answer("stay"), Answer("retreat")))

    def test_last_rounds_retreat_does_not_leak_into_this_one(self) -> None:
        loop = Rounds("R", "rounds", steps=(self.RETREAT, step("B", when=chose("A", "retreat")), step("C")))
        story = lesson(loop).play(done("retreat")).then_open("B")
        story.play(done(), done(), done("stay")).then_open("C")

    def test_answer_in_a_hex_is_unknown_in_the_next(self) -> None:
        loop = Each("H", "hexes", of="hexes", by=NORTH, steps=(self.RETREAT, step("B", when=chose("A", "retreat"))))
        story = teach(title_of(loop, step("C")), hexes=("1", "2"))
        story.play(pick("1"), done("retreat"), done(), pick("2"), done("stay")).then_open("C")

    def test_answer_of_an_outer_loop_is_known_in_the_inner_loop(self) -> None:
        inner = Rounds("R", "rounds", steps=(step("B", when=chose("A", "retreat")), step("C")))
        lesson(Rounds("T", "turns", steps=(self.RETREAT, inner))).play(done("retreat"), done(), done()).then_open("B")


class TestAJumpIsOneEvent:
    def test_leaving_two_loops_at_once_is_one_jump(self) -> None:
        inner = Rounds("I", "inner", steps=(step("A", then=(Go("Z"),)), step("B")))
        story = lesson(Rounds("O", "outer", steps=(inner,)), step("Z"))
        story.when(done())
        assert [type(event) for event in story.events[:2]] == [StepClosed, PlayJumped]
        story.then(PlayJumped, to="Z", frames=1)
        story.then_not(LoopClosed)
        story.then_open("Z")


class TestAStepReachedOnlyByBeingSentThereIsAProcedure:
    def test_on_the_main_line_it_would_be_walked_into(self) -> None:
        lesson(step("A"), step("pursuit"), step("B")).play(done()).then_open("pursuit")

    def test_as_a_procedure_it_is_not(self) -> None:
        chase = step("A", answers=(Answer("halt"), Answer("chase", to="P")))
        story = lesson(chase, step("B"), procedures=(heading("P", step("pursuit")),))
        story.play(done("halt")).then_open("B")
        assert "pursuit" not in opened(story)


class TestAnAnswerIsNeverTakenForAPlayer:
    def test_step_waits_even_if_a_single_answer_is_left(self) -> None:
        ask = step("A", answers=(Answer("yield"), Answer("fight", when=is_marked("ships"))))
        lesson(ask, step("B")).then_open("A").play(done("yield")).then_open("B")

    def test_loop_waits_even_if_a_single_member_is_left(self) -> None:
        loop = Each("H", "hexes", of="hexes", by=NORTH, steps=(step("A"),))
        teach(title_of(loop, step("B")), hexes=("1",)).then_open("H")


class TestAHeadingsGuardIsAskedOnce:
    def test_condition_of_a_heading_is_not_read_again_inside(self) -> None:
        story = teach(title_of(heading("1", step("1A"), step("1B"), when=is_marked("war")), step("2")), war=True)
        story.play(mark("war", None), done()).then_open("1B")


class TestABorrowedStepAlwaysReturns:
    def borrowing(self, **last: object) -> tuple[Step, ...]:
        return (step("A"), step("B", **last), step("C"), step("D", runs=("A", "B")), step("E"))

    def test_after_its_last_step(self) -> None:
        story = lesson(*self.borrowing()).play(*[done()] * 3).then_open("A")
        story.play(done(), done()).then_open("D")

    def test_borrowed_step_returns_despite_a_jump_elsewhere(self) -> None:
        story = lesson(*self.borrowing(then=(Go("E", when=is_marked("flight")),))).play(*[done()] * 3)
        story.play(mark("flight"), done())
        story.when(done()).then(StepClosed, step="B", to="E")
        story.then_open("D")

    def test_borrowed_stretch_returns_if_its_last_heading_is_passed(self) -> None:
        last = heading("2", step("2A"), step("2B"), when=is_marked("war"))
        story = lesson(step("1"), last, step("3"), step("4", runs=("1", "2A")), step("5"))
        story.play(done(), done()).then_open("1").play(done()).then_open("4")

    def test_borrowed_stretch_returns_from_a_jump_out_of_a_loop(self) -> None:
        loop = Rounds(
            "R", "rounds", steps=(step("B", then=(Go("E", when=is_marked("flight")),)),), until=is_marked("dusk")
        )
        story = lesson(step("A"), loop, step("C"), step("D", runs=("A", "R")), step("E"))
        story.play(done(), mark("dusk"), done(), done(), mark("dusk", None), done(), done(), mark("flight"))
        story.when(done()).then(PlayJumped, to="back", frames=2)
        story.then_open("D")
        assert [frame.of for frame in story.game.cursor.frames] == [""]

    def test_borrowed_step_takes_its_own_answer(self) -> None:
        ask = step("A", answers=(Answer("yes"), Answer("no")))
        story = lesson(ask, step("B", when=chose("A", "yes")), step("C"), step("D", runs=("A", "C")), step("E"))
        story.play(done("yes"), done(), done()).then_open("A")
        story.play(done("no")).then_open("C")

    def test_earlier_answer_is_unknown_in_a_borrowed_stretch(self) -> None:
        """Skip step A in the borrowed stretch, so no answer is chosen there."""
        ask = step("A", answers=(Answer("yes"), Answer("no")), when=~is_marked("silence"))
        story = lesson(ask, step("B", when=chose("A", "yes")), step("C"), step("D", runs=("A", "C")), step("E"))
        story.play(done("yes"), done(), mark("silence"), done()).then_open("C")
        assert passed(story) == ["A", "B"]

    def test_borrowed_step_cannot_jump_into_a_closed_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("B"), step("B2")), until=is_marked("dusk"))
        jump = step("A", then=(Go("B2", when=is_marked("flight")),))
        story = lesson(jump, loop, step("C", runs=("A", "R")), step("D"))
        story.play(done(), mark("dusk"), done(), done(), mark("flight"))
        with pytest.raises(DeclarationError) as fault:
            story.when(done())
        assert fault.value.code == "loop-not-open"
        assert fault.value.fields == {"origin": "A", "target": "B2"}


class TestASideThatWasWipedOutIsNotWaitedFor:
    def test_eliminated_side_is_not_waited_for_in_a_new_step(self) -> None:
        story = teach(title_of(step("A", BOTH), step("B"), plays_on=living), dead__south=True)
        story.then(StepOpened, step="A", waits=(NORTH,))

    def test_side_eliminated_in_a_step_is_excused_from_it(self) -> None:
        story = lesson(step("A", BOTH), step("B"), plays_on=living)
        story.when(mark("dead/south")).then(SideDone, step="A", side=SOUTH, how="excused")
        story.play(done()).then_open("B")

    def test_step_that_waits_only_for_an_eliminated_side_closes(self) -> None:
        story = lesson(step("A", SOUTH, also=OTHER), step("B"), plays_on=living, roles={OTHER: lambda game: (NORTH,)})
        story.when(mark("dead/south")).then(StepClosed, step="A", how="excused", side=SOUTH)
        story.then_open("B")

    def test_eliminated_side_loses_its_turn_in_the_rotation(self) -> None:
        loop = Turns("T", "squadrons", of="unused", sides="order", steps=(step("A", ACTIVE),))
        story = teach(
            title_of(loop, step("C"), plays_on=living), order=BOTH, unused__north=("n1", "n2"), unused__south=("s1",)
        )
        story.play(pick("n1"), mark("dead/south"), done())
        assert story.game.cursor.waiting() == (NORTH,)

    def test_referee_can_excuse_a_side(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        story.when(excuse(side=SOUTH)).then(SideDone, side=SOUTH, how="excused", why="the table agrees")
        story.play(done()).then_open("B")

    def test_referee_can_excuse_all_sides(self) -> None:
        story = lesson(step("A", BOTH, needs=is_marked("wind")), step("B"))
        story.when(excuse()).then(StepClosed, step="A", how="overridden", why="the table agrees")
        story.then_open("B")

    def test_of_several_open_steps_the_referee_says_which(self) -> None:
        story = lesson(Together("M", "preparations", steps=(step("A"), step("B", SOUTH))), step("C"))
        story.when(excuse()).then_refused("excused-step-missing", rule="A, B", steps="A, B")
        story.when(excuse("C")).then_refused("excused-step-missing", rule="A, B", steps="A, B")
        story.play(excuse("B")).then_open("A")

    def test_excusing_a_side_not_waited_for_is_refused(self) -> None:
        story = lesson(step("A"), step("B"))
        story.when(excuse(side=SOUTH)).then_refused(
            "side-not-waited-for", rule="A", step="A", side="south", waits="north"
        )
        story.play(excuse(side=NORTH)).then_open("B")

    def test_side_cannot_excuse_another(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        order = excuse(side=SOUTH)
        from_north = type(order)(seat=NORTH, side=SOUTH, reason="they are slow")
        story.when(from_north).then_refused("only-for-the-referee", rule="seats", order="excuse")


OTHER = "onlooker"


class TestAnotherEditionOfTheTitle:
    """The sequence in this edition lacks a step with which the game was played."""

    def test_jump_to_a_missing_place_is_a_declaration_error(self) -> None:
        story = lesson(step("A", then=(Go("Z"),)), step("B"))
        with pytest.raises(DeclarationError) as fault:
            story.when(done())
        assert (fault.value.code, fault.value.where) == ("no-such-place", "Z")

    def test_open_step_missing_from_the_sequence_cannot_close(self) -> None:
        story = teach(title_of(step("A"), step("B"), plays_on=living))
        story.given(StepOpened(step="Z", name="a step of old", where=Where(), waits=(SOUTH,)))
        with pytest.raises(DeclarationError) as fault:
            story.when(mark("dead/south"))
        assert (fault.value.code, fault.value.where) == ("no-such-place", "Z")


class TestPreferAFactToAnOrderThatIsOwed:
    def test_required_order_that_cannot_be_given_blocks_the_game(self) -> None:
        """Wait by `given` for a roll that is not needed, until the referee excuses it."""
        story = lesson(step("A", allows=(Pay,), needs=given(Pay)), step("B"))
        story.when(done()).then_refused("orders-required", rule="A", says="`pay`", orders=("pay",))
        story.play(excuse()).then_open("B")

    def test_refused_done_names_the_required_order_alone(self) -> None:
        story = lesson(step("A", allows=(Roll, Mark, Pay), needs=given(Pay)), step("B")).when(done())
        assert story.refusal is not None
        assert story.refusal.remedy.endswith(": pay")

    def test_refused_done_names_the_orders_of_a_fact(self) -> None:
        due = fact("a toll is due", lambda game, side: True, owed="settle the toll", orders=("pay",), name="toll")
        story = lesson(step("A", allows=(Roll, Mark, Pay), needs=~due), step("B")).when(done())
        assert story.refusal is not None
        assert story.refusal.remedy.endswith(": pay")

    def test_fact_that_an_action_is_due_lets_play_continue(self) -> None:
        due = laid("damage_due", "damage must be rolled")
        story = lesson(step("A", needs=~due), step("B"))
        story.play(mark("damage_due"))
        story.when(done()).then_refused(
            "orders-required",
            rule="A",
            required="damage must be rolled",
            orders=("mark", "pay", "roll", "choose"),
        )
        story.play(mark("damage_due", None), done()).then_open("B")


class TestNeverGuardOnAHiddenFact:
    DECOYS = laid("decoys", "the Romulan has decoys", otherwise="the Romulan has no decoys", secret=True)

    def test_passed_step_reveals_that_a_hidden_fact_is_false(self) -> None:
        title = title_of(step("A"), step("B", when=self.DECOYS), step("C", then=(Go(END),)))
        assert [fault.place for fault in check(title)] == ["B"]
        teach(title).when(done()).then(StepPassed, step="B", why="the Romulan has no decoys")

    def test_passed_step_names_a_side_that_is_not_in_play(self) -> None:
        title = title_of(step("A", NORTH), step("B", SOUTH), step("C"))
        alone = Scenario(title=title.id, name="a lesson", sides=(Side(id=NORTH, name="North"),))
        assert Story(title, alone).when(done()).then(StepPassed, step="B").why.startswith("south ")

    def test_secret_step_that_always_opens_reveals_no_fact(self) -> None:
        title = title_of(step("A"), step("B", secret=True), step("C", then=(Go(END),)))
        assert check(title) == ()
        logs = [teach(title, decoys=has).play(done(), done()) for has in (True, False)]
        assert opened(logs[0]) == opened(logs[1])
        assert passed(logs[0]) == passed(logs[1]) == []


class TestADieNeedsSomebodyWhoRollsIt:
    def test_roll_in_an_automatic_step_is_a_fault(self) -> None:
        title = title_of(step("A"), auto("B", rolls="2d6"), step("C", then=(Go(END),)))
        assert [(fault.place, fault.remedy) for fault in check(title)] == [("B", "name the side: `by`")]
        story = teach(title).play(done()).then_open("C")
        assert story.game.rolls == 0

    def test_side_named_in_by_rolls_the_dice(self) -> None:
        title = title_of(step("A"), step("B", rolls="2d6", allows=(Roll, Mark)), step("C", then=(Go(END),)))
        assert check(title) == ()
        story = teach(title).play(done())
        story.when(Roll(seat=NORTH, dice="2d6", purpose="wind"), pips=(3, 4)).then_accepted()
        assert story.game.rolls == 1
