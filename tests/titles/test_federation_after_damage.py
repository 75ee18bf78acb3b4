"""Phase 5 of Federation & Empire, steps 6 and 6X: damage allotted, transfers, rescue, prizes, troops, salvage."""

from typing import Any

from tests.face.domain import AccountChanged, UnitChanged, UnitRemoved
from tests.titles.federation_table import War, battle, ship

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
STRONG = {**D7, "attack": 60}
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
CV1, CV2 = (ship(name, "kzinti", "1105", "fighters", fighters=6) for name in ("Z-CV1", "Z-CV2"))
WHEEL = tuple(ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3, 4))
TEAM = ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-FF")


def scored(points: int, *units: dict[str, Any], **more: Any) -> War:
    """Let the Coalition score, and open 5-6A."""
    table = battle(STRONG, D6, *units, **more).to("5-4C4")
    return table.says(C, "score", points=points).says(A, "score", points=0).to("5-6A")


class Test5S6Allotted:
    """302.6: damage that is due is taken or carried over, and nothing remains."""

    def test_step_does_not_end_with_damage_left(self) -> None:
        table = scored(9, CC, FF)
        table.tries(A, "done").then_refused("orders-required", rule="302.6", orders=("allot",))
        table.says(A, "allot", unit="Z-CC", result="crippled").says(A, "allot", unit="Z-CC", result="destroyed").done(A)


