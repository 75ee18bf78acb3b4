"""The table without hexes: places are points such as `12.5,30`, in inches or millimetres, or plain words.

All lengths are whole hundredths of the unit, so that nothing is rounded twice and no float comes near the log. In a
scenario of plain words nothing can be measured here: the table measures, and every limit is taken to be kept.
"""

import itertools
import math
import re

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
