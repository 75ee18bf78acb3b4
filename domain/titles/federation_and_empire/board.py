"""Describe the board: its hexes and boxes, and the signs on a ship. No rule depends on it."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import OFF_MAP, ORION_POOL, POOL
from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {"crippled": "crippled", "frozen": "bound", "moved": "active"}


def board(game: Game) -> Board:
    """Return the board, a hex grid without edges; only boxes that hold units are shown.

    Each scenario names the hexes that it needs. Even columns are half a hex lower.
    """
    boxes = sorted({unit.at for unit in game.units.values()} & {OFF_MAP, POOL, ORION_POOL})
    return Board(hexes=Hexes(first=(0, 0)), boxes=tuple(boxes), signs=SIGNS)
