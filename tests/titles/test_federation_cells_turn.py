"""Check the player turn of Federation & Empire for answers without a story by label."""

from typing import Any

import pytest

from tests.face.domain import UnitChanged
from tests.titles.federation_table import Line, War, battle, ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
SB = ship("K-SB", "klingon", "1206", "starbase", base=True)
ADM = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")


def next_own_turn(table: War) -> War:
    return table.to("10D").done(A, C).to("10D").done(A, C)


class Test1A1WhereBegun:
    def test_due_bases_work_in_the_hex_they_were_begun_in(self) -> None:
        table = war(D7, ship("K-F5", "klingon", "1306"), CC).to("3B6")
        table.says(C, "deploy", unit="K-MB1", kind="MB", at="1206", empire="klingon")
        table.says(C, "deploy", unit="K-MB2", kind="MB", at="1306", empire="klingon")
        bases = [next_own_turn(table).game.units[one] for one in ("K-MB1", "K-MB2")]
        assert [(base.at, base.get("operational")) for base in bases] == [("1206", True), ("1306", True)]


class Test1A3BeginsAtOne:
    """A counter begins at 1, in each of the four steps."""

    @pytest.mark.parametrize(
        ("step", "about"),
        [
            ("1A3B", {"counter": "capture", "place": "province Q"}),
            ("1A3C", {"counter": "annexation", "place": "1503"}),
            ("1A3D", {"counter": "diplomacy", "place": "1603"}),
        ],
    )
    def test_counter_does_not_begin_above_one(self, step: str, about: Line) -> None:
        envoy = ship("K-DIP", "klingon", "1603", "diplomat")
        table = war(D7, envoy, CC, options={"annexation": True, "diplomacy": True}).to(step)
        more = table.tries(C, "count", **about, turns=3)
        more.then_refused("begins-at-one", rule=step)
        table.says(C, "count", **about)
        assert table.game.number(f"{about['counter']} {about['place']}") == 1


class Test1A3CEngineers:
    """541.34-C: engineers annex in their own hex, and add to the counted turn."""

    def test_engineers_of_another_hex_do_not_help(self) -> None:
        there, away = (ship(f"K-EN{n}", "klingon", at, "engineers") for n, at in ((1, "1504"), (2, "1306")))
        table = war(D7, there, away, CC, options={"annexation": True}).to("1A3C")
        about = {"counter": "annexation", "place": "1504"}
        far = table.tries(C, "count", **about, helped=["K-EN2"])
        far.then_refused("helper-elsewhere", rule="541.34-C", unit="K-EN2", at="1306", place="1504")
        table.says(C, "count", **about, helped=["K-EN1"], turns=2)
        assert table.game.number("annexation 1504") == 2


class Test1BSurveyShips:
    """505.21: survey ships on the map; one in a box surveys nothing."""

    def test_survey_ship_off_the_map_adds_nothing(self) -> None:
        ships = (ship("K-SR1", "klingon", "1206", survey=2), ship("K-SR2", "klingon", "off-map", survey=3))
        table = war(D7, *ships, CC, options={"survey": True}).to("1B")
        all_of_them = table.tries(C, "survey", points=5, empire="klingon")
        all_of_them.then_refused("survey-points-differ", rule="505.21", limit=2, given=5)
        table.says(C, "survey", empire="klingon")
        assert table.game.accounts["klingon/survey"] == 2


class Test2A4Where:
    def test_repaired_unit_is_sound_in_the_hex_of_its_payment(self) -> None:
        lame = ship("K-F5", "klingon", "1206", crippled=True)
        table = war(D7, SB, lame, CC).to("2A2").says(C, "repair", unit="K-F5", ep=3).to("2B1")
        assert (table.game.units["K-F5"].at, table.game.units["K-F5"].get("crippled")) == ("1206", None)


class Test2B5OldKind:
    def test_converted_ship_has_the_new_kind_only(self) -> None:
        table = war(D7, SB, ship("R-KE", "romulan", "1206", "modular", kind="KR"), CC).to("2B5")
        table.says(C, "convert", unit="R-KE", kind="carrier", ep=1)
        table.story.then(UnitChanged, unit="R-KE", attribute="converted", after="carrier")


class Test2B6OldPost:
    def test_leader_is_aboard_the_new_ship_alone(self) -> None:
        table = war(D7, ship("K-D6", "klingon", "1306"), ADM, CC, options={"admirals": True}).to("2B6")
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-D6")
        admiral = table.game.units["K-ADM"]
        assert (admiral.get("aboard"), admiral.at) == ("K-D6", "1306")


