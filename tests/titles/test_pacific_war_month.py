"""Check the end of an operation and a month of Pacific War (5.3, 5.4): suspension, and the step that resumes."""

import pytest

from tests.face.domain import (
    GameEnded,
    LoopOpened,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    bids,
    campaign,
    change,
    cycle,
    flies,
    literal,
    lose_isolated,
    mark,
    opened,
    operation,
    says,
    step_of,
    strategic,
    until,
    until_gone,
)

MARINES = "1st-marine-division"
HELD = "the Allies hold Guadalcanal"
NEW_MONTH = [
    "5.1.B",
    "5.1.G/unused",
    "5.1.G/assigned",
    "5.1.G/allocate",
    "5.1.H",
    "5.1.I",
    "5.1.J/arrivals",
    "5.1.J",
    "5.1.K",
    "5.1.L",
    "5.1.M",
    "5.1.N/removal",
    "5.1.N",
]


def sail(days: int, seat: str = JAPAN) -> dict[str, object]:
    return says(seat, "advance-day", days=days)


def stand_down(table: Story) -> Story:
    """Deactivate all units of both sides in 5.2.M and end it, so that the operation ends."""
    until(table, "5.2.M")
    for side in (JAPAN, ALLIES):
        mine = [unit.id for unit in table.game.in_play(side) if unit.get("activated")]
        if mine:
            table.play(says(side, "deactivate", units=mine))
    return until_gone(table, "5.2.M")


def ashore(step: str) -> Story:
    """Activate Chokai and Ichiki, with Ichiki on Guadalcanal."""
    table = operation(campaign(), "chokai", "ichiki").given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
    return until(table, step)


def adjust_day(table: Story) -> Story:
    """Play only required orders until the Day marker has moved in 5.2.O."""
    before = opened(table).count("5.2.O")
    while opened(table).count("5.2.O") == before:
        until_gone(table, step_of(table))
    return table


class Test52ODayMarker:
    def test_leaving_month_begin_ends_no_month(self) -> None:
        table = mark(operation(campaign(), "chokai"), "day", 0)
        table.when(sail(1)).then(MarkerSet, marker="day", before=0, after=1)
        table.then_not(MarkerSet, marker="month_ends")

    def test_battle_cycle_lasts_two_days(self) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", 7))
        assert table.game.number("day") == 9

    def test_cycle_from_day_28_reaches_30_and_the_month_continues(self) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", 28))
        assert table.game.number("day") == 30
        assert table.game.number("month") == 1

    def test_order_cannot_sail_past_the_end_of_the_month(self) -> None:
        """On day 26, Month Begin is five days ahead."""
        table = operation(campaign(), "chokai")
        table.when(sail(6)).then_refused("month-ends", rule="5.4", limit=5)
        table.play(sail(5))
        assert table.game.number("month") == 2


class Test54whenTheMonthEnds:
    def test_marker_enters_month_begin_in_the_contact_phase(self) -> None:
        table = operation(campaign(), "chokai")
        table.when(sail(5)).then(MarkerSet, marker="month_ends", after="entered in 5.1.R")
        assert "5.4/when/a" in opened(table)


class Test54whenAMarkerEnters:
    def test_marker_enters_month_begin_in_the_day_marker_phase(self) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", 29))
        assert table.game.number("day") == 0
        assert "5.4/when/a" in opened(table)


class Test54whenBMarkerPasses:
    def test_passing_month_begin_makes_the_new_month_a_day_shorter(self) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", 30))
        assert table.game.number("day") == 1
        assert "5.4/when/b" in opened(table)
        assert "5.4/when/a" not in opened(table)


