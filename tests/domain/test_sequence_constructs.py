"""One small sequence for each construct and each of its meanings (DESIGN 6, the table); loops, leaving and conditions
have files of their own."""

import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    heading,
    is_marked,
    lesson,
    mark,
    opened,
    passed,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    BACK,
    EACH,
    END,
    NEXT,
    OTHERS,
    Answer,
    Closes,
    DeclarationError,
    Dice,
    Game,
    GameEnded,
    Go,
    Instant,
    LoopClosed,
    LoopOpened,
    Mark,
    PassBegun,
    Pay,
    PlayJumped,
    Result,
    Rounds,
    SideDone,
    Step,
    StepClosed,
    StepOpened,
    Together,
    does,
    given,
)


class TestStep:
    def test_step_waits_for_every_side_in_by(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        story.when(done(by=SOUTH)).then(SideDone, step="A", side=SOUTH)
        story.then_open("A")
        story.when(done(by=NORTH)).then(StepClosed, step="A")
        story.then_open("B")

    def test_step_without_sides_closes_at_once(self) -> None:
        story = lesson(auto("A"), step("B")).then_open("B")
        assert opened(story) == ["A", "B"]

    def test_step_whose_role_is_empty_is_passed_with_the_reason(self) -> None:
        story = lesson(step("A", "admiral"), step("B")).then_open("B")
        assert any(getattr(event, "why", "").endswith(" admiral") for event in story.events)
        assert passed(story) == ["A"]

    def test_role_may_have_several_sides(self) -> None:
        teach(title_of(step("A", "admirals"), step("B")), admirals=BOTH).play(done(by=NORTH)).then_open("A")

    def test_guard_passes_a_step_with_the_words_of_its_condition(self) -> None:
        story = lesson(step("A", when=is_marked("storm")), step("B")).then_open("B")
        assert "the marker storm is off the table" in {getattr(event, "why", "") for event in story.events}

    def test_sides_in_turn_act_one_after_the_other(self) -> None:
        story = lesson(step("A", BOTH, in_turn=True), step("B"))
        story.when(mark("flag", by=SOUTH)).then_refused("step-of-another-side", rule="A", seat="south", sides="North")
        story.play(done(by=NORTH), mark("flag", by=SOUTH), done(by=SOUTH)).then_open("B")

    def test_step_with_required_action_cannot_end(self) -> None:
        story = lesson(step("A", needs=is_marked("wind") & is_marked("tide"), rules=("7.3",)), step("B"))
        story.play(mark("wind"))
        refused = story.when(done()).then_refused(
            "orders-required",
            rule="A [7.3]",
            required="the marker tide is off the table",
            orders=("mark", "pay", "roll", "choose"),
        )
        assert "wind" not in (refused.refusal.what if refused.refusal else "")
        story.play(mark("tide"), done()).then_open("B")

    def test_needs_may_ask_for_an_order_given_in_the_step(self) -> None:
        story = lesson(step("A", needs=given(Pay)), step("B"))
        story.when(done()).then_refused("orders-required", rule="A", step="A", orders=("pay",), says="`pay`")
        story.play(Pay(seat=NORTH, account="gold", amount=3), done()).then_open("B")

    def test_only_the_orders_that_a_step_allows_are_admitted(self) -> None:
        story = lesson(step("A", allows=(Pay,)), step("B", allows=(Mark,)))
        story.when(mark("flag")).then_refused("not-allowed-now", rule="A", order="mark", orders=("pay", "done"))

    def test_role_in_also_may_give_orders_but_is_not_waited_for(self) -> None:
        story = lesson(step("A", NORTH, also=OTHERS), step("B"))
        story.play(mark("shout", by=SOUTH))
        story.when(done(by=SOUTH)).then_refused("step-of-another-side", rule="A", seat="south", sides="North")
        story.play(done(by=NORTH)).then_open("B")

    def test_then_leads_where_its_first_open_way_leads(self) -> None:
        ways = (Go("C", when=is_marked("short")), Go("D"))
        for marker, leads_to in (("short", "C"), ("long", "D")):
            story = lesson(step("A", then=ways), step("B"), step("C"), step("D"))
            story.play(mark(marker)).when(done()).then(StepClosed, step="A", to=leads_to)
            story.then_open(leads_to)

    def test_step_without_open_way_leads_to_the_next(self) -> None:
        lesson(step("A", then=(Go("C", when=is_marked("short")),)), step("B"), step("C")).play(done()).then_open("B")

    def test_automatic_act_happens_when_the_step_opens(self) -> None:
        story = lesson(step("A"), auto("B"), step("C"), acts={"B": sets_marker("tide", "high")})
        story.play(done()).then_open("C")
        assert story.game.markers["tide"] == "high"

    def test_automatic_act_may_close_the_step_with_an_answer(self) -> None:
        settled = auto("A", answers=(Answer("calm", to="C"), Answer("storm", to="B")))
        story = lesson(settled, step("B"), step("C"), acts={"A": lambda game: [Closes(answer="calm")]})
        story.then(StepClosed, step="A", answer="calm", to="C")
        story.then_open("C")

    def test_step_that_counts_turns_begins_one_without_rounds(self) -> None:
        story = lesson(step("A"), auto("B", counts_turns=True), step("C"))
        assert story.game.turn == 0
        assert story.play(done()).game.turn == 1
        story.then_open("C")

    def test_step_plays_its_borrowed_stretch_first(self) -> None:
        story = lesson(step("A"), step("B"), step("C"), step("D", runs=("A", "B")), step("E"))
        story.play(done(), done(), done()).then(LoopOpened, loop="D", kind="borrow", stretch=("A", "B"))
        story.then_open("A").play(done()).then_open("B")
        story.when(done()).then(LoopClosed, loop="D")
        story.then_open("D").play(done()).then_open("E")


class TestHeading:
    def test_its_children_come_in_order(self) -> None:
        story = lesson(heading("1", step("1A"), heading("1B", step("1B1"), step("1B2"))), step("2"))
        story.play(*[done()] * 4)
        assert opened(story) == ["1A", "1B1", "1B2", "2"]

    def test_heading_with_false_guard_is_passed_whole(self) -> None:
        story = lesson(heading("1", step("1A"), step("1B"), when=is_marked("war")), step("2")).then_open("2")
        assert passed(story) == ["1"]

    def test_game_ends_after_the_last_place(self) -> None:
        lesson(heading("1", step("1A"))).when(done()).then(GameEnded, rule="")


class TestTogether:
    MENU = Together("M", "menu", steps=(step("A"), step("B", SOUTH), step("X", when=is_marked("fog"))))

    def test_its_steps_are_open_at_once_and_closed_each_on_its_own(self) -> None:
        story = lesson(self.MENU, step("C")).then_open("A", "B")
        story.play(done(by=SOUTH)).then_open("A").play(done()).then_open("C")
        assert passed(story) == ["X"]

    def test_side_with_several_open_steps_must_name_one(self) -> None:
        story = teach(title_of(self.MENU, step("C")), fog=True).then_open("A", "B", "X")
        story.when(done()).then_refused("several-steps-open", rule="A", steps="A, X")
        story.play(done(step="X")).then_open("A", "B")

    def test_step_leading_elsewhere_breaks_off_the_others(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("D"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), step("D"))
        story.when(done()).then(PlayJumped, to="D", broke_off=("B",))
        story.then_open("D")

    def test_return_from_procedure_breaks_off_the_others(self) -> None:
        menu = Together("M", "menu", steps=(step("P1", answers=(Answer("enough", to=BACK),)), step("P2", SOUTH)))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", menu),))
        story.play(done()).then_open("P1", "P2")
        story.when(done("enough")).then(PlayJumped, to=BACK, broke_off=("P2",))
        story.then_open("B")

    def test_end_of_reaction_leaves_the_move_open(self) -> None:
        story = lesson(Together("M", "move", steps=(step("move"), step("react", SOUTH))), step("C"))
        story.play(mark("ambush", by=SOUTH), done(by=SOUTH)).then_open("move")

    def test_together_without_waiting_steps_is_passed(self) -> None:
        lesson(Together("M", "menu", steps=(auto("A"), auto("B"))), step("C")).then_open("C")


def light(game: Game, order: Mark, dice: Dice) -> list[Result]:
    return [*sets_marker(order.marker, order.to)(game), Closes("light")]


class TestTrigger:
    def test_trigger_is_checked_after_every_order(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        story = lesson(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.then_open("A").when(mark("smoke")).then(LoopOpened, loop="P", kind="instant", name="the alarm")
        story.then_open("P1")

    def test_trigger_is_checked_after_the_opening(self) -> None:
        """Check it whenever a side is waited for, also after the opening, which is not an order of a seat."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        title = title_of(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        teach(title, smoke=True).then_open("P1")

    def test_trigger_is_checked_when_an_automatic_step_closes(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("B",))
        story = lesson(
            step("A"),
            auto("B"),
            step("C"),
            procedures=(heading("P", step("P1")),),
            instants=(alarm,),
            acts={"B": sets_marker("smoke")},
        )
        story.play(done()).then_open("P1")
        assert opened(story) == ["A", "B", "P1"]

    def test_trigger_procedure_suspends_and_restores_play(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        procedure = heading("P", step("P1"), step("P2", SOUTH))
        story = lesson(step("A", BOTH), step("B"), procedures=(procedure,), instants=(alarm,))
        story.play(done(by=NORTH))
        before = story.game.cursor
        story.play(mark("smoke", by=SOUTH), mark("smoke", None), done()).then_open("P2")
        story.play(done(by=SOUTH)).then_open("A")
        assert story.game.cursor == before

    def test_trigger_after_a_closed_step_continues_from_its_way(self) -> None:
        """Give North's answer and close the step; only then the alarm comes, at the same moment."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("A",))
        ask = step("A", allows=(Mark,), answers=(Answer("light", to="C"),))
        places = (ask, step("B"), step("C"))
        procedure = heading("P", step("P1"), auto("P2"))
        put_out = {"P2": sets_marker("smoke", None)}
        story = lesson(*places, procedures=(procedure,), instants=(alarm,), orders=(does(Mark, light),), acts=put_out)
        story.when(mark("smoke")).then(StepClosed, step="A", to="C")
        story.then_open("P1").play(done()).then_open("C")

    def test_trigger_is_limited_by_during(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("2",))
        places = (heading("1", step("1A")), heading("2", step("2A")))
        story = lesson(*places, procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.play(mark("smoke")).then_open("1A")
        story.play(done()).then_open("P1")

    def test_trigger_may_jump(self) -> None:
        alarm = Instant(name="nightfall", when=is_marked("dark"), to="3", during=("1", "2"))
        story = lesson(step("1"), step("2"), step("3"), instants=(alarm,))
        story.when(mark("dark")).then(PlayJumped, to="3", broke_off=("1",))
        story.then_open("3")

    def test_trigger_may_end_the_game(self) -> None:
        story = lesson(step("A"), instants=(Instant(name="the king is dead", when=is_marked("dead"), to=END),))
        story.when(mark("dead")).then(GameEnded, why="the king is dead")

    def test_trigger_may_begin_the_next_pass_of_an_open_loop(self) -> None:
        """Check the trigger inside its target, because an open loop is not a procedure in progress."""
        round_over = Instant(name="the round is over", when=is_marked("over"), to="R", during=("B",))
        loop = Rounds("R", "rounds", steps=(auto("clear"), step("A"), step("B")))

        story = lesson(loop, instants=(round_over,), acts={"clear": sets_marker("over", None)})
        story.play(done()).when(mark("over")).then(PassBegun, loop="R", nth=2)
        story.then_open("A")


class TestProcedure:
    def test_procedure_returns_to_the_place_after_its_caller(self) -> None:
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", step("P1"), step("P2")),))
        story.when(done()).then(LoopOpened, loop="P", kind="call", back="A")
        story.play(done(), done()).then_open("B")

    def test_back_returns_before_its_end(self) -> None:
        procedure = heading("P", step("P1", then=(Go(BACK),)), step("P2"))
        lesson(step("A", then=(Go("P"),)), step("B"), procedures=(procedure,)).play(done(), done()).then_open("B")

    def test_back_out_of_a_loop_in_the_procedure_leaves_the_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("P1", answers=(Answer("on"), Answer("enough", to=BACK))),))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", loop),))
        story.play(done(), done("on"), done("enough")).then_open("B")
        assert len(story.game.cursor.frames) == 1

    def test_procedure_may_lead_to_another_place_of_an_open_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("A", then=(Go("P"),)), step("B"), step("C")))
        procedure = heading("P", step("P1", then=(Go("C"),)))
        story = lesson(loop, procedures=(procedure,)).play(done(), done()).then_open("C")
        assert [frame.of for frame in story.game.cursor.frames] == ["", "R"]

    def test_procedure_guard_is_checked_at_the_call(self) -> None:
        procedure = heading("P", step("P1"), when=is_marked("storm"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(procedure,)).play(done()).then_open("B")
        assert passed(story) == ["P"]

    def test_procedure_called_from_together_returns_after_it(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("P"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), procedures=(heading("P", step("P1")),))
        story.when(done()).then(PlayJumped, broke_off=("B",))
        story.then_open("P1").play(done()).then_open("C")

    def test_back_outside_a_procedure_is_a_fault_of_the_declaration(self) -> None:
        with pytest.raises(DeclarationError) as fault:
            lesson(step("A", then=(Go(BACK),))).when(done())
        assert (fault.value.rule, fault.value.code) == ("BACK", "no-procedure-to-leave")

    def test_procedure_may_call_another(self) -> None:
        first = heading("P", step("P1", then=(Go("Q"),)), step("P2"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(first, heading("Q", step("Q1"))))
        story.play(done(), done(), done()).then_open("P2")


class TestTargets:
    def test_next_leads_to_the_following_place(self) -> None:
        lesson(step("A", then=(Go(NEXT),)), step("B")).when(done()).then(StepClosed, to=NEXT)

    def test_end_is_the_end_of_the_game(self) -> None:
        story = lesson(step("A", then=(Go(END),)), step("B"))
        story.when(done()).then(GameEnded, why="A step A")
        story.when(mark("flag")).then_refused("game-over", rule="the end")

    def test_any_id_is_a_place_to_lead_to(self) -> None:
        story = lesson(step("A"), heading("1", step("1A"), step("1B")), step("B", then=(Go("1B"),)))
        story.play(*[done()] * 4).then_open("1B")

    def test_step_closed_without_waiting_sides_has_no_side(self) -> None:
        story = lesson(auto("A"), Step("B", "nobody", by="ghosts"), step("C"))
        story.then(StepOpened, step="A", waits=())
        assert EACH not in story.game.cursor.waiting()
