"""Play turns by clicks on the board, and the same by forms, and count the clicks and seconds of both.

Run with `-s` to see the table. Two turns are always played by clicks; with `UMPIRE_TURNS=all`, which takes minutes, so
are the others, and all are played by forms for comparison.
"""

import os
from typing import Any, NamedTuple

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.browser.conftest import comes_true
from tests.browser.playing import Browsers, fixture_game, recorded
from tests.browser.turns import Planner, Player, Tally, defaults_of

WIDE = {"viewport": {"width": 1280, "height": 800}}


class Turn(NamedTuple):
    """Orders of a recorded game."""

    words: str
    title: str
    log: str
    scenario: str
    first: int
    last: int


TURNS = {
    f"{one.title}, {one.words}": one
    for one in (
        Turn("turn 1", "war-galley", "great-harbour", "great-harbour", 0, 76),
        Turn("turn 1", "red-coat-rags", "mill-ford", "mill-ford", 0, 69),
        Turn("round", "twilight-imperium-3", "full-round", "three-players", 0, 146),
        Turn("operation", "pacific-war", "solomons-closing-cycle", "solomons", 18, 63),
        Turn("Alliance", "federation-and-empire", "border-war", "border-war", 460, 535),
    )
}
ALL = os.environ.get("UMPIRE_TURNS") == "all"
ALWAYS = tuple(name for name in TURNS if ALL or name.startswith(("pacific-war", "war-galley")))
COUNTED: dict[tuple[str, str], Tally] = {}


def seen_up_to(page: Any, size: int) -> None:
    """Wait until a page shows the newest record and nothing is under way."""
    shows = f"document.getElementById('position').textContent === '#{size}'"
    assert comes_true(page, f"{shows} && !sending && !document.documentElement.hasAttribute('data-looking')")


def plays(browsers: Browsers, turn: Turn, *, by_clicks: bool) -> Tally:
    """Play the orders of a turn, and check that the game is as it was recorded."""
    game = fixture_game(browsers.served, turn.title, turn.log, turn.first, turn.scenario)
    orders, tally = recorded(turn.title, turn.log)[turn.first : turn.last], Tally()
    seats = sorted({one["as"] for one in orders} - {"referee"})
    pages = {seat: browsers.seat(game, seat, **WIDE) for seat in seats}
    with browsers.served.desk() as desk:
        played = desk.game(game)
        planner = Planner(played)
        players = {seat: Player(page, tally, defaults_of(played.title)) for seat, page in pages.items()}
        for order in orders:
            if order["as"] == "referee":
                played.play([(1, order)])
                continue
            player = players[order["as"]]
            seen_up_to(player.page, played.size)
            plan = planner.plan(order) if by_clicks and order["order"] != "done" else None
            player.give(order, plan, typing=not by_clicks)
        whole = desk.game(fixture_game(browsers.served, turn.title, turn.log, turn.last, turn.scenario))
        assert {one.id: one.at for one in played.referee.units()} == {one.id: one.at for one in whole.referee.units()}
        assert dict(played.referee.known().accounts) == dict(whole.referee.known().accounts)
    return tally


def table() -> str:
    """Return the counted turns as a table."""
    head = ("| turn | orders | way | clicks | seconds | in a form | typed |", "|---|---|---|---|---|---|---|")
    rows = (
        f"| {turn} | {one.orders} | {way} | {one.clicks} | {one.seconds:.0f} "
        f"| {sum(one.in_form.values())} | {sum(one.typed.values())} |"
        for (turn, way), one in COUNTED.items()
    )
    return "\n".join((*head, *rows))


@pytest.mark.parametrize("turn", ALWAYS)
def test_turn_is_played_by_clicks(browsers: Browsers, turn: str) -> None:
    tally = COUNTED[turn, "clicks"] = plays(browsers, TURNS[turn], by_clicks=True)
    print("\n", table(), dict(tally.in_form), dict(tally.typed), sep="\n")
    assert not tally.typed


@pytest.mark.skipif(not ALL, reason="compares clicks and takes minutes: set UMPIRE_TURNS=all")
@pytest.mark.parametrize("turn", TURNS)
def test_turn_is_played_by_forms(browsers: Browsers, turn: str) -> None:
    COUNTED[turn, "forms"] = plays(browsers, TURNS[turn], by_clicks=False)
    print("\n", table(), sep="\n")
