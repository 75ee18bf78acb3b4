"""Check searches, detection and Task Forces; a ship that sails alone counts as one (5.1.R, 5.1.T, 5.2.N)."""

import pytest

from tests.face.domain import UnitChanged, UnitPlaced, UnitRemoved
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    Line,
    campaign,
    change,
    cycle,
    operation,
    says,
    until,
    until_gone,
)


def forms(force: str, *ships: str) -> Line:
    return says(JAPAN, "form-task-force", task_force=force, ships=list(ships))


def at_truk() -> Story:
    """Begin Japan's contact phase: a carrier and a battleship form kido-butai; two ships at Rabaul sail alone."""
    return operation(campaign(), "shokaku", "hiei", "chokai", "tokyo-express")


class TestSearchForAShipInNoTaskForce:
    def test_ship_in_none_is_searched_for_and_detected(self) -> None:
        """Check 5.1.R [24.0]."""
        table = at_truk().when(says(ALLIES, "search", 6, target="chokai"))
        table.then(UnitChanged, unit="chokai", attribute="detected", after=True)
        table.when(says(ALLIES, "search", 6, target="chokai"))
        table.then_refused("detected-already", rule="5.1.R [24.0]")

    def test_search_that_finds_nothing_detects_nothing(self) -> None:
        """Check 5.1.R [24.0]: 5 or less finds nothing."""
        table = at_truk().when(says(ALLIES, "search", 5, target="chokai"))
        table.then_not(UnitChanged, unit="chokai", attribute="detected")

    def test_search_in_vain_binds_until_the_next_day(self) -> None:
        """Check 5.1.R [24.0]: its sailing further does not start a new day."""
        table = operation(campaign(), "shokaku", "hiei", "shokaku-air", "chokai")
        table.play(says(ALLIES, "search", 5, target="kido-butai"))
        table.play(says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]))
        table.when(says(ALLIES, "search", 9, target="kido-butai"))
        table.then_refused("searched-already", rule="5.1.R [24.0]")
        table.play(says(ALLIES, "search", 5, target="chokai"), says(JAPAN, "advance-day", days=1))
        table.when(says(ALLIES, "search", 9, target="kido-butai"))
        table.then(UnitChanged, unit="kido-butai", attribute="detected", after=True)

    def test_search_in_vain_may_be_repeated_by_option(self) -> None:
        """Check 5.1.R [24.0]."""
        table = operation(campaign(searched_once=False), "shokaku").play(says(ALLIES, "search", 5, target="kido-butai"))
        table.when(says(ALLIES, "search", 9, target="kido-butai"))
        table.then(UnitChanged, unit="kido-butai", attribute="detected", after=True)

    @pytest.mark.parametrize("phase", ["5.1.T", "5.2.C", "5.2.K"])
    def test_search_in_vain_binds_for_its_phase(self, phase: str) -> None:
        """Check 5.1.T, 5.2.C, 5.2.K [24.0]: in the next one the Task Force may be found."""
        table = until(operation(campaign(), "shokaku", "hiei"), f"{phase}/search")
        search = says(ALLIES, "search", 5, target="kido-butai")
        table.play(search).when(search).then_refused("searched-already", rule=f"{phase} [24.0]")
        until(until_gone(table, f"{phase}/search"), "5.2.C/search", "5.2.K/search")
        table.when(says(ALLIES, "search", 9, target="kido-butai")).then(UnitChanged, attribute="detected", after=True)

    def test_ship_of_a_task_force_is_not_searched_for_alone(self) -> None:
        """Check 5.1.R [24.0]."""
        table = at_truk().when(says(ALLIES, "search", 6, target="hiei"))
        table.then_refused("not-a-task-force", rule="5.1.R [24.0]", unit="hiei", do=" kido-butai, ")

    def test_ship_that_is_to_come_is_not_searched_for(self) -> None:
        """Check 5.1.R [24.0]."""
        table = at_truk()
        table.given(UnitPlaced(unit="kako", side=JAPAN, kind="cruiser", at="to-come", attributes={"arm": "naval"}))
        table.when(says(ALLIES, "search", 6, target="kako")).then_refused("not-a-task-force", rule="5.1.R [24.0]")
        table.when(says(ALLIES, "search", 6, target="ichiki")).then_refused("not-a-task-force", rule="5.1.R [24.0]")

    def test_detected_ship_in_none_is_turned_over(self) -> None:
        """Check 5.2.N [32.2]."""
        table = change(cycle(campaign(), "chokai"), "chokai", "detected", True)
        until(table, "5.2.N").when(says(JAPAN, "undetect", task_forces=["chokai"]))
        table.then(UnitChanged, unit="chokai", attribute="detected", after=False)

    def test_ship_of_a_detected_task_force_is_not_turned_over_alone(self) -> None:
        """Check 5.2.N [32.2]."""
        table = change(cycle(campaign(), "hiei"), "kido-butai", "detected", True)
        until(table, "5.2.N").when(says(JAPAN, "undetect", task_forces=["hiei"]))
        table.then_refused("not-detected", rule="5.2.N [32.2]", units=("hiei",), detected="kido-butai")


class TestDetectionGoesAlong:
    def test_new_task_force_of_a_detected_ship_is_detected(self) -> None:
        """Check 5.1.R [24.0]: chokai alone is detected; then their Task Force is instead."""
        table = change(at_truk(), "chokai", "detected", True)
        table.when(forms("mikawa", "chokai", "tokyo-express"))
        table.then(UnitPlaced, unit="mikawa")
        table.then(UnitChanged, unit="mikawa", attribute="detected", after=True)
        table.then(UnitChanged, unit="chokai", attribute="detected", after=False)

    def test_new_task_force_of_unseen_ships_is_undetected(self) -> None:
        table = at_truk().when(forms("mikawa", "chokai", "tokyo-express"))
        assert table.then(UnitPlaced, unit="mikawa").attributes["detected"] is False

    def test_ship_that_leaves_a_detected_force_stays_detected(self) -> None:
        """Check 5.1.R [24.0]: a new name hides no ship."""
        table = change(at_truk(), "kido-butai", "detected", True).when(forms("abe", "hiei"))
        table.then(UnitChanged, unit="abe", attribute="detected", after=True)
        assert not table.game.units["kido-butai"].fate

    def test_detected_ship_makes_the_force_it_joins_detected(self) -> None:
        table = change(at_truk().play(forms("mikawa", "tokyo-express")), "chokai", "detected", True)
        table.when(forms("mikawa", "chokai")).then(UnitChanged, unit="mikawa", attribute="detected", after=True)

    def test_force_whose_last_ship_has_left_is_dissolved(self) -> None:
        table = at_truk().play(forms("abe", "hiei")).when(forms("nagumo", "shokaku"))
        table.then(UnitRemoved, unit="kido-butai", fate="dissolved")

    def test_ship_transported_out_of_a_force_stays_detected(self) -> None:
        """Check 5.1.I [13.0]."""
        table = change(until(campaign(), "5.1.I"), "kido-butai", "detected", True)
        change(table, "hiei", "crippled", True).when(says(JAPAN, "move", unit="hiei", path=["kure"]))
        table.then(UnitChanged, unit="hiei", attribute="detected", after=True)
        change(table, "shokaku", "crippled", True).when(says(JAPAN, "move", unit="shokaku", path=["kure"]))
        table.then(UnitRemoved, unit="kido-butai", fate="dissolved")
        assert table.game.units["shokaku-air"].at == "kure"
