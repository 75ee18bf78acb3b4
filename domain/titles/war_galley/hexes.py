"""Name hexes CCRR: a two-digit column and a two-digit row, both starting at 01.

Columns are vertical, and each even column is half a hex lower than its neighbours. The printed summary does not
describe the map, so a scenario for a map with other numbers must renumber its hexes to this grid.
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
"""The steps to the six neighbours of a hex, in axial coordinates."""

PATTERN = r"^(0[1-9]|[1-9]\d){2}$"


def is_hex(name: str) -> bool:
    """Check whether a name has the form of a hex name; the hex may be off the map."""
    return re.match(PATTERN, name) is not None


def column_and_row(name: str) -> tuple[int, int]:
    """Return the column and the row of a hex, both starting at 1."""
    return int(name[:2]), int(name[2:])


def distance(one: str, other: str) -> int:
    """Return the distance between two hexes: 0 for the same hex, 1 for neighbours."""
    (q, r), (s, t) = _axes(one), _axes(other)
    return (abs(q - s) + abs(r - t) + abs(q + r - s - t)) // 2


def neighbour(name: str, direction: str) -> str:
    """Return the next hex in a direction; "" at the edge of the grid."""
    (q, r), (across, down) = _axes(name), DIRECTIONS[direction]
    column, row = q + across, r + down + (q + across) // 2
    beside = f"{column + 1:02}{row + 1:02}" if column >= 0 and row >= 0 else ""
    return beside if is_hex(beside) else ""


def neighbours(name: str) -> tuple[str, ...]:
    """Return the neighbours of a hex; empty if the name is not a hex."""
    return tuple(filter(None, (neighbour(name, way) for way in DIRECTIONS))) if is_hex(name) else ()


def direction(one: str, other: str) -> str:
    """Return the direction of a step between two neighbours; "" if they are not neighbours."""
    (q, r), (s, t) = _axes(one), _axes(other)
    return next((name for name, step in DIRECTIONS.items() if step == (s - q, t - r)), "")


def _axes(name: str) -> tuple[int, int]:
    column, row = column_and_row(name)
    return column - 1, row - 1 - (column - 1) // 2
