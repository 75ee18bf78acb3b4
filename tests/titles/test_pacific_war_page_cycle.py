"""Check the printed battle cycle of Pacific War by sentence: places and number of combats, and answers."""

from typing import Any

from tests.face.domain import (
    Attack,
    DiceRolled,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    offered,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    flies,
    mark,
    opened,
    operation,
    says,
    sets_out,
    until,
)

CARRIERS = ("shokaku", "hiei", "shokaku-air")
MARINES = "1st-marine-division"
BOATS: dict[str, Any] = {"arm": "patrol", "submarines": 1, "paid": True}


def in_cycle(step: str, *japan: str, allies: tuple[str, ...] = (), at: dict[str, str] | None = None) -> Story:
    """Begin an operation of Japan, with units of both sides activated, in a step of its first battle cycle.

    `at`: Allied patrols, and units of Japan that are elsewhere than the scenario puts them.
    """
    table = operation(campaign(), *japan, bid=20)
    for unit, place in (at or {}).items():
        known = table.game.units.get(unit)
        boats = UnitPlaced(unit=unit, side=ALLIES, kind="patrol", at=place, attributes=BOATS)
        table.given(UnitMoved(unit=unit, path=(known.at, place)) if known else boats)
    if allies:
        until(table, "5.1.S").play(says(ALLIES, "activate", units=list(allies), headquarters="south-pacific"))
    return until(table, step)


def strikes(seat: str, unit: str, target: str, *pips: int) -> dict[str, Any]:
    return says(seat, "attack", *pips, units=[unit], target=target)


class Test52CSubmarines:
    """5.2.C, 5.2.K: only submarine combat can occur; a patrol strikes in its own hex, and only if paid for."""

    def test_paid_patrol_attacks_a_ship_in_its_hex(self) -> None:
        table = in_cycle("5.2.C/move", "chokai", at={"gar": "rabaul"})
        table.when(strikes(ALLIES, "gar", "chokai", 9)).then(UnitChanged, unit="chokai", attribute="hits", after=1)

    def test_not_in_another_hex_and_not_unpaid(self) -> None:
        table = in_cycle("5.2.C/move", "chokai", at={"gar": "truk"})
        table.when(strikes(ALLIES, "gar", "chokai", 9)).then_refused(
            "units-elsewhere", rule="5.2.C [25.2]", units=("gar",), place="rabaul"
        )
        table = change(in_cycle("5.2.K/move", "chokai", at={"gar": "rabaul"}), "gar", "paid", False)
        table.when(strikes(ALLIES, "gar", "chokai", 9)).then_refused(
            "patrol-not-paid-for", rule="5.2.K [25.2]", units=("gar",)
        )

    def test_ships_aircraft_and_troops_do_not_attack(self) -> None:
        table = in_cycle(
            "5.2.C/move", "chokai", "rabaul-air", "ichiki", allies=("san-francisco",), at={"gar": "rabaul"}
        )
        for unit in ("chokai", "rabaul-air", "ichiki"):
            table.when(strikes(JAPAN, unit, "san-francisco", 9)).then_refused(
                "not-on-map", rule="5.2.C [25.2]", arm="patrol", unit=unit
            )


