"""How large the table is, and what is seen on a piece. No rule asks for it."""

from umpire_ledger.domain.titles.red_coat_rags.ground import MEASURE
from umpire_ledger.kit import Board, Game, Plane, Sign

SIGNS: dict[str, Sign] = {"disrupted": "crippled", "locked": "bound"}
TABLES = {"inches": Plane(width=72, height=48), "millimetres": Plane(width=1830, height=1220, unit="millimetre")}
"""A table of six by four feet, where a scenario does not say another; the page names none."""


def board(game: Game) -> Board:
    """A plane where places are measured; words are laid out as boxes."""
    return Board(plane=TABLES.get(str(game.markers.get(MEASURE))), signs=SIGNS, facing="facing")
