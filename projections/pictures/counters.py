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
"""The palette of Okabe and Ito (2008) for color-blind readers, with gray instead of black."""
NOBODY, INKS = "#ffffff", ("#ffffff", "#1d2430", "#000000")
READABLE = 4.5
"""The smallest contrast of text that WCAG 2.2 allows (criterion 1.4.3)."""
Pattern = Literal["plain", "stripes", "dots", "checks"]
PATTERNS: tuple[Pattern, ...] = ("plain", "stripes", "dots", "checks")
LONGEST = 5
"""The most characters in the label of a counter."""


class SideLook(msgspec.Struct, frozen=True):
    """The look of a side's counters. `letter`: its own, or the first letter of its name that is still free."""

    side: str
    name: str
    letter: str
    colour: str
    ink: str
    pattern: Pattern


class DrawnCounter(msgspec.Struct, frozen=True):
    """A unit to draw. `label`: a few characters that distinguish it from its neighbors; `facing`: as recorded.

    `symbol`: the name of its drawing, "" for none. `number`: its steps or hits, as the board writes them, "" for none.
    `seen`: for a unit out of sight, the last sighting, for example `last seen turn 3`.
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
    """Return the look of each side by its id, in the order of the sides; `""` is the look of units without a side."""
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
    """Return the color that a side chose, or the color that its name states, such as "the Red"; otherwise ""."""
    return color_of(side.color) or color_of(" ".join(word for word in side.name.split() if word.lower() != "the"))


def with_colors(sides: Iterable[Side], board: Board) -> tuple[Side, ...]:
    """Return the sides; those without a chosen color get the color that the board declares for them, if any."""
    return tuple(replace(side, color=side.color or board.colors.get(side.id, "")) for side in sides)


def ink_on(colour: str) -> str:
    """Return the first ink that is readable on a color. Black or white is readable on every color."""
    return next(ink for ink in INKS if contrast(ink, colour) >= READABLE)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors as defined in WCAG 2.2, from 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _letter(name: str, taken: set[str]) -> str:
    """Return the first free letter of a name, ignoring "The"; ? if none is free."""
    words = [word for word in name.split() if word.lower() != "the"] or [name]
    return next((one for one in "".join(words).upper() if one.isalnum() and one not in taken), "?")


def counter_of(board: Board, unit: Unit, sides: Collection[str] = (), seen: str = "") -> DrawnCounter:
    """Return the counter of a unit.

    Args:
        board: The board, which declares signs, numbers and symbols.
        unit: The unit as the seat knows it.
        sides: Ids of the sides of the game.
        seen: The last sighting of a unit out of sight, or "".
    """
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
    """Return the label of a unit: its kind if that is short (D7C), or the number in its id, or its initials.

    A captured unit may have the name of another side. Its number then gets the initial of that side, for example S8,
    because its new side may have a unit with the same number.
    """
    if re.fullmatch(f"[A-Z0-9+]{{1,{LONGEST}}}", unit.kind):
        return unit.kind
    words = re.findall("[A-Za-z0-9]+", unit.id)
    if number := re.search("[0-9]+$", unit.id):
        stem = unit.id[: number.start()].rstrip("-_. ")
        return f"{stem[0].upper() if stem in sides and stem != unit.side else ''}{number[0]}"[:LONGEST]
    return "".join(word[0] for word in words)[:3].upper() or "?"


def _number(numbers: Mapping[str, str], unit: Unit) -> str:
    """Return the first nonzero number that the board declares for the counter, with its prefix; "" if none."""
    found = ((before, unit.get(name)) for name, before in numbers.items())
    return next((f"{before}{one}" for before, one in found if one and type(one) is int), "")


def _signs(signs: Mapping[str, Sign], unit: Unit) -> tuple[Sign, ...]:
    """Return the distinct signs on the counter; the attributes `hidden` and `crippled` need no declaration."""
    own: dict[str, Sign] = {"hidden": "hidden", "crippled": "crippled", **signs}
    return tuple(dict.fromkeys(sign for name, sign in own.items() if unit.get(name)))
