"""Phase 5 of Federation & Empire, steps 2 and 3: bases and approach battles, groups, flagships, forces, pinwheels."""

from typing import Any

from tests.face.domain import (
    AccountChanged,
    ChoiceRevealed,
    MarkerSet,
    StepPassed,
    UnitChanged,
    serving,
)
from tests.titles.federation_table import War, battle, ship, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
KE = ship("R-KE", "romulan", "1105", "cloak")
DRONES = {"source": "made up", "of": {"drone bombardment": 2}}
WHEEL = tuple(ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3))
PENAL = ship("K-JAG", "klingon", "1105", "penal")


def who(table: War, side: str = "") -> set[str]:
    return {unit.id for unit in serving(table.game, side)}


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def numbers(**told: int) -> dict[str, Any]:
    """Return numbers of a scenario, with a source."""
    return {name.replace("_", "-"): {"value": value, "source": "made up for a test"} for name, value in told.items()}


class Test5S2Bases:
    """302.211: a base of the defender's that is alive and works."""

    def test_next_round_has_no_base_after_its_destruction(self) -> None:
        strong = {**D7, "attack": 60}
        table = battle(strong, BASE, CC).to("5-4C4").says(C, "score", points=18).to("5-6A")
        table.says(A, "allot", unit="Z-BATS", result="destroyed").to("5-7A1").to("5-3A", s5_7A2="stay")
        assert table.steps().count("5-2A2") == 1

    def test_base_being_set_up_does_not_count(self) -> None:
        assert passed(battle(D7, {**BASE, "operational": False}, CC).to("5-3A"), "5-S2")


class Test52AApproach:
    """Each round with a base has its offer, until an approach battle was won."""

    def test_approach_is_offered_again_in_the_second_round(self) -> None:
        table = battle(D7, BASE, CC).to("5-7A1").to("5-2A2", s5_7A2="stay")
        table.tries(A, "done", answer="offer").then_refused("step-of-another-side", rule="302.22", sides="Coalition")
        table.done(C, answer="offer").done(A, answer="accept")


class Test52A1Cloaks:
    """306.3, 306.2: cloaking past the approach bars offensive cloaks in this hex, for the attacker."""

    def test_cloaks_are_barred_in_every_round_of_the_hex(self) -> None:
        table = war(KE, BASE, CC).to("5-2A1").done(C, answer="cloak").to("5-7A1").to("5-3X4", s5_7A2="stay")
        assert sum(isinstance(event, StepPassed) and event.step == "5-3X3" for event in table.events) == 2

    def test_step_without_cloaks_is_passed(self) -> None:
        assert passed(battle(D7, BASE, CC).to("5-2A2"), "5-2A1")