class Test2B7Owned:
    """538.51: as many decoys as the scenario lists."""

    def test_unowned_decoy_is_not_placed(self) -> None:
        decoy = ship("R-DC1", "romulan", "off-map", "decoy")
        table = war(D7, ship("R-WE", "romulan", "1206", "cloak"), decoy, CC, options={"decoys": True}).to("2B7")
        table.tries(C, "pool", unit="R-DC2").then_refused(
            "no-such-unit", rule="2B7", unit="R-DC2", near="K-D7, R-DC1, R-WE, Z-CC"
        )
        table.says(C, "pool", unit="R-DC1")


NO_SHIPS: dict[str, Line] = {
    "K-FRD": ship("K-FRD", "klingon", "1206", "frd"),
    "K-GCE": ship("K-GCE", "klingon", "1206", kind="GCE"),
    "K-ADM": ADM,
    "K-PT": ship("K-PT", "klingon", "1206", "team", aboard="K-D7"),
    "K-SB": SB,
}
"""The ids of units that are not ships; the base among them works."""
OTHER = ship("K-F5", "klingon", "1206")
MOTHBALLED = (("K", "klingon", "1206"), ("Z", "kzinti", "0902"))


class TestNoShips:
    """Docks, bases, elements and passengers are not ships, and steps that name ships refuse them."""

    def at(self, step: str, **more: Any) -> War:
        options = {"admirals": True, "tactical_reserves": True, **more.pop("options", {})}
        return war(D7, OTHER, *NO_SHIPS.values(), CC, options=options, **more).to(step)

    @pytest.mark.parametrize("thing", NO_SHIPS)
    def test_expeditionary_fleet_refuses_them(self, thing: str) -> None:
        table = self.at("1G")
        table.tries(C, "designate", units=[thing], role="west").then_refused(
            "mission-needs-ships", rule="411.7", unit=thing
        )
        table.says(C, "designate", units=["K-F5"], role="west")

    @pytest.mark.parametrize("thing", NO_SHIPS)
    def test_division_refuses_them(self, thing: str) -> None:
        table = self.at("2B2", calendar={"season": "Spring", "year": 181})
        none = table.tries(C, "form-division", division="77th", unit=thing)
        none.then_refused("not-a-founder", rule="513.21", founder="klingon", unit=thing)
        table.says(C, "form-division", division="77th", unit="K-F5")

    @pytest.mark.parametrize("thing", [one for one in NO_SHIPS if one != "K-SB"])
    def test_conversion_refuses_them(self, thing: str) -> None:
        both = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2}
        table = self.at("2B3")
        none = table.tries(C, "convert", unit=thing, kind="X", ep=1, **both)
        none.then_refused("not-a-ship-or-base", rule="433.0", unit=thing)
        table.says(C, "convert", unit="K-F5", kind="X", ep=1, **both)
        table.says(C, "convert", unit="K-SB", kind="STB", ep=1, **both)

    @pytest.mark.parametrize("step", ["2B6", "9B"])
    @pytest.mark.parametrize("thing", [one for one in NO_SHIPS if one != "K-ADM"])
    def test_leader_is_not_posted_to_them(self, thing: str, step: str) -> None:
        table = self.at(step)
        none = table.tries(C, "transfer-leader", leader="K-ADM", ship=thing)
        none.then_refused("leader-needs-own-empire", rule=step, empire="klingon", ship=thing)
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-F5")

    @pytest.mark.parametrize("thing", NO_SHIPS)
    def test_reserve_refuses_them(self, thing: str) -> None:
        table = self.at("9A")
        none = table.tries(C, "form-reserve", fleet="Home", units=[thing])
        none.then_refused("not-on-map", rule="507.1", unit=thing)
        table.says(C, "form-reserve", fleet="Home", units=["K-F5"])

    def test_tactical_reserve_refuses_them(self) -> None:
        dock = ship("Z-FRD", "kzinti", "0902", "frd")
        table = war(D7, dock, CC, options={"tactical_reserves": True}).to("4A")
        none = table.tries(A, "form-reserve", fleet="1", units=["Z-FRD"])
        none.then_refused("not-on-map", rule="543.1", unit="Z-FRD")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"])

    @pytest.mark.parametrize("step", ["4A", "9A"])
    def test_mothballed_ship_joins_no_reserve(self, step: str) -> None:
        old = [ship(f"{name}-OLD", empire, at, mothballed=True) for name, empire, at in MOTHBALLED]
        side, ours, idle = (A, "Z-CC", "Z-OLD") if step == "4A" else (C, "K-D7", "K-OLD")
        table = war(D7, CC, *old, options={"tactical_reserves": True}).to(step)
        none = table.tries(side, "form-reserve", fleet="1", units=[idle])
        none.then_refused("mothballed", rule=step, unit=idle)
        table.says(side, "form-reserve", fleet="1", units=[ours])

    @pytest.mark.parametrize("thing", ["R-SB", "R-FRD"])
    def test_decoy_is_not_recorded_for_them(self, thing: str) -> None:
        things = (ship("R-SB", "romulan", "1206", base=True), ship("R-FRD", "romulan", "1206", "frd"))
        cloaked, decoy = ship("R-WE", "romulan", "1206", "cloak"), ship("R-DC", "romulan", "raid-pool", "decoy")
        table = war(D7, cloaked, *things, decoy, CC, options={"decoys": True}).to("2B7")
        none = table.tries(C, "assign-decoy", decoy="R-DC", ship=thing)
        none.then_refused("decoy-needs-own-ship", rule="538.51", empire="romulan", ship=thing)
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-WE")


