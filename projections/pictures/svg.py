"""Draw a picture of the table as SVG: plain shapes and its own style sheet, no scripts or other files."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from functools import lru_cache
from json import dumps
from math import dist
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from umpire_ledger.domain.game.cells import point_of
from umpire_ledger.projections.pictures.counters import DrawnCounter, SideLook
from umpire_ledger.projections.pictures.drawn_ground import draw_ground, draw_names, ground_style
from umpire_ledger.projections.pictures.drawn_stacks import (
    LETTER,
    draw_bearings,
    draw_leader,
    draw_opened,
    draw_single,
    draw_stack,
    opened,
    opened_high,
)
from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.layout import MOST_CELLS, Layout, Plot
from umpire_ledger.projections.pictures.picture_words import counter_words, picture_words
from umpire_ledger.projections.pictures.shapes import (
    BAD,
    FACE,
    GROUND,
    INK,
    LINE,
    SOFT,
    circle,
    document,
    numbers,
    points,
    rectangle,
    side_fills,
    text,
)
from umpire_ledger.projections.pictures.spread import BELOW, COUNTER, stack_spots
from umpire_ledger.projections.pictures.symbols import define_symbols
from umpire_ledger.projections.pictures.table_picture import Loss, Picture, UnitPath
from umpire_ledger.projections.record.escaping import inert

NARROWEST = 360.0
AROUND = 36.0
"""Width of the ground to show around the outermost counters."""
TITLE_HIGH, LEGEND_HIGH = 44.0, 30.0
SEA, HEX, FIRE = "#eef3f5", "#c7d3d8", "#d55e00"
STYLE = f"""
{FACE}
.title {{ font-size: 15px; font-weight: 650 }} .note {{ font-size: 11px; fill: {SOFT} }}
.place {{ fill: {SEA}; stroke: {HEX} }} .box {{ fill: none; stroke: {LINE} }} .table {{ fill: {SEA}; stroke: {HEX} }}
.name {{ font: 6.5px ui-monospace, "DejaVu Sans Mono", monospace; fill: {SOFT}; text-anchor: middle }}
.link {{ stroke: {HEX} }} .dot {{ fill: {SOFT} }}
.counter {{ stroke: {INK} }} .letter {{ font-size: 10px; font-weight: 700; text-anchor: middle }}
.label {{ font-size: 7px; text-anchor: middle }}
.corner {{ font-size: 6.4px; font-weight: 700; paint-order: stroke; stroke-width: 1.6px; stroke-linejoin: round }}
.corner tspan {{ font-weight: 500 }} .tag {{ fill: {GROUND}; stroke: {INK}; stroke-width: 0.7 }}
.count {{ font-size: 5.6px; font-weight: 700; text-anchor: middle }}
.many {{ font-size: 7px; font-weight: 700; fill: {BAD} }}
.hidden {{ stroke-dasharray: 3 2 }}
.past .counter {{ opacity: 0.35; stroke-dasharray: 1 2 }} .past .letter, .past .label {{ opacity: 0.6 }}
.past .drawing, .past .corner {{ opacity: 0.5 }}
.date {{ font-size: 7px; fill: {SOFT}; text-anchor: middle }}
.lost {{ stroke: {BAD}; stroke-width: 2.2 }} .fire {{ fill: {FIRE}; stroke: #fff }}
.ring {{ fill: none; stroke: {INK}; stroke-width: 1.5 }} .active {{ fill: {INK}; stroke: {GROUND} }}
.facing {{ fill: {INK}; stroke: {GROUND}; stroke-width: 0.8 }} .leader {{ stroke: {SOFT}; stroke-width: 0.8 }}
.way {{ fill: none; stroke: {BAD}; stroke-width: 2 }} .contested {{ fill: none; stroke: {BAD}; stroke-width: 3 }}
"""


def svg_of(picture: Picture, *, stacks: bool = False) -> str:
    """Return the picture as one SVG document. User-supplied text is escaped.

    `stacks`: whether to draw stacks with more than one counter also below the map, counter by counter.
    """
    root = _drawn(picture, stacks=stacks)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def svg_in_play(picture: Picture, wide: float, high: float) -> str:
    """Return the part of the picture that contains all counters, as one SVG document of `wide` by `high` pixels."""
    root = _drawn(picture)
    root.set("viewBox", numbers(*_in_play(picture, wide / high)))
    root.set("width", f"{wide:g}")
    root.set("height", f"{high:g}")
    return tostring(root, encoding="unicode")


def _in_play(picture: Picture, shape: float) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the ground around all counters. `shape`: its ratio of width to height."""
    spots = list(stack_spots(picture.layout, picture.stacks).values()) or [(0.0, 0.0)]
    across, down = zip(*spots, strict=True)
    wide, high = max(across) - min(across) + 2 * AROUND, max(down) - min(down) + 2 * AROUND
    wide, high = max(wide, high * shape), max(high, wide / shape)
    return (min(across) + max(across) - wide) / 2, (min(down) + max(down) - high) / 2, wide, high


def svg_in_page(picture: Picture) -> str:
    """Return the picture as SVG to include in a page, without a style sheet, style attributes and a background.

    `data-place` names the place of a shape or a stack; `data-units` and `data-side` name the units of a stack and their
    side. `data-inside` lists, as JSON, the places that are drawn inside another. `data-scale` is the number of map
    units for one unit of a table. `data-cards` names the definition of the counter of each unit of a stack, to open it
    out with. The legend is a group of its own.
    """
    root = _drawn(picture, in_page=True)
    _define_cards(root, picture)
    _name_inside(root, picture.layout)
    _scale_table(root, picture.layout)
    for one in (root.find("style"), root.find("rect")):
        if one is not None:
            root.remove(one)
    for size in ("width", "height"):
        del root.attrib[size]
    for one in root.iter():
        name, _, value = one.attrib.pop("style", "").partition(":")
        if name:
            one.set(name.strip(), value.strip())
    return tostring(root, encoding="unicode")


def _name_inside(root: Element, layout: Layout) -> None:
    inside: dict[str, list[str]] = {}
    for place, other in layout.within.items():
        inside.setdefault(inert(other), []).append(place)
    for one in root.iter():
        if one.get("class") != "stack" and (found := inside.get(one.get("data-place", ""))):
            one.set("data-inside", dumps(found))


def _define_cards(root: Element, picture: Picture) -> None:
    """Define the counter of each unit of a stack of several; those that look the same share a definition."""
    defs, cards = root.find("defs"), dict[tuple[DrawnCounter, float | None], str]()
    groups = {(one.get("data-units"), one.get("class")): one for one in root if one.get("data-units")}
    for stack in picture.stacks:
        units = inert(" ".join(one.unit for one in stack.counters))
        group = groups.get((units, "stack past" if stack.seen else "stack"))
        if defs is None or group is None or len(stack.counters) < 2:
            continue
        named = []
        for counter in stack.counters:
            look = msgspec.structs.replace(counter, unit=""), picture.bearings.get(counter.unit)
            if look not in cards:
                cards[look] = f"card{len(cards)}"
                card = draw_single(defs, picture, counter, (0.0, 0.0))
                card.set("id", cards[look])
                card[0].text = inert(counter_words(look[0]).strip())
            named.append(cards[look])
        group.set("data-cards", " ".join(named))


def _scale_table(root: Element, layout: Layout) -> None:
    """Add the number of map units for one unit of length to a table without places, computed from a piece on it."""
    spots = ((point_of(plot.place), plot.at) for plot in layout.plots.values() if plot.sort == "point")
    scales = (at[0] / spot[0] for spot, at in spots if spot is not None and spot[0])
    table = root.find(".//*[@class='table']")
    if table is not None and (scale := next(scales, 0.0)):
        table.set("data-scale", f"{scale:.6g}")


def _drawn(picture: Picture, *, stacks: bool = False, in_page: bool = False) -> Element:
    left, top, wide, high = picture.layout.extent
    wide = max(wide, NARROWEST, _legend_wide(picture))
    below = opened(picture, wide - 20) if stacks else ()
    box = (left, top - TITLE_HIGH, wide, high + TITLE_HIGH + LEGEND_HIGH + opened_high(below))
    where = f"{picture.game} ({picture.copied}) · {picture.where}" if picture.copied else picture.where
    style = STYLE + ground_style() if picture.layout.ground is not None else STYLE
    root = document(box, f"{picture.name or picture.game}, {where}", style, " ".join(picture_words(picture)))
    counters = (counter for stack in picture.stacks for counter in stack.counters)
    _definitions(root, picture.sides.values(), (counter.symbol for counter in counters))
    text(root, (left + 10, top - 24), picture.name or picture.game, "title")
    text(root, (left + 10, top - 8), where, "note")
    _ground(root, picture.layout, picture.background)
    for place in picture.contested:
        _contested(root, picture.layout, place)
    spots = stack_spots(picture.layout, picture.stacks)
    for draw in (draw_leader, draw_stack, draw_bearings):
        for stack in picture.stacks:
            if stack.key in spots:
                draw(root, picture, stack, spots[stack.key])
    for way in picture.ways:
        _way(root, picture.layout, way)
    for loss in picture.losses:
        _loss(root, picture, loss)
    legend = SubElement(root, "g", {"class": "legend"}) if in_page else root
    _legend(legend, picture, (left + 10, top + high + 16))
    for one in below:
        draw_opened(root, picture, one, (left + 10, top + high + LEGEND_HIGH))
    return root


def ground_of(layout: Layout, background: str = "") -> str:
    """Return the ground of a map with its names, as markup for a drawing. `background`: the address of its picture."""
    root = Element("g")
    _ground(root, layout, background)
    return tostring(root[0], encoding="unicode")


def definitions_of(sides: Iterable[SideLook], symbols: Iterable[str]) -> str:
    """Return the markup for the arrow head `tip`, the patterns of sides (`side0` for the first) and these symbols."""
    root = Element("g")
    _definitions(root, sides, symbols)
    return tostring(root[0], encoding="unicode")


# --- the ground -------------------------------------------------------------------------------------------------------


def _definitions(root: Element, sides: Iterable[SideLook], symbols: Iterable[str]) -> None:
    """Add the arrow head, the pattern of each side, and the drawings of counters."""
    defs = SubElement(root, "defs")
    size = {"viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "6", "markerHeight": "6", "orient": "auto"}
    SubElement(SubElement(defs, "marker", {"id": "tip", **size}), "path", d="M0 0 8 4 0 8z", fill=BAD)
    side_fills(defs, sides)
    define_symbols(defs, sorted({one for one in symbols if one}))


def _ground(root: Element, layout: Layout, background: str = "") -> None:
    ground = SubElement(root, "g")
    for table in layout.tables:
        SubElement(ground, "polygon", {"points": points(table), "class": "table"})
    if layout.ground is not None:
        draw_ground(ground, layout.ground, background)
    for one, other in layout.links:
        SubElement(ground, "path", {"d": f"M{numbers(*one)}L{numbers(*other)}", "class": "link"})
    for plot in layout.plots.values():
        _place(ground, plot, bare=layout.ground is not None)
    if layout.ground is not None:
        draw_names(ground, layout.ground)
    for heading, spot in layout.headings:
        text(ground, spot, heading, "note")


def _place(ground: Element, plot: Plot, *, bare: bool) -> None:
    """Draw a place; of one that is `bare` only its edge, because the ground is below it."""
    if plot.outline:
        kind = "box" if plot.sort == "box" else "place bare" if bare else "place"
        shape = {"points": _outline(plot.outline), "class": kind, "data-place": inert(plot.place)}
        SubElement(ground, "polygon", shape)
    elif plot.shown:
        circle(ground, plot.at, 2, "dot").set("data-place", inert(plot.place))
    if plot.shown:
        edge = min((y for _, y in plot.outline), default=plot.at[1] + COUNTER / 2 + BELOW)
        text(ground, (plot.at[0], edge + 8), plot.place, "name")


_outline = lru_cache(maxsize=4 * MOST_CELLS)(points)
"""The points of an outline as text, cached because the same cells are drawn repeatedly."""


def _contested(root: Element, layout: Layout, place: str) -> None:
    plot = layout.plots[layout.within.get(place, place)]
    if plot.outline:
        SubElement(root, "polygon", {"points": points(plot.outline), "class": "contested"})
    else:
        circle(root, plot.at, COUNTER, "contested")


# --- what happened on it ----------------------------------------------------------------------------------------------


def _way(root: Element, layout: Layout, way: UnitPath) -> None:
    spots = [spot for place in way.path if (spot := layout.spot(place)) is not None]
    if len(spots) > 1:
        spots[0], spots[-1] = _short_of(spots[1], spots[0]), _short_of(spots[-2], spots[-1])
        line = SubElement(root, "path", {"d": "M" + "L".join(numbers(*spot) for spot in spots), "class": "way"})
        line.set("marker-end", "url(#tip)")
        SubElement(line, "title").text = inert(f"{way.unit}: {', '.join(way.path)}")


def _short_of(before: Spot, last: Spot) -> Spot:
    """Return the start or end of a path, moved to the edge of the counter so that it is not hidden."""
    far = dist(before, last)
    part = max(far - COUNTER * 0.7, far / 2) / far if far else 1.0
    return before[0] + (last[0] - before[0]) * part, before[1] + (last[1] - before[1]) * part


def _loss(root: Element, picture: Picture, loss: Loss) -> None:
    spot = picture.layout.spot(loss.place)
    if spot is None:
        return
    (x, y), far = spot, 9.0
    cross = f"M{numbers(x - far, y - far)}L{numbers(x + far, y + far)}M{numbers(x - far, y + far)}L"
    line = SubElement(root, "path", {"d": f"{cross}{numbers(x + far, y - far)}", "class": "lost"})
    SubElement(line, "title").text = inert(f"{loss.unit}: {loss.fate} at {loss.place}")


def _legend(root: Element, picture: Picture, spot: Spot) -> None:
    """Draw each side's letter, pattern, name, and number of units; units out of sight are counted separately."""
    x, y = spot
    for at, (look, words) in enumerate(_legend_words(picture)):
        rectangle(root, (x, y - 9, 12, 12), fill=f"url(#side{at})", **{"class": "counter"})
        text(root, (x + 6, y + 1), look.letter, "letter", style=f"fill: {look.ink}")
        text(root, (x + 17, y + 1), words, "note")
        x += _entry_wide(words)


def _legend_wide(picture: Picture) -> float:
    return 20 + sum(_entry_wide(words) for _, words in _legend_words(picture))


def _entry_wide(words: str) -> float:
    return 30 + LETTER * len(words)


def _legend_words(picture: Picture) -> Iterator[tuple[SideLook, str]]:
    counts, past = Tally[str](), Tally[str]()
    for stack in picture.stacks:
        (past if stack.seen else counts)[stack.side] += len(stack.counters)
    for side, look in picture.sides.items():
        if side or counts[side]:
            yield look, f"{look.name}: {counts[side]}" + (f", out of sight {past[side]}" if past[side] else "")
