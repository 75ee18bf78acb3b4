"""Read the pages of `titles/labels/`, typed from print: labels, their rule numbers, and numbers cited elsewhere."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.at_least_one import at_least_one

LABELS = Path(__file__).parent / "titles" / "labels"
ELSEWHERE = LABELS / "cited_elsewhere.txt"


class Printed(NamedTuple):
    """A line of the page: its label, its rule numbers, and the printed path if it differs."""

    label: str
    rules: tuple[str, ...]
    path: str


@cache
def page(title: str) -> list[Printed]:
    """Return a title's typed page, in printed order."""
    return [_read(line) for line in _lines(LABELS / f"{title}.txt")]


def _read(line: str) -> Printed:
    label, rules, *more = (part.strip() for part in line.split("|"))
    path = next((part.removeprefix("printed ") for part in more if part.startswith("printed ")), "")
    return Printed(label, tuple(one.strip() for one in rules.split(",") if one.strip()), path)


@cache
def cited_elsewhere(title: str) -> frozenset[str]:
    """Return numbers that are printed at one label and cited at others, and steps without a printed label."""
    parted = (line.split("|") for line in _lines(ELSEWHERE))
    return frozenset(number.strip() for whose, number, *_ in parted if whose.strip() == title)


def _lines(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


STORIES_OF = {"federation-and-empire": "federation"}
"""The first part of the names of a title's test files, if it differs from the title's id."""


def story_files(title: str) -> list[Path]:
    """Return the test files of a title."""
    begins = STORIES_OF.get(title, title.replace("-", "_"))
    return list(at_least_one(sorted((Path(__file__).parent / "titles").glob(f"test_{begins}_*.py"))))
