"""Measure distances between places of a board, counted by hand on a drawn grid."""

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    Board,
    Hexes,
    Plane,
    Squares,
    distance,
    have_common_side,
    is_on_board,
    places_beside,
)

FLAT = Board(hexes=Hexes(8, 6))
ODD = Board(hexes=Hexes(8, 6, shoved="odd"))
POINTED = Board(hexes=Hexes(8, 6, pointed=True))
SQUARES = Board(squares=Squares(4, 4))
ROADS = Board(links=(("inn", "mill"), ("mill", "ford"), ("ford", "keep"), ("inn", "keep"), ("isle", "rock")))

FAR: list[tuple[Board, str, str, int | None]] = [
    (FLAT, "0101", "0101", 0),
    (FLAT, "0301", "0303", 2),
    (FLAT, "0103", "0204", 2),
    (FLAT, "0203", "0303", 1),
    (FLAT, "0203", "0304", 1),
    (FLAT, "0203", "0302", 2),
    (FLAT, "0101", "0401", 3),
    (FLAT, "0101", "0406", 7),
    (ODD, "0203", "0302", 1),
    (ODD, "0203", "0304", 2),
    (POINTED, "0302", "0303", 1),
    (POINTED, "0302", "0403", 1),
    (POINTED, "0302", "0203", 2),
    (POINTED, "0101", "0501", 4),
    (SQUARES, "0101", "0303", 2),
    (SQUARES, "0101", "0104", 3),
    (FLAT, "0101", "0909", None),
    (FLAT, "0101", "inn", None),
    (Board(), "0101", "0102", None),
    (ROADS, "inn", "ford", 2),
    (ROADS, "inn", "rock", None),
]


@pytest.mark.parametrize(("board", "one", "other", "steps"), FAR)
def test_steps_from_one_place_to_another(board: Board, one: str, other: str, steps: int | None) -> None:
    assert distance(board, one, other) == distance(board, other, one) == steps


def test_hex_has_six_neighbors_and_fewer_at_the_edge() -> None:
    assert set(places_beside(FLAT, "0203")) == {"0202", "0204", "0103", "0104", "0303", "0304"}
    assert set(places_beside(FLAT, "0101")) == {"0102", "0201"}
    assert list(places_beside(ROADS, "inn")) == ["mill", "keep"]
    assert list(places_beside(SQUARES, "0101")) == ["0102", "0201", "0202"]


@pytest.mark.parametrize("board", [FLAT, ODD, POINTED, SQUARES])
def test_neighbors_are_one_step_away_both_ways(board: Board) -> None:
    for place in at_least_one(places_beside(board, "0303")):
        assert distance(board, "0303", place) == 1
        assert "0303" in places_beside(board, place)


@pytest.mark.parametrize(
    ("board", "one", "other", "shared"),
    [
        *((FLAT, "0203", "0304", True), (FLAT, "0203", "0302", False), (SQUARES, "0101", "0102", True)),
        *((SQUARES, "0101", "0202", False), (FLAT, "0101", "0101", False), (ROADS, "inn", "mill", False)),
    ],
)
def test_common_side_joins_cells_but_not_corners(board: Board, one: str, other: str, shared: bool) -> None:
    assert have_common_side(board, one, other) is shared


@pytest.mark.parametrize(
    ("board", "place", "there"),
    [
        *((FLAT, "0806", True), (FLAT, "0807", False), (Board(plane=Plane(10, 10)), "2.5,3", True)),
        *((FLAT, "2,3", False), (Board(points={"mill": (1, 1)}), "mill", True)),
        (Board(tracks={"turns": ("May",)}), "May", True),
    ],
)
def test_place_is_on_a_board_that_has_it(board: Board, place: str, there: bool) -> None:
    assert is_on_board(board, place) is there
