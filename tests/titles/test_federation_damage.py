"""Phase 5 of Federation & Empire, steps 3X to 5: intensity, electronic warfare, stasis, dice, directed damage."""

from typing import Any

from tests.face.domain import (
    REFEREE,
    AccountChanged,
    ChoiceMade,
    ChoiceRevealed,
    DiceRolled,
    Rule,
    StepPassed,
    UnitChanged,
    UnitRemoved,
    federation_and_empire_TITLE as TITLE,
    offers,
    open_steps,
    serving,
)
from tests.titles.federation_table import Line, War, battle, figures, ship, steps_named, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
SCOUT, KE = ship("Z-SC", "kzinti", "1105", "scout", ew=4), ship("R-KE", "romulan", "1105", "cloak")
SFG, SAF = ship("K-D7A", "klingon", "1105", "sfg"), ship("K-SAF", "klingon", "1105", "saf")
PENAL, CASTER = ship("K-JAG", "klingon", "1105", "penal"), ship("T-D", "tholian", "1105", "web")
SWAC = ship("Z-SWAC", "kzinti", "1105", "swac", attack=0)


def who(table: War, side: str = "") -> set[str]:
    return {unit.id for unit in serving(table.game, side)}


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def numbers(**told: int) -> dict[str, Any]:
    return {name.replace("_", "-"): {"value": value, "source": "made up for a test"} for name, value in told.items()}


class Test5S3XIntensity:
    """302.3X: ratings belong to one round."""

    def test_rating_is_sealed_in_every_round(self) -> None:
        table = battle().to("5-3X2").says(C, "seal-intensity", bir=7).says(A, "seal-intensity", bir=2)
        table.to("5-7A1").to("5-3X2", s5_7A2="stay").says(C, "seal-intensity", bir=3)


class Test53X1FightingRetreat:
    """302.772: 0 for the side that retreats, 10 for the side that blocks, without a choice."""

    def retreated(self, *more: Line) -> War:
        """Retreat Z-CC from 1105 to 1104, the hex of K-F5, and fight it there: 5-3X1 is open."""
        table = battle(D7, CC, ship("K-F5", "klingon", "1104"), *more).to("5-7A1").done(A, answer="retreat")
        table.done(C, answer="stay").to("5-7D", s5_7B="do not").says(A, "retreat", units=["Z-CC"], path=["1104"])
        return table.done(A).to("5-3X1")

    def test_retreating_side_says_it_once(self) -> None:
        table = self.retreated()
        block = table.tries(C, "fighting-retreat")
        block.then_refused("step-of-another-side", rule="302.772", seat="coalition", step="5-3X1", sides="Alliance")
        table.says(A, "fighting-retreat")
        table.story.then(ChoiceMade, question="BIR", side=A, choice=0)
        table.story.then(ChoiceMade, question="BIR", side=C, choice=10)
        table.tries(A, "fighting-retreat").then_refused("fighting-retreat-declared", rule="302.772")
        assert passed(table.to("5-3X4"), "5-3X2")

    def test_side_that_came_by_movement_is_not_asked(self) -> None:
        table = battle().to("5-3X2")
        assert passed(table, "5-3X1")
        for side in (A, C):
            here = table.tries(side, "fighting-retreat")
            here.then_refused("not-allowed-now", rule="5-3X2", order="fighting-retreat")
            assert "fighting-retreat" not in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], side)
        there = self.retreated()
        assert "fighting-retreat" in offers(TITLE, there.game, open_steps(TITLE, there.game)[0], A)

    def test_side_that_withdrew_there_has_retreated_too(self) -> None:
        table = battle(D7, CC, ship("K-F5", "klingon", "1104")).done(A, answer="withdraw").to("5-1C")
        table.says(A, "withdraw", units=["Z-CC"], path=["1104"]).to("5-3X1").says(A, "fighting-retreat")

    def test_retreat_is_forgotten_when_combat_is_over(self) -> None:
        table = self.retreated().to("6A")
        assert [unit.id for unit in table.game.in_play() if unit.get("retreated")] == []


class Test53X4Owed:
    """304.3: each side's die decides, if the scenario has the table for it."""

    def test_die_is_required_of_both_sides(self) -> None:
        table = battle().to("5-3X4")
        table.tries(A, "done").then_refused(
            "orders-required",
            rule="304.3",
            orders=("vary-intensity",),
        )
        table.says(A, "vary-intensity", 6).story.then(ChoiceMade, question="BIR", side=A, choice=6)
        table.tries(A, "vary-intensity", 6).then_refused("intensity-rolled-already", rule="304.3")
        table.done(A)
        table.tries(C, "done").then_refused(
            "orders-required",
            rule="304.3",
            orders=("vary-intensity",),
        )
        table.says(C, "vary-intensity", 3).done(C)

    def test_die_without_a_table_is_optional_and_changes_nothing(self) -> None:
        table = battle(tables={}).to("5-3X4").done(A).done(C)
        assert "5-3X4" not in table.open


