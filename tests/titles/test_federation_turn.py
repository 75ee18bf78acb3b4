"""Check Federation & Empire outside combat: phases 1 to 4 and 6 to 11, admitted sides, and the end of a turn."""

import pytest

from tests.face.domain import (
    CITES,
    AccountChanged,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    RestrictedEvent,
    StepPassed,
    UnitChanged,
    UnitMoved,
    federation_and_empire_TITLE as TITLE,
    way,
)
from tests.titles.federation_table import War, border_war, figures, says, ship, war

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
FRD = ship("K-FRD", "klingon", "1206", "frd")
RAIDS = {"options": {"raids": True}}


class TestTurnStructure:
    def test_every_rule_number_has_a_place_in_the_sequence(self) -> None:
        places = TITLE.plan.places
        assert {label: places[label].rules for label in CITES} == CITES

    def test_player_turns_follow_the_order_of_the_scenario(self) -> None:
        table = war(D7, CC, turn_order=[A, C])
        assert table.game.cursor.side() == A
        table.to("10D").done(A, C)
        assert (table.game.cursor.side(), table.game.turn) == (C, 1)
        table.to("10D").done(A, C)
        assert (table.game.cursor.side(), table.game.turn) == (A, 2)

    def test_seasons_alternate_and_the_last_turn_ends_the_war(self) -> None:
        table = war(D7, CC, calendar={"season": "Fall", "year": 168, "last_turn": 1})
        table.to("10D").done(A, C).to("10D").done(A, C)
        assert table.game.ended.startswith("END-SOP")

    @pytest.mark.parametrize("step", ["1A2", "2B11", "6E", "10C", "10D"])
    def test_non_phasing_player_is_admitted_if_the_text_says_so(self, step: str) -> None:
        """A10 for 2B11."""
        table = war(D7, CC).to(step)
        assert set(table.game.cursor.waiting()) == {A, C}

    @pytest.mark.parametrize("step", ["1A3A", "1C3", "2A2", "2B3", "3B5", "6D2", "7C", "8A", "9A"])
    def test_non_phasing_player_is_refused_elsewhere(self, step: str) -> None:
        options = {"options": {"colonies": True}}
        table = war(D7, CC, **options).to(step)
        table.tries(A, "roll", 3, purpose="anything").then_refused(
            "step-of-another-side", rule=step, seat="alliance", sides="Coalition"
        )

    @pytest.mark.parametrize("step", ["6D1", "4A"])
    def test_steps_of_the_non_phasing_player_alone(self, step: str) -> None:
        table = war(D7, CC, options={"tactical_reserves": True}).to(step)
        assert table.game.cursor.waiting() == (A,)

    def test_step_of_an_unused_expansion_is_passed(self) -> None:
        table = war(D7, CC).to("1F")
        passed = {event.step for event in table.events if isinstance(event, StepPassed)}
        assert "1E" in passed


