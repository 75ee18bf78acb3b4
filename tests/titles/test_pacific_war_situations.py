"""Pacific War: situations read from the printed page, sentence by sentence: the months, bids and activation."""

import pytest

from tests.titles.pacific_war_table import ALLIES, JAPAN, change, says, strategic, until
from umpire_ledger.domain.game.events import UnitMoved, UnitPlaced, UnitRemoved, Value
from umpire_ledger.testing.story import Story


def brigade(table: Story, name: str, side: str, at: str, **attributes: Value) -> Story:
    """A ground unit of one step more than the scenario has."""
    given: dict[str, Value] = {
        "arm": "ground",
        "activated": False,
        "steps": 1,
        "full_steps": 2,
        "activation": 1,
        **attributes,
    }
    return table.given(UnitPlaced(unit=name, side=side, kind="brigade", at=at, attributes=given))


def goes(table: Story, unit: str, at: str) -> Story:
    """A unit is elsewhere than the scenario puts it."""
    return table.given(UnitMoved(unit=unit, path=(table.game.units[unit].at, at)))


# --- 5.1.I: Strategic Transport ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
def test_place_an_enemy_leaves_is_no_rear_area_this_month(first: str) -> None:
    """5.1.I: whoever types first, the place was the enemy's when the phase began."""
    table = brigade(until(strategic(), "5.1.I"), "garrison", JAPAN, "ulithi")
    leaves = says(JAPAN, "move", unit="garrison", path=["yap"])
    comes = says(ALLIES, "move", unit="2nd-marine-division", path=["ulithi"])
    if first == JAPAN:
        table.play(leaves)
    table.when(comes).then_refused(rule="5.1.I [13.0]", do="where no enemy is")


def test_place_an_enemy_left_is_a_rear_area_next_month() -> None:
    """5.1.I."""
    table = brigade(until(strategic(), "5.1.I"), "garrison", JAPAN, "ulithi")
    table.play(says(JAPAN, "move", unit="garrison", path=["yap"]))
    until(until(table, "5.1.O/bid"), "5.1.I")
    table.play(says(JAPAN, "move", unit="garrison", path=["guam"]))
    table.when(says(ALLIES, "move", unit="2nd-marine-division", path=["ulithi"])).then(UnitMoved)
    table.when(says(ALLIES, "move", unit="seventh-air-force", path=["yap"])).then_refused(rule="5.1.I [13.0]")


def test_place_with_a_base_left_behind_stays_the_enemys() -> None:
    """5.1.I."""
    table = until(strategic(), "5.1.I").play(says(JAPAN, "move", unit="43rd-division", path=["guam"]))
    goes(table, "first-air-fleet", "guam")
    table.when(says(ALLIES, "move", unit="2nd-marine-division", path=["saipan"])).then_refused(rule="5.1.I [13.0]")


# --- 5.1.J: returning units -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
def test_place_both_sides_enter_in_j_takes_both_units(first: str) -> None:
    """5.1.J [15.0, 14.0]: the order of typing decides nothing."""
    table = change(until(strategic(), "5.1.J"), "77th-division", "arrives", 1)
    table.given(UnitRemoved(unit="maya", fate="repaired"))
    orders = [
        says(JAPAN, "bring-back", unit="maya", at="ulithi", source="15.0"),
        says(ALLIES, "reinforce", unit="77th-division", at="ulithi"),
    ]
    table.play(*(orders if first == JAPAN else reversed(orders)))
    assert {table.game.units[one].at for one in ("maya", "77th-division")} == {"ulithi"}
