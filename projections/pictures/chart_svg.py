"""Draw a chart as SVG, with panels of bars, lines or rows in the look of each side, readable even without color."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from umpire_ledger.projections.pictures.charts import Chart, Panel, Series
from umpire_ledger.projections.pictures.shapes import (
    BAD,
    FACE,
    GROUND,
    INK,
    LINE,
    SOFT,
    Box,
    Spot,
    document,
    number,
    points,
    rectangle,
    side_fills,
    text,
    wrapped,
)
from umpire_ledger.projections.record.escaping import inert

WIDE, COLUMN, GAP, MARGIN = 760.0, 360.0, 20.0, 10.0
TITLE_HIGH, NAME_HIGH, PLOT_HIGH, FOOT_HIGH, NOTE_HIGH, ROW_HIGH = 50.0, 20.0, 150.0, 18.0, 14.0, 30.0
LEFT, RIGHT = 34.0, 108.0
"""Width to the left of a plot for the numbers of its axis, and to the right for the words at the ends of lines."""
NAMES_WIDE = 130.0
"""Width of the column for the names of rows."""
LETTER = 5.6
"""Approximate width of a letter in a note."""
APART = 11.0
"""Smallest vertical distance between words at the ends of lines."""
MOST_ASIDE = 3
"""The most steps that a counter moves right to leave other counters visible."""
MOST_NAMES = 16
"""The most names below a plot; if there are more, only every second or later one is shown."""
FOR_A_NUMBER, FOR_A_LETTER = 7.0, 9.0
"""Smallest width of a bar for a number above it, and for a letter in it."""
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2")
STYLE = f"""
{FACE}
.title {{ font-size: 15px; font-weight: 650 }} .sub {{ font-size: 11px; fill: {SOFT} }}
.name {{ font-size: 11.5px; font-weight: 650 }} .note {{ font-size: 9.5px; fill: {SOFT} }}
.tick {{ font-size: 9px; fill: {SOFT} }} .middle {{ text-anchor: middle }} .end {{ text-anchor: end }}
.value {{ font-size: 8.5px; text-anchor: middle; paint-order: stroke; stroke: {GROUND}; stroke-width: 2.5 }}
.said {{ font-size: 9.5px }}
.letter {{ font-size: 8px; font-weight: 700; text-anchor: middle }}
.grid {{ stroke: {LINE}; stroke-width: 0.7 }} .axis {{ stroke: {INK}; stroke-width: 1 }}
.bar {{ stroke: {INK}; stroke-width: 0.9 }} .inner {{ fill: {INK} }} .anybody {{ fill: #c3ccd4 }}
.hoped {{ fill: none; stroke: {BAD}; stroke-width: 1.6; stroke-dasharray: 4 2 }} .key {{ font-size: 9px; fill: {BAD} }}
.line {{ fill: none; stroke-width: 1.8 }}
"""


class _Scale(msgspec.Struct, frozen=True):
    """The scale of a plot. `low`, `high`: its smallest and largest value; `ticks`: the numbers on its axis."""

    box: Box
    low: float
    high: float
    ticks: tuple[float, ...]

    def y(self, value: float) -> float:
        _, top, _, high = self.box
        return top + high - (value - self.low) / (self.high - self.low) * high


def chart_svg_of(chart: Chart) -> str:
    """Return the chart as one SVG document, with its title and a description. User-supplied text is escaped."""
    placed = list(_placed(chart))
    bottom = max((box[1] + box[3] for _, box in placed), default=TITLE_HIGH + 30)
    said = chart.words
    root = document(
        (0, 0, WIDE, bottom + MARGIN), f"{chart.name or chart.game}: {chart.title}", STYLE, " ".join(said[1:])
    )
    side_fills(SubElement(root, "defs"), chart.looks.values())
    text(root, (MARGIN, 22), chart.name or chart.game, "title")
    text(root, (MARGIN, 38), f"{chart.title} · {chart.game}{f' ({chart.copied})' if chart.copied else ''}", "sub")
    for panel, box in placed:
        group = SubElement(root, "g")
        _cut(group, (box[0], box[1] + 12), panel.name, "name", box[2])
        _DRAWN[panel.sort](group, chart, panel, box)
    if not placed:
        text(root, (MARGIN, TITLE_HIGH + 16), "No data.", "note")
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _placed(chart: Chart) -> Iterator[tuple[Panel, Box]]:
    """Yield each panel with its box, in two columns; the only panel of a chart has the full width."""
    top, row = TITLE_HIGH, []
    for at, panel in enumerate(chart.panels):
        row.append(panel)
        if len(row) == 2 or at == len(chart.panels) - 1 or panel.sort == "rows":
            wide = COLUMN if len(row) == 2 or len(chart.panels) > 1 else WIDE - 2 * MARGIN
            high = max(_high(one, wide) for one in row)
            for column, one in enumerate(row):
                yield one, (MARGIN + column * (COLUMN + GAP), top, wide, high)
            top, row = top + high + GAP, []


def _high(panel: Panel, wide: float) -> float:
    notes = NOTE_HIGH * len(wrapped(panel.note, wide, LETTER))
    if panel.sort == "rows":
        return NAME_HIGH + ROW_HIGH * len(panel.series) + notes
    legend = NOTE_HIGH if panel.sort == "bars" and len(panel.series) > 1 else 0
    return NAME_HIGH + _plot_high(panel) + FOOT_HIGH + legend + notes


def _plot_high(panel: Panel) -> float:
    """Return the height of a plot; a plot of many lines is higher, for the words at their ends."""
    return max(PLOT_HIGH, APART * (len(panel.series) + 1)) if panel.sort == "lines" else PLOT_HIGH


def _cut(into: Element, spot: Spot, said: str, kind: str, wide: float) -> None:
    """Draw a text in one line; a text that is too long is cut, and its tooltip has the whole text."""
    most = max(int(wide / LETTER), 4)
    one = text(into, spot, said if len(said) <= most else f"{said[: most - 1]}…", kind)
    if len(said) > most:
        SubElement(one, "title").text = inert(said)


def _notes(into: Element, panel: Panel, corner: Spot, wide: float) -> None:
    for at, line in enumerate(wrapped(panel.note, wide, LETTER)):
        text(into, (corner[0], corner[1] + at * NOTE_HIGH), line, "note")


# --- the plot ---------------------------------------------------------------------------------------------------------


def _plot(group: Element, panel: Panel, box: Box, right: float) -> _Scale:
    """Draw the axes of a plot, with numbers to the left, lines across and names below, and return its scale."""
    values = [value for one in panel.series for value in one.values if value is not None]
    left, top, wide, _ = box
    inside = (left + LEFT, top + NAME_HIGH, wide - LEFT - right, _plot_high(panel))
    low, high, ticks = _ticks(min([0.0, *values]), max([1.0, *values, *panel.expected]))
    scale = _Scale(inside, low, high, ticks)
    for tick in ticks:
        y = scale.y(tick)
        _line(group, (inside[0], y), (inside[0] + inside[2], y), "axis" if tick == 0 else "grid")
        text(group, (inside[0] - 4, y + 3), f"{tick:g}", "tick end")
    every = ceil(len(panel.across) / MOST_NAMES)
    for at, name in enumerate(panel.across):
        if at % every == 0:
            text(group, (_middle(inside, panel, at), inside[1] + inside[3] + 13), name, "tick middle")
    return scale


def _ticks(least: float, most: float) -> tuple[float, float, tuple[float, ...]]:
    """Return the lowest and highest value of a scale, and about five round whole numbers for its axis."""
    step = max((most - least) / 5, 1.0)
    size = 10.0 ** floor(log10(step))
    step = next(size * one for one in (1, 2, 5, 10) if size * one >= step)
    first, last = floor(least / step), ceil(most * 1.04 / step)
    return first * step, last * step, tuple(step * at for at in range(first, last + 1))


def _middle(inside: Box, panel: Panel, at: int) -> float:
    return inside[0] + (at + 0.5) * inside[2] / len(panel.across)


def _line(into: Element, one: Spot, other: Spot, kind: str) -> None:
    ends = {"x1": number(one[0]), "y1": number(one[1]), "x2": number(other[0]), "y2": number(other[1])}
    SubElement(into, "line", {**ends, "class": kind})


# --- bars -------------------------------------------------------------------------------------------------------------


def _bars(group: Element, chart: Chart, panel: Panel, box: Box) -> None:
    """Draw bars side by side for each name, with their numbers, and a dashed line for the expected values."""
    scale = _plot(group, panel, box, 4)
    inside, many = scale.box, len(panel.series)
    room = inside[2] / len(panel.across)
    thick = room * 0.8 / many
    numbers = Element("g")
    for at, name in enumerate(panel.across):
        for which, series in enumerate(panel.series):
            value = series.values[at] or 0
            x = inside[0] + at * room + room * 0.1 + which * thick
            _bar(group, chart, series, (x, scale.y(value), thick, scale.y(0) - scale.y(value)), f"{name}: {value:g}")
            if value and thick >= FOR_A_NUMBER:
                text(numbers, (x + thick / 2, scale.y(value) - 3), f"{value:g}", "value")
    if panel.expected:
        _hoped(group, panel, scale, room)
    group.append(numbers)
    below = inside[1] + PLOT_HIGH + FOOT_HIGH + 8
    if many > 1:
        _legend(group, chart, panel.series, (box[0] + LEFT, below))
        below += NOTE_HIGH
    _notes(group, panel, (box[0], below), box[2])


def _bar(group: Element, chart: Chart, series: Series, box: Box, said: str) -> None:
    look = chart.looks.get(series.look, chart.looks[""])
    drawn = _square(group, chart, series, box)
    SubElement(drawn, "title").text = inert(f"{series.name}, {said}")
    if look.letter and box[2] >= FOR_A_LETTER and box[3] >= 12:
        text(group, (box[0] + box[2] / 2, box[1] + box[3] - 3), look.letter, "letter", style=f"fill: {look.ink}")


def _square(group: Element, chart: Chart, series: Series, box: Box) -> Element:
    """Draw a rectangle in the pattern of a side, or in gray if the series has no side."""
    if series.look not in chart.looks or not series.look:
        return rectangle(group, box, **{"class": "bar anybody"})
    return rectangle(group, box, fill=f"url(#side{list(chart.looks).index(series.look)})", **{"class": "bar"})


def _hoped(group: Element, panel: Panel, scale: _Scale, room: float) -> None:
    """Draw a dashed line across each bar at its expected value."""
    left = scale.box[0]
    spots = [
        (left + (at + beside) * room, scale.y(value)) for at, value in enumerate(panel.expected) for beside in (0, 1)
    ]
    SubElement(group, "polyline", {"points": points(spots), "class": "hoped"})
    text(group, (left + scale.box[2], scale.box[1] - 4), "dashed: expected", "key end")


def _legend(group: Element, chart: Chart, series: Sequence[Series], corner: Spot) -> None:
    wide = min((COLUMN - LEFT) / len(series), LETTER * max(len(one.name) for one in series) + 30)
    for at, one in enumerate(series):
        x = corner[0] + at * wide
        _mark(group, chart, one, (x + 5, corner[1] - 3))
        _cut(group, (x + 14, corner[1]), one.name, "note", wide - 16)


def _mark(group: Element, chart: Chart, series: Series, spot: Spot, half: float = 5.0) -> None:
    """Draw a small counter of a side."""
    look = chart.looks.get(series.look, chart.looks[""])
    square = (spot[0] - half, spot[1] - half, 2 * half, 2 * half)
    _square(group, chart, series, square)
    if look.letter:
        text(group, (spot[0], spot[1] + 3), look.letter, "letter", style=f"fill: {look.ink}")


# --- lines ------------------------------------------------------------------------------------------------------------


def _lines(group: Element, chart: Chart, panel: Panel, box: Box) -> None:
    """Draw a line for each series, with its own dashes, a small counter at each turn and its name at the end."""
    scale = _plot(group, panel, box, RIGHT)
    lines = [list(_spots(scale, panel, one)) for one in panel.series]
    for at, (series, spots) in enumerate(zip(panel.series, lines, strict=True)):
        look = chart.looks.get(series.look, chart.looks[""])
        colour = look.colour if series.look else SOFT
        line = {"points": points(spots), "stroke": colour, "stroke-dasharray": DASHES[at % len(DASHES)]}
        SubElement(group, "polyline", {**line, "class": "line"})
    taken: list[Spot] = []
    for series, spots in zip(panel.series, lines, strict=True):
        for spot in spots if len(spots) <= MOST_NAMES else spots[-1:]:
            taken.append(_aside(spot, taken))
            _mark(group, chart, series, taken[-1], 5.0 if series.look else 2.5)
    ends = [(spots[-1][1], one) for one, spots in zip(panel.series, lines, strict=True) if spots]
    right = scale.box[0] + scale.box[2] + 6
    for y, series in _unravelled(ends, scale.box[1] + scale.box[3]):
        name = "" if series.name == panel.name else f" {series.name}"
        _cut(group, (right, y + 3), f"{series.said}{name}", "said", RIGHT - 8)
    _notes(group, panel, (box[0], scale.box[1] + scale.box[3] + FOOT_HIGH + 8), box[2])


def _spots(scale: _Scale, panel: Panel, one: Series) -> Iterator[Spot]:
    for turn, value in enumerate(one.values):
        if value is not None:
            yield _middle(scale.box, panel, turn), scale.y(value)


def _aside(spot: Spot, taken: Sequence[Spot]) -> Spot:
    """Return a spot to the right of counters that are already drawn; it overlaps them if there are too many."""
    x, y = spot
    for _ in range(MOST_ASIDE):
        if not any(abs(x - u) < APART - 2 and abs(y - v) < APART - 2 for u, v in taken):
            break
        x += APART - 1
    return x, y


def _unravelled(ends: Sequence[tuple[float, Series]], bottom: float) -> Iterator[tuple[float, Series]]:
    """Yield the vertical position of the words at the end of each line, moved apart, and none below `bottom`."""
    order = sorted(ends, key=lambda end: end[0])
    levels: list[float] = []
    for y, _ in order:
        levels.append(max(y, levels[-1] + APART) if levels else y)
    for at in range(len(levels) - 1, -1, -1):
        lowest = bottom if at == len(levels) - 1 else levels[at + 1] - APART
        levels[at] = min(levels[at], lowest)
    yield from zip(levels, (one for _, one in order), strict=True)


# --- rows -------------------------------------------------------------------------------------------------------------


def _rows(group: Element, chart: Chart, panel: Panel, box: Box) -> None:
    """Draw a horizontal bar for each series, between its name and its text, with a dark bar for its second value."""
    left, top, wide, _ = box
    words = max((len(one.said) for one in panel.series), default=0) * LETTER + 12
    room = max(wide - NAMES_WIDE - words, 80)
    most = max((value or 0 for one in panel.series for value in one.values), default=0) or 1
    for at, series in enumerate(panel.series):
        y = top + NAME_HIGH + at * ROW_HIGH
        _mark(group, chart, series, (left + 6, y + ROW_HIGH / 2))
        _cut(group, (left + 16, y + ROW_HIGH / 2 + 3), series.name, "said", NAMES_WIDE - 20)
        first, *rest = (room * (value or 0) / most for value in series.values)
        lying = (left + NAMES_WIDE, y + 5, first, ROW_HIGH - 10)
        _square(group, chart, series, lying)
        for inner in rest:
            rectangle(group, (left + NAMES_WIDE, y + ROW_HIGH / 2 - 3, inner, 6), **{"class": "inner"})
        text(group, (left + NAMES_WIDE + first + 6, y + ROW_HIGH / 2 + 3), series.said, "said")
    _notes(group, panel, (left, top + NAME_HIGH + ROW_HIGH * len(panel.series) + 10), wide)


_DRAWN = {"bars": _bars, "lines": _lines, "rows": _rows}
