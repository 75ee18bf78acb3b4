"""Questions about a game: why, unit, account, dice, known, since, conformance."""

import msgspec
import pytest

import umpire_ledger as umpire
from tests.desk.referee.tables import Desk
from tests.face.cli import _say_causes
from tests.naming import Naming


class TestWhy:
    def test_why_has_order_seat_step_rule_causes_and_results(self, harbour: Desk) -> None:
        # #597: athens-5 sinks, because a 6 was rolled, and takes syracuse-5 with it.
        answer = harbour.ask("why", "#597")
        assert answer["seat"] == "athens"
        assert answer["order"]["order"] == "check-sinking"
        assert answer["step"] == "G.4"
        assert answer["record"]["rule"] == "G.4 [7.17]"
        assert answer["beside"][0]["text"] == Naming(35, "athens-5")
        assert answer["found_by"] == "deciding again"
        assert [(one["id"], one["attribute"], one["position"]) for one in answer["built_on"]] == [
            ("35", "", 596),
            ("athens-5", "rammed", 163),
        ]
        assert [(one["positions"], one["why"]) for one in answer["led_to"]] == [([598, 599], [Naming("#597")])]
        said = harbour.ok("why", "g", "597").out
        assert Naming("turn 2", "G.4") in said.splitlines()
        assert "athens-5: rammed none → yes (rammed by syracuse-5)" in said

    def test_twenty_prerequisites_are_all_listed(self, harbour: Desk, capsys: pytest.CaptureFixture[str]) -> None:
        """If there are more, their number is shown."""
        with umpire.open(harbour.folder / "umpire.db") as desk:
            answer = desk.game("g").referee.why(597)
        one = next(cause for cause in answer.built_on if not cause.set_up)
        for number, more in ((20, False), (21, True)):
            _say_causes(msgspec.structs.replace(answer, built_on=(one,) * number))
            said = capsys.readouterr().out
            assert said.count(f"#{one.position} ") == 20
            assert ("in all" in said) is more

    def test_prerequisites_from_set_up_are_shown_in_one_line(self, harbour: Desk) -> None:
        # #428: athens-2 is boarded with the four Manpower that athens-1 had from the set-up; it was grappled in play.
        said = harbour.ok("why", "g", "428").out
        assert "manpower of athens-1 (#2)" in said
        assert "athens-1: grappled none → athens-2" in said

    def test_order_that_cannot_be_decided_again_uses_last_touch(self, harbour: Desk) -> None:
        change = '{"order": "change", "unit": "athens-4", "attribute": "crew", "to": 1}'
        words = ("the crew is tired", "--grounds", "house", "--why", "agreed")
        harbour.ok("rule", "g", *words, "--order", change)
        answer = harbour.ask("why", "#613")
        assert answer["found_by"] == "last touch"
        assert answer["because"] == Naming("rule")
        assert ("unit", "athens-4", 585) in [(one["kind"], one["id"], one["position"]) for one in answer["built_on"]]
        assert answer["because"] in harbour.ok("why", "g", "613").out

    def test_rewound_record_is_labelled(self, harbour: Desk) -> None:
        harbour.ok("rewind", "g", "--to", "#590", "--why", "cocked")
        answer = harbour.ask("why", "597")
        assert not answer["counts"]
        assert answer["order"]["order"] == "check-sinking"
        assert "no longer counts" in harbour.ok("why", "g", "597").out

    def test_why_of_an_unknown_record_is_refused(self, harbour: Desk) -> None:
        assert harbour.type("why", "g", "#9999").code == 6
        assert harbour.type("why", "g", "0").code == 6
        assert harbour.type("why", "g", "x").code == 2


