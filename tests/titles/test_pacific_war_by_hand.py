"""Repeat faults of a game of Pacific War played by hand: strikes, retreats, searches, days."""

from typing import Any

import pytest

from tests.face.domain import (
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    flies,
    mark,
    operation,
    says,
    until,
)
from tests.titles.test_pacific_war_page_cycle import CARRIERS, MARINES, in_cycle, strikes
from tests.titles.test_pacific_war_who_is_asked import passed


def waits(table: Story, step: str) -> tuple[str, ...]:
    one = table.game.cursor.opened(step)
    return one.waits if one is not None else ()


class TestStrikeWithinReach:
    """Pacific War 28.12: a Simultaneous Strike reaches what a mission does."""

    def struck(self) -> Story:
        table = in_cycle("5.2.D", *CARRIERS, allies=("enterprise", "portland", "enterprise-air"))
        return flies(table, JAPAN, "shokaku-air", "enterprise", 5)

    def test_strike_against_ship_in_holding_box_is_refused(self) -> None:
        table = self.struck().given(UnitMoved(unit="shokaku", path=("truk", "pearl-harbor")))
        table.when(strikes(ALLIES, "enterprise-air", "shokaku", 9))
        table.then_refused("target-off-map", rule="5.2.D [28.12]")

    def test_strike_within_reach_cites_its_rule(self) -> None:
        table = self.struck().when(strikes(ALLIES, "enterprise-air", "shokaku", 6))
        assert table.then(UnitChanged, unit="shokaku", attribute="hits").rule == "5.2.D [28.12]"


class TestNamedTwice:
    """A unit named twice in one order is refused."""

    @pytest.mark.parametrize(
        ("step", "order", "more"),
        [
            ("5.1.P/activate", "activate", {"units": ["hiei", "hiei"], "headquarters": "combined-fleet"}),
            ("5.1.R/move", "form-task-force", {"task_force": "tf", "ships": ["hiei", "hiei"]}),
            ("5.2.D", "launch-mission", {"units": ["shokaku-air", "shokaku-air"], "target": "enterprise"}),
            ("5.2.M", "deactivate", {"units": ["hiei", "hiei"]}),
        ],
    )
    def test_unit_named_twice_is_refused(self, step: str, order: str, more: dict[str, Any]) -> None:
        if step == "5.1.P/activate":
            table = until(campaign(), step, plan={"5.1.O/bid": [says(JAPAN, "bid", points=9)]})
        else:
            table = until(operation(campaign(), *CARRIERS, bid=20), step)
        table.when(says(JAPAN, order, **more)).then_refused("named-twice", rule=step[:5])

    def test_attacker_named_twice_is_refused(self) -> None:
        table = in_cycle("5.2.D", *CARRIERS, allies=("enterprise", "portland", "enterprise-air"))
        table.play(says(JAPAN, "launch-mission", units=["shokaku-air"], target="enterprise"), says(ALLIES, "done"))
        table.when(says(JAPAN, "attack", 5, units=["shokaku-air", "shokaku-air"], target="enterprise"))
        table.then_refused("named-twice", rule="5.2.D", twice="shokaku-air")


class TestActivationAboveTheBid:
    def test_one_unit_costs_more_than_the_bid(self) -> None:
        table = until(campaign(), "5.1.P/activate", plan={"5.1.O/bid": [says(JAPAN, "bid", points=1)]})
        table.when(says(JAPAN, "activate", units=["hiei"], headquarters="combined-fleet"))
        table.then_refused("above-activation-limit", rule="5.1.P [20.1]", given=3, spent=0, limit=1, limit_2=1)


class TestTaskForceOfDetectedShip:
    def test_new_task_force_has_a_record_of_detection(self) -> None:
        """Pacific War 24.0."""
        table = change(operation(campaign(), "chokai"), "chokai", "detected", True)
        table.when(says(JAPAN, "form-task-force", task_force="mikawa", ships=["chokai"]))
        table.then(UnitPlaced, unit="mikawa")
        table.then(UnitChanged, unit="mikawa", attribute="detected", after=True)
        assert not table.game.units["chokai"].get("detected")


class TestNavalBattleInWords:
    def test_status_names_hex_and_surprise(self) -> None:
        """Pacific War 5.2.E."""
        table = in_cycle("5.2.E.a", "chokai", at={"chokai": "guadalcanal"})
        table.play(says(JAPAN, "determine-battle", 8))
        assert TITLE.notation is not None
        (line,) = (one for one in TITLE.notation.tells(table.game) if "guadalcanal" in one)
        assert line.endswith(" at guadalcanal, Surprise Japan")

    def test_status_without_surprise_names_the_hex_alone(self) -> None:
        table = in_cycle("5.2.E.a", "chokai", at={"chokai": "guadalcanal"})
        assert TITLE.notation is not None
        (line,) = (one for one in TITLE.notation.tells(table.game) if "guadalcanal" in one)
        assert line.endswith(" at guadalcanal")

    def test_status_shows_the_damage_that_is_counted(self) -> None:
        """Pacific War 5.3 [19.3]."""
        table = until(operation(campaign(), "chokai", bid=2), "5.2.M")
        active = [one.id for one in table.game.in_play() if one.get("activated")]
        for unit in active:
            change(table, unit, "activated", False)
        table = until(table, "5.3/damage")
        assert TITLE.notation is not None
        assert [one.endswith(" 1: Japan 0, Allies 0") for one in TITLE.notation.tells(table.game)].count(True) == 1


