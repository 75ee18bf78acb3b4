"""Phase 5 of Federation & Empire, its beginning: which hex, and step 1 with its withdrawals, decoys and flagships."""

from typing import Any

from tests.face.domain import (
    NOTATION,
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    serving,
)
from tests.titles.federation_table import War, battle, ship, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
HURT = {**FF, "crippled": True}
THREE: dict[str, Any] = {
    "sides": [{"id": one, "name": one.title()} for one in (C, A, "isc")],
    "empires": [
        {"id": "klingon", "side": C, "name": "Klingons", "letter": "K"},
        {"id": "kzinti", "side": A, "name": "Kzinti", "letter": "Z"},
        {"id": "isc", "side": "isc", "name": "ISC", "letter": "I"},
    ],
    "turn_order": ["isc", C, A],
    "wars": [["isc", C], ["isc", A]],
}
CLOAKED = tuple(ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE"))
DECOYS = tuple(ship(name, "romulan", "raid-pool", "decoy", kind="WE") for name in ("R-DC1", "R-DC2"))


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def three(*more: dict[str, Any]) -> War:
    """Bring an ISC ship to both others in 1105."""
    return war(ship("I-CL", "isc", "1105"), D7, CC, *more, **THREE).to("5-1A")


def romulans_defend(*more: dict[str, Any]) -> War:
    """Make the Alliance the phasing side, with both decoys recorded for R-KE."""
    table = war(CC, *CLOAKED, *DECOYS, *more, turn_order=[C, A], options={"decoys": True}).to("2B7")
    for decoy in DECOYS:
        table.says(C, "assign-decoy", decoy=decoy["id"], ship="R-KE")
    return table


class Test51CDocks:
    """302.12: an FRD withdraws as it retreats, with a transport of mission F; alone it stays."""

    def test_unit_that_cannot_withdraw_is_not_promised(self) -> None:
        frd, tug = ship("Z-FRD", "kzinti", "1105", "frd"), ship("Z-TUG", "kzinti", "1105", "tug")
        alone = battle(D7, frd).tries(A, "done", answer="withdraw")
        alone.then_refused("not-an-answer", rule="302.11", answer="withdraw", choices="stay", do="`done stay`")
        table = battle(D7, frd, tug)
        dock = table.tries(A, "announce-withdrawal", units=["Z-FRD"])
        dock.then_refused("dock-needs-transport", rule="302.11", dock="Z-FRD")
        table.says(A, "announce-withdrawal", units=["Z-FRD", "Z-TUG"]).to("5-1C")
        idle = table.tries(A, "withdraw", units=["Z-FRD", "Z-TUG"], path=["1104"])
        idle.then_refused("too-few-transports", rule="302.12", docks=1, transports=0)
        table.says(A, "assign-mission", unit="Z-TUG", code="F")
        table.says(A, "withdraw", units=["Z-FRD", "Z-TUG"], path=["1104"]).done(A)
        assert table.game.units["Z-FRD"].at == "1104"

    def test_team_alone_does_not_withdraw(self) -> None:
        team, base = ship("Z-PT", "kzinti", "1105", "team"), {**BASE, "operational": False}
        battle(D7, base, team).tries(A, "done", answer="withdraw").then_refused(
            "not-an-answer", rule="302.11", answer="withdraw", choices="stay", do="`done stay`"
        )

    def test_frd_whose_transport_has_left_stays(self) -> None:
        frd, tug = ship("Z-FRD", "kzinti", "1105", "frd"), ship("Z-TUG", "kzinti", "1105", "tug")
        table = battle(D7, frd, tug).says(A, "announce-withdrawal", units=["Z-FRD", "Z-TUG"]).to("5-1C")
        table.says(A, "withdraw", units=["Z-TUG"], path=["1104"]).done(A)
        assert table.game.units["Z-FRD"].at == "1105"


class Test51ALeftOver:
    """302.9: nothing of the last battle counts in the next, also on who has retreated from one to the other."""

    def test_bonus_is_not_taken_along(self) -> None:
        table = war(D7, CC, ship("K-F5", "klingon", "1106"), ship("Z-BC", "kzinti", "1106"))
        table.to("5-HEX").says(C, "pick", member="1105").to("5-3G")
        table.says(A, "give-bonus", unit="Z-CC", bonus="formation")
        table.to("5-7A1").done(A, answer="retreat").to("5-7D", s5_7A2="stay")
        table.says(A, "retreat", units=["Z-CC"], path=["1106"])
        assert table.game.units["Z-CC"].get("bonus") == "formation"
        table.done(A).story.then_open("5-HEX")
        assert table.game.units["Z-CC"].get("bonus") is None
        table.says(C, "pick", member="1106")
        assert table.game.cursor.item("5-HEX") == "1106"
        assert table.game.units["Z-CC"].get("bonus") is None


class Test5Combat:
    """302.9: the phasing side picks any hex; each is resolved before the next."""

    def test_hex_made_by_a_retreat_is_a_new_battle(self) -> None:
        accounts = {"coalition/plus 1306": 2}
        table = war(D7, CC, ship("Z-CM", "kzinti", "1306"), ship("K-F5", "klingon", "1306"), accounts=accounts)
        table.to("5-HEX").says(C, "pick", member="1306").to("5-HEX", s5_7A2="stay", s5_7A1="retreat")
        assert table.game.units["Z-CM"].at != "1306"
        table.says(C, "pick", member="1105").to("5-1A")
        assert not table.game.accounts.get("coalition/plus 1306")

    def test_order_of_a_battle_waits_for_its_hex(self) -> None:
        table = war(D7, CC, ship("Z-CM", "kzinti", "1306"), ship("K-F5", "klingon", "1306")).to("5-HEX")
        table.tries(A, "withdraw", units=["Z-CC"], path=["1005"]).then_refused(
            "wait-for-side", rule="5-HEX", sides="Coalition"
        )
        table.says(C, "pick", member="1105").story.then_open("5-1A")


class Test5S1BeforeCombat:
    """302.1: step 1 comes once a hex."""

    def test_second_round_begins_with_step_2(self) -> None:
        table = battle().to("5-7A1").to("5-3A", s5_7A2="stay")
        assert table.steps().count("5-1A") == 1
        assert table.steps().count("5-3A") == 2


class Test51AAnnouncement:
    """302.11, 538.31: each defender announces a withdrawal and its units; decoys are announced as recorded."""

    def test_announced_units_alone_go(self) -> None:
        table = battle(D7, CC, FF, DD)
        table.tries(A, "announce-withdrawal", units=["K-D7"]).then_refused("unit-of-another-side", rule="302.11")
        table.says(A, "announce-withdrawal", units=["Z-FF", "Z-DD"]).done(C, answer="let go")
        other = table.tries(A, "withdraw", units=["Z-CC"], path=["1005"])
        other.then_refused("not-announced", rule="302.12", unit="Z-CC")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"])
        table.must(A, "withdraw", "Z-DD", rule="5-1C")
        table.says(A, "withdraw", units=["Z-DD"], path=["1005"]).done(A)

    def test_base_is_not_announced(self) -> None:
        table = battle(D7, CC, BASE)
        base = table.tries(A, "announce-withdrawal", units=["Z-BATS"])
        base.then_refused("base-does-not-withdraw", rule="302.11", base="Z-BATS")
        table.says(A, "announce-withdrawal", units=["Z-CC"]).story.then_open("5-1B")

    def test_lone_base_cannot_announce_a_withdrawal(self) -> None:
        table = battle(D7, BASE)
        table.tries(A, "done", answer="withdraw").then_refused(
            "not-an-answer", rule="5-1A", choices="stay", do="`done stay`"
        )
        table.done(A, answer="stay")

    def test_every_defender_decides_with_three_player_turns(self) -> None:
        table = three()
        table.done(C, answer="stay")
        assert table.open == ("5-1A/second",)
        table.tries(C, "done", answer="withdraw").then_refused("step-of-another-side", rule="5-1A", sides="Alliance")
        table.done(A, answer="withdraw").done("isc", answer="let go")
        other = table.tries(C, "withdraw", units=["K-D7"], path=["1005"])
        other.then_refused("step-of-another-side", rule="5-1C", sides="Alliance")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).done(A)
        table.to("5-1D").says(C, "name-flagship", unit="K-D7").done(C).to("5-4C4")
        assert {unit.id for unit in serving(table.game)} == {"I-CL", "K-D7"}

    def test_decoys_are_announced_as_they_were_recorded(self) -> None:
        table = romulans_defend().to("5-1A/decoys")
        for number, types in ((1, ["WE"]), (3, ["WE"]), (2, ["SP"])):
            wrong = table.tries(C, "announce-decoys", number=number, types=types)
            wrong.then_refused("other-decoys-recorded", rule="538.31", number=2, kinds="WE")
        table.says(C, "announce-decoys", number=2, types=["WE"])
        table.story.then(ChoiceMade, question="decoys present", side=C, choice=("2", "WE"))
        twice = table.tries(C, "announce-decoys", number=2, types=["WE"])
        twice.then_refused("decoys-announced-already", rule="538.31")

    def test_recorded_decoys_are_announced_before_the_step_is_left(self) -> None:
        table = romulans_defend().to("5-1A/decoys")
        left = table.tries(C, "done")
        left.then_refused("orders-required", rule="538.31", orders=("announce-decoys",))
        table.says(C, "announce-decoys", number=2, types=["WE"]).done(C)

    def test_romulans_decide_if_they_can_have_decoys(self) -> None:
        """Check that public facts decide: Romulan ships in the hex, and decoys not yet seen."""
        decoy, decoys = ship("R-DC", "romulan", "raid-pool", "decoy"), {"options": {"decoys": True}}
        elsewhere = ship("R-WE", "romulan", "1206", "cloak")
        for units in ((D7, elsewhere, decoy, CC), (ship("R-WE", "romulan", "1105", "cloak"), CC)):
            table = war(*units, **decoys).to("5-6A")
            asked = {step for step in table.steps() if step.endswith(("/decoys", "/further")) or step == "5-4A7F"}
            assert asked == set()
        here = war(ship("R-WE", "romulan", "1105", "cloak"), decoy, CC, **decoys).to("5-6A")
        assert {"5-1A/decoys", "5-1C/decoys", "5-3G/decoys"} <= set(here.steps())
        assert not {"5-1C/further", "5-5B/decoys", "5-5C/decoys"} & set(here.steps())

    def test_decoy_is_recorded_for_a_romulan_ship(self) -> None:
        decoy = ship("R-DC", "romulan", "raid-pool", "decoy")
        units = D7, ship("R-WE", "romulan", "1105", "cloak"), decoy, CC
        table = war(*units, options={"decoys": True}).to("5-1C/decoys")
        other = table.tries(C, "record-decoys", places=["R-DC K-D7"])
        other.then_refused("decoy-needs-ship-of-empire", rule="538.31", ship="K-D7", empire="romulan")
        table.says(C, "record-decoys", places=["R-DC R-WE"])

    def test_next_hex_asks_the_defenders_who_are_there(self) -> None:
        """Defend the first hex with the Alliance alone and the second with the Coalition; absent sides have no say."""
        second = ship("I-CA", "isc", "1206"), ship("K-D6", "klingon", "1206")
        table = war(ship("I-CL", "isc", "1105"), CC, *second, **THREE).to("5-HEX")
        table.says("isc", "pick", member="1105").to("5-7A2").done("isc", answer="stay").done(A, answer="retreat")
        table.to("5-7D", s5_7B="do not").says(A, "retreat", units=["Z-CC"], path=["1005"])
        table.to("5-HEX") if table.open != ("5-HEX",) else None
        table.to("5-1A")
        assert table.game.cursor.item("5-HEX") == "1206"
        assert table.game.cursor.waiting() == (C,)

    def test_pirates_decide_as_the_third_defender(self) -> None:
        pirates = {"id": "orion", "side": "orion", "name": "Orions", "letter": "O"}
        four = {**THREE, "sides": [*THREE["sides"], {"id": "orion", "name": "Orion"}]}
        four |= {"empires": [*THREE["empires"], pirates], "options": {"orions": True}}
        table = war(ship("I-CL", "isc", "1105"), D7, CC, ship("O-LR", "orion", "1105"), **four).to("5-1A")
        assert table.open == ("5-1A",)
        table.done(C, answer="stay").done(A, answer="stay")
        assert table.open == ("5-1A/third",)
        table.tries(A, "done", answer="withdraw").then_refused("step-of-another-side", rule="5-1A", sides="Orion")
        table.says("orion", "announce-withdrawal", units=["O-LR"]).done("isc", answer="let go")
        table.says("orion", "withdraw", units=["O-LR"], path=["1005"]).done("orion").to("5-4C4")
        assert {unit.id for unit in serving(table.game)} == {"I-CL", "K-D7", "Z-CC"}


