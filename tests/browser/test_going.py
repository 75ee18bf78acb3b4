"""Move through a game by keys, buttons, slider, automatic play and address."""

from typing import Any

import pytest

from tests.browser.conftest import GREAT_HARBOUR, Open, Pages, comes_true

FORD = "formats/1-edge/ford.whole.jsonl"


@pytest.fixture
def harbour(pages: Pages, opened: Open) -> Any:
    return opened(pages.of(GREAT_HARBOUR), at="#100")


def present(page: Any) -> int:
    return int(page.evaluate("present()"))


def starts(page: Any, name: str) -> list[int]:
    """Return the positions at which the steps, or the turns, begin."""
    return [at for at, *_ in page.evaluate(f"facts.{name}")]


def after(begins: list[int], at: int, last: int = 611) -> int:
    return next((one for one in begins if one > at), last)


def before(begins: list[int], at: int) -> int:
    return next((one for one in reversed(begins) if one < at), 1)


class TestKeys:
    def test_arrows_go_by_one_record(self, harbour: Any) -> None:
        harbour.keyboard.press("ArrowRight")
        assert present(harbour) == 101
        harbour.keyboard.press("ArrowLeft")
        harbour.keyboard.press("ArrowLeft")
        assert present(harbour) == 99

    def test_page_keys_go_by_a_step_and_with_shift_by_a_turn(self, harbour: Any) -> None:
        steps, turns = starts(harbour, "steps"), starts(harbour, "turns")
        for key, wanted in (
            ("PageDown", after(steps, 100)),
            ("PageUp", before(steps, after(steps, 100))),
            ("Shift+PageDown", after(turns, before(steps, after(steps, 100)))),
            ("Shift+PageUp", before(turns, after(turns, 100))),
        ):
            harbour.keyboard.press(key)
            assert present(harbour) == wanted, key

    def test_shift_with_an_arrow_is_a_turn(self, harbour: Any) -> None:
        turns = starts(harbour, "turns")
        harbour.keyboard.press("Shift+ArrowRight")
        assert present(harbour) == after(turns, 100)
        harbour.keyboard.press("Shift+ArrowLeft")
        assert present(harbour) == before(turns, after(turns, 100))

    def test_home_and_end(self, harbour: Any) -> None:
        harbour.keyboard.press("Home")
        assert present(harbour) == 1
        harbour.keyboard.press("ArrowLeft")
        assert present(harbour) == 1
        harbour.keyboard.press("End")
        assert present(harbour) == 611
        harbour.keyboard.press("ArrowRight")
        assert present(harbour) == 611

    def test_space_plays_at_the_chosen_speed_and_pauses(self, harbour: Any) -> None:
        harbour.select_option("#speed", "30")
        harbour.locator("#speed").blur()
        harbour.keyboard.press("Space")
        assert comes_true(harbour, "present() > 110")
        assert harbour.get_attribute("#play", "aria-pressed") == "true"
        assert harbour.get_attribute("#play", "aria-label") == "Pause"
        harbour.keyboard.press("Space")
        assert harbour.get_attribute("#play", "aria-label") == "Play"
        stands = present(harbour)
        harbour.wait_for_timeout(300)
        assert present(harbour) == stands
        assert harbour.get_attribute("#play", "aria-pressed") == "false"

    def test_playing_stops_at_the_end(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(FORD), at="#25")
        page.select_option("#speed", "30")
        page.click("#play")
        assert comes_true(page, "present() === facts.last")
        page.wait_for_selector("#play[aria-pressed=false]")

    def test_slash_searches_and_escape_takes_it_back(self, harbour: Any) -> None:
        harbour.keyboard.press("/")
        assert harbour.evaluate("document.activeElement.id") == "search"
        harbour.keyboard.type("wind ? 1")
        assert present(harbour) == 100, "keys in a field are letters"
        assert harbour.input_value("#search") == "wind ? 1"
        harbour.keyboard.press("Escape")
        assert harbour.input_value("#search") == ""

    def test_question_mark_opens_help_and_escape_closes_it(self, harbour: Any) -> None:
        harbour.keyboard.press("?")
        assert harbour.is_visible("#help")
        for key in ("PgUp", "PgDn", "Shift", "Home", "End", "Space", "Esc", "/"):
            assert key in harbour.inner_text("#help")
        harbour.keyboard.press("Escape")
        assert not harbour.is_visible("#help")

    @pytest.mark.parametrize("held", ["ctrlKey", "altKey", "metaKey"])
    def test_keys_of_the_browser_keep_their_effect(self, harbour: Any, held: str) -> None:
        for key in ("f", "p", "l", "r", "ArrowLeft", "Home", "PageDown", "+", "0", "/"):
            event = f"new KeyboardEvent('keydown', {{key: '{key}', {held}: true, bubbles: true, cancelable: true}})"
            assert harbour.evaluate(f"document.body.dispatchEvent({event})") is True, key
            assert present(harbour) == 100, key


