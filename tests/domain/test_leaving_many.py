"""Test `done --until STEP` and `done --rest`: one order ends several steps, up to the first decision."""

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    excuse,
    heading,
    is_marked,
    lesson,
    mark,
    step,
    teach,
    title_of,
)
from tests.domain.test_sequence_random import CHOICES, QUICK, no_fault_unfound, titles, walk
from tests.face.domain import (
    ONLY_ONE,
    Answer,
    AnyEvent,
    Closes,
    Done,
    Each,
    Go,
    Mark,
    MarkerSet,
    Order,
    PassBegun,
    Pick,
    Rounds,
    RuleViolation,
    Sent,
    SideDone,
    SideLeaves,
    StepClosed,
    Title,
    Undo,
    decide,
    does,
    events_of,
    forfeited,
    replace,
    why_stopped,
)
from tests.face.testing import NO_HISTORY, Story
from tests.naming import Naming
from tests.taken_over import standing


def until(place: str, by: str = NORTH, **more: str) -> Done:
    return Done(seat=by, until=place, **more)


def rest(by: str = NORTH) -> Done:
    return Done(seat=by, rest=True)


def left(story: Story) -> list[str]:
    """Return the steps that the last order closed."""
    story.then_accepted()
    return [event.step for event in story.events if isinstance(event, StepClosed | SideDone)]


def stopped(story: Story, side: str = NORTH, place: str = "") -> str:
    return why_stopped(story.title, story.game, side, place)


class TestUntilPassedStep:
    def test_until_step_passed_in_this_turn_is_refused(self) -> None:
        story = lesson(step("1"), step("2"), step("3")).play(done()).when(until("1"))
        story.then_refused("step-has-passed", rule="2", until="1")

    def test_until_step_passed_counts_the_turn_of_the_loop(self) -> None:
        turn = Rounds("R", "turns", steps=(step("1", counts_turns=True), step("2"), step("3")))
        lesson(turn).play(done(), done()).when(until("2")).then_refused("step-has-passed", rule="3")

    def test_until_step_of_a_loop_within_the_turn_is_reached(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), step("2"), step("3")))
        lesson(rounds).play(done(), done()).when(until("2")).then_open("2").then(PassBegun, loop="R", nth=2)

    def test_until_step_that_a_go_leads_back_to_is_reached(self) -> None:
        lesson(step("1"), step("2"), step("3", then=(Go("1"),))).play(done(), done()).when(until("2")).then_open("2")

    @pytest.mark.parametrize(("ends", "comes"), [((Go("1"),), True), ((), False)])
    def test_until_step_from_within_a_procedure_follows_its_return(self, ends: tuple[Go, ...], comes: bool) -> None:
        calls = step("2", answers=(Answer("fight", to="P"),))
        procedures = (heading("P", step("P1"), step("P2")),)
        story = lesson(step("1"), calls, step("3", then=ends), procedures=procedures).play(done(), done("fight"))
        assert (story.when(until("1")).refusal is None) == comes

    def test_until_step_beyond_a_go_that_counts_a_turn_is_refused(self) -> None:
        steps = (step("1", counts_turns=True), step("2"), step("3", then=(Go("1"),)))
        lesson(*steps).play(done(), done()).when(until("2")).then_refused("step-has-passed", rule="3")


class TestUntilAStep:
    def test_optional_steps_are_left_one_by_one_with_a_record_each(self) -> None:
        story = lesson(step("1"), step("2"), step("3"), step("4")).when(until("4"))
        assert left(story) == ["1", "2", "3"]
        story.then_open("4").then(StepClosed, step="2", how="declined", why="done --until 4")

    def test_until_heading_stops_at_its_first_step(self) -> None:
        story = lesson(step("1"), step("2"), heading("5", step("5a"), step("5b"))).when(until("5"))
        story.then_open("5a")

    def test_until_with_answer_answers_the_first_step(self) -> None:
        story = lesson(step("1", answers=(Answer("yes"), Answer("no"))), step("2"), step("3"))
        story.when(until("3", answer="no")).then(StepClosed, step="1", answer="no")
        story.then_open("3")

    def test_until_after_an_order_closes_the_first_step_as_done(self) -> None:
        story = lesson(step("1"), step("2"), step("3")).play(mark("x")).when(until("3"))
        story.then(StepClosed, step="1", how="done")
        story.then(StepClosed, step="2", how="declined")

    def test_steps_are_undone_as_one_order(self) -> None:
        story = lesson(step("1"), step("2"), step("3")).play(until("3"), Undo(seat=NORTH))
        story.then_open("1")


