"""Test the page of a seat in a real browser: by keys, on a telephone, without scripts, with names that are HTML."""

import json
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.browser.conftest import comes_true, missing
from tests.browser.playing import AXE, Browsers, faults_of_access, fill, fixture_game, give, recorded, take_up

GALLEY, HARBOUR = "war-galley", "great-harbour"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def log_of(browsers: Browsers, game_id: str) -> list[str]:
    with browsers.served.desk() as desk:
        return [one.text for one in desk.game(game_id).referee.orders()]


class TestKeys:
    def test_order_with_dice_is_given_without_a_mouse(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 41)
        page = browsers.seat(game, "syracuse")
        take_up(page, "board")
        fill(page, "ships", ["syracuse-1", "syracuse-2"])
        fill(page, "target", "athens-2")
        page.keyboard.press("Escape")
        page.keyboard.press("o")
        assert page.evaluate("document.activeElement.name") == "f.ships"
        page.locator("fieldset.die input").first.focus()
        page.keyboard.press("4")
        page.keyboard.press("4")
        assert page.evaluate("document.activeElement.dataset.focus") == "give"
        page.keyboard.press("Enter")
        page.wait_for_selector("#news .told", state="attached")
        assert "Syracuse boards athens-2 with syracuse-1, syracuse-2: 4 4" in page.text_content("#news")

    def test_suggested_orders_are_filled_in_by_keys(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 60)
        page = browsers.seat(game, "athens")
        page.keyboard.press("w")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.inner_text(":focus") == "move-ship athens-7 1509"
        page.keyboard.press("Enter")
        assert comes_true(page, "document.getElementById('f-path')?.value === '1509'")

    def test_path_grows_place_by_place_with_the_focus(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 60)
        page = browsers.seat(game, "athens")
        fill(page, "ship", "athens-7")
        page.locator('#order .next button[value="1509"]').focus()
        page.keyboard.press("Enter")
        assert comes_true(page, "document.getElementById('f-path').value === '1509'")
        assert comes_true(page, "document.activeElement.closest('.next') !== null")
        page.keyboard.press("Enter")
        assert comes_true(page, "document.getElementById('f-path').value.split(',').length === 2")

    def test_every_key_of_the_help_goes_somewhere(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 40)
        page = browsers.seat(game, "syracuse")
        page.keyboard.press("?")
        assert page.is_visible("#help")
        page.keyboard.press("Escape")
        for key in at_least_one("owdnt/km"):
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement !== document.body"), key
            page.keyboard.press("Escape")

    def test_letter_keys_can_be_switched_off(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 40)
        page = browsers.seat(game, "syracuse")
        page.keyboard.press("?")
        page.uncheck("#lone")
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("o")
        assert page.evaluate("document.activeElement === document.body")