class Test54whenCNobodyBids:
    def test_neither_player_bids(self) -> None:
        table = until(campaign(), "5.1.O/bid")
        table.play(says(JAPAN, "bid", points=0))
        table.when(says(ALLIES, "bid", points=0)).then(MarkerSet, marker="month_ends", after="no bid")
        assert "5.4/when/c" in opened(table)
        assert table.game.number("month") == 2

    def test_month_continues_with_one_bid(self) -> None:
        table = until(campaign(), "5.1.P/activate", plan=bids(0, 1))
        assert table.game.number("month") == 1
        assert table.game.markers["operation_player"] == ALLIES


class Test54suspendAtOnce:
    def test_running_operation_is_suspended_at_once_and_announced(self) -> None:
        """Three steps are open in 5.1.R; the order that ends the month opens the new month's first phase."""
        table = operation(campaign(), "chokai")
        table.when(sail(5)).then(LoopOpened, loop="5.4", kind="instant")
        table.then_open("5.1.B")
        assert str(table.game.markers["suspended"]).endswith(" 1 in 5.1.R")
        assert table.game.markers["resumes_in"] == "5.1.R"
        assert table.game.markers["operation_state"] == "suspended"


class Test54restartAToN:
    def test_month_marker_advances_and_phases_a_to_n_are_played(self) -> None:
        table = operation(campaign(), "chokai")
        since = table.tip
        table.play(sail(5))
        until(table, "5.1.R/move")
        assert [step for step in opened(table, since) if step.startswith("5.1")] == NEW_MONTH
        assert table.game.markers["month_name"] == "September 1942"
        assert table.game.turn == 2

    def test_strategic_month_plays_its_own_phases_too(self) -> None:
        table = operation(strategic(), "43rd-division", bid=3, headquarters="central-pacific-fleet")
        since = table.tip
        table.play(sail(9))
        until(table, "5.1.R/move")
        played = [step for step in opened(table, since) if step.startswith("5.1")]
        assert played[:8] == ["5.1.A", "5.1.B", "5.1.C", "5.1.D", "5.1.E", "5.1.F", "5.1.G/unused", "5.1.G/table"]

    def test_suspended_operation_cannot_be_played_until_it_resumes(self) -> None:
        """Resuming too early: the Operation player wants to sail on in the middle of the new month."""
        table = operation(campaign(), "chokai").play(sail(5))
        until(table, "5.1.H")
        table.when(sail(1)).then_refused(
            "not-allowed-now",
            rule="5.1.H [12.0]",
            says="5.1.R/move",
            orders=("isolation-penalty", "roll", "change"),
        )
        table.when(says(JAPAN, "force-end")).then_refused(
            "not-allowed-now",
            rule="5.1.H",
            says="5.1.R/condition",
            orders=("isolation-penalty", "roll", "change"),
        )
        table.when(says(ALLIES, "activate", units=["portland"], headquarters="south-pacific"))
        table.then_refused(
            "not-allowed-now",
            rule="5.1.H",
            order="activate",
            says="5.1.P/activate",
            orders=("isolation-penalty", "roll", "change"),
        )