class Test56ANonPhasing:
    """302.6: the defenders first, on their own units of the force, each for what it has."""

    def test_own_units_take_damage_within_their_factors(self) -> None:
        table = scored(9, CC, FF)
        table.tries(C, "allot", unit="K-D7", result="crippled").then_refused(
            "step-of-another-side", rule="5-6A", sides="Alliance"
        )
        other = table.tries(A, "allot", unit="K-D7", result="crippled")
        other.then_refused("unit-of-another-side", rule="5-6A", side="Coalition")
        wrong = table.tries(A, "allot", unit="Z-CC", result="crippled", points=5)
        wrong.then_refused("points-not-as-counted", rule="302.6", limit=6, given=5)
        table.says(A, "allot", unit="Z-CC", result="crippled")
        twice = table.tries(A, "allot", unit="Z-CC", result="crippled")
        twice.then_refused("crippled-already", rule="5-6A")
        table.says(A, "allot", unit="Z-FF", result="crippled")
        assert table.game.accounts["coalition/minus 1105"] == 3

    def test_fighters_absorb_of_a_crippled_carrier_too(self) -> None:
        """Absorb as many as are aboard, by the number on the counter."""
        carrier = ship("Z-CV", "kzinti", "1105", fighters=6, fighters_gone=2, crippled=True)
        table = scored(9, carrier, FF)
        many = table.tries(A, "allot", unit="Z-CV", result="absorbed", points=5)
        many.then_refused("absorbs-too-much", rule="302.6", unit="Z-CV", limit=4)
        none = table.tries(A, "allot", unit="Z-FF", result="absorbed", points=1)
        none.then_refused("cannot-absorb", rule="302.6", unit="Z-FF")
        table.says(A, "allot", unit="Z-CV", result="absorbed", points=4)
        assert table.game.units["Z-CV"].number("fighters_gone") == 6

    SB = ship("Z-SB", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)

    def absorbed(self, points: int, then: int = 16) -> War:
        """Absorb damage with the base in round one, and open 5-6A of round two with `then` points."""
        strong = {**STRONG, "attack": 20}
        table = battle(strong, self.SB).to("5-4C4").says(C, "score", points=points).says(A, "score", points=0)
        table.to("5-6A").says(A, "allot", unit="Z-SB", result="absorbed", points=points)
        table.to("5-7A1").to("5-4C4", s5_7A2="stay").says(C, "score", points=then).says(A, "score", points=0)
        return table.to("5-6A")

    def test_damage_a_base_absorbed_counts_in_the_next_round(self) -> None:
        table = self.absorbed(2)
        whole = table.tries(A, "allot", unit="Z-SB", result="destroyed", points=18)
        whole.then_refused("points-not-as-counted", rule="302.6", limit=16, given=18)
        table.says(A, "allot", unit="Z-SB", result="destroyed").done(A)
        assert not table.game.accounts.get("coalition/minus 1105")

    def test_absorbed_damage_stays_on_the_base_until_repaired(self) -> None:
        table = self.absorbed(2, then=5).says(A, "allot", unit="Z-SB", result="absorbed", points=5).done(A).to("6A")
        assert table.game.units["Z-SB"].get("sids") == 7
        table.to("10D").done(C, A).to("2A3").says(A, "repair", unit="Z-SB", sids=7, ep=1)
        assert table.game.units["Z-SB"].get("sids") is None

    def test_crippled_base_has_taken_damage_with_its_step(self) -> None:
        table = self.absorbed(2).says(A, "allot", unit="Z-SB", result="crippled")
        table.story.then(AccountChanged, account="coalition/damage", amount=-10)
        assert table.game.units["Z-SB"].get("sids") is None

    def test_repair_in_5_6x8_removes_absorbed_damage_too(self) -> None:
        table = self.absorbed(2, then=5).says(A, "allot", unit="Z-SB", result="absorbed", points=5).to("5-6X8")
        much = table.tries(A, "repair", unit="Z-SB", sids=8, ep=1)
        much.then_refused("too-many-steps", rule="425.3", unit="Z-SB", limit=7)
        table.says(A, "repair", unit="Z-SB", sids=7, ep=1)
        assert table.game.units["Z-SB"].get("sids") is None

    def test_fighters_without_a_number_are_gone_until_replaced(self) -> None:
        """They count for the unit's own factors; damage taken in one round is not taken again in the next."""
        carrier = ship("Z-CV", "kzinti", "1105", "fighters")
        table = scored(4, carrier, FF).says(A, "allot", unit="Z-CV", result="absorbed", points=4).done(A)
        table.to("5-7A1").to("5-4C4", s5_7A2="stay").says(C, "score", points=4).says(A, "score", points=0).to("5-6A")
        more = table.tries(A, "allot", unit="Z-CV", result="absorbed", points=4)
        more.then_refused("absorbs-too-much", rule="302.6", unit="Z-CV", limit=1, given=4)
        table.says(A, "allot", unit="Z-CV", result="absorbed", points=1).says(
            A, "allot", unit="Z-FF", result="crippled"
        ).to("6E")
        table.says(A, "replace", unit="Z-CV", what="fighters", ep=1)
        assert table.game.units["Z-CV"].get("fighters_gone") is None

    def test_damage_a_ship_took_before_is_not_counted_again(self) -> None:
        table = battle(STRONG, D6, CC, FF).to("5-4C4").says(C, "score", points=15).says(A, "score", points=0)
        table.to("5-5B").says(C, "direct", unit="Z-FF", result="crippled").to("5-6A")
        table.says(A, "allot", unit="Z-FF", result="destroyed")
        table.story.then(AccountChanged, account="coalition/damage", amount=-3)

    def test_carry_over_is_limited_by_the_scenario(self) -> None:
        """Check 308.2: damage beyond the limit is allotted, and excess damage becomes minus points."""
        big = {**FF, "defense": 12, "crippled_defense": 9}
        limit = {"carry-over": {"value": 4, "source": "made up for this story"}}
        table = battle(STRONG, big, numbers=limit).to("5-4C4").says(C, "score", points=9).says(A, "score", points=0)
        table.to("5-6A")
        much = table.tries(A, "carry-over")
        much.then_refused("too-many-points-left", rule="308.2", given=9, limit=4, units="Z-FF crippled")
        table.says(A, "allot", unit="Z-FF", result="crippled")
        few = battle(STRONG, big, numbers=limit).to("5-4C4").says(C, "score", points=4).says(A, "score", points=0)
        few.to("5-6A").says(A, "carry-over")
        assert few.game.accounts["coalition/plus 1105"] == 4