class Test52DMissions:
    """5.2.D, 5.2.L: one side launches missions, with air units alone; the other interferes."""

    def launch(self, seat: str, unit: str, target: str) -> dict[str, Any]:
        return says(seat, "launch-mission", units=[unit], target=target)

    def test_only_air_units_fly(self) -> None:
        table = in_cycle("5.2.D", "chokai", "rabaul-air")
        table.when(strikes(JAPAN, "chokai", "san-francisco", 9)).then_refused(
            "not-on-map", rule="5.2.D [28.0]", unit="chokai", arm="air"
        )
        table.when(self.launch(JAPAN, "chokai", "san-francisco")).then_refused(
            "not-on-map", rule="5.2.D [28.0]", unit="chokai", arm="air"
        )
        sets_out(table, JAPAN, "rabaul-air", "san-francisco")
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then(UnitChanged, unit="san-francisco", after=2)

    def test_once_in_a_cycle(self) -> None:
        table = flies(in_cycle("5.2.D", "rabaul-air"), JAPAN, "rabaul-air", "san-francisco", 1)
        for order in (
            strikes(JAPAN, "rabaul-air", "henderson-field", 9),
            self.launch(JAPAN, "rabaul-air", "henderson-field"),
        ):
            table.when(order).then_refused("flown-already", rule="5.2.D [28.0]", units=("rabaul-air",))
        table.when(says(JAPAN, "move", unit="rabaul-air", path=["truk"])).then_refused(
            "cannot-move", rule="5.2.D [28.0]", unit="rabaul-air", reason="flown-already"
        )

    def test_unit_flies_again_in_the_next_cycle(self) -> None:
        table = flies(in_cycle("5.2.D", "rabaul-air"), JAPAN, "rabaul-air", "san-francisco", 1)
        flies(until(until(table, "5.2.M"), "5.2.D"), JAPAN, "rabaul-air", "san-francisco", 1)

    def test_mission_is_resolved_after_interference(self) -> None:
        """Check 5.2.D [28.0]: the Disadvantage player can attempt to interfere, however fast the other one types."""
        table = in_cycle("5.2.D", "rabaul-air", allies=("cactus-air",))
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then_refused(
            "enemy-may-interfere", rule="5.2.D [28.0]", enemy="Allies"
        )
        table.when(self.launch(JAPAN, "rabaul-air", "san-francisco")).then_open("5.2.D/28.0/interfere")
        assert table.game.cursor.waiting() == (ALLIES,)
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then_refused(
            "step-of-another-side", rule="5.2.D/28.0/interfere [28.0]", seat="japan", sides="Allies"
        )
        table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 5)).then(UnitChanged, unit="rabaul-air", after=1)
        table.play(says(ALLIES, "done")).then_open("5.2.D/28.0/strike")
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then(UnitChanged, unit="san-francisco", after=2)
        table.then_open("5.2.D")
        assert not {"mission", "mission_target", "interfered"} & set(table.game.markers)

    def test_mission_shot_down_is_over(self) -> None:
        table = change(in_cycle("5.2.D", "rabaul-air"), "rabaul-air", "steps", 1)
        table.play(self.launch(JAPAN, "rabaul-air", "san-francisco"))
        table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 5)).then(UnitRemoved, unit="rabaul-air")
        table.when(says(ALLIES, "done")).then(StepPassed, step="5.2.D/28.0/strike")
        table.then_open("5.2.D")

    def test_air_unit_interferes_once_with_a_mission(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air", *CARRIERS)
        table.play(self.launch(JAPAN, "rabaul-air", "san-francisco"), strikes(ALLIES, "cactus-air", "rabaul-air", 1))
        table.when(strikes(ALLIES, "cactus-air", "rabaul-air", 9)).then_refused(
            "interfered-already", rule="5.2.D [28.0]", units=("cactus-air",)
        )
        table.when(strikes(ALLIES, "enterprise-air", "shokaku", 9)).then_refused(
            "only-interference-at-missions", rule="5.2.D [28.0]", side="Allies"
        )
        table.play(strikes(ALLIES, "enterprise-air", "rabaul-air", 1), says(ALLIES, "done"), says(JAPAN, "done"))
        table.play(self.launch(JAPAN, "shokaku-air", "enterprise"), strikes(ALLIES, "cactus-air", "shokaku-air", 1))

    def test_interference_after_its_time_is_refused(self) -> None:
        """Check 5.2.D [28.0]: the other side has passed it, and the mission is being resolved."""
        table = sets_out(in_cycle("5.2.D", "rabaul-air", *CARRIERS), JAPAN, "rabaul-air", "san-francisco")
        table.then_open("5.2.D/28.0/strike").when(strikes(ALLIES, "cactus-air", "rabaul-air", 9))
        table.then_refused("interference-over", rule="5.2.D [28.0]")

    def test_mission_strikes_what_it_was_launched_against(self) -> None:
        table = sets_out(in_cycle("5.2.D", "rabaul-air", *CARRIERS), JAPAN, "rabaul-air", "san-francisco")
        table.when(strikes(JAPAN, "rabaul-air", "enterprise", 9)).then_refused(
            "other-aim", rule="5.2.D [28.0]", aim="san-francisco", target="enterprise"
        )
        table.when(strikes(JAPAN, "shokaku-air", "san-francisco", 9)).then_refused(
            "not-in-mission", rule="5.2.D [28.0]", units=("shokaku-air",), mission=("rabaul-air",)
        )
        table.play(says(JAPAN, "done")).then_open("5.2.D")
        table.when(self.launch(JAPAN, "rabaul-air", "enterprise")).then_refused("flown-already", rule="5.2.D [28.0]")

    def test_mission_against_no_target_is_refused(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air")
        table.when(self.launch(JAPAN, "rabaul-air", "chokai")).then_refused("own-unit", rule="5.2.D [28.0]")
        table.when(self.launch(JAPAN, "rabaul-air", "south-pacific")).then_refused(
            "not-a-target", rule="5.2.D [28.0]", target="south-pacific"
        )
        for aims in ({}, {"target": "enterprise", "at": "buna"}):
            table.when(says(JAPAN, "launch-mission", units=["rabaul-air"], **aims)).then_refused(
                "one-aim-only", rule="5.2.D [28.0]"
            )

    def test_mission_without_enemy_air_units_needs_no_launch(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air")
        for unit in ("cactus-air", "enterprise-air"):
            table.given(UnitRemoved(unit=unit, fate="lost", at=table.game.units[unit].at))
        table.play(strikes(JAPAN, "rabaul-air", "san-francisco", 1)).then_open("5.2.D")

    def test_mission_undone_can_be_launched_again(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air").play(self.launch(JAPAN, "rabaul-air", "san-francisco"))
        table.play(says("referee", "undo")).then_open("5.2.D")
        table.play(self.launch(JAPAN, "rabaul-air", "henderson-field")).then_open("5.2.D/28.0/interfere")

    def test_other_side_has_no_missions_of_its_own(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air", allies=("cactus-air",))
        for code, order in (
            ("only-interference-at-missions", strikes(ALLIES, "cactus-air", "rabaul-air", 9)),
            ("only-interference", self.launch(ALLIES, "cactus-air", "chokai")),
        ):
            table.when(order).then_refused(code, rule="5.2.D [28.0]", side="Allies")

    def test_in_l_it_is_the_other_way_round(self) -> None:
        table = in_cycle("5.2.L", "rabaul-air", allies=("cactus-air",))
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then_refused(
            "only-interference-at-missions", rule="5.2.L [28.0]", side="Japan"
        )
        table.play(self.launch(ALLIES, "cactus-air", "chokai"), strikes(JAPAN, "rabaul-air", "cactus-air", 1))
        table.play(says(JAPAN, "done"), strikes(ALLIES, "cactus-air", "chokai", 5)).then_open("5.2.L")

    def test_damage_beyond_what_sinks_is_not_scored(self) -> None:
        table = sets_out(in_cycle("5.2.D", "rabaul-air"), JAPAN, "rabaul-air", "san-francisco")
        change(table, "san-francisco", "hits", 2)
        table.when(strikes(JAPAN, "rabaul-air", "san-francisco", 9)).then(UnitRemoved, unit="san-francisco")
        assert table.game.accounts["damage/japan"] == 1
        assert table.game.units["san-francisco"].get("hits") == 3


class Test2812SimultaneousStrike:
    """28.12: a mission against a Task Force that includes carriers with air units can trigger one."""

    def struck(self, target: str = "enterprise", *pips: int) -> Story:
        table = in_cycle("5.2.D", *CARRIERS, "rabaul-air", allies=("enterprise", "portland", "enterprise-air"))
        return flies(table, JAPAN, "shokaku-air", target, *(pips or (5,)))

    def test_struck_side_is_offered_a_strike_and_strikes_back(self) -> None:
        table = self.struck().then_open("5.2.D/28.12/strike")
        assert table.game.cursor.waiting() == (ALLIES,)
        table.when(strikes(ALLIES, "enterprise-air", "shokaku", 6)).then(UnitChanged, unit="shokaku", attribute="hits")
        table.then_open("5.2.D")

    def test_any_ship_of_that_task_force_will_do(self) -> None:
        self.struck("portland").then_open("5.2.D/28.12/strike")

    def test_struck_side_may_decline(self) -> None:
        table = self.struck().play(says(ALLIES, "done")).then_open("5.2.D")
        assert "simultaneous_strike" not in table.game.markers

    def test_both_are_resolved_although_the_carrier_sinks(self) -> None:
        table = in_cycle("5.2.D", *CARRIERS, allies=("enterprise", "portland", "enterprise-air"))
        change(table, "enterprise", "hits", 3)
        flies(table, JAPAN, "shokaku-air", "enterprise", 9)
        assert table.game.units["enterprise-air"].fate == "lost"
        table.when(strikes(ALLIES, "enterprise-air", "shokaku", 9)).then(UnitChanged, unit="shokaku", after=2)

    def test_not_against_ships_without_a_carrier(self) -> None:
        self.struck("san-francisco").then_open("5.2.D")

    def test_nor_against_a_carrier_that_has_lost_its_aircraft(self) -> None:
        table = in_cycle("5.2.D", *CARRIERS, allies=("enterprise", "portland", "enterprise-air"))
        table.given(UnitRemoved(unit="enterprise-air", fate="lost", at="noumea"))
        flies(table, JAPAN, "shokaku-air", "enterprise", 5).then_open("5.2.D")

    def test_nor_against_a_base(self) -> None:
        self.struck("henderson-field").then_open("5.2.D")

    def test_only_air_units_of_that_task_force_answer(self) -> None:
        self.struck().when(strikes(ALLIES, "cactus-air", "shokaku", 6)).then_refused(
            "not-on-that-carrier", rule="5.2.D [28.12]", units=("cactus-air",), carrier_units=("enterprise-air",)
        )

    def test_side_that_answered_neither_answers_again_nor_flies_in_l(self) -> None:
        table = self.struck().play(strikes(ALLIES, "enterprise-air", "shokaku", 1))
        flies(table, JAPAN, "rabaul-air", "enterprise", 1).then_open("5.2.D")
        assert "5.2.L" not in opened(until(table, "5.2.M"))

    def test_answering_strike_allows_no_further_strike(self) -> None:
        table = self.struck().play(strikes(ALLIES, "enterprise-air", "shokaku", 6))
        assert opened(table).count("5.2.D/28.12/strike") == 1

    def test_japan_is_offered_the_strike_in_l(self) -> None:
        table = flies(in_cycle("5.2.L", *CARRIERS, allies=("cactus-air",)), ALLIES, "cactus-air", "hiei", 1)
        table.then_open("5.2.L/28.12/strike")
        assert table.game.cursor.waiting() == (JAPAN,)
        table.play(strikes(JAPAN, "shokaku-air", "henderson-field", 5)).then_open("5.2.L")


class Test2814Paradrop:
    """5.2.D: paradrop missions may be performed (28.14)."""

    def ready(self, *units: str, at: str = "buna") -> Story:
        table = sets_out(in_cycle("5.2.D", *units), JAPAN, "rabaul-air", at)
        return change(table, "ichiki", "paratroops", True)

    def drop(self, by: str = "rabaul-air", at: str = "buna") -> dict[str, Any]:
        return says(JAPAN, "paradrop", unit="ichiki", by=by, at=at)

    def test_paratroops_are_dropped_by_an_air_unit_at_their_base(self) -> None:
        table = self.ready("ichiki", "rabaul-air").when(self.drop())
        table.then(UnitMoved, unit="ichiki", path=("rabaul", "buna"), rule="5.2.D [28.14]")
        table.then_open("5.2.D").when(self.drop(at="lae")).then_refused(
            "cannot-be-dropped", rule="5.2.D [28.14]", unit="ichiki", says=" rabaul-air: ", reason="flown-already"
        )
        table = self.ready("ichiki", "rabaul-air").when(self.drop(at="lae"))
        table.then_refused("other-aim", rule="5.2.D [28.14]", aim="buna", target="lae")

    def test_drop_before_interference_is_refused(self) -> None:
        table = change(in_cycle("5.2.D", "ichiki", "rabaul-air"), "ichiki", "paratroops", True)
        table.when(self.drop()).then_refused("enemy-may-interfere-with-drop", rule="5.2.D [28.14]", enemy="Allies")
        table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], at="buna")).play(says(ALLIES, "done"))
        table.play(self.drop()).then_open("5.2.D")

    def test_drop_needs_activated_paratroops_and_another_place(self) -> None:
        table = self.ready("rabaul-air").when(self.drop())
        table.then_refused(
            "cannot-be-dropped", rule="5.2.D [28.14]", unit="ichiki", says=": ichiki", reason="not-activated"
        )
        table = self.ready("ichiki", "rabaul-air", at="rabaul").when(self.drop(at="rabaul"))
        table.then_refused("dropped-there-already", rule="5.2.D [28.14]", unit="ichiki", at="rabaul")
        change(table, "ichiki", "paratroops", False)
        table.when(self.drop()).then_refused(
            "cannot-be-dropped", rule="5.2.D [28.14]", unit="ichiki", reason="no-paratroops"
        )

    def test_dropping_units_share_one_base(self) -> None:
        table = self.ready("ichiki", "rabaul-air")
        table.given(UnitMoved(unit="rabaul-air", path=("rabaul", "truk"))).when(self.drop())
        table.then_refused(
            "cannot-be-dropped",
            rule="5.2.D [28.14]",
            unit="ichiki",
            says=": ichiki and rabaul-air ",
            reason="not-at-one-base",
        )


class Test52EbBothFight:
    """5.2.E.b: both use their ships, activated or not, each once in a phase; none without an enemy left."""

    def battle(self) -> Story:
        table = operation(campaign(), "chokai").play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"]))
        until(table, "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"))
        return table.play(says(JAPAN, "determine-battle", 5))

    def test_defending_ships_fight_without_activation(self) -> None:
        self.battle().when(strikes(ALLIES, "san-francisco", "chokai", 6)).then(DiceRolled, table="naval-combat")

    def test_ship_attacks_once_in_a_phase_and_again_in_the_next(self) -> None:
        table = self.battle().play(strikes(JAPAN, "chokai", "san-francisco", 1))
        table.when(strikes(JAPAN, "chokai", "san-francisco", 9)).then_refused(
            "attacked-already", rule="5.2.E [29.2]", units=("chokai",)
        )
        until(table, "5.2.E.b/2").play(strikes(JAPAN, "chokai", "san-francisco", 1))

    def test_when_one_side_has_no_ship_left_the_other_phases_pass(self) -> None:
        table = self.battle()
        change(table, "san-francisco", "hits", 2)
        table.play(strikes(JAPAN, "chokai", "san-francisco", 6), says(JAPAN, "done"), says(ALLIES, "done"))
        assert "5.2.E.b/2" not in opened(table)
        table.then_open("5.2.F")


class Test52EbNoSubmarines:
    """5.2.E.b: submarines are not used, neither to attack nor as targets."""

    def test_patrol_in_the_hex_takes_no_part(self) -> None:
        table = operation(campaign(), "chokai").play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"]))
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table.given(UnitPlaced(unit="gar", side=ALLIES, kind="patrol", at="guadalcanal", attributes=boats))
        until(table, "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"), says(JAPAN, "determine-battle", 5))
        table.when(strikes(ALLIES, "gar", "chokai", 9)).then_refused(
            "not-on-map", rule="5.2.E [29.2]", unit="gar", arm="naval"
        )
        table.when(strikes(JAPAN, "chokai", "gar", 9)).then_refused("wrong-kind-of-target", rule="5.2.E [29.2]")


