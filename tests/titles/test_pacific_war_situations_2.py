"""Pacific War: situations read from the printed page: the battle cycle, from Lighting to Rally."""

from typing import Any

import pytest

from tests.face.domain import (
    MarkerSet,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    Value,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    opened,
    operation,
    says,
    until,
)

MARINES = "1st-marine-division"


def in_cycle(step: str, *japan: str, at: dict[str, str] | None = None, allies: tuple[str, ...] = ()) -> Story:
    """Play Japan's operation, with units of both sides activated, to a step of its first battle cycle.

    `at`: units that are elsewhere than the scenario puts them.
    """
    table = operation(campaign(), *japan, bid=20)
    for unit, place in (at or {}).items():
        table.given(UnitMoved(unit=unit, path=(table.game.units[unit].at, place)))
    if allies:
        until(table, "5.1.S").play(says(ALLIES, "activate", units=list(allies), headquarters="south-pacific"))
    return until(table, step)


def strikes(seat: str, unit: str, target: str, *pips: int) -> dict[str, Any]:
    return says(seat, "attack", *pips, units=[unit], target=target)


OFF_GUADALCANAL = {"chokai": "guadalcanal", "ichiki": "guadalcanal"}


def aboard(step: str) -> Story:
    """Put Ichiki's regiment aboard Chokai off Guadalcanal, which the Marines hold."""
    table = in_cycle("5.2.C/move", "chokai", "ichiki", at=OFF_GUADALCANAL)
    change(table, "ichiki", "aboard", "chokai")
    return until(table, step)


# --- troops aboard a ship are not ashore ------------------------------------------------------------------------------


def test_troops_aboard_demolish_no_base() -> None:
    """Check 5.2.G: units aboard must go ashore first."""
    table = aboard("5.2.F")
    change(table, "ichiki", "aboard", "")
    until(table, "5.2.G")
    change(table, "ichiki", "aboard", "chokai")
    table.when(says(JAPAN, "demolish", unit="ichiki", target="henderson-field"))
    table.then_refused("cannot-demolish", rule="5.2.G [30.0]", reason="aboard")
    change(table, "ichiki", "aboard", "")
    table.when(says(JAPAN, "demolish", unit="ichiki", target="henderson-field")).then(UnitRemoved)


def test_troops_aboard_let_their_enemies_ashore_rally() -> None:
    """Check 5.2.J: a hex is occupied by units ashore; for ships offshore the same is our reading."""
    table = change(aboard("5.2.I"), MARINES, "broken", True)
    until(table, "5.2.J").when(says(ALLIES, "rally", 9, unit=MARINES)).then_accepted()
    table = until(change(aboard("5.2.I"), MARINES, "broken", True), "5.2.J")
    change(table, "ichiki", "aboard", "")
    table.when(says(ALLIES, "rally", 9, unit=MARINES)).then_refused(
        "cannot-rally", rule="5.2.J [31.8]", reason="enemy-in-hex"
    )


def test_troops_aboard_are_not_bombarded_apart_from_their_ship() -> None:
    """Check 5.2.F: targets are ground units and installations in a shoreline hex."""
    table = in_cycle("5.2.F", "chokai", at={"chokai": "guadalcanal"})
    change(table, MARINES, "aboard", "san-francisco")
    table.when(strikes(JAPAN, "chokai", MARINES, 6)).then_refused("aboard-ship", rule="5.2.F [29.3]")
    change(table, MARINES, "aboard", "")
    table.when(strikes(JAPAN, "chokai", MARINES, 6)).then_accepted()


def test_troops_aboard_are_not_a_mission_target() -> None:
    """Check 5.2.D: the target is the ship."""
    table = in_cycle("5.2.D", "rabaul-air")
    change(table, MARINES, "aboard", "san-francisco")
    table.when(says(JAPAN, "launch-mission", units=["rabaul-air"], target=MARINES))
    table.then_refused("target-aboard-ship", rule="5.2.D [28.0]")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))


def test_troops_aboard_do_not_bar_a_retreat() -> None:
    """Check 5.2.H: to a hex with the enemy only offshore; not to one with the enemy ashore."""
    table = in_cycle("5.2.H", "ichiki", at={"ichiki": "guadalcanal", "enterprise": "tulagi"})
    table.play(strikes(JAPAN, "ichiki", MARINES, 1))
    until(table, "5.2.H/retreat")
    while table.game.cursor.waiting() == (ALLIES,):
        table.play(says(ALLIES, "done"))
    landed: dict[str, Value] = {"arm": "ground", "steps": 1, "full_steps": 1, "activated": False}
    table.given(UnitPlaced(unit="raiders", side=ALLIES, kind="battalion", at="tulagi", attributes=landed))
    table.when(says(JAPAN, "move", unit="ichiki", path=["tulagi"])).then_refused(
        "retreat-into-enemy", rule="5.2.H [31.0]"
    )
    change(table, "raiders", "aboard", "enterprise")
    table.when(says(JAPAN, "move", unit="ichiki", path=["tulagi"])).then(UnitMoved, unit="ichiki")


