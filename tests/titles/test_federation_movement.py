"""Check movement and reserves as printed: once, hex by hex from the unit's place; reactions; bases that are begun."""

from typing import Any

from tests.face.domain import AccountChanged, UnitChanged, UnitMoved, federation_and_empire_TITLE as TITLE
from tests.titles.federation_table import Line, War, figures, ship, war

A, C, ISC = "alliance", "coalition", "isc"
D7 = ship("K-D7", "klingon", "1206")
CC, FF = ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003")
TACTICAL = {"tactical_reserves": True}


def three(*units: Line, **more: Any) -> War:
    """Three player turns, each an enemy of the others."""
    sides = [{"id": side, "name": side.title()} for side in (C, A, ISC)]
    empires = [
        {"id": empire, "side": side, "name": empire.title(), "letter": letter}
        for empire, side, letter in (("klingon", C, "K"), ("kzinti", A, "Z"), ("isc", ISC, "I"))
    ]
    return war(*units, sides=sides, empires=empires, turn_order=[C, A, ISC], **more)


class Test3B2:
    def test_unit_moves_once_hex_by_hex(self) -> None:
        table = war(D7, CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        again = table.tries(C, "move-units", units=["K-D7"], path=["1105"])
        again.then_refused("done-this-player-turn", rule="3B2", unit="K-D7", reason="moved")

    def test_units_do_not_leave_the_pool_by_moving(self) -> None:
        table = war(D7, ship("K-R2", "klingon", "raid-pool"), CC).to("3B2")
        pooled = table.tries(C, "move-units", units=["K-R2"], path=["1106"])
        pooled.then_refused("off-map-unit", rule="3B2", place="raid-pool")
        box = table.tries(C, "move-units", units=["K-D7"], path=["the-moon"])
        box.then_refused("off-map-unit", rule="3B2", place="the-moon")

    def test_admiral_goes_nowhere_without_a_ship(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, admiral, CC).to("3B2")
        alone = table.tries(C, "move-units", units=["K-ADM"], path=["1106"])
        alone.then_refused("leader-moves-with-ship", rule="3B2")
        table.says(C, "move-units", units=["K-D7", "K-ADM"], path=["1106"])
        assert table.game.units["K-ADM"].at == "1106"

    MODULAR = ship("R-KR", "romulan", "1206", "modular")

    def test_reconfigured_unit_gives_up_its_movement_and_eps(self) -> None:
        table = war(D7, self.MODULAR, CC).to("3B2")
        free = table.tries(C, "reconfigure", unit="R-KR", kind="KR scout", ep=0)
        free.then_refused("unreadable-order", rule="", error="Expected `int` >= 1 - at `$.ep`")
        plain = table.tries(C, "reconfigure", unit="K-D7", kind="D7S", ep=1)
        plain.then_refused("not-modular", rule="433.432")
        table.tries(C, "reconfigure", unit="R-KR", kind="KR", ep=1).then_refused(
            "same-kind-already", rule="433.432", kind="KR"
        )
        table.says(C, "reconfigure", unit="R-KR", kind="KR scout", ep=1)
        table.story.then(AccountChanged, account="romulan/EP", amount=-1)
        moves = table.tries(C, "move-units", units=["R-KR"], path=["1106"])
        moves.then_refused("reconfigured-this-turn", rule="433.432")
        again = table.tries(C, "reconfigure", unit="R-KR", kind="KRC", ep=1)
        again.then_refused("moved-or-reconfigured", rule="433.432", unit="R-KR", reason="reconfigured")

    def test_unit_that_moved_is_not_reconfigured(self) -> None:
        hdw = ship("K-HDW", "klingon", "1206", "hdw")
        table = war(D7, hdw, CC).to("3B2").says(C, "move-units", units=["K-HDW"], path=["1106"])
        moved = table.tries(C, "reconfigure", unit="K-HDW", kind="HDW scout", ep=1)
        moved.then_refused("moved-or-reconfigured", rule="525.222", unit="K-HDW", reason="moved")

    def test_distance_is_limited_by_the_scenario(self) -> None:
        table = war(ship("K-F5", "klingon", "1206", speed=2), CC).to("3B2")
        far = table.tries(C, "move-units", units=["K-F5"], path=["1106", "1105", "1104"])
        far.then_refused("path-too-long", rule="3B2", limit=2, given=3)
        table.says(C, "move-units", units=["K-F5"], path=["1206", "1106", "1105"])

    def test_passengers_go_with_their_unit(self) -> None:
        general = ship("K-GEN", "klingon", "1206", "leader", "general", aboard="K-D7")
        table = war(D7, general, CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        assert table.game.units["K-GEN"].at == "1106"

    def test_unit_off_the_map_does_not_come_by_moving(self) -> None:
        """Repair ships are deployed in 7B, decoys are recorded for ships."""
        away = [ship("K-RS", "klingon", "off-map", "repair"), ship("R-DCY", "romulan", "off-map", "decoy")]
        table = war(D7, *away, ship("K-F5", "klingon", "off-map"), CC).to("3B2")
        repairs = table.tries(C, "move-units", units=["K-RS"], path=["1205"])
        repairs.then_refused("stays-off-map", rule="422.3", unit="K-RS", reason="repair-unit")
        decoy = table.tries(C, "move-units", units=["R-DCY"], path=["1205"])
        decoy.then_refused("stays-off-map", rule="3B2", unit="R-DCY", reason="decoy")
        table.says(C, "move-units", units=["K-F5"], path=["1205"])


class Test3B3:
    def test_refusals_of_a_reaction_cite_3b3_and_not_movement(self) -> None:
        table = war(D7, CC).to("3B2")
        gap = table.tries(A, "react", units=["Z-CC"], path=["1306"])
        gap.then_refused("path-gap", rule="3B3 (205.0)")
        table.says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-CC"], path=["0903"]).story.then(UnitMoved, rule="3B3 (205.0)")

    def test_units_do_not_react_before_an_enemy_has_moved(self) -> None:
        table = war(D7, CC).to("3B2")
        early = table.tries(A, "react", units=["Z-CC"], path=["1002"])
        early.then_refused("no-enemy-moved", rule="3B3 (205.0)")
        table.says(C, "move-units", units=["K-D7"], path=["1106"]).says(A, "react", units=["Z-CC"], path=["1002"])

    def test_reaction_goes_nearer_to_the_enemy_that_moved(self) -> None:
        table = (
            war(D7, ship("K-D5", "klingon", "1306"), CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        )
        away = table.tries(A, "react", units=["Z-CC"], path=["0901"], to="K-D7")
        away.then_refused("no-nearer-to-enemy", rule="3B3 (205.0)", enemy="K-D7", at="1106")
        table.says(A, "react", units=["Z-CC"], path=["1002"], to="K-D7")

    def test_reacting_unit_leaves_its_reserve(self) -> None:
        fleet = [ship(name, "kzinti", "0902", reserve="R1") for name in ("Z-CC", "Z-FF")]
        table = war(D7, *fleet).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-FF"], path=["0903"])
        table.to("4B").says(A, "move-reserve", fleet="R1", path=["0901"])
        assert (table.game.units["Z-CC"].at, table.game.units["Z-FF"].at) == ("0901", "0903")

    def test_unit_reacts_once_unless_the_scenario_says_otherwise(self) -> None:
        table = war(D7, CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-CC"], path=["0903"])
        again = table.tries(A, "react", units=["Z-CC"], path=["1003"])
        again.then_refused("cannot-react", rule="3B3 (205.0)", unit="Z-CC", reason="reacted-already")
        assert again.refusal is not None
        assert figures(str(again.refusal.fields["why"])) == ["1"]
        twice = {"reactions": {"value": 2, "source": "made up for this story"}}
        table = war(D7, CC, numbers=twice).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-CC"], path=["0903"])
        table.says(A, "react", units=["Z-CC"], path=["1003"])

    def test_mothballed_ship_does_not_react(self) -> None:
        table = (
            war(D7, ship("Z-OLD", "kzinti", "0902", mothballed=True), CC)
            .to("3B2")
            .says(C, "move-units", units=["K-D7"], path=["1106"])
        )
        table.tries(A, "react", units=["Z-OLD"], path=["0903"]).then_refused(
            "cannot-react", rule="3B", unit="Z-OLD", reason="mothballed"
        )

    def test_both_players_react_with_their_own_units(self) -> None:
        table = three(D7, CC, ship("I-CA", "isc", "1401")).to("3B2")
        table.tries(A, "react", units=["I-CA"], path=["1402"]).then_refused(
            "unit-of-another-side", rule="3B", unit="I-CA", side="Isc"
        )
        table.says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(ISC, "react", units=["I-CA"], path=["1402"]).says(A, "react", units=["Z-CC"], path=["0903"])

    def test_phasing_side_does_not_react(self) -> None:
        table = war(D7, CC).to("3B2")
        mine = table.tries(C, "react", units=["K-D7"], path=["1106"])
        mine.then_refused(
            "not-an-order-here", rule="3B2", order="react", whose="an order of the other side", step="3B2"
        )

    def test_side_that_ended_the_step_still_reacts_during_movement(self) -> None:
        """Allow reactions as long as 3B2 lasts, without waiting for them; refuse other orders of 3B2 to that side."""
        table = war(D7, CC, FF).to("3B2").done(A)
        assert table.open == ("3B2",)
        table.says(C, "move-units", units=["K-D7"], path=["1106"])
        table.says(A, "react", units=["Z-CC"], path=["0903"], to="K-D7").story.then(UnitMoved, rule="3B3 (205.0)")
        theirs = table.tries(A, "move-units", units=["Z-FF"], path=["1002"])
        theirs.then_refused(
            "not-an-order-here-others",
            rule="3B2",
            order="move-units",
            whose="an order of Coalition",
            step="3B2",
            orders=("react",),
        )
        again = table.tries(A, "react", units=["Z-CC"], path=["1003"])
        again.then_refused("cannot-react", rule="3B3 (205.0)", unit="Z-CC", reason="reacted-already")
        assert again.refusal is not None
        assert figures(str(again.refusal.fields["why"])) == ["1"]
        table.done(C)
        table.tries(A, "react", units=["Z-FF"], path=["1002"]).then_refused("wait-for-side", rule="3B6")

    def test_ending_the_step_during_movement_shows_its_cost(self) -> None:
        table = war(D7, CC).to("3B2")
        forfeits = TITLE.forfeits["3B3"]
        (lost,) = forfeits(table.game, A)
        assert figures(lost) == ["3", "2"]
        assert forfeits(table.says(C, "done", step="3B2").game, A) == ()


class Test4A:
    def test_reserve_that_moved_is_not_formed_again(self) -> None:
        table = war(D7, CC, ship("Z-SB", "kzinti", "0902", base=True), options=TACTICAL).to("4A")
        base = table.tries(A, "form-reserve", fleet="2", units=["Z-SB"])
        base.then_refused("not-on-map", rule="543.1")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"]).says(A, "move-reserve", fleet="1", path=["0903"])
        again = table.tries(A, "form-reserve", fleet="1", units=["Z-CC"])
        again.then_refused("reserve-moved-already", rule="543.1")

    def test_enemy_x_ships_do_not_react_to_their_own_reserves(self) -> None:
        table = war(D7, CC, ship("Z-X", "kzinti", "0902", "x"), options=TACTICAL).to("4A")
        own = table.tries(A, "react", units=["Z-X"], path=["0901"])
        own.then_refused("only-against-reserves", rule="523.222")

    def test_tactical_forces_move_in_turn_and_once(self) -> None:
        table = war(D7, CC, FF, options=TACTICAL).to("4A").says(A, "form-reserve", fleet="1", units=["Z-CC"])
        second = table.tries(A, "form-reserve", fleet="2", units=["Z-FF"])
        second.then_refused("reserve-waits", rule="543.22", fleet="TRF 1")
        both = table.tries(A, "form-reserve", fleet="1", units=["Z-CC", "Z-FF"])
        both.then_refused("reserve-waits", rule="543.22", fleet="TRF 1")
        table.says(A, "move-reserve", fleet="1", path=["0903"]).says(A, "form-reserve", fleet="2", units=["Z-FF"])
        gap = table.tries(A, "move-reserve", fleet="2", path=["1105"])
        gap.then_refused("path-gap", rule="4A", gap="1003 to 1105")
        table.says(A, "move-reserve", fleet="2", path=["1002"]).done(A)
        assert "4A" not in table.open

    def test_end_for_one_side_is_not_the_end_for_the_other(self) -> None:
        table = three(D7, CC, ship("I-CA", "isc", "1401"), options=TACTICAL).to("4A").done(A)
        table.says(ISC, "form-reserve", fleet="1", units=["I-CA"])
        table.must(ISC, "move-reserve", "TRF 1", rule="543.22")
        table.says(ISC, "move-reserve", fleet="1", path=["1402"])
        assert table.open == ("4A",)
        assert "4A" not in table.done(ISC).open

    def test_force_is_formed_in_one_hex_by_the_other_side(self) -> None:
        table = war(D7, CC, FF, options=TACTICAL).to("4A")
        spread = table.tries(A, "form-reserve", fleet="1", units=["Z-CC", "Z-FF"])
        spread.then_refused("reserve-in-several-hexes", rule="543.1")
        mine = table.tries(C, "form-reserve", fleet="1", units=["K-D7"])
        mine.then_refused("only-non-phasing-reserve", rule="543.1")


class Test3B1:
    def test_every_unit_of_the_phasing_side_is_judged_again(self) -> None:
        table = war(D7, CC).to("2A1").says(C, "check-supply", out=["K-D7"]).to("3B1")
        assert table.game.units["K-D7"].get("supply") is None
        table.tries(A, "check-supply", out=["Z-CC"]).then_refused("step-of-another-side", rule="3B1", seat="alliance")
        table.says(C, "check-supply", out=["K-D7"]).story.then(UnitChanged, attribute="supply", after="out")


class Test3B4:
    def test_ship_sold_in_3a_is_not_sold_again(self) -> None:
        table = war(D7, CC, ship("K-R3", "klingon", "raid-pool", wyn_price=4), options={"raids": True, "wyn": True})
        table.to("3A-4Q").says(C, "sell-ship", unit="K-R3", ep=4).to("3B4")
        table.tries(C, "sell-ship", unit="K-R3", ep=4).then_refused("unit-removed", rule="3B4", unit="K-R3")
        table.says(C, "sell-ship", unit="K-D7", ep=2).story.then(AccountChanged, account="klingon/EP", amount=2)


class Test3B5:
    def test_first_payment_is_for_an_announced_colony_once(self) -> None:
        table = (
            war(D7, CC, options={"colonies": True}).to("2B7").says(C, "colony", at="1306", empire="klingon").to("3B5")
        )
        other = table.tries(C, "colony", at="1307", ep=1, empire="klingon")
        other.then_refused("colony-in-other-state", rule="3B5", state="not announced", wanted="announced")
        table.says(C, "colony", at="1306", ep=4, empire="klingon")
        table.story.then(AccountChanged, account="klingon/EP", amount=-4)
        again = table.tries(C, "colony", at="1306", ep=4, empire="klingon")
        again.then_refused("colony-in-other-state", rule="3B5", state="begun by klingon", wanted="announced")


class Test3B6:
    def test_begun_base_works_from_the_next_turn_of_its_side(self) -> None:
        table = war(D7, CC).to("3B6")
        table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", ep=2, empire="klingon")
        again = table.tries(C, "deploy", unit="K-MB", kind="MB", at="1206", ep=2, empire="klingon")
        again.then_refused("unit-id-used", rule="3B6", unit="K-MB")
        moves = table.to("6D2").tries(C, "retrograde", units=["K-MB"], path=["1106"])
        moves.then_refused("base-does-not-move", rule="206.0")
        table.to("1A2")
        assert table.game.units["K-MB"].get("operational") is False
        table.to("10D").to("1A2")
        assert table.game.turn == 2
        assert table.game.units["K-MB"].get("operational") is True

    def test_base_is_begun_near_a_unit_of_its_side(self) -> None:
        table = war(D7, CC).to("3B6")
        away = table.tries(C, "deploy", unit="K-MB", kind="MB", at="0902", ep=2, empire="klingon")
        away.then_refused("nothing-there", rule="510.22", empire="klingon", place="0902")

    def test_base_is_not_begun_among_enemies(self) -> None:
        """Refuse a base in the hex of an enemy base or of enemy ships, also if own ships are there."""
        his = ship("Z-SB", "kzinti", "0902", base=True)
        meet = ship("K-F5", "klingon", "1105"), ship("Z-FF", "kzinti", "1105")
        table = war(D7, ship("K-D6", "klingon", "0902"), CC, his, *meet).to("3B6")
        for place in ("0902", "1105"):
            there = table.tries(C, "deploy", unit="K-MB", kind="MB", at=place, empire="klingon")
            there.then_refused("enemy-in-empire-place", rule="510.22", place=place)
        planet = table.tries(C, "deploy", unit="K-PDU", kind="PDU", at="1105", empire="klingon")
        planet.then_refused("enemy-in-empire-place", rule="508.32", place="1105")
        table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")

    def test_begun_base_holds_no_hex(self) -> None:
        """Use a base begun in 3B6 by earlier rules."""
        begun = ship("K-MB1", "klingon", "0902", base=True)
        table = war(D7, begun, CC, ship("Z-SB", "kzinti", "0902", base=True)).to("3B6")
        table.story.given(UnitChanged(unit="K-MB1", attribute="operational", before=True, after=False))
        there = table.tries(C, "deploy", unit="K-MB2", kind="MB", at="0902", empire="klingon")
        there.then_refused("enemy-in-empire-place", rule="510.22", place="0902")
        table.says(C, "deploy", unit="K-MB2", kind="MB", at="1206", empire="klingon")

    def test_base_is_begun_next_to_a_working_base_of_its_side(self) -> None:
        own = ship("K-SB", "klingon", "1105", base=True)
        table = war(D7, own, ship("Z-FF", "kzinti", "1105"), CC).to("3B6")
        table.says(C, "deploy", unit="K-PDU", kind="PDU", at="1105", empire="klingon")

    def test_base_is_not_begun_in_8c_at_a_captured_capital(self) -> None:
        kzintis = {"id": "kzinti", "side": A, "name": "Kzintis", "letter": "Z"}
        klingons = {"id": "klingon", "side": C, "name": "Klingons", "letter": "K", "ep": 9, "capital": "1401"}
        table = war(D7, ship("Z-FF", "kzinti", "1401"), CC, empires=[klingons, kzintis]).to("8C")
        there = table.tries(C, "deploy", unit="K-MB", kind="MB", at="1401", empire="klingon")
        there.then_refused("enemy-in-empire-place", rule="510.22", place="1401", places="1206")
        table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")

    def test_base_needs_a_free_place(self) -> None:
        kzintis = {"id": "kzinti", "side": A, "name": "Kzintis", "letter": "Z", "capital": "0902"}
        klingons = {"id": "klingon", "side": C, "name": "Klingons", "letter": "K", "ep": 9}
        table = war(ship("K-D6", "klingon", "0902"), CC, empires=[klingons, kzintis]).to("3B6")
        there = table.tries(C, "deploy", unit="K-MB", kind="MB", at="0902", empire="klingon")
        there.then_refused("enemy-in-every-place", rule="510.22", place="0902")
        table.done(C)

    def test_lone_pirate_does_not_keep_a_base_away(self) -> None:
        pirate = ship("O-LR", "orion", "1206")
        table = war(D7, pirate, CC, options={"orions": True}).to("3B6")
        table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")

    def test_module_goes_to_an_active_base(self) -> None:
        table = war(D7, ship("K-SB", "klingon", "1306", base=True), CC).to("3B6")
        table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")
        begun = table.tries(C, "deploy", unit="K-MOD", kind="module", at="1206", empire="klingon")
        begun.then_refused("no-active-base", rule="441.422", place="1206", places="1306")
        table.says(C, "deploy", unit="K-MOD", kind="module", at="1306", empire="klingon")


class Test4B:
    def test_owner_moves_the_fleet_and_its_units_leave_the_reserve(self) -> None:
        fleets = (ship("Z-R", "kzinti", "0902", reserve="ZR"), ship("I-R", "isc", "1401", reserve="IR"))
        table = three(D7, CC, *fleets).to("4B/fleet").says(A, "pick", member="IR")
        assert table.game.cursor.waiting() == (ISC,)
        other = table.tries(ISC, "move-reserve", fleet="ZR", path=["0903"])
        other.then_refused("other-reserve-moves", rule="4B", fleet="ZR", next_fleet="IR")
        mover = table.tries(C, "move-reserve", fleet="IR", path=["1402"])
        mover.then_refused("reserve-of-another-side", rule="4B", fleet="IR", owner="Isc")
        table.says(ISC, "move-reserve", fleet="IR", path=["1402"])
        table.story.then(UnitChanged, unit="I-R", attribute="reserve", before="IR", after=None)
        again = table.tries(ISC, "move-reserve", fleet="IR", path=["1403"])
        again.then_refused("reserve-has-moved", rule="4B", fleet="IR")
        table.done(ISC)
        assert table.game.cursor.waiting()
        table.says(A, "pick", member="ZR").says(A, "move-reserve", fleet="ZR", path=["0903"])

    def test_another_sides_name_is_not_given_again(self) -> None:
        table = war(D7, ship("Z-R", "kzinti", "0902", reserve="R1"), CC).to("9A")
        same = table.tries(C, "form-reserve", fleet="R1", units=["K-D7"])
        same.then_refused("reserve-name-of-another-side", rule="9A", fleet="R1")
        table.says(C, "form-reserve", fleet="R2", units=["K-D7"])

    def test_ships_of_the_pool_make_no_battle(self) -> None:
        table = war(D7, ship("K-R", "klingon", "raid-pool"), CC, options={"raids": True})
        table.to("6A")
        assert "5-1A" not in table.steps()


class Test3Order:
    def test_raids_come_before_movement_if_they_are_used(self) -> None:
        used = war(D7, CC, options={"raids": True}).to("3B2").steps()
        assert used.index("3A-1A") < used.index("3B1")
        assert not any(one.startswith("3A") for one in war(D7, CC).to("3B2").steps())


class Test3BOrder:
    def test_supply_movement_and_reactions_precede_begun_bases(self) -> None:
        steps = war(D7, CC, options={"wyn": True, "colonies": True}).to("6A").steps()
        assert [one for one in steps if one.startswith("3B")] == ["3B1", "3B2", "3B3", "3B4", "3B5", "3B6"]


class Test4Order:
    def test_step_without_reserves_does_not_ask_the_other_side(self) -> None:
        """Tactical forces are an option; without a Reserve Fleet 4B is passed."""
        steps = war(D7, CC).to("6A").steps()
        assert not {"4A", "4B"} & set(steps)


class Test4BSplitFleet:
    """203.7: a Reserve Fleet with ships in several hexes moves the ships of each hex separately."""

    def test_path_begins_with_the_hex_they_leave(self) -> None:
        fleet = ship("Z-R1", "kzinti", "0903", reserve="1st"), ship("Z-R2", "kzinti", "1003", reserve="1st")
        table = war(ship("K-D7", "klingon", "1206"), *fleet).to("4B")
        whole = table.tries(A, "move-reserve", fleet="1st", path=["1004"])
        whole.then_refused("path-starts-elsewhere", rule="203.7", places="0903 and 1003")
        table.says(A, "move-reserve", fleet="1st", path=["0903", "0904"])
        table.says(A, "move-reserve", fleet="1st", path=["1003", "1004"])
        assert [table.game.units[one].at for one in ("Z-R1", "Z-R2")] == ["0904", "1004"]


class Test4ReservesToBattle:
    """203.7, 543.22: the chapter limits the moves of reserves; a scenario may require an enemy at the end of a move."""

    def test_number_of_the_scenario_asks_for_an_enemy(self) -> None:
        numbers = {"numbers": {"reserves-to-battle": {"value": 1, "source": "made up"}}}
        near = ship("K-D7", "klingon", "0903")
        table = war(near, CC, {**FF, "reserve": "1st"}, options=TACTICAL, **numbers).to("4A")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"])
        away = table.tries(A, "move-reserve", fleet="1", path=["0901"])
        away.then_refused("no-enemy-at-end", rule="543.22", place="0901")
        table.says(A, "move-reserve", fleet="1", path=["0903"]).to("4B")
        fleet = table.tries(A, "move-reserve", fleet="1st", path=["1002"])
        fleet.then_refused("no-enemy-at-end", rule="203.7", place="1002")
        table.says(A, "move-reserve", fleet="1st", path=["1002", "0903"]).to("5-1A")
        assert table.game.cursor.item("5-HEX") == "0903"
