"""Federation & Empire, Phase 2: repairs at bases, production, and the lists of single empires."""

from typing import Any

from tests.face.domain import (
    AccountChanged,
    ChoiceSealed,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    federation_and_empire_TITLE as TITLE,
    offers,
    open_steps,
)
from tests.titles.federation_table import BASE, War, scenario, ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
SB = ship("K-SB", "klingon", "1206", "starbase", base=True, kind="SB")
FRD = ship("K-FRD", "klingon", "1504", "frd")
F5 = ship("K-F5", "klingon", "1206", kind="F5", crippled=True)
D6 = ship("K-D6", "klingon", "1206", kind="D6")
YARD = {"empire": "klingon", "at": "1206", "places": 2}
DW = {"kind": "DW", "attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 3, "command": 4}
TG = {"kind": "TG", "attack": 6, "defense": 8, "crippled_attack": 3, "crippled_defense": 4, "command": 5}
TUG = {**TG, "traits": ["tug"]}
STATED = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 3}


def empires(**more: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the empires of the border war, with some entries changed."""
    return [{**one, **more.get(one["id"], {})} for one in BASE["empires"]]


def costs(**of: int) -> dict[str, Any]:
    """Return prices by the thing bought, its words joined by `_`."""
    return {"costs": {"source": "made up", "of": {name.replace("_", " "): ep for name, ep in of.items()}}}


def next_own_turn(table: War) -> War:
    """Continue to the Coalition's next player turn."""
    return table.to("10D").done(A, C).to("10D").done(A, C)


def passed(table: War, step: str) -> list[str]:
    """Return the reason of each time a step was passed."""
    return [event.why for event in table.events if isinstance(event, StepPassed) and event.step == step]


class Test2Shipyard:
    def test_repairs_precede_production_and_both_precede_operations(self) -> None:
        table = war(D7, CC).to("3B1")
        steps = [step for step in table.steps() if step[0] in "23"]
        assert steps[:3] == ["2A1", "2A2", "2A3"]
        assert steps.index("2A4") < steps.index("2B1") < steps.index("3B1")


class Test2ARepair:
    def test_paid_repair_is_done_when_production_begins(self) -> None:
        table = war(SB, F5, CC).to("2A2").says(C, "repair", unit="K-F5", ep=3).to("2B1")
        assert table.game.units["K-F5"].get("crippled") is None
        table.tries(C, "repair", unit="K-F5", ep=3).then_refused("not-allowed-now", rule="2B1", order="repair")


class Test2A1SupplyForRepairs:
    def test_unit_out_of_supply_is_not_repaired(self) -> None:
        table = war(SB, F5, CC).to("2A1").says(C, "check-supply", out=["K-F5"]).to("2A2")
        out = table.tries(C, "repair", unit="K-F5", ep=3)
        out.then_refused("base-out-of-supply", rule="410.23", unit="K-F5")

    def test_supply_judged_in_1a2_does_not_count_here(self) -> None:
        table = war(SB, F5, CC).says(C, "check-supply", out=["K-F5"]).to("2A2")
        table.says(C, "repair", unit="K-F5", ep=3)

    def test_other_side_has_no_part_in_it(self) -> None:
        table = war(D7, CC).to("2A1")
        table.tries(A, "check-supply", out=["Z-CC"]).then_refused(
            "step-of-another-side", rule="2A1", seat="alliance", sides="Coalition"
        )


class Test2A2RepairsPaid:
    AWAY = ship("K-E4", "klingon", "1504", kind="E4", crippled=True)

    def test_ships_at_a_base_and_at_an_frd_are_paid_for_and_wait(self) -> None:
        table = war(SB, F5, FRD, self.AWAY, CC).to("2A2")
        table.says(C, "repair", unit="K-F5", ep=3).says(C, "repair", unit="K-E4", ep=3)
        assert table.game.accounts["klingon/EP"] == 54
        assert all(table.game.units[one].get("crippled") for one in ("K-F5", "K-E4"))
        again = table.tries(C, "repair", unit="K-F5", ep=3)
        again.then_refused("cannot-be-repaired", rule="420.2", unit="K-F5", reason="paid-already")

    def test_place_without_a_base_or_frd_repairs_nothing(self) -> None:
        lost = ship("K-E4", "klingon", "1506", crippled=True)
        table = war(SB, F5, lost, CC).to("2A2")
        table.tries(C, "repair", unit="K-E4", ep=3).then_refused("no-yard-there", rule="420.2", at="1506")

    def test_begun_base_repairs_when_it_works(self) -> None:
        table = war(D7, F5, CC).to("3B6").says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")
        next_own_turn(table).to("2A2").says(C, "repair", unit="K-F5", ep=1, yard="K-MB")

    def test_repairs_are_limited_by_the_purse(self) -> None:
        table = war(SB, F5, CC, empires=empires(klingon={"ep": 2})).to("2A2")
        dear = table.tries(C, "repair", unit="K-F5", ep=3)
        dear.then_refused("too-few-economic-points", rule="430.1", given=3, empire="Klingon Empire", limit=2)
        assert table.game.accounts["klingon/EP"] == 2

    def test_repairs_cost_the_price_of_the_scenario(self) -> None:
        table = war(SB, F5, CC, **costs(repair_F5=2)).to("2A2")
        table.tries(C, "repair", unit="K-F5", ep=1).then_refused(
            "price-differs", rule="420.2", what="repair F5", limit=2
        )
        table.says(C, "repair", unit="K-F5").story.then(AccountChanged, account="klingon/EP", amount=-2)
        silent = war(SB, F5, CC).to("2A2").tries(C, "repair", unit="K-F5")
        silent.then_refused("price-missing", rule="420.2")
        assert silent.refusal is not None
        assert "F5" in str(silent.refusal.fields["what"]).split()

    def test_base_repairs_up_to_its_capacity(self) -> None:
        small = {**SB, "repairs": 1}
        table = war(small, F5, ship("K-E4", "klingon", "1206", crippled=True), CC).to("2A2")
        wrong = table.tries(C, "repair", unit="K-F5", ep=1, yard="K-FRD")
        wrong.then_refused("not-a-working-yard", rule="420.2", yard="K-FRD", at="1206", yards="K-SB")
        table.says(C, "repair", unit="K-F5", ep=1)
        full = table.tries(C, "repair", unit="K-E4", ep=1)
        full.then_refused("no-yard-with-room", rule="420.2", yards="K-SB repairs 1 of 1")
        next_own_turn(table).to("2A2").says(C, "repair", unit="K-E4", ep=1)

    def test_sound_ships_bases_and_the_enemys_are_refused(self) -> None:
        hurt = {**SB, "crippled": True}
        table = war(D7, hurt, F5, CC).to("2A2")
        table.tries(C, "repair", unit="K-D7", ep=1).then_refused(
            "cannot-be-repaired", rule="420.2", unit="K-D7", reason="not-crippled"
        )
        table.tries(C, "repair", unit="K-SB", ep=1).then_refused(
            "repaired-elsewhere", rule="420.2", place="a base", repair_place="2A3"
        )
        table.tries(C, "repair", unit="Z-CC", ep=1).then_refused("unit-of-another-side", rule="420.2", side="Alliance")


class Test2A3Bases:
    def test_damage_of_a_base_is_repaired_point_by_point(self) -> None:
        hurt = {**SB, "sids": 3}
        table = war(D7, hurt, CC, **costs(repair_SIDS=1)).to("2A3")
        more = table.tries(C, "repair", unit="K-SB", sids=4)
        more.then_refused("too-many-steps", rule="420.6", unit="K-SB", limit=3)
        table.says(C, "repair", unit="K-SB", sids=2).story.then(AccountChanged, account="klingon/EP", amount=-2)
        assert table.game.units["K-SB"].get("sids") == 1
        table.tries(C, "repair", unit="K-D7", sids=1).then_refused(
            "repaired-elsewhere", rule="420.6", place="not a base", repair_place="2A2"
        )

    def test_420_6_all_damage_may_be_repaired_at_once(self) -> None:
        table = war(D7, {**SB, "sids": 3}, CC, **costs(repair_SIDS=1)).to("2A3").says(C, "repair", unit="K-SB", sids=3)
        assert table.game.units["K-SB"].get("sids") is None

    def test_crippled_base_is_paid_for_and_flipped(self) -> None:
        table = war(D7, {**SB, "crippled": True}, CC).to("2A3").says(C, "repair", unit="K-SB", ep=9).to("2B1")
        assert table.game.units["K-SB"].get("crippled") is None

    def test_engineers_of_the_base_help_once_in_a_turn(self) -> None:
        there, away = (ship(f"K-EN{n}", "klingon", at, "engineers") for n, at in ((1, "1206"), (2, "1306")))
        table = war(D7, {**SB, "sids": 3}, there, away, CC).to("2A3")
        repair = {"unit": "K-SB", "sids": 1, "ep": 1}
        table.tries(C, "repair", **repair, helped=["K-D7"]).then_refused("wrong-kind", rule="541.34-A")
        table.tries(C, "repair", **repair, helped=["K-EN2"]).then_refused(
            "not-at-repaired-base", rule="541.34-A", at="1206"
        )
        table.says(C, "repair", **repair, helped=["K-EN1"])
        again = table.tries(C, "repair", **repair, helped=["K-EN1"])
        again.then_refused("done-this-player-turn", rule="541.34-A", unit="K-EN1", reason="worked")

    def test_tugs_may_have_mission_j1(self) -> None:
        table = war(ship("K-TUG", "klingon", "1206", "tug"), SB, CC).to("2A3")
        table.tries(C, "assign-mission", unit="K-TUG", code="J2").then_refused(
            "mission-of-another-step", rule="509.1", mission="J2", missions="J1"
        )
        table.says(C, "assign-mission", unit="K-TUG", code="J1")
        assert table.game.units["K-TUG"].get("mission") == "J1"


class Test2A4Flipped:
    def test_only_units_paid_for_are_sound(self) -> None:
        other = ship("K-E4", "klingon", "1206", crippled=True)
        table = war(SB, F5, other, CC).to("2A2").says(C, "repair", unit="K-F5", ep=3).to("2B1")
        assert [table.game.units[one].get("crippled") for one in ("K-F5", "K-E4")] == [None, True]
        assert [table.game.units["K-F5"].get(name) for name in ("repair", "repaired_by")] == [None, None]


class Test2BProduction:
    def test_every_step_of_the_list_may_be_left_out(self) -> None:
        table = war(D7, CC, options={"swarm": True, "special_fighters": True, "admirals": True}).to("2B1")
        table.to("3B1")
        closed = [event for event in table.steps() if event.startswith("2B")]
        assert closed == ["2B1", "2B2", "2B3", "2B4", "2B5", "2B6", "2B7", "2B8", "2B10", "2B11"]
        assert len(passed(table, "2B9")) == 1


class Test2B1Mothballs:
    OLD = ship("K-OLD", "klingon", "1306", kind="D6", mothballed=True)

    def test_unit_is_activated_in_its_hex_once(self) -> None:
        table = war(D7, self.OLD, CC, **costs(activate_D6=2)).to("2B1").says(C, "activate", unit="K-OLD")
        assert (table.game.accounts["klingon/EP"], table.game.units["K-OLD"].at) == (58, "1306")
        again = table.tries(C, "activate", unit="K-OLD")
        again.then_refused("not-mothballed", rule="434.0", unit="K-OLD")
        table.tries(C, "activate", unit="K-D7").then_refused("not-mothballed", rule="434.0")


class Test2B2Divisions:
    def test_klingons_form_the_77th_from_spring_y181(self) -> None:
        early = war(D7, CC, calendar={"season": "Fall", "year": 180}).to("2B2")
        early.tries(C, "form-division", division="77th", unit="K-D7").then_refused("division-too-early", rule="513.21")
        table = war(D7, SB, ship("R-KE", "romulan", "1206"), CC, calendar={"season": "Spring", "year": 181}).to("2B2")
        table.tries(C, "form-division", division="77th", unit="R-KE").then_refused(
            "not-a-founder", rule="513.21", founder="klingon"
        )
        table.tries(C, "form-division", division="77th", unit="K-SB").then_refused(
            "not-a-founder", rule="513.21", founder="klingon"
        )
        table.tries(C, "form-division", division="23rd", unit="K-D7").then_refused(
            "not-a-founder", rule="513.31", founder="kzinti"
        )
        table.says(C, "form-division", division="77th", unit="K-D7")
        again = table.tries(C, "form-division", division="77th", unit="K-D7")
        again.then_refused("division-exists", rule="513.21", division="77th")

    def test_alliance_forms_the_23rd_in_its_turn(self) -> None:
        table = war(D7, CC, calendar={"season": "Spring", "year": 181}).to("10D").done(A, C).to("2B2")
        table.says(A, "form-division", division="23rd", unit="Z-CC").story.then(MarkerSet, marker="division 23rd")


class Test2B3Building:
    def test_units_are_built_at_a_yard_as_many_as_it_has_places(self) -> None:
        table = war(D7, CC, yards=[YARD], kinds=[DW], **costs(build_DW=5)).to("2B3")
        away = table.tries(C, "build", unit="K-1", kind="DW", at="1504", empire="klingon")
        away.then_refused("no-shipyard", rule="431.0", at="1504")
        table.says(C, "build", unit="K-1", kind="DW", at="1206", empire="klingon")
        table.says(C, "build", unit="K-2", kind="DW", at="1206", empire="klingon")
        full = table.tries(C, "build", unit="K-3", kind="DW", at="1206", empire="klingon")
        full.then_refused("all-shipyards-at-limit", rule="431.0", limit=2)
        assert full.refusal is not None
        assert full.refusal.remedy == "end the step: `done`"
        assert table.game.accounts["klingon/EP"] == 50
        next_own_turn(table).to("2B3").says(C, "build", unit="K-3", kind="DW", at="1206", empire="klingon")

    def test_new_unit_has_both_sides_of_its_counter(self) -> None:
        table = war(D7, CC, yards=[YARD], kinds=[DW]).to("2B3")
        wrong = table.tries(C, "build", unit="K-1", kind="DW", at="1206", ep=5, attack=9, empire="klingon")
        wrong.then_refused("counter-values-differ", rule="431.0", kind="DW", attribute="attack", limit=5, given=9)
        half = table.tries(C, "build", unit="K-1", kind="E9", at="1206", ep=5, attack=4, defense=4, empire="klingon")
        half.then_refused("counter-values-missing", rule="431.0", missing="crippled_attack and crippled_defense")
        table.says(C, "build", unit="K-1", kind="DW", at="1206", ep=5, empire="klingon")
        table.says(C, "build", unit="K-2", kind="E9", at="1206", ep=5, empire="klingon", **STATED)
        for one in ("K-1", "K-2"):
            assert {name: table.game.units[one].get(name) for name in STATED} == STATED

    def test_building_needs_a_place_free_of_enemies_and_enough_money(self) -> None:
        table = war(D7, CC).to("2B3")
        new = {"unit": "K-1", "kind": "DW", "empire": "klingon"}
        table.tries(C, "build", at="0902", ep=1, **new).then_refused("enemy-in-hex", rule="2B3", place="0902")
        table.tries(C, "build", at="off-map", ep=1, **new).then_refused("not-a-hex", rule="2B3")
        table.tries(C, "build", at="1206", ep=61, **new).then_refused("too-few-economic-points", rule="430.1", limit=60)
        table.tries(C, "build", at="1206", **new).then_refused("price-missing", rule="431.0")
        table.says(C, "build", at="1206", ep=1, **new)

    def test_x_ships_cost_xtps_too(self) -> None:
        table = war(D7, CC).to("2B3")
        new = {"unit": "K-DX", "kind": "DX", "at": "1206", "ep": 9, "empire": "klingon"}
        table.tries(C, "build", xtp=5, **new).then_refused("too-few-tactical-points", rule="523.12", limit=4)
        table.says(C, "build", xtp=4, **new).story.then(AccountChanged, account="klingon/XTP", amount=-4)

    def test_yard_belongs_to_an_empire_that_exists(self) -> None:
        (fault,) = scenario(D7, CC, yards=[{**YARD, "empire": "gorn"}]).faults()
        assert fault.path == "$.yards[0].empire"
        assert "gorn" in fault.what


class Test2B3Sites:
    """431.0: the hexes and counters of new units [readings]."""

    def test_building_needs_a_place_of_the_own_empire(self) -> None:
        table = war(D7, ship("R-KE", "romulan", "1505"), CC, yards=[YARD]).to("2B3")
        new = {"unit": "R-1", "kind": "WE", "ep": 2, "empire": "romulan"}
        theirs = table.tries(C, "build", at="1206", **new)
        theirs.then_refused("shipyard-of-another", rule="431.0", owner="Klingon Empire")
        nowhere = table.tries(C, "build", at="9999", **new)
        nowhere.then_refused(
            "nothing-of-empire-there", rule="431.0", empire="Romulan Star Empire", at="9999", places="1505"
        )
        table.says(C, "build", at="1505", **new)

    def test_kind_that_is_on_no_sheet_states_both_its_sides(self) -> None:
        table = war(D7, CC, yards=[YARD], kinds=[DW]).to("2B3")
        new = {"unit": "K-1", "kind": "X9", "at": "1206", "ep": 2, "empire": "klingon"}
        blank = table.tries(C, "build", **new)
        blank.then_refused("kind-unknown", rule="431.0", kind="X9")
        table.says(C, "build", **new, **STATED)

    def test_pirate_does_not_close_a_yard_that_is_held(self) -> None:
        pirate = ship("O-P", "orion", "1206")
        table = war(D7, pirate, CC, options={"orions": True}).to("2B3")
        table.says(C, "build", unit="K-1", kind="FF", at="1206", ep=2, empire="klingon")

    def test_ships_next_to_an_enemy_base_make_no_place_to_build(self) -> None:
        base = ship("Z-SB", "kzinti", "0902", base=True)
        table = war(D7, ship("K-D6", "klingon", "0902"), base, CC).to("2B3")
        new = {"unit": "K-1", "kind": "FF", "ep": 2, "empire": "klingon"}
        there = table.tries(C, "build", at="0902", **new)
        there.then_refused("enemy-in-hex", rule="431.0", place="0902")
        police = table.tries(C, "call-police", unit="K-P", at="0902", empire="klingon")
        police.then_refused("enemy-in-hex", rule="531.12", place="0902")
        table.says(C, "build", at="1206", **new)

    def test_facilities_are_those_that_the_scenario_prices(self) -> None:
        table = war(D7, CC, **costs(construct_yard=5)).to("2B3")
        other = table.tries(C, "construct", facility="pizzeria", at="1206", ep=1, empire="klingon")
        other.then_refused("not-a-facility", rule="450.1", facility="pizzeria", facilities="yard")
        table.says(C, "construct", facility="yard", at="1206", ep=1, empire="klingon")


class Test2ASuggestions:
    """Orders that may be legal are tried, independent of the scenario's lists."""

    def test_prices_and_networks_of_a_scenario_hide_no_order(self) -> None:
        old, lame = ship("K-OLD", "klingon", "1206", kind="D6", mothballed=True), ship("K-L", "klingon", "1206")
        far = ship("K-A0", "klingon", "1505", crippled=True)
        prices = costs(repair_D7=3, repair_L=3, repair_A0=3, activate_D6=2, build_DW=5, convert_DW=2, salvage_F5=1)
        table = war(
            *(D7, SB, old, {**lame, "crippled": True}, far, {**far, "id": "K-A1"}, {**far, "id": "K-A2"}, CC),
            kinds=[DW], yards=[YARD], empires=empires(klingon={"nodes": ["1206", "1306"]}), **prices,
        )  # fmt: skip
        for step, order in (
            *(("2A2", "repair"), ("2B1", "activate"), ("2B3", "build"), ("2B3", "convert")),
            ("8A", "move-units"),
        ):
            table.to(step)
            assert order in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C), f"{step} {order}"