# --- 28.12: Simultaneous Strike ---------------------------------------------------------------------------------------


def test_strike_on_aircraft_aboard_a_carrier_may_be_answered() -> None:
    """Check 5.2.D [28.12]: it is flown against the Task Force with the carrier, and both are resolved."""
    table = change(in_cycle("5.2.D", "rabaul-air"), "enterprise-air", "steps", 1)
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="enterprise-air"), says(ALLIES, "done"))
    table.play(strikes(JAPAN, "rabaul-air", "enterprise-air", 5)).then_open("5.2.D/28.12/strike")
    assert table.game.cursor.waiting() == (ALLIES,)
    table.when(strikes(ALLIES, "enterprise-air", "shokaku", 5)).then(UnitChanged, unit="shokaku", attribute="hits")
    table.then_open("5.2.D")


def test_strike_on_aircraft_at_a_base_is_not_answered() -> None:
    """Check 5.2.D [28.12]: not a Task Force."""
    table = in_cycle("5.2.D", "rabaul-air")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="cactus-air"), says(ALLIES, "done"))
    table.play(strikes(JAPAN, "rabaul-air", "cactus-air", 1)).then_open("5.2.D")


def judged(table: Story, fits: bool, rule: str) -> Story:
    """Assert that the last order was carried out, or refused under a rule."""
    return table.then_accepted() if fits else table.then_refused(rule=rule)


# --- 5.2.A to 5.2.C ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pip", "light"), [(3, "night"), (4, "dusk"), (6, "dusk"), (7, "day")])
def test_lighting_at_the_edge_of_a_row_is_that_row(pip: int, light: str) -> None:
    """Check 5.2.A: either player rolls, once."""
    table = until(operation(campaign(), "chokai"), "5.2.A")
    table.when(says(ALLIES, "roll-lighting", pip)).then(MarkerSet, marker="lighting", after=light)
    table.when(says(JAPAN, "roll-lighting", pip)).then_refused("not-allowed-now", rule="5.2.B")


@pytest.mark.parametrize(("pip", "side"), [(6, JAPAN), (7, ALLIES)])
def test_advantage_at_the_edge_of_a_row_moves_that_side_first(pip: int, side: str) -> None:
    """Check 5.2.B: the other one moves in 5.2.K."""
    table = until(operation(campaign(), "chokai"), "5.2.B").play(says(JAPAN, "roll-advantage", pip))
    until(table, "5.2.C/move", "5.2.C/search")
    movers = table.game.cursor.opened("5.2.C/move")
    assert (movers is not None and movers.waits == (JAPAN,)) is (side == JAPAN)
    until(table, "5.2.K/move", "5.2.L", "5.2.M")
    movers = table.game.cursor.opened("5.2.K/move")
    assert (movers is not None and movers.waits == (JAPAN,)) is (side == ALLIES)


def test_advantage_of_one_cycle_is_not_that_of_the_next() -> None:
    """Check 5.2.B: for the entire cycle."""
    table = until(operation(campaign(), "chokai"), "5.2.B").play(says(JAPAN, "roll-advantage", 7))
    until(table, "5.2.A")
    assert "advantage" not in table.game.markers
    until(table, "5.2.B").play(says(ALLIES, "roll-advantage", 6))
    assert table.game.markers["advantage"] == JAPAN


def test_air_unit_in_c_moves_aboard_its_carrier_alone() -> None:
    """Check 5.2.C: air units move with aircraft carriers."""
    table = in_cycle("5.2.C/move", "shokaku", "hiei", "shokaku-air", "rabaul-air")
    for unit in ("rabaul-air", "shokaku-air"):
        table.when(says(JAPAN, "move", unit=unit, path=["buin"])).then_refused("cannot-move", rule="5.2.C [23.6]")
    table.when(says(JAPAN, "move", unit="kido-butai", path=["buin"])).then(UnitMoved, unit="shokaku-air")


