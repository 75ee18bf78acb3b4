"""Pacific War: situations read from the printed page, sentence by sentence: the battle cycle and its ends."""

from typing import Any

from tests.titles.pacific_war_table import ALLIES, JAPAN, campaign, change, operation, says, until
from umpire_ledger.domain.game.events import UnitChanged, UnitMoved, UnitPlaced, UnitRemoved, Value
from umpire_ledger.testing.story import Story

MARINES = "1st-marine-division"


def in_cycle(step: str, *japan: str, at: dict[str, str] | None = None, allies: tuple[str, ...] = ()) -> Story:
    """Japan's operation, with units of both sides activated, has come to a step of its first battle cycle.

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
    """Ichiki's regiment is aboard Chokai off Guadalcanal, where the Marines stand."""
    table = in_cycle("5.2.C/move", "chokai", "ichiki", at=OFF_GUADALCANAL)
    change(table, "ichiki", "aboard", "chokai")
    return until(table, step)


# --- troops aboard a ship are not ashore ------------------------------------------------------------------------------


def test_troops_aboard_demolish_no_base() -> None:
    """5.2.G: they do when they have gone ashore."""
    table = aboard("5.2.F")
    change(table, "ichiki", "aboard", "")
    until(table, "5.2.G")
    change(table, "ichiki", "aboard", "chokai")
    table.when(says(JAPAN, "demolish", unit="ichiki", target="henderson-field"))
    table.then_refused(rule="5.2.G [30.0]", do="on the spot")
    change(table, "ichiki", "aboard", "")
    table.when(says(JAPAN, "demolish", unit="ichiki", target="henderson-field")).then(UnitRemoved)


def test_troops_aboard_let_their_enemies_ashore_rally() -> None:
    """5.2.J: a hex is occupied by units ashore; of ships offshore our reading says the same."""
    table = change(aboard("5.2.I"), MARINES, "broken", True)
    until(table, "5.2.J").when(says(ALLIES, "rally", 9, unit=MARINES)).then_accepted()
    change(table, MARINES, "broken", True)
    change(table, MARINES, "rallied", "")
    change(table, "ichiki", "aboard", "")
    table.when(says(ALLIES, "rally", 9, unit=MARINES)).then_refused(rule="5.2.J [31.8]")


def test_troops_aboard_are_not_bombarded_apart_from_their_ship() -> None:
    """5.2.F: ground units and installations in a shoreline hex are."""
    table = in_cycle("5.2.F", "chokai", at={"chokai": "guadalcanal"})
    change(table, MARINES, "aboard", "san-francisco")
    table.when(strikes(JAPAN, "chokai", MARINES, 6)).then_refused(rule="5.2.F [29.3]", do="ashore")
    change(table, MARINES, "aboard", "")
    table.when(strikes(JAPAN, "chokai", MARINES, 6)).then_accepted()


def test_troops_aboard_are_no_target_of_a_mission() -> None:
    """5.2.D: the ship is."""
    table = in_cycle("5.2.D", "rabaul-air")
    change(table, MARINES, "aboard", "san-francisco")
    table.when(says(JAPAN, "launch-mission", units=["rabaul-air"], target=MARINES))
    table.then_refused(rule="5.2.D [28.0]", do="the ship")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))


def test_troops_aboard_do_not_bar_a_retreat() -> None:
    """5.2.H: to a place where the enemy is only offshore; not where it stands."""
    table = in_cycle("5.2.H", "ichiki", at={"ichiki": "guadalcanal", "enterprise": "tulagi"})
    table.play(strikes(JAPAN, "ichiki", MARINES, 1))
    until(table, "5.2.H/retreat")
    while table.game.cursor.waiting() == (ALLIES,):
        table.play(says(ALLIES, "done"))
    landed: dict[str, Value] = {"arm": "ground", "steps": 1, "full_steps": 1, "activated": False}
    table.given(UnitPlaced(unit="raiders", side=ALLIES, kind="battalion", at="tulagi", attributes=landed))
    table.when(says(JAPAN, "move", unit="ichiki", path=["tulagi"])).then_refused(rule="5.2.H [31.0]")
    change(table, "raiders", "aboard", "enterprise")
    table.when(says(JAPAN, "move", unit="ichiki", path=["tulagi"])).then(UnitMoved, unit="ichiki")


# --- 28.12: Simultaneous Strike ---------------------------------------------------------------------------------------


def test_strike_on_aircraft_aboard_a_carrier_may_be_answered() -> None:
    """5.2.D [28.12]: it is flown against the Task Force with the carrier, and both are resolved."""
    table = change(in_cycle("5.2.D", "rabaul-air"), "enterprise-air", "steps", 1)
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="enterprise-air"), says(ALLIES, "done"))
    table.play(strikes(JAPAN, "rabaul-air", "enterprise-air", 5)).then_open("5.2.D/28.12/strike")
    assert table.game.cursor.waiting() == (ALLIES,)
    table.when(strikes(ALLIES, "enterprise-air", "shokaku", 5)).then(UnitChanged, unit="shokaku", attribute="hits")
    table.then_open("5.2.D")


def test_strike_on_aircraft_at_a_base_is_not_answered() -> None:
    """5.2.D [28.12]: not a Task Force."""
    table = in_cycle("5.2.D", "rabaul-air")
    table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="cactus-air"), says(ALLIES, "done"))
    table.play(strikes(JAPAN, "rabaul-air", "cactus-air", 1)).then_open("5.2.D")