class Test52FShoreline:
    """5.2.F: ships attack ground units and installations in the shoreline hexes in which they are, once."""

    def test_in_its_own_hex_and_once(self) -> None:
        table = in_cycle("5.2.F", "chokai", "hiei", at={"chokai": "guadalcanal"})
        table.when(strikes(JAPAN, "hiei", "henderson-field", 9))
        table.then_refused("units-elsewhere", rule="5.2.F [29.3]", units=("hiei",), place="guadalcanal")
        table.play(strikes(JAPAN, "chokai", "henderson-field", 9))
        table.when(strikes(JAPAN, "chokai", MARINES, 9)).then_refused(
            "attacked-already", rule="5.2.F [29.3]", units=("chokai",)
        )

    def test_only_activated_ships_bombard(self) -> None:
        table = in_cycle("5.2.F", "hiei", at={"chokai": "guadalcanal", "hiei": "guadalcanal"})
        table.when(strikes(JAPAN, "chokai", "henderson-field", 9)).then_refused(
            "attackers-not-activated", rule="5.2.F [29.3]", units=("chokai",)
        )

    def test_shoreline_is_only_in_hexes_the_scenario_lists(self) -> None:
        table = mark(in_cycle("5.2.F", "chokai", at={"chokai": "guadalcanal"}), "shoreline", ("lunga",))
        table.when(strikes(JAPAN, "chokai", "henderson-field", 9)).then_refused(
            "not-a-shoreline", rule="5.2.F [29.3]", at="guadalcanal", shoreline=("lunga",)
        )


