"""Draw the basic shapes of all pictures, and format their numbers. User-supplied text is escaped."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from umpire_ledger.projections.pictures.counters import Pattern, SideLook
from umpire_ledger.projections.record.escaping import inert

Spot = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""
GROUND, INK, SOFT, LINE, BAD = "#fbfaf7", "#1d2430", "#5b6573", "#d9d5cb", "#b42318"
FACE = f'text {{ font-family: ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: {INK} }}'


def document(box: Box, title: str, style: str, desc: str = "") -> Element:
    """Return an empty picture with its title for screen readers. `desc`: its whole content in words."""
    labels = "what words" if desc else "what"
    size = {"viewBox": numbers(*box), "width": number(box[2]), "height": number(box[3])}
    own = {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img", "aria-labelledby": labels}
    root = Element("svg", own)
    SubElement(root, "title", id="what").text = inert(title)
    if desc:
        SubElement(root, "desc", id="words").text = inert(desc)
    SubElement(root, "style").text = style
    rectangle(root, box, fill=GROUND)
    return root


def side_fills(defs: Element, sides: Iterable[SideLook]) -> None:
    """Add the fill pattern of each side, named by the side's index. A pattern is visible even without color."""
    for at, look in enumerate(sides):
        pattern = SubElement(defs, "pattern", id=f"side{at}", width="6", height="6", patternUnits="userSpaceOnUse")
        rectangle(pattern, (0, 0, 6, 6), fill=look.colour)
        _drawn(pattern, look.pattern, look.ink)


def _drawn(into: Element, pattern: Pattern, ink: str) -> None:
    thin = {"stroke": ink, "stroke-opacity": "0.35"}
    if pattern == "stripes":
        SubElement(into, "path", {"d": "M-1 7 7 -1", **thin})
    elif pattern == "dots":
        SubElement(into, "circle", {"cx": "3", "cy": "3", "r": "0.9", "fill": ink, "fill-opacity": "0.45"})
    elif pattern == "checks":
        SubElement(into, "path", {"d": "M0 3H6M3 0V6", **thin})


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def numbers(*values: float) -> str:
    return " ".join(map(number, values))


def points(spots: Iterable[Spot]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in spots)


def rectangle(into: Element, box: Box, **given: str) -> Element:
    names = ("x", "y", "width", "height")
    return SubElement(into, "rect", {**dict(zip(names, map(number, box), strict=True)), **given})


def circle(into: Element, spot: Spot, radius: float, kind: str) -> Element:
    where = {"cx": number(spot[0]), "cy": number(spot[1]), "r": number(radius)}
    return SubElement(into, "circle", {**where, "class": kind})


def text(into: Element, spot: Spot, said: str, kind: str, **given: str) -> Element:
    one = SubElement(into, "text", {"x": number(spot[0]), "y": number(spot[1]), "class": kind, **given})
    one.text = inert(said)
    return one


def wrapped(said: str, wide: float, letter: float) -> list[str]:
    """Return a text in lines of at most `wide` map units, with letters about `letter` wide."""
    lines: list[str] = []
    for word in said.split():
        if lines and (len(lines[-1]) + 1 + len(word)) * letter <= wide:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
