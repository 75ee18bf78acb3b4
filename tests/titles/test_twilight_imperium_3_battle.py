"""Twilight Imperium, SB: the space battle, before it, round by round, and who is left."""

from typing import Any

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import (
    BASE,
    battle,
    cruisers,
    here,
    nobody_retreats,
    pass_abilities,
    says,
    some,
    systems,
    to_dice,
    unit,
)


class TestSB1Announcing:
    def both_could(self) -> Story:
        """Begin with a system next to Quann that each side has activated."""
        return cruisers(
            2,
            2,
            systems=systems(arnor_space={"activated": ["mentak"]}, mecatol={"activated": ["sol"]}),
        )

    def test_attacker_decides_on_a_retreat_first(self) -> None:
        table = pass_abilities(self.both_could()).when(says("mentak", "announce-retreat"))
        table.then_refused("step-of-another-side", rule="SB.1", seat="mentak", sides="Federation of Sol")

    def test_defender_decides_when_the_attacker_stays(self) -> None:
        table = pass_abilities(self.both_could()).play(says("sol", "done"))
        table.when(says("mentak", "announce-retreat")).then(
            MarkerSet, marker="now/retreat", after="mentak", rule="SB.1"
        )
        table.then_open("SB.2")

    def test_at_most_one_side_announces_a_retreat(self) -> None:
        table = pass_abilities(self.both_could()).play(says("sol", "announce-retreat")).then_open("SB.2")
        table.when(says("mentak", "announce-retreat"))
        table.then_refused(
            "not-allowed-now", rule="SB.2", order="announce-retreat", orders=("roll-combat", "play-card")
        )

    def test_retreat_needs_a_system_activated_earlier(self) -> None:
        table = pass_abilities(cruisers(1, 1, systems=systems(arnor_space={"activated": []}))).then_open("SB.2")
        table.when(says("sol", "announce-retreat")).then_refused(
            "not-allowed-now", rule="Twilight Imperium 3 SB.2", orders=("roll-combat", "play-card")
        )

    def test_retreat_needs_a_counter_of_the_same_side(self) -> None:
        table = pass_abilities(cruisers(1, 1, systems=systems(arnor_space={"activated": ["mentak"]})))
        table.then_open("SB.1").when(says("sol", "announce-retreat"))
        table.then_refused("step-of-another-side", rule="SB.1")

    def test_retreat_to_enemy_ships_is_refused(self) -> None:
        table = battle(
            unit("sol-cruiser-1", "wellon-space"),
            unit("mentak-cruiser-1", "quann-space"),
            unit("letnev-cruiser-1", "arnor-space"),
        )
        pass_abilities(table).then_open("SB.2").when(says("mentak", "announce-retreat")).then_refused(
            "not-allowed-now", rule="SB.2"
        )

    def test_retreat_is_offered_again_in_each_round(self) -> None:
        table = to_dice(self.both_could())
        table.play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1)).then_open("SB.1")
        table.when(says("mentak", "announce-retreat")).then_refused(
            "step-of-another-side", rule="SB.1", sides="Federation of Sol"
        )
        table.when(says("sol", "announce-retreat")).then(MarkerSet, marker="now/retreat", after="sol")