class TestPhase1:
    def test_interest_carries_from_1c2_to_1c4_and_is_required(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=7, empire="klingon").to("1C4")
        table.must(C, "pay-interest", "7 EP of klingon", rule="447.3")
        table.says(C, "pay-interest", empire="klingon")
        table.story.then(AccountChanged, account="klingon/EP", amount=-7)

    def test_amount_beyond_the_treasury_becomes_debt(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=70, empire="klingon").to("1C4")
        table.says(C, "pay-interest", empire="klingon")
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/debt"]) == (0, 20)

    def test_borrowing_is_limited(self) -> None:
        table = war(D7, CC).to("1C5").says(C, "borrow", ep=15, empire="klingon")
        table.tries(C, "borrow", ep=6, empire="klingon").then_refused("borrows-too-much", rule="430.62", left=5)
        table.tries(C, "borrow", ep=1, empire="kzinti").then_refused(
            "not-an-empire-of-the-side", rule="1C5", empires="klingon, romulan"
        )

    def test_spending_beyond_the_treasury_is_refused(self) -> None:
        table = war(D7, CC).to("2B3")
        order = {"facility": "yard", "at": "1206", "ep": 500, "empire": "klingon"}
        table.tries(C, "construct", **order).then_refused("too-few-economic-points", rule="430.1", limit=60)

    def test_counters_are_counted_in_their_own_steps(self) -> None:
        table = war(D7, CC).to("1A3A").says(C, "count", counter="recovery", place="1003")
        table.tries(C, "count", counter="capture", place="1003").then_refused(
            "counter-not-counted-here", rule="1A3A", step="1A3B"
        )

    def test_begun_base_works_in_the_next_own_player_turn(self) -> None:
        table = war(D7, CC).to("3B6").says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")
        table.to("10D").done(A, C).to("10D")
        assert table.game.units["K-MB"].get("operational") is False
        table.done(A, C)
        assert table.game.units["K-MB"].get("operational") is True

    def test_partial_grid_joins_the_main_one(self) -> None:
        table = war(D7, CC, accounts={"klingon/grid west": 4}).to("1C3")
        table.tries(C, "join-grid", grid="west", ep=5, empire="klingon").then_refused(
            "grid-too-low", rule="413.44", limit=4
        )
        table.says(C, "join-grid", grid="west", ep=4, empire="klingon")
        assert table.game.accounts["klingon/EP"] == 64

    def test_reserve_markers_come_off_in_1d(self) -> None:
        table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"]).to("10D").done(A, C)
        assert table.game.units["K-D7"].get("reserve") == "Home"
        table.to("10D").done(A, C).to("1E", passed=True)
        assert table.game.units["K-D7"].get("reserve") is None


class TestPhase2:
    CRIPPLE = ship("K-F5", "klingon", "1206", crippled=True)

    def test_repair_is_paid_and_flipped_in_2a4(self) -> None:
        table = war(D7, FRD, self.CRIPPLE, CC).to("2A2").says(C, "repair", unit="K-F5", ep=2)
        assert table.game.units["K-F5"].get("crippled") is True
        table.done(C).to("2B1")
        assert table.game.units["K-F5"].get("crippled") is None

    def test_repair_needs_a_base_or_frd_and_supply(self) -> None:
        away = ship("K-D5", "klingon", "1306", crippled=True)
        table = war(D7, FRD, self.CRIPPLE, away, CC).to("2A1").says(C, "check-supply", out=["K-F5"]).to("2A2")
        table.tries(C, "repair", unit="K-D5", ep=2).then_refused("no-yard-there", rule="420.2")
        table.tries(C, "repair", unit="K-F5", ep=2).then_refused("base-out-of-supply", rule="410.23")
        table.tries(C, "repair", unit="K-D7", ep=2).then_refused(
            "cannot-be-repaired", rule="420.2", unit="K-D7", reason="not-crippled"
        )

    def test_repair_dock_repairs_others_and_not_itself(self) -> None:
        docks = [ship(f"K-FRD{n}", "klingon", at, "frd", crippled=True) for n, at in ((1, "1206"), (2, "1306"))]
        table = war(D7, FRD, *docks, CC).to("2A2")
        alone = table.tries(C, "repair", unit="K-FRD2", ep=2)
        alone.then_refused("no-yard-there", rule="420.2", at="1306")
        table.says(C, "repair", unit="K-FRD1", ep=2).to("2B1")
        assert table.game.units["K-FRD1"].get("crippled") is None

    def test_dlr_box_takes_one_cripple_of_each_type(self) -> None:
        cripples = [
            ship(f"K-{n}", "klingon", "1206", kind=kind, crippled=True) for n, kind in enumerate(("F5", "F5", "D5"))
        ]
        table = war(D7, *cripples, CC).to("2B3").says(C, "depot", unit="K-0", act="add")
        table.tries(C, "depot", unit="K-1", act="add").then_refused("type-entered-this-turn", rule="424.35", kind="F5")
        table.says(C, "depot", unit="K-2", act="add")
        table.tries(C, "depot", unit="K-D7", act="add").then_refused("not-crippled", rule="424.35")
        table.to("10D").done(A, C).to("10D").done(A, C).to("2B3")
        table.says(C, "depot", unit="K-0", act="place", at="1206")
        assert table.game.units["K-0"].get("crippled") is None

    def test_424_34_a_ship_in_the_dlr_box_is_salvaged_for_its_eps(self) -> None:
        table = war(D7, self.CRIPPLE, CC).to("2B3")
        table.tries(C, "depot", unit="K-F5", act="salvage", ep=2).then_refused("not-in-repair-box", rule="424.3")
        table.says(C, "depot", unit="K-F5", act="add")
        before = table.game.accounts["klingon/EP"]
        table.says(C, "depot", unit="K-F5", act="salvage", ep=2)
        table.story.then(AccountChanged, account="klingon/EP", amount=2, rule="2B3 (424.34)")
        assert table.game.accounts["klingon/EP"] == before + 2
        assert table.game.units["K-F5"].fate == "salvaged"

    def test_divisions_are_not_formed_before_spring_y181(self) -> None:
        table = war(D7, CC).to("2B2")
        table.tries(C, "form-division", division="77th", unit="K-D7").then_refused("division-too-early", rule="513.21")
        later = war(D7, CC, calendar={"season": "Spring", "year": 181}).to("2B2")
        later.tries(C, "form-division", division="23rd", unit="K-D7").then_refused(
            "not-a-founder", rule="513.31", founder="kzinti"
        )
        later.says(C, "form-division", division="77th", unit="K-D7").to("6G").says(
            C, "disband-division", division="77th"
        )

    def test_missions_are_given_in_the_step_of_their_code(self) -> None:
        table = war(D7, ship("K-TUG", "klingon", "1206", "tug"), CC).to("2A3")
        table.tries(C, "assign-mission", unit="K-TUG", code="J2").then_refused(
            "mission-of-another-step", rule="509.1", steps="2B3"
        )
        table.tries(C, "assign-mission", unit="K-D7", code="J1").then_refused("wrong-kind", rule="509.1", units="K-TUG")
        table.says(C, "assign-mission", unit="K-TUG", code="J1")

    def test_colony_takes_its_stages_in_order(self) -> None:
        table = war(D7, CC, options={"colonies": True}).to("2B3")
        table.tries(C, "colony", at="1401", ep=1, empire="klingon").then_refused(
            "colony-in-other-state", rule="446.13", wanted="begun or paid"
        )
        table.to("2B7").says(C, "colony", at="1401", empire="klingon").to("3B5")
        table.says(C, "colony", at="1401", ep=2, empire="klingon")
        assert table.game.markers["colony 1401"] == "begun by klingon"


