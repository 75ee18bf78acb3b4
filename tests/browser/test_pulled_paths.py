"""A path that a player pulls over other cells: by mouse, by touch, by clicks and by keys; the service decides."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.clicking import click_place, given, says, show_unit, take
from tests.browser.conftest import comes_true
from tests.browser.playing import RESULT, Browsers, faults_of_access, fixture_game

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
SHIP, START = "syracuse-4", "1006"
MIDDLE = """place => {
  const at = plotOf(place).getBoundingClientRect();
  return [at.x + at.width / 2, at.y + at.height / 2];
}"""


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Open the Great Harbour after thirty orders: Syracuse moves, and 1009 is three hexes south of its fourth ship."""
    return fixture_game(browsers.served, "war-galley", "great-harbour", 30)


def page_of(browsers: Browsers, game: str, shape: dict[str, Any] = WIDE) -> Any:
    """Open the page of Syracuse with the ship in the hand."""
    page = browsers.seat(game, "syracuse", **shape)
    show_unit(page, SHIP)
    take(page, SHIP)
    assert comes_true(page, "targets.length > 0")
    return page


def drag(page: Any, *places: str) -> None:
    """Move the pointer, held down, from the first place over the others."""
    page.mouse.move(*page.evaluate(MIDDLE, places[0]))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*page.evaluate(MIDDLE, place), steps=4)
    page.mouse.up()


def path(page: Any) -> list[str]:
    """Return the path that waits, once it leads over what was pulled."""
    assert comes_true(page, "hand.via.length > 0 && hand.waits !== null"), page.evaluate("hand")
    found: list[str] = page.evaluate("hand.waits.choice.path")
    return found


class TestDragging:
    def test_path_follows_the_pointer_and_waits(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        drag(page, START, "1107", "1108", "1109")
        assert path(page) == ["1107", "1108", "1109"]
        assert page.locator("#over .sum").all_text_contents() == ["1", "2", "3"]
        assert page.locator("#over .ghost").count() == 1
        assert page.locator(RESULT).count() == 0
        page.click("#hand-give")
        assert "1006 → 1107 → 1108 → 1109" in given(page)

    def test_pointer_that_goes_back_shortens_the_path(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        drag(page, START, "1107", "1108", "1109", "1108")
        assert path(page) == ["1107", "1108"]

    def test_dragged_bead_pulls_the_path_over_a_cell(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game, PHONE)
        page.touchscreen.tap(*page.evaluate(MIDDLE, "1009"))
        assert comes_true(page, "hand.waits?.choice.path?.join() === '1007,1008,1009'")
        drag(page, "1008", "1108")
        found = path(page)
        assert (found[-1], "1108" in found) == ("1009", True)
        assert page.locator("#over .via").count() == 1
        page.touchscreen.tap(*page.evaluate(MIDDLE, "1009"))
        assert "→ 1108 →" in given(page)

    def test_map_still_moves_next_to_the_path(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        before = page.evaluate("shown.x")
        drag(page, "1310", "1410")
        assert page.evaluate("shown.x") < before
        assert page.evaluate("hand.via") == []

    def test_place_out_of_reach_is_explained(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        page.evaluate("void leadOver(['1001'], '1009')")
        assert says(page, "to 1009 over 1001")
        assert page.evaluate("hand.waits") is None


class TestClicks:
    def test_shift_click_makes_a_way_point(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        page.keyboard.down("Shift")
        click_place(page, "1107")
        page.keyboard.up("Shift")
        assert path(page) == ["1107"]
        click_place(page, "1109")
        assert comes_true(page, "hand.waits?.choice.place === '1109'")
        assert path(page) == ["1107", "1108", "1109"]
        assert "1107" in page.inner_text("#in-hand")

    def test_button_makes_taps_way_points(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game, PHONE)
        page.touchscreen.tap(*page.evaluate(MIDDLE, "1009"))
        page.click("#hand-points")
        page.touchscreen.tap(*page.evaluate(MIDDLE, "1107"))
        found = path(page)
        assert (found[0], found[-1]) == ("1107", "1009")
        assert page.get_attribute("#hand-points", "aria-pressed") == "true"

    def test_shift_enter_makes_a_way_point(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        page.evaluate("""over.querySelector(`.hit[aria-label^="Move ship syracuse-4 to 1107"]`).focus()""")
        page.keyboard.press("Shift+Enter")
        assert path(page) == ["1107"]
        assert faults_of_access(page) == []

    @pytest.mark.parametrize("how", ["escape", "unit"])
    def test_way_points_are_taken_back(self, browsers: Browsers, game: str, how: str) -> None:
        page = page_of(browsers, game)
        drag(page, START, "1107", "1108")
        path(page)
        if how == "escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(*page.evaluate(MIDDLE, START))
        assert page.evaluate("[hand.unit, hand.via, hand.waits]") == [SHIP, [], None]
        click_place(page, "1009")
        assert "1006 → 1007 → 1008 → 1009" in given(page)

    def test_record_keeps_a_pulled_path(self, browsers: Browsers, game: str) -> None:
        page = page_of(browsers, game)
        drag(page, START, "1107", "1108")
        before = page.evaluate("known.size") and path(page)
        with browsers.served.desk() as desk:
            desk.game(game).seat("athens").note("hm")
        assert comes_true(page, "find('position').textContent !== '#' + document.querySelector('main').dataset.after")
        page.wait_for_timeout(500)
        assert path(page) == before
