"""Check the bounds of the values in a scenario of Pacific War."""

import pytest

from tests.face.domain import (
    PacificWarScenario,
    ScenarioError,
    pacific_war_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import FIXTURES, Story
from tests.titles.pacific_war_table import ALLIES, campaign, says, scenario, until

TEXT = (FIXTURES / "pacific-war" / "scenarios" / "coral-sea.toml").read_text(encoding="utf-8")


def on_day(day: int) -> PacificWarScenario:
    lines = [line for line in TEXT.splitlines() if not line.startswith("day =")]
    return read_scenario(f"day = {day}\n" + "\n".join(lines), PacificWarScenario)


@pytest.mark.parametrize("day", [0, 30])
def test_month_has_days_0_to_30(day: int) -> None:
    assert on_day(day).day == day


@pytest.mark.parametrize("day", [-1, 31])
def test_other_days_are_refused(day: int) -> None:
    with pytest.raises(ScenarioError) as refused:
        on_day(day)
    assert refused.value.where == "$.day"


class TestNoNumberIsHeldTwice:
    """Command Points of headquarters and submarine points of Commands are accounts, not attributes."""

    def test_set_up_points_are_accounts_alone(self) -> None:
        """Check 5.1.G [10.0], 5.1.J [14.1]."""
        game = campaign().game
        assert game.accounts["submarines/sixth-fleet"] == 2
        assert "submarines" not in game.units["sixth-fleet"].attributes
        assert game.accounts["points/combined-fleet"] == 0
        assert "points" not in game.units["combined-fleet"].attributes
        assert game.units["i-boats"].get("submarines") == 2, "a patrol has no account"

    def test_built_command_has_its_points_in_its_account(self) -> None:
        """Check 5.1.J [14.6]."""
        table = until(campaign(), "5.1.J")
        table.play(says(ALLIES, "build-submarine-command", unit="task-force-42", port="noumea-port"))
        table.play(says(ALLIES, "allocate-submarines", to="task-force-42", points=2))
        assert "submarines" not in table.game.units["task-force-42"].attributes
        assert table.game.accounts["submarines/task-force-42"] == 2

    @pytest.mark.parametrize("name", ["solomons", "coral-sea", "marianas"])
    def test_unit_attributes_and_accounts_have_different_names(self, name: str) -> None:
        game = Story(TITLE, scenario(name)).game
        held = [account.split("/") for account in game.accounts if account.count("/") == 1]
        twice = [(what, one) for what, one in held if one in game.units and what in game.units[one].attributes]
        assert held
        assert twice == []
