"""Check the battle cycle of Pacific War (5.2) by phase, with searches and submarines in every movement."""

import pytest

from tests.face.domain import (
    DiceRolled,
    MarkerSet,
    PassBegun,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    cycle,
    mark,
    opened,
    operation,
    says,
    scenario,
    sets_out,
    strategic,
    until,
    until_gone,
)

EVERY_PHASE = [f"5.2.{letter}" for letter in "ABCDEFGHIJKLMNO"]
MARINES = "1st-marine-division"


def off_guadalcanal(*more: str) -> Story:
    """Begin the first cycle with Chokai and other activated units off Guadalcanal, next to an Allied cruiser."""
    table = operation(campaign(), "chokai", *more)
    table.play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"]))
    until(table, "5.1.S").play(
        says(ALLIES, "activate", units=["san-francisco", "cactus-air"], headquarters="south-pacific")
    )
    return until(table, "5.2.A")


class Test52TheCycle:
    def test_its_phases_come_in_printed_order(self) -> None:
        table = until(operation(campaign(), "chokai"), "5.1.T/move")
        since = table.tip
        until_gone(until(table, "5.2.A"), "5.2.A")
        seen = opened(until(table, "5.2.A"), since)
        passed = [
            event.step
            for taken in table.taken
            if taken.first > since
            for event in taken.events
            if isinstance(event, StepPassed)
        ]
        assert {"5.2.D", "5.2.F", "5.2.H", "5.2.J", "5.2.L", "5.2.N"} <= set(passed)
        assert list(dict.fromkeys(step[:5] for step in seen)) == [
            f"5.2.{letter}"
            for letter in "ABCGHIKMO"  # H: losses that no combat caused are removed
        ]
        assert seen[-1] == "5.2.A"
        assert set(EVERY_PHASE) == {step[:5] for step in (*seen, *passed)} | {"5.2.E"}

    def test_cycle_repeats_while_a_unit_is_activated(self) -> None:
        table = cycle(campaign(), "chokai")
        until_gone(table, "5.2.A")
        until(table, "5.2.A")
        assert table.game.number("cycle") == 2
        assert "lighting" not in table.game.markers
        assert "advantage" not in table.game.markers


class Test52ALighting:
    def test_lighting_holds_for_the_cycle(self) -> None:
        table = cycle(campaign(), "chokai").when(says(ALLIES, "roll-lighting", 2))
        table.then(DiceRolled, table="lighting", row="3 or less", outcome="night")
        until(table, "5.2.M")
        assert table.game.markers["lighting"] == "night"

    def test_lighting_is_rolled_once(self) -> None:
        table = cycle(campaign(), "chokai").play(says(ALLIES, "roll-lighting", 2))
        table.when(says(JAPAN, "roll-lighting", 9)).then_refused(
            "not-allowed-now", rule="5.2.B", says="5.2.A", orders=("roll-advantage",)
        )


class Test52BAdvantage:
    def test_advantage_to_one_side_gives_disadvantage_to_the_other(self) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.B").when(says(JAPAN, "roll-advantage", 9))
        table.then(MarkerSet, marker="advantage", after=ALLIES)
        table.then(MarkerSet, marker="disadvantage", after=JAPAN)

    def test_neither_phase_is_left_without_its_roll(self) -> None:
        cycle(campaign(), "chokai").when(says(JAPAN, "done")).then_refused(
            "orders-required", rule="5.2.A [26.0]", step="5.2.A", orders=("roll-lighting",)
        )


