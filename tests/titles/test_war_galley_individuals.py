"""Check War Galley, F: ships that sail alone, in five parts, with the steps before and after."""

import pytest

from tests.face.domain import (
    DiceRolled,
    StepPassed,
    UnitChanged,
    UnitMoved,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import battle, change, flag, says, ship, tie, to_command


def loners(first: str = "athens", **more: object) -> Story:
    """Begin with two ships for each side, each alone."""
    return to_command(
        battle(
            ship("athens-1", "0505", **more),
            ship("athens-2", "0705"),
            ship("syracuse-1", "0510"),
            ship("syracuse-2", "0810"),
        ),
        first,
    )


def in_hand(table: Story, name: str = "athens-1") -> Story:
    """Pick the ship and roll for its crew."""
    side = name.partition("-")[0]
    return table.play(says(side, "pick", member=name), says(side, "test-crew", 1))


def gone(table: Story, name: str, *, test: bool = True) -> Story:
    """Let the ship have its turn without an action."""
    side = name.partition("-")[0]
    table.play(says(side, "pick", member=name), *([says(side, "test-crew", 1)] if test else []))
    return table.play(says(side, "stay"), says(side, "done"), says(side, "done"))


class TestE4End:
    def two_squadrons(self) -> Story:
        return to_command(
            battle(
                flag("athens-1", "0505", "a1"),
                ship("athens-9", "2015"),
                flag("syracuse-1", "1515", "s1"),
                ship("syracuse-9", "0115"),
            )
        )

    def test_while_a_squadron_is_left_the_phase_is_not_over(self) -> None:
        table = self.two_squadrons()
        table.play(says("athens", "pick", member="a1"), says("athens", "stay"), says("athens", "done"))
        table.then_open("E.squadron")
        table.when(says("syracuse", "done")).then_refused("pick-first", rule="E.squadron", members=("s1",))
        table.when(says("athens", "done")).then_refused(
            "step-of-another-side", rule="E.squadron", seat="athens", sides="Syracuse"
        )

    def test_last_squadron_opens_f_before_the_status_phase(self) -> None:
        table = self.two_squadrons()
        change(table, "athens-1", "fatigue", 2)
        for side, squadron in (("athens", "a1"), ("syracuse", "s1")):
            table.play(says(side, "pick", member=squadron), says(side, "stay"), says(side, "done"))
        table.then_open("F.ship").then_not(UnitChanged, attribute="fatigue")
        assert table.game.units["athens-1"].get("fatigue") == 2


class TestFIndividualSquadrons:
    def test_ships_alternate_from_the_first_player(self) -> None:
        table = loners(first="syracuse").then_open("F.ship")
        assert table.game.cursor.waiting() == ("syracuse",)
        table.play(says("syracuse", "pick", member="syracuse-1"), says("syracuse", "test-crew", 1))
        table.play(says("syracuse", "stay"), says("syracuse", "done"), says("syracuse", "done"))
        assert table.game.cursor.waiting() == ("athens",)

    def test_first_player_begins_f_even_after_moving_last_in_e(self) -> None:
        """Let Athens go first; with two command squadrons against one, it also moves last in E."""
        table = to_command(
            battle(
                flag("athens-1", "0505", "a1"),
                flag("athens-2", "1005", "a2"),
                ship("athens-3", "0115"),
                flag("syracuse-1", "1515", "s1"),
                ship("syracuse-2", "2015"),
            )
        )
        for side, squadron in (("athens", "a1"), ("syracuse", "s1"), ("athens", "a2")):
            table.play(says(side, "pick", member=squadron), says(side, "stay"), says(side, "done"))
        table.then_open("F.ship")
        assert table.game.cursor.waiting() == ("athens",)

    @pytest.mark.parametrize("pip", [1, 4])
    def test_at_or_under_its_crew_rating_a_ship_acts_freely(self, pip: int) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"))
        table.when(says("athens", "test-crew", pip))
        table.then(DiceRolled, pips=(pip,), total=pip, outcome="acts freely", modifiers=(), rule="F [6.16]")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507", "0508", "0509"])).then(UnitMoved)

    def test_over_it_the_ship_cruises_and_keeps_away_from_enemies(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"))
        change(table, "athens-1", "level", "maximum")
        table.when(says("athens", "test-crew", 5)).then(UnitChanged, attribute="level", after="cruise", rule="F [6.16]")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507", "0508", "0509"]))
        table.then_refused("restrained", rule="F [6.16]", near="0509")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507", "0508"])).then(UnitMoved)

    def test_ship_with_a_failed_crew_passing_an_enemy_is_refused(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0507"))
        to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 6))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0406", "0306"])).then_refused(
            "restrained", rule="F [6.16]", near="0506"
        )

    def test_next_to_an_enemy_no_die_is_needed(self) -> None:
        table = to_command(battle(ship("athens-1", "0505"), ship("syracuse-1", "0506")))
        table.when(says("athens", "pick", member="athens-1"))
        table.then(StepPassed, step="F.crew")
        table.then_open("F.1")

    def test_crew_step_ended_without_a_die_is_refused(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"))
        table.when(says("athens", "done")).then_refused(
            "orders-required",
            rule="F.crew",
            says="`test-crew`: athens-1",
            orders=("test-crew",),
        )

    def test_crew_of_0_fails_with_any_die(self) -> None:
        table = loners(crew=0).play(says("athens", "pick", member="athens-1"))
        table.when(says("athens", "test-crew", 1)).then(DiceRolled, pips=(1,), total=1, rule="F [6.16]")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507", "0508", "0509"]))
        table.then_refused("restrained", rule="F [6.16]", near="0509")

    def test_command_squadron_picked_in_f_is_refused(self) -> None:
        table = to_command(battle(flag("athens-1", "0505", "a1"), ship("athens-9", "2015"), ship("syracuse-1", "1515")))
        table.play(says("athens", "pick", member="a1"), says("athens", "stay"), says("athens", "done"))
        table.when(says("athens", "pick", member="a1")).then_refused(
            "no-such-member", rule="F.ship", member="a1", free=("athens-9",)
        )

    def test_individual_ships_without_any_are_passed(self) -> None:
        table = to_command(battle(flag("athens-1", "0505", "a1"), flag("syracuse-1", "1515", "s1")))
        for side, squadron in (("athens", "a1"), ("syracuse", "s1")):
            table.play(says(side, "pick", member=squadron), says(side, "stay"), says(side, "done"))
        table.then_open("A")
        assert table.game.turn == 2

    def test_own_prize_does_not_count_as_an_enemy(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-2", "0506"), ship("syracuse-1", "1515"))
        change(table, "syracuse-2", "side", "athens")
        change(table, "syracuse-2", "captured_by", "athens")
        to_command(table).play(says("athens", "pick", member="athens-1")).then_open("F.crew")


class TestF1Movement:
    def test_ship_moves_or_stays_before_fatigue(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
        table.when(says("athens", "done")).then_refused(
            "orders-required", rule="F.1", says="`stay`: athens-1", orders=("move-ship", "stay")
        )
        table.play(says("athens", "stay")).when(says("athens", "done")).then_open("F.2")

    def test_move_of_another_ship_or_a_second_move_is_refused(self) -> None:
        table = in_hand(loners())
        table.when(says("athens", "move-ship", ship="athens-2", path=["0706"])).then_refused(
            "not-in-acting-squadron", rule="F.1", squadron="athens-1"
        )
        table.play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0507"])).then_refused(
            "moved-already", rule="F.1"
        )

    def test_move_before_the_crew_test_is_refused(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.then_refused("not-allowed-now", rule="F.crew", orders=("test-crew",))

    def test_move_of_a_fouled_single_ship_is_refused(self) -> None:
        table = loners()
        tie(table, "athens-1", "athens-2", "fouled")
        in_hand(table).when(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.then_refused("cannot-move", rule="8.35", says="athens-2", reason="fouled")


class TestF2Fatigue:
    def test_fatigue_counters_end_the_step_and_so_does_having_none(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
        table.play(says("athens", "stay"), says("athens", "done"))
        table.when(says("athens", "tire", ships=["athens-1"])).then(
            UnitChanged, attribute="fatigue", after=1, rule="F.2"
        )
        table.then_open("F.ship")
        table.play(says("syracuse", "pick", member="syracuse-1"), says("syracuse", "test-crew", 1))
        table.play(says("syracuse", "stay"), says("syracuse", "done")).when(says("syracuse", "done"))
        table.then_open("F.ship")

    def test_fatigue_of_another_ship_is_refused(self) -> None:
        table = loners().play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
        table.play(says("athens", "stay"), says("athens", "done"))
        table.when(says("athens", "tire", ships=["athens-2"])).then_refused(
            "not-in-acting-squadron", rule="F.2", squadron="athens-1"
        )

    def test_fatigue_of_an_enemy_ship_is_refused(self) -> None:
        table = in_hand(loners()).play(says("athens", "stay"), says("athens", "done")).then_open("F.2")
        table.when(says("athens", "tire", ships=["syracuse-1"])).then_refused(
            "ship-of-other-side", rule="F.2", ship="syracuse-1"
        )


class TestF3Boarding:
    def test_single_ship_boards_in_its_own_segment(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"))
        tie(table, "athens-1", "syracuse-1")
        to_command(table).play(
            says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done")
        )
        table.then_open("F.3").when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        table.then(DiceRolled, rule="F.3", pips=(6, 6), subjects=("athens-1", "syracuse-1"))

    def two_on_one(self) -> Story:
        """Grapple two single ships of Athens to one of Syracuse and pick the first."""
        table = battle(ship("athens-1", "0505"), ship("athens-2", "0507"), ship("syracuse-1", "0506"))
        for name in ("athens-1", "athens-2"):
            tie(table, name, "syracuse-1")
        return to_command(table).play(says("athens", "pick", member="athens-1"))

    def test_not_before_movement_and_fatigue_are_over(self) -> None:
        board = says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1")
        table = (
            self.two_on_one().then_open("F.1").when(board).then_refused("not-allowed-now", rule="F.1", says="E.2, F.3")
        )
        table.play(says("athens", "done")).then_open("F.2").when(board).then_refused(
            "not-allowed-now", rule="F.2", says="E.2, F.3"
        )
        table.play(says("athens", "done")).then_open("F.3").when(board).then(DiceRolled, rule="F.3")

    def test_boarding_with_a_ship_that_is_not_picked_is_refused(self) -> None:
        table = self.two_on_one().play(says("athens", "done"), says("athens", "done"))
        table.when(says("athens", "board", 6, 6, ships=["athens-1", "athens-2"], target="syracuse-1"))
        table.then_refused("not-in-acting-squadron", rule="F.3", ship="athens-2", squadron="athens-1")


class TestF4TurnPasses:
    def test_side_without_single_ships_is_skipped(self) -> None:
        table = to_command(
            battle(ship("athens-1", "0505"), ship("athens-2", "0705"), flag("syracuse-1", "1515", "foe"))
        )
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "stay"), says("syracuse", "done"))
        for name in ("athens-1", "athens-2"):
            table.play(says("athens", "pick", member=name), says("athens", "test-crew", 1), says("athens", "stay"))
            table.play(says("athens", "done"), says("athens", "done"))
        table.then_open("A")
        assert table.game.turn == 2

    def test_turn_passes_while_the_other_player_has_a_ship(self) -> None:
        table = gone(loners(), "athens-1").then_open("F.ship")
        table.when(says("athens", "pick", member="athens-2")).then_refused(
            "step-of-another-side", rule="F.ship", sides="Syracuse"
        )
        gone(gone(table, "syracuse-1"), "athens-2").when(says("athens", "pick", member="athens-2"))
        table.then_refused("step-of-another-side", rule="F.ship", sides="Syracuse")


class TestF5End:
    def test_while_a_ship_is_left_the_segment_is_not_over(self) -> None:
        table = gone(gone(gone(loners(), "athens-1"), "syracuse-1"), "athens-2").then_open("F.ship")
        table.when(says("syracuse", "done")).then_refused("pick-first", rule="F.ship", members=("syracuse-2",))

    def test_after_the_last_the_status_of_ships_is_resolved_once(self) -> None:
        table = loners()
        change(table, "athens-1", "fatigue", 2)
        for name in ("athens-1", "syracuse-1", "athens-2"):
            gone(table, name)
            assert table.game.units["athens-1"].get("fatigue") == 2
        gone(table, "syracuse-2").then(UnitChanged, unit="athens-1", attribute="fatigue", after=1, rule="G.3")
        table.then_open("A")
