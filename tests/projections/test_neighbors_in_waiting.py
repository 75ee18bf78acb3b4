"""Test waits and their start: each side against its neighbors, after each rewind, in each way to read them."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.face.desk import GameStateBuilder
from tests.face.domain import REFEREE, SPECTATOR
from tests.face.ledger import Ledger
from tests.face.projections import Follower, Waits, game_times, listed, standing_at
from tests.projections.table import BLUE, LESSON, RED, TITLES, Table

Given = tuple[str, str, dict[str, Any]]
SEATS = (RED, "anna", BLUE, SPECTATOR, REFEREE)
OPENING = 1
"""The second in which the game opens; each later order has the next second."""


def plans(seat: str) -> Given:
    return seat, "seal-choice", {"question": "plan", "choice": "north"}


def ready(seat: str) -> Given:
    return seat, "done", {}


def referee(order: str, **arguments: Any) -> Given:
    return REFEREE, order, arguments


SIT = referee("take-seat", taker="anna", side=RED)
PICK = (RED, "pick", {"member": "0202"})
STAND, GIVE_UP = (RED, "done", {"answer": "stand"}), (RED, "done", {"answer": "give up"})
RED_READY = (plans(RED), ready(RED))
BOTH_READY = (*RED_READY, plans(BLUE), ready(BLUE))
UNDO, BACK = (RED, "undo", {}), referee("undo", why="too early")

STORIES: dict[str, tuple[tuple[Given, ...], dict[str, int]]] = {
    "nobody has acted": ((), {RED: 1, BLUE: 1}),
    "one is not done yet": ((plans(RED),), {RED: 1, BLUE: 1}),
    "one is done": (RED_READY, {BLUE: 1}),
    "the other is done": ((plans(BLUE), ready(BLUE)), {RED: 1}),
    "another seat of the side is done": ((SIT, plans("anna"), ready("anna")), {BLUE: 1}),
    "done by another seat and taken back": (
        (SIT, plans("anna"), ready("anna"), ("anna", "undo", {})),
        {RED: 5, BLUE: 1},
    ),
    "done and taken back": ((*RED_READY, UNDO), {RED: 4, BLUE: 1}),
    "done, taken back and restored": ((*RED_READY, UNDO, (RED, "redo", {})), {BLUE: 1}),
    "taken back twice": ((*RED_READY, UNDO, (RED, "redo", {}), UNDO), {RED: 6, BLUE: 1}),
    "a plan is taken back": ((plans(RED), UNDO), {RED: 1, BLUE: 1}),
    "one is excused": ((referee("excuse", reason="late", side=RED),), {BLUE: 1}),
    "excused and taken back": ((referee("excuse", reason="late", side=RED), BACK), {RED: 3, BLUE: 1}),
    "two steps at once": (BOTH_READY, {RED: 5}),
    "two steps at once without a break": ((plans(BLUE), ready(BLUE), *RED_READY), {RED: 1}),
    "two steps at once, taken back": ((*BOTH_READY, BACK), {BLUE: 6}),
    "a loop goes on": ((*BOTH_READY, PICK), {RED: 5}),
    "two battles at once": ((*BOTH_READY, PICK, STAND), {RED: 5}),
    "a new turn": ((*BOTH_READY, PICK, STAND, STAND), {RED: 5, BLUE: 8}),
    "a new turn, taken back": ((*BOTH_READY, PICK, STAND, STAND, BACK), {RED: 5}),
    "the last step ends the game": ((*BOTH_READY, PICK, GIVE_UP), {}),
    "the last step is taken back": ((*BOTH_READY, PICK, GIVE_UP, BACK), {RED: 8}),
    "the game is over": ((referee("end", reason="dawn"),), {}),
    "the end is taken back": ((referee("end", reason="dawn"), BACK), {RED: 3, BLUE: 3}),
    "a note is written": ((*RED_READY, (RED, "note", {"text": "we wait"})), {BLUE: 1}),
}
"""Orders, and the waits after them: each side with the second in which its wait began."""


def seconds(waits: Waits) -> dict[str, int]:
    return {one.side: int(one.since[17:19]) for one in waits}


@pytest.fixture(params=STORIES)
def told(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, dict[str, int]]]:
    """Table after the orders of a story, not yet followed, and the expected waits."""
    orders, waits = STORIES[request.param]
    table = Table(tmp_path, LESSON)
    for seat, order, arguments in orders:
        table.play(seat, order, **arguments)
    yield table, waits
    table.close()


def test_sides_are_waited_for_since(told: tuple[Table, dict[str, int]]) -> None:
    """Read the waits from the rows as each seat, from the list, from the whole log, and from an earlier position."""
    table, waits = told
    table.follow()
    assert {seat: seconds(table.views.turn_view("g", seat).waits) for seat in SEATS} == dict.fromkeys(SEATS, waits)
    assert seconds(listed(table.ledger, "g", TITLES.get).waits) == waits
    assert seconds(standing_at(table.views.connection, table.ledger, "g", table.size, TITLES.get).waits) == waits
    since = {one.side: one.since for one in game_times(table.ledger, "g", TITLES.get).sides}
    assert {side: int(at[17:19]) for side, at in since.items() if at} == waits


def test_waiting_time_survives_a_restart(told: tuple[Table, dict[str, int]]) -> None:
    """Follow each order with a new program, and rebuild; the times equal those of a single reading."""
    table, waits = told
    table.close()
    with (
        Ledger.open(table.path, GameStateBuilder()) as ledger,
        Follower(ledger, table.views.path, TITLES.get) as late,
    ):
        late.catch_up("g")
        assert seconds(late.turn_view("g", RED).waits) == waits
        late.rebuild("g")
        assert seconds(late.turn_view("g", RED).waits) == waits


@pytest.mark.parametrize("name", STORIES)
def test_waiting_time_is_kept_between_two_readings(name: str, tmp_path: Path) -> None:
    orders, waits = STORIES[name]
    table = Table(tmp_path, LESSON)
    table.follow()
    for seat, order, arguments in orders:
        table.play(seat, order, **arguments)
        with Follower(table.ledger, table.views.path, TITLES.get) as other:
            other.catch_up("g")
    assert seconds(table.views.turn_view("g", BLUE).waits) == waits
    table.close()


@pytest.mark.parametrize(("pause", "is_pause"), [(0, True), (1, False), (2, False), (None, False)])
def test_gap_is_a_pause_only_if_it_is_longer(pause: int | None, is_pause: bool, tmp_path: Path) -> None:
    """Read a game in which each order comes one second after the one before."""
    table = Table(tmp_path, LESSON)
    table.play(*RED_READY[0][:2], **RED_READY[0][2]).play(RED, "done").play(RED, "undo")
    found = game_times(table.ledger, "g", TITLES.get, None if pause is None else timedelta(seconds=pause))
    assert (found.pauses, found.paused) == ((3, 3) if is_pause else (0, 0))
    charged = {one.side: (one.waited, one.alone, one.waits, one.longest) for one in found.sides}
    assert charged == ({RED: (0, 0, 2, 0), BLUE: (0, 0, 1, 0)} if is_pause else {RED: (2, 0, 2, 2), BLUE: (3, 1, 1, 3)})
    table.close()


def test_second_wait_of_a_side_begins_at_nothing(tmp_path: Path) -> None:
    """Charge Red four seconds: two until it is done, and two after the undo."""
    table = Table(tmp_path, LESSON)
    for seat, order, arguments in (*RED_READY, UNDO, (RED, "note", {"text": "so"}), (RED, "note", {"text": "and so"})):
        table.play(seat, order, **arguments)
    (red, blue) = game_times(table.ledger, "g", TITLES.get).sides
    assert (red.waited, red.waits, red.longest) == (4, 2, 2)
    assert (blue.waited, blue.waits, blue.longest) == (5, 1, 5)
    table.close()
