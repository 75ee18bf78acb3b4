"""Count the faces of the dice and compare them with fair dice, by Pearson's χ² and its probability.

The probability is the upper regularized gamma function Q(a, x) with a = degrees / 2 and x = χ² / 2. It is computed by
its series for x < a + 1, and by Lentz's continued fraction otherwise (Abramowitz and Stegun 6.5.29 and 6.5.31). The
test needs large counts: if the expected number of each face is below 5, `warning` says that it proves little.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp, inf, isclose, lgamma, log

import msgspec

FEWEST = 5
"""Expected number of each face below which χ² proves little (Cochran's rule)."""
TERMS = 10_000
TINY = 1e-300


class Faces(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one kind of die. `counts`: the number of each face, from face 1 on; `mean`: the average result.

    `p`: the probability that fair dice are at least this uneven. `warning`: "" if there are enough dice for the test.
    """

    die: str
    dice: int
    counts: tuple[int, ...]
    mean: float
    expected: float
    chi_square: float
    degrees: int
    p: float
    warning: str


def faces(sides: int, pips: Iterable[int]) -> Faces:
    """Count the results of dice with `sides` faces."""
    found = Counter(pips)
    counts = tuple(found[face] for face in range(1, sides + 1))
    dice = sum(counts)
    expected = dice / sides
    uneven = chi_square(counts)
    return Faces(
        die=f"d{sides}",
        dice=dice,
        counts=counts,
        mean=sum(face * number for face, number in enumerate(counts, 1)) / dice if dice else 0.0,
        expected=expected,
        chi_square=uneven,
        degrees=sides - 1,
        p=p_value(uneven, sides - 1),
        warning=warning(dice, sides),
    )


def warning(dice: int, sides: int) -> str:
    """Return the warning for a probability from too few dice, or ""."""
    if dice >= FEWEST * sides:
        return ""
    return f"too few dice to judge: {dice / sides:.1f} of each face expected, {FEWEST} needed: {FEWEST * sides} dice"


def chi_square(counts: Sequence[int]) -> float:
    """Return Pearson's χ² of counts that should all be equal; 0 if there are none."""
    total = sum(counts)
    if not total:
        return 0.0
    expected = total / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def p_value(uneven: float, degrees: int) -> float:
    """Return the probability of a χ² of at least `uneven`, from 0 to 1."""
    return upper_gamma(degrees / 2, uneven / 2)


def upper_gamma(a: float, x: float) -> float:
    """Return the upper regularized incomplete gamma function Q(a, x), for a > 0 and x ≥ 0.

    The relative error is below 1e-10.
    """
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    return 1.0 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for n in range(1, TERMS):
        term *= x / (a + n)
        total += term
        if term < total * 1e-16:
            break
    return total


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = inf, 1 / b
    value = d
    for n in range(1, TERMS):
        step = n * (a - n)
        b += 2
        d = 1 / (step * d + b or TINY)
        c = b + step / c or TINY
        value *= c * d
        if isclose(c * d, 1, rel_tol=1e-15):
            break
    return value


# --- rolls ------------------------------------------------------------------------------------------------------------


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a roll that statistics need."""

    seat: str
    purpose: str
    sides: int
    pips: tuple[int, ...]


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """All dice of one kind: in the game, of one seat, or for one purpose. `of`: `die`, `seat` or `purpose`."""

    of: str
    name: str
    rolls: int
    faces: Faces


def totals(rolls: Sequence[Thrown]) -> Iterator[Total]:
    """Yield the totals by die, by seat and die, and by purpose and die."""
    for of in ("die", "seat", "purpose"):
        groups: dict[tuple[str, int], list[Thrown]] = {}
        for roll in rolls:
            name = f"d{roll.sides}" if of == "die" else roll.seat if of == "seat" else roll.purpose
            groups.setdefault((name, roll.sides), []).append(roll)
        for (name, sides), group in sorted(groups.items()):
            pips = (pip for roll in group for pip in roll.pips)
            yield Total(of=of, name=name, rolls=len(group), faces=faces(sides, pips))


def plain_purpose(purpose: str, subjects: Iterable[str] = (), names: Iterable[str] = ()) -> str:
    """Return a purpose without names and places, so that rolls for the same purpose are counted together.

    Names and words with a digit become "…". Text after a colon or comma is omitted, because it describes one roll.
    """
    about = {*subjects, *names}
    head = re.split(r"[:,](?= |$)", purpose.strip(), maxsplit=1)[0]
    words = ("…" if word in about or any(map(str.isdigit, word)) else word for word in head.split())
    return " ".join(words) or purpose
