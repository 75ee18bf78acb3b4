"""Arrange the places of a board on paper: center, outline, and name of each."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations
from math import dist
from typing import Literal, NamedTuple

import msgspec

from umpire_ledger.domain.game.board import Board, Cell, Hexes, Plane, Squares
from umpire_ledger.domain.game.cells import cell_of, name_of, point_of
from umpire_ledger.projections.pictures.grids import WIDE, Spot, outline_of, spot_of
from umpire_ledger.projections.pictures.ground import PLANE_WIDE, Ground, arranged, has_ground, middle, plane_unit

AROUND = 2
"""Cells shown around the pieces on a grid that is too large to show whole, or has no end."""
MOST_CELLS = 1000
"""The most cells of a grid that is shown whole; of a larger one, only the surroundings of its pieces are shown."""
BOX_WIDE, BOX_HIGH, GAP = 110.0, 56.0, 10.0
CHART_WIDE, APART, MOST_PUSHES = 800.0, 60.0, 100
"""Width of an atlas, the distance of its places, and the most attempts to reach that distance."""
BEYOND, LEAST_LINE, SCALE_HIGH = 40.0, 4.0, 26.0
"""Sea around the places of an atlas, the shortest line to a place that was moved, the height of a scale."""
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
    and their spots. `ground`: the drawing below the places, None for a plain map.
    """

    plots: Mapping[str, Plot]
    extent: tuple[float, float, float, float]
    within: Mapping[str, str] = {}
    links: tuple[tuple[Spot, Spot], ...] = ()
    tables: tuple[tuple[Spot, ...], ...] = ()
    headings: tuple[tuple[str, Spot], ...] = ()
    ground: Ground | None = None

    def spot(self, place: str) -> Spot | None:
        """Return the center of a place, or of the place that it is drawn in; None for one without a plot."""
        plot = self.plots.get(self.within.get(place, place))
        return plot.at if plot is not None else None


def laid_out(board: Board, places: Iterable[str]) -> Layout:
    """Return the layout of a board with these places in use; those that it does not declare become boxes."""
    used = list(dict.fromkeys(board.within.get(place, place) for place in places if place))
    chart = _chart(board, used)
    sorts = (_grid(board, used), _named(board), _charted(board, used, chart), _on_table(board, used))
    plots = {plot.place: plot for plot in chain.from_iterable(sorts)}
    table = _table_edge(board.plane) if board.plane else ()
    left, top, right, bottom = _edges(plots.values(), table)
    if board.coasts and chart is not None:
        left, top, right, bottom = left - BEYOND, top - BEYOND, right + BEYOND, bottom + BEYOND
    ground = _ground(board, plots, (left, top, right - left, bottom - top), chart)
    if ground is not None and ground.scale is not None:
        bottom += SCALE_HIGH
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
        links=(
            *((plots[one].at, plots[two].at) for one, two in board.links if one in plots and two in plots),
            *(_moved(board, plots, chart) if ground is not None and chart is not None else ()),
        ),
        tables=(table,) if table else (),
        headings=tuple(headings),
        ground=ground,
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
        yield Plot(name, "area", middle(outline), outline)


class _Chart(NamedTuple):
    """Converts the units of an atlas to paper: as large as paper allows for the places in use."""

    left: float
    top: float
    scale: float

    def spot(self, corner: Spot) -> Spot:
        """Return a point of the atlas on paper."""
        return (corner[0] - self.left) * self.scale, (corner[1] - self.top) * self.scale


def _chart(board: Board, used: Iterable[str]) -> _Chart | None:
    """Return the chart of the atlas; None if none of its places is in use."""
    spots = [board.atlas[place] for place in used if place in board.atlas]
    if not spots:
        return None
    across, down = zip(*spots, strict=True)
    return _Chart(min(across), min(down), CHART_WIDE / max(max(across) - min(across), max(down) - min(down), 1))


def _charted(board: Board, used: Iterable[str], chart: _Chart | None) -> Iterator[Plot]:
    """Yield the places of the atlas that are in use, without overlap."""
    names = sorted({place for place in used if place in board.atlas})
    if chart is not None:
        spots = [chart.spot(board.atlas[name]) for name in names]
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
        spot = point_of(place)
        if spot is not None:
            yield Plot(place, "point", (spot[0] * scale, spot[1] * scale), shown=False)


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


# --- the ground -------------------------------------------------------------------------------------------------------


def _ground(
    board: Board, plots: Mapping[str, Plot], box: tuple[float, float, float, float], chart: _Chart | None
) -> Ground | None:
    """Return the drawing below these places; None if the board declares no ground, or has no map yet."""
    if not plots or not has_ground(board):
        return None
    if chart is None:
        board = msgspec.structs.replace(board, coasts=())
    outlines = {place: plot.outline for place, plot in plots.items()}
    spots = {place: plot.at for place, plot in plots.items()}
    unit = plane_unit(board)
    scaled = chart.spot if chart is not None else lambda point: (point[0] * unit, point[1] * unit)
    return arranged(board, box, outlines, spots, scaled)


def _moved(board: Board, plots: Mapping[str, Plot], chart: _Chart) -> Iterator[tuple[Spot, Spot]]:
    """Yield a line from each place of the atlas that was moved to its own point."""
    for place, plot in plots.items():
        if place in board.atlas and dist(spot := chart.spot(board.atlas[place]), plot.at) > LEAST_LINE:
            yield spot, plot.at


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
