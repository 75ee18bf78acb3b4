"""What a scenario of Pacific War may say, at its bounds."""

import pytest

from umpire_ledger.domain.game.errors import ScenarioError
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.titles.pacific_war.scenario import PacificWarScenario
from umpire_ledger.testing.fixtures import FIXTURES

TEXT = (FIXTURES / "pacific-war" / "scenarios" / "coral-sea.toml").read_text(encoding="utf-8")


def on_day(day: int) -> PacificWarScenario:
    lines = [line for line in TEXT.splitlines() if not line.startswith("day =")]
    return read_scenario(f"day = {day}\n" + "\n".join(lines), PacificWarScenario)


@pytest.mark.parametrize("day", [0, 30])
def test_a_month_has_days_0_to_30(day: int) -> None:
    assert on_day(day).day == day


@pytest.mark.parametrize("day", [-1, 31])
def test_no_other_day(day: int) -> None:
    with pytest.raises(ScenarioError) as refused:
        on_day(day)
    assert refused.value.where == "$.day"
