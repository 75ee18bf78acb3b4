"""Check the refusals of other orders of Federation & Empire, each with its rule and remedy."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    MarkerSet,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
)
from tests.titles.federation_table import BASE, War, border_war, ship, war

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
F5 = ship("K-F5", "klingon", "1206", crippled=True)
AWAY = ship("K-D5", "klingon", "1306")


class TestAgreements:
    def test_agreement_is_noted_with_no_other_marker(self) -> None:
        table = war(D7, CC).to("1A2")
        table.says(C, "mark", marker="agreed on supply", to="as drawn").story.then(MarkerSet, after="as drawn")
        for marker in ("battleship klingon", "scored", "flagship"):
            table.tries(C, "mark", marker=marker, to=1).then_refused(
                "written-by-the-rules-alone", rule="1A2", written=marker
            )


class TestEconomics:
    def test_unit_is_out_of_supply_or_on_a_partial_grid(self) -> None:
        table = war(D7, CC).to("1A2")
        both = table.tries(C, "check-supply", out=["K-D7"], partial=["K-D7"])
        both.then_refused("in-both-lists", rule="1A2 (410.22)", unit="K-D7")
        table.says(C, "check-supply", partial=["K-D7"]).story.then(UnitChanged, attribute="supply", after="partial")

    def test_exhaustion_takes_no_more_than_comes_in(self) -> None:
        table = war(D7, CC).to("1C3")
        more = table.tries(C, "income", ep=3, exhausted=4, empire="klingon")
        more.then_refused("exhaustion-too-large", rule="447.2", given=4, limit=3)
        table.says(C, "income", ep=3, exhausted=3, xtp=1, empire="klingon")
        table.story.then(AccountChanged, account="klingon/XTP", amount=1)
        assert table.game.accounts["klingon/EP"] == 60


class TestShipyard:
    def test_base_is_repaired_in_a_step_of_its_own(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True, crippled=True)
        table = war(D7, F5, base, CC).to("2A2")
        early = table.tries(C, "repair", unit="K-SB", ep=2)
        early.then_refused("repaired-elsewhere", rule="2A2", unit="K-SB", place="a base", repair_place="2A3")
        table.to("2A3")
        late = table.tries(C, "repair", unit="K-F5", ep=2)
        late.then_refused("repaired-elsewhere", rule="2A3", unit="K-F5", place="not a base", repair_place="2A2")
        table.says(C, "repair", unit="K-SB", ep=2).story.then(UnitChanged, unit="K-SB", attribute="repair", after=2)

    def test_mothballed_units_alone_are_activated(self) -> None:
        table = war(D7, ship("K-OLD", "klingon", "1206", mothballed=True), CC).to("2B1")
        table.tries(C, "activate", unit="K-D7").then_refused("not-mothballed", rule="434.0")
        table.says(C, "activate", unit="K-OLD").story.then(UnitChanged, attribute="mothballed", after=None)

    def test_division_is_formed_once_and_disbanded_once(self) -> None:
        table = war(D7, AWAY, CC, calendar={"season": "Spring", "year": 181}).to("2B2")
        table.says(C, "form-division", division="77th", unit="K-D7")
        again = table.tries(C, "form-division", division="77th", unit="K-D5")
        again.then_refused("division-exists", rule="513.21", division="77th")
        table.to("6G").says(C, "disband-division", division="77th")
        table.story.then(MarkerSet, marker="division 77th", after=None)
        gone = table.tries(C, "disband-division", division="77th")
        gone.then_refused("no-such-division", rule="513.2", division="77th")

    @pytest.mark.parametrize(
        ("step", "order", "more"), [("2B3", "build", {"ep": 3}), ("3B6", "deploy", {}), ("8C", "deploy", {})]
    )
    def test_new_unit_has_an_id_of_its_own(self, step: str, order: str, more: dict[str, Any]) -> None:
        table = war(D7, CC).to(step)
        new = {"kind": "MB", "at": "1206", "empire": "klingon", **more}
        taken = table.tries(C, order, unit="Z-CC", **new)
        taken.then_refused("unit-id-used", rule=step, unit="Z-CC")
        table.says(C, order, unit="K-NEW", **new).story.then(UnitPlaced, unit="K-NEW", at="1206")

    @pytest.mark.parametrize(("what", "rule"), [("fighters", "501.5"), ("PFs", "502.43"), ("GCE", "521.22")])
    def test_replacement_needs_supply(self, what: str, rule: str) -> None:
        lacking = {"fighters": 2, "fighters_gone": 1, "pfs": 2, "pfs_gone": 1}
        units = {**D7, **lacking, "traits": ["gce"]}, {**AWAY, **lacking, "traits": ["gce"]}
        table = war(*units, CC).to("2A1").says(C, "check-supply", out=["K-D7"]).to("2B4")
        out = table.tries(C, "replace", unit="K-D7", what=what, ep=1)
        out.then_refused("replacement-out-of-supply", rule=rule, unit="K-D7")
        table.says(C, "replace", unit="K-D5", what=what, ep=1)
        table.story.then(AccountChanged, account="klingon/EP", amount=-1)

    def test_empire_takes_one_option_of_battleships_a_turn(self) -> None:
        options = [{**one, "battleships": ["first part", "second part"]} for one in BASE["empires"]]
        table = war(D7, CC, empires=options).to("2B10")
        table.says(C, "battleship", option="first part", ep=9, empire="klingon")
        table.story.then(AccountChanged, account="klingon/EP", amount=-9)
        more = table.tries(C, "battleship", option="second part", ep=9, empire="klingon")
        more.then_refused("option-taken", rule="436.2")

    def test_sides_do_not_scuttle_for_each_other(self) -> None:
        table = war(D7, CC).to("2B11")
        table.tries(C, "scuttle", unit="Z-CC").then_refused("unit-of-another-side", rule="2B11", side="Alliance")
        table.says(A, "scuttle", unit="Z-CC")
        assert table.game.units["Z-CC"].fate == "scuttled"


class TestDepot:
    def test_box_returns_a_ship_in_it_to_a_hex(self) -> None:
        table = war(D7, F5, CC).to("2B3")
        early = table.tries(C, "depot", unit="K-F5", act="progress")
        early.then_refused("not-in-repair-box", rule="424.3", unit="K-F5", in_box="nobody")
        table.says(C, "depot", unit="K-F5", act="add").story.then(UnitMoved, unit="K-F5")
        again = table.tries(C, "depot", unit="K-F5", act="add")
        again.then_refused("in-repair-box", rule="424.35", unit="K-F5")
        nowhere = table.tries(C, "depot", unit="K-F5", act="place")
        nowhere.then_refused("place-missing", rule="424.3")
        table.says(C, "depot", unit="K-F5", act="progress").story.then(UnitChanged, attribute="depot", after=1)


class TestMovement:
    def test_units_go_together_from_one_place_to_another(self) -> None:
        table = war(D7, AWAY, CC).to("3B2")
        apart = table.tries(C, "move-units", units=["K-D7", "K-D5"], path=["1205"])
        apart.then_refused("units-in-several-places", rule="3B2", places="1206 and 1306")
        here = table.tries(C, "move-units", units=["K-D7"], path=["1206"])
        here.then_refused("at-destination", rule="3B2", place="1206")
        table.says(C, "move-units", units=["K-D7"], path=["1206", "1205"])
        table.story.then(UnitMoved, unit="K-D7", path=("1206", "1205"))

    def test_mothballed_ship_does_not_move(self) -> None:
        table = war(D7, ship("K-OLD", "klingon", "1206", mothballed=True), CC).to("3B2")
        old = table.tries(C, "move-units", units=["K-D7", "K-OLD"], path=["1205"])
        old.then_refused("mothballed-unit", rule="3B2", unit="K-OLD")

    def test_reserve_is_in_one_place(self) -> None:
        table = war(D7, AWAY, CC).to("9A")
        apart = table.tries(C, "form-reserve", fleet="Home", units=["K-D7", "K-D5"])
        apart.then_refused("reserve-in-several-hexes", rule="507.1")
        table.says(C, "form-reserve", fleet="Home", units=["K-D7"])
        table.story.then(UnitChanged, attribute="reserve", after="Home")
        again = table.tries(C, "form-reserve", fleet="Border", units=["K-D7"])
        again.then_refused("in-a-reserve", rule="507.1", unit="K-D7", fleet="Home")

    def test_group_is_dissolved_by_the_side_that_has_it(self) -> None:
        table = war(D7, CC).to("6C")
        table.tries(C, "dissolve", group="K-D7").then_refused("no-such-group", rule="6C", group="K-D7")

    def test_units_out_of_supply_do_not_go_back(self) -> None:
        table = war(D7, AWAY, CC).to("6A").says(C, "check-supply", out=["K-D7"]).to("6D2")
        out = table.tries(C, "retrograde", units=["K-D7"], path=["1205"])
        out.then_refused("reaction-out-of-supply", rule="410.24", unit="K-D7")
        table.says(C, "retrograde", units=["K-D5"], path=["1305"]).story.then(UnitMoved, cause="retrograde")

    def test_leader_changes_ships_within_a_hex(self) -> None:
        units = ship("K-ADM", "klingon", "1206", "leader"), D7, AWAY
        table = war(*units, CC, options={"admirals": True}).to("9B")
        far = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-D5")
        far.then_refused(
            "ship-and-leader-apart", rule="316.144", ship="K-D5", ship_at="1306", leader="K-ADM", leader_at="1206"
        )
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-D7")
        table.story.then(UnitChanged, unit="K-ADM", attribute="aboard", after="K-D7")


class TestFieldRepairs:
    def test_repairer_is_deployed_and_the_repaired_is_in_supply(self) -> None:
        table = war(ship("K-REP", "klingon", "1206", "repair"), F5, CC).to("7A")
        table.says(C, "check-supply", out=["K-F5"]).to("7B").says(C, "deploy-repair", unit="K-REP", at="1206").to("7C")
        out = table.tries(C, "field-repair", repairer="K-REP", unit="K-F5")
        out.then_refused("ship-out-of-supply", rule="410.23", unit="K-F5")

    def test_repair_ship_that_was_not_deployed_repairs_nothing(self) -> None:
        table = war(ship("K-REP", "klingon", "1206", "repair"), F5, CC).to("7C")
        home = table.tries(C, "field-repair", repairer="K-REP", unit="K-F5")
        home.then_refused("not-deployed", rule="422.3", repairer="K-REP")

    def test_deployed_repair_ship_repairs(self) -> None:
        table = war(ship("K-REP", "klingon", "1206", "repair"), F5, CC).to("7B")
        table.says(C, "deploy-repair", unit="K-REP", at="1206").to("7C")
        table.says(C, "field-repair", repairer="K-REP", unit="K-F5", ep=1)
        table.story.then(UnitChanged, unit="K-F5", attribute="crippled", after=None)


class TestOrions:
    def at(self, step: str) -> War:
        return border_war().to(step)

    def test_whole_ship_is_not_repaired(self) -> None:
        table = self.at("11C1")
        table.tries(ORION, "orion-repair", unit="O-LR-1").then_refused("retrograde-not-crippled", rule="11C1")

    def test_bribe_is_not_larger_than_the_treasury(self) -> None:
        table = self.at("11D")
        held = table.game.accounts["klingon/EP"]
        more = table.tries(C, "bribe", ep=held + 1, wish="raid 0902", empire="klingon")
        more.then_refused("bribe-too-high", rule="504.33", limit=60)
        table.says(C, "bribe", ep=held, wish="raid 0902", empire="klingon")

    def test_ship_is_offered_once(self) -> None:
        table = self.at("11F").says(ORION, "offer-lease", unit="O-LR-1")
        table.story.then(MarkerSet, marker="on offer", after=("O-LR-1",))
        again = table.tries(ORION, "offer-lease", unit="O-LR-1")
        again.then_refused("cannot-be-offered", rule="504.33", unit="O-LR-1")

    def test_bids_and_leases_need_an_offer(self) -> None:
        table = self.at("11G")
        table.tries(C, "seal-bid", ep=3).then_refused("no-ship-on-offer", rule="504.33")
        lease = table.tries(C, "lease", unit="O-LR-1", at="1306", empire="klingon")
        lease.then_refused("not-on-offer", rule="504.33", on_offer="nothing")

    def test_pirate_comes_from_the_force_pool(self) -> None:
        table = self.at("11H").says(ORION, "pirate", unit="O-LR-1", at="1306")
        table.story.then(UnitMoved, unit="O-LR-1", cause="piracy")
        again = table.tries(ORION, "pirate", unit="O-LR-1", at="1206")
        again.then_refused("not-a-pool-ship", rule="504.34", unit="O-LR-1", at="1306")