class TestRidingAlong:
    """5.2.C, 5.1.R: air rides carriers alone, and units that are not activated cannot ride along."""

    def test_task_force_does_not_sail_with_inactive_ships(self) -> None:
        table = operation(campaign(), "shokaku", "shokaku-air")
        table.when(says(JAPAN, "move", unit="kido-butai", path=["buin"])).then_refused(
            "riders-not-activated", rule="5.1.R [23.4]", units=("hiei",)
        )
        table.play(says(JAPAN, "form-task-force", task_force="vanguard", ships=["shokaku"]))
        table.play(says(JAPAN, "move", unit="vanguard", path=["buin"]))
        assert (table.game.units["shokaku-air"].at, table.game.units["hiei"].at) == ("buin", "truk")

    def test_inactive_air_unit_stays_at_the_base(self) -> None:
        table = operation(campaign(), "shokaku", "hiei")
        table.when(says(JAPAN, "move", unit="kido-butai", path=["buin"])).then_refused(
            "riders-not-activated", rule="5.1.R [23.4]", units=("shokaku-air",)
        )
        table.play(says(JAPAN, "disembark", unit="shokaku-air"), says(JAPAN, "move", unit="kido-butai", path=["buin"]))
        assert table.game.units["shokaku-air"].at == "truk"

    def test_at_sea_it_cannot_leave_its_carrier(self) -> None:
        table = operation(campaign(), *CARRIERS).play(says(JAPAN, "move", unit="kido-butai", path=["buin"]))
        table.when(says(JAPAN, "disembark", unit="shokaku-air")).then_refused(
            "no-base-for-it", rule="5.1.R [23.4]", at="buin", unit="shokaku-air"
        )

    def test_inactive_troops_and_all_air_units_do_not_embark(self) -> None:
        table = in_cycle("5.2.C/move", "tokyo-express", "rabaul-air")
        table.when(says(JAPAN, "embark", unit="ichiki", ship="tokyo-express")).then_refused(
            "embarking-not-activated", rule="5.2.C [23.6]", unit="ichiki"
        )
        table.when(says(JAPAN, "embark", unit="rabaul-air", ship="tokyo-express")).then_refused(
            "not-on-map", rule="5.2.C [23.6]", unit="rabaul-air", arm="ground"
        )