class TestBorrowingStep:
    """A step that borrows others: play first enters the borrowed stretch, and then the step itself."""

    def borrowing(self, by: str | tuple[str, ...] = NORTH) -> Story:
        return lesson(step("1", by), step("2", by), step("3"), step("4", runs=("1", "2")), step("5"))

    def test_until_borrowing_step_stops_at_the_borrowed_stretch(self) -> None:
        story = self.borrowing().play(until("3")).when(until("4"))
        assert left(story) == ["3"]
        story.then_open("1")

    def test_from_inside_it_the_step_itself_is_meant(self) -> None:
        story = self.borrowing().play(until("3"), until("4")).when(until("4"))
        assert left(story) == ["1", "2"]
        story.then_open("4")

    def test_until_step_after_it_passes_the_borrowed_stretch(self) -> None:
        story = self.borrowing().play(until("3")).when(until("5"))
        assert left(story) == ["3", "1", "2", "4"]

    def test_until_of_both_sides_stops_at_the_borrowed_stretch(self) -> None:
        story = self.borrowing(BOTH).play(until("4"), until("4", by=SOUTH))
        story.then_open("1")
        assert story.game.cursor.waiting() == BOTH


class TestStop:
    def test_until_stops_at_a_required_action(self) -> None:
        story = lesson(step("1"), step("2", needs=is_marked("paid")), step("3")).when(until("3"))
        story.then_open("2")
        assert stopped(story) == "step 2 (step 2): the marker paid is off the table"

    def test_at_an_answer(self) -> None:
        story = lesson(step("1"), step("2", answers=(Answer("yes"), Answer("no"))), step("3")).when(until("3"))
        story.then_open("2")
        assert re.findall("`(.+?)`", stopped(story)) == ["done yes", "done no"]

    def test_at_a_secret(self) -> None:
        story = lesson(step("1"), step("2", secret=True), step("3")).when(until("3"))
        story.then_open("2")
        assert re.findall("`(.+?)`", stopped(story)) == ["done"]

    def test_at_another_sides_part(self) -> None:
        """Stop at the other side's part of a shared step, after ending the side's own part."""
        story = lesson(step("1"), step("2", BOTH), step("3")).when(until("3"))
        story.then_open("2").then(SideDone, step="2", side=NORTH, why="done --until 3")
        assert story.game.cursor.waiting() == (SOUTH,)
        assert "South" in stopped(story)

    def test_at_a_choice_among_members_and_picks_the_only_one(self) -> None:
        each = Each("3", "hexes", of="hexes", by=NORTH, steps=(step("3a"),))
        title = title_of(step("1"), each, step("9"))
        story = teach(title, hexes=("0101", "0202")).when(until("9"))
        story.then_open("3")
        assert stopped(story).endswith("3 (hexes): 0101, 0202")
        story.play(Pick(seat=NORTH, member="0202")).when(until("9"))
        story.then(StepClosed, step="3", item="0101", why=ONLY_ONE)
        story.then_open("9")

    def test_at_a_loop_that_may_be_ended_early(self) -> None:
        """Stop there, because stopping to pick is a decision, too."""
        each = Each("3", "hexes", of="hexes", by=NORTH, may_end=True, steps=(step("3a"),))
        story = teach(title_of(step("1"), each, step("9")), hexes=("0101",)).when(until("9"))
        story.then_open("3")
        assert re.findall("0101|`.+?`", stopped(story)) == ["`pick`", "0101", "`done`"]

    def test_until_stops_at_the_end_of_the_game(self) -> None:
        story = lesson(step("1"), step("2"), step("3"), procedures=(heading("P", step("P1")),)).when(until("P"))
        assert story.game.ended
        assert stopped(story).endswith(story.game.ended)

    def test_until_ends_a_secret_first_step_and_stops_at_the_next(self) -> None:
        story = lesson(step("1", secret=True), step("2"), step("3", secret=True), step("4")).when(until("4"))
        story.then_open("3")


