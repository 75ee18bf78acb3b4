"""Test triggers during the procedure of another trigger: each suspends play, and then restores it.

The alarm (smoke) calls P, which clears the smoke; then North and South act. The flood (water) calls Q in the same way.
"""

import re

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
    sets_marker,
    step,
)
from tests.face.domain import (
    BACK,
    END,
    AccountChanged,
    AnyEvent,
    Condition,
    Cursor,
    DeclarationError,
    Dice,
    DiceRolled,
    Game,
    GameEnded,
    Go,
    Heading,
    Instant,
    LoopClosed,
    LoopOpened,
    Mark,
    MarkerSet,
    Order,
    PassBegun,
    PlayJumped,
    RestrictedEvent,
    Result,
    Rounds,
    Sent,
    Step,
    UnitMoved,
    UnitRemoved,
    decide,
    does,
    inside,
    suspended,
    too_far,
)
from tests.face.testing import NO_HISTORY, Story, with_ledger_dice

CLEARS = {"P1": sets_marker("smoke", None), "Q1": sets_marker("water", None)}


def alarm(to: str = "P", *during: str) -> Instant:
    return Instant(name="alarm", when=is_marked("smoke"), to=to, during=during)


def flood(to: str = "Q", *during: str) -> Instant:
    return Instant(name="flood", when=is_marked("water"), to=to, during=during)


def procedure(name: str, *steps: Step) -> Heading:
    return heading(name, auto(f"{name}1"), *(steps or (step(f"{name}2"), step(f"{name}3", SOUTH))))


def watched(
    *instants: Instant, p: Heading | None = None, q: Heading | None = None, places: tuple[Step, ...] = ()
) -> Story:
    """Return steps A and B, with the alarm and the flood as triggers anywhere, unless given otherwise."""
    main = places or (step("A"), step("B"))
    procedures = (p or procedure("P"), q or procedure("Q"))
    return lesson(*main, procedures=procedures, instants=instants or (alarm(), flood()), acts=CLEARS)


def frames(cursor: Cursor) -> list[str]:
    return [frame.of for frame in cursor.frames]


class TestTriggerInTrigger:
    def test_second_trigger_suspends_and_restores_the_procedure(self) -> None:
        story = watched().play(mark("smoke")).then_open("P2")
        before = story.game.cursor
        story.when(mark("water")).then(LoopOpened, loop="Q", kind="instant", name="flood")
        assert frames(story.then_open("Q2").game.cursor) == ["", "P", "Q"]
        story.play(done()).when(done(by=SOUTH)).then(LoopClosed, loop="Q")
        assert story.game.cursor == before

    def test_and_the_first_gives_back_what_it_found(self) -> None:
        story = watched()
        before = story.game.cursor
        story.play(mark("smoke"), mark("water"), done(), done(by=SOUTH), done(), done(by=SOUTH)).then_open("A")
        assert story.game.cursor == before

    def test_sides_that_were_done_stay_done_at_every_level(self) -> None:
        both = procedure("P", step("P2", (NORTH, SOUTH)))
        story = watched(p=both).play(mark("smoke"), done(by=SOUTH), mark("water"), done(), done(by=SOUTH))
        assert story.then_open("P2").game.cursor.waiting() == (NORTH,)

    def test_third_trigger_suspends_the_second_procedure(self) -> None:
        plague = Instant(name="plague", when=is_marked("plague"), to="S")
        procedures = (procedure("P"), procedure("Q"), heading("S", auto("S1"), step("S2")))
        acts = {**CLEARS, "S1": sets_marker("plague", None)}
        story = lesson(step("A"), procedures=procedures, instants=(alarm(), flood(), plague), acts=acts)
        story.play(mark("smoke"), mark("water"), mark("plague")).then_open("S2")
        assert frames(story.game.cursor) == ["", "P", "Q", "S"]
        story.play(done()).then_open("Q2").play(done(), done(by=SOUTH)).then_open("P2")

    def test_trigger_limited_to_main_place_waits_for_it(self) -> None:
        story = watched(alarm(), flood("Q", "A")).play(mark("smoke"), mark("water")).then_open("P2")
        story.play(done()).when(done(by=SOUTH)).then(LoopOpened, loop="Q")
        story.then_open("Q2")

    def test_trigger_limited_to_procedure_waits_for_it(self) -> None:
        story = watched(alarm(), flood("Q", "P")).play(mark("water")).then_open("A")
        story.play(mark("smoke")).then_open("Q2")
        assert frames(story.game.cursor) == ["", "P", "Q"]


