"""Test automatic moves with the next order: the only member is picked, a step without possible orders is closed."""

import re

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    TABLE_ORDERS,
    auto,
    done,
    excuse,
    is_marked,
    lesson,
    mark,
    pick,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    ONLY_ONE,
    Answer,
    Dice,
    DiceRolled,
    Done,
    Each,
    Game,
    Instant,
    Mark,
    MarkerSet,
    Result,
    Roll,
    Rounds,
    RuleViolation,
    SealChoice,
    SideDone,
    Step,
    StepClosed,
    StepOpened,
    Together,
    Undo,
    ahead_of,
    does,
    suggestions,
)
from tests.face.projections import Allowed, turn_view


def hexes(*steps: Step, **more: object) -> Each:
    """Return a loop of North; by default North and South act in each hex."""
    return Each("3", "hexes", of="hexes", by=NORTH, steps=steps or (step("3a"), step("3b", SOUTH)), **more)  # type: ignore[arg-type]


def idle(place: str, by: str | tuple[str, ...] = NORTH, **more: object) -> Step:
    """Return a step that waits for a side without anything to do there."""
    return step(place, by, allows=(), **more)


def pays(game: Game, order: Mark, dice: Dice) -> list[Result]:
    """Accept one marker only."""
    if order.marker != "paid":
        raise RuleViolation("that is not paid", where=game.where, rule="1", remedy="mark paid")
    return [MarkerSet(marker="paid", before=None, after=True)]


