"""Queries on a long game cost what they touch: tests count the records read and measure no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.games import SCENARIO, fill
from tests.face.desk import (
    Desk,
    Seat,
    need_title,
    new_game,
    open_ledger,
)
from tests.face.ledger import LedgerRecorder

LONG = 4000
MOST = 1200
"""Records: 500 from one snapshot to the next, and a query at two positions rebuilds twice."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a long game with a dispute about one of its last records, and current read models."""
    file = tmp_path_factory.mktemp("long") / "umpire.db"
    with open_ledger(file, create=True) as ledger:
        new_game(ledger, need_title("freeform"), SCENARIO, game_id="short")
        fill(ledger, LONG)
    with Desk(file) as desk:
        game = desk.game("g")
        for number in range(3):
            game.seat("red").order("move", unit="u1", path=[f"{number + 1000}"])
        game.seat("red").dispute([game.size - 1], "not so")
        assert game.seat("referee").status.position == game.size
    return file


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return a list that collects the lines the ledger reads from its store."""
    lines: list[bytes] = []

    def counted(name: str) -> Callable[..., Iterator[Any]]:
        plain = getattr(LedgerRecorder, name)

        def reading(self: LedgerRecorder, *asked: Any) -> Iterator[Any]:
            for one in plain(self, *asked):
                lines.append(one)
                yield one

        return reading

    for name in ("lines", "lines_back", "rows"):
        monkeypatch.setattr(LedgerRecorder, name, counted(name))
    looking = LedgerRecorder.lines_with

    def looked_through(self: LedgerRecorder, game_id: str, mark: bytes, first: int, last: int) -> list[bytes]:
        lines.extend([mark] * (last - first + 1))  # the store reads them all, and returns few
        return looking(self, game_id, mark, first, last)

    monkeypatch.setattr(LedgerRecorder, "lines_with", looked_through)
    return lines


def tried(seat: Seat, *orders: dict[str, Any]) -> int:
    return seat.game.play([(line, one) for line, one in enumerate(orders, 1)], check=True).orders


ASKED: dict[str, tuple[str, Callable[[Seat], object]]] = {
    "an order that is tried": ("red", lambda seat: tried(seat, {"as": "red", "order": "note", "text": "x"})),
    "an undo that is tried": ("red", lambda seat: tried(seat, {"as": "red", "order": "undo"})),
    "a preview of an undo": ("red", lambda seat: seat.preview("undo").orders),
    "a preview of a rewind": ("referee", lambda seat: seat.preview("rewind", to=f"#{seat.game.size - 3}").orders),
    "disputes": ("referee", lambda seat: seat.disputes()),
    "rulings of every game": ("referee", lambda seat: seat.game.desk.rulings() == []),
    "a dispute's page": ("referee", lambda seat: seat.dispute_page("d1").dispute),
    "an amendment that is tried": (
        "referee",
        lambda seat: seat.amend(
            seat.game.size - 1, {"as": "red", "order": "move", "unit": "u1", "path": ["7"]}, why="typo", check=True
        ),
    ),
}


@pytest.mark.parametrize("what", ASKED)
def test_query_reads_few_records(file: Path, read: list[bytes], what: str) -> None:
    name, ask = ASKED[what]
    with Desk(file) as desk:
        read.clear()
        assert ask(desk.game("g").seat(name))
        assert len(read) <= MOST


SEVERAL: dict[str, Callable[[Seat], object]] = {
    "a dispute": lambda seat: seat.dispute([seat.game.size - 1], "not so either"),
    "a note in the place of another": lambda seat: seat.order("note", text="x", instead_of=seat.note("y").position),
}


@pytest.mark.parametrize("what", SEVERAL)
def test_second_query_reads_only_new_records(file: Path, read: list[bytes], what: str) -> None:
    with Desk(file) as desk:
        seat = desk.game("g").seat("red")
        assert SEVERAL[what](seat)
        read.clear()
        assert SEVERAL[what](seat)
        assert len(read) <= MOST


def test_full_verification_reads_every_record(file: Path, read: list[bytes]) -> None:
    """So the counting counts."""
    with Desk(file) as desk:
        assert desk.game("g").verify().valid
    assert len(read) >= LONG


def test_order_asks_for_the_size_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each query to a file that was just written reads its pages again: it costs as much as the insert of the row.
    asked: list[str] = []
    size = LedgerRecorder.size

    def counted(self: LedgerRecorder, game_id: str) -> int:
        asked.append(game_id)
        return size(self, game_id)

    with Desk(file) as desk:
        game = desk.game("g")
        game.seat("red").order("move", unit="u1", path=["1"])
        monkeypatch.setattr(LedgerRecorder, "size", counted)
        game.seat("red").order("move", unit="u3", path=["2"])
    assert asked == ["g"]