class Test2A3OfItself:
    def test_base_that_repairs_ships_is_repaired_too(self) -> None:
        base = {**SB, "crippled": True, "repairs": 1}
        lame = ship("K-L", "klingon", "1206", crippled=True)
        table = war(D7, base, lame, CC).to("2A2").says(C, "repair", unit="K-L", ep=1)
        table.to("2A3").says(C, "repair", unit="K-SB", ep=2).done(C)
        assert [table.game.units[one].get("crippled") for one in ("K-L", "K-SB")] == [None, None]


class Test2B7Announced:
    def test_colony_is_not_paid_when_it_is_announced(self) -> None:
        table = war(D7, CC, **COLONIES).to("2B7")
        early = table.tries(C, "colony", at="1410", ep=2, empire="klingon")
        early.then_refused("colony-only-announced", rule="446.11")
        table.says(C, "colony", at="1410", empire="klingon")


class Test2B3Conversions:
    def test_ship_becomes_another_kind_on_both_sides(self) -> None:
        table = war(D6, SB, CC, kinds=[TUG], **costs(convert_TG=2)).to("2B3").says(C, "convert", unit="K-D6", kind="TG")
        now = table.game.units["K-D6"]
        assert {name: now.get(name) for name in TUG if name not in ("kind", "traits")} == {
            name: value for name, value in TUG.items() if name not in ("kind", "traits")
        }
        assert (now.get("converted"), now.names("traits"), table.game.accounts["klingon/EP"]) == ("TG", ("tug",), 58)
        table.says(C, "assign-mission", unit="K-D6", code="J2")
        again = table.tries(C, "convert", unit="K-D6", kind="D6", ep=2, **STATED)
        again.then_refused("done-this-player-turn", rule="433.0", unit="K-D6", reason="converted")

    def test_conversion_is_at_an_own_yard_or_base(self) -> None:
        away = ship("K-E4", "klingon", "1504", kind="E4")
        table = war(D7, away, CC, yards=[YARD], kinds=[DW]).to("2B3")
        far = table.tries(C, "convert", unit="K-E4", kind="DW", ep=1)
        far.then_refused("no-yard-or-base", rule="433.0", unit="K-E4", at="1504")
        table.says(C, "convert", unit="K-D7", kind="DW", ep=1)

    def test_new_kind_is_stated(self) -> None:
        table = war(D6, SB, CC).to("2B3")
        table.tries(C, "convert", unit="K-D6", kind="D6", ep=1).then_refused(
            "kind-planned-already", rule="433.0", kind="D6"
        )
        table.tries(C, "convert", unit="K-D6", kind="X", ep=1).then_refused(
            "counter-values-missing-for-kind", rule="433.0", kind="X"
        )
        half = table.tries(C, "convert", unit="K-D6", kind="X", ep=1, attack=4, defense=4)
        half.then_refused("counter-values-missing", rule="433.0", missing="crippled_attack and crippled_defense")
        table.says(C, "convert", unit="K-D6", kind="X", ep=1, **STATED)
        assert {name: table.game.units["K-D6"].get(name) for name in STATED} == STATED