class Test54resumeABackToContact:
    """Ended in 5.1.R, and the Operation player has activated units: back to R."""

    def suspended_and_resumed(self) -> tuple[Story, int]:
        table = operation(campaign(), "shokaku", "hiei", "shokaku-air", "chokai", bid=20)
        table.play(
            says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]),
            says(ALLIES, "done", step="5.1.R/search"),
            sail(5),
        )
        before = table.tip
        return until(table, "5.1.R/move"), before

    def test_contact_phase_resumes_unchanged_on_the_same_day(self) -> None:
        """Check that the Allies, who had left the search, do not have to leave it again."""
        table, _ = self.suspended_and_resumed()
        waits = {one.step: one.waits for one in table.game.cursor.open}
        assert waits == {"5.1.R/move": (JAPAN,), "5.1.R/search": (JAPAN,), "5.1.R/condition": (ALLIES,)}
        assert table.game.number("day") == 0
        assert table.game.number("naval_movement") == 5

    def test_units_keep_their_places_and_activation(self) -> None:
        table, before = self.suspended_and_resumed()
        then, now = table.states[before].units, table.game.units
        for unit in ("shokaku", "chokai", "kido-butai"):
            assert now[unit] == then[unit]
        assert now["kido-butai"].at == "ontong-java"

    def test_resumed_operation_is_the_same_and_no_longer_suspended(self) -> None:
        table, _ = self.suspended_and_resumed()
        assert "suspended" not in table.game.markers
        assert "resumes_in" not in table.game.markers
        assert table.game.markers["operation_state"] == "under way"
        assert table.game.number("operation") == 1

    def test_operation_can_be_suspended_again_a_month_later(self) -> None:
        table, _ = self.suspended_and_resumed()
        mark(table, "time_multiple", 4).play(sail(31))
        until(table, "5.1.R/move")
        assert table.game.number("month") == 3

    def test_units_that_vanish_meanwhile_end_the_operation_by_5_3(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, MARINES, "activated", False)
        table.play(sail(5))
        lose_isolated(until(table, "5.1.H"), JAPAN, "chokai")
        until(table, "5.3/damage")
        until(table, "5.1.O/bid")
        assert "5.4/resume/a" not in opened(table)
        assert table.game.markers["operation_state"] == "over"
        assert "5.1.O/claim" not in opened(table)


class Test54resumeBTheClaim:
    """Ended in 5.1.R, and the Operation player has none: the operation is over; the opponent may take the next."""

    def ended(self) -> Story:
        table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
        table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"), sail(4))
        return table

    def test_damage_is_counted_and_play_goes_to_5_1_o(self) -> None:
        table = until(self.ended(), "5.1.O/claim")
        steps = opened(table)
        assert steps.index("5.1.N/removal", steps.index("5.4/when/a")) < steps.index("5.4/resume/b")
        assert steps[-5:-1] == ["5.3/damage", "5.3/final", "5.3/cycle", "5.3/b"]

    def test_reaction_player_may_become_operation_player_without_bid(self) -> None:
        table = until(self.ended(), "5.1.O/claim")
        table.when(says(ALLIES, "claim-operation")).then(MarkerSet, marker="operation_player", after=ALLIES)
        table.then_open("5.1.P/activate")
        assert table.game.markers["reaction_player"] == JAPAN
        assert "bid" not in table.game.markers
        assert table.game.accounts["osb/allies"] == 1

    def test_reaction_player_may_decline_and_both_sides_bid(self) -> None:
        table = until(self.ended(), "5.1.O/claim").play(says(ALLIES, "done")).then_open("5.1.O/bid-openly")
        until(table, "5.1.P/activate", plan=bids(2, 0))
        assert table.game.markers["operation_player"] == JAPAN

    def test_other_side_may_not_claim_the_operation(self) -> None:
        table = until(self.ended(), "5.1.O/claim").when(says(JAPAN, "claim-operation"))
        table.then_refused("step-of-another-side", rule="5.1.O/claim [5.4]", seat="japan", sides="Allies")


class Test54resumeCLighting:
    """Ended in 5.2.O, and a side has activated units: a new battle cycle."""

    @pytest.mark.parametrize("day", [29, 30])
    def test_play_resumes_with_lighting_in_the_next_cycle(self, day: int) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", day))
        assert str(table.game.markers["suspended"]).endswith(" 1 in 5.2.O")
        assert table.game.markers["resumes_in"] == "5.2.A"
        until(table, "5.2.A")
        assert table.game.number("month") == 2
        assert table.game.cursor.frame("5.2").nth == 2  # type: ignore[union-attr]
        assert table.game.number("day") == day - 29

    def test_units_of_the_reaction_player_alone_are_enough(self) -> None:
        table = mark(cycle(campaign(), "chokai"), "day", 29)
        change(table, "chokai", "activated", False)
        until(adjust_day(table), "5.2.A")
        assert table.game.number("month") == 2

    def test_removed_units_end_the_operation_without_two_more_days(self) -> None:
        table = mark(cycle(campaign(), "chokai"), "day", 29)
        change(table, MARINES, "activated", False)
        lose_isolated(until(adjust_day(table), "5.1.H"), JAPAN, "chokai")
        until(table, "5.1.O/bid")
        assert table.game.number("day") == 0
        assert "5.4/resume/c" not in opened(table)