@pytest.mark.parametrize(("step", "seat", "fits"), [("5.2.C", JAPAN, True), ("5.2.K", JAPAN, False)])
def test_troops_embark_in_the_movement_of_their_side(step: str, seat: str, fits: bool) -> None:
    """Check 5.2.C, 5.2.K: Japan has the Advantage."""
    table = in_cycle("5.2.C/move", "chokai", "ichiki")
    until(table, f"{step}/move")
    table.when(says(seat, "embark", unit="ichiki", ship="chokai"))
    judged(table, fits, step)


@pytest.mark.parametrize("step", ["5.2.D", "5.2.H", "5.2.M"])
def test_troops_neither_embark_nor_disembark_in_other_phases(step: str) -> None:
    """Check 5.2.C: the Note says when."""
    table = in_cycle(step, "chokai", "ichiki", "rabaul-air", at={"ichiki": "guadalcanal", "chokai": "guadalcanal"})
    table.when(says(JAPAN, "embark", unit="ichiki", ship="chokai")).then_refused("not-allowed-now", rule=step)
    change(table, "ichiki", "aboard", "chokai")
    table.when(says(JAPAN, "disembark", unit="ichiki")).then_refused("not-allowed-now", rule=step)


# --- 5.2.D and 5.2.L: air missions ------------------------------------------------------------------------------------


def test_air_unit_of_the_mission_is_met_and_no_other() -> None:
    """Check 5.2.D: the Disadvantage player interferes with the mission, not with aircraft that stay at home."""
    table = in_cycle("5.2.D", "rabaul-air", "shokaku", "shokaku-air")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))
    for target in ("shokaku-air", "chokai"):
        table.when(strikes(ALLIES, "cactus-air", target, 9)).then_refused("only-interference-at-missions", rule="28.0")
    table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 5)).then(UnitChanged, unit="rabaul-air", attribute="steps")


def test_interference_by_the_side_that_flies_is_refused() -> None:
    """Check 5.2.D: the other player interferes."""
    table = in_cycle("5.2.D", "rabaul-air", "shokaku", "shokaku-air")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))
    table.when(strikes(JAPAN, "shokaku-air", "cactus-air", 9)).then_refused(
        "step-of-another-side", rule="5.2.D/28.0/interfere"
    )


def test_mission_of_a_launched_pair_flies_on_with_what_is_left() -> None:
    """Check 5.2.D: one of two is shot down."""
    table = change(in_cycle("5.2.D", "rabaul-air", "shokaku", "shokaku-air"), "rabaul-air", "steps", 1)
    pair = ["rabaul-air", "shokaku-air"]
    table.play(says(JAPAN, "launch-mission", units=pair, target="san-francisco"))
    table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 5)).then(UnitRemoved, unit="rabaul-air")
    table.play(says(ALLIES, "done"))
    table.when(says(JAPAN, "attack", 5, units=pair, target="san-francisco")).then_refused(
        "unit-removed", rule="5.2.D [28.0]"
    )
    table.when(strikes(JAPAN, "shokaku-air", "san-francisco", 5)).then(UnitChanged, unit="san-francisco")


@pytest.mark.parametrize(("aircraft", "step"), [(True, "5.2.D/28.12/strike"), (False, "5.2.D")])
def test_carrier_without_aircraft_answers_no_strike(aircraft: bool, step: str) -> None:
    """Check 28.12: a Task Force that includes carriers with air units."""
    table = in_cycle("5.2.D", "rabaul-air")
    if not aircraft:
        table.given(UnitRemoved(unit="enterprise-air", fate="lost"))
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="portland"), says(ALLIES, "done"))
    table.play(strikes(JAPAN, "rabaul-air", "portland", 1)).then_open(step)


def test_mission_in_l_belongs_to_the_disadvantage_player() -> None:
    """Check 5.2.L: Japan, with the Advantage, only interferes."""
    table = in_cycle("5.2.L", "rabaul-air", allies=("cactus-air",))
    table.when(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco")).then_refused(
        "only-interference", rule="5.2.L"
    )
    table.play(says(ALLIES, "launch-mission", units=["cactus-air"], target="chokai"))
    table.when(strikes(JAPAN, "rabaul-air", "cactus-air", 5)).then(UnitRemoved, unit="cactus-air")


def test_mission_after_a_rewind_meets_interference_again() -> None:
    """Check 5.2.D: losses of the mission and its enemies are undone."""
    table = in_cycle("5.2.D", "rabaul-air")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))
    table.play(strikes(ALLIES, "cactus-air", "rabaul-air", 5), says(ALLIES, "done"))
    table.play(says("referee", "rewind", to="5.2.D", why="the wrong air unit")).then_open("5.2.D")
    assert table.game.units["rabaul-air"].number("steps") == 2
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="henderson-field"))
    table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 1)).then_accepted()


