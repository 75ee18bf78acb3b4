"""Convert the recorded facing of a unit to degrees clockwise from the top of the map."""

from math import atan2, cos, degrees, radians, sin

from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.cells import point_of
from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.layout import Layout

POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
FLAT_SIDES = {"n": 0.0, "ne": 60.0, "se": 120.0, "s": 180.0, "sw": 240.0, "nw": 300.0}
POINTED_SIDES = {"ne": 30.0, "e": 90.0, "se": 150.0, "sw": 210.0, "w": 270.0, "nw": 330.0}
"""Bearings of the sides of a hex, by the names that players use for them."""


def bearing_of(board: Board, layout: Layout, place: str, told: str) -> float | None:
    """Return the bearing of a facing at a place; None if the facing names no direction."""
    word = told.strip().lower()
    if told in board.bearings:
        return float(board.bearings[told])
    if (towards := _towards(board, layout, place, told.strip())) is not None:
        return towards
    point = word.replace("north", "n").replace("south", "s").replace("east", "e").replace("west", "w")
    point = point.replace("-", "").replace(" ", "")
    if board.hexes is not None and point in (sides := POINTED_SIDES if board.hexes.pointed else FLAT_SIDES):
        return sides[point]
    return POINTS.index(point) * 22.5 if point in POINTS else None


def _towards(board: Board, layout: Layout, place: str, other: str) -> float | None:
    """Return the bearing of another place, or of a point on the table; None if there is none."""
    here, there = layout.spot(place), layout.spot(other) or _on_table(board, layout, other)
    if here is None or there is None or here == there:
        return None
    return degrees(atan2(there[0] - here[0], here[1] - there[1])) % 360


def _on_table(board: Board, layout: Layout, place: str) -> Spot | None:
    spot = point_of(place)
    if board.plane is None or spot is None or not layout.tables:
        return None
    scale = layout.tables[0][1][0] / board.plane.width
    return spot[0] * scale, spot[1] * scale


def ahead(spot: Spot, bearing: float, far: float) -> Spot:
    """Return the point at a distance from a spot in a direction."""
    return spot[0] + far * sin(radians(bearing)), spot[1] - far * cos(radians(bearing))
