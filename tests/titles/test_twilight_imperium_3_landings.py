"""Twilight Imperium, TA.5: landings on planets of one's own, of nobody, of an enemy; razing, and PDS that land."""

from typing import Any

import pytest

from tests.face.domain import (
    ChoiceRevealed,
    DiceRolled,
    MarkerSet,
    StepOpened,
    StepPassed,
    UnitChanged as Changed,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import (
    activate,
    galaxy,
    here,
    invade,
    land,
    leave,
    owned_by_mentak,
    says,
    systems,
    troops,
    unit,
)


def landed(*units: dict[str, Any], **more: Any) -> Story:
    counters = systems(quann_space={"planets": {"quann": {"domain": True}}})
    more = {"systems": counters, "domains": {"quann": "radiation"}, **more}
    return land(troops(2, *units, **more), "quann", 2, "neutral")


class TestTA5PlanetaryLandings:
    @pytest.mark.parametrize(
        ("how", "planet", "is_"),
        [("friendly", "quann", "hostile"), ("neutral", "quann", "hostile"), ("hostile", "rahn", "neutral")],
    )
    def test_landings_have_separate_planets(self, how: str, planet: str, is_: str) -> None:
        owned = {"quann": {}, "rahn": {}, "third": {"owner": "sol"}}
        table = troops(2, unit("mentak-pds-1", "quann"), systems=systems(quann_space={"planets": owned}))
        while table.game.cursor.open[0].step != f"TA.5.{how}":
            table.play(says("sol", "done"))
        table.when(says("sol", f"land-{how}", planet=planet, units=["sol-ground-force-1"]))
        table.then_refused("wrong-landing", rule=f"TA.5.{how}", planet=planet, due=is_, given=how)

    def test_landings_on_several_planets_come_before_combat(self) -> None:
        table = troops(2, unit("mentak-ground-force-1", "quann")).then_open("TA.5.neutral")
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-2"])).play(says("sol", "done"))
        table.play(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-1"])).then_open("TA.6.planets")

    def test_landings_end_when_no_troops_remain_aboard(self) -> None:
        table = troops(1).then_open("TA.5.neutral")
        table.when(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-1"])).then_open("TA.6.planets")

    def test_landing_can_be_undone_until_dice_are_rolled(self) -> None:
        table = troops(1).play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-1"]))
        table.play(says("sol", "undo")).then_open("TA.5.neutral")

    def test_landings_stop_once_combat_begins(self) -> None:
        table = land(troops(2, unit("mentak-ground-force-1", "quann")), "quann", 1)
        table.play(says("sol", "pick", member="quann"))
        table.when(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-2"]))
        table.then_refused(
            "not-allowed-now", rule="IC.3", places=Naming("TA.5.hostile"), orders=("roll-combat", "play-card")
        )

    def test_only_ground_units_in_space_there_land(self) -> None:
        table = leave(troops(1, unit("mentak-ground-force-1", "quann")), "TA.5.neutral")
        table.when(says("sol", "land-hostile", planet="quann", units=["sol-carrier-1"]))
        table.then_refused(
            "cannot-land", rule="TA.5.hostile", unit="sol-carrier-1", planet="quann", units="sol-ground-force-1"
        )

    def test_planet_in_another_system_cannot_be_landed_on(self) -> None:
        table = leave(troops(1, unit("mentak-ground-force-1", "quann")), "TA.5.neutral")
        table.when(says("sol", "land-hostile", planet="jord", units=["sol-ground-force-1"]))
        table.then_refused("planet-not-in-system", rule="TA.5.hostile", planet="jord", planets=("quann", "rahn"))

    def test_troops_do_not_land_twice_or_from_another_system(self) -> None:
        table = troops(2, unit("mentak-ground-force-1", "quann"), unit("sol-ground-force-9", "jord"))
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-1"]))
        for name in ("sol-ground-force-1", "sol-ground-force-9"):
            table.when(says("sol", "land-neutral", planet="rahn", units=[name]))
            table.then_refused("cannot-land", rule="TA.5.neutral", units="sol-ground-force-2", unit=name)


class TestTA5FriendlyLanding:
    def test_friendly_landing_reinforces(self) -> None:
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

    def test_empty_enemy_planet_is_not_a_friendly_planet(self) -> None:
        table = troops(1, systems=owned_by_mentak()).then_open("TA.5.neutral")
        table.when(says("sol", "land-friendly", planet="quann", units=["sol-ground-force-1"]))
        table.then_refused("not-allowed-now", rule="TA.5", order="land-friendly")


class TestTA5NeutralLanding:
    def test_pds_do_not_land_there(self) -> None:
        table = troops(1, unit("sol-pds-1", "wellon-space"))
        table.when(says("sol", "land-neutral", planet="rahn", units=["sol-pds-1"]))
        table.then_refused(
            "cannot-land", rule="TA.5.neutral", unit="sol-pds-1", planet="rahn", units="sol-ground-force-1"
        )

    def test_neutral_landing_claims_the_planet(self) -> None:
        table = land(troops(1), "quann", 1, "neutral").when(says("sol", "pick", member="quann"))
        table.then(MarkerSet, marker="control/quann", before=None, after="sol", rule="TA.5.neutral")
        table.then(MarkerSet, marker="since/quann", after=1)
        table.then(MarkerSet, marker="exhausted/quann", after=True)

    def test_landing_player_resolves_the_counter_before_claiming(self) -> None:
        table = landed().play(says("sol", "pick", member="quann")).then_open("TA.6.counter")
        table.when(says("sol", "resolve-domain"))
        table.then(ChoiceRevealed, question="domain/quann", side="referee", choice="radiation", rule="TA.5.neutral")
        table.then(MarkerSet, marker="domain/quann", before="face down", after=None)
        table.play(says("sol", "remove", unit="sol-ground-force-2", cause="radiation"))
        table.when(says("sol", "done")).then(MarkerSet, marker="control/quann", after="sol")

    def test_effect_is_recorded_only_after_the_counter_is_turned_up(self) -> None:
        """TA.6.counter: by the active player alone, before the fight for the planet or the claim to it."""
        lost = says("sol", "remove", unit="sol-ground-force-2", cause="radiation")
        table = landed().play(says("sol", "pick", member="quann")).when(lost)
        table.then_refused(rule="TA.6.counter")
        table.play(says("sol", "resolve-domain")).when({**lost, "as": "mentak"}).then_refused(rule="TA.6.counter")
        table.play(lost).then(UnitRemoved, unit="sol-ground-force-2")

    def test_counter_must_be_resolved(self) -> None:
        table = landed().play(says("sol", "pick", member="quann")).when(says("sol", "done"))
        table.then_refused(
            "orders-required",
            rule="TA.6.counter",
            required=Naming("resolve-domain", "quann"),
            orders=("resolve-domain",),
        )

    def test_counter_is_resolved_once(self) -> None:
        table = landed().play(says("sol", "pick", member="quann"), says("sol", "resolve-domain"))
        table.when(says("sol", "resolve-domain")).then_refused("counter-resolved", rule="TA.5.neutral")

    def test_face_up_counter_on_the_table_is_read_out(self) -> None:
        table = landed(domains={}).play(says("sol", "pick", member="quann")).when(says("sol", "resolve-domain"))
        table.then_refused("counter-missing", rule="TA.5.neutral", planet="quann")
        table.when(says("sol", "resolve-domain", counter="hostage")).then(ChoiceRevealed, choice="hostage")

    def test_counter_known_to_the_ledger_is_not_guessed(self) -> None:
        table = landed().play(says("sol", "pick", member="quann"))
        table.when(says("sol", "resolve-domain", counter="hostage"))
        table.then_refused("counter-in-ledger", rule="TA.5.neutral")

    def test_mercenaries_and_leaders_claim_nothing(self) -> None:
        table = troops(0, unit("sol-mercenary-1", "wellon-space"))
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-mercenary-1"]))
        table.when(says("sol", "pick", member="rahn")).then_not(MarkerSet, marker="control/rahn")
        assert "sol-mercenary-1" in here(table, "rahn")

    def test_pds_claim_nothing(self) -> None:
        """They land with an invasion only, and the Ground Force beside them did not live through the counter."""
        table = troops(
            1, unit("sol-pds-1", "wellon-space"), systems=systems(quann_space={"planets": {"quann": {"domain": True}}})
        )
        land(table, "quann", 1, "neutral").then_open("TA.landpds")
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.play(says("sol", "pick", member="quann"), says("sol", "resolve-domain", counter="radiation"))
        table.play(says("sol", "remove", unit="sol-ground-force-1", cause="radiation"))
        table.when(says("sol", "done")).then(UnitRemoved, unit="sol-pds-1", cause="the invasion failed")
        assert "control/quann" not in table.game.markers

    def test_without_a_counter_the_claim_is_made_at_once_and_once(self) -> None:
        table = land(troops(1), "quann", 1, "neutral").play(says("sol", "pick", member="quann"))
        assert (table.game.markers["control/quann"], table.game.markers["exhausted/quann"]) == ("sol", True)
        table.then_open("TA.7")


class TestTA5HostileLanding:
    def test_hostile_landing_is_an_invasion(self) -> None:
        table = land(troops(1, unit("mentak-ground-force-1", "quann")), "quann", 1)
        table.when(says("sol", "pick", member="quann")).then(StepOpened, step="IC.3")

    def test_enemy_planet_without_units_is_taken_without_combat(self) -> None:
        table = land(troops(1, systems=owned_by_mentak()), "quann", 1).when(says("sol", "pick", member="quann"))
        table.then(MarkerSet, marker="control/quann", before="mentak", after="sol", rule="IC.5")


class TestTARazeDomainCounters:
    def test_dreadnought_razes_a_hidden_counter(self) -> None:
        table = landed(unit("sol-dreadnought-1", "wellon-space")).then_open("TA.raze")
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="quann"))
        table.then(MarkerSet, marker="domain/quann", before="face down", after=None, rule="TA.raze")
        table.then_not(ChoiceRevealed)
        table.then(Changed, unit="sol-dreadnought-1", attribute="bombarded", after=1)
        table.when(says("sol", "pick", member="quann"))
        table.then(StepPassed, step="TA.6.counter")
        table.then(MarkerSet, marker="control/quann", after="sol")

    def test_only_on_a_planet_that_is_invaded(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        counters = systems(quann_space={"planets": planets})
        table = landed(unit("sol-dreadnought-1", "wellon-space"), systems=counters)
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="rahn"))
        table.then_refused("cannot-be-razed", rule="TA.raze", planet="rahn", planets="quann", reason="not-invaded")

    def test_refusal_says_that_a_planet_is_not_on_the_map(self) -> None:
        table = landed(unit("sol-dreadnought-1", "wellon-space"))
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="atlantis"))
        table.then_refused("planet-not-in-system", rule="TA.raze", planet="atlantis")

    def test_troops_from_before_this_activation_do_not_invade(self) -> None:
        """A mercenary from an earlier landing is no invasion: the counter beside it is not razed."""
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        counters = systems(quann_space={"planets": planets})
        table = landed(unit("sol-dreadnought-1", "wellon-space"), unit("sol-mercenary-1", "rahn"), systems=counters)
        table.when(says("sol", "raze", ship="sol-dreadnought-1", planet="rahn"))
        table.then_refused("cannot-be-razed", rule="TA.raze", planet="rahn", planets="quann", reason="not-invaded")

    def test_ship_razes_or_bombards_once(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {"domain": True}}
        heavy = (unit("sol-war-sun-1", "wellon-space"), unit("sol-dreadnought-1", "wellon-space"))
        table = troops(2, *heavy, systems=systems(quann_space={"planets": planets}))
        for at, planet in enumerate(planets, 1):
            table.play(says("sol", "land-neutral", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.play(says("sol", "raze", ship="sol-war-sun-1", planet="quann"))
        table.when(says("sol", "raze", ship="sol-war-sun-1", planet="rahn"))
        table.then_refused("bombarded-already", rule="TA.raze")

    def test_cruiser_cannot_raze(self) -> None:
        table = landed(unit("sol-dreadnought-1", "wellon-space"), unit("sol-cruiser-1", "wellon-space"))
        table.when(says("sol", "raze", ship="sol-cruiser-1", planet="quann"))
        table.then_refused("cannot-bombard", rule="TA.raze", ship="sol-cruiser-1", ships="sol-dreadnought-1")

    def test_planet_without_a_counter_cannot_be_razed(self) -> None:
        planets = {"quann": {"domain": True}, "rahn": {}}
        table = troops(2, unit("sol-war-sun-1", "wellon-space"), systems=systems(quann_space={"planets": planets}))
        for at, planet in enumerate(planets, 1):
            table.play(says("sol", "land-neutral", planet=planet, units=[f"sol-ground-force-{at}"]))
        table.when(says("sol", "raze", ship="sol-war-sun-1", planet="rahn"))
        table.then_refused("cannot-be-razed", rule="TA.raze", planet="rahn", planets="quann", reason="no-counter")

    def test_ship_that_razed_does_not_bombard(self) -> None:
        planets = {"quann": {}, "rahn": {"domain": True}}
        table = troops(
            2,
            unit("sol-dreadnought-1", "wellon-space"),
            unit("mentak-ground-force-1", "quann"),
            systems=systems(quann_space={"planets": planets}),
        )
        table.play(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-2"]), says("sol", "done"))
        table.play(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-1"]))
        table.play(says("sol", "raze", ship="sol-dreadnought-1", planet="rahn"))
        table.play(says("sol", "pick", member="quann"))
        table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1")).then_refused("not-allowed-now", rule="IC")
        assert here(table, "quann", "mentak") == ["mentak-ground-force-1"]


class TestTAlandpds:
    def landing(self, *defenders: dict[str, Any]) -> Story:
        table = troops(1, unit("sol-pds-1", "wellon-space"), *defenders, systems=owned_by_mentak())
        return land(table, "quann", 1).then_open("TA.landpds")

    def test_pds_land_with_an_invasion(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.then(UnitMoved, unit="sol-pds-1", path=("quann-space", "quann"), rule="TA.landpds")

    def test_they_take_no_part_in_the_combat(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.play(says("sol", "pick", member="quann")).when(says("sol", "roll-combat", 1))
        table.then(DiceRolled, subjects=("sol-ground-force-1",))

    def test_they_are_destroyed_when_the_invasion_fails(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
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

    def test_pds_from_before_this_activation_are_kept(self) -> None:
        table = invade(1, unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
        table.given(UnitPlaced(unit="sol-pds-7", side="sol", kind="pds", at="quann"))
        table.play(says("mentak", "fire-pds", 10))
        assert here(table, "quann", "sol") == ["sol-pds-7"]

    def test_they_stay_when_it_succeeds(self) -> None:
        table = self.landing(unit("mentak-ground-force-1", "quann"))
        table.play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
        table.play(says("sol", "pick", member="quann"), says("sol", "roll-combat", 8), says("mentak", "roll-combat", 1))
        table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
        assert here(table, "quann") == ["sol-ground-force-1", "sol-pds-1"]

    def test_only_on_a_planet_that_is_invaded(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="rahn", units=["sol-pds-1"]))
        table.then_refused("planet-not-being-invaded", rule="TA.landpds", planet="rahn", planets="quann")

    def test_only_pds_that_are_aboard(self) -> None:
        table = self.landing().when(says("sol", "land-pds", planet="quann", units=["sol-carrier-1"]))
        table.then_refused("no-such-pds", rule="TA.landpds", unit="sol-carrier-1", units="sol-pds-1")
