"""Twilight Imperium, TA.4 and SB.pre: who fights, and what is done before the first round."""

from typing import Any

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
    WAY,
    activate,
    attack,
    battle,
    cruisers,
    galaxy,
    here,
    pass_abilities,
    says,
    some,
    to_dice,
    unit,
)


def fleets(**more: Any) -> Story:
    return battle(
        *some("sol-destroyer", 2, "wellon-space"),
        unit("sol-cruiser-1", "wellon-space"),
        *some("mentak-fighter", 3, "quann-space"),
        unit("mentak-carrier-1", "quann-space"),
        **more,
    )


class TestTA4SpaceBattle:
    def test_active_player_is_the_attacker(self) -> None:
        table = cruisers(1, 1)
        assert (table.game.markers["now/attacker"], table.game.markers["now/defender"]) == ("sol", "mentak")

    def test_without_enemy_ships_there_is_no_battle(self) -> None:
        table = battle(unit("sol-cruiser-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
        table.then(StepPassed, step="TA.4")

    def test_battle_cannot_be_declined(self) -> None:
        """TA.4 is compulsory: nothing but the battle is open."""
        table = cruisers(1, 1)
        table.when(says("mentak", "done")).then_refused("pick-first", rule="SB.pre.order")
        table.when(says("sol", "done")).then_refused(
            "step-of-another-side", rule="SB.pre.order", seat="sol", sides="Mentak Coalition"
        )

    def test_ships_already_in_the_system_fight_without_arrivals(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "quann-space"))
        table.given(UnitPlaced(unit="mentak-cruiser-1", side="mentak", kind="cruiser", at="quann-space"))
        table = activate(table, "quann-space").play(says("sol", "done")).then_open("SB.pre.order")
        assert table.game.markers["now/attacker"] == "sol"

    def test_two_other_players_do_not_fight_in_this_action(self) -> None:
        table = galaxy(unit("mentak-cruiser-1", "quann-space"))
        table.given(UnitPlaced(unit="letnev-cruiser-1", side="letnev", kind="cruiser", at="quann-space"))
        activate(table, "quann-space").when(says("sol", "done")).then(StepPassed, step="TA.4")

    def test_ships_of_a_third_player_are_fought_in_a_second_battle(self) -> None:
        """Not covered by the page; they meet only where a card put them. Clockwise from Sol the Letnev come first."""
        table = galaxy(*some("sol-cruiser", 2, "wellon-space"), unit("mentak-cruiser-1", "quann-space"))
        table.given(UnitPlaced(unit="letnev-cruiser-1", side="letnev", kind="cruiser", at="quann-space"))
        to_dice(attack(table, WAY, "sol-cruiser-1", "sol-cruiser-2"))
        table.play(says("sol", "roll-combat", 7, 1), says("letnev", "roll-combat", 1))
        table.play(says("letnev", "assign-hits", to=["letnev-cruiser-1"])).then_open("SB.pre.order")
        assert table.game.cursor.waiting() == ("mentak",)
        to_dice(table).play(says("sol", "roll-combat", 7, 1), says("mentak", "roll-combat", 1))
        table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1"])).then_open("TA.7")


class TestSBpreAbilities:
    def test_ability_is_used_once_in_a_battle(self) -> None:
        table = fleets().play(says("mentak", "pick", member="barrage"), says("sol", "barrage", 1, 1, 1, 1))
        table.when(says("mentak", "pick", member="barrage"))
        table.then_refused("no-such-member", rule="SB.pre.order", member="barrage", free=("cards", "sabotage"))

    def test_fleet_lost_before_the_first_round_fights_no_rounds(self) -> None:
        table = cruisers(1, 1, sheets={"mentak": {"race": "Mentak"}}).play(
            says("mentak", "pick", member="mentak"),
            says("mentak", "remove", unit="sol-cruiser-1", cause="Mentak ability"),
            says("mentak", "done"),
        )
        pass_abilities(table).then_open("TA.7")


class TestSBpreCards:
    def test_card_before_the_battle_is_played_by_either_side(self) -> None:
        table = cruisers(1, 1, hands={"sol": ["Sabotage"]}).play(says("mentak", "pick", member="cards"))
        table.when(says("sol", "play-card", card="Sabotage")).then(AccountChanged, account="action-cards/sol", after=0)
        table.play(says("sol", "done")).when(says("mentak", "done")).then_open("SB.pre.order")

    def test_cards_are_offered_to_players_without_any(self) -> None:
        """Whether somebody does is a secret."""
        cruisers(1, 1, hands={}).when(says("mentak", "pick", member="cards")).then_open("SB.pre.cards")

    def test_its_text_is_carried_out_on_ships_of_the_battle(self) -> None:
        table = cruisers(1, 2, hands={"sol": ["Ambush"]}, timings={"Ambush": "before-battle"})
        table.play(says("mentak", "pick", member="cards"), says("sol", "play-card", card="Ambush"))
        table.when(says("sol", "remove", unit="mentak-cruiser-1", cause="Ambush"))
        table.then(UnitRemoved, unit="mentak-cruiser-1", fate="destroyed", cause="Ambush")

    def test_player_outside_the_battle_plays_a_card_too(self) -> None:
        table = cruisers(1, 1, hands={"letnev": ["Ambush"]}, timings={"Ambush": "before-battle"})
        table.play(says("mentak", "pick", member="cards"))
        table.when(says("letnev", "play-card", card="Ambush"))
        table.then(AccountChanged, account="action-cards/letnev", before=1, after=0, rule="SB.pre.cards")


class TestSBpreAfb:
    def test_barrage_rolls_two_dice_a_ship_and_removes_fighters_now(self) -> None:
        table = fleets().play(says("mentak", "pick", member="barrage"))
        table.when(says("sol", "barrage", 8, 9, 10, 1))
        table.then(
            DiceRolled,
            dice="4d10",
            needed=Naming(9),
            subjects=("sol-destroyer-1", "sol-destroyer-2"),
            outcome=Naming(2),
            rule="SB.pre.afb",
        )
        assert here(table, "quann-space", "mentak") == ["mentak-carrier-1", "mentak-fighter-3"]

    def test_fighter_losses_do_not_exceed_the_fighters_present(self) -> None:
        table = fleets().play(says("mentak", "pick", member="barrage"))
        table.when(says("sol", "barrage", 9, 9, 9, 9))
        assert here(table, "quann-space", "mentak") == ["mentak-carrier-1"]

    def test_barrage_needs_enemy_fighters(self) -> None:
        table = battle(unit("sol-destroyer-1", "wellon-space"), unit("mentak-cruiser-1", "quann-space"))
        table.when(says("mentak", "pick", member="barrage")).then_refused(
            "no-such-member", rule="SB.pre.order", member="barrage", free=("cards", "sabotage")
        )

    def test_both_sides_may_fire_a_barrage(self) -> None:
        table = battle(
            unit("sol-destroyer-1", "wellon-space"),
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-fighter-1", "wellon-space"),
            unit("mentak-destroyer-1", "quann-space"),
            unit("mentak-fighter-1", "quann-space"),
        )
        table.play(says("sol", "done"), says("mentak", "pick", member="barrage-defender"))  # nobody probes
        table.when(says("sol", "barrage", 10, 10)).then_refused("step-of-another-side", rule="SB.pre.afb", seat="sol")
        table.when(says("mentak", "barrage", 9, 1)).then(UnitRemoved, unit="sol-fighter-1")
        table.play(says("mentak", "pick", member="barrage-attacker"))
        table.when(says("sol", "barrage", 10, 10)).then(UnitRemoved, unit="mentak-fighter-1")
        table.then_open("SB.pre.order")

    def test_more_dice_than_two_a_ship_are_refused(self) -> None:
        table = fleets().play(says("mentak", "pick", member="barrage"))
        table.when(says("sol", "barrage", 9, 9, 9, 9, 9)).then_refused("wrong-number-of-pips", rule="dice", limit=4)
        assert len(here(table, "quann-space", "mentak")) == 4

    def test_barrage_that_ends_the_battle_ends_the_abilities(self) -> None:
        table = battle(unit("sol-destroyer-1", "wellon-space"), unit("mentak-fighter-1", "quann-space"))
        table.play(says("mentak", "pick", member="barrage"))
        table.when(says("sol", "barrage", 9, 9)).then(UnitRemoved, unit="mentak-fighter-1")
        table.then(MarkerSet, marker="now/field", after=None, cause=Naming("quann-space", "Federation of Sol"))
        table.then_open("TA.7")


class TestSBpreAssault:
    def test_assault_cannons_are_fired_by_who_has_them_and_recorded(self) -> None:
        table = cruisers(1, 2, sheets={"mentak": {"tech": ["assault-cannons"]}})
        table.play(says("mentak", "pick", member="assault"))
        assert table.game.cursor.waiting() == ("mentak",)
        table.when(says("mentak", "roll", 7, purpose="Assault Cannons", dice="1d10")).then(DiceRolled, total=7)
        table.when(says("mentak", "remove", unit="sol-cruiser-1", cause="Assault Cannons")).then(UnitRemoved)

    def test_without_the_technology_they_are_not_picked(self) -> None:
        table = cruisers(1, 2).when(says("mentak", "pick", member="assault"))
        table.then_refused("no-such-member", rule="SB.pre.order", member="assault")

    def test_once_in_a_battle_and_by_their_owner_alone(self) -> None:
        table = cruisers(1, 2, sheets={"mentak": {"tech": ["assault-cannons"]}})
        table.play(says("mentak", "pick", member="assault"))
        table.when(says("sol", "remove", unit="mentak-cruiser-1", cause="Assault Cannons"))
        table.then_refused("not-in-this-step", rule="Twilight Imperium 3", order="remove", side="Federation of Sol")
        table.play(says("mentak", "done")).when(says("mentak", "pick", member="assault"))
        table.then_refused("no-such-member", rule="SB.pre.order", member="assault")


class TestSBpreMentak:
    def test_only_mentak_use_the_mentak_ability(self) -> None:
        table = cruisers(1, 2, sheets={"mentak": {"race": "Mentak"}})
        table.play(says("mentak", "pick", member="mentak")).then_open("SB.pre.mentak")
        assert table.game.cursor.waiting() == ("mentak",)

    def test_other_races_lack_the_mentak_ability(self) -> None:
        table = cruisers(1, 2, sheets={"mentak": {"race": "Federation of Sol"}})
        table.when(says("mentak", "pick", member="mentak")).then_refused("no-such-member", rule="SB.pre.order")

    def test_mentak_ability_records_its_dice_and_loss(self) -> None:
        table = cruisers(2, 2, sheets={"mentak": {"race": "Mentak"}}).play(says("mentak", "pick", member="mentak"))
        table.when(says("mentak", "roll", 8, purpose="Mentak ability", dice="1d10")).then(DiceRolled, total=8)
        table.when(says("mentak", "remove", unit="sol-cruiser-1", cause="Mentak ability"))
        table.then(UnitRemoved, unit="sol-cruiser-1", fate="destroyed", cause="Mentak ability")


class TestSBpreSabotage:
    def test_without_a_barrage_the_sabotage_run_may_come_first(self) -> None:
        table = cruisers(1, 1).when(says("mentak", "pick", member="sabotage")).then_open("SB.pre.sabotage")
        assert table.game.cursor.waiting() == ("sol", "mentak")

    def test_group_may_play_without_sabotage_runs(self) -> None:
        table = cruisers(1, 1, options={"sabotage_runs": False}).when(says("mentak", "pick", member="sabotage"))
        table.then_refused("no-such-member", rule="SB.pre.order", member="sabotage", free=("cards",))

    def test_sabotage_run_records_its_dice_and_loss(self) -> None:
        table = battle(
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-fighter-1", "wellon-space"),
            unit("mentak-war-sun-1", "quann-space"),
        )
        table.play(says("sol", "done"), says("mentak", "pick", member="sabotage"))
        table.when(says("sol", "roll", 10, purpose="Sabotage Run", dice="1d10")).then(DiceRolled, total=10)
        table.when(says("sol", "remove", unit="mentak-war-sun-1", cause="Sabotage Run"))
        table.then(UnitRemoved, unit="mentak-war-sun-1", fate="destroyed", cause="Sabotage Run")


class TestSBpreOrder:
    def test_defender_chooses_the_next_ability(self) -> None:
        table = fleets().when(says("sol", "pick", member="barrage"))
        table.then_refused("step-of-another-side", rule="SB.pre.order", seat="sol")

    def test_barrage_always_comes_before_a_sabotage_run(self) -> None:
        table = fleets().when(says("mentak", "pick", member="sabotage"))
        table.then_refused(
            "no-such-member", rule="Twilight Imperium 3 SB.pre.order", member="sabotage", free=("cards", "barrage")
        )
        table.play(says("mentak", "pick", member="barrage"), says("sol", "done"))
        table.when(says("mentak", "pick", member="sabotage")).then_open("SB.pre.sabotage")

    def test_sabotage_run_waits_for_both_barrages(self) -> None:
        table = battle(
            unit("sol-destroyer-1", "wellon-space"),
            unit("sol-carrier-1", "wellon-space"),
            unit("sol-fighter-1", "wellon-space"),
            unit("mentak-destroyer-1", "quann-space"),
            unit("mentak-fighter-1", "quann-space"),
        )
        table.play(says("sol", "done"), says("mentak", "pick", member="barrage-defender"))
        table.play(says("mentak", "barrage", 1, 1))
        table.when(says("mentak", "pick", member="sabotage")).then_refused(
            "no-such-member", rule="SB.pre", free=("cards", "barrage-attacker")
        )
        table.play(says("mentak", "pick", member="barrage-attacker"), says("sol", "barrage", 1, 1))
        table.when(says("mentak", "pick", member="sabotage")).then_open("SB.pre.sabotage")