class Test53X2Ratings:
    """304.1, 304.5: sealed, opened together; the attacker raises after four rounds with bases."""

    def test_both_ratings_are_sealed_once_and_opened(self) -> None:
        table = battle().to("5-3X2").says(C, "seal-intensity", bir=7)
        table.tries(C, "seal-intensity", bir=6).then_refused("sealed-already", rule="304.1", question="BIR")
        assert not any(isinstance(event, ChoiceRevealed) and event.question == "BIR" for event in table.events)
        table.says(A, "seal-intensity", bir=4).story.then(ChoiceRevealed, question="BIR", side=C, choice=7)

    def siege(self, rounds: int, bir: int = 5) -> War:
        """Fight a number of rounds against a base, the last of them at its ratings."""
        table = battle({**D7, "attack": 0}, {**BASE, "attack": 0}).to("5-3X2")
        for _ in range(rounds - 1):
            table.to("5-7A1").to("5-3X2", s5_7A2="stay")
        return table.says(C, "seal-intensity", bir=bir).says(A, "seal-intensity", bir=5)

    def test_attacker_raises_after_four_rounds_and_once(self) -> None:
        table = self.siege(5)
        theirs = table.tries(A, "raise-intensity")
        theirs.then_refused("only-attacker-raises", rule="304.5")
        much = table.tries(C, "raise-intensity", by=2)
        much.then_refused("rating-raised-too-much", rule="304.5", limit=1, given=2)
        table.says(C, "raise-intensity").story.then(ChoiceMade, question="BIR", side=C, choice=6)
        table.tries(C, "raise-intensity").then_refused("rating-raised-already", rule="304.5")

    def test_attacker_does_not_raise_in_the_fourth_round(self) -> None:
        early = self.siege(4).tries(C, "raise-intensity")
        early.then_refused("too-early-to-raise", rule="304.5", given=4)

    def test_attacker_does_not_raise_before_the_ratings_are_open(self) -> None:
        table = battle({**D7, "attack": 0}, {**BASE, "attack": 0}).to("5-3X2")
        for _ in range(4):
            table.to("5-7A1").to("5-3X2", s5_7A2="stay")
        table.to("5-3X2").says(C, "seal-intensity", bir=5)
        closed = table.tries(C, "raise-intensity")
        closed.then_refused("ratings-not-revealed", rule="304.5")


class Test53X3OffensiveCloaks:
    """306.2: cloaked ships of the attacker's force."""

    def test_ship_without_a_cloak_does_not_attack_cloaked(self) -> None:
        table = war(KE, D7, CC).to("5-3X3")
        none = table.tries(C, "attack-cloaked", units=["K-D7"])
        none.then_refused("wrong-kind", rule="306.2", unit="K-D7", units="R-KE")
        table.says(C, "attack-cloaked", units=["R-KE"]).story.then(UnitChanged, attribute="cloaked", after=True)


class Test53X4Variable:
    """304.3: one die a side."""

    def test_both_sides_roll_once(self) -> None:
        table = battle().to("5-3X4").says(A, "vary-intensity", 6)
        table.tries(A, "vary-intensity", 6).then_refused("intensity-rolled-already", rule="304.3")
        table.says(C, "vary-intensity", 3)


class Test53X5AgainstTheISC:
    """525.74C: a caster of the other side lowers an ISC force, not below 0."""

    def test_rating_is_lowered_to_nothing_at_most(self) -> None:
        isc = ship("K-I", "klingon", "1105", "isc")
        table = battle(D7, isc, CASTER, options={"isc": True, "web": True}).to("5-3X5")
        table.says(A, "cast-web", caster="T-D", by=9).story.then(ChoiceMade, question="BIR", side=C, choice=0)
        table.tries(A, "cast-web", caster="T-D", by=1).then_refused("caster-used", rule="525.74C")

    def test_web_is_refused_after_a_ruling_removed_the_isc_ship(self) -> None:
        isc = ship("K-I", "klingon", "1105", "isc")
        table = battle(D7, isc, CASTER, options={"isc": True, "web": True}).to("5-3X5")
        removal = {"order": "remove", "unit": "K-I", "fate": "destroyed"}
        ruling = Rule(
            seat=REFEREE, ruling="it was lost last turn", reason="a mistake", grounds="house rule", orders=(removal,)
        )
        table.story.play(ruling)
        table.tries(A, "cast-web", caster="T-D", by=1).then_refused("no-force-against-you", rule="525.74C")

    def test_step_without_an_isc_force_is_passed(self) -> None:
        table = battle(D7, CASTER, options={"isc": True, "web": True}).to("5-4C3")
        late = table.tries(A, "cast-web", caster="T-D", by=2)
        late.then_refused("not-allowed-now", rule="5-4C3")
        assert steps_named(late) == ["5-3J", "5-3X5", "5-4A7B/web", "5-4B"]
        assert "5-3X5" not in table.steps()