class TestTriggerInProgress:
    def test_trigger_in_progress_is_not_checked_again(self) -> None:
        story = watched().play(mark("smoke"), mark("smoke")).then_open("P2")
        assert frames(story.game.cursor) == ["", "P"]

    def test_not_in_the_procedure_that_broke_into_its_own_either(self) -> None:
        story = watched().play(mark("smoke"), mark("water"), mark("smoke")).then_open("Q2")
        assert frames(story.game.cursor) == ["", "P", "Q"]

    def test_trigger_is_checked_again_after_its_procedure(self) -> None:
        story = watched().play(mark("smoke"), mark("smoke"), done())
        story.when(done(by=SOUTH)).then(LoopOpened, loop="P")
        assert opened(story) == ["A", "P1", "P2", "P3", "P1", "P2"]

    def test_triggers_with_one_procedure_run_one_after_the_other(self) -> None:
        both = (alarm("P"), flood("P"))
        acts = {"P1": lambda game: sets_marker("smoke" if game.markers.get("smoke") else "water", None)(game)}
        story = lesson(step("A"), procedures=(heading("P", auto("P1"), step("P2")),), instants=both, acts=acts)
        story.play(mark("smoke"), mark("water")).then_open("P2")
        story.when(done()).then(LoopOpened, loop="P", name="flood")
        assert frames(story.then_open("P2").game.cursor) == ["", "P"]
        story.play(done()).then_open("A")

    def test_of_two_that_have_come_the_first_in_the_list_goes_first(self) -> None:
        acts = {**CLEARS, "A0": lambda game: [*sets_marker("smoke")(game), *sets_marker("water")(game)]}
        procedures = (procedure("P"), procedure("Q"))
        places = (step("0"), auto("A0"), step("A"))
        both = lesson(*places, procedures=procedures, instants=(flood(), alarm()), acts=acts)
        both.play(done()).then_open("P2")
        assert frames(both.game.cursor) == ["", "Q", "P"]
        assert opened(both) == ["0", "A0", "Q1", "P1", "P2"]

    def test_triggers_that_call_each_other_forever_are_a_fault(self) -> None:
        acts = {"P1": sets_marker("water"), "Q1": sets_marker("water", None)}
        procedures = (heading("P", auto("P1")), heading("Q", auto("Q1")))
        story = lesson(step("A"), procedures=procedures, instants=(alarm(), flood()), acts=acts)
        with pytest.raises(DeclarationError) as fault:
            story.when(mark("smoke"))
        assert fault.value.code == "endless-circle"


class TestTriggerAfterClosedStep:
    def leading(self, *ways: Go) -> Story:
        """Return a game in which P2 sets the marker `water` when it closes, and the flood is triggered there."""
        p = procedure("P", step("P2"), auto("P3", then=ways), step("P4", SOUTH))
        acts = {**CLEARS, "P3": sets_marker("water")}
        places = (step("A"), step("B"))
        procedures = (p, procedure("Q"), heading("S", step("S1")))
        story = lesson(*places, procedures=procedures, instants=(alarm(), flood("Q", "P3")), acts=acts)
        return story.play(mark("smoke"), done()).then_open("Q2").play(done())

    def test_second_trigger_continues_from_the_closed_step(self) -> None:
        self.leading().play(done(by=SOUTH)).then_open("P4").play(done(by=SOUTH)).then_open("A")

    def test_back_from_the_first_too(self) -> None:
        self.leading(Go(BACK)).play(done(by=SOUTH)).then_open("A")

    def test_so_does_a_call(self) -> None:
        story = self.leading(Go("S")).play(done(by=SOUTH)).then_open("S1")
        assert frames(story.game.cursor) == ["", "P", "S"]
        story.play(done()).then_open("P4")

    def test_and_a_jump(self) -> None:
        story = self.leading(Go("B"))
        story.when(done(by=SOUTH)).then(PlayJumped, to="B", frames=1, broke_off=("A",))
        story.then_open("B")

    def test_second_trigger_at_last_step_continues_from_it(self) -> None:
        p = procedure("P", step("P2"), auto("P3"))
        acts = {**CLEARS, "P3": sets_marker("water")}
        story = lesson(step("A"), procedures=(p, procedure("Q")), instants=(alarm(), flood("Q", "P3")), acts=acts)
        story.play(mark("smoke"), done()).then_open("Q2")
        assert frames(story.game.cursor) == ["", "P", "Q"]
        story.play(done(), done(by=SOUTH)).then_open("A")


