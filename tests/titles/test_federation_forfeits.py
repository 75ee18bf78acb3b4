"""Check what a side of Federation & Empire forfeits by ending a step, in `status` and `done --until`."""

import re
from typing import Any

import pytest

from tests.face.domain import federation_and_empire_TITLE as TITLE, forfeited, forfeits
from tests.titles.federation_table import Line, War, says, ship, war
from tests.titles.test_federation_after_damage import CC as FOE, scored
from tests.titles.test_federation_phase_2 import COLONIES, costs, empires, next_own_turn
from tests.titles.test_federation_raids import raid_on_0902

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "1105")
SB = ship("K-SB", "klingon", "1206", base=True, repairs=1)
F5 = ship("K-F5", "klingon", "1206", crippled=True)
ONLY_KLINGONS = {"empires": [one for one in empires() if one["id"] != "romulan"]}
NO_DEBT = {"empires": [{**one, "debt": 0, "battleships": []} for one in ONLY_KLINGONS["empires"]]}


def subject(forfeit: str) -> str:
    """Return the step, if it is named, and the units, empires, places and numbers of a forfeit, without its words."""
    step = re.match(r"\w+: (?=.*: )", forfeit)
    about = forfeit.rpartition(": ")[2]
    return (step[0] if step else "") + re.sub(r"(?<=\d) [a-z]+ (?=\w)| [a-z]+ (?=\d)", " ", about)


def lost(table: War, side: str = C) -> tuple[str, ...]:
    """Return what the side would forfeit by ending the open step, by its subjects."""
    return tuple(map(subject, forfeits(TITLE, table.game, table.open[0], side)))


class TestForfeitsOfPhase1:
    def test_survey_points_until_they_are_counted(self) -> None:
        """Check 1B (505.21)."""
        surveyor = ship("K-SR", "klingon", "1501", survey=2)
        table = war(D7, surveyor, CC, options={"survey": True}).to("1B")
        assert lost(table) == ("2 klingon",)
        assert lost(table.says(C, "survey", empire="klingon")) == ()

    def test_income_of_each_empire_until_it_is_taken(self) -> None:
        """Check 1C3 (430.1)."""
        table = war(D7, CC).to("1C3")
        assert lost(table) == ("klingon, romulan",)
        assert lost(table.says(C, "income", ep=5, empire="klingon")) == ("romulan",)
        assert lost(table.says(C, "income", ep=0, empire="romulan", xtp=1)) == ()

    def test_income_is_forfeited_again_in_the_next_turn(self) -> None:
        """Check 1C3 (430.1)."""
        table = war(D7, CC).to("1C3").says(C, "income", ep=5, empire="klingon")
        assert lost(next_own_turn(table).to("1C3")) == ("klingon, romulan",)


class TestForfeitsOfPhase2:
    def test_crippled_ship_at_a_yard_with_room(self) -> None:
        """Check 2A2 (420.2)."""
        away = ship("K-E4", "klingon", "1306", crippled=True)
        table = war(SB, F5, away, CC).to("2A2")
        assert lost(table) == ("K-F5",)
        assert lost(table.says(C, "repair", unit="K-F5", ep=3)) == ()

    def test_crippled_ship_at_a_full_yard_forfeits_nothing(self) -> None:
        """Check 2A2 (420.2)."""
        table = war(SB, F5, {**F5, "id": "K-E4"}, CC).to("2A2").says(C, "repair", unit="K-F5", ep=3)
        assert lost(table) == ()

    def test_own_repair_of_a_base_takes_no_room_of_a_ship(self) -> None:
        """Check 2A2 (420.2): the base's repair is paid in 2A3, before a ship has used its room."""
        table = war({**SB, "crippled": True}, F5, CC).to("2A3").says(C, "repair", unit="K-SB", ep=4)
        assert table.game.units["K-SB"].get("repaired_by") == "K-SB"
        assert tuple(map(subject, forfeits(TITLE, table.game, "2A2", C))) == ("K-F5",)

    @pytest.mark.parametrize("harm", [{"sids": 2}, {"crippled": True}])
    def test_base_with_damage(self, harm: dict[str, Any]) -> None:
        """Check 2A3 (420.6)."""
        assert lost(war(D7, {**SB, **harm}, CC).to("2A3")) == ("K-SB",)
        assert lost(war(D7, SB, CC).to("2A3")) == ()

    def test_empire_that_builds_nothing(self) -> None:
        """Check 2B3 (431.0)."""
        table = war(D7, CC, **ONLY_KLINGONS).to("2B3")
        assert lost(table) == ("klingon 60 EP",)
        sides = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2}
        table.says(C, "build", unit="K-N", kind="F5", at="1206", ep=4, empire="klingon", **sides)
        assert lost(table) == ()

    def test_place_of_a_yard(self) -> None:
        """Check 2B3 (431.0)."""
        yards = [{"empire": "klingon", "at": "1206", "places": 2}]
        table = war(D7, CC, yards=yards, **ONLY_KLINGONS).to("2B3")
        assert lost(table) == ("2 1206",)
        sides = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2}
        table.says(C, "build", unit="K-N", kind="F5", at="1206", ep=4, empire="klingon", **sides)
        assert lost(table) == ("1 1206",)

    def test_colony_without_a_payment_or_its_next_stage(self) -> None:
        """Check 2B3, 3B5 (446.13), 10A (446.14)."""
        table = war(D7, CC, **COLONIES, **costs(colony=5)).to("2B7").says(C, "colony", at="1410", empire="klingon")
        assert lost(table.to("3B5")) == ("1410",)
        assert lost(table.says(C, "colony", at="1410", ep=5, empire="klingon")) == ()
        next_own_turn(table).to("2B3")
        assert "1410" in lost(table)
        assert "1410" not in lost(table.says(C, "colony", at="1410", empire="klingon"))
        assert lost(table.to("10A")) == ("1410",)
        assert lost(table.says(C, "colony", at="1410", empire="klingon")) == ()

    @pytest.mark.parametrize("step", ["2B4", "6E"])
    def test_fighters_that_are_not_replaced(self, step: str) -> None:
        """Check 2B4, 6E (501.5)."""
        carrier = ship("K-CV", "klingon", "1206", "fighters", fighters=6, fighters_gone=3)
        table = war(D7, carrier, CC).to(step)
        assert lost(table) == ("K-CV",)
        assert lost(table, A) == ()
        assert lost(table.says(C, "replace", unit="K-CV", what="fighters")) == ()

    def test_lost_gce_counts_in_2b4_alone(self) -> None:
        """Check 2B4 (521.22)."""
        carrier = ship("K-TR", "klingon", "1206", "gce")
        table = war(D7, carrier, CC).to("2B4")
        assert lost(table) == ("K-TR",)
        assert lost(table.to("6E")) == ()

    def test_roll_for_the_swarm(self) -> None:
        """Check 2B8 (514.1)."""
        table = war(D7, CC, options={"swarm": True}).to("2B8")
        assert lost(table) == ("the Swarm",)
        assert lost(table.says(C, "swarm", 1, unit="K-SW", at_least=6)) == ()

    def test_battleship_option(self) -> None:
        """Check 2B10 (436.2)."""
        able = empires(klingon={"battleships": ["lay down"]}, kzinti={"battleships": ["lay down"]})
        table = war(D7, CC, empires=able).to("2B10")
        assert lost(table) == ("klingon",)
        assert lost(table.says(C, "battleship", option="lay down", ep=1, empire="klingon")) == ()


