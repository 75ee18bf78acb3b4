"""Federation & Empire, label by label: second stories for what had one, what is refused beside what is accepted."""

from typing import Any

from tests.titles.federation_table import War, battle, ship, war
from umpire_ledger.domain.game.events import AccountChanged, StepPassed, UnitChanged

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


class Test1C1Loans:
    """447.2: the debt of a turn is the last one's with what was borrowed since; the limit is a turn's."""

    def test_what_was_borrowed_is_owed_and_the_limit_is_whole_again(self) -> None:
        table = war(D7, CC).to("1C5").says(C, "borrow", ep=3, empire="klingon")
        assert next_own_turn(table).to("1C2").game.accounts["klingon/debt"] == 13
        late = table.tries(C, "borrow", ep=1, empire="klingon")
        late.then_refused(rule="1C2", says="it belongs to 1C5", do="allowed here: state-interest")
        table.to("1C5").says(C, "borrow", ep=10, empire="klingon")


class Test1DMarkedAnew:
    """507.1: a marker that came off may be placed again; one that stands is not placed twice."""

    def test_once_in_each_of_its_own_turns(self) -> None:
        table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"])
        twice = table.tries(C, "form-reserve", fleet="Other", units=["K-D7"])
        twice.then_refused(rule="507.1", says="K-D7 is in the reserve Home", do="other units")
        next_own_turn(table).to("9A").says(C, "form-reserve", fleet="Other", units=["K-D7"])


class Test2A4LostMeanwhile:
    """420.52: the flip is for whom it was paid, once; a second payment in the same turn is refused."""

    def test_it_is_paid_once_and_the_yard_is_free_in_the_next_turn(self) -> None:
        lame = [ship(f"K-F{n}", "klingon", "1206", crippled=True) for n in (1, 2)]
        table = war({**SB, "repairs": 1}, *lame, CC).to("2A2").says(C, "repair", unit="K-F1", ep=1)
        twice = table.tries(C, "repair", unit="K-F1", ep=1)
        twice.then_refused(rule="420.2", says="its repair is paid", do="that waits for repair")
        full = table.tries(C, "repair", unit="K-F2", ep=1)
        full.then_refused(rule="420.2", says="K-SB repairs 1 of 1", do="in a later turn")
        next_own_turn(table).to("2A2").says(C, "repair", unit="K-F2", ep=1).to("2B1")
        assert [table.game.units[one].get("crippled") for one in ("K-F1", "K-F2")] == [None, None]


class Test5S1Once:
    """302.1: before the first round alone."""

    def test_nobody_withdraws_from_a_later_round(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").to("5-3A", s5_7A2="stay")
        late = table.tries(A, "withdraw", units=["Z-CC"], path=["1104"])
        late.then_refused(rule="5-3A", says="withdraw is not allowed now; it belongs to 5-1C", do="done")


class Test52A1Asked:
    """306.3: the attacker's cloaks, not the defender's; said openly once it holds for the hex."""

    def test_the_defender_is_not_asked(self) -> None:
        table = war(KE, BATS, THERE).to("5-2A1")
        table.tries(A, "done", answer="cloak").then_refused(rule="306.3", do="wait for Coalition")
        table.done(C, answer="go openly")
        assert table.open == ("5-2A2",)

    def test_the_defenders_cloaks_do_not_count(self) -> None:
        table = war(HERE, ship("Z-KE", "kzinti", "1105", "cloak"), BATS)
        assert passed(table.to("5-2A2"), "5-2A1")


class Test52A2Later:
    """A3: compulsory in the first round, open in later ones."""

    def test_in_the_second_round_none_need_be_offered(self) -> None:
        table = war(HERE, BATS, THERE).to("5-7A1").to("5-2A2", s5_7A2="stay").done(C, answer="no offer")
        assert table.open == ("5-2B1",)


class Test54A7ATwoOwners:
    """312.221: each owner declares his own attempts, once; each is rolled by whose it is."""

    def both(self) -> War:
        table = battle(HERE, SFG, THERE, ASFG).to("5-4A7A")
        table.says(A, "declare-stasis", attempts={"Z-D7A": "K-D7"})
        return table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})

    def test_the_other_side_declares_too(self) -> None:
        table = battle(HERE, SFG, THERE, ASFG).to("5-4A7A").says(A, "declare-stasis", attempts={"Z-D7A": "K-D7"})
        again = table.tries(A, "declare-stasis", attempts={"Z-D7A": "K-D7A"})
        again.then_refused(rule="5-4A7A", do="wait for Coalition")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        assert table.game.markers["stasis"] == ("Z-D7A K-D7", "K-D7A Z-CC")

    def test_whose_attempt_it_is_rolls(self) -> None:
        table = self.both()
        table.tries(C, "roll-stasis", 1).then_refused(rule="5-4A7B", do="wait for Alliance")
        table.says(A, "roll-stasis", 1)
        table.tries(A, "roll-stasis", 1).then_refused(rule="5-4A7B", do="wait for Coalition")
        table.says(C, "roll-stasis", 1)
        assert [table.game.units[one].get("frozen") for one in ("K-D7", "Z-CC")] == ["Z-D7A", "K-D7A"]

    def test_a_breakdown_voids_the_attempts_of_both(self) -> None:
        """312.223: all attempts, of the round."""
        table = self.both().says(A, "roll-stasis", 1).says(C, "roll-stasis", 6)
        assert table.game.units["K-D7"].get("frozen") is None
        assert table.open == ("5-4B",)