class TestSB2Dice:
    def test_ship_rolls_against_its_own_combat_value(self) -> None:
        table = battle(
            unit("sol-cruiser-1", "wellon-space"),
            unit("sol-destroyer-1", "wellon-space"),
            unit("mentak-cruiser-1", "quann-space"),
            unit("mentak-cruiser-2", "quann-space"),
        )
        to_dice(table).when(says("sol", "roll-combat", 7, 8))
        table.then(DiceRolled, subjects=("sol-cruiser-1",), needed=Naming(7), outcome=Naming(1), rule="SB.2")
        table.then(DiceRolled, subjects=("sol-destroyer-1",), needed=Naming(9))
        table.then(AccountChanged, account="hits/quann-space/mentak", after=1)

    def test_war_sun_rolls_three_dice(self) -> None:
        table = battle(unit("sol-war-sun-1", "wellon-space"), *some("mentak-cruiser", 3, "quann-space"))
        to_dice(table).when(says("sol", "roll-combat", 3, 2, 10)).then(DiceRolled, dice="3d10", outcome=Naming(2))

    def test_value_of_a_ship_overrides_that_of_its_kind(self) -> None:
        table = battle(unit("sol-cruiser-1", "wellon-space", combat=6), unit("mentak-cruiser-1", "quann-space"))
        to_dice(table).when(says("sol", "roll-combat", 6)).then(DiceRolled, needed=Naming(6), outcome=Naming(1))

    def test_kind_without_a_combat_value_does_not_roll(self) -> None:
        kinds = {**BASE["kinds"], "tender": {"what": "ship", "move": 2, "cost": 2}}
        ships = (unit("sol-cruiser-1", "wellon-space"), unit("sol-tender-1", "wellon-space"))
        table = to_dice(battle(*ships, unit("mentak-cruiser-1", "quann-space"), kinds=kinds))
        table.when(says("sol", "roll-combat", 7)).then_accepted()
        rolled = [one.subjects for one in table.events if isinstance(one, DiceRolled)]
        assert rolled == [("sol-cruiser-1",)]

    def test_ship_that_lost_its_dice_does_not_roll(self) -> None:
        ships = (unit("sol-cruiser-1", "wellon-space"), unit("sol-cruiser-2", "wellon-space", dice=0))
        table = to_dice(battle(*ships, unit("mentak-cruiser-1", "quann-space")))
        table.when(says("sol", "roll-combat", 7)).then_accepted()
        rolled = [one.subjects for one in table.events if isinstance(one, DiceRolled)]
        assert rolled == [("sol-cruiser-1",)]

    def test_ship_that_hits_on_every_face_rolls_too(self) -> None:
        """The lowest combat value is 1; none at all is 0."""
        table = to_dice(
            battle(unit("sol-cruiser-1", "wellon-space", combat=1), unit("mentak-cruiser-1", "quann-space"))
        )
        table.when(says("sol", "roll-combat", 1)).then(DiceRolled, subjects=("sol-cruiser-1",), outcome=Naming(1))

    def test_dice_are_simultaneous(self) -> None:
        """A ship that is hit first still fires: nobody loses anything before both have rolled."""
        table = to_dice(cruisers(1, 1)).play(says("sol", "roll-combat", 10)).then_open("SB.2")
        assert here(table, "quann-space", "mentak") == ["mentak-cruiser-1"]
        table.when(says("mentak", "roll-combat", 10)).then(AccountChanged, account="hits/quann-space/sol", after=1)

    def test_either_may_roll_first(self) -> None:
        to_dice(cruisers(1, 1)).play(says("mentak", "roll-combat", 1)).then_open("SB.2")

    def test_side_rolls_once_a_round(self) -> None:
        table = to_dice(cruisers(1, 1)).play(says("sol", "roll-combat", 1)).when(says("sol", "roll-combat", 1))
        table.then_refused("step-of-another-side", rule="SB.2", seat="sol")

    def test_step_does_not_end_before_both_roll(self) -> None:
        table = to_dice(cruisers(1, 1)).when(says("sol", "done"))
        table.then_refused("orders-required", rule="SB.2", orders=("roll-combat",))

    def test_as_many_faces_as_dice(self) -> None:
        table = battle(*some("sol-war-sun", 1, "wellon-space"), unit("mentak-cruiser-1", "quann-space"))
        to_dice(table)
        for pips in ((1, 1), (1, 1, 1, 1), (1, 1, 11)):
            table.when(says("sol", "roll-combat", *pips)).then_refused(rule="dice")
        table.when(says("sol", "roll-combat", 1, 1, 10)).then(DiceRolled, outcome=Naming(1))