class Test56BPhasing:
    """The phasing side after it."""

    def test_phasing_side_waits_for_the_other(self) -> None:
        table = battle(D7, D6, {**CC, "attack": 40}).to("5-4C4").says(A, "score", points=6).says(C, "score", points=0)
        table.to("5-6B").says(C, "allot", unit="K-D6", result="crippled").done(C)


class Test56BOfTwo:
    """The damage of two defenders is one sum against the one attacker."""

    def test_damage_of_two_defenders_is_taken_together(self) -> None:
        empires = [{"id": one, "side": side, "name": one, "letter": one[0].upper()}
                   for one, side in (("isc", "isc"), ("klingon", C), ("kzinti", A))]  # fmt: skip
        three: dict[str, Any] = {"sides": [{"id": one, "name": one} for one in (C, A, "isc")], "empires": empires}
        three |= {"turn_order": ["isc", C, A], "wars": [["isc", C], ["isc", A]]}
        table = battle(ship("I-CL", "isc", "1105"), D6, CC, **three).to("5-4C4")
        table.says("isc", "score", points=0).says(C, "score", points=4).says(A, "score", points=3).to("5-6B")
        early = table.tries("isc", "carry-over")
        early.then_refused("can-take-the-rest", rule="308.2", unit="I-CL", given=6, limit=7, result="crippled")
        table.says("isc", "allot", unit="I-CL", result="crippled")
        assert not table.game.accounts.get("coalition/damage")
        assert (table.game.accounts["alliance/damage"], table.game.accounts.get("coalition/minus 1105", 0)) == (1, 0)
        table.says("isc", "carry-over").done("isc")
        assert table.game.accounts["alliance/plus 1105"] == 1


class Test56CTeams:
    """522.32: Prime Teams on destroyed units, one die each."""

    def lost(self) -> War:
        table = scored(9, CC, FF, TEAM, options={"prime_teams": True})
        return table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6C")

    def test_die_of_a_team_is_required(self) -> None:
        table = self.lost()
        table.must(A, "roll-fate", "Z-TEAM", rule="522.32")
        table.says(A, "roll-fate", 2, unit="Z-TEAM", at_least=4).story.then(UnitRemoved, unit="Z-TEAM")

    def test_surviving_team_rolls_once_and_goes_to_another_unit(self) -> None:
        table = self.lost().says(A, "roll-fate", 6, unit="Z-TEAM", at_least=4)
        again = table.tries(A, "roll-fate", 1, unit="Z-TEAM", at_least=4)
        again.then_refused("none-can-be-chosen", rule="522.32", unit="Z-TEAM", reason="die-thrown-already")
        table.to("5-6X5").says(A, "transfer-leader", leader="Z-TEAM", ship="Z-CC")
        assert table.game.units["Z-TEAM"].get("aboard") == "Z-CC"


class Test56DShock:
    """311.21: each ship that announced factors is rolled for once; its owner states the result."""

    def test_shock_die_is_required(self) -> None:
        table = battle({**D7, "traits": ["shock"]}, CC, FF).to("5-4B")
        table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-6D")
        table.must(C, "roll-fate", "K-D7", rule="5-6D")
        table.says(C, "roll-fate", 6, unit="K-D7").says(C, "suffer", unit="K-D7", outcome="destroyed")

    def test_ship_that_announced_no_factors_is_not_rolled_for(self) -> None:
        other = ship("K-D6", "klingon", "1105", "shock")
        table = battle({**D7, "traits": ["shock"]}, other, CC, FF).to("5-4B")
        table.says(C, "announce", units=["K-D6"], purpose="shock", factors=4).to("5-6D")
        none = table.tries(C, "roll-fate", 3, unit="K-D7")
        none.then_refused("cannot-be-chosen", rule="311.21", unit="K-D7", units="K-D6", reason="needs-no-die")

    def test_side_without_a_ship_under_shock_need_not_act(self) -> None:
        """Federation & Empire 5-6D (311.21)."""
        table = battle({**D7, "traits": ["shock"]}, CC, FF).to("5-4B")
        table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-6D")
        assert table.game.cursor.waiting() == (C,)

    def test_step_without_a_ship_under_shock_is_passed(self) -> None:
        """Federation & Empire 5-6D (311.21)."""
        assert "5-6D" not in battle({**D7, "traits": ["shock"]}, CC).to("5-6X9").steps()


