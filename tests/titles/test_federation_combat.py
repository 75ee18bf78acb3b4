"""Check phase 5 of Federation & Empire: every branch in the graph of the reading, and the refusals on the way."""

import pytest

from tests.face.domain import (
    AccountChanged,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    LoopClosed,
    LoopOpened,
    PassBegun,
    RestrictedEvent,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
)
from tests.titles.federation_table import War, battle, says, ship, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, CC, FF = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")
SFG = ship("K-D7A", "klingon", "1105", "sfg")


def rounds(table: War) -> int:
    """Return the number of rounds of combat begun."""
    return sum(isinstance(event, PassBegun) and event.loop == "5-ROUND" for event in table.events)


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


class TestBattleHexes:
    def test_phasing_side_picks_any_hex_with_units_of_enemies(self) -> None:
        table = war(
            D7, CC, ship("K-F5", "klingon", "0902"), ship("Z-CM", "kzinti", "0902"), ship("Z-DD", "kzinti", "1001")
        )
        table.to("5-HEX")
        table.tries(A, "pick", member="1105").then_refused("step-of-another-side", rule="302.9", sides="Coalition")
        table.tries(C, "pick", member="1001").then_refused("no-such-member", rule="302.9", free=("0902", "1105"))
        table.says(C, "pick", member="1105").story.then_open("5-1A")

    def test_hex_made_by_a_retreat_joins_the_list(self) -> None:
        table = war(D7, CC, ship("Z-CM", "kzinti", "1106")).to("5-7D", s5_7A2="retreat")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.open == ("5-HEX",)
        table.says(C, "pick", member="1106").story.then_open("5-1A")

    def test_phase_does_not_end_while_a_hex_is_unresolved(self) -> None:
        table = war(D7, CC, ship("K-F5", "klingon", "0902"), ship("Z-CM", "kzinti", "0902")).to("5-HEX")
        table.tries(C, "done").then_refused("pick-first", rule="5-HEX")

    def test_phase_without_a_battle_hex_is_over_at_once(self) -> None:
        assert war(D7, ship("Z-CC", "kzinti", "0902")).to("6A").steps().count("5-1A") == 0

    def test_elimination_of_one_side_ends_the_battle(self) -> None:
        """A11: not in the printed text; the rest of the round is played, then step 7 is skipped."""
        table = battle(D7, CC).to("5-6A")
        table.says(A, "allot", unit="Z-CC", result="destroyed")
        table.to("5-END")
        assert passed(table, "5-S7")
        assert rounds(table) == 1

    def test_scenario_names_the_enemies_in_three_player_turns(self) -> None:
        """A12."""
        sides = [{"id": one, "name": one.title()} for one in (C, A, "isc")]
        empires = [
            {"id": "klingon", "side": C, "name": "Klingons", "letter": "K"},
            {"id": "kzinti", "side": A, "name": "Kzinti", "letter": "Z"},
            {"id": "isc", "side": "isc", "name": "ISC", "letter": "I"},
        ]
        order, wars = [C, A, "isc"], [[C, A], [A, "isc"]]
        table = war(
            D7, CC, ship("I-CL", "isc", "1306"), ship("K-F5", "klingon", "1306"),
            sides=sides, empires=empires, turn_order=order, wars=wars,
        )  # fmt: skip
        table.to("5-HEX")
        table.tries(C, "pick", member="1306").then_refused("no-such-member", rule="5-HEX", free=("1105",))


