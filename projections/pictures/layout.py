"""Arrange the places of a board on paper: center, outline, and name of each."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations
from math import dist
from typing import Literal

import msgspec

from umpire_ledger.domain.game.board import Board, Cell, Hexes, Plane, Squares
from umpire_ledger.domain.game.cells import cell_of, name_of
from umpire_ledger.projections.pictures.grids import WIDE, Spot, outline_of, spot_of

AROUND = 2
"""Cells shown around the pieces on a grid that is too large to show whole, or has no end."""
MOST_CELLS = 1000
"""The most cells of a grid that is shown whole; of a larger one, only the surroundings of its pieces are shown."""
BOX_WIDE, BOX_HIGH, GAP = 110.0, 56.0, 10.0
CHART_WIDE, APART, MOST_PUSHES = 800.0, 60.0, 100
"""Width of an atlas, the distance of its places, and the most attempts to reach that distance."""
PLANE_WIDE = 800.0
"""Width of a table without places."""
_ON_TABLE = re.compile(r"(-?[0-9]{1,5}(?:\.[0-9]{1,6})?), ?(-?[0-9]{1,5}(?:\.[0-9]{1,6})?)")
TILES = Hexes(first=(0, 0), shoved="odd")

Sort = Literal["cell", "point", "area", "box"]


class Plot(msgspec.Struct, frozen=True):
    """A place on paper, in map units. `outline`: its corners; none for a point. `shown`: its name is written."""

    place: str
    sort: Sort
    at: Spot
    outline: tuple[Spot, ...] = ()
    shown: bool = True


class Layout(msgspec.Struct, frozen=True):
    """The plots by place, the lines and words around them, and the extent: left, top, width, height.

    `within`: places drawn inside another. `tables`: the edges of tables without places. `headings`: the names of tracks
    and their spots.
    """

    plots: Mapping[str, Plot]
    extent: tuple[float, float, float, float]
    within: Mapping[str, str] = {}
    links: tuple[tuple[Spot, Spot], ...] = ()
    tables: tuple[tuple[Spot, ...], ...] = ()
    headings: tuple[tuple[str, Spot], ...] = ()

    def spot(self, place: str) -> Spot | None:
        """Return the center of a place, or of the place that it is drawn in; None for one without a plot."""
        plot = self.plots.get(self.within.get(place, place))
        return plot.at if plot is not None else None


def laid_out(board: Board, places: Iterable[str]) -> Layout:
    """Return the layout of a board with these places in use; those that it does not declare become boxes."""
    used = list(dict.fromkeys(board.within.get(place, place) for place in places if place))
    sorts = (_grid(board, used), _named(board), _charted(board, used), _on_table(board, used))
    plots = {plot.place: plot for plot in chain.from_iterable(sorts)}
    table = _table_edge(board.plane) if board.plane else ()
    left, top, right, bottom = _edges(plots.values(), table)
    rows = _box_rows(board, [place for place in used if place not in plots], right - left)
    headings = []
    for heading, row in rows:
        if heading:
            headings.append((heading, (left, bottom + GAP + 12)))
            bottom += 16
        for at, place in enumerate(row):
            middle = left + at * (BOX_WIDE + GAP) + BOX_WIDE / 2, bottom + GAP + BOX_HIGH / 2
            plots[place] = Plot(place, "box", middle, _rectangle(middle, BOX_WIDE, BOX_HIGH))
            right = max(right, middle[0] + BOX_WIDE / 2)
        bottom += GAP + BOX_HIGH
    return Layout(
        plots=plots,
        extent=(left - GAP, top - GAP, right - left + 2 * GAP, bottom - top + 2 * GAP),
        within=board.within,
        links=tuple((plots[one].at, plots[two].at) for one, two in board.links if one in plots and two in plots),
        tables=(table,) if table else (),
        headings=tuple(headings),
    )


# --- the sorts of places ----------------------------------------------------------------------------------------------


def _grid(board: Board, used: Iterable[str]) -> Iterator[Plot]:
    grid = board.hexes or board.squares
    if grid is None:
        return
    cells = [cell for place in used if (cell := cell_of(grid, place)) is not None]
    for cell in _shown(grid, cells):
        yield _cell_plot(grid, cell)


@lru_cache(maxsize=4 * MOST_CELLS)
def _cell_plot(grid: Hexes | Squares, cell: Cell) -> Plot:
    """Return the plot of a cell.

    Cached, because a page draws its map after every order and the ground stays the same.
    """
    spot = spot_of(grid, cell)
    return Plot(name_of(grid, cell), "cell", spot, outline_of(grid, spot))


def _shown(grid: Hexes | Squares, used: list[Cell]) -> Iterator[Cell]:
    """Yield the cells of a grid, row by row: all of them, or of a large one those around the used."""
    whole = grid.columns and grid.rows and grid.columns * grid.rows <= MOST_CELLS
    if not whole and not used:
        return
    columns = _span(grid.first[0], grid.columns, [] if whole else [column for column, _ in used])
    rows = _span(grid.first[1], grid.rows, [] if whole else [row for _, row in used])
    yield from ((column, row) for row in rows for column in columns)


def _span(first: int, count: int, used: list[int]) -> range:
    last = first + count - 1 if count else max(used) + AROUND
    return range(max(first, min(used) - AROUND), min(last, max(used) + AROUND) + 1) if used else range(first, last + 1)


def _named(board: Board) -> Iterator[Plot]:
    for name, cell in board.tiles.items():
        spot = spot_of(TILES, cell)
        yield Plot(name, "cell", (spot[0] * 2, spot[1] * 2), _twice(outline_of(TILES, spot)))
    for name, spot in board.points.items():
        yield Plot(name, "point", spot)
    for name, outline in board.areas.items():
        yield Plot(name, "area", _middle(outline), outline)


def _charted(board: Board, used: Iterable[str]) -> Iterator[Plot]:
    """Yield the places of the atlas that are in use, as large as paper allows and without overlap."""
    names = sorted({place for place in used if place in board.atlas})
    if not names:
        return
    across, down = zip(*(board.atlas[name] for name in names), strict=True)
    scale = CHART_WIDE / max(max(across) - min(across), max(down) - min(down), 1)
    spots = [((x - min(across)) * scale, (y - min(down)) * scale) for x, y in zip(across, down, strict=True)]
    yield from (Plot(name, "point", spot) for name, spot in zip(names, apart(spots), strict=True))


def apart(spots: list[Spot], far: float = APART) -> list[Spot]:
    """Return points pushed away from each other to a distance of `far`, or as near to it as the attempts allow."""
    moved = list(spots)
    for _ in range(MOST_PUSHES):
        close = [
            (one, other)
            for one, other in combinations(range(len(moved)), 2)
            if dist(moved[one], moved[other]) < far - 0.5
        ]
        if not close:
            break
        for one, other in close:
            moved[one], moved[other] = _pushed(moved[one], moved[other], far)
    return moved


def _pushed(spot: Spot, other: Spot, far: float) -> tuple[Spot, Spot]:
    """Return two points pushed apart to a distance; two on one spot are placed side by side."""
    gap = dist(spot, other)
    across, down = ((other[0] - spot[0]) / gap, (other[1] - spot[1]) / gap) if gap else (1.0, 0.0)
    push = max(far - gap, 0.0) / 2
    return (spot[0] - across * push, spot[1] - down * push), (other[0] + across * push, other[1] + down * push)


def _twice(outline: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Return an outline of double size: a tile contains a whole system, and is drawn twice as large as a hex."""
    return tuple((2 * x, 2 * y) for x, y in outline)


