"""Federation & Empire, read a third time: X-bases, cloaked decoys, the Raid Pool, interest, networks."""

import re
from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    STARTER,
    AccountChanged,
    ChoiceSealed,
    FederationScenario,
    MarkerSet,
    UnitMoved,
    federation_and_empire_TITLE as TITLE,
    left_to_table,
    neighbours,
)
from tests.titles.federation_table import BASE, Line, War, battle, ship, siege, war
from tests.titles.test_federation_withdrawal import CLOAKED, DECOYS
from umpire_ledger.kit import choice_key

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105")
XBASE = ship("Z-XB", "kzinti", "1105", "xbase", base=True, ew=4)
SCOUT = ship("Z-SC", "kzinti", "1105", "scout", ew=3)
X_SCOUT = ship("Z-XSC", "kzinti", "1105", "scout", "x", ew=3)


class Test54A2XBases:
    """5-4A4: X-bases choose their electronic warfare after the enemy has revealed its own."""

    def at_5_4a2(self, *units: Line) -> War:
        return battle(D7, CC, *units, options={"x_ships": True}).to("5-4A2")

    def test_x_base_in_5_4a2_is_refused(self) -> None:
        """Check 5-4A4 (523.44)."""
        table = self.at_5_4a2(XBASE)
        early = table.tries(A, "seal-ew", points=4, units=["Z-XB"])
        early.then_refused("chooses-later", rule="523.44", unit="Z-XB")
        table.tries(A, "seal-ew", points=0, units=["Z-XB"]).then_refused("chooses-later", rule="523.44")
        table.tries(A, "seal-ew", points=4, units=["Z-CC", "Z-XB"]).then_refused("chooses-later", rule="523.44")

    def test_x_base_chooses_in_5_4a4(self) -> None:
        """Check 5-4A4 (523.44)."""
        table = self.at_5_4a2(XBASE).says(A, "seal-ew", points=0).says(C, "seal-ew", points=0).to("5-4A4")
        table.tries(A, "shift-ew", shift=5).then_refused("wrong-shift", rule="5-4A4", own=0, theirs=0, limit=4)
        table.says(A, "shift-ew", shift=4).story.then(MarkerSet, marker="EW shift", after=(A, "4"))

    def test_base_that_is_not_an_x_base_seals_in_5_4a2(self) -> None:
        base = ship("Z-BATS", "kzinti", "1105", base=True, ew=4)
        self.at_5_4a2(base).says(A, "seal-ew", points=4, units=["Z-BATS"])

    @pytest.mark.parametrize(("sealed", "most"), [(3, 3), (0, 3)])
    def test_x_ship_counts_once_in_5_4a3(self, sealed: int, most: int) -> None:
        """Federation & Empire 5-4A3 (523.38): points sealed in 5-4A2 are not added to the shift again."""
        table = self.at_5_4a2(X_SCOUT).says(A, "seal-ew", points=sealed, units=["Z-XSC"]).says(C, "seal-ew", points=0)
        table.to("5-4A3").tries(A, "shift-ew", shift=most + 1).then_refused("wrong-shift", rule="5-4A3", limit=most)
        table.says(A, "shift-ew", shift=most)

    def test_x_ship_counts_with_a_scout_that_sealed(self) -> None:
        """Check 5-4A3 (523.38)."""
        table = self.at_5_4a2(X_SCOUT, SCOUT).says(A, "seal-ew", points=3, units=["Z-SC"]).says(C, "seal-ew", points=0)
        table.to("5-4A3").tries(A, "shift-ew", shift=7).then_refused("wrong-shift", rule="5-4A3", limit=6)
        table.says(A, "shift-ew", shift=6)


