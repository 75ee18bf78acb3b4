"""Check rolls for several units: the order of the dice is announced, and each die is recorded for its unit."""

from typing import Any

import pytest

from tests.face.desk import titles as catalogue
from tests.face.domain import (
    DiceRolled,
    Game,
    PlannedThrow,
    RuleViolation,
    TableDice,
    UnitRemoved,
    dice_asked_for,
    in_words,
    open_steps,
    owed,
)
from tests.face.projections import turn_view
from tests.face.testing import Story, titles
from tests.naming import Naming
from tests.titles import pacific_war_table as pw, red_coat_rags_table as rcr, twilight_imperium_3_table as ti
from tests.titles.war_galley_table import battle, change, finish_activations, says, ship, tie, to_command


def rolls_of(story: Story) -> list[DiceRolled]:
    return [event for event in story.events if isinstance(event, DiceRolled)]


class TestAPlan:
    def test_plan_names_the_units_in_the_order_of_their_dice(self) -> None:
        plan = (
            PlannedThrow(dice="2d10", purpose="2 cruisers", subjects=("cruiser-1", "cruiser-2")),
            PlannedThrow(dice="3d10", purpose="1 war sun", subjects=("war-sun",)),
        )
        assert in_words(plan) == "cruiser-1 1, cruiser-2 1, war-sun 3"

    def test_unit_that_is_only_looked_at_has_no_die(self) -> None:
        plan = (PlannedThrow(dice="1d6", purpose="fire", subjects=("a", "burning"), whose=("a",)),)
        assert in_words(plan) == "a 1"


def fleets() -> Story:
    """Set up a carrier, a cruiser and a dreadnought of Sol against a cruiser of the Mentak; both roll."""
    table = ti.galaxy(
        *(ti.unit(f"sol-{kind}-1", "wellon-space") for kind in ("dreadnought", "carrier", "cruiser")),
        ti.unit("mentak-cruiser-1", "quann-space"),
    )
    way = ("wellon-space", "quann-space")
    return ti.to_dice(ti.attack(table, way, "sol-dreadnought-1", "sol-carrier-1", "sol-cruiser-1"))


class TestSB2CombatDice:
    ORDER = "sol-carrier-1 1, sol-cruiser-1 1, sol-dreadnought-1 1"

    def test_required_combat_dice_are_listed_in_order(self) -> None:
        table = fleets()
        (step,) = open_steps(table.title, table.game)
        assert owed(table.title, table.game, step, "sol")[-1] == Naming("`roll-combat`", self.ORDER)

    @pytest.mark.parametrize("pips", [(9, 9), (9, 9, 9, 9)])
    def test_another_number_of_pips_is_refused_with_the_order(self, pips: tuple[int, ...]) -> None:
        table = fleets().when(ti.says("sol", "roll-combat", *pips))
        table.then_refused(
            "wrong-number-of-pips",
            rule="dice",
            limit=3,
            dice="sol-carrier-1 1, sol-cruiser-1 1, sol-dreadnought-1 1",
            given=Naming(len(pips)),
        )

    def test_every_die_is_recorded_for_its_unit(self) -> None:
        rolls = rolls_of(fleets().when(ti.says("sol", "roll-combat", 9, 7, 5)))
        assert [(one.subjects, one.pips) for one in rolls] == [
            (("sol-carrier-1",), (9,)),
            (("sol-cruiser-1",), (7,)),
            (("sol-dreadnought-1",), (5,)),
        ]

    def test_help_of_the_order_names_where_the_dice_are_listed(self) -> None:
        (entry,) = catalogue.orders("twilight-imperium-3", "roll-combat")
        assert entry.help == Naming("`umpire status`")


class TestTA3PdsFire:
    def test_optional_step_lists_its_dice(self) -> None:
        """Show the dice of optional fire next to the required actions."""
        table = ti.galaxy(
            ti.unit("sol-cruiser-1", "wellon-space"),
            *ti.some("mentak-pds", 2, "quann"),
            sheets=ti.SHEETS,
        )
        ti.move(ti.activate(table, "quann-space"), ("wellon-space", "quann-space"), "sol-cruiser-1")
        while "TA.3" not in table.game.cursor.open[0].step:
            table.play(ti.says(table.game.cursor.waiting()[0], "done"))
        view = turn_view(table.title, table.game, "mentak", 1)
        assert [one.words for one in view.dice_asked] == [Naming("`fire-pds`", "mentak-pds-1 1, mentak-pds-2 1")]


def rammed(*names: str) -> Story:
    """Play ships that sail alone to G.4, with the named ones rammed."""
    table = battle(
        *(
            ship(f"{side}-{number}", f"{4 * number:02}{row}")
            for side, row in (("athens", "05"), ("syracuse", "11"))
            for number in (1, 2, 3)
        ),
    )
    for name in names:
        change(table, name, "rammed", True)
    return table


