"""Twilight Imperium, TA.6, invasion combat, and TA.7: who fights for a planet, and what is produced."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import (
    NO_COUNTERS,
    activate,
    attack,
    galaxy,
    here,
    invade,
    land,
    leave,
    owned_by_mentak,
    says,
    some,
    systems,
    troops,
    unit,
)


class TestTA6InvasionCombat:
    def test_several_invasions_go_in_the_active_players_order(self) -> None:
        table = troops(2, unit("mentak-ground-force-1", "quann"), unit("mentak-ground-force-2", "rahn"))
        for at, planet in enumerate(("quann", "rahn"), 1):
            table.play(says("sol", "land-hostile", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.play(says("sol", "pick", member="rahn")).then_open("IC.3")
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-2"]))
        table.then(MarkerSet, marker="control/rahn", after="sol")
        table.when(says("sol", "pick", member="rahn")).then_refused(
            "no-such-member", rule="TA.6.planets", free=("quann",)
        )

    def test_invasion_must_be_fought_before_production(self) -> None:
        table = land(troops(1, unit("mentak-ground-force-1", "quann")), "quann", 1)
        table.when(says("sol", "done")).then_refused("pick-first", rule="TA.6", members=("quann",))
        table.when(says("mentak", "pick", member="quann")).then_refused(
            "step-of-another-side", rule="TA.6", seat="mentak"
        )

    def test_success_and_failure_on_two_planets_are_independent(self) -> None:
        owned = {"quann": {"owner": "mentak"}, "rahn": {"owner": "mentak"}}
        defenders = (unit("mentak-ground-force-1", "quann"), unit("mentak-ground-force-2", "rahn"))
        table = troops(2, *defenders, systems=systems(quann_space={"planets": owned}))
        for at, planet in enumerate(owned, 1):
            table.play(says("sol", "land-hostile", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.play(says("sol", "pick", member="quann"), says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        table.play(says("sol", "pick", member="rahn"), says("sol", "roll-combat", 1), says("mentak", "roll-combat", 8))
        table.play(says("sol", "assign-hits", to=["sol-ground-force-2"]))
        assert (table.game.markers["control/quann"], table.game.markers["control/rahn"]) == ("sol", "mentak")


class TestICWithoutRetreat:
    def test_ground_combat_has_no_retreat(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).when(says("sol", "announce-retreat"))
        table.then_refused(
            "not-allowed-now",
            rule="IC.3",
            order="announce-retreat",
            places=Naming("SB.1"),
            orders=("roll-combat", "play-card"),
        )

    def test_landed_troops_cannot_board_again(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).play(says("sol", "roll-combat", 1))
        table.play(says("mentak", "roll-combat", 1)).then_open("IC.3")
        table.when(says("sol", "move", unit="sol-ground-force-1", path=["quann", "quann-space"]))
        table.then_refused("not-in-this-step", rule="IC.3", order="move")

    def test_pds_landing_among_friendly_troops_starts_no_combat(self) -> None:
        units = (unit("sol-carrier-1", "wellon-space"), unit("sol-pds-1", "wellon-space"))
        table = galaxy(*units, unit("sol-ground-force-1", "wellon"))
        leave(activate(table, "wellon-space"), "TA.2", "TA.probe").then_open("TA.5.friendly")
        table.when(says("sol", "land-friendly", planet="wellon", units=["sol-pds-1"])).then(StepPassed, step="TA.6")


class TestIC1Bombardment:
    def test_hits_remove_ground_forces(self) -> None:
        table = invade(1, unit("sol-war-sun-1", "wellon-space"), *some("mentak-ground-force", 3, "quann")).then_open(
            "IC.1"
        )
        table.when(says("sol", "bombard", 3, 2, 10, ship="sol-war-sun-1"))
        table.then(DiceRolled, dice="3d10", needed=Naming(3), outcome=Naming(2), rule="IC.1")
        assert here(table, "quann", "mentak") == ["mentak-ground-force-3"]

    def test_dreadnought_does_not_bombard_a_planet_with_enemy_pds(self) -> None:
        heavy = (unit("sol-war-sun-1", "wellon-space"), unit("sol-dreadnought-1", "wellon-space"))
        table = invade(1, *heavy, unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1"))
        table.then_refused("pds-protects-planet", rule="Twilight Imperium 3 IC.1")

    def test_war_sun_bombards_a_planet_with_enemy_pds(self) -> None:
        table = invade(
            1,
            unit("sol-war-sun-1", "wellon-space"),
            unit("mentak-pds-1", "quann"),
            unit("mentak-ground-force-1", "quann"),
        )
        table.when(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1")).then(
            UnitRemoved, unit="mentak-ground-force-1"
        )

    def test_dreadnought_bombards_a_planet_without_enemy_pds(self) -> None:
        table = invade(1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "bombard", 5, ship="sol-dreadnought-1")).then(UnitRemoved, unit="mentak-ground-force-1")

    def test_ship_bombards_once(self) -> None:
        table = invade(1, *some("sol-dreadnought", 2, "wellon-space"), *some("mentak-ground-force", 2, "quann"))
        table.play(says("sol", "bombard", 1, ship="sol-dreadnought-1"))
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1"))
        table.then_refused("bombarded-already", rule="IC.1")

    def test_only_the_planet_that_is_fought_for(self) -> None:
        table = invade(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1", planet="rahn"))
        table.then_refused("planet-not-fought-for", rule="IC.1", planet="rahn", contested="quann")

    def test_war_sun_bombards_without_an_invasion(self) -> None:
        table = troops(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        leave(table, "TA.5").then_open("TA.6.suns")
        table.when(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1", planet="quann"))
        table.then(UnitRemoved, unit="mentak-ground-force-1", rule="IC.1")

    def test_dreadnought_does_not_bombard_without_an_invasion(self) -> None:
        heavy = (unit("sol-war-sun-1", "wellon-space"), unit("sol-dreadnought-1", "wellon-space"))
        table = troops(1, *heavy, unit("mentak-ground-force-1", "quann"))
        leave(table, "TA.5")
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1", planet="quann"))
        table.then_refused("planet-not-invaded", rule="IC.1")

    def test_bombarded_planet_keeps_its_owner(self) -> None:
        units = (unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table = leave(troops(1, *units, systems=owned_by_mentak()), "TA.5").then_open("TA.6.suns")
        table.play(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1", planet="quann"))
        assert (here(table, "quann"), table.game.markers["control/quann"]) == ([], "mentak")

    def test_pds_and_docks_are_not_hit(self) -> None:
        defenders = (unit("mentak-pds-1", "quann"), unit("mentak-space-dock-1", "quann"))
        table = invade(1, unit("sol-war-sun-1", "wellon-space"), *defenders, unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1"))
        assert here(table, "quann", "mentak") == ["mentak-pds-1", "mentak-space-dock-1"]


class TestIC2PDS:
    def test_pds_of_the_planet_fire_one_shot_each_at_the_invaders(self) -> None:
        table = invade(2, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann")).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 6, 5))
        table.then(DiceRolled, dice="2d10", needed=Naming(6), outcome=Naming(1), rule="IC.2")
        assert here(table, "quann", "sol") == ["sol-ground-force-2"]
        table.then_open("IC.3")

    def test_naming_one_pds_keeps_the_shots_of_the_others(self) -> None:
        table = invade(3, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann")).then_open("IC.2")
        table.play(says("mentak", "fire-pds", 5, pds=["mentak-pds-1"])).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 9, pds=["mentak-pds-1"]))
        table.then_refused("cannot-fire", rule="IC.2", unit="mentak-pds-1", units="mentak-pds-2")
        table.when(says("mentak", "fire-pds", 9)).then(UnitRemoved, unit="sol-ground-force-1")
        table.then_open("IC.3")

    def test_pds_that_fired_at_the_ships_fires_at_invaders_too(self) -> None:
        """The PDS on Quann reaches the system itself; its shot at the fleet is another."""
        units = (unit("sol-carrier-1", "wellon-space"), unit("sol-ground-force-1", "wellon-space"))
        defenders = (unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table = galaxy(*units, *defenders, systems=systems(quann_space=NO_COUNTERS), domains={})
        attack(table, ("wellon-space", "quann-space"), "sol-carrier-1", "sol-ground-force-1").then_open("TA.3.enemy")
        land(table.play(says("mentak", "fire-pds", 1)), "quann", 1)
        table.play(says("sol", "pick", member="quann")).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 10)).then(UnitRemoved, unit="sol-ground-force-1")

    def test_attacker_does_not_fire_pds(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann")).when(says("sol", "fire-pds", 9))
        table.then_refused("step-of-another-side", rule="IC.2", seat="sol")

    def test_planet_with_only_pds_falls_to_any_survivor_at_once(self) -> None:
        table = invade(2, unit("mentak-pds-1", "quann"), systems=owned_by_mentak())
        table.when(says("mentak", "fire-pds", 6)).then(MarkerSet, marker="control/quann", after="sol", rule="IC.5")
        table.then(UnitRemoved, unit="mentak-pds-1", at="quann", rule="IC.5")
        table.then(StepPassed, step="IC.rounds")

    def test_planet_with_only_pds_remains_if_all_invaders_die(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann"), systems=owned_by_mentak())
        table.when(says("mentak", "fire-pds", 6)).then_not(MarkerSet, marker="control/quann")
        assert table.game.markers["control/quann"] == "mentak"

    def test_hits_fall_on_ground_forces_alone(self) -> None:
        table = invade(1, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann"))
        table.given(UnitPlaced(unit="sol-leader-7", side="sol", kind="leader", at="quann"))
        table.when(says("mentak", "fire-pds", 9, 9)).then(UnitRemoved, unit="sol-ground-force-1")
        assert "sol-leader-7" in here(table, "quann", "sol")


class TestIC3Dice:
    def test_both_sides_roll_before_casualties(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).play(says("sol", "roll-combat", 8)).then_open("IC.3")
        table.when(says("mentak", "roll-combat", 1))
        table.then_open("IC.4").when(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        table.then(UnitRemoved, unit="mentak-ground-force-1", rule="IC.4")

    def test_mercenary_fights_with_its_own_value(self) -> None:
        table = invade(1, unit("mentak-mercenary-1", "quann")).play(says("sol", "roll-combat", 1))
        table.when(says("mentak", "roll-combat", 7)).then(DiceRolled, needed=Naming(7), outcome=Naming(1))

    def test_ground_forces_roll_one_die_each_and_pds_and_ships_none(self) -> None:
        table = invade(2, unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table.play(says("mentak", "done")).then_open("IC.3")
        table.when(says("sol", "roll-combat", 8, 7))
        table.then(
            DiceRolled, subjects=("sol-ground-force-1", "sol-ground-force-2"), needed=Naming(8), outcome=Naming(1)
        )
        table.when(says("mentak", "roll-combat", 8, 8)).then_refused("too-many-pips", rule="dice", unused=1)
        table.when(says("mentak", "roll-combat", 8)).then(DiceRolled, subjects=("mentak-ground-force-1",))

    def test_dice_are_required(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "done")).then_refused("orders-required", rule="IC.3", orders=("roll-combat",))


class TestIC4Casualties:
    def test_rounds_continue_while_both_sides_have_units(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).play(says("sol", "roll-combat", 1))
        table.when(says("mentak", "roll-combat", 1)).then_open("IC.3")

    def both_hit(self) -> Story:
        """Let each side score a hit on Quann; a force of Sol fights on Rahn too."""
        table = troops(3, *some("mentak-ground-force", 2, "quann"), unit("mentak-ground-force-3", "rahn"))
        table.play(says("sol", "land-hostile", planet="rahn", units=["sol-ground-force-3"]))
        names = ["sol-ground-force-1", "sol-ground-force-2"]
        table.play(says("sol", "land-hostile", planet="quann", units=names), says("sol", "pick", member="quann"))
        table.play(says("sol", "roll-combat", 8, 1), says("mentak", "roll-combat", 8, 1))
        return table.then_open("IC.4")

    def test_sides_take_casualties_from_the_planet_fought_for(self) -> None:
        table = self.both_hit().when(says("sol", "assign-hits", to=["sol-ground-force-3"]))
        table.then_refused(
            "cannot-take-hit",
            rule="IC.4",
            unit="sol-ground-force-3",
            units="sol-ground-force-1, sol-ground-force-2",
            reason="elsewhere",
        )
        table.when(says("sol", "assign-hits", to=["mentak-ground-force-1"])).then_refused(
            "unit-of-another-side", rule="IC.4"
        )
        table.when(says("sol", "assign-hits", to=["sol-ground-force-2"]))
        table.then(UnitRemoved, unit="sol-ground-force-2", fate="destroyed", rule="IC.4")

    def test_unit_that_takes_no_hits_is_refused_with_the_reason(self) -> None:
        table = self.both_hit()
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-3"]))
        table.then_refused(
            "cannot-take-hit",
            rule="IC.4",
            places="quann",
            why="it is in rahn",
            units="mentak-ground-force-1, mentak-ground-force-2",
            reason="elsewhere",
        )

    def test_landed_pds_takes_no_hit(self) -> None:
        foes = (*some("mentak-ground-force", 2, "quann"), unit("mentak-ground-force-3", "rahn"))
        table = troops(2, *foes, unit("sol-pds-1", "wellon-space"))
        names = ["sol-ground-force-1", "sol-ground-force-2"]
        table.play(says("sol", "land-hostile", planet="quann", units=names))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 8, 1))
        table.when(says("sol", "assign-hits", to=["sol-pds-1"]))
        table.then_refused(
            "cannot-take-hit",
            rule="IC.4",
            unit="sol-pds-1",
            units="sol-ground-force-1, sol-ground-force-2",
            reason="wrong-kind",
        )

    def test_another_round_begins_with_the_dice(self) -> None:
        table = self.both_hit().play(says("sol", "assign-hits", to=["sol-ground-force-2"]))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-2"])).then_open("IC.3")


class TestIC5SuccessOrFailure:
    def test_success_destroys_pds_and_docks_and_exhausts_the_card(self) -> None:
        defenders = (
            unit("mentak-pds-1", "quann"),
            unit("mentak-space-dock-1", "quann"),
            unit("mentak-ground-force-1", "quann"),
        )
        table = invade(1, *defenders, systems=owned_by_mentak()).play(says("mentak", "fire-pds", 1))
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        table.then(UnitRemoved, unit="mentak-pds-1", rule="IC.5")
        table.then(UnitRemoved, unit="mentak-space-dock-1", rule="IC.5")
        table.then(MarkerSet, marker="control/quann", before="mentak", after="sol", rule="IC.5")
        table.then(MarkerSet, marker="exhausted/quann", after=True)

    def test_last_die_may_lose_the_invasion(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 7), says("mentak", "roll-combat", 8))
        table.when(says("sol", "assign-hits", to=["sol-ground-force-1"])).then_open("TA.7")
        assert table.game.markers["control/quann"] == "mentak"
        assert here(table, "quann") == ["mentak-ground-force-1"]
        table.then(MarkerSet, marker="now/field", after=None, cause=Naming("quann", "Mentak Coalition"))

    def test_success_is_not_recorded_as_a_failure(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        table.then(MarkerSet, marker="now/field", cause="")

    def test_when_all_are_destroyed_the_defender_keeps_the_planet(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 8))
        table.play(says("sol", "assign-hits", to=["sol-ground-force-1"]))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-1"])).then_open("TA.7")
        assert table.game.markers["control/quann"] == "mentak"

    def test_pds_of_another_planet_survive(self) -> None:
        defenders = (unit("mentak-pds-2", "rahn"), unit("mentak-ground-force-1", "quann"))
        table = invade(1, *defenders, systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        assert (table.game.markers["control/quann"], here(table, "rahn")) == ("sol", ["mentak-pds-2"])


class TestTA7Production:
    def docked(self, *units: dict[str, Any], **more: Any) -> Story:
        more = {"sheets": {"sol": {"trade_goods": 2, **more.pop("sheet", {})}}, **more}
        table = galaxy(unit("sol-space-dock-1", "jord"), unit("sol-carrier-1", "home-sol"), *units, **more)
        return activate(table, "home-sol").play(says("sol", "done")).then_open("TA.7")

    def test_ships_come_into_space_and_the_rest_to_the_planet(self) -> None:
        table = self.docked().when(
            says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1, "ground-force": 2}, exhaust=["jord"])
        )
        table.then(UnitPlaced, unit="sol-cruiser-1", at="home-sol", rule="TA.7")
        table.then(UnitPlaced, unit="sol-ground-force-2", at="jord")
        table.then(MarkerSet, marker="exhausted/jord", after=True, cause=Naming(3))

    def test_counters_that_were_destroyed_come_back_under_another_id(self) -> None:
        table = self.docked(unit("sol-cruiser-1", "void"))
        table.given(UnitRemoved(unit="sol-cruiser-1", fate="destroyed", at="void"))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, trade_goods=2))
        table.then(UnitPlaced, unit="sol-cruiser-2", at="home-sol")
        table.then(AccountChanged, account="trade-goods/sol", before=2, after=0)

    @pytest.mark.parametrize(
        ("order", "code", "fields"),
        [
            (
                {"units": {"war-sun": 1}, "exhaust": ["jord"]},
                "paid-too-little",
                {"cost": 12, "given": 4, "missing": 8},
            ),
            (
                {"units": {"carrier": 4}, "exhaust": ["jord"]},
                "too-few-pieces",
                {"left": 3, "limit": 4, "kind": "carrier"},
            ),
            ({"units": {"space-dock": 1}}, "kind-not-produced", {"kind": "space-dock", "kinds": Naming("war-sun")}),
            ({"units": {"battleship": 1}}, "kind-not-produced", {"kind": "battleship", "kinds": Naming("war-sun")}),
            ({"units": {"fighter": 1}, "trade_goods": 3}, "too-few-trade-goods", {"side": "sol", "limit": 2}),
            (
                {"units": {"fighter": 1}, "exhaust": ["quann"]},
                "planet-not-ready",
                {"planet": "quann", "planets": "jord, lodor, wellon"},
            ),
            (
                {"units": {"fighter": 1}, "dock": "sol-carrier-1"},
                "no-such-dock",
                {"dock": "sol-carrier-1", "docks": "sol-space-dock-1"},
            ),
        ],
    )
    def test_invalid_production_is_refused(self, order: dict[str, Any], code: str, fields: dict[str, Any]) -> None:
        table = self.docked().when(says("sol", "produce", **{"dock": "sol-space-dock-1", **order}))
        table.then_refused(code, rule="Twilight Imperium 3 TA.7", **fields)

    def test_exhausted_card_does_not_pay_again(self) -> None:
        table = self.docked().given(MarkerSet(marker="exhausted/jord", before=None, after=True))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then_refused("planet-not-ready", rule="TA.7", planet="jord", planets="lodor, wellon")

    def test_dock_produces_once_in_an_activation(self) -> None:
        table = self.docked().play(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, trade_goods=1))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, trade_goods=1))
        table.then_refused("dock-has-produced", rule="TA.7")

    def test_ships_are_not_built_in_a_system_with_enemy_ships(self) -> None:
        """Here they blockade a dock whose owner has lost his fleet."""
        table = galaxy(unit("sol-space-dock-1", "jord"), unit("letnev-cruiser-1", "home-sol"))
        activate(table, "home-sol").play(says("sol", "done"))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then_refused("enemy-ships-in-system", rule="TA.7", enemies="letnev-cruiser-1")
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"pds": 1}, exhaust=["jord"])).then_accepted()

    def test_option_lets_ships_be_built_in_a_system_with_enemies(self) -> None:
        """Twilight Imperium 3 TA.7: the page prints no such limit."""
        units = (unit("sol-space-dock-1", "jord"), unit("letnev-cruiser-1", "home-sol"))
        table = activate(galaxy(*units, options={"blockade": False}), "home-sol").play(says("sol", "done"))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then(UnitPlaced, unit="sol-cruiser-1", at="home-sol")

    def test_new_ships_count_when_the_limit_covers_the_system(self) -> None:
        table = self.docked(*some("sol-destroyer", 3, "home-sol"), options={"fleet_limit": "system"})
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then_refused("fleet-too-large-to-produce", rule="TA.7", given=5, system="home-sol", limit=4, excess=1)

    def test_destroyed_dock_does_not_produce(self) -> None:
        table = self.docked(unit("sol-space-dock-2", "jord")).given(
            UnitRemoved(unit="sol-space-dock-1", fate="destroyed", at="jord")
        )
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}, trade_goods=1))
        table.then_refused("unit-removed", rule="TA.7", unit="sol-space-dock-1")

    def test_produced_units_do_not_move_in_the_same_action(self) -> None:
        table = self.docked().play(
            says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"])
        )
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.then_refused("not-allowed-now", rule="TA.7", order="move-ships", places=Naming("TA.2", "TR.2"))


class TestTA7SpaceDocks:
    def at(self, since: int, *units: dict[str, Any]) -> Story:
        table = galaxy(*units, sheets={"sol": {"trade_goods": 4}})
        table.given(MarkerSet(marker="since/wellon", before=0, after=since))
        return activate(table, "wellon-space").play(says("sol", "done"))

    def test_dock_is_built_on_a_planet_owned_for_the_whole_round(self) -> None:
        table = self.at(0).when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then(UnitPlaced, kind="space-dock", at="wellon", rule="TA.7")

    def test_new_dock_does_not_produce_at_once(self) -> None:
        table = self.at(0).play(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}))
        table.then_refused("dock-built-now", rule="TA.7", docks="sol-space-dock-1")

    def test_dock_is_not_built_after_production(self) -> None:
        table = self.at(0, unit("sol-space-dock-9", "wellon-space"))
        table.play(says("sol", "produce", dock="sol-space-dock-9", units={"fighter": 2}, trade_goods=1))
        table.when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused("built-or-produced-already", rule="TA.7", done="units were produced")

    def test_not_on_a_planet_won_in_this_round(self) -> None:
        table = self.at(1).when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused("planet-not-yours-for-a-round", rule="TA.7", planet="wellon")

    def test_second_dock_is_not_built_on_a_planet(self) -> None:
        table = self.at(0, unit("sol-space-dock-1", "wellon")).when(
            says("sol", "build-dock", planet="wellon", trade_goods=4)
        )
        table.then_refused("dock-there-already", rule="TA.7", planet="wellon")

    def test_dock_is_not_built_on_a_planet_of_another_player(self) -> None:
        table = (
            activate(galaxy(), "home-letnev")
            .play(says("sol", "done"))
            .when(says("sol", "build-dock", planet="arc-prime"))
        )
        table.then_refused("planet-not-yours", rule="TA.7", planet="arc-prime")

    def test_only_a_dock_and_only_while_pieces_last(self) -> None:
        table = self.at(0, *some("sol-space-dock", 3, "jord")).when(
            says("sol", "build-dock", planet="wellon", kind="pds")
        )
        table.then_refused("kind-is-no-dock", rule="TA.7", kind="pds", kinds="space-dock")
        table.when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused("no-dock-left", rule="TA.7")

    def test_not_on_a_planet_that_was_lost_and_retaken(self) -> None:
        table = galaxy(sheets={"sol": {"trade_goods": 4}})
        table.given(MarkerSet(marker="control/wellon", before="sol", after="mentak"))
        table.given(MarkerSet(marker="control/wellon", before="mentak", after="sol"))
        table.given(MarkerSet(marker="since/wellon", before=0, after=1))
        activate(table, "wellon-space").play(says("sol", "done"))
        table.when(says("sol", "build-dock", planet="wellon", trade_goods=4)).then_refused(
            "planet-not-yours-for-a-round", rule="TA.7"
        )


class TestTAScuttleUnits:
    def test_transfabrication_makes_trade_goods_before_production(self) -> None:
        table = galaxy(*some("sol-fighter", 2, "home-sol"), sheets={"sol": {"tech": ["transfabrication"]}})
        activate(table, "void").play(says("sol", "done")).then_open("TA.scuttle")
        table.when(says("sol", "scuttle", units=["sol-fighter-1", "sol-fighter-2"]))
        table.then(UnitRemoved, unit="sol-fighter-1", fate="scuttled", rule="TA.scuttle")
        table.then(AccountChanged, account="trade-goods/sol", before=0, after=2, rule="TA.scuttle")
        table.when(says("sol", "done")).then_open("TA.7")

    def test_without_it_nothing_is_scuttled(self) -> None:
        table = activate(galaxy(unit("sol-fighter-1", "home-sol")), "void")
        table.when(says("sol", "done")).then(StepPassed, step="TA.scuttle")

    def test_only_units_of_ones_own(self) -> None:
        units = (unit("letnev-fighter-1", "home-letnev"), unit("sol-fighter-1", "home-sol"))
        table = galaxy(*units, sheets={"sol": {"tech": ["transfabrication"]}})
        activate(table, "void").play(says("sol", "done")).when(says("sol", "scuttle", units=["letnev-fighter-1"]))
        table.then_refused("unit-of-another-side", rule="TA.scuttle", side="Barony of Letnev")

    def test_not_when_production_has_begun(self) -> None:
        units = (unit("sol-fighter-1", "home-sol"), unit("sol-carrier-1", "home-sol"), unit("sol-space-dock-1", "jord"))
        table = galaxy(*units, sheets={"sol": {"tech": ["transfabrication"]}})
        activate(table, "home-sol").play(says("sol", "done"), says("sol", "done")).then_open("TA.7")
        table.when(says("sol", "scuttle", units=["sol-fighter-1"])).then_refused(
            "not-allowed-now", rule="TA.7", order="scuttle", places=Naming("TA.scuttle", "TR.scuttle")
        )

    def test_scuttled_units_are_removed(self) -> None:
        units = (unit("sol-fighter-1", "home-sol"), unit("sol-carrier-1", "home-sol"))
        table = galaxy(*units, sheets={"sol": {"tech": ["transfabrication"]}})
        activate(table, "void").play(says("sol", "done"), says("sol", "scuttle", units=["sol-fighter-1"]))
        table.when(says("sol", "scuttle", units=["sol-fighter-1"])).then_refused(
            "unit-removed", rule="TA.scuttle", unit="sol-fighter-1"
        )
