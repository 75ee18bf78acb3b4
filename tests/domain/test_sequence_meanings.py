"""One small sequence for each sentence of «meanings to pin down» (DESIGN 6)."""

from itertools import pairwise

import pytest

from tests.domain.teaching import (
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
    pick,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    ACTIVE,
    Answer,
    Asks,
    DeclarationError,
    Dice,
    Each,
    Game,
    Go,
    Instant,
    LoopOpened,
    Mark,
    MarkerSet,
    Move,
    PassBegun,
    Place,
    PlayJumped,
    Result,
    Rounds,
    Turns,
    UnitMoved,
    UnitPlaced,
    chose,
    does,
    ever,
    fact,
    nth,
    rule_of,
)


class TestJumpsAndGuards:
    WAR = heading("2", step("2A"), step("2B"), when=is_marked("war"))

    def test_jump_to_inner_step_skips_the_heading_guard(self) -> None:
        lesson(step("1", then=(Go("2B"),)), self.WAR, step("3")).play(done()).then_open("2B")

    def test_jump_to_heading_checks_its_guard(self) -> None:
        story = lesson(step("0", then=(Go("2"),)), step("1"), self.WAR, step("3")).play(done()).then_open("3")
        assert passed(story) == ["2"]

    def test_jump_to_step_checks_its_guard(self) -> None:
        story = lesson(step("1", then=(Go("3"),)), step("2"), step("3", when=is_marked("war")), step("4"))
        story.play(done()).then_open("4")


class TestJumpsInOpenLoops:
    def rounds(self, target: str) -> Rounds:
        first = heading("1", step("1A"), step("1B"))
        return Rounds("R", "rounds", steps=(first, step("2", then=(Go(target, when=is_marked("again")),)), step("3")))

    @pytest.mark.parametrize("target", ["1", "1A", "R"])
    def test_jump_to_start_of_open_rounds_begins_the_next(self, target: str) -> None:
        story = lesson(self.rounds(target)).play(mark("again"), done(), done())
        story.when(done()).then(PassBegun, loop="R", nth=2)
        story.then_open("1A")
        assert len(story.game.cursor.frames) == 2

    def test_jump_to_later_step_stays_in_the_round(self) -> None:
        story = lesson(self.rounds("1B")).play(mark("again"), done(), done())
        story.when(done()).then_not(PassBegun)
        story.then_open("1B")

    def test_jump_to_open_each_begins_its_next_pass(self) -> None:
        """Count the current hex as finished."""
        loop = Each("H", "hexes", of="hexes", by=NORTH, steps=(step("A", then=(Go("H"),)), step("B")))
        story = teach(title_of(loop, step("C")), hexes=("1", "2")).play(pick("1"))
        story.when(done()).then(PassBegun, loop="H", nth=2, finished=("1",))
        story.play(pick("2"), done()).then_open("C")

    def test_jump_to_open_loop_does_not_check_its_end(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("A", then=(Go("R"),)), step("B")), until=is_marked("dusk"))
        story = lesson(loop, step("C")).play(mark("dusk"))
        story.when(done()).then(PassBegun, loop="R", nth=2)

    def test_jump_to_closed_loop_opens_it(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("B"),), until=is_marked("dusk"))
        story = lesson(step("A", then=(Go("R"),)), step("X"), loop)
        story.when(done()).then(LoopOpened, loop="R")

    def test_jump_into_closed_loop_is_a_fault(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("B"), step("C")))
        with pytest.raises(DeclarationError) as fault:
            lesson(step("A", then=(Go("C"),)), loop).when(done())
        assert (fault.value.code, fault.value.rule) == ("loop-not-open", "R")
        assert fault.value.fields == {"origin": "A", "target": "C"}

    def test_jump_to_first_step_in_borrowed_stretch_keeps_the_round(self) -> None:
        """There the rounds are not open: their number stays what it was."""
        loop = Rounds("R", "rounds", steps=(step("A"), step("B", then=(Go("A", when=is_marked("again")),)), step("C")))
        borrow = heading("P", step("P1", runs=("A", "B")))
        alarm = Instant(name="alarm", when=is_marked("smoke"), to="P")
        story = lesson(loop, procedures=(borrow,), instants=(alarm,)).play(mark("smoke"), mark("smoke", None))
        story.then_open("A").play(done(), mark("again"))
        story.when(done()).then_not(PassBegun)
        story.then_open("A")