class Test56EFighters:
    """501.6, 502.45: to units of the force with room, no more than there are."""

    def fought(self) -> War:
        table = scored(13, CC, CV1, CV2)
        table.says(A, "allot", unit="Z-CV2", result="absorbed", points=4)
        return table.says(A, "allot", unit="Z-CV1", result="destroyed").to("5-6E")

    def test_fighters_of_a_lost_carrier_find_room(self) -> None:
        table = self.fought()
        many = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=5)
        many.then_refused("too-little-room", rule="501.6", taker="Z-CV2", limit=4, kind="fighters", units="Z-CV2")
        more = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=7)
        more.then_refused("too-few-aboard", rule="501.6", giver="Z-CV1", limit=6, kind="fighters")
        none = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CC", number=1)
        none.then_refused("too-little-room", rule="501.6", taker="Z-CC", limit=0, units="Z-CV2")
        tender = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=1, sort="pfs")
        tender.then_refused("too-few-aboard", rule="502.45", giver="Z-CV1", limit=0, kind="pfs")
        table.says(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=4)
        full = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=1)
        full.then_refused("too-little-room", rule="501.6", limit=0)

    def test_fighters_do_not_go_to_another_hex_or_side(self) -> None:
        table = self.fought()
        for other in ("K-D7", "Z-CV1"):
            table.tries(A, "transfer-fighters", unit="Z-CV2", to=other, number=1).then_refused(rule="5-6E", do="")


class Test56FTowed:
    """512.32: ships tow only out of a web."""

    def test_cripple_outside_a_web_is_not_towed(self) -> None:
        hurt = ship("K-E4", "klingon", "1105", crippled=True)
        table = battle(D7, hurt, CC, options={"web": True}).to("5-3G")
        dry = table.tries(C, "tow", ship="K-D7", cripple="K-E4")
        dry.then_refused("not-a-cripple-in-web", rule="512.32", unit="K-E4")
        assert "5-6F" not in table.to("5-6X9").steps()

    def test_ship_without_a_tow_pulls_out_no_other(self) -> None:
        lame, sound = ship("K-LAME", "klingon", "1105", crippled=True), ship("K-D5", "klingon", "1105")
        table = battle(D7, sound, lame, CC, options={"web": True}, markers={"webs": ["1105"]}).to("5-3E")
        table.says(C, "seal-force", units=["K-D5", "K-D7", "K-LAME"], in_web=["K-LAME"]).to("5-3G")
        table.says(C, "tow", ship="K-D7", cripple="K-LAME").to("5-6F")
        assert table.game.cursor.waiting() == (C,)
        table.tries(C, "pull-out", ship="K-D5").then_refused("tows-nobody", rule="512.32")