class Test52A2Offer:
    """302.22: required in round 1."""

    def test_first_round_needs_the_offer(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A2")
        table.tries(C, "done", answer="no offer").then_refused("not-an-answer", rule="302.22", choices="offer")
        table.done(C, answer="offer")


class Test52A3Asked:
    """302.22: a defender with ships answers; a defender with only a base takes no part in the battle without it."""

    def test_defender_with_ships_answers_and_the_other_waits(self) -> None:
        sides = [{"id": one, "name": one.title()} for one in (C, A, "isc")]
        empires = [
            {"id": "klingon", "side": C, "name": "Klingons", "letter": "K"},
            {"id": "kzinti", "side": A, "name": "Kzinti", "letter": "Z"},
            {"id": "isc", "side": "isc", "name": "ISC", "letter": "I"},
        ]
        base = ship("K-BATS", "klingon", "1105", base=True)
        table = war(
            ship("I-CL", "isc", "1105"),
            base,
            ship("Z-CC", "kzinti", "1105"),
            sides=sides,
            empires=empires,
            turn_order=["isc", C, A],
            wars=[["isc", C], ["isc", A]],
        ).to("5-2A3")
        assert table.game.cursor.waiting() == (A,)
        table.done(A, answer="accept").to("5-3D")
        assert set(table.game.cursor.waiting()) == {"isc", A}
        table.to("5-7A1")
        assert table.game.cursor.waiting() == (A,)
        table.to("5-2A3", s5_7A2="stay")
        table.done(A, answer="reject").to("5-3D", s5_2B1="fight")
        assert set(table.game.cursor.waiting()) == {"isc", A, C}


class Test52A3Answer:
    """The defender alone answers; a rejection counts for the pursuit die."""

    def test_rejected_the_base_fights(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A3")
        table.tries(C, "done", answer="accept").then_refused("step-of-another-side", rule="5-2A3", sides="Alliance")
        assert "Z-BATS" in who(table.done(A, answer="reject").to("5-4C4"))
        assert table.game.markers["declined"] is True

    def test_accepted_nothing_was_declined(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-4C4")
        assert table.game.markers.get("declined") is None


class Test52BBaseBattle:
    """A lone base cannot come out, and is fought."""

    def test_lone_base_is_in(self) -> None:
        table = battle(D7, BASE).to("5-2B1")
        assert [one.step for one in table.events if isinstance(one, StepPassed) and one.step == "5-2A3"] == ["5-2A3"]
        assert who(table.to("5-4C4"), A) == {"Z-BATS"}


class Test52B1BeforeTheBase:
    """302.23: the attacker goes before the base: no dice in this round."""

    def test_round_before_the_base_has_no_combat(self) -> None:
        table = battle(D7, BASE, CC).to("5-2B1")
        table.tries(A, "done", answer="retreat").then_refused("step-of-another-side", rule="302.23", sides="Coalition")
        table.done(C, answer="retreat")
        assert table.open == ("5-7A1",)
        assert "5-4C3" not in table.steps()


class Test52B2WithTheBase:
    """The base is in the force."""

    def test_base_cannot_be_left_out(self) -> None:
        table = battle(D7, BASE, CC).to("5-1D").says(A, "name-flagship", unit="Z-CC").to("5-3E")
        table.tries(A, "seal-force", units=["Z-CC"]).then_refused("base-required", rule="302.2", base="Z-BATS")
        table.says(A, "seal-force", units=["Z-CC", "Z-BATS"])


class Test5S3Forces:
    """302.3: forces are set up again in each round."""

    def test_unit_left_out_may_fight_in_the_next_round(self) -> None:
        table = battle(D7, CC, FF).to("5-3D").says(A, "seal-flagship", unit="Z-CC").to("5-3E")
        table.says(A, "seal-force", units=["Z-CC"]).to("5-7A1")
        table.to("5-3E", s5_7A2="stay").says(A, "seal-force", units=["Z-CC", "Z-FF"])
        assert who(table.to("5-4C4"), A) == {"Z-CC", "Z-FF"}


class Test53ASupply:
    """410.22: each side for its own units, in each round."""

    def test_side_states_supply_of_its_own_units(self) -> None:
        table = battle(D7, CC, FF).to("5-3A")
        table.tries(C, "check-supply", out=["Z-FF"]).then_refused(
            "unit-of-another-side", rule="410.22", side="Alliance"
        )
        table.says(A, "check-supply", out=["Z-FF"]).story.then(UnitChanged, attribute="supply", after="out")

    def test_supply_is_stated_again_in_the_next_round(self) -> None:
        table = battle(D7, CC, FF).to("5-7A1").to("5-3A", s5_7A2="stay")
        table.says(A, "check-supply", partial=["Z-FF"])


class Test53KOwed:
    """310.0: small-scale combat is fought if it applies; each side with an opponent left rolls once a round."""

    def small(self) -> War:
        return battle(D7, D6, CC).to("5-3B/size").done(C, answer="small").to("5-3K")

    def test_step_does_not_end_without_the_die(self) -> None:
        table = self.small()
        table.must(A, "skirmish", "Z-CC", rule="310.0")
        table.must(C, "skirmish", "K-D6", "K-D7", rule="310.0")
        table.says(A, "skirmish", 3, units=["Z-CC"]).says(C, "skirmish", 4, units=["K-D6", "K-D7"]).done(A, C)
        assert table.open == ("5-6X9",)

    def test_side_without_an_opponent_left_needs_no_die(self) -> None:
        table = self.small().rolled().says(A, "suffer", unit="Z-CC", outcome="destroyed").done(A, C)
        assert "5-3K" not in table.open

    def test_step_does_not_end_while_the_enemy_die_may_bring_losses(self) -> None:
        table = self.small().says(A, "skirmish", 3, units=["Z-CC"])
        table.tries(A, "done").then_refused("others-act-first", rule="310.0", sides="Coalition")
        table.says(C, "skirmish", 4, units=["K-D6"]).says(A, "suffer", unit="Z-CC", outcome="crippled").done(A, C)

    def test_losses_come_after_the_dice(self) -> None:
        table = self.small()
        first = table.tries(A, "suffer", unit="Z-CC", outcome="crippled")
        first.then_refused("skirmish-not-rolled", rule="310.0")
        table.says(A, "skirmish", 3, units=["Z-CC"])
        alone = table.tries(A, "suffer", unit="Z-CC", outcome="crippled")
        alone.then_refused("skirmish-not-answered", rule="310.0", units="Coalition", unit="Z-CC")
        table.says(C, "skirmish", 3, units=["K-D6"]).says(A, "suffer", unit="Z-CC", outcome="crippled")

    def test_ship_that_was_lost_has_rolled_for_the_others(self) -> None:
        table = self.small().rolled().says(C, "suffer", unit="K-D6", outcome="destroyed").done(A, C)
        assert "5-3K" not in table.open

    def test_die_is_required_again_in_the_next_round(self) -> None:
        table = self.small().to("5-7A1").to("5-3K", s5_7A2="stay")
        table.tries(C, "done").then_refused("orders-required", rule="310.0", orders=("skirmish",))
        table.says(C, "skirmish", 4, units=["K-D6"])


class Test53BOrganised:
    """302.31, 310.11: the types of units, and the number that makes small-scale combat."""

    def test_units_of_the_battle_are_organised(self) -> None:
        table = battle(D7, CC, FF, ship("Z-FAR", "kzinti", "0902")).to("5-3B")
        far = table.tries(A, "designate", units=["Z-FAR"], role="squadron")
        far.then_refused("unit-not-there", rule="5-3B", unit="Z-FAR", where="in the battle")
        table.says(A, "designate", units=["Z-FF"], role="squadron")

    def test_limit_of_the_scenario_decides_without_a_question(self) -> None:
        small = battle(D7, CC, numbers=numbers(small_scale_units=2)).to("5-3K")
        assert passed(small, "5-3B/size")
        large = battle(D7, CC, FF, numbers=numbers(small_scale_units=2)).to("5-3X2")
        assert passed(large, "5-3K")

    def test_combat_stays_small_although_units_come_or_go(self) -> None:
        table = battle(D7, CC, numbers=numbers(small_scale_units=2)).to("5-7A1").to("5-3K", s5_7A2="stay")
        assert "5-3X2" not in table.steps()


class Test53CGroups:
    """515.15: a unit is in one group, and groups stay until pursuit."""

    def test_unit_is_in_one_group(self) -> None:
        table = battle(D7, CC, FF, DD).to("5-3C")
        twice = table.tries(A, "seal-escorts", groups=["Z-CC: Z-FF", "Z-DD: Z-FF"])
        twice.then_refused("in-two-groups", rule="515.15", unit="Z-FF")
        other = table.tries(C, "seal-escorts", groups=["K-D7: Z-FF"])
        other.then_refused("unit-of-another-side", rule="5-3C", side="Alliance")
        table.says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).to("5-3G")
        assert table.game.units["Z-FF"].get("group") == "Z-CC"
        assert table.game.units["Z-DD"].get("group") is None

    def test_group_goes_into_the_force_whole_or_not_at_all(self) -> None:
        table = battle(D7, CC, FF, DD).to("5-1D").says(A, "name-flagship", unit="Z-DD").to("5-3C")
        table.says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).to("5-3E")
        split = table.tries(A, "seal-force", units=["Z-DD", "Z-CC"])
        split.then_refused("group-incomplete", rule="515.15", units="Z-FF", plural="s", leader="Z-CC")
        split = table.tries(A, "seal-force", units=["Z-DD", "Z-FF"])
        split.then_refused("group-incomplete", rule="515.15", units="Z-CC", plural="s", leader="Z-CC")
        table.says(A, "seal-force", units=["Z-DD"]).to("5-7A1").to("5-3E", s5_7A2="stay")
        later = table.tries(A, "seal-force", units=["Z-DD", "Z-CC"])
        later.then_refused("group-incomplete", rule="515.15", units="Z-FF", plural="s")
        table.says(A, "seal-force", units=["Z-DD", "Z-CC", "Z-FF"])

    def test_next_round_keeps_the_groups(self) -> None:
        table = battle(D7, CC, FF).to("5-3C").says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).to("5-7A1")
        table.to("5-3C", s5_7A2="stay")
        late = table.tries(A, "seal-escorts", groups=["Z-FF: Z-CC"])
        late.then_refused("escorts-set-already", rule="515.15")
        assert table.to("5-3G").game.units["Z-FF"].get("group") == "Z-CC"