class TestLabelsOfParallelSteps:
    """5.1.R, 5.2.C: a record that the players add to a movement has the label of its own step."""

    def test_record_bears_the_label_of_the_step_that_admits_it(self) -> None:
        table = in_cycle("5.2.C/move", "chokai", at={"gar": "rabaul"})
        table.when(says(JAPAN, "change", unit="chokai", attribute="hits", to=1)).then(
            UnitChanged, unit="chokai", rule="5.2.C/submarines"
        )
        table = operation(campaign(), "chokai")
        table.when(says(ALLIES, "change", unit=MARINES, attribute="broken", to=1)).then_refused(
            "not-a-value", rule="Pacific War 5.1.R/search", given=1, example=False
        )


class Test51TLimits:
    """5.1.T: the limited distance counts for a ship in any Task Force it joins."""

    def test_distance_moved_follows_a_ship_into_a_new_task_force(self) -> None:
        plan = {"5.1.Q": [says(ALLIES, "determine-condition", 1)]}
        table = operation_by(plan)
        table.play(says(ALLIES, "move", unit="portland", path=["efate", "noumea"]))
        table.play(says(ALLIES, "disembark", unit="enterprise-air"))
        table.play(says(ALLIES, "form-task-force", task_force="tf-9", ships=["portland", "enterprise"]))
        table.when(says(ALLIES, "move", unit="tf-9", path=["efate"])).then_refused(
            "beyond-condition", rule="5.1.T [22.0]", given=3, limit=0
        )
        table.play(says(ALLIES, "form-task-force", task_force="tf-10", ships=["enterprise"]))
        table.play(says(ALLIES, "move", unit="tf-10", path=["efate", "santo"]))


