"""A page that renews itself by what changed is in the end the page that a reload shows."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, fixture_game, give, recorded

SHOWN = """() => {
    const parts = [...document.querySelectorAll('[data-part]:not([data-once])')].map((part) => comparable(part));
    return [document.title, document.getElementById('position').textContent, ...parts];
}"""
"""The page without order ids and ages, marks of the scripts, and results, which are shown once."""
GAMES = (("war-galley", "great-harbour", "", 40), ("pacific-war", "coral-sea-at-once", "coral-sea", 20))


class TestRenewedPage:
    @pytest.mark.parametrize(("title", "name", "scenario", "start"), GAMES)
    @pytest.mark.parametrize("nth", [1, 3])
    def test_page_after_renewals_equals_a_reloaded_one(
        self, browsers: Browsers, title: str, name: str, scenario: str, start: int, nth: int
    ) -> None:
        game = fixture_game(browsers.served, title, name, start, scenario)
        with browsers.served.desk() as desk:
            played = desk.game(game)
            seat = played.seats[nth]
            page = watching(browsers, game, seat)
            answers: list[int] = []
            page.on("response", lambda answer: answers.append(answer.status) if f"/{game}?as=" in answer.url else None)
            for at, order in at_least_one(list(enumerate(recorded(title, name), 1))[start : start + 8]):
                played.play([(at, order)])
                assert comes_true(page, f"document.getElementById('position').textContent === '#{played.size}'")
        renewed = page.evaluate(SHOWN)
        assert answers.count(226) >= 7
        assert answers.count(200) == 1
        page.reload()
        page.wait_for_selector("html.js")
        assert page.evaluate(SHOWN) == renewed


class TestOwnOrder:
    def test_page_of_an_order_given_is_sent_as_what_changed(self, browsers: Browsers) -> None:
        game = browsers.served.game()
        page = browsers.seat(game, "red")
        answers: list[int] = []
        page.on("response", lambda answer: answers.append(answer.status) if answer.request.redirected_from else None)
        for choice in ("0407", "0408"):
            give(page, {"order": "choose", "question": "aim", "choice": choice})
            assert choice in page.text_content("#news")
        assert answers == [226, 226]
        assert "Red chooses 0408 for aim" in page.text_content("ol.trail li:first-child summary")


def watching(browsers: Browsers, game_id: str, seat: str) -> Any:
    """Open the page of a seat that does not give an order."""
    page = browsers.seat(game_id, seat)
    assert page.locator("[data-stream]").count() == 1
    return page
