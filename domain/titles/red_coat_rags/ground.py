"""The table without hexes: places are points such as `12.5,30`, in inches or millimetres, or plain words.

All lengths are whole hundredths of the unit, so that nothing is rounded twice and no float comes near the log. In a
scenario of plain words nothing can be measured here: the table measures, and every limit is taken to be kept.
"""

import itertools
import math
import re
from typing import Literal, NamedTuple, get_args

from umpire_ledger.kit import Game, Value

MEASURE = "measure"
"""The marker that says how places are written: inches, millimetres or words."""

LENGTH = r"^\d{1,4}(\.\d{1,2})?$"
POINT = r"^\d{1,4}(\.\d{1,2})?,\d{1,4}(\.\d{1,2})?$"

EXAMPLES = {"inches": "12.5,30", "millimetres": "320,765", "words": "behind the hedge"}


def hundredths(length: Value) -> int:
    """A length of a scenario, a number or `1.5`, in hundredths of its unit; 0 for anything else."""
    text = str(length)
    if isinstance(length, bool) or not re.match(LENGTH, text):
        return 0
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def in_words(length: int) -> str:
    """Hundredths as they are written, for instance 1250 as 12.5."""
    whole, part = divmod(length, 100)
    return f"{whole}.{part:02}".rstrip("0") if part else str(whole)


def point(place: str) -> tuple[int, int] | None:
    """Across and along in hundredths; None for a place in words."""
    if not re.match(POINT, place):
        return None
    across, along = place.split(",")
    return hundredths(across), hundredths(along)


def distance(here: str, there: str) -> int | None:
    """Between two points in hundredths, rounded down; None where one of them is a place in words."""
    one, other = point(here), point(there)
    if one is None or other is None:
        return None
    return math.isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def path_length(path: tuple[str, ...]) -> int | None:
    """Along all its legs; None where one of them cannot be measured."""
    legs = [distance(here, there) for here, there in itertools.pairwise(path)]
    measured = [leg for leg in legs if leg is not None]
    return sum(measured) if len(measured) == len(legs) else None


def is_place(game: Game, place: str) -> bool:
    """Whether a place is written as this scenario writes places."""
    return game.markers.get(MEASURE) == "words" or re.match(POINT, place) is not None


def example(game: Game) -> str:
    """A place as this scenario writes it."""
    return EXAMPLES.get(str(game.markers.get(MEASURE)), EXAMPLES["words"])


def unit_of_measure(game: Game) -> str:
    """For the words of a refusal."""
    return str(game.markers.get(MEASURE) or "")


# --- directions -------------------------------------------------------------------------------------------------------

Facing = Literal["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
"""The way that a front edge looks; N is the upper edge of the table, where the second number of a point is 0."""
POINTS: tuple[Facing, ...] = get_args(Facing)
SCALE = 1000


def _vector(number: int) -> tuple[int, int]:
    """A point of the compass as steps across and along, `SCALE` long, in whole numbers on every machine."""
    angle = math.tau * number / len(POINTS)
    return round(SCALE * math.sin(angle)), -round(SCALE * math.cos(angle))


VECTORS: dict[str, tuple[int, int]] = {name: _vector(number) for number, name in enumerate(POINTS)}


def is_facing(value: Value) -> bool:
    """Whether a facing can be measured; older games hold some in free words."""
    return isinstance(value, str) and value in VECTORS


def points_apart(one: str, other: str) -> int:
    """Points of the compass between two of them, 0 to 8."""
    turn = (POINTS.index(one) - POINTS.index(other)) % len(POINTS)
    return min(turn, len(POINTS) - turn)


def bearing(here: str, there: str) -> Facing | Literal[""]:
    """The point of the compass nearest to the way from one point to another; "" where nothing is measured."""
    one, other = point(here), point(there)
    if one is None or other is None or one == other:
        return ""
    step = (other[0] - one[0], other[1] - one[1])
    return max(POINTS, key=lambda name: _dot(step, VECTORS[name]))


def ahead(here: str, facing: str, length: int) -> str:
    """The point so far before a piece that looks that way, after it where the length is below 0; "" off the table."""
    middle = point(here)
    if middle is None:
        return ""
    x, y = (start + step * length // SCALE for start, step in zip(middle, VECTORS[facing], strict=True))
    return f"{in_words(x)},{in_words(y)}" if x >= 0 and y >= 0 else ""


def _dot(one: tuple[int, int], other: tuple[int, int]) -> int:
    return one[0] * other[0] + one[1] * other[1]


# --- contact ----------------------------------------------------------------------------------------------------------


class Base(NamedTuple):
    """The rectangle that a piece covers: its middle, its facing, its length from front to rear, its width."""

    middle: tuple[int, int]
    facing: str
    length: int
    width: int

    @property
    def axes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Ahead and to the right."""
        across, along = VECTORS[self.facing]
        return (across, along), (-along, across)

    def extent(self, axis: tuple[int, int]) -> int:
        """How long it is along an axis."""
        ahead, right = self.axes
        return (self.length * abs(_dot(ahead, axis)) + self.width * abs(_dot(right, axis))) // SCALE**2


def touch(one: Base, other: Base, slack: int) -> Literal["edge", "corner", ""]:
    """How two pieces touch: along an edge, at a corner, or not at all. `slack`: by which they may be measured wrongly.

    Edges meet where both stand at right angles and lie side by side along more than the slack.
    """
    apart = (other.middle[0] - one.middle[0], other.middle[1] - one.middle[1])
    gaps = [
        (2 * abs(_dot(apart, axis)) // SCALE - one.extent(axis) - other.extent(axis)) // 2
        for axis in (*one.axes, *other.axes)
    ]
    if max(gaps) > slack:
        return ""
    at_right_angles = points_apart(one.facing, other.facing) % (len(POINTS) // 4) == 0
    return "edge" if at_right_angles and min(gaps) < -slack else "corner"