def operation_by(plan: dict[str, Any]) -> Story:
    """Let Japan sail a day; the surprised Allies have activated two ships that sail alone and may move 2 places."""
    opening = {"5.1.O/bid": [says(JAPAN, "bid", points=15), says(ALLIES, "bid", points=0)]}
    launch = {"5.1.P/activate": [says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet")]}
    table = until(campaign(), "5.1.R/move", plan={**opening, **launch, **plan})
    table.play(says(JAPAN, "advance-day", days=1))
    until(table, "5.1.S")
    table.play(says(ALLIES, "activate", units=["portland", "enterprise"], headquarters="south-pacific"))
    for ship in ("portland", "enterprise"):
        change(table, ship, "task_force", "")
    return until(table, "5.1.T/move")


class TestWhoIsOfferedAnAttack:
    """Every attack that is possible is offered: the answer to a strike, the defender's ships, interference."""

    def test_inactive_defenders_are_offered_an_attack(self) -> None:
        table = operation(campaign(), "chokai").play(says(JAPAN, "move", unit="chokai", path=["guadalcanal"]))
        until(table, "5.2.E").play(says(ALLIES, "pick", member="guadalcanal"), says(JAPAN, "determine-battle", 5))
        assert not table.game.units["san-francisco"].get("activated")
        assert offered(TITLE, table.game, Attack, ALLIES)

    def test_air_units_that_answer_a_strike_or_interfere(self) -> None:
        table = in_cycle("5.2.D", "rabaul-air")
        assert not offered(TITLE, table.game, Attack, ALLIES)
        table.play(says(JAPAN, "launch-mission", units=["rabaul-air"], target="enterprise"))
        assert offered(TITLE, table.game, Attack, ALLIES)
        table.play(says(ALLIES, "done"), strikes(JAPAN, "rabaul-air", "enterprise", 1))
        table.then_open("5.2.D/28.12/strike")
        assert not table.game.units["enterprise-air"].get("activated")
        assert offered(TITLE, table.game, Attack, ALLIES)
        table.play(says(ALLIES, "done"))
        assert not offered(TITLE, table.game, Attack, ALLIES)