# --- 5.2.E: naval battles ---------------------------------------------------------------------------------------------


def battle(*japan: str, pip: int = 4) -> Story:
    """Let ships of Japan meet San Francisco off Guadalcanal."""
    table = in_cycle("5.2.E.a", *japan, at=dict.fromkeys(japan, "guadalcanal"))
    return table.play(says(JAPAN, "determine-battle", pip))


@pytest.mark.parametrize(("pip", "surprise"), [(6, "neither"), (7, JAPAN), (8, JAPAN), (9, ALLIES)])
def test_surprise_at_the_edge_of_a_row_is_that_row(pip: int, surprise: str) -> None:
    """Check 5.2.E.a [29.1]: Japan has the Advantage."""
    assert battle("chokai", pip=pip).game.markers["surprise"] == surprise


@pytest.mark.parametrize(("pip", "step"), [(3, "5.2.F"), (4, "5.2.E.b/1")])
def test_naval_combat_is_determined_before_it_is_fought(pip: int, step: str) -> None:
    """Check 5.2.E.a."""
    table = in_cycle("5.2.E.a", "chokai", at={"chokai": "guadalcanal"})
    table.when(strikes(JAPAN, "chokai", "san-francisco", 5)).then_refused("not-allowed-now", rule="5.2.E.a")
    table.play(says(ALLIES, "determine-battle", pip)).then_open(step)


def test_ship_fires_in_each_of_three_phases_and_not_in_a_fourth() -> None:
    """Check 5.2.E.b."""
    table = battle("chokai")
    for phase in (1, 2, 3):
        table.then_open(f"5.2.E.b/{phase}")
        table.play(strikes(JAPAN, "chokai", "san-francisco", 1))
        table.when(strikes(JAPAN, "chokai", "san-francisco", 1)).then_refused("attacked-already", rule="5.2.E [29.2]")
        table.play(says(JAPAN, "done"), says(ALLIES, "done"))
    assert table.game.cursor.opened("5.2.E.b/3") is None
    table.when(strikes(JAPAN, "chokai", "san-francisco", 1)).then_refused("wrong-kind-of-target", rule="5.2.F")


def test_ships_of_one_hex_fight_in_it_alone() -> None:
    """Check 5.2.E: once for each hex with ships of both sides."""
    table = in_cycle("5.2.E", "chokai", "tokyo-express", at={"chokai": "guadalcanal", "tokyo-express": "noumea"})
    table.play(says(JAPAN, "pick", member="guadalcanal"), says(JAPAN, "determine-battle", 4))
    table.when(strikes(JAPAN, "tokyo-express", "san-francisco", 5)).then_refused("units-elsewhere", rule="5.2.E [29.2]")
    table.when(strikes(JAPAN, "chokai", "portland", 5)).then_refused("units-elsewhere", rule="5.2.E [29.2]")
    until(table, "5.2.E.a")
    assert table.game.cursor.item("5.2.E") == "noumea"
    table.when(says(JAPAN, "pick", member="guadalcanal")).then_refused("nothing-to-pick", rule="5.2.E")


# --- 5.2.F to 5.2.J: shore and land -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("target", "fits"), [("henderson-field", True), (MARINES, True), ("cactus-air", False)])
def test_bombardment_is_of_ground_units_and_installations(target: str, fits: bool) -> None:
    """Check 5.2.F [29.3]: neither air units nor ships."""
    table = in_cycle("5.2.F", "chokai", at={"chokai": "guadalcanal"})
    table.when(strikes(JAPAN, "chokai", target, 5))
    judged(table, fits, "5.2.F [29.3]")


def test_bombardment_by_ground_units_and_of_ships_is_refused() -> None:
    """Check 5.2.F [29.3]: naval units alone bombard."""
    table = in_cycle("5.2.F", "chokai", "ichiki", at=OFF_GUADALCANAL)
    table.when(strikes(JAPAN, "ichiki", MARINES, 5)).then_refused("not-on-map", rule="5.2.F [29.3]")
    table.when(strikes(JAPAN, "chokai", "san-francisco", 5)).then_refused("wrong-kind-of-target", rule="5.2.F [29.3]")


def test_demolition_of_an_own_base_is_its_owners_choice() -> None:
    """Check 5.2.G [30.0]; an air unit demolishes nothing, and a base is demolished once."""
    table = in_cycle("5.2.G", "chokai")
    for unit, refused in (("cactus-air", True), (MARINES, False)):
        table.when(says(ALLIES, "demolish", unit=unit, target="henderson-field"))
        judged(table, not refused, "5.2.G [30.0]")
    assert table.game.units["henderson-field"].fate == "demolished"