class TestG4Sinking:
    def at_g4(self, table: Story) -> Story:
        finish_activations(to_command(table))
        table.then_open("G.4")
        return table

    def test_sinking_dice_are_required_ship_by_ship(self) -> None:
        table = self.at_g4(rammed("athens-1", "athens-3"))
        (step,) = open_steps(table.title, table.game)
        words = Naming("`check-sinking`", "athens-1 1, athens-3 1")
        assert words in owed(table.title, table.game, step, "athens")

    def test_too_few_are_refused_with_the_order(self) -> None:
        table = self.at_g4(rammed("athens-1", "athens-3")).when(says("athens", "check-sinking", 2))
        table.then_refused("wrong-number-of-pips", rule="dice", limit=2, given=Naming(1), dice="athens-1 1, athens-3 1")

    def test_more_than_there_are_ships_are_refused(self) -> None:
        table = self.at_g4(rammed("athens-1", "athens-3")).when(says("athens", "check-sinking", 2, 3, 4))
        table.then_refused("wrong-number-of-pips", rule="dice", limit=2)

    def test_ship_that_goes_down_with_another_has_its_die(self) -> None:
        table = rammed("athens-1", "athens-2", "athens-3")
        tie(table, "athens-1", "athens-2", "fouled")
        table = self.at_g4_fouled(table)
        table.when(says("athens", "check-sinking", 6, 2))
        table.then_refused("wrong-number-of-pips", rule="dice", limit=3, dice="athens-1 1, athens-2 1, athens-3 1")
        table.when(says("athens", "check-sinking", 6, 2, 2))
        table.then(UnitRemoved, unit="athens-2", fate="sunk", cause=Naming("athens-1"))
        assert [one.subjects for one in rolls_of(table)] == [("athens-1",), ("athens-2",), ("athens-3",)]

    def at_g4_fouled(self, table: Story) -> Story:
        finish_activations(to_command(table))
        while table.game.cursor.open[0].step != "G.4":
            table.play(says(table.game.cursor.waiting()[0], "done"))
        return table


class TestFewerDice:
    """Rolls whose first dice can make the later ones unnecessary, if the title declares it."""

    def test_fewer_pips_are_taken_and_more_are_refused(self) -> None:
        shares = (("a", 1), ("b", 1))
        for pips in ((), (6,), (6, 1)):
            TableDice(Game(), pips).expects(shares, fewer=True)
        with pytest.raises(RuleViolation) as refusal:
            TableDice(Game(), (6, 1, 1)).expects(shares, fewer=True)
        assert refusal.value.code == "wrong-number-of-pips"
        assert (refusal.value.fields["limit"], refusal.value.fields["dice"]) == (2, "a 1, b 1")


class TestG2bSpread:
    def test_burning_neighbours_have_no_die(self) -> None:
        table = rammed()
        for exposed in ("athens-1", "athens-2"):
            tie(table, exposed, "syracuse-1")
        change(table, "syracuse-1", "fire", True)
        finish_activations(to_command(table))
        table.play(says("syracuse", "done")).then_open("G.2b")
        table.when(says("athens", "check-spread", 1, 2, 3))
        table.then_refused("wrong-number-of-pips", rule="dice", limit=2, dice="athens-1 1, athens-2 1")
        table.when(says("athens", "check-spread", 1, 5))
        assert [one.subjects[0] for one in rolls_of(table)] == ["athens-1", "athens-2"]


class Test51AWeather:
    def test_zones_have_their_dice_in_the_order_of_the_scenario(self) -> None:
        story = pw.until(pw.strategic(), "5.1.A")
        zones: Any = story.game.markers["weather_zones"]
        said = ", ".join(f"{zone} 1" for zone in zones)
        (step,) = open_steps(story.title, story.game)
        assert dice_asked_for(story.title, story.game, step, pw.JAPAN) == (Naming("`roll-weather`", said),)
        story.when(pw.says(pw.JAPAN, "roll-weather", 1)).then_refused(
            "wrong-number-of-pips", rule="dice", given=Naming(1), dice=said
        )


class Test4bFire:
    def test_firing_piece_rolls_first(self) -> None:
        story = rcr.table()
        rcr.change(story, "forlorn-1", "range", 12)
        rcr.to_actions(story, dice=3).play(rcr.says(rcr.KING, "fire", piece="forlorn-1", target="blues-4"))
        (step,) = open_steps(story.title, story.game)
        asked = dice_asked_for(story.title, story.game, step, rcr.KING)
        assert asked == (Naming("`resolve-fire`", "forlorn-1 1, blues-4 1"),)
        story.when(rcr.says(rcr.KING, "resolve-fire", 3))
        story.then_refused("wrong-number-of-pips", rule="dice", limit=2, dice="forlorn-1 1, blues-4 1")

    def test_activation_dice_come_one_after_the_other(self) -> None:
        story = rcr.to_activation(rcr.table()).when(rcr.says(rcr.KING, "activate", 4, unit="forlorn", dice=2))
        story.then_refused("wrong-number-of-pips", rule="dice", limit=2, dice="die 1 of forlorn 1, die 2 of forlorn 1")


def test_titles_say_whose_dice_their_orders_throw() -> None:
    assert {title.id for title in titles() if title.rolls} == {
        "pacific-war",
        "red-coat-rags",
        "twilight-imperium-3",
        "war-galley",
    }
