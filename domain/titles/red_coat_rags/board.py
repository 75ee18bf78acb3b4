"""Describe the table's size, and the drawings and signs of pieces, for maps only. No rule depends on them."""

from umpire_ledger.domain.titles.red_coat_rags.ground import MEASURE
from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, COMMAND, FO
from umpire_ledger.kit import Board, Game, Plane, Sign

SIGNS: dict[str, Sign] = {"disrupted": "crippled", "locked": "bound"}
COLORS = {"king": "red", "parliament": "orange"}
"""The sashes of the two armies, of scenarios that name them so."""
SYMBOLS = {
    **dict.fromkeys(("shot", "foot", "musketeers", "commanded shot", "firelocks"), "infantry"),
    **dict.fromkeys(("pike", "pikes", "pikemen"), "pikes"),
    **dict.fromkeys(("horse", "cuirassiers", "harquebusiers", "lancers", "dragoons"), "cavalry"),
    **dict.fromkeys(("guns", "gun", "artillery", "heavy guns", "light guns"), "artillery"),
    CO: "hq",
    FO: "leader",
    COMMAND: "flag",
}
"""The drawings of pieces and officers; a kind that is not listed keeps its label."""
TABLES = {"inches": Plane(width=72, height=48), "millimetres": Plane(width=1830, height=1220, unit="millimetre")}
"""A table of six by four feet, for scenarios that set no other size; the page names none."""


def board(game: Game) -> Board:
    """Return a plane if places are measured; places in words are laid out as boxes."""
    plane = TABLES.get(str(game.markers.get(MEASURE)))
    return Board(plane=plane, signs=SIGNS, colors=COLORS, symbols=SYMBOLS, facing="facing")
