"""Check the refusals of combat orders in phase 5 of Federation & Empire, each with its rule and remedy."""

import pytest

from tests.face.domain import (
    AccountChanged,
    ChoiceMade,
    ChoiceSealed,
    DiceRolled,
    MarkerSet,
    UnitChanged,
    UnitMoved,
)
from tests.titles.federation_table import War, battle, ship, war

A, C = "alliance", "coalition"
D7, CC, FF = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")
SFG, FAR = ship("K-D7A", "klingon", "1105", "sfg"), ship("Z-FAR", "kzinti", "0902")


def scored(coalition: int) -> War:
    """Open a battle of K-D7 against Z-CC and Z-FF in which only the Coalition has scored points."""
    table = battle(D7, CC, FF).to("5-4C4").says(C, "score", points=coalition, compot=6)
    return table.says(A, "score", points=0, compot=12)


class TestWithdrawal:
    def withdrawal(self) -> War:
        return battle(D7, CC, FF, FAR).done(A, answer="withdraw").done(C, answer="let go")

    def test_units_in_the_hex_withdraw(self) -> None:
        table = self.withdrawal()
        absent = table.tries(A, "withdraw", units=["Z-FAR"], path=["0903"])
        absent.then_refused("withdrawing-units-elsewhere", rule="302.12", unit="Z-FAR", at="0902", place="1105")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).story.then(UnitMoved, cause="withdrawal")

    def test_flagship_of_the_units_that_stay_is_one_of_them(self) -> None:
        table = self.withdrawal().says(A, "withdraw", units=["Z-FF"], path=["1005"]).to("5-1D")
        gone = table.tries(A, "name-flagship", unit="Z-FF")
        gone.then_refused("unit-not-there", rule="302.133", unit="Z-FF", units="Z-CC", says="5-1C")
        table.says(A, "name-flagship", unit="Z-CC").story.then(MarkerSet, marker="flagship of alliance", after="Z-CC")

    def test_ship_tries_to_evade_once(self) -> None:
        cloaked = [ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE")]
        table = war(CC, *cloaked, turn_order=[A, C]).to("5-1E").says(C, "evade", 1, unit="R-KE", at_least=4)
        table.story.then(DiceRolled, outcome="failure")
        again = table.tries(C, "evade", 6, unit="R-KE", at_least=4)
        again.then_refused("evaded-already", rule="306.1", unit="R-KE")
        table.says(C, "evade", 6, unit="R-WE", at_least=4).story.then(UnitChanged, attribute="evaded", after="1105")


class TestForces:
    def test_force_has_a_unit_and_decoys_are_romulan(self) -> None:
        table = battle(D7, CC).to("5-3E")
        table.tries(A, "seal-force", units=[]).then_refused("force-too-small", rule="302.36", limit=1, units="Z-CC")
        decoys = table.tries(A, "seal-force", units=["Z-CC"], decoys=["DECOY Z-CC"])
        decoys.then_refused("no-cloaked-decoys", rule="538.34", side_has="Alliance has")
        table.says(A, "seal-force", units=["Z-CC"]).story.then(ChoiceSealed, question="force", side=A)

    def test_dissolved_pinwheels_were_formed(self) -> None:
        tholians = [ship(f"T-{n}", "tholian", "1105", "pinwheel") for n in (1, 2)]
        table = battle(D7, *tholians).to("5-3E")
        table.says(A, "seal-force", units=["T-1", "T-2"], pinwheels=["T-1 T-2"]).to("5-3F1")
        table.says(A, "declare-pinwheels", number=1).to("5-6G")
        table.says(A, "dissolve-pinwheel").story.then(UnitChanged, unit="T-2", attribute="pinwheel", after=None)
        again = table.tries(A, "dissolve-pinwheel")
        again.then_refused("no-pinwheel", rule="322.54")


class TestIntensity:
    def test_variable_intensity_is_rolled_once_a_side(self) -> None:
        table = battle(D7, CC).to("5-3X4").says(A, "vary-intensity", 5)
        table.story.then(ChoiceMade, question="BIR", side=A, choice=6)
        again = table.tries(A, "vary-intensity", 5)
        again.then_refused("intensity-rolled-already", rule="304.3")
        table.says(C, "vary-intensity", 1).story.then(ChoiceMade, question="BIR", side=C, choice=4)

    @pytest.mark.parametrize("by", [2, 0, -1])
    def test_war_plans_add_one(self, by: int) -> None:
        table = battle(D7, CC, accounts={"alliance/war-plans": 1}).to("5-4C2")
        other = table.tries(A, "adjust-intensity", by=by, why="war-plans")
        other.then_refused("plans-give-one", rule="534.243", given=by)
        table.says(A, "adjust-intensity", by=1, why="war-plans").story.then(ChoiceMade, side=A, choice=6)

    def test_neither_frozen_units_nor_maulers_are_announced(self) -> None:
        mauler = ship("K-D6M", "klingon", "1105", "mauler")
        other = ship("K-SH", "klingon", "1105", "shock")
        table = battle(D7, SFG, mauler, other, CC, {**FF, "traits": ["shock"]}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"}).says(C, "roll-stasis", 1).to("5-4B")
        frozen = table.tries(A, "announce", units=["Z-CC"], purpose="shock", factors=2)
        frozen.then_refused("frozen-this-round", rule="312.20", unit="Z-CC")
        biting = table.tries(C, "announce", units=["K-D6M"], purpose="shock", factors=2)
        biting.then_refused("mauler-not-announced", rule="311.2", unit="K-D6M")
        table.says(A, "announce", units=["Z-FF"], purpose="shock", factors=2)
        table.story.then(UnitChanged, unit="Z-FF", attribute="shock", after=2)


class TestStasis:
    def test_attempt_has_a_target_in_the_battle(self) -> None:
        table = battle(D7, SFG, CC, FAR).to("5-4A7A")
        absent = table.tries(C, "declare-stasis", attempts={"K-D7A": "Z-FAR"})
        absent.then_refused("target-not-fighting", rule="312.20", target="Z-FAR", hex="1105")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.story.then(MarkerSet, marker="stasis", after=("K-D7A Z-CC",))

    def test_attempts_of_a_round_are_declared_at_once(self) -> None:
        """Both sides have a generator, one of them captured."""
        table = battle(D7, SFG, CC, ship("Z-SFG", "kzinti", "1105", "sfg")).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        more = table.tries(C, "declare-stasis", attempts={"K-D7A": "Z-SFG"})
        more.then_refused("step-of-another-side", rule="5-4A7A", seat="coalition", sides="Alliance")
        table.says(A, "declare-stasis", attempts={"Z-SFG": "K-D7"})

    def test_three_different_unfrozen_targets_are_named(self) -> None:
        second = ship("K-D7B", "klingon", "1105", "sfg")
        table = battle(D7, SFG, second, CC, FF, FAR).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC", "K-D7B": "Z-FF"})
        table.says(C, "roll-stasis", 1).says(C, "roll-stasis", 5)
        for bad in ("Z-CC", "Z-FAR"):
            invalid = table.tries(C, "name-targets", targets=["Z-FF", "K-D7", bad])
            invalid.then_refused(
                "not-a-valid-target",
                rule="312.232",
                units=("K-D7", "K-D7A", "K-D7B", "Z-FF"),
                target=bad,
            )
        few = table.tries(C, "name-targets", targets=["Z-FF", "K-D7"])
        few.then_refused("wrong-number-of-targets", rule="312.232", limit=3)
        table.says(C, "name-targets", targets=["Z-FF", "K-D7", "K-D7A"])
        table.story.then(MarkerSet, marker="targets of coalition", after=("Z-FF", "K-D7", "K-D7A"))


class TestDamage:
    def test_damage_is_directed_at_an_enemy_within_the_score(self) -> None:
        hurt = ship("Z-DD", "kzinti", "1105", crippled=True, defense=20)
        table = battle(ship("K-DN", "klingon", "1105", attack=20), CC, hurt, FAR).to("5-4C4")
        table.says(C, "score", points=13).says(A, "score", points=0).to("5-5B")
        for other in ("K-DN", "Z-FAR", "nobody"):
            none = table.tries(C, "direct", unit=other, result="crippled")
            none.then_refused("not-a-fighting-enemy", rule="302.5", units="Z-CC, Z-DD", unit=other)
        more = table.tries(C, "direct", unit="Z-CC", result="destroyed")
        more.then_refused("too-few-damage-points", rule="302.5", given=18, limit=13)
        other = table.tries(C, "direct", unit="Z-CC", result="crippled", points=5)
        other.then_refused("points-not-as-counted", rule="302.5", action="directing at", unit="Z-CC", limit=12, given=5)
        again = table.tries(C, "direct", unit="Z-DD", result="crippled")
        again.then_refused("crippled-already", rule="5-5B", unit="Z-DD")
        table.says(C, "direct", unit="Z-CC", result="crippled", points=12)
        table.story.then(AccountChanged, account="coalition/damage", amount=-12)

    def test_fighters_and_bases_absorb_what_they_have(self) -> None:
        carrier = ship("Z-CV", "kzinti", "1105", "fighters")
        table = battle(ship("K-DN", "klingon", "1105", attack=20), CC, carrier).to("5-4C4")
        table.says(C, "score", points=9).to("5-6A")
        unsaid = table.tries(A, "allot", unit="Z-CV", result="absorbed")
        unsaid.then_refused("absorbed-points-missing", rule="302.6")
        nothing = table.tries(A, "allot", unit="Z-CC", result="absorbed", points=4)
        nothing.then_refused("cannot-absorb", rule="302.6", unit="Z-CC")
        table.says(A, "allot", unit="Z-CV", result="absorbed", points=4)
        table.story.then(AccountChanged, account="coalition/damage", amount=-4)
        more = table.tries(A, "allot", unit="Z-CV", result="absorbed", points=2)
        more.then_refused("absorbs-too-much", rule="302.6", unit="Z-CV", limit=1, given=5)
        table.says(A, "allot", unit="Z-CV", result="crippled", points=2)

    def test_unit_takes_what_its_counter_says(self) -> None:
        table = scored(6).to("5-6A")
        other = table.tries(A, "allot", unit="Z-CC", result="crippled", points=1)
        other.then_refused("points-not-as-counted", rule="302.6", action="damage on", unit="Z-CC", limit=6, given=1)
        table.says(A, "allot", unit="Z-CC", result="crippled", points=6)

    def test_compot_is_that_of_the_units_that_fight(self) -> None:
        table = battle(D7, CC, FF).to("5-4C4")
        other = table.tries(C, "score", points=8, compot=30)
        other.then_refused("compot-differs", rule="302.4", limit=6, given=30)
        table.tries(C, "score", points=8).then_refused("points-above-compot", rule="302.42", given=8, limit=6)
        drones = [{"amount": 2, "source": "drones"}]
        table.says(C, "score", points=8, modifiers=drones)
        table.story.then(MarkerSet, marker="scored", cause="COMPOT 8, drones +2")

    def test_allotting_and_carrying_over_need_damage(self) -> None:
        table = scored(6).to("5-6A").says(A, "allot", unit="Z-CC", result="crippled")
        none = table.tries(A, "allot", unit="Z-CC", result="crippled")
        none.then_refused("no-damage-to-allot", rule="302.6")
        table.tries(A, "carry-over").then_refused("no-damage-left", rule="308.2")

    def test_only_a_crippled_enemy_ship_is_captured(self) -> None:
        table = scored(6).to("5-6A").says(A, "allot", unit="Z-CC", result="crippled").to("5-6X1")
        whole = table.tries(C, "capture", 5, unit="Z-FF", at_least=5)
        whole.then_refused("not-a-crippled-enemy", rule="305.1", unit="Z-FF")
        for other in ("K-D7", "nobody"):
            none = table.tries(C, "capture", 5, unit=other, at_least=5)
            none.then_refused("not-a-fighting-enemy", rule="305.1", unit=other)
        table.says(C, "capture", 2, unit="Z-CC", at_least=5).story.then(UnitChanged, attribute="capture_tried")
        again = table.tries(C, "capture", 5, unit="Z-CC", at_least=5)
        again.then_refused("capture-tried-already", rule="305.1")

    def test_captured_ship_changes_sides(self) -> None:
        table = scored(6).to("5-6A").says(A, "allot", unit="Z-CC", result="crippled").to("5-6X1")
        table.says(C, "capture", 5, unit="Z-CC", at_least=5).story.then(UnitChanged, attribute="side", after=C)

    def test_tug_rescues_another_unit(self) -> None:
        """Printed: 537.2 in 5-6H, 537.3 in a pursuit."""
        table = battle(D7, CC, ship("Z-TG", "kzinti", "1105", "tug")).to("5-3E")
        table.says(A, "seal-force", units=["Z-CC", "Z-TG"], rescues=["Z-TG"]).to("5-6H")
        for tug, unit in (("Z-CC", "Z-TG"), ("Z-TG", "Z-TG")):
            none = table.tries(A, "rescue", 4, tug=tug, unit=unit)
            none.then_refused("not-a-tug-for-unit", rule="537.2", unit="Z-TG", tug=tug)
        table.says(A, "rescue", 4, tug="Z-TG", unit="Z-CC").story.then(UnitChanged, attribute="rescued_by")


class TestRetreat:
    def test_retreat_leaves_the_hex_from_within(self) -> None:
        table = battle(D7, ship("K-FAR", "klingon", "1306"), CC).to("5-7D", s5_7A2="retreat")
        absent = table.tries(C, "retreat", units=["K-FAR"], path=["1305"])
        absent.then_refused("units-elsewhere", rule="302.72", unit="K-FAR", at="1306", place="1105")
        back = table.tries(C, "retreat", units=["K-D7"], path=["1106", "1105"])
        back.then_refused("path-ends-where-it-began", rule="302.72", place="1105")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).story.then(UnitMoved, cause="retreat")

    def test_pursuer_is_in_one_force(self) -> None:
        slow = ship("K-SLOW", "klingon", "1105", "slow")
        table = battle(D7, slow, CC, FF).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        table.done(A, answer="stay").done(A, answer="pursue")
        both = table.tries(A, "seal-pursuit", units=["Z-CC", "Z-FF"], slow=["Z-FF"])
        both.then_refused("in-both-forces", rule="302.742", unit="Z-FF")
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).story.then(ChoiceSealed, question="slow pursuit")

    def test_tug_rescues_another_unit_from_a_pursuit(self) -> None:
        """Printed: 537.3 here, 537.2 in 5-6H."""
        table = battle(D7, ship("K-TG", "klingon", "1105", "tug"), CC).to("5-7A1").done(A, answer="stay")
        table.done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue")
        table.to("5-8C").done(A, answer="success").says(C, "stand", units=["K-D7"], tugs=["K-TG"]).to("5-8F")
        none = table.tries(C, "rescue", 4, tug="K-D7", unit="K-TG")
        none.then_refused("not-a-tug-for-unit", rule="537.3", tug="K-D7", unit="K-TG")
        table.says(C, "rescue", 4, tug="K-TG", unit="K-D7").story.then(UnitChanged, attribute="rescued_by")
        table.done(C)
        assert table.open == ("5-8K",)

    def test_pursuit_without_an_assigned_tug_continues_automatically(self) -> None:
        """Leave 5-8F automatically: after its battle the paths of retreat are open."""
        table = battle(D7, ship("K-TG", "klingon", "1105", "tug"), CC).to("5-7A1").done(A, answer="stay")
        table.done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue")
        table.to("5-8C").done(A, answer="success").says(C, "stand", units=["K-D7", "K-TG"]).to("5-8K")
        assert table.closed("5-8F").side == ""
        assert table.open == ("5-8K",)
