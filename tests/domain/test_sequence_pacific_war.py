"""Play a model of Pacific War 5.0: months end inside other steps, suspend an operation and restore it.

A few of the printed steps represent all. Day track: 0 is Month Begin, then 1 to 30. The reading of 5.3 is L2: if units
are deactivated late in a battle cycle, its last two phases are still played.
"""

import pytest

from tests.domain.teaching import NORTH, SOUTH, auto, done, heading, is_marked, mark, opened, step, teach, title_of
from tests.face.domain import (
    BACK,
    EACH,
    END,
    Answer,
    AnyEvent,
    Cursor,
    Dice,
    Game,
    GameEnded,
    Go,
    Instant,
    LoopClosed,
    LoopOpened,
    Mark,
    MarkerSet,
    Order,
    PassBegun,
    PlayJumped,
    Rounds,
    StepClosed,
    Title,
    check,
    does,
    fact,
    fold,
    suspended,
)
from tests.face.testing import Story

FINAL = is_marked("final")


def any_activated(game: Game, side: str) -> bool:
    return any(game.markers.get(f"active/{one}") for one in game.side_ids)


def operation_active(game: Game, side: str) -> bool:
    return bool(game.markers.get(f"active/{NORTH}"))


def last_month(game: Game, side: str) -> bool:
    return game.turn == 3


ACTIVATED = fact("units are activated on a side", any_activated)
OPERATION_ACTIVE = fact("the Operation player has activated units", operation_active)
LAST_MONTH = fact("this is the last month of the scenario", last_month)


class Advance(Order, frozen=True, kw_only=True, tag="advance"):
    """Move the Day marker one day."""

    days: int = 1


def set_marker(game: Game, name: str, after: bool | int | None) -> MarkerSet:
    return MarkerSet(marker=name, before=game.markers.get(name), after=after)


def advance(game: Game, days: int = 1) -> list[AnyEvent]:
    day = game.number("day") + days
    return [
        set_marker(game, "day", day % 31),
        *([set_marker(game, "month_ended", True)] if day > 30 else []),
    ]


def decide_advance(game: Game, order: Advance, dice: Dice) -> list[AnyEvent]:
    """Advance one day at a time, so that the month can end on each of them."""
    told: list[AnyEvent] = []
    for _ in range(order.days):
        told += advance(fold(game, told))
    return told


CYCLE = Rounds(
    "5.2",
    "battle cycle",
    steps=(
        step("5.2.A", EACH),
        step("5.2.E", EACH),
        step("5.2.M", EACH),
        auto("5.2.O", then=(Go("5.3", when=~ACTIVATED),)),
    ),
)
OPERATIONS = Rounds(
    "operations",
    "operations of the month",
    steps=(
        step("5.1.O", answers=(Answer("bid"), Answer("neither", to="5.4"))),
        step("5.1.P", "operation"),
        step("5.1.R", "operation", allows=(Advance, Mark)),
        step("5.1.S", "reaction"),
        CYCLE,
    ),
)
MONTH = heading("5.1", step("5.1.A", EACH), step("5.1.H", EACH), step("5.1.N", EACH))
OPERATION_END = heading("5.3", auto("5.3/damage", then=(Go(END, when=FINAL), Go("5.1.O"))))
MONTH_END = heading(
    "5.4",
    auto("5.4/gameend", then=(Go(END, when=LAST_MONTH),)),
    auto("5.4/restart", counts_turns=True),
    auto(
        "5.4/resume",
        runs=("5.1.A", "5.1.N"),
        then=(
            Go(BACK, when=suspended("5.1.R") & OPERATION_ACTIVE, note="a"),
            Go("5.2.A", when=suspended("5.2.O") & ACTIVATED, note="c"),
            Go("5.1.O", note="b, d, or nobody bid"),
        ),
    ),
)
INSTANTS = (
    Instant(
        name="the month ends",
        when=is_marked("month_ended"),
        during=("5.1.R", "5.2.O"),
        to="5.4",
        rules=("5.4",),
    ),
    Instant(
        name="the operation ends",
        when=~ACTIVATED,
        during=("5.1.R", "5.1.S", "5.2.A", "5.2.E"),
        to="5.3",
        rules=("5.3", "20.5"),
    ),
)