class Test54A7CShielded:
    """525.74E: a ship that a web caster protects is not frozen by a random result either."""

    def test_the_die_that_picks_it_freezes_nobody(self) -> None:
        caster = ship("T-D", "tholian", "1105", "web")
        table = battle(HERE, SFG, THERE, caster, options={"web": True}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "T-D"})
        table.says(A, "cast-web", caster="T-D", target="Z-CC").done(A).says(C, "roll-stasis", 5)
        table.says(A, "name-targets", targets=["Z-CC", "T-D", "K-D7"]).says(C, "name-targets", targets=["K-D7A"])
        table.says(C, "roll-target", 1)
        assert [unit.id for unit in table.game.in_play() if unit.get("frozen")] == []


class Test54A7EGivers:
    """312.211: whatever gave electronic warfare, scout or not."""

    def test_an_x_ship_that_gives_points_counts(self) -> None:
        giver = ship("Z-X", "kzinti", "1105", "x", ew=2)
        table = battle(HERE, SFG, THERE, giver).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-X"})
        table.says(C, "roll-stasis", 1)
        assert table.open == ("5-4A7E",)

    def test_a_ship_without_points_does_not(self) -> None:
        table = battle(HERE, SFG, THERE).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        assert passed(table.says(C, "roll-stasis", 1).to("5-4B"), "5-4A7E")


class Test54DUsed:
    """305.21: one in a round; what is used up helps nobody again."""

    def test_the_second_waits_for_another_round(self) -> None:
        prizes = [ship(f"Z-P{n}", "kzinti", "1105", "captured", side=A) for n in (1, 2)]
        table = battle(HERE, THERE, *prizes).to("5-4C2").says(A, "use-captured", unit="Z-P1")
        two = table.tries(A, "use-captured", unit="Z-P2")
        two.then_refused(rule="305.21", says="Z-P1 gives the +1", do="another round")
        table.to("5-7A1").to("5-4C2", s5_7A2="stay")
        table.tries(A, "use-captured", unit="Z-P1").then_refused(rule="5-4C2", says="Z-P1", do="in play")
        table.says(A, "use-captured", unit="Z-P2")


class Test54EOtherHex:
    """308.2: points of another hex wait there."""

    def test_minus_points_of_another_hex_are_not_taken(self) -> None:
        table = battle(HERE, THERE, accounts={"coalition/minus 0902": 5}).to("5-4C4").says(C, "score", points=2)
        table.to("5-5B")
        assert table.game.accounts["coalition/damage"] == 2
        assert table.game.accounts["coalition/minus 0902"] == 5


class Test54GAsked:
    """308.3: where the scenario has no number, the attacker says it, once a hex for too little."""

    def test_the_attacker_says_it(self) -> None:
        table = war(HERE, BATS, THERE).to("5-2A3").done(A, answer="accept").to("5-4G")
        table.tries(A, "done", answer="too little").then_refused(rule="308.3", do="wait for Coalition")
        table.done(C, answer="enough")
        assert table.open == ("5-5B",)


class Test55CTwice:
    """302.5: one unit a side and round, for points that are there."""

    def test_not_without_points_and_not_twice(self) -> None:
        more = ship("K-D6", "klingon", "1105")
        table = battle(HERE, more, {**THERE, "attack": 40}).to("5-4C4").says(A, "score", points=12).to("5-5C")
        dear = table.tries(A, "direct", unit="K-D7", result="destroyed")
        dear.then_refused(rule="302.5", says="it costs 18 points, and 12 are left", do="at most 12")
        table.says(A, "direct", unit="K-D7", result="crippled")
        twice = table.tries(A, "direct", unit="K-D6", result="crippled")
        twice.then_refused(rule="302.5", says="one unit is directed at", do="`done`")