class TestJumpBack:
    ASK = (Answer("yes"), Answer("no"))

    def test_jump_back_forgets_answers_from_its_target_on(self) -> None:
        first, second = step("A", answers=self.ASK), step("B", answers=self.ASK)
        back = step("C", then=(Go("B", when=is_marked("again")),))
        story = lesson(first, second, back, step("D"))
        story.play(done("yes"), done("yes"), mark("again"))
        story.when(done()).then(PlayJumped, to="B", forgets=("B", "C"))
        assert [one.step for one in story.game.cursor.top.closed] == ["A"]

    def test_kept_answers_stay(self) -> None:
        kept = step("A", answers=self.ASK, keep="R")
        steps = (step("0"), kept, step("B", then=(Go("0B"),)), step("C"))
        loop = Rounds("R", "rounds", steps=(step("0A"), heading("0B", step("0C", when=ever("A", "yes"))), *steps))
        story = lesson(loop).play(done(), done(), done("yes"))
        story.play(done()).then_open("0C")

    def test_asked_again_the_new_answer_counts(self) -> None:
        ask = step("A", answers=self.ASK)
        only = step("B", when=chose("A", "yes"), then=(Go("A"),))
        lesson(ask, only, step("C")).play(done("yes"), done(), done("no")).then_open("C")


class TestWaitingSides:
    def test_role_change_during_a_step_changes_no_waiting_side(self) -> None:
        story = teach(title_of(step("A", "admiral"), step("B")), admiral=(NORTH,))
        story.play(mark("admiral", (SOUTH,)))
        assert story.game.cursor.waiting() == (NORTH,)
        story.when(done(by=SOUTH)).then_refused("step-of-another-side", rule="A", seat="south", sides="North")


