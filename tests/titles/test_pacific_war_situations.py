"""Pacific War: situations read from the printed page, sentence by sentence: the months, bids and activation."""

import pytest

from tests.titles.pacific_war_table import ALLIES, JAPAN, change, says, strategic, until
from umpire_ledger.domain.game.events import UnitRemoved


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