class Test52CMovement:
    def to_movement(self, *units: str) -> Story:
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table = cycle(campaign(), *units)
        for name, side in (("gar", ALLIES), ("i-19", JAPAN)):
            table.given(UnitPlaced(unit=name, side=side, kind="patrol", at="rabaul", attributes=boats))
        return until(table, "5.2.C/move")

    def test_searches_and_submarine_combat_are_open_during_movement(self) -> None:
        table = self.to_movement("chokai").then_open("5.2.C/move", "5.2.C/search", "5.2.C/submarines")
        waits = {one.step: one.waits for one in table.game.cursor.open}
        assert waits["5.2.C/move"] == (JAPAN,)
        assert waits["5.2.C/search"] == (JAPAN, ALLIES)
        assert waits["5.2.C/submarines"] == (ALLIES,)  # Japan moves, so no ship comes to Japan's boat

    def test_parallel_steps_are_left_separately_by_name(self) -> None:
        table = self.to_movement("chokai").when(says(JAPAN, "done"))
        table.then_refused("several-steps-open", rule="5.2.C/move")
        table.play(says(JAPAN, "done", step="5.2.C/move")).then_open("5.2.C/search", "5.2.C/submarines")

    def test_disadvantage_player_searches_while_the_other_moves(self) -> None:
        table = self.to_movement("shokaku", "hiei", "shokaku-air")
        table.play(says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]))
        table.when(says(ALLIES, "search", 7, target="kido-butai")).then(
            DiceRolled, outcome="found", rule="5.2.C [24.0]"
        )
        table.play(says(JAPAN, "move", unit="kido-butai", path=["santa-cruz"]))

    @pytest.mark.parametrize("once", [True, False])
    def test_patrol_attacks_once_in_a_phase(self, once: bool) -> None:
        """Check 5.2.C [25.2]: a second boat may attack, and the first one in 5.2.K."""
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table = cycle(campaign(submarines_attack_once=once), "chokai")
        for name in ("gar", "tang"):
            table.given(UnitPlaced(unit=name, side=ALLIES, kind="patrol", at="rabaul", attributes=boats))
        attack = says(ALLIES, "attack", 1, units=["gar"], target="chokai")
        until(table, "5.2.C/submarines").play(attack, says(JAPAN, "done", step="5.2.C/move")).when(attack)
        table.then_refused("attacked-already", rule="5.2.C [25.2]", units=("gar",)) if once else table.then_accepted()
        table.when(says(ALLIES, "attack", 1, units=["tang"], target="chokai")).then_accepted()
        until(table, "5.2.K/submarines").when(attack).then_accepted()

    def test_disadvantage_player_does_not_move_in_c(self) -> None:
        table = self.to_movement("chokai").when(says(ALLIES, "move", unit=MARINES, path=["tulagi"]))
        table.then_refused("step-of-another-side", rule="5.2.C/move", seat="allies", sides="Japan")

    def test_air_units_move_only_with_their_carrier(self) -> None:
        table = self.to_movement("shokaku", "hiei", "shokaku-air", "rabaul-air")
        table.when(says(JAPAN, "move", unit="rabaul-air", path=["buin"]))
        table.then_refused("cannot-move", rule="5.2.C [23.6]", unit="rabaul-air", reason="flies-later")
        table.when(says(JAPAN, "move", unit="shokaku-air", path=["buin"]))
        table.then_refused("cannot-move", rule="5.2.C [23.6]", unit="shokaku-air", says=" shokaku ", reason="aboard")
        table.when(says(JAPAN, "move", unit="kido-butai", path=["buin"]))
        table.then(UnitMoved, unit="shokaku-air", path=("truk", "buin"))

    def test_ground_units_embark_and_disembark(self) -> None:
        table = self.to_movement("tokyo-express", "ichiki")
        table.play(
            says(JAPAN, "embark", unit="ichiki", ship="tokyo-express"),
            says(JAPAN, "move", unit="tokyo-express", path=["guadalcanal"]),
        )
        assert table.game.units["ichiki"].at == "guadalcanal"
        table.when(says(JAPAN, "disembark", unit="ichiki")).then(UnitChanged, attribute="aboard", after="")
        table.when(says(JAPAN, "disembark", unit="ichiki"))
        table.then_refused("not-aboard", rule="5.2.C [23.6]")

    def test_unit_is_aboard_one_ship_at_a_time(self) -> None:
        table = self.to_movement("tokyo-express", "chokai", "ichiki")
        table.play(says(JAPAN, "embark", unit="ichiki", ship="tokyo-express"))
        table.when(says(JAPAN, "embark", unit="ichiki", ship="chokai"))
        table.then_refused("already-aboard", rule="5.2.C [23.6]", unit="ichiki", ship="tokyo-express")
        table.play(says(JAPAN, "disembark", unit="ichiki"), says(JAPAN, "embark", unit="ichiki", ship="chokai"))

    def test_not_from_afar(self) -> None:
        table = self.to_movement("shokaku", "ichiki").when(says(JAPAN, "embark", unit="ichiki", ship="shokaku"))
        table.then_refused("not-together", rule="5.2.C [23.6]", unit="ichiki", unit_at="rabaul")

    def test_submarine_combat_may_occur_and_no_other(self) -> None:
        table = self.to_movement("chokai", "rabaul-air")
        table.when(says(ALLIES, "attack", 9, units=["gar"], target="chokai"))
        table.then(DiceRolled, table="submarine-combat", rule="5.2.C [25.2]")
        table.then(UnitChanged, unit="chokai", attribute="hits", after=1)
        table.when(says(ALLIES, "attack", 9, units=["gar"], target="ichiki"))
        table.then_refused("wrong-kind-of-target", rule="5.2.C [25.2]")

    def test_by_the_optional_rules_japanese_submarines_move_along(self) -> None:
        """Check 34.1 and 34.2, both here and in 5.2.K; without them patrols do not move."""
        for rules, moves in ((True, True), (False, False)):
            patrol = {"unit": "krs-1", "at": "rabaul", "submarines": 1, "headquarters": "combined-fleet"}
            table = until(campaign(japanese_submarines=rules), "5.1.N").play(says(JAPAN, "place-patrol", **patrol))
            table = until(operation(table, "chokai"), "5.2.C/move")
            table.when(says(JAPAN, "move", unit="krs-1", path=["guadalcanal"]))
            if moves:
                table.then(UnitMoved, unit="krs-1")
            else:
                table.then_refused("cannot-move", rule="5.2.C [23.6]", unit="krs-1", reason="never-moves")