class TestStandingOrder:
    """Two sides that want to do nothing give one order each."""

    def both(self) -> Story:
        return lesson(step("1", BOTH), step("2", BOTH), step("3"), step("4", SOUTH), step("5", BOTH))

    def test_until_continues_with_the_other_side_s_orders(self) -> None:
        story = self.both().when(until("5"))
        story.then(SideLeaves, side=NORTH, until="5")
        assert re.findall(r"South|North|\d+", stopped(story)) == ["1", "1", "South", "5"]
        story.when(until("5", SOUTH)).then_open("5")
        story.then(SideDone, step="2", side=SOUTH, why="done --until 5")
        story.then(StepClosed, step="2", side=NORTH, how="declined", why="done --until 5")
        story.then(StepClosed, step="3", side=NORTH)
        assert story.game.leaving == {}

    def test_with_any_order_that_makes_sense_farther_on(self) -> None:
        story = self.both().play(until("5"), done(by=SOUTH), done(by=SOUTH)).when(mark("x", by=SOUTH))
        story.then(StepClosed, step="2", side=NORTH, why="done --until 5")
        story.then_open("4")

    def test_until_something_is_done(self) -> None:
        story = self.both().play(until("5"), mark("x", by=SOUTH)).when(until("5", SOUTH))
        story.then_open("2")
        assert story.game.cursor.waiting() == (NORTH,)

    def test_until_something_is_answered(self) -> None:
        answers = (Answer("yes"), Answer("no"))
        story = lesson(step("1", BOTH), step("2", SOUTH, answers=answers), step("3"), step("9")).play(until("9"))
        story.play(done(by=SOUTH), done("yes", by=SOUTH)).when(until("9", SOUTH))
        story.then_refused("nothing-to-end-yet", rule="3", sides="North")

    def test_until_something_is_picked(self) -> None:
        each = Each("3", "hexes", of="hexes", by=SOUTH, steps=(step("3a"),))
        story = teach(title_of(step("1", BOTH), each, step("9")), hexes=("0101", "0202"))
        story.play(until("9"), done(by=SOUTH), Pick(seat=SOUTH, member="0202"))
        story.when(until("9", SOUTH)).then_refused("nothing-to-end-yet", rule="3a", sides="North")

    def test_until_ends_when_a_side_is_excused(self) -> None:
        story = lesson(step("1", BOTH), step("2"), step("9")).play(until("9"), excuse("1", SOUTH)).then_open("2")
        assert story.game.leaving == {}

    def test_until_the_place_is_passed_by(self) -> None:
        """End the standing order when South enters the next round: North's `until` named this one."""
        rounds = Rounds("R", "rounds", steps=(step("1", BOTH), step("2", when=is_marked("x")), step("3", SOUTH)))
        story = lesson(rounds).play(until("2"), done(by=SOUTH), done(by=SOUTH)).then_open("1")
        assert story.game.leaving == {}

    def test_until_does_not_continue_past_its_place(self) -> None:
        story = lesson(step("1", BOTH), step("2", when=is_marked("x")), step("3")).play(until("2"))
        story.when(until("3", SOUTH)).then_open("3")
        assert story.game.cursor.waiting() == (NORTH,)

    def test_not_over_a_jump(self) -> None:
        jump = Go("1")
        story = lesson(step("0"), step("1"), step("2", BOTH), step("3", SOUTH, then=(jump,)), step("9"))
        story.play(until("2"), until("9"), done(by=SOUTH), done(by=SOUTH)).then_open("1")
        assert story.game.leaving == {}

    def test_until_stops_at_secret_answer_or_required_action(self) -> None:
        for kind in ({"secret": True}, {"answers": (Answer("yes"),)}, {"needs": is_marked("paid")}):
            story = lesson(step("1", BOTH), step("2", **kind), step("3", SOUTH), step("9")).play(until("9"))
            story.when(until("9", SOUTH)).then_open("2")

    def test_until_automatic_step_stops_after_it(self) -> None:
        story = lesson(step("1"), auto("2"), step("3"), step("9")).when(until("2"))
        story.then_open("3")

    def test_until_place_in_skipped_heading_stops_after_it(self) -> None:
        off = heading("2", step("2a"), when=is_marked("x"))
        lesson(step("1"), off, step("3"), step("9")).when(until("2a")).then_open("3")
        lesson(step("1"), off, step("3"), step("9")).when(until("2")).then_open("3")

    def test_until_place_in_empty_loop_stops_after_it(self) -> None:
        each = Each("2", "hexes", of="hexes", by=NORTH, steps=(step("2a"),))
        for place in ("2", "2a"):
            story = teach(title_of(step("1"), each, step("3"), step("9")), hexes=()).when(until(place))
            story.then_open("3")
            assert stopped(story, place=place).endswith(f" {place}")

    def test_until_place_in_uncalled_procedure_stops_after_answer(self) -> None:
        answers = (Answer("call", to="P"), Answer("no"))
        story = lesson(step("1", answers=answers), step("2"), step("3"), procedures=(heading("P", step("P1")),))
        story.when(until("P1", answer="no")).then_open("2")

    def test_until_place_passed_in_this_round_stops_at_the_next(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), step("2", when=is_marked("x"))), until=is_marked("over"))
        lesson(rounds).when(until("2")).then_open("1").then(PassBegun, loop="R", nth=2)

    def test_until_earlier_place_reaches_it_in_the_next_pass(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), step("2"), step("3")))
        lesson(rounds).play(done(), done()).when(until("2")).then_open("2").then(PassBegun, loop="R", nth=2)

    def test_until_step_that_a_go_leads_back_to_is_reached(self) -> None:
        lesson(step("1"), step("2"), step("3", then=(Go("1"),))).play(done(), done()).when(until("2")).then_open("2")

    def test_until_step_beyond_a_go_that_counts_a_turn_is_refused(self) -> None:
        steps = (step("1", counts_turns=True), step("2"), step("3", then=(Go("1"),)))
        lesson(*steps).play(done(), done()).when(until("2")).then_refused("step-has-passed", rule="3")

    def test_until_is_cleared_by_undo(self) -> None:
        story = self.both().play(until("5"), Undo(seat=NORTH))
        assert story.game.leaving == {}


