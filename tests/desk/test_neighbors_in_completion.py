"""Test what can be completed: each seat against its neighbors, before and after each reveal, undo and end of a step."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.face.cli import offers_for
from tests.face.desk import CompletionContext, completions
from tests.face.domain import REFEREE, REFEREE_ORDERS, SPECTATOR
from tests.projections.table import BLUE, LESSON, RED, Table

ALLIES, JAPAN, SIAM, HIRO = "allies", "japan", "siam", "hiro"
SEATS = (JAPAN, HIRO, SIAM, ALLIES, SPECTATOR, REFEREE)
"""A side, a second seat of it, two other sides, who watches, and the referee."""
EVERYBODY, OWN = set(SEATS), {JAPAN, HIRO, REFEREE}
DARK = """
title = "freeform"
name = "In the dark"
dice = "table"
sides = [{ id = "allies", name = "Allies" }, { id = "japan", name = "Japan" }, { id = "siam", name = "Siam" }]
units = [
  { id = "hood", side = "allies", kind = "cruiser", at = "0610" },
  { id = "japan-1", side = "japan", kind = "cruiser", at = "0101" },
  { id = "japan-10", side = "japan", kind = "sub", at = "0101", hidden = true },
]

[options]
fog = true
"""


class Sea:
    """A sea with a hidden ship, in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.desk = umpire.open(file)
        self.desk.new_from_text("freeform", DARK, id="g")
        self.order(REFEREE, "take-seat", taker=HIRO, side=JAPAN)

    def order(self, seat: str, order: str, **arguments: object) -> "Sea":
        self.seat(seat).order({"order": order, **arguments})
        return self

    def seat(self, name: str) -> umpire.Seat:
        return self.desk.game("g").seat(name)

    def offered(self, seat: str, *words: str) -> list[str]:
        """Return what can come in place of the last word."""
        return [one.word for one in self.seat(seat).completions(words[:-1], words[-1])]

    def to_whom(self, unit: str, order: str = "change") -> set[str]:
        return {seat for seat in SEATS if unit in self.offered(seat, order, "")}


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[Sea]:
    found = Sea(tmp_path / "umpire.db")
    yield found
    found.desk.close()


@pytest.mark.parametrize("order", ["change", "remove", "move", "show", "hide"])
def test_unit_is_offered_to_those_who_see_it(sea: Sea, order: str) -> None:
    assert sea.to_whom("japan-10", order) == OWN
    sea.order(JAPAN, "show", unit="japan-10", to=[SIAM])
    assert sea.to_whom("japan-10", order) == OWN | {SIAM}
    sea.order(REFEREE, "undo", why="by mistake")
    assert sea.to_whom("japan-10", order) == OWN
    sea.order(JAPAN, "show", unit="japan-10", to=[SIAM]).order(JAPAN, "hide", unit="japan-10")
    assert sea.to_whom("japan-10", order) == OWN
    sea.order(JAPAN, "show", unit="japan-10")
    assert sea.to_whom("japan-10", order) == EVERYBODY
    sea.order(JAPAN, "remove", unit="japan-10", fate="sunk")
    assert sea.to_whom("japan-10", order) == set()
    sea.order(JAPAN, "undo")
    assert sea.to_whom("japan-10", order) == EVERYBODY
    assert sea.to_whom("japan-1", order) == sea.to_whom("hood", order) == EVERYBODY


@pytest.mark.parametrize(
    ("typed", "own", "others"),
    [
        ("japan-", ["japan-1", "japan-10"], ["japan-1"]),
        ("japan-1", ["japan-1", "japan-10"], ["japan-1"]),
        ("japan-10", ["japan-10"], []),
        ("japan-100", [], []),
        ("Japan-1", [], []),
    ],
)
@pytest.mark.parametrize("restarted", [False, True])
def test_part_of_a_name_is_completed(sea: Sea, typed: str, own: list[str], others: list[str], restarted: bool) -> None:
    if restarted:
        sea.desk.close()
        sea.desk = umpire.open(sea.file)
    for seat in SEATS:
        assert sea.offered(seat, "change", typed) == (own if seat in OWN else others), seat


def test_own_units_come_first(sea: Sea) -> None:
    assert sea.offered(JAPAN, "change", "") == sea.offered(HIRO, "change", "") == ["japan-1", "japan-10", "hood"]
    assert sea.offered(ALLIES, "change", "") == ["hood", "japan-1"]


@pytest.mark.parametrize(
    ("typed", "offered_to"),
    [
        ("mov", EVERYBODY - {SPECTATOR}),
        ("sho", EVERYBODY - {SPECTATOR}),
        ("rewin", EVERYBODY - {SPECTATOR}),
        ("pee", {REFEREE}),
        ("take-s", {REFEREE}),
        ("end", {REFEREE}),
        ("", EVERYBODY - {SPECTATOR}),
        ("zz", set()),
    ],
)
def test_order_is_offered_to_those_who_can_give_it(sea: Sea, typed: str, offered_to: set[str]) -> None:
    assert {seat for seat in SEATS if sea.offered(seat, typed)} == offered_to


