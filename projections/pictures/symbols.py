"""Define the symbols of counters: silhouettes of ships and aircraft, and boxes in the style of NATO for land units.

Symbols are plain data for both renderers: the pictures of the server, and the replay page through `<use>`. A drawing
has the two colors of its side: the inherited fill and stroke are the ink, and `currentColor` is the ground.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement

Role = Literal["ink", "ground", "ink-line", "ground-line"]
INK: Final = "ink"
GROUND: Final = "ground"
INK_LINE: Final = "ink-line"
GROUND_LINE: Final = "ground-line"
UNIT = 22 / 47
"""The number of map units for one unit of a drawing: a card is 47 units wide in a drawing, and 22 on the map."""
WIDE, TALL, TURNS = "translate(0 4) scale(.82)", "translate(3 5) scale(.72)", ""
"""Transformations of a drawing on its card, below the label. A drawing with `TURNS` shows the facing of its unit."""
CARD = "m-11-9a2 2 0 0 1 2-2h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2h-18a2 2 0 0 1-2-2z"
TORN = "m-11-9a2 2 0 0 1 2-2h18a2 2 0 0 1 2 2v10.9l-2.6 1.4.7 1.8-3.5.5.5 2.4-3.1.2-.7 2.8h-11.3a2 2 0 0 1-2-2z"
"""The outlines of a counter and of a damaged one, relative to its center, in map units."""
SEVERAL = (
    ("translate(-11 9) scale(.48)", "translate(10 -9) scale(.48)"),
    ("translate(-13 12) scale(.4)", "translate(0 0) scale(.4)", "translate(13 -12) scale(.4)"),
)
"""Transformations of two and of three drawings on one card, between the letter and the number of counters."""


class Part(NamedTuple):
    """A path of a drawing. `width`: the width of its line."""

    role: Role
    path: str
    width: float = 0


class Symbol:
    """A drawing within 24 units around its center. `place`: its transformation on the card."""

    def __init__(self, place: str, *parts: Part) -> None:
        self.place = place
        self.parts = parts


DRAWINGS = {
    "trireme": Symbol(
        TURNS,
        Part(
            INK_LINE,
            "M4.6,-8L10,-5.8M-4.6,-8L-10,-5.8M4.6,-5L10,-2.8M-4.6,-5L-10,-2.8M4.6,-2L10,0.2M-4.6,-2L-10,0.2M4.6,1"
            "L10,3.2M-4.6,1L-10,3.2M4.6,4L10,6.2M-4.6,4L-10,6.2M4.6,7L10,9.2M-4.6,7L-10,9.2M4.6,10L10,12.2M-4.6,10"
            "L-10,12.2",
            1.15,
        ),
        Part(
            INK,
            "M0-23.5 1.2-18.5C4.4-14 5.5-8 5.5 1 5.5 9 4.4 14 2.6 17.5L3.4 21.5H-3.4L-2.6 17.5C-4.4 14-5.5 9-5.5"
            " 1-5.5-8-4.4-14-1.2-18.5Z",
        ),
        Part(GROUND_LINE, "M0-12V-4M0 3V14M-3.6 0h7.2", 1.3),
    ),
    "quinquereme": Symbol(
        TURNS,
        Part(
            INK_LINE,
            "M5,-8L11,-6M-5,-8L-11,-6M5,-4L11,-2M-5,-4L-11,-2M5,0L11,2M-5,0L-11,2M5,4L11,6M-5,4L-11,6M5,8L11,10M-5,8"
            "L-11,10M5,12L11,14M-5,12L-11,14",
            2,
        ),
        Part(
            INK,
            "M0-22.5 1.6-18C5-14 6.2-8 6.2 1 6.2 9 5 14.5 2.8 18L0 21.5-2.8 18C-5 14.5-6.2 9-6.2 1-6.2-8-5-14-1.6-18Z",
        ),
        Part(GROUND, "M-3.2-9.5h6.4v5h-6.4z"),
        Part(GROUND_LINE, "M0-1.5V14M-3.6 2h7.2", 1.5),
    ),
    "merchantman": Symbol(
        TURNS,
        Part(INK, "M0-19C7-14 9.5-6 9.5 2 9.5 11 6.5 16.5 2.5 19.5h-5C-6.5 16.5-9.5 11-9.5 2-9.5-6-7-14 0-19Z"),
        Part(GROUND, "M-13.5-3.5Q0-9.5 13.5-3.5L12.6 0Q0-4.8-12.6 0Z"),
        Part(INK_LINE, "M-13.5-3.5Q0-9.5 13.5-3.5L12.6 0Q0-4.8-12.6 0Z", 1.2),
        Part(GROUND_LINE, "M-4 7h8M-3 12h6", 1.4),
    ),
    "boat": Symbol(
        TURNS,
        Part(INK_LINE, "M3.6,-3L10,-0.6M-3.6,-3L-10,-0.6M3.6,2L10,4.4M-3.6,2L-10,4.4M3.6,7L10,9.4M-3.6,7L-10,9.4", 1.7),
        Part(INK, "M0-14C4-9 5.2-4 5.2 2 5.2 8 3.6 12 2 14h-4C-3.6 12-5.2 8-5.2 2-5.2-4-4-9 0-14Z"),
        Part(GROUND_LINE, "M-3.2-2.5h6.4M-3.6 4h7.2", 1.4),
    ),
    "carrier": Symbol(
        WIDE,
        Part(INK, "M-22-1.5h43l1 3h-3L17 10h-33L-20 1.5h-2ZM1-1.5V-8h3v-3.5h4V-8h2.5v6.5Z"),
        Part(INK_LINE, "M5.5-11V-17M3-14.5h5", 1.3),
        Part(GROUND_LINE, "M-17 4H16", 1.3),
        Part(INK, "M-18-3.5h5M-10.5-3.5h5"),
        Part(INK_LINE, "M-18.5-3.4h5M-10-3.4h5", 1.8),
    ),
    "battleship": Symbol(
        WIDE,
        Part(INK, "M-22 2 22 1 18.5 10h-36ZM-8 2V-6h3V-13h4v4h3v3h4v8ZM7 1.5V-4.5h3.5v6Z"),
        Part(INK, "M11.5-1.5h5l1 3h-6.5ZM-11-1.5h-5l-1 3h6.5Z"),
        Part(INK_LINE, "M16-1l6-1.5M-15.5-1l-6-1.5M-3-13V-18", 1.6),
        Part(GROUND_LINE, "M-16 5.5h32", 1.2),
    ),
    "cruiser": Symbol(
        WIDE,
        Part(
            INK,
            "M-21.5 2.5 22 1 18 9.5h-35ZM-3 2V-4h2.5v-5h3.5v5H5v6ZM7-1.5h-.1L8-5h3l-.6 7H7ZM-9 2-8.2-4.5h3L-5.6 2Z",
        ),
        Part(INK, "M13-.8h4.5l.6 2.4h-5.4ZM-12.5-.4h-4.5l-.6 2.4h5.4Z"),
        Part(INK_LINE, "M17-.2l5-1.2M-16.5.2l-5-1.2M1-9v-6M-1.5-12.5h5", 1.3),
    ),
    "destroyer": Symbol(
        WIDE,
        Part(INK, "M-20 4 21 1 17 9h-35ZM7 2.5V-4h4l1.5 6ZM1.5 3 .8-3h3l.5 6ZM-6 3.3-6.8-2.7h3l.5 6Z"),
        Part(INK_LINE, "M8.5-4v-9M6-10h5M13.5 1l5.5-2M-13 3.2l-6-1.6", 1.3),
    ),
    "submarine": Symbol(
        WIDE,
        Part(INK, "M-22 5C-18 1.5-10 1-4 1V-6.5h8.5L6 1C13 1 18 2 21.5 4.5 18 8 12 9-2 9-12 9-19 8-22 5Z"),
        Part(INK_LINE, "M.5-6.5V-14h3M-22 13q2.75-3 5.5 0t5.5 0 5.5 0 5.5 0 5.5 0 5.5 0 5.5 0 5.5 0", 1.4),
    ),
    "transport": Symbol(
        WIDE,
        Part(INK, "M-21 2 21.5 1 18 10h-35.5ZM-18 2V-4h9v6ZM-16.5-4v-5h4v5Z"),
        Part(INK_LINE, "M0 2V-14M0-12 8 0M0-12-7 0M13 1V-11M13-9 7 0M13-9 19 0", 1.6),
    ),
    "fighter": Symbol(
        TALL,
        Part(
            INK,
            "M0-17C1.8-17 2.3-13 2.4-9L20-4.5V.5L2.4 2 1.6 11 7.5 14v3L0 15.8-7.5 17v-3l5.9-3L-2.4 2-20 .5V-4.5"
            "L-2.4-9C-2.3-13-1.8-17 0-17Z",
        ),
        Part(GROUND_LINE, "M0-8v5", 1.4),
        Part(INK_LINE, "M-5-17.6H5", 1.4),
    ),
    "bomber": Symbol(
        TALL,
        Part(
            INK,
            "M0-18C2.2-18 2.8-14 2.8-8L6-8V-13h4v5.6L22-5v4.5L2.8 2 2 12l8 2.5v3L0 16l-10 1.5v-3L-2 12-2.8 2-22-.5"
            "V-5l12-2.4V-13h4v5h3.2C-2.8-14-2.2-18 0-18Z",
        ),
        Part(INK_LINE, "M4.6-14h6.8M-4.6-14h-6.8", 1.4),
        Part(GROUND_LINE, "M0-13v5M0 0v8", 1.4),
    ),
    "infantry": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36ZM-18-8 18 14M18-8-18 14", 2.2),
    ),
    "pikes": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36Z", 2.2),
        Part(INK_LINE, "M-10 14V-13M0 14V-13M10 14V-13", 2),
        Part(INK, "M-10-18l2.6 7h-5.2ZM0-18l2.6 7h-5.2ZM10-18l2.6 7h-5.2Z"),
    ),
    "cavalry": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36ZM18-8-18 14", 2.2),
    ),
    "artillery": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36Z", 2.2),
        Part(INK, "M-5 3a5 5 0 1 0 10 0 5 5 0 1 0-10 0Z"),
    ),
    "armor": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36ZM-9-3.5H9a6.5 6.5 0 0 1 0 13H-9a6.5 6.5 0 0 1 0-13Z", 2.2),
    ),
    "marines": Symbol(
        WIDE,
        Part(GROUND, "M-18-8h36V14h-36Z"),
        Part(INK_LINE, "M-18-8h36V14h-36ZM-18-8 18 14M18-8-18 14", 2.2),
        Part(GROUND, "M-5-5h10v16h-10z"),
        Part(INK_LINE, "M0-2.5V10M-5.5 5Q-4.5 10 0 10 4.5 10 5.5 5M-3 .5h6", 1.8),
    ),
    "hq": Symbol(
        WIDE,
        Part(GROUND, "M-16-10h34V9h-34Z"),
        Part(INK_LINE, "M-16 19V-10h34V9h-34", 2.2),
        Part(INK, "M1-7.5 3-2.2l5.6.2-4.4 3.5 1.5 5.4L1 3.8-3.7 6.9-2.2 1.5-6.6-2-1-2.2Z"),
    ),
    "leader": Symbol(
        TALL,
        Part(INK, "M0-21 5.5-7.2 20.5-6.3 8.9 3.2 12.6 17.7 0 9.6-12.6 17.7-8.9 3.2-20.5-6.3-5.5-7.2Z"),
        Part(GROUND, "M-4-1a4 4 0 1 0 8 0 4 4 0 1 0-8 0Z"),
    ),
    "flag": Symbol(
        TALL,
        Part(INK_LINE, "M-13 20V-19", 2.6),
        Part(INK, "M-12-18H19L11-8.5 19 1H-12Z"),
    ),
    "port": Symbol(
        TALL,
        Part(INK_LINE, "M0-10V17M-15 6Q-14 17 0 17 14 17 15 6M-8-4H8", 3),
        Part(INK_LINE, "M-4.5-14.5a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0Z", 2.6),
        Part(INK, "M-19.5 10-15.5 1-9.5 8.5ZM19.5 10 15.5 1 9.5 8.5Z"),
    ),
    "airfield": Symbol(
        TALL,
        Part(INK_LINE, "M-19 0a19 19 0 1 0 38 0 19 19 0 1 0-38 0Z", 2.4),
        Part(INK_LINE, "M-11 11 11-11M-11-11 11 11", 4.6),
        Part(GROUND_LINE, "M-10 10 10-10M-10-10 10 10", 1),
    ),
    "s-fighter": Symbol(
        TALL,
        Part(INK, "M0-16 3-4 15 8v4L4 9l2 6H-6l2-6-11 3V8L-3-4Z"),
        Part(GROUND_LINE, "M0-6v7", 1.6),
    ),
    "s-destroyer": Symbol(
        TALL,
        Part(INK, "M0-21 5-8 7 5l6 8v5L5 15l-1 5H-4l-1-5-8 3V13l6-8L-5-8Z"),
        Part(GROUND_LINE, "M0-11V4M-3.5 9h7", 1.6),
    ),
    "s-cruiser": Symbol(
        TALL,
        Part(INK, "M0-22 5-11V0L17 9V19L13 21 10 15 5 14V18L0 21-5 18V14L-10 15-13 21-17 19V9L-5 0V-11Z"),
        Part(GROUND_LINE, "M0-13V-3M-2.5 8h5", 1.6),
    ),
    "s-carrier": Symbol(
        TALL,
        Part(INK, "M-8-20H8L17-12V15L11 20H-11L-17 15V-12Z"),
        Part(GROUND, "M-12-9h8v9h-8ZM4-9h8v9H4ZM-12 4h8v9h-8ZM4 4h8v9H4Z"),
        Part(GROUND_LINE, "M0-15V15", 1.6),
    ),
    "s-dreadnought": Symbol(
        TALL,
        Part(INK, "M0-23 6-12 8-1l11 11v8l-9-2-2 6H-8l-2-6-9 2v-8L-8-1-6-12Z"),
        Part(GROUND, "M0-14 2.6-5h-5.2ZM-4 0h8v4h-8ZM-6.5 8h13v4h-13Z"),
    ),
    "s-warsun": Symbol(
        TALL,
        Part(INK, "M-20 0a20 20 0 1 0 40 0 20 20 0 1 0-40 0Z"),
        Part(GROUND, "M-6.5 0a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0Z"),
        Part(INK, "M-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0Z"),
        Part(
            GROUND_LINE,
            "M0-17V-10M0 10V17M-17 0h7M10 0h7M-12-12l4.5 4.5M12 12 7.5 7.5M-12 12l4.5-4.5M12-12 7.5-7.5",
            2,
        ),
    ),
    "s-tug": Symbol(
        TALL,
        Part(INK, "M0-21 6-13V-7H-6V-13ZM-2-7H2V15H-2Z"),
        Part(INK, "M-17-5H-5V10H-17ZM5-5H17V10H5Z"),
        Part(INK, "M-7 13H7L5 20H-5Z"),
        Part(GROUND_LINE, "M-11-1v7M11-1v7", 1.6),
    ),
    "pds": Symbol(
        TALL,
        Part(INK, "M-20 19V13h40v6ZM-13 11a13 13 0 0 1 26 0Z"),
        Part(INK_LINE, "M-2 1 8-19M5 3 16-14", 3.6),
        Part(GROUND_LINE, "M-8 8a8 8 0 0 1 4-5", 1.6),
    ),
    "dock": Symbol(
        TALL,
        Part(INK, "M-20-15h8V9h24v-24h8V18h-40Z"),
        Part(INK, "M0-19 5-9V5H-5V-9Z"),
        Part(GROUND_LINE, "M-16-8v6M16-8v6M-8 13.5H8", 1.6),
    ),
    "ground": Symbol(
        TALL,
        Part(INK, "M-11-2a11 12 0 0 1 22 0v5H-11ZM-7 5H7v4q-7 4-14 0ZM-17 20q1-9 9-9 8 4 16 0 8 0 9 9Z"),
        Part(GROUND, "M-8-1h16v3H-8Z"),
    ),
    "starbase": Symbol(
        TALL,
        Part(INK, "M0-21 4-9 14-16 9-5 21 0 9 5 14 16 4 9 0 21-4 9-14 16-9 5-21 0-9-5-14-16-4-9Z"),
        Part(GROUND, "M-6 0a6 6 0 1 0 12 0 6 6 0 1 0-12 0Z"),
        Part(INK, "M-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0Z"),
    ),
    "unknown": Symbol(
        TALL,
        Part(INK_LINE, "M-6.5-5.5a6.5 6.5 0 1 1 9 6Q0 2.5 0 6.5", 4),
        Part(INK, "M-2.6 13a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0Z"),
    ),
}


def place_of(name: str, bearing: int) -> str:
    """Return the transformation of the only drawing on a card. `bearing`: its unit's, in degrees, 0 if unknown."""
    if place := DRAWINGS[name].place:
        return place
    return f"rotate({bearing}) scale(.9)" if bearing else "translate(2.5 .5) scale(.86)"


def leaves_right(name: str, bearing: int) -> bool:
    """Return whether a drawing leaves only the upper right corner of its card free, instead of the upper left one."""
    return not DRAWINGS[name].place and bearing % 180 > 90


def define_symbols(defs: Element, names: Iterable[str]) -> None:
    """Add the definitions of these symbols, each as `symbol-NAME`, and the clip path of a torn card."""
    torn = SubElement(defs, "clipPath", id="torn")
    SubElement(torn, "path", d=f"M0 0{TORN}", transform=f"scale({1 / UNIT:.4f})")
    for name in names:
        group = SubElement(defs, "g", id=f"symbol-{name}")
        for part in DRAWINGS[name].parts:
            SubElement(group, "path", {"d": part.path, **_painted(part)})


def _painted(part: Part) -> dict[str, str]:
    match part.role:
        case "ink":
            return {"stroke": "none"}
        case "ground":
            return {"fill": "currentColor", "stroke": "none"}
        case "ink-line":
            return {"fill": "none", "stroke-width": f"{part.width:g}"}
        case "ground-line":
            return {"fill": "none", "stroke": "currentColor", "stroke-width": f"{part.width:g}"}