class Test54resumeDBids:
    """Ended in 5.2.O, and no side has: 5.1.O. This takes the reading under which the last cycle is closed."""

    @pytest.mark.parametrize(("day", "why"), [(29, "5.4/when/a"), (30, "5.4/when/b")])
    def test_month_ends_on_the_day_of_the_operation(self, day: int, why: str) -> None:
        table = stand_down(mark(cycle(campaign(), "chokai"), "day", day))
        until(table, "5.1.O/bid")
        steps = opened(table)
        assert steps.index("5.3/over") < steps.index("5.2.O") < steps.index("5.3/a") < steps.index(why)
        assert steps.index(why) < steps.index("5.4/resume/d")
        assert table.game.number("month") == 2


class Test53AOnTheSameDay:
    def test_damage_is_counted_once(self) -> None:
        table = stand_down(mark(cycle(campaign(), "chokai"), "day", 30))
        until(table, "5.1.O/bid")
        assert opened(table).count("5.3/damage") == 1

    def test_operation_is_not_suspended_in_that_month(self) -> None:
        table = stand_down(mark(cycle(campaign(), "chokai"), "day", 30))
        until(table, "5.1.B")
        assert "suspended" not in table.game.markers
        assert table.game.markers["resumes_in"] == "5.1.O"


class Test54resumeNothing:
    def test_bids_on_month_begin_resume_after_a_month_without_bids(self) -> None:
        table = until_gone(until(campaign(), "5.1.O/bid"), "5.1.O/bid")
        until(table, "5.1.O/bid")
        assert table.game.number("month") == 2
        assert table.game.number("day") == 0
        assert "5.4/resume/o" in opened(table)
        assert "5.3/over" not in opened(table)


class TestTheOperationEndsAtTheInstant:
    def test_operation_continues_while_any_unit_is_activated(self) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.M")
        table.play(says(JAPAN, "deactivate", units=["chokai"])).then_open("5.2.M")