def marking(leave: str, by: str = NORTH) -> dict[str, object]:
    return {"as": by, "order": "mark", "marker": "x", "to": True, "leave": leave}


class TestLeaveWithOrder:
    """`leave` in another order, which carries out the order and ends the step together."""

    def test_leave_here_ends_the_step_with_the_order(self) -> None:
        story = lesson(step("1"), step("2")).when(marking("here"))
        story.then(MarkerSet, marker="x")
        story.then(StepClosed, step="1", side=NORTH, how="done")
        story.then_open("2")

    def test_and_what_follows_up_to_a_place(self) -> None:
        story = lesson(step("1"), step("2"), step("3"), step("4")).when(marking("4"))
        story.then(StepClosed, step="2", how="declined", why="done --until 4")
        story.then_open("4")

    def test_steps_are_undone_as_one_order(self) -> None:
        lesson(step("1"), step("2"), step("3")).play(marking("3"), Undo(seat=NORTH)).then_open("1")

    def test_leave_here_ends_a_secret_step(self) -> None:
        lesson(step("1", secret=True), step("2")).when(marking("here")).then_open("2")

    def test_leave_after_order_that_closed_the_step_ends_no_other(self) -> None:
        lines = (does(Mark, decide=lambda game, order, dice: [Closes()]),)
        title = title_of(step("1", allows=(Mark,)), step("2"), step("3"), orders=lines)
        teach(title).when(marking("here")).then_open("2")
        teach(title).when(marking("3")).then_open("3")

    def test_leave_by_side_not_waited_for_ends_no_step(self) -> None:
        story = lesson(step("1", also=SOUTH), step("2")).when(marking("here", SOUTH))
        story.then_open("1").then(MarkerSet, marker="x")

    def test_leave_with_required_action_is_refused(self) -> None:
        story = lesson(step("1", needs=is_marked("paid")), step("2")).when(marking("here"))
        story.then_refused("orders-required", rule="1", orders=("mark", "pay", "roll", "choose"))

    def test_not_at_a_step_that_is_open_at_any_moment(self) -> None:
        aside = step("A", SOUTH, allows=(Mark,))
        story = teach(title_of(step("1", allows=()), anytime=(aside,))).when(marking("here", SOUTH))
        story.then_refused("always-open", rule="A")

    def test_not_with_done_or_words_for_the_record(self) -> None:
        for order in ({"order": "done"}, {"order": "note", "text": "well"}):
            story = lesson(step("1"), step("2")).when({"as": NORTH, "leave": "here", **order})
            story.then_refused("no-step-to-leave", rule="leave", order=order["order"])