class TestUnitAndAccount:
    def test_unit_life_has_its_events_with_turn_and_step(self, harbour: Desk) -> None:
        found = harbour.ask("unit", "athens-5")
        assert found["life"][0]["event"] == "unit.placed"
        assert found["life"][-1]["text"] == "athens-5 is sunk at 1110 (rammed)"
        assert (found["life"][-1]["turn"], found["life"][-1]["step"]) == (2, "G.4")
        assert found["now"]["fate"] == "sunk"
        assert any("dice.rolled" in one["event"] for one in found["life"])

    def test_unit_life_omits_rewound_records(self, harbour: Desk) -> None:
        harbour.ok("rewind", "g", "--to", "#590", "--why", "cocked")
        assert harbour.ask("unit", "athens-5")["now"]["fate"] == ""
        assert "sunk" not in harbour.ok("unit", "g", "athens-5").out

    def test_account_has_opening_and_closing_by_turn(self, harbour: Desk) -> None:
        found = harbour.ask("account", "vp/syracuse")
        assert [(one["turn"], one["opening"], one["closing"]) for one in found["turns"]] == [
            (0, 0, 0),
            (1, 0, 12),
            (2, 12, 8),
        ]
        assert [entry["amount"] for entry in found["turns"][1]["entries"]] == [3, 4, 5]
        assert found["balance"] == harbour.ask("status")["accounts"]["vp/syracuse"]

    def test_unknown_unit_or_account_lists_the_known_ones(self, harbour: Desk) -> None:
        assert "athens-7" in harbour.refused("unit", "g", "athens-77")["remedy"]
        assert "vp/athens" in harbour.refused("account", "g", "gold")["remedy"]


class TestDice:
    def test_every_roll_and_totals_by_die_seat_and_purpose(self, harbour: Desk) -> None:
        found = harbour.ask("dice")
        assert len(found["rolls"]) == 35
        die = found["totals"][0]
        assert (die["of"], die["name"], die["rolls"]) == ("die", "d6", 35)
        assert sum(die["faces"]["counts"]) == die["faces"]["dice"] == 44
        assert die["faces"]["degrees"] == 5
        seats = [one for one in found["totals"] if one["of"] == "seat"]
        assert sum(one["faces"]["dice"] for one in seats) == 44
        purposes = {one["name"]: one["rolls"] for one in found["totals"] if one["of"] == "purpose"}
        assert purposes["boarding …"] == 6

    def test_unit_in_a_purpose_is_omitted_from_the_totals(self, ford: Desk) -> None:
        # A side need not name the subject of a roll: `red-horse attacks again` was rolled once in the recorded game.
        about = {"table": "fight", "pips": [5, 3]}
        ford.order("red", "roll", dice="2d6", purpose="red-foot attacks again", **about)
        purposes = {one["name"]: one["rolls"] for one in ford.ask("dice")["totals"] if one["of"] == "purpose"}
        assert purposes["… attacks again"] == 2
        assert not [name for name in purposes if "red-" in name]

    def test_too_few_dice_are_called_too_few(self, harbour: Desk) -> None:
        totals = harbour.ask("dice", "--totals")["totals"]
        assert totals[0]["faces"]["warning"] == ""
        assert next(one for one in totals if one["name"] == "wind")["faces"]["warning"] == Naming(5)

    def test_rolls_of_abandoned_lines_are_kept_apart(self, harbour: Desk) -> None:
        harbour.ok("rewind", "g", "--to", "#302", "--why", "cocked")
        assert len(harbour.ask("dice")["rolls"]) == 15
        assert len(harbour.ask("dice", "--all")["rolls"]) == 35
        assert {one["seat"] for one in harbour.ask("dice", "--by", "athens")["rolls"]} == {"athens"}

    def test_pips_that_are_kept_on_a_rewind_count_once(self, harbour: Desk) -> None:
        harbour.ok("rewind", "g", "--to", "338", "--why", "to look", "--dice", "keep")
        harbour.order("athens", "roll-wind")
        found = harbour.ask("dice", "--all")
        assert [one["kept"] for one in found["rolls"]][-1] == 339
        assert (len(found["rolls"]), found["totals"][0]["rolls"]) == (36, 35)


