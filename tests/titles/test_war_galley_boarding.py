"""War Galley, E.2 and F: boarding, captured ships, ships that sail alone, fatigue."""

from tests.face.domain import (
    DiceRolled,
    Modifier,
    StepPassed,
    UnitChanged,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import (
    battle,
    change,
    flag,
    says,
    ship,
    tie,
    to_movement,
)


def grappled(*pairs: tuple[str, str], **more: object) -> Story:
    """Open E.2 for Athens, with two Athenian ships (manpower 3 and 2) amid two Syracusans (manpower 2 each)."""
    table = battle(
        flag("athens-1", "0505", "left", manpower=3),
        ship("athens-2", "0506", **more),
        ship("athens-9", "1915"),
        flag("syracuse-1", "0504", "foe"),
        ship("syracuse-2", "0605"),
    )
    for one, other in pairs:
        tie(table, one, other)
    to_movement(table, "left")
    if table.when(says("athens", "done")).refusal:
        table.play(says("athens", "stay"), says("athens", "done"))
    return table


ONE = ("athens-1", "syracuse-1")
TWO = ("athens-2", "syracuse-1")


class TestE2Boarding:
    def test_two_ships_board_one_with_a_single_roll(self) -> None:
        """Manpower 3 and 2 against 2: all of it is added up before the one roll."""
        table = grappled(ONE, TWO)
        table.when(says("athens", "board", 3, 3, ships=["athens-1", "athens-2"], target="syracuse-1"))
        modifiers = (
            Modifier(amount=3, source="manpower from athens-1"),
            Modifier(amount=2, source="manpower from athens-2"),
            Modifier(amount=-2, source="manpower of syracuse-1"),
        )
        table.then(DiceRolled, dice="2d6", pips=(3, 3), total=9, modifiers=modifiers, row="9..10", rule="E.2")

    def test_boarded_ship_changes_sides_without_crew_at_cruise(self) -> None:
        table = grappled(ONE)
        change(table, "syracuse-1", "level", "maximum")
        table.when(says("athens", "board", 6, 4, ships=["athens-1"], target="syracuse-1"))
        for attribute, before, after in (("crew", 4, 0), ("manpower", 2, 0), ("level", "maximum", "cruise")):
            table.then(UnitChanged, unit="syracuse-1", attribute=attribute, before=before, after=after, rule="E.2")
        table.then(UnitChanged, unit="syracuse-1", attribute="side", before="syracuse", after="athens")
        taken = table.then(UnitChanged, unit="syracuse-1", attribute="captured_by", after="athens")
        assert "athens-1" in taken.cause

    def test_boarding_that_fails_costs_the_losses_of_the_table(self) -> None:
        table = grappled(ONE).when(says("athens", "board", 3, 3, ships=["athens-1"], target="syracuse-1"))
        table.then(UnitChanged, unit="athens-1", attribute="manpower", before=3, after=2)
        table.then(UnitChanged, unit="syracuse-1", attribute="manpower", before=2, after=1)
        assert table.game.units["syracuse-1"].side == "syracuse"

    def test_boarding_losses_follow_the_order_of_the_ships(self) -> None:
        table = grappled(ONE, TWO)
        table.when(says("athens", "board", 1, 1, ships=["athens-2", "athens-1"], target="syracuse-1"))
        table.then(UnitChanged, unit="athens-2", attribute="manpower", after=1)
        table.then_not(UnitChanged, unit="athens-1", attribute="manpower")

    def test_ship_grappled_to_two_splits_its_manpower(self) -> None:
        table = grappled(ONE, ("athens-1", "syracuse-2"))
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1", send={"athens-1": 2}))
        table.then(DiceRolled, modifiers=(Modifier(amount=2, source="manpower from athens-1"), minus("syracuse-1")))
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-2"))
        table.then(DiceRolled, modifiers=(Modifier(amount=1, source="manpower from athens-1"), minus("syracuse-2")))

    def test_ship_grappled_to_one_enemy_must_send_all(self) -> None:
        table = grappled(ONE)
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1", send={"athens-1": 2}))
        table.then_refused("cannot-hold-back", rule="War Galley E.2", target="syracuse-1", left=3)
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1", send={"athens-1": 3}))
        table.then(DiceRolled, modifiers=(Modifier(amount=3, source="manpower from athens-1"), minus("syracuse-1")))

    def test_boarding_with_more_manpower_than_left_is_refused(self) -> None:
        table = grappled(ONE, ("athens-1", "syracuse-2"))
        table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1", send={"athens-1": 2}))
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-2", send={"athens-1": 2}))
        table.then_refused("too-many-boarders", rule="War Galley E.2", given=2, limit=1)

    def test_manpower_lost_does_not_board_a_second_time(self) -> None:
        """Send the 1 that is left: of manpower 3, 2 board and 1 of them falls."""
        table = grappled(ONE, ("athens-1", "syracuse-2"))
        table.play(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-1", send={"athens-1": 2}))
        table.when(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-2"))
        table.then(DiceRolled, modifiers=(Modifier(amount=1, source="manpower from athens-1"), minus("syracuse-2")))

    def test_boarding_with_all_manpower_used_is_refused(self) -> None:
        table = grappled(ONE, ("athens-1", "syracuse-2"), ("athens-2", "syracuse-2"))
        table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        table.when(says("athens", "board", 6, 6, ships=["athens-1", "athens-2"], target="syracuse-2"))
        table.then_refused("no-boarders-left", rule="E.2", limit=0)

    def test_boarding_of_a_target_twice_is_refused(self) -> None:
        table = grappled(ONE, TWO, ("athens-1", "syracuse-2"))
        table.play(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-1", send={"athens-1": 1}))
        table.when(says("athens", "board", 6, 6, ships=["athens-2"], target="syracuse-1"))
        table.then_refused("boarded-already", rule="E.2")

    def test_boarding_without_a_grapple_is_refused(self) -> None:
        table = grappled(ONE).when(says("athens", "board", 6, 6, ships=["athens-2"], target="syracuse-1"))
        table.then_refused("not-grappled", rule="E.2", ship="athens-2", target="syracuse-1")

    def test_boarding_without_manpower_is_refused(self) -> None:
        table = grappled(ONE, TWO, manpower=0)
        table.when(says("athens", "board", 6, 6, ships=["athens-2"], target="syracuse-1")).then_refused(
            "cannot-board", rule="E.2", says="athens-2", reason="no-manpower"
        )

    def test_boarding_by_a_captured_ship_is_refused(self) -> None:
        table = battle(
            flag("athens-1", "0505", "left"), ship("athens-2", "0506", manpower=0), ship("syracuse-1", "0504")
        )
        change(table, "athens-2", "captured_by", "athens")
        tie(table, *ONE)
        tie(table, "athens-2", "syracuse-1")
        to_movement(table, "left").play(says("athens", "done"))
        table.when(says("athens", "board", 6, 6, ships=["athens-2"], target="syracuse-1")).then_refused(
            "cannot-board", rule="E.2", says="athens-2", reason="captured"
        )

    def test_boarding_of_an_own_ship_is_refused(self) -> None:
        table = grappled(ONE, ("athens-1", "athens-2"))
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="athens-2")).then_refused(
            "own-ship", rule="E.2"
        )

    def test_only_the_active_squadron_boards(self) -> None:
        table = grappled(ONE, ("athens-9", "syracuse-2"))
        table.when(says("athens", "board", 6, 6, ships=["athens-9"], target="syracuse-2")).then_refused(
            "not-in-acting-squadron", rule="E.2", squadron="athens-1, athens-2"
        )

    def test_manpower_is_sent_only_from_ships_that_board(self) -> None:
        table = grappled(ONE, TWO)
        order = says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1", send={"athens-2": 1})
        table.when(order).then_refused("stranger-sent", rule="E.2", strangers=("athens-2",))

    def test_boarding_before_all_ships_have_moved_is_refused(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0506"), ship("syracuse-1", "0504"))
        tie(table, *ONE)
        to_movement(table, "left")
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1")).then_refused(
            "not-allowed-now", rule="E.1", says="E.2, F.3"
        )
        table.when(says("athens", "done")).then_refused(
            "orders-required", rule="E.1", says="`stay`: athens-2", orders=("move-ship", "stay")
        )

    def test_boarding_is_optional(self) -> None:
        grappled(ONE).when(says("athens", "done")).then_open("E.squadron")

    def test_without_a_grappled_enemy_the_segment_is_passed(self) -> None:
        grappled().then(StepPassed, step="E.2")

    def test_boarding_ends_when_no_ship_can_board(self) -> None:
        table = grappled(ONE, TWO)
        table.when(says("athens", "board", 1, 1, ships=["athens-1", "athens-2"], target="syracuse-1"))
        table.then_open("E.squadron")

    def test_manpower_sent_counts_for_one_activation_only(self) -> None:
        table = grappled(ONE).play(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-1"))
        assert table.game.units["athens-1"].get("sent") is None
        assert table.game.markers.get("boarded") is None

    def test_boarding_with_one_die_names_the_dice_needed(self) -> None:
        table = grappled(ONE).when(says("athens", "board", 6, ships=["athens-1"], target="syracuse-1"))
        table.then_refused("pips-missing", rule="dice", says="syracuse-1", number=2, faces=6, as_json='"pips": [N, N]')

    def test_manpower_of_two_is_divided_over_two_enemies(self) -> None:
        """Put 4 on one enemy and 1 on the other: athens-1 sends 2 and 1, athens-2 adds its 2 to the first."""
        table = grappled(ONE, TWO, ("athens-1", "syracuse-2"))
        board = {"ships": ["athens-1", "athens-2"], "send": {"athens-1": 2}}
        table.when(says("athens", "board", 1, 1, target="syracuse-1", **board))
        first = table.then(DiceRolled, rule="E.2", pips=(1, 1))
        assert [one.amount for one in first.modifiers if one.amount > 0] == [2, 2]
        table.when(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-2"))
        second = table.then(DiceRolled, rule="E.2", pips=(1, 1))
        assert [one.amount for one in second.modifiers if one.amount > 0] == [1]

    def test_boarding_of_a_ship_only_fouled_is_refused(self) -> None:
        table = grappled(ONE)
        tie(table, "athens-1", "syracuse-2", "fouled")
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-2"))
        table.then_refused("not-grappled", rule="E.2")

    def test_boarding_in_the_turn_of_the_enemy_is_refused(self) -> None:
        table = grappled(ONE).when(says("syracuse", "board", 6, 6, ships=["syracuse-1"], target="athens-1"))
        table.then_refused("step-of-another-side", rule="E.2", seat="syracuse", sides="Athens")


def minus(target: str) -> Modifier:
    return Modifier(amount=-2, source=f"manpower of {target}")


class TestCapturedShips:
    def test_captured_ship_acts_from_the_next_squadron_determination(self) -> None:
        table = grappled(ONE).play(says("athens", "board", 6, 4, ships=["athens-1"], target="syracuse-1"))
        assert table.game.units["syracuse-1"].get("squadron") is None
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "stay"), says("syracuse", "done"))
        assert table.game.cursor.open[0].step == "F.ship"
        table.when(says("athens", "pick", member="syracuse-1")).then_refused(
            "no-such-member", rule="F.ship", free=("athens-9",)
        )

    def test_taken_back_it_counts_as_captured_no_longer(self) -> None:
        table = battle(flag("athens-1", "0505", "left"), ship("syracuse-1", "0504"), ship("syracuse-2", "1515"))
        change(table, "syracuse-1", "captured_by", "syracuse")  # built in Athens
        tie(table, *ONE)
        to_movement(table, "left").play(says("athens", "done"))
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        table.then(UnitChanged, unit="syracuse-1", attribute="captured_by", before="syracuse", after=None)
        table.then(UnitChanged, unit="syracuse-1", attribute="side", after="athens")
