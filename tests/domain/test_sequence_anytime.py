"""Test steps that are open at any moment, next to the rest of the sequence."""

from tests.domain.teaching import NORTH, SOUTH, auto, done, is_marked, lesson, mark, step, teach, title_of
from tests.face.domain import (
    END,
    DiceRolled,
    Each,
    Go,
    Instant,
    Mark,
    MarkerSet,
    Roll,
    StepClosed,
    StepOpened,
    check,
    constructs_REFEREE as REFEREE,
    page_of,
)
from tests.face.projections import turn_view
from tests.face.testing import Story

CATCH_ALL = step("catch-all", REFEREE, allows=(Roll,))


def ask_a_die(seat: str = REFEREE) -> Roll:
    return Roll(seat=seat, dice="1d6", purpose="does the hedge stop them?")


def two_steps(**more: object) -> Story:
    return lesson(step("A", allows=(Mark,)), step("B", SOUTH, allows=(Mark,)), anytime=(CATCH_ALL,), **more)


class TestAnytime:
    def test_anytime_order_opens_and_closes_its_step_only(self) -> None:
        story = two_steps()
        before = story.game.cursor.open
        story.when(ask_a_die(), pips=(4,))
        kinds = [type(event) for event in story.events]
        assert kinds == [StepOpened, DiceRolled, StepClosed]
        story.then(StepOpened, step="catch-all")
        story.then_open("A")
        assert story.game.cursor.open == before

    def test_anytime_step_is_open_in_every_step_and_loop(self) -> None:
        loop = Each("L", "hexes", of="hexes", by=NORTH, steps=(step("L.1"),))
        story = teach(title_of(loop, step("Z"), anytime=(CATCH_ALL,)), hexes=("0101", "0202"))
        story.then_open("L").when(ask_a_die(), pips=(2,)).then(DiceRolled, total=2)
        story.then_open("L")

    def test_anytime_step_adds_no_step_to_end(self) -> None:
        two_steps().play(done()).then_open("B").when(done(by=SOUTH)).then(StepClosed, step="B")

    def test_only_who_holds_its_role_may_give_orders_there(self) -> None:
        two_steps().when(ask_a_die(NORTH)).then_refused("step-of-the-referee", rule="catch-all")

    def test_anytime_step_may_belong_to_a_side(self) -> None:
        bell = step("bell", SOUTH, allows=(Roll,))
        lesson(step("A"), anytime=(bell,)).when(ask_a_die(SOUTH), pips=(1,)).then(DiceRolled, total=1)

    def test_order_allowed_by_open_step_is_given_there(self) -> None:
        referees = step("catch-all", REFEREE, allows=(Mark,))
        story = lesson(step("A"), anytime=(referees,))
        story.when(mark("flag")).then_not(StepOpened, step="catch-all").then(MarkerSet, marker="flag")
        story.when(mark("flag", False, by=REFEREE)).then(StepOpened, step="catch-all")

    def test_trigger_is_checked_after_an_anytime_order(self) -> None:
        referees = step("catch-all", REFEREE, allows=(Mark,))
        fire = Instant(name="fire", when=is_marked("fire"), to=END)
        story = lesson(step("A"), anytime=(referees,), instants=(fire,))
        story.when(mark("fire", by=REFEREE)).then(MarkerSet, marker="fire")
        assert story.game.ended == "fire"

    def test_sequence_page_leads_back_from_an_anytime_step(self) -> None:
        lines = {line["id"]: line for line in page_of(two_steps().title)}
        assert (lines["catch-all"]["by"], lines["catch-all"]["leads_to"]) == ([REFEREE], ["back"])

    def test_turn_view_lists_anytime_orders_for_the_referee(self) -> None:
        story = two_steps()
        view = turn_view(story.title, story.game, REFEREE, story.tip)
        assert [(one.side, one.orders) for one in view.allowed if one.step == "catch-all"] == [(REFEREE, ("roll",))]


class TestChecks:
    def test_unreached_anytime_step_is_valid(self) -> None:
        assert check(title_of(step("A"), auto("B", then=(Go(END),)), anytime=(CATCH_ALL,))) == ()

    def test_anytime_step_with_ways_is_a_fault(self) -> None:
        leading = step("bell", REFEREE, then=(Go("A"),))
        (fault,) = check(title_of(step("A"), auto("B", then=(Go(END),)), anytime=(leading,)))
        assert fault.place == "bell"

    def test_other_step_that_waits_for_the_referee_is_a_fault(self) -> None:
        faults = check(title_of(step("A", REFEREE), auto("B", then=(Go(END),))))
        assert ("A", "referee") in [(fault.place, fault.what.split()[-1]) for fault in faults]
