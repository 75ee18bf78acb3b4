"""Draw the top card of a stack, with drawings of its units, the side's letter, a label, a number and signs."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from umpire_ledger.domain.game.board import Sign
from umpire_ledger.domain.game.looks import SYMBOLS
from umpire_ledger.projections.pictures.counters import DrawnCounter, SideLook
from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.shapes import circle, number, numbers, rectangle, text
from umpire_ledger.projections.pictures.spread import COUNTER
from umpire_ledger.projections.pictures.symbols import CARD, DRAWINGS, SEVERAL, TORN, UNIT, leaves_right, place_of
from umpire_ledger.projections.pictures.table_picture import Picture
from umpire_ledger.projections.record.escaping import inert

HALF = COUNTER / 2
LONG = 4
"""The most characters of a label that is drawn in its natural width."""


def draw_card(group: Element, picture: Picture, side: str, spot: Spot, *kinds: str) -> None:
    """Draw an empty card in the pattern of its side. `kinds`: `front`, `hidden`, or `torn` for one without a corner."""
    at = list(picture.sides).index(side if side in picture.sides else "")
    outline = f"M{numbers(*spot)}{TORN if 'torn' in kinds else CARD}"
    SubElement(group, "path", {"d": outline, "fill": f"url(#side{at})", "class": " ".join(("counter", *kinds))})


def draw_front(group: Element, picture: Picture, counters: Sequence[DrawnCounter], spot: Spot) -> None:
    """Draw a single counter, or the top card of a stack with the drawings, the number and the signs of all counters."""
    first, many = counters[0], f"×{len(counters)}" if len(counters) > 1 else ""
    look = picture.sides.get(first.side, picture.sides[""])
    signs = tuple(dict.fromkeys(sign for counter in counters for sign in counter.signs))
    cards = {"crippled": "torn", "hidden": "hidden"}
    draw_card(group, picture, first.side, spot, "front", *(kind for sign, kind in cards.items() if sign in signs))
    label = "" if many else first.label
    bearings = {0 if counter.seen else round(picture.bearings.get(counter.unit, 0)) for counter in counters}
    bearing = bearings.pop() if len(bearings) == 1 else 0
    if symbols := sorted({counter.symbol for counter in counters if counter.symbol}, key=SYMBOLS.index):
        _draw_symbols(group, look, symbols, bearing, spot, torn="crippled" in signs)
        _write_corner(group, look, label, spot, on_right=len(symbols) == 1 and leaves_right(symbols[0], bearing))
    else:
        ink = f"fill: {look.ink}"
        text(group, (spot[0], spot[1] + (-1 if label else 3)), look.letter, "letter", style=ink)
        text(group, (spot[0], spot[1] + 7.5), label, "label", style=ink)
    _draw_tag(group, many or first.number, spot)
    for sign in signs:
        _draw_sign(group, sign, spot)


def _draw_symbols(
    group: Element, look: SideLook, symbols: Sequence[str], bearing: int, spot: Spot, *, torn: bool
) -> None:
    """Draw the symbols of a card: a single one in its own place, otherwise the first three in a smaller size.

    A single symbol has class `sole`, because it may grow when its label is hidden.
    """
    places = SEVERAL[min(len(symbols), 3) - 2] if len(symbols) > 1 else (place_of(symbols[0], bearing),)
    card = f"translate({numbers(*spot)}) scale({UNIT:.4f})"
    paint = {"fill": look.ink, "stroke": look.ink, "color": look.colour, "stroke-linecap": "round"}
    clip = {"clip-path": "url(#torn)"} if torn else {}
    drawing = SubElement(group, "g", {"class": "drawing", "transform": card, **paint, **clip})
    for name, place in zip(symbols, places, strict=False):
        sole = {"class": "sole"} if len(symbols) == 1 and DRAWINGS[name].place else {}
        SubElement(drawing, "use", {"href": f"#symbol-{name}", "transform": place, **sole})


def _write_corner(group: Element, look: SideLook, label: str, spot: Spot, *, on_right: bool) -> None:
    """Write the side's letter and the label in the upper corner that the drawing leaves free."""
    x, anchor = (HALF - 1.2, "end") if on_right else (1.2 - HALF, "start")
    paint = {"style": f"fill: {look.ink}", "stroke": look.colour, "text-anchor": anchor}
    if len(label) >= LONG:
        paint |= {"textLength": number(COUNTER - 3), "lengthAdjust": "spacingAndGlyphs"}
    corner = text(group, (spot[0] + x, spot[1] - 5.2), look.letter, "corner", **paint)
    if label:
        SubElement(corner, "tspan", {"dx": "0.8"}).text = inert(label)


def _draw_tag(group: Element, words: str, spot: Spot) -> None:
    """Draw the number of a counter or a stack on a tag at its lower right corner."""
    if words:
        wide = 3 + 3.6 * len(words)
        rectangle(group, (spot[0] + HALF + 1 - wide, spot[1] + 5, wide, 7), **{"class": "tag", "rx": "1.5"})
        text(group, (spot[0] + HALF + 1 - wide / 2, spot[1] + 10.6), words, "count")


def _draw_sign(group: Element, sign: Sign, spot: Spot) -> None:
    x, y = spot
    spots = {"burning": (x + HALF, y - HALF, "fire", 4.0), "bound": (x + 1 - HALF, y + HALF - 1, "ring", 3.5)}
    spots["active"] = (x - HALF, y, "active", 2.5)
    if sign in spots:
        across, down, kind, radius = spots[sign]
        circle(group, (across, down), radius, kind)