class Test56GDissolved:
    """322.54: the Tholian player alone, by ship; a formed pinwheel is not formed again."""

    def formed(self) -> War:
        table = battle(D7, D6, *WHEEL).to("5-3E")
        units = [str(one["id"]) for one in WHEEL]
        table.says(A, "seal-force", units=units, pinwheels=["T-P1 T-P2", "T-P3 T-P4"]).to("5-6G")
        return table

    def test_pinwheel_is_named_if_there_are_two(self) -> None:
        table = self.formed()
        open_ = table.tries(A, "dissolve-pinwheel")
        open_.then_refused("not-in-pinwheel", rule="322.54", units=("T-P1", "T-P3"), reason="ship-not-named")
        none = table.tries(A, "dissolve-pinwheel", ship="K-D7")
        none.then_refused("not-in-pinwheel", rule="322.54", units=("T-P1", "T-P3"), reason="ship-in-no-pinwheel")
        table.tries(C, "dissolve-pinwheel", ship="T-P1").then_refused(
            "step-of-another-side", rule="5-6G", sides="Alliance"
        )
        table.says(A, "dissolve-pinwheel", ship="T-P2").to("5-7A1").to("5-3F1", s5_7A2="stay")
        table.says(A, "declare-pinwheels", number=1)

    def test_formed_pinwheel_is_not_formed_again(self) -> None:
        table = self.formed().to("5-7A1").to("5-3E", s5_7A2="stay")
        again = table.tries(A, "seal-force", units=["T-P1", "T-P2", "T-P3", "T-P4"], pinwheels=["T-P1 T-P2"])
        again.then_refused("in-pinwheel-already", rule="322.11", unit="T-P1")
        table.to("5-3F1").says(A, "declare-pinwheels", number=2)


class Test56HAssigned:
    """537.2: tugs that were assigned in 5-3E."""

    def test_unassigned_tug_rescues_no_ship(self) -> None:
        tugs = [ship(f"Z-T{n}", "kzinti", "1105", "tug") for n in (1, 2)]
        table = battle(D7, CC, *tugs).to("5-3E")
        table.says(A, "seal-force", units=["Z-CC", "Z-T1", "Z-T2"], rescues=["Z-T2"]).to("5-6H")
        free = table.tries(A, "rescue", 4, tug="Z-T1", unit="Z-CC")
        where = "5-3E, with the `rescues` argument of `seal-force`"
        free.then_refused("tug-not-assigned", rule="537.2", tug="Z-T1", step=where)
        table.says(A, "rescue", 4, tug="Z-T2", unit="Z-CC").done(A)


class Test5S6XTroops:
    """302.6X: after each round with a fight, and not in a pursuit (A2)."""

    def test_pursuit_has_no_troop_steps(self) -> None:
        table = battle(D7, D6, CC).to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
        table.done(A, answer="pursue").to("5-8C").done(A, answer="success")
        since = len(table.steps())
        table.to("5-8L")
        assert "5-6X1" not in table.steps()[since:]


class Test56X1Prizes:
    """305.1, 308.47: one try a ship, and one more by a mauler; the captor owns the prize afterwards."""

    def test_prize_allows_one_try_a_ship_and_one_by_a_mauler(self) -> None:
        mauler = ship("K-D6M", "klingon", "1105", "mauler")
        table = scored(6, CC, FF, mauler).says(A, "allot", unit="Z-CC", result="crippled").to("5-6X1")
        table.says(C, "capture", 1, unit="Z-CC", at_least=5)
        again = table.tries(C, "capture", 6, unit="Z-CC", at_least=5)
        again.then_refused("capture-tried-already", rule="305.1")
        table.says(C, "capture", 6, unit="Z-CC", at_least=5, mauler="K-D6M")
        assert table.game.units["Z-CC"].side == C
        mine = table.tries(A, "scuttle", unit="Z-CC")
        mine.then_refused("wait-for-side", rule="5-6X1", sides="Coalition")
        table.to("5-6X9").tries(A, "scuttle", unit="Z-CC").then_refused("unit-of-another-side", rule="301.911")