PACIFIC: Title = title_of(
    auto("5.0", counts_turns=True),
    MONTH,
    OPERATIONS,
    procedures=(OPERATION_END, MONTH_END),
    instants=INSTANTS,
    orders=(does(Advance, decide_advance),),
    acts={
        "5.2.O": lambda game: advance(game, 2),
        "5.4/restart": lambda game: [set_marker(game, "month_ended", None)],
    },
)

MONTH_PLAYED = [done(by=side) for _ in range(3) for side in (NORTH, SOUTH)]


def both() -> list[Order]:
    return [done(by=NORTH), done(by=SOUTH)]


@pytest.fixture
def operation() -> Story:
    """Return a game in its first month; North has bid and activated, and is in its contact phase on day 10."""
    story = teach(PACIFIC, day=10, operation=(NORTH,), reaction=(SOUTH,))
    story.play(*MONTH_PLAYED, done("bid"), mark("active/north"), done())
    return story.then_open("5.1.R")


@pytest.fixture
def cycle(operation: Story) -> Story:
    """Return that operation in the second phase of its second battle cycle."""
    operation.play(done(), mark("active/south", by=SOUTH), done(by=SOUTH), *both() * 4)
    return operation.then_open("5.2.E")


def frames_of(cursor: Cursor) -> list[str]:
    return [frame.of for frame in cursor.frames]


class TestDeclaration:
    def test_pacific_sequence_is_valid(self) -> None:
        assert check(PACIFIC) == ()


class TestMonthEndInTheContactPhase:
    def test_month_end_with_active_units_restores_contact_phase(self, operation: Story) -> None:
        before = operation.game.cursor
        operation.when(Advance(seat=NORTH, days=21)).then(LoopOpened, loop="5.4", kind="instant")
        operation.then(LoopOpened, kind="borrow", stretch=("5.1.A", "5.1.N"))
        operation.then_open("5.1.A")
        assert operation.game.turn == 2
        operation.play(*MONTH_PLAYED[:-1]).when(MONTH_PLAYED[-1]).then(StepClosed, step="5.4/resume", to=BACK)
        operation.then_open("5.1.R")
        assert operation.game.cursor == before

    def test_suspended_operation_refuses_an_advance(self, operation: Story) -> None:
        operation.play(Advance(seat=NORTH, days=21))
        operation.when(Advance(seat=NORTH)).then_refused(
            "not-allowed-now",
            rule="5.1.A",
            order="advance",
            says=" 5.1.R",
            orders=("mark", "pay", "roll", "choose", "done"),
        )

    def test_b_without_activated_units_the_operation_is_over(self, operation: Story) -> None:
        """They are lost while the month begins: the instant of 5.3 is not watched in what is suspended."""
        operation.play(Advance(seat=NORTH, days=21), *both(), mark("active/north", None)).then_open("5.1.H")
        operation.play(*both(), done(by=NORTH)).when(done(by=SOUTH)).then(
            PlayJumped, to="5.1.O", frames=2, broke_off=("5.1.R",)
        )
        operation.then(PassBegun, loop="operations", nth=2)
        operation.then_open("5.1.O")
        assert frames_of(operation.game.cursor) == ["", "operations"]

    def test_advance_past_the_month_end_is_refused_with_its_limit(self, operation: Story) -> None:
        operation.when(Advance(seat=NORTH, days=25)).then_refused(
            "runs-past-an-interruption", rule="5.4", instant="the month ends", last_event="month_ended at True"
        )
        assert operation.game.number("day") == 10