class TestStep1Withdrawal:
    def test_unopposed_withdrawal_resolves_the_hex(self) -> None:
        table = battle().done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).done(A)
        table.to("5-END")
        assert rounds(table) == 0
        assert passed(table, "5-1D")

    def test_leader_named_with_their_ship_goes_once(self) -> None:
        """Name a leader who is aboard, and would go with the ship anyway."""
        leader = ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-CC")
        table = battle(D7, CC, leader).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-ADM", "Z-CC"], path=["1005"])
        moves = [event.unit for event in table.story.events if isinstance(event, UnitMoved)]
        assert moves == ["Z-ADM", "Z-CC"]

    def test_withdrawn_cripples_are_pursued_and_the_rest_fights(self) -> None:
        """A6."""
        table = battle(D7, CC, {**FF, "crippled": True}).done(A, answer="withdraw").done(C, answer="oppose")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).done(A)
        table.says(A, "name-flagship", unit="Z-CC").done(A).to("5-1F").done(C, answer="pursue")
        assert table.open == ("5-8A",)
        table.to("5-3A")
        assert rounds(table) == 1

    def test_open_flagship_must_serve_in_the_first_round(self) -> None:
        table = battle(D7, CC, FF).to("5-1D").says(A, "name-flagship", unit="Z-FF").to("5-3D")
        table.says(C, "seal-flagship", unit="K-D7")
        table.tries(A, "seal-flagship", unit="Z-CC").then_refused("flagship-required", rule="302.133", flagship="Z-FF")
        table.says(A, "seal-flagship", unit="Z-FF")

    def test_evading_flagship_is_replaced_by_one_that_did_not_evade(self) -> None:
        cloaked = [ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE")]
        table = war(CC, *cloaked, turn_order=[A, C]).to("5-1D")
        table.says(C, "name-flagship", unit="R-KE").done(C)
        table.says(C, "evade", 5, unit="R-KE", at_least=4)
        table.must(C, "name-flagship", "R-WE", rule="306.1")
        table.tries(C, "name-flagship", unit="R-KE").then_refused("unit-not-there", rule="306.1", units="R-WE")
        table.says(C, "name-flagship", unit="R-WE").done(C)
        assert table.game.markers["flagship of coalition"] == "R-WE"

    def test_base_does_not_withdraw(self) -> None:
        table = battle(D7, BASE, CC).done(A, answer="withdraw").done(C, answer="let go")
        table.tries(A, "withdraw", units=["Z-BATS"], path=["1005"]).then_refused("base-does-not-move", rule="5-1C")


class TestStep2Bases:
    def test_step_without_a_base_is_passed(self) -> None:
        assert passed(battle().to("5-3A"), "5-S2")

    def test_offer_is_mandatory_in_the_first_round_and_free_later(self) -> None:
        """A3."""
        table = battle(D7, BASE, CC).to("5-2A2")
        table.tries(C, "done", answer="no offer").then_refused("not-an-answer", rule="302.22", choices="offer")
        table.to("5-7A1").to("5-2A2", s5_7A2="stay").done(C, answer="no offer")
        assert table.open == ("5-2B1",)

    def test_cloaking_past_fights_the_base_and_bars_attack_cloaks(self) -> None:
        table = war(ship("R-KE", "romulan", "1105", "cloak"), BASE, CC).to("5-2A1").done(C, answer="cloak")
        table.to("5-3E")
        table.tries(A, "seal-force", units=["Z-CC"]).then_refused("base-required", rule="302.2", base="Z-BATS")
        table.to("5-3X4")
        assert passed(table, "5-3X3")

    def test_accepted_approach_battle_is_without_the_base(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-3E")
        table.tries(A, "seal-force", units=["Z-CC", "Z-BATS"]).then_refused("base-not-in-approach", rule="302.22")
        table.says(A, "seal-force", units=["Z-CC"])

    def test_enough_damage_there_leads_to_the_base_in_the_next_round(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-4G").done(C, answer="enough")
        table.to("5-7A1").to("5-2B1", s5_7A2="stay")
        assert passed(table, "5-2A")

    def test_rejection_leaves_every_chance_to_retreat(self) -> None:
        """A4: a side sent to step 7 enters it at its top."""
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="reject").done(C, answer="retreat")
        assert table.open == ("5-7A1",)
        table.done(A, answer="stay")
        assert passed(table, "5-7A2")
        assert table.open == ("5-7A3",)
        table.done(A, answer="stay").to("5-END")
        assert table.game.units["K-D7"].at != "1105"

    def test_lone_base_cannot_accept(self) -> None:
        table = battle(D7, BASE).to("5-2A2").done(C, answer="offer")
        assert passed(table, "5-2A3")
        assert table.open == ("5-2B1",)
        table.tries(A, "done", answer="accept").then_refused(rule="5-2")


class TestStep3Forces:
    def test_forces_are_sealed_and_opened_together(self) -> None:
        table = battle().to("5-3E").says(C, "seal-force", units=["K-D7"])
        told = table.story.told
        assert [one.visible_to for one in told if isinstance(one, RestrictedEvent)] == [(C, "referee")] * 2
        assert not any(isinstance(event, ChoiceRevealed) for event in table.events)
        table.tries(C, "reveal", question="force").then_refused("no-such-order-nearest", rule="orders", name="reveal")
        table.to("5-3G")
        shown = [(event.question, event.side) for event in table.events if isinstance(event, ChoiceRevealed)]
        assert {("force", C), ("force", A), ("flagship", C), ("escorts", A)} <= set(shown)

    def test_side_cannot_leave_without_sealing(self) -> None:
        table = battle().to("5-3E")
        table.tries(C, "done").then_refused("orders-required", rule="5-3E", orders=("seal-force",))
        table.says(C, "seal-force", units=["K-D7"])
        table.tries(C, "seal-force", units=["K-D7"]).then_refused("sealed-already", rule="302.3", question="force")

    def test_escort_groups_are_locked_until_pursuit(self) -> None:
        table = battle().to("5-7A1").to("5-3C", s5_7A2="stay")
        table.tries(C, "seal-escorts").then_refused("escorts-set-already", rule="515.15")

    def test_command_points_count_in_the_first_round_only(self) -> None:
        table = battle().to("5-7A1").to("5-3D", s5_7A2="stay")
        order = says(C, "seal-flagship", unit="K-D7", command_points=1)
        table.refused(order).then_refused("command-points-first-round", rule="308.9")

    def test_small_scale_is_tested_once_and_holds_for_the_hex(self) -> None:
        """A7; steps 3X, 4 and 5 are skipped."""
        table = battle().to("5-3B/size").done(C, answer="small").to("5-7A1").to("5-3K", s5_7A2="stay")
        assert table.steps().count("5-3B/size") == 1
        table.says(A, "skirmish", 3, units=["Z-CC"]).says(C, "skirmish", 4, units=["K-D7"]).done(A, C)
        assert table.open == ("5-6X9",)
        assert "5-3X2" not in table.steps()


class TestStep3FPinwheels:
    SHIPS = (D7, *(ship(f"T-PC-{n}", "tholian", "1105", "pinwheel") for n in (1, 2)))

    def test_play_continues_directly_if_none_is_declared(self) -> None:
        """A13."""
        table = battle(*self.SHIPS).to("5-3F1").says(A, "declare-pinwheels", number=0).done(A)
        assert table.open == ("5-3G",)

    def test_number_must_be_declared(self) -> None:
        table = battle(*self.SHIPS).to("5-3F1")
        table.tries(A, "done").then_refused(
            "orders-required",
            rule="5-3F1",
            orders=("declare-pinwheels",),
        )
        table.tries(A, "declare-pinwheels", number=2).then_refused("too-many-pinwheels", rule="322.1", limit=0)

    def formed(self) -> War:
        """Let both ships form one pinwheel."""
        table = battle(*self.SHIPS).to("5-3E")
        table.says(A, "seal-force", units=["T-PC-1", "T-PC-2"], pinwheels=["T-PC-1 T-PC-2"]).to("5-3F1")
        return table.says(A, "declare-pinwheels", number=1)

    def test_reveal_follows_without_an_offer_and_if_accepted(self) -> None:
        for answers in ({"s5_3F2": "none"}, {"s5_3F2": "offer", "s5_3F3": "accept"}):
            table = self.formed().to("5-3G", **answers)
            assert "5-4C3" not in table.steps()

    def test_refused_offer_is_one_round_without_combat(self) -> None:
        """A5, A4: the players are in step 7, in which both may retreat; the next round seals again."""
        table = self.formed()
        table.done(A).done(C, answer="offer").done(A, answer="refuse")
        assert table.open == ("5-7A1",)
        assert "5-3G" not in table.steps()
        table.to("5-3E", s5_7A2="stay")
        assert rounds(table) == 2
        table.says(C, "seal-force", units=["K-D7"])


class TestStep3XIntensity:
    def test_ratings_are_sealed_and_opened_by_the_second_seal(self) -> None:
        table = battle().to("5-3X2").says(A, "seal-intensity", bir=3).says(C, "seal-intensity", bir=7)
        shown = {event.side: event.choice for event in table.story.events if isinstance(event, ChoiceRevealed)}
        assert shown == {A: 3, C: 7}

    def test_rating_is_0_to_10(self) -> None:
        battle().to("5-3X2").tries(C, "seal-intensity", bir=11).then_refused(rule="seal-intensity", says="<= 10")


class TestStep4Damage:
    def test_electronic_warfare_is_opened_together(self) -> None:
        scout = ship("K-D6S", "klingon", "1105", "scout")
        table = battle(D7, scout, CC).to("5-4A2").says(C, "seal-ew", points=4, units=["K-D6S"])
        table.story.then(ChoiceSealed, question="EW", side=C)
        early = table.tries(C, "shift-ew", shift=1)
        early.then_refused("warfare-not-sealed", rule="308.51", side_has="Alliance has")
        table.says(A, "seal-ew", points=0).story.then(ChoiceRevealed, question="EW", side=C, choice=("4", "K-D6S"))
        table.says(C, "shift-ew", shift=1)

    def test_x_bases_choose_after_the_reveal(self) -> None:
        table = battle(D7, CC, ship("Z-XB", "kzinti", "1105", "xbase", base=True)).to("5-4A4")
        assert any(isinstance(event, ChoiceRevealed) and event.question == "EW" for event in table.events)
        table.tries(C, "shift-ew", shift=1).then_refused("step-of-another-side", rule="523.44", sides="Alliance")
        table.says(A, "shift-ew", shift=-2)

    def test_minus_points_precede_directed_damage_and_plus_follow(self) -> None:
        carried = {"coalition/minus 1105": 2, "alliance/plus 1105": 3}
        table = war(D7, {**CC, "defense": 1}, accounts=carried).to("5-4C4")
        table.says(C, "score", points=5, compot=6).says(A, "score", points=2, compot=6).to("5-5B")
        assert (table.game.accounts["coalition/damage"], table.game.accounts["alliance/damage"]) == (3, 2)
        table.to("5-6A")
        assert table.game.accounts["alliance/damage"] == 5
        assert table.game.accounts["coalition/minus 1105"] == 0
        assert table.game.accounts["alliance/plus 1105"] == 0

    def test_captured_ship_gives_one_and_is_gone(self) -> None:
        prize = ship("Z-PRIZE", "kzinti", "1105", "captured", side=A)
        more = ship("Z-SECOND", "kzinti", "1105", "captured", side=A)
        table = battle(D7, CC, prize, more).to("5-4C2").says(A, "use-captured", unit="Z-PRIZE")
        table.tries(A, "use-captured", unit="Z-PRIZE").then_refused("used-already", rule="305.21")
        second = table.tries(A, "use-captured", unit="Z-SECOND")
        second.then_refused("bonus-given-already", rule="305.21", unit="Z-PRIZE")
        table.to("5-4C3")
        table.says(A, "roll-damage", 4).story.then(DiceRolled, total=5)
        table.tries(A, "roll-damage", 4).then_refused("damage-rolled-already", rule="302.42")
        table.to("5-5B", passed=True)
        assert table.game.units["Z-PRIZE"].fate == "used up"


class TestStep4Stasis:
    UNITS = (D7, SFG, CC, FF, ship("Z-SC", "kzinti", "1105", "scout"))

    def test_frozen_scout_changes_the_shift(self) -> None:
        table = battle(*self.UNITS).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-SC"})
        table.says(C, "roll-stasis", 1)
        assert table.game.units["Z-SC"].get("frozen") == "K-D7A"
        assert table.open == ("5-4A7E",)

    def test_frozen_unit_is_not_a_target_and_takes_no_damage(self) -> None:
        weak = ship("Z-DD", "kzinti", "1105", defense=1)
        table = battle(*self.UNITS, weak).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.says(C, "roll-stasis", 2).to("5-4C4").says(C, "score", points=2).to("5-5B")
        table.tries(C, "direct", unit="Z-CC", result="crippled", points=0).then_refused("target-frozen", rule="312.212")
        table.to("5-6A")
        table.tries(A, "allot", unit="Z-CC", result="crippled").then_refused("frozen-this-round", rule="312.20")

    def test_random_result_picks_among_three_targets_of_each(self) -> None:
        table = battle(*self.UNITS).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.says(C, "roll-stasis", 5)
        assert table.open == ("5-4A7C",)
        table.says(C, "name-targets", targets=["Z-CC", "Z-FF", "Z-SC"])
        table.tries(C, "roll-target", 1).then_refused("targets-unnamed", rule="312.232")
        owed = table.tries(C, "done")
        owed.then_refused("others-act-first", rule="5-4A7C", sides=table.game.side_name(A))
        twice = table.tries(A, "name-targets", targets=["K-D7", "K-D7A", "Z-FF"])
        twice.then_refused("not-a-valid-target", rule="312.232", target="Z-FF", units=("K-D7", "K-D7A"))
        table.says(A, "name-targets", targets=["K-D7", "K-D7A"])
        table.says(A, "roll-target", 1).story.then(DiceRolled, dice="1d5", outcome="K-D7")
        assert table.game.units["K-D7"].get("frozen")

    def test_side_without_a_unit_left_names_no_target(self) -> None:
        table = battle(SFG, CC).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.says(C, "roll-stasis", 5).says(C, "name-targets", targets=["K-D7A", "Z-CC"])
        table.says(C, "roll-target", 2).story.then(DiceRolled, dice="1d2", outcome="Z-CC")

    def test_breakdown_voids_every_attempt_of_the_round(self) -> None:
        second = ship("K-D7B", "klingon", "1105", "sfg")
        table = battle(*self.UNITS, second).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC", "K-D7B": "Z-FF"})
        table.says(C, "roll-stasis", 1).says(C, "roll-stasis", 6)
        table.story.then(UnitChanged, unit="Z-CC", attribute="frozen", after=None)
        assert table.open == ("5-4C3",)

    def test_procedure_without_a_generator_is_passed(self) -> None:
        assert passed(battle().to("5-4C3"), "5-4A7")


class TestSteps5And6:
    def test_phasing_side_directs_first_and_each_at_one_unit(self) -> None:
        table = battle(D7, ship("K-D6", "klingon", "1105"), CC, FF).to("5-4C4").says(C, "score", points=12)
        table.says(A, "score", points=12).to("5-5B")
        table.tries(A, "direct", unit="K-D7", result="crippled").then_refused(
            "step-of-another-side", rule="5-5B", sides="Coalition"
        )
        table.says(C, "direct", unit="Z-CC", result="crippled", points=12)
        table.tries(C, "direct", unit="Z-FF", result="crippled").then_refused("one-target-a-round", rule="302.5")
        table.done(C)
        assert table.open == ("5-5C",)

    def test_non_phasing_side_must_allot_first(self) -> None:
        table = battle(D7, CC).to("5-6A")
        table.tries(C, "allot", unit="K-D7", result="crippled").then_refused(
            "step-of-another-side", rule="5-6A", sides="Alliance"
        )
        table.tries(A, "done").then_refused("orders-required", rule="302.6", orders=("allot", "carry-over"))
        table.says(A, "allot", unit="Z-CC", result="crippled").story.then(UnitChanged, unit="Z-CC", after=True)
        table.story.then(AccountChanged, account="coalition/minus 1105", amount=5)

    def test_damage_beyond_the_force_is_carried_over_as_plus_points(self) -> None:
        table = battle(ship("K-DN", "klingon", "1105", attack=20), CC, FF).to("5-4C4").says(C, "score", points=8)
        table.to("5-6A")
        early = table.tries(A, "carry-over")
        early.then_refused("can-take-the-rest", rule="308.2", unit="Z-CC", given=6, limit=8, result="crippled")
        table.says(A, "allot", unit="Z-CC", result="crippled").says(A, "carry-over")
        assert table.game.accounts["coalition/plus 1105"] == 2
        assert not table.game.accounts.get("coalition/minus 1105")

    def test_lost_ship_is_salvaged_once(self) -> None:
        table = battle(D7, CC, FF).to("5-6A").says(A, "allot", unit="Z-FF", result="destroyed").to("5-6X7")
        table.tries(A, "receive", ep=1, source="salvage", unit="Z-CC", empire="kzinti").then_refused(
            "not-lost", rule="439.1"
        )
        table.says(A, "receive", ep=1, source="salvage", unit="Z-FF", empire="kzinti")
        table.story.then(AccountChanged, account="kzinti/EP", amount=1, cause="salvage")
        table.tries(A, "receive", ep=1, source="salvage", unit="Z-FF", empire="kzinti").then_refused(
            "salvaged-already", rule="439.1"
        )


class TestStep7Retreat:
    def test_neither_retreats_and_the_next_round_begins_at_step_2(self) -> None:
        table = battle(D7, BASE, CC).to("5-7A1").to("5-2A2", s5_7A2="stay")
        assert rounds(table) == 2

    def test_defender_has_the_first_and_the_last_word(self) -> None:
        table = battle().to("5-7A1").done(A, answer="stay").done(C, answer="stay")
        assert table.open == ("5-7A3",)
        table.done(A, answer="retreat")
        assert table.open == ("5-7B",)

    def test_defender_goes_first_if_both_retreat(self) -> None:
        table = battle().to("5-7A1").done(A, answer="retreat").done(C, answer="retreat")
        assert passed(table, "5-7B")
        table.to("5-7D")
        table.tries(C, "retreat", units=["K-D7"], path=["1106"]).then_refused(
            "step-of-another-side", rule="302.72", sides="Alliance"
        )
        table.says(A, "retreat", units=["Z-CC"], path=["1005"]).done(A)
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.open == ("5-END",)

    def test_announced_retreat_is_required(self) -> None:
        table = battle().to("5-7D", s5_7A2="retreat")
        table.must(C, "retreat", "K-D7", rule="302.72")
        table.tries(C, "retreat", units=["K-D7"], path=["1309"]).then_refused("path-gap", rule="5-7D")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).story.then(UnitMoved, cause="retreat")

    def test_referee_may_excuse_a_retreat_with_a_reason(self) -> None:
        table = battle().to("5-7D", s5_7A2="retreat")
        table.says("referee", "excuse", reason="both players forgot, they agree")
        assert table.closed("5-7D").how == "overridden"

    def test_base_left_alone_fights_after_the_others_have_gone(self) -> None:
        """A1: the retreating units leave first, then rounds continue against the base until it falls."""
        strong = ship("K-DN", "klingon", "1105", attack=40, crippled_attack=40)
        table = battle(strong, BASE, CC).to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
        assert table.game.markers["base left"] == "1105"
        table.done(C, answer="do not").to("5-7D")
        table.says(A, "retreat", units=["Z-CC"], path=["1005"]).done(A)
        assert rounds(table) == 2
        table.to("5-4C4").says(C, "score", points=40).to("5-5B").says(C, "direct", unit="Z-BATS", result="destroyed")
        table.story.then(UnitRemoved, unit="Z-BATS", fate="destroyed")
        table.to("5-END")
        assert rounds(table) == 2

    def test_bases_alone_cannot_retreat(self) -> None:
        battle(D7, BASE).to("5-7A1").tries(A, "done", answer="retreat").then_refused(
            "not-an-answer", rule="302.71", choices="stay"
        )


class TestStep8Pursuit:
    def pursued(self) -> War:
        units = (D7, ship("K-F5", "klingon", "1105", "slow"), CC, FF)
        table = battle(*units).to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
        return table.done(A, answer="pursue")

    def test_pursuit_returns_to_the_next_hex(self) -> None:
        table = self.pursued()
        table.story.then(LoopOpened, loop="5-S8", kind="call", back="5-7B")
        table.to("5-END")
        assert passed(table, "5-7C")
        assert rounds(table) == 1

    def test_failed_die_leaves_out_the_pursuit_battle(self) -> None:
        """A8."""
        table = self.pursued().says(A, "seal-pursuit", units=["Z-CC"]).to("5-8L", s5_8C="failure")
        assert passed(table, "5-8D")
        assert passed(table, "5-8F")
        assert table.steps().count("5-4C3") == 1

    def test_pursuit_battle_borrows_steps_3x_to_6_only(self) -> None:
        """A2: 6X belongs to the rounds only; a pursuit has no step 7, so no second pursuit."""
        table = self.pursued().to("5-8C").done(A, answer="success").to("5-8L")
        borrowed = [event for event in table.events if isinstance(event, LoopOpened) and event.kind == "borrow"]
        assert [one.stretch for one in borrowed] == [("5-S3X", "5-S6")]
        assert (table.steps().count("5-4C3"), table.steps().count("5-6X1"), table.steps().count("5-7A1")) == (2, 1, 1)

    def test_slow_units_fight_their_own_battle_even_if_the_die_fails(self) -> None:
        table = self.pursued().says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8L", s5_8C="failure")
        borrowed = [event.back for event in table.events if isinstance(event, LoopOpened) and event.kind == "borrow"]
        assert borrowed == ["5-8G"]

    def test_die_is_seen_by_the_pursuer_until_the_force_is_revealed(self) -> None:
        table = self.pursued().to("5-8B")
        table.says(A, "roll-pursuit", 5)
        hidden = [one.event for one in table.story.told if isinstance(one, RestrictedEvent)]
        assert any(isinstance(event, DiceRolled) for event in hidden)
        table.tries(A, "roll-pursuit", 6).then_refused("pursuit-rolled-already", rule="5-8B (523.39")
        table.to("5-8E")
        assert any(isinstance(e, ChoiceRevealed) and (e.question, e.choice) == ("pursuit die", 5) for e in table.events)

    def test_retreat_follows_at_once_and_is_required(self) -> None:
        table = self.pursued().to("5-8L")
        table.must(C, "retreat", "K-D7", "K-F5", rule="302.72")
        table.to("5-END")
        assert {unit.at for unit in table.game.in_play(C)} != {"1105"}

    def test_base_does_not_pursue(self) -> None:
        table = battle(D7, BASE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat").to("5-7D")
        assert passed(table, "5-7B")


@pytest.mark.parametrize("answer", ["small", "full"])
def test_every_round_ends_in_step_7_or_with_the_hex(answer: str) -> None:
    table = battle().to("5-3B/size").done(C, answer=answer).to("5-END")
    assert [event.why for event in table.events if isinstance(event, LoopClosed) and event.loop == "5-ROUND"]