class Test2B3Upgrades:
    BATS = ship("K-BATS", "klingon", "1505", base=True, kind="BATS", attack=12, defense=12)
    UP = {"kind": "SB", "attack": 36, "defense": 36, "crippled_attack": 18, "crippled_defense": 18, "command": 10}  # noqa: RUF012

    def test_base_keeps_its_old_factors_until_its_next_1a1(self) -> None:
        table = war(D7, self.BATS, CC, kinds=[self.UP]).to("2B3").says(C, "convert", unit="K-BATS", kind="SB", ep=4)
        assert table.game.accounts["klingon/EP"] == 56
        again = table.tries(C, "convert", unit="K-BATS", kind="SB", ep=4)
        again.then_refused("kind-planned-already", rule="433.41", kind="SB")
        second = table.tries(C, "convert", unit="K-BATS", kind="STB", ep=4, **STATED)
        second.then_refused("done-this-player-turn", rule="433.41", unit="K-BATS", reason="converted")
        table.to("10D").done(A, C).to("10D")
        assert table.game.units["K-BATS"].get("attack") == 12, "through the Alliance's turn"
        table.done(A, C)
        base = table.game.units["K-BATS"]
        assert (base.get("converted"), base.get("attack"), base.get("crippled_defense")) == ("SB", 36, 18)
        left = [name for name, value in base.attributes.items() if name.startswith("upgrade_") and value is not None]
        assert not left

    def test_base_that_is_lost_meanwhile_is_not_upgraded(self) -> None:
        table = war(D7, self.BATS, CC, kinds=[self.UP]).to("2B3").says(C, "convert", unit="K-BATS", kind="SB", ep=4)
        table.to("2B11").says(C, "scuttle", unit="K-BATS")
        assert next_own_turn(table).game.units["K-BATS"].get("converted") is None


