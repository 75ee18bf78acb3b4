"""Steps that are open at any moment, beside everything else."""

from tests.domain.teaching import NORTH, SOUTH, auto, done, is_marked, lesson, mark, step, teach, title_of
from umpire_ledger.domain.flow.sequence_checks.every_check import check
from umpire_ledger.domain.flow.sequence_listing import page_of
from umpire_ledger.domain.game.events import DiceRolled, MarkerSet, StepClosed, StepOpened
from umpire_ledger.domain.game.orders import Mark, Roll
from umpire_ledger.domain.sequence.constructs import END, REFEREE, Each, Go, Instant
from umpire_ledger.projections.tables.turn_view import turn_view
from umpire_ledger.testing.story import Story

CATCH_ALL = step("catch-all", REFEREE, allows=(Roll,))


def ask_a_die(seat: str = REFEREE) -> Roll:
    return Roll(seat=seat, dice="1d6", purpose="does the hedge stop them?")


def two_steps(**more: object) -> Story:
    return lesson(step("A", allows=(Mark,)), step("B", SOUTH, allows=(Mark,)), anytime=(CATCH_ALL,), **more)


class TestAnytime:
    def test_an_order_there_opens_and_closes_the_step_and_play_stands_where_it_stood(self) -> None:
        story = two_steps()
        before = story.game.cursor.open
        story.when(ask_a_die(), pips=(4,))
        kinds = [type(event) for event in story.events]
        assert kinds == [StepOpened, DiceRolled, StepClosed]
        story.then(StepOpened, step="catch-all")
        story.then_open("A")
        assert story.game.cursor.open == before

    def test_it_is_open_in_every_step_and_while_a_loop_waits_for_a_pick(self) -> None:
        loop = Each("L", "hexes", of="hexes", by=NORTH, steps=(step("L.1"),))
        story = teach(title_of(loop, step("Z"), anytime=(CATCH_ALL,)), hexes=("0101", "0202"))
        story.then_open("L").when(ask_a_die(), pips=(2,)).then(DiceRolled, total=2)
        story.then_open("L")

    def test_it_gives_nobody_another_step_to_leave(self) -> None:
        two_steps().play(done()).then_open("B").when(done(by=SOUTH)).then(StepClosed, step="B")

    def test_only_who_holds_its_role_may_give_orders_there(self) -> None:
        two_steps().when(ask_a_die(NORTH)).then_refused(rule="catch-all", says="referee's", do="ask the referee")

    def test_a_side_may_hold_it_too(self) -> None:
        bell = step("bell", SOUTH, allows=(Roll,))
        lesson(step("A"), anytime=(bell,)).when(ask_a_die(SOUTH), pips=(1,)).then(DiceRolled, total=1)

    def test_an_order_that_the_open_step_allows_is_given_there(self) -> None:
        referees = step("catch-all", REFEREE, allows=(Mark,))
        story = lesson(step("A"), anytime=(referees,))
        story.when(mark("flag")).then_not(StepOpened, step="catch-all").then(MarkerSet, marker="flag")
        story.when(mark("flag", False, by=REFEREE)).then(StepOpened, step="catch-all")

    def test_an_instant_is_asked_afterwards(self) -> None:
        referees = step("catch-all", REFEREE, allows=(Mark,))
        fire = Instant(name="fire", when=is_marked("fire"), to=END)
        story = lesson(step("A"), anytime=(referees,), instants=(fire,))
        story.when(mark("fire", by=REFEREE)).then(MarkerSet, marker="fire")
        assert story.game.ended == "fire"

    def test_the_page_says_that_it_goes_back(self) -> None:
        lines = {line["id"]: line for line in page_of(two_steps().title)}
        assert (lines["catch-all"]["by"], lines["catch-all"]["leads_to"]) == ([REFEREE], ["back"])

    def test_the_turn_view_lists_its_orders_for_the_referee(self) -> None:
        story = two_steps()
        view = turn_view(story.title, story.game, REFEREE, story.tip)
        assert [(one.side, one.orders) for one in view.allowed if one.step == "catch-all"] == [(REFEREE, ("roll",))]


class TestItsChecks:
    def test_it_is_sound_although_nothing_leads_to_it(self) -> None:
        assert check(title_of(step("A"), auto("B", then=(Go(END),)), anytime=(CATCH_ALL,))) == ()

    def test_it_cannot_lead_on(self) -> None:
        leading = step("bell", REFEREE, then=(Go("A"),))
        (fault,) = check(title_of(step("A"), auto("B", then=(Go(END),)), anytime=(leading,)))
        assert (fault.place, fault.remedy) == ("bell", "let it only say who may give which orders")

    def test_the_referee_is_waited_for_in_no_other_step(self) -> None:
        faults = check(title_of(step("A", REFEREE), auto("B", then=(Go(END),))))
        assert ("A", "nobody can be referee") in [(fault.place, fault.what) for fault in faults]
