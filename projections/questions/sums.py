"""Count the sums of several dice and compare them with fair dice, by χ².

The highest and lowest sums are rare. So neighboring sums are joined, from the lowest on, until each class has at least
`FEWEST` expected throws (Cochran's rule). The remaining sums join the last class.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from umpire_ledger.projections.questions.dice_statistics import FEWEST, p_value

MOST_SUMS = 60
"""The largest number of sums that a histogram shows legibly."""


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of throws of several dice. `sums`: all sums, from the lowest on; `expected`: expected number of each.

    `classes`: the groups of sums that χ² compares. `p` is None if there are fewer than two, from too few throws.
    """

    dice: str
    throws: int
    sums: tuple[int, ...]
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    classes: tuple[tuple[int, ...], ...]
    chi_square: float
    degrees: int
    p: float | None


def chances(number: int, faces: int) -> list[Fraction]:
    """Return the probability of each sum of `number` dice, from the lowest sum on."""
    found = [Fraction(1)]
    for _ in range(number):
        more = [Fraction(0)] * (len(found) + faces - 1)
        for at, chance in enumerate(found):
            for face in range(faces):
                more[at + face] += chance / faces
        found = more
    return found


def sums(number: int, faces: int, thrown: Iterable[int]) -> Sums:
    """Return the statistics of the sums of `number` dice, without modifiers."""
    found = Counter(thrown)
    every = range(number, number * faces + 1)
    counts = [found[one] for one in every]
    throws = sum(counts)
    likely = [chance * throws for chance in chances(number, faces)]
    classes = _classes(likely)
    uneven = Fraction(0)
    for some in classes if len(classes) > 1 else ():
        expected = sum((likely[at] for at in some), Fraction(0))
        uneven += (sum(counts[at] for at in some) - expected) ** 2 / expected
    degrees = max(len(classes) - 1, 0)
    return Sums(
        dice=f"{number}d{faces}",
        throws=throws,
        sums=tuple(every),
        counts=tuple(counts),
        expected=tuple(map(float, likely)),
        classes=tuple(tuple(every[at] for at in some) for some in classes),
        chi_square=float(uneven),
        degrees=degrees,
        p=p_value(float(uneven), degrees) if degrees else None,
    )


def _classes(likely: Sequence[Fraction]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for at in range(len(likely)):
        if sum(likely[one] for one in found[-1]) >= FEWEST:
            found.append([])
        found[-1].append(at)
    if len(found) > 1 and sum(likely[one] for one in found[-1]) < FEWEST:
        rest = found.pop()
        found[-1] += rest
    return found