class Test53EDecoyPlaces:
    """5-3E (538.34): places are recorded of ships that have a cloaked decoy."""

    def sealing(self) -> War:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("2B7")
        return table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").to("5-3E")

    def test_ship_without_a_decoy_is_refused(self) -> None:
        table = self.sealing()
        none = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-WE rear"])
        none.then_refused("cannot-have-decoy", rule="538.34", ship="R-WE", units="R-KE", reason="no-decoy-in-force")
        table.tries(C, "seal-force", units=["R-KE"], decoys=["nonsense rear"]).then_refused(
            "cannot-have-decoy", rule="538.34", units="R-KE", reason="no-decoy-in-force"
        )

    def test_ship_outside_the_force_is_refused(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").to("5-3D").says(C, "seal-flagship", unit="R-WE")
        out = table.to("5-3E").tries(C, "seal-force", units=["R-WE"], decoys=["R-KE rear"])
        out.then_refused("none-can-have-decoy", rule="538.34", ship="R-KE", reason="no-decoy-in-force")

    def test_place_is_stated_once_for_each_ship(self) -> None:
        table = self.sealing()
        bare = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-KE"])
        bare.then_refused("ship-place-missing", rule="538.34", ship="R-KE")
        twice = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-KE rear", "R-KE van"])
        twice.then_refused("none-can-have-decoy", rule="538.34", ship="R-KE", reason="placed-already")

    @pytest.mark.parametrize("decoys", [["R-KE rear of the line"], []])
    def test_record_is_sealed_with_or_without_places(self, decoys: list[str]) -> None:
        table = self.sealing().says(C, "seal-force", units=["R-KE", "R-WE"], decoys=decoys)
        table.story.then(ChoiceSealed, question="decoy places", side=C)
        assert table.game.choices[choice_key("decoy places", C)].choice == tuple(decoys)

    def test_decoy_recorded_in_5_1c_counts(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC2 R-WE"]).to("5-3E")
        table.says(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-WE van"])


class Test2B7OnlyRomulans:
    """2B7 (538.51): the Romulans alone assign cloaked decoys."""

    FALSE = ship("K-DC", "klingon", "raid-pool", "decoy")

    def assigning(self, *units: Line) -> War:
        return war(D7, CC, *units, options={"decoys": True, "raids": True}).to("2B7")

    def test_decoy_of_another_empire_is_refused(self) -> None:
        """Check 2B7 (538.51)."""
        table = self.assigning(self.FALSE)
        table.tries(C, "assign-decoy", decoy="K-DC", ship="K-D7").then_refused("only-romulan-decoys", rule="538.51")
        assert not table.game.choices

    def test_decoy_of_another_empire_joins_no_pool(self) -> None:
        """Check 2B7 (538.51)."""
        table = self.assigning({**self.FALSE, "at": "1105"})
        table.tries(C, "pool", unit="K-DC").then_refused("not-ship-nor-team", rule="538.51", unit="K-DC")

    def test_decoy_of_another_empire_is_not_recorded_in_5_1c(self) -> None:
        """Check 5-1C (538.31)."""
        table = war(CC, *CLOAKED, *DECOYS, self.FALSE, D7, options={"decoys": True}).to("5-1C/decoys")
        other = table.tries(C, "record-decoys", places=["K-DC K-D7"])
        other.then_refused("decoy-seen-already", rule="538.31", decoy="K-DC")
        table.says(C, "record-decoys", places=["R-DC1 R-KE"])

    def test_romulan_decoy_of_the_same_side_is_assigned(self) -> None:
        table = self.assigning(*CLOAKED, *DECOYS, self.FALSE)
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").story.then(ChoiceSealed, question="decoy R-DC1")


class Test3A5BWhere:
    """3A-5B (314.12): the page prints no limit on the hex; `pool-to-own` is a house value."""

    def in_3a_5b(self, **numbers: Any) -> War:
        pooled, foe = ship("K-E4", "klingon", "raid-pool"), ship("Z-FF", "kzinti", "1003")
        given = {name: {"value": value, "source": "our group"} for name, value in numbers.items()}
        more = {"numbers": given} if given else {}
        return war(D7, pooled, CC, foe, options={"raids": True}, **more).to("3A-5B")

    def test_ship_leaves_to_its_side_by_default(self) -> None:
        table = self.in_3a_5b()
        table.tries(C, "pool", unit="K-E4", to="1304").then_refused(
            "nothing-of-yours-there", rule="314.12", place="1304"
        )
        table.says(C, "pool", unit="K-E4", to="1306").story.then(UnitMoved, unit="K-E4")

    def test_ship_leaves_anywhere_if_the_scenario_says_so(self) -> None:
        table = self.in_3a_5b(**{"pool-to-own": 0})
        table.says(C, "pool", unit="K-E4", to="1304").story.then(UnitMoved, unit="K-E4")

    @pytest.mark.parametrize("own", [0, 1])
    def test_ship_never_leaves_to_a_hex_of_the_enemy(self, own: int) -> None:
        table = self.in_3a_5b(**{"pool-to-own": own})
        table.tries(C, "pool", unit="K-E4", to="1003").then_refused("enemy-in-hex", rule="314.12", place="1003")


class Test1C2Required:
    """1C2 (447.3): the interest on a debt is stated, so that 1C4 asks for it."""

    def test_debt_without_a_rate_keeps_1c2_open(self) -> None:
        table = war(D7, CC).to("1C2")
        table.tries(C, "done").then_refused("orders-required", rule="447.3", orders=("state-interest",))
        assert table.open == ("1C2",)

    def test_interest_of_zero_is_an_answer(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=0, empire="klingon").done(C)
        table.to("1C5")
        assert "1C4" not in table.steps()

    def test_stated_interest_opens_1c4(self) -> None:
        """Check 1C4 (447.3)."""
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=2, empire="klingon").done(C).to("1C4")
        table.must(C, "pay-interest", "2 EP of klingon", rule="447.3")
        table.says(C, "pay-interest", empire="klingon").story.then(AccountChanged, account="klingon/interest", after=0)

    def test_zero_may_be_stated_again_as_another_amount(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=0, empire="klingon")
        table.says(C, "state-interest", amount=1, empire="klingon").says(
            C, "state-interest", amount=0, empire="klingon"
        )
        assert table.game.accounts["klingon/interest"] == 0
        table.done(C)

    def test_rate_states_it_and_1c2_may_be_left(self) -> None:
        rate = {"interest": {"percent": 1, "source": "made up"}}
        table = war(D7, CC, **rate).to("1C2").done(C)
        assert table.open == ("1C3",)

    def test_other_side_states_nothing(self) -> None:
        table = war(D7, CC).to("1C2")
        table.tries(A, "state-interest", amount=1, empire="klingon").then_refused("step-of-another-side", rule="1C2")

    def test_interest_is_required_in_each_turn(self) -> None:
        table = siege().to("1C2")
        first = table.game.turn
        table.says(C, "state-interest", amount=0, empire="klingon").done(C).to("1C2")
        assert table.game.turn == first + 1
        table.tries(C, "done").then_refused("orders-required", rule="447.3")


def ours(**numbers: int) -> Line:
    """Return numbers that the scenario sets, with `_` for `-`."""
    return {"numbers": {name.replace("_", "-"): {"value": one, "source": "our group"} for name, one in numbers.items()}}


class TestLimitsThatNoPagePrints:
    """A limit that the page does not print is a number that a scenario may set."""

    RAIDER = ship("K-E4", "klingon", "raid-pool")

    def raiding(self, **more: Any) -> War:
        table = war(self.RAIDER, D7, CC, ship("Z-FF", "kzinti", "1003"), options={"raids": True}, **more).to("3A-2B")
        return table.says(C, "raid", unit="K-E4", path=["1003"]).to("3A-2C")

    @pytest.mark.parametrize("moves", [0, 1])
    def test_raider_moves_if_the_scenario_says_so(self, moves: int) -> None:
        """Check 3B2."""
        raider = ship("K-DR", "klingon", "1206", "drone", raid_cost=0)
        table = war(raider, CC, options={"raids": True}, **ours(raiders_move=moves)).to("3A-3A")
        table.says(C, "raid", unit="K-DR").to("3A-3B").says(C, "raid", unit="K-DR", path=["1205"]).to("3B2")
        story = table.tries(C, "move-units", units=["K-DR"], path=list(neighbours(table.game.units["K-DR"].at)[:1]))
        story.then_accepted() if moves else story.then_refused("raided-this-turn", rule="3B2")

    def test_special_raider_of_the_pool_goes_to_its_hex(self) -> None:
        """Check 3A-3B (320.311), 3A-3J (314.273)."""
        pooled = ship("K-DR", "klingon", "raid-pool", "drone", raid_cost=0)
        table = war(pooled, D7, CC, ship("Z-FF", "kzinti", "1003"), options={"raids": True}).to("3A-3A")
        table.says(C, "raid", unit="K-DR").to("3A-3B")
        table.must(C, "raid", "K-DR", rule="320.311")
        table.says(C, "raid", unit="K-DR", path=["1003"]).to("3A-3J").says(C, "recall", unit="K-DR")
        assert (table.game.units["K-DR"].at, table.game.units["K-DR"].get("raid_kind")) == ("raid-pool", None)

    def test_second_police_ship_answers_if_the_scenario_says_so(self) -> None:
        """Check 3A-2C (314.243)."""
        call = {"at": "1003", "police": True, "empire": "kzinti"}
        table = self.raiding(**ours(police_per_raid=2)).says(A, "answer-raid", unit="Z-P1", **call)
        table.says(A, "answer-raid", unit="Z-P2", **call)
        table.tries(A, "answer-raid", unit="Z-P3", **call).then_refused("police-called-already", rule="314.243")

    def test_police_of_raids_before_do_not_count(self) -> None:
        """Federation & Empire 3A-3C (314.243): normal and special raids are answered separately."""
        drones = ship("K-DR", "klingon", "raid-pool", "drone", raid_cost=0)
        more = {"options": {"raids": True}, **ours(police_per_raid=2)}
        table = war(self.RAIDER, drones, D7, CC, ship("Z-FF", "kzinti", "1003"), **more).to("3A-2B")
        table.says(C, "raid", unit="K-E4", path=["1003"]).to("3A-2C")
        call = {"at": "1003", "police": True, "empire": "kzinti"}
        table.says(A, "answer-raid", unit="Z-P1", **call).says(A, "answer-raid", unit="Z-P2", **call)
        table.to("3A-3A").says(C, "raid", unit="K-DR").to("3A-3B").says(C, "raid", unit="K-DR", path=["1003"])
        table.to("3A-3C").says(A, "answer-raid", unit="Z-P3", **call).says(A, "answer-raid", unit="Z-P4", **call)
        table.tries(A, "answer-raid", unit="Z-P5", **call).then_refused("police-called-already", rule="314.243")

    def test_single_police_ship_answers_by_default(self) -> None:
        """Check 3A-2C (314.243)."""
        call = {"at": "1003", "police": True, "empire": "kzinti"}
        table = self.raiding().says(A, "answer-raid", unit="Z-P1", **call)
        table.tries(A, "answer-raid", unit="Z-P2", **call).then_refused("police-called-already", rule="314.243")

    def test_empire_builds_anywhere_if_the_scenario_says_so(self) -> None:
        """Check 2B3 (431.0)."""
        sides = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2}
        build = {"unit": "K-N", "kind": "F5", "at": "1410", "ep": 4, "empire": "klingon", **sides}
        war(D7, CC).to("2B3").tries(C, "build", **build).then_refused(
            "nothing-of-empire-there", rule="431.0", at="1410"
        )
        free = war(D7, CC, ship("Z-FF", "kzinti", "1003"), **ours(build_at_own=0)).to("2B3").says(C, "build", **build)
        free.tries(C, "build", **{**build, "unit": "K-M", "at": "1003"}).then_refused("enemy-in-hex", rule="2B3")

    def test_base_is_begun_anywhere_if_the_scenario_says_so(self) -> None:
        """Check 3B6 (510.22)."""
        deploy = {"unit": "K-MB", "kind": "MB", "at": "1410", "ep": 1, "empire": "klingon"}
        away = war(D7, CC).to("3B6").tries(C, "deploy", **deploy)
        away.then_refused("nothing-there", rule="510.22", empire="klingon", place="1410", places="1306")
        free = war(D7, CC, ship("Z-FF", "kzinti", "1003"), **ours(begin_at_own=0)).to("3B6")
        free.tries(C, "deploy", **{**deploy, "at": "1003"}).then_refused(
            "enemy-in-empire-place", rule="510.22", place="1003"
        )
        free.says(C, "deploy", **deploy)


class TestLeftToTheTable:
    """8A (204.2), 7B (422.3): an empire without `nodes` is named to the referee."""

    def named(self, **changes: Any) -> dict[str, list[str]]:
        """Return the empires named in each line, by its path."""
        scenario = msgspec.convert({**BASE, **changes}, FederationScenario)
        empires = [one["id"] for one in BASE["empires"]]
        return {
            one.path: [empire for empire in empires if re.search(rf"\b{empire}\b", one.what)]
            for one in left_to_table(TITLE, scenario)
        }

    def test_empires_without_nodes_are_named(self) -> None:
        silent = [one["id"] for one in BASE["empires"] if one["side"] != "orion"]
        assert self.named()["$.empires[0].nodes"] == silent

    def test_empires_with_nodes_are_not_named(self) -> None:
        whole = {"nodes": ("1306",), "supply_points": ("1306",)}
        assert self.named(empires=[{**one, **whole} for one in BASE["empires"]]) == {}

    def test_empire_without_nodes_is_named_at_its_line(self) -> None:
        whole = {"nodes": ("1306",), "supply_points": ("1306",)}
        empires = [
            {**one, **(whole if at != 1 else {"supply_points": ("1306",)})} for at, one in enumerate(BASE["empires"])
        ]
        assert self.named(empires=empires) == {"$.empires[1].nodes": [BASE["empires"][1]["id"]]}

    def test_template_has_nodes(self) -> None:
        assert [empire["id"] for empire in STARTER["empires"] if not empire["nodes"]] == []
        assert len(STARTER["empires"]) > 1
