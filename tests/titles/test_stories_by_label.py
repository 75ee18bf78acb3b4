"""Check that every printed label of a title has a test class named for it, or a line of SOURCE.md.

`TestF1Movement` covers F.1, `TestSBpreAssaultCannons` SB.pre.assault: letters and digits of the label, in either case,
and then a capital letter. A class belongs to the longest label that it names.
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
"""Labels without a test class: title and label, and the beginning of the line of SOURCE.md with the reason."""

every_title = pytest.mark.parametrize("title", READY)


def spelled(label: str) -> str:
    """Return a label's letters and digits in lower case, as in the names of classes."""
    return re.sub(r"[^a-z0-9]", "", label.lower())


def names(label: str, story: str) -> bool:
    """Return whether a class name begins with the label, followed by a capital letter or by nothing."""
    start = spelled(label)
    named = story.removeprefix("Test")
    return named.lower().startswith(start) and re.match(r"[A-Z]|$", named[len(start) :]) is not None


def told_by(story: str, labels: list[str]) -> str:
    """Return the label that a class covers, the longest if it names several; "" for none."""
    return max((label for label in labels if names(label, story)), key=len, default="")


def stories(title: str) -> Iterator[str]:
    """Yield the test classes of a title that hold a test."""
    for file in story_files(title):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(
                isinstance(part, ast.FunctionDef) and part.name.startswith("test_") for part in node.body
            ):
                yield node.name


@every_title
def test_printed_labels_have_a_test_class_or_a_source_line(title: str) -> None:
    labels = [line.label for line in page(title)]
    told = {told_by(story, labels) for story in stories(title)}
    missing = [label for label in labels if label not in told and (title, label) not in IN_SOURCE]
    assert not missing, f"{title}: no class of stories is named for {', '.join(missing)}"


@every_title
def test_labels_with_a_source_line_have_no_test_class(title: str) -> None:
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
def test_class_covers_the_longest_label_that_it_names(story: str, label: str) -> None:
    labels = ["F", "F.1", "H", "SB", "SB.pre", "SB.pre.assault", "TA", "TA.5", "TA.probe", "PASS"]
    assert told_by(story, labels) == label