class Test52KMovement:
    def test_disadvantage_player_moves_with_the_same_parallel_steps(self) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.K/move")
        table.then_open("5.2.K/move", "5.2.K/search")
        assert table.game.cursor.opened("5.2.K/move").waits == (ALLIES,)  # type: ignore[union-attr]


class Test52DAirMissions:
    def test_advantage_player_strikes_and_the_other_interferes(self) -> None:
        table = until(off_guadalcanal("rabaul-air"), "5.2.D")
        table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="san-francisco"))
        table.when(says(JAPAN, "done")).then_refused("step-of-another-side", rule="5.2.D", sides="Allies")
        table.when(says(ALLIES, "attack", 5, units=["cactus-air"], target="rabaul-air"))
        table.then(UnitChanged, unit="rabaul-air", attribute="steps", after=1)
        table.play(says(ALLIES, "done"))
        table.when(says(JAPAN, "attack", 5, units=["rabaul-air"], target="san-francisco"))
        table.then(DiceRolled, table="air-combat", subjects=("rabaul-air", "san-francisco"))
        table.when(says(ALLIES, "done")).then_refused("step-of-another-side", rule="5.2.D", sides="Japan")


class Test52LMissions:
    def test_in_l_it_is_the_other_way_round(self) -> None:
        table = until(off_guadalcanal(), "5.2.L")
        assert table.game.cursor.waiting() == (ALLIES,)

    def test_modifiers_come_with_their_sources(self) -> None:
        table = sets_out(until(off_guadalcanal("rabaul-air"), "5.2.D"), JAPAN, "rabaul-air", "san-francisco")
        plus = [{"amount": 2, "source": "surprised on deck"}]
        rolled = table.when(says(JAPAN, "attack", 7, units=["rabaul-air"], target="san-francisco", modifiers=plus))
        assert rolled.then(DiceRolled, total=9, row="9 or more").modifiers[0].source == "surprised on deck"

    def test_only_activated_units_attack(self) -> None:
        table = until(off_guadalcanal("shokaku", "shokaku-air"), "5.2.D").when(
            says(JAPAN, "attack", 5, units=["rabaul-air"], target="san-francisco")
        )
        table.then_refused("flyers-not-activated", rule="5.2.D [28.0]", units=("rabaul-air",))

    def test_air_units_fly_between_bases_and_nothing_else_moves(self) -> None:
        table = until(off_guadalcanal("rabaul-air"), "5.2.D")
        table.when(says(JAPAN, "move", unit="rabaul-air", path=["buna"]))
        table.then_refused("no-own-base", rule="5.2.D [28.0]", place="buna", side="Japan", bases="rabaul, truk")
        table.when(says(JAPAN, "move", unit="rabaul-air", path=["truk"])).then(UnitMoved, unit="rabaul-air")
        table.when(says(JAPAN, "move", unit="chokai", path=["rabaul"]))
        table.then_refused("cannot-move", rule="5.2.D [28.0]", unit="chokai", reason="not-an-air-unit")

    def test_ground_unit_is_dropped_and_does_not_march(self) -> None:
        table = until(off_guadalcanal("ichiki", "rabaul-air"), "5.2.D")
        table.when(says(JAPAN, "move", unit="ichiki", path=["guadalcanal"]))
        table.then_refused("cannot-move", rule="5.2.D [28.0]", unit="ichiki", says="`paradrop`", reason="ground-unit")
        sets_out(table, JAPAN, "rabaul-air", "guadalcanal")
        table.when(says(JAPAN, "paradrop", unit="ichiki", by="rabaul-air", at="guadalcanal"))
        table.then(UnitMoved, unit="ichiki", rule="5.2.D [28.14]")

    def test_side_that_only_interferes_moves_no_unit(self) -> None:
        table = until(off_guadalcanal("rabaul-air"), "5.2.D")
        table.when(says(ALLIES, "move", unit="cactus-air", path=["noumea"]))
        table.then_refused("cannot-move", rule="5.2.D [28.0]", unit="cactus-air", reason="owner-only-interferes")

    def test_losses_are_taken_by_hand_and_status_is_not_changed_here(self) -> None:
        table = until(off_guadalcanal("rabaul-air"), "5.2.D")
        table.when(says(JAPAN, "change", unit="rabaul-air", attribute="status", to=3))
        table.then_refused("written-by-the-rules-alone", rule="5.2.D", written="status of rabaul-air")
        table.when(says(JAPAN, "change", unit="rabaul-air", attribute="steps", to=0))
        table.then_refused("steps-out-of-range", rule="5.2.D", given=0)
        table.when(says(JAPAN, "change", unit="rabaul-air", attribute="steps", to=1)).then(UnitChanged, after=1)

    def test_cargo_of_a_sunk_ship_is_lost(self) -> None:
        table = until(off_guadalcanal("shokaku", "shokaku-air"), "5.2.L")
        change(sets_out(table, ALLIES, "cactus-air", "shokaku"), "shokaku", "hits", 3)
        table.when(says(ALLIES, "attack", 6, units=["cactus-air"], target="shokaku"))
        table.then(UnitRemoved, unit="shokaku", fate="sunk")
        table.then(UnitRemoved, unit="shokaku-air", fate="lost")


