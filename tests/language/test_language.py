"""Check that no room gains a language smell, and that each ceiling equals its count."""

from collections import Counter
from functools import cache

from tests.language.counts import Key, ceilings, counted, lowered
from tests.language.scramble import scrambled
from tests.language.structure import faults
from tests.language.texts import texts_of


@cache
def now() -> Counter[Key]:
    """Return the current counts, computed only for tests that need them, because this takes seconds."""
    return counted()


def test_counts_of_smells_stay_below_ceilings() -> None:
    limits = ceilings()
    risen = {key: (limits.get(key, 0), number) for key, number in now().items() if number > limits.get(key, 0)}
    assert not risen, "smells were added; patterns.tsv says what to write instead"


def test_ceilings_are_the_counts() -> None:
    slack = {key: (ceiling, now()[key]) for key, ceiling in ceilings().items() if ceiling > now()[key]}
    assert not slack, "lower the ceilings: python -m tests.language"


def test_lowering_never_raises_a_ceiling() -> None:
    one, two, new = ("desk/core", "code", "told"), ("docs", "text", "told"), ("cli", "code", "told")
    assert lowered({one: 3, two: 1}, Counter({one: 2, two: 4, new: 1})) == {one: 2, two: 1}


def test_texts_of_python_have_their_kinds() -> None:
    code = 'def test_a_b():\n    """The rule. Raises X."""\n    # why not\n    return "two words"\n'
    found = list(texts_of(code, "a.py", "cli"))
    assert [text.kind for text in found] == ["docstring", "comment", "string", "test"]
    assert [list(faults(text)) for text in found] == [["docstring-verb", "inline-raises"], [], [], ["test-name"]]


def test_scrambled_sentence_keeps_code_options_and_short_words() -> None:
    assert scrambled("give `done` with --step to {side}, then wait") == "evig `done` htiw --step to {side}, neht tiaw"