class TestLiveUpdates:
    def test_order_of_another_side_appears_and_keeps_typed_text(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 40)
        athens, syracuse = browsers.seat(game, "athens"), browsers.seat(game, "syracuse")
        athens.fill("#note-text", "we shall see")
        assert "Waiting for Syracuse" in athens.inner_text("#standing")
        give(syracuse, {"order": "tire", "ships": ["syracuse-1"]})
        athens.wait_for_selector("ol.trail li:first-child :text('Syracuse tires syracuse-1')", state="attached")
        assert athens.input_value("#note-text") == "we shall see"
        assert "Syracuse tires syracuse-1" in athens.inner_text("#since")

    def test_unfolded_part_stays_open_when_another_plays(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 40)
        athens, syracuse = browsers.seat(game, "athens"), browsers.seat(game, "syracuse")
        athens.click("#act-ask > summary")
        athens.evaluate("document.getElementById('act-ask').dataset.mine = 'yes'")
        give(syracuse, {"order": "tire", "ships": ["syracuse-1"]})
        athens.wait_for_selector("#act-ask:not([data-mine])", state="attached")
        assert comes_true(athens, "document.getElementById('act-ask').open")

    def test_page_announces_the_turn_of_its_seat(self, browsers: Browsers) -> None:
        game = browsers.served.game()
        page = browsers.seat(game, "red")
        shown = "#standing"
        assert page.is_visible(shown)
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 42)
        athens, syracuse = browsers.seat(game, "athens"), browsers.seat(game, "syracuse")
        assert not athens.title().startswith("●")
        give(syracuse, {"order": "done"})
        assert comes_true(athens, "document.title.startsWith('●')")
        assert "It is your turn" in athens.inner_text("#say")

    def test_browser_notifies_if_switched_on(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 42)
        page = browsers.seat(game, "athens")
        page.context.add_init_script(
            "window.said = []; window.Notification = class { static permission = 'granted';"
            " constructor(title, more) { window.said.push([title, more.body]); } };"
            "Object.defineProperty(document, 'hidden', { get: () => true });"
        )
        page.reload()
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").done()
        assert comes_true(page, "window.said.length === 1")
        (title, body) = page.evaluate("window.said[0]")
        assert title.startswith("The Great Harbour, 413 BC · Athens")
        assert body.startswith("Your turn. turn 1")

    def test_order_given_twice_in_a_row_is_two_orders(self, browsers: Browsers) -> None:
        """Give an order a second time from a form that looks the same but has another order id."""
        game = browsers.served.game()
        page = browsers.seat(game, "red")
        for _ in range(2):
            give(page, {"order": "choose", "question": "aim", "choice": "0407"})
        assert log_of(browsers, game).count("Red chooses 0407 for aim") == 2

    def test_order_sent_again_after_a_lost_connection_counts_once(self, browsers: Browsers) -> None:
        """Lose the answer to an order that arrived, so that the page sends it again with its key."""
        browsers.expected = ("Failed to load resource", "ERR_FAILED")
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 26)
        page = browsers.seat(game, "syracuse")
        sent: list[str] = []

        def lose(route: Any) -> None:
            sent.append(route.request.post_data)
            if len(sent) == 1:
                route.fetch(max_redirects=0)
                route.abort()
            else:
                route.continue_()

        page.route("**/order?**", lose)
        fill(page, "ship", "syracuse-1")
        fill(page, "path", "0406,0407")
        page.click("#order-form [data-focus=give]")
        page.wait_for_selector("#line:not([hidden])")
        assert "it counts once" in page.inner_text("#line")
        page.wait_for_selector("#news .told", state="attached")
        assert "This order was already recorded. It counts once" in page.text_content("#news")
        assert len(sent) == 2
        assert sent[0] == sent[1]
        assert len([one for one in log_of(browsers, game) if "moves syracuse-1" in one]) == 1


class TestWithoutScript:
    def test_page_shows_takes_orders_and_refuses(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 60)
        browsers.expected = ("422",)
        page = browsers.seat(game, "athens", java_script_enabled=False)
        assert "Your turn" in page.inner_text("#standing")
        page.click('[data-focus="tab-ram"]')
        page.fill("#order-form .other >> nth=0", "athens-7")
        page.fill("#order-form .other >> nth=1", "syracuse-4")
        page.click("#order-form button.go")
        assert page.inner_text("#order .refused")
        page.click("text=move-ship athens-7 1509 >> nth=0")
        page.click('#order .next button[value="1508"]')
        assert page.input_value("#f-path") == "1509,1508"
        page.click("#order-form button.go")
        assert "Athens moves athens-7" in page.text_content("#news")
        page.click("text=Type an order")
        page.fill("#typed", "note enough for today")
        page.click("#typed-more button")
        assert "enough for today" in page.text_content("#news")


class TestTelephone:
    def test_telephone_page_is_narrow_and_takes_an_order(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 60)
        page = browsers.seat(game, "athens", **PHONE)
        give(page, {"order": "move-ship", "ship": "athens-7", "path": ["1509", "1508"]})
        for state in ("", "&order=roll", "&about=147", "&text=moves"):
            page.goto(f"{browsers.served.address}/table/{game}?as=athens{state}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, state
        page.goto(f"{browsers.served.address}/table/{game}?as=athens")
        page.click("#drawer > summary")
        assert comes_true(page, "document.getElementById('trail').getBoundingClientRect().top < 200")


class TestDrawer:
    """An open trail next to the form of an order; neither covers any part of the other."""

    REACHED = """(one) => {
        one.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = one.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return one.contains(hit) || one.closest("label")?.contains(hit) === true;
    }"""

    @pytest.mark.parametrize(("seat", "height"), [("athens", 720), ("athens", 900), ("referee", 720)])
    def test_every_control_of_desk_is_reached_with_trail_open(self, browsers: Browsers, seat: str, height: int) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 74)
        page = browsers.seat(game, seat, viewport={"width": 1280, "height": height})
        page.click("#drawer > summary")
        controls = [one for one in page.locator("#desk :is(a, button, input, summary)").all() if one.is_visible()]
        covered = [
            one.evaluate("(one) => one.outerHTML") for one in at_least_one(controls) if not one.evaluate(self.REACHED)
        ]
        assert covered == []


