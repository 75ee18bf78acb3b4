"""The replay page and the seat's page draw the ground that the server draws, and it hides nothing."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import umpire_ledger as umpire
from tests.browser.conftest import Open
from tests.browser.playing import Browsers, fixture_game
from tests.face.desk import store_background
from tests.face.testing import FIXTURES

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [("war-galley", "great-harbour"), ("red-coat-rags", "mill-ford"), ("freeform", "night-run")]
GAMES += [("pacific-war", "coral-sea")]
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#9cd"/>{}</svg>'
PICTURED = """
title = "freeform"
name = "With a picture"
sides = [{ id = "red", name = "Red" }]
units = [{ id = "r1", side = "red", kind = "boat", at = "0202" }]
board = { hexes = { columns = 4, rows = 4 }, background = { file = "sea.svg" } }
"""
SEAT = {"war-galley": "athens", "red-coat-rags": "king"}
IN_THE_PAGE = """(top) => [...document.querySelectorAll(`${top} svg.terrain :is(rect, path), ${top} .region`)]
  .map((one) => [...["class", "d", "fill"].map((name) => one.getAttribute(name)),
    one.matches("text") ? one.textContent : ""])"""


def drawn(svg: str) -> Iterator[list[str | None]]:
    """Yield the ground of a picture of the server."""
    root = ElementTree.fromstring(svg)
    for frame in root.iter(f"{SVG}svg"):
        for one in frame.iter() if frame.get("class") == "terrain" else ():
            if one.tag in (f"{SVG}rect", f"{SVG}path"):
                yield [one.get("class"), one.get("d"), one.get("fill"), ""]
    for one in root.iter(f"{SVG}text"):
        if one.get("class") == "region":
            yield ["region", None, None, one.text]


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


def test_seat_page_shows_a_picture_that_executes_nothing(browsers: Browsers, tmp_path: Path) -> None:
    """Store a drawing with a script, as no scenario can bring one: as an image it does not run."""
    name = "with-a-picture"
    with browsers.served.desk() as desk:
        (tmp_path / "sea.svg").write_text(DRAWING.format(""))
        (tmp_path / "s.toml").write_text(PICTURED)
        desk.new("freeform", tmp_path / "s.toml", id=name)
        script = DRAWING.format("<script>document.title = 'run'; fetch('https://example.org')</script>").encode()
        uri = f"data:image/svg+xml;base64,{b64encode(script).decode()}"
        store_background(desk.ledger_for_writing, name, uri)
    page = browsers.seat(name, "red")
    assert page.evaluate("document.querySelector('#map image').href.baseVal") == f"/games/{name}/background?as=red"
    answer = page.request.get(f"{browsers.served.address}/games/{name}/background?as=red")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "sandbox" in answer.headers["content-security-policy"]
    page.wait_for_timeout(300)
    assert "run" not in page.title()


def test_replay_page_shows_its_picture(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "sea.svg").write_text(DRAWING.format(""))
    (tmp_path / "s.toml").write_text(PICTURED)
    with umpire.open(":memory:") as desk:
        desk.new("freeform", tmp_path / "s.toml", id="sea").referee.page(tmp_path / "page.html", picture=True)
    page = opened(tmp_path / "page.html")
    assert page.evaluate("document.querySelector('#ground image').href.baseVal.slice(0, 19)") == "data:image/svg+xml;"