class TestPhase3Raids:
    RAIDER = ship("K-F5", "klingon", "raid-pool")

    def raid(self) -> War:
        return (
            war(D7, self.RAIDER, CC, ship("Z-FF", "kzinti", "1003"), **RAIDS)
            .to("3A-2B")
            .says(C, "raid", unit="K-F5", path=["0902"])
        )

    def test_reaction_or_police_but_not_both(self) -> None:
        table = self.raid().to("3A-2C").says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        police = {"at": "0902", "unit": "Z-POL", "police": True, "empire": "kzinti"}
        table.tries(A, "answer-raid", **police).then_refused("answered-otherwise", rule="314.243", answer="reaction")

    def test_crippled_raider_goes_back_and_disrupts_nothing(self) -> None:
        table = self.raid().to("3A-2E").rolled().says(C, "suffer", unit="K-F5", outcome="crippled").to("3A-2F")
        table.must(C, "recall", "K-F5", rule="314.244")
        table.says(C, "recall", unit="K-F5").to("3A-3A")
        assert any(isinstance(event, StepPassed) and event.step == "3A-2H" for event in table.events)

    def test_unhurt_raider_is_not_sent_back_early(self) -> None:
        two = ship("K-E4", "klingon", "raid-pool")
        table = war(D7, self.RAIDER, two, CC, **RAIDS).to("3A-2B").says(C, "raid", unit="K-F5", path=["0902"])
        table.says(C, "raid", unit="K-E4", path=["0902"]).to("3A-2E").rolled().says(
            C, "suffer", unit="K-F5", outcome="retreats"
        )
        table.to("3A-2F").tries(C, "recall", unit="K-E4").then_refused("goes-on-with-mission", rule="314.244")

    def test_reacting_ships_forced_to_retreat_must(self) -> None:
        table = self.raid().to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        table.must(A, "move-units", "Z-CC", rule="314.244")
        table.says(A, "move-units", units=["Z-CC"], path=["0901"]).done(A)

    def test_disruption_or_alternate_attack(self) -> None:
        table = self.raid().to("3A-2H").says(C, "disrupt", unit="K-F5")
        table.tries(C, "disrupt", unit="K-F5", how="alternate attack").then_refused("attack-made", rule="314.28")
        table.to("3A-2J").must(C, "recall", "K-F5", rule="314.273")

    def test_special_raids_use_bir_4_and_intercepted_drones_half(self) -> None:
        drone = ship("K-D6D", "klingon", "1306", "drone", attack=7)
        table = war(D7, drone, CC, **RAIDS).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=list(way("1306", "0902"))).to("3A-3E").says(
            C, "skirmish", 3, units=["K-D6D"]
        )
        assert figures(table.story.then(DiceRolled).purpose) == ["0902", "7", "4"]
        table.to("3A-3F").tries(A, "done", answer="intercept").then_refused(
            "not-an-answer", rule="320.35", choices="let go", do="`done 'let go'`"
        )
        table.says(A, "intercept-at", at="0902").done(A, answer="intercept")
        table.tries(A, "roll-intercept", 5, at_least=4, runner="K-D6D").then_refused("raiders-only", rule="320.35")
        table.says(A, "roll-intercept", 5, at_least=4, units=["Z-CC"])
        table.says(C, "skirmish", 2, units=["K-D6D"])
        assert figures(table.story.then(DiceRolled).purpose) == ["0902", "3.5", "4"]

    def test_raid_without_an_interception_has_no_combat(self) -> None:
        drone = ship("K-D6D", "klingon", "1306", "drone")
        table = (
            war(D7, drone, CC, **RAIDS)
            .to("3A-3A")
            .says(C, "raid", unit="K-D6D")
            .to("3A-3B")
            .says(C, "raid", unit="K-D6D", path=list(way("1306", "0902")))
            .to("3A-3F")
            .says(A, "intercept-at", at="0902")
        )
        table.done(A, answer="intercept").says(A, "roll-intercept", 1, at_least=4, units=["Z-CC"])
        assert table.open == ("3A-3J",)

    def test_blockade_runner_is_tried_once_in_or_out(self) -> None:
        table = war(D7, self.RAIDER, CC, **RAIDS).to("3A-4A").says(C, "raid", unit="K-F5")
        table.to("3A-4B").says(C, "load", unit="K-F5", ep=5).to("3A-4C").says(C, "raid", unit="K-F5", path=["0902"])
        table.to("3A-4D").says(A, "roll-intercept", 1, runner="K-F5", at_least=4)
        table.tries(A, "roll-intercept", 6, runner="K-F5", at_least=4).then_refused(
            "runner-tried-already", rule="320.54", way="in"
        )
        table.to("3A-4P")
        assert any(isinstance(event, StepPassed) and event.step == "3A-4K" for event in table.events)

    def test_crippled_runner_loses_its_eps(self) -> None:
        table = war(D7, self.RAIDER, CC, **RAIDS).to("3A-4A").says(C, "raid", unit="K-F5")
        table.to("3A-4B").says(C, "load", unit="K-F5", ep=5).to("3A-4C").says(C, "raid", unit="K-F5", path=["0902"])
        table.to("3A-4D").says(A, "roll-intercept", 6, runner="K-F5", at_least=4).to("3A-4E")
        table.rolled().says(C, "suffer", unit="K-F5", outcome="crippled").story.then(
            UnitChanged, attribute="cargo_ep", after=None
        )

    def test_cargo_or_staying_there(self) -> None:
        table = war(D7, self.RAIDER, CC, **RAIDS).to("3A-4A").says(C, "raid", unit="K-F5")
        table.to("3A-4B").says(C, "load", unit="K-F5", ep=5).to("3A-4C").says(C, "raid", unit="K-F5", path=["1401"])
        table.to("3A-4H").says(C, "load", unit="K-F5")
        assert table.game.accounts["klingon/grid 1401"] == 5
        table.tries(C, "stay-there", unit="K-F5").then_refused("cargo-handled-already", rule="320.514")

    def test_pool_has_a_limit(self) -> None:
        pooled = [ship(f"K-{n}", "klingon", "raid-pool") for n in range(4)]
        table = war(D7, *pooled, CC, **RAIDS).to("3A-1A")
        table.tries(C, "pool", unit="K-D7").then_refused("raid-pool-full", rule="3A-1A", limit=4)

    def test_only_ships_that_did_not_raid_leave_the_pool(self) -> None:
        table = self.raid().to("3A-5B")
        table.tries(C, "pool", unit="K-F5", to="1206").then_refused("raided-and-stays", rule="314.12")

    def test_stations_are_emplaced_again_and_again(self) -> None:
        table = war(D7, CC, options={"raids": True, "pacification": True}).to("3A-6C").done(C, answer="another")
        assert table.open == ("3A-6A",)