def test_only_the_referee_is_offered_the_orders_of_the_referee(sea: Sea) -> None:
    of_the_referee = {order.tag() for order in REFEREE_ORDERS}
    for seat in SEATS:
        assert (of_the_referee <= set(sea.offered(seat, ""))) == (seat == REFEREE), seat
        assert of_the_referee.isdisjoint(sea.offered(seat, "")) == (seat != REFEREE), seat


@pytest.mark.parametrize(
    ("seat", "seats"),
    [
        (JAPAN, [JAPAN]),
        (HIRO, [HIRO]),
        (ALLIES, [ALLIES]),
        (SPECTATOR, [SPECTATOR]),
        (REFEREE, [REFEREE, ALLIES, JAPAN, SIAM, HIRO, SPECTATOR]),
    ],
)
def test_seat_enters_its_own_orders_and_the_referee_all(sea: Sea, seat: str, seats: list[str]) -> None:
    assert sea.offered(seat, "note", "--as", "") == seats


def test_seat_is_offered_once_it_is_taken(sea: Sea) -> None:
    assert sea.offered(REFEREE, "note", "--as", "b") == []
    sea.order(REFEREE, "take-seat", taker="bert", side=ALLIES)
    assert sea.offered(REFEREE, "note", "--as", "b") == ["bert"]
    assert sea.offered("bert", "change", "")[0] == "hood"
    sea.order(REFEREE, "undo", why="he is late")
    assert sea.offered(REFEREE, "note", "--as", "b") == []


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("mov", ["move "]),
        ("? mov", ["move "]),
        ("move japan-1", ["japan-1", "japan-10"]),
        ("move japan-10", ["japan-10 "]),
        ("stat", ["status "]),
        ("note stat", []),
        ("note 'stat", []),
        ("pee", []),
    ],
)
def test_prompt_completes_what_the_seat_can_type(sea: Sea, before: str, found: list[str]) -> None:
    assert [word for word, _ in offers_for(sea.seat(JAPAN))(before)[1]] == found
    others = [word for word in found if "japan-10" not in word]
    assert [word.strip() for word, _ in offers_for(sea.seat(ALLIES))(before)[1]] == [word.strip() for word in others]


# --- in a sequence of play --------------------------------------------------------------------------------------------


@pytest.fixture
def lesson(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, LESSON)
    for side in (RED, BLUE):
        table.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
    yield table
    table.close()


def offered(table: Table, seat: str, *words: str) -> list[str]:
    known = table.follow().views.known_to("g", seat)
    return [one.word for one in completions(CompletionContext(LESSON, known, seat), words[:-1], words[-1])]


def test_members_that_are_picked_are_offered_no_more(lesson: Table) -> None:
    """Offer them to the side that picks; the order itself to nobody else."""
    assert offered(lesson, RED, "pick", "") == ["0101", "0202"]
    assert {seat for seat in (RED, BLUE, REFEREE) if "pick" in offered(lesson, seat, "")} == {RED, REFEREE}
    assert [offered(lesson, seat, "pick", "") for seat in (BLUE, SPECTATOR, REFEREE)] == [[], [], ["0101", "0202"]]
    lesson.play(RED, "pick", member="0202")
    assert offered(lesson, RED, "pick", "") == []
    lesson.play(RED, "done", answer="stand")
    assert offered(lesson, RED, "pick", "") == ["0101"]
    lesson.play(REFEREE, "undo", orders=2, why="wrong")
    assert offered(lesson, RED, "pick", "") == ["0101", "0202"]


def test_answers_are_offered_to_the_side_that_answers(lesson: Table) -> None:
    seats = (RED, BLUE, SPECTATOR, REFEREE)
    assert [offered(lesson, seat, "done", "") for seat in seats] == [[], [], [], []]
    lesson.play(RED, "pick", member="0202")
    answers = ["stand", "give up"]
    assert [offered(lesson, seat, "done", "") for seat in seats] == [answers, [], [], answers]
    assert [offered(lesson, seat, "done", "sta") for seat in seats] == [["stand"], [], [], ["stand"]]
    lesson.play(REFEREE, "undo", why="wrong")
    assert [offered(lesson, seat, "done", "") for seat in seats] == [[], [], [], []]


def test_orders_of_a_step_are_offered_while_it_is_open(lesson: Table) -> None:
    """Another side gets an order of the step only by its first letters."""
    fights = {"roll", "change", "move", "pay"}
    assert fights.isdisjoint(offered(lesson, RED, "")), "the hex comes first"
    lesson.play(RED, "pick", member="0202")
    assert fights <= set(offered(lesson, RED, ""))
    assert fights <= set(offered(lesson, REFEREE, ""))
    assert fights.isdisjoint(offered(lesson, BLUE, ""))
    assert offered(lesson, BLUE, "rol") == ["roll"]
    lesson.play(RED, "done", answer="give up")
    assert fights.isdisjoint(offered(lesson, RED, ""))
    lesson.play(REFEREE, "undo", why="wrong")
    assert fights <= set(offered(lesson, RED, ""))
