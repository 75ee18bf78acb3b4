"""Parts of the pages of a game have room: none covers another, none is cut off, and each target is large enough."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.clicking import FREE_SPOT, show_unit, take
from tests.browser.conftest import GREAT_HARBOUR, Open, Pages, comes_true
from tests.browser.playing import Browsers, fixture_game

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
BOTH = pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
LOW = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 24)
  .map((one) => one.textContent)"""
SEEN = """(side) => {
  const board = document.getElementById("board").getBoundingClientRect();
  const foot = document.getElementById("legend").getBoundingClientRect().top;
  const isSeen = (box) => box.left >= 0 && box.right <= board.right && box.top >= board.top && box.bottom <= foot;
  return [...document.querySelectorAll(`#map .stack[data-side="${side}"]`)]
    .filter((one) => isSeen(one.querySelector(".counter").getBoundingClientRect()))
    .flatMap((one) => one.dataset.units.split(" "));
}"""


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Open the Great Harbour when both sides disengage."""
    return fixture_game(browsers.served, "war-galley", "great-harbour", 70)


@pytest.fixture
def war(browsers: Browsers) -> str:
    """Open the small border war when the Coalition moves."""
    return fixture_game(browsers.served, "federation-and-empire", "border-war", 140)


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).bounding_box()
    return found


class TestTimeBar:
    def test_position_is_right_of_the_bar_on_telephone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        assert box(page, "#bar")["width"] >= 120
        page.click("[data-focus=earlier]")
        page.wait_for_selector("#when.back")
        bar, position, now = (box(page, one) for one in ("#bar", "#when .pos", "#when .now"))
        assert bar["x"] + bar["width"] <= position["x"]
        assert position["x"] + position["width"] <= now["x"]


class TestHeader:
    def test_seat_is_whole_on_telephone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        cut = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('header .seat'))"
        assert not page.evaluate(cut)
        assert page.inner_text("header .seat").strip() == "Athens"


class TestTargets:
    @BOTH
    def test_links_are_as_high_as_a_fingertip(self, browsers: Browsers, war: str, shape: dict[str, Any]) -> None:
        page = browsers.seat(war, "coalition", **shape)
        page.click("#drawer > summary")
        assert page.locator(".ideas a").count() > 1
        assert page.locator("ol.since a").count() > 0
        assert page.evaluate(LOW, "body > header a, .ideas a, ol.since a, ol.trail > li > .cite, p.more a") == []


class TestHelp:
    def test_help_opens_at_its_head(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.click("#ask")
        assert page.evaluate("document.getElementById('help').scrollTop") == 0
        assert page.evaluate("document.activeElement.closest('#help') !== null")
        page.keyboard.press("Escape")
        assert not page.is_visible("#help")


class TestTrail:
    def test_open_trail_of_telephone_has_a_way_to_close(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        page.click("#drawer > summary")
        sign = "getComputedStyle(document.querySelector('#drawer > summary'), '::after').content"
        assert page.evaluate(sign) == '"×"'
        page.click("#drawer > summary")
        assert page.evaluate(sign) == "none"


class TestFirstView:
    def test_telephone_shows_many_own_units(self, browsers: Browsers, war: str) -> None:
        """Show the active stack and as many other stacks of the seat as the window holds."""
        page = browsers.seat(war, "coalition", **PHONE)
        assert comes_true(page, "shown !== null")
        seen = page.evaluate(SEEN, "coalition")
        active = page.evaluate("document.querySelector('#map .stack:has(.active)').dataset.units.split(' ')")
        assert set(active) <= set(seen)
        assert len(seen) >= 8


class TestHand:
    def test_words_of_give_are_on_one_line(self, browsers: Browsers, war: str) -> None:
        page = browsers.seat(war, "coalition", **PHONE)
        show_unit(page, "K-D6M")
        take(page, "K-D6M")
        assert comes_true(page, "targets.length > 0")
        page.touchscreen.tap(*page.evaluate(FREE_SPOT, "1507"))
        page.wait_for_selector("#hand-give")
        assert box(page, "#hand-give")["height"] <= 44

    def test_palette_leaves_no_half_of_a_legend(self, browsers: Browsers, war: str) -> None:
        page = browsers.seat(war, "coalition", **WIDE)
        assert page.is_visible("#legend")
        show_unit(page, "K-D6M")
        take(page, "K-D6M")
        palette, legend = box(page, "#palette"), box(page, "#legend")
        assert palette["y"] + palette["height"] > legend["y"]
        assert palette["x"] < legend["x"] + legend["width"]
        assert not page.is_visible("#legend")
        page.click("#palette .close")
        assert page.is_visible("#legend")


class TestReveal:
    def test_revealed_unit_is_above_the_legend(self, browsers: Browsers, war: str) -> None:
        page = browsers.seat(war, "coalition", **PHONE)
        page.evaluate("drag(0, 200); reveal(...middleOf(counterBox(stackOf('K-D6M'))))")
        assert "K-D6M" in page.evaluate(SEEN, "coalition")


class TestReplay:
    def test_words_of_the_legend_are_inside_it(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", **WIDE)
        legend, words = box(page, "#legend"), box(page, "#legend > :last-child")
        assert words["x"] + words["width"] <= legend["x"] + legend["width"] - 4


class TestComparedViews:
    def test_heads_of_views_are_legible_and_free(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee", **WIDE)
        page.click('[data-focus="tab-views"]')
        page.wait_for_selector("#map.views .look")
        assert not page.is_visible("#zoom")
        size = "parseFloat(getComputedStyle(document.querySelector('.look figcaption .note')).fontSize)"
        assert page.evaluate(size) >= 12
        page.click('[data-focus="tab-desk"]')
        page.wait_for_selector("#map:not(.views) > svg")
        assert page.is_visible("#zoom")