class TestForfeits:
    """Losses that a title declares for ending a step (`forfeits`)."""

    def lesson(self, by: str | tuple[str, ...] = NORTH) -> Story:
        loses = {"2": lambda game, side: () if game.markers.get("used") else (f"the income of {side}",)}
        return teach(title_of(*(step(place, by) for place in "1234"), forfeits=loses))

    def lost(self, story: Story, order: Done) -> tuple[str, ...]:
        before = story.game
        return forfeited(story.title, before, order.seat, story.when(order).events)

    def test_until_lists_what_the_side_loses_on_the_way(self) -> None:
        assert self.lost(self.lesson(), until("4")) == ("2: the income of north",)

    def test_until_lists_nothing_that_was_used_or_not_reached(self) -> None:
        assert self.lost(self.lesson().play(mark("used")), until("4")) == ()
        assert self.lost(self.lesson(), until("2")) == ()
        assert self.lost(self.lesson().play(until("3")), until("4")) == ()

    def test_rest_and_done_list_the_same(self) -> None:
        assert self.lost(self.lesson(), rest()) == ("2: the income of north",)
        assert self.lost(self.lesson().play(until("2")), done()) == ("2: the income of north",)

    def test_until_of_one_side_lists_nothing_of_the_other(self) -> None:
        story = self.lesson(BOTH).play(until("2"), until("3", SOUTH))
        assert self.lost(story, until("4")) == ("2: the income of north",)

    def test_standing_word_stops_at_a_step_that_forfeits(self) -> None:
        """Forfeit nothing with the other side's order, because the side must see the loss first."""
        story = self.lesson(BOTH).play(until("4"), until("4", SOUTH))
        story.then_open("2")
        assert story.game.cursor.waiting() == (NORTH,)
        story.play(until("4")).then_open("4")

    def test_standing_word_passes_a_step_in_which_all_is_used(self) -> None:
        self.lesson(BOTH).play(mark("used"), until("4"), until("4", SOUTH)).then_open("4")


class TestRestOfPhase:
    def test_to_the_end_of_the_outermost_heading(self) -> None:
        phase = heading("1", heading("1A", step("1A1"), step("1A2")), step("1B"))
        story = lesson(phase, heading("2", step("2A"))).when(rest())
        assert left(story) == ["1A1", "1A2", "1B"]
        story.then_open("2A").then(StepClosed, step="1B", why="done --rest")

    def test_without_a_heading_to_the_end_of_the_pass(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), step("2")))
        story = lesson(rounds).when(rest())
        assert left(story) == ["1", "2"]
        story.then_open("1")
        assert story.game.cursor.top.nth == 2

    def test_rest_stops_at_a_pick_of_the_next_phase(self) -> None:
        """Stop at the pick, which belongs to the next phase."""
        each = Each("3", "hexes", of="hexes", by=NORTH, steps=(step("3a"),))
        story = teach(title_of(heading("1", step("1a")), each), hexes=("0101",)).when(rest())
        story.then_open("3")


