"""Describe the board: its hexes and boxes, and the drawings and signs of units. No rule depends on it."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import OFF_MAP, ORION, ORION_POOL, POOL
from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {"crippled": "crippled", "frozen": "bound", "moved": "active"}
COLORS = {"coalition": "red", "alliance": "blue", ORION: "black"}
_CLASSES = {
    "s-carrier": "CV CVA CVL CVE CVS CVT CVH CVM CVB CVD D6V D7V F5V FV SCS",
    "s-dreadnought": "DN DNH DNG DNL DNT BB B10 C8 C9 C10 CON ROC",
    "s-cruiser": """CA CAR CB CC CF CL CLG CM CS BC BCH BCG NCA NCL HDW MEC
        D5 D5L D6 D6B D6D D6J D6M D6S D7 D7A D7B D7C D7L D7N C7 WE KE FH KRC SPA NH CR BR SR""",
    "s-destroyer": """DD DE DDG DW DWE DWL DWS FF FFE FFG FFK FFL FFS FF+ FCR EFF
        F5 F5B F5C F5E F5J F5L F5S F6 E3 E4 E5 SN SNA SNB SNS SK SKA SKB SKE WH LR POL""",
    "s-fighter": "SWAC",
    "s-tug": "TG TGA TGB TGC TGP TGS TGT LTT FT FTS FTL",
    "starbase": "SB STB BATS BTS XBTS XBATS BS MB SFB",
    "dock": "FRD PRD",
    "ground": "GCE",
    "leader": "ADM",
}
SYMBOLS = {kind: symbol for symbol, kinds in _CLASSES.items() for kind in kinds.split()}
"""The drawings of units by class; a kind that is not listed keeps its label."""


def board(game: Game) -> Board:
    """Return the board, a hex grid without edges; only boxes that hold units are shown.

    Each scenario names the hexes that it needs. Even columns are half a hex lower.
    """
    boxes = sorted({unit.at for unit in game.units.values()} & {OFF_MAP, POOL, ORION_POOL})
    return Board(hexes=Hexes(first=(0, 0)), boxes=tuple(boxes), signs=SIGNS, colors=COLORS, symbols=SYMBOLS)