class Test2B3Police:
    def test_police_are_limited_by_the_scenario(self) -> None:
        table = war(D7, CC, empires=empires(klingon={"police": 1})).to("2B3")
        table.says(C, "call-police", unit="R-P1", at="1206", empire="romulan")
        foe = table.tries(C, "call-police", unit="K-P1", at="0902", empire="klingon")
        foe.then_refused("enemy-in-hex", rule="531.12", place="0902")
        table.says(C, "call-police", unit="K-P1", at="1206", empire="klingon").story.then(
            UnitPlaced, kind="POL", at="1206"
        )
        more = table.tries(C, "call-police", unit="K-P2", at="1206", empire="klingon")
        more.then_refused("too-many-police", rule="531.12", given=1, limit=1)


class Test2B3Depot:
    def test_ship_in_the_box_comes_out_in_a_later_turn(self) -> None:
        table = war(D7, F5, CC).to("2B3").says(C, "depot", unit="K-F5", act="add").story.then(UnitMoved, unit="K-F5")
        table = war(D7, F5, CC).to("2B3").says(C, "depot", unit="K-F5", act="add")
        early = table.tries(C, "depot", unit="K-F5", act="place", at="1206")
        early.then_refused("entered-this-turn", rule="424.3")
        table.says(C, "depot", unit="K-F5", act="progress")
        twice = table.tries(C, "depot", unit="K-F5", act="progress")
        twice.then_refused("done-this-player-turn", rule="424.3", unit="K-F5", reason="progressed")
        next_own_turn(table).to("2B3").says(C, "depot", unit="K-F5", act="place", at="1206")
        assert (table.game.units["K-F5"].at, table.game.units["K-F5"].get("crippled")) == ("1206", None)
        gone = table.tries(C, "depot", unit="K-F5", act="salvage", ep=1)
        gone.then_refused("not-in-repair-box", rule="424.3", unit="K-F5")

    def test_depot_takes_one_cripple_of_each_type(self) -> None:
        other = ship("K-F6", "klingon", "1206", kind="F5", crippled=True)
        table = war(D7, F5, other, CC).to("2B3").says(C, "depot", unit="K-F5", act="add")
        table.says(C, "depot", unit="K-F5", act="salvage", ep=2)
        second = table.tries(C, "depot", unit="K-F6", act="add")
        second.then_refused("type-entered-this-turn", rule="424.35", ship="K-F5", kind="F5")

    def test_bases_do_not_go_in_and_the_price_is_the_scenarios(self) -> None:
        table = war(D7, {**SB, "crippled": True}, F5, CC, **costs(salvage_F5=1)).to("2B3")
        table.tries(C, "depot", unit="K-SB", act="add").then_refused("not-a-crippled-ship", rule="424.35")
        table.says(C, "depot", unit="K-F5", act="add").says(C, "depot", unit="K-F5", act="salvage")
        assert table.game.accounts["klingon/EP"] == 61


