"""Read `cells/federation-and-empire.md`: the stories that test the rule of each cell of Federation & Empire's table.

The table answers seven questions about each printed label; a cell is one answer. A row gives, for a label and a
question, the stories in which an order is accepted under the rule, and those in which an order is refused:

    | label | question | taken | refused |
    | 3A-2C | how often | Test3A2C:: ship_reacts_to_one_raid | Test3A2C:: ship_reacts_to_one_raid |

The words `by itself` replace refusals if Umpire applies the rule automatically, so that no order can break it.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PAGE = HERE / "pages" / "federation-and-empire.md"
CELLS = HERE / "cells" / "federation-and-empire.md"
QUESTIONS = ("who is in", "where", "how often", "how much", "who says it", "what is used up", "gone afterwards")
FREE = ("-", "any", "anywhere", "stated", "see children")
"""Answers that hold no rule."""
THE_TABLES = re.compile(r"(the )?table\b|[^,`]*: (the )?table\b|.* is the table's$")
"""Parts of an answer that hold none: `the table's, recorded by …`, `how far: the table's`."""
ITSELF = "by itself"


class Cell(NamedTuple):
    """The stories of one answer: `CLASS:: test`."""

    label: str
    question: str
    taken: tuple[str, ...]
    refused: tuple[str, ...]


def table(text: str) -> list[dict[str, str]]:
    """Return the rows of a table, by its heads."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    heads, _, *rows = lines
    return [dict(zip(heads, row, strict=True)) for row in rows]


@cache
def answers() -> dict[tuple[str, str], str]:
    """Return the answers of the page, by label and question."""
    return {(row["label"], one): row[one] for row in table(PAGE.read_text(encoding="utf-8")) for one in QUESTIONS}


def has_rule(label: str, question: str) -> bool:
    """Return whether Umpire applies the rule of an answer."""
    answer = answers()[label, question]
    parts = (part.strip() for part in answer.split(";"))
    return any(part not in FREE and not THE_TABLES.match(part) for part in parts)


@cache
def cells() -> list[Cell]:
    """Return the rows of the table of cells, in the order of the file."""
    return [
        Cell(row["label"], row["question"], _stories(row["taken"]), _stories(row["refused"]))
        for row in table(CELLS.read_text(encoding="utf-8"))
    ]


def _stories(text: str) -> tuple[str, ...]:
    return (
        tuple(
            f"{story.strip()}:: {test.strip()}"
            for part in filter(None, text.split(";"))
            for story, _, tests in (part.partition("::"),)
            for test in tests.split(",")
        )
        if "::" in text
        else (text,)
    )


def citing(story: str) -> list[str]:
    """Return the labels that cite a class of stories, in the order of the page."""
    found = [one.label for one in cells() if any(name.startswith(f"{story}::") for name in (*one.taken, *one.refused))]
    return list(dict.fromkeys(found))
