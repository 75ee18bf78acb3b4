"""Measure distances on a table without hexes, where places are points such as `12.5,30` or plain words.

Points are in inches or millimetres. All lengths are integers in hundredths of the unit, so that no length is rounded
twice and no float gets into the log. If places are plain words, the players measure, and Umpire treats every limit as
kept.
"""

import itertools
import math
import re
from typing import Literal, NamedTuple, get_args

from umpire_ledger.kit import Game, Value

MEASURE = "measure"
"""Marker with the notation of places: inches, millimetres or words."""

LENGTH = r"^\d{1,4}(\.\d{1,2})?$"
POINT = r"^\d{1,4}(\.\d{1,2})?,\d{1,4}(\.\d{1,2})?$"

EXAMPLES = {"inches": "12.5,30", "millimetres": "320,765", "words": "behind the hedge"}


def hundredths(length: Value) -> int:
    """Return a length from a scenario, for example 2 or "1.5", in hundredths of its unit; 0 for any other value."""
    text = str(length)
    if isinstance(length, bool) or not re.match(LENGTH, text):
        return 0
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def in_words(length: int) -> str:
    """Write hundredths as a decimal number, for instance 1250 as 12.5."""
    whole, part = divmod(length, 100)
    return f"{whole}.{part:02}".rstrip("0") if part else str(whole)


def point(place: str) -> tuple[int, int] | None:
    """Return the coordinates of a place, across and along, in hundredths; None for a place in words."""
    if not re.match(POINT, place):
        return None
    across, along = place.split(",")
    return hundredths(across), hundredths(along)


def distance(here: str, there: str) -> int | None:
    """Return the distance between two points in hundredths, rounded down; None if either place is in words."""
    one, other = point(here), point(there)
    if one is None or other is None:
        return None
    return math.isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def path_length(path: tuple[str, ...]) -> int | None:
    """Return the length of a path along all its legs; None if any leg cannot be measured."""
    legs = [distance(here, there) for here, there in itertools.pairwise(path)]
    measured = [leg for leg in legs if leg is not None]
    return sum(measured) if len(measured) == len(legs) else None


def is_place(game: Game, place: str) -> bool:
    """Check whether a place is written in the notation of this scenario."""
    return game.markers.get(MEASURE) == "words" or re.match(POINT, place) is not None


def example(game: Game) -> str:
    """Return an example of a place in the notation of this scenario."""
    return EXAMPLES.get(str(game.markers.get(MEASURE)), EXAMPLES["words"])


def unit_of_measure(game: Game) -> str:
    """Return the unit of measure, for refusals."""
    return str(game.markers.get(MEASURE) or "")


# --- directions -------------------------------------------------------------------------------------------------------

Facing = Literal["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
"""The direction of a front edge; N is the upper edge of the table, at 0 of a point's second number."""
POINTS: tuple[Facing, ...] = get_args(Facing)
SCALE = 1000


def _vector(number: int) -> tuple[int, int]:
    """Return a compass point as a vector of length `SCALE`, in integers that are the same on every machine."""
    angle = math.tau * number / len(POINTS)
    return round(SCALE * math.sin(angle)), -round(SCALE * math.cos(angle))


VECTORS: dict[str, tuple[int, int]] = {name: _vector(number) for number, name in enumerate(POINTS)}


def is_facing(value: Value) -> bool:
    """Check whether a facing is a compass point; older games contain facings in free words."""
    return isinstance(value, str) and value in VECTORS


def points_apart(one: str, other: str) -> int:
    """Return the angle between two compass points, in sixteenths of a circle: 0 to 8."""
    turn = (POINTS.index(one) - POINTS.index(other)) % len(POINTS)
    return min(turn, len(POINTS) - turn)


def bearing(here: str, there: str) -> Facing | Literal[""]:
    """Return the compass point nearest to the direction from one place to another; "" if it cannot be measured."""
    one, other = point(here), point(there)
    if one is None or other is None or one == other:
        return ""
    step = (other[0] - one[0], other[1] - one[1])
    return max(POINTS, key=lambda name: _dot(step, VECTORS[name]))


def ahead(here: str, facing: str, length: int) -> str:
    """Return the point at a distance ahead of a place, or to its rear if the length is negative.

    Return "" if the place is in words, or if a coordinate of the point would be below 0.
    """
    middle = point(here)
    if middle is None:
        return ""
    x, y = (start + step * length // SCALE for start, step in zip(middle, VECTORS[facing], strict=True))
    return f"{in_words(x)},{in_words(y)}" if x >= 0 and y >= 0 else ""


def _dot(one: tuple[int, int], other: tuple[int, int]) -> int:
    return one[0] * other[0] + one[1] * other[1]


# --- contact ----------------------------------------------------------------------------------------------------------


class BaseRectangle(NamedTuple):
    """The rectangle that a piece covers: its middle, its facing, its length from front to rear, its width."""

    middle: tuple[int, int]
    facing: str
    length: int
    width: int

    @property
    def axes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The directions ahead and to the right, as vectors of length `SCALE`."""
        across, along = VECTORS[self.facing]
        return (across, along), (-along, across)

    def extent(self, axis: tuple[int, int]) -> int:
        """Return the length of the base along an axis."""
        ahead, right = self.axes
        return (self.length * abs(_dot(ahead, axis)) + self.width * abs(_dot(right, axis))) // SCALE**2


def touch(base: BaseRectangle, other: BaseRectangle, slack: int) -> Literal["edge", "corner", ""]:
    """Decide whether two pieces touch along an edge, at a corner, or not at all.

    They touch along an edge if their bases are parallel or at right angles, and overlap along the edge by more than
    `slack`, the measuring tolerance.
    """
    apart = (other.middle[0] - base.middle[0], other.middle[1] - base.middle[1])
    gaps = [
        (2 * abs(_dot(apart, axis)) // SCALE - base.extent(axis) - other.extent(axis)) // 2
        for axis in (*base.axes, *other.axes)
    ]
    if max(gaps) > slack:
        return ""
    at_right_angles = points_apart(base.facing, other.facing) % (len(POINTS) // 4) == 0
    return "edge" if at_right_angles and min(gaps) < -slack else "corner"