COLONIES = {"options": {"colonies": True}}


class Test2B3Colonies:
    def paying(self, **more: Any) -> War:
        """Announce and begin a colony at 1410 in turn 1, and open the next 2B3."""
        table = war(D7, CC, **COLONIES, **more).to("2B7").says(C, "colony", at="1410", empire="klingon").to("3B5")
        return next_own_turn(table.says(C, "colony", at="1410", ep=2, empire="klingon")).to("2B3")

    def test_colony_is_paid_once_a_turn_up_to_its_price(self) -> None:
        table = self.paying(**costs(colony=6))
        more = table.tries(C, "colony", at="1410", ep=5, empire="klingon")
        more.then_refused("colony-overpaid", rule="446.13", whole=6, paid=2, limit=4)
        table.tries(C, "colony", at="1409", ep=4, empire="klingon").then_refused(
            "colony-in-other-state", rule="2B3", state="not announced"
        )
        table.says(C, "colony", at="1410", ep=4, empire="klingon")
        again = table.tries(C, "colony", at="1410", ep=0, empire="klingon")
        again.then_refused("colony-paid-this-turn", rule="446.13")

    def test_payment_names_an_open_colony(self) -> None:
        table = war(D7, CC, **COLONIES, **costs(colony=5)).to("2B7").says(C, "colony", at="1410", empire="klingon")
        free = table.to("3B5").tries(C, "colony", at="1410", empire="klingon")
        free.then_refused("colony-not-paid", rule="446.13", whole=5, paid=0, limit=5)
        table.says(C, "colony", at="1410", ep=2, empire="klingon")
        next_own_turn(table).to("2B3")
        free = table.tries(C, "colony", at="1410", ep=0, empire="klingon")
        free.then_refused("colony-not-paid", rule="446.13", paid=2, limit=3)
        table.says(C, "colony", at="1410", ep=3, empire="klingon")

    def test_colony_paid_at_once_continues_without_cost(self) -> None:
        table = war(D7, CC, **COLONIES, **costs(colony=5)).to("2B7").says(C, "colony", at="1410", empire="klingon")
        table.to("3B5").says(C, "colony", at="1410", ep=5, empire="klingon")
        next_own_turn(table).to("2B3").says(C, "colony", at="1410", empire="klingon")
        assert table.game.markers["colony 1410"] == "paid by klingon"

    def test_established_colony_may_have_its_base(self) -> None:
        table = self.paying().says(C, "colony", at="1410", ep=4, empire="klingon").to("10A")
        table.says(C, "colony", at="1410", empire="klingon")
        next_own_turn(table).to("2B3").says(C, "colony", at="1410", ep=3, empire="klingon")
        assert table.game.markers["colony 1410"] == "based by klingon"