HOSTILE = "\"><img src=x onerror=alert(1)><script>alert(2)</script>'`${7*7}"


def quoted(words: str) -> str:
    """Return a name with hostile text, quoted as in TOML and JSON."""
    return json.dumps(f"{words} {HOSTILE}")


SCENARIO = f"""
title = "freeform"
name = {quoted("N")}
dice = "table"
sides = [{{ id = "red", name = {quoted("R")} }}, {{ id = "blue", name = {quoted("B")} }}]

[accounts]
{quoted("A")} = 3

[markers]
{quoted("M")} = {quoted("V")}

[[units]]
id = "u1"
side = "red"
kind = {quoted("k")}
at = {quoted("p")}
"""


def test_html_in_every_name_comes_out_as_text(browsers: Browsers) -> None:
    game = browsers.served.game(SCENARIO)
    with browsers.served.desk() as desk:
        red, blue = desk.game(game).seat("red"), desk.game(game).seat("blue")
        red.note(f"note {HOSTILE}")
        red.order("roll", purpose=f"purpose {HOSTILE}", pips=[3])
        red.order("choose", question=f"Q {HOSTILE}"[:80], choice=f"C {HOSTILE}")
        red.dispute([1], f"claim {HOSTILE}", rule=f"rule {HOSTILE}"[:80])
        blue.ask_rewind(5, why=f"why {HOSTILE}")
    page = browsers.seat(game, "red")
    last = page.inner_text("#position").removeprefix("#")
    states = ["", "&order=move", "&order=change", "&text=%3Cimg", f"&order={HOSTILE}", f"&unit={HOSTILE}"]
    states += [f"&about={at}" for at in range(1, int(last) + 1)]
    for state in at_least_one(states):
        page.goto(f"{browsers.served.address}/table/{game}?as=red{state.replace('#', '%23')}")
        assert page.locator("img:not(.thumbnail)").count() == 0, state
        assert page.locator("script:not([src])").count() == 0, state
        assert page.evaluate("[...document.querySelectorAll('*')].every(one => !one.hasAttribute('onerror'))"), state
    page.goto(f"{browsers.served.address}/")
    assert page.locator("img:not(.thumbnail)").count() == 0
    assert "<img src=x" in page.inner_text("main")


class TestAccess:
    @pytest.fixture(autouse=True)
    def axe(self) -> None:
        if not AXE.exists():
            missing("axe-core is not installed: npm ci --prefix tests/browser")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("shape", [{}, PHONE], ids=["desk", "telephone"])
    def test_page_has_no_accessibility_faults(self, browsers: Browsers, scheme: str, shape: dict[str, Any]) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 41)
        with browsers.served.desk() as desk:
            desk.game(game).seat("athens").ask_rewind(147, why="the wrong hex")
            desk.game(game).seat("syracuse").dispute([149], "too far", rule="E.1")
        page = browsers.seat(game, "syracuse", color_scheme=scheme, **shape)
        browsers.expected = ("422",)
        for state in at_least_one(
            ("", "&order=board&f.ships=syracuse-1&f.target=athens-2", "&order=roll", "&about=149")
        ):
            page.goto(f"{browsers.served.address}/table/{game}?as=syracuse{state}")
            assert faults_of_access(page) == [], state
        page.click("#typed-more > summary")
        page.fill("#typed", "ram syracuse-1 athens-7")
        page.click("#typed-more button")
        page.wait_for_selector("#order .refused")
        assert faults_of_access(page) == [], "a refusal"
        page.click("#ask")
        assert faults_of_access(page) == [], "the help"
        page.goto(f"{browsers.served.address}/")
        assert faults_of_access(page) == [], "the lobby"

    def test_focus_stays_on_live_updates(self, browsers: Browsers) -> None:
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 60)
        page = browsers.seat(game, "athens")
        page.locator('[data-focus="tab-ram"]').focus()
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hm")
        page.wait_for_selector("ol.trail li:first-child :text('hm')", state="attached")
        assert page.evaluate("document.activeElement.dataset.focus") == "tab-ram"


def test_recording_has_the_expected_orders() -> None:
    assert [one["order"] for one in recorded(GALLEY, HARBOUR)[40:42]] == ["done", "board"]