class TestOrdersAndTriggers:
    def reef(self, is_aground: Asks) -> Instant:
        when = fact("a ship stands on the reef", is_aground, name="aground")
        return Instant(name="a ship strikes the reef", when=when, to="P", rules=("9.1",))

    def test_order_past_a_trigger_is_refused_whole_with_its_limit(self) -> None:
        def sail(game: object, order: Mark, dice: object) -> list[MarkerSet]:
            names = order.to if isinstance(order.to, tuple) else ()
            return [MarkerSet(marker="at", before=was, after=one) for was, one in pairwise((None, *names))]

        title = title_of(
            step("A", allows=(Mark,)),
            procedures=(heading("P", step("P1")),),
            instants=(self.reef(lambda game, side: game.markers.get("at") == "reef"),),
            orders=(does(Mark, sail),),
        )
        story = teach(title).when(mark("course", ("bay", "reef", "port")))
        story.then_refused("runs-past-an-interruption", rule="9.1", events=2, last_event="at at reef")
        assert "at" not in story.game.markers
        story.play(mark("course", ("bay", "reef"))).then_open("P1")

    def test_refusal_past_a_trigger_names_unit_and_place(self) -> None:
        title = title_of(
            step("A", allows=(Place, Move)),
            procedures=(heading("P", step("P1")),),
            instants=(self.reef(lambda game, side: any(unit.at == "reef" for unit in game.in_play())),),
            orders=(does(Place, lambda game, order, dice: sail_on()),),
        )
        story = teach(title).when(Place(seat=NORTH, unit="argo", side=NORTH, kind="galley", at="bay"))
        story.then_refused(
            "runs-past-an-interruption", rule="9.1", instant="a ship strikes the reef", last_event="argo at reef"
        )

    def test_triggers_are_checked_in_order(self) -> None:
        first = Instant(name="first", when=is_marked("one"), to="P", during=("A",))
        second = Instant(name="second", when=is_marked("two"), to="Q", during=("A",))
        places = (step("A", allows=(Mark,)), step("B"))
        story = lesson(
            *places,
            procedures=(heading("P", step("P1"), auto("P2")), heading("Q", step("Q1"), auto("Q2"))),
            instants=(first, second),
            orders=(does(Mark, one_or_both),),
            acts={
                "P2": lambda game: [*sets_marker("one", None)(game), *sets_marker("two")(game)],
                "Q2": sets_marker("two", None),
            },
        )
        story.play(mark("both", 1)).then_open("P1").play(done()).then_open("Q1").play(done()).then_open("A")

    def test_trigger_procedure_that_clears_no_trigger_is_a_fault(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        story = lesson(step("A"), procedures=(heading("P", auto("P1")),), instants=(alarm,))
        with pytest.raises(DeclarationError) as fault:
            story.when(mark("smoke"))
        assert fault.value.code == "endless-circle"

    def test_while_it_is_dealt_with_an_instant_is_not_asked_again(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        story = lesson(step("A"), procedures=(heading("P", step("P1"), step("P2")),), instants=(alarm,))
        story.play(mark("smoke"), mark("more"), done()).then_open("P2")
        story.play(mark("smoke", None), done()).then_open("A")

    def test_trigger_is_not_checked_in_a_suspended_step(self) -> None:
        first = Instant(name="first", when=is_marked("one"), to="P", during=("A",))
        second = Instant(name="second", when=is_marked("two"), to="Q", during=("A",))
        procedures = (heading("P", step("P1")), heading("Q", step("Q1")))
        story = lesson(step("A"), procedures=procedures, instants=(first, second))
        story.play(mark("one"), mark("two"), mark("one", None)).then_open("P1")
        story.play(done()).then_open("Q1")

    def test_nor_is_a_loop_that_an_instant_suspended(self) -> None:
        first = Instant(name="first", when=is_marked("one"), to="P")
        second = Instant(name="second", when=is_marked("two"), to="Q", during=("R",))
        procedures = (heading("P", step("P1")), heading("Q", step("Q1"), auto("Q2")))
        rounds = Rounds("R", "rounds", steps=(step("A"), step("B")))
        story = lesson(rounds, procedures=procedures, instants=(first, second), acts={"Q2": sets_marker("two", None)})
        story.play(mark("one"), mark("two"), mark("one", None)).then_open("P1")
        story.play(done()).then_open("Q1").play(done()).then_open("A")

    def test_frames_broken_off_are_not_watched(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("R",))
        loop = Rounds("R", "rounds", steps=(step("A", then=(Go("Z"),)), step("B")))
        story = lesson(loop, step("Z"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.play(done(), mark("smoke")).then_open("Z")

    def test_suspended_step_left_by_a_jump_is_broken_off(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        procedure = heading("P", step("P1", then=(Go("B"),)))
        story = lesson(step("A"), step("B"), procedures=(procedure,), instants=(alarm,))
        story.play(mark("smoke"), mark("smoke", None))
        story.when(done()).then(PlayJumped, to="B", frames=1, broke_off=("A",))
        story.then_open("B")


class TestWayOfClosedStep:
    def test_way_is_fixed_before_a_trigger_changes_its_condition(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("B",))
        places = (step("A"), auto("B", then=(Go("D", when=is_marked("short")),)), step("C"), step("D"))
        procedure = heading("P", auto("P1"), step("P2"))
        acts = {"B": sets_marker("smoke"), "P1": sets_marker("smoke", None)}
        story = lesson(*places, procedures=(procedure,), instants=(alarm,), acts=acts)
        story.play(mark("short"), done()).then_open("P2").play(mark("short", None), done()).then_open("D")


class TestNthInBorrowedStretch:
    def test_nth_in_borrowed_stretch_is_that_of_the_loop_around(self) -> None:
        fight = heading("3", step("3A", when=nth(2)), step("3B"))
        loop = Rounds("R", "rounds", steps=(fight, step("4", runs=("3", "3")), step("5")))
        story = lesson(loop).play(done(), done(), done(), done()).then_open("3A")
        assert opened(story) == ["3B", "3B", "4", "5", "3A"]
        story.play(done(), done()).then_open("3A")


class TestActiveSide:
    def test_procedure_called_in_a_pass_keeps_its_active_side(self) -> None:
        loop = Turns("T", "squadrons", of="unused", sides="order", steps=(step("A", ACTIVE, then=(Go("P"),)),))
        title = title_of(loop, procedures=(heading("P", step("P1", ACTIVE)),))
        story = teach(title, order=(SOUTH, NORTH), unused__south=("s1",)).play(pick("s1", by=SOUTH), done(by=SOUTH))
        story.then_open("P1")
        assert story.game.cursor.waiting() == (SOUTH,)


def one_or_both(game: Game, order: Mark, dice: Dice) -> list[Result]:
    both = [*sets_marker("one")(game), *sets_marker("two")(game)]
    return both[: order.to] if isinstance(order.to, int) else both


def sail_on() -> list[Result]:
    placed = UnitPlaced(unit="argo", side=NORTH, kind="galley", at="bay")
    return [placed, UnitMoved(unit="argo", path=("bay", "reef")), UnitMoved(unit="argo", path=("reef", "port"))]


def test_rule_of_unknown_step_is_the_title_alone() -> None:
    """Name only the title: a game of an older declaration may be in a step that has gone."""
    story = lesson(step("A", rules=("7.3",)))
    assert rule_of(story.title, story.game) == f"{story.title.name} A [7.3]"
    assert rule_of(story.title, story.game, "gone") == story.title.name
