"""Find cells of a grid by their printed names, and count the steps between two places of a board.

`projections/pictures/grids.py` draws grids.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache

from umpire_ledger.domain.game.board import Board, Cell, Hexes, Squares

Grid = Hexes | Squares
_POINT = re.compile(r"(-?[0-9]{1,5}(?:\.[0-9]{1,6})?), ?(-?[0-9]{1,5}(?:\.[0-9]{1,6})?)")
FARTHEST = 1000
"""Limit of steps in a search along drawn lines."""


@cache
def _reader(numbering: str) -> re.Pattern[str]:
    """Return a pattern with the groups `C` and `R`.

    A single letter matches any number of digits, a run its own length.
    """
    parts = re.findall("C+|R+|[^CR]+", numbering)
    return re.compile("".join(map(_pattern, parts)))


def _pattern(part: str) -> str:
    if part[0] not in "CR":
        return re.escape(part)
    return f"(?P<{part[0]}>[0-9]{'+' if len(part) == 1 else f'{{{len(part)}}}'})"


def cell_of(grid: Grid, name: str) -> Cell | None:
    """Return the column and row that a place's name prints; None if the grid has no such place."""
    found = _reader(grid.numbering).fullmatch(name)
    if found is None:
        return None
    column, row = int(found["C"]), int(found["R"])
    inside = _within(column, grid.first[0], grid.columns) and _within(row, grid.first[1], grid.rows)
    return (column, row) if inside else None


def _within(number: int, first: int, count: int) -> bool:
    return number >= first and (not count or number < first + count)


def name_of(grid: Grid, cell: Cell) -> str:
    """Return the printed name of a cell."""
    column, row = cell
    by_run = re.sub("C+", lambda run: f"{column:0{len(run[0])}}", grid.numbering)
    return re.sub("R+", lambda run: f"{row:0{len(run[0])}}", by_run)


def is_on_board(board: Board, name: str) -> bool:
    """Return whether a map has a place: by name, as a cell of its grid, or as a point "X,Y" of its plane."""
    grid = board.hexes or board.squares
    if (grid is not None and cell_of(grid, name) is not None) or (board.plane is not None and point_of(name)):
        return True
    named: tuple[Collection[str], ...]
    named = (board.tiles, board.points, board.atlas, board.areas, board.boxes, board.within, *board.tracks.values())
    return any(name in places for places in named)


def point_of(name: str) -> tuple[float, float] | None:
    """Return the two numbers of a point that is written "X,Y"; None for a place in words."""
    found = _POINT.fullmatch(name)
    return (float(found[1]), float(found[2])) if found else None


# --- distance ---------------------------------------------------------------------------------------------------------


def distance(board: Board, one: str, other: str) -> int | None:
    """Return the number of steps from one place to another; None if the board does not determine it.

    A step leads to a neighboring cell of the grid (for squares diagonally, too), or along a line of `links`.
    """
    if one == other:
        return 0
    grid = board.hexes or board.squares
    here, there = (cell_of(grid, one), cell_of(grid, other)) if grid is not None else (None, None)
    if grid is not None and here is not None and there is not None:
        return _cells_between(grid, here, there)
    return _along_links(_linked(board.links), one, other)


def places_beside(board: Board, place: str) -> Iterator[str]:
    """Yield the neighboring places: cells in order of columns and rows, then places at the other end of a line."""
    grid = board.hexes or board.squares
    cell = cell_of(grid, place) if grid is not None else None
    if grid is not None and cell is not None:
        for column in (cell[0] - 1, cell[0], cell[0] + 1):
            for row in (cell[1] - 1, cell[1], cell[1] + 1):
                name = name_of(grid, (column, row)) if min(column, row) >= 0 else ""
                if cell_of(grid, name) is not None and _cells_between(grid, cell, (column, row)) == 1:
                    yield name
    yield from _linked(board.links).get(place, ())


def have_common_side(board: Board, one: str, other: str) -> bool:
    """Return whether two places are cells of the grid with a common side."""
    grid = board.hexes or board.squares
    here, there = (cell_of(grid, one), cell_of(grid, other)) if grid is not None else (None, None)
    if grid is None or here is None or there is None:
        return False
    straight = isinstance(grid, Hexes) or here[0] == there[0] or here[1] == there[1]
    return straight and _cells_between(grid, here, there) == 1


def _cells_between(grid: Grid, one: Cell, other: Cell) -> int:
    if isinstance(grid, Squares):
        return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
    (along, across), (far_along, far_across) = _doubled(grid, one), _doubled(grid, other)
    straight, aside = abs(along - far_along), abs(across - far_across)
    return straight + max(0, aside - straight) // 2


def _doubled(grid: Hexes, cell: Cell) -> Cell:
    """Return a hex's row along the straight rows of hexes, and its place across them in halves of a hex."""
    along, across = (cell[1], cell[0]) if grid.pointed else cell
    is_shoved = (along % 2 == 0) == (grid.shoved == "even")
    return along, 2 * across + is_shoved


@lru_cache(64)
def _linked(links: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """Return for each place the places that lines connect to it."""
    found: dict[str, list[str]] = {}
    for one, other in links:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return {place: tuple(dict.fromkeys(others)) for place, others in found.items()}


def _along_links(linked: dict[str, tuple[str, ...]], one: str, other: str) -> int | None:
    reached, edge = {one}, [one]
    for steps in range(1, FARTHEST):
        ahead = (place for here in edge for place in linked.get(here, ()) if place not in reached)
        edge = list(dict.fromkeys(ahead))
        if other in edge or not edge:
            return steps if edge else None
        reached.update(edge)
    return None