class TestLoopAroundPlay:
    """`done --until LOOP` ends the rest of its pass, and stops at the next pass or behind the loop."""

    def hexes(self, *members: str, **more: Any) -> Story:
        fight = Rounds("R", "rounds", steps=(step("1a"), step("1b", **more), step("1c")), until=is_marked("won"))
        each = Each("1", "hexes", of="hexes", by=NORTH, steps=(fight, step("1d")))
        return teach(title_of(heading("0", each, step("1e")), step("9")), hexes=members)

    def test_until_loop_stops_at_the_next_pick(self) -> None:
        story = self.hexes("0101", "0202", "0303").play(Pick(seat=NORTH, member="0202"), mark("won")).when(until("1"))
        assert left(story) == ["1a", "1b", "1c", "1d"]
        story.then_open("1").then(StepClosed, step="1d", why="done --until 1")

    def test_until_loop_goes_past_its_last_member(self) -> None:
        story = self.hexes("0101").play(Pick(seat=NORTH, member="0101"), mark("won")).when(until("1"))
        story.then_open("1e")

    def test_until_rounds_stops_at_the_next_round(self) -> None:
        story = self.hexes("0101").play(Pick(seat=NORTH, member="0101"), done()).when(until("R"))
        assert left(story) == ["1b", "1c"]
        story.then_open("1a").then(PassBegun, loop="R", nth=2)

    def test_until_loop_stops_at_a_decision_and_says_so(self) -> None:
        answers = (Answer("yes"), Answer("no"))
        before = self.hexes("0101", "0202", answers=answers).play(Pick(seat=NORTH, member="0101"), mark("won"))
        story = before.when(until("1"))
        story.then_open("1b")
        why = why_stopped(story.title, story.game, NORTH, "1", before.game)
        assert why.startswith("step 1b ")
        assert re.findall("`(.+?)`", why) == ["done yes", "done no"]

    def test_until_loop_waits_for_a_called_procedure(self) -> None:
        calls = step("2", answers=(Answer("fight", to="P"), Answer("rest")))
        rounds = Rounds("R", "rounds", steps=(step("1"), calls, step("3")), until=is_marked("won"))
        procedures = (heading("P", step("P1"), step("P2")),)
        story = lesson(rounds, step("9"), procedures=procedures).play(mark("won"), done(), done("fight"))
        story = story.when(until("R"))
        assert left(story) == ["P1", "P2", "3"]
        story.then_open("9")

    def test_until_loop_at_its_pick_is_refused(self) -> None:
        self.hexes("0101", "0202").when(until("1")).then_refused("already-there", rule="1", until="1")

    def test_until_heading_behind_the_loop_ends_the_pass_and_stops_at_the_pick(self) -> None:
        story = self.hexes("0101", "0202", "0303").play(Pick(seat=NORTH, member="0202"), mark("won")).when(until("9"))
        story.then_open("1")
        assert stopped(story, place="9").endswith("1 (hexes): 0101, 0303")

    def test_until_loop_with_other_sides_stops_at_their_part(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), step("2", SOUTH), step("3")))
        before = lesson(rounds)
        story = before.when(until("R"))
        story.then_open("2")
        said = why_stopped(story.title, story.game, NORTH, "R", before.game)
        assert re.findall(r"South|North|\d+", said) == ["2", "2", "South"]

    def test_until_loop_reads_why_play_stopped(self) -> None:
        """Distinguish by the sentence whether play is at the place, past it, or out of the phase."""
        there = lesson(step("1"), step("2")).when(until("2"))
        at, over = stopped(there, place="2"), stopped(there)
        behind = lesson(step("1"), auto("2"), step("3"), step("9")).when(until("2"))
        past = stopped(behind, place="2")
        assert (at, past) == (Naming(2), Naming(2))
        assert over != Naming(2)
        assert len({at, past, over}) == 3