class Test53DCommandPoints:
    """308.9: they come from the side's account, when they are revealed."""

    def test_command_points_are_limited_by_the_account(self) -> None:
        table = battle(D7, CC, accounts={"coalition/command points": 3}).to("5-3D")
        many = table.tries(C, "seal-flagship", unit="K-D7", command_points=4)
        many.then_refused("too-few-command-points", rule="308.9", limit=3)
        table.says(C, "seal-flagship", unit="K-D7", command_points=2).to("5-3G")
        assert table.game.accounts["coalition/command points"] == 1


class Test53EAssignments:
    """302.36, 309.0, 521.81, 522.34, 321.3, 512.31, 322.11: assignments sealed with the force, once each, and paid."""

    TEAM = ship("K-TEAM", "klingon", "1105", "team", aboard="K-D6")
    GENERAL = ship("K-GEN", "klingon", "1105", "leader", "general", aboard="K-D7")

    def test_unit_is_named_once_and_the_least_is_kept(self) -> None:
        table = battle(D7, D6, CC, numbers=numbers(minimum_force=2)).to("5-3E")
        twice = table.tries(C, "seal-force", units=["K-D7", "K-D7"])
        twice.then_refused("named-twice", rule="5-3E", twice="K-D7")
        few = table.tries(C, "seal-force", units=["K-D7"])
        few.then_refused("force-too-small", rule="302.36", limit=2, plural="s")
        table.says(C, "seal-force", units=["K-D6", "K-D7"])

    def test_units_like_the_intended_one_are_suggested_first(self) -> None:
        many = [ship(f"K-F5-{number}", "klingon", "1105") for number in range(30)]
        table = battle(*many, ship("K-TUG-1", "klingon", "1105"), ship("K-TUG-2", "klingon", "1205"), CC).to("5-3E")
        away = table.tries(C, "seal-force", units=["K-TUG-2"])
        away.then_refused("unit-not-there", rule="5-3E", unit="K-TUG-2", where="in the battle", place="1105")
        assert away.refusal is not None
        assert away.refusal.remedy.endswith(" and 7 more")

    def test_ground_combat_elements_are_bought_one_a_ship(self) -> None:
        money = {"empires": [{"id": "klingon", "side": C, "name": "K", "letter": "K", "ep": 5},
                             {"id": "kzinti", "side": A, "name": "Z", "letter": "Z"}]}  # fmt: skip
        table = battle(D7, D6, CC, costs={"source": "made up", "of": {"build GCE": 2}}, **money).to("5-3E")
        ours: dict[str, Any] = {"units": ["K-D6", "K-D7"]}
        dear = table.tries(C, "seal-force", units=["K-D6", "K-D7"], gce=["K-D6", "K-D6"])
        dear.then_refused("named-twice", rule="5-3E", twice="K-D6")
        table.says(C, "seal-force", **ours, gce=["K-D6", "K-D7"]).to("5-3G")
        assert table.game.accounts["klingon/EP"] == 1
        table.to("5-7A1").to("5-3E", s5_7A2="stay")
        table.tries(C, "seal-force", **ours, gce=["K-D6"]).then_refused("has-ground-element", rule="521.81")
        table.says(C, "seal-force", **ours)

    def test_assignments_are_limited_by_the_purse(self) -> None:
        drone = ship("K-D6D", "klingon", "1105", "drone", drones=4)
        poor = {"empires": [{"id": "klingon", "side": C, "name": "K", "letter": "K", "ep": 1},
                            {"id": "kzinti", "side": A, "name": "Z", "letter": "Z"}]}  # fmt: skip
        table = battle(D7, drone, CC, costs=DRONES, **poor).to("5-3E")
        dear = table.tries(C, "seal-force", units=["K-D6D", "K-D7"], bombards=["K-D6D"])
        dear.then_refused("too-few-points-to-assign", rule="302.3", given=2, empire="K", limit=1)
        none = table.tries(C, "seal-force", units=["K-D6D", "K-D7"], bombards=["K-D7"])
        none.then_refused("not-a-drone-ship", rule="302.3", unit="K-D7")
        table.says(C, "seal-force", units=["K-D6D", "K-D7"])

    def test_drones_count_in_the_round_they_are_paid_for(self) -> None:
        drone = ship("K-D6D", "klingon", "1105", "drone", drones=4)
        table = battle(D7, drone, CC, costs=DRONES).to("5-3E")
        table.says(C, "seal-force", units=["K-D6D", "K-D7"], bombards=["K-D6D"]).to("5-4C4")
        table.says(C, "score", points=5, compot=16)
        assert table.game.accounts["klingon/EP"] == 58
        table.to("5-7A1").to("5-4C4", s5_7A2="stay").says(C, "score", points=1, compot=9)

    def test_teams_and_generals_have_one_place_and_one_mission(self) -> None:
        table = battle(D7, D6, CC, self.TEAM, self.GENERAL).to("5-3E")
        ours: dict[str, Any] = {"units": ["K-D6", "K-D7"]}
        two = table.tries(C, "seal-force", **ours, teams=["K-TEAM K-D7", "K-TEAM K-D6"])
        two.then_refused("team-twice", rule="522.34", team="K-TEAM")
        nowhere = table.tries(C, "seal-force", **ours, teams=["K-TEAM"])
        nowhere.then_refused("team-without-place", rule="522.34", team="K-TEAM")
        ordinary = table.tries(C, "seal-force", **ours, teams=["K-D6 K-D7"])
        ordinary.then_refused("wrong-trait", rule="522.34", unit="K-D6", trait="team", hex="1105", units="K-TEAM")
        enemy = table.tries(C, "seal-force", **ours, teams=["K-TEAM Z-CC"])
        enemy.then_refused("not-in-force", rule="522.34", unit="Z-CC")
        busy = table.tries(C, "seal-force", **ours, generals=["K-GEN assault", "K-GEN defense"])
        busy.then_refused("general-twice", rule="321.3", general="K-GEN")
        table.says(C, "seal-force", **ours, teams=["K-TEAM K-D7 2"], generals=["K-GEN assault"]).to("5-3G")
        assert table.game.units["K-TEAM"].get("aboard") == "K-D7"
        assert (table.game.units["K-TEAM"].get("task"), table.game.units["K-GEN"].get("task")) == ("2", "assault")

    def test_web_is_used_only_if_the_scenario_has_one(self) -> None:
        table = battle(D7, CC, options={"web": True}).to("5-3E")
        none = table.tries(C, "seal-force", units=["K-D7"], in_web=["K-D7"])
        none.then_refused("no-web-there", rule="512.31", place="1105")
        web = battle(D7, D6, CC, options={"web": True}, markers={"webs": ["1105"]}).to("5-3E")
        enemy = web.tries(C, "seal-force", units=["K-D6", "K-D7"], in_web=["Z-CC"])
        enemy.then_refused("not-in-force", rule="512.31", unit="Z-CC")
        web.says(C, "seal-force", units=["K-D6", "K-D7"], in_web=["K-D6"]).to("5-3G")
        assert web.game.units["K-D6"].get("in_web") == "1105"

    def test_rescue_tug_is_a_tug(self) -> None:
        table = battle(D7, D6, CC).to("5-3E")
        none = table.tries(C, "seal-force", units=["K-D6", "K-D7"], rescues=["K-D6"])
        none.then_refused("not-a-tug", rule="302.3", unit="K-D6")
        table.says(C, "seal-force", units=["K-D6", "K-D7"])

    def test_leader_changes_ships_once_and_to_a_ship(self) -> None:
        table = battle(D7, D6, CC, self.GENERAL).to("5-3E")
        away = table.tries(C, "transfer-leader", leader="K-GEN")
        away.then_refused("no-transfer-there", rule="316.144", leader="K-GEN", at="1105")
        table.says(C, "transfer-leader", leader="K-GEN", ship="K-D6")
        again = table.tries(C, "transfer-leader", leader="K-GEN", ship="K-D7")
        again.then_refused("ship-changed-already", rule="316.144", leader="K-GEN", step="5-3E")