class Test5S4Damage:
    """302.4: a new round throws new dice."""

    def test_die_is_rolled_in_each_round(self) -> None:
        table = battle().to("5-4C3").says(C, "roll-damage", 4).to("5-7A1").to("5-4C3", s5_7A2="stay")
        table.says(C, "roll-damage", 2).story.then(DiceRolled, total=2)


class Test54A1SWACMissions:
    """518.4: one mission a SWAC and round."""

    def test_swac_has_one_mission(self) -> None:
        table = battle(D7, CC, SWAC, options={"swac": True}).to("5-4A1")
        other = table.tries(A, "assign-swac", unit="Z-CC", mission="wild")
        other.then_refused("wrong-kind", rule="518.4", unit="Z-CC", kind="SWAC", units="Z-SWAC")
        table.says(A, "assign-swac", unit="Z-SWAC", mission="wild")
        second = table.tries(A, "assign-swac", unit="Z-SWAC", mission="guard")
        second.then_refused("one-mission-a-round", rule="518.4", unit="Z-SWAC", mission="wild")


class Test54A2Points:
    """308.51: no unit gives more than it has."""

    def test_points_are_limited_by_the_units(self) -> None:
        table = battle(D7, CC, SCOUT).to("5-4A2")
        many = table.tries(A, "seal-ew", points=5, units=["Z-SC"])
        many.then_refused("points-above-warfare", rule="308.51", limit=4)
        table.says(A, "seal-ew", points=4, units=["Z-SC"])

    def test_unit_without_points_gives_none_if_others_have_some(self) -> None:
        table = battle(D7, CC, SCOUT, {**BASE, "traits": []}).to("5-4A2")
        none = table.tries(A, "seal-ew", points=9, units=["Z-BATS"])
        none.then_refused("points-above-warfare", rule="308.51", limit=0)
        table.says(A, "seal-ew", points=4, units=["Z-BATS", "Z-SC"])

    def test_shift_is_not_greater_than_the_difference_in_points(self) -> None:
        table = battle(D7, CC, SCOUT).to("5-4A2").says(A, "seal-ew", points=4, units=["Z-SC"])
        table.says(C, "seal-ew", points=0)
        much = table.tries(A, "shift-ew", shift=5)
        much.then_refused("wrong-shift", rule="5-4A2", given=5, own=4, theirs=0, limit=4)
        table.says(A, "shift-ew", shift=4)

    def test_points_are_stated_if_no_counter_has_any(self) -> None:
        bare = {name: value for name, value in SCOUT.items() if name != "ew"}
        table = battle(D7, CC, bare).to("5-4A2").says(A, "seal-ew", points=2, units=["Z-SC"])
        table.says(C, "seal-ew", points=0)
        table.tries(A, "shift-ew", shift=3).then_refused("wrong-shift", rule="5-4A2", own=2, limit=2)
        table.says(A, "shift-ew", shift=2)


class Test54A3XShips:
    """523.38: adjusted by a stated shift."""

    def test_shift_is_stated_by_the_side_with_the_x_ship(self) -> None:
        table = battle(D7, CC, ship("Z-X", "kzinti", "1105", "x"), options={"x_ships": True}).to("5-4A3")
        assert table.game.cursor.waiting() == (A,)
        table.says(A, "shift-ew", shift=1, why="X-ship")
        assert table.game.markers["EW shift"] == (A, "1")

    def test_step_without_an_x_ship_is_passed(self) -> None:
        away = ship("Z-X", "kzinti", "0902", "x")
        assert passed(battle(D7, CC, away, options={"x_ships": True}).to("5-4C3"), "5-4A3")

    def test_shift_is_not_greater_than_the_ships_give(self) -> None:
        table = battle(D7, CC, ship("Z-X", "kzinti", "1105", "x", ew=1), options={"x_ships": True}).to("5-4A3")
        much = table.tries(A, "shift-ew", shift=2)
        much.then_refused("wrong-shift", rule="523.38", limit=1)
        assert much.refusal is not None
        assert figures(str(much.refusal.fields["others"])) == ["1"]
        table.says(A, "shift-ew", shift=1)