class TestRefusals:
    def test_until_unknown_place_is_refused(self) -> None:
        lesson(step("1"), step("2")).when(until("9")).then_refused("no-such-place", rule="1", until="9")

    def test_until_current_place_is_refused(self) -> None:
        lesson(step("1"), step("2")).when(until("1")).then_refused("already-there", rule="1", until="1")

    def test_two_places_at_once(self) -> None:
        order = Done(seat=NORTH, until="2", rest=True)
        lesson(step("1"), step("2")).when(order).then_refused("two-places-to-stop", rule="1")

    def test_until_with_required_action_in_first_step_is_refused(self) -> None:
        story = lesson(step("1", needs=is_marked("paid")), step("2"))
        story.when(until("2")).then_refused(
            "orders-required",
            rule="1",
            required="the marker paid is off the table",
            orders=("mark", "pay", "roll", "choose"),
        )

    def test_until_without_answer_to_first_step_is_refused(self) -> None:
        story = lesson(step("1", answers=(Answer("yes"), Answer("no"))), step("2"))
        story.when(until("2")).then_refused("answer-missing", rule="1", choices="yes, no")

    def test_until_with_pick_to_make_first_is_refused(self) -> None:
        """Refuse it even if the loop may be ended early: only `done` alone says that."""
        each = Each("1", "hexes", of="hexes", by=NORTH, may_end=True, steps=(step("1a"),))
        story = teach(title_of(each, step("9")), hexes=("0101",))
        story.when(until("9")).then_refused("choose-first", rule="1", why_stopped=stopped(story))
        assert stopped(story).endswith("1 (hexes): 0101, or `done`")
        story.play(done()).then_open("9")

    def test_another_side(self) -> None:
        """Name the side for which play waits, because the order cannot wait."""
        story = lesson(step("1"), step("2"))
        for order, words in ((until("2", SOUTH), "done --until 2"), (rest(SOUTH), "done --rest")):
            story.when(order).then_refused("nothing-to-end-yet", rule="1", step="1", sides="North", words=words)

    def test_another_side_that_names_the_step(self) -> None:
        order = until("2", SOUTH, step="1")
        lesson(step("1"), step("2")).when(order).then_refused("step-of-another-side", rule="1", sides="North")

    def test_referee_has_no_steps_to_end(self) -> None:
        lesson(step("1"), step("2")).when(until("2", "referee")).then_refused("referee-has-no-side", rule="1")

    def test_until_heading_around_the_step_is_refused(self) -> None:
        """`done --rest` ends it."""
        lesson(heading("1", step("1a"), step("1b"))).when(until("1")).then_refused(
            "already-there", rule="1a", until="1"
        )

    def test_until_unreachable_step_is_refused(self) -> None:
        rounds = Rounds("R", "rounds", steps=(step("1"), auto("2")), until=is_marked("x"))
        story = lesson(rounds, step("9"))
        story.when(until("9")).then_refused("too-many-steps", rule="1", limit=500)


def one_by_one(side: str, told: list[AnyEvent], why: str) -> list[Order]:
    """Return the single orders with the same effect."""
    orders: list[Order] = []
    for event in told:
        if isinstance(event, StepClosed | SideDone) and event.why == why:
            orders.append(Done(seat=side, step=event.step))
        elif isinstance(event, StepClosed) and event.why == ONLY_ONE:
            orders.append(Pick(seat=event.side or side, member=event.item))
    return orders


def without_why(events: list[AnyEvent]) -> list[AnyEvent]:
    return [replace(event, why="") if isinstance(event, StepClosed | SideDone) else event for event in events]


class TestAnySequence:
    @QUICK
    @given(titles(), CHOICES, st.integers(0, 99))
    def test_until_equals_single_orders(self, title: Title, choices: list[int], at: int) -> None:
        places = list(title.plan.places)
        with no_fault_unfound(title):
            for story, _ in walk(title, choices):
                side, place = story.game.cursor.waiting()[0], places[at % len(places)]
                order = Done(seat=side, until=place) if at % 3 else Done(seat=side, rest=True)
                try:
                    many = decide(title, story.game, Sent(order=order), NO_HISTORY)
                except RuleViolation:
                    continue
                told = [event for event in events_of(many.told) if not isinstance(event, SideLeaves)]
                game, single = story.game, list[AnyEvent]()
                for one in one_by_one(side, told, f"done --until {place}" if at % 3 else "done --rest"):
                    decision = decide(title, game, Sent(order=one), NO_HISTORY)
                    game, single = decision.game, [*single, *events_of(decision.told)]
                assert without_why(single) == without_why(told)
                assert standing(game) == standing(many.game)
                assert many.game.ended or why_stopped(title, many.game, side, order.until)
