"""Split a line at the prompt into words like a shell, except that an apostrophe in a word stays one."""

import shlex

import pytest
from hypothesis import given, strategies as st

from tests.face.desk import (
    WrongUse,
    need_title,
    read_typed,
    split,
    typed_sentence,
)
from tests.naming import Naming


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("move r1  0201", ["move", "r1", "0201"]),
        ("note Blue doesn't agree", ["note", "Blue", "doesn't", "agree"]),
        ('note "a b" c', ["note", "a b", "c"]),
        ("odds '1..2=they cross' 3=no", ["odds", "1..2=they cross", "3=no"]),
        ('roll rain --needed="3 or more"', ["roll", "rain", "--needed=3 or more"]),
        (r"place a\ b", ["place", "a b"]),
        (r'note "say \"no\" to \\"', ["note", 'say "no" to \\']),
        ("done ''", ["done", ""]),
    ],
)
def test_as_it_was_meant(line: str, words: list[str]) -> None:
    assert split(line) == words


@given(st.lists(st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12), max_size=4))
def test_words_quoted_for_a_shell_are_read_back(words: list[str]) -> None:
    assert split(shlex.join(words)) == words


def test_quotation_that_is_not_closed_is_refused() -> None:
    with pytest.raises(WrongUse) as refusal:
        split('note "Blue')
    assert (refusal.value.code, refusal.value.where) == ("wrong-use", "the order")
    assert split('note "Blue"') == ["note", "Blue"]


class TestSentence:
    """`note Blue asks: "why?"` was recorded without its quotation marks, and `doesn't` was refused."""

    @pytest.mark.parametrize(
        ("line", "text"),
        [
            ('note Blue asks: "why?"', 'Blue asks: "why?"'),
            ("note Blue doesn't agree", "Blue doesn't agree"),
            ('note "Blue agrees"', "Blue agrees"),
            ("note Blue agrees", "Blue agrees"),
        ],
    )
    def test_sentence_is_recorded_as_typed(self, line: str, text: str) -> None:
        raw = read_typed(need_title("freeform"), split(line))
        assert raw["text"] == text
        assert type(raw["text"]) is str

    def test_words_of_a_shell_are_joined_to_a_sentence(self) -> None:
        assert typed_sentence(["Blue", "agrees"]) == "Blue agrees"


@pytest.mark.parametrize("text", ["note " + "x" * 4091, "note " + "é" * 2045 + "x"])
def test_typed_line_of_4_kib_is_read(text: str) -> None:
    assert len(text.encode()) == 4096
    assert len(split(text)) == 2


@pytest.mark.parametrize("text", ["note " + "x" * 4092, "note " + "é" * 2046, "move a" + " a" * 400_000])
def test_typed_line_over_4_kib_is_refused(text: str) -> None:
    with pytest.raises(WrongUse) as refusal:
        split(text)
    assert refusal.value.rule == Naming(4, "KiB")
    assert "JSON" in refusal.value.remedy
