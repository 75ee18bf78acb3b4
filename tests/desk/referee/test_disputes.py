"""Disputes, dependents of contested records, and rulings with their search."""

import json

import pytest

from tests.desk.referee.tables import Desk
from tests.face.desk import open_ledger, open_session
from tests.face.domain import (
    Change,
    Dispute,
    DisputeSettled,
    Redo,
    Rule,
    RulingMade,
    Settle,
    Undo,
    UnitChanged,
)
from tests.face.ledger import PositionConflict
from tests.face.projections import RecordedOrder, VisibleRecord, dependents
from tests.face.testing import Story
from tests.naming import Naming

FIRE = ("#303", "#304")
CLAIM = ("--claim", "three hexes of water lay between them", "--rule", "8.55", "--as", "syracuse")


class TestOpening:
    def test_play_continues_during_a_dispute(self, harbour: Desk) -> None:
        before = harbour.ask("status")
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        after = harbour.ask("status")
        assert (after["open"], after["owed"]) == (before["open"], before["owed"])
        harbour.order("athens", "roll-wind", pips=[3, 3])
        found = harbour.ask("dispute list")
        assert [(one["dispute"], one["records"], one["seat"], one["settled"]) for one in found] == [
            ("d1", [303, 304], "syracuse", 0)
        ]

    def test_missing_record_cannot_be_contested(self, harbour: Desk) -> None:
        refusal = harbour.refused("dispute", "open", "g", "#999", *CLAIM)
        assert (refusal["refusal_code"], refusal["fields"]) == ("no-such-record", {"position": 999, "tip": 611})

    def test_dispute_id_is_used_once(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM, "--id", "fire")
        refusal = harbour.refused("dispute", "open", "g", *FIRE, *CLAIM, "--id", "fire")
        assert (refusal["refusal_code"], refusal["fields"]) == ("dispute-exists", {"dispute": "fire"})
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        assert [one["dispute"] for one in harbour.ask("dispute list")] == ["fire", "d1"]

    def test_rewind_neither_settles_nor_reopens_a_dispute(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        harbour.ok("rewind", "g", "--to", "#302", "--why", "to look at it")
        assert [one["settled"] for one in harbour.ask("dispute list")] == [0]
        harbour.ok("dispute", "settle", "g", "d1", "--ruling", "it burns", "--why", "seen by all")
        harbour.ok("redo", "g")
        assert harbour.ask("dispute list", "--open") == []


class TestSettling:
    def test_dispute_is_answered_by_referee_or_withdrawn_by_seat(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        refusal = harbour.refused("dispute", "settle", "g", "d1", "--as", "athens")
        assert refusal["refusal_code"] == "dispute-of-another-seat"
        assert refusal["fields"] == {"dispute": "d1", "seat": "syracuse"}
        assert harbour.refused("dispute", "settle", "g", "d1")["refusal_code"] == "ruling-missing"
        harbour.ok("dispute", "settle", "g", "d1", "--as", "syracuse")
        assert harbour.ask("dispute list")[0]["ruling"] == "withdrawn"
        refusal = harbour.refused("dispute", "settle", "g", "d1", "--ruling", "too late")
        assert refusal["refusal_code"] == "settled-already"
        assert refusal["fields"] == {"dispute": "d1", "ruling": "withdrawn"}

    def test_seat_cannot_rule_on_its_own_dispute(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        refusal = harbour.refused("dispute", "settle", "g", "d1", "--ruling", "we win", "--as", "syracuse")
        assert (refusal["refusal_code"], refusal["rule"]) == ("only-the-referee-rules", "disputes")

    def test_unknown_dispute_is_refused(self, harbour: Desk) -> None:
        refusal = harbour.refused("dispute", "settle", "g", "d7", "--ruling", "x")
        assert refusal["refusal_code"] == "no-such-dispute"
        assert refusal["fields"] == {"dispute": "d7", "open_disputes": "none"}
        assert harbour.type("dispute", "show", "g", "d7").code == 6


class TestDependents:
    def test_later_orders_of_the_contested_ship_are_listed(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        depends = harbour.ask("dispute show", "d1")["depends"]
        by_first = {one["positions"][0]: one for one in depends}
        assert by_first[305]["why"] == [Naming("#303")]
        assert by_first[577]["order"] == "fight-fire"
        assert by_first[577]["why"] == [Naming("fire", "syracuse-3", "#305")]
        assert by_first[577]["found_by"] == "deciding again"
        assert by_first[612]["why"][0] == Naming("#303")
        assert all(one["why"] and one["degree"] >= 1 for one in depends)

    def test_later_orders_without_dependency_are_omitted(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        listed = {position for one in harbour.ask("dispute show", "d1")["depends"] for position in one["positions"]}
        assert 317 not in listed, "whether athens-5 sinks has nothing to do with the fire"
        assert 339 not in listed, "nor has the wind"

    def test_direct_leaves_out_what_depends_on_them_in_turn(self, harbour: Desk) -> None:
        """Use #157: athens-3 is set on fire; the fire of syracuse-3 results from it, and is fought in its turn."""
        harbour.ok("dispute", "open", "g", "#157", *CLAIM)
        every = harbour.ask("dispute show", "d1")["depends"]
        direct = harbour.ask("dispute show", "d1", "--direct")["depends"]
        assert direct == [one for one in every if one["degree"] == 1]
        assert len(direct) < len(every)

    def test_seal_and_note_about_a_contested_record_are_listed(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        harbour.ok("note", "g", "we saw it burn", "--about", "303", "--as", "athens")
        harbour.ok("seal", "g", "--as", "athens")
        whys = {one["order"]: one["why"] for one in harbour.ask("dispute show", "d1")["depends"]}
        assert whys["note"] == [Naming("#303")]
        assert whys["seal"] == [Naming("#304")]

    def test_accounts_markers_and_choices_of_a_freeform_game(self, ford: Desk) -> None:
        ford.order("red", "pay", account="points/red", amount=3)
        paid = ford.size("g")
        ford.order("red", "move", unit="red-horse", path=["wood"])
        ford.order("red", "choose", question="flank", choice="left")
        ford.order("red", "pay", account="points/red", amount=1)
        ford.ok("dispute", "open", "g", str(paid), "--claim", "it was 2", "--as", "blue")
        depends = ford.ask("dispute show", "d1")["depends"]
        assert [(one["order"], one["why"]) for one in depends] == [
            ("pay", [Naming("points/red", f"#{paid}")]),
            ("dispute", [Naming(f"#{paid}")]),
        ]

    def test_records_of_an_abandoned_line_depend_on_each_other_there(self, harbour: Desk) -> None:
        harbour.ok("rewind", "g", "--to", "#302", "--why", "the die was cocked")
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        depends = harbour.ask("dispute show", "d1")["depends"]
        assert 577 in {one["positions"][0] for one in depends}

    def test_roll_reused_after_rewind_depends_on_contested_roll(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", "339", "--claim", "cocked", "--as", "syracuse")
        harbour.ok("rewind", "g", "--to", "338", "--why", "to look", "--dice", "keep")
        harbour.order("athens", "roll-wind")
        kept = harbour.ask("audit", "--dice", "--last", "1")[0]["position"]
        whys = {one["positions"][0]: one["why"] for one in harbour.ask("dispute show", "d1")["depends"]}
        assert whys[kept] == [Naming("#339")]
        assert 340 in whys, "what came of it on the line that was left is listed too"

    def test_secret_of_another_seat_is_not_shown(self, ford: Desk) -> None:
        ford.order("red", "seal-choice", question="reserve", choice="through-the-marsh")
        sealed = ford.size("g") - 1
        ford.ok("dispute", "open", "g", str(sealed), "--claim", "too late", "--as", "blue")
        for words in (("dispute", "show", "g", "d1"), ("why", "g", str(sealed)), ("why", "g", str(sealed + 1))):
            assert "marsh" not in ford.ok(*words, "--as", "blue", "--json").out
        assert "marsh" in ford.ok("why", "g", str(sealed + 1), "--as", "red").out


class TestRulings:
    @pytest.mark.parametrize(
        "change",
        [
            json.dumps({"order": "change", "unit": "syracuse-3", "attribute": "fire", "to": None}),
            "change syracuse-3 fire null",
        ],
    )
    def test_ruling_carries_out_its_remedy_and_settles_a_dispute(self, harbour: Desk, change: str) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        words = ("the fire did not spread", "--rule", "8.55", "--grounds", "house", "--why", "water between them")
        harbour.ok("rule", "g", *words, "--dispute", "d1", "--order", change)
        ship = next(unit for unit in harbour.ask("units") if unit["id"] == "syracuse-3")
        assert ship["attributes"]["fire"] is None
        line = harbour.ask("audit", "--unit", "syracuse-3", "--last", "1")[0]
        assert line["text"].endswith("[by ruling]")
        assert line["rule"] == "8.55"
        assert harbour.ask("dispute list")[0]["ruling"] == "the fire did not spread"

    def test_rulings_of_all_games_are_found_by_rule_number(self, harbour: Desk) -> None:
        words = ("the fire did not spread", "--rule", "8.55", "--grounds", "official", "--why", "answer 17")
        harbour.ok("rule", "g", *words)
        harbour.ok("fork", "g", "--at", "302", "--id", "second")
        said = harbour.ok("rule", "second", "it spreads", "--rule", "8.55", "--grounds", "house", "--why", "x").out
        assert Naming("8.55", "g", "#612", "the fire did not spread") in said.splitlines()
        found = harbour.ok("rulings", "--rule", "8.55", "--json").json
        assert [(one["game"], one["grounds"]) for one in found] == [("g", "official answer"), ("second", "house rule")]
        assert [one["game"] for one in harbour.ok("rulings", "second", "--rule", "8.55", "--json").json] == ["second"]
        assert harbour.ok("rulings", "--rule", "8.5", "--json").json == []
        assert len(harbour.ok("rulings", "--text", "FIRE spread", "--json").json) == 1

    def test_rulings_list_shows_cited_and_overridden_rules(self, harbour: Desk) -> None:
        why = ("--grounds", "house", "--why", "seen")
        harbour.ok("rule", "g", "it burns", "--rule", "8.55", *why)
        harbour.ok("rule", "g", "he boards first", "--overrides", "E.2", *why)
        harbour.ok("rule", "g", "both count", "--rule", "7.17", "--overrides", "G.4", *why)
        harbour.ok("rule", "g", "the lamp is out", *why)
        head, *rows = harbour.ok("rulings", "g").out.splitlines()
        first, behind = head.index("rule "), head.index("ruling")
        about = {row[behind:].split("  ")[0]: row[first:behind].strip() for row in rows}
        assert list(about.items())[-4:] == [
            ("it burns", "8.55"),
            ("he boards first", "against E.2"),
            ("both count", "7.17"),
            ("the lamp is out", ""),
        ]

    def test_ruling_with_a_rewind_is_on_the_current_branch(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        words = ("thrown again", "--rule", "8.55", "--grounds", "printed", "--why", "cocked", "--dispute", "d1")
        harbour.ok("rule", "g", *words, "--rewind", "#302")
        assert harbour.ask("status")["open"] == ["G.2b"]
        ruling = harbour.ok("rulings", "g", "--json").json[-1]
        assert ruling["counts"]
        assert "play returns to #302" in ruling["carried"][0]

    def test_ruling_can_order_a_new_roll(self, harbour: Desk) -> None:
        roll = json.dumps(
            {"order": "roll", "purpose": "fire spreading, again", "dice": "1d6", "subjects": ["syracuse-3"]}
        )
        words = ("roll again", "--grounds", "house", "--why", "the die left the table", "--order", roll)
        harbour.ok("rule", "g", *words, "--pips", "2")
        assert "[by ruling]" in harbour.ask("audit", "--dice", "--last", "1")[0]["text"]

    def test_ruling_with_an_impossible_remedy_is_refused_whole(self, harbour: Desk) -> None:
        size = harbour.size("g")
        words = ("rule", "g", "x", "--grounds", "house", "--why", "y", "--order")
        cannot = harbour.refused(*words, '{"order": "board"}')
        assert (cannot["refusal_code"], cannot["fields"]["order"]) == ("cannot-be-ruled", "board")
        assert harbour.refused(*words, '{"order": "change", "unit": "syracuse-3"}')["rule"] == "rulings"
        unknown = harbour.refused(*words, '{"order": "remove", "unit": "syracuse-77"}')
        assert (unknown["refusal_code"], unknown["fields"]["unit"]) == ("no-such-unit", "syracuse-77")
        twice = ('{"order": "mark", "marker": "m", "to": 1}', "--order", '{"order": "rewind", "to": 302}')
        assert harbour.refused(*words, *twice)["refusal_code"] == "rewind-comes-first"
        assert harbour.type(*words, '{"order": ').code == 2
        assert harbour.size("g") == size

    def test_ruling_needs_the_referee_and_grounds(self, harbour: Desk) -> None:
        order = '{"order": "rule", "ruling": "we win", "reason": "x", "grounds": "house rule"}'
        assert harbour.refused("order", "g", order, "--as", "athens")["rule"] == "seats"
        assert "grounds" in harbour.refused("order", "g", '{"order": "rule", "ruling": "x", "reason": "y"}')["what"]


class TestRulingEvents:
    def test_ruling_records_its_remedy_and_its_dispute(self, freeform: Story) -> None:
        freeform.play(Dispute(seat="blue", records=(2,), claim="it stood at the ford", rule="4"))
        change = {"order": "change", "unit": "red-horse", "attribute": "strength", "to": 1}
        freeform.when(
            Rule(seat="referee", ruling="it did", reason="r", grounds="house rule", rule="4", orders=(change,))
        )
        freeform.then(RulingMade, ruling="it did", rule="4", overridden=False)
        freeform.then(UnitChanged, unit="red-horse", after=1, overridden=True, rule="4")
        freeform.then_not(DisputeSettled)

    def test_ruling_that_rewinds_and_changes_is_undone_as_one(self, freeform: Story) -> None:
        freeform.play(Change(seat="red", unit="red-horse", attribute="strength", to=9))
        before = freeform.game
        carried = ({"order": "rewind", "to": freeform.tip - 1}, {"order": "mark", "marker": "seen", "to": 1})
        freeform.play(Rule(seat="referee", ruling="x", reason="r", grounds="house rule", orders=carried))
        assert freeform.game.units["red-horse"].number("strength") == 2
        assert freeform.game.number("seen") == 1
        freeform.when(Redo(seat="referee")).then_refused("nothing-to-redo", rule="undo")
        freeform.play(Undo(seat="referee", why="ruled in haste"))
        assert freeform.game == before

    def test_ruling_on_an_unknown_dispute_is_refused(self, freeform: Story) -> None:
        rule = Rule(seat="referee", ruling="x", reason="r", grounds="house rule", dispute="d9")
        freeform.when(rule).then_refused("no-such-dispute", rule="disputes", dispute="d9", open_disputes="none")

    def test_words_alone_are_not_taken_back_by_an_undo(self, freeform: Story) -> None:
        freeform.play(Change(seat="red", unit="red-horse", attribute="strength", to=9))
        freeform.play(Dispute(seat="blue", records=(2,), claim="c"), Settle(seat="blue", dispute="d1"))
        freeform.play(Undo(seat="red"))
        assert freeform.game.units["red-horse"].number("strength") == 2


class TestTwoReferees:
    def test_simultaneous_ruling_gets_a_position_conflict(self, harbour: Desk) -> None:
        harbour.ok("dispute", "open", "g", *FIRE, *CLAIM)
        raw = {"as": "referee", "order": "rule", "ruling": "x", "reason": "r", "grounds": "house rule", "dispute": "d1"}
        with open_ledger(harbour.folder / "umpire.db") as one, open_ledger(harbour.folder / "umpire.db") as two:
            first, second = open_session(one, "g"), open_session(two, "g")
            first.order(raw)
            with pytest.raises(PositionConflict) as told:
                second.order({**raw, "ruling": "y", "dispute": ""})
            assert told.value.remedy == Naming("#613", "referee", "x", "r", "#614", "referee", "d1", "x", "r")
        assert harbour.ask("dispute list")[0]["ruling"] == "x"

    def test_second_dispute_of_an_order_file_gets_the_next_id(self, harbour: Desk) -> None:
        """Pending orders are recorded before the log is read."""
        line = {"as": "syracuse", "order": "dispute", "records": [303], "claim": "c"}
        harbour.ok("play", "g", harbour.orders({"as": "athens", "order": "note", "text": "n"}, line, line))
        assert [one["dispute"] for one in harbour.ask("dispute list")] == ["d1", "d2"]


def test_dependents_of_an_order_without_events_are_none() -> None:
    deed = RecordedOrder(
        records=(VisibleRecord(position=1, at="", seat="red", command="c"),), turn=0, step="", where=""
    )
    assert list(dependents([deed], (1,))) == []
