"""A stack that is opened out on a seat's page: its counters, their orders, keys and fingers."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.clicking import SPOT, click_unit, show_unit
from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, faults_of_access, fixture_game

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
STACK = ("K-ADM", "K-D5-1", "K-D6M", "K-D6S", "K-D7A", "K-D7C", "K-JAG", "K-SB", "R-KE", "R-WE-1")
READY, IDLE = "K-D6M", "K-JAG"


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Open the small border war when the Coalition moves: ten of its units are in one stack."""
    return fixture_game(browsers.served, "federation-and-empire", "border-war", 140)


def answers(page: Any) -> list[str]:
    """Answer that one unit of the stack has no order, and every other unit one; return the units in the requests."""
    asked: list[str] = []

    def answer(route: Any) -> None:
        unit = route.request.url.partition("unit=")[2].partition("&")[0]
        asked.append(unit)
        can = {"given": {"unit": [unit]}, "typed": f"go {unit}", "words": f"Go {unit}", "asks_again": ""}
        own: dict[str, Any] = {
            "order": "go",
            "words": "Go",
            "help": "",
            "form": {},
            "whole": can,
            "targets": [],
            "refused": None,
        }
        orders = [] if unit == IDLE else [own, {**own, "order": "wait", "words": "Wait"}]
        route.fulfill(json={"unit": unit, "side": "coalition", "root_at": 0, "orders": orders})

    page.route("**/clickable?**", answer)
    return asked


def opened(page: Any) -> list[str]:
    """Click the stack, and return the units that it opens out to."""
    show_unit(page, STACK[0])
    click_unit(page, STACK[0])
    return names(page)


def names(page: Any) -> list[str]:
    found: list[str] = page.locator("#palette .card b").all_inner_texts()
    return found


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement?.dataset?.focus ?? document.activeElement?.id ?? ''"))


@pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
class TestOpening:
    def test_unit_of_stack_is_two_clicks(self, browsers: Browsers, game: str, shape: dict[str, Any]) -> None:
        page = browsers.seat(game, "coalition", **shape)
        answers(page)
        assert opened(page) == list(STACK)
        page.click(f'#palette .card:has(b:text-is("{READY}"))')
        page.wait_for_selector("#palette .order")
        assert page.evaluate("hand.unit") == READY

    def test_cards_are_whole_inside_the_board(self, browsers: Browsers, game: str, shape: dict[str, Any]) -> None:
        page = browsers.seat(game, "coalition", **shape)
        answers(page)
        opened(page)
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length === 9")
        board, cards = page.locator("#board").bounding_box(), page.locator("#palette").bounding_box()
        assert cards["x"] >= board["x"]
        assert cards["x"] + cards["width"] <= board["x"] + board["width"]
        assert cards["y"] >= board["y"]
        assert cards["y"] + cards["height"] <= board["y"] + board["height"]
        counters = page.locator("#palette .card .counter").all()
        assert all(one.bounding_box()["width"] >= 32 for one in counters)

    @pytest.mark.parametrize("colors", ["light", "dark"])
    def test_opened_stack_has_no_access_faults(
        self, browsers: Browsers, game: str, shape: dict[str, Any], colors: str
    ) -> None:
        page = browsers.seat(game, "coalition", color_scheme=colors, **shape)
        answers(page)
        opened(page)
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length === 9")
        assert faults_of_access(page) == []


class TestMarks:
    def test_cards_say_which_units_have_orders(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        answers(page)
        opened(page)
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length === 9")
        assert page.inner_text(f'#palette [data-focus="unit-{READY}"] .has') == "2 orders"
        assert page.inner_text(f'#palette [data-focus="unit-{IDLE}"] .has') == "no orders"

    def test_chosen_unit_stops_the_search(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        asked = answers(page)
        opened(page)
        page.evaluate(f"void takeUnit(hand.units, '{READY}')")
        page.wait_for_selector("#palette .order")
        page.wait_for_timeout(200)
        assert len(asked) < len(STACK)

    def test_record_keeps_the_stack_open(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        asked = answers(page)
        opened(page)
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length === 9")
        with browsers.served.desk() as desk:
            desk.game(game).seat("alliance").note("hm")
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length < 9")
        assert comes_true(page, "document.querySelectorAll('#palette .ready').length === 9")
        assert names(page) == list(STACK)
        assert asked.count(READY) == 2

    def test_stack_of_the_past_opens_without_questions(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        asked = answers(page)
        page.goto(f"{page.url}&at=411")
        page.wait_for_selector("html.js")
        assert opened(page) == list(STACK)
        page.click(f'#palette .card:has(b:text-is("{READY}"))')
        page.wait_for_selector("#palette .about")
        assert asked == []


class TestKeys:
    def test_keys_choose_a_unit_and_go_back(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        answers(page)
        page.evaluate("over.querySelector('.stand[data-units~=K-ADM]').focus()")
        page.keyboard.press("Enter")
        assert focused(page) == "unit-K-ADM"
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        assert focused(page) == f"unit-{READY}"
        page.keyboard.press("Enter")
        assert comes_true(page, "document.activeElement?.matches('#palette .order')")
        page.keyboard.press("Escape")
        assert focused(page) == f"unit-{READY}"
        page.keyboard.press("Escape")
        assert page.locator("#palette").count() == 0
        assert page.evaluate("document.activeElement?.matches('.stand[data-units~=K-ADM]')")

    def test_button_leads_back_to_the_stack(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "coalition", **WIDE)
        answers(page)
        opened(page)
        page.click(f'#palette [data-focus="unit-{READY}"]')
        page.click("#palette [data-focus=stack]")
        assert names(page) == list(STACK)


def test_tap_opens_a_stack_and_takes_a_unit(browsers: Browsers, game: str) -> None:
    page = browsers.seat(game, "coalition", **PHONE)
    answers(page)
    show_unit(page, STACK[0])
    page.touchscreen.tap(*page.evaluate(SPOT, [f'#map .stack[data-units~="{STACK[0]}"] .counter', -1, 0.5]))
    page.locator(f'#palette [data-focus="unit-{READY}"]').tap()
    page.wait_for_selector("#palette .order")
    assert page.evaluate("hand.unit") == READY
