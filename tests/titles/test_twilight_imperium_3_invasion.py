"""Twilight Imperium, from the landings to production: TA.5, TA.6, IC, TA.7 and what stands between them."""

from typing import Any

import pytest

from tests.titles.twilight_imperium_3_table import activate, attack, galaxy, here, says, some, systems, unit
from umpire_ledger.domain.game.events import (
    AccountChanged,
    ChoiceRevealed,
    DiceRolled,
    MarkerSet,
    StepOpened,
    StepPassed,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from umpire_ledger.domain.game.events import UnitChanged as Changed
from umpire_ledger.testing.story import Story

NO_COUNTERS: dict[str, Any] = {"planets": {"quann": {"resources": 2}, "rahn": {}}}


def troops(number: int, *units: dict[str, Any], **more: Any) -> Story:
    """A Carrier with so many Ground Forces, and what else stands at Wellon, is at Quann; no PDS fires at the ships."""
    wellon = (unit("sol-carrier-1", "wellon-space"), *some("sol-ground-force", number, "wellon-space"))
    more = {"systems": systems(quann_space=NO_COUNTERS), "domains": {}, **more}
    table = galaxy(*wellon, *units, **more)
    attack(table, ("wellon-space", "quann-space"), *here(table, "wellon-space", "sol"))
    return leave(table, "TA.3")


def leave(table: Story, *steps: str) -> Story:
    """Whoever is waited for has nothing to do in steps that begin so."""
    while table.game.cursor.open[0].step.startswith(steps):
        table.play(says(table.game.cursor.waiting()[0], "done"))
    return table


def land(table: Story, planet: str, number: int, how: str = "hostile") -> Story:
    """So many Ground Forces land there, and nobody else anywhere."""
    names = [f"sol-ground-force-{at}" for at in range(1, number + 1)]
    while table.game.cursor.open[0].step != f"TA.5.{how}":
        table.play(says("sol", "done"))
    return leave(table.play(says("sol", f"land-{how}", planet=planet, units=names)), "TA.5")


def invade(number: int, *defenders: dict[str, Any], **more: Any) -> Story:
    """So many Ground Forces land on Quann, which is picked to be fought for."""
    table = land(troops(number, *defenders, **more), "quann", number)
    return leave(table, "TA.landpds", "TA.raze", "TA.6.suns").play(says("sol", "pick", member="quann"))


def owned_by_mentak(**more: Any) -> dict[str, Any]:
    return systems(quann_space={"planets": {"quann": {"owner": "mentak", "resources": 2}, "rahn": {}}}, **more)


class TestTA5Landings:
    def test_a_friendly_landing_reinforces(self) -> None:
        table = troops(1, systems=systems(quann_space={"planets": {"quann": {"owner": "sol"}}})).then_open(
            "TA.5.friendly"
        )
        table.when(says("sol", "land-friendly", planet="quann", units=["sol-ground-force-1"]))
        table.then(UnitMoved, unit="sol-ground-force-1", path=("quann-space", "quann"), rule="TA.5.friendly")
        table.then_open("TA.7")

    def test_pds_land_on_a_planet_of_ones_own(self) -> None:
        """TA.5: no invasion is needed for that, and they need no Ground Force beside them."""
        table = galaxy(unit("sol-carrier-1", "wellon-space"), unit("sol-pds-1", "wellon-space"))
        leave(activate(table, "wellon-space"), "TA.2", "TA.probe").then_open("TA.5.friendly")
        table.when(says("sol", "land-friendly", planet="wellon", units=["sol-pds-1"]))
        assert here(table, "wellon", "sol") == ["sol-pds-1"]

    def test_on_a_planet_of_nobody_they_do_not(self) -> None:
        table = troops(1, unit("sol-pds-1", "wellon-space"))
        table.when(says("sol", "land-neutral", planet="rahn", units=["sol-pds-1"]))
        table.then_refused(rule="TA.5.neutral", says="sol-pds-1 cannot land on rahn", do="sol-ground-force-1")

    def test_a_neutral_landing_claims_the_planet(self) -> None:
        table = land(troops(1), "quann", 1, "neutral").when(says("sol", "pick", member="quann"))
        table.then(MarkerSet, marker="control/quann", before=None, after="sol", rule="TA.5.neutral")
        table.then(MarkerSet, marker="since/quann", after=1)
        table.then(MarkerSet, marker="exhausted/quann", after=True)

    def test_a_hostile_landing_is_an_invasion(self) -> None:
        table = land(troops(1, unit("mentak-ground-force-1", "quann")), "quann", 1)
        table.when(says("sol", "pick", member="quann")).then(StepOpened, step="IC.3")

    def test_an_enemy_planet_without_units_is_taken_without_a_fight(self) -> None:
        table = land(troops(1, systems=owned_by_mentak()), "quann", 1).when(says("sol", "pick", member="quann"))
        table.then(MarkerSet, marker="control/quann", before="mentak", after="sol", rule="IC.5")

    @pytest.mark.parametrize(
        ("how", "planet", "is_"),
        [("friendly", "quann", "hostile"), ("neutral", "quann", "hostile"), ("hostile", "rahn", "neutral")],
    )
    def test_each_landing_has_its_own_planets(self, how: str, planet: str, is_: str) -> None:
        owned = {"quann": {}, "rahn": {}, "third": {"owner": "sol"}}
        table = troops(2, unit("mentak-pds-1", "quann"), systems=systems(quann_space={"planets": owned}))
        while table.game.cursor.open[0].step != f"TA.5.{how}":
            table.play(says("sol", "done"))
        table.when(says("sol", f"land-{how}", planet=planet, units=["sol-ground-force-1"]))
        table.then_refused(rule=f"TA.5.{how}", says=f"a landing on {planet} is {is_}", do=f"use `land-{is_}`")

    def test_several_planets_are_landed_on_before_anybody_fights(self) -> None:
        table = troops(2, unit("mentak-ground-force-1", "quann")).then_open("TA.5.neutral")
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-2"])).play(says("sol", "done"))
        table.play(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-1"])).then_open("TA.6.planets")

    def test_landings_are_over_when_nobody_is_left_aboard(self) -> None:
        table = troops(1).then_open("TA.5.neutral")
        table.when(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-1"])).then_open("TA.6.planets")

    def test_a_landing_is_undone_until_dice_fall(self) -> None:
        table = troops(1).play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-1"]))
        table.play(says("sol", "undo")).then_open("TA.5.neutral")

    def test_once_combat_has_begun_nobody_else_lands(self) -> None:
        table = land(troops(2, unit("mentak-ground-force-1", "quann")), "quann", 1)
        table.play(says("sol", "pick", member="quann"))
        table.when(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-2"]))
        table.then_refused(rule="IC.3", says="it belongs to TA.5.hostile", do="allowed here: roll-combat")

    def test_only_ground_units_in_space_there_land(self) -> None:
        table = leave(troops(1, unit("mentak-ground-force-1", "quann")), "TA.5.neutral")
        table.when(says("sol", "land-hostile", planet="quann", units=["sol-carrier-1"]))
        table.then_refused(rule="TA.5.hostile", says="sol-carrier-1 cannot land on quann", do="sol-ground-force-1")

    def test_a_planet_elsewhere_is_not_landed_on(self) -> None:
        table = leave(troops(1, unit("mentak-ground-force-1", "quann")), "TA.5.neutral")
        table.when(says("sol", "land-hostile", planet="jord", units=["sol-ground-force-1"]))
        table.then_refused(rule="TA.5.hostile", says="jord is no planet of the activated system", do="quann, rahn")


class TestWhoClaims:
    def test_mercenaries_and_leaders_do_not(self) -> None:
        table = troops(0, unit("sol-mercenary-1", "wellon-space"))
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-mercenary-1"]))
        table.when(says("sol", "pick", member="rahn")).then_not(MarkerSet, marker="control/rahn")
        assert "sol-mercenary-1" in here(table, "rahn")

    def test_pds_do_not(self) -> None:
        """They land with an invasion only, and the Ground Force beside them did not live through the counter."""
        table = troops(
            1, unit("sol-pds-1", "wellon-space"), systems=systems(quann_space={"planets": {"quann": {"domain": True}}})
        )
        land(table, "quann", 1, "neutral").then_open("TA.landpds")
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]), says("sol", "done"))
        table.play(says("sol", "pick", member="quann"), says("sol", "resolve-domain", counter="radiation"))
        table.play(says("sol", "remove", unit="sol-ground-force-1", cause="radiation"))
        table.when(says("sol", "done")).then(UnitRemoved, unit="sol-pds-1", cause="the invasion failed")
        assert "control/quann" not in table.game.markers


class TestDomainCounters:
    def landed(self, *units: dict[str, Any], **more: Any) -> Story:
        counters = systems(quann_space={"planets": {"quann": {"domain": True}}})
        more = {"systems": counters, "domains": {"quann": "radiation"}, **more}
        return land(troops(2, *units, **more), "quann", 2, "neutral")

    def test_whoever_lands_resolves_the_counter_before_he_claims(self) -> None:
        table = self.landed().play(says("sol", "pick", member="quann")).then_open("TA.6.counter")
        table.when(says("sol", "resolve-domain"))
        table.then(ChoiceRevealed, question="domain/quann", side="referee", choice="radiation", rule="TA.5.neutral")
        table.then(MarkerSet, marker="domain/quann", before="face down", after=None)
        table.play(says("sol", "remove", unit="sol-ground-force-2", cause="radiation"))
        table.when(says("sol", "done")).then(MarkerSet, marker="control/quann", after="sol")

    def test_it_must_be_resolved(self) -> None:
        table = self.landed().play(says("sol", "pick", member="quann")).when(says("sol", "done"))
        table.then_refused(rule="TA.6.counter", says="domain counter is not resolved", do="resolve-domain")

    def test_it_is_resolved_once(self) -> None:
        table = self.landed().play(says("sol", "pick", member="quann"), says("sol", "resolve-domain"))
        table.when(says("sol", "resolve-domain")).then_refused(
            rule="TA.5.neutral", says="is resolved", do="`done` goes on"
        )

    def test_one_that_lies_on_the_table_is_read_out(self) -> None:
        table = self.landed(domains={}).play(says("sol", "pick", member="quann")).when(says("sol", "resolve-domain"))
        table.then_refused(rule="TA.5.neutral", says="not said what lies on quann", do='"counter"')
        table.when(says("sol", "resolve-domain", counter="hostage")).then(ChoiceRevealed, choice="hostage")

    def test_one_that_the_ledger_knows_is_not_guessed(self) -> None:
        table = self.landed().play(says("sol", "pick", member="quann"))
        table.when(says("sol", "resolve-domain", counter="hostage"))
        table.then_refused(rule="TA.5.neutral", says="the ledger knows this counter", do="leave `counter` out")

    def test_a_dreadnought_razes_it_unseen(self) -> None:
        table = self.landed(unit("sol-dreadnought-1", "wellon-space")).then_open("TA.raze")
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="quann"))
        table.then(MarkerSet, marker="domain/quann", before="face down", after=None, rule="TA.raze")
        table.then_not(ChoiceRevealed)
        table.then(Changed, unit="sol-dreadnought-1", attribute="bombarded", after=1)
        table.play(says("sol", "done")).when(says("sol", "pick", member="quann"))
        table.then(StepPassed, step="TA.6.counter")
        table.then(MarkerSet, marker="control/quann", after="sol")

    def test_only_on_a_planet_that_is_invaded(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        counters = systems(quann_space={"planets": planets})
        table = self.landed(unit("sol-dreadnought-1", "wellon-space"), systems=counters)
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="rahn"))
        table.then_refused(
            rule="TA.raze", says="rahn cannot be razed: it is not being invaded", do="name one of: quann"
        )

    def test_a_planet_that_is_not_on_the_map_is_told_as_such(self) -> None:
        table = self.landed(unit("sol-dreadnought-1", "wellon-space"))
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="atlantis"))
        table.then_refused(rule="TA.raze", says="atlantis is no planet of the activated system")

    def test_what_stood_there_before_this_activation_invades_nothing(self) -> None:
        """A mercenary from an earlier landing is no invasion: the counter beside it is not razed."""
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        counters = systems(quann_space={"planets": planets})
        table = self.landed(
            unit("sol-dreadnought-1", "wellon-space"), unit("sol-mercenary-1", "rahn"), systems=counters
        )
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="rahn"))
        table.then_refused(rule="TA.raze", says="rahn cannot be razed: it is not being invaded", do="quann")

    def test_a_ship_razes_or_bombards_once(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        table = troops(2, unit("sol-war-sun-1", "wellon-space"), systems=systems(quann_space={"planets": planets}))
        for at, planet in enumerate(planets, 1):
            table.play(says("sol", "land-neutral", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.play(says("sol", "raze", ship="sol-war-sun-1", planet="quann"))
        table.when(says("sol", "raze", ship="sol-war-sun-1", planet="rahn"))
        table.then_refused(rule="TA.raze", says="has used its one bombardment", do="another War Sun or Dreadnought")

    def test_a_cruiser_razes_nothing(self) -> None:
        table = self.landed(unit("sol-dreadnought-1", "wellon-space"), unit("sol-cruiser-1", "wellon-space"))
        table.when(says("sol", "raze", ship="sol-cruiser-1", planet="quann"))
        table.then_refused(rule="TA.raze", says="sol-cruiser-1 cannot bombard", do="name one of: sol-dreadnought-1")

    def test_where_no_counter_lies_nothing_is_razed(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {}}
        table = troops(2, unit("sol-war-sun-1", "wellon-space"), systems=systems(quann_space={"planets": planets}))
        for at, planet in enumerate(planets, 1):
            table.play(says("sol", "land-neutral", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.when(says("sol", "raze", ship="sol-war-sun-1", planet="rahn"))
        table.then_refused(rule="TA.raze", says="no domain counter lies there", do="name one of: quann")


class TestTAlandpds:
    def landing(self, *defenders: dict[str, Any]) -> Story:
        table = troops(1, unit("sol-pds-1", "wellon-space"), *defenders, systems=owned_by_mentak())
        return land(table, "quann", 1).then_open("TA.landpds")

    def test_pds_land_with_an_invasion(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.then(UnitMoved, unit="sol-pds-1", path=("quann-space", "quann"), rule="TA.landpds")

    def test_they_take_no_part_in_the_combat(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]), says("sol", "done"))
        table.play(says("sol", "pick", member="quann")).when(says("sol", "roll-combat", 1))
        table.then(DiceRolled, subjects=("sol-ground-force-1",))

    def test_they_are_destroyed_when_the_invasion_fails(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]), says("sol", "done"))
        table.play(says("sol", "pick", member="quann"), says("sol", "roll-combat", 1), says("mentak", "roll-combat", 8))
        table.when(says("sol", "assign-hits", to=["sol-ground-force-1"]))
        table.then(UnitRemoved, unit="sol-pds-1", cause="the invasion failed", rule="IC.5")

    def test_leaders_and_mercenaries_are_taken_away_with_them(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann"), unit("sol-mercenary-1", "wellon-space"))
        table.given(UnitMoved(unit="sol-mercenary-1", path=(table.game.units["sol-mercenary-1"].at, "quann")))
        table.given(Changed(unit="sol-mercenary-1", attribute="landed", before=None, after=1))
        table.given(UnitPlaced(unit="sol-ground-force-7", side="sol", kind="ground-force", at="quann"))
        table.given(UnitRemoved(unit="sol-ground-force-7", fate="destroyed"))
        table.play(says("mentak", "fire-pds", 10))
        assert here(table, "quann", "sol") == []

    def test_what_stood_there_before_is_not(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table.given(UnitPlaced(unit="sol-pds-7", side="sol", kind="pds", at="quann"))
        table.play(says("mentak", "fire-pds", 10))
        assert here(table, "quann", "sol") == ["sol-pds-7"]

    def test_they_stay_when_it_succeeds(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]), says("sol", "done"))
        table.play(says("sol", "pick", member="quann"), says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        assert here(table, "quann") == ["sol-ground-force-1", "sol-pds-1"]

    def test_only_on_a_planet_that_is_invaded(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="rahn", units=["sol-pds-1"]))
        table.then_refused(rule="TA.landpds", says="rahn is not being invaded", do="the invasion of: quann")

    def test_only_pds_that_are_aboard(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="quann", units=["sol-carrier-1"]))
        table.then_refused(rule="TA.landpds", says="sol-carrier-1 is no PDS aboard", do="sol-pds-1")


class TestIC1Bombardment:
    def test_hits_remove_ground_forces(self) -> None:
        table = invade(1, unit("sol-war-sun-1", "wellon-space"), *some("mentak-ground-force", 3, "quann")).then_open(
            "IC.1"
        )
        table.when(says("sol", "bombard", 3, 2, 10, ship="sol-war-sun-1"))
        table.then(DiceRolled, dice="3d10", needed="3 or more", outcome="2 hits", rule="IC.1")
        assert here(table, "quann", "mentak") == ["mentak-ground-force-3"]

    def test_a_dreadnought_does_not_bombard_where_an_enemy_pds_stands(self) -> None:
        table = invade(1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-pds-1", "quann"))
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1"))
        table.then_refused(
            rule="Twilight Imperium 3 IC.1", says="an enemy PDS stands there", do="bombard with a War Sun"
        )

    def test_a_war_sun_always_does(self) -> None:
        table = invade(
            1,
            unit("sol-war-sun-1", "wellon-space"),
            unit("mentak-pds-1", "quann"),
            unit("mentak-ground-force-1", "quann"),
        )
        table.when(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1")).then(
            UnitRemoved, unit="mentak-ground-force-1"
        )

    def test_a_dreadnought_does_where_there_is_none(self) -> None:
        table = invade(1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "bombard", 5, ship="sol-dreadnought-1")).then(UnitRemoved, unit="mentak-ground-force-1")

    def test_each_ship_bombards_once(self) -> None:
        table = invade(1, unit("sol-dreadnought-1", "wellon-space"), *some("mentak-ground-force", 2, "quann"))
        table.play(says("sol", "bombard", 1, ship="sol-dreadnought-1"))
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1"))
        table.then_refused(rule="IC.1", says="has used its one bombardment", do="go on")

    def test_only_the_planet_that_is_fought_for(self) -> None:
        table = invade(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table.when(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1", planet="rahn"))
        table.then_refused(rule="IC.1", says="rahn is not the planet that is fought for", do="bombard quann")

    def test_a_war_sun_bombards_without_an_invasion(self) -> None:
        table = troops(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        leave(table, "TA.5").then_open("TA.6.suns")
        table.when(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1", planet="quann"))
        table.then(UnitRemoved, unit="mentak-ground-force-1", rule="IC.1")

    def test_a_dreadnought_does_not(self) -> None:
        heavy = (unit("sol-war-sun-1", "wellon-space"), unit("sol-dreadnought-1", "wellon-space"))
        table = troops(1, *heavy, unit("mentak-ground-force-1", "quann"))
        leave(table, "TA.5")
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1", planet="quann"))
        table.then_refused(rule="IC.1", says="bombards only a planet that is invaded", do="land first")


class TestIC2PDS:
    def test_each_pds_of_the_planet_fires_one_shot_at_the_invaders(self) -> None:
        table = invade(2, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann")).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 6, 5))
        table.then(DiceRolled, dice="2d10", needed="6 or more", outcome="1 hit", rule="IC.2")
        assert here(table, "quann", "sol") == ["sol-ground-force-2"]
        table.then_open("IC.3")

    def test_one_that_is_named_leaves_the_others_their_shot(self) -> None:
        table = invade(3, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann")).then_open("IC.2")
        table.play(says("mentak", "fire-pds", 5, pds=["mentak-pds-1"])).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 9, pds=["mentak-pds-1"]))
        table.then_refused(rule="IC.2", says="mentak-pds-1 cannot fire there", do="fire with: mentak-pds-2")
        table.when(says("mentak", "fire-pds", 9)).then(UnitRemoved, unit="sol-ground-force-1")
        table.then_open("IC.3")

    def test_it_fires_though_it_has_fired_at_the_ships(self) -> None:
        """The PDS on Quann reaches the system itself; its shot at the fleet is another."""
        units = (unit("sol-carrier-1", "wellon-space"), unit("sol-ground-force-1", "wellon-space"))
        defenders = (unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table = galaxy(*units, *defenders, systems=systems(quann_space=NO_COUNTERS), domains={})
        attack(table, ("wellon-space", "quann-space"), "sol-carrier-1", "sol-ground-force-1").then_open("TA.3.enemy")
        land(table.play(says("mentak", "fire-pds", 1)), "quann", 1)
        table.play(says("sol", "pick", member="quann")).then_open("IC.2")
        table.when(says("mentak", "fire-pds", 10)).then(UnitRemoved, unit="sol-ground-force-1")

    def test_the_attacker_does_not_fire(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann")).when(says("sol", "fire-pds", 9))
        table.then_refused(rule="IC.2", says="sol may not act", do="wait for Mentak")

    def test_a_planet_with_nothing_but_pds_falls_to_a_survivor_without_a_round(self) -> None:
        table = invade(2, unit("mentak-pds-1", "quann"), systems=owned_by_mentak())
        table.when(says("mentak", "fire-pds", 6)).then(MarkerSet, marker="control/quann", after="sol", rule="IC.5")
        table.then(UnitRemoved, unit="mentak-pds-1", cause="quann has fallen")
        table.then(StepPassed, step="IC.rounds")

    def test_and_holds_when_nobody_survives(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann"), systems=owned_by_mentak())
        table.when(says("mentak", "fire-pds", 6)).then_not(MarkerSet, marker="control/quann")
        assert table.game.markers["control/quann"] == "mentak"


class TestICRounds:
    def test_both_roll_before_anybody_falls(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).play(says("sol", "roll-combat", 8)).then_open("IC.3")
        table.when(says("mentak", "roll-combat", 1))
        table.then_open("IC.4").when(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        table.then(UnitRemoved, unit="mentak-ground-force-1", rule="IC.4")

    def test_rounds_go_on_while_both_have_units(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).play(says("sol", "roll-combat", 1))
        table.when(says("mentak", "roll-combat", 1)).then_open("IC.3")

    def test_nobody_withdraws_from_ground_combat(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann")).when(says("sol", "announce-retreat"))
        table.then_refused(
            rule="IC.3", says="announce-retreat is not allowed now; it belongs to SB.1", do="roll-combat"
        )

    def test_a_mercenary_fights_with_its_own_value(self) -> None:
        table = invade(1, unit("mentak-mercenary-1", "quann")).play(says("sol", "roll-combat", 1))
        table.when(says("mentak", "roll-combat", 7)).then(DiceRolled, needed="7 or more", outcome="1 hit")

    def test_several_invasions_go_in_the_active_players_order(self) -> None:
        table = troops(2, unit("mentak-ground-force-1", "quann"), unit("mentak-ground-force-2", "rahn"))
        for at, planet in enumerate(("quann", "rahn"), 1):
            table.play(says("sol", "land-hostile", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.play(says("sol", "pick", member="rahn")).then_open("IC.3")
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-2"]))
        table.then(MarkerSet, marker="control/rahn", after="sol")
        table.when(says("sol", "pick", member="rahn")).then_refused(
            rule="TA.6.planets", says="cannot be picked", do="quann"
        )


class TestIC5SuccessOrFailure:
    def test_success_destroys_pds_and_docks_and_hands_over_the_card_exhausted(self) -> None:
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

    def test_the_last_die_may_lose_it(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 7), says("mentak", "roll-combat", 8))
        table.when(says("sol", "assign-hits", to=["sol-ground-force-1"])).then_open("TA.7")
        assert table.game.markers["control/quann"] == "mentak"
        assert here(table, "quann") == ["mentak-ground-force-1"]

    def test_when_all_are_destroyed_the_defender_keeps_the_planet(self) -> None:
        table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
        table.play(says("sol", "roll-combat", 8), says("mentak", "roll-combat", 8))
        table.play(says("sol", "assign-hits", to=["sol-ground-force-1"]))
        table.when(says("mentak", "assign-hits", to=["mentak-ground-force-1"])).then_open("TA.7")
        assert table.game.markers["control/quann"] == "mentak"


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
        table.then(MarkerSet, marker="exhausted/jord", after=True, cause="pays 3")

    def test_counters_that_were_destroyed_come_back_under_another_id(self) -> None:
        table = self.docked(unit("sol-cruiser-1", "void"))
        table.given(UnitRemoved(unit="sol-cruiser-1", fate="destroyed", at="void"))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, trade_goods=2))
        table.then(UnitPlaced, unit="sol-cruiser-2", at="home-sol")
        table.then(AccountChanged, account="trade-goods/sol", before=2, after=0)

    @pytest.mark.parametrize(
        ("order", "says_", "do"),
        [
            ({"units": {"war-sun": 1}, "exhaust": ["jord"]}, "cost 12, and 4 is paid", "pay 8 more"),
            ({"units": {"carrier": 4}, "exhaust": ["jord"]}, "3 of 4 pieces of kind carrier", "produce fewer"),
            ({"units": {"space-dock": 1}}, "produces no space-dock", "produce some of: war-sun"),
            ({"units": {"battleship": 1}}, "produces no battleship", "produce some of: war-sun"),
            ({"units": {"fighter": 1}, "trade_goods": 3}, "sol has 2 trade goods", "spend at most 2"),
            ({"units": {"fighter": 1}, "exhaust": ["quann"]}, "quann is no planet of yours", "exhaust some of: jord"),
            ({"units": {"fighter": 1}, "dock": "sol-carrier-1"}, "is no Space Dock", "name: sol-space-dock-1"),
        ],
    )
    def test_what_is_refused(self, order: dict[str, Any], says_: str, do: str) -> None:
        table = self.docked().when(says("sol", "produce", **{"dock": "sol-space-dock-1", **order}))
        table.then_refused(rule="Twilight Imperium 3 TA.7", says=says_, do=do)

    def test_a_dock_produces_once_in_an_activation(self) -> None:
        table = self.docked().play(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, trade_goods=1))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, trade_goods=1))
        table.then_refused(rule="TA.7", says="has produced in this activation", do="another dock")

    def test_no_ships_are_built_beside_enemy_ships(self) -> None:
        """Here they blockade a dock whose owner has lost his fleet."""
        table = galaxy(unit("sol-space-dock-1", "jord"), unit("letnev-cruiser-1", "home-sol"))
        activate(table, "home-sol").play(says("sol", "done"))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then_refused(rule="TA.7", says="enemy ships stand there (letnev-cruiser-1)", do="produce ground units")
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"pds": 1}, exhaust=["jord"])).then_accepted()

    def test_where_the_limit_counts_ships_in_the_system_new_ones_count(self) -> None:
        table = self.docked(*some("sol-destroyer", 3, "home-sol"), options={"fleet_limit": "system"})
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, exhaust=["jord"]))
        table.then_refused(
            rule="TA.7", says="5 ships would be in home-sol, and the Fleet area holds 4", do="1 ships fewer"
        )


class TestTA7SpaceDocks:
    def at(self, since: int, *units: dict[str, Any]) -> Story:
        table = galaxy(*units, sheets={"sol": {"trade_goods": 4}})
        table.given(MarkerSet(marker="since/wellon", before=0, after=since))
        return activate(table, "wellon-space").play(says("sol", "done"))

    def test_a_dock_is_built_on_a_planet_that_was_ones_own_all_round(self) -> None:
        table = self.at(0).when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then(UnitPlaced, kind="space-dock", at="wellon", rule="TA.7")

    def test_a_new_dock_does_not_produce_at_once(self) -> None:
        table = self.at(0).play(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}))
        table.then_refused(rule="TA.7", says="was built in this activation: sol-space-dock-1", do="later activation")

    def test_one_produces_or_builds(self) -> None:
        table = self.at(0, unit("sol-space-dock-9", "wellon-space"))
        table.play(says("sol", "produce", dock="sol-space-dock-9", units={"fighter": 2}, trade_goods=1))
        table.when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused(rule="TA.7", says="units were produced in this activation", do="later activation")

    def test_not_on_a_planet_won_in_this_round(self) -> None:
        table = self.at(1).when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused(rule="TA.7", says="wellon has not been yours for the entire round", do="in the next round")

    def test_not_beside_another(self) -> None:
        table = self.at(0, unit("sol-space-dock-1", "wellon")).when(
            says("sol", "build-dock", planet="wellon", trade_goods=4)
        )
        table.then_refused(rule="TA.7", says="a Space Dock stands on wellon", do="another planet")

    def test_not_on_a_planet_of_somebody_else(self) -> None:
        table = (
            activate(galaxy(), "home-letnev")
            .play(says("sol", "done"))
            .when(says("sol", "build-dock", planet="arc-prime"))
        )
        table.then_refused(rule="TA.7", says="arc-prime is not yours", do="planet of your own")

    def test_only_a_dock_and_only_while_pieces_last(self) -> None:
        table = self.at(0, *some("sol-space-dock", 3, "jord")).when(
            says("sol", "build-dock", planet="wellon", kind="pds")
        )
        table.then_refused(rule="TA.7", says="pds is no Space Dock", do="space-dock")
        table.when(says("sol", "build-dock", planet="wellon", trade_goods=4))
        table.then_refused(rule="TA.7", says="no Space Dock is left", do="go on without")


class TestScuttling:
    def test_transfabrication_turns_units_into_trade_goods_before_producing(self) -> None:
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
        table = galaxy(unit("letnev-fighter-1", "home-letnev"), sheets={"sol": {"tech": ["transfabrication"]}})
        activate(table, "void").play(says("sol", "done")).when(says("sol", "scuttle", units=["letnev-fighter-1"]))
        table.then_refused(rule="TA.scuttle", says="belongs to Barony of Letnev", do="unit of your own")

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
