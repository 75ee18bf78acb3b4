"""Check Federation & Empire's table cell by cell: each answer with a rule has its stories, or is counted as open.

`cells/federation-and-empire.md` explains its rows. Each row is checked, and the number of open answers may only fall.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.face.domain import Step, federation_and_empire_TITLE as TITLE
from tests.titles.federation_cells import CELLS, ITSELF, Cell, answers, cells, has_rule
from tests.typed_pages import story_files

OPEN = 0
"""The number of answers without stories yet. The number only falls."""
ACCEPTS = frozenset(("says", "done", "to", "give", "war", "then", "then_accepted", "all_refused", "rounds"))
"""Calls that fail unless orders are accepted."""
REFUSES = frozenset(("then_refused", "all_refused", "must"))
"""Calls that fail unless one is refused, with its rule and its remedy."""


def rules() -> list[tuple[str, str]]:
    """Return the answers with a rule, by label and question; headings leave their rules to their children."""
    return [one for one in answers() if isinstance(TITLE.plan.places.get(one[0]), Step) and has_rule(*one)]


@cache
def calls() -> dict[str, frozenset[str]]:
    """Map every story, `CLASS:: test`, to the calls in it and in the helpers of its file that it names."""
    found: dict[str, frozenset[str]] = {}
    for file in story_files(TITLE.id):
        module = ast.parse(file.read_text(encoding="utf-8"))
        helpers = {one.name: _called(one) for one in ast.walk(module) if isinstance(one, ast.FunctionDef)}
        for story in (one for one in module.body if isinstance(one, ast.ClassDef)):
            for test in (one for one in story.body if isinstance(one, ast.FunctionDef)):
                own = _called(test)
                name = f"{story.name}:: {test.name.removeprefix('test_')}"
                found[name] = found.get(name, own).union(own, *(helpers.get(one, ()) for one in own))
    return found


def _called(test: ast.FunctionDef) -> frozenset[str]:
    functions = (node.func for node in ast.walk(test) if isinstance(node, ast.Call))
    return frozenset(
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in functions
        if isinstance(one, ast.Attribute | ast.Name)
    )


def faults(told: list[Cell]) -> Iterator[str]:
    """Yield the faults of rows of the table of cells."""
    for cell in told:
        about = f"{cell.label}, {cell.question}"
        if (cell.label, cell.question) not in rules():
            yield f"{about}: the page has no rule there"
        if not cell.taken or ITSELF in cell.taken:
            yield f"{about}: nothing shows what is let through"
        for story in (*cell.taken, *cell.refused):
            if story != ITSELF and story not in calls():
                yield f"{about}: there is no story {story}"
        for story in cell.taken:
            if not calls().get(story, ACCEPTS) & ACCEPTS:
                yield f"{about}: nothing is accepted in {story}"
        for story in cell.refused:
            if story != ITSELF and not calls().get(story, REFUSES) & REFUSES:
                yield f"{about}: nothing is refused in {story}"


def test_every_row_names_stories_that_try_it() -> None:
    assert cells()
    assert list(faults(cells())) == []


def test_answers_have_one_row() -> None:
    names = [(cell.label, cell.question) for cell in cells()]
    assert names == [one for one in rules() if one in names]


def test_open_answers_are_counted_and_only_shrink() -> None:
    told = {(cell.label, cell.question) for cell in cells()}
    missing = [one for one in rules() if one not in told]
    itself = sum(ITSELF in cell.refused for cell in cells())
    said = re.search(r"rule: (\d+)\. Told: (\d+), .* refusal (\d+), by itself (\d+)\. Open: (\d+)\.", CELLS.read_text())
    assert said is not None
    counted = (len(rules()), len(told), len(told) - itself, itself, len(missing))
    assert tuple(int(one) for one in said.groups()) == counted, missing
    assert len(missing) == OPEN, f"write the lower number here: {missing}"


class TestFaults:
    """The fault of a row names what it lacks."""

    TOLD = "Test3A2C:: ship_reacts_to_one_raid"

    def heard(self, label: str, question: str, taken: str, refused: str) -> str:
        return "\n".join(faults([Cell(label, question, (taken,), (refused,))]))

    def test_valid_row_is_accepted(self) -> None:
        assert self.heard("3A-2C", "how often", self.TOLD, self.TOLD) == ""

    @pytest.mark.parametrize(
        ("label", "question"), [("3A-9Z", "where"), ("3A-2C", "gone afterwards"), ("1", "how often")]
    )
    def test_row_without_a_rule_on_the_page_is_a_fault(self, label: str, question: str) -> None:
        assert "the page has no rule there" in self.heard(label, question, self.TOLD, self.TOLD)

    def test_unknown_story_is_a_fault(self) -> None:
        assert "there is no story" in self.heard("3A-2C", "how often", self.TOLD, "Test3A2C:: it_rains")

    def test_story_without_a_refusal_is_a_fault(self) -> None:
        tale = "Test3A2C:: owner_of_the_hex_answers_with_three_players"
        assert "nothing is refused in" in self.heard("3A-2C", "who is in", tale, tale)

    def test_answer_without_a_positive_twin_is_a_fault(self) -> None:
        assert "nothing shows what is let through" in self.heard("3A-2C", "how often", ITSELF, self.TOLD)
