"""Arrange the ground of a map on paper: terrain, shores, lines, names and a scale, all in map units.

No rule depends on it, and every seat may see it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from math import cos, dist, pi, sin

import msgspec

from umpire_ledger.domain.game.board import Board, Corner
from umpire_ledger.domain.game.cells import cell_of, point_of
from umpire_ledger.domain.game.looks import EDGES, TERRAINS, WATERS
from umpire_ledger.projections.pictures.grids import HIGH, WIDE, Spot, outline_of, spot_of

Box = tuple[float, float, float, float]
Outline = tuple[Spot, ...]
Chart = Callable[[Spot], Spot]
"""Converts a point in units of a plane or an atlas, or in map units, to paper."""
Placed = Callable[[Corner], Spot | None]
"""Returns a corner on paper; None for a place that is not on the map."""
SEA = "sea"
"""The terrain of a map that sets no other one."""
TENTHS = 10
"""Units of coasts in one unit of an atlas."""
FINEST = 1.5
"""Shortest side of a coast, in map units."""
AROUND_POINT, CORNERS = 30.0, 12
"""Radius and corners of the terrain around a point."""


class Field(msgspec.Struct, frozen=True):
    """Outlines of one kind of terrain, drawn together."""

    kind: str
    outlines: tuple[Outline, ...]


class GroundLine(msgspec.Struct, frozen=True):
    """Lines of one kind."""

    kind: str
    lines: tuple[Outline, ...]


class Ground(msgspec.Struct, frozen=True):
    """The ground inside `box` (left, top, width, height). `base`: the terrain everywhere else.

    `names`: each with its spot. `scale`: the length of the bar and its words. `picture`: the box of the
    background picture.
    """

    box: Box
    base: str
    fields: tuple[Field, ...] = ()
    lines: tuple[GroundLine, ...] = ()
    names: tuple[tuple[str, Spot], ...] = ()
    scale: tuple[float, str] | None = None
    picture: Box | None = None

    @property
    def lands(self) -> tuple[Outline, ...]:
        """Return the outlines of all land, if the rest is water."""
        if self.base not in WATERS:
            return ()
        return tuple(one for field in self.fields if field.kind not in WATERS for one in field.outlines)


def has_ground(board: Board) -> bool:
    """Return whether a board declares any ground."""
    shapes = (board.base, board.terrain, board.regions, board.edges, board.coasts)
    return any(map(bool, (*shapes, board.names, board.scale, board.background)))


def arranged(
    board: Board, box: Box, outlines: Mapping[str, Outline], spots: Mapping[str, Spot], chart: Chart
) -> Ground:
    """Return the ground of a board. `outlines`, `spots`: of the places on paper. `chart`: for points in its units."""

    def placed(corner: Corner) -> Spot | None:
        spot = _spot_of_place(board, spots, corner)
        point = point_of(corner) if spot is None else None
        return spot if point is None else chart(point)

    lines = {kind: tuple(_lines(board, kind, placed)) for kind in EDGES}
    coasts = _coasts(board.coasts, chart, box) if board.coasts else ()
    return Ground(
        box=box,
        base=board.base if board.base in TERRAINS else SEA,
        fields=(*_fields(board, outlines, spots), *_regions(board, coasts, placed, box)),
        lines=tuple(GroundLine(kind, found) for kind, found in lines.items() if found),
        names=tuple(_names(board, placed)),
        scale=(_unit(board) * board.scale.length, board.scale.words) if board.scale is not None else None,
        picture=_picture(board, placed, box),
    )


def _picture(board: Board, placed: Placed, box: Box) -> Box | None:
    """Return the box of the background picture; None if the board has none."""
    if board.background is None:
        return None
    ends = _corners(board.background.corners, placed)
    if len(ends) < 2:
        return box
    (left, top), (right, bottom) = ends
    return min(left, right), min(top, bottom), abs(right - left), abs(bottom - top)


def _spot_of_place(board: Board, spots: Mapping[str, Spot], place: str) -> Spot | None:
    """Return the center of a place, also of a cell that is not shown; None for one that is not on the map."""
    place = board.within.get(place, place)
    grid = board.hexes or board.squares
    cell = cell_of(grid, place) if grid is not None and place not in spots else None
    return spot_of(grid, cell) if grid is not None and cell is not None else spots.get(place)


PLANE_WIDE = 800.0
"""Width of a table without places."""


def plane_unit(board: Board) -> float:
    """Return the map units of one unit of the plane."""
    return PLANE_WIDE / board.plane.width if board.plane is not None else 1.0


def _unit(board: Board) -> float:
    """Return the map units of one unit of the scale."""
    if board.plane is not None:
        return plane_unit(board)
    return HIGH if board.hexes is not None else WIDE if board.squares is not None else 1.0


# --- terrain ----------------------------------------------------------------------------------------------------------


def _fields(board: Board, outlines: Mapping[str, Outline], spots: Mapping[str, Spot]) -> Iterator[Field]:
    """Yield the terrain of places, by kind."""
    for kind in TERRAINS:
        places = [place for place, its in board.terrain.items() if its == kind and place in spots]
        if found := tuple(outlines.get(place) or _around(spots[place]) for place in places):
            yield Field(kind, found)


def _around(spot: Spot) -> Outline:
    turns = [2 * pi * at / CORNERS for at in range(CORNERS)]
    return tuple((spot[0] + AROUND_POINT * cos(turn), spot[1] + AROUND_POINT * sin(turn)) for turn in turns)


@lru_cache(32)
def _coasts(coasts: tuple[tuple[tuple[int, int], ...], ...], chart: Chart, box: Box) -> tuple[Outline, ...]:
    """Return the parts of the coasts inside a box.

    Cached, because the land stays the same while a page draws its map after every order.
    """
    scaled = (_thinned(tuple(chart((x / TENTHS, y / TENTHS)) for x, y in one)) for one in coasts)
    return tuple(cut for one in scaled if len(cut := clipped(one, box)) > 2)


def _thinned(outline: Outline) -> Outline:
    """Return an outline without corners that are too close to the one before to be seen on paper."""
    kept = list(outline[:1])
    for spot in outline:
        if dist(kept[-1], spot) > FINEST:
            kept.append(spot)
    return tuple(kept) if len(kept) > 2 else outline


def _regions(board: Board, coasts: tuple[Outline, ...], placed: Placed, box: Box) -> Iterator[Field]:
    """Yield the coasts of an atlas, then the regions, in the order of the file."""
    shapes = [(one.kind, _corners(one.outline, placed)) for one in board.regions if one.kind in TERRAINS]
    inside = [(kind, cut) for kind, outline in shapes if len(cut := clipped(outline, box)) > 2]
    if coasts:
        yield Field("land", coasts)
    for kind, same in groupby(inside, key=lambda one: one[0]):
        yield Field(kind, tuple(outline for _, outline in same))


def _corners(corners: Iterable[Corner], placed: Placed) -> Outline:
    return tuple(spot for one in corners if (spot := placed(one)) is not None)


def clipped(outline: Outline, box: Box) -> Outline:
    """Return the part of an outline inside a box (the algorithm of Sutherland and Hodgman)."""
    left, top, wide, high = box
    for axis, edge, sign in ((0, left, 1), (0, left + wide, -1), (1, top, 1), (1, top + high, -1)):
        outline = tuple(_one_side(outline, axis, edge, sign))
    return outline


def _one_side(outline: Outline, axis: int, edge: float, sign: int) -> Iterator[Spot]:
    for before, spot in zip((*outline[-1:], *outline[:-1]), outline, strict=True):
        was, now = (before[axis] - edge) * sign, (spot[axis] - edge) * sign
        if (was < 0) is not (now < 0):
            part = was / (was - now)
            yield before[0] + (spot[0] - before[0]) * part, before[1] + (spot[1] - before[1]) * part
        if now >= 0:
            yield spot


# --- lines and names --------------------------------------------------------------------------------------------------


def _lines(board: Board, kind: str, placed: Placed) -> Iterator[Outline]:
    for edge in board.edges:
        if edge.kind != kind:
            continue
        sides = (_common_side(board, *pair) for pair in edge.between)
        yield from (one for one in (_corners(edge.along, placed), *sides) if len(one) > 1)


def _common_side(board: Board, one: str, other: str) -> Outline:
    """Return the two corners that two cells of the grid share; none if they share fewer."""
    grid = board.hexes or board.squares
    here, there = (cell_of(grid, one), cell_of(grid, other)) if grid is not None else (None, None)
    if grid is None or here is None or there is None:
        return ()
    corners = {_rounded(spot): spot for spot in outline_of(grid, spot_of(grid, here))}
    others = {_rounded(spot) for spot in outline_of(grid, spot_of(grid, there))}
    shared = tuple(spot for key, spot in corners.items() if key in others)
    return shared if len(shared) == 2 else ()


def _rounded(spot: Spot) -> tuple[int, int]:
    return round(spot[0]), round(spot[1])


def _names(board: Board, placed: Placed) -> Iterator[tuple[str, Spot]]:
    for name, corner in board.names.items():
        if (spot := placed(corner)) is not None:
            yield name, spot
    for region in board.regions:
        if region.name and (outline := _corners(region.outline, placed)):
            yield region.name, middle(outline)
    for edge in board.edges:
        if edge.name and (line := _corners(edge.along, placed)):
            yield edge.name, line[len(line) // 2]


def middle(outline: Outline) -> Spot:
    """Return the center of gravity of an area; of one without any surface, the mean of its corners."""
    around = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    twice = sum(x * v - u * y for (x, y), (u, v) in around)
    if not twice:
        return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    across = sum((x + u) * (x * v - u * y) for (x, y), (u, v) in around) / (3 * twice)
    down = sum((y + v) * (x * v - u * y) for (x, y), (u, v) in around) / (3 * twice)
    return across, down
