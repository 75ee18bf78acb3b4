"""Check Federation & Empire label by label: second stories, with a refusal for each accepted order."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    StepPassed,
    UnitChanged,
    federation_and_empire_TITLE as TITLE,
    offers,
    open_steps,
)
from tests.titles.federation_table import Line, War, battle, says, ship, steps_named, war

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
HERE, THERE = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105")
FF, KE = ship("Z-FF", "kzinti", "1105"), ship("R-KE", "romulan", "1105", "cloak")
BATS = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
SB = ship("K-SB", "klingon", "1206", "starbase", base=True)
SFG, ASFG = ship("K-D7A", "klingon", "1105", "sfg"), ship("Z-D7A", "kzinti", "1105", "sfg")
R1, R2 = ship("K-R1", "klingon", "raid-pool"), ship("K-R2", "klingon", "raid-pool")
RAIDS = {"options": {"raids": True, "pacification": True}}


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def next_own_turn(table: War) -> War:
    return table.to("10D").done(A, C).to("10D").done(A, C)


GENERAL, POOLED = ship("K-GEN", "klingon", "1206", "leader", "general"), ship("K-R9", "klingon", "raid-pool")
OFFERED: dict[str, tuple[list[Line], Line]] = {
    "1H": (
        [ship("K-FDU", "klingon", "1206", "forward")],
        says(C, "support", unit="K-FDU", line="forward defense"),
    ),
    "2B4": ([ship("K-PFT", "klingon", "1206", pfs_gone=2)], says(C, "replace", unit="K-PFT", what="PFs")),
    "2B7": ([], says(C, "colony", at="1206", empire="klingon")),
    "2B11": ([], says(C, "scuttle", unit="K-D7")),
    "3A-1A": ([GENERAL, POOLED], says(C, "transfer-leader", leader="K-GEN", ship="K-R9")),
    "3A-3A": ([ship("K-FI", "klingon", "1306", "fighter")], says(C, "raid", unit="K-FI")),
    "3A-4Q": ([], says(C, "sell-ship", unit="K-D7", ep=3)),
    "3B4": ([], says(C, "sell-ship", unit="K-D7", ep=3)),
    "8A": (
        [ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"), ship("K-D5", "klingon", "1305")],
        says(C, "transfer-leader", leader="K-ADM", ship="K-D5"),
    ),
    "10D": ([], says(C, "scuttle", unit="K-D7")),
}
"""By step: units of the story, and an order that the page lets through."""


class TestWhatIsAllowedIsNamed:
    """`status`, `allowed here` and the help of `order` name acceptable orders in each of their forms."""

    @pytest.mark.parametrize("step", OFFERED)
    def test_allowed_order_is_offered_and_taken(self, step: str) -> None:
        units, line = OFFERED[step]
        table = war(D7, CC, *units, options={"raids": True, "wyn": True, "colonies": True}).to(step)
        assert line["order"] in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)
        table.give(line).then_accepted()

    def test_scuttling_or_selling_is_not_offered_without_a_unit(self) -> None:
        table = war(ship("K-BATS", "klingon", "1206", base=True), CC, options={"wyn": True}).to("3B4")
        assert "sell-ship" not in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)
        alone = war(ship("K-ADM", "klingon", "1206", "leader"), CC).to("2B11")
        assert "scuttle" not in offers(TITLE, alone.game, open_steps(TITLE, alone.game)[0], C)

    def test_ways_out_of_a_hex_with_a_new_station_are_named(self) -> None:
        table = war(D7, ship("Z-FF", "kzinti", "1003"), CC, **RAIDS).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        assert "move-units" in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], A)
        table.to("3A-6D")
        assert "move-units" in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)


class Test1C1Loans:
    """447.2: the debt of a turn is the last one's with what was borrowed since; the limit is a turn's."""

    def test_borrowed_money_becomes_debt_and_the_limit_is_reset(self) -> None:
        table = war(D7, CC).to("1C5").says(C, "borrow", ep=3, empire="klingon")
        assert next_own_turn(table).to("1C2").game.accounts["klingon/debt"] == 13
        late = table.tries(C, "borrow", ep=1, empire="klingon")
        late.then_refused("not-allowed-now", rule="1C2", orders=("state-interest", "roll", "mark"))
        assert steps_named(late) == ["1C5"]
        table.to("1C5").says(C, "borrow", ep=10, empire="klingon")


class Test1DMarkedAnew:
    """507.1: a removed marker may be placed again; a marker in place is not placed twice."""

    def test_marker_is_placed_once_in_each_own_turn(self) -> None:
        table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"])
        twice = table.tries(C, "form-reserve", fleet="Other", units=["K-D7"])
        twice.then_refused("in-a-reserve", rule="507.1", unit="K-D7", fleet="Home")
        next_own_turn(table).to("9A").says(C, "form-reserve", fleet="Other", units=["K-D7"])


class Test2A4LostMeanwhile:
    """420.52: the flip is for whom it was paid, once; a second payment in the same turn is refused."""

    def test_repair_is_paid_once_and_the_yard_is_free_next_turn(self) -> None:
        lame = [ship(f"K-F{n}", "klingon", "1206", crippled=True) for n in (1, 2)]
        table = war({**SB, "repairs": 1}, *lame, CC).to("2A2").says(C, "repair", unit="K-F1", ep=1)
        twice = table.tries(C, "repair", unit="K-F1", ep=1)
        twice.then_refused("cannot-be-repaired", rule="420.2", unit="K-F1", reason="paid-already")
        full = table.tries(C, "repair", unit="K-F2", ep=1)
        full.then_refused("no-yard-with-room", rule="420.2", yards="K-SB repairs 1 of 1")
        next_own_turn(table).to("2A2").says(C, "repair", unit="K-F2", ep=1).to("2B1")
        assert [table.game.units[one].get("crippled") for one in ("K-F1", "K-F2")] == [None, None]


class Test5S1Once:
    """302.1: before the first round alone."""

    def test_later_rounds_have_no_withdrawal(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").to("5-3A", s5_7A2="stay")
        late = table.tries(A, "withdraw", units=["Z-CC"], path=["1104"])
        late.then_refused(
            "not-allowed-now",
            rule="5-3A",
            order="withdraw",
            orders=("check-supply", "roll", "mark", "done"),
        )
        assert steps_named(late) == ["5-1C"]


class Test52A1Asked:
    """306.3: the attacker's cloaks, not the defender's; said openly once it holds for the hex."""

    def test_defender_is_not_asked(self) -> None:
        table = war(KE, BATS, THERE).to("5-2A1")
        table.tries(A, "done", answer="cloak").then_refused("step-of-another-side", rule="306.3", sides="Coalition")
        table.done(C, answer="go openly")
        assert table.open == ("5-2A2",)

    def test_cloaks_of_the_defender_do_not_count(self) -> None:
        table = war(HERE, ship("Z-KE", "kzinti", "1105", "cloak"), BATS)
        assert passed(table.to("5-2A2"), "5-2A1")


class Test52A2Later:
    """A3: compulsory in the first round, open in later ones."""

    def test_offer_is_optional_in_the_second_round(self) -> None:
        table = war(HERE, BATS, THERE).to("5-7A1").to("5-2A2", s5_7A2="stay").done(C, answer="no offer")
        assert table.open == ("5-2B1",)


class Test54A7ATwoOwners:
    """312.221: each owner declares their own attempts once, and rolls for them."""

    def both(self) -> War:
        table = battle(HERE, SFG, THERE, ASFG).to("5-4A7A")
        table.says(A, "declare-stasis", attempts={"Z-D7A": "K-D7"})
        return table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})

    def test_other_side_declares_too(self) -> None:
        table = battle(HERE, SFG, THERE, ASFG).to("5-4A7A").says(A, "declare-stasis", attempts={"Z-D7A": "K-D7"})
        again = table.tries(A, "declare-stasis", attempts={"Z-D7A": "K-D7A"})
        again.then_refused("step-of-another-side", rule="5-4A7A", sides="Coalition")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        assert table.game.markers["stasis"] == ("Z-D7A K-D7", "K-D7A Z-CC")

    def test_owner_of_an_attempt_rolls(self) -> None:
        table = self.both()
        table.tries(C, "roll-stasis", 1).then_refused("step-of-another-side", rule="5-4A7B", sides="Alliance")
        table.says(A, "roll-stasis", 1)
        table.tries(A, "roll-stasis", 1).then_refused("step-of-another-side", rule="5-4A7B", sides="Coalition")
        table.says(C, "roll-stasis", 1)
        assert [table.game.units[one].get("frozen") for one in ("K-D7", "Z-CC")] == ["Z-D7A", "K-D7A"]

    def test_breakdown_voids_the_attempts_of_both(self) -> None:
        """Check 312.223: all attempts of the round are void."""
        table = self.both().says(A, "roll-stasis", 1).says(C, "roll-stasis", 6)
        assert table.game.units["K-D7"].get("frozen") is None
        assert table.open == ("5-4C3",)


class Test54A7CShielded:
    """525.74E: a ship that a web caster protects is not frozen by a random result either."""

    def test_random_die_freezes_no_shielded_ship(self) -> None:
        caster = ship("T-D", "tholian", "1105", "web")
        table = battle(HERE, SFG, THERE, caster, options={"web": True}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "T-D"})
        table.says(A, "cast-web", caster="T-D", target="Z-CC").done(A).says(C, "roll-stasis", 5)
        table.says(C, "name-targets", targets=["Z-CC", "T-D", "K-D7"]).says(A, "name-targets", targets=["K-D7A"])
        table.says(C, "roll-target", 2)
        assert [unit.id for unit in table.game.in_play() if unit.get("frozen")] == []


class Test54A7EGivers:
    """312.211: any unit that gave electronic warfare counts, scout or not."""

    def test_x_ship_that_gives_points_counts(self) -> None:
        giver = ship("Z-X", "kzinti", "1105", "x", ew=2)
        table = battle(HERE, SFG, THERE, giver).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-X"})
        table.says(C, "roll-stasis", 1)
        assert table.open == ("5-4A7E",)

    def test_ship_without_points_does_not_count(self) -> None:
        table = battle(HERE, SFG, THERE).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        assert passed(table.says(C, "roll-stasis", 1).to("5-4C3"), "5-4A7E")


class Test54DUsed:
    """305.21: one in a round; a used prize does not help again."""

    def test_second_prize_waits_for_another_round(self) -> None:
        prizes = [ship(f"Z-P{n}", "kzinti", "1105", "captured", side=A) for n in (1, 2)]
        table = battle(HERE, THERE, *prizes).to("5-4C2").says(A, "use-captured", unit="Z-P1")
        two = table.tries(A, "use-captured", unit="Z-P2")
        two.then_refused("bonus-given-already", rule="305.21", unit="Z-P1")
        table.to("5-7A1").to("5-4C2", s5_7A2="stay")
        table.tries(A, "use-captured", unit="Z-P1").then_refused("unit-removed", rule="5-4C2", unit="Z-P1")
        table.says(A, "use-captured", unit="Z-P2")


class Test54EOtherHex:
    """308.2: points of another hex wait there."""

    def test_minus_points_of_another_hex_are_not_taken(self) -> None:
        table = battle(HERE, THERE, accounts={"coalition/minus 0902": 5}).to("5-4C4").says(C, "score", points=2)
        table.to("5-5B", passed=True)
        assert table.game.accounts["coalition/damage"] == 2
        assert table.game.accounts["coalition/minus 0902"] == 5


class Test54GAsked:
    """308.3: if the scenario has no number, the attacker states it in each approach battle."""

    def test_attacker_states_the_number(self) -> None:
        table = war(HERE, BATS, THERE).to("5-2A3").done(A, answer="accept").to("5-4G")
        table.tries(A, "done", answer="too little").then_refused(
            "step-of-another-side", rule="308.3", sides="Coalition"
        )
        table.done(C, answer="enough")
        assert table.closed("5-4G").answer == "enough"


class Test55CTwice:
    """302.5: one unit a side and round, for points that are there."""

    def test_directing_needs_points_and_is_done_once(self) -> None:
        more = ship("K-D6", "klingon", "1105")
        table = battle(HERE, more, {**THERE, "attack": 40}).to("5-4C4").says(A, "score", points=12).to("5-5C")
        dear = table.tries(A, "direct", unit="K-D7", result="destroyed")
        dear.then_refused("too-few-damage-points", rule="302.5", given=18, limit=12)
        table.says(A, "direct", unit="K-D7", result="crippled")
        twice = table.tries(A, "direct", unit="K-D6", result="crippled")
        twice.then_refused("one-target-a-round", rule="302.5")


class Test57A3Whose:
    """302.71: the defender's last chance is not the attacker's."""

    def test_attacker_waits_again(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="stay")
        table.tries(C, "done", answer="retreat").then_refused("step-of-another-side", rule="302.71", sides="Alliance")
        table.done(A, answer="stay").to("5-3A")


class Test58BWhose:
    """302.8: the pursuer's die, one."""

    def pursued(self) -> War:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        return table.done(A, answer="stay").done(A, answer="pursue").to("5-8B")

    def test_only_the_pursuer_rolls_and_only_once(self) -> None:
        table = self.pursued()
        table.tries(C, "roll-pursuit", 4).then_refused("step-of-another-side", rule="5-8B", sides="Alliance")
        table.says(A, "roll-pursuit", 4)
        again = table.tries(A, "roll-pursuit", 6)
        again.then_refused("pursuit-rolled-already", rule="5-8B")

    def test_pursuer_announces_what_it_brought(self) -> None:
        table = self.pursued().to("5-8C")
        table.tries(C, "done", answer="failure").then_refused("step-of-another-side", rule="5-8C", sides="Alliance")
        table.done(A, answer="success")
        assert table.open == ("5-8D",)