class TestOnlyMember:
    def test_is_picked_with_the_next_order(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101",)).when(mark("x"))
        story.then(StepClosed, step="3", item="0101", side=NORTH, why=ONLY_ONE)
        story.then(MarkerSet, marker="x")
        story.then_open("3a")

    def test_only_member_is_picked_before_south_acts(self) -> None:
        """Pick the only member without North, because there is no decision; the first side to act here is South."""
        story = teach(title_of(hexes(step("3a", SOUTH))), hexes=("0101",)).when(mark("x", by=SOUTH))
        story.then(StepClosed, item="0101", side=NORTH)

    def test_and_with_it_is_undone_as_one(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101",)).play(mark("x"), Undo(seat=NORTH))
        story.then_open("3")

    def test_may_be_picked_as_ever(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101",)).when(pick("0101"))
        story.then(StepClosed, item="0101", why="")
        story.then_open("3a")

    def test_of_two_loops_one_in_the_other(self) -> None:
        """Pick the outer loop's only member with the order that picks for the inner loop."""
        inner = Each("4", "ships", of="ships", by=NORTH, steps=(step("4a"),))
        title = title_of(Each("3", "hexes", of="hexes", by=NORTH, steps=(inner,)))
        story = teach(title, hexes=("0101",), ships=("M1", "M2")).when(pick("M2"))
        story.then(StepClosed, step="3", item="0101", why=ONLY_ONE)
        story.then(StepClosed, step="4", item="M2", why="")

    def test_is_left_alone_where_several_are_free(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101", "0202")).when(mark("x"))
        story.then_refused("not-allowed-now", rule="3", orders=("pick",))

    def test_only_member_is_not_picked_if_the_loop_may_end(self) -> None:
        story = teach(title_of(hexes(may_end=True)), hexes=("0101",)).when(mark("x"))
        story.then_refused("not-allowed-now", rule="3", orders=("pick", "done"))

    def test_only_member_for_several_pickers_has_no_side(self) -> None:
        loop = Each("3", "hexes", of="hexes", by=BOTH, steps=(step("3a"),))
        story = teach(title_of(loop), hexes=("0101",)).when(mark("x"))
        story.then(StepClosed, item="0101", side="")

    def test_takes_the_dice_of_the_order(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101",))
        story.when(Roll(seat=NORTH, purpose="fire", dice="2d6"), pips=(3, 4)).then(DiceRolled, pips=(3, 4), step="3a")


class TestIdleStep:
    def test_is_left_with_the_next_order_and_its_reason(self) -> None:
        story = lesson(idle("1"), step("2")).when(mark("x"))
        story.then(StepClosed, step="1", side=NORTH, how="idle")
        story.then(MarkerSet, marker="x")

    def test_idle_step_of_both_sides_records_each_part(self) -> None:
        story = lesson(idle("1", BOTH), step("2")).when(mark("x"))
        story.then(SideDone, step="1", side=NORTH, how="idle")
        story.then(StepClosed, step="1", side=SOUTH, how="idle")

    def test_where_something_was_done_it_is_not_declined(self) -> None:
        """Close the step as done, because it opened with an automatic act."""
        acts = {"1": sets_marker("begun")}
        story = teach(title_of(idle("1"), step("2"), acts=acts)).play(Done(seat=NORTH, step="1"))
        assert not story.then(StepClosed, step="1").why
        story = teach(title_of(idle("1"), step("2"), acts=acts)).when(mark("x"))
        story.then(StepClosed, step="1", how="done")

    def test_asides_of_the_title_do_not_keep_it_open(self) -> None:
        title = title_of(step("1", allows=(Mark, Roll)), step("2", SOUTH, allows=TABLE_ORDERS), asides=(Mark, Roll))
        teach(title).when(Mark(seat=NORTH, marker="agreed", to=1)).then_open("1")
        teach(title).when(done(by=SOUTH)).then(StepClosed, step="1", side=NORTH)

    def test_idle_step_with_impossible_order_is_closed(self) -> None:
        lines = (does(Mark, offered=lambda game, side: bool(game.markers.get("paid"))),)
        title = title_of(step("1", allows=(Mark,)), step("2", allows=(Roll,)), orders=lines)
        roll = Roll(seat=NORTH, purpose="fire", dice="1d6")
        teach(title).when(roll, pips=(1,)).then(StepClosed, step="1")
        teach(title, paid=True).when(roll, pips=(1,)).then_refused(
            "not-allowed-now", rule="1", order="roll", orders=("mark", "done")
        )

    def test_for_others_the_title_must_say_that_they_can_do_nothing(self) -> None:
        """Close another side's step only if the title declares it idle, and a side's own after refused suggestions."""
        lines = (does(Mark, decide=pays, tries=lambda game, side: (mark("unpaid", by=side),)),)
        title = title_of(step("1", SOUTH, allows=(Mark,)), step("2", BOTH, allows=(Roll,)), orders=lines)
        rolls = {side: Roll(seat=side, purpose="fire", dice="1d6") for side in BOTH}
        teach(title).when(rolls[NORTH], pips=(1,)).then_refused("wait-for-side", rule="1", order="roll")
        teach(title).when(rolls[SOUTH], pips=(1,)).then(StepClosed, step="1", side=SOUTH)

    def test_step_waits_for_one_of_several_sides_that_can_act(self) -> None:
        story = lesson(idle("1", also=SOUTH), step("2")).when(mark("x"))
        story.then(StepClosed, step="1")
        story = lesson(step("1", also=SOUTH, allows=(Mark,)), step("2", allows=(Roll,)))
        story.when(Roll(seat=NORTH, purpose="x", dice="1d6"), pips=(1,)).then_refused("not-allowed-now", rule="1")

    def test_step_with_required_action_waits(self) -> None:
        story = lesson(idle("1", needs=is_marked("paid")), step("2")).when(mark("x"))
        story.then_refused("not-waited-for", rule="1", order="mark")

    def test_waits_for_an_answer(self) -> None:
        story = lesson(idle("1", answers=(Answer("yes"),)), step("2")).when(mark("x"))
        story.then_refused("not-allowed-now", rule="1", order="mark")

    def test_secret_step_waits(self) -> None:
        lesson(idle("1", secret=True), step("2")).when(mark("x")).then_refused(
            "not-allowed-now", rule="1", order="mark"
        )

    def test_idle_step_waits_for_another_open_step(self) -> None:
        """Wait, because the order in which the steps close may decide where play leads."""
        story = lesson(Together("T", "both", steps=(idle("1"), idle("2"))), step("3")).when(mark("x"))
        story.then_refused("not-allowed-now", rule="1", order="mark")

    def test_is_left_by_done_as_ever(self) -> None:
        lesson(idle("1"), step("2")).when(done()).then_open("2").then(StepClosed, step="1", why="")

    def test_idle_step_closes_until_a_trigger_moves_play(self) -> None:
        instant = Instant(name="alarm", when=is_marked("alarm") & ~is_marked("heard"), to="9")
        acts = {"9": sets_marker("heard")}
        title = title_of(idle("1", BOTH), step("2"), step("9"), instants=(instant,), acts=acts)
        story = teach(title)
        story.given(MarkerSet(marker="alarm", before=None, after=True)).when(mark("x")).then_open("9")
        assert [event.side for event in story.events if isinstance(event, SideDone)] == [NORTH]


class TestSecrets:
    def test_idle_step_of_side_with_sealed_choice_waits(self) -> None:
        """Wait for South's own order: an automatic end would reveal that its sealed choice allows no act."""
        title = title_of(step("0", BOTH, allows=(SealChoice,)), idle("1", SOUTH), step("2", BOTH))
        sealed = SealChoice(seat=SOUTH, question="where", choice="left")
        story = teach(title).play(sealed, done(by=NORTH), done(by=SOUTH))
        story.when(mark("x")).then_refused("wait-for-side", rule="1", order="mark", sides="South")
        story.when(mark("x", by=SOUTH)).then(StepClosed, step="1", side=SOUTH)

    def test_and_picks_only_so(self) -> None:
        title = title_of(step("0", allows=(SealChoice,)), hexes(step("3a", BOTH)))
        sealed = SealChoice(seat=NORTH, question="where", choice="left")
        story = teach(title, hexes=("0101",)).play(sealed, done())
        story.when(mark("x", by=SOUTH)).then_refused("wait-for-side", rule="3", order="mark", sides="North")
        story.when(mark("x")).then(StepClosed, item="0101")


class TestRefusals:
    def test_order_impossible_ahead_is_refused_at_the_current_step(self) -> None:
        title = title_of(hexes(step("3a", allows=(Mark,))))
        story = teach(title, hexes=("0101",)).when(Roll(seat=NORTH, purpose="x", dice="1d6"), pips=(1,))
        story.then_refused("not-allowed-now", rule="3", order="roll", orders=("pick",))
        assert story.refusal is not None
        assert story.refusal.where == story.game.where

    def test_where_another_side_may_it_says_who(self) -> None:
        story = teach(title_of(hexes(step("3a", SOUTH))), hexes=("0101",)).when(mark("x"))
        story.then_refused("step-of-another-side", rule="3a", seat="north", step="3a", sides="South")

    def test_where_its_side_may_it_says_what_is_wrong_with_it(self) -> None:
        answers = (Answer("yes"), Answer("no"))
        story = teach(title_of(hexes(step("3a", answers=answers))), hexes=("0101",)).when(done("perhaps"))
        story.then_refused("not-an-answer", rule="3a", answer="perhaps", choices="yes, no")

    def test_done_alone_of_who_picks_is_about_the_pick(self) -> None:
        """Require a pick first, because `done` alone may mean that no pick is wanted; `step` names the inner step."""
        story = teach(title_of(hexes()), hexes=("0101",)).when(done())
        story.then_refused("pick-first", rule="3", members=("0101",))
        story.when(done(step="3a")).then(StepClosed, step="3a", side=NORTH)

    def test_pick_of_other_member_is_refused_by_its_loop(self) -> None:
        story = teach(title_of(hexes()), hexes=("0101",)).when(pick("0909"))
        story.then_refused("no-such-member", rule="3", member="0909", free=("0101",))

    def test_in_a_circle_of_such_steps(self) -> None:
        rounds = Rounds("R", "rounds", steps=(idle("1"), auto("2")), until=is_marked("over"))
        lesson(rounds, step("9")).when(mark("x")).then_refused("not-allowed-now", rule="1", order="mark")

    def test_order_is_refused_at_a_step_whose_end_ends_the_game(self) -> None:
        aside = step("A", SOUTH, allows=(Mark,))
        lines = (does(Mark, decide=pays),)
        story = teach(title_of(idle("1"), anytime=(aside,), orders=lines))
        story.when(mark("unpaid", by=SOUTH)).then_refused(rule="1", says="that is not paid", do="mark paid")
        assert ahead_of(story.title, story.game) is None

    def test_excuse_of_a_step_ahead_is_refused(self) -> None:
        lesson(idle("1"), step("2")).when(excuse("2")).then_refused("excused-step-missing", rule="1", steps="1")


class TestTurnView:
    def test_turn_view_lists_automatic_moves_and_orders_after_them(self) -> None:
        story = teach(title_of(idle("1"), hexes(step("3a", answers=(Answer("yes"),)))), hexes=("0101",))
        view = turn_view(story.title, story.game, NORTH, 1)
        left, picked = view.by_itself
        assert left.startswith("step 1 ")
        assert re.findall(rf"0101|3 \(hexes\)|{ONLY_ONE}", picked) == ["0101", "3 (hexes)", ONLY_ONE]
        assert Allowed(step="3a", side=NORTH, orders=("mark", "pay", "roll", "choose", "done")) in view.allowed
        assert [one.step for one in view.answers] == ["3a"]
        assert "mark" in view.orders

    def test_turn_view_offers_the_pick_after_an_idle_step(self) -> None:
        story = teach(title_of(idle("1"), hexes()), hexes=("0101", "0202"))
        view = turn_view(story.title, story.game, NORTH, 1)
        assert view.pick is not None
        assert view.pick.members == ("0101", "0202")

    def test_turn_view_of_waiting_step_has_no_automatic_moves(self) -> None:
        story = lesson(step("1"), step("2"))
        assert turn_view(story.title, story.game, NORTH, 1).by_itself == ()

    def test_circle_of_idle_steps_has_no_automatic_moves(self) -> None:
        rounds = Rounds("R", "rounds", steps=(idle("1"), auto("2")), until=is_marked("over"))
        story = lesson(rounds)
        assert ahead_of(story.title, story.game) is None

    def test_suggestions_include_orders_after_automatic_moves(self) -> None:
        story = teach(title_of(hexes(step("3a", allows=(Mark,)))), hexes=("0101",))
        assert any(isinstance(one, Mark) for one in suggestions(story.title, story.game))


class TestManySteps:
    def test_done_until_closes_idle_parts_of_the_other_side(self) -> None:
        story = lesson(step("1"), idle("2", BOTH), idle("3", SOUTH), step("4"), step("5"))
        story.when(Done(seat=NORTH, until="5")).then_open("5")
        story.then(StepClosed, step="2", side=SOUTH, how="idle")
        story.then(StepClosed, step="4", side=NORTH, why="done --until 5")

    def test_and_is_taken_back_by_its_seat(self) -> None:
        """Undo the order: South's step was opened and closed automatically, so South has not acted since."""
        story = lesson(step("1"), idle("3", SOUTH), step("5"))
        story.play(Done(seat=NORTH, until="5"), Undo(seat=NORTH)).then_open("1")

    def test_undo_after_another_side_s_step_opened_is_refused(self) -> None:
        story = lesson(step("1"), step("3", SOUTH)).play(done())
        assert story.then(StepOpened, step="3").waits == (SOUTH,)
        story.when(Undo(seat=NORTH)).then_refused("only-the-referee-undoes", rule="undo", first=3)
        assert str(story.refusal.fields["stop"]).endswith("(step 3)")  # type: ignore[union-attr]