class TestKnown:
    @pytest.fixture
    def sealed(self, ford: Desk) -> Desk:
        ford.order("red", "seal-choice", question="reserve", choice="through-the-marsh")
        return ford

    def test_known_lists_the_secrets_of_a_seat_at_a_position(self, sealed: Desk) -> None:
        n = str(sealed.size("g"))
        red = sealed.ask("knew", "red", n)
        assert red["secrets"][-1]["text"] == "red secretly chooses through-the-marsh for reserve"
        blue = sealed.ask("knew", "blue", n)
        assert all(one["seat"] == "blue" for one in blue["secrets"])
        assert blue["hidden"][-1] == int(n)
        before = sealed.ask("knew", "red", str(int(n) - 2))
        assert before["secrets"] == red["secrets"][:-1]

    def test_seen_is_seen_though_it_was_rewound(self, sealed: Desk) -> None:
        n = sealed.size("g")
        sealed.order("red", "reveal", question="reserve")
        sealed.ok("rewind", "g", "--to", str(n), "--why", "too soon")
        blue = sealed.ask("knew", "blue", str(sealed.size("g")))
        assert blue["undone"][-1]["text"] == "red reveals through-the-marsh for reserve"

    def test_seat_cannot_ask_for_the_knowledge_of_another(self, sealed: Desk) -> None:
        for words in (("knew", "g", "red", "3"), ("since", "g", "red")):
            refusal = sealed.refused(*words, "--as", "blue")
            assert refusal["rule"] == "secrets"
            assert "--as red" in refusal["remedy"]
        assert sealed.type("knew", "g", "nobody", "3").code == 3


class TestSince:
    def test_since_lists_orders_after_the_last_look(self, harbour: Desk) -> None:
        harbour.ok("status", "g", "--as", "athens", "--looked")
        harbour.ok("note", "g", "a draw?", "--as", "syracuse")
        found = harbour.ask("since", "athens")
        assert found["looked"] == 611
        assert [one["text"] for one in found["since"]] == [Naming("Syracuse", "a draw")]
        assert harbour.ask("since", "athens") == found, "asking is not looking"

    def test_since_without_a_look_lists_all_visible_orders(self, harbour: Desk) -> None:
        found = harbour.ask("since", "syracuse")
        assert found["looked"] == 0
        assert len(found["since"]) > 100


class TestConformance:
    def test_conformance_has_a_state_for_each_printed_label(self, harbour: Desk) -> None:
        found = harbour.ask("conformance", "--turn", "2")
        labels = {one["id"]: one for one in found["labels"]}
        assert list(labels) == [one["id"] for one in harbour.ok("sequence", "war-galley", "--json").json]
        assert (labels["A"]["state"], labels["A"]["positions"]) == ("done", [342])
        assert labels["F.3"]["state"] == "not applicable"
        assert sum(found["counts"].values()) == len(labels)

    def test_declined_open_and_not_reached(self, harbour: Desk) -> None:
        first = {one["id"]: one for one in harbour.ask("conformance", "--turn", "1")["labels"]}
        assert "declined" in {one["state"] for label in first.values() for one in label["passes"]}
        now = {one["id"]: one["state"] for one in harbour.ask("conformance")["labels"]}
        assert (now["A"], now["C.roll"]) == ("open", "not reached")

    def test_override_of_the_referee_has_its_reason(self, harbour: Desk) -> None:
        harbour.order("referee", "excuse", reason="there is no wind tonight")
        label = next(one for one in harbour.ask("conformance")["labels"] if one["id"] == "A")
        assert (label["state"], label["why"]) == ("overridden", "there is no wind tonight")

    def test_conformance_without_a_sequence_is_empty(self, ford: Desk) -> None:
        assert ford.ask("conformance")["labels"] == []
        assert "no sequence" in ford.ok("conformance", "g").out