class TestSB3Casualties:
    def test_attacker_takes_casualties_first(self) -> None:
        table = to_dice(cruisers(2, 2)).play(says("sol", "roll-combat", 7, 1), says("mentak", "roll-combat", 7, 1))
        table.then_open("SB.3").when(says("mentak", "assign-hits", to=["mentak-cruiser-1"]))
        table.then_refused("step-of-another-side", rule="SB.3", seat="mentak", sides="Federation of Sol")
        table.play(says("sol", "assign-hits", to=["sol-cruiser-2"]))
        table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1"]))
        table.then(UnitRemoved, unit="mentak-cruiser-1", fate="destroyed", rule="SB.3")
        table.then_open("SB.1")

    def test_all_hits_are_assigned(self) -> None:
        table = to_dice(cruisers(1, 3)).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7, 1, 1))
        table.when(says("sol", "done")).then_refused(
            "orders-required",
            rule="SB.3",
            required=Naming("assign-hits", 1, "quann-space"),
            orders=("assign-hits",),
        )

    def test_exactly_as_many_as_were_scored(self) -> None:
        table = to_dice(cruisers(2, 1)).play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 7))
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1", "sol-cruiser-2"]))
        table.then_refused("wrong-number-of-hits", rule="SB.3", side="sol", limit="1 in quann-space")

    def test_hits_go_to_ships_of_ones_own_in_the_battle(self) -> None:
        table = to_dice(cruisers(2, 1)).play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 7))
        table.when(says("sol", "assign-hits", to=["mentak-cruiser-1"]))
        table.then_refused("unit-of-another-side", rule="SB.3")

    def test_hits_beyond_what_is_there_are_lost(self) -> None:
        table = to_dice(cruisers(1, 3)).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7, 8, 9))
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1"])).then_open("TA.7")
        assert not [account for account, hits in table.game.accounts.items() if account.startswith("hits/") and hits]

    def test_first_hit_damages_a_ship_that_sustains(self) -> None:
        table = battle(unit("sol-dreadnought-1", "wellon-space"), *some("mentak-cruiser", 2, "quann-space"))
        to_dice(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7, 1))
        table.when(says("sol", "assign-hits", to=["sol-dreadnought-1"]))
        table.then(UnitChanged, unit="sol-dreadnought-1", attribute="damaged", before=None, after=True)
        nobody_retreats(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7, 1))
        table.when(says("sol", "assign-hits", to=["sol-dreadnought-1"])).then(UnitRemoved, unit="sol-dreadnought-1")

    def test_two_hits_of_one_roll_destroy_it(self) -> None:
        table = battle(unit("sol-dreadnought-1", "wellon-space"), *some("mentak-cruiser", 2, "quann-space"))
        to_dice(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7, 7))
        table.when(says("sol", "assign-hits", to=["sol-dreadnought-1", "sol-dreadnought-1"]))
        table.then(UnitChanged, unit="sol-dreadnought-1", attribute="damaged", after=True)
        table.then(UnitRemoved, unit="sol-dreadnought-1")

    def test_ship_that_cannot_sustain_takes_one_hit_only(self) -> None:
        table = to_dice(cruisers(2, 2)).play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 7, 7))
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1", "sol-cruiser-1"]))
        table.then_refused("cannot-take-another-hit", rule="SB.3")

    def test_troops_are_lost_with_the_last_ship(self) -> None:
        table = battle(
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-ground-force-1", "wellon-space"),
            unit("mentak-cruiser-1", "quann-space"),
        )
        to_dice(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 7))
        table.when(says("sol", "assign-hits", to=["sol-carrier-1"])).then(UnitRemoved, unit="sol-ground-force-1")

    def test_damaged_ship_is_destroyed_by_one_hit(self) -> None:
        table = battle(unit("sol-dreadnought-1", "wellon-space", damaged=True), unit("mentak-cruiser-1", "quann-space"))
        to_dice(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 10))
        table.when(says("sol", "assign-hits", to=["sol-dreadnought-1"]))
        table.then(UnitRemoved, unit="sol-dreadnought-1", fate="destroyed", rule="SB.3")