class TestMovementAndReserves:
    def test_reactions_are_open_during_the_moves(self) -> None:
        table = war(D7, CC).to("3B2")
        assert table.open == ("3B2", "3B3")
        table.says(C, "move-units", units=["K-D7"], path=["1106"]).says(
            A, "react", units=["Z-CC"], path=["1002", "1103"]
        )

    def test_reaction_is_to_an_enemy_unit(self) -> None:
        table = war(D7, CC).to("3B2")
        table.tries(A, "react", units=["Z-CC"], path=["1002"], to="Z-CC").then_refused(
            "not-an-enemy-mover", rule="3B3", enemy="Z-CC", reason="own-side"
        )
        table.tries(A, "react", units=["Z-CC"], path=["1002"], to="K-D77").then_refused(
            "no-such-unit", rule="3B3", unit="K-D77"
        )
        table.tries(A, "react", units=["Z-CC"], path=["1002"], to="K-D7").then_refused(
            "not-an-enemy-mover", rule="3B3", enemy="K-D7", reason="not-moved"
        )
        table.says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-CC"], path=["1002"], to="K-D7")

    def test_path_has_no_gaps_and_a_base_does_not_move(self) -> None:
        table = war(D7, ship("K-SB", "klingon", "1206", base=True), CC).to("3B2")
        table.tries(C, "move-units", units=["K-D7"], path=["1304"]).then_refused("path-gap", rule="3B2")
        table.tries(C, "move-units", units=["K-SB"], path=["1106"]).then_refused("base-does-not-move", rule="3B2")

    def test_admiral_goes_where_their_ship_goes(self) -> None:
        table = war(D7, ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"), CC).to("3B2")
        table.says(C, "move-units", units=["K-D7"], path=["1106"]).story.then(UnitMoved, unit="K-ADM")

    def test_formed_tactical_reserve_must_move(self) -> None:
        table = war(D7, CC, options={"tactical_reserves": True}).to("4A")
        table.tries(C, "form-reserve", fleet="1", units=["K-D7"]).then_refused("only-non-phasing-reserve", rule="543.1")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"])
        table.must(A, "move-reserve", "TRF 1", rule="543.22")
        table.says(A, "move-reserve", fleet="1", path=["0903"])
        assert table.open == ("4A",)

    def test_phasing_x_ships_alone_react_to_reserves(self) -> None:
        """A9."""
        table = war(D7, ship("K-DX", "klingon", "1206", "x"), CC, options={"tactical_reserves": True}).to("4A")
        table.tries(C, "react", units=["K-D7"], path=["1106"]).then_refused("wrong-kind", rule="523.222", units="K-DX")
        early = table.tries(C, "react", units=["K-DX"], path=["1106"])
        early.then_refused("no-enemy-moved", rule="523.222")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"]).says(A, "move-reserve", fleet="1", path=["1002"])
        table.says(C, "react", units=["K-DX"], path=["1106"])

    def test_every_reserve_fleet_is_picked_and_may_move(self) -> None:
        fleets = [ship(f"Z-{n}", "kzinti", "0902", reserve=f"R{n}") for n in (1, 2)]
        table = war(D7, *fleets).to("4B/fleet").says(A, "pick", member="R2")
        table.tries(A, "move-reserve", fleet="R1", path=["0903"]).then_refused(
            "other-reserve-moves", rule="4B", next_fleet="R2"
        )
        table.says(A, "move-reserve", fleet="R2", path=["0903"]).done(A)
        assert table.open == ("4B/fleet",)


class TestPhases6To10:
    def test_tactical_retrograde_is_three_hexes_to_a_friendly_base(self) -> None:
        base = ship("Z-PS", "kzinti", "0905", "pacification", base=True)
        table = war(D7, CC, base, ship("Z-FF", "kzinti", "0901")).to("6D1")
        far = table.tries(A, "retrograde", units=["Z-FF"], path=["0902", "0903", "0904", "0905"])
        far.then_refused("freighter-path-too-long", rule="544.47", given=4)
        table.tries(A, "retrograde", units=["Z-CC"], path=["0903"]).then_refused("no-pacification-base", rule="544.47")
        table.says(A, "retrograde", units=["Z-CC"], path=["0903", "0904", "0905"])

    def test_only_x_ships_of_the_other_side_retrograde_in_6d3(self) -> None:
        table = war(D7, CC, ship("Z-X", "kzinti", "0902", "x"), options={"x_ships": True}).to("6D3")
        table.tries(A, "retrograde", units=["Z-CC"], path=["0901"]).then_refused(
            "wrong-kind", rule="523.242", units="Z-X"
        )
        table.says(A, "retrograde", units=["Z-X"], path=["0901"])

    def test_field_repair_is_within_one_empire(self) -> None:
        units = (
            ship("R-REP", "romulan", "1206", "repair"),
            ship("K-F5", "klingon", "1206", crippled=True),
            ship("R-WE", "romulan", "1206", crippled=True),
        )
        table = war(D7, *units, CC).to("7B")
        table.says(C, "deploy-repair", unit="R-REP", at="1306").to("7C")
        table.tries(C, "field-repair", repairer="R-REP", unit="K-F5").then_refused(
            "other-empires-repairer", rule="420.434"
        )
        table.tries(C, "field-repair", repairer="R-REP", unit="R-WE").then_refused(
            "ship-not-repaired", rule="422.22", at="1306", reason="elsewhere"
        )
        table.to("8A")
        assert table.game.units["R-REP"].at == "off-map"

    def test_single_admiral_moves_by_strategic_movement(self) -> None:
        leaders = [ship(f"K-ADM{n}", "klingon", "1206", "leader") for n in (1, 2)]
        table = war(D7, ship("K-D6", "klingon", "1306"), *leaders, CC).to("8A")
        table.says(C, "transfer-leader", leader="K-ADM1", ship="K-D6")
        table.tries(C, "transfer-leader", leader="K-ADM2", ship="K-D6").then_refused(
            "moved-strategically", rule="316.144C"
        )


class TestPhase11:
    def orions(self) -> War:
        return border_war().to("11D")

    def test_phase_11_comes_once_a_game_turn_with_orions(self) -> None:
        table = self.orions()
        assert table.game.turn == 1
        assert table.game.units["O-LR-2"].at == "orion-pool"
        assert "11D" not in war(D7, CC).to("10D").done(A, C).to("10D").done(A, C).steps()

    def test_bribe_is_paid_when_it_is_accepted(self) -> None:
        table = self.orions().says(C, "bribe", ep=3, wish="raid 0902", empire="klingon").to("11E")
        before = table.game.accounts["klingon/EP"]
        table.tries(ORION, "accept-bribe", empire="kzinti").then_refused("no-bribe-offered", rule="11E")
        table.says(ORION, "accept-bribe", empire="klingon")
        assert table.game.accounts["klingon/EP"] == before - 3

    def test_bids_are_opened_together_and_the_highest_takes_the_ship(self) -> None:
        table = self.orions().to("11F").says(ORION, "offer-lease", unit="O-LR-1").to("11G")
        table.says(C, "seal-bid", ep=4, empire="klingon")
        table.story.then(ChoiceSealed, question="bid", side=C)
        table.tries(C, "lease", unit="O-LR-1", at="1306", empire="klingon").then_refused(
            "not-highest-bid", rule="504.33", do="Alliance"
        )
        table.says(A, "seal-bid", ep=2, empire="kzinti").story.then(ChoiceRevealed, side=C, choice=("4", "klingon"))
        table.tries(A, "lease", unit="O-LR-1", at="1003", empire="kzinti").then_refused(
            "not-highest-bid", rule="504.33"
        )
        table.says(C, "lease", unit="O-LR-1", at="1306", empire="klingon")
        assert table.game.units["O-LR-1"].side == C

    def test_ship_without_a_bid_is_not_taken(self) -> None:
        """Federation & Empire 504.33: a bid of 0 is not a bid, and the ship stays in the pool."""
        table = self.orions().to("11F").says(ORION, "offer-lease", unit="O-LR-1").to("11G")
        table.says(C, "seal-bid", ep=0).says(A, "seal-bid", ep=0)
        for side, at, empire in ((C, "1306", "klingon"), (A, "1003", "kzinti")):
            table.tries(side, "lease", unit="O-LR-1", at=at, empire=empire).then_refused(
                "not-on-offer", rule="504.33", on_offer="nothing"
            )
        assert (table.game.units["O-LR-1"].side, table.game.units["O-LR-1"].at) == (ORION, "orion-pool")

    def test_leased_ship_comes_back_in_11b(self) -> None:
        table = self.orions().to("11F").says(ORION, "offer-lease", unit="O-LR-1").to("11G")
        table.says(C, "seal-bid", ep=4, empire="klingon")
        table.says(A, "seal-bid", ep=2, empire="kzinti").says(C, "lease", unit="O-LR-1", at="1306", empire="klingon")
        table.to("1A2").to("11D")
        assert table.game.units["O-LR-1"].side == ORION


DECOYS = {"options": {"decoys": True}}


class TestDecoys:
    UNITS = (
        ship("R-WE-1", "romulan", "1105", "cloak"),
        ship("R-WE-2", "romulan", "1105", "cloak"),
        ship("R-DCY", "romulan", "raid-pool", "decoy"),
        ship("Z-CC", "kzinti", "1105"),
    )

    def assigned(self, to: str = "R-WE-1") -> War:
        return war(*self.UNITS, **DECOYS).to("2B7").says(C, "assign-decoy", decoy="R-DCY", ship=to)

    def test_assignment_is_seen_by_its_owner_only_and_is_kept(self) -> None:
        table = self.assigned()
        assert [one.visible_to for one in table.story.told if isinstance(one, RestrictedEvent)] == [(C, "referee")]
        again = table.tries(C, "assign-decoy", decoy="R-DCY", ship="R-WE-2")
        again.then_refused("decoy-recorded-already", rule="538.31")

    def test_reveal_shows_the_recorded_decoy(self) -> None:
        table = self.assigned().to("5-3G/decoys").says(C, "reveal-decoy", 3, decoy="R-DCY", purpose="diverts damage")
        table.story.then(ChoiceRevealed, question="decoy R-DCY", choice="R-WE-1")

    def test_steps_do_not_show_whether_there_are_decoys(self) -> None:
        """Open the same steps, if a decoy in the pool was recorded for a ship here, elsewhere or not at all."""
        away, aimed = ship("R-WE-3", "romulan", "1206", "cloak"), says(A, "direct", unit="R-WE-1", result="missed")
        strong = {**self.UNITS[3], "attack": 60}
        opened = []
        for to in ("R-WE-1", "R-WE-3", ""):
            table = war(*self.UNITS[:3], away, strong, **DECOYS).to("2B7")
            if to:
                table.says(C, "assign-decoy", decoy="R-DCY", ship=to)
            opened.append(table.plan("5-4C4", says(A, "score", points=30)).plan("5-5C", aimed).to("5-6A").steps())
        assert opened[0] == opened[1] == opened[2]
        for step in ("5-1A/decoys", "5-1C/decoys", "5-3G/decoys", "5-5C/decoys"):
            assert step in opened[2]

    def test_decoys_are_recorded_in_every_hex_even_without_any(self) -> None:
        table = war(*self.UNITS, **DECOYS).to("5-1C/decoys")
        table.tries(C, "done").then_refused("orders-required", rule="538.31", orders=("record-decoys",))
        table.says(C, "record-decoys").story.then(ChoiceSealed, question="decoys")
        table.tries(C, "record-decoys").then_refused("sealed-already", rule="538.31")

    def test_another_side_reveals_nothing(self) -> None:
        table = self.assigned().to("5-3G/decoys")
        table.tries(A, "reveal-decoy", decoy="R-DCY", purpose="x").then_refused(
            "step-of-another-side", rule="5-3G", sides="Coalition"
        )
