"""Give orders by clicks on the board: highlights, palette, second click, undo, keys, fingers, faults."""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.browser.clicking import aim, answers_with, choice, click_place, given, move, offer, says, take
from tests.browser.conftest import comes_true, missing
from tests.browser.playing import AXE, Browsers, faults_of_access, fixture_game
from tests.face.testing import FIXTURES

GALLEY, HARBOUR = "war-galley", "great-harbour"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
SHIP = "athens-7"
MOVES = offer("move-ship", "Move", SHIP, [move(SHIP, "1509"), move(SHIP, "1609"), move(SHIP, "1509", "1508")])
RAM = offer("ram", "Ram", SHIP, [aim("ram", SHIP, "syracuse-7")])
STAY = offer("stay", "Stay", SHIP, whole=choice("Stay", f"stay {SHIP}", {"ships": [SHIP]}))
FIRE = offer(
    "set-fire", "Set fire", SHIP, refused={"code": "no", "text": "it burns already", "remedy": "fight the fire"}
)
ALL = (MOVES, RAM, STAY, FIRE)


@pytest.fixture
def game(browsers: Browsers) -> str:
    """Great Harbour after sixty orders, in which Athens has one ship to move."""
    return fixture_game(browsers.served, GALLEY, HARBOUR, 60)


def orders_of(browsers: Browsers, game: str) -> list[str]:
    with browsers.served.desk() as desk:
        return [one.text for one in desk.game(game).referee.orders()]


def lit(page: Any) -> list[str]:
    """Return the highlighted places, sorted."""
    return sorted(page.evaluate("[...document.querySelectorAll('#map .lit')].map((one) => one.dataset.place)"))


def unseen(page: Any) -> list[str]:
    """Return the counters that are not wholly inside the visible part of the board."""
    found: list[str] = page.evaluate(
        """() => {
          const board = boardBox().getBoundingClientRect(), desk = find("desk").getBoundingClientRect();
          const end = Math.min(board.right, find("zoom").getBoundingClientRect().left);
          const foot = desk.left < end ? Math.min(board.bottom, desk.top) : board.bottom;
          const out = [...document.querySelectorAll("#map .stack .counter")].filter((one) => {
            const at = one.getBoundingClientRect();
            return at.left < board.left || at.top < board.top || at.right > end || at.bottom > foot;
          });
          return out.map((one) => one.closest(".stack").dataset.units);
        }"""
    )
    return found


OWN_SHIPS = (
    """[...document.querySelectorAll(`#map .stack[data-side='${ownSide()}']`)].map((one) => one.dataset.units)"""
)