class Test54A4XBases:
    """523.44: X-bases alone, after the enemy's choice is open."""

    def test_ordinary_base_is_not_asked(self) -> None:
        assert passed(battle(D7, BASE, CC).to("5-4C3"), "5-4A4")

    def test_owner_of_the_x_base_chooses(self) -> None:
        table = battle(D7, ship("Z-XB", "kzinti", "1105", "xbase", base=True), CC).to("5-4A4")
        table.tries(C, "shift-ew", shift=1).then_refused("step-of-another-side", rule="523.44", sides="Alliance")
        table.says(A, "shift-ew", shift=-1)


class Test54A5Troops:
    """521.3: units of the force that can land."""

    def test_unit_without_troops_is_not_named(self) -> None:
        table = battle(D7, ship("K-D5G", "klingon", "1105", "commando"), CC, options={"ground_combat": True}).to(
            "5-4A5"
        )
        none = table.tries(C, "announce", units=["K-D7"], purpose="assault")
        none.then_refused("no-troops", rule="521.3", unit="K-D7")
        other = table.tries(C, "announce", units=["K-D5G"], purpose="a picnic")
        other.then_refused("purpose-missing", rule="521.3", purpose="a picnic", due="assault")
        own = table.tries(C, "announce", units=["K-D5G"], purpose="assault", target="K-D7")
        own.then_refused(
            "not-an-announced-target",
            rule="521.3",
            found="K-D7",
        )
        table.says(C, "announce", units=["K-D5G"], purpose="assault", target="Z-CC")
        assert table.game.units["K-D5G"].get("eligible") == "assault Z-CC"


