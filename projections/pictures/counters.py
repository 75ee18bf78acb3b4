"""Define the looks of sides and units. Color, pattern and letter differ, so that any one of them is enough."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from umpire_ledger.domain.game.board import Board, Sign
from umpire_ledger.domain.game.events import Side
from umpire_ledger.domain.game.state import Unit

COLOURS = (
    ("#0072b2", "#ffffff"),
    ("#e69f00", "#1d2430"),
    ("#009e73", "#ffffff"),
    ("#cc79a7", "#1d2430"),
    ("#f0e442", "#1d2430"),
    ("#56b4e9", "#1d2430"),
    ("#d55e00", "#ffffff"),
    ("#5b6573", "#ffffff"),
)
"""The palette of Okabe and Ito for color-blind readers (2008), with gray for black; each with the color of its ink."""
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

    `seen`: of a unit out of sight, the time of the last sighting, for instance `last seen turn 3`.
    """

    unit: str
    side: str
    kind: str
    label: str
    signs: tuple[Sign, ...] = ()
    facing: str = ""
    seen: str = ""


def looks_of(sides: Iterable[Side]) -> dict[str, SideLook]:
    """Return the look of each side by its id, in their order; `""` is the look of units without a side."""
    looks: dict[str, SideLook] = {}
    letters: set[str] = set()
    for at, side in enumerate(sides):
        colour, ink = COLOURS[at % len(COLOURS)]
        letter = _letter(side.name or side.id, letters)
        letters.add(letter)
        pattern = PATTERNS[(at + at // len(COLOURS)) % len(PATTERNS)]
        looks[side.id] = SideLook(side.id, side.name or side.id, letter, colour, ink, pattern)
    looks[""] = SideLook("", "nobody", "", "#ffffff", "#1d2430", "plain")
    return looks


def _letter(name: str, taken: set[str]) -> str:
    """Return the first free letter of a name, without "The"; ? if there is none."""
    words = [word for word in name.split() if word.lower() != "the"] or [name]
    return next((one for one in "".join(words).upper() if one.isalnum() and one not in taken), "?")


def counter_of(board: Board, unit: Unit, sides: Collection[str] = (), seen: str = "") -> DrawnCounter:
    """Return the counter of a unit. `sides`: those of the game, by id."""
    facing = unit.get(board.facing) if board.facing else None
    told = str(facing) if isinstance(facing, str | int) and not isinstance(facing, bool) else ""
    return DrawnCounter(unit.id, unit.side, unit.kind, label_of(unit, sides), _signs(board.signs, unit), told, seen)


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


def _signs(signs: Mapping[str, Sign], unit: Unit) -> tuple[Sign, ...]:
    """Return the signs on the counter, each once; an attribute with the name of a sign needs no declaration."""
    own: dict[str, Sign] = {"hidden": "hidden", "crippled": "crippled", **signs}
    return tuple(dict.fromkeys(sign for name, sign in own.items() if unit.get(name)))