class Test52ENavalBattles:
    def test_hex_with_ships_of_both_sides_is_a_battle(self) -> None:
        table = until(off_guadalcanal(), "5.2.E").then_open("5.2.E")
        table.when(says(ALLIES, "pick", member="rabaul"))
        table.then_refused("no-such-member", rule="5.2.E", member="rabaul", free=("guadalcanal",))
        table.play(says(ALLIES, "pick", member="guadalcanal")).then_open("5.2.E.a")

    def test_without_one_the_phase_is_over_at_once(self) -> None:
        assert "5.2.E.a" not in opened(until(cycle(campaign(), "chokai"), "5.2.F"))


class Test52EaCombatOrNone:
    def test_combat_takes_three_phases(self) -> None:
        table = until(off_guadalcanal(), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        table.when(says(JAPAN, "determine-battle", 7)).then(DiceRolled, table="naval-battle", row="7..8")
        table.then(MarkerSet, marker="surprise", after=JAPAN)
        since = table.tip
        until(table, "5.2.F")
        phases = [step for step in opened(table, since) if not step.endswith("/losses")]
        assert phases[:5] == [f"5.2.E.b/{step}" for step in ("1", "2/surprise", "2", "3/surprise", "3")]

    def test_no_combat_result_causes_no_losses(self) -> None:
        table = until(off_guadalcanal(), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        table.when(says(JAPAN, "determine-battle", 2)).then(StepPassed, step="5.2.E.b")
        table.then_open("5.2.F")

    def test_combat_must_be_determined(self) -> None:
        table = until(off_guadalcanal(), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        table.when(says(JAPAN, "done", answer="no combat"))
        table.then_refused("not-an-answer", rule="5.2.E.a [29.1]", answer="no combat", do="determine-battle")

    def test_hexes_are_fought_one_by_one_in_the_players_order(self) -> None:
        table = operation(campaign(), "chokai", "tokyo-express")
        table.play(
            says(JAPAN, "move", unit="chokai", path=["guadalcanal"]),
            says(JAPAN, "move", unit="tokyo-express", path=["noumea"]),
        )
        until(table, "5.2.E").play(says(ALLIES, "pick", member="noumea"), says(JAPAN, "determine-battle", 5))
        until(table, "5.2.E")
        table.when(says(JAPAN, "pick", member="noumea"))
        table.then_refused("no-such-member", rule="5.2.E", free=("guadalcanal",))
        table.play(says(JAPAN, "pick", member="guadalcanal"), says(ALLIES, "determine-battle", 5))
        assert table.game.cursor.item("5.2.E") == "guadalcanal"

    def test_ships_fight_only_in_the_picked_hex(self) -> None:
        table = until(off_guadalcanal("hiei"), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        table.play(says(JAPAN, "determine-battle", 5))
        table.when(says(JAPAN, "attack", 9, units=["hiei"], target="san-francisco"))
        table.then_refused("units-elsewhere", rule="5.2.E [29.2]", units=("hiei",), place="guadalcanal")

    def test_hits_cripple_and_sink_and_count_as_damage(self) -> None:
        """Two hits cripple a cruiser, three sink it."""
        table = until(off_guadalcanal(), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        table.play(says(JAPAN, "determine-battle", 5))
        for phase in (1, 2):
            table.play(says(JAPAN, "attack", 6, units=["chokai"], target="san-francisco"))
            until(table, f"5.2.E.b/{phase + 1}")
        assert table.game.units["san-francisco"].get("crippled") is True
        table.play(says(JAPAN, "attack", 6, units=["chokai"], target="san-francisco"), says(JAPAN, "done"))
        table.when(says(ALLIES, "done")).then(UnitRemoved, unit="san-francisco", fate="sunk", at="guadalcanal")
        assert table.game.accounts["damage/japan"] == 3

    def test_new_pass_begins_for_each_hex(self) -> None:
        table = until(off_guadalcanal("rabaul-air"), "5.2.D")
        table.play(says(JAPAN, "done"))
        assert next(event for event in table.events if isinstance(event, PassBegun)).loop == "5.2.E"


class Test52EbSurprise:
    """5.2.E.b [29.1, 29.2]: Surprise goes before; without it both fire at one time, in either order of typing."""

    def fight(self, pip: int, **options: bool) -> Story:
        table = operation(campaign(**options), "chokai")
        until(table.play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"])), "5.2.E")
        table.play(says(ALLIES, "pick", member="guadalcanal"), says(JAPAN, "determine-battle", pip))
        return change(change(table, "san-francisco", "hits", 2), "chokai", "hits", 2)

    def fire(self, seat: str) -> dict[str, object]:
        unit, target = ("chokai", "san-francisco") if seat == JAPAN else ("san-francisco", "chokai")
        return says(seat, "attack", 6, units=[unit], target=target)

    @pytest.mark.parametrize("first", [JAPAN, ALLIES])
    def test_both_ships_sink_in_either_typing_order(self, first: str) -> None:
        table = self.fight(5).then_open("5.2.E.b/1")
        other = JAPAN if first == ALLIES else ALLIES
        table.play(self.fire(first), self.fire(other), says(first, "done"))
        table.when(says(other, "done"))
        for ship in ("chokai", "san-francisco"):
            table.then(UnitRemoved, unit=ship, fate="sunk", rule="5.2.E [29.2]")

    def test_hits_by_hand_sink_when_phase_is_over(self) -> None:
        table = self.fight(5).play(says(ALLIES, "change", unit="san-francisco", attribute="hits", to=3))
        table.play(self.fire(ALLIES), says(ALLIES, "done"))
        table.when(says(JAPAN, "done")).then(UnitRemoved, unit="san-francisco", fate="sunk")

    def test_surprised_side_fires_with_what_is_left(self) -> None:
        table = self.fight(7).then_open("5.2.E.b/1/surprise")
        table.when(self.fire(ALLIES)).then_refused(
            "step-of-another-side", rule="5.2.E.b/1/surprise [29.2]", seat="allies", sides="Japan"
        )
        table.when(self.fire(JAPAN)).then(UnitRemoved, unit="san-francisco", fate="sunk")
        table.when(says(JAPAN, "done")).then(StepPassed, step="5.2.E.b/1")

    def test_surprised_side_fires_second(self) -> None:
        table = change(self.fight(7), "san-francisco", "hits", 0)
        table.play(self.fire(JAPAN), says(JAPAN, "done")).then_open("5.2.E.b/1")
        table.when(self.fire(JAPAN)).then_refused(
            "step-of-another-side", rule="5.2.E.b/1 [29.2]", seat="japan", sides="Allies"
        )
        table.play(self.fire(ALLIES), says(ALLIES, "done"))
        assert table.game.units["chokai"].fate == "sunk"

    @pytest.mark.parametrize(("lasts", "step"), [(True, "5.2.E.b/2/surprise"), (False, "5.2.E.b/2")])
    def test_surprise_in_later_phases_by_option(self, lasts: bool, step: str) -> None:
        table = self.fight(7, surprise_lasts=lasts).play(says(JAPAN, "done"), says(ALLIES, "done"))
        table.then_open(step)


class Test52FBombardment:
    def test_ships_bombard_ground_units_and_installations(self) -> None:
        table = until(off_guadalcanal(), "5.2.F").when(
            says(JAPAN, "attack", 7, units=["chokai"], target="henderson-field")
        )
        table.then(DiceRolled, table="bombardment", rule="5.2.F [29.3]")
        table.then(UnitChanged, unit="henderson-field", attribute="hits", after=1)
        table.when(says(JAPAN, "attack", 7, units=["chokai"], target="san-francisco"))
        table.then_refused("wrong-kind-of-target", rule="5.2.F [29.3]", targets="ground or base")


class Test52GDemolition:
    def test_ground_units_demolish_in_their_own_hex(self) -> None:
        table = operation(strategic(), "43rd-division", bid=3, headquarters="central-pacific-fleet")
        until(table, "5.2.G").when(says(JAPAN, "demolish", unit="2nd-amphibious-brigade", target="balikpapan-oil"))
        table.then(UnitChanged, unit="balikpapan-oil", attribute="demolished", after=True)
        table.when(says(JAPAN, "demolish", unit="43rd-division", target="balikpapan-oil"))
        table.then_refused("cannot-be-demolished", rule="5.2.G [30.0]")
        table.when(says(JAPAN, "demolish", unit="43rd-division", target="aslito-airbase"))
        table.then(UnitRemoved, unit="aslito-airbase", fate="demolished")

    def test_not_elsewhere_and_not_while_broken(self) -> None:
        table = operation(strategic(), "43rd-division", bid=3, headquarters="central-pacific-fleet")
        until(table, "5.2.G").when(says(JAPAN, "demolish", unit="43rd-division", target="balikpapan-oil"))
        table.then_refused(
            "cannot-demolish",
            rule="5.2.G [30.0]",
            why="43rd-division is at saipan, but balikpapan-oil is at balikpapan",
            reason="elsewhere",
        )


class Test52HGroundCombat:
    def met(self) -> Story:
        table = off_guadalcanal("ichiki").given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
        return until(table, "5.2.H")

    def test_ground_units_in_one_hex_fight(self) -> None:
        table = self.met()
        table.given(UnitMoved(unit="kawaguchi", path=("to-come", "rabaul")))
        table.when(says(ALLIES, "attack", 5, units=[MARINES], target="kawaguchi"))
        table.then_refused("units-elsewhere", rule="5.2.H [31.0]", place="rabaul")
        change(table, "ichiki", "steps", 2)
        table.when(says(ALLIES, "attack", 5, units=[MARINES], target="ichiki"))
        table.then(UnitChanged, unit="ichiki", attribute="steps", after=1)
        table.then(UnitChanged, unit="ichiki", attribute="broken", after=True)
        table.when(says(ALLIES, "attack", 9, units=[MARINES], target="ichiki"))
        table.then_refused("attacked-already", rule="5.2.H [31.0]", units=("1st-marine-division",))

    @pytest.mark.parametrize("first", [JAPAN, ALLIES])
    def test_ground_combat_result_ignores_typing_order(self, first: str) -> None:
        """Check 5.2.H: a unit that loses its last step has fought; it goes when the phase is over."""
        table = change(self.met(), "ichiki", "steps", 1)
        orders = {
            JAPAN: says(JAPAN, "attack", 9, units=["ichiki"], target=MARINES),
            ALLIES: says(ALLIES, "attack", 9, units=[MARINES], target="ichiki"),
        }
        table.play(orders.pop(first), *orders.values(), says(JAPAN, "done"))
        gone = table.when(says(ALLIES, "done")).then(UnitRemoved, unit="ichiki", fate="eliminated")
        assert gone.rule == "5.2.H [31.0]"
        assert table.game.units[MARINES].number("steps") < 4
        assert table.game.accounts["damage/japan"]
        assert table.game.accounts["damage/allies"] == 1


class Test52IAirbaseRepair:
    def test_airbase_repair_removes_all_damage_of_a_linked_airbase(self) -> None:
        table = until(off_guadalcanal(), "5.2.I")
        change(table, "henderson-field", "hits", 2)
        assert table.game.cursor.waiting() == (ALLIES,)
        table.when(says(ALLIES, "repair-base", unit="henderson-field"))
        table.then(UnitChanged, attribute="hits", after=0)
        table.then(UnitChanged, attribute="interdicted", before=True, after=False)

    def test_airbase_repair_is_passed_without_damage(self) -> None:
        table = off_guadalcanal()
        change(table, "henderson-field", "linked", False)
        assert "5.2.I" not in opened(until(table, "5.2.M"))


class Test52JRally:
    def broken(self, **facts: object) -> Story:
        table = until(off_guadalcanal(), "5.2.F")
        change(table, MARINES, "broken", True)
        for attribute, value in facts.items():
            change(table, MARINES, attribute, value)  # type: ignore[arg-type]
        return table

    def test_broken_unit_rallies(self) -> None:
        table = until(self.broken(), "5.2.J").when(says(ALLIES, "rally", 5, unit=MARINES))
        table.then(DiceRolled, table="rally", outcome="rallied")
        table.then(UnitChanged, attribute="broken", before=True, after=False)

    def test_unit_tries_to_rally_once_in_a_cycle(self) -> None:
        table = change(self.broken(), "americal", "broken", True)
        table.given(UnitMoved(unit="americal", path=("to-come", "noumea")))
        until(table, "5.2.J").play(says(ALLIES, "rally", 1, unit=MARINES))
        table.when(says(ALLIES, "rally", 9, unit=MARINES))
        table.then_refused("cannot-rally", rule="5.2.J [31.8]", unit=MARINES, units="americal", reason="tried-already")

    def test_neither_isolated_nor_in_an_enemys_hex(self) -> None:
        """Either result keeps it broken; then play waits for no side."""
        assert "5.2.J" not in opened(until(self.broken(isolated=True), "5.2.M"))
        table = self.broken()
        table.given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
        assert "5.2.J" not in opened(until(table, "5.2.M"))

    def test_steady_unit_cannot_rally(self) -> None:
        table = until(self.broken(), "5.2.J").when(says(JAPAN, "rally", 9, unit="ichiki"))
        table.then_refused("step-of-another-side", rule="5.2.J", seat="japan", sides="Allies")


class Test52MActivation:
    def test_both_activate_and_deactivate(self) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.M")
        table.play(says(JAPAN, "activate", units=["ichiki"], headquarters="combined-fleet"))
        table.play(says(ALLIES, "deactivate", units=[MARINES]))
        assert table.game.accounts["spent/japan"] == 3

    def test_bid_still_limits_the_operation_player(self) -> None:
        table = until(cycle(campaign(), "chokai", bid=3), "5.2.M")
        table.when(says(JAPAN, "activate", units=["hiei"], headquarters="combined-fleet"))
        table.then_refused(
            "above-activation-limit", rule="5.2.M [20.4, 20.5 & 32.0]", given=3, source="the bid", limit=3, limit_2=1
        )

    def test_only_what_is_activated_is_deactivated(self) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.M").when(says(JAPAN, "deactivate", units=["hiei"]))
        table.then_refused("not-activated", rule="5.2.M", units=("hiei",), activated="chokai")

    def test_note_on_battle_and_engagement_scenarios_applies(self) -> None:
        activate = says(JAPAN, "activate", units=["ichiki"], headquarters="combined-fleet")
        deactivate = says(JAPAN, "deactivate", units=["chokai"])
        for kind, order in (("battle", activate), ("engagement", activate), ("engagement", deactivate)):
            table = mark(until(cycle(campaign(), "chokai"), "5.2.M"), "kind", kind)
            table.when(order).then_refused("not-in-this-scenario", rule="5.2.M", kind=kind)
        mark(until(cycle(campaign(), "chokai"), "5.2.M"), "kind", "battle").play(deactivate)


class Test52NDetection:
    def test_task_forces_are_turned_over(self) -> None:
        table = cycle(campaign(), "shokaku")
        change(table, "kido-butai", "detected", True)
        until(table, "5.2.N").when(says(JAPAN, "undetect", task_forces=["kido-butai"]))
        table.then(UnitChanged, unit="kido-butai", attribute="detected", after=False)

    def test_undetected_unit_is_unchanged(self) -> None:
        table = cycle(campaign(), "shokaku")
        change(table, "kido-butai", "detected", True)
        change(table, "chokai", "detected", True)
        until(table, "5.2.N").play(says(JAPAN, "undetect", task_forces=["kido-butai"]))
        table.when(says(JAPAN, "undetect", task_forces=["kido-butai"]))
        table.then_refused("not-detected", rule="5.2.N [32.2]", detected="chokai")


def test_every_scenario_table_is_rolled_with_row_and_result() -> None:
    """Check that the order files of the campaign roll on every table except those of the Strategic phases."""
    tables = {name for name, table in scenario("solomons").tables.items() if table.dice}
    assert "naval-combat" in tables
    table = until(off_guadalcanal(), "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
    rolled = table.when(says(JAPAN, "determine-battle", 5)).then(DiceRolled)
    assert (rolled.table, rolled.row, rolled.outcome, rolled.pips) == ("naval-battle", "4..6", "combat True", (5,))
