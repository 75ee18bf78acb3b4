"""Stumbles of a new player on the board: labels, payments, covered targets, palette, stacks, numbers, free points."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.clicking import FREE_SPOT, aim, answers_with, choice, given, move, offer, take
from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, faults_of_access, fixture_game

GALLEY, HARBOUR, SHIP = "war-galley", "great-harbour", "athens-7"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
STAY = offer("stay", "Stay", SHIP, whole=choice("Stay", f"stay {SHIP}", {"ships": [SHIP]}))


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Sixty orders of the Great Harbour: Athens has one ship to move."""
    return fixture_game(browsers.served, GALLEY, HARBOUR, 60)


@pytest.fixture
def field(browsers: Browsers) -> str:
    """Eight orders of the mill ford: the forlorn hope is active."""
    return fixture_game(browsers.served, "red-coat-rags", "mill-ford", 8)


def notes(page: Any) -> list[str]:
    found: list[str] = page.locator("#palette .order small").all_inner_texts()
    return found


class TestWords:
    def test_payment_names_amount_and_account(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        paid = move(SHIP, "1509", asks_again="pays", pays={"trade-goods/athens": 3})
        answers_with(page, [offer("move-ship", "Move", SHIP, [paid]), STAY])
        take(page, SHIP)
        assert notes(page)[0] == "1509; pays 3 of trade goods; a second click confirms"
        page.click('#palette [data-focus="order-move-ship"]')
        page.wait_for_selector("#hand-give:has-text('Pay 3 of trade goods?')")

    @pytest.mark.parametrize(
        ("why", "note"),
        [
            ("dice", "opens the dice results"),
            ("no undo", "cannot be undone; a second click confirms"),
            ("", "a second click confirms"),
        ],
    )
    def test_note_names_the_clicks_of_an_order(self, browsers: Browsers, game: str, why: str, note: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        whole = choice("Stay", f"stay {SHIP}", {"ships": [SHIP]}, asks_again=why)
        answers_with(page, [offer("stay", "Stay", SHIP, whole=whole), offer("tire", "Tire", SHIP, whole=whole)])
        take(page, SHIP)
        assert notes(page) == [note, note]

    def test_required_order_is_given_by_one_click(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.evaluate("find('standing').dataset.required = 'athens/stay'")
        answers_with(page, [STAY, offer("ram", "Ram", SHIP, [aim("ram", SHIP, "syracuse-7")])])
        take(page, SHIP)
        assert notes(page)[0] == "one click gives it"


class TestTargets:
    @pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
    def test_target_among_counters_is_24_pixels_and_on_top(
        self, browsers: Browsers, field: str, shape: dict[str, Any]
    ) -> None:
        """Show a mark above the counters for each target at a piece of one's own."""
        page = browsers.seat(field, "king", **shape)
        places = ("11,10", "13,10", "36,10")
        aims = [choice(f"Move to {one}", f"move {one}", {"path": [one]}, place=one) for one in places]
        answers_with(page, [offer("move-piece", "Move piece", "forlorn-1", aims)])
        page.evaluate("void takeUnit(['forlorn-1'], 'forlorn-1')")
        page.wait_for_selector("#palette .order")
        boxes = page.evaluate(
            "[...over.querySelectorAll('.pin')].map((one) => one.getBoundingClientRect()).map((one) => one.width)"
        )
        assert len(boxes) == 3
        assert min(boxes) >= 23.9
        for place in places:
            assert page.evaluate(FREE_SPOT, place), place
        page.click("#closer")
        assert (
            min(page.evaluate("[...over.querySelectorAll('.pin')].map((one) => one.getBoundingClientRect().width)"))
            >= 23.9
        )

    def test_click_on_a_covered_target_gives_the_order(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        answers_with(page, [offer("move-piece", "Move piece", "forlorn-1", [_to("19,16"), _to("20,11")])])
        take(page, "forlorn-1")
        page.mouse.click(*page.evaluate(FREE_SPOT, "20,11"))
        assert "20,11" in page.inner_text("#in-hand") or "20,11" in given(page)

    def test_palette_hides_no_target_if_it_can(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        around = [_to(f"{x},{y}") for x in (17, 19, 22, 24) for y in (13, 15, 17)]
        answers_with(page, [offer("move-piece", "Move piece", "forlorn-1", around)])
        take(page, "forlorn-1")
        hidden = page.evaluate(
            """() => {
              const cover = find("palette").getBoundingClientRect();
              return [...over.querySelectorAll(".hit")].map((one) => one.getBoundingClientRect()).filter((one) => {
                const [x, y] = [one.left + one.width / 2, one.top + one.height / 2];
                return x > cover.left && x < cover.right && y > cover.top && y < cover.bottom;
              }).length;
            }"""
        )
        assert hidden == 0

    def test_free_point_of_a_table_is_a_target(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        take(page, "forlorn-2")
        page.mouse.click(*_on_table(page, 21, 16))
        page.wait_for_selector("#hand-give")
        assert "21,16" in page.inner_text("#in-hand")
        page.click("#hand-give")
        assert "21,16" in given(page)

    def test_point_near_a_lit_point_is_chosen_itself(self, browsers: Browsers) -> None:
        """Leave to a lit point at an enemy only its own middle: order 28 of the recorded battle went to 34,20."""
        field = fixture_game(browsers.served, "red-coat-rags", "mill-ford", 27)
        page = browsers.seat(field, "king", **WIDE)
        take(page, "carrs-1")
        assert page.evaluate("targets.some((one) => one.place === '34,20')")
        page.mouse.click(*_on_table(page, 34, 18.5))
        page.wait_for_selector("#hand-give")
        page.click("#hand-give")
        assert "34,18.5" in given(page)

    def test_short_move_ends_below_its_own_counter(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        take(page, "forlorn-2")
        at = page.evaluate("stackOf('forlorn-2').dataset.place")
        x, y = map(float, at.split(","))
        page.mouse.click(*_on_table(page, x, y + 0.5))
        page.wait_for_selector("#hand-give")
        assert page.evaluate("hand.waits.choice.place") == f"{x:g},{y + 0.5:g}"

    def test_details_open_the_form_of_what_waits(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        take(page, "forlorn-1")
        page.mouse.click(*_on_table(page, 19, 16))
        page.click("#hand-details")
        assert comes_true(page, "document.querySelector('#f-path')?.value.startsWith('19,16')")

    def test_order_name_in_a_refusal_is_code(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        page.evaluate("explain('Roll first: `special-move`.')")
        assert page.inner_text("#why-not code") == "special-move"
        assert page.inner_text("#why-not") == "Roll first: special-move."

    def test_point_too_far_away_says_why(self, browsers: Browsers, field: str) -> None:
        page = browsers.seat(field, "king", **WIDE)
        take(page, "forlorn-2")
        page.mouse.click(*_on_table(page, 38, 14))
        assert comes_true(
            page, "document.getElementById('why-not')?.textContent.includes('Move piece to 38,14 is refused')"
        )


def _to(place: str) -> dict[str, Any]:
    return choice(
        f"Move piece to {place}",
        f"move-piece forlorn-1 {place}",
        {"piece": ["forlorn-1"], "path": [place]},
        place=place,
    )


def _on_table(page: Any, x: float, y: float) -> tuple[float, float]:
    found = page.evaluate(
        """([x, y]) => {
          const scale = Number(document.querySelector("#map .table").dataset.scale);
          const at = new DOMPoint(x * scale, y * scale).matrixTransform(drawing().getScreenCTM());
          return [at.x, at.y];
        }""",
        [x, y],
    )
    return found[0], found[1]


def test_number_is_filled_in_by_clicks(browsers: Browsers) -> None:
    game = fixture_game(browsers.served, "federation-and-empire", "border-war", 465)
    page = browsers.seat(game, "alliance", **WIDE)
    page.click('#order .tabs [data-focus="tab-income"]')
    page.wait_for_selector("#f-ep")
    for step in (10, 10, -1):
        page.click(f'#order-form .row:has(#f-ep) [data-step="{step}"]')
        assert comes_true(page, "!document.documentElement.hasAttribute('data-looking')")
    assert page.input_value("#f-ep") == "19"


def test_member_without_a_counter_is_picked(browsers: Browsers) -> None:
    page = browsers.seat(fixture_game(browsers.served, GALLEY, HARBOUR, 8), "syracuse", **WIDE)
    page.click("#hand-other")
    page.click("#palette .order:has-text('Pick agatharchus')")
    page.click("#hand-give")
    assert "agatharchus" in given(page)


@pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
@pytest.mark.parametrize("colors", ["light", "dark"])
def test_legend_is_whole_inside_the_board(browsers: Browsers, shape: dict[str, Any], colors: str) -> None:
    """Show each side of Twilight Imperium with its name and number of units, also when the map is closer."""
    game = fixture_game(browsers.served, "twilight-imperium-3", "full-round", 40, "three-players")
    page = browsers.seat(game, "letnev", color_scheme=colors, **shape)
    assert comes_true(page, "shown !== null")
    page.evaluate("zoom(2)")
    assert page.locator("#legend li > span").all_inner_texts() == [
        "Federation of Sol: 21",
        "Barony of Letnev: 14",
        "Mentak Coalition: 18",
    ]
    board = page.locator("#board").bounding_box()
    for one in page.locator("#legend li").all():
        box = one.bounding_box()
        assert box["x"] >= board["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"]
        assert box["y"] + box["height"] <= page.locator("#desk").bounding_box()["y"] or shape is WIDE
    assert not page.locator("#map .legend").is_visible()
    assert faults_of_access(page) == []