class TestWaysOutOfSecondTrigger:
    def nested(self, way: str, **more: Step) -> Story:
        """Return a game in the flood's procedure, inside the alarm's; Q2 leads to `way`."""
        q = procedure("Q", step("Q2", then=(Go(way),)))
        return watched(q=q, **more).play(mark("smoke"), mark("water")).then_open("Q2")  # type: ignore[arg-type]

    def test_back_gives_the_first_back(self) -> None:
        story = self.nested(BACK).play(done()).then_open("P2")
        assert frames(story.game.cursor) == ["", "P"]

    def test_jump_into_first_procedure_breaks_off_its_open_steps(self) -> None:
        story = self.nested("P3")
        story.when(done()).then(PlayJumped, to="P3", frames=2, broke_off=("P2",))
        story.then_open("P3").play(done(by=SOUTH)).then_open("A")

    def test_jump_to_main_line_breaks_off_both_procedures(self) -> None:
        story = self.nested("B")
        story.when(done()).then(PlayJumped, to="B", frames=1, broke_off=("A", "P2"))
        assert frames(story.then_open("B").game.cursor) == [""]

    def test_way_to_end_ends_the_game(self) -> None:
        self.nested(END).when(done()).then(GameEnded)

    def test_trigger_that_jumps_breaks_off_both_procedures(self) -> None:
        night = Instant(name="nightfall", when=is_marked("dark"), to="B", during=("Q",))
        story = watched(alarm(), flood(), night).play(mark("smoke"), mark("water"))
        story.when(mark("dark")).then(PlayJumped, to="B", broke_off=("Q2", "A", "P2"))
        story.then_open("B")

    def test_trigger_to_next_pass_breaks_off_both_procedures(self) -> None:
        over = Instant(name="the round is over", when=is_marked("over"), to="R", during=("Q",))
        rounds = Rounds("R", "rounds", steps=(auto("R1"), step("A"), step("B")))
        acts = {**CLEARS, "R1": sets_marker("over", None)}
        procedures = (procedure("P"), procedure("Q"))
        story = lesson(rounds, procedures=procedures, instants=(alarm(), flood(), over), acts=acts)
        story.play(mark("smoke"), mark("water"))
        story.when(mark("over")).then(PlayJumped, to="R", broke_off=("Q2", "A", "P2"))
        story.then(PassBegun, loop="R", nth=2)
        assert frames(story.then_open("A").game.cursor) == ["", "R"]


class TestSuspendedProcedure:
    def asking(self, condition: Condition) -> Story:
        """Return a game in which Q2 depends on a condition, in the flood that interrupts the alarm in A."""
        q = procedure("Q", step("Q2", when=condition), step("Q3"))
        return watched(q=q).play(mark("smoke"), mark("water"))

    def test_suspended_sees_what_the_innermost_instant_broke_into(self) -> None:
        self.asking(suspended("P2")).then_open("Q2")
        self.asking(suspended("P")).then_open("Q2")

    def test_and_not_what_the_first_broke_into(self) -> None:
        story = self.asking(suspended("A")).then_open("Q3")
        assert passed(story) == ["Q2"]

    def test_which_the_first_sees_again_when_it_is_given_back(self) -> None:
        p = procedure("P", step("P2"), step("P3", when=suspended("A")), step("P4"))
        story = watched(p=p).play(mark("smoke"), mark("water"), done(), done(by=SOUTH))
        story.play(done()).then_open("P3")

    def test_inside_is_true_only_of_the_innermost_procedure(self) -> None:
        self.asking(inside("Q")).then_open("Q2")
        self.asking(inside("P")).then_open("Q3")

    def test_suspended_procedure_may_be_called_again(self) -> None:
        """Play a battle inside a battle: each has its own frame and its own answers."""
        q = procedure("Q", step("Q2", then=(Go("S"),)), step("Q3"))
        fight = heading("S", step("S1"), step("S2", SOUTH))
        procedures = (procedure("P"), q, fight)
        story = lesson(step("A", then=(Go("S"),)), step("B"), procedures=procedures, instants=(flood(),), acts=CLEARS)  # type: ignore[arg-type]
        story.play(done(), mark("water")).then_open("Q2")
        story.when(done()).then(LoopOpened, loop="S", kind="call", back="Q2")
        assert frames(story.then_open("S1").game.cursor) == ["", "S", "Q", "S"]
        story.play(done(), done(by=SOUTH)).then_open("Q3").play(done()).then_open("S1")
        assert frames(story.game.cursor) == ["", "S"]

    def test_procedure_in_progress_begins_again(self) -> None:
        """Jump to its beginning, because a procedure that is not suspended is not called again from inside."""
        fight = heading("S", step("S1"), step("S2", then=(Go("S", when=is_marked("again")),)))
        story = lesson(step("A", then=(Go("S"),)), step("B"), procedures=(fight,)).play(done(), done(), mark("again"))
        story.when(done()).then(PlayJumped, to="S", frames=2)
        assert frames(story.then_open("S1").game.cursor) == ["", "S"]