class TestMonthEndInTheDayMarkerAdjustment:
    def to_month_end(self, story: Story, day: int = 29) -> Story:
        return story.play(mark("day", day), *both(), *both())

    def test_adjustment_reaches_month_end_before_the_next_cycle(self, cycle: Story) -> None:
        self.to_month_end(cycle).then_open("5.1.A")
        cycle.then(LoopOpened, loop="5.4", kind="instant", back="5.2.O")
        assert opened(cycle)[-4:] == ["5.2.O", "5.4/gameend", "5.4/restart", "5.1.A"]

    def test_adjustment_passes_month_begin_into_day_1(self, cycle: Story) -> None:
        self.to_month_end(cycle, day=30).then_open("5.1.A")
        assert cycle.game.number("day") == 1

    def test_month_end_with_active_units_resumes_cycle_at_its_start(self, cycle: Story) -> None:
        self.to_month_end(cycle).play(*MONTH_PLAYED[:-1])
        cycle.when(MONTH_PLAYED[-1]).then(PassBegun, loop="5.2", nth=3)
        cycle.then_open("5.2.A")
        assert frames_of(cycle.game.cursor) == ["", "operations", "5.2"]

    def test_d_without_activated_units_the_operation_is_over(self, cycle: Story) -> None:
        cycle.play(mark("day", 29), *both(), mark("active/north", None), mark("active/south", None)).then_open("5.2.M")
        cycle.play(*both()).then_open("5.1.A")
        cycle.play(*MONTH_PLAYED).then_open("5.1.O")
        assert frames_of(cycle.game.cursor) == ["", "operations"]
        assert "5.3/damage" not in opened(cycle)

    def test_in_the_middle_of_the_month_the_next_cycle_begins(self, cycle: Story) -> None:
        self.to_month_end(cycle, day=12).then(PassBegun, loop="5.2", nth=3)
        cycle.then_open("5.2.A")


class TestNeitherPlayerBids:
    def test_month_ends_without_bids_and_the_next_begins(self) -> None:
        story = teach(PACIFIC, day=10, operation=(NORTH,), reaction=(SOUTH,)).play(*MONTH_PLAYED)
        story.when(done("neither")).then(LoopOpened, loop="5.4", kind="call", back="5.1.O")
        story.then_open("5.1.A")
        assert story.game.turn == 2
        story.play(*MONTH_PLAYED).then_open("5.1.O")
        assert frames_of(story.game.cursor) == ["", "operations"]


class TestOperationEnd:
    def test_operation_ends_when_no_side_is_activated(self, operation: Story) -> None:
        operation.when(mark("active/north", None)).then(LoopOpened, loop="5.3", name="the operation ends")
        operation.then(PlayJumped, to="5.1.O", broke_off=("5.1.R",))
        operation.then_open("5.1.O")

    def test_operation_continues_while_one_side_is_activated(self, cycle: Story) -> None:
        cycle.play(mark("active/north", None)).then_open("5.2.E")
        cycle.play(mark("active/south", None)).then_open("5.1.O")

    def test_late_in_the_cycle_its_last_phases_are_still_played(self, cycle: Story) -> None:
        cycle.play(*both(), mark("active/north", None), mark("active/south", None)).then_open("5.2.M")
        day = cycle.game.number("day")
        cycle.play(*both()).then_open("5.1.O")
        assert cycle.game.number("day") == day + 2
        assert "5.3/damage" in opened(cycle)

    def test_final_operation_ends_the_game(self, operation: Story) -> None:
        operation.play(mark("final")).when(mark("active/north", None)).then(GameEnded)


class TestEnd:
    def test_end_of_last_month_ends_the_game_first(self, operation: Story) -> None:
        operation.play(Advance(seat=NORTH, days=21), *MONTH_PLAYED, Advance(seat=NORTH, days=31), *MONTH_PLAYED)
        assert operation.game.turn == 3
        operation.when(Advance(seat=NORTH, days=31)).then(GameEnded, why="5.4/gameend step 5.4/gameend")
        operation.then_not(LoopClosed)