class Test53BDaysRemain:
    def test_closing_reading_closes_the_cycle_and_counts_its_days(self) -> None:
        """Check the recommended reading: over at once, then 5.2.N and 5.2.O, then 5.3 continues."""
        table = mark(cycle(campaign(), "chokai"), "day", 4)
        until(table, "5.2.M")
        since = table.tip
        until(stand_down(table), "5.1.O/bid")
        assert table.game.number("day") == 6
        assert [step for step in opened(table, since) if step[:3] in ("5.2", "5.3")] == [
            "5.3/over",
            "5.3/damage",
            "5.3/final",
            "5.3/cycle",
            "5.2.O",
            "5.3/final",
            "5.3/cycle",
            "5.3/b",
        ]

    def test_detection_can_still_be_removed_then(self) -> None:
        table = cycle(campaign(), "shokaku")
        change(table, "kido-butai", "detected", True)
        until(stand_down(table), "5.2.N")
        table.when(says(JAPAN, "undetect", task_forces=["kido-butai"])).then(UnitChanged, attribute="detected")

    def test_in_the_literal_reading_play_leaves_the_cycle_at_once(self) -> None:
        """Check that 5.2.N and 5.2.O are not played, and the Day marker stays."""
        table = mark(cycle(campaign(closing_cycle=False), "chokai"), "day", 4)
        until(stand_down(table), "5.1.O/bid")
        assert table.game.number("day") == 4
        assert "5.2.O" not in opened(table)
        assert "5.3/b" in opened(table)

    def test_two_readings_differ_only_in_the_day_marker(self) -> None:
        ends = []
        for closing in (True, False):
            table = until(stand_down(cycle(campaign(closing_cycle=closing), "chokai")), "5.1.O/bid")
            ends.append({**table.game.markers, "units": table.game.units, "accounts": table.game.accounts})
        differ = {key for key in ends[0].keys() | ends[1].keys() if ends[0].get(key) != ends[1].get(key)}
        assert differ == {"day"}

    def test_sinking_the_last_unit_skips_the_rest_of_the_cycle(self) -> None:
        table = ashore("5.2.H")
        for unit in (MARINES, "chokai"):
            change(table, unit, "activated", False)
        table.when(says(JAPAN, "remove", unit="ichiki", fate="lost")).then_open("5.3/damage")
        until(table, "5.1.O/bid")
        assert "5.2.M" not in opened(table)

    def test_task_force_lost_with_its_aircraft_ends_the_operation(self) -> None:
        """Carrier, air unit and Task Force leave play in one order; the operation ends after all of it is recorded."""
        table = operation(campaign(), "shokaku", "shokaku-air")
        until(table, "5.1.S").play(says(ALLIES, "activate", units=["cactus-air"], headquarters="south-pacific"))
        until(table, "5.2.L")
        for unit in (MARINES, "cactus-air"):
            change(table, unit, "activated", unit == "cactus-air")
        change(table, "hiei", "task_force", "")
        change(table, "shokaku", "hits", 3)
        flies(table, ALLIES, "cactus-air", "shokaku", 6).then_open("5.2.L/28.12/strike")
        assert {table.game.units[one].fate for one in ("shokaku", "shokaku-air", "kido-butai")} == {
            "sunk",
            "lost",
            "dissolved",
        }

    @pytest.mark.parametrize("also", [(), ("shokaku-air",)])
    def test_whichever_of_them_was_the_last_activated_unit(self, also: tuple[str, ...]) -> None:
        table = operation(campaign(), "shokaku", "shokaku-air")
        for unit in (MARINES, "shokaku", *also):
            change(table, unit, "activated", unit == "shokaku" and bool(also))
        table.play(says(JAPAN, "remove", unit="shokaku", fate="sunk")).then_open("5.3/damage")
        assert table.game.units["shokaku-air"].fate == "lost"

    def test_in_the_contact_phase_no_cycle_is_closed(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, MARINES, "activated", False)
        table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"))
        until(table, "5.1.O/bid")
        assert table.game.number("day") == 26
        assert "5.2.O" not in opened(table)

    def test_operation_without_units_ends_before_it_begins(self) -> None:
        table = until(literal(), "5.1.P/activate", plan=bids(3, 0))
        change(table, "moresby-air", "activated", False)
        table.play(says(JAPAN, "done")).then_open("5.3/damage")


class Test53Damage:
    def test_both_count_and_the_strategic_initiative_is_adjusted(self) -> None:
        """Japan inflicted 5 and suffered 1; a difference of 4 is worth 2 in the scenario's table."""
        table = stand_down(cycle(campaign(), "chokai"))
        table.then_open("5.3/damage")
        table.play(says(JAPAN, "count-damage", inflicted=5, source="19.3"))
        table.when(says(ALLIES, "count-damage", inflicted=1, source="19.3")).then(
            MarkerSet, marker="damage_counted", after=1, rule="5.3 [19.3]"
        )
        assert table.game.accounts["initiative/japan"] == 2

    def test_recorded_damage_counts_by_default(self) -> None:
        table = operation(campaign(), "chokai").play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"]))
        until(table, "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"), says(JAPAN, "determine-battle", 2))
        table.play(says(JAPAN, "attack", 9, units=["chokai"], target="henderson-field"))
        stand_down(table)
        table.play(says(JAPAN, "count-damage"), says(ALLIES, "count-damage"))
        assert table.game.accounts["damage/japan"] == 2

    def test_damage_must_be_counted_before_the_step_ends(self) -> None:
        table = stand_down(cycle(campaign(), "chokai")).when(says(JAPAN, "done"))
        table.then_refused(
            "orders-required",
            rule="5.3/damage [19.3]",
            orders=("count-damage",),
        )