class TestButtonsAndSlider:
    def test_buttons_do_the_same_as_their_keys(self, harbour: Any) -> None:
        steps = starts(harbour, "steps")
        for way, wanted in (
            ("forward", 101),
            ("back", 100),
            ("step", after(steps, 100)),
            ("step-back", before(steps, after(steps, 100))),
            ("last", 611),
            ("first", 1),
        ):
            harbour.click(f"[data-go={way}]")
            assert present(harbour) == wanted, way

    def test_with_shift_a_button_goes_a_turn(self, harbour: Any) -> None:
        harbour.click("[data-go=step]", modifiers=["Shift"])
        assert present(harbour) == after(starts(harbour, "turns"), 100)

    def test_slider_goes_to_its_position(self, harbour: Any) -> None:
        harbour.locator("#slider").fill("300")
        assert present(harbour) == 300
        assert "#300" in harbour.get_attribute("#slider", "aria-valuetext")
        assert "#300 / 611" in harbour.inner_text("#position")

    def test_timeline_has_its_marks(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(FORD))
        assert page.locator("#marks a.flag.dispute").count() == len(page.evaluate("facts.disputes")) > 0
        assert page.locator("#marks a.flag.seal").count() == len(page.evaluate("facts.seals")) > 0
        assert page.locator("#marks rect.undone").count() == len(page.evaluate("facts.undone")) > 0
        assert page.locator("#marks path.rolls").count() == 1
        page.click("#marks a.flag.dispute >> nth=0")
        assert comes_true(page, "present() === facts.disputes[0][0]")

    def test_stepping_passes_over_what_was_undone_until_it_is_shown(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(FORD))
        first, last = page.evaluate("facts.undone[0]")
        page.evaluate(f"go({first - 1})")
        page.keyboard.press("ArrowRight")
        assert present(page) > last
        page.check("#undone")
        page.evaluate(f"go({first - 1})")
        page.locator("#undone").blur()
        page.keyboard.press("ArrowRight")
        assert present(page) == first
        assert "undone" in page.inner_text("#said")


class TestAddress:
    def test_address_goes_to_a_record(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#412")
        assert present(page) == 412
        assert page.get_attribute("#rows [aria-current=true]", "data-n") == "412"

    def test_address_follows_the_reader(self, harbour: Any) -> None:
        harbour.keyboard.press("ArrowRight")
        assert comes_true(harbour, "location.hash === '#101'")

    def test_another_address_in_the_same_window_is_followed(self, harbour: Any) -> None:
        harbour.evaluate("location.hash = '#77'")
        assert comes_true(harbour, "present() === 77")

    def test_every_record_and_every_step_has_a_link(self, harbour: Any) -> None:
        links = harbour.evaluate(
            "[...document.querySelectorAll('#rows a.cite')].map((one) => one.getAttribute('href'))"
        )
        assert "#100" in links
        assert harbour.locator("#rows li.step a.cite").count() > 0
        harbour.click("#rows li.step a.cite >> nth=0")
        assert comes_true(harbour, "facts.steps.some(([at]) => at === present())")

    def test_address_of_a_missing_record_shows_a_notice(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#99999")
        assert present(page) == 611
        assert "no record #99999" in page.inner_text("#told")
        assert "This page has no record #99999, only #1-#611. Showing #611." in page.inner_text("#notice")
        page.keyboard.press("ArrowLeft")
        assert not page.is_visible("#notice")

    @pytest.mark.parametrize("address", ["#0", "#abc", "#-5", "#1.5", "#%E0%A4%A"])
    def test_address_that_is_not_a_record_shows_a_notice(self, pages: Pages, opened: Open, address: str) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at=address)
        assert page.is_visible("#notice")
        assert address in page.inner_text("#notice")
        assert page.inner_text("#told") == page.inner_text("#notice")
        assert comes_true(page, "location.hash === `#${present()}`")

    def test_address_opens_the_proof(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR), at="#proof")
        assert page.is_visible("#proof")


class TestMessages:
    def test_screen_reader_hears_one_sentence_a_record(self, harbour: Any) -> None:
        for at in (101, 102, 103):
            harbour.keyboard.press("ArrowRight")
            assert harbour.inner_text("#told") == f"#{at}: " + harbour.evaluate(f"sentence({at})")
        assert harbour.get_attribute("#told", "role") == "status"

    def test_roll_is_shown_in_words_and_pips(self, harbour: Any) -> None:
        at = harbour.evaluate("facts.rolls.find((at) => at > 100)")
        harbour.evaluate(f"go({at})")
        roll = harbour.evaluate(f"record({at}).x")
        assert harbour.locator("#said svg.die").count() == len(roll["pips"])
        assert roll["words"] in harbour.inner_text("#said")