class Test6D3Speed:
    def test_distance_is_limited_by_the_scenario(self) -> None:
        fast = ship("Z-X", "kzinti", "0902", "x", speed=1)
        table = war(D7, CC, fast, options={"x_ships": True}).to("6D3")
        far = table.tries(A, "retrograde", units=["Z-X"], path=["0901", "0801"])
        far.then_refused("path-too-long", rule="6D3", limit=1, given=2)
        table.says(A, "retrograde", units=["Z-X"], path=["0901"])


class Test6D1Supply:
    def test_units_out_of_supply_do_not_go_back(self) -> None:
        base = ship("Z-PS", "kzinti", "0903", "pacification", base=True)
        table = war(D7, CC, ship("Z-FF", "kzinti", "0902"), base).to("6A").says(A, "check-supply", out=["Z-FF"])
        table.to("6D1")
        out = table.tries(A, "retrograde", units=["Z-FF"], path=["0903"])
        out.then_refused("reaction-out-of-supply", rule="6D1", unit="Z-FF")
        table.says(A, "retrograde", units=["Z-CC"], path=["0903"])


class Test10AEnemies:
    """446.14: no colony is established among enemies."""

    def test_colony_waits_while_an_enemy_is_there(self) -> None:
        paid = {"colony 1410": "paid by klingon", "colony 1409": "paid by klingon"}
        table = war(D7, ship("Z-FF", "kzinti", "1410"), CC, options={"colonies": True}, markers=paid).to("10A")
        there = table.tries(C, "colony", at="1410", empire="klingon")
        there.then_refused("enemy-in-hex", rule="10A", place="1410")
        table.says(C, "colony", at="1409", empire="klingon")


class Test11C1Where:
    """11C1: Orion ships are repaired in the pool, where 11A has brought them all."""

    def test_pirate_of_the_map_is_repaired_in_the_pool(self) -> None:
        lame = ship("O-P", "orion", "1505", crippled=True)
        table = war(D7, CC, lame, options={"orions": True}).to("11C1").says("orion", "orion-repair", unit="O-P", ep=0)
        assert (table.game.units["O-P"].at, table.game.units["O-P"].get("crippled")) == ("orion-pool", None)


class TestPursuers:
    """302.742: bases and docks do not pursue."""

    def test_dock_is_in_no_pursuit_force(self) -> None:
        dock = ship("Z-FRD", "kzinti", "1105", "frd")
        hunted, hunter = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105")
        table = battle(hunted, hunter, dock).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        table.done(A, answer="stay").done(A, answer="pursue")
        none = table.tries(A, "seal-pursuit", units=["Z-CC", "Z-FRD"])
        none.then_refused("cannot-pursue", rule="302.742", unit="Z-FRD")
        table.says(A, "seal-pursuit", units=["Z-CC"])

    def test_dock_alone_does_not_pursue(self) -> None:
        dock = ship("Z-FRD", "kzinti", "1105", "frd")
        table = battle(ship("K-D7", "klingon", "1105"), dock).to("5-7C", s5_7A1="stay", s5_7A2="retreat")
        assert "5-7B" not in table.steps()
        table.tries(A, "done", answer="pursue").then_refused(rule="5-7")
