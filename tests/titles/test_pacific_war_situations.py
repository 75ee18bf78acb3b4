"""Pacific War: situations read from the printed page: the map, Task Forces, returning and recombined units."""

import pytest

from tests.face.domain import (
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    Value,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import ALLIES, JAPAN, bids, campaign, change, operation, says, strategic, until


def brigade(table: Story, name: str, side: str, at: str, **attributes: Value) -> Story:
    """Return the game with a ground unit of one step more than in the scenario."""
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
    """Return the game with a unit at another place than in the scenario."""
    return table.given(UnitMoved(unit=unit, path=(table.game.units[unit].at, at)))


# --- 5.1.I: Strategic Transport ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
def test_place_an_enemy_leaves_is_not_a_rear_area_this_month(first: str) -> None:
    """Check 5.1.I: in either order of typing, the place was the enemy's when the phase began."""
    table = brigade(until(strategic(), "5.1.I"), "garrison", JAPAN, "ulithi")
    leaves = says(JAPAN, "move", unit="garrison", path=["yap"])
    comes = says(ALLIES, "move", unit="2nd-marine-division", path=["ulithi"])
    if first == JAPAN:
        table.play(leaves)
    table.when(comes).then_refused("enemy-in-rear-area", rule="5.1.I [13.0]")


def test_place_an_enemy_left_is_a_rear_area_next_month() -> None:
    """Check 5.1.I."""
    table = brigade(until(strategic(), "5.1.I"), "garrison", JAPAN, "ulithi")
    table.play(says(JAPAN, "move", unit="garrison", path=["yap"]))
    until(until(table, "5.1.O/bid"), "5.1.I")
    table.play(says(JAPAN, "move", unit="garrison", path=["guam"]))
    table.when(says(ALLIES, "move", unit="2nd-marine-division", path=["ulithi"])).then(UnitMoved)
    table.when(says(ALLIES, "move", unit="seventh-air-force", path=["yap"])).then_refused(
        "enemy-in-rear-area", rule="5.1.I [13.0]"
    )


def test_place_with_an_enemy_base_remains_an_enemy_place() -> None:
    """Check 5.1.I."""
    table = until(strategic(), "5.1.I").play(says(JAPAN, "move", unit="43rd-division", path=["guam"]))
    goes(table, "first-air-fleet", "guam")
    table.when(says(ALLIES, "move", unit="2nd-marine-division", path=["saipan"])).then_refused(
        "enemy-in-rear-area", rule="5.1.I [13.0]"
    )


# --- 5.1.J: returning units -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
def test_place_both_sides_enter_in_j_takes_both_units(first: str) -> None:
    """Check 5.1.J [15.0, 14.0]: the order of typing decides nothing."""
    table = change(until(strategic(), "5.1.J"), "77th-division", "arrives", 1)
    table.given(UnitRemoved(unit="maya", fate="repaired"))
    orders = [
        says(JAPAN, "bring-back", unit="maya", at="ulithi", source="15.0"),
        says(ALLIES, "reinforce", unit="77th-division", at="ulithi"),
    ]
    table.play(*(orders if first == JAPAN else reversed(orders)))
    assert {table.game.units[one].at for one in ("maya", "77th-division")} == {"ulithi"}


# --- off the map ------------------------------------------------------------------------------------------------------

WAITING = "to-come"
"""The place in which units wait for their month."""


@pytest.mark.parametrize("path", [[WAITING], [WAITING, "rabaul"], ["rabaul", WAITING, "buna"]])
def test_move_through_the_box_of_waiting_units_is_refused(path: list[str]) -> None:
    """Check 5.1.R [23.4]: no unit leaves the map by a move, to enter it anywhere as a reinforcement."""
    table = operation(campaign(), "chokai").when(says(JAPAN, "move", unit="chokai", path=path))
    table.then_refused("not-a-place", rule="5.1.R [23.4]")


def test_transport_to_the_box_of_waiting_units_is_refused() -> None:
    """Check 5.1.I [13.0]."""
    table = until(strategic(), "5.1.I")
    table.when(says(ALLIES, "move", unit="2nd-marine-division", path=[WAITING])).then_refused(
        "not-a-place", rule="5.1.I [13.0]"
    )


def test_reinforcement_to_the_box_of_waiting_units_is_refused() -> None:
    """Check 5.1.J [14.0], also with a source; a unit that comes back does not go there."""
    table = change(until(strategic(), "5.1.J"), "77th-division", "arrives", 1)
    table.given(UnitRemoved(unit="maya", fate="repaired"))
    table.when(says(ALLIES, "reinforce", unit="77th-division", at=WAITING, source="14.0"))
    table.then_refused("not-a-place", rule="5.1.J [14.0]")
    table.when(says(JAPAN, "bring-back", unit="maya", at=WAITING, source="15.0"))
    table.then_refused("not-a-place", rule="5.1.J [15.0]")


def test_offensive_support_base_off_the_map_is_refused() -> None:
    """Check 11.3.1."""
    table = until(campaign(), "5.1.P/activate", plan=bids(5, 0))
    table.when(says(JAPAN, "place-osb", unit="osb", at=WAITING)).then_refused("not-a-place", rule="11.3.1")


@pytest.mark.parametrize("at", [WAITING, "pearl-harbor"])
def test_patrol_off_the_map_is_refused(at: str) -> None:
    """Check 5.1.N: patrols are placed on the map, and a holding box is off it (5.1.K)."""
    table = until(campaign(), "5.1.N")
    order = {"unit": "i-19", "submarines": 1, "headquarters": "combined-fleet"}
    code, field = ("not-a-place", "place") if at == WAITING else ("off-map", "at")
    table.when(says(JAPAN, "place-patrol", at=at, **order)).then_refused(code, rule="5.1.N [25.0]", **{field: at})
    table.play(says(JAPAN, "place-patrol", at="san-cristobal", **order))


@pytest.mark.parametrize("target", ["americal", "saratoga"])
def test_mission_against_a_unit_off_the_map_is_refused(target: str) -> None:
    """Check 5.2.D: neither a unit to come nor a ship in a holding box can be reached."""
    table = until(operation(campaign(), "rabaul-air"), "5.2.D")
    table.when(says(JAPAN, "launch-mission", units=["rabaul-air"], target=target))
    table.then_refused("target-off-map", rule="5.2.D [28.0]")
    table.given(*(UnitRemoved(unit=one, fate="lost") for one in ("cactus-air", "enterprise-air")))
    table.when(says(JAPAN, "attack", 9, units=["rabaul-air"], target=target))
    table.then_refused("target-off-map", rule="5.2.D [28.0]")


def test_search_for_a_ship_off_the_map_is_refused() -> None:
    """Check 5.1.R [24.0]; a ship that is at sea alone may be searched for."""
    table = operation(campaign(), "chokai")
    table.when(says(JAPAN, "search", 6, target="saratoga")).then_refused("task-force-off-map", rule="5.1.R [24.0]")
    table.when(says(JAPAN, "search", 6, target="san-francisco")).then(UnitChanged, attribute="detected", after=True)


# --- Task Forces ------------------------------------------------------------------------------------------------------


def test_task_force_with_the_id_of_a_sunk_ship_is_refused() -> None:
    """Check 5.1.R: the ship would not count as sunk for victory; a dissolved Task Force may sail again."""
    table = operation(campaign(), "chokai", "shokaku")
    table.given(UnitRemoved(unit="tokyo-express", fate="sunk"))
    for name, ids in (("tokyo-express", ["chokai"]), ("enterprise", ["chokai"])):
        table.when(says(JAPAN, "form-task-force", task_force=name, ships=ids)).then_refused(rule="5.1.R")
    table.given(UnitRemoved(unit="kido-butai", fate="dissolved"))
    table.when(says(JAPAN, "form-task-force", task_force="kido-butai", ships=["chokai"])).then(UnitPlaced)


# --- 5.1.K and 5.1.L: recombining -------------------------------------------------------------------------------------


def sister(table: Story, name: str, of: str, **more: Value) -> Story:
    """Return the game with a second ship like one of the scenario, in the same place."""
    ship = table.game.units[of]
    attributes = {**ship.attributes, **more}
    return table.given(UnitPlaced(unit=name, side=ship.side, kind=ship.kind, at=ship.at, attributes=attributes))


def test_ships_that_recombine_keep_the_troops_they_carry() -> None:
    """Check 5.1.K [15.2.3]: repair loses no unit."""
    table = sister(until(strategic(), "5.1.K"), "transports-2", "transports")
    brigade(table, "raiders", ALLIES, "majuro", aboard="transports")
    table.when(says(ALLIES, "recombine", unit="transports-2", units=["transports"]))
    table.then(UnitChanged, unit="raiders", attribute="aboard", after="transports-2")
    table.then_not(UnitRemoved, unit="raiders")


def test_ship_that_recombines_with_a_detected_one_is_detected() -> None:
    """Check 5.1.K: detection is removed in 5.2.N."""
    table = sister(until(strategic(), "5.1.K"), "transports-2", "transports", detected=True)
    table.play(says(ALLIES, "recombine", unit="transports", units=["transports-2"]))
    assert table.game.units["transports"].get("detected")


@pytest.mark.parametrize("trouble", ["broken", "isolated"])
def test_part_in_trouble_makes_the_whole_so(trouble: str) -> None:
    """Check 5.1.L [16.9]: broken units rally in 5.2.J, and nothing is linked by recombining."""
    table = until(strategic(), "5.1.L")
    table.play(says(ALLIES, "break-down", unit="2nd-marine-division", into={"2nd-marines": 2, "6th-marines": 2}))
    change(table, "6th-marines", trouble, True)
    table.play(says(ALLIES, "recombine", unit="2nd-marine-division", units=["2nd-marines", "6th-marines"]))
    assert table.game.units["2nd-marine-division"].get(trouble) is True
    brigade(table, "raiders", ALLIES, "majuro", full_steps=9)
    table.play(says(ALLIES, "recombine", unit="raiders", units=["2nd-marine-division"]))
    assert table.game.units["raiders"].get(trouble) is True


def test_parts_without_trouble_make_a_sound_whole() -> None:
    """Check 5.1.L [16.9]."""
    table = until(strategic(), "5.1.L")
    table.play(says(ALLIES, "break-down", unit="2nd-marine-division", into={"2nd-marines": 2, "6th-marines": 2}))
    table.play(says(ALLIES, "recombine", unit="2nd-marine-division", units=["2nd-marines", "6th-marines"]))
    whole = table.game.units["2nd-marine-division"]
    assert (whole.number("steps"), whole.get("broken"), whole.get("isolated")) == (4, False, False)


def test_recombining_activates_and_deactivates_no_unit() -> None:
    """Check 5.1.L: activation costs Command Points in 5.1.P, 5.1.S and 5.2.M."""
    table = brigade(until(strategic(), "5.1.L"), "raiders", ALLIES, "majuro", activated=True, full_steps=5)
    recombine = says(ALLIES, "recombine", unit="raiders", units=["2nd-marine-division"])
    table.when(recombine).then_refused("unlike-activation", rule="5.1.L [16.9]")
    change(table, "2nd-marine-division", "activated", True)
    table.play(recombine)
    assert table.game.units["raiders"].get("activated") is True


# --- troops and their ships -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("too", [True, False])
def test_troops_embark_in_r_by_option(too: bool) -> None:
    """Check 5.1.R: the Note on 5.2.C and 5.2.K says when; that it is then alone is one reading."""
    table = operation(campaign(embark_in_contact=too), "chokai", "ichiki")
    table.when(says(JAPAN, "embark", unit="ichiki", ship="chokai"))
    table.then_accepted() if too else table.then_refused("no-embarking-in-contact", rule="5.1.R [23.4]")
    change(table, "ichiki", "aboard", "chokai")
    table.when(says(JAPAN, "disembark", unit="ichiki"))
    table.then_accepted() if too else table.then_refused("no-embarking-in-contact", rule="5.1.R [23.4]")


def test_troops_embark_in_c_without_the_option() -> None:
    """Check 5.2.C; aircraft leave their carrier at a base in R as ever."""
    table = operation(campaign(embark_in_contact=False), "shokaku", "shokaku-air", "chokai", "ichiki")
    table.when(says(JAPAN, "disembark", unit="shokaku-air")).then(UnitChanged, attribute="aboard", after="")
    until(table, "5.2.C/move").when(says(JAPAN, "embark", unit="ichiki", ship="chokai")).then(UnitChanged)
