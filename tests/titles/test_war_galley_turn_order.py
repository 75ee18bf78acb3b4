"""War Galley, A to D: wind, squadrons, initiative, levels."""

from tests.face.domain import (
    DiceRolled,
    MarkerSet,
    Modifier,
    StepPassed,
    UnitChanged,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import (
    battle,
    change,
    finish_activations,
    flag,
    says,
    set_all_levels,
    ship,
    to_command,
    to_levels,
    to_squadrons,
)


def duel() -> Story:
    """Start with one commander a side, far apart."""
    return battle(flag("athens-1", "0505", "left"), flag("syracuse-1", "1505", "right"))


class TestAWind:
    def test_two_dice_on_the_scenarios_table_set_direction_and_speed(self) -> None:
        table = duel().when(says("syracuse", "roll-wind", 3, 4))
        table.then(DiceRolled, dice="2d6", pips=(3, 4), total=7, table="wind", row="7..8", rule="A")
        assert (table.game.markers["wind_direction"], table.game.markers["wind_speed"]) == ("S", 4)

    def test_wind_roll_ends_the_phase(self) -> None:
        table = duel().when(says("athens", "roll-wind", 1, 1))
        table.then_open("C.roll")

    def test_wind_phase_ended_without_a_roll_is_refused(self) -> None:
        duel().when(says("athens", "done")).then_refused("orders-required", rule="War Galley A", orders=("roll-wind",))

    def test_wind_rolled_twice_a_turn_is_refused(self) -> None:
        table = to_squadrons(duel())
        table.when(says("athens", "roll-wind", 1, 1)).then_refused(
            "not-allowed-now", rule="C", says="A", orders=("roll-initiative",)
        )

    def test_wind_with_one_or_three_dice_is_refused(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"))
        for pips in ((5,), (1, 2, 3), (7, 1)):
            table.when(says("athens", "roll-wind", *pips)).then_refused(rule="dice")
        table.when(says("athens", "roll-wind", 3, 4)).then_accepted()

    def test_wind_is_rolled_again_next_turn(self) -> None:
        table = finish_activations(to_command(battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"))))
        table.then_open("A").when(says("athens", "done")).then_refused(
            "orders-required", rule="A", orders=("roll-wind",)
        )


class TestBSquadrons:
    def test_ship_within_the_range_joins_the_commander(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0705"), ship("syracuse-1", "1515"))
        to_squadrons(table).then(UnitChanged, unit="athens-2", attribute="squadron", after="left", rule="B [6.1]")

    def test_ship_one_hex_out_of_range_sails_alone(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0805"), ship("syracuse-1", "1515"))
        to_squadrons(table).then(UnitChanged, unit="athens-2", attribute="squadron", after="athens-2")

    def test_commander_stays_in_its_own_squadron(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), flag("athens-2", "0506", "right"), ship("syracuse-1", "1515"))
        to_squadrons(table).then(UnitChanged, unit="athens-2", after="right")

    def test_enemy_commander_does_not_command(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("syracuse-1", "0506"))
        to_squadrons(table).then(UnitChanged, unit="syracuse-1", after="syracuse-1")

    def test_captured_flagship_does_not_command(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0506"), ship("syracuse-1", "1515"))
        change(table, "athens-1", "captured_by", "athens")
        to_squadrons(table).then(UnitChanged, unit="athens-2", after="athens-2")

    def test_squadron_choice_without_a_choice_is_passed(self) -> None:
        to_squadrons(duel()).then(StepPassed, step="B.choice")

    def test_sunk_commander_leaves_no_squadron(self) -> None:
        fleet = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0506"), ship("syracuse-1", "1515"))
        fleet.given(UnitRemoved(unit="athens-1", fate="sunk"))
        to_squadrons(fleet)
        assert fleet.game.units["athens-2"].get("squadron") == "athens-2"


def between() -> Story:
    """Put `athens-3` in range of both Athenian commanders, so that B waits for its owner."""
    return to_squadrons(
        battle(
            flag("athens-1", "0505", "left"),
            flag("athens-2", "0705", "right"),
            ship("athens-3", "0605"),
            ship("athens-4", "0604"),
            ship("athens-5", "0305"),
            ship("syracuse-1", "1515"),
        )
    )


class TestBOwnersChoice:
    def test_join_by_the_owner_sets_the_squadron(self) -> None:
        table = between().when(says("athens", "join", ship="athens-3", squadron="right"))
        table.then(UnitChanged, unit="athens-3", attribute="squadron", before=None, after="right")
        table.then_open("B.choice")

    def test_join_of_the_last_ship_ends_the_phase(self) -> None:
        table = between().play(says("athens", "join", ship="athens-3", squadron="right"))
        table.when(says("athens", "join", ship="athens-4", squadron="left")).then_open("C.roll")

    def test_only_the_owner_chooses(self) -> None:
        table = between().when(says("syracuse", "join", ship="athens-3", squadron="right"))
        table.then_refused("step-of-another-side", rule="B.choice", seat="syracuse", sides="Athens")

    def test_join_out_of_the_command_range_is_refused(self) -> None:
        table = between().when(says("athens", "join", ship="athens-3", squadron="centre"))
        table.then_refused(
            "out-of-command-range", rule="War Galley B [6.1]", squadron="centre", squadrons=("left", "right")
        )

    def test_join_of_a_ship_in_one_range_is_refused(self) -> None:
        table = between().when(says("athens", "join", ship="athens-5", squadron="right"))
        table.then_refused("no-choice-of-squadron", rule="B [6.1]", waiting="athens-3, athens-4")

    def test_squadron_phase_ended_before_a_choice_is_refused(self) -> None:
        between().when(says("athens", "done")).then_refused(
            "orders-required",
            rule="B.choice",
            says="`join`: athens-3, athens-4",
            orders=("join",),
        )

    def test_side_that_has_chosen_its_squadrons_is_not_waited_for(self) -> None:
        table = to_squadrons(
            battle(
                *(flag(f"athens-{at}", f"{at}505", f"a{at}") for at in (0, 1)),
                flag("athens-3", "0705", "a3"),
                ship("athens-4", "0605"),
                flag("syracuse-1", "0515", "s1"),
                flag("syracuse-2", "0715", "s2"),
                ship("syracuse-3", "0615"),
            )
        )
        table.play(says("athens", "join", ship="athens-4", squadron="a0"))
        assert table.game.cursor.waiting() == ("syracuse",)
        table.when(says("syracuse", "join", ship="syracuse-3", squadron="s2")).then_open("C.roll")


class TestCInitiative:
    def ready(self) -> Story:
        return to_squadrons(
            battle(
                flag("athens-1", "0505", "left", admiral=True, initiative=2),
                flag("syracuse-1", "1505", "right", admiral=True, initiative=1),
            )
        )

    def test_initiative_adds_the_rating_of_the_admiral(self) -> None:
        table = self.ready().when(says("athens", "roll-initiative", 3))
        modifiers = (Modifier(amount=2, source="initiative of Left"),)
        table.then(DiceRolled, dice="1d6", pips=(3,), total=5, modifiers=modifiers, rule="C")
        assert table.game.cursor.waiting() == ("syracuse",)

    def test_initiative_without_an_admiral_adds_nothing(self) -> None:
        table = to_squadrons(duel()).when(says("athens", "roll-initiative", 3))
        table.then(DiceRolled, total=3, modifiers=())

    def test_initiative_higher_total_names_the_first_player(self) -> None:
        table = self.ready().play(says("athens", "roll-initiative", 3), says("syracuse", "roll-initiative", 6))
        table.then(MarkerSet, marker="initiative", after="syracuse")
        table.when(says("syracuse", "name-first", side="athens")).then(MarkerSet, marker="first_player", after="athens")

    def test_initiative_tie_is_rolled_again_by_both(self) -> None:
        table = self.ready().play(says("athens", "roll-initiative", 3), says("syracuse", "roll-initiative", 4))
        table.then(MarkerSet, marker="initiative/athens", after=None)
        table.then_open("C.roll")
        assert table.game.cursor.waiting() == ("athens", "syracuse")
        table.play(says("syracuse", "roll-initiative", 1), says("athens", "roll-initiative", 1)).then_open("C.first")

    def test_initiative_rolled_twice_is_refused(self) -> None:
        table = self.ready().play(says("athens", "roll-initiative", 3))
        table.when(says("athens", "roll-initiative", 6)).then_refused(
            "step-of-another-side", rule="C", seat="athens", sides="Syracuse"
        )

    def test_initiative_set_by_a_ruling_is_not_rolled(self) -> None:
        """Rule a total for a die on the floor, while both sides are still waited for."""
        lay = {"order": "mark", "marker": "initiative/athens", "to": 4}
        ruled = {"as": "referee", "order": "rule", "ruling": "a 4", "reason": "all saw it", "grounds": "house rule"}
        table = self.ready().play({**ruled, "orders": [lay]})
        table.when(says("athens", "roll-initiative", 6)).then_refused(
            "rolled-already", rule="C", side_has="Athens has", other="Syracuse"
        )
        table.when(says("syracuse", "roll-initiative", 6)).then(MarkerSet, marker="initiative", after="syracuse")

    def test_first_player_named_by_the_loser_is_refused(self) -> None:
        table = self.ready().play(says("athens", "roll-initiative", 6), says("syracuse", "roll-initiative", 1))
        table.when(says("syracuse", "name-first", side="syracuse")).then_refused(
            "step-of-another-side", rule="C.first", sides="Athens"
        )

    def test_only_a_side_can_go_first(self) -> None:
        table = self.ready().play(says("athens", "roll-initiative", 6), says("syracuse", "roll-initiative", 1))
        table.when(says("athens", "name-first", side="sparta")).then_refused(
            "no-such-side", rule="War Galley C", side="sparta", sides=("athens", "syracuse")
        )

    def test_initiative_steps_ended_early_are_refused(self) -> None:
        table = (
            self.ready()
            .when(says("athens", "done"))
            .then_refused(
                "orders-required",
                rule="C.roll",
                orders=("roll-initiative",),
            )
        )
        table.play(says("athens", "roll-initiative", 6), says("syracuse", "roll-initiative", 1))
        table.when(says("athens", "done")).then_refused(
            "orders-required",
            rule="C.first",
            says="`name-first`: athens, syracuse",
            orders=("name-first",),
        )


class TestDLevels:
    def fleet(self) -> Story:
        """Give Athens two squadrons and a single ship, Syracuse one squadron."""
        return battle(
            flag("athens-1", "0505", "left"),
            ship("athens-2", "0605"),
            flag("athens-3", "1505", "right"),
            ship("athens-4", "0115"),
            flag("syracuse-1", "1515", "foe"),
            cruise_only(),
        )

    def test_levels_alternate_from_the_first_player(self) -> None:
        table = to_levels(self.fleet(), first="syracuse")
        assert table.game.cursor.waiting() == ("syracuse",)
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "set-levels", level="maximum"))
        assert table.game.cursor.waiting() == ("athens",)

    def test_levels_skip_a_player_without_squadrons(self) -> None:
        table = to_levels(self.fleet())
        table.play(says("athens", "pick", member="left"), says("athens", "set-levels", level="cruise"))
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "set-levels", level="cruise"))
        table.play(says("athens", "pick", member="right"), says("athens", "set-levels", level="cruise"))
        assert table.game.cursor.waiting() == ("syracuse",)
        table.play(says("syracuse", "pick", member="syracuse-2"), says("syracuse", "set-levels", level="cruise"))
        table.play(says("athens", "pick", member="athens-4"), says("athens", "set-levels", level="cruise"))
        table.then_open("E.squadron")

    def test_levels_are_set_for_each_ship(self) -> None:
        table = to_levels(self.fleet()).play(says("athens", "pick", member="left"))
        table.when(says("athens", "set-levels", level="maximum", but=["athens-2"]))
        table.then(UnitChanged, unit="athens-1", attribute="level", after="maximum", rule="D [6.22]")
        table.then(UnitChanged, unit="athens-2", attribute="level", after="cruise")

    def test_level_of_another_squadron_is_refused(self) -> None:
        table = to_levels(self.fleet()).play(says("athens", "pick", member="left"))
        table.when(says("athens", "set-levels", level="maximum", but=["athens-3"])).then_refused(
            "not-in-squadron", rule="D [6.22]", strangers=("athens-3",), squadron="left", of_it="athens-1, athens-2"
        )

    def test_level_of_a_captured_ship_is_cruise_only(self) -> None:
        table = self.fleet()
        change(table, "athens-2", "captured_by", "athens")
        to_levels(table).play(says("athens", "pick", member="left"))
        table.when(says("athens", "set-levels", level="maximum")).then_refused(
            "no-maximum", rule="E.2", ship="athens-2", reason="captured"
        )
        table.when(says("athens", "set-levels", level="cruise", but=["athens-2"])).then_refused(
            "no-maximum-unless-excepted",
            rule="D [6.22]",
            ship="athens-2",
            reason="captured",
        )
        table.when(says("athens", "set-levels", level="maximum", but=["athens-2"])).then_accepted()

    def test_level_of_a_ship_without_crew_is_cruise_only(self) -> None:
        table = to_levels(self.fleet())
        table.play(says("athens", "pick", member="left"), says("athens", "set-levels", level="cruise"))
        table.play(says("syracuse", "pick", member="syracuse-2"))
        table.when(says("syracuse", "set-levels", level="maximum")).then_refused(
            "no-maximum", rule="D", ship="syracuse-2", reason="no-crew"
        )

    def test_level_step_ended_without_levels_is_refused(self) -> None:
        table = to_levels(self.fleet()).play(says("athens", "pick", member="left"))
        table.when(says("athens", "done")).then_refused(
            "orders-required",
            rule="D.level",
            says="`set-levels`: athens-1, athens-2",
            orders=("set-levels",),
        )

    def test_enemy_squadron_picked_for_levels_is_refused(self) -> None:
        to_levels(self.fleet()).when(says("athens", "pick", member="foe")).then_refused(
            "no-such-member", rule="War Galley D [6.22]", member="foe", free=("left", "right", "athens-4")
        )

    def test_every_squadron_has_a_level_before_the_phase_ends(self) -> None:
        table = set_all_levels(to_levels(self.fleet()))
        assert {one.get("level") for one in table.game.in_play()} == {"cruise"}

    def test_fouled_ship_requires_a_level_too(self) -> None:
        fleet = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"))
        change(fleet, "athens-1", "fouled", ("syracuse-1",))
        to_levels(fleet).play(says("athens", "pick", member="athens-1"))
        fleet.when(says("athens", "done")).then_refused(
            "orders-required", rule="D", says="`set-levels`: athens-1", orders=("set-levels",)
        )

    def test_level_changed_in_e_is_refused(self) -> None:
        fleet = to_command(battle(flag("athens-1", "0505", "left"), ship("syracuse-1", "1515")))
        fleet.play(says("athens", "pick", member="left"))
        fleet.when(says("athens", "set-levels", level="maximum")).then_refused(
            "not-allowed-now", rule="E.1", says="D.level"
        )


def cruise_only() -> dict[str, object]:
    """Return a single ship with crew 0."""
    return ship("syracuse-2", "0815", crew=0)
