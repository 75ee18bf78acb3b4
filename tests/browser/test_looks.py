"""Show the page wide, narrow, light, dark, without color, motion or script, and to a screen reader."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.browser.conftest import GREAT_HARBOUR, Open, Pages, missing, verdict_of
from tests.face.testing import FIXTURES

FORD = "formats/1-edge/ford.whole.jsonl"
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
NARROW = {"viewport": {"width": 390, "height": 844}}
PANELS = ["trail-panel", "table-panel", "dice-panel", "charts-panel", "notes-panel", "proof"]


class TestNarrowScreen:
    def test_panels_are_at_most_as_wide_as_a_narrow_screen(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", **NARROW)
        verdict_of(page)
        for panel in PANELS:
            page.click(f"[data-panel={panel}]")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, panel

    def test_on_the_narrowest_nothing_scrolls_sideways(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", viewport={"width": 320, "height": 568})
        verdict_of(page)
        for panel in PANELS:
            page.click(f"[data-panel={panel}]")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, panel

    def test_chart_above_the_slider_has_room(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#163", **NARROW)
        page.click("#chart")
        select, value = (page.locator(f"#strip {one}").bounding_box() for one in ("select", ".value"))
        chart, time = page.locator("#strip svg").bounding_box(), page.locator("#marks").bounding_box()
        assert select["width"] > 80
        assert value["x"] + value["width"] <= 390
        assert abs(chart["x"] - time["x"]) < 2
        assert abs(chart["width"] - time["width"]) < 2
        assert page.locator("#strip").bounding_box()["height"] < 120
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    def test_parts_are_below_each_other(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", **NARROW)
        boxes = [page.locator(one).bounding_box() for one in ("header", "#map", "#said", "#panels")]
        for above, below in at_least_one(pairwise(boxes)):
            assert above["y"] + above["height"] <= below["y"] + 1
            assert max(above["width"], below["width"]) <= 390

    def test_every_button_can_be_reached(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", **NARROW)
        for way in ("first", "step-back", "back", "forward", "step", "last"):
            box = page.locator(f"[data-go={way}]").bounding_box()
            assert 0 <= box["x"] <= 390 - box["width"], way
            assert box["height"] >= 24, way


class TestPrint:
    def test_print_has_the_whole_trail(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        with umpire.open(":memory:") as desk:
            orders = desk.import_log(FIXTURES / GREAT_HARBOUR).referee.orders()
        lines = page.locator("#printed li")
        assert lines.count() == len(orders)
        assert lines.nth(0).is_visible()
        assert orders[-1].text in lines.nth(len(orders) - 1).inner_text()
        assert page.evaluate("document.body.scrollHeight") > 149 * 15, "nothing is cut off"
        assert not page.is_visible("#rows")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert lines.count() == 0


class TestWithoutColour:
    def test_sides_differ_by_letter_and_pattern(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300")
        looks = [look for look in page.evaluate("facts.sides") if look["side"]]
        assert len({look["letter"] for look in looks}) == len(looks) == 2
        assert len({look["pattern"] for look in looks}) == 2

    def test_sides_differ_on_a_grey_screen(self, pages: Pages, opened: Open, tmp_path: Path) -> None:
        """Compare the luminance of counters by the sRGB formula, as the browser would print them without colour."""
        page = opened(pages.of(GREAT_HARBOUR), at="#300")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
        page.screenshot(path=tmp_path / "grey.png")
        assert (tmp_path / "grey.png").stat().st_size > 20_000
        greys = [_grey(look["colour"]) for look in page.evaluate("facts.sides") if look["side"]]
        assert abs(greys[0] - greys[1]) > 0.1
        texts = page.evaluate("[...document.querySelectorAll('#board .stack')].map((one) => one.textContent)")
        assert texts
        assert all(any(letter in text for letter in "AS") for text in texts)


def _grey(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class TestWithoutScript:
    def test_trail_is_an_ordered_list(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), ready=False, java_script_enabled=False)
        lines = page.locator("ol > li")
        with umpire.open(":memory:") as desk:
            orders = desk.import_log(FIXTURES / GREAT_HARBOUR).referee.orders()
        assert lines.count() == len(orders)
        assert lines.first.is_visible()
        assert orders[40].text in lines.nth(40).inner_text()
        assert page.locator("h1").inner_text() == "The Great Harbour, 413 BC"

    def test_link_goes_to_an_order(self, pages: Pages, opened: Open) -> None:
        with umpire.open(":memory:") as desk:
            first = desk.import_log(FIXTURES / GREAT_HARBOUR).referee.orders()[80].position
        page = opened(pages.of(GREAT_HARBOUR), at=f"#{first}", ready=False, java_script_enabled=False)
        assert -1 <= page.locator(f'[id="{first}"]').bounding_box()["y"] < 900

    def test_undone_orders_are_marked(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(FORD), ready=False, java_script_enabled=False)
        assert page.locator("ol > li.undone").count() > 0


class TestMotionAndScheme:
    def test_reduced_motion_stops_animations(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300", reduced_motion="reduce")
        for key in ("ArrowRight", "PageDown", "Shift+PageUp"):
            page.keyboard.press(key)
            assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0

    def test_dark_is_dark_and_light_is_light(self, pages: Pages, opened: Open) -> None:
        grounds = {}
        for scheme in ("light", "dark"):
            page = opened(pages.of(GREAT_HARBOUR), color_scheme=scheme)
            colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
            grounds[scheme] = sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
        assert grounds["dark"] < 200
        assert grounds["light"] > 600

    def test_focus_is_visible(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#300")
        for _ in range(12):
            page.keyboard.press("Tab")
            style = "const {outlineStyle: o, outlineWidth: w, boxShadow: s} = getComputedStyle(document.activeElement)"
            assert page.evaluate(f"(() => {{ {style}; return (o !== 'none' && w !== '0px') || s !== 'none' }})()")


class TestAxe:
    @pytest.fixture
    def axe(self) -> str:
        if not AXE.is_file():
            missing("axe-core is not installed: npm ci --prefix tests/browser")
        return AXE.read_text(encoding="utf-8")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("shape", ["wide", "narrow"])
    def test_page_has_no_serious_fault(self, pages: Pages, opened: Open, axe: str, scheme: str, shape: str) -> None:
        page = opened(pages.of(FORD), at="#20", color_scheme=scheme, **(NARROW if shape == "narrow" else {}))
        verdict_of(page)
        page.evaluate(axe)
        for panel in PANELS:
            page.click(f"[data-panel={panel}]")
            assert _serious(page) == [], panel
        page.click("#ask")
        assert _serious(page) == [], "help"

    def test_page_with_a_planted_fault_is_found(self, pages: Pages, opened: Open, axe: str) -> None:
        page = opened(pages.of(FORD))
        page.evaluate(axe)
        page.evaluate("document.querySelector('#search').removeAttribute('aria-label')")
        page.evaluate("document.querySelector('#search').removeAttribute('placeholder')")
        assert "label" in str(_serious(page))

    def test_without_script_too(self, pages: Pages, opened: Open, axe: str) -> None:
        page = opened(pages.of(FORD), ready=False, java_script_enabled=False)
        assert page.evaluate("document.documentElement.lang") == "en"
        assert page.locator("ol").count() == 1


def _serious(page: Any) -> list[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:4]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