class Test53FPinwheels:
    """322.1: without ships that form pinwheels play continues at 5-3G."""

    def test_step_without_such_ships_is_passed(self) -> None:
        assert passed(battle(D7, CC).to("5-3G"), "5-3F")


def formed(*more: dict[str, Any]) -> War:
    """Two of three ships form a pinwheel; its number is due."""
    table = battle(D7, D6, *WHEEL, *more).to("5-3E")
    return table.says(A, "seal-force", units=["T-P1", "T-P2", "T-P3"], pinwheels=["T-P1 T-P2"]).to("5-3F1")


class Test53F1Number:
    """322.1, 322.11: the number is that of the pinwheels that were formed by ship."""

    def test_pinwheel_is_formed_by_ships_that_can(self) -> None:
        table = battle(D7, *WHEEL, CC).to("5-3E")
        units = ["T-P1", "T-P2", "T-P3", "Z-CC"]
        cannot = table.tries(A, "seal-force", units=units, pinwheels=["T-P1 Z-CC"])
        cannot.then_refused("cannot-form-pinwheel", rule="322.11", unit="Z-CC")
        twice = table.tries(A, "seal-force", units=units, pinwheels=["T-P1 T-P2", "T-P2 T-P3"])
        twice.then_refused("in-pinwheel-already", rule="322.11", unit="T-P2")
        alone = table.tries(A, "seal-force", units=units, pinwheels=["T-P1"])
        alone.then_refused("too-few-for-pinwheel", rule="322.11", given=1, limit=2)
        table.says(A, "seal-force", units=units, pinwheels=["T-P1 T-P2"])

    def test_other_numbers_are_refused(self) -> None:
        table = formed()
        for number in (0, 2):
            wrong = table.tries(A, "declare-pinwheels", number=number)
            wrong.then_refused("too-many-pinwheels", rule="322.1", limit=1, given=number)
        table.says(A, "declare-pinwheels", number=1)