class TestGiving:
    def test_two_clicks_give_an_order_and_the_bar_undoes_it(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        assert lit(page) == ["1508", "1509", "1609"]
        assert page.locator("#over .aim").count() == 2
        click_place(page, "1508")
        assert "1510 → 1509 → 1508" in given(page)
        page.click("#news .undo button")
        assert comes_true(page, "document.getElementById('news').textContent.includes('undoes')")
        assert lit(page) == []

    def test_bar_offers_to_undo_for_five_seconds(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        page.clock.install()
        click_place(page, "1509")
        page.wait_for_selector("#news .undo button:has-text('Undo 5 s')")
        page.mouse.move(5, 5)
        page.clock.run_for(5100)
        page.wait_for_selector("#news.gone", state="attached")
        assert page.locator("#acts [data-focus=undo]").count() == 1

    def test_result_without_undo_leaves_too(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        click_place(page, "1509")
        page.wait_for_selector("#news .undo button")
        page.clock.install()
        page.click("#news .undo button")
        assert comes_true(page, "document.getElementById('news').textContent.includes('undoes')")
        page.clock.run_for(5100)
        page.wait_for_selector("#news.gone", state="attached")

    def test_next_record_takes_the_result_away(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        click_place(page, "1509")
        page.wait_for_selector("#news .undo button")
        page.locator("#news .undo button").focus()
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hm")
        page.wait_for_selector("#news.gone", state="attached")
        assert not page.is_visible("#news .undo button")

    def test_result_covers_the_board_alone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        answers_with(page, ALL)
        page.evaluate("void takeUnit(['athens-7'], 'athens-7')")
        page.wait_for_selector("#palette .order")
        page.evaluate("give(targets[0].ways[0])")
        given(page)
        bar, desk = page.locator("#news").bounding_box(), page.locator("#desk").bounding_box()
        assert bar["y"] + bar["height"] <= desk["y"]
        assert bar["y"] >= page.locator("#zoom").bounding_box()["y"] + page.locator("#zoom").bounding_box()["height"]

    def test_double_click_gives_one_order(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        page.locator('#over [aria-label^="Move athens-7 to 1509"]').dblclick()
        given(page)
        assert len([one for one in orders_of(browsers, game) if "moves athens-7" in one]) == 1

    @pytest.mark.parametrize(("why", "button"), [("pays", "Pay?"), ("no undo", "Give it anyway?")])
    def test_order_that_costs_asks_once_more(self, browsers: Browsers, game: str, why: str, button: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1509", asks_again=why), move(SHIP, "1609")])])
        take(page, SHIP)
        before = len(orders_of(browsers, game))
        click_place(page, "1509")
        page.wait_for_selector(f"#hand-give.asks:has-text('{button}')")
        assert page.locator("#over .ghost").count() == 1
        assert len(orders_of(browsers, game)) == before
        click_place(page, "1509")
        assert "1510 → 1509" in given(page)

    @pytest.mark.parametrize("clicks", [("#over .foe",), ("#palette .order >> nth=0", "#hand-give")])
    def test_table_dice_open_in_the_form(self, browsers: Browsers, clicks: tuple[str, ...]) -> None:
        """Click the target, or its order and the second button, and enter table dice in the form."""
        game = fixture_game(browsers.served, GALLEY, HARBOUR, 41)
        page = browsers.seat(game, "syracuse", **WIDE)
        said = {"ships": ["syracuse-1", "syracuse-2"], "target": ["athens-2"]}
        board = choice(
            "Board athens-2", "board syracuse-1,syracuse-2 athens-2", said, unit="athens-2", asks_again="dice", dice=2
        )
        answers_with(page, [offer("board", "Board", "syracuse-1", [board]), STAY])
        take(page, "syracuse-1")
        for sign in clicks:
            page.locator(sign).click()
        page.wait_for_selector("#order-form fieldset.die")
        page.keyboard.press("4")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        assert "Syracuse boards athens-2 with syracuse-1, syracuse-2: 4 4" in given(page)

    def test_sole_required_choice_is_preselected(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.evaluate("find('standing').dataset.required = 'athens/stay'")
        answers_with(page, [STAY, FIRE])
        take(page, SHIP)
        page.click("#hand-give")
        assert "Athens stays" in given(page)

    def test_sole_choice_that_pays_is_not_preselected(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1509", asks_again="pays")])])
        page.click("#hand-other")
        page.wait_for_selector("#palette .order")
        assert page.locator("#hand-give").count() == 0
        page.click("#palette .order")
        page.wait_for_selector("#hand-give:has-text('Pay?')")

    def test_refused_target_takes_back_what_waits(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1509", asks_again="pays")]), STAY])
        take(page, SHIP)
        click_place(page, "1509")
        page.wait_for_selector("#hand-give:has-text('Pay?')")
        click_place(page, "1505")
        assert says(page, "Click a lit target")
        assert page.locator("#hand-give").count() == 0

    def test_target_of_several_orders_asks_which(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, [RAM, offer("grapple", "Grapple", SHIP, [aim("grapple", SHIP, "syracuse-7")])])
        take(page, SHIP)
        page.locator("#over .foe").click()
        assert page.locator("#palette .order").all_inner_texts() == [
            "Ram syracuse-7 with athens-7",
            "Grapple syracuse-7 with athens-7",
        ]
        page.click("#palette .order >> nth=1")
        assert "grapples syracuse-7" in given(page)

    def test_path_with_its_costs_follows_the_pointer(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        page.hover('#over [aria-label^="Move athens-7 to 1508"]')
        assert page.locator("#over .sum").all_text_contents() == ["1", "2"]
        assert "cost 2" in page.inner_text("#hand")


class TestRefusing:
    def test_refused_order_keeps_its_place_with_the_reason(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        row = page.locator("#palette .order").nth(3)
        assert row.get_attribute("aria-disabled") == "true"
        assert "It burns already. Fight the fire." in row.inner_text()
        row.click(force=True)
        assert says(page, "Set fire is refused")

    def test_unlit_place_says_why_and_what_to_do(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        answers_with(page, ())
        click_place(page, "1310")
        assert says(page, "no unit is selected, and no order applies to this place now. Click a unit first")
        answers_with(page, ALL)
        take(page, SHIP)
        click_place(page, "1505")
        assert says(page, "Click a lit target")
        assert lit(page) == ["1508", "1509", "1609"]

    @pytest.mark.parametrize("how", ["escape", "message", "desk"])
    def test_message_over_the_board_closes(self, browsers: Browsers, game: str, how: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ())
        page.click("#hand-other")
        assert says(page, "No order without a unit is open now")
        if how == "escape":
            page.keyboard.press("Escape")
        else:
            page.click("#why-not" if how == "message" else "#standing h2")
        assert page.locator("#why-not").count() == 0

    def test_order_that_became_illegal_is_explained(self, browsers: Browsers, game: str) -> None:
        browsers.expected = ("422",)
        page = browsers.seat(game, "athens", **WIDE)
        asked = answers_with(page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1310"), move(SHIP, "1509")])])
        take(page, SHIP)
        click_place(page, "1310")
        assert says(page, "Not given. ")
        assert comes_true(page, "document.querySelectorAll('#palette .order').length === 1")
        assert asked == [SHIP, SHIP]
        assert page.input_value("#f-path") == "1310", "the form keeps what was given"

    def test_waiting_order_is_dropped_when_it_is_no_longer_possible(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(
            page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1509", asks_again="pays"), move(SHIP, "1609")])]
        )
        take(page, SHIP)
        click_place(page, "1509")
        page.wait_for_selector("#hand-give")
        answers_with(page, [offer("move-ship", "Move", SHIP, [move(SHIP, "1609"), move(SHIP, "1410")])])
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hm")
        assert says(page, "no longer possible")
        assert lit(page) == ["1410", "1609"]

    def test_list_of_several_orders_keeps_the_legal_ones(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        grapple = offer("grapple", "Grapple", SHIP, [aim("grapple", SHIP, "syracuse-7")])
        answers_with(page, [RAM, grapple])
        take(page, SHIP)
        page.locator("#over .foe").click()
        assert page.locator("#palette .order").count() == 2
        answers_with(page, [grapple, STAY])
        with browsers.served.desk() as desk:
            desk.game(game).seat("syracuse").note("hm")
        assert comes_true(page, "hand.among?.length === 1")
        assert page.locator("#palette .order").all_inner_texts() == ["Grapple syracuse-7 with athens-7"]

    def test_lost_connection_repeats_the_question(self, browsers: Browsers, game: str) -> None:
        browsers.expected = ("Failed to load resource", "ERR_FAILED")
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, None)
        page.locator(f'#map .stack[data-units="{SHIP}"]').click()
        page.wait_for_selector("#line:has-text('Nothing was sent')")
        answers_with(page, ALL)
        page.wait_for_selector("#palette .order")
        assert not page.is_visible("#line")

    def test_order_under_way_is_named(self, browsers: Browsers, game: str) -> None:
        browsers.expected = ("Failed to load resource", "ERR_FAILED")
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, [RAM, offer("grapple", "Grapple", SHIP, [aim("grapple", SHIP, "syracuse-7")])])
        take(page, SHIP)
        page.route("**/table/**", lambda route: route.abort())
        page.locator("#over .foe").click()
        page.click("#palette .order >> nth=1")
        page.wait_for_selector("#line:has-text('Grapple syracuse-7 with athens-7 is kept and sent again')")
        page.hover("#over .foe")
        assert page.inner_text("#in-hand").split("\n")[0] == "Grapple syracuse-7 with athens-7"
        page.unroute("**/table/**")
        assert "grapples syracuse-7" in given(page)
        assert "Sending" not in page.inner_text("#in-hand")

    def test_form_closes_when_its_order_is_no_longer_open(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.goto(f"{browsers.served.address}/table/{game}?as=athens&order=move-ship&f.ship=athens-7")
        page.fill("#f-path", "1410")
        with browsers.served.desk() as desk:
            desk.game(game).seat("athens").typed("move-ship athens-7 1509")
        page.wait_for_selector("#closed:has-text('move-ship is not open now')")
        assert page.locator("#order-form [name=order][value=move-ship]").count() == 0

    def test_refused_form_has_no_primary_button(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.goto(f"{browsers.served.address}/table/{game}?as=athens&order=ram&f.ship=athens-7&f.target=syracuse-4")
        page.wait_for_selector("#order .would")
        assert page.locator("#order .go").count() == page.locator("#typed-more .go").count()


class TestKeys:
    def test_order_is_given_by_keys_alone(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        page.keyboard.press("m")
        page.keyboard.press("Enter")
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.units") == SHIP:
                break
            page.keyboard.press("ArrowRight")
        assert "athens-7" in page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        page.wait_for_selector("#palette .order:focus")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.focus") == "order-ram"
        page.locator("#over .hit").first.focus()
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Move athens-7 to 1509, cost 1"
        page.keyboard.press("Enter")
        assert "1510 → 1509" in given(page)

    def test_tab_goes_to_the_targets_and_on(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        page.locator("#palette .order").first.focus()
        for label in ("Move athens-7 to 1509, cost 1", "Move athens-7 to 1609, cost 1"):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.getAttribute('aria-label')") == label
        page.locator("#over .hit").last.focus()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#over, #palette')") is None

    def test_order_without_a_target_asks_once_more(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.evaluate("find('standing').dataset.required = 'athens/stay'")
        hit = offer("hit-crew", "Hit crew", SHIP, whole=choice("Hit crew", f"hit-crew {SHIP}", {"ship": [SHIP]}))
        answers_with(page, [MOVES, hit, STAY])
        before = len(orders_of(browsers, game))
        take(page, SHIP)
        row = page.locator('#palette [data-focus="order-hit-crew"]')
        row.press("Enter")
        page.wait_for_selector("#hand-give:has-text('Give the order')")
        assert row.get_attribute("aria-pressed") == "true"
        assert len(orders_of(browsers, game)) == before
        page.keyboard.press("Escape")
        page.locator('#palette [data-focus="order-stay"]').press("Enter")
        assert "Athens stays" in given(page)

    def test_escape_goes_one_step_back(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        answers_with(page, ALL)
        take(page, SHIP)
        page.click("#palette .order >> nth=0")
        assert page.locator("#over .aim").count() == 0
        page.keyboard.press("Escape")
        assert page.locator("#over .aim").count() == 2
        page.keyboard.press("Escape")
        assert page.locator("#palette").count() == 0
        assert page.evaluate("document.activeElement.dataset.units") == SHIP


class TestFingers:
    def test_tap_waits_for_a_second_tap(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **PHONE)
        answers_with(page, ALL)
        page.evaluate("zoom(0); reveal(...middleOf(document.querySelector('#map [data-units=athens-7]').getBBox()))")
        page.locator(f'#map .stack[data-units="{SHIP}"]').tap()
        page.wait_for_selector("#palette-place #palette .order")
        page.locator('#over [aria-label^="Move athens-7 to 1509"]').tap()
        page.wait_for_selector("#hand-give:has-text('Give the order')")
        page.locator('#over [aria-label^="Move athens-7 to 1509"]').tap()
        assert "1510 → 1509" in given(page)

    @pytest.mark.parametrize(
        ("title", "scenario"),
        [("red-coat-rags", "mill-ford"), (GALLEY, "off-naupactus"), (GALLEY, HARBOUR)],
        ids=["ford", "naupactus", "harbour"],
    )
    @pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
    def test_first_view_shows_every_counter(
        self, browsers: Browsers, title: str, scenario: str, shape: dict[str, Any]
    ) -> None:
        text = (FIXTURES / title / "scenarios" / f"{scenario}.toml").read_text(encoding="utf-8")
        game = browsers.served.game(text, title)
        page = browsers.seat(game, "spectator", **shape)
        assert comes_true(page, "shown !== null")
        if shape is WIDE:
            assert unseen(page) == [], "at first"
        page.evaluate("zoom(3); drag(200, 90)")
        assert unseen(page)
        page.click("#whole")
        assert unseen(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= shape["viewport"]["width"]

    @pytest.mark.parametrize("orders", [26, 60, 150])
    @pytest.mark.parametrize("seat", ["athens", "syracuse"])
    def test_first_view_of_telephone_shows_own_ships_large(self, browsers: Browsers, orders: int, seat: str) -> None:
        """Show the active ships of the seat, or most of its ships, at 32 pixels; ▢ shows all."""
        page = browsers.seat(fixture_game(browsers.served, GALLEY, HARBOUR, orders), seat, **PHONE)
        assert comes_true(page, "shown !== null")
        counter = (
            "[...document.querySelectorAll('#map .stack .counter')].map((one) => one.getBoundingClientRect().width)"
        )
        assert min(page.evaluate(counter)) >= 32
        hidden, own = set(unseen(page)), page.evaluate(OWN_SHIPS)
        assert len(set(own) - hidden) >= 2
        page.click("#whole")
        assert unseen(page) == []

    def test_counters_are_large_enough_for_fingers(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        wide = page.evaluate(
            "[...document.querySelectorAll('#map .stack .counter')].map((one) => one.getBoundingClientRect().width)"
        )
        assert min(wide) >= 32


class TestLookingBack:
    def test_record_of_the_trail_moves_the_board(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        page.click("#drawer > summary")
        size = int(page.inner_text("#position").removeprefix("#"))
        page.locator("ol.trail > li > .cite").nth(5).click()
        page.wait_for_selector("#when.back")
        assert page.inner_text("#when .pos").endswith(f"of {size}")
        assert "You cannot give orders" in page.inner_text("#hand")
        assert "You cannot give orders" in page.inner_text("#order")
        assert "Your turn" not in page.inner_text("#standing")
        assert page.locator("#acts [data-focus=undo]").count() == 0
        page.click('[data-focus="now"]')
        page.wait_for_selector("#when:not(.back)")
        assert "Click a unit" in page.inner_text("#hand")

    def test_time_bar_shows_any_position(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "spectator", **WIDE)
        page.locator("#bar").focus()
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        page.wait_for_selector("#when.back")
        at, size = page.inner_text("#when .pos").removeprefix("#").split(" of ")
        assert int(at) < int(size)

    def test_new_orders_are_those_of_others_newest_last(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "athens", **WIDE)
        words = page.locator("ol.since li").all_inner_texts()
        assert words
        assert all("Athens" not in one.split()[1] for one in words)
        numbers = [int(one.split()[0].removeprefix("#")) for one in words]
        assert numbers == sorted(numbers)


class TestOtherPages:
    def test_referee_gives_the_order_of_a_side(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "referee", **WIDE)
        answers_with(page, ALL)
        assert page.input_value("#hand-seat") == "athens"
        take(page, SHIP)
        click_place(page, "1509")
        assert "1510 → 1509" in given(page)

    def test_spectator_sees_units_and_gives_none(self, browsers: Browsers, game: str) -> None:
        page = browsers.seat(game, "spectator", **WIDE)
        asked = answers_with(page, ALL)
        page.locator(f'#map .stack[data-units="{SHIP}"]').click()
        page.wait_for_selector("#palette .about")
        assert "Spectators cannot give orders" in page.inner_text("#hand")
        assert asked == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("shape", [WIDE, PHONE], ids=["desk", "telephone"])
def test_board_has_no_accessibility_faults(browsers: Browsers, game: str, scheme: str, shape: dict[str, Any]) -> None:
    if not AXE.exists():
        missing("axe-core is not installed: npm ci --prefix tests/browser")
    page = browsers.seat(game, "athens", color_scheme=scheme, **shape)
    answers_with(
        page,
        [offer("move-ship", "Move", SHIP, [move(SHIP, "1509", asks_again="pays"), move(SHIP, "1609")]), FIRE, STAY],
    )
    page.evaluate("void takeUnit(['athens-7'], 'athens-7')")
    page.wait_for_selector("#palette .order")
    assert faults_of_access(page) == [], "the palette"
    page.evaluate("chooseTarget(targets[0])")
    page.wait_for_selector("#hand-give")
    assert faults_of_access(page) == [], "what waits"
    page.click("#hand-give")
    given(page)
    page.evaluate("explain('0310 is not a target')")
    assert faults_of_access(page) == [], "the bar"
    for state in at_least_one(("&at=100", "&at=100&about=100", "&text=moves")):
        page.goto(f"{browsers.served.address}/table/{game}?as=athens{state}")
        assert faults_of_access(page) == [], state
