"""Play a recorded turn of War Galley from its first activation, with two browsers and the referee's, by forms.

The tests add a dispute that the referee settles on the page, a rewind with the consent of both sides, and an order
whose answer is lost. War Galley has no secret step, so two browsers of Federation & Empire give sealed answers.
"""

from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, fixture_game, give, recorded

GALLEY, HARBOUR = "war-galley", "great-harbour"
BEFORE_TURN_2 = 76
"""The number of orders in the recorded game up to the end of its first turn."""
FIRST = 24
"""The number of orders before the first activation: the wind, the initiative, and the levels of each squadron."""
MISTAKEN = 39
"""The order after which Syracuse moves a ship too far, and takes the move back with Athens' consent."""


def test_turn_is_played_by_forms(browsers: Browsers) -> None:
    orders = recorded(GALLEY, HARBOUR)[:BEFORE_TURN_2]
    game = fixture_game(browsers.served, GALLEY, HARBOUR, FIRST)
    seats = {seat: browsers.by_link(game, seat) for seat in ("athens", "syracuse")}
    referee = browsers.by_link(game, "referee")
    for order in orders[FIRST:MISTAKEN]:
        give(seats[order["as"]], order)
    _goes_back_by_consent(seats["athens"], seats["syracuse"])
    _disputes(seats["athens"], referee)
    _loses_an_answer(browsers, game, seats[orders[MISTAKEN]["as"]], orders[MISTAKEN])
    for order in orders[MISTAKEN + 1 :]:
        give(seats[order["as"]], order)
    with browsers.served.desk() as desk:
        played, whole = desk.game(game), desk.game(fixture_game(browsers.served, GALLEY, HARBOUR, BEFORE_TURN_2))
        assert played.turn == 2
        assert played.referee.known().units == whole.referee.known().units
        assert dict(played.referee.known().accounts) == dict(whole.referee.known().accounts)
        assert played.verify().verdict.verdict == "VALID"
    for page in (*seats.values(), referee):
        assert comes_true(page, "document.querySelector('#standing .where').textContent.startsWith('turn 2')")


def _goes_back_by_consent(athens: Any, syracuse: Any) -> None:
    """Let Syracuse take fatigue for the wrong ship, so that Athens must consent because a die was rolled since."""
    before = syracuse.inner_text("#position").removeprefix("#")
    give(syracuse, {"order": "tire", "ships": ["syracuse-1"]})
    syracuse.click("#act-ask > summary")
    syracuse.fill("#ask-other", before)
    syracuse.fill("#ask-why", "the wrong ship was tired")
    syracuse.click("#act-ask button")
    athens.wait_for_selector("#asked:has-text('Syracuse asked for a rewind')")
    assert "This would undo 1 order" in athens.inner_text("#asked")
    athens.click("#asked [data-focus=consent]")
    assert comes_true(syracuse, "!document.getElementById('asked').textContent.includes('asked for a rewind')")
    syracuse.wait_for_selector(
        "ol.trail li.undone, ol.trail li:has-text('go back'), ol.trail li:has-text('returns')", state="attached"
    )


def _disputes(athens: Any, referee: Any) -> None:
    """Let Athens contest the newest order and the referee answer."""
    athens.click("#drawer > summary")
    athens.locator("ol.trail .cite").first.click()
    athens.wait_for_selector("#about h2")
    athens.click("#about [data-open=act-dispute]")
    athens.fill("#dispute-claim", "it had moved already")
    athens.click("#act-dispute button")
    athens.wait_for_selector("#standing:has-text('it had moved already')")
    referee.click('[data-focus="tab-disputes"]')
    referee.click("#panel .cards a:has-text('d1')")
    referee.fill("#settle-ruling", "it had not")
    referee.fill("#settle-why", "the trail shows it")
    referee.click("#panel form[action*='/settle'] button")
    referee.wait_for_selector("#panel h2:has-text('settled')")
    assert comes_true(athens, "!document.getElementById('standing').textContent.includes('it had moved already')")


def _loses_an_answer(browsers: Browsers, game_id: str, page: Any, order: dict[str, Any]) -> None:
    """Record an order whose answer never arrives."""
    browsers.expected = ("Failed to load resource",)
    lost: list[str] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.post_data)
            route.fetch(max_redirects=0)
            route.abort()

    page.route("**/order?**", lose)
    assert "This order was already recorded. It counts once" in give(page, order)
    page.unroute("**/order?**")
    browsers.expected = ()
    with browsers.served.desk() as desk:
        key = next(part for part in lost[0].split("&") if part.startswith("key=")).removeprefix("key=")
        given = [one for one in desk.game(game_id).referee.orders() if one.order == key]
        assert len(given) == 1


def test_sealed_answers_of_two_browsers(browsers: Browsers) -> None:
    """Keep a sealed answer out of the other side's page until both have sealed and the step reveals it."""
    title, name = "federation-and-empire", "border-war"
    orders = recorded(title, name)
    before = next(at for at, order in enumerate(orders) if order["order"] == "seal-intensity")
    first, second = orders[before : before + 2]
    game = fixture_game(browsers.served, title, name, before)
    pages = {order["as"]: browsers.seat(game, order["as"]) for order in (first, second)}
    mine, theirs = pages[first["as"]], pages[second["as"]]
    assert "Secret step" in mine.inner_text("#order")
    give(mine, first)
    assert comes_true(theirs, f"document.getElementById('position').textContent === '{mine.inner_text('#position')}'")
    theirs.reload()
    assert f"intensity {first['bir']}" not in theirs.content()
    assert "sealed" in theirs.inner_text("#state")
    give(theirs, second)
    with browsers.served.desk() as desk:
        choices = desk.game(game).seat(second["as"]).status.choices
    assert {one.choice for one in choices if one.known} >= {second["bir"]}
