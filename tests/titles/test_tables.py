"""Check that a scenario without a table is refused before the game opens, unless the game never uses the table."""

from typing import Any

import msgspec
import pytest

from tests.face.desk import need_title
from tests.face.domain import (
    Decision,
    Scenario,
    ScenarioError,
    Title,
    open_game,
)
from tests.face.testing import scenarios, titles
from tests.naming import Naming
from umpire_ledger.kit import FreeScenario, Order, Sequence, Side, Step, does, option

NEEDED = [
    pytest.param(title, table, id=f"{title.id}/{table}")
    for title in titles()
    for table in dict.fromkeys(
        (
            *(table for one in title.orders for table in one.tables),
            *(table for tables in title.tables.values() for table in tables),
        )
    )
]


def opened(title: Title, scenario: Scenario, **options: Any) -> Decision:
    return open_game(title, scenario, game_id="g", dice="table", seed="5e" * 32, options=options)


def without(scenario: Scenario, table: str) -> Scenario:
    left = {name: rows for name, rows in scenario.tables.items() if name != table}
    return msgspec.structs.replace(scenario, tables=left)


@pytest.mark.parametrize(("title", "table"), NEEDED)
def test_opening_without_a_required_table_is_refused(title: Title, table: str) -> None:
    having = [one for one in scenarios(title) if table in one.tables]
    assert having, "no fixture has this table"
    for scenario in having:
        with pytest.raises(ScenarioError) as refusal:
            opened(title, without(scenario, table))
        assert (refusal.value.what, refusal.value.where) == (Naming(table), f"$.tables.{table}")
        assert refusal.value.remedy == Naming("`by_the_book`")


def test_which_titles_need_tables() -> None:
    assert {param.values[0].id for param in NEEDED} >= {"war-galley", "pacific-war", "red-coat-rags"}  # type: ignore[union-attr]


@pytest.mark.parametrize("table", ["strategic-bombing", "merchant-attrition"])
def test_campaign_opens_without_strategic_tables(table: str) -> None:
    title = need_title("pacific-war")
    campaigns = [one for one in scenarios(title) if getattr(one, "kind", "") == "campaign"]
    assert campaigns
    for scenario in campaigns:
        assert table not in scenario.tables
        assert opened(title, scenario)


class Drift(Order, frozen=True, kw_only=True, tag="drift"):
    """Roll for the current."""


def title_with(*steps: Step, **more: Any) -> Title:
    fields = {"id": "rafts", "name": "Rafts", "version": "1", "set_up": lambda scenario: [], "options": {"wet": True}}
    return Title(**{**fields, "sequence": Sequence(steps=steps) if steps else None, **more})


RIVER = FreeScenario(title="rafts", name="River", sides=(Side(id="red", name="Red"),))
DRIFTS = does(Drift, lambda game, order, dice: [], tables=("current",))


class TestOptionsAndTables:
    STEP = Step("1", "drifting", by="each", allows=(Drift,), when=option("wet"))

    def test_step_that_is_never_played_needs_no_table(self) -> None:
        title = title_with(self.STEP, Step("2", "mooring", by="each"), orders=(DRIFTS,))
        assert opened(title, RIVER, wet=False)
        with pytest.raises(ScenarioError) as refusal:
            opened(title, RIVER)
        assert refusal.value.what == Naming("current")
        assert refusal.value.remedy == Naming("drift", 1, "`by_the_book`")

    def test_act_names_its_tables_by_its_step(self) -> None:
        act = {"acts": {"1": lambda game: []}, "tables": {"1": ("current",)}}
        title = title_with(Step("1", "the water", when=option("wet")), Step("2", "mooring", by="each"), **act)
        assert opened(title, RIVER, wet=False)
        with pytest.raises(ScenarioError) as refusal:
            opened(title, RIVER)
        assert refusal.value.what == Naming("current")
        assert refusal.value.remedy == Naming(1, "`by_the_book`")

    def test_title_without_a_sequence_needs_the_tables_of_all_orders(self) -> None:
        with pytest.raises(ScenarioError) as refusal:
            opened(title_with(orders=(DRIFTS,)), RIVER)
        assert refusal.value.what == Naming("current")
        assert refusal.value.remedy == Naming("drift", "`by_the_book`")
