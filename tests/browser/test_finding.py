"""Find things on the page: search, filters, a unit's life, the units at a place, an earlier turn view."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.browser.conftest import GREAT_HARBOUR, Open, Pages
from tests.face.testing import FIXTURES

FORD = "formats/1-edge/ford.whole.jsonl"


@pytest.fixture
def harbour(pages: Pages, opened: Open) -> Any:
    return opened(pages.of(GREAT_HARBOUR), at="#100")


@pytest.fixture(scope="module")
def seat() -> Any:
    with umpire.open(":memory:") as desk:
        yield desk.import_log(FIXTURES / GREAT_HARBOUR).referee


def orders_with(seat: Any, fits: Callable[[Any], bool]) -> list[int]:
    """Return the first positions of orders with a matching record."""
    return [one.position for one in seat.orders() if any(map(fits, one.records))]


def listed(page: Any) -> list[int]:
    """Return the first positions of all orders that the page lists, visible or not."""
    found = "listed.filter((row) => row.kind === 'order').map((row) => orders[row.number].first)"
    return list(page.evaluate(found))


class TestTheTrail:
    def test_trail_lists_the_orders_of_the_current_branch(self, harbour: Any, seat: Any) -> None:
        assert listed(harbour) == [one.position for one in seat.orders()]

    def test_undone_orders_are_shown_when_asked_for(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(FORD))
        before = listed(page)
        page.check("#undone")
        assert set(before) < set(listed(page))
        undone = page.locator("#rows li.order.undone")
        undone.first.scroll_into_view_if_needed()
        assert "undone" in undone.first.inner_text()

    def test_order_is_one_sentence_that_unfolds(self, harbour: Any, seat: Any) -> None:
        order = next(one for one in seat.orders() if len(one.records) > 3 and one.position > 100)
        harbour.evaluate(f"go({order.position - 1})")
        row = harbour.locator(f'#rows li.order[data-n="{order.position}"]')
        assert order.text in row.inner_text()
        row.locator(".fold").click()
        assert row.locator("li[data-n]").count() == len(order.records) - len(order.marks)
        shown = next(one for one in order.records if one.position not in order.marks)
        assert shown.text in row.inner_text()

    def test_only_what_is_seen_is_drawn(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of("federation-and-empire/replays/border-war.jsonl"))
        assert page.locator("#rows li.order").count() < 120 < len(listed(page))


class TestSearch:
    def test_words_are_found_in_sentences(self, harbour: Any, seat: Any) -> None:
        harbour.fill("#search", "manpower")
        orders = {one.position: one for one in seat.orders()}
        found = listed(harbour)
        assert found
        assert set(found) == {
            at
            for at, one in orders.items()
            if "manpower" in " ".join([one.text, *(line.text for line in one.records)]).lower()
        }
        assert harbour.inner_text("#found") == f"{len(found)} of {len(orders)} orders"

    def test_all_words_must_be_there(self, harbour: Any) -> None:
        harbour.fill("#search", "manpower")
        one = listed(harbour)
        harbour.fill("#search", "manpower syracuse-1")
        both = listed(harbour)
        assert 0 < len(both) < len(one)
        harbour.fill("#search", "manpower nothing-of-the-kind")
        assert listed(harbour) == []

    def test_enter_goes_to_the_next_that_is_found(self, harbour: Any) -> None:
        harbour.fill("#search", "ram")
        found = listed(harbour)
        harbour.press("#search", "Enter")
        first = next(at for at in found if at > 100)
        assert harbour.evaluate("present()") == first
        harbour.press("#search", "Enter")
        assert harbour.evaluate("present()") == next(at for at in found if at > first)

    def test_search_shows_the_current_match_and_marks_the_words(self, harbour: Any) -> None:
        harbour.fill("#search", "ram")
        found = listed(harbour)
        harbour.press("#search", "Enter")
        at = next(one for one in found if one > 100)
        assert harbour.inner_text("#among") == f"#{at} is in matching order {found.index(at) + 1} of {len(found)}."
        marks = harbour.locator("#rows mark").all_inner_texts()
        assert {one.lower() for one in marks} == {"ram"}
        harbour.keyboard.press("Escape")
        harbour.keyboard.press("Escape")
        harbour.evaluate("clearFilters()")
        assert not harbour.is_visible("#among")
        assert harbour.locator("#rows mark").count() == 0

    @pytest.mark.parametrize("words", ["#412", "412"])
    def test_search_for_a_number_goes_to_the_record(self, harbour: Any, words: str) -> None:
        harbour.fill("#search", words)
        harbour.press("#search", "Enter")
        assert harbour.evaluate("present()") == 412

    def test_search_text_is_not_run_as_code(self, harbour: Any) -> None:
        for words in ("<img src=x onerror=alert(1)>", "(((", "\\", "[[", ".*", "'\"", "%00", "é😀"):
            harbour.fill("#search", "")
            assert listed(harbour), "an empty search finds all, so that the next finds nothing by itself"
            harbour.fill("#search", words)
            assert listed(harbour) == [], words
            assert harbour.locator("#rows img").count() == 0, words


class TestFilters:
    @pytest.mark.parametrize("side", ["athens", "syracuse"])
    def test_by_side(self, harbour: Any, seat: Any, side: str) -> None:
        harbour.select_option("#filter-side", side)
        assert listed(harbour) == [one.position for one in seat.orders() if one.seat == side]

    def test_by_unit(self, harbour: Any, seat: Any) -> None:
        harbour.select_option("#filter-unit", "athens-1")
        assert listed(harbour) == orders_with(seat, lambda line: "athens-1" in line.units)

    def test_by_step(self, harbour: Any, seat: Any) -> None:
        harbour.select_option("#filter-step", "G.2b")
        assert listed(harbour) == orders_with(seat, lambda line: line.step == "G.2b")

    def test_by_rule(self, harbour: Any, seat: Any) -> None:
        rule = next(line.rule for line in seat.audit() if line.rule)
        harbour.select_option("#filter-rule", rule)
        assert listed(harbour) == orders_with(seat, lambda line: line.rule == rule)

    def test_together_and_taken_away(self, harbour: Any, seat: Any) -> None:
        harbour.select_option("#filter-side", "athens")
        harbour.select_option("#filter-unit", "athens-1")
        both = [at for at in orders_with(seat, lambda line: "athens-1" in line.units) if at in listed(harbour)]
        assert 0 < len(listed(harbour)) == len(both)
        harbour.locator("#filter-unit").blur()
        harbour.keyboard.press("Escape")
        assert listed(harbour) == [one.position for one in seat.orders()]

    def test_record_left_out_by_a_filter_can_be_shown(self, harbour: Any, seat: Any) -> None:
        other = next(one.position for one in seat.orders() if one.seat == "syracuse" and one.position > 100)
        harbour.select_option("#filter-side", "athens")
        harbour.evaluate(f"go({other})")
        assert f"#{other} does not match the filters." in harbour.inner_text("#among")
        harbour.click("#show-all")
        assert listed(harbour) == [one.position for one in seat.orders()]
        assert harbour.is_visible(f'#rows li.order[data-n="{other}"]')
        assert not harbour.is_visible("#among")


class TestTheMap:
    def test_every_mark_is_explained_in_the_help_and_below_the_table(self, harbour: Any) -> None:
        harbour.click("#ask")
        said = harbour.inner_text("#help")
        assert harbour.evaluate("byId('help').scrollTop") <= 2, "help begins at its beginning"
        wanted = ("torn corner", "ring", "orange dot", "dot at the left", "red outline", "thick frame", "two of them")
        assert [one for one in wanted if one not in said] == []
        samples = harbour.locator("#help-marks svg.sample").evaluate_all("all => all.map(one => one.childElementCount)")
        assert len(samples) >= len(wanted)
        assert min(samples) > 0
        harbour.keyboard.press("Escape")
        harbour.click("[data-panel=table-panel]")
        harbour.click("#table-panel summary:text('Marks on the map')")
        # A part is filled when the browser says that it was opened, which is a task of its own after the click.
        harbour.wait_for_selector("#table-panel .marks-of-map", state="visible")
        assert harbour.locator("#table-panel .marks-of-map svg.sample").count() == len(samples)

    def test_counters_are_at_the_places_of_the_state(self, harbour: Any) -> None:
        places = harbour.evaluate("[...document.querySelectorAll('#board .stack')].map((one) => one.dataset.place)")
        units = harbour.evaluate("Object.values(stateAt(100).units).filter((one) => !one.fate).map((one) => one.place)")
        assert sorted(places) == sorted(set(units))

    @pytest.mark.parametrize(
        ("unit", "lines"),
        [
            ("athens-1", ["athens-1"]),
            ("sol-ground-force-12", ["sol-ground-", "force-12"]),
            ("a-very-long-name-of-a-unit-7", ["a-very-long-", "…-of-a-unit-7"]),
            ("twentyletterswithout", ["twentyletters", "without"]),
        ],
    )
    def test_names_in_an_opened_stack_keep_their_ends(self, harbour: Any, unit: str, lines: list[str]) -> None:
        assert harbour.evaluate(f"idLines('{unit}')") == lines

    def test_click_on_a_unit_shows_its_life(self, harbour: Any) -> None:
        harbour.click("#board .stack[data-unit=athens-1]")
        assert harbour.is_visible("#about")
        assert "athens-1" in harbour.inner_text("#about")
        assert re.search(r"#\d+", harbour.inner_text("#about"))

    def test_life_of_a_unit_is_its_records(self, harbour: Any, seat: Any) -> None:
        harbour.click("#board .stack[data-unit=athens-1]")
        links = harbour.evaluate("[...document.querySelectorAll('#about a')].map((one) => Number(one.hash.slice(1)))")
        assert set(links) <= {line.position for line in seat.audit(unit="athens-1")} | {0}
        assert len(links) > 5


class TestTheTable:
    def test_turn_view_is_that_of_the_position(self, harbour: Any, seat: Any) -> None:
        harbour.click("[data-panel=table-panel]")
        said = harbour.inner_text("#table-panel")
        for one in seat.known(100).cursor.open:
            assert one.step in said
        harbour.keyboard.press("Home")
        assert "#1" in harbour.inner_text("#table-panel")

    def test_charts_count_units_out_of_play(self, harbour: Any) -> None:
        """Count athens-2, which is captured and recaptured, as lost by no side."""
        harbour.keyboard.press("End")
        harbour.click("[data-panel=table-panel]")
        table = harbour.inner_text("#table-panel")
        harbour.click("[data-panel=charts-panel]")
        charts = harbour.inner_text("#charts-panel")
        found = re.findall(r"(\w+): \d+ units?, (\d+) out of play \((.*?)\)", table)
        assert [side for side, _, _ in found] == ["Athens", "Syracuse"]
        for side, number, fates in found:
            assert f"{side} out of play {number}" in " ".join(charts.split())
            assert sum(int(one.split()[0]) for one in fates.split(", ")) == int(number)

    def test_chart_shows_its_moment_and_the_record(self, harbour: Any) -> None:
        harbour.click("[data-panel=charts-panel]")
        harbour.click("#chart")
        assert "end of turn 1" in harbour.inner_text("#charts-panel thead")
        assert "end of turn 1" in harbour.inner_text("#strip .value")
        charts = harbour.locator("#charts-panel svg.spark").count()
        assert harbour.locator("#charts-panel path.here").count() == charts > 0
        lines = "Number(document.querySelector('#strip path.here').getAttribute('d').match(/M([\\d.]+)/)[1])"
        across = harbour.evaluate(f"{lines} / document.querySelector('#strip svg').clientWidth")
        assert abs(across - 99 / 610) < 0.01

    def test_chart_of_an_open_turn_has_no_end(self, harbour: Any) -> None:
        harbour.keyboard.press("End")
        harbour.click("[data-panel=charts-panel]")
        harbour.click("#chart")
        turn = harbour.evaluate("stateAt(facts.last).turn")
        wanted = f"end of turn {turn}" if harbour.evaluate("stateAt(facts.last).ended") else f"turn {turn} so far"
        assert wanted in harbour.inner_text("#charts-panel thead")
        assert wanted in harbour.inner_text("#strip .value")

    def test_dice_panel_says_in_words_whether_dice_are_fair(self, harbour: Any) -> None:
        harbour.click("[data-panel=dice-panel]")
        p = harbour.evaluate("facts.dice.totals.find((one) => one.of === 'die').faces.p")
        said = f"of 100 series of fair dice, {round(p * 100)} differ this much or more"
        assert said in harbour.inner_text("#dice-panel figure >> nth=0")
        assert " 1 rolls" not in harbour.evaluate("byId('dice-panel').textContent")

    @pytest.mark.parametrize("panel", ["dice-panel", "charts-panel", "notes-panel"])
    def test_panels_have_contents(self, pages: Pages, opened: Open, panel: str) -> None:
        page = opened(pages.of(FORD))
        page.click(f"[data-panel={panel}]")
        assert page.get_attribute(f"[data-panel={panel}]", "aria-expanded") == "true"
        assert len(page.inner_text(f"#{panel}")) > 20
