"""Define the looks of sides and units. Color, pattern and letter differ, so that any one of them is enough."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from umpire_ledger.domain.game.board import Board, Sign
from umpire_ledger.domain.game.events import Side
from umpire_ledger.domain.game.looks import color_of, symbol_of
from umpire_ledger.domain.game.state import Unit, replace

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#56b4e9", "#d55e00", "#5b6573")
"""The palette of Okabe and Ito for color-blind readers (2008), with gray for black."""
NOBODY, INKS = "#ffffff", ("#ffffff", "#1d2430", "#000000")
READABLE = 4.5
"""The contrast of text that WCAG 2.2 asks for (1.4.3)."""
Pattern = Literal["plain", "stripes", "dots", "checks"]
PATTERNS: tuple[Pattern, ...] = ("plain", "stripes", "dots", "checks")
LONGEST = 5
"""The most characters on a counter."""


class SideLook(msgspec.Struct, frozen=True):
    """The look of a side's counters. `letter`: the first letter of its name that no earlier side has."""

    side: str
    name: str
    letter: str
    colour: str
    ink: str
    pattern: Pattern


class DrawnCounter(msgspec.Struct, frozen=True):
    """A unit to draw. `label`: a few characters that distinguish it from its neighbors; `facing`: as recorded.

    `symbol`: its drawing, "" for none. `number`: its steps or hits, as the board writes them, "" for none.
    `seen`: of a unit out of sight, the time of the last sighting, for instance `last seen turn 3`.
    """

    unit: str
    side: str
    kind: str
    label: str
    signs: tuple[Sign, ...] = ()
    facing: str = ""
    seen: str = ""
    symbol: str = ""
    number: str = ""


def looks_of(sides: Iterable[Side]) -> dict[str, SideLook]:
    """Return the look of each side by its id, in their order; `""` is the look of units without a side."""
    sides = tuple(sides)
    chosen = [_chosen(side) for side in sides]
    free = [color for color in COLOURS if color not in chosen] or COLOURS
    letters = {side.letter.upper() for side in sides}
    looks: dict[str, SideLook] = {}
    for at, side in enumerate(sides):
        letter = side.letter.upper() or _letter(side.name or side.id, letters)
        letters.add(letter)
        colour = chosen[at] or free[chosen[:at].count("") % len(free)]
        pattern = PATTERNS[(at + at // len(COLOURS)) % len(PATTERNS)]
        looks[side.id] = SideLook(side.id, side.name or side.id, letter, colour, ink_on(colour), pattern)
    looks[""] = SideLook("", "nobody", "", NOBODY, ink_on(NOBODY), "plain")
    return looks


def _chosen(side: Side) -> str:
    """Return the color that a side chose, or that is its name: Red is red. "" if it has none."""
    return color_of(side.color) or color_of(" ".join(word for word in side.name.split() if word.lower() != "the"))


def with_colors(sides: Iterable[Side], board: Board) -> tuple[Side, ...]:
    """Return the sides, each with the color that the board gives it unless it chose one."""
    return tuple(replace(side, color=side.color or board.colors.get(side.id, "")) for side in sides)


def ink_on(colour: str) -> str:
    """Return the first ink that can be read on a color; black or white can be read on any."""
    return next(ink for ink in INKS if contrast(ink, colour) >= READABLE)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors by WCAG 2.2, from 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _letter(name: str, taken: set[str]) -> str:
    """Return the first free letter of a name, without "The"; ? if there is none."""
    words = [word for word in name.split() if word.lower() != "the"] or [name]
    return next((one for one in "".join(words).upper() if one.isalnum() and one not in taken), "?")


def counter_of(board: Board, unit: Unit, sides: Collection[str] = (), seen: str = "") -> DrawnCounter:
    """Return the counter of a unit. `sides`: those of the game, by id."""
    facing = unit.get(board.facing) if board.facing else None
    told = str(facing) if isinstance(facing, str | int) and not isinstance(facing, bool) else ""
    return DrawnCounter(
        unit=unit.id,
        side=unit.side,
        kind=unit.kind,
        label=label_of(unit, sides),
        signs=_signs(board.signs, unit),
        facing=told,
        seen=seen,
        symbol=symbol_of(board.symbols, unit.kind),
        number=_number(board.numbers, unit),
    )


def label_of(unit: Unit, sides: Collection[str] = ()) -> str:
    """Return a kind as players write it (D7C), else the number at the end of the unit's id, else its initials.

    A captured unit has the name of another side: S8 among the Athenians, who may have an 8.
    """
    if re.fullmatch(f"[A-Z0-9+]{{1,{LONGEST}}}", unit.kind):
        return unit.kind
    words = re.findall("[A-Za-z0-9]+", unit.id)
    if number := re.search("[0-9]+$", unit.id):
        stem = unit.id[: number.start()].rstrip("-_. ")
        return f"{stem[0].upper() if stem in sides and stem != unit.side else ''}{number[0]}"[:LONGEST]
    return "".join(word[0] for word in words)[:3].upper() or "?"


def _number(numbers: Mapping[str, str], unit: Unit) -> str:
    """Return the first number that the board wants on the counter, with its prefix."""
    found = ((before, unit.get(name)) for name, before in numbers.items())
    return next((f"{before}{one}" for before, one in found if one and type(one) is int), "")


def _signs(signs: Mapping[str, Sign], unit: Unit) -> tuple[Sign, ...]:
    """Return the signs on the counter, each once; an attribute with the name of a sign needs no declaration."""
    own: dict[str, Sign] = {"hidden": "hidden", "crippled": "crippled", **signs}
    return tuple(dict.fromkeys(sign for name, sign in own.items() if unit.get(name)))