class Test51BOpposed:
    """302.11: the phasing side answers only if a defender withdraws."""

    def test_step_without_a_withdrawal_is_passed(self) -> None:
        table = battle().done(A, answer="stay")
        assert passed(table, "5-1B")
        table.tries(C, "done", answer="oppose").then_refused("step-of-another-side", rule="5-1D", sides="Alliance")

    def test_defender_does_not_answer_it(self) -> None:
        table = battle(D7, CC, FF).done(A, answer="withdraw")
        table.tries(A, "done", answer="let go").then_refused("step-of-another-side", rule="302.11", sides="Coalition")
        table.done(C, answer="oppose").story.then_open("5-1C")


class Test51CPromise:
    """302.12, 302.13, 538.53: a promise is kept; an opposed withdrawal may fail; a decoy goes further."""

    def test_promised_withdrawal_is_required(self) -> None:
        table = battle(D7, CC, FF).done(A, answer="withdraw").done(C, answer="let go")
        table.must(A, "withdraw", "Z-CC", "Z-FF", rule="302.12")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).done(A)

    def test_opposed_withdrawal_may_fail(self) -> None:
        table = battle(D7, CC, FF).done(A, answer="withdraw").done(C, answer="oppose")
        table.says(A, "mark", marker="agreed 302.13", to="it fails").done(A)
        assert table.open == ("5-1D",)

    def withdrawing(self) -> War:
        """Record R-DC1 in the Coalition's turn; in the Alliance's turn Z-CC comes, and the Romulans withdraw."""
        near = {**CC, "at": "1106"}
        table = war(*CLOAKED, *DECOYS, near, turn_order=[C, A], options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").to("3B2").done(C).to("3B2")
        table.says(A, "move-units", units=["Z-CC"], path=["1105"]).to("5-1A").done(C, answer="withdraw")
        return table.done(A, answer="oppose")

    def test_decoy_goes_further_when_ships_have_gone(self) -> None:
        table = self.withdrawing().done(C)
        assert any(isinstance(one, StepPassed) and one.step == "5-1C/further" for one in table.events)
        early = table.tries(C, "withdraw-decoy", decoy="R-DC1", path=["1004"])
        early.then_refused(
            "not-allowed-now",
            rule="5-1C/decoys",
            order="withdraw-decoy",
            says="5-1C/further",
            orders=("record-decoys", "roll", "mark"),
        )

    def test_decoy_is_revealed_and_moved(self) -> None:
        table = self.withdrawing().says(C, "withdraw", units=["R-WE"], path=["1005"]).done(C)
        unknown = table.tries(C, "withdraw-decoy", decoy="R-DC2", path=["1004"])
        unknown.then_refused("decoy-without-ship", rule="538.53", decoy="R-DC2")
        table.says(C, "withdraw-decoy", decoy="R-DC1", path=["1004"])
        table.story.then(ChoiceRevealed, question="decoy R-DC1", choice="R-KE")
        table.story.then(UnitMoved, unit="R-DC1")
        assert table.game.units["R-DC1"].at == "1004"

    def test_decoy_stays_with_the_ship_it_was_recorded_for(self) -> None:
        table = romulans_defend().to("5-1C/decoys")
        other = table.tries(C, "record-decoys", places=["R-DC1 R-WE"])
        other.then_refused("decoy-of-another-ship", rule="538.31", decoy="R-DC1", ship="R-KE")
        table.says(C, "record-decoys", places=["R-DC1 R-KE", "R-DC2 R-KE"]).story.then(ChoiceSealed, question="decoys")

    def test_decoy_not_recorded_before_is_recorded_now(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC1 R-WE"]).to("5-3G/decoys")
        table.says(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")
        table.story.then(ChoiceMade, question="decoy R-DC1", choice="R-WE")

    def test_decoy_of_a_ship_that_does_not_fight_gives_no_bonus(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC1 R-WE", "R-DC2 R-KE"]).to("5-3E")
        table.says(C, "seal-force", units=["R-KE"]).to("5-3G/decoys")
        out = table.tries(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")
        out.then_refused("ship-of-decoy-not-fighting", rule="538.54", decoy="R-DC1")
        table.says(C, "reveal-decoy", 4, decoy="R-DC2", purpose="formation bonus")


class Test51DFlagship:
    """302.133: each defender that stays names one, openly."""

    def test_flagship_is_a_unit_that_stays(self) -> None:
        table = battle(D7, CC, FF).to("5-1D")
        table.must(A, "name-flagship", "Z-CC", "Z-FF", rule="302.133")
        table.tries(A, "name-flagship", unit="K-D7").then_refused("unit-of-another-side", rule="5-1D")
        table.says(A, "name-flagship", unit="Z-CC").story.then(MarkerSet, marker="flagship of alliance", after="Z-CC")

    def test_two_defenders_name_one_each(self) -> None:
        table = three().to("5-1D").says(C, "name-flagship", unit="K-D7").done(C)
        assert table.open == ("5-1D",)
        table.says(A, "name-flagship", unit="Z-CC").done(A).to("5-3D")
        table.says(C, "seal-flagship", unit="K-D7").says(A, "seal-flagship", unit="Z-CC")


class Test51EEvasion:
    """306.1: one try a ship; a flagship that has evaded is replaced by one that failed to."""

    def cloaked(self) -> War:
        third = ship("R-SP", "romulan", "1105", "cloak")
        table = war(CC, *CLOAKED, third, turn_order=[A, C]).to("5-1D").says(C, "name-flagship", unit="R-KE").done(C)
        return table.says(C, "evade", 5, unit="R-KE", at_least=4)

    def test_flagship_is_replaced_by_a_ship_that_failed(self) -> None:
        table = self.cloaked().says(C, "evade", 1, unit="R-WE", at_least=4)
        table.must(C, "name-flagship", "R-WE", rule="306.1")
        table.says(C, "name-flagship", unit="R-WE").done(C)

    def test_any_unit_that_stays_may_if_none_failed(self) -> None:
        table = self.cloaked().says(C, "name-flagship", unit="R-SP").done(C)
        assert table.game.markers["flagship of coalition"] == "R-SP"

    def test_flagship_that_did_not_evade_stays_flagship(self) -> None:
        table = war(CC, *CLOAKED, turn_order=[A, C]).to("5-1D").says(C, "name-flagship", unit="R-KE").done(C)
        table.says(C, "evade", 5, unit="R-WE", at_least=4)
        second = table.tries(C, "name-flagship", unit="R-KE")
        second.then_refused("flagship-has-not-evaded", rule="306.1", flagship="R-KE")
        table.done(C)
        assert {unit.id for unit in serving(table.to("5-4C4").game, C)} == {"R-KE"}


class Test51FWaysOn:
    """Resolved, pursuit, or combat: only cripples that withdrew are pursued."""

    def test_full_withdrawal_without_cripples_resolves_the_hex(self) -> None:
        table = battle(D7, CC).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).to("5-END")
        assert passed(table, "5-1F")

    def test_cripple_that_stays_gives_no_pursuit(self) -> None:
        table = battle(D7, CC, HURT).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).to("5-3A")
        assert passed(table, "5-1F")

    def test_turn_view_shows_the_hex_of_that_pursuit(self) -> None:
        table = battle(D7, CC, HURT).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).to("5-1F").done(C, answer="pursue")
        assert NOTATION.tells(table.game)[1].endswith(" 1105: 1105: K: D7; 1005: Z: FF (crippled)")

    def test_attacker_states_whether_to_pursue(self) -> None:
        table = battle(D7, CC, HURT).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).to("5-1F")
        table.tries(A, "done", answer="do not").then_refused("step-of-another-side", rule="5-1F", sides="Coalition")
        table.done(C, answer="do not").to("5-3A")
        gone = table.game.units["Z-FF"]
        assert (gone.at, gone.get("withdrew")) == ("1005", "1105")
        left = table.to("5-END").story
        left.then(UnitChanged, unit="Z-FF", attribute="withdrew", after=None)
