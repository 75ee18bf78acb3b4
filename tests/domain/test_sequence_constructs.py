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
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import DeclarationError
from umpire_ledger.domain.game.events import (
    GameEnded,
    LoopClosed,
    LoopOpened,
    PassBegun,
    PlayJumped,
    SideDone,
    StepClosed,
    StepOpened,
)
from umpire_ledger.domain.game.orders import Mark, Pay
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Closes, Result, does
from umpire_ledger.domain.sequence.conditions import given
from umpire_ledger.domain.sequence.constructs import (
    BACK,
    EACH,
    END,
    NEXT,
    OTHERS,
    Answer,
    Go,
    Instant,
    Rounds,
    Step,
    Together,
)


class TestStep:
    def test_a_step_waits_for_every_side_named_in_by(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        story.when(done(by=SOUTH)).then(SideDone, step="A", side=SOUTH)
        story.then_open("A")
        story.when(done(by=NORTH)).then(StepClosed, step="A")
        story.then_open("B")

    def test_a_step_with_nobody_in_by_is_read_out_and_left_at_once(self) -> None:
        story = lesson(auto("A"), step("B")).then_open("B")
        assert opened(story) == ["A", "B"]

    def test_a_step_whose_role_nobody_holds_is_passed_with_the_reason(self) -> None:
        story = lesson(step("A", "admiral"), step("B")).then_open("B")
        assert "nobody is admiral" in {getattr(event, "why", "") for event in story.events}
        assert passed(story) == ["A"]

    def test_a_role_may_be_held_by_several_sides(self) -> None:
        teach(title_of(step("A", "admirals"), step("B")), admirals=BOTH).play(done(by=NORTH)).then_open("A")

    def test_a_guard_passes_a_step_and_says_why_in_the_words_of_the_condition(self) -> None:
        story = lesson(step("A", when=is_marked("storm")), step("B")).then_open("B")
        assert "the marker storm is off the table" in {getattr(event, "why", "") for event in story.events}

    def test_sides_in_turn_act_one_after_the_other(self) -> None:
        story = lesson(step("A", BOTH, in_turn=True), step("B"))
        story.when(mark("flag", by=SOUTH)).then_refused(rule="A", says="south may not act", do="wait for North")
        story.play(done(by=NORTH), mark("flag", by=SOUTH), done(by=SOUTH)).then_open("B")

    def test_a_step_cannot_be_left_while_something_is_owed(self) -> None:
        story = lesson(step("A", needs=is_marked("wind") & is_marked("tide"), rules=("7.3",)), step("B"))
        story.play(mark("wind"))
        refused = story.when(done()).then_refused(rule="A [7.3]", says="the marker tide", do="do first what is owed")
        assert "wind" not in (refused.refusal.what if refused.refusal else "")
        story.play(mark("tide"), done()).then_open("B")

    def test_needs_may_ask_for_an_order_given_in_the_step(self) -> None:
        story = lesson(step("A", needs=given(Pay)), step("B"))
        story.when(done()).then_refused(rule="A", says="A cannot be left yet: give `pay`", do="what is owed: pay")
        story.play(Pay(seat=NORTH, account="gold", amount=3), done()).then_open("B")

    def test_only_the_orders_that_a_step_allows_are_admitted(self) -> None:
        story = lesson(step("A", allows=(Pay,)), step("B", allows=(Mark,)))
        story.when(mark("flag")).then_refused(rule="A", says="belongs to B", do="allowed here: pay, done")

    def test_a_role_in_also_may_give_orders_without_being_waited_for(self) -> None:
        story = lesson(step("A", NORTH, also=OTHERS), step("B"))
        story.play(mark("shout", by=SOUTH))
        story.when(done(by=SOUTH)).then_refused(rule="A", says="south may not act", do="wait for North")
        story.play(done(by=NORTH)).then_open("B")

    def test_then_leads_where_its_first_open_way_leads(self) -> None:
        ways = (Go("C", when=is_marked("short")), Go("D"))
        for marker, leads_to in (("short", "C"), ("long", "D")):
            story = lesson(step("A", then=ways), step("B"), step("C"), step("D"))
            story.play(mark(marker)).when(done()).then(StepClosed, step="A", to=leads_to)
            story.then_open(leads_to)

    def test_a_step_none_of_whose_ways_is_open_leads_to_the_next(self) -> None:
        lesson(step("A", then=(Go("C", when=is_marked("short")),)), step("B"), step("C")).play(done()).then_open("B")

    def test_what_happens_of_itself_happens_when_the_step_opens(self) -> None:
        story = lesson(step("A"), auto("B"), step("C"), acts={"B": sets_marker("tide", "high")})
        story.play(done()).then_open("C")
        assert story.game.markers["tide"] == "high"

    def test_what_happens_of_itself_may_close_the_step_with_an_answer(self) -> None:
        settled = auto("A", answers=(Answer("calm", to="C"), Answer("storm", to="B")))
        story = lesson(settled, step("B"), step("C"), acts={"A": lambda game: [Closes(answer="calm")]})
        story.then(StepClosed, step="A", answer="calm", to="C")
        story.then_open("C")

    def test_a_step_that_counts_turns_begins_one_where_no_rounds_do(self) -> None:
        story = lesson(step("A"), auto("B", counts_turns=True), step("C"))
        assert story.game.turn == 0
        assert story.play(done()).game.turn == 1
        assert story.game.where == "turn 1 · C step C · North"

    def test_a_step_borrows_a_stretch_and_opens_itself_afterwards(self) -> None:
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

    def test_a_heading_is_passed_whole(self) -> None:
        story = lesson(heading("1", step("1A"), step("1B"), when=is_marked("war")), step("2")).then_open("2")
        assert passed(story) == ["1"]

    def test_behind_the_last_place_the_game_is_over(self) -> None:
        lesson(heading("1", step("1A"))).when(done()).then(GameEnded, why="the sequence of play is over")


class TestTogether:
    MENU = Together("M", "menu", steps=(step("A"), step("B", SOUTH), step("X", when=is_marked("fog"))))

    def test_its_steps_are_open_at_once_and_closed_each_on_its_own(self) -> None:
        story = lesson(self.MENU, step("C")).then_open("A", "B")
        story.play(done(by=SOUTH)).then_open("A").play(done()).then_open("C")
        assert passed(story) == ["X"]

    def test_a_side_with_several_open_steps_says_which_it_leaves(self) -> None:
        story = teach(title_of(self.MENU, step("C")), fog=True).then_open("A", "B", "X")
        story.when(done()).then_refused(rule="A", says="several steps are open for you: A, X", do="say which")
        story.play(done(step="X")).then_open("A", "B")

    def test_a_step_that_leads_elsewhere_breaks_the_others_off(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("D"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), step("D"))
        story.when(done()).then(PlayJumped, to="D", broke_off=("B",))
        story.then_open("D")

    def test_a_step_that_returns_from_a_procedure_breaks_the_others_off(self) -> None:
        menu = Together("M", "menu", steps=(step("P1", answers=(Answer("enough", to=BACK),)), step("P2", SOUTH)))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", menu),))
        story.play(done()).then_open("P1", "P2")
        story.when(done("enough")).then(PlayJumped, to=BACK, broke_off=("P2",))
        story.then_open("B")

    def test_a_reaction_beside_a_move_leaves_the_move_open(self) -> None:
        story = lesson(Together("M", "move", steps=(step("move"), step("react", SOUTH))), step("C"))
        story.play(mark("ambush", by=SOUTH), done(by=SOUTH)).then_open("move")

    def test_when_none_of_its_steps_waits_play_goes_on(self) -> None:
        lesson(Together("M", "menu", steps=(auto("A"), auto("B"))), step("C")).then_open("C")


def light(game: Game, order: Mark, dice: Dice) -> list[Result]:
    return [*sets_marker(order.marker, order.to)(game), Closes("light")]


class TestInstant:
    def test_it_is_asked_after_every_order(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        story = lesson(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.then_open("A").when(mark("smoke")).then(LoopOpened, loop="P", kind="instant", name="the alarm")
        story.then_open("P1")

    def test_it_is_asked_whenever_somebody_is_waited_for(self) -> None:
        """The opening of a game is no order of a seat."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        title = title_of(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        teach(title, smoke=True).then_open("P1")

    def test_it_is_asked_where_a_step_closes_of_itself_before_play_goes_on(self) -> None:
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

    def test_the_procedure_suspends_what_is_going_on_and_gives_it_back(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        procedure = heading("P", step("P1"), step("P2", SOUTH))
        story = lesson(step("A", BOTH), step("B"), procedures=(procedure,), instants=(alarm,))
        story.play(done(by=NORTH))
        before = story.game.cursor
        story.play(mark("smoke", by=SOUTH), mark("smoke", None), done()).then_open("P2")
        story.play(done(by=SOUTH)).then_open("A")
        assert story.game.cursor == before

    def test_a_step_that_closed_at_the_instant_is_gone_on_from_afterwards(self) -> None:
        """North's answer is given and the step closed; only then, at the same instant, the alarm."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("A",))
        ask = step("A", allows=(Mark,), answers=(Answer("light", to="C"),))
        places = (ask, step("B"), step("C"))
        procedure = heading("P", step("P1"), auto("P2"))
        put_out = {"P2": sets_marker("smoke", None)}
        story = lesson(*places, procedures=(procedure,), instants=(alarm,), orders=(does(Mark, light),), acts=put_out)
        story.when(mark("smoke")).then(StepClosed, step="A", to="C")
        story.then_open("P1").play(done()).then_open("C")

    def test_during_limits_where_it_is_watched(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("2",))
        places = (heading("1", step("1A")), heading("2", step("2A")))
        story = lesson(*places, procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.play(mark("smoke")).then_open("1A")
        story.play(done()).then_open("P1")

    def test_it_may_jump_instead(self) -> None:
        alarm = Instant(name="nightfall", when=is_marked("dark"), to="3", during=("1", "2"))
        story = lesson(step("1"), step("2"), step("3"), instants=(alarm,))
        story.when(mark("dark")).then(PlayJumped, to="3", broke_off=("1",), note="from nightfall")
        story.then_open("3")

    def test_it_may_end_the_game(self) -> None:
        story = lesson(step("A"), instants=(Instant(name="the king is dead", when=is_marked("dead"), to=END),))
        story.when(mark("dead")).then(GameEnded, why="the king is dead")

    def test_it_may_begin_the_next_pass_of_an_open_loop(self) -> None:
        """An open loop is not being dealt with, so the instant is asked although play is inside its target."""
        round_over = Instant(name="the round is over", when=is_marked("over"), to="R", during=("B",))
        loop = Rounds("R", "rounds", steps=(auto("clear"), step("A"), step("B")))

        story = lesson(loop, instants=(round_over,), acts={"clear": sets_marker("over", None)})
        story.play(done()).when(mark("over")).then(PassBegun, loop="R", nth=2)
        story.then_open("A")


class TestProcedure:
    def test_going_to_it_calls_it_and_it_comes_back_behind_its_caller(self) -> None:
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

    def test_it_may_be_left_for_another_place_of_an_open_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("A", then=(Go("P"),)), step("B"), step("C")))
        procedure = heading("P", step("P1", then=(Go("C"),)))
        story = lesson(loop, procedures=(procedure,)).play(done(), done()).then_open("C")
        assert [frame.of for frame in story.game.cursor.frames] == ["", "R"]

    def test_its_guard_is_asked_when_it_is_called(self) -> None:
        procedure = heading("P", step("P1"), when=is_marked("storm"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(procedure,)).play(done()).then_open("B")
        assert passed(story) == ["P"]

    def test_a_call_from_a_menu_goes_on_behind_the_menu(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("P"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), procedures=(heading("P", step("P1")),))
        story.when(done()).then(PlayJumped, broke_off=("B",))
        story.then_open("P1").play(done()).then_open("C")

    def test_back_outside_a_procedure_is_a_fault_of_the_declaration(self) -> None:
        with pytest.raises(DeclarationError, match="no procedure to return from") as fault:
            lesson(step("A", then=(Go(BACK),))).when(done())
        assert (fault.value.rule, fault.value.remedy) == ("BACK", "name a place")

    def test_a_procedure_may_call_another(self) -> None:
        first = heading("P", step("P1", then=(Go("Q"),)), step("P2"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(first, heading("Q", step("Q1"))))
        story.play(done(), done(), done()).then_open("P2")


class TestTargets:
    def test_next_is_the_place_behind(self) -> None:
        lesson(step("A", then=(Go(NEXT),)), step("B")).when(done()).then(StepClosed, to=NEXT)

    def test_end_is_the_end_of_the_game(self) -> None:
        story = lesson(step("A", then=(Go(END),)), step("B"))
        story.when(done()).then(GameEnded, why="A step A")
        story.when(mark("flag")).then_refused(rule="the end", says="the game is over", do="`undo` or `rewind`")

    def test_any_id_is_a_place_to_lead_to(self) -> None:
        story = lesson(step("A"), heading("1", step("1A"), step("1B")), step("B", then=(Go("1B"),)))
        story.play(*[done()] * 4).then_open("1B")

    def test_a_step_left_while_nobody_is_waited_for_has_no_side(self) -> None:
        story = lesson(auto("A"), Step("B", "nobody", by="ghosts"), step("C"))
        story.then(StepOpened, step="A", waits=())
        assert EACH not in story.game.cursor.waiting()