class Test54A6SAF:
    """520.4: a SAF of the phasing force against a fixed unit that fights, once."""

    def table(self) -> War:
        return battle(D7, SAF, BASE, CC, options={"saf": True})

    def test_against_a_base_that_fights(self) -> None:
        table = self.table().to("5-4A6")
        ordinary = table.tries(C, "announce", units=["K-D7"], purpose="SAF", target="Z-BATS")
        ordinary.then_refused("wrong-kind", rule="520.4", unit="K-D7", kind="SAF", units="K-SAF")
        mobile = table.tries(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-CC")
        mobile.then_refused("not-a-fixed-target", rule="520.4", target="Z-CC", units="Z-BATS")
        table.says(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-BATS")
        again = table.tries(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-BATS")
        again.then_refused("aimed-already", rule="520.4", unit="K-SAF", target="Z-BATS")

    def test_saf_is_not_aimed_in_an_approach_battle(self) -> None:
        """Federation & Empire 5-4A6 (520.4): without a fixed unit in the fight the step is passed."""
        table = self.table().to("5-2A3").done(A, answer="accept")
        assert passed(table.to("5-4C3"), "5-4A6")
        late = table.tries(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-BATS")
        late.then_refused(
            "not-allowed-now",
            rule="5-4C3",
        )
        assert steps_named(late) == ["5-4A5", "5-4A6", "5-4B", "5-6X3"]


class Test54A7Stasis:
    """312.20: without a generator in the force the steps are passed; a freeze ends with the round."""

    def test_step_without_generators_is_passed(self) -> None:
        assert passed(battle().to("5-4C3"), "5-4A7")

    def test_frozen_unit_fights_in_the_next_round(self) -> None:
        table = frozen("Z-CC").to("5-7A1").to("5-4A7A", s5_7A2="stay")
        assert table.game.units["Z-CC"].get("frozen") is None


def frozen(target: str, *more: dict[str, Any]) -> War:
    """Freeze a unit with K-D7A, which ends 5-4A7."""
    table = battle(D7, SFG, CC, FF, *more).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": target})
    return table.says(C, "roll-stasis", 1)


class Test54A7AAttempts:
    """312.221: attempts by generators of the force at units that fight, all at one time."""

    def test_attempts_are_declared_once_a_round(self) -> None:
        table = battle(D7, SFG, CC, FF).to("5-4A7A")
        none = table.tries(C, "declare-stasis", attempts={"K-D7": "Z-CC"})
        none.then_refused("wrong-kind", rule="312.20", unit="K-D7", units="K-D7A")
        nobody = table.tries(C, "declare-stasis", attempts={"K-D7A": "Z-FAR"})
        nobody.then_refused("target-not-fighting", rule="312.20", target="Z-FAR")
        table.says(C, "declare-stasis", attempts={"K-D7A": "K-D7"})


class Test54A7BAttempt:
    """312.222, 525.74E: one die an attempt; a caster may keep a ship of its own from being frozen."""

    def test_shielded_ship_is_not_frozen(self) -> None:
        table = battle(D7, SFG, CASTER, CC, options={"web": True}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        assert table.open == ("5-4A7B/web",)
        other = table.tries(A, "cast-web", caster="T-D", target="K-D7")
        other.then_refused("unit-of-another-side", rule="5-4A7B", side="Coalition")
        table.says(A, "cast-web", caster="T-D", target="Z-CC").done(A).says(C, "roll-stasis", 1)
        assert table.game.units["Z-CC"].get("frozen") is None


class Test54A7CRandom:
    """312.232: three and three different units, one die."""

    def test_threes_do_not_overlap_and_the_die_waits_for_both(self) -> None:
        ships = [ship(f"Z-F{n}", "kzinti", "1105") for n in range(4)]
        table = battle(D7, SFG, *ships).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-F0"})
        table.says(C, "roll-stasis", 5)
        few = table.tries(C, "name-targets", targets=["Z-F0", "Z-F1"])
        few.then_refused("wrong-number-of-targets", rule="312.232", limit=3)
        table.says(C, "name-targets", targets=["Z-F0", "Z-F1", "Z-F2"])
        early = table.tries(C, "roll-target", 5)
        early.then_refused("targets-unnamed", rule="312.232")
        taken = table.tries(A, "name-targets", targets=["Z-F0", "Z-F3", "K-D7"])
        taken.then_refused("not-a-valid-target", rule="312.232", target="Z-F0", units=("K-D7", "K-D7A", "Z-F3"))
        table.says(A, "name-targets", targets=["Z-F3", "K-D7", "K-D7A"])
        table.says(C, "roll-target", 4).story.then(UnitChanged, attribute="frozen")


class Test54A7DBreakdown:
    """312.223: a breakdown voids the freezes of this round, and the attempts still waiting."""

    def test_breakdown_frees_the_frozen_unit(self) -> None:
        second = ship("K-D5", "klingon", "1105", "sfg")
        table = battle(D7, SFG, second, CC, FF).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC", "K-D5": "Z-FF"})
        table.says(C, "roll-stasis", 1).says(C, "roll-stasis", 6)
        assert table.game.units["Z-CC"].get("frozen") is None
        assert table.open == ("5-4C3",)


class Test54A7EShiftAnew:
    """312.211: only after a unit that gave electronic warfare was frozen."""

    def test_shift_is_worked_out_again(self) -> None:
        assert passed(frozen("Z-CC").to("5-4C3"), "5-4A7E")
        table = frozen("Z-SC", SCOUT)
        assert table.open == ("5-4A7E",)
        much = table.tries(C, "shift-ew", shift=1, why="Z-SC is frozen")
        much.then_refused("wrong-shift", rule="312.211", given=1, own=0, theirs=0, limit=0)
        table.says(C, "shift-ew", shift=0, why="Z-SC is frozen")


class Test54A7FDecoys:
    """538: a decoy of a frozen ship, once; it frees the ship if it works."""

    def freeze(self) -> War:
        cloaked, decoy = KE, ship("R-DC", "romulan", "raid-pool", "decoy")
        generator = ship("Z-SFG", "kzinti", "1105", "sfg")
        table = war(cloaked, D7, decoy, generator, CC, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-KE").to("5-4A7A")
        return table.says(A, "declare-stasis", attempts={"Z-SFG": "R-KE"}).says(A, "roll-stasis", 1).to("5-4A7F")

    def test_decoy_that_works_frees_the_ship(self) -> None:
        table = self.freeze().says(C, "reveal-decoy", 5, decoy="R-DC", purpose="diverts", at_least=4)
        assert table.game.units["R-KE"].get("frozen") is None
        again = table.tries(C, "reveal-decoy", 5, decoy="R-DC", purpose="diverts", at_least=4)
        again.then_refused("decoy-revealed-already", rule="5-4A7F")

    def test_decoy_that_fails_is_gone_too(self) -> None:
        table = self.freeze().says(C, "reveal-decoy", 2, decoy="R-DC", purpose="diverts", at_least=4)
        assert table.game.units["R-KE"].get("frozen") == "Z-SFG"
        assert table.game.units["R-DC"].get("revealed") == "5-4A7F"


class Test54BFists:
    """525.74A: a web fist adds to the attack of its ship, once a round."""

    def test_web_fist_counts_in_the_combat_potential(self) -> None:
        table = battle(D7, CASTER, CC, options={"web": True}).to("5-4B").says(A, "cast-web", caster="T-D", by=3)
        table.to("5-4C4").says(A, "score", points=1, compot=15)

    def test_frozen_caster_casts_nothing(self) -> None:
        other = ship("T-D2", "tholian", "1105", "web")
        table = battle(D7, SFG, CASTER, other, CC, options={"web": True}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "T-D"}).done(A).says(C, "roll-stasis", 1).to("5-4B")
        ice = table.tries(A, "cast-web", caster="T-D", by=3)
        ice.then_refused("frozen-this-round", rule="312.20", unit="T-D")


class Test54CPotential:
    """The sum of the force: crippled ships at their crippled factors, frozen ones not."""

    def test_factors_of_the_force_are_added_up(self) -> None:
        hurt = {**FF, "crippled": True}
        table = battle(D7, SFG, CC, hurt, DD).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-DD"})
        table.says(C, "roll-stasis", 1).to("5-4C4")
        wrong = table.tries(A, "score", points=1, compot=15)
        wrong.then_refused("compot-differs", rule="302.4", limit=9, given=15)
        table.says(A, "score", points=1, compot=9)


class Test54C1Effects:
    """518.42, 528.431: results of SWACs and duels are recorded as the players agree."""

    def test_agreement_is_noted(self) -> None:
        table = battle(D7, CC, SWAC, options={"swac": True}).to("5-4C1")
        table.says(A, "mark", marker="agreed 518.42", to="drones at half")
        table.tries(A, "designate", units=["Z-CC"], role="drones").then_refused(
            "not-allowed-now", rule="5-4C1", orders=("roll", "mark", "done")
        )


class Test54C2PrizesAndPlans:
    """305.21, 534.243: a prize is used only once, and war plans are used up."""

    def test_prize_is_gone_afterwards(self) -> None:
        prize, other = (ship(name, "kzinti", "1105", "captured", side=A) for name in ("Z-PRIZE", "Z-PRIZE2"))
        table = battle(D7, CC, prize, other).to("5-4C2").says(A, "use-captured", unit="Z-PRIZE").to("5-4C4")
        table.to("5-7A1").to("5-4C2", s5_7A2="stay")
        gone = table.tries(A, "use-captured", unit="Z-PRIZE")
        gone.then_refused("unit-removed", rule="5-4C2", unit="Z-PRIZE", fate="used up")

    def test_war_plans_are_used_up(self) -> None:
        table = battle(D7, CC, accounts={"alliance/war-plans": 1}).to("5-4C2")
        table.says(A, "adjust-intensity", by=1, why="war-plans")
        table.story.then(AccountChanged, account="alliance/war-plans", after=0)
        again = table.tries(A, "adjust-intensity", by=1, why="war-plans")
        again.then_refused("no-war-plans", rule="534.243")

    def test_war_plans_need_a_rating(self) -> None:
        table = battle(D7, CC, accounts={"alliance/war-plans": 1}, numbers=numbers(small_scale_units=0)).to("5-4C2")
        table.says(A, "adjust-intensity", by=1, why="war-plans").story.then(ChoiceMade, side=A, choice=6)


class Test54C3Dice:
    """302.42, 316.22: one die a side; an admiral's effectiveness is shown once and for good."""

    def test_admiral_of_the_force_is_shown_once(self) -> None:
        admirals = [ship(f"Z-A{n}", "kzinti", "1105", "leader", aboard=on) for n, on in ((1, "Z-CC"), (2, "Z-FF"))]
        table = battle(D7, CC, FF, *admirals).to("5-3D").says(A, "seal-flagship", unit="Z-CC").to("5-3E")
        table.says(A, "seal-force", units=["Z-CC"]).to("5-4C3")
        out = table.tries(A, "reveal-admiral", leader="Z-A2", effect=1)
        out.then_refused("leader-not-in-force", rule="316.22", leader="Z-A2")
        table.says(A, "reveal-admiral", leader="Z-A1", effect=1)
        twice = table.tries(A, "reveal-admiral", leader="Z-A1", effect=2)
        twice.then_refused("effectiveness-known", rule="316.22", leader="Z-A1", effect=1)


class Test54C4Score:
    """308.51: stated once, and no more than the combat potential."""

    def test_score_is_stated_once_a_side(self) -> None:
        table = battle().to("5-4C4")
        table.tries(A, "score", points=7).then_refused("points-above-compot", rule="302.42", given=7, limit=6)
        table.says(A, "score", points=6)
        table.tries(A, "score", points=5).then_refused("damage-stated-already", rule="302.42")


class Test54DPrizesGo:
    """305.21: exactly those that were used."""

    def test_others_stay(self) -> None:
        prizes = [ship(f"Z-P{n}", "kzinti", "1105", "captured", side=A) for n in (1, 2)]
        table = battle(D7, CC, *prizes).to("5-4C2").says(A, "use-captured", unit="Z-P1").to("5-5B", passed=True)
        assert table.game.units["Z-P1"].fate == "used up"
        assert not table.game.units["Z-P2"].fate


class Test54EMinusPoints:
    """308.2: they lower one's own score, to nothing at most; the rest waits for the next round of the hex."""

    def test_minus_points_beyond_the_score_wait(self) -> None:
        table = battle(D7, CC, accounts={"coalition/minus 1105": 5}).to("5-4C4").says(C, "score", points=2)
        table.to("5-5B", passed=True)
        assert table.game.accounts["coalition/damage"] == 0
        assert table.game.accounts["coalition/minus 1105"] == 3


class Test54FSurvival:
    """518.33: one die for each SWAC that had a mission."""

    def worked(self) -> War:
        table = battle(D7, CC, SWAC, options={"swac": True}).to("5-4A1")
        return table.says(A, "assign-swac", unit="Z-SWAC", mission="wild").to("5-4F")

    def test_die_of_a_swac_is_required_once(self) -> None:
        table = self.worked()
        table.must(A, "roll-fate", "Z-SWAC", rule="518.33")
        table.says(A, "roll-fate", 5, unit="Z-SWAC", at_least=3)
        again = table.tries(A, "roll-fate", 5, unit="Z-SWAC", at_least=3)
        again.then_refused("none-can-be-chosen", rule="518.33", unit="Z-SWAC", reason="die-thrown-already")

    def test_swac_without_success_is_lost(self) -> None:
        table = self.worked().says(A, "roll-fate", 2, unit="Z-SWAC", at_least=3)
        table.story.then(UnitRemoved, unit="Z-SWAC")

    def test_swac_without_a_mission_is_not_rolled_for(self) -> None:
        other = ship("Z-SW2", "kzinti", "1105", "swac")
        table = battle(D7, CC, SWAC, other, options={"swac": True}).to("5-4A1")
        table.says(A, "assign-swac", unit="Z-SW2", mission="drones").to("5-4F")
        none = table.tries(A, "roll-fate", 5, unit="Z-SWAC", at_least=3)
        none.then_refused("cannot-be-chosen", rule="518.33", unit="Z-SWAC", units="Z-SW2", reason="needs-no-die")

    def test_step_without_a_mission_is_passed(self) -> None:
        """Federation & Empire 5-4F (518.33)."""
        assert "5-4F" not in battle(D7, CC, SWAC, options={"swac": True}).to("5-4C4").steps()


class Test54GToTheBase:
    """308.3: if the scenario sets the number, no side states it; points left after minus points count."""

    def fought(self, minus: int) -> War:
        strong = {**D7, "attack": 30}
        accounts = {"coalition/minus 1105": minus}
        table = battle(strong, BASE, CC, FF, DD, numbers=numbers(approach_damage=10), accounts=accounts)
        table.to("5-2A3").done(A, answer="accept").to("5-4C4").says(C, "score", points=12)
        return table.to("5-7A1").to("5-3A", s5_7A2="stay", s5_2A3="accept")

    def test_enough_leads_to_the_base(self) -> None:
        table = self.fought(2)
        assert "5-4G" not in table.steps()
        assert table.steps().count("5-2A2") == 1
        assert "Z-BATS" in who(table.to("5-4C4"))

    def test_too_little_does_not(self) -> None:
        table = self.fought(3)
        assert table.steps().count("5-2A2") == 2


class Test5S5Directed:
    """302.5: directed damage needs points."""

    def test_damage_is_not_directed_without_points(self) -> None:
        table = battle(D7, CC, {**FF, "defense": 1}).to("5-4C4").says(C, "score", points=2).to("5-5B")
        none = table.tries(C, "direct", unit="Z-CC", result="crippled")
        none.then_refused("too-few-damage-points", rule="302.5", given=12, limit=2)


class Test55ASacrifice:
    """528.41: a penal ship, before damage is directed."""

    def test_penal_ship_is_gone(self) -> None:
        table = battle({**D7, "attack": 12}, PENAL, CC).to("5-4C4").says(C, "score", points=12).to("5-5A")
        other = table.tries(C, "sacrifice", unit="K-D7")
        other.then_refused("wrong-kind", rule="528.41", unit="K-D7", kind="penal ship", units="K-JAG")
        table.says(C, "sacrifice", unit="K-JAG").to("5-5B")
        late = table.tries(A, "direct", unit="K-JAG", result="crippled")
        late.then_refused("step-of-another-side", rule="5-5B", sides="Coalition")


class Test55BPhasing:
    """The phasing side first, at one unit of the other force; a mauler may do it."""

    def test_phasing_side_directs_first_at_one_unit(self) -> None:
        table = battle({**D7, "attack": 40}, CC, FF).to("5-4C4").says(C, "score", points=30).to("5-5B")
        table.tries(A, "direct", unit="K-D7", result="crippled").then_refused(
            "step-of-another-side", rule="5-5B", sides="Coalition"
        )
        table.says(C, "direct", unit="Z-FF", result="crippled")
        second = table.tries(C, "direct", unit="Z-CC", result="crippled")
        second.then_refused("one-target-a-round", rule="302.5")

    def test_mauler_that_directs_suffers_shock(self) -> None:
        mauler = ship("K-D6M", "klingon", "1105", "mauler")
        table = battle({**D7, "attack": 40}, mauler, CC, FF).to("5-4C4").says(C, "score", points=20).to("5-5B")
        none = table.tries(C, "direct", unit="Z-FF", result="crippled", mauler="K-D7")
        none.then_refused("wrong-kind", rule="302.5", unit="K-D7", kind="mauler", units="K-D6M")
        table.says(C, "direct", unit="Z-FF", result="crippled", mauler="K-D6M").to("5-6D")
        table.must(C, "roll-fate", "K-D6M", rule="5-6D")
        table.says(C, "roll-fate", 4, unit="K-D6M").to("5-6X1")
        used = table.tries(C, "capture", 6, unit="Z-FF", at_least=4, mauler="K-D6M")
        used.then_refused("mauler-used", rule="308.47", mauler="K-D6M")


class Test55BHits:
    """538.34: a hit waits for the decoy; one that works diverts it, and its cost is spent."""

    def aimed(self, pips: int) -> War:
        decoy = ship("R-DC", "romulan", "raid-pool", "decoy")
        table = war(KE, D7, decoy, {**CC, "attack": 40}, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-KE").to("5-4C4").says(A, "score", points=20).to("5-5C")
        table.says(A, "direct", unit="R-KE", result="crippled").done(A)
        assert table.game.units["R-KE"].get("crippled") is None
        return table.says(C, "reveal-decoy", pips, decoy="R-DC", purpose="diverts", at_least=4).to("5-6A")

    def test_hit_is_diverted_by_a_decoy_that_works(self) -> None:
        table = self.aimed(5)
        assert table.game.units["R-KE"].get("crippled") is None
        assert table.game.accounts["alliance/damage"] == 8

    def test_hit_stays_if_the_decoy_fails(self) -> None:
        assert self.aimed(2).game.units["R-KE"].get("crippled") is True


class Test55CNonPhasing:
    """The non-phasing side when the other is done."""

    def test_non_phasing_side_directs_at_the_phasing_force(self) -> None:
        table = battle(D7, {**CC, "attack": 40}).to("5-4C4").says(A, "score", points=20).to("5-5C")
        own = table.tries(A, "direct", unit="Z-CC", result="crippled")
        own.then_refused("not-a-fighting-enemy", rule="302.5", units="K-D7")
        table.says(A, "direct", unit="K-D7", result="crippled")


class Test55DPlusPoints:
    """308.2: added after damage was directed, never before, and once."""

    def test_plus_points_do_not_pay_for_directed_damage(self) -> None:
        table = battle({**D7, "attack": 12}, CC, {**FF, "defense": 4}, accounts={"coalition/plus 1105": 4})
        table.to("5-4C4").says(C, "score", points=9).to("5-5B")
        dear = table.tries(C, "direct", unit="Z-CC", result="crippled")
        dear.then_refused("too-few-damage-points", rule="302.5", given=12, limit=9)
        table.to("5-6A")
        assert (table.game.accounts["coalition/damage"], table.game.accounts["coalition/plus 1105"]) == (13, 0)


class Test55ESAFStrikes:
    """520.4, 520.43: its die, what the base suffers, and it is used up."""

    def aimed(self) -> War:
        table = battle(D7, SAF, BASE, CC, options={"saf": True}).to("5-4A6")
        return table.says(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-BATS").to("5-5E")

    def test_strike_die_is_required_and_uses_the_saf_up(self) -> None:
        table = self.aimed()
        table.must(C, "strike-saf", "K-SAF", rule="520.4")
        other = table.tries(C, "strike-saf", 4, unit="K-D7", result="crippled")
        other.then_refused("not-aimed", rule="520.4", unit="K-D7", units="K-SAF")
        table.says(C, "strike-saf", 4, unit="K-SAF", result="crippled")
        assert table.game.units["Z-BATS"].get("crippled") is True
        assert table.game.units["K-SAF"].fate == "used up"

    def test_saf_that_was_not_aimed_is_not_spent(self) -> None:
        table = battle(D7, SAF, BASE, CC, options={"saf": True}).to("5-7A1")
        assert not table.game.units["K-SAF"].fate
