"""Check the audit trail, by order for people and by record for programs, and the answer of `order`."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.naming import Naming

REPLAY = Path(__file__).parents[2] / "fixtures" / "war-galley" / "replays" / "great-harbour.jsonl"


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    """Return the recorded game of 611 records in 148 orders."""
    terminal.ok("import", str(REPLAY))
    return terminal


def rows(out: str) -> list[str]:
    return out.splitlines()[1:]


class TestByOrder:
    def test_audit_has_a_sentence_for_every_order(self, harbour: Terminal) -> None:
        out = harbour.ok("audit", "great-harbour", "--step", "G.1").out
        assert "Athens disengages athens-6: 5, free" in out
        assert "disengaging 1 → 2" not in out

    def test_last_counts_orders(self, harbour: Terminal) -> None:
        told = rows(harbour.ok("audit", "great-harbour", "--last", "3").out)
        assert [line.split()[0] for line in told] == ["#581", "#591", "#596"]

    def test_audit_shows_an_order_if_any_of_its_records_matches(self, harbour: Terminal) -> None:
        """Find the order at #303, a check of Syracuse, by its automatic record #309, which clears masts."""
        for words in (("--from", "309", "--to", "309"), ("--rule", "G.2c", "--to", "400"), ("--text", "cleared")):
            assert rows(harbour.ok("audit", "great-harbour", *words).out)[0].startswith("#303 ")

    def test_audit_lists_every_order_once(self, harbour: Terminal) -> None:
        assert len(rows(harbour.ok("audit", "great-harbour").out)) == 148

    def test_audit_without_matches_is_an_empty_table(self, harbour: Terminal) -> None:
        assert rows(harbour.ok("audit", "great-harbour", "--from", "600", "--unit", "athens-4").out) == ["no records"]

    def test_unknown_name_in_an_audit_filter_is_refused(self, harbour: Terminal) -> None:
        answer = harbour.type_json("audit", "great-harbour", "--unit", "athens-99")
        assert (answer.code, answer.error["refusal_code"]) == (6, "not-there")
        assert (answer.error["what"], answer.error["remedy"]) == (Naming("athens-99"), Naming("athens-8"))


class TestItsRecords:
    def test_records_are_listed_below_their_sentence(self, harbour: Terminal) -> None:
        told = rows(harbour.ok("audit", "great-harbour", "--from", "562", "--to", "562", "--records").out)
        assert "Athens disengages athens-6: 5, free" in told[0]
        assert [line.split()[0] for line in told] == ["#562", "#562", "#564", "#565"]

    def test_internal_markers_are_listed_only_with_all(self, harbour: Terminal) -> None:
        words = ("audit", "great-harbour", "--from", "562", "--to", "562", "--records", "--all")
        assert "athens-6: disengaging 1 → 2" in harbour.ok(*words).out


class TestForPrograms:
    def test_json_has_every_record_with_stable_keys(self, harbour: Terminal) -> None:
        lines = harbour.ok("audit", "great-harbour", "--json").json
        assert [line["position"] for line in lines] == list(range(1, 612))
        assert lines[294]["text"] == "athens-6: disengaging none → 1"

    def test_orders_as_json(self, harbour: Terminal) -> None:
        (order,) = harbour.ok("audit", "great-harbour", "--from", "295", "--to", "295", "--orders", "--json").json
        assert (order["position"], order["last"], order["marks"]) == (294, 296, [295])
        assert order["text"] == "Athens disengages athens-6: 3, held"
        assert order["cause"]["order"] == "disengage"
        assert "records" not in order
        words = ("audit", "great-harbour", "--last", "1", "--orders", "--json", "--records")
        assert len(harbour.ok(*words).json[0]["records"]) == 16

    def test_orders_as_csv(self, harbour: Terminal) -> None:
        out = harbour.ok("audit", "great-harbour", "--last", "2", "--orders", "--csv").out
        first, _, second = csv.reader(io.StringIO(out))
        assert first[:2] == ["position", "last"]
        assert second[:2] == ["596", "611"]

    def test_markdown_is_for_people(self, harbour: Terminal) -> None:
        first, _, *told = harbour.ok("audit", "great-harbour", "--last", "2", "--markdown").out.splitlines()
        assert first.startswith("| record | turn |")
        assert len(told) == 2


class TestWhatAnOrderAnswers:
    def test_order_prints_its_sentence_and_the_step(self, harbour: Terminal) -> None:
        answer = harbour.ok("order", "great-harbour", "roll-wind", "--pips", "3,5", "--as", "athens")
        first, *_, last = answer.out.splitlines()
        assert first.startswith("#612  Athens ")
        assert first == Naming("3 5", "=", 8)
        assert last.startswith("now · turn 3 · ")

    def test_order_prints_its_records_on_request(self, harbour: Terminal) -> None:
        answer = harbour.ok("order", "great-harbour", "roll-wind", "--pips", "3,5", "--as", "athens", "--records")
        assert "\n  #612  " in answer.out
        assert answer.out == Naming("#612", "#612", 36, "2d6", "3 5", 8, "#613")

    def test_order_argument_can_be_named_records(self, ford: Terminal) -> None:
        for at, words in enumerate((("--records", "2,3"), ("--records=2,3",), ("2,3",)), 1):
            answer = ford.ok("order", "ford", "dispute", *words, "--claim", "x", "--as", "red", "--json")
            (opened,) = answer.json["events"]
            assert (opened["type"], opened["dispute"], opened["positions"]) == ("dispute.opened", f"d{at}", [2, 3])

    def test_json_has_both(self, harbour: Terminal) -> None:
        found = harbour.ok("order", "great-harbour", "roll-wind", "--pips", "3,5", "--as", "athens", "--json").json
        assert found["told"][0].startswith("Athens ")
        assert found["told"][0] == Naming("3 5", 8)
        assert found["events"][0]["type"] == "dice.rolled"

    def test_amendment_lists_every_order_replayed_after_it(self, harbour: Terminal) -> None:
        harbour.ok("amend", "great-harbour", "#591", '{"pips": [3, 3]}', "--reroll", "--why", "read wrongly")
        told = [one["text"] for one in harbour.ok("audit", "great-harbour", "--last", "3", "--orders", "--json").json]
        assert told[0] == Naming("#590", "(read wrongly)")
        assert [one.rpartition(" [")[2] for one in told[1:]] == [Naming("#591]"), Naming("#596]")]


class TestSecrets:
    def test_other_side_sees_only_that_a_choice_was_made(self, ford: Terminal) -> None:
        order = json.dumps({"order": "seal-choice", "question": "flank", "choice": "by-the-marsh"})
        assert ford.ok("order", "ford", order, "--as", "red").out == Naming("#4", "Red", "by-the-marsh", "flank")
        for words in (("audit", "ford"), ("since", "ford", "blue"), ("status", "ford")):
            out = ford.ok(*words, "--as", "blue").out
            assert out == Naming("Red", "flank")
            assert "marsh" not in out
        assert "by-the-marsh" in ford.ok("audit", "ford", "--as", "red").out
