"""Twilight Imperium, the transfer action: TR."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import (
    galaxy,
    says,
    some,
    systems,
    unit,
)


def two_systems(*units: dict[str, Any], **more: Any) -> Story:
    friendly = (
        unit("sol-carrier-1", "home-sol"),
        unit("sol-ground-force-1", "jord"),
        unit("sol-cruiser-1", "void"),
    )
    return galaxy(*friendly, *units, **more)


def begin(table: Story, first: str = "home-sol", second: str = "void") -> Story:
    return table.play(
        says("sol", "take-action", action="transfer"), says("sol", "transfer", first=first, second=second)
    )


def refused(table: Story, first: str, second: str, reason: str, *names: str) -> None:
    table.play(says("sol", "take-action", action="transfer"))
    table.when(says("sol", "transfer", first=first, second=second))
    table.then_refused("cannot-transfer", rule="Twilight Imperium 3 TR.1", why=Naming(*names), reason=reason)


class TestTRTransferAction:
    def test_systems_are_adjacent(self) -> None:
        refused(two_systems(), "home-sol", "mecatol", "not-adjacent", "mecatol", "home-sol")

    def test_neither_holds_an_enemy_unit(self) -> None:
        table = two_systems(unit("sol-ground-force-2", "wellon"), unit("mentak-ground-force-1", "wellon"))
        refused(table, "home-sol", "wellon-space", "enemy-units", "wellon-space")

    def test_without_two_such_systems_there_is_no_transfer(self) -> None:
        table = galaxy(unit("sol-carrier-1", "home-sol")).when(says("sol", "take-action", action="transfer"))
        table.then_refused("cannot-take-transfer-action", rule="TR.1", reason="no-pair-of-systems")

    def test_counter_of_another_player_is_not_a_unit(self) -> None:
        table = two_systems(systems=systems(void={"activated": ["letnev"]}))
        assert begin(table).game.markers["activated/void"] == ("letnev", "sol")


class TestTR1Activating:
    def test_counters_come_from_the_command_area_and_reinforcements(self) -> None:
        table = two_systems().play(says("sol", "take-action", action="transfer"))
        table.when(says("sol", "transfer", first="home-sol", second="void"))
        table.then(AccountChanged, account="command/sol", before=3, after=2, rule="TR.1")
        table.then(AccountChanged, account="reinforcements/sol", before=5, after=4, rule="TR.1")
        table.then(MarkerSet, marker="activated/home-sol", after=("sol",))
        table.then(MarkerSet, marker="activated/void", after=("sol",))
        table.then_open("TR.2")

    def test_both_hold_a_friendly_unit(self) -> None:
        refused(two_systems(), "home-sol", "wellon-space", "no-friendly-unit", "wellon-space")

    def test_first_system_has_no_counter_of_the_active_player(self) -> None:
        table = two_systems(unit("sol-ground-force-2", "wellon"), systems=systems(wellon_space={"activated": ["sol"]}))
        refused(table, "wellon-space", "home-sol", "activated-already", "wellon-space", "Federation of Sol")

    def test_only_the_first_system_must_be_free_of_own_counters(self) -> None:
        units = (unit("sol-cruiser-2", "wellon-space"),)
        story = galaxy(unit("sol-cruiser-1", "home-sol"), *units).given(
            MarkerSet(marker="activated/wellon-space", before=None, after=("sol",))
        )
        story.play(says("sol", "take-action", action="transfer"))
        story.when(says("sol", "transfer", first="wellon-space", second="home-sol"))
        story.then_refused(
            "cannot-transfer", rule="TR.1", why=Naming("wellon-space", "Federation of Sol"), reason="activated-already"
        )
        story.when(says("sol", "transfer", first="home-sol", second="wellon-space"))
        story.then(AccountChanged, account="reinforcements/sol", before=5, after=4)

    @pytest.mark.parametrize(
        ("sheet", "why", "reason"),
        [
            ({"command": 0}, Naming("Command"), "no-command-counter"),
            ({"reinforcements": 0}, Naming("reinforcements"), "no-counter-in-reinforcements"),
        ],
    )
    def test_both_counters_must_be_there(self, sheet: dict[str, int], why: Naming, reason: str) -> None:
        table = two_systems(sheets={"sol": sheet}).when(says("sol", "take-action", action="transfer"))
        table.then_refused("cannot-take-transfer-action", rule="TR.1", side="Federation of Sol", why=why, reason=reason)


class TestTR2Movement:
    def test_units_move_both_ways_between_the_two(self) -> None:
        table = begin(two_systems())
        table.play(says("sol", "move-ships", units=["sol-carrier-1", "sol-ground-force-1"], path=["home-sol", "void"]))
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
        table.then(UnitMoved, unit="sol-cruiser-1", rule="TR.2")

    def test_ship_does_not_move_twice_in_a_transfer(self) -> None:
        table = begin(two_systems())
        table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.then_refused("moved-in-transfer", rule="TR.2", unit="sol-cruiser-1")

    def test_ships_from_other_systems_do_not_join(self) -> None:
        table = begin(two_systems(unit("sol-destroyer-1", "wellon-space")))
        table.when(says("sol", "move-ships", units=["sol-destroyer-1"], path=["wellon-space", "home-sol"]))
        table.then_refused("outside-transfer", rule="TR.2", systems="home-sol to void")

    def test_fleet_limit_applies(self) -> None:
        table = begin(two_systems(*some("sol-cruiser", 5, "home-sol", first=2)))
        names = [f"sol-cruiser-{at}" for at in range(2, 7)]
        table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"]))
        table.then_refused("fleet-too-large", rule="TR.2", given=5, excess=1)

    def test_nor_goes_elsewhere(self) -> None:
        table = begin(two_systems())
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "mecatol"]))
        table.then_refused("system-not-activated", rule="TR.2", system="mecatol")

    def test_ground_forces_ride_with_a_ship(self) -> None:
        table = begin(two_systems())
        table.when(says("sol", "move-ships", units=["sol-ground-force-1"], path=["home-sol", "void"]))
        table.then_refused("too-many-passengers", rule="TR.2")


class TestTR3PDSFire:
    def test_pds_in_range_of_both_fires_into_one(self) -> None:
        table = begin(two_systems(unit("letnev-pds-1", "arc-prime", range=2)))
        table.play(says("sol", "done")).then_open("TR.3.enemy").when(says("letnev", "fire-pds", 9))
        table.then_refused(
            "target-not-named", rule="TR.3", several=("home-sol", "void"), argument="at", targets="home-sol, void"
        )
        table.when(says("letnev", "fire-pds", 9, at="void")).then(AccountChanged, account="hits/void/sol", after=1)
        table.then_open("TR.3.losses")

    def test_hits_are_taken_in_the_system_that_was_fired_into(self) -> None:
        table = begin(two_systems(unit("letnev-pds-1", "arc-prime", range=2)))
        table.play(says("sol", "done"), says("letnev", "fire-pds", 9, at="void"))
        table.when(says("sol", "assign-hits", to=["sol-carrier-1"]))
        table.then_refused(
            "cannot-take-hit",
            rule="TR.3",
            places="void",
            why="it is in home-sol",
            units="sol-cruiser-1",
            reason="elsewhere",
        )
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1"])).then(
            UnitRemoved, unit="sol-cruiser-1", rule="TR.3"
        )

    def test_active_player_does_not_fire(self) -> None:
        table = begin(two_systems(unit("sol-pds-1", "jord")))
        table.when(says("sol", "done")).then_not(DiceRolled).then_open("TR.5")

    def test_several_pds_have_one_shot_each(self) -> None:
        table = begin(two_systems(*some("letnev-pds", 2, "arc-prime", range=2))).play(says("sol", "done"))
        table.play(says("letnev", "fire-pds", 1, pds=["letnev-pds-1"], at="home-sol"))
        table.when(says("letnev", "fire-pds", 9, pds=["letnev-pds-1"], at="void"))
        table.then_refused("cannot-fire", rule="TR.3", unit="letnev-pds-1", units="letnev-pds-2")
        table.when(says("letnev", "fire-pds", 9, pds=["letnev-pds-2"], at="void"))
        table.then(AccountChanged, account="hits/void/sol", after=1)

    def test_they_fire_when_movement_is_over(self) -> None:
        table = begin(two_systems(unit("letnev-pds-1", "arc-prime", range=2)))
        table.when(says("letnev", "fire-pds", 9, at="void")).then_refused("not-allowed-now", rule="TR.2")


class TestTR4Landings:
    def test_landings_are_friendly_only(self) -> None:
        planets = {"jord": {"owner": "sol"}, "luna": {}}
        table = two_systems(unit("sol-ground-force-2", "home-sol"), systems=systems(home_sol={"planets": planets}))
        begin(table).play(says("sol", "done")).then_open("TR.4")
        table.when(says("sol", "land-friendly", planet="luna", units=["sol-ground-force-2"]))
        table.then_refused("wrong-transfer-landing", rule="TR.4", planet="luna", due="neutral")
        table.when(says("sol", "land-neutral", planet="luna", units=["sol-ground-force-2"]))
        table.then_refused(
            "not-allowed-now",
            rule="TR.4",
            order="land-neutral",
            places=Naming("TA.5.neutral"),
            orders=("land-friendly", "play-card", "done"),
        )
        table.when(says("sol", "land-friendly", planet="jord", units=["sol-ground-force-2"]))
        table.then(UnitMoved, unit="sol-ground-force-2", path=("home-sol", "jord"), rule="TR.4")

    def test_on_planets_of_both_systems(self) -> None:
        planets = systems(void={"planets": {"deneb": {"owner": "sol"}}})
        units = (unit("sol-ground-force-2", "home-sol"), unit("sol-pds-1", "void"))
        table = begin(two_systems(*units, systems=planets)).play(says("sol", "done")).then_open("TR.4")
        table.when(says("sol", "land-friendly", planet="quann", units=["sol-ground-force-2"]))
        table.then_refused("planet-not-in-system", rule="TR.4", planet="quann")
        table.play(says("sol", "land-friendly", planet="jord", units=["sol-ground-force-2"]))
        table.when(says("sol", "land-friendly", planet="deneb", units=["sol-pds-1"]))
        table.then(UnitMoved, unit="sol-pds-1", path=("void", "deneb"), rule="TR.4")

    def test_not_on_an_empty_planet_of_an_enemy(self) -> None:
        planets = {"jord": {"owner": "sol"}, "luna": {"owner": "letnev"}}
        table = two_systems(unit("sol-ground-force-2", "home-sol"), systems=systems(home_sol={"planets": planets}))
        begin(table).play(says("sol", "done")).then_open("TR.4")
        table.when(says("sol", "land-friendly", planet="luna", units=["sol-ground-force-2"]))
        table.then_refused("wrong-transfer-landing", rule="TR.4", planet="luna")
        assert table.game.markers["control/luna"] == "letnev"


class TestTR5Production:
    def test_units_are_produced_in_one_of_the_two(self) -> None:
        planets = {"deneb": {"owner": "sol"}}
        docks = (unit("sol-space-dock-1", "jord"), unit("sol-space-dock-2", "deneb"))
        table = begin(
            two_systems(*docks, systems=systems(void={"planets": planets}), sheets={"sol": {"trade_goods": 9}})
        )
        table.play(
            says("sol", "done"), says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}, trade_goods=1)
        )
        table.when(says("sol", "produce", dock="sol-space-dock-2", units={"fighter": 1}, trade_goods=1))
        table.then_refused("transfer-produces-elsewhere", rule="TR.5", system="home-sol")

    def test_space_dock_is_not_built(self) -> None:
        table = begin(two_systems()).play(says("sol", "done")).then_open("TR.5")
        table.when(says("sol", "build-dock", planet="jord"))
        table.then_refused(
            "not-allowed-now",
            rule="TR.5",
            order="build-dock",
            places=Naming("TA.7"),
            orders=("pay", "mark", "play-card", "done"),
        )

    def test_at_several_docks_of_that_system(self) -> None:
        planets = systems(home_sol={"planets": {"jord": {"owner": "sol"}, "luna": {"owner": "sol"}}})
        docks = (unit("sol-space-dock-1", "jord"), unit("sol-space-dock-2", "luna"))
        table = two_systems(*docks, systems=planets, sheets={"sol": {"trade_goods": 9}})
        begin(table).play(says("sol", "done"))
        for dock in ("sol-space-dock-1", "sol-space-dock-2"):
            table.when(says("sol", "produce", dock=dock, units={"fighter": 1}, trade_goods=1))
            table.then(UnitPlaced, kind="fighter", at="home-sol", rule="TR.5")


class TestTRScuttleUnits:
    def test_in_a_transfer_too(self) -> None:
        units = (unit("sol-cruiser-1", "home-sol"), unit("sol-cruiser-2", "void"))
        table = galaxy(*units, sheets={"sol": {"tech": ["transfabrication"]}})
        table.play(
            says("sol", "take-action", action="transfer"), says("sol", "transfer", first="home-sol", second="void")
        )
        table.play(says("sol", "done")).then_open("TR.scuttle")
        table.when(says("sol", "scuttle", units=["sol-cruiser-2"])).then(
            UnitRemoved, fate="scuttled", rule="TR.scuttle"
        )
        table.when(says("sol", "done")).then_open("TR.5")

    def test_without_the_technology_it_is_passed(self) -> None:
        begin(two_systems()).when(says("sol", "done")).then(StepPassed, step="TR.scuttle")

    def test_not_when_production_has_begun(self) -> None:
        units = (unit("sol-space-dock-1", "jord"),)
        table = begin(two_systems(*units, sheets={"sol": {"tech": ["transfabrication"], "trade_goods": 2}}))
        table.play(says("sol", "done"), says("sol", "done")).then_open("TR.5")
        table.play(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}, trade_goods=1))
        table.when(says("sol", "scuttle", units=["sol-cruiser-1"])).then_refused(
            "not-allowed-now", rule="TR.5", order="scuttle", places=Naming("TA.scuttle", "TR.scuttle")
        )