class TestForfeitsOfLaterPhases:
    def test_raider_that_attacks_nothing(self) -> None:
        """Check 3A-2H (314.27)."""
        table = raid_on_0902().to("3A-2H")
        assert lost(table) == ("K-R1",)
        assert lost(table.says(C, "disrupt", unit="K-R1")) == ()

    def test_destroyed_unit_that_is_not_salvaged(self) -> None:
        """Check 5-6X7 (439.1)."""
        table = scored(12, ship("Z-FF", "kzinti", "1105"), FOE).says(A, "allot", unit="Z-FF", result="crippled")
        table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6X7")
        assert lost(table, A) == ("Z-FF",)
        assert lost(table, C) == ()
        assert lost(table.says(A, "receive", ep=1, source="salvage", unit="Z-FF"), A) == ()

    def test_reserve_marker(self) -> None:
        """Check 9A (507.1)."""
        able = empires(klingon={"reserves": 1})
        table = war(D7, CC, empires=able).to("9A")
        assert lost(table) == ("1 klingon",)
        assert lost(table.says(C, "form-reserve", fleet="North", units=["K-D7"])) == ()


class TestDoneUntil:
    """`done --until` lists what it forfeits, and stops where something is required."""

    def until(self, table: War, place: str, side: str = C) -> tuple[str, ...]:
        before = table.game
        line: Line = says(side, "done", until=place)
        return tuple(map(subject, forfeited(TITLE, before, side, table.give(line).then_accepted().events)))

    def test_until_3b2_lists_income_and_building(self) -> None:
        """Check 1C3 (430.1), 2B3 (431.0)."""
        table = war(D7, CC, **NO_DEBT).to("1C3")
        assert self.until(table, "2B11") == (
            "1C3: klingon",
            "2B3: klingon 60 EP",
        )

    def test_until_3b2_lists_nothing_after_all_is_used(self) -> None:
        table = war(D7, CC, **NO_DEBT).to("1C3").says(C, "income", ep=1, empire="klingon")
        sides = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2}
        table.to("2B3").says(C, "build", unit="K-N", kind="F5", at="1206", ep=4, empire="klingon", **sides)
        assert self.until(table, "2B11") == ()

    def test_until_3b2_stops_at_a_debt_without_interest(self) -> None:
        """Check 1C2 (447.3)."""
        table = war(D7, CC).to("1C2")
        table.tries(C, "done", until="3B2").then_refused("orders-required", rule="447.3")
        table.says(C, "state-interest", amount=1, empire="klingon")
        assert self.until(table, "3B2") == ("1C3: klingon, romulan",)
        assert table.open == ("1C4",)

    def test_word_stops_with_the_others_order_at_a_forfeit(self) -> None:
        """Federation & Empire 6E (501.5): the Alliance sees that it has lost fighters, and decides."""
        carrier = ship("Z-CV", "kzinti", "0902", "fighters", fighters=6, fighters_gone=3)
        table = war(D7, carrier, **NO_DEBT).to("6A")
        table.says(A, "done", until="10C").says(C, "done", until="10C")
        assert table.open == ("6E",)
        assert table.game.cursor.waiting() == (A,)
        assert self.until(table, "10C", A) == ("6E: Z-CV",)
        assert table.game.units["Z-CV"].number("fighters_gone") == 3