class Test2B3Shipyards:
    def test_facility_is_not_begun_among_enemies(self) -> None:
        table = war(D7, CC).to("2B3")
        enemy = table.tries(C, "construct", facility="yard", at=CC["at"], ep=1, empire="klingon")
        enemy.then_refused("enemy-in-hex", rule="450.1", place="0902")
        table.says(C, "construct", facility="yard", at="1206", ep=0, empire="klingon")

    def test_payments_for_a_facility_are_added_up_to_its_price(self) -> None:
        table = war(D7, CC, **costs(construct_yard=5)).to("2B3")
        table.says(C, "construct", facility="yard", at="1206", ep=3, empire="klingon")
        assert table.game.accounts["klingon/yard 1206"] == 3
        more = table.tries(C, "construct", facility="yard", at="1206", ep=3, empire="klingon")
        more.then_refused("facility-overpaid", rule="450.1", facility="yard", whole=5, paid=3, limit=2)
        other = table.tries(C, "construct", facility="yard", at="1206", ep=1, empire="romulan")
        other.then_refused("facility-announced-otherwise", rule="450.1", word="klingon")
        next_own_turn(table).to("2B3").says(C, "construct", facility="yard", at="1206", ep=2, empire="klingon")
        assert table.game.accounts["klingon/yard 1206"] == 5

    def test_yard_that_is_paid_off_builds(self) -> None:
        """Federation & Empire 450.1, 511.32: [reading] the scenario names the yard of a facility."""
        more = [YARD, {"empire": "klingon", "at": "1306", "places": 1, "facility": "minor yard"}]
        table = war(D7, CC, yards=more, **costs(construct_minor_yard=5, build_DW=2)).to("2B3")
        sides = {name: value for name, value in DW.items() if name != "command"}
        new = {"unit": "K-DW", "at": "1306", "empire": "klingon", **sides}
        table.says(C, "construct", facility="minor yard", at="1306", ep=3, empire="klingon")
        early = table.tries(C, "build", **new)
        early.then_refused("not-paid-off", rule="450.1", facility="minor yard", at="1306")
        table.says(C, "construct", facility="minor yard", at="1306", ep=2, empire="klingon")
        table.says(C, "build", **new)
        assert table.game.units["K-DW"].at == "1306"
        second = table.tries(C, "build", **{**new, "unit": "K-DW2"})
        second.then_refused("shipyard-limit", rule="431.0", limit=1, places="1206")


class Test2B4Replacements:
    CV = ship("K-CV", "klingon", "1206", fighters=6, fighters_gone=4, pfs=2, pfs_gone=2)

    def test_replacement_costs_the_price_of_the_scenario(self) -> None:
        table = war(D7, self.CV, CC, **costs(replace_fighters=2)).to("2B4")
        table.says(C, "replace", unit="K-CV", what="fighters", number=3)
        table.story.then(AccountChanged, account="klingon/EP", amount=-6)
        table.to("6E").says(C, "replace", unit="K-CV", what="fighters")
        table.story.then(AccountChanged, account="klingon/EP", amount=-2)

    def test_losses_are_replaced_by_kind_once(self) -> None:
        table = war(D7, self.CV, CC).to("2B4")
        more = table.tries(C, "replace", unit="K-CV", what="fighters", number=5)
        more.then_refused("lacks-fewer", rule="501.5", limit=4, what="fighters")
        table.says(C, "replace", unit="K-CV", what="fighters", number=3, ep=1)
        again = table.tries(C, "replace", unit="K-CV", what="fighters")
        again.then_refused("done-this-player-turn", rule="501.5", unit="K-CV", reason="fighters-replaced")
        table.says(C, "replace", unit="K-CV", what="PFs")
        unit = table.game.units["K-CV"]
        assert (unit.get("fighters_gone"), unit.get("pfs_gone"), table.game.accounts["klingon/EP"]) == (1, None, 59)
        table.to("6E").says(C, "replace", unit="K-CV", what="fighters")
        full = table.tries(C, "replace", unit="K-CV", what="fighters")
        full.then_refused("lacks-none", rule="501.5", limit=0, what="fighters")

    def test_replacement_needs_supply(self) -> None:
        table = war(D7, self.CV, CC).to("2A1").says(C, "check-supply", out=["K-CV"]).to("2B4")
        table.tries(C, "replace", unit="K-CV", what="PFs").then_refused("replacement-out-of-supply", rule="502.43")

    def test_ship_that_has_its_gce_gets_no_second(self) -> None:
        table = (
            war(D7, ship("K-GS", "klingon", "1206", "gce"), CC).to("2B4").says(C, "replace", unit="K-GS", what="GCE")
        )
        table.story.then(UnitChanged, unit="K-GS", attribute="gce", after="aboard")
        again = next_own_turn(table).to("2B4").tries(C, "replace", unit="K-GS", what="GCE")
        again.then_refused("lacks-none", rule="521.22", limit=0, what="GCE")


