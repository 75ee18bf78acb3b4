"""Draw rolls as SVG, every die with its result, and the roll in words next to the dice."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.projections.pictures.shapes import (
    FACE,
    GROUND,
    INK,
    SOFT,
    Spot,
    circle,
    document,
    rectangle,
    text,
    wrapped,
)
from umpire_ledger.projections.record.outcome_phrases import dice_said

DIE, GAP, MARGIN, WIDE, LINE_HIGH = 26.0, 4.0, 10.0, 760.0, 14.0
IN_A_ROW = 8
"""The most dice of a roll in one row."""
LETTER = 6.2
"""Approximate width of a letter."""
SPOTS = {"m": (0.5, 0.5), "a": (0.25, 0.25), "b": (0.75, 0.75), "c": (0.75, 0.25), "d": (0.25, 0.75)}
SPOTS |= {"e": (0.25, 0.5), "f": (0.75, 0.5)}
PIPS = {1: "m", 2: "ab", 3: "mab", 4: "abcd", 5: "mabcd", 6: "abcdef"}
"""Positions of the spots on each face of a standard die, as keys of `SPOTS`."""
STYLE = f"""
{FACE}
.die {{ fill: #fff; stroke: {INK}; stroke-width: 1.2 }} .pip {{ fill: {INK} }}
.number {{ font-size: 12px; font-weight: 650; text-anchor: middle }} .sides {{ font-size: 6px; text-anchor: middle }}
.said {{ font-size: 11px }} .note {{ font-size: 11px; fill: {SOFT} }} .left {{ fill: {GROUND}; stroke-dasharray: 3 2 }}
"""


class DrawnRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll to draw. `counts`: False if rewound; `said`: the roll in words, with position and seat."""

    faces: int
    pips: tuple[int, ...]
    said: str
    counts: bool = True


def throw_of(position: int, seat: str, event: DiceRolled, *, counts: bool = True) -> DrawnRoll:
    """Return the data for drawing a roll."""
    left = "" if counts else ", no longer counts"
    said = f"#{position} {seat}, {event.purpose}: {dice_said(event)}{left}"
    return DrawnRoll(faces=parse(event.dice).faces, pips=event.pips, said=said, counts=counts)


def dice_svg_of(throws: Sequence[DrawnRoll], title: str) -> str:
    """Return one SVG document with a row for each roll: its dice and its text."""
    rows = list(_rows(throws))
    high = sum(row for _, row, _ in rows) + 2 * MARGIN if rows else 2 * MARGIN + LINE_HIGH
    root = document((0, 0, WIDE, high), title, STYLE, " ".join(f"{one.said}." for one in throws) or "No dice.")
    y = MARGIN
    for one, row, words in rows:
        _throw(root, one, words, y)
        y += row
    if not rows:
        text(root, (MARGIN, MARGIN + 11), "No dice.", "note")
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def faces_svg_of(faces: int, pips: Sequence[int], title: str) -> str:
    """Return the dice of one roll without text, to show within a line."""
    one = DrawnRoll(faces=faces, pips=tuple(pips), said="")
    wide, high = _wide(one), -(-len(pips) // IN_A_ROW) * (DIE + GAP)
    root = document((MARGIN - 2, MARGIN - 2, wide - GAP, high + 2), title, STYLE)
    _throw(root, one, (), MARGIN)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _rows(throws: Sequence[DrawnRoll]) -> Iterator[tuple[DrawnRoll, float, list[str]]]:
    """Yield each roll with the height of its row, and its text in lines."""
    for one in throws:
        words = wrapped(one.said, WIDE - 2 * MARGIN - _wide(one), LETTER)
        down = -(-len(one.pips) // IN_A_ROW)
        yield one, max(down * (DIE + GAP), LINE_HIGH * len(words)) + 2 * GAP, words


def _wide(one: DrawnRoll) -> float:
    return min(len(one.pips), IN_A_ROW) * (DIE + GAP) + 2 * GAP


def _throw(root: Element, roll: DrawnRoll, words: Sequence[str], y: float) -> None:
    group = SubElement(root, "g")
    for at, pip in enumerate(roll.pips):
        spot = MARGIN + at % IN_A_ROW * (DIE + GAP), y + at // IN_A_ROW * (DIE + GAP)
        _die(group, roll, pip, spot)
    for at, line in enumerate(words):
        text(group, (MARGIN + _wide(roll), y + 12 + at * LINE_HIGH), line, "said")


def _die(group: Element, roll: DrawnRoll, pip: int, corner: Spot) -> None:
    """Draw spots for a die with at most six faces; otherwise the number and the kind of die."""
    x, y = corner
    rectangle(group, (x, y, DIE, DIE), **{"class": "die" if roll.counts else "die left", "rx": "4"})
    if roll.faces <= max(PIPS) and pip in PIPS:
        for across, down in (SPOTS[name] for name in PIPS[pip]):
            circle(group, (x + across * DIE, y + down * DIE), 2.6, "pip")
        return
    text(group, (x + DIE / 2, y + DIE / 2 + 2), str(pip), "number")
    text(group, (x + DIE / 2, y + DIE - 3), f"d{roll.faces}", "sides")
