"""Name the colors, drawings and kinds of ground from which a scenario or a title may choose. No rule uses them."""

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec

COLORS = {
    "black": "#1d2430",
    "blue": "#0072b2",
    "brown": "#7a5230",
    "gray": "#5b6573",
    "green": "#00795c",
    "grey": "#5b6573",
    "navy": "#1f3a6e",
    "orange": "#e69f00",
    "pink": "#cc79a7",
    "purple": "#71479a",
    "red": "#c1272d",
    "sky": "#56b4e9",
    "tan": "#d2b48c",
    "teal": "#007f8c",
    "white": "#f6f4ee",
    "yellow": "#f0e442",
}
"""The named colors. Any other color is written as #rrggbb."""
SYMBOLS = (
    *("trireme", "quinquereme", "merchantman", "boat"),
    *("carrier", "battleship", "cruiser", "destroyer", "submarine", "transport", "bomber", "fighter"),
    *("armor", "marines", "infantry", "pikes", "cavalry", "artillery", "hq", "leader", "flag", "port", "airfield"),
    *("s-warsun", "s-dreadnought", "s-carrier", "s-cruiser", "s-destroyer", "s-tug", "s-fighter"),
    *("starbase", "dock", "pds", "ground", "unknown"),
)
"""The drawings of counters, in the order in which a stack shows them."""
NO_SYMBOL = ""
"""Symbol of a kind that has no drawing, even if a drawing has the name of the kind."""
TERRAINS = (
    *("sea", "shoal", "water", "land", "field", "woods"),
    *("hill", "mountain", "rough", "marsh", "sand", "town"),
)
"""The kinds of ground, of a place or of an outline."""
WATERS = ("sea", "shoal", "water")
"""The kinds that have no shore of their own."""
EDGES = ("coast", "river", "road", "wall", "hedge", "border")
"""The kinds of lines on the ground, between two places or along several."""
Color = Annotated[str, msgspec.Meta(max_length=20)]
Symbol = Annotated[str, msgspec.Meta(max_length=20)]
Terrain = Annotated[str, msgspec.Meta(max_length=20)]
Line = Annotated[str, msgspec.Meta(max_length=20)]


def color_of(word: str) -> str:
    """Return a color as #rrggbb; "" if the word is neither a name nor #rrggbb."""
    return word.lower() if re.fullmatch("#[0-9A-Fa-f]{6}", word) else COLORS.get(word.lower(), "")


def symbol_of(symbols: Mapping[str, str], kind: str) -> str:
    """Return the drawing of a kind of unit, by default the drawing with the name of the kind; "" if there is none."""
    name = symbols.get(kind, kind.lower())
    return name if name in SYMBOLS else NO_SYMBOL
