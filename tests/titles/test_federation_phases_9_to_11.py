"""Federation & Empire, Phases 9 to 11: reserves, the last acts of a player turn, the Orions' turn, the turn's end."""

from typing import Any

from tests.face.domain import (
    ChoiceRevealed,
    ChoiceSealed,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    end_leases,
    federation_and_empire_TITLE as TITLE,
    open_steps,
    required_actions,
    stack,
)
from tests.titles.federation_table import ALL_OFF, BASE, War, ship, war
from umpire_ledger.kit import after, changed

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
D6 = ship("K-D6", "klingon", "1306")
ADM = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
TUGS = ship("K-T", "klingon", "1206", "tug"), ship("Z-T", "kzinti", "0902", "tug")
POOLED = ship("O-LR", "orion", "orion-pool")


def empires(**more: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the empires of the border war, with some entries changed."""
    return [{**one, **more.get(one["id"], {})} for one in BASE["empires"]]


def pirates(*units: dict[str, Any], **more: Any) -> War:
    """Open a small war in which the Orions play."""
    options = {**ALL_OFF, "orions": True, **more.pop("options", {})}
    return war(D7, CC, *units, options=options, **more)


def next_own_turn(table: War) -> War:
    return table.to("10D").done(A, C).to("10D").done(A, C)


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


class Test9Reserves:
    def test_markers_follow_strategic_movement_and_precede_last_acts(self) -> None:
        steps = [step for step in war(D7, *TUGS, CC).to("10D").steps() if step[0] in "89" or step.startswith("10")]
        assert steps.index("8A") < steps.index("9A") < steps.index("10C")


class Test9AMarkers:
    def test_reserves_are_limited_by_the_scenario(self) -> None:
        units = D7, D6, ship("K-F5", "klingon", "1107"), ship("R-KE", "romulan", "1107")
        table = war(*units, CC, empires=empires(klingon={"reserves": 2})).to("9A")
        table.says(C, "form-reserve", fleet="Home", units=["K-D7"])
        table.says(C, "form-reserve", fleet="Border", units=["K-D6"])
        third = table.tries(C, "form-reserve", fleet="West", units=["K-F5"])
        third.then_refused("no-reserve-marker-left", rule="507.1", empire="klingon", limit=2, fleets=("Border", "Home"))
        table.says(C, "form-reserve", fleet="Rome", units=["R-KE"])
        assert table.to("10D").done(A, C).game.units["K-D7"].get("reserve") == "Home"

    def test_reserves_hold_own_ships_on_the_map_each_in_one(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True)
        table = war(D7, D6, base, ADM, CC).to("9A")
        table.tries(C, "form-reserve", fleet="X", units=["Z-CC"]).then_refused(
            "unit-of-another-side", rule="507.1", side="Alliance"
        )
        for name in ("K-SB", "K-ADM"):
            unfit = table.tries(C, "form-reserve", fleet="X", units=[name])
            unfit.then_refused("not-on-map", rule="507.1", unit=name)
        table.says(C, "form-reserve", fleet="Home", units=["K-D7"])
        twice = table.tries(C, "form-reserve", fleet="Border", units=["K-D7"])
        twice.then_refused("in-a-reserve", rule="507.1", unit="K-D7", fleet="Home")

    def test_name_belongs_to_one_reserve(self) -> None:
        table = war(D7, D6, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"])
        away = table.tries(C, "form-reserve", fleet="Home", units=["K-D6"])
        away.then_refused("reserve-name-used", rule="507.1", fleet="Home")
        table.to("10D").done(A, C).to("9A")
        theirs = table.tries(A, "form-reserve", fleet="Home", units=["Z-CC"])
        theirs.then_refused("reserve-name-of-another-side", rule="9A", fleet="Home")

    def test_other_side_sets_none_now(self) -> None:
        table = war(D7, CC).to("9A")
        theirs = table.tries(A, "form-reserve", fleet="X", units=["Z-CC"])
        theirs.then_refused("step-of-another-side", rule="9A", seat="alliance", sides="Coalition")


class Test9BLeaders:
    ADMIRALS = {"options": {"admirals": True}}  # noqa: RUF012

    def test_leader_changes_ships_in_a_hex_once(self) -> None:
        near = ship("K-F5", "klingon", "1206")
        table = war(D7, near, D6, ADM, CC, **self.ADMIRALS).to("9B")
        far = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-D6")
        far.then_refused("ship-and-leader-apart", rule="316.144", ship="K-D6", ship_at="1306")
        table.tries(C, "transfer-leader", leader="K-ADM", ship="Z-CC").then_refused(
            "unit-of-another-side", rule="316.144B", side="Alliance"
        )
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-F5")
        again = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-D7")
        again.then_refused("done-this-player-turn", rule="316.144B", unit="K-ADM", reason="changed-ships")


class Test10FinalActivity:
    def test_final_activity_ends_the_player_turn(self) -> None:
        table = war(D7, CC).to("10D").done(A, C)
        assert (table.open, table.game.cursor.side()) == (("1A2",), A)


class Test10AColonies:
    def test_colony_is_established_when_it_is_fully_paid(self) -> None:
        costs = {"source": "made up", "of": {"colony": 6}}
        table = war(D7, CC, options={"colonies": True}, costs=costs).to("2B7")
        table.says(C, "colony", at="1410", empire="klingon").says(C, "colony", at="1409", empire="klingon").to("3B5")
        table.says(C, "colony", at="1410", ep=2, empire="klingon").to("10A")
        early = table.tries(C, "colony", at="1410", empire="klingon")
        early.then_refused("colony-in-other-state", rule="446.14", state="begun by klingon", wanted="paid")
        next_own_turn(table).to("2B3").says(C, "colony", at="1410", ep=3, empire="klingon").to("10A")
        short = table.tries(C, "colony", at="1410", empire="klingon")
        short.then_refused("facility-partly-paid", rule="446.14", paid=5, whole=6)
        next_own_turn(table).to("2B3").says(C, "colony", at="1410", ep=1, empire="klingon").to("10A")
        table.tries(C, "colony", at="1410", ep=1, empire="klingon").then_refused("colony-overpaid", rule="446", limit=0)
        table.says(C, "colony", at="1410", empire="klingon").story.then(MarkerSet, after="established by klingon")
        again = table.tries(C, "colony", at="1410", empire="klingon")
        again.then_refused("colony-in-other-state", rule="446.14", state="established by klingon", wanted="paid")

    def test_payments_are_refused_in_it(self) -> None:
        table = war(D7, CC, options={"colonies": True}, markers={"colony 1410": "paid by klingon"}).to("10A")
        late = table.tries(C, "colony", at="1410", ep=1, empire="klingon")
        late.then_refused("facility-not-paid", rule="446.14")
        table.says(C, "colony", at="1410", empire="klingon")


class Test10BTransferFunds:
    def test_trade_of_3b2_arrives_once_for_its_empire(self) -> None:
        table = war(D7, *TUGS, CC, options={"wyn": True}).to("3B2")
        table.tries(C, "trade", unit="K-D7", ep=3).then_refused(
            "wrong-kind", rule="449.13", kind="tug or transport", units="K-T"
        )
        table.says(C, "trade", unit="K-T", ep=3)
        again = table.tries(C, "trade", unit="K-T", ep=3)
        again.then_refused("done-this-player-turn", rule="449.13", unit="K-T", reason="traded")
        assert table.game.accounts["klingon/EP"] == 60
        table.to("10C")
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/WYN"]) == (63, 0)
        assert next_own_turn(table).to("10C").game.accounts["klingon/EP"] == 63

    def test_trade_is_limited_by_the_scenario(self) -> None:
        prices = {"source": "made up for this story", "of": {"WYN trade": 4}}
        tug = ship("K-T", "klingon", "1206", "tug")
        table = war(D7, tug, CC, options={"wyn": True}, costs=prices).to("3B2")
        much = table.tries(C, "trade", unit="K-T", ep=500)
        much.then_refused("trade-limit", rule="449.13", limit=4)
        table.says(C, "trade", unit="K-T", ep=4)

    def test_step_without_a_trade_is_passed(self) -> None:
        table = war(D7, *TUGS, CC, options={"wyn": True}).to("10C")
        assert passed(table, "10B")


class Test10CTransportMissions:
    def test_sides_give_their_own_transports_one_mission(self) -> None:
        table = war(D7, *TUGS, CC, missions=["E", "F"]).to("10C")
        table.says(C, "assign-mission", unit="K-T", code="E").says(A, "assign-mission", unit="Z-T", code="F")
        assert [table.game.units[one].get("mission") for one in ("K-T", "Z-T")] == ["E", "F"]
        table = war(D7, *TUGS, CC, missions=["E", "F"]).to("10C")
        table.tries(C, "assign-mission", unit="Z-T", code="F").then_refused(
            "unit-of-another-side", rule="509.1", side="Alliance"
        )
        table.tries(C, "assign-mission", unit="K-T", code="G").then_refused(
            "no-such-mission", rule="509.1", mission="G", missions=("E", "F")
        )
        table.tries(C, "assign-mission", unit="K-D7", code="E").then_refused(
            "wrong-kind", rule="509.1", kind="tug or transport"
        )
        table.says(C, "assign-mission", unit="K-T", code="E")
        second = table.tries(C, "assign-mission", unit="K-T", code="F")
        second.then_refused("mission-given-already", rule="509.1", unit="K-T", mission="E")


class Test10DScuttling:
    def test_all_players_scuttle_units_of_their_own(self) -> None:
        table = war(D7, D6, CC, ship("Z-FF", "kzinti", "0902"), ADM).to("10D")
        table.tries(C, "scuttle", unit="Z-CC").then_refused("unit-of-another-side", rule="301.911", side="Alliance")
        table.says(A, "scuttle", unit="Z-FF").says(C, "scuttle", unit="K-D6")
        assert [table.game.units[one].fate for one in ("Z-FF", "K-D6")] == ["scuttled", "scuttled"]
        table.tries(C, "scuttle", unit="K-D6").then_refused("unit-removed", rule="301.911", fate="scuttled")


class TestENDPTThePlayerTurn:
    def test_other_side_is_phasing_in_the_same_turn(self) -> None:
        table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"]).to("10D").done(A, C)
        assert (table.game.cursor.side(), table.game.turn) == (A, 1)
        assert table.game.units["K-D7"].get("reserve") == "Home"

    def test_phase_11_follows_the_last_player_turn_with_orions(self) -> None:
        table = pirates(POOLED).to("10D").done(A, C).to("10D").done(A, C)
        assert table.game.cursor.side() == ""
        assert table.game.turn == 1
        assert "11F" in table.to("1A2").steps()


class Test11Pirates:
    def test_phase_without_orions_is_passed(self) -> None:
        table = war(D7, CC).to("10D").done(A, C).to("10D").done(A, C)
        assert passed(table, "11")
        assert not [step for step in table.steps() if step.startswith("11")]

    def test_phase_comes_once_a_game_turn(self) -> None:
        table = pirates(POOLED).to("10D").done(A, C).to("10D")
        assert not [step for step in table.steps() if step.startswith("11")]


class Test11ARecovery:
    def test_ships_out_for_piracy_are_in_the_pool_again(self) -> None:
        table = pirates(ship("O-P", "orion", "1505"), ship("O-D", "orion", "1506")).to("11F")
        assert {table.game.units[one].at for one in ("O-P", "O-D")} == {"orion-pool"}
        table.to("11H").says(ORION, "pirate", unit="O-P", at="1505").to("11F")
        assert [table.game.units["O-P"].at, table.game.units["O-P"].get("piracy")] == ["orion-pool", None]


def leased(*units: dict[str, Any], **more: Any) -> War:
    """Lease O-LR to the Klingons for 4 EP, with K-D7 at 1206, and open 11G."""
    table = pirates(POOLED, *units, **more).to("11F").says(ORION, "offer-lease", unit="O-LR").to("11G")
    table.says(C, "seal-bid", ep=4, empire="klingon").says(A, "seal-bid", ep=3, empire="kzinti")
    return table.says(C, "lease", unit="O-LR", at="1206")


class Test11BLeases:
    def test_returned_ship_is_orion_again_with_no_trace_of_the_lease(self) -> None:
        table = leased(ADM).to("9A").says(C, "form-reserve", fleet="Home", units=["O-LR"])
        table.to("11F")
        ship_ = table.game.units["O-LR"]
        assert (ship_.side, ship_.at, ship_.get("reserve"), ship_.get("lessee")) == (ORION, "orion-pool", None, None)
        table.to("3B2")
        gone = table.tries(C, "move-units", units=["O-LR"], path=["1206"])
        gone.then_refused("unit-of-another-side", rule="3B2", unit="O-LR", side="Orion Pirates")

    def test_leased_ship_is_written_with_its_lessee(self) -> None:
        table = leased()
        written = stack(table.game, (table.game.units[one] for one in ("K-D7", "O-LR")))
        assert (written.startswith("K: D7, LR ("), written.endswith(" O)")) == (True, True)
        table.to("9A").to("11F")
        assert stack(table.game, [table.game.units["O-LR"]]) == "O: LR"

    def test_a_group_that_a_leased_ship_led_takes_the_name_of_one_that_stays(self) -> None:
        """Of two leased ships that leave one group neither gives it its name."""
        table = pirates(
            ship("O-LR", "orion", "1206", side=C),
            ship("O-CR", "orion", "1206", side=C),
            ship("K-D6", "klingon", "1206"),
            ship("K-F5", "klingon", "1206"),
        )
        names, game = ("O-LR", "O-CR", "K-D6", "K-F5"), table.game
        game = after(game, [one for name in names for one in changed(game.units[name], "group", "O-LR", "", "")])
        over = after(game, end_leases(game))
        groups = {name: over.units[name].get("group") for name in names}
        assert groups == {"O-LR": None, "O-CR": None, "K-D6": groups["K-F5"], "K-F5": groups["K-F5"]}
        assert groups["K-F5"] in ("K-D6", "K-F5")

    def test_leaders_of_the_lessee_do_not_command_aboard(self) -> None:
        table = leased(ADM, options={"admirals": True}).to("9B")
        aboard = table.tries(C, "transfer-leader", leader="K-ADM", ship="O-LR")
        aboard.then_refused("leader-needs-own-empire", rule="316.144B", ship="O-LR", empire="klingon")

    def test_lessee_pays_for_its_repair(self) -> None:
        hurt, base = {**POOLED, "crippled": True}, ship("K-SB", "klingon", "1206", base=True)
        table = pirates(hurt, base).to("11F").says(ORION, "offer-lease", unit="O-LR").to("11G")
        table.says(C, "seal-bid", ep=4, empire="klingon").says(A, "seal-bid", ep=0)
        table.says(C, "lease", unit="O-LR", at="1206").to("2A2").says(C, "repair", unit="O-LR", ep=2)
        assert (table.game.accounts["klingon/EP"], table.game.accounts["orion/EP"]) == (54, 16)


class Test11BNotSold:
    def test_leased_ship_is_neither_scrapped_nor_sold(self) -> None:
        table = leased(options={"raids": True, "wyn": True}).to("1C3")
        scrap = table.tries(C, "scrap", unit="O-LR", ep=9)
        scrap.then_refused("leased-ship", rule="447.5", unit="O-LR")
        sale = table.to("3A-4Q").tries(C, "sell-ship", unit="O-LR", ep=3)
        sale.then_refused("leased-ship", rule="449.23", empire="Orion Cartel")


class Test11CShipyard:
    def test_repairs_come_before_new_ships(self) -> None:
        table = pirates(ship("O-C", "orion", "orion-pool", crippled=True)).to("11D")
        steps = [step for step in table.steps() if step.startswith("11C")]
        assert steps == ["11C1", "11C2"]


class Test11C1Repairs:
    HURT = ship("O-C", "orion", "orion-pool", crippled=True)

    def test_crippled_ship_is_repaired_from_their_own_purse(self) -> None:
        table = pirates(self.HURT, POOLED, empires=empires(orion={"ep": 2})).to("11C1")
        dear = table.tries(ORION, "orion-repair", unit="O-C", ep=3)
        dear.then_refused("too-few-economic-points", rule="430.1", empire="Orion Cartel", limit=2)
        table.tries(ORION, "orion-repair", unit="O-LR").then_refused("retrograde-not-crippled", rule="11C1")
        table.says(ORION, "orion-repair", unit="O-C", ep=1)
        assert (table.game.units["O-C"].get("crippled"), table.game.accounts["orion/EP"]) == (None, 1)


class Test11C2NewShips:
    def test_new_ships_are_received_in_the_force_pool(self) -> None:
        table = pirates(POOLED, empires=empires(orion={"ep": 6})).to("11C2")
        away = table.tries(ORION, "build", unit="O-N", kind="CR", at="1505", ep=5)
        away.then_refused("not-the-force-pool", rule="504.31", at="1505", pool="orion-pool")
        table.says(ORION, "build", unit="O-N", kind="CR", at="orion-pool", ep=5)
        assert table.game.accounts["orion/EP"] == 1
        more = table.tries(ORION, "build", unit="O-M", kind="CR", at="orion-pool", ep=5)
        more.then_refused("too-few-economic-points", rule="430.1", limit=1)
        unpriced = table.tries(ORION, "build", unit="O-M", kind="CR", at="orion-pool")
        unpriced.then_refused("price-missing", rule="504.31", says="CR")
        theirs = table.tries(C, "build", unit="K-N", kind="CR", at="1206", ep=5)
        theirs.then_refused("step-of-another-side", rule="11C2", seat="coalition", sides="Orion Pirates")


class Test11DBribes:
    def test_empire_offers_one_within_its_purse(self) -> None:
        table = pirates(POOLED, empires=empires(kzinti={"ep": 4})).to("11D")
        table.says(C, "bribe", ep=3, wish="raid 0902", empire="klingon")
        second = table.tries(C, "bribe", ep=1, wish="raid 0902", empire="klingon")
        second.then_refused("bribe-offered", rule="504.33", empire="Klingon Empire")
        poor = table.tries(A, "bribe", ep=5, wish="raid 1206", empire="kzinti")
        poor.then_refused("bribe-too-high", rule="504.33", limit=4)
        table.says(C, "bribe", ep=2, wish="raid 0902", empire="romulan")


class Test11EBribesAccepted:
    def test_accepted_bribe_is_paid_once_and_the_rest_lapse(self) -> None:
        table = pirates(POOLED).to("11D").says(C, "bribe", ep=3, wish="raid 0902", empire="klingon")
        table.says(A, "bribe", ep=2, wish="raid 1206", empire="kzinti").to("11E")
        before = sum(table.game.accounts.get(f"{one}/EP", 0) for one in ("klingon", "kzinti", "orion"))
        theirs = table.tries(C, "accept-bribe", empire="klingon")
        theirs.then_refused("step-of-another-side", rule="11E", seat="coalition", sides="Orion Pirates")
        table.says(ORION, "accept-bribe", empire="klingon")
        again = table.tries(ORION, "accept-bribe", empire="klingon")
        again.then_refused("no-bribe-offered", rule="11E")
        table.to("11F")
        now = table.game.accounts
        assert (now["klingon/EP"], now["kzinti/EP"], now["orion/EP"]) == (57, 50, 15)
        assert sum(now[f"{one}/EP"] for one in ("klingon", "kzinti", "orion")) == before
        assert table.game.markers.get("bribe kzinti") is None


class Test11FShipsForLease:
    def test_ships_of_the_pool_each_once(self) -> None:
        table = pirates(POOLED).to("11F").says(ORION, "offer-lease", unit="O-LR")
        again = table.tries(ORION, "offer-lease", unit="O-LR")
        again.then_refused("cannot-be-offered", rule="504.33", unit="O-LR")
        table.tries(ORION, "offer-lease", unit="K-D7").then_refused(
            "unit-of-another-side", rule="504.33", side="Coalition"
        )


class Test11GBids:
    SECOND = ship("O-CR", "orion", "orion-pool")

    def auction(self, *units: dict[str, Any], **more: Any) -> War:
        table = pirates(POOLED, *units, **more).to("11F").says(ORION, "offer-lease", unit="O-LR")
        for one in units:
            table.says(ORION, "offer-lease", unit=one["id"])
        return table.to("11G")

    def test_highest_bidder_pays_once_and_gets_the_ship(self) -> None:
        table = self.auction()
        poor = table.tries(C, "seal-bid", ep=61, empire="klingon")
        poor.then_refused("bid-too-high", rule="504.33", empire="Klingon Empire", limit=60)
        nobody = table.tries(C, "seal-bid", ep=4)
        nobody.then_refused("empire-missing", rule="11G", empires="klingon, romulan")
        table.says(C, "seal-bid", ep=4, empire="klingon").story.then(ChoiceSealed, question="bid", side=C)
        table.says(A, "seal-bid", ep=3, empire="kzinti").story.then(ChoiceRevealed, side=C, choice=("4", "klingon"))
        table.must(C, "lease", "O-LR", rule="11G")
        roman = table.tries(C, "lease", unit="O-LR", at="1206", empire="romulan")
        roman.then_refused("bid-of-another-empire", rule="504.33", empire="Klingon Empire")
        empty = table.tries(C, "lease", unit="O-LR", at="1505")
        empty.then_refused("no-ships-there", rule="504.33", at="1505", places="1206")
        loser = table.tries(A, "lease", unit="O-LR", at="0902")
        loser.then_refused("not-highest-bid", rule="504.33", do="Coalition")
        again = table.tries(A, "seal-bid", ep=5, empire="kzinti")
        again.then_refused(
            "bid-sealed-already",
            rule="504.33",
            side_has="Alliance has",
            unit="O-LR",
            do="Coalition",
        )
        more = table.tries(C, "seal-bid", ep=5, empire="klingon")
        more.then_refused(
            "bid-sealed-already",
            rule="504.33",
            side_has="Coalition has",
            unit="O-LR",
            do="`lease`",
        )
        table.says(C, "lease", unit="O-LR", at="1206").story.then(UnitMoved, unit="O-LR")
        now = table.game.accounts
        assert (now["klingon/EP"], now["kzinti/EP"], now["orion/EP"]) == (56, 50, 16)
        assert table.game.units["O-LR"].side == C

    def test_ship_without_a_bid_makes_room_for_the_next(self) -> None:
        table = self.auction(self.SECOND).says(C, "seal-bid", ep=0).says(A, "seal-bid", ep=0)
        table.story.then(MarkerSet, marker="on offer", after=("O-CR",))
        table.says(C, "seal-bid", ep=0).says(A, "seal-bid", ep=2, empire="kzinti").says(
            A, "lease", unit="O-CR", at="0902"
        )
        assert (table.game.units["O-CR"].side, table.game.units["O-LR"].at) == (A, "orion-pool")

    def test_equal_bids_go_to_the_first_in_turn_order(self) -> None:
        table = self.auction().says(C, "seal-bid", ep=2, empire="klingon").says(A, "seal-bid", ep=2, empire="kzinti")
        table.says(C, "lease", unit="O-LR", at="1206").story.then(UnitChanged, unit="O-LR", attribute="lessee")

    def test_empire_without_a_fleet_bids_for_no_ship(self) -> None:
        table = self.auction()
        none = table.tries(C, "seal-bid", ep=2, empire="romulan")
        none.then_refused("no-fleet-to-join", rule="504.33", empire="Romulan Star Empire")
        table.says(C, "seal-bid", ep=0).to("1A2")
        assert table.game.accounts["romulan/EP"] == 40

    def test_highest_bid_of_all_empires_gets_the_ship(self) -> None:
        ke = ship("R-KE", "romulan", "1107")
        table = pirates(POOLED, ke).to("11F").says(ORION, "offer-lease", unit="O-LR").to("11G")
        twice = table.tries(C, "seal-bid", ep=2, empire="klingon", also=["klingon=3"])
        twice.then_refused("bids-twice", rule="504.33", empire="Klingon Empire")
        poor = table.tries(C, "seal-bid", ep=2, empire="klingon", also=["romulan=41"])
        poor.then_refused("bid-too-high", rule="504.33", empire="Romulan Star Empire", limit=40)
        theirs = table.tries(C, "seal-bid", ep=2, empire="klingon", also=["kzinti=3"])
        theirs.then_refused(
            "not-an-empire-of-the-side", rule="11G", empire="kzinti", side="Coalition", empires="klingon, romulan"
        )
        table.says(C, "seal-bid", ep=2, empire="klingon", also=["romulan=5"])
        table.says(A, "seal-bid", ep=4, empire="kzinti")
        table.says(C, "lease", unit="O-LR", at="1107")
        now = table.game.accounts
        assert [now[f"{one}/EP"] for one in ("klingon", "romulan", "kzinti", "orion")] == [60, 35, 50, 17]
        assert table.game.units["O-LR"].get("lessee") == "romulan"

    def test_step_does_not_end_while_ships_are_on_offer(self) -> None:
        table = self.auction(self.SECOND).says(C, "seal-bid", ep=0)
        early = table.tries(C, "done")
        early.then_refused("others-act-first", rule="11G", sides="Alliance")
        again = table.tries(C, "seal-bid", ep=1, empire="klingon")
        again.then_refused("bid-sealed-already", rule="504.33", do="Alliance")
        soon = table.tries(A, "lease", unit="O-LR", at="0902")
        soon.then_refused("not-highest-bid", rule="504.33", do="`seal-bid`")
        table.says(A, "seal-bid", ep=0).says(C, "seal-bid", ep=0).says(A, "seal-bid", ep=41, empire="kzinti")
        table.story.then(ChoiceRevealed, side=A, choice=("41", "kzinti"))
        table.tries(C, "done").then_refused("others-act-first", rule="11G", sides="Alliance")
        table.says(A, "lease", unit="O-CR", at="0902").done(C, A)
        assert table.open == ("11H",)

    def test_winner_must_pay_the_lease_and_bids_are_closed(self) -> None:
        table = self.auction().says(C, "seal-bid", ep=4, empire="klingon").says(A, "seal-bid", ep=3, empire="kzinti")
        (step,) = open_steps(TITLE, table.game)
        due = [(one.orders, one.about, one.waits) for one in required_actions(TITLE, table.game, step, C)]
        others = [(one.orders, one.about, one.waits) for one in required_actions(TITLE, table.game, step, A)]
        assert (due, others) == ([(("lease",), ("O-LR",), False)], [((), ("O-LR",), True)])


class Test11HPiracy:
    def test_pirate_makes_a_battle_hex_with_any_units_there(self) -> None:
        table = pirates(POOLED).to("11H").says(ORION, "pirate", unit="O-LR", at="1206")
        again = table.tries(ORION, "pirate", unit="O-LR", at="0902")
        again.then_refused("not-a-pool-ship", rule="504.34", unit="O-LR", at="1206")
        table.to("5-1A")
        assert table.game.cursor.item("5-HEX") == "1206"
        assert table.game.cursor.waiting() == (ORION,)

    def test_leased_ship_is_not_a_pirate(self) -> None:
        table = leased().to("11H")
        theirs = table.tries(ORION, "pirate", unit="O-LR", at="1505")
        theirs.then_refused("unit-of-another-side", rule="504.34", side="Coalition")

    def test_pirate_in_the_pool_threatens_no_units(self) -> None:
        table = pirates(POOLED).to("11H").to("1A2").to("5-END")
        assert "5-1A" not in table.steps()


class TestENDSOPTheMarker:
    def test_marker_moves_one_box_automatically(self) -> None:
        table = war(D7, CC, calendar={"season": "Spring", "year": 180})
        table.to("10D").done(A, C).to("10D").done(A, C)
        assert (table.game.turn, table.game.cursor.side()) == (2, C)
        later = next_own_turn(table).to("2B2").says(C, "form-division", division="77th", unit="K-D7")
        later.story.then(MarkerSet, marker="division 77th")