def _on_table(board: Board, used: Iterable[str]) -> Iterator[Plot]:
    if board.plane is None:
        return
    scale = PLANE_WIDE / board.plane.width
    for place in used:
        spot = spot_on_table(place)
        if spot is not None:
            yield Plot(place, "point", (spot[0] * scale, spot[1] * scale), shown=False)


def spot_on_table(place: str) -> Spot | None:
    """Return the two numbers of a place that is written "X,Y"; None for a place in words."""
    found = _ON_TABLE.fullmatch(place)
    return (float(found[1]), float(found[2])) if found else None


def _table_edge(plane: Plane) -> tuple[Spot, ...]:
    high = PLANE_WIDE * plane.height / plane.width
    return (0.0, 0.0), (PLANE_WIDE, 0.0), (PLANE_WIDE, high), (0.0, high)


def _box_rows(board: Board, untold: list[str], wide: float) -> Iterator[tuple[str, list[str]]]:
    """Yield rows of boxes below the map with their headings: tracks, then places off the map, then undeclared ones."""
    for track, places in board.tracks.items():
        yield track, list(places)
    on_tracks = {place for places in board.tracks.values() for place in places}
    boxes = [place for place in dict.fromkeys((*board.boxes, *untold)) if place not in on_tracks]
    most = max(int((wide + GAP) // (BOX_WIDE + GAP)), 4)
    yield from (("", boxes[at : at + most]) for at in range(0, len(boxes), most))


# --- shapes -----------------------------------------------------------------------------------------------------------


def _edges(plots: Iterable[Plot], table: Iterable[Spot]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of all plots; without plots, all are 0."""
    spots = [spot for plot in plots for spot in plot.outline or _rectangle(plot.at, WIDE, WIDE)]
    spots += table
    if not spots:
        return 0.0, 0.0, 4 * (BOX_WIDE + GAP) - GAP, 0.0
    return min(x for x, _ in spots), min(y for _, y in spots), max(x for x, _ in spots), max(y for _, y in spots)


def _rectangle(middle: Spot, wide: float, high: float) -> tuple[Spot, ...]:
    x, y, half, low = *middle, wide / 2, high / 2
    return (x - half, y - low), (x + half, y - low), (x + half, y + low), (x - half, y + low)


def _middle(outline: tuple[Spot, ...]) -> Spot:
    """Return the center of gravity of an area; of one without any surface, the mean of its corners."""
    around = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    twice = sum(x * v - u * y for (x, y), (u, v) in around)
    if not twice:
        return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    across = sum((x + u) * (x * v - u * y) for (x, y), (u, v) in around) / (3 * twice)
    down = sum((y + v) * (x * v - u * y) for (x, y), (u, v) in around) / (3 * twice)
    return across, down