def test_demolished_base_is_restored_by_a_rewind() -> None:
    """Check 5.2.G."""
    table = in_cycle("5.2.G", "chokai").play(says(ALLIES, "demolish", unit=MARINES, target="henderson-field"))
    table.play(says("referee", "undo", why="it was a slip"))
    assert not table.game.units["henderson-field"].fate
    table.when(says(ALLIES, "demolish", unit=MARINES, target="henderson-field")).then(UnitRemoved)


def test_ground_units_in_two_hexes_do_not_fight() -> None:
    """Check 5.2.H [31.0]: opposing units that occupy the same hex."""
    table = in_cycle("5.2.H", "ichiki", at={"ichiki": "guadalcanal"})
    table.when(strikes(ALLIES, MARINES, "ichiki", 5)).then_accepted()
    table.when(strikes(ALLIES, MARINES, "ichiki", 5)).then_refused("attacked-already", rule="5.2.H [31.0]")
    table.given(UnitMoved(unit="ichiki", path=("guadalcanal", "tulagi")))
    table.when(strikes(JAPAN, "ichiki", MARINES, 5)).then_refused("units-elsewhere", rule="5.2.H [31.0]")


@pytest.mark.parametrize("unit", ["chokai", "rabaul-air"])
def test_ships_and_aircraft_take_no_part_in_ground_combat(unit: str) -> None:
    """Check 5.2.H [31.0]."""
    places = {**OFF_GUADALCANAL, "rabaul-air": "guadalcanal"}
    table = in_cycle("5.2.H", "ichiki", "chokai", "rabaul-air", at=places)
    table.when(strikes(JAPAN, unit, MARINES, 5)).then_refused("not-on-map", rule="5.2.H [31.0]")


@pytest.mark.parametrize(("linked", "hits", "fits"), [(True, 0, True), (True, 3, True), (False, 3, False)])
def test_airbase_that_is_linked_sheds_hits_and_interdiction(linked: bool, hits: int, fits: bool) -> None:
    """Check 5.2.I [31.7]: Henderson Field is interdicted."""
    table = until(operation(campaign(), "chokai"), "5.2.A")
    change(change(table, "henderson-field", "linked", linked), "henderson-field", "hits", hits)
    second = {"arm": "base", "linked": True, "hits": int(fits)}
    table.given(UnitPlaced(unit="second", side=ALLIES, kind="airbase", at="noumea", attributes=second))
    until(table, "5.2.I" if fits else "5.2.M")
    order = says(ALLIES, "repair-base", unit="henderson-field")
    if not fits:
        table.when(order).then_refused("not-allowed-now", rule="5.2.M")
        return
    table.play(order)
    field = table.game.units["henderson-field"]
    assert (field.number("hits"), field.get("interdicted")) == (0, False)
    table.when(order).then_refused("no-linked-base", rule="5.2.I [31.7]")


@pytest.mark.parametrize(("pip", "broken"), [(4, True), (5, False)])
def test_rally_at_the_edge_of_a_row_is_that_row(pip: int, broken: bool) -> None:
    """Check 5.2.J [31.8]: once in a cycle, and each unit by its own side."""
    table = change(until(operation(campaign(), "chokai"), "5.2.A"), MARINES, "broken", True)
    until(table, "5.2.J").when(says(JAPAN, "rally", pip, unit=MARINES)).then_refused(
        "step-of-another-side", rule="5.2.J"
    )
    table.play(says(ALLIES, "rally", pip, unit=MARINES))
    assert table.game.units[MARINES].get("broken") is broken


@pytest.mark.parametrize(("isolated", "enemy"), [(True, False), (False, True), (True, True)])
def test_rally_isolated_or_next_to_an_enemy_is_refused(isolated: bool, enemy: bool) -> None:
    """Check 5.2.J [12.2]: either keeps the unit broken; the other broken unit may try."""
    table = change(until(operation(campaign(), "ichiki"), "5.2.A"), MARINES, "broken", True)
    change(change(table, MARINES, "isolated", isolated), "ichiki", "broken", True)
    if enemy:
        table.given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
    steps = opened(table)
    until(table, "5.2.J", "5.2.K/move")
    if enemy:
        assert "5.2.J" not in opened(table)[len(steps) :]
        return
    table.when(says(ALLIES, "rally", 9, unit=MARINES)).then_refused("step-of-another-side", rule="5.2.J")
    table.play(says(JAPAN, "rally", 9, unit="ichiki"))