class Test56X2Fates:
    """316.31: a leader whose ship is lost: one die, and another ship."""

    ADMIRAL = ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-FF")

    def lost(self) -> War:
        table = scored(9, CC, FF, self.ADMIRAL, options={"admirals": True})
        return table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6X2")

    def test_die_for_the_fate_of_a_leader_is_required(self) -> None:
        table = self.lost()
        table.must(A, "roll-fate", "Z-ADM", rule="5-6X2")
        table.says(A, "roll-fate", 5, unit="Z-ADM", at_least=3)
        table.says(A, "transfer-leader", leader="Z-ADM", ship="Z-CC").done(A)
        assert table.game.units["Z-ADM"].get("aboard") == "Z-CC"

    def test_leader_may_fall(self) -> None:
        table = self.lost().says(A, "roll-fate", 2, unit="Z-ADM", at_least=3)
        table.story.then(UnitRemoved, unit="Z-ADM")

    def test_prime_team_of_a_cripple_is_not_lost_here(self) -> None:
        """Federation & Empire 5-6X2 (316.31): admirals and generals; a team's fate is 5-6C."""
        lame = {**FF, "crippled": True}
        table = battle(D7, CC, lame, TEAM, self.ADMIRAL, options={"admirals": True, "prime_teams": True}).to("5-6X2")
        table.tries(A, "lose-leader", leader="Z-TEAM", fate="lost").then_refused(
            "wrong-kind", rule="316.31", unit="Z-TEAM", units="Z-ADM"
        )
        table.says(A, "lose-leader", leader="Z-ADM", fate="lost")

    def test_admiral_of_a_lost_ship_is_not_lost_with_the_teams(self) -> None:
        """Federation & Empire 5-6C (522.32)."""
        table = scored(9, CC, FF, TEAM, self.ADMIRAL, options={"admirals": True, "prime_teams": True})
        table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6C")
        table.tries(A, "lose-leader", leader="Z-ADM", fate="lost").then_refused(
            "wrong-kind", rule="522.32", unit="Z-ADM", units="Z-TEAM"
        )


TROOPS = {"ground_combat": True, "prime_teams": True}


class Test56X4Assaults:
    """522.4: a Prime Team that took part with a mission, once."""

    def test_fate_of_a_team_is_rolled_after_the_assault(self) -> None:
        troops, team = {**D6, "traits": ["troops"]}, ship("K-TEAM", "klingon", "1105", "team", aboard="K-D6")
        table = battle(D7, troops, team, BASE, CC, options=TROOPS).to("5-3E")
        table.says(C, "seal-force", units=["K-D6", "K-D7"], teams=["K-TEAM K-D6 2"]).to("5-4A5")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X4")
        early = table.tries(C, "roll-fate", 3, unit="K-TEAM", at_least=2)
        early.then_refused("none-can-be-chosen", rule="522.4", unit="K-TEAM", reason="needs-no-die")
        table.says(C, "skirmish", 4, units=["K-D6"]).says(C, "roll-fate", 1, unit="K-TEAM", at_least=2)
        table.story.then(UnitRemoved, unit="K-TEAM")

    def test_assaulted_side_stays_until_the_assault_is_made(self) -> None:
        table = battle(D7, {**D6, "traits": ["troops"]}, BASE, CC, options=TROOPS).to("5-4A5")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X4")
        before = table.tries(A, "suffer", unit="Z-CC", outcome="crippled")
        before.then_refused("skirmish-not-answered", rule="521.3", units="Coalition", unit="Z-CC")
        table.tries(A, "done").then_refused("others-act-first", rule="5-6X4", sides="Coalition")
        table.says(C, "skirmish", 4, units=["K-D6"]).says(A, "suffer", unit="Z-CC", outcome="crippled").done(A)


