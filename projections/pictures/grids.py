"""Convert columns and rows of a grid to spots on paper. `domain/game/cells.py` converts printed names to cells."""

from math import sqrt

from umpire_ledger.domain.game.board import Cell, Hexes, Squares

Spot = tuple[float, float]
"""Coordinates in map units: x to the right, y down."""

WIDE = 40.0
"""Width of a square, or of a flat hex from corner to corner, in map units."""
HIGH = WIDE / 2 * sqrt(3)
"""Height of a flat hex from side to side, in map units."""

FLAT = ((1.0, 0.5), (0.75, 1.0), (0.25, 1.0), (0.0, 0.5), (0.25, 0.0), (0.75, 0.0))
"""Corners of a flat hex as fractions of its width and height; with x and y exchanged, those of a pointed hex."""


def spot_of(grid: Hexes | Squares, cell: Cell) -> Spot:
    """Return the center of a cell. The upper left corner of the grid is near (0, 0)."""
    column, row = cell[0] - grid.first[0], cell[1] - grid.first[1]
    if isinstance(grid, Squares):
        return (column + 0.5) * WIDE, (row + 0.5) * WIDE
    if grid.pointed:
        shove = _shoved(grid, cell[1])
        return (column + 0.5 + shove) * HIGH, row * WIDE * 0.75 + WIDE / 2
    return column * WIDE * 0.75 + WIDE / 2, (row + 0.5 + _shoved(grid, cell[0])) * HIGH


def _shoved(grid: Hexes, number: int) -> float:
    """Return the offset of a column or row in hexes: 0.5 if it is shifted down or right, otherwise 0."""
    return 0.5 if (number % 2 == 0) == (grid.shoved == "even") else 0.0


def outline_of(grid: Hexes | Squares, spot: Spot) -> tuple[Spot, ...]:
    """Return the corners of the cell around a center."""
    x, y = spot
    if isinstance(grid, Squares):
        half = WIDE / 2
        return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
    if grid.pointed:
        return tuple((x + (across - 0.5) * HIGH, y + (down - 0.5) * WIDE) for down, across in FLAT)
    return tuple((x + (across - 0.5) * WIDE, y + (down - 0.5) * HIGH) for across, down in FLAT)
