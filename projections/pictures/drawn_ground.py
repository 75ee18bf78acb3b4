"""Draw the ground below the places of a map: terrain with its texture, shores, lines, names and a scale."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from xml.etree.ElementTree import Element, SubElement

from umpire_ledger.domain.game.looks import WATERS
from umpire_ledger.projections.pictures.ground import Field, Ground, Outline
from umpire_ledger.projections.pictures.shapes import numbers, rectangle, text

TEXTURES = {
    "field": (14, "M2 4H9M5 11H12"),
    "woods": (14, "M2 6q2-5 4 0M4 6v2M9 12q2-5 4 0M11 12v1.5"),
    "hill": (18, "M3 8q4-5 9 0M6 15q3-3 7 0"),
    "mountain": (20, "M2 10l5-7 5 7M7 3l-1 7M11 18l4-5 4 5"),
    "rough": (14, "M2 4l1.5 1M8 2l1 1.5M11 9l1.5 1M4 11l1 1"),
    "marsh": (16, "M2 6h6M4 6v-3M6 6v-2M9 13h5M11 13v-3"),
    "sand": (12, "M2 3h.6M8 5h.6M4 9h.6M10 10h.6"),
    "town": (12, "M2 2h3v3h-3zM7 7h3v3h-3z"),
}
"""The texture of a terrain: the side of its square and its strokes. Kinds differ by it as well as by color."""
UNDER = {"river": "bank", "road": "verge"}
"""The wider line below a line that has two colors."""
GROUND_CLASS = "terrain"
"""The class of the frame with all ground."""
TICK = 4.0
PAGE = files("umpire_ledger.projections.pictures") / "page"


def draw_ground(into: Element, ground: Ground, picture: str = "") -> None:
    """Draw the ground in a frame that cuts it at the edges of the map; `draw_names` adds its names.

    `picture`: the address of the background picture. As an image it cannot execute or load anything.
    """
    frame = SubElement(into, "svg", dict(zip(("x", "y", "width", "height"), map(numbers, ground.box), strict=True)))
    frame.set("viewBox", numbers(*ground.box))
    frame.set("class", GROUND_CLASS)
    _textures(frame, (field.kind for field in (Field(ground.base, ()), *ground.fields)))
    rectangle(frame, ground.box, **{"class": f"terrain-{ground.base}"})
    if ground.base in TEXTURES:
        rectangle(frame, ground.box, fill=f"url(#terrain-{ground.base})")
    if picture and ground.picture is not None:
        box = dict(zip(("x", "y", "width", "height"), map(numbers, ground.picture), strict=True))
        SubElement(frame, "image", {**box, "href": picture, "preserveAspectRatio": "none"})
    if ground.lands:
        for kind in ("shelf", "shallows", "shore"):
            _path(frame, ground.lands, kind)
    for field in ground.fields:
        _field(frame, field, has_shore=field.kind == "water" or ground.base not in WATERS)
    for line in ground.lines:
        for kind in filter(None, (UNDER.get(line.kind), line.kind)):
            _path(frame, line.lines, f"edge edge-{kind}", closed=False)


def _field(frame: Element, field: Field, *, has_shore: bool) -> None:
    if has_shore and field.kind in WATERS:
        _path(frame, field.outlines, "shore")
    _path(frame, field.outlines, f"terrain-{field.kind}")
    if field.kind in TEXTURES:
        _path(frame, field.outlines, "").set("fill", f"url(#terrain-{field.kind})")


def _path(frame: Element, outlines: Iterable[Outline], kind: str, *, closed: bool = True) -> Element:
    end = "Z" if closed else ""
    drawn = "".join(f"M{'L'.join(numbers(*spot) for spot in outline)}{end}" for outline in outlines)
    return SubElement(frame, "path", {"d": drawn, **({"class": kind} if kind else {})})


def _textures(frame: Element, kinds: Iterable[str]) -> None:
    used = sorted({*kinds} & TEXTURES.keys())
    defs = SubElement(frame, "defs") if used else frame
    for kind in used:
        side, strokes = TEXTURES[kind]
        size = {"width": str(side), "height": str(side), "patternUnits": "userSpaceOnUse"}
        pattern = SubElement(defs, "pattern", {"id": f"terrain-{kind}", **size})
        SubElement(pattern, "path", {"d": strokes, "class": "relief"})


def draw_names(into: Element, ground: Ground) -> None:
    """Write the names of the ground, and the scale below it."""
    for name, spot in ground.names:
        text(into, spot, name, "region")
    if ground.scale is not None:
        length, words = ground.scale
        left, low = ground.box[0], ground.box[1] + ground.box[3] + 12
        ends = f"M{numbers(left, low - TICK)}V{numbers(low)}H{numbers(left + length)}V{numbers(low - TICK)}"
        SubElement(into, "path", {"d": ends, "class": "scale"})
        text(into, (left + length + 6, low + 3), words, "note")


@cache
def ground_style() -> str:
    """Return the style of the ground for a picture of its own, in the light colors of the pages."""
    rules = (PAGE / "ground.css").read_text(encoding="utf-8").rpartition("fill: transparent }\n")[2]
    light = {**_light("palette.css"), **_light("ground.css")}
    own = ".place.bare { fill: none; stroke: var(--hex); stroke-opacity: .3 } .name { fill: var(--num) }\n"
    return re.sub(r"var\(--([a-z]+)\)", lambda found: light[found[1]], rules + own)


def _light(name: str) -> dict[str, str]:
    """Return the light colors of a style sheet, by name."""
    first = (PAGE / name).read_text(encoding="utf-8").partition("@media")[0]
    return dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6})", first))