class Test56X5Returned:
    """521.34, 522.34: a ground combat element comes back to its own ship, or is lost; teams go to any friend."""

    def landed(self) -> War:
        team = ship("K-TEAM", "klingon", "1105", "team", aboard="K-D7")
        table = battle(D7, D6, team, BASE, CC, options=TROOPS).to("5-3E")
        table.says(C, "seal-force", units=["K-D6", "K-D7"], gce=["K-D6", "K-D7"]).to("5-4A5")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X4")
        return table.says(C, "skirmish", 4, units=["K-D6"]).to("5-6X5")

    def test_element_returns_to_its_own_ship(self) -> None:
        table = self.landed()
        other = table.tries(C, "return-gce", units=["K-D7"])
        other.then_refused("no-landed-element", rule="521.34", unit="K-D7", units="K-D6")
        table.says(C, "return-gce", units=["K-D6"]).story.then(UnitChanged, attribute="gce", after="aboard")

    def test_element_that_does_not_return_is_lost(self) -> None:
        table = self.landed().to("5-6X6")
        assert table.game.units["K-D6"].get("gce") is None
        assert table.game.units["K-D7"].get("gce") == "aboard"

    def test_team_goes_to_any_friendly_unit_and_a_leader_does_not(self) -> None:
        table = self.landed().says(C, "transfer-leader", leader="K-TEAM", ship="K-D6")
        ordinary = table.tries(C, "transfer-leader", leader="K-D7", ship="K-D6")
        ordinary.then_refused("wrong-kind", rule="522.34", unit="K-D7", kind="Prime Team", units="K-TEAM")


class Test56X6Elements:
    """521.22: from a ship that has one to a ship that has none."""

    def test_ship_takes_one_element(self) -> None:
        table = battle(D7, D6, ship("K-D5", "klingon", "1105"), CC, options=TROOPS).to("5-3E")
        table.says(C, "seal-force", units=["K-D5", "K-D6", "K-D7"], gce=["K-D6", "K-D7"]).to("5-6X6")
        full = table.tries(C, "transfer-gce", unit="K-D6", to="K-D7")
        full.then_refused("element-cannot-change-ship", rule="521.22", taker="K-D7", reason="taken")
        none = table.tries(C, "transfer-gce", unit="K-D5", to="K-D7")
        none.then_refused("element-cannot-change-ship", rule="521.22", giver="K-D5", reason="none-aboard")
        table.says(C, "transfer-gce", unit="K-D6", to="K-D5")
        assert (table.game.units["K-D6"].get("gce"), table.game.units["K-D5"].get("gce")) == (None, "aboard")


class Test56X7Prizes:
    """439.1: neither side salvages a captured ship."""

    def test_captured_ship_is_not_lost(self) -> None:
        table = scored(12, CC, FF).says(A, "allot", unit="Z-CC", result="crippled")
        table.says(A, "allot", unit="Z-FF", result="crippled").to("5-6X1")
        table.says(C, "capture", 6, unit="Z-CC", at_least=5).to("5-6X7")
        none = table.tries(A, "receive", ep=1, source="salvage", unit="Z-CC", empire="kzinti")
        none.then_refused("not-lost", rule="439.1", unit="Z-CC")
        table.done(A, C)


class Test56X8Repairs:
    """425.3: for what the scenario says, and no more than there is."""

    def test_scenario_names_the_price(self) -> None:
        price = {"source": "made up", "of": {"repair BATS": 3}}
        table = battle(D7, {**BASE, "crippled": True}, CC, costs=price).to("5-6X8")
        cheap = table.tries(A, "repair", unit="Z-BATS", ep=2)
        cheap.then_refused("price-differs", rule="425.3", limit=3, given=2)
        table.says(A, "repair", unit="Z-BATS", ep=3)
        twice = table.tries(A, "repair", unit="Z-BATS", ep=3)
        twice.then_refused("not-a-crippled-base", rule="425.3")
        assert table.game.units["Z-BATS"].get("crippled") is None


class Test56X9Last:
    """301.911, A11: a side that scuttles its last unit has lost the hex."""

    def test_hex_is_done(self) -> None:
        table = battle(D7, CC).to("5-6X9").says(A, "scuttle", unit="Z-CC").to("5-END")
        assert "5-7A1" not in table.steps()
