"""Declare the map of a title or a scenario as plain data.

The board holds no rules; rules know places by name. One line is enough for a grid: `board = { hexes = { columns = 20,
rows = 16 } }` in a scenario, `Board(hexes=Hexes(20, 16))` in a title.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.game.looks import Color, Line, Symbol, Terrain

Length = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
"""Map units, whole: a place of a grid is 40 of them wide. x runs right, y down. The log has no floats."""
Spot = tuple[Length, Length]
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
Cell = tuple[Annotated[int, msgspec.Meta(ge=-999, le=999)], Annotated[int, msgspec.Meta(ge=-999, le=999)]]
Numbering = Annotated[str, msgspec.Meta(min_length=2, max_length=20, pattern="^[^CR]*(C+[^CR]*R+|R+[^CR]*C+)[^CR]*$")]
"""The pattern of a grid's place names: a run of `C` is the column, one of `R` the row, one letter for each digit."""
Bearing = Annotated[int, msgspec.Meta(ge=0, le=359)]
"""A direction, in degrees clockwise from the top of the map."""
Sign = Literal["crippled", "hidden", "burning", "bound", "active"]
"""A mark on a counter: a torn corner, an outline of dashes, a flame, a ring, a dot."""


class Hexes(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A grid of hexes. `columns`, `rows`: its size; 0 if the map has no edge, and pictures show the part with units.

    `first`: the numbers of the first column and row. `pointed`: true for hexes that stand on a corner and form straight
    rows; other hexes lie flat and form straight columns. `shoved`: the columns, by their printed number, that are
    shifted down by half a hex; for pointed hexes, the rows that are shifted to the right.
    """

    columns: Count = 0
    rows: Count = 0
    numbering: Numbering = "CCRR"
    first: Cell = (1, 1)
    pointed: bool = False
    shoved: Literal["even", "odd"] = "even"


class Squares(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A grid of squares; its entries mean the same as those of `Hexes`."""

    columns: Count = 0
    rows: Count = 0
    numbering: Numbering = "CCRR"
    first: Cell = (1, 1)


class Plane(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table without places: units are at "X,Y" in its units, measured from its upper left corner."""

    width: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    height: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    unit: Annotated[str, msgspec.Meta(max_length=20)] = "inch"


Corner = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
"""A point of a line or an outline: a place, whose center it is, or "X,Y" in units of the plane, else in map units."""
Words = Annotated[str, msgspec.Meta(max_length=60)]


class Region(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of the ground outside of places. `kind`: its terrain. `outline`: its corners. `name`: its name, if any."""

    kind: Terrain
    outline: Annotated[tuple[Corner, ...], msgspec.Meta(min_length=3, max_length=500)]
    name: Words = ""


class Edge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line on the ground. `kind`: coast, river, road, wall, hedge or border. `name`: its name, if any.

    `along`: the points that it joins. `between`: pairs of neighboring places; the line is the side between them.
    """

    kind: Line
    along: Annotated[tuple[Corner, ...], msgspec.Meta(max_length=500)] = ()
    between: Annotated[tuple[tuple[str, str], ...], msgspec.Meta(max_length=500)] = ()
    name: Words = ""


class Background(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A picture below the ground. `file`: its name; it is next to the scenario.

    `corners`: its upper left and lower right corner; without them it covers the whole map.
    """

    file: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.(png|jpg|jpeg|webp|svg)$",
            max_length=80,
            description="a file name that ends in .png, .jpg, .webp or .svg",
        ),
    ]
    corners: Annotated[tuple[Corner, ...], msgspec.Meta(max_length=2)] = ()


class Scale(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A bar below the map. `length`: in units of the plane, in places of the grid, else in map units.

    `words`: the meaning of that length.
    """

    length: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class Board(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The positions of places on the map. A place without a position is drawn as a labelled box below the map.

    `tiles`: hexagonal tiles by name, at (column, row) of a grid of flat hexes whose odd columns are half a tile
    lower. `points`: named places in map units. `areas`: named places with their outlines, in map units. `atlas`:
    named points with units of their own; only those in use are shown, moved apart if they are too close. `links`:
    pairs of places between which a line is drawn. `boxes`: places off the map. `tracks`: rows of places, by the name
    of the track. `within`: places that are drawn in another one, for example a planet in its tile. `signs`:
    attributes of units that are shown on a counter unless they are 0, false or empty. `colors`: those of sides, by
    id. `symbols`: drawings of kinds of units, by kind. `numbers`: attributes whose number is on a counter unless it
    is 0, each with a prefix. `facing`: the attribute with the facing of a unit: a point of the compass, a place that
    it faces, or a word of the board's own `bearings`. `base`: the terrain of the whole map. `terrain`: that of
    places. `regions`, `edges`: parts of the ground without places, and lines on it. `names`: names written on the
    ground, each at a place or a point. `scale`: a bar with its length. `background`: a picture below all of it.
    `coasts`: outlines of land under the atlas, in tenths of its units.

    Any other facing is written on the counter.
    """

    hexes: Hexes | None = None
    squares: Squares | None = None
    plane: Plane | None = None
    tiles: dict[str, Cell] = {}
    points: dict[str, Spot] = {}
    atlas: dict[str, Spot] = {}
    areas: dict[str, Annotated[tuple[Spot, ...], msgspec.Meta(min_length=3, max_length=500)]] = {}
    links: tuple[tuple[str, str], ...] = ()
    boxes: tuple[str, ...] = ()
    tracks: dict[str, tuple[str, ...]] = {}
    within: dict[str, str] = {}
    signs: dict[str, Sign] = {}
    colors: dict[str, Color] = {}
    symbols: dict[str, Symbol] = {}
    numbers: dict[str, Annotated[str, msgspec.Meta(max_length=2)]] = {}
    facing: Annotated[str, msgspec.Meta(max_length=60)] = ""
    bearings: dict[str, Bearing] = {}
    base: Terrain = ""
    terrain: dict[str, Terrain] = {}
    regions: Annotated[tuple[Region, ...], msgspec.Meta(max_length=500)] = ()
    edges: Annotated[tuple[Edge, ...], msgspec.Meta(max_length=500)] = ()
    names: dict[Words, Corner] = {}
    scale: Scale | None = None
    background: Background | None = None
    coasts: tuple[Annotated[tuple[Spot, ...], msgspec.Meta(min_length=3)], ...] = ()


SHEET = "board"
"""Key of the scenario's own board in `Game.tables`."""


def joined(title: Board, scenario: Board) -> Board:
    """Return the title's board with the scenario's entries in place of its own.

    Dictionaries are merged by key; other fields are replaced as a whole.
    """
    both: dict[str, Any] = {}
    for field in Board.__struct_fields__:
        first, then = getattr(title, field), getattr(scenario, field)
        both[field] = {**first, **then} if isinstance(first, dict) else then or first
    return Board(**both)


def board_in(tables: Mapping[str, Any]) -> Board:
    """Return the board that a game's scenario declares; an empty board if it declares none or an unreadable one."""
    try:
        return msgspec.convert(tables.get(SHEET, {}), Board)
    except msgspec.ValidationError:
        return Board()
