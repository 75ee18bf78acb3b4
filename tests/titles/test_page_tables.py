"""Check the page tables: each printed sentence has its stories, or the reason why the players record it.

`pages/TITLE.md` holds a row for every printed sentence, or for several that belong together, in our own words:

    | sentence | label | stories | left to |
    | two dice give the wind | A | TestAWind:: wind_roll_ends_the_phase; TestBWind:: … | SOURCE.md: A; scenario: wind |

Stories are classes with their tests, without `test_`. `left to` names the place of our reading (`SOURCE.md`, by its
column "where" or a few of its words), a part of the scenario (`scenario`, a key or table) and the order by which
the players record it (`order`). In place of a sentence there may be several questions, a column each. These tests check
every page in the folder.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import Title
from tests.face.testing import folder_of, scenarios, titles
from tests.typed_pages import page, story_files

HERE = Path(__file__).parent
WRITTEN = ("federation-and-empire", "pacific-war", "red-coat-rags", "twilight-imperium-3", "war-galley")
PAGES = [file.stem for file in at_least_one(sorted((HERE / "pages").glob("*.md")))]


class Row(NamedTuple):
    """A line of a page's table."""

    sentence: str
    label: str
    stories: str
    left_to: str


def rows_of(text: str) -> list[Row]:
    """Return the rows of a page without its headings and the lines outside the table.

    A page may answer several questions about a label, a column each; together they are its sentence.
    """
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    heads, _, *rows = cells
    return [_row(dict(zip(heads, row, strict=True))) for row in rows]


def _row(cells: dict[str, str]) -> Row:
    label, stories, left_to = (cells.pop(name) for name in ("label", "stories", "left to"))
    return Row("; ".join(cells.values()), label, stories, left_to)


# --- what rows name ---------------------------------------------------------------------------------------------------


def told(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the classes of a row, each with every test that is named."""
    for part in filter(None, row.stories.split(";")):
        story, _, tests = part.partition("::")
        for test in tests.split(","):
            yield story.strip(), test.strip()


@cache
def stories(title: str) -> dict[str, set[str]]:
    """Return the test classes of a title, and their tests without `test_`."""
    found: dict[str, set[str]] = {}
    for file in story_files(title):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names = (part.name for part in node.body if isinstance(part, ast.FunctionDef))
                found.setdefault(node.name, set()).update(re.sub("^test_", "", one) for one in names)
    return found


@cache
def readings(title: str) -> tuple[str, frozenset[str]]:
    """Return the whole of a title's SOURCE.md, and the entries of its columns: labels, files, keys."""
    text = (folder_of(title) / "SOURCE.md").read_text(encoding="utf-8")
    cells = (cell for line in text.splitlines() if line[:1] == "|" for cell in line.strip("|").split("|"))
    return text, frozenset(one.strip() for cell in cells for one in cell.split(","))


def keys(title: Title) -> frozenset[str]:
    """Return the keys of a title's scenarios, and the tables in those of its fixtures."""
    tables = (table for scenario in scenarios(title) for table in scenario.tables)
    return frozenset((*(field.name for field in msgspec.structs.fields(title.scenario)), *tables))


def is_there(title: Title, place: str) -> bool:
    """Return whether a place of the last column exists: `SOURCE.md: E.1`, `scenario: wind`, `order: tire`.

    Of SOURCE.md a whole cell is named, or several words of a line.
    """
    kind, _, name = (part.strip() for part in place.partition(":"))
    text, columns = readings(title.id)
    match kind:
        case "SOURCE.md":
            return bool(name) and (name in columns or (" " in name and name in text))
        case "scenario":
            return name in keys(title)
        case "order":
            return name in title.every_order
        case _:
            return False


def faults(title: Title, rows: list[Row]) -> Iterator[str]:
    """Yield the faults in the rows of a page."""
    labels = [line.label for line in page(title.id)]
    for label in labels:
        if not any(row.label == label for row in rows):
            yield f"no row has the printed label {label}"
    for row in rows:
        named, places = list(told(row)), [one.strip() for one in row.left_to.split(";") if one.strip()]
        if row.label not in labels or not row.sentence:
            yield f"no sentence is printed as {row.label}: {row.sentence}"
        for story, test in named:
            if test not in stories(title.id).get(story, ()):
                yield f"{row.label}: there is no story {story}:: {test}"
        if not named and not places:
            yield f"{row.label} has neither a story nor a place that it is left to: {row.sentence}"
        for place in places:
            if not is_there(title, place):
                yield f"{row.label}: there is no {place}"


# --- the pages --------------------------------------------------------------------------------------------------------


def title_of(name: str) -> Title:
    return next(one for one in titles() if one.id == name)


def test_pages_of_all_titles_exist() -> None:
    assert set(WRITTEN) <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_printed_sentences_have_stories_or_a_reason(name: str) -> None:
    rows = rows_of((HERE / "pages" / f"{name}.md").read_text(encoding="utf-8"))
    assert list(faults(title_of(name), rows)) == []


class TestFaults:
    """Find each kind of fault in a page."""

    GALLEY = title_of("war-galley")

    def heard(self, *row: str) -> str:
        return "\n".join(faults(self.GALLEY, [Row(*row)]))

    def test_label_without_a_row_is_a_fault(self) -> None:
        heard = self.heard("two dice give the wind", "A", "TestAWind:: wind_roll_ends_the_phase", "")
        assert "no row has the printed label E.1" in heard
        assert "printed label A" not in heard

    def test_label_that_is_not_printed_is_a_fault(self) -> None:
        assert "no sentence is printed as Z.9" in self.heard("a tenth phase", "Z.9", "", "order: tire")

    @pytest.mark.parametrize("story", ["TestAWind:: it_blows", "TestNoWind:: wind_roll_ends_the_phase", "TestAWind"])
    def test_story_without_a_test_is_a_fault(self, story: str) -> None:
        assert "A: there is no story Test" in self.heard("the wind", "A", story, "")

    def test_sentence_without_story_or_place_is_a_fault(self) -> None:
        assert "A has neither a story nor a place" in self.heard("the wind", "A", "", "")

    @pytest.mark.parametrize("place", ["SOURCE.md: Z.9", "scenario: storm", "order: sail", "the table", "SOURCE.md:"])
    def test_place_that_does_not_exist_is_a_fault(self, place: str) -> None:
        assert f"A: there is no {place}" in self.heard("the wind", "A", "", place)

    @pytest.mark.parametrize("place", ["SOURCE.md: E.1", "scenario: wind", "scenario: victory", "order: tire"])
    def test_places_that_do(self, place: str) -> None:
        assert "there is no" not in self.heard("the wind", "A", "TestAWind:: wind_roll_ends_the_phase", place)