class TestSB4Retreats:
    def announced(self, *units: dict[str, Any], **more: Any) -> Story:
        """Announce the Mentak's retreat to Arnor."""
        table = battle(*units, systems=systems(arnor_space={"activated": ["mentak"]}), **more)
        return pass_abilities(table).play(says("mentak", "announce-retreat"))

    def two_on_two(self, **more: Any) -> Story:
        units = (*some("sol-cruiser", 2, "wellon-space"), *some("mentak-cruiser", 2, "quann-space"))
        return self.announced(*units, **more)

    def test_round_is_fought_before_the_fleet_retreats(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 7, 1), says("mentak", "roll-combat", 1, 1))
        table.play(says("mentak", "assign-hits", to=["mentak-cruiser-1"])).then_open("SB.4")
        table.when(says("mentak", "retreat", to="arnor-space"))
        table.then(UnitMoved, unit="mentak-cruiser-2", path=("quann-space", "arnor-space"), rule="SB.4")
        table.then(StepOpened, step="SB.5")
        table.then_open("TA.7")

    def test_whole_fleet_retreats(self) -> None:
        table = self.announced(
            unit("sol-cruiser-1", "wellon-space"),
            *some("mentak-cruiser", 2, "quann-space"),
            unit("mentak-carrier-1", "quann-space"),
            *some("mentak-ground-force", 2, "quann-space"),
        )
        table.play(says("mentak", "roll-combat", 1, 1, 1), says("sol", "roll-combat", 1))
        table.play(says("mentak", "retreat", to="arnor-space"))
        assert here(table, "quann-space", "mentak") == []
        assert len(here(table, "arnor-space", "mentak")) == 5

    def test_announced_retreat_is_mandatory(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "done")).then_refused(
            "orders-required",
            rule="SB.4",
            step="SB.4",
            required=Naming("mentak-cruiser-1", "mentak-cruiser-2"),
            orders=("retreat",),
        )

    def test_nowhere_but_to_an_adjacent_activated_system(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "retreat", to="home-mentak"))
        table.then_refused("cannot-retreat-there", rule="SB.4", system="home-mentak", systems=("arnor-space",))

    def test_retreat_is_cancelled_when_every_enemy_ship_is_destroyed(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 7, 7))
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1", "sol-cruiser-2"]))
        table.then(
            MarkerSet,
            marker="now/retreat",
            before="mentak",
            after=None,
            rule="SB.4",
        )
        assert here(table, "quann-space", "mentak") == ["mentak-cruiser-1", "mentak-cruiser-2"]
        table.then_open("TA.7")

    def test_destroyed_fleet_does_not_retreat(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 7, 7), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1", "mentak-cruiser-2"]))
        table.then(MarkerSet, marker="now/retreat", before="mentak", after=None, rule="SB.4")
        assert here(table, "quann-space", "sol") == ["sol-cruiser-1", "sol-cruiser-2"]

    def test_attacker_may_withdraw(self) -> None:
        table = cruisers(2, 2, systems=systems(mecatol={"activated": ["sol"]}))
        pass_abilities(table).play(
            says("sol", "announce-retreat"), says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1)
        )
        table.play(says("sol", "retreat", to="mecatol"))
        assert here(table, "mecatol", "sol") == ["sol-cruiser-1", "sol-cruiser-2"]

    def test_ships_over_the_fleet_supply_are_destroyed(self) -> None:
        table = self.two_on_two(sheets={"mentak": {"fleet": 1}})
        table.play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "retreat", to="arnor-space"))
        table.then_refused("fleet-too-large-to-retreat", rule="SB.4", given=2, system="arnor-space", limit=1, over=1)
        table.when(says("mentak", "retreat", to="arnor-space", lose=["mentak-cruiser-1"]))
        table.then(UnitRemoved, unit="mentak-cruiser-1", at="arnor-space", rule="SB.4")

    def test_ships_already_in_the_system_count_for_the_limit(self) -> None:
        table = self.announced(
            unit("sol-cruiser-1", "wellon-space"),
            *some("mentak-cruiser", 2, "quann-space"),
            *some("mentak-cruiser", 3, "arnor-space", first=3),
        )
        table.play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "retreat", to="arnor-space")).then_refused(
            "fleet-too-large-to-retreat", rule="SB.4", given=5, over=1
        )
        table.when(says("mentak", "retreat", to="arnor-space", lose=["mentak-cruiser-5"])).then_accepted()

    def test_only_ships_of_the_fleet_are_given_up(self) -> None:
        table = self.announced(
            unit("sol-cruiser-1", "wellon-space"),
            *some("mentak-cruiser", 2, "quann-space"),
            unit("mentak-cruiser-3", "home-mentak"),
            sheets={"mentak": {"fleet": 1}},
        )
        table.play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "retreat", to="arnor-space", lose=["mentak-cruiser-3"]))
        table.then_refused("ship-not-with-fleet", rule="SB.4", ship="mentak-cruiser-3")

    def test_ships_within_the_limit_cannot_be_given_up(self) -> None:
        table = self.two_on_two().play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
        table.when(says("mentak", "retreat", to="arnor-space", lose=["mentak-cruiser-1"]))
        table.then_refused("need-not-be-lost", rule="SB.4")