class Test53F2Offer:
    """The opponent of the Tholians offers, or does not."""

    def test_tholian_does_not_offer(self) -> None:
        table = formed().says(A, "declare-pinwheels", number=1).to("5-3F2")
        table.tries(A, "done", answer="offer").then_refused("step-of-another-side", rule="5-3F2", sides="Coalition")
        table.done(C, answer="none")
        assert table.open == ("5-3G",)


class Test53F3Accepted:
    """Ships in pinwheels are out of the accepted battle, and in the next round again."""

    def test_pinwheel_ships_take_no_part(self) -> None:
        table = formed().says(A, "declare-pinwheels", number=1).done(A).done(C, answer="offer")
        table.done(A, answer="accept").to("5-4C4")
        assert who(table, A) == {"T-P3"}
        table.tries(C, "direct", unit="T-P1", result="crippled").then_refused("not-allowed-now", rule="5-4C4")
        table.to("5-7A1").to("5-4C4", s5_7A2="stay")
        assert who(table, A) == {"T-P1", "T-P2", "T-P3"}


class Test53F4Refused:
    """A refused battle is one round without combat."""

    def test_next_step_is_the_retreat(self) -> None:
        table = formed().says(A, "declare-pinwheels", number=1).done(A).done(C, answer="offer")
        table.done(A, answer="refuse")
        assert table.open == ("5-7A1",)


