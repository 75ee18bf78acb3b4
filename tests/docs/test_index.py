"""Check the shape of the documentation: four kinds of pages, all in the index, each saying for whom it is."""

import re

import pytest

from tests.docs import pages

DOCS = pages.ROOT / "docs"
KINDS = ("tutorials", "how-to", "reference", "explanation")
READERS = re.compile(
    r"(?:^For|\bfor|\bhelps|\bshows) (?:the |an? )?(?:\w+ of )?"
    r"(?:authors?|developers?|everyone|groups?|maintainers?|operators?|owner|players?|programmers?|referees?)\b"
)
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md") if page.name != "index.md")


def test_pages_are_of_four_kinds() -> None:
    assert {page.partition("/")[0] for page in PAGES} == set(KINDS)


def test_index_links_every_page_once() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = [link for link in re.findall(r"\]\(([^)#]+)\)", index) if not link.startswith("..")]
    assert sorted(linked) == PAGES


@pytest.mark.parametrize("page", ["index.md", *PAGES])
def test_page_says_first_for_whom_it_is(page: str) -> None:
    title, first, *_ = (DOCS / page).read_text(encoding="utf-8").split("\n\n", 2)
    assert title.startswith("# ")
    assert READERS.search(" ".join(first.split())), first


def test_titles_of_pages_differ() -> None:
    titles = [(DOCS / page).read_text(encoding="utf-8").partition("\n")[0] for page in PAGES]
    assert len(set(titles)) == len(titles)