class TestPassedNavalCombat:
    def test_side_that_is_alone_is_not_asked_again(self) -> None:
        """Pacific War 5.2.E.b [29.2]."""
        table = in_cycle("5.2.E.a", "chokai", at={"chokai": "guadalcanal"})
        table.play(says(JAPAN, "determine-battle", 8))
        change(table, "san-francisco", "hits", 2)
        table.play(says(JAPAN, "attack", 9, units=["chokai"], target="san-francisco"))
        since = table.tip
        assert {"5.2.E.b/1", "5.2.E.b/2/surprise"} <= set(passed(until(table, "5.2.M"), since))


class TestRetreat:
    """Pacific War 5.2.H [31.0]: ground units retreat from an enemy."""

    def fought(self, pips: int) -> Story:
        table = in_cycle("5.2.H", "ichiki", at={"ichiki": "guadalcanal"})
        change(table, "ichiki", "steps", 1)
        return table.play(says(ALLIES, "attack", pips, units=[MARINES], target="ichiki"))

    def test_winner_alone_in_the_hex_is_not_waited_for(self) -> None:
        table = self.fought(9)
        since = table.tip
        assert "5.2.H/retreat" in passed(until(table, "5.2.M"), since)

    def test_units_that_still_meet_are_waited_for(self) -> None:
        assert set(waits(until(self.fought(1), "5.2.H/retreat"), "5.2.H/retreat")) == {JAPAN, ALLIES}

    def test_unit_retreats_once(self) -> None:
        table = until(self.fought(1), "5.2.H/retreat")
        side = table.game.cursor.waiting()[0]
        unit = "ichiki" if side == JAPAN else MARINES
        table.given(
            UnitPlaced(
                unit="third",
                side=table.game.units[unit].side,
                kind="regiment",
                at="guadalcanal",
                attributes={"arm": "ground", "steps": 1, "fought": table.game.units[unit].get("fought")},
            )
        )
        table.play(says(side, "move", unit=unit, path=["rennell"]))
        table.when(says(side, "move", unit=unit, path=["tulagi"])).then_refused(
            "cannot-move", rule="5.2.H [31.0]", unit=unit, reason="not-in-combat"
        )


class TestSearchesInVain:
    """Pacific War 24.0: a side searches while an undetected Task Force of the enemy is, or may come, on the map."""

    def all_detected(self, step: str) -> Story:
        table = in_cycle("5.2.A", "chokai", allies=("enterprise", "portland"))
        for one in table.game.in_play(ALLIES):
            if one.get("arm") in ("naval", "task-force"):
                change(table, one.id, "detected", True)
        return until(mark(table, "advantage", JAPAN), step)

    def test_detected_movers_are_not_searched_for(self) -> None:
        table = self.all_detected("5.2.K/move")
        assert table.game.markers["disadvantage"] == ALLIES
        assert JAPAN not in waits(table, "5.2.K/search")

    def test_ship_that_may_leave_its_box_is_searched_for(self) -> None:
        table = self.all_detected("5.2.C/move")
        ship = table.game.units["portland"]
        table.given(UnitMoved(unit="portland", path=(ship.at, "pearl-harbor")))
        change(change(table, "portland", "task_force", ""), "portland", "detected", False)
        assert JAPAN in waits(until(table, "5.2.K/move"), "5.2.K/search")

    def test_ship_that_stays_in_its_box_is_not(self) -> None:
        table = self.all_detected("5.2.C/move")
        change(table, "saratoga", "detected", False)
        table.given(UnitMoved(unit="saratoga", path=(table.game.units["saratoga"].at, "pearl-harbor")))
        assert JAPAN not in waits(until(table, "5.2.K/move"), "5.2.K/search")


class TestDaysAtSea:
    def test_smaller_bound_is_named_at_once(self) -> None:
        """Pacific War 5.1.P [20.2.5]: fewer days are paid for than are left of the month."""
        table = mark(mark(operation(campaign(), "chokai"), "day", 3), "days_a_multiple", 20)
        table.when(says(JAPAN, "advance-day", days=30)).then_refused("too-many-days", rule="5.1.P [20.2.5]", limit=20)
        table.play(says(JAPAN, "advance-day", days=20))