class Test2B5Modules:
    KE = ship("R-KE", "romulan", "1206", "modular", kind="KE")

    def test_modular_ships_at_a_starbase_once(self) -> None:
        away = ship("R-KR", "romulan", "1505", "modular", kind="KR")
        bats = ship("K-BATS", "klingon", "1505", base=True)
        table = war(D7, SB, self.KE, away, bats, CC).to("2B5")
        far = table.tries(C, "convert", unit="R-KR", kind="carrier", ep=1)
        far.then_refused("no-starbase-there", rule="433.432", at="1505")
        plain = table.tries(C, "convert", unit="K-D7", kind="carrier", ep=1)
        plain.then_refused("cannot-convert-here", rule="433.432", unit="K-D7")
        table.says(C, "convert", unit="R-KE", kind="carrier", ep=1)
        assert table.game.accounts["romulan/EP"] == 39
        again = table.tries(C, "convert", unit="R-KE", kind="minelayer", ep=1)
        again.then_refused("done-this-player-turn", rule="433.432", unit="R-KE", reason="converted")
        table.to("3B2").says(C, "move-units", units=["R-KE"], path=["1106"])


class Test2B6Leaders:
    ADMIRALS = {"admirals": True}  # noqa: RUF012
    UNITS = (ship("K-A1", "klingon", "1206", "leader", aboard="K-D7"), ship("R-WE", "romulan", "1206"), D6)

    def test_leader_goes_to_a_ship_of_their_empire_once(self) -> None:
        table = war(D7, *self.UNITS, CC, options=self.ADMIRALS).to("2B6")
        roman = table.tries(C, "transfer-leader", leader="K-A1", ship="R-WE")
        roman.then_refused("leader-needs-own-empire", rule="316.33", ship="R-WE", empire="klingon")
        table.says(C, "transfer-leader", leader="K-A1", ship="K-D6")
        again = table.tries(C, "transfer-leader", leader="K-A1", ship="K-D7")
        again.then_refused("done-this-player-turn", rule="316.33", unit="K-A1", reason="changed-ships")

    def test_place_of_a_lost_leader_is_filled_once(self) -> None:
        table = war(D7, *self.UNITS, CC, options=self.ADMIRALS).to("2B6")
        early = table.tries(C, "new-leader", leader="K-A2", replaces="K-A1", ship="K-D7")
        early.then_refused("no-leader-lost", rule="316.142", reason="not-a-lost-leader")
        lost = war(D7, *self.UNITS, CC, options=self.ADMIRALS).to("1E").says(C, "lose-leader", leader="K-A1").to("2B6")
        roman = lost.tries(C, "new-leader", leader="K-A2", replaces="K-A1", ship="R-WE")
        roman.then_refused("ship-of-another-empire", rule="316.32", ship="R-WE", empire="klingon")
        lost.says(C, "new-leader", leader="K-A2", replaces="K-A1", ship="K-D6")
        assert (lost.game.units["K-A2"].get("aboard"), lost.game.units["K-A2"].names("traits")) == ("K-D6", ("leader",))
        again = lost.tries(C, "new-leader", leader="K-A3", replaces="K-A1", ship="K-D6")
        again.then_refused("no-leader-lost", rule="316.142", reason="replaced-already")


class Test2B7Lists:
    TUGS = (ship("K-T1", "klingon", "1206", "tug"), ship("K-T2", "klingon", "1206", "transport"))
    DECOYS = (
        ship("R-WE", "romulan", "1206", "cloak"),
        ship("R-DC1", "romulan", "off-map", "decoy"),
        ship("R-DC2", "romulan", "raid-pool", "decoy"),
    )

    def test_new_transports_have_any_mission_others_d_alone(self) -> None:
        table = war(D7, *self.TUGS, CC, kinds=[TUG]).to("2B3")
        table.says(C, "build", unit="K-T3", kind="TG", at="1206", ep=5, empire="klingon").to("2B7")
        table.says(C, "assign-mission", unit="K-T3", code="E").says(C, "assign-mission", unit="K-T1", code="D")
        second = table.tries(C, "assign-mission", unit="K-T3", code="F")
        second.then_refused("mission-given-already", rule="509.35", unit="K-T3", mission="E")
        old = table.tries(C, "assign-mission", unit="K-T2", code="E")
        old.then_refused("mission-of-another-step", rule="509.1", mission="E", step="2B7", missions="D")

    def test_decoys_go_to_the_pool_openly_and_to_ships_secretly(self) -> None:
        table = war(D7, *self.DECOYS, CC, options={"decoys": True}).to("2B7")
        early = table.tries(C, "assign-decoy", decoy="R-DC1", ship="R-WE")
        early.then_refused("decoy-not-in-pool", rule="538.51", decoy="R-DC1")
        table.tries(C, "pool", unit="R-WE").then_refused("ships-join-elsewhere", rule="538.51", unit="R-WE")
        table.says(C, "pool", unit="R-DC1").story.then(UnitMoved, unit="R-DC1")
        for wrong in ("K-D7", "R-DC2"):
            other = table.tries(C, "assign-decoy", decoy="R-DC1", ship=wrong)
            other.then_refused("decoy-needs-own-ship", rule="538.51", empire="romulan", ship=wrong)
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-WE").story.then(ChoiceSealed, question="decoy R-DC1")

    def test_colony_is_announced_once_in_a_hex_without_enemies(self) -> None:
        table = war(D7, CC, **COLONIES).to("2B7")
        table.tries(C, "colony", at="0902", empire="klingon").then_refused("enemy-in-hex", rule="2B7", place="0902")
        table.says(C, "colony", at="1410", empire="klingon")
        again = table.tries(C, "colony", at="1410", empire="klingon")
        again.then_refused("colony-elsewhere", rule="2B7", state="announced by klingon")

    def test_team_defends_one_place_and_may_be_taken_off(self) -> None:
        team = ship("K-PT", "klingon", "1206", "team", aboard="K-D7")
        table = war(D7, team, CC).to("2B7")
        idle = table.tries(C, "defend", team="K-PT")
        idle.then_refused("no-defensive-mission", rule="537.3")
        table.tries(C, "defend", team="K-D7", at="1411").then_refused(
            "wrong-kind", rule="537.3", kind="Prime Team", units="K-PT"
        )
        table.says(C, "defend", team="K-PT", at="1411")
        assert [table.game.units["K-PT"].get(name) for name in ("defends", "aboard")] == ["1411", None]
        second = table.tries(C, "defend", team="K-PT", at="1412")
        second.then_refused("done-this-player-turn", rule="537.3", unit="K-PT", reason="defends")
        table.says(C, "defend", team="K-PT")
        assert table.game.units["K-PT"].get("defends") is None


