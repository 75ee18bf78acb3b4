"""The replay page and the seat's page draw the ground that the server draws, and it hides nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import umpire_ledger as umpire
from tests.browser.conftest import Open
from tests.browser.playing import Browsers, fixture_game
from tests.face.testing import FIXTURES

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [("war-galley", "great-harbour"), ("red-coat-rags", "mill-ford"), ("freeform", "night-run")]
GAMES += [("pacific-war", "coral-sea")]
SEAT = {"war-galley": "athens", "red-coat-rags": "king"}
IN_THE_PAGE = """(top) => [...document.querySelectorAll(`${top} svg.terrain :is(rect, path), ${top} .region`)]
  .map((one) => [one.getAttribute("class") ?? "", one.getAttribute("d") ?? one.textContent, one.getAttribute("fill")])"""


def drawn(svg: str) -> Iterator[list[str | None]]:
    """Yield the ground of a picture of the server."""
    root = ElementTree.fromstring(svg)
    for frame in root.iter(f"{SVG}svg"):
        for one in frame.iter() if frame.get("class") == "terrain" else ():
            if one.tag in (f"{SVG}rect", f"{SVG}path"):
                yield [one.get("class", ""), one.get("d", ""), one.get("fill")]
    for one in root.iter(f"{SVG}text"):
        if one.get("class") == "region":
            yield ["region", one.text, None]


@pytest.mark.parametrize(("title", "name"), GAMES)
def test_replay_page_draws_the_ground_of_the_server(title: str, name: str, tmp_path: Path, opened: Open) -> None:
    with umpire.open(":memory:") as desk:
        referee = desk.new(title, FIXTURES / title / "scenarios" / f"{name}.toml", id="game", dice="table").referee
        referee.page(tmp_path / "page.html")
        ours = list(drawn(referee.map()))
    page = opened(tmp_path / "page.html")
    assert page.evaluate(IN_THE_PAGE, "#ground") == ours
    assert len(ours) > 3


@pytest.mark.parametrize(("title", "name"), GAMES[:2])
def test_seat_page_draws_the_ground_of_the_server(title: str, name: str, browsers: Browsers) -> None:
    game = fixture_game(browsers.served, title, name, 1)
    page = browsers.seat(game, SEAT[title])
    with browsers.served.desk() as desk:
        ours = list(drawn(desk.game(game).seat(SEAT[title]).map()))
    assert page.evaluate(IN_THE_PAGE, "#map") == ours


def test_hex_over_the_ground_is_still_what_a_click_hits(browsers: Browsers) -> None:
    game = fixture_game(browsers.served, "war-galley", "great-harbour", 1)
    page = browsers.seat(game, "athens")
    hit: Any = page.evaluate("""() => {
      const hex = document.querySelector('#map [data-place="0909"]').getBoundingClientRect();
      const all = document.elementsFromPoint(hex.x + hex.width / 2, hex.y + hex.height / 2);
      return all.find((one) => one.dataset.place)?.dataset.place;
    }""")
    assert hit == "0909"