def is_told(why: str, month: int) -> bool:
    """Return whether an end names the condition that is met, and the month."""
    return why.startswith(f"{HELD} ") and why.endswith(f" {month}")


class Test54gameendTheLastMonth:
    def test_last_month_ends_the_game_instead_of_a_new_month(self) -> None:
        table = mark(operation(campaign(), "chokai"), "month", 3)
        ended = table.when(sail(5)).then(GameEnded, winner=ALLIES)
        assert is_told(ended.why, 3)
        assert table.game.number("month") == 3

    def test_game_end_outranks_resume_rules_after_a_battle_cycle(self) -> None:
        table = mark(mark(cycle(campaign(), "chokai"), "day", 29), "month", 3)
        until(table, "nowhere")
        assert is_told(table.game.ended, 3)
        assert not [step for step in opened(table) if step.startswith("5.4/resume")]

    def test_last_month_ends_without_bids_too(self) -> None:
        table = mark(until(campaign(), "5.1.O/bid"), "month", 3)
        until(table, "nowhere")
        assert is_told(table.game.ended, 3)

    def test_final_operation_ends_the_game_when_damage_is_counted(self) -> None:
        table = mark(cycle(campaign(), "chokai"), "final_operation", 1)
        stand_down(table).play(says(JAPAN, "count-damage"))
        assert is_told(table.when(says(ALLIES, "count-damage")).then(GameEnded).why, 1)

    def test_earlier_operation_does_not_end_the_game(self) -> None:
        table = mark(cycle(campaign(), "chokai"), "final_operation", 2)
        until(stand_down(table), "5.1.O/bid")
        assert not table.game.ended

    def test_finished_game_refuses_orders(self) -> None:
        table = mark(operation(campaign(), "chokai"), "month", 3).play(sail(5))
        table.when(sail(1)).then_refused("game-over", rule="the end")


class TestTheCursor:
    def test_suspended_battle_cycle_leaves_no_frame(self) -> None:
        table = adjust_day(mark(cycle(campaign(), "chokai"), "day", 29))
        until(table, "5.2.A")
        assert [frame.of for frame in table.game.cursor.frames] == ["", "5.2"]

    def test_ten_operations_leave_no_frame(self) -> None:
        table = literal()
        for _ in range(10):
            until(table, "5.1.P/activate", plan=bids(1, 0))
            change(table, "moresby-air", "activated", False)
            until_gone(table, "5.1.P/activate")
            until(table, "5.1.O/bid")
        assert [frame.of for frame in table.game.cursor.frames] == [""]
        assert table.game.number("operation") == 10

    def test_rules_that_do_not_apply_are_passed_with_the_reason(self) -> None:
        table = mark(cycle(campaign(), "chokai"), "day", 29)
        adjust_day(table)
        until(table, "5.1.N")
        assert " 5.4 " in table.when(says(JAPAN, "done")).then(StepPassed, step="5.4/resume/a").why


def test_procedures_are_called_only_at_their_instants() -> None:
    """Check that the engine needs no special case: six procedures, six instants, one borrowed stretch."""
    flown = ["5.2.D/28.12", "5.2.L/28.12", "5.2.D/28.0", "5.2.L/28.0"]
    assert TITLE.plan.procedures == {"5.3", "5.4", *flown}
    assert [instant.to for instant in TITLE.plan.instants] == ["5.4", *flown, "5.3"]
    borrowing = [step for step in TITLE.plan.leaves() if step.runs]
    assert [(step.id, step.runs) for step in borrowing] == [("5.4/restart/phases", ("5.1.A", "5.1.N"))]