class Test58LFromTheHex:
    """302.72: out of the hex, each ship, hex by hex."""

    def test_gaps_and_the_way_back_are_refused(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        table.done(A, answer="stay").done(A, answer="pursue").to("5-8L")
        gap = table.tries(C, "retreat", units=["K-D7"], path=["1107"])
        gap.then_refused("path-gap", rule="5-8L", gap="1105 to 1107")
        back = table.tries(C, "retreat", units=["K-D7"], path=["1106", "1105"])
        back.then_refused("path-ends-where-it-began", rule="302.72", place="1105")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.game.units["K-D7"].at == "1106"


class Test3A6BAway:
    """544.231: withdrawing units leave the hex, and do not enter a hex that the enemy holds [reading]."""

    def test_withdrawal_avoids_the_station_and_enemies(self) -> None:
        away = ship("Z-FF", "kzinti", "1003")
        table = war(D7, ship("K-F5", "klingon", "1004"), away, CC, **RAIDS).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        round_about = table.tries(A, "move-units", units=["Z-FF"], path=["1002", "1003"])
        round_about.then_refused("move-ends-where-it-began", rule="544.231", place="1003")
        among = table.tries(A, "move-units", units=["Z-FF"], path=["1004"])
        among.then_refused("enemy-at-end", rule="544.231", place="1004")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"])


class Test3A2JToThePool:
    """314.273: a raider of the pool comes back there after any raid."""

    def test_raider_comes_back_without_a_path(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-2B").says(C, "raid", unit="K-R1", path=["1003"]).to("3A-2J")
        away = table.tries(C, "recall", unit="K-R1", path=["1004"])
        away.then_refused("returns-to-pool", rule="314.273")
        theirs = table.tries(C, "recall", unit="K-D7")
        theirs.then_refused("not-out-raiding", rule="314.273", unit="K-D7")
        table.says(C, "recall", unit="K-R1").done(C)


class Test3A3KElsewhere:
    """537.3: rebellions here, sabotage and infiltration before."""

    def test_missions_have_a_step_of_their_own(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-1B")
        early = table.tries(C, "resist", kind="rebellion", at="0902")
        early.then_refused("mission-not-tried-here", rule="537.3", kind="rebellion")
        table.to("3A-3K")
        late = table.tries(C, "resist", 4, kind="sabotage", at="0902", at_least=4)
        late.then_refused("mission-not-tried-here", rule="537.3", kind="sabotage")
        table.says(C, "resist", 4, kind="rebellion", at="0902", at_least=4)
        table.says(C, "resist", 4, kind="rebellion", at="0903", at_least=4)


class Test3A4FSound:
    """314.244, 320.54: a runner that is neither crippled nor beaten off continues its mission."""

    def runners(self) -> War:
        table = war(R1, R2, D7, CC, ship("Z-FF", "kzinti", "1003"), **RAIDS).to("3A-4A")
        table.says(C, "raid", unit="K-R1").says(C, "raid", unit="K-R2").to("3A-4C")
        return table.says(C, "raid", unit="K-R1", path=["1003"]).says(C, "raid", unit="K-R2", path=["1003"])

    def test_sound_runner_is_not_called_back(self) -> None:
        table = self.runners().to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.rolled().says(C, "suffer", unit="K-R1", outcome="retreats").to("3A-4F")
        sound = table.tries(C, "recall", unit="K-R2")
        sound.then_refused("goes-on-with-mission", rule="314.244", unit="K-R2")
        table.says(C, "recall", unit="K-R1").done(C)
        assert table.open == ("3A-4H",)

    def test_tried_runner_is_safe_on_the_way_out(self) -> None:
        table = self.runners().to("3A-4D").says(A, "roll-intercept", 1, runner="K-R1", at_least=4, units=["Z-FF"])
        table.to("3A-4K")
        again = table.tries(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"])
        again.then_refused("runner-tried-already", rule="320.54", runner="K-R1", way="in")
        table.says(A, "roll-intercept", 6, runner="K-R2", at_least=4, units=["Z-FF"]).to("3A-4L")
        table.rolled().says(C, "suffer", unit="K-R2", outcome="retreats").to("3A-4M")
        sound = table.tries(C, "recall", unit="K-R1")
        sound.then_refused("goes-on-with-mission", rule="314.244", unit="K-R1")
        table.says(C, "recall", unit="K-R2")

    def test_runner_hurt_on_the_way_in_is_not_asked_again(self) -> None:
        """Skip 3A-4M, because no runner was caught in 3A-4L on the way out."""
        table = self.runners().to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.rolled().says(C, "suffer", unit="K-R1", outcome="retreats").to("3A-4F").done(C).to("3A-4P")
        assert "3A-4M" not in table.steps()

    def test_runner_hurt_on_the_way_out_is_called_back_alone(self) -> None:
        table = self.runners().to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.rolled().says(C, "suffer", unit="K-R1", outcome="retreats").to("3A-4F").done(C).to("3A-4K")
        table.says(A, "roll-intercept", 6, runner="K-R2", at_least=4, units=["Z-FF"]).to("3A-4L")
        table.rolled().says(C, "suffer", unit="K-R2", outcome="retreats").to("3A-4M")
        earlier = table.tries(C, "recall", unit="K-R1")
        earlier.then_refused("goes-on-with-mission", rule="314.244", unit="K-R1")
        table.says(C, "recall", unit="K-R2")


class Test3B5Payments:
    """446.13: the first payment here, further ones in 2B3; each from the purse."""

    def test_payments_are_limited_by_the_purse_and_continue_in_2b3(self) -> None:
        purse: dict[str, Any] = {"options": {"colonies": True}}
        table = war(D7, CC, **purse).to("2B7").says(C, "colony", at="1306", empire="klingon").to("3B5")
        dear = table.tries(C, "colony", at="1306", ep=61, empire="klingon")
        dear.then_refused("too-few-economic-points", rule="430.1", given=61, limit=60)
        table.says(C, "colony", at="1306", ep=4, empire="klingon")
        next_own_turn(table).to("2B3").says(C, "colony", at="1306", ep=2, empire="klingon")
        table.story.then(AccountChanged, account="klingon/EP", amount=-2)


class Test56FOnce:
    """512.32: a pair of 5-3G, the cripple out of the web and the tow over."""

    def test_cripple_is_out_and_the_ship_tows_no_further(self) -> None:
        hurt = ship("K-E4", "klingon", "1105", crippled=True)
        table = battle(HERE, hurt, THERE, options={"web": True}, markers={"webs": ["1105"]}).to("5-3E")
        table.says(C, "seal-force", units=["K-D7", "K-E4"], in_web=["K-E4"]).to("5-3G")
        table.says(C, "tow", ship="K-D7", cripple="K-E4").to("5-6F").says(C, "pull-out", ship="K-D7")
        table.story.then(UnitChanged, unit="K-E4", attribute="in_web", after=None)
        again = table.tries(C, "pull-out", ship="K-D7")
        again.then_refused("tows-nobody", rule="512.32", ship="K-D7")


class Test7DTug:
    """422.8: a tug goes home; a repair ship that was sent away repairs nothing until it is deployed again."""

    def test_tug_may_be_deployed_again_in_the_next_turn(self) -> None:
        lame = ship("K-F1", "klingon", "1206", crippled=True)
        repairer = ship("K-RS", "klingon", "off-map", "repair")
        table = war(D7, lame, repairer, CC).to("7B").says(C, "deploy-repair", unit="K-RS", at="1206").to("8A")
        gone = next_own_turn(table).to("7C").tries(C, "field-repair", repairer="K-RS", unit="K-F1", ep=1)
        gone.then_refused("not-deployed", rule="422", repairer="K-RS")


class Test11APool:
    """11A: only the Orions' own; a leased ship comes home in 11B."""

    def test_leased_ship_is_not_recovered_as_a_pirate(self) -> None:
        table = war(D7, CC, ship("O-LR", "orion", "orion-pool"), options={"orions": True}).to("11F")
        table.says(ORION, "offer-lease", unit="O-LR").to("11G").says(C, "seal-bid", ep=1, empire="klingon")
        table.says(A, "seal-bid", ep=0).says(C, "lease", unit="O-LR", at="1206").to("11H")
        theirs = table.tries(ORION, "pirate", unit="O-LR", at="1505")
        theirs.then_refused("unit-of-another-side", rule="504.34", side="Coalition")
        table.to("11C1")
        assert (table.game.units["O-LR"].side, table.game.units["O-LR"].at) == (ORION, "orion-pool")


class Test2B1InService:
    """434.0: paid in its own hex, and in service from then on."""

    def test_unpaid_unit_stays_in_mothballs(self) -> None:
        old = ship("K-OLD", "klingon", "1306", mothballed=True)
        table = war(D7, old, CC).to("2B1")
        dear = table.tries(C, "activate", unit="K-OLD", ep=61)
        dear.then_refused("too-few-economic-points", rule="430.1", given=61, limit=60)
        theirs = table.tries(A, "activate", unit="K-OLD", ep=1)
        theirs.then_refused("step-of-another-side", rule="434.0", seat="alliance")
        table.says(C, "activate", unit="K-OLD", ep=1).to("3B2").says(C, "move-units", units=["K-OLD"], path=["1305"])


class Test2B9Passed:
    """502.95: the Federation player in their own turn, each kind of fighter once."""

    def test_coalition_turn_passes_the_step(self) -> None:
        carrier = ship("F-CVA", "federation", "0601")
        table = war(D7, CC, carrier, options={"special_fighters": True}).to("2B10", passed=True)
        assert passed(table, "2B9")
        table.to("10D").done(A, C).to("2B9").says(A, "squadrons", fighter="F-14", at=["0601"])
        table.says(A, "squadrons", fighter="F-15", at=["0601"])


class Test2B11Bases:
    """301.911: any unit; a base too, a leader not."""

    def test_bases_can_be_scuttled_and_leaders_cannot(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, SB, admiral, CC).to("2B11").says(C, "scuttle", unit="K-SB")
        assert table.game.units["K-SB"].fate == "scuttled"
        leader = table.tries(C, "scuttle", unit="K-ADM")
        leader.then_refused("not-scuttled-alone", rule="301.911", unit="K-ADM")


class Test3A2AOwed:
    """537.1: each announced action is rolled separately, by the side that announced it."""

    def test_two_announcements_are_two_dice(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-1B").says(C, "resist", kind="infiltration", at="0902")
        table.says(C, "resist", kind="sabotage", at="0902").to("3A-2A")
        theirs = table.tries(A, "resist", 5, kind="sabotage", at="0902", at_least=5)
        theirs.then_refused("step-of-another-side", rule="537.1", seat="alliance")
        table.says(C, "resist", 5, kind="sabotage", at="0902", at_least=5)
        table.must(C, "resist", "infiltration 0902", rule="537.1")
        table.says(C, "resist", 2, kind="infiltration", at="0902", at_least=5).done(C)


class Test3A5CCapital:
    """320.11: only in the turn of the raid; without a named capital, to any place of its own side."""

    def test_raider_that_came_through_is_not_moved(self) -> None:
        table = war(R1, R2, D7, CC, **RAIDS).to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"])
        table.says(C, "raid", unit="K-R2", path=["0902"]).to("3A-2D").says(
            A, "fight-raiders", at="0902", units=["Z-CC"]
        )
        table.to("3A-2E").rolled().says(C, "suffer", unit="K-R1", outcome="crippled").to("3A-5C")
        sound = table.tries(C, "pool", unit="K-R2", to="1206")
        sound.then_refused("not-crippled-raiding", rule="320.11", unit="K-R2")
        capital = str(table.game.markers["empire klingon"][2]) or "1206"
        table.says(C, "pool", unit="K-R1", to=capital)
        assert table.game.units["K-R1"].at == capital


class Test3A6DRaiders:
    """544.3: forces go to the new stations; without a station the step is passed."""

    def test_forces_move_only_to_a_new_station(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-6D")
        none = table.tries(C, "move-units", units=["K-D7"], path=["1106"])
        none.then_refused("not-a-new-station", rule="544.3", place="1106", stations="none")
        table.done(C)


class Test53F2Declared:
    """322.1: the declared number is that of the pinwheels formed; with none, nothing is declared."""

    SHIPS = tuple(ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2))

    def test_attacker_decides_only_after_one_was_declared(self) -> None:
        table = battle(HERE, *self.SHIPS).to("5-3E")
        table.says(A, "seal-force", units=["T-P1", "T-P2"], pinwheels=["T-P1 T-P2"]).to("5-3F1")
        none = table.tries(A, "declare-pinwheels", number=0)
        none.then_refused("too-many-pinwheels", rule="322.1", limit=1)
        table.says(A, "declare-pinwheels", number=1).done(A)
        assert table.open == ("5-3F2",)
        table.done(C, answer="offer")
        table.tries(C, "done", answer="accept").then_refused("step-of-another-side", rule="5-3F3", sides="Alliance")
        table.done(A, answer="refuse")
        assert table.open == ("5-7A1",)


class Test54A5Whose:
    """521.3: units of the force that carry troops; each side its own."""

    def test_units_of_the_other_side_are_not_named(self) -> None:
        troops = ship("Z-GCS", "kzinti", "1105", "troops"), ship("K-GCS", "klingon", "1105", "troops")
        table = battle(HERE, THERE, *troops, options={"ground_combat": True}).to("5-4A5")
        theirs = table.tries(C, "announce", units=["Z-GCS"], purpose="assault")
        theirs.then_refused("unit-of-another-side", rule="5-4A5", unit="Z-GCS", side="Alliance")
        table.says(A, "announce", units=["Z-GCS"], purpose="assault")
        assert table.game.units["Z-GCS"].get("eligible") == "assault"


class Test54C3Once:
    """302.42: one die a side and round, with a captured ship's +1."""

    def test_second_die_is_refused_and_one_of_each_is_required(self) -> None:
        prize = ship("Z-P", "kzinti", "1105", "captured")
        table = battle(HERE, THERE, prize).to("5-4C2").says(A, "use-captured", unit="Z-P").to("5-4C3")
        table.says(A, "roll-damage", 3)
        twice = table.tries(A, "roll-damage", 6)
        twice.then_refused("damage-rolled-already", rule="302.42")
        table.tries(C, "done").then_refused(
            "orders-required",
            rule="302.42",
            orders=("roll-damage",),
        )
        rolled = [event for event in table.events if isinstance(event, DiceRolled)][-1]
        assert (rolled.total, rolled.modifiers[0].source) == (4, "captured Z-P")


class Test56X4Unnamed:
    """521.3: a unit that was not designated in 5-6X3 does not assault; a designated unit assaults once."""

    def test_designated_units_alone_assault_and_once(self) -> None:
        troops = [ship(f"K-G{n}", "klingon", "1105", "troops") for n in (1, 2)]
        table = battle(HERE, *troops, BATS, THERE, options={"ground_combat": True}).to("5-4A5")
        table.says(C, "announce", units=["K-G1", "K-G2"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-G1"], purpose="assault").to("5-6X4")
        idle = table.tries(C, "skirmish", 4, units=["K-G2"])
        idle.then_refused("not-designated", rule="521.3", unit="K-G2")
        table.says(C, "skirmish", 4, units=["K-G1"])
        again = table.tries(C, "skirmish", 4, units=["K-G1"])
        again.then_refused("fought-in-step", rule="521.3", unit="K-G1", step="5-6X4")


class Test57A2Bases:
    """302.71: a side with bases alone does not retreat."""

    def test_attacker_with_a_base_alone_stays(self) -> None:
        base = ship("K-BATS", "klingon", "1105", base=True)
        table = battle(base, THERE).to("5-7A2")
        table.tries(C, "done", answer="retreat").then_refused(
            "not-an-answer", rule="302.71", answer="retreat", choices="stay"
        )
        table.done(C, answer="stay").story.then_open("5-7A3")


class Test57A5Gone:
    """5-7A5: when the base is destroyed the hex is done, and the sides need not retreat again."""

    def test_destroyed_base_ends_the_hex(self) -> None:
        table = battle({**HERE, "attack": 40, "crippled_attack": 40}, BATS, THERE).to("5-7A1").done(A, answer="retreat")
        table.done(C, answer="stay").to("5-7D", s5_7B="do not").says(A, "retreat", units=["Z-CC"], path=["1005"])
        table.to("5-4C4").says(C, "score", points=20).to("5-6A")
        table.says(A, "allot", unit="Z-BATS", result="destroyed").to("5-END")
        assert table.game.units["Z-BATS"].fate == "destroyed"
        assert table.steps().count("5-7A1") == 1


class Test7ARepairs:
    """410.23: a unit out of supply is not repaired in the field."""

    def test_cripple_out_of_supply_waits(self) -> None:
        lame = [ship(f"K-F{n}", "klingon", "1206", crippled=True) for n in (1, 2)]
        table = war(D7, *lame, ship("K-RS", "klingon", "off-map", "repair"), CC).to("7A")
        table.says(C, "check-supply", out=["K-F1"]).to("7B").says(C, "deploy-repair", unit="K-RS", at="1206").to("7C")
        out = table.tries(C, "field-repair", repairer="K-RS", unit="K-F1", ep=1)
        out.then_refused("ship-out-of-supply", rule="7C")
        table.says(C, "field-repair", repairer="K-RS", unit="K-F2", ep=1)


class Test11DTaken:
    """504.33: an offer is available when it is taken."""

    def test_two_empires_of_a_side_offer_each_for_itself(self) -> None:
        table = war(D7, CC, ship("R-KE", "romulan", "1107"), options={"orions": True}).to("11D")
        poor = table.tries(C, "bribe", ep=41, wish="raid 0902", empire="romulan")
        poor.then_refused("bribe-too-high", rule="504.33", limit=40)
        table.says(C, "bribe", ep=40, wish="raid 0902", empire="romulan")
        table.says(C, "bribe", ep=60, wish="raid 0902", empire="klingon").to("11E")
        table.says(ORION, "accept-bribe", empire="romulan").says(ORION, "accept-bribe", empire="klingon")
        assert [table.game.accounts[f"{one}/EP"] for one in ("romulan", "klingon")] == [0, 0]
