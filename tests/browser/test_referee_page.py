"""Test the pages of the referee and of a spectator, and the served replay page, in a real browser."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.browser.conftest import comes_true, missing
from tests.browser.playing import AXE, Browsers, faults_of_access, fixture_game
from tests.face.service import PANELS
from tests.service.served import PATIENCE

GALLEY, HARBOUR = "war-galley", "great-harbour"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Great Harbour after forty orders, some of which Athens contests."""
    game = fixture_game(browsers.served, GALLEY, HARBOUR, 40)
    with browsers.served.desk() as desk:
        played = desk.game(game)
        played.seat("athens").dispute([played.size], "that was too far", rule="7.11")
    return game


def log_of(browsers: Browsers, game: str) -> list[str]:
    with browsers.served.desk() as desk:
        return [one.text for one in desk.game(game).referee.orders(all_lines=True)]


def go(page: Any, tab: str) -> None:
    page.click(f'[data-focus="tab-{tab}"]')
    page.wait_for_selector(f'#panel[data-panel="{tab}"]')


class TestReferee:
    def test_rewind_is_previewed_done_and_undone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee")
        before = log_of(browsers, game)
        go(page, "rewind")
        page.locator("#panel .points a").nth(2).click()
        page.wait_for_selector("#panel .preview")
        assert "Preview" in page.inner_text("#panel")
        assert log_of(browsers, game) == before
        page.fill("#rewind-why", "the wrong hex")
        page.click("#panel form[action*='/rewind'] button.go")
        page.wait_for_selector("#news .told", state="attached")
        assert "the wrong hex" in page.text_content("#news")
        page.click("text=Redo…")
        page.wait_for_selector("#panel form[action*='/redo']")
        page.click("#panel form[action*='/redo'] button.go")
        assert comes_true(page, "document.querySelector('#news').innerText.includes('redoes the orders up to')")

    def test_amendment_is_tried_before_it_is_done(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee")
        with browsers.served.desk() as desk:
            at = next(one.position for one in desk.game(game).referee.orders() if "moves" in one.text)
        before = len(log_of(browsers, game))
        go(page, "amend")
        page.fill("#at", str(at))
        page.press("#at", "Enter")
        page.wait_for_selector("#amend-why")
        page.check("input[name=how][value=drop]")
        page.fill("#amend-why", "it was not his turn")
        page.click("button[name=check]")
        page.wait_for_selector("#once .once")
        assert "Dry run" in page.inner_text("#once")
        assert len(log_of(browsers, game)) == before
        assert page.input_value("#amend-at" if page.locator("#amend-at").count() else "#at") == str(at)

    def test_ruling_settles_a_dispute_for_all_seats(self, browsers: Browsers, game: str) -> None:
        page, athens = browsers.seat(game, "referee"), browsers.seat(game, "athens")
        go(page, "disputes")
        page.click("#panel .cards a")
        page.wait_for_selector("#rule-ruling")
        assert page.input_value("#rule-rule") == "7.11"
        page.fill("#rule-ruling", "the move stands")
        page.fill("#rule-why", "7.11 as printed")
        page.click("#panel form[action*='/rule'] button.go")
        page.wait_for_selector("#news .told", state="attached")
        assert "settled" in page.inner_text("#panel h2 >> nth=0")
        athens.wait_for_selector("ol.trail li:first-child :text('the move stands')", state="attached")

    def test_link_is_shown_once_and_stays_during_play(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee")
        go(page, "invitations")
        page.select_option("#invite-seat", "syracuse")
        page.fill("#invite-who", "Bea")
        page.click("#panel form[action*='/invite'] button.go")
        page.wait_for_selector("#token")
        link = page.input_value("#token")
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hello")
        page.wait_for_selector("ol.trail li:first-child :text('hello')", state="attached")
        assert page.input_value("#token") == link
        guest = browsers.window()
        guest.goto(link)
        guest.wait_for_url(f"**/table/{game}?as=syracuse")
        assert "#" not in guest.url
        go(page, "desk")
        assert page.locator("#token").count() == 0

    def test_views_of_seats_are_side_by_side_and_can_be_switched(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee")
        go(page, "views")
        assert page.locator("#map figure > svg").count() == 2
        page.uncheck("input[name=who][value=athens]")
        page.click("#panel button")
        assert comes_true(page, "document.querySelectorAll('#map figure').length === 1")
        assert "Syracuse" in page.inner_text("#map figcaption")

    def test_page_can_be_used_by_keys_alone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee")
        page.locator('[data-focus="tab-desk"]').focus()
        for _ in range(2):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector('#panel[data-panel="rewind"]')
        assert page.evaluate("document.activeElement.dataset.focus") == "tab-rewind"
        page.locator('[data-focus="tab-desk"]').focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#note-text")
        page.locator("#note-text").focus()
        page.keyboard.type("by keys")
        page.keyboard.press("Enter")
        page.wait_for_selector("#news .told", state="attached")
        assert log_of(browsers, game)[-1].endswith("by keys")

    def test_without_a_script_it_is_all_there(self, browsers: Browsers, game: str) -> None:
        browsers.expected = ("422",)
        page = browsers.seat(game, "referee", java_script_enabled=False)
        for tab in at_least_one(PANELS):
            page.click(f'[data-focus="tab-{tab}"]')
            assert page.locator(f'#panel[data-panel="{tab}"]').count() == 1
        page.click('[data-focus="tab-desk"]')
        page.fill("#enter-typed", "mvoe r1")
        page.click("#panel form[action*='/enter'] button")
        assert page.input_value("#enter-typed") == "mvoe r1"
        assert page.locator("#panel .refused").count() == 1
        page.fill("#note-text", "without a script")
        page.click("#panel form[action*='/note'] button")
        assert "without a script" in page.text_content("#news")


class TestSpectator:
    def test_orders_arrive_live_and_positions_can_be_visited(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "spectator")
        assert f"/watch/{game}" in page.url
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hello")
        page.wait_for_selector("ol.trail li:first-child :text('hello')", state="attached")
        page.click('[data-focus="earlier"]')
        page.wait_for_selector("#when.back .pos:text-matches('#[0-9]+ of [0-9]+')")
        page.click('[data-focus="now"]')
        page.wait_for_selector("#when:not(.back) .is-now")
        assert page.locator("main form[method=post]").count() == 0


class TestReplayPage:
    def test_replay_page_has_its_own_hash_and_opens_at_a_position(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "spectator")
        page.goto(f"{browsers.served.address}/replay/{game}?as=spectator&at=60")
        page.wait_for_selector("html[data-ready=yes]", timeout=PATIENCE * 1000)
        page.wait_for_selector("#verdict.good")
        assert page.url.endswith("#60")
        page.keyboard.press("ArrowRight")
        assert comes_true(page, "location.hash === '#61'")
        read = "(() => { try { return document.cookie } catch { return 'closed to it' } })()"
        assert page.evaluate(read) == "closed to it"

    def test_phone_opens_the_replay_page_and_comes_back(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        page.click("header a[href^='/replay']")
        page.wait_for_selector("html[data-ready=yes]", timeout=PATIENCE * 1000)
        page.click("header a:has-text('Back to the game')")
        page.wait_for_url(f"**/table/{game}?as=athens", timeout=PATIENCE * 1000)
        assert page.locator("#standing").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


class TestPhoneAndReader:
    @pytest.mark.parametrize("tab", PANELS)
    def test_panels_are_at_most_as_wide_as_a_telephone(self, browsers: Browsers, game: str, tab: str) -> None:
        page = browsers.seat(game, "referee", **PHONE)
        page.goto(f"{browsers.served.address}/referee/{game}?as=referee&show={tab}&to=30&at=60&dispute=d1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    def test_nor_is_the_spectator_s(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "spectator", **PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_nothing_wrong(self, browsers: Browsers, game: str, scheme: str) -> None:
        if not AXE.is_file():
            missing("axe-core is not installed: npm ci --prefix tests/browser")
        page = browsers.seat(game, "referee", color_scheme=scheme)
        for tab in at_least_one(PANELS):
            page.goto(f"{browsers.served.address}/referee/{game}?as=referee&show={tab}&to=30&at=60&dispute=d1")
            assert faults_of_access(page) == [], tab
        page = browsers.seat(game, "spectator", color_scheme=scheme)
        assert faults_of_access(page) == []
        keeper = browsers.window(color_scheme=scheme)
        keeper.goto(f"{browsers.served.address}/in#{browsers.served.token('', 'referee', 'link')}")
        keeper.wait_for_url(f"{browsers.served.address}/")
        keeper.goto(f"{browsers.served.address}/new?title=war-galley")
        assert faults_of_access(keeper) == []
