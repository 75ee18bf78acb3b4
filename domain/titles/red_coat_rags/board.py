"""Describe the table's size and the signs on a piece, for maps only. No rule depends on them."""

from umpire_ledger.domain.titles.red_coat_rags.ground import MEASURE
from umpire_ledger.kit import Board, Game, Plane, Sign

SIGNS: dict[str, Sign] = {"disrupted": "crippled", "locked": "bound"}
TABLES = {"inches": Plane(width=72, height=48), "millimetres": Plane(width=1830, height=1220, unit="millimetre")}
"""A table of six by four feet, for scenarios that set no other size; the page names none."""


def board(game: Game) -> Board:
    """Return a plane if places are measured; places in words are laid out as boxes."""
    return Board(plane=TABLES.get(str(game.markers.get(MEASURE))), signs=SIGNS, facing="facing")
