"""War Galley, G and H: the state of ships, the points, the end of the battle."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    GameEnded,
    Modifier,
    StepPassed,
    UnitChanged,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import battle, change, finish_activations, says, ship, tie, to_command


def lone_ships(**more: object) -> Story:
    """Begin with three ships for each side, each alone; `more`: ratings of `athens-1`."""
    return battle(
        ship("athens-1", "0505", **more),
        ship("athens-2", "0705"),
        ship("athens-3", "0905"),
        ship("syracuse-1", "0506"),
        ship("syracuse-2", "0706"),
        ship("syracuse-3", "0906"),
    )


def to_status(table: Story) -> Story:
    """Let all ships stay, so that the status phase begins."""
    return finish_activations(to_command(table))


class TestGOrderOfTheStatusPhase:
    def burning(self) -> Story:
        """Give every step of the phase work: a ship burns, another is fouled with it and has been rammed."""
        table = lone_ships()
        tie(table, "athens-1", "athens-2", "fouled")
        change(table, "athens-1", "fire", True)
        change(table, "athens-2", "rammed", True)
        change(table, "athens-3", "masts_down", True)
        change(table, "athens-3", "fatigue", 1)
        return to_status(table)

    def test_disengaging_fires_spread_masts_fatigue_sinking(self) -> None:
        table = self.burning().then_open("G.1")
        table.when(says("athens", "fight-fire", 1, ship="athens-1")).then_refused(
            "not-allowed-now", rule="G.1", says="G.2a"
        )
        table.play(says("athens", "done")).then_open("G.2a")
        table.when(says("athens", "disengage", 6, ship="athens-2")).then_refused(
            "not-allowed-now", rule="G.2a", says="G.1"
        )
        table.play(says("athens", "done")).then_open("G.2b")
        table.when(says("athens", "check-sinking", 1)).then_refused("not-allowed-now", rule="G.2b", says="G.4")
        assert table.game.units["athens-3"].get("fatigue") == 1
        table.when(says("athens", "check-spread", 1, ship="athens-2"))
        table.then(UnitChanged, attribute="masts_down", after=None, rule="G.2c")
        table.then(UnitChanged, attribute="fatigue", after=0, rule="G.3")
        table.then_open("G.4")


class TestG2FiresAndMasts:
    def test_fire_steps_without_a_fire_are_passed_before_masts(self) -> None:
        table = lone_ships()
        change(table, "athens-1", "masts_down", True)
        to_status(table).then(StepPassed, step="G.2a")
        table.then(StepPassed, step="G.2b")
        table.then(UnitChanged, unit="athens-1", attribute="masts_down", after=None, rule="G.2c")


class TestG1Disengage:
    def fouled(self) -> Story:
        table = lone_ships()
        tie(table, "athens-1", "syracuse-1", "fouled")
        tie(table, "athens-1", "athens-2", "fouled")
        return to_status(table)

    def test_success_frees_the_ship_from_all_its_partners(self) -> None:
        table = self.fouled().then_open("G.1").when(says("athens", "disengage", 4, ship="athens-1"))
        table.then(DiceRolled, table="disengage", outcome="free", rule="G.1 [8.35]")
        table.then(UnitChanged, unit="athens-1", attribute="fouled", after=())
        table.then(UnitChanged, unit="syracuse-1", attribute="fouled", after=())
        table.then(UnitChanged, unit="athens-2", attribute="fouled", after=())

    def test_disengage_keeps_the_partner_fouled_with_others(self) -> None:
        table = self.fouled().when(says("athens", "disengage", 4, ship="athens-2"))
        table.then(UnitChanged, unit="athens-1", attribute="fouled", after=("syracuse-1",))

    def test_failure_leaves_it_fouled_until_the_next_turn(self) -> None:
        table = self.fouled().when(says("athens", "disengage", 3, ship="athens-1"))
        table.then_not(UnitChanged, attribute="fouled")
        table.when(says("athens", "disengage", 6, ship="athens-1")).then_refused(
            "nothing-due", rule="G.1 [8.35]", says="athens-1", left="athens-2", reason="tried-already"
        )

    def test_only_fouled_ships_of_ones_own_disengage(self) -> None:
        table = self.fouled()
        table.when(says("athens", "disengage", 6, ship="syracuse-1")).then_refused(
            "ship-of-other-side", rule="G.1", side="Syracuse"
        )
        table.when(says("athens", "disengage", 6, ship="athens-3")).then_refused(
            "nothing-due", rule="G.1", says="athens-3", left="athens-1, athens-2", reason="not-fouled"
        )

    def test_disengage_is_optional(self) -> None:
        table = self.fouled().play(says("athens", "done"))
        assert table.game.cursor.waiting() == ("syracuse",)
        table.when(says("syracuse", "done")).then_open("A")

    def test_disengage_ends_after_the_last_try(self) -> None:
        table = self.fouled().play(says("athens", "disengage", 1, ship="athens-1"))
        table.play(says("athens", "disengage", 1, ship="athens-2"))
        assert table.game.cursor.waiting() == ("syracuse",)
        table.when(says("syracuse", "disengage", 1, ship="syracuse-1")).then_open("A")

    def test_without_fouled_ships_the_step_is_passed(self) -> None:
        to_status(lone_ships()).then(StepPassed, step="G.1")


class TestG2aFires:
    def ablaze(self) -> Story:
        table = lone_ships()
        change(table, "athens-1", "fire", True)
        change(table, "athens-2", "fire", True)
        return to_status(table).then_open("G.2a")

    def test_fight_fire_on_5_puts_the_fire_out(self) -> None:
        table = self.ablaze().when(says("athens", "fight-fire", 5, ship="athens-1"))
        table.then(DiceRolled, table="firefight", outcome="out", rule="G.2a [8.54]")
        table.then(UnitChanged, unit="athens-1", attribute="fire", before=True, after=None)

    def test_fight_fire_twice_a_turn_is_refused(self) -> None:
        table = self.ablaze().play(says("athens", "fight-fire", 4, ship="athens-1"))
        table.when(says("athens", "fight-fire", 6, ship="athens-1")).then_refused(
            "nothing-due",
            rule="G.2a [8.54]",
            says="athens-1",
            left="athens-2",
            reason="tried-already",
        )

    def test_fight_fire_without_a_fire_is_refused(self) -> None:
        self.ablaze().when(says("athens", "fight-fire", 6, ship="athens-3")).then_refused(
            "nothing-due",
            rule="G.2a",
            says="athens-3",
            left="athens-1, athens-2",
            reason="not-burning",
        )

    def test_fight_fire_is_optional(self) -> None:
        table = self.ablaze().when(says("athens", "done"))
        table.then_open("A")
        assert table.game.units["athens-1"].get("fire")

    def test_fight_fire_by_the_enemy_is_refused(self) -> None:
        self.ablaze().when(says("syracuse", "fight-fire", 6, ship="athens-1")).then_refused(
            "step-of-another-side", rule="G.2a", seat="syracuse", sides="Athens"
        )


class TestG2bSpread:
    def test_fire_spread_ignores_a_tie_to_an_unknown_ship(self) -> None:
        """Record a tie to an unknown name, as the referee may."""
        table = lone_ships()
        change(table, "athens-1", "grappled", ("no-ship",))
        to_status(table).then(StepPassed, step="G.2b")

    def beside_a_fire(self, *fires: str, how: str = "grappled", **more: object) -> Story:
        """Tie `athens-1` to `syracuse-1` and `syracuse-2`, and `syracuse-2` to `syracuse-3`; `fires` burn."""
        table = lone_ships(**more)
        for one, other in (("athens-1", "syracuse-1"), ("athens-1", "syracuse-2"), ("syracuse-2", "syracuse-3")):
            tie(table, one, other, how)
        for name in fires:
            change(table, name, "fire", True)
        to_status(table)
        while (step := table.game.cursor.open[0].step) != "G.2b" and step[0] == "G":
            table.play(says(table.game.cursor.waiting()[0], "done"))
        return table

    @pytest.mark.parametrize("how", ["grappled", "fouled"])
    def test_fire_spreads_on_5_to_a_ship_that_is_tied_to_it(self, how: str) -> None:
        table = self.beside_a_fire("syracuse-1", how=how).when(says("athens", "check-spread", 5))
        table.then(DiceRolled, pips=(5,), total=5, outcome="catches fire", rule="G.2b [8.55]")
        assert "syracuse-1" in table.then(UnitChanged, unit="athens-1", attribute="fire", after=True).cause

    def test_not_on_4(self) -> None:
        table = self.beside_a_fire("syracuse-1").when(says("athens", "check-spread", 4))
        table.then(DiceRolled, outcome="no fire")
        table.then_not(UnitChanged, attribute="fire")

    @pytest.mark.parametrize("sails", ["natural_sails", "sails_up"])
    @pytest.mark.parametrize("pip", [4, 6])
    def test_sails_of_the_exposed_ship_add_1_and_7_counts(self, sails: str, pip: int) -> None:
        table = self.beside_a_fire("syracuse-1", **{sails: True}).when(says("athens", "check-spread", pip))
        table.then(
            DiceRolled, total=pip + 1, modifiers=(Modifier(amount=1, source="it has sails"),), outcome="catches fire"
        )

    def test_fire_spread_between_two_fires_is_one_die(self) -> None:
        table = self.beside_a_fire("syracuse-1", "syracuse-2")
        table.when(says("athens", "check-spread", 1)).then(
            DiceRolled, subjects=("athens-1", "syracuse-1", "syracuse-2")
        )
        assert table.game.cursor.waiting() == ("syracuse",)  # for syracuse-3

    def test_fire_spread_ignores_new_fires_of_the_segment(self) -> None:
        table = self.beside_a_fire("syracuse-1").when(says("athens", "check-spread", 6)).then_open("A")
        assert not table.game.units["syracuse-2"].get("fire")

    def test_fire_spread_ignores_a_fire_that_was_put_out(self) -> None:
        table = lone_ships()
        tie(table, "athens-1", "syracuse-1")
        change(table, "syracuse-1", "fire", True)
        to_status(table).when(says("syracuse", "fight-fire", 6, ship="syracuse-1"))
        table.then(StepPassed, step="G.2b")

    def test_fire_spread_to_a_burning_ship_is_refused(self) -> None:
        table = self.beside_a_fire("syracuse-1", "athens-1")
        table.when(says("athens", "check-spread", 6, ship="athens-1")).then_refused(
            "step-of-another-side", rule="G.2b", sides="Syracuse"
        )

    def test_fire_spread_ended_without_dice_is_refused(self) -> None:
        self.beside_a_fire("syracuse-1").when(says("athens", "done")).then_refused(
            "orders-required", rule="G.2b", orders=("check-spread",)
        )

    def test_all_exposed_ships_of_a_side_are_rolled_for_in_one_order(self) -> None:
        table = self.beside_a_fire("athens-1").when(says("syracuse", "check-spread", 5, 1))
        table.then(UnitChanged, unit="syracuse-1", attribute="fire", after=True)
        table.then_not(UnitChanged, unit="syracuse-2", attribute="fire").then_open("A")

    def test_fire_spread_to_an_unexposed_ship_is_refused(self) -> None:
        table = self.beside_a_fire("syracuse-1").when(says("athens", "check-spread", 6, ship="athens-3"))
        table.then_refused(
            "nothing-due",
            rule="G.2b [8.55]",
            what="athens-3 has no die to roll in step G.2b",
            left="athens-1",
            reason="needs-no-die",
        )


class TestG2cMastsDown:
    def test_masts_down_come_off_every_ship(self) -> None:
        table = lone_ships()
        change(table, "athens-1", "masts_down", True)
        change(table, "syracuse-1", "masts_down", True)
        to_status(table)
        for name in ("athens-1", "syracuse-1"):
            table.then(UnitChanged, unit=name, attribute="masts_down", after=None, rule="G.2c")

    def test_raised_sails_stay_up(self) -> None:
        table = lone_ships()
        change(table, "athens-1", "sails", "up")
        change(table, "athens-2", "masts_down", True)
        to_status(table).then_not(UnitChanged, unit="athens-1", attribute="sails")


class TestG3Fatigue:
    def test_fatigue_goes_down_by_one_and_never_below_0(self) -> None:
        table = lone_ships()
        change(table, "athens-1", "fatigue", 2)
        to_status(table).then(UnitChanged, unit="athens-1", attribute="fatigue", before=2, after=1, rule="G.3")
        table.then_not(UnitChanged, unit="athens-2", attribute="fatigue")

    def test_on_ships_of_both_sides(self) -> None:
        table = lone_ships()
        change(table, "syracuse-1", "fatigue", 1)
        to_status(table).then(UnitChanged, unit="syracuse-1", attribute="fatigue", before=1, after=0, rule="G.3")

    def test_status_is_resolved_once_a_turn(self) -> None:
        table = lone_ships()
        change(table, "athens-1", "fatigue", 9)
        to_status(table)
        assert (table.game.turn, table.game.units["athens-1"].get("fatigue")) == (2, 8)


class TestG4Sinking:
    def rammed(self, *ships: str) -> Story:
        table = lone_ships()
        tie(table, "athens-1", "syracuse-1")
        tie(table, "athens-1", "athens-2", "fouled")
        tie(table, "syracuse-1", "syracuse-2")
        for name in ships:
            change(table, name, "rammed", True)
        to_status(table)
        while (step := table.game.cursor.open[0].step) != "G.4" and step[0] == "G":
            table.play(says(table.game.cursor.waiting()[0], "done"))
        return table.then_open("G.4")

    def test_sinking_on_6_takes_direct_partners_along(self) -> None:
        table = self.rammed("athens-1").when(says("athens", "check-sinking", 6))
        table.then(DiceRolled, pips=(6,), total=6, outcome="sinks", rule="G.4 [7.17]")
        table.then(UnitRemoved, unit="athens-1", fate="sunk", cause="rammed")
        for partner in ("athens-2", "syracuse-1"):
            assert "athens-1" in table.then(UnitRemoved, unit=partner, fate="sunk").cause

    def test_partners_of_partners_stay_afloat_and_are_free(self) -> None:
        table = self.rammed("athens-1").when(says("athens", "check-sinking", 6))
        table.then_not(UnitRemoved, unit="syracuse-2")
        table.then(UnitChanged, unit="syracuse-2", attribute="grappled", after=())

    def test_on_5_it_stays_afloat_and_rolls_again_next_turn(self) -> None:
        table = self.rammed("athens-1").when(says("athens", "check-sinking", 5)).then_open("A")
        assert table.game.units["athens-1"].get("rammed")
        to_status(table)
        while table.game.cursor.open[0].step == "G.1":
            table.play(says(table.game.cursor.waiting()[0], "done"))
        table.then_open("G.4")

    def test_ship_that_is_dragged_down_throws_its_die_too(self) -> None:
        """War Galley G.4: one die for each rammed ship, and all sink at one moment."""
        table = self.rammed("athens-1", "athens-2").when(says("athens", "check-sinking", 6))
        table.then_refused("wrong-number-of-pips", rule="dice", limit=2, dice="athens-1 1, athens-2 1")
        table.when(says("athens", "check-sinking", 6, 3)).then_open("A")
        assert "athens-1" in table.then(UnitRemoved, unit="athens-2", fate="sunk").cause

    @pytest.mark.parametrize(("athens", "syracuse"), [(6, 6), (6, 2), (2, 6), (2, 2)])
    def test_sinking_does_not_depend_on_the_side_that_throws_first(self, athens: int, syracuse: int) -> None:
        """War Galley G.4: syracuse-2 is tied to syracuse-1 alone, so that die decides its fate."""
        throws = [says("athens", "check-sinking", athens), says("syracuse", "check-sinking", syracuse)]
        ends = []
        for orders in (throws, throws[::-1]):
            table = self.rammed("athens-1", "syracuse-1").play(orders[0]).then_not(UnitRemoved).then_open("G.4")
            table.play(orders[1]).then_open("A")
            ends.append(dict(table.game.units))
        assert ends[0] == ends[1]
        assert bool(ends[0]["syracuse-2"].fate) is (syracuse == 6)

    def test_ship_with_a_sinking_die_sinks_without_the_last_die(self) -> None:
        """War Galley G.4: the referee takes the other rammed ship off the map, and G.4 is left."""
        table = self.rammed("athens-1", "syracuse-1").play(says("athens", "check-sinking", 6))
        table.given(UnitRemoved(unit="syracuse-1", fate="withdrawn"))
        while table.game.cursor.open[0].step == "G.4":
            table.play(says(table.game.cursor.waiting()[0], "done"))
        assert table.game.units["athens-1"].fate == "sunk"

    def test_ships_freed_in_g1_are_safe(self) -> None:
        table = lone_ships()
        tie(table, "athens-1", "syracuse-1", "fouled")
        change(table, "athens-1", "rammed", True)
        to_status(table).play(says("syracuse", "disengage", 6, ship="syracuse-1"))
        table.play(says("athens", "check-sinking", 6))
        assert table.game.units["athens-1"].fate == "sunk"
        assert table.game.units["syracuse-1"].fate == ""

    def test_sinking_step_ended_without_a_die_is_refused(self) -> None:
        self.rammed("athens-1").when(says("athens", "done")).then_refused(
            "orders-required", rule="G.4", orders=("check-sinking",)
        )

    def test_sinking_die_of_an_unrammed_ship_is_refused(self) -> None:
        self.rammed("athens-1").when(says("athens", "check-sinking", 6, ship="athens-3")).then_refused(
            "nothing-due", rule="G.4 [7.17]", says="athens-3", left="athens-1", reason="needs-no-die"
        )

    def test_ship_aground_is_not_checked_for_sinking(self) -> None:
        table = lone_ships()
        change(table, "athens-3", "aground", True)
        to_status(table).then_open("A")


class TestHVictory:
    def test_battle_continues_without_a_winner(self) -> None:
        table = to_status(lone_ships()).then_open("A")
        assert (table.game.turn, table.game.ended) == (2, "")

    def test_enough_points_end_the_battle(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"), victory={"points": 3})
        change(table, "athens-1", "rammed", True)
        change(table, "athens-1", "worth_to", "syracuse")
        to_status(table).when(says("athens", "check-sinking", 1))
        assert "3" in table.then(GameEnded, winner="syracuse", rule="H").why
        table.when(says("athens", "roll-wind", 1, 1)).then_refused("game-over", rule="the end")

    def test_last_turn_ends_the_battle_even_in_a_draw(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"), victory={"turns": 2})
        to_status(table).then_open("A")
        assert "2" in to_status(table).then(GameEnded, winner="", rule="H").why

    def test_side_without_ships_has_lost(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"))
        tie(table, "athens-1", "syracuse-1")
        to_command(table).play(
            says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done")
        )
        table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        ended = table.then(GameEnded, winner="athens", rule="H").why
        assert ("Syracuse" in ended, "Athens" in ended) == (True, False)

    def test_last_ships_of_both_sides_sunk_is_a_draw(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"))
        tie(table, "athens-1", "syracuse-1")
        change(table, "athens-1", "rammed", True)
        to_status(table).when(says("athens", "check-sinking", 6))
        ended = table.then(GameEnded, winner="", rule="H").why
        assert "Athens" in ended
        assert "Syracuse" in ended


class TestHaRammedOrAground:
    def test_rammed_enemy_is_worth_its_ram_defense_once(self) -> None:
        table = battle(ship("athens-1", "0505", ram_defense=4), ship("syracuse-1", "1515"))
        change(table, "athens-1", "rammed", True)
        change(table, "athens-1", "worth_to", "syracuse")
        to_status(table).when(says("athens", "check-sinking", 1))
        assert "athens-1" in table.then(AccountChanged, account="vp/syracuse", amount=4, after=4, rule="H.a").cause
        to_status(table).when(says("athens", "check-sinking", 1)).then_not(AccountChanged)

    def test_ship_aground_is_worth_its_ram_defense(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"))
        to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
        table.play(says("athens", "run-aground", ship="athens-1"))
        scored = finish_activations(table).then(AccountChanged, account="vp/syracuse", amount=3, rule="H.a")
        assert "athens-1" in scored.cause

    def test_ship_dragged_down_is_worth_nothing(self) -> None:
        table = battle(
            ship("athens-1", "0505"), ship("athens-2", "0506"), ship("athens-3", "0515"), ship("syracuse-1", "1515")
        )
        tie(table, "athens-1", "athens-2", "fouled")
        change(table, "athens-1", "rammed", True)
        change(table, "athens-1", "worth_to", "syracuse")
        to_status(table).play(says("athens", "done"), says("athens", "check-sinking", 6))
        assert table.game.accounts["vp/syracuse"] == 3


class TestHbCaptured:
    def test_captured_enemy_is_worth_one_more_until_retaken(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"), ship("syracuse-2", "1515"))
        change(table, "syracuse-1", "captured_by", "syracuse")  # taken earlier from Athens
        tie(table, "athens-1", "syracuse-1")
        assert "syracuse-1" in to_status(table).then(AccountChanged, account="vp/syracuse", amount=4, rule="H.b").cause
        to_command(table).play(
            says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done")
        )
        table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        finish_activations(table)
        assert "syracuse-1" in table.then(AccountChanged, account="vp/syracuse", amount=-4, after=0).cause

    def test_ship_rammed_and_captured_by_one_side_counts_once(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"), ship("syracuse-2", "1512"))
        change(table, "syracuse-2", "rammed", True)
        change(table, "syracuse-2", "worth_to", "syracuse")
        change(table, "syracuse-2", "captured_by", "syracuse")
        to_status(table).when(says("syracuse", "check-sinking", 1))
        table.then(AccountChanged, account="vp/syracuse", after=4)
        assert table.game.accounts["vp/syracuse"] == 4

    def test_own_ship_retaken_is_worth_nothing(self) -> None:
        table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"), ship("syracuse-2", "1515"))
        change(table, "syracuse-1", "captured_by", "syracuse")  # taken earlier from Athens
        tie(table, "athens-1", "syracuse-1")
        to_command(table).play(
            says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done")
        )
        table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        finish_activations(table)
        assert table.game.accounts.get("vp/athens", 0) == 0
