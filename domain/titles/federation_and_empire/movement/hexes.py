"""Measure the map's hexes: four digits, column and row; even columns are half a hex lower."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.kit import PlaceOrNone

HEX = r"^[0-9]{4}$"
"""Column and row, two digits each: text, never a number, so that 0304 keeps its zero."""

Hex = Annotated[PlaceOrNone, msgspec.Meta(pattern=HEX)]


MOST_PLACES = 20_000
"""Places whose form is cached: the map has at most 9,801 hexes, and the search for a path asks again and again."""


@lru_cache(maxsize=MOST_PLACES)
def is_hex(place: str) -> bool:
    """Check whether a place is a hex of the map."""
    return re.fullmatch(HEX, place) is not None


def distance(one: str, other: str) -> int:
    """Return the number of hexes between two places, 0 for the same; 99 if one of them is not a hex of the map."""
    if one == other:
        return 0
    if not (is_hex(one) and is_hex(other)):
        return 99
    (x1, y1), (x2, y2) = _axial(one), _axial(other)
    dx, dy = x2 - x1, y2 - y1
    return max(abs(dx), abs(dy), abs(dx + dy))


def _axial(place: str) -> tuple[int, int]:
    """Return column and slanted row: 0101 and 0201 are neighbours, 0201 and 0302 too, 0101 and 0202 are not."""
    column, row = int(place[:2]), int(place[2:])
    return column, row - (column - 1) // 2


def longest_stride(path: tuple[str, ...]) -> int:
    """Return the longest distance between two successive places; boxes off the map are ignored."""
    strides = (distance(a, b) for a, b in pairwise(path) if is_hex(a) and is_hex(b))
    return max(strides, default=0)


@lru_cache(maxsize=MOST_PLACES)
def neighbours(place: str) -> tuple[str, ...]:
    """Return the hexes around a hex, columns and rows from 01 to 99; none around a box off the map."""
    if not is_hex(place):
        return ()
    column, row = int(place[:2]), int(place[2:])
    beside = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    found = [(column, row - 1), (column, row + 1), *((one, two) for one in (column - 1, column + 1) for two in beside)]
    return tuple(f"{one:02}{two:02}" for one, two in found if 1 <= one <= 99 and 1 <= two <= 99)


def way(start: str, goal: str) -> tuple[str, ...]:
    """Return a shortest path between two hexes, without the start; empty if they are equal or one is off the map."""
    path: list[str] = []
    at = start
    while is_hex(at) and is_hex(goal) and at != goal:
        at = min(neighbours(at), key=lambda one: distance(one, goal))
        path.append(at)
    return tuple(path)