class TestSB5TheEnd:
    def test_another_round_while_both_have_ships(self) -> None:
        table = to_dice(cruisers(1, 1)).play(says("sol", "roll-combat", 1))
        table.when(says("mentak", "roll-combat", 1)).then_open("SB.1")
        assert table.game.cursor.frame("SB.rounds").nth == 2  # type: ignore[union-attr]

    def test_abilities_do_not_come_again_in_the_second_round(self) -> None:
        table = to_dice(cruisers(1, 1)).play(says("sol", "roll-combat", 1)).when(says("mentak", "roll-combat", 1))
        table.when(says("mentak", "pick", member="cards"))
        table.then_refused("nothing-to-pick", rule="SB.1")

    def test_mutual_destruction_leaves_no_ships(self) -> None:
        table = to_dice(cruisers(1, 1)).play(says("sol", "roll-combat", 7), says("mentak", "roll-combat", 9))
        table.play(says("sol", "assign-hits", to=["sol-cruiser-1"]))
        table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1"]))
        assert here(table, "quann-space") == []
        table.then_open("TA.7")

    def test_winning_defender_prevents_landings(self) -> None:
        table = battle(
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-ground-force-1", "wellon-space"),
            unit("mentak-cruiser-1", "quann-space"),
        )
        to_dice(table).play(says("sol", "roll-combat", 1), says("mentak", "roll-combat", 8))
        table.when(says("sol", "assign-hits", to=["sol-carrier-1"]))
        table.then(StepPassed, step="TA.5")
        table.then_open("TA.7")

    def test_winning_attacker_lands(self) -> None:
        table = battle(
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-ground-force-1", "wellon-space"),
            unit("mentak-cruiser-1", "quann-space"),
        )
        to_dice(table).play(says("sol", "roll-combat", 9), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1"])).then_open("TA.5.neutral")


class TestHitsByHand:
    """SB.pre: what cannons, a Sabotage Run and cards do is recorded by whoever shoots, where the battle is."""

    def test_shooter_removes_units_hit_in_the_battle(self) -> None:
        table = cruisers(2, 2).play(says("mentak", "pick", member="sabotage"))
        table.when(says("mentak", "remove", unit="sol-cruiser-1", cause="Sabotage Run"))
        table.then(UnitRemoved, unit="sol-cruiser-1")

    def test_shooter_cannot_remove_units_outside_the_battle(self) -> None:
        table = battle(
            unit("sol-cruiser-1", "wellon-space"),
            unit("sol-carrier-9", "home-sol"),
            *some("mentak-cruiser", 2, "quann-space"),
        )
        table.given(UnitMoved(unit="sol-carrier-9", path=("quann-space", "home-sol")))
        table.play(says("mentak", "pick", member="sabotage"))
        table.when(says("mentak", "remove", unit="sol-carrier-9"))
        table.then_refused("belongs-to-another-side", rule="SB.pre.sabotage", named="sol-carrier-9", kind="a unit")
