"""Define the table size, and the drawings and status signs of pieces, for maps only. No rule depends on them."""

from umpire_ledger.domain.titles.red_coat_rags.ground import MEASURE
from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, COMMAND, FO
from umpire_ledger.kit import Board, Game, Plane, Sign

SIGNS: dict[str, Sign] = {"disrupted": "crippled", "locked": "bound"}
COLORS = {"king": "red", "parliament": "orange"}
"""Colors of sides, after the sashes of the two armies, for scenarios that use these ids."""
SYMBOLS = {
    **dict.fromkeys(("shot", "foot", "musketeers", "commanded shot", "firelocks"), "infantry"),
    **dict.fromkeys(("pike", "pikes", "pikemen"), "pikes"),
    **dict.fromkeys(("horse", "cuirassiers", "harquebusiers", "lancers", "dragoons"), "cavalry"),
    **dict.fromkeys(("guns", "gun", "artillery", "heavy guns", "light guns"), "artillery"),
    CO: "hq",
    FO: "leader",
    COMMAND: "flag",
}
"""The drawing of each kind of piece or officer. A kind that is not listed shows its label."""
TABLES = {"inches": Plane(width=72, height=48), "millimetres": Plane(width=1830, height=1220, unit="millimetre")}
"""The default table of 6 by 4 feet, by measure; the rules do not name a size."""


def board(game: Game) -> Board:
    """Return a plane if the scenario measures places; places in words are drawn as boxes."""
    plane = TABLES.get(str(game.markers.get(MEASURE)))
    return Board(plane=plane, signs=SIGNS, colors=COLORS, symbols=SYMBOLS, facing="facing")
