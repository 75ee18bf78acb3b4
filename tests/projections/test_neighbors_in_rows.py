"""Test rows of the read models: each seat against its neighbors, before and after each rewind, reveal and restart."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder
from tests.face.domain import REFEREE, SPECTATOR, PlayRewound, RestrictedEvent, SecretsOpened, UnitPlaced
from tests.face.ledger import Ledger
from tests.face.projections import Filter, Follower, audit_lines, fresh_turn_view
from tests.projections.table import BLUE, LESSON, RED, TITLES, Table, rows

ANNA = "anna"
SEATS = (RED, ANNA, BLUE, SPECTATOR, REFEREE)
"""A side, a second seat of that side, the other side, the spectator, and the referee."""
EVERYBODY, OWN, NOBODY = set(SEATS), {RED, ANNA, REFEREE}, set[str]()
BOTH = (RED, REFEREE)


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table.play(REFEREE, "take-seat", taker=ANNA, side=RED).follow()
    table.close()


def dives(table: Table, eyes: tuple[str, ...] = BOTH) -> int:
    """Record a hidden unit, and return its position."""
    table.lay_down(RestrictedEvent(UnitPlaced(unit="deep", side=RED, kind="sub", at="0303"), eyes), seat=RED)
    return table.size


def rewound(table: Table, to: int) -> Table:
    return table.lay_down(PlayRewound(to=to, kind="rewind", why="from there", rolls=0, tip=table.size))


def asked(table: Table, select: str) -> list[tuple[Any, ...]]:
    return table.views.connection.execute(select).fetchall()


def who_finds_it(table: Table) -> tuple[set[str], set[str], set[str], set[str]]:
    """Return the seats that find the hidden unit in rows, in texts, in stored and in computed turn views."""
    table.follow()
    plain = {seat for (seat,) in asked(table, "SELECT seat FROM units WHERE id = 'deep'")}
    words = {seat for seat in SEATS if list(audit_lines(table.views.connection, "g", seat, Filter(text="deep")))}
    stored = {seat for seat in SEATS if _is_in(fresh_turn_view(table.path, "g", seat) or {})}
    known = {seat for seat in SEATS if "deep" in table.views.known_to("g", seat).units}
    return plain & EVERYBODY, words, stored, known


def _is_in(view: dict[str, Any]) -> bool:
    return any("deep" in line["text"] for line in view["last"])


@pytest.mark.parametrize(
    ("eyes", "seen_by"),
    [
        ((RED, REFEREE), OWN),
        ((RED,), OWN),
        ((ANNA,), {ANNA, REFEREE}),
        ((BLUE, REFEREE), {BLUE, REFEREE}),
        ((), NOBODY),
    ],
)
def test_hidden_unit_has_rows_for_those_who_see_it(sea: Table, eyes: tuple[str, ...], seen_by: set[str]) -> None:
    before = sea.size
    dives(sea, eyes)
    assert who_finds_it(sea) == (seen_by, seen_by, seen_by, seen_by)
    rewound(sea, before)
    assert who_finds_it(sea)[0] == who_finds_it(sea)[1] == who_finds_it(sea)[3] == NOBODY
    sea.lay_down(PlayRewound(to=sea.size - 1, kind="redo", rolls=0, tip=sea.size))
    assert who_finds_it(sea)[0] == who_finds_it(sea)[1] == who_finds_it(sea)[3] == seen_by


@pytest.mark.parametrize(("later", "seen_by"), [(-1, OWN), (0, EVERYBODY), (1, EVERYBODY)])
@pytest.mark.parametrize("anew", ["followed", "rebuilt", "another program", "without its file"])
def test_rows_are_open_from_the_position_of_a_reveal(sea: Table, later: int, seen_by: set[str], anew: str) -> None:
    at = dives(sea)
    assert who_finds_it(sea)[0] == OWN
    sea.play(RED, "note", text="we are there").lay_down(SecretsOpened(upto=at + later))
    AGAIN[anew](sea)
    plain, words, _, known = who_finds_it(sea)
    assert (plain, words, known) == (seen_by, seen_by, seen_by)


def test_hidden_unit_is_in_the_rows_once_the_game_lays_it_open(sea: Table) -> None:
    dives(sea)
    sea.play(REFEREE, "end", reason="dawn").follow()
    sea.play(REFEREE, "open-secrets")
    assert who_finds_it(sea)[0] == EVERYBODY
    sea.play(REFEREE, "undo", why="too early")
    assert who_finds_it(sea)[0] == EVERYBODY, "no undo closes what was open"


def _without_its_file(table: Table) -> None:
    table.views.close()
    Path(table.views.path).unlink()
    table.views = Follower(table.ledger, table.views.path, TITLES.get)


def _by_another(table: Table) -> None:
    with Ledger.open(table.path, GameStateBuilder()) as ledger, Follower(ledger, table.views.path, TITLES.get) as other:
        other.lay_views("g")


AGAIN: dict[str, Callable[[Table], object]] = {
    "followed": Table.follow,
    "rebuilt": lambda table: table.views.rebuild("g"),
    "another program": _by_another,
    "without its file": _without_its_file,
}


def test_seat_taken_later_has_the_rows_of_its_side(sea: Table) -> None:
    dives(sea)
    before = sea.size
    for side, sees_it in ((BLUE, False), (RED, True)):
        sea.play(REFEREE, "take-seat", taker="bert", side=side).follow()
        assert ("bert" in {seat for (seat,) in asked(sea, "SELECT seat FROM units WHERE id = 'deep'")}) == sees_it
        assert fresh_turn_view(sea.path, "g", "bert") is not None
        rewound(sea, before).follow()
        assert "bert" not in {seat for (seat,) in asked(sea, "SELECT seat FROM units")}
        assert fresh_turn_view(sea.path, "g", "bert") is None


# --- what counts ------------------------------------------------------------------------------------------------------

MOVES = ("0102", "0103", "0104")


@pytest.mark.parametrize("back", range(4))
@pytest.mark.parametrize("further", range(3))
@pytest.mark.parametrize("at_once", [False, True])
def test_rows_count_that_are_on_the_branch(sea: Table, back: int, further: int, at_once: bool) -> None:
    """Rewind to after, at and before each move, play on, and rewind the rewind, followed step by step or at once."""
    start = sea.size
    for place in MOVES:
        sea.play(RED, "move", unit="red-1", path=[place])
        at_once or sea.follow()
    tip = sea.size
    rewound(sea, tip - back)
    at_once or sea.follow()
    for number in range(further):
        sea.play(RED, "move", unit="red-1", path=[f"020{number + 1}"])
    at_once or sea.follow()
    _counts_as_on_the_branch(sea, ("0101", *MOVES)[3 - back] if not further else f"020{further}")
    rewound(sea, tip)
    _counts_as_on_the_branch(sea, MOVES[-1])
    rewound(sea, start)
    _counts_as_on_the_branch(sea, "0101")


def _counts_as_on_the_branch(table: Table, place: str) -> None:
    table.follow()
    branch = table.ledger.branch("g")
    for position, counts in at_least_one(asked(table, "SELECT position, counts FROM audit")):
        assert bool(counts) == (position in branch), position
    assert asked(table, "SELECT DISTINCT at FROM units WHERE id = 'red-1'") == [(place,)]


# --- one before and one behind ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("behind", [0, 1, 2, 3])
def test_follower_reads_what_is_behind_its_last_record(sea: Table, behind: int, tmp_path: Path) -> None:
    for _ in range(3 - behind):
        sea.play(RED, "pay", account="vp/red", amount=1)
    sea.follow()
    before, size = rows(sea.views), sea.size
    for _ in range(behind):
        sea.play(RED, "pay", account="vp/red", amount=1)
    assert sea.views.catch_up("g") == sea.size - size
    assert sea.views.catch_up("g") == 0
    assert (rows(sea.views) == before) == (behind == 0)
    assert asked(sea, "SELECT DISTINCT amount FROM accounts") == [(3,)]


class PowerCutError(Exception):
    """The program stops."""


MOST_READ = 10


@pytest.mark.parametrize("read", range(MOST_READ + 1))
@pytest.mark.parametrize("goes_on", ["the same program", "another program"])
def test_follower_that_stops_between_two_records_leaves_the_rows(
    tmp_path: Path, read: int, goes_on: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop the follower before each record of four orders, and after all of them; the last order hides a unit."""
    table = Table(tmp_path, LESSON)
    for side in (RED, BLUE):
        table.play(side, "seal-choice", question="plan", choice="north").follow()
    before, followed = rows(table.views), table.size
    stored = asked(table, "SELECT * FROM turn_view ORDER BY seat")
    table.play(RED, "done").play(BLUE, "done").play(RED, "pick", member="0202")
    dives(table)
    assert table.size == followed + MOST_READ
    lines = table.ledger.lines

    def cut(game_id: str, first: int = 1, last: int | None = None) -> Iterator[bytes]:
        for position, line in enumerate(lines(game_id, first, last), first):
            if position > followed + read:
                raise PowerCutError
            yield line

    monkeypatch.setattr(table.ledger, "lines", cut)
    if read < table.size - followed:
        with pytest.raises(PowerCutError):
            table.views.catch_up("g")
        assert rows(table.views) == before
        assert asked(table, "SELECT * FROM turn_view ORDER BY seat") == stored
    monkeypatch.undo()
    if goes_on == "another program":
        _by_another(table)
    table.follow()
    whole = rows(table.views)
    table.views.rebuild("g")
    table.follow()
    assert rows(table.views) == whole != before
    table.close()


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
@pytest.mark.parametrize("more", [0, 1, 2, 3])
def test_rows_ahead_of_a_restored_ledger_are_dropped(tmp_path: Path, lost: int, more: int) -> None:
    """Restore the ledger without its last orders, and play other orders: fewer, equally many, and more."""
    first = Table(tmp_path)
    backup = tmp_path / "backup"
    backup.mkdir()
    second = Table(backup)
    for number in range(3):
        first.play(RED, "pay", account="vp/red", amount=1)
        if number < 3 - lost:
            second.play(RED, "pay", account="vp/red", amount=1)
    first.follow()
    first.close()
    for _ in range(more):
        second.play(RED, "pay", account="vp/red", amount=10)
    with Follower(second.ledger, first.views.path, TITLES.get) as restored:
        restored.catch_up("g")
        shown = restored.connection.execute("SELECT DISTINCT amount FROM accounts").fetchall()
        assert shown == [(3 - lost + 10 * more,)]
        second.follow()
        restored.lay_views("g")
        assert rows(restored) == rows(second.views)
    second.close()
