"""Every printed label of a title has its stories: a test class that is named for it, or a line of SOURCE.md.

`TestF1Movement` tells of F.1, `TestSBpreAssaultCannons` of SB.pre.assault: letters and digits of the label, large or
small, and then a capital letter. A class belongs to the longest label that it names.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.typed_pages import page, story_files

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"

READY = ("federation-and-empire", "pacific-war", "war-galley", "red-coat-rags", "twilight-imperium-3")
"""The titles of which every label has its stories; a title is added here when its last one is written."""

IN_SOURCE: dict[tuple[str, str], str] = {}
"""Labels that no story tells of: title and label, and how the line of SOURCE.md begins that says why."""

every_title = pytest.mark.parametrize("title", READY)


def spelled(label: str) -> str:
    """A label's letters and digits, as a class is named for it."""
    return re.sub(r"[^a-z0-9]", "", label.lower())


def names(label: str, story: str) -> bool:
    """Whether a class name begins with the label: what follows is a capital letter, or nothing."""
    start = spelled(label)
    named = story.removeprefix("Test")
    return named.lower().startswith(start) and re.match(r"[A-Z]|$", named[len(start) :]) is not None


def told_by(story: str, labels: list[str]) -> str:
    """The label that a class tells of, the longest if it names several; "" for none."""
    return max((label for label in labels if names(label, story)), key=len, default="")


def stories(title: str) -> Iterator[str]:
    """The test classes of a title that hold a test."""
    for file in story_files(title):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(
                isinstance(part, ast.FunctionDef) and part.name.startswith("test_") for part in node.body
            ):
                yield node.name


@every_title
def test_every_printed_label_has_a_class_of_stories_or_a_line_of_its_source(title: str) -> None:
    labels = [line.label for line in page(title)]
    told = {told_by(story, labels) for story in stories(title)}
    missing = [label for label in labels if label not in told and (title, label) not in IN_SOURCE]
    assert not missing, f"{title}: no class of stories is named for {', '.join(missing)}"


@every_title
def test_what_has_a_line_of_source_instead_is_said_there_and_needed(title: str) -> None:
    labels = [line.label for line in page(title)]
    told = {told_by(story, labels) for story in stories(title)}
    source = (FIXTURES / title / "SOURCE.md").read_text(encoding="utf-8").splitlines()
    for (whose, label), line in IN_SOURCE.items():
        if whose == title:
            assert label in labels, f"{title} prints no {label}"
            assert label not in told, f"{label} has a class of stories: it need not stand in SOURCE.md"
            assert any(one.startswith(line) for one in source), f"SOURCE.md has no line that begins: {line}"


@pytest.mark.parametrize(
    ("story", "label"),
    [
        ("TestF1Movement", "F.1"),
        ("TestFIndividualSquadrons", "F"),
        ("TestSBpreAssaultCannons", "SB.pre.assault"),
        ("TestSBpreAbilities", "SB.pre"),
        ("TestTAprobe", "TA.probe"),
        ("TestTA5Landings", "TA.5"),
        ("TestHexes", ""),
        ("TestScenario", ""),
        ("TestPASS", "PASS"),
    ],
)
def test_a_class_tells_of_the_longest_label_that_it_names(story: str, label: str) -> None:
    labels = ["F", "F.1", "H", "SB", "SB.pre", "SB.pre.assault", "TA", "TA.5", "TA.probe", "PASS"]
    assert told_by(story, labels) == label