class Test57A3Whose:
    """302.71: the defender's last chance is not the attacker's."""

    def test_the_attacker_waits_again(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="stay")
        table.tries(C, "done", answer="retreat").then_refused(rule="302.71", do="wait for Alliance")
        table.done(A, answer="stay").to("5-3A")


class Test58BWhose:
    """302.8: the pursuer's die, one."""

    def pursued(self) -> War:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        return table.done(A, answer="stay").done(A, answer="pursue").to("5-8B")

    def test_the_pursued_rolls_nothing_and_nobody_twice(self) -> None:
        table = self.pursued()
        table.tries(C, "roll-pursuit", 4).then_refused(rule="5-8B", do="wait for Alliance")
        table.says(A, "roll-pursuit", 4)
        again = table.tries(A, "roll-pursuit", 6)
        again.then_refused(rule="5-8B", says="the pursuit die is rolled", do="5-8C")

    def test_the_pursuer_announces_what_it_brought(self) -> None:
        table = self.pursued().to("5-8C")
        table.tries(C, "done", answer="failure").then_refused(rule="5-8C", do="wait for Alliance")
        table.done(A, answer="success")
        assert table.open == ("5-8D",)


class Test58LFromTheHex:
    """302.72: out of the hex, each ship, hex by hex."""

    def test_a_gap_and_the_way_back_are_refused(self) -> None:
        table = battle(HERE, THERE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        table.done(A, answer="stay").done(A, answer="pursue").to("5-8L")
        gap = table.tries(C, "retreat", units=["K-D7"], path=["1107"])
        gap.then_refused(rule="5-8L", says="gap: 1105 to 1107", do="every hex")
        back = table.tries(C, "retreat", units=["K-D7"], path=["1106", "1105"])
        back.then_refused(rule="302.72", says="ends at 1105, where it began", do="another hex")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.game.units["K-D7"].at == "1106"


class Test3A6BAway:
    """544.231: who withdraws leaves the hex, and goes to none that the enemy holds [reading]."""

    def test_not_back_to_the_station_and_not_among_enemies(self) -> None:
        away = ship("Z-FF", "kzinti", "1003")
        table = war(D7, ship("K-F5", "klingon", "1004"), away, CC, **RAIDS).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        round_about = table.tries(A, "move-units", units=["Z-FF"], path=["1002", "1003"])
        round_about.then_refused(rule="544.231", says="ends at 1003, where it began", do="another hex")
        among = table.tries(A, "move-units", units=["Z-FF"], path=["1004"])
        among.then_refused(rule="544.231", says="the enemy is at 1004", do="no enemy holds")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"])


class Test3A2JToThePool:
    """314.273: a raider of the pool comes back there, whatever it did."""

    def test_along_no_path(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-2B").says(C, "raid", unit="K-R1", path=["1003"]).to("3A-2J")
        away = table.tries(C, "recall", unit="K-R1", path=["1004"])
        away.then_refused(rule="314.273", says="back to the Raid Pool", do="leave `path` out")
        theirs = table.tries(C, "recall", unit="K-D7")
        theirs.then_refused(rule="314.273", says="K-D7 is not out raiding", do="name a raider")
        table.says(C, "recall", unit="K-R1").done(C)


class Test3A3KElsewhere:
    """537.3: rebellions here, sabotage and infiltration before."""

    def test_each_in_its_own_step(self) -> None:
        table = war(R1, D7, CC, **RAIDS).to("3A-1B")
        early = table.tries(C, "resist", kind="rebellion", at="0902")
        early.then_refused(rule="537.3", says="rebellion is not tried here", do="rebellions in 3A-3K")
        table.to("3A-3K")
        late = table.tries(C, "resist", 4, kind="sabotage", at="0902", at_least=4)
        late.then_refused(rule="537.3", says="sabotage is not tried here", do="in 3A-1B")
        table.says(C, "resist", 4, kind="rebellion", at="0902", at_least=4)
        table.says(C, "resist", 4, kind="rebellion", at="0903", at_least=4)


class Test3A4FSound:
    """314.244, 320.54: who is neither crippled nor beaten off goes on with its mission."""

    def runners(self) -> War:
        table = war(R1, R2, D7, CC, ship("Z-FF", "kzinti", "1003"), **RAIDS).to("3A-4A")
        table.says(C, "raid", unit="K-R1").says(C, "raid", unit="K-R2").to("3A-4C")
        return table.says(C, "raid", unit="K-R1", path=["1003"]).says(C, "raid", unit="K-R2", path=["1003"])

    def test_a_sound_runner_is_not_called_back(self) -> None:
        table = self.runners().to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.says(C, "suffer", unit="K-R1", outcome="retreats").to("3A-4F")
        sound = table.tries(C, "recall", unit="K-R2")
        sound.then_refused(rule="314.244", says="K-R2 is neither crippled nor", do="goes on")
        table.says(C, "recall", unit="K-R1").done(C)
        assert table.open == ("3A-4H",)

    def test_on_the_way_out_the_one_that_was_tried_is_safe(self) -> None:
        table = self.runners().to("3A-4D").says(A, "roll-intercept", 1, runner="K-R1", at_least=4, units=["Z-FF"])
        table.to("3A-4K")
        again = table.tries(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"])
        again.then_refused(rule="320.54", says="on K-R1 was made on its way in", do="that was not tried")
        table.says(A, "roll-intercept", 6, runner="K-R2", at_least=4, units=["Z-FF"]).to("3A-4L")
        table.says(C, "suffer", unit="K-R2", outcome="retreats").to("3A-4M")
        sound = table.tries(C, "recall", unit="K-R1")
        sound.then_refused(rule="314.244", says="K-R1 is neither crippled nor", do="goes on")
        table.says(C, "recall", unit="K-R2")


class Test3B5Payments:
    """446.13: the first payment here, further ones in 2B3; each from the purse."""

    def test_no_more_than_the_purse_and_the_next_in_2b3(self) -> None:
        purse: dict[str, Any] = {"options": {"colonies": True}}
        table = war(D7, CC, **purse).to("2B7").says(C, "colony", at="1306", empire="klingon").to("3B5")
        dear = table.tries(C, "colony", at="1306", ep=61, empire="klingon")
        dear.then_refused(rule="430.1", says="costs 61 EP", do="at most 60")
        table.says(C, "colony", at="1306", ep=4, empire="klingon")
        next_own_turn(table).to("2B3").says(C, "colony", at="1306", ep=2, empire="klingon")
        table.story.then(AccountChanged, account="klingon/EP", amount=-2)


class Test56FOnce:
    """512.32: a pair of 5-3G, the cripple out of the web and the tow over."""

    def test_the_cripple_is_out_and_the_ship_tows_no_more(self) -> None:
        hurt = ship("K-E4", "klingon", "1105", crippled=True)
        table = battle(HERE, hurt, THERE, options={"web": True}, markers={"webs": ["1105"]}).to("5-3E")
        table.says(C, "seal-force", units=["K-D7", "K-E4"], in_web=["K-E4"]).to("5-3G")
        table.says(C, "tow", ship="K-D7", cripple="K-E4").to("5-6F").says(C, "pull-out", ship="K-D7")
        table.story.then(UnitChanged, unit="K-E4", attribute="in_web", after=None)
        again = table.tries(C, "pull-out", ship="K-D7")
        again.then_refused(rule="512.32", says="K-D7 tows nobody", do="or `done`")


class Test7DTug:
    """422.8: a tug goes home; what was sent off repairs nothing until it is deployed again."""

    def test_it_may_be_deployed_again_in_the_next_turn(self) -> None:
        lame = ship("K-F1", "klingon", "1206", crippled=True)
        repairer = ship("K-RS", "klingon", "off-map", "repair")
        table = war(D7, lame, repairer, CC).to("7B").says(C, "deploy-repair", unit="K-RS", at="1206").to("8A")
        gone = next_own_turn(table).to("7C").tries(C, "field-repair", repairer="K-RS", unit="K-F1", ep=1)
        gone.then_refused(rule="422", says="K-RS", do="7B")


class Test11APool:
    """11A: only the Orions' own; a leased ship comes home in 11B."""

    def test_a_ship_at_lease_is_no_pirate_that_is_recovered(self) -> None:
        table = war(D7, CC, ship("O-LR", "orion", "orion-pool"), options={"orions": True}).to("11F")
        table.says(ORION, "offer-lease", unit="O-LR").to("11G").says(C, "seal-bid", ep=1, empire="klingon")
        table.says(A, "seal-bid", ep=0).says(C, "lease", unit="O-LR", at="1206").to("11H")
        theirs = table.tries(ORION, "pirate", unit="O-LR", at="1505")
        theirs.then_refused(rule="504.34", says="Coalition", do="of your own")
        table.to("11C1")
        assert (table.game.units["O-LR"].side, table.game.units["O-LR"].at) == (ORION, "orion-pool")