class TestRefusals:
    def test_order_past_a_third_trigger_is_refused(self) -> None:
        plague = Instant(name="plague", when=is_marked("plague"), to=END, during=("Q",), rules=("9.9",))
        both = does(Mark, lambda game, order, dice: [*sets_marker(order.marker)(game), *sets_marker("more")(game)])
        q = procedure("Q", step("Q2", allows=(Mark,)))
        acts = {**CLEARS, "A0": lambda game: [*sets_marker("smoke")(game), *sets_marker("water")(game)]}
        instants = (alarm(), flood(), plague)
        story = lesson(
            auto("A0"), step("A"), procedures=(procedure("P"), q), instants=instants, acts=acts, orders=(both,)
        )
        story.then_open("Q2").when(mark("plague")).then_refused(
            "runs-past-an-interruption", rule="9.9", instant="plague", last_event="plague at True"
        )


class Attack(Order, frozen=True, kw_only=True, tag="attack"):
    """Roll dice and count their results; `first` is marked before the roll."""

    first: str = ""


def decide_attack(game: Game, order: Attack, dice: Dice) -> list[Result]:
    before = sets_marker(order.first)(game) if order.first else []
    roll = dice.roll("1d6", purpose="attack")
    return [*before, roll, *(sets_marker("smoke")(game) if roll.total > 3 else []), *sets_marker("loss")(game)]


def attacked(to: str) -> Story:
    orders = (does(Attack, decide_attack),)
    places = (step("A", allows=(Attack,)), step("B"))
    return lesson(*places, procedures=(procedure("P"),), instants=(alarm(to),), acts=CLEARS, orders=orders)


class TestAfterRoll:
    """Triggers after a roll, whose results are one moment."""

    @pytest.mark.parametrize("pips", [3, 4])
    def test_winning_attack_is_recorded_whole_and_ends_the_game(self, pips: int) -> None:
        story = attacked(END)
        story.when(Attack(seat="north"), pips=(pips,)).then(MarkerSet, marker="loss")
        assert bool(story.game.ended) == (pips == 4)

    def test_procedure_begins_after_the_last_result(self) -> None:
        story = attacked("P")
        story.when(Attack(seat="north"), pips=(6,)).then(LoopOpened, loop="P", kind="instant")
        assert [type(event) for event in story.events[:4]] == [DiceRolled, MarkerSet, MarkerSet, LoopOpened]
        story.then_open("P2").play(done(), done(by=SOUTH)).then_open("A")

    def test_ledger_dice_lose_no_winning_attack(self) -> None:
        won = 0
        for seed in range(20):
            story = attacked(END)
            game = with_ledger_dice(story.game, f"{seed:064x}")
            decision = decide(story.title, game, Sent(order=Attack(seat="north")), NO_HISTORY)
            assert decision.failure is None
            assert decision.game.markers["loss"]
            won += bool(decision.game.ended)
        assert 0 < won < 20

    def test_instant_before_the_roll_is_too_far(self) -> None:
        attacked("P").when(Attack(seat="north", first="smoke"), pips=(1,)).then_refused(
            "runs-past-an-interruption", rule="alarm"
        )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (UnitMoved(unit="argo", path=("sea", "reef")), "argo at reef"),
        (AccountChanged(account="EP", amount=2, before=1, after=3), "EP at 3"),
        (MarkerSet(marker="smoke", before=None, after=True), "smoke at True"),
        (UnitRemoved(unit="argo", fate="lost", at="reef"), "`unit.removed`"),
    ],
)
def test_refusal_past_a_trigger_names_the_last_possible_event(event: AnyEvent, words: str) -> None:
    instant = Instant(name="fire", when=is_marked("smoke"), to="P", rules=("9.9",))
    for told in (event, RestrictedEvent(event, ("north",))):
        refusal = too_far(Game(), instant, [told])
        assert refusal.remedy.endswith(f" {words}")
        assert (refusal.code, refusal.rule) == ("runs-past-an-interruption", "9.9")
        assert re.findall("«(.+?)»|(1)", refusal.what) == [("fire", ""), ("", "1")]
