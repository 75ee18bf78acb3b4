"""Check that the replay page draws the same stacks, cards, symbols, words and marks as the server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import umpire_ledger as umpire
from tests.browser.conftest import Open, Pages
from tests.face.testing import FIXTURES

SVG = "{http://www.w3.org/2000/svg}"
TITLES = ("war-galley", "pacific-war", "federation-and-empire", "twilight-imperium-3", "red-coat-rags", "freeform")
GAMES = [str(sorted((FIXTURES / title / "replays").glob("*.jsonl"))[0].relative_to(FIXTURES)) for title in TITLES]
IN_THE_PAGE = """() => [...document.querySelectorAll("#stacks .stack")].map((stack) => {
  const all = (names, of) => [...stack.querySelectorAll(names)].map(of);
  return [
    stack.dataset.place,
    all("path.counter", (one) => `${one.getAttribute("class")} ${one.getAttribute("fill")}`),
    all("use", (one) => `${one.getAttribute("href")} ${one.getAttribute("transform")}`),
    all("text", (one) => one.textContent).sort(),
    all("circle:not(.dot)", (one) => one.getAttribute("class")).sort(),
  ];
})"""


def drawn(svg: str) -> Iterator[list[Any]]:
    """Yield the contents of each stack in a picture of the server."""
    for stack in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if (stack.get("class") or "").split()[:1] == ["stack"]:
            cards = [one for one in stack.iter(f"{SVG}path") if one.get("class", "").startswith("counter")]
            yield [
                stack.get("data-place"),
                [f"{one.get('class')} {one.get('fill')}" for one in cards],
                [f"{one.get('href')} {one.get('transform')}" for one in stack.iter(f"{SVG}use")],
                sorted("".join(one.itertext()).strip() for one in stack.iter(f"{SVG}text")),
                sorted(one.get("class", "") for one in stack.iter(f"{SVG}circle")),
            ]


@pytest.mark.parametrize("log", GAMES, ids=lambda one: Path(str(one)).parts[0])
@pytest.mark.parametrize("part", [0.4, 1])
def test_page_draws_the_counters_of_the_server(log: str, part: float, pages: Pages, opened: Open) -> None:
    with umpire.open(":memory:") as desk:
        referee = desk.import_log(FIXTURES / log).referee
        at = referee.orders(all_lines=True)[int(part * len(referee.orders(all_lines=True))) - 1].last
        ours = sorted(drawn(referee.map(at=at)))
    page = opened(pages.of(log), at=f"#{at}")
    assert sorted(page.evaluate(IN_THE_PAGE)) == ours
    assert ours


def test_words_are_hidden_on_small_counters(pages: Pages, opened: Open) -> None:
    page = opened(pages.of("war-galley/replays/great-harbour.jsonl"), at="#300")
    seen = "[...document.querySelectorAll('#stacks .corner')].filter((one) => one.getBoundingClientRect().width).length"
    page.evaluate("zoom(20)")
    assert page.evaluate(seen) > 0
    page.evaluate("zoom(0.001)")
    assert page.evaluate(seen) == 0
    assert page.locator("#stacks .drawing use").count() > 0
