"""Check that every condition of every title has plain words for a yes and for a no."""

import re
from collections.abc import Iterator

import pytest

from tests.face.domain import (
    Called,
    Condition,
    Each,
    Fact,
    Not,
    Step,
    Title,
    Turns,
    condition_leaves,
    page_of,
    roles_asked,
    says,
)
from tests.face.testing import titles

NEGATIONS = re.compile(r"\b(no|not|nobody|nothing|none|never|neither|without|cannot)\b|n't\b")
WITH_SEQUENCE = [pytest.param(title, id=title.id) for title in titles() if title.sequence is not None]


def conditions(title: Title) -> Iterator[Condition]:
    """Yield every leaf of the conditions in the sequence."""
    yield from dict.fromkeys(use.leaf for use in condition_leaves(title.plan))


def faults_of(words: str) -> list[str]:
    """Return the words that would puzzle a referee."""
    bare = re.sub(
        r"`[^`]*`|«[^»]*»|\b[\w-]+(?:[./][\w-]+)+\b", "", words
    )  # orders, answers and labels appear as they are
    found = [] if words.strip() else ["no words"]
    found += ["twice no"] if len(NEGATIONS.findall(bare)) > 1 else []
    found += ["an id with an underscore"] if re.search(r"\w_\w", bare) else []
    found += ["not so"] if "not so" in bare else []
    found += ["a word twice"] if re.search(r"\b(\w+) \1\b", bare) else []
    return found


class TestFaultyWords:
    @pytest.mark.parametrize(
        ("words", "fault"),
        [
            ("", "no words"),
            ("nobody has not passed", "twice no"),
            ("nobody is owners_of_detected", "an id with an underscore"),
            ("it is not so that the Admiral could go along", "not so"),
            ("the first month begins begins", "a word twice"),
        ],
    )
    def test_words_that_would_puzzle_a_referee_are_found(self, words: str, fault: str) -> None:
        assert fault in faults_of(words)

    def test_plain_words_pass(self) -> None:
        assert faults_of("no ship of the squadron is grappled to an enemy") == []


@pytest.mark.parametrize("title", WITH_SEQUENCE)
class TestEveryTitle:
    def test_every_condition_has_words_for_so_and_for_not_so(self, title: Title) -> None:
        bad = {}
        for leaf in conditions(title):
            so, not_so = says(leaf), says(Not(leaf))
            found = [*faults_of(so), *faults_of(not_so), *(["the same words"] if so == not_so else [])]
            if found:
                bad[so, not_so] = found
        assert bad == {}

    def test_fact_that_a_step_needs_has_a_required_action(self, title: Title) -> None:
        steps = (step for step in title.plan.leaves() if step.needs is not None)
        needed = {leaf for step in steps for leaf in _facts(title, step)}
        tasks = [leaf for leaf in needed if leaf.owed]
        assert tasks or not needed
        assert [leaf.owed for leaf in tasks if faults_of(leaf.owed)] == []
        alone = {
            leaf.name for step in title.plan.leaves() for leaf in _facts(title, step) if len(_facts(title, step)) == 1
        }
        assert [leaf.name for leaf in needed if leaf.name in alone and not leaf.owed] == []

    def test_roles_and_sets_have_words_also_if_empty(self, title: Title) -> None:
        held = {role: title.roles[role] for _, role in roles_asked(title) if role in title.roles}
        loops = (place for place in title.plan.places.values() if isinstance(place, Each | Turns))
        held |= {loop.of: title.sets[loop.of] for loop in loops}
        bad = [
            name
            for name, one in held.items()
            if not isinstance(one, Called) or faults_of(one.words) or faults_of(one.none)
        ]
        assert bad == []

    def test_page_holds_the_words_of_conditions(self, title: Title) -> None:
        lines = page_of(title)
        texts = [line[key] for line in lines for key in ("when", "until", "needs") if line[key]]
        assert texts
        assert [text for text in texts if re.search(r"not so|not \(|\w_\w", re.sub(r"`[^`]*`", "", text))] == []


def _facts(title: Title, step: Step) -> list[Fact]:
    found = (use.leaf for use in condition_leaves(title.plan) if use.place == step.id and use.moment == "needs")
    return [leaf for leaf in found if isinstance(leaf, Fact)]