class Test53GReveal:
    """324.21: everything is opened at once; core positions are counted from the ISC ships of the force."""

    def test_both_forces_are_opened_together(self) -> None:
        table = battle(D7, CC).to("5-3E").says(C, "seal-force", units=["K-D7"])
        assert not any(isinstance(event, ChoiceRevealed) and event.question == "force" for event in table.events)
        table.says(A, "seal-force", units=["Z-CC"]).to("5-3G")
        shown = {
            event.side for event in table.events if isinstance(event, ChoiceRevealed) and event.question == "force"
        }
        assert shown == {A, C}

    def test_cores_are_counted_from_the_force(self) -> None:
        iscs = [ship(f"Z-I{n}", "kzinti", "1105", "isc") for n in (1, 2, 3, 4)]
        table = battle(D7, *iscs, CC, numbers=numbers(ships_per_core=2)).to("5-3G")
        other = table.tries(A, "take-core", units=["Z-CC"])
        other.then_refused("wrong-kind", rule="324.21", unit="Z-CC", kind="ISC ship", units="Z-I1, Z-I2, Z-I3, Z-I4")
        many = table.tries(A, "take-core", units=["Z-I1", "Z-I2", "Z-I3"])
        many.then_refused("core-positions-taken", rule="324.21", limit=2, given=0, units=2)
        table.says(A, "take-core", units=["Z-I1", "Z-I2"])
        table.tries(A, "take-core", units=["Z-I3"]).then_refused("core-full", rule="324.21", limit=2, given=2)


