"""Test who is reminded, and when: each seat against its neighbors, one moment before, at and after the interval."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.desk.test_required_actions import GALLEYS, Channel
from tests.face.desk import sender

ATHENS, SYRACUSE = "athens", "syracuse"
ANNA, ARES = "anna", "ares"
"""Two seats of Athens."""
EVERYBODY = {ANNA, ARES, SYRACUSE}
MOMENT = timedelta(microseconds=1)
INTERVAL = timedelta(hours=36)


class Club:
    """A battle in which both sides roll for the wind. The clock of its notices stands still until it is set."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.desk = umpire.open(file)
        self.desk.new_from_text("war-galley", GALLEYS.read_text(encoding="utf-8"), id="g")
        for taker in (ANNA, ARES):
            self.order("referee", "take-seat", taker=taker, side=ATHENS)

    def restart(self) -> None:
        self.desk.close()
        self.desk = umpire.open(self.file)

    def order(self, seat: str, order: str, **arguments: object) -> None:
        """Give an order; the clock is then at the moment of its record."""
        game = self.desk.game("g")
        game.seat(seat).order({"order": order, **arguments})
        self.now = datetime.fromisoformat(self.desk.ledger.record("g", game.size).at)

    def reminded(self, remind: timedelta | None = INTERVAL) -> set[str]:
        """Send the notices that are due now, and return the seats that got a reminder."""
        return {one.notice.seat for one in self.desk.tell(Channel("here"), remind=remind) if one.notice.reminds}


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    found = Club(tmp_path / "umpire.db")
    monkeypatch.setattr(sender, "utc_now", lambda: found.now)
    yield found
    found.desk.close()


BOUNDARY = pytest.mark.parametrize(
    ("later", "is_due"), [(INTERVAL - MOMENT, False), (INTERVAL, True), (INTERVAL + MOMENT, True)]
)
RESTARTED = pytest.mark.parametrize("restarted", [False, True])


@BOUNDARY
@RESTARTED
def test_reminder_is_due_at_the_interval(club: Club, later: timedelta, is_due: bool, restarted: bool) -> None:
    assert club.reminded() == set()
    club.now += later
    if restarted:
        club.restart()
    assert club.reminded() == (EVERYBODY if is_due else set())
    assert club.reminded() == set(), "it is sent once"


@BOUNDARY
def test_next_reminder_counts_from_the_last_one(club: Club, later: timedelta, is_due: bool) -> None:
    club.reminded()
    club.now += INTERVAL + timedelta(hours=1)
    assert club.reminded() == EVERYBODY
    club.restart()
    club.now += later
    assert club.reminded() == (EVERYBODY if is_due else set())


def with_note(seat: str) -> Callable[[Club], None]:
    return lambda club: club.order(seat, "note", text="on holiday")


@pytest.mark.parametrize(
    ("acts", "still"),
    [
        (with_note(ANNA), {SYRACUSE}),
        (with_note(ARES), {SYRACUSE}),
        (with_note(ATHENS), {SYRACUSE}),
        (with_note(SYRACUSE), {ANNA, ARES}),
        (with_note("referee"), EVERYBODY),
    ],
    ids=[ANNA, ARES, ATHENS, SYRACUSE, "referee"],
)
@BOUNDARY
@RESTARTED
def test_order_of_a_seat_puts_off_reminders_of_its_side(
    club: Club, acts: Callable[[Club], None], still: set[str], later: timedelta, is_due: bool, restarted: bool
) -> None:
    """Count the interval from the moment of the order, for every seat of its side and for no other."""
    club.now = datetime.fromisoformat(club.desk.ledger.record("g", 1).at) - 2 * INTERVAL
    club.reminded()
    acts(club)
    if restarted:
        club.restart()
    assert club.reminded() == still
    club.now += later
    assert club.reminded() == (EVERYBODY if is_due else set())


@pytest.mark.parametrize("told", [False, True], ids=["silent", "told of the undo"])
def test_action_that_arises_again_is_news_and_no_reminder(club: Club, told: bool) -> None:
    """Take back the roll for the wind: the notice of the action comes first, and the interval counts from it."""
    club.reminded()
    club.order("anna", "roll-wind", pips=[3, 4])
    if told:
        club.reminded()
    club.order("referee", "undo", why="a die was cocked")
    club.now += INTERVAL
    assert club.reminded() == set()
    club.now += INTERVAL - MOMENT
    assert club.reminded() == set()
    club.now += MOMENT
    assert club.reminded() == EVERYBODY


@pytest.mark.parametrize(("excused", "still"), [(ATHENS, {SYRACUSE}), (SYRACUSE, {ANNA, ARES})])
@pytest.mark.parametrize("comes", [False, True])
def test_only_those_who_must_act_are_reminded(club: Club, excused: str, still: set[str], comes: bool) -> None:
    club.reminded()
    club.order("referee", "excuse", reason="late", side=excused)
    club.reminded()
    if comes:
        club.order("referee", "undo", why="they came")
        club.reminded()
    club.now += INTERVAL
    assert club.reminded() == (EVERYBODY if comes else still)


def test_reminder_needs_an_interval(club: Club) -> None:
    club.reminded(None)
    club.now += 9 * INTERVAL
    assert club.reminded(None) == set()
    assert club.reminded() == EVERYBODY


def test_seat_that_is_taken_later_has_an_interval_of_its_own(club: Club) -> None:
    club.reminded()
    club.order("referee", "take-seat", taker="bert", side=SYRACUSE)
    start = club.now
    club.now = start + INTERVAL / 2
    assert club.reminded() == set(), "bert is told for the first time"
    club.now = start + INTERVAL + INTERVAL / 2 - MOMENT
    assert "bert" not in club.reminded()
    club.now += MOMENT
    assert club.reminded() == {"bert"}
