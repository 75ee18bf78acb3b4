"""Check the catalogues of refusals against the code that uses them, and each text alone."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.face.domain import RuleViolation, placeholders, refusal

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted([*ROOT.glob("domain/**/refusals.py"), *ROOT.glob("domain/**/refusals")])
"""The catalogues of refusals: a module for a room, or a package for a room with inner rooms."""
ROOMS = [str(file.parent.relative_to(ROOT)) for file in CATALOGUES]
REFUSE = {"refuse", "_refuse", "refusal", "unknown"}


class Use(NamedTuple):
    """A refusal in the code: its place, its possible codes, and the names of its fields."""

    place: str
    codes: tuple[str, ...]
    fields: frozenset[str] | None
    """None if they are not written out."""


def texts_of(room: str) -> Mapping[str, tuple[str, str]]:
    texts: Mapping[str, tuple[str, str]] = import_module(f"umpire_ledger.{room.replace('/', '.')}.refusals").REFUSALS
    return texts


@cache
def uses_in(room: str) -> tuple[Use, ...]:
    return tuple(use for file in sorted((ROOT / room).rglob("*.py")) for use in _uses(file))


def _uses(file: Path) -> Iterator[Use]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in REFUSE:
            at = 2 if name == "refusal" else 0 if "self" in ast.unparse(node.func) else 1
            codes = tuple(_codes(node.args[at])) if len(node.args) > at else ()
            if codes:
                yield Use(f"{file.relative_to(ROOT)}:{node.lineno}", codes, _fields(node, name == "refusal"))


def _codes(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.IfExp(body=body, orelse=orelse):
            yield from _codes(body)
            yield from _codes(orelse)


def _fields(call: ast.Call, in_dict: bool) -> frozenset[str] | None:
    if not in_dict:
        names = [keyword.arg for keyword in call.keywords]
        return None if None in names else frozenset(name for name in names if name)
    given = call.args[3]
    if not isinstance(given, ast.Dict):
        return None
    return frozenset(key.value for key in given.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


@pytest.mark.parametrize("room", ROOMS)
class TestCatalogue:
    def test_codes_in_use_have_a_text(self, room: str) -> None:
        texts = texts_of(room)
        assert not [(use.place, code) for use in uses_in(room) for code in use.codes if code not in texts]

    def test_texts_are_in_use(self, room: str) -> None:
        source = "".join(file.read_text("utf-8") for file in (ROOT / room).rglob("*.py") if "refusals" not in str(file))
        assert not [code for code in texts_of(room) if f'"{code}"' not in source]

    def test_fields_are_those_that_the_text_names(self, room: str) -> None:
        texts, wrong = texts_of(room), []
        for use in uses_in(room):
            named = [set(placeholders("".join(texts[code]))) for code in use.codes]
            if use.fields is not None and set().union(*named) != use.fields:
                wrong.append((use.place, set().union(*named) ^ use.fields))
        assert not wrong


def test_code_with_one_text_has_one_definition() -> None:
    shared = [room for room in ROOMS if not room.startswith("domain/titles")]  # a title has a catalogue of its own
    given = [
        (code, re.sub(r"\{\w+\}", "{}", " ".join(words))) for room in shared for code, words in texts_of(room).items()
    ]
    # The two texts of unreadable-order name their fields differently, and programs read those names.
    assert [code for (code, _), number in Counter(given).items() if number > 1] == ["unreadable-order"]


EVERY_TEXT = [(room, code) for room in ROOMS for code in texts_of(room)]


@pytest.mark.parametrize(("room", "code"), EVERY_TEXT)
def test_text_is_filled_and_reads_as_a_clause(room: str, code: str) -> None:
    texts = texts_of(room)
    words = "".join(texts[code])
    fields = {name: 7 if f"{{{name}:" in words else f"<{name}>" for name in placeholders(words)}
    refused = refusal(RuleViolation, texts, code, fields, where="here", rule="1")
    assert (refused.code, refused.fields) == (code, fields)
    for text in (refused.what, refused.remedy):
        assert text == text.strip()
        assert text
        assert not text.endswith(".")
        assert not placeholders(text)


NO_PLURALS = re.compile(
    "allows|announces|answers|begins|belongs|bonus|carries|commands|costs|does|enters|exists|faces|gives|has|is|its"
    "|lacks|moves|names|needs|offers|pays|rallies|returns|scenarios|stays|targets|this|times|tows|waits|was|as"
)
"""Words that end like a plural and may follow a field, which then is not a number."""
COUNTED = re.compile(r"(?<![\w.,#-])1 ([a-zA-Z]+s|dice)\b")


@pytest.mark.parametrize(("room", "code"), EVERY_TEXT)
def test_noun_after_the_number_one_is_singular(room: str, code: str) -> None:
    texts = texts_of(room)
    fields = dict.fromkeys(placeholders("".join(texts[code])), 1)
    refused = refusal(RuleViolation, texts, code, fields, where="", rule="")
    for text in (refused.what, refused.remedy):
        spoken = text.replace("1 dice result", "")
        assert [word for word in COUNTED.findall(spoken) if not NO_PLURALS.fullmatch(word)] == [], text


def test_noun_of_a_number_agrees_with_it() -> None:
    texts = {"wrong": ("{given:hex} and {limit:die}", "give {limit:strategic move}")}
    refused = refusal(RuleViolation, texts, "wrong", {"given": 1, "limit": 2}, where="", rule="")
    assert (refused.what, refused.remedy) == ("1 hex and 2 dice", "give 2 strategic moves")


def test_lists_are_read_with_commas_and_kept_as_lists() -> None:
    texts = {"wrong": ("{units} of {limit}", "name {units}")}
    refused = refusal(RuleViolation, texts, "wrong", {"units": {"b", "a"}, "limit": 2}, where="here", rule="1")
    assert (refused.what, refused.remedy) == ("a, b of 2", "name a, b")
    assert refused.fields == {"units": ("a", "b"), "limit": 2}


def test_sentence_names_a_seat_and_code_and_fields_have_its_id() -> None:
    texts = {"wrong": ("only {side} and {missing} can", "ask {seat}: `umpire dice-share g --as {side}`")}
    fields = {"side": "red", "missing": ["blue", "anna"], "seat": "referee"}
    names = {"red": "Red", "blue": "Blue", "referee": "the referee"}
    refused = refusal(RuleViolation, texts, "wrong", fields, where="", rule="", names=names)
    assert refused.what == "only Red and Blue, anna can"
    assert refused.remedy == "ask the referee: `umpire dice-share g --as red`"
    assert refused.fields == {**fields, "missing": ("blue", "anna")}


@pytest.mark.parametrize(
    "units", [{"b": 1, "a": 2}, ["b", "a"], (one for one in "ba")], ids=["mapping", "list", "iterator"]
)
def test_field_of_several_names_is_a_list_in_their_order(units: object) -> None:
    refused = refusal(RuleViolation, {"wrong": ("{units}", "stop")}, "wrong", {"units": units}, where="", rule="")
    assert (refused.what, refused.fields) == ("b, a", {"units": ("b", "a")})


def test_fields_that_the_words_do_not_name_are_left_out() -> None:
    texts = {"wrong": ("{unit} is gone", "name another")}
    assert refusal(RuleViolation, texts, "wrong", {"unit": "a", "at": "b"}, where="", rule="").fields == {"unit": "a"}


def test_error_without_a_code_has_the_name_of_its_class() -> None:
    assert RuleViolation("no", where="here", rule="1", remedy="stop").code == "rule-violation"
