"""Name hexes CCRR, column and row from 01; columns run upright, and an even column sits half a hex lower.

A scenario of another map is renumbered to this grid; the printed summary does not describe the map.
"""

import re
from typing import Literal

HexSide = Literal["N", "NE", "SE", "S", "SW", "NW"]
DIRECTIONS: dict[str, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "SE": (1, 0),
    "S": (0, 1),
    "SW": (-1, 1),
    "NW": (-1, 0),
}
"""The six ways out of a hex, in steps along the two axes that meet at 60 degrees."""

PATTERN = r"^(0[1-9]|[1-9]\d){2}$"


def is_hex(name: str) -> bool:
    """Check whether a name is written as a hex of any map."""
    return re.match(PATTERN, name) is not None


def column_and_row(name: str) -> tuple[int, int]:
    """Return the two printed numbers of a hex, both from 1."""
    return int(name[:2]), int(name[2:])


def distance(one: str, other: str) -> int:
    """Return the distance between two hexes: 0 in the same hex, 1 side by side."""
    (q, r), (s, t) = _axes(one), _axes(other)
    return (abs(q - s) + abs(r - t) + abs(q + r - s - t)) // 2


def neighbour(name: str, direction: str) -> str:
    """Return the next hex in a direction; "" at the edge of the grid."""
    (q, r), (across, down) = _axes(name), DIRECTIONS[direction]
    column, row = q + across, r + down + (q + across) // 2
    beside = f"{column + 1:02}{row + 1:02}" if column >= 0 and row >= 0 else ""
    return beside if is_hex(beside) else ""


def neighbours(name: str) -> tuple[str, ...]:
    """Return the hexes around one; none if the name is not a hex."""
    return tuple(filter(None, (neighbour(name, way) for way in DIRECTIONS))) if is_hex(name) else ()


def direction(one: str, other: str) -> str:
    """Return the direction of a step between two neighbours; "" if they are not neighbours."""
    (q, r), (s, t) = _axes(one), _axes(other)
    return next((name for name, step in DIRECTIONS.items() if step == (s - q, t - r)), "")


def _axes(name: str) -> tuple[int, int]:
    column, row = column_and_row(name)
    return column - 1, row - 1 - (column - 1) // 2
