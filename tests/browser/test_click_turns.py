"""Play turns of every title by clicks on the board: units, targets, dice, ends of steps."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.clicking import (
    choose_ready,
    click_target,
    click_unit,
    given,
    offers_in_hand,
    own_units,
    show_unit,
    throw_dice,
)
from tests.browser.conftest import comes_true
from tests.browser.playing import RESULT, Browsers
from tests.face.testing import FIXTURES

WIDE = {"viewport": {"width": 1280, "height": 800}}
REPLAYS = {
    "red-coat-rags": ("mill-ford", (0.7, 0.85)),
    "twilight-imperium-3": ("full-round", (0.15, 0.5)),
    "pacific-war": ("solomons-closing-cycle", (0.5, 0.7)),
    "federation-and-empire": ("border-war", (0.15, 0.35)),
}
"""A recorded game of each title, and the fractions of it after which a side continues play."""


def plays_one(page: Any) -> str:
    """Give one order by clicks and return the way: by a target, an order of a unit, or the desk; "" for none."""
    page.evaluate("document.getElementById('news').replaceChildren(); dropHand()")
    for unit in own_units(page)[:20]:
        page.evaluate("dropHand()")
        show_unit(page, unit)
        click_unit(page, unit)  # all of its orders may be refused
        choose_ready(page)
        for offer in offers_in_hand(page):
            if offer["targets"]:
                aimed = offer["targets"][0]
                if page.evaluate(
                    "([place, unit]) => (unit ? stackOf(unit) : plotOf(place)) === null",
                    [aimed.get("place", ""), aimed.get("unit", "")],
                ):
                    continue
                click_target(page, aimed.get("unit") or aimed["place"], offer["order"])
                return "target"
            if offer["whole"]:
                page.locator(f'#palette [data-focus="order-{offer["id"]}"]').click()
                if page.locator("#hand-give").count():
                    page.click("#hand-give")
                return "unit"
    page.evaluate("dropHand()")
    if page.locator("#leaving button").count():
        page.locator("#leaving button").first.click()
        return "desk"
    return ""


@pytest.mark.parametrize("title", REPLAYS)
def test_orders_of_every_title_are_given_by_clicks(browsers: Browsers, title: str) -> None:
    log, parts = REPLAYS[title]
    with browsers.served.desk() as desk:
        game = desk.import_log(FIXTURES / title / "replays" / f"{log}.jsonl")
        opened = min(point.position for point in game.referee.undo_points())
        copies = [
            (one.id, one.referee.status.waiting[0])
            for one in (game.fork(f"{game.id}-{part}", at=max(int(game.size * part), opened)) for part in parts)
        ]
    ways: list[str] = []
    for copy, side in copies:
        page = browsers.seat(copy, side, **WIDE)
        for _ in range(3):
            if page.get_attribute("#standing", "data-mine") != "yes":
                break
            way = plays_one(page)
            if not way:
                break
            if comes_true(page, f"document.querySelector('{RESULT}, #desk .refused, #order fieldset.die') !== null"):
                if page.locator(RESULT).count() == 0 and page.locator("#order fieldset.die").count():
                    throw_dice(page)
                assert given(page)
                ways.append(way)
    assert "target" in ways or "unit" in ways, ways
