"""Open a game at `/new` by clicks, invite both players, and take seats from their links."""

from typing import Any

import pytest

from tests.browser.conftest import missing
from tests.browser.playing import AXE, Browsers, faults_of_access

SIZES = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 390, "height": 844}}


def keeper_of(browsers: Browsers, **window: Any) -> Any:
    """Return a window of the operator at the lobby."""
    page = browsers.window(**window)
    page.goto(f"{browsers.served.address}/in#{browsers.served.token('', 'referee', 'link')}")
    page.wait_for_url(f"{browsers.served.address}/")
    return page


@pytest.fixture
def keeper(browsers: Browsers) -> Any:
    return keeper_of(browsers)


class TestNewGame:
    def test_two_clicks_open_a_shipped_scenario(self, browsers: Browsers, keeper: Any) -> None:
        keeper.get_by_role("link", name="New game").click()
        keeper.get_by_role("link", name="Off Naupactus").click()
        keeper.get_by_label("Name of the game").fill("Tuesday table")
        game = keeper.get_by_label("Id (in links and commands)").input_value()
        keeper.get_by_label("Player's name").first.fill("Anna")
        keeper.get_by_role("button", name="Open the game").click()
        links = keeper.locator("input.token")
        assert links.count() == 2
        assert keeper.locator("h1").inner_text() == "Tuesday table"

        athens, corinth = (browsers.window() for _ in range(2))
        for page, link in zip((athens, corinth), (links.nth(0), links.nth(1)), strict=True):
            page.goto(link.input_value())
            page.wait_for_url("**/table/**")
        assert [page.url.partition("as=")[2] for page in (athens, corinth)] == ["athens", "corinth"]
        assert all(game in page.url for page in (athens, corinth))

    def test_second_game_of_a_scenario_gets_another_id(self, browsers: Browsers, keeper: Any) -> None:
        ids = []
        for _ in range(2):
            keeper.goto(f"{browsers.served.address}/new?from=freeform/ford")
            ids.append(keeper.get_by_label("Id (in links and commands)").input_value())
            keeper.get_by_role("button", name="Open the game").click()
            keeper.wait_for_selector("#opened")
        assert len(set(ids)) == 2

    def test_unticked_seats_are_not_invited(self, browsers: Browsers, keeper: Any) -> None:
        keeper.goto(f"{browsers.served.address}/new?from=freeform/ford")
        keeper.get_by_label("Invite Red").uncheck()
        keeper.get_by_label("Invite Blue").uncheck()
        keeper.get_by_role("button", name="Open the game").click()
        keeper.wait_for_url("**/referee/**")
        assert keeper.locator("input.token").count() == 0

    def test_copy_button_copies_the_link(self, browsers: Browsers) -> None:
        page = keeper_of(browsers, permissions=["clipboard-read", "clipboard-write"])
        page.goto(f"{browsers.served.address}/new?from=freeform/ford")
        page.get_by_role("button", name="Open the game").click()
        page.get_by_role("button", name="Copy").first.click()
        page.wait_for_function("document.querySelector('[data-copy]').textContent === 'Copied'")
        assert page.evaluate("navigator.clipboard.readText()") == page.locator("input.token").first.input_value()

    def test_refused_form_keeps_what_was_typed(self, browsers: Browsers, keeper: Any) -> None:
        browsers.expected = ("400",)
        keeper.goto(f"{browsers.served.address}/new?from=freeform/ford")
        keeper.get_by_label("Id (in links and commands)").fill("a/b")
        keeper.get_by_label("Name of the game").fill("Kept")
        keeper.get_by_label("Invite Red").uncheck()
        keeper.get_by_role("button", name="Open the game").click()
        keeper.wait_for_selector(".refused")
        assert keeper.get_by_label("Id (in links and commands)").input_value() == "a/b"
        assert keeper.get_by_label("Name of the game").input_value() == "Kept"
        assert not keeper.get_by_label("Invite Red").is_checked()
        assert keeper.get_by_label("Invite Blue").is_checked()

    def test_own_scenario_comes_from_a_file(self, browsers: Browsers, keeper: Any) -> None:
        keeper.goto(f"{browsers.served.address}/new?title=freeform")
        text = 'title = "freeform"\nname = "Mine"\nsides = [{ id = "red", name = "Red" }]\n'
        keeper.get_by_label("Take it from a file").set_input_files(
            {"name": "mine.toml", "mimeType": "text/plain", "buffer": text.encode()}
        )
        keeper.wait_for_function("document.getElementById('scenario').value.includes('Mine')")
        keeper.get_by_label("Id", exact=True).fill("from-a-file")
        keeper.get_by_role("button", name="Open the game").click()
        keeper.wait_for_selector("#opened")
        assert keeper.locator("input.token").count() == 1

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", SIZES)
    def test_axe_finds_nothing_wrong(self, browsers: Browsers, scheme: str, size: str) -> None:
        if not AXE.is_file():
            missing("axe-core is not installed: npm ci --prefix tests/browser")
        page = keeper_of(browsers, color_scheme=scheme, viewport=SIZES[size])
        for address in (
            "/new",
            "/new?from=war-galley/great-harbour",
            "/new?from=pacific-war/solomons",
            "/new?title=freeform",
        ):
            page.goto(browsers.served.address + address)
            assert faults_of_access(page) == [], address
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        page.goto(f"{browsers.served.address}/new?from=freeform/ford")
        page.get_by_role("button", name="Open the game").click()
        page.wait_for_selector("#opened")
        assert faults_of_access(page) == []