SWARM = {"options": {"swarm": True}}
CAPITAL = {"klingon": {"capital": "1411"}}


class Test2B8Swarm:
    def test_klingon_player_rolls_once_and_places_it_at_the_capital(self) -> None:
        table = war(D7, CC, **SWARM, empires=empires(**CAPITAL)).to("2B8")
        table.says(C, "swarm", 5, unit="K-SWM", at_least=4).story.then(DiceRolled, outcome="success")
        assert table.game.units["K-SWM"].at == "1411"
        again = table.tries(C, "swarm", 5, unit="K-SW2", at_least=4)
        again.then_refused("swarm-rolled", rule="514.1")

    def test_failure_brings_nothing_and_uses_the_roll_of_the_turn(self) -> None:
        table = war(D7, CC, **SWARM, empires=empires(**CAPITAL)).to("2B8").says(C, "swarm", 1, unit="K-SWM", at_least=4)
        assert "K-SWM" not in table.game.units
        table.tries(C, "swarm", 5, unit="K-SWM", at_least=4).then_refused("swarm-rolled", rule="514.1")

    def test_roll_needs_the_klingon_turn_and_a_capital(self) -> None:
        table = war(D7, CC, **SWARM, empires=empires(klingon={"capital": ""})).to("2B8")
        homeless = table.tries(C, "swarm", 5, unit="K-SWM", at_least=4)
        homeless.then_refused("no-capital-for-swarm", rule="514.1")
        table.to("10D").done(A, C).to("2B11")
        assert len(passed(table, "2B8")) == 1


class Test2B9SpecialFighters:
    def test_federation_names_places_of_its_units_once(self) -> None:
        carrier = ship("F-CVA", "federation", "0601")
        table = war(D7, CC, carrier, options={"special_fighters": True})
        table.to("10D").done(A, C).to("2B9")
        wrong = table.tries(A, "squadrons", fighter="F-14", at=["0902"])
        wrong.then_refused("no-federation-unit", rule="502.95", place="0902")
        table.says(A, "squadrons", fighter="F-14", at=["0601"]).story.then(MarkerSet, marker="squadrons F-14")
        again = table.tries(A, "squadrons", fighter="F-14", at=["0601"])
        again.then_refused("fighter-places-named", rule="502.95")


class Test2B10Battleships:
    OPTIONS = {"klingon": {"battleships": ["first part", "second part"]}}  # noqa: RUF012

    def test_empire_buys_one_listed_option_from_its_purse(self) -> None:
        table = war(D7, CC, empires=empires(**self.OPTIONS)).to("2B10")
        unknown = table.tries(C, "battleship", option="third part", ep=9, empire="klingon")
        unknown.then_refused("no-such-option", rule="436.2", option="third part", options=("first part", "second part"))
        roman = table.tries(C, "battleship", option="first part", ep=9, empire="romulan")
        roman.then_refused("option-of-others", rule="436.2", empire="Romulan Star Empire", empires="klingon")
        table.says(C, "battleship", option="first part", ep=9, empire="klingon")
        assert table.game.accounts["klingon/EP"] == 51
        more = table.tries(C, "battleship", option="second part", ep=9, empire="klingon")
        more.then_refused("option-taken", rule="436.2")

    def test_step_without_an_authorized_empire_is_passed(self) -> None:
        bare = [{name: value for name, value in one.items() if name != "battleships"} for one in BASE["empires"]]
        table = war(D7, CC, empires=bare).to("2B11")
        assert len(passed(table, "2B10")) == 1


class Test2B11Scuttling:
    def test_either_side_scuttles_its_own_with_its_cargo(self) -> None:
        gce = ship("K-GCE", "klingon", "1206", aboard="K-D7")
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, gce, admiral, CC).to("2B11")
        table.tries(C, "scuttle", unit="Z-CC").then_refused("unit-of-another-side", rule="301.911", side="Alliance")
        table.says(C, "scuttle", unit="K-D7").says(A, "scuttle", unit="Z-CC")
        assert [table.game.units[one].fate for one in ("K-D7", "K-GCE", "Z-CC")] == ["scuttled", "lost", "scuttled"]
        assert (table.game.units["K-ADM"].fate, table.game.units["K-ADM"].get("aboard")) == ("", None)
        table.tries(C, "scuttle", unit="K-D7").then_refused("unit-removed", rule="301.911", fate="scuttled")
