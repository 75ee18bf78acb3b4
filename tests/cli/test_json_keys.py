"""Check that JSON with a duplicate key is refused everywhere, because only one of its values would count."""

import json

import pytest

from tests.cli.terminal import Terminal

TWICE = '{"order": "pay", "account": "points", "amount": 1, "amount": 50}'
FORMS = {
    "plain": TWICE,
    "escaped": '{"order": "pay", "account": "points", "amount": 1, "\\u0061mount": 50}',
    "nested": '{"order": "note", "text": "a", "extra": [{"x": 1, "y": {}, "x": 2}]}',
    "spaced": '{"order" : "note", "text" : "a:b", "text" :\n "c"}',
}
KEYS = {"plain": "amount", "escaped": "amount", "nested": "x", "spaced": "text"}


@pytest.mark.parametrize("form", FORMS)
def test_order_with_a_key_twice_is_refused(ford: Terminal, form: str) -> None:
    before = ford.size()
    answer = ford.type("order", "ford", FORMS[form], "--as", "red", "--json")
    assert (answer.code, answer.error["rule"], ford.size()) == (2, "JSON", before)
    assert f'"{KEYS[form]}"' in answer.error["what"]


def test_order_from_standard_input_with_a_key_twice_is_refused(ford: Terminal) -> None:
    assert ford.type("order", "ford", "-", "--as", "red", stdin=TWICE).code == 2


def test_line_of_a_file_with_a_key_twice_is_refused(ford: Terminal) -> None:
    before = ford.size()
    good = json.dumps({"as": "red", "order": "pay", "account": "points", "amount": 4})
    answer = ford.type("play", "ford", str(ford.write("evening.jsonl", f"{good}\n{TWICE}\n")), "--json")
    assert (answer.code, answer.error["where"]) == (2, "evening.jsonl, line 2")
    assert ford.size() == before + 1


def test_amendment_with_a_key_twice_is_refused(ford: Terminal) -> None:
    ford.give("red", "pay", account="points", amount=1)
    assert ford.type("amend", "ford", f"#{ford.size()}", TWICE, "--why", "a slip").code == 2


def test_argument_in_json_with_a_key_twice_is_refused(ford: Terminal) -> None:
    words = ("roll", "1d6", "--modifiers", '{"amount": 1, "source": "night", "amount": 5}', "--pips", "3")
    answer = ford.type("order", "ford", *words, "--as", "red", "--json")
    assert (answer.code, ford.size()) == (2, 3)
    assert "twice" in answer.error["what"]


def test_colons_and_equal_keys_of_two_objects_are_allowed(ford: Terminal) -> None:
    text = json.dumps({"order": "note", "text": 'a: {"a": 1, "a": 2}'})
    assert ford.type("order", "ford", text, "--as", "red").code == 0
