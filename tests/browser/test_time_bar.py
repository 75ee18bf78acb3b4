"""The time bar of a seat's page: its marks, the words of a position, its keys."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, faults_of_access, fixture_game

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Open the Great Harbour after seventy orders; Athens has read the game up to #120."""
    game = fixture_game(browsers.served, "war-galley", "great-harbour", 70)
    with browsers.served.desk() as desk:
        seat = desk.game(game).seat("athens")
        assert seat.looked == 0
        seat.note_look(120)
    return game


def marks(page: Any, kind: str) -> int:
    """Return the number of lines, dots or diamonds of a kind."""
    found: list[str] = page.locator(f"#when .marks .{kind}").evaluate_all(
        "all => all.map((one) => one.getAttribute('d'))"
    )
    return "".join(found).count("M")


def valuetext(page: Any) -> str:
    return str(page.get_attribute("#bar", "aria-valuetext"))


def test_bar_marks_what_happened(browsers: Browsers, game: str) -> None:
    page = browsers.seat(game, "athens", **WIDE)
    with browsers.served.desk() as desk:
        found = desk.game(game).seat("athens").time_marks()
    assert len(found.turns) >= 1
    assert found.own
    assert found.rolls
    assert len(found.steps) > len(found.turns)
    assert marks(page, "turns") == len(found.turns)
    assert 0 < marks(page, "steps") <= len(found.steps)
    assert 0 < marks(page, "rolls") <= len(found.rolls)
    assert 0 < marks(page, "own") <= len(found.own)
    assert marks(page, "looked") == 1


@pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
def test_focus_and_pointer_name_the_position(browsers: Browsers, game: str, shape: dict[str, Any]) -> None:
    page = browsers.seat(game, "athens", **shape)
    page.focus("#bar")
    label = page.inner_text("#bar-label")
    assert label == valuetext(page)
    assert "· turn 1 ·" in label
    at = page.locator("#bar").bounding_box()
    share = page.evaluate("(acrossBar(slider(), 120)) / slider().clientWidth")
    page.mouse.move(at["x"] + at["width"] * share, at["y"] + at["height"] / 2)
    assert "you last looked at #120" in page.inner_text("#bar-label")
    box = page.locator("#bar-label").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= shape["viewport"]["width"]
    assert faults_of_access(page) == []


def test_keys_go_to_steps_and_turns(browsers: Browsers, game: str) -> None:
    page = browsers.seat(game, "athens", **WIDE)
    with browsers.served.desk() as desk:
        found = desk.game(game).seat("athens").time_marks()
        size = desk.game(game).size
    page.focus("#bar")
    page.keyboard.press("Shift+ArrowLeft")
    step = [at for at, _ in found.steps if at < size][-1]
    assert comes_true(page, f"document.getElementById('bar-at').textContent === '#{step}'")
    assert comes_true(page, "document.getElementById('map').dataset.closed !== ''")
    assert comes_true(page, "document.activeElement?.id === 'bar'")
    page.keyboard.press("PageDown")
    turn = [at for at, _ in found.turns if at < step][-1]
    assert comes_true(page, f"document.getElementById('bar').value === '{turn}'")
    assert comes_true(page, f"document.getElementById('bar').getAttribute('aria-valuetext').startsWith('#{turn} ·')")


def test_bar_without_script_lists_turns(browsers: Browsers, game: str) -> None:
    page = browsers.seat(game, "athens", java_script_enabled=False)
    assert page.locator("#turns option").count() >= 1
    page.locator("#when form button").click()
    assert "at=" in page.url