class Test53GScouts:
    """308.53: units that could have the bonus are named among those who fight."""

    def test_scout_elsewhere_is_not_proposed(self) -> None:
        far, near = (ship(name, "klingon", at, "scout") for name, at in (("K-FAR", "1206"), ("K-NEAR", "1105")))
        table = battle(D7, far, near, CC).to("5-3G")
        other = table.tries(C, "give-bonus", unit="K-D7", bonus="scout")
        other.then_refused("wrong-kind", rule="308.53", unit="K-D7", kind="scout", units="K-NEAR")
        assert other.refusal is not None
        assert "K-FAR" not in other.refusal.remedy
        table.says(C, "give-bonus", unit="K-NEAR", bonus="scout")


class Test53HDuel:
    """528.43: a penal ship against one ship of the other force."""

    def test_duel_is_fought_by_a_penal_ship(self) -> None:
        table = battle(D7, PENAL, CC, FF, options={"honor_duels": True}).to("5-3H")
        other = table.tries(C, "skirmish", 3, units=["K-D7"])
        other.then_refused("not-a-penal-ship", rule="528.43", unit="K-D7", penal_ships=("K-JAG",))
        table.says(C, "skirmish", 3, units=["K-JAG"]).says(A, "skirmish", 3, units=["Z-CC"])
        second = table.tries(A, "skirmish", 3, units=["Z-FF"])
        second.then_refused("duel-fought", rule="528.43")

    def test_ship_lost_in_the_duel_does_not_fight_again(self) -> None:
        table = battle(D7, PENAL, CC, options={"honor_duels": True}).to("5-3H")
        early = table.tries(C, "suffer", unit="K-JAG", outcome="destroyed")
        early.then_refused("skirmish-not-answered", rule="528.43", units="Alliance", unit="K-JAG")
        table.says(C, "skirmish", 3, units=["K-JAG"])
        table.tries(C, "done").then_refused("others-act-first", rule="528.43", sides="Alliance")
        table.says(A, "skirmish", 5, units=["Z-CC"]).says(C, "suffer", unit="K-JAG", outcome="destroyed")
        assert who(table.to("5-4C4"), C) == {"K-D7"}

    def test_declined_duel_is_not_fought(self) -> None:
        table = battle(D7, PENAL, CC, options={"honor_duels": True}).to("5-3H").done(A)
        alone = table.tries(C, "skirmish", 3, units=["K-JAG"])
        alone.then_refused("duel-declined", rule="528.43")
        table.done(C)


class Test53JWebCaster:
    """525.74A: once a caster and round, on an enemy of the force, never below 0."""

    CASTER = ship("T-D", "tholian", "1105", "web")

    def test_caster_lowers_a_unit_of_the_other_force(self) -> None:
        table = battle(D7, D6, self.CASTER, CC, options={"web": True}).to("5-3J")
        none = table.tries(A, "cast-web", caster="Z-CC", target="K-D7", by=2)
        none.then_refused("wrong-kind", rule="525.74A", unit="Z-CC", kind="web caster", units="T-D")
        own = table.tries(A, "cast-web", caster="T-D", target="Z-CC", by=2)
        own.then_refused("not-a-fighting-enemy", rule="525.74A", unit="Z-CC")
        table.says(A, "cast-web", caster="T-D", target="K-D7", by=12)
        again = table.tries(A, "cast-web", caster="T-D", target="K-D6", by=1)
        again.then_refused("caster-used", rule="525.74A", caster="T-D", step="5-3J")
        table.to("5-4C4").says(C, "score", points=1, compot=6)

    def test_caster_is_there_again_in_the_next_round(self) -> None:
        table = battle(D7, D6, self.CASTER, options={"web": True}).to("5-3J")
        table.says(A, "cast-web", caster="T-D", target="K-D7", by=3).to("5-7A1").to("5-3J", s5_7A2="stay")
        assert table.game.units["K-D7"].get("weakened") is None
        table.says(A, "cast-web", caster="T-D", target="K-D7", by=1)


class Test308CommandAccount:
    """308.92: paid at the reveal, to the point."""

    def test_command_points_are_not_paid_before_the_reveal(self) -> None:
        table = battle(D7, CC, accounts={"coalition/command points": 1}).to("5-3D")
        table.says(C, "seal-flagship", unit="K-D7", command_points=1).to("5-3E")
        assert table.game.accounts["coalition/command points"] == 1
        table.to("5-3G")
        paid = [event for event in table.events if isinstance(event, AccountChanged) and "command" in event.account]
        assert [event.amount for event in paid] == [-1]
        assert not [event for event in table.events if isinstance(event, MarkerSet) and event.marker == "small-scale"]
