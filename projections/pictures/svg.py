"""A picture of the table as SVG: plain shapes and a style sheet of its own, no script, nothing from outside."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from math import dist
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from umpire_ledger.domain.game.board import Sign
from umpire_ledger.projections.pictures.counters import Counter, Pattern, SideLook
from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.layout import Layout, Plot
from umpire_ledger.projections.pictures.table_picture import Loss, Picture, Stack, Way
from umpire_ledger.projections.record.inert import inert

COUNTER = 22.0
BELOW = 3.5
"""How far a counter sits below the middle of its place, so that the name above it can be read."""
NARROWEST = 360.0
FAN = 2.0
"""How far the counters of a stack lie apart."""
MOST_FANNED = 3
TITLE_HIGH, LEGEND_HIGH = 44.0, 30.0
GROUND, INK, SOFT, LINE, SEA, HEX, BAD, FIRE = (
    *("#fbfaf7", "#1d2430", "#5b6573", "#d9d5cb"),
    *("#eef3f5", "#c7d3d8", "#b42318", "#d55e00"),
)
STYLE = f"""
text {{ font-family: ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: {INK} }}
.title {{ font-size: 15px; font-weight: 650 }} .note {{ font-size: 11px; fill: {SOFT} }}
.place {{ fill: {SEA}; stroke: {HEX} }} .box {{ fill: none; stroke: {LINE} }} .table {{ fill: {SEA}; stroke: {HEX} }}
.name {{ font: 6.5px ui-monospace, "DejaVu Sans Mono", monospace; fill: {SOFT}; text-anchor: middle }}
.link {{ stroke: {HEX} }} .dot {{ fill: {SOFT} }}
.counter {{ stroke: {INK} }} .letter {{ font-size: 10px; font-weight: 700; text-anchor: middle }}
.label {{ font-size: 7px; text-anchor: middle }} .many {{ font-size: 7px; font-weight: 700; fill: {BAD} }}
.hidden {{ stroke-dasharray: 3 2 }}
.struck, .lost {{ stroke: {BAD}; stroke-width: 2.2 }} .fire {{ fill: {FIRE}; stroke: #fff }}
.ring {{ fill: none; stroke: {INK}; stroke-width: 1.5 }} .active {{ fill: {INK} }}
.way {{ fill: none; stroke: {BAD}; stroke-width: 2 }} .contested {{ fill: none; stroke: {BAD}; stroke-width: 3 }}
"""


def svg_of(picture: Picture) -> str:
    """The picture as one SVG document. Everything that people wrote is shown inert."""
    left, top, wide, high = picture.layout.extent
    wide = max(wide, NARROWEST, _legend_wide(picture))
    box = (left, top - TITLE_HIGH, wide, high + TITLE_HIGH + LEGEND_HIGH)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": _numbers(*box),
            "width": _number(wide),
            "height": _number(box[3]),
            "role": "img",
            "aria-labelledby": "what",
        },
    )
    where = f"{picture.game} ({picture.copied}) · {picture.where}" if picture.copied else picture.where
    SubElement(root, "title", id="what").text = inert(f"{picture.name or picture.game}, {where}")
    SubElement(root, "style").text = STYLE
    _definitions(root, picture.sides.values())
    _rectangle(root, box, fill=GROUND)
    _text(root, (left + 10, top - 24), picture.name or picture.game, "title")
    _text(root, (left + 10, top - 8), where, "note")
    _ground(root, picture.layout)
    for place in picture.contested:
        _contested(root, picture.layout, place)
    for place, stacks in _by_place(picture.stacks):
        _stacks(root, picture, place, stacks)
    for way in picture.ways:
        _way(root, picture.layout, way)
    for loss in picture.losses:
        _loss(root, picture, loss)
    _legend(root, picture, (left + 10, top + high + 16))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


# --- the ground -------------------------------------------------------------------------------------------------------


def _definitions(root: Element, sides: Iterable[SideLook]) -> None:
    """The arrow's head, and the pattern of each side: drawn, so that it stays when there is no colour."""
    defs = SubElement(root, "defs")
    size = {"viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "6", "markerHeight": "6", "orient": "auto"}
    SubElement(SubElement(defs, "marker", {"id": "tip", **size}), "path", d="M0 0 8 4 0 8z", fill=BAD)
    for at, look in enumerate(sides):
        pattern = SubElement(defs, "pattern", id=f"side{at}", width="6", height="6", patternUnits="userSpaceOnUse")
        _rectangle(pattern, (0, 0, 6, 6), fill=look.colour)
        _pattern(pattern, look.pattern, look.ink)


def _pattern(into: Element, pattern: Pattern, ink: str) -> None:
    thin = {"stroke": ink, "stroke-opacity": "0.35"}
    if pattern == "stripes":
        SubElement(into, "path", {"d": "M-1 7 7 -1", **thin})
    elif pattern == "dots":
        SubElement(into, "circle", {"cx": "3", "cy": "3", "r": "0.9", "fill": ink, "fill-opacity": "0.45"})
    elif pattern == "checks":
        SubElement(into, "path", {"d": "M0 3H6M3 0V6", **thin})


def _ground(root: Element, layout: Layout) -> None:
    ground = SubElement(root, "g")
    for table in layout.tables:
        SubElement(ground, "polygon", {"points": _points(table), "class": "table"})
    for one, other in layout.links:
        SubElement(ground, "path", {"d": f"M{_numbers(*one)}L{_numbers(*other)}", "class": "link"})
    for plot in layout.plots.values():
        _place(ground, plot)
    for heading, spot in layout.headings:
        _text(ground, spot, heading, "note")


def _place(ground: Element, plot: Plot) -> None:
    if plot.outline:
        SubElement(
            ground, "polygon", {"points": _points(plot.outline), "class": "box" if plot.sort == "box" else "place"}
        )
    elif plot.shown:
        SubElement(ground, "circle", {"cx": _number(plot.at[0]), "cy": _number(plot.at[1]), "r": "2", "class": "dot"})
    if plot.shown:
        edge = min((y for _, y in plot.outline), default=plot.at[1] + COUNTER / 2)
        _text(ground, (plot.at[0], edge + 8), plot.place, "name")


def _contested(root: Element, layout: Layout, place: str) -> None:
    plot = layout.plots[layout.within.get(place, place)]
    if plot.outline:
        SubElement(root, "polygon", {"points": _points(plot.outline), "class": "contested"})
    else:
        circle = {"cx": _number(plot.at[0]), "cy": _number(plot.at[1]), "r": _number(COUNTER), "class": "contested"}
        SubElement(root, "circle", circle)


# --- what stands on it ------------------------------------------------------------------------------------------------


def _by_place(stacks: Iterable[Stack]) -> Iterator[tuple[str, list[Stack]]]:
    found: dict[str, list[Stack]] = {}
    for stack in stacks:
        found.setdefault(stack.place, []).append(stack)
    yield from found.items()


def _stacks(root: Element, picture: Picture, place: str, stacks: list[Stack]) -> None:
    """The stacks of a place side by side around its middle."""
    middle = picture.layout.spot(place)
    if middle is None:
        return
    for at, stack in enumerate(stacks):
        x = middle[0] + (at - (len(stacks) - 1) / 2) * (COUNTER + 4)
        _stack(root, picture, stack, (x, middle[1] + BELOW))


def _stack(root: Element, picture: Picture, stack: Stack, spot: Spot) -> None:
    look = picture.sides.get(stack.side, picture.sides[""])
    number = list(picture.sides).index(look.side)
    group = SubElement(root, "g")
    said = ", ".join(map(_said, stack.counters))
    SubElement(group, "title").text = inert(f"{look.name} at {stack.place}: {said}")
    count = len(stack.counters)
    for behind in range(min(count, MOST_FANNED) - 1, -1, -1):
        _counter(group, (spot[0] + behind * FAN, spot[1] - behind * FAN), number, stack.counters[behind])
    fill = {"style": f"fill: {look.ink}"}
    _text(group, (spot[0], spot[1] - 1), look.letter, "letter", **fill)
    label = f"×{count}" if count > 1 else stack.counters[0].label
    _text(group, (spot[0], spot[1] + 8), label, "label", **fill)
    marked = [counter for counter in stack.counters if counter.signs]
    for sign in dict.fromkeys(sign for counter in marked for sign in counter.signs):
        _sign(group, sign, spot)
    if count > 1 and marked:
        _text(group, (spot[0] + COUNTER / 2 + 1, spot[1] + COUNTER / 2 + 3), str(len(marked)), "many")


def _said(counter: Counter) -> str:
    signs = f" ({', '.join(counter.signs)})" if counter.signs else ""
    return f"{counter.unit} {counter.kind}{signs}"


def _counter(group: Element, spot: Spot, side: int, counter: Counter) -> None:
    kind = "counter hidden" if "hidden" in counter.signs else "counter"
    half = COUNTER / 2
    box = (spot[0] - half, spot[1] - half, COUNTER, COUNTER)
    _rectangle(group, box, fill=f"url(#side{side})", **{"class": kind, "rx": "2"})


def _sign(group: Element, sign: Sign, spot: Spot) -> None:
    x, y, half = *spot, COUNTER / 2
    if sign == "crippled":
        line = f"M{_numbers(x - half, y + half)}L{_numbers(x + half, y - half)}"
        SubElement(group, "path", {"d": line, "class": "struck"})
        return
    spots = {"burning": (x + half, y - half, "fire", 4.0), "bound": (x - half, y + half, "ring", 4.0)}
    spots["active"] = (x - half + 3, y - half + 3, "active", 2.0)
    if sign in spots:
        across, down, kind, radius = spots[sign]
        circle = {"cx": _number(across), "cy": _number(down), "r": _number(radius), "class": kind}
        SubElement(group, "circle", circle)


def _way(root: Element, layout: Layout, way: Way) -> None:
    spots = [spot for place in way.path if (spot := layout.spot(place)) is not None]
    if len(spots) > 1:
        spots[0], spots[-1] = _short_of(spots[1], spots[0]), _short_of(spots[-2], spots[-1])
        line = SubElement(root, "path", {"d": "M" + "L".join(_numbers(*spot) for spot in spots), "class": "way"})
        line.set("marker-end", "url(#tip)")
        SubElement(line, "title").text = inert(f"{way.unit}: {', '.join(way.path)}")


def _short_of(before: Spot, last: Spot) -> Spot:
    """Where a way begins or ends, at the edge of the counter there and not under it."""
    far = dist(before, last)
    part = max(far - COUNTER * 0.7, far / 2) / far if far else 1.0
    return before[0] + (last[0] - before[0]) * part, before[1] + (last[1] - before[1]) * part


def _loss(root: Element, picture: Picture, loss: Loss) -> None:
    spot = picture.layout.spot(loss.place)
    if spot is None:
        return
    (x, y), far = spot, 9.0
    cross = f"M{_numbers(x - far, y - far)}L{_numbers(x + far, y + far)}M{_numbers(x - far, y + far)}L"
    line = SubElement(root, "path", {"d": f"{cross}{_numbers(x + far, y - far)}", "class": "lost"})
    SubElement(line, "title").text = inert(f"{loss.unit}: {loss.fate} at {loss.place}")


def _legend(root: Element, picture: Picture, spot: Spot) -> None:
    """The sides with letter, pattern, name and the number of their units."""
    x, y = spot
    for number, (look, words) in enumerate(_legend_words(picture)):
        _rectangle(root, (x, y - 9, 12, 12), fill=f"url(#side{number})", **{"class": "counter"})
        _text(root, (x + 6, y + 1), look.letter, "letter", style=f"fill: {look.ink}")
        _text(root, (x + 17, y + 1), words, "note")
        x += _entry_wide(words)


def _legend_wide(picture: Picture) -> float:
    return 20 + sum(_entry_wide(words) for _, words in _legend_words(picture))


def _entry_wide(words: str) -> float:
    """About so wide are words of notes in any face that may be there."""
    return 30 + 6.6 * len(words)


def _legend_words(picture: Picture) -> Iterator[tuple[SideLook, str]]:
    counts = Tally[str]()
    for stack in picture.stacks:
        counts[stack.side] += len(stack.counters)
    for side, look in picture.sides.items():
        if side or counts[side]:
            yield look, f"{look.name}: {counts[side]}"


# --- shapes -----------------------------------------------------------------------------------------------------------


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _numbers(*values: float) -> str:
    return " ".join(map(_number, values))


def _points(spots: Iterable[Spot]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in spots)


def _rectangle(into: Element, box: tuple[float, float, float, float], **given: str) -> None:
    names = ("x", "y", "width", "height")
    SubElement(into, "rect", {**dict(zip(names, map(_number, box), strict=True)), **given})


def _text(into: Element, spot: Spot, text: str, kind: str, **given: str) -> None:
    SubElement(into, "text", {"x": _number(spot[0]), "y": _number(spot[1]), "class": kind, **given}).text = inert(text)
