"""Where the hexes and the boxes lie, and what is seen on a ship. No rule asks for it."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import OFF_MAP, ORION_POOL, POOL
from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {"crippled": "crippled", "frozen": "bound", "moved": "active"}


def board(game: Game) -> Board:
    """The map has no edges here: a scenario names the hexes that it needs. Even columns stand half a hex lower."""
    boxes = sorted({unit.at for unit in game.units.values()} & {OFF_MAP, POOL, ORION_POOL})
    return Board(hexes=Hexes(first=(0, 0)), boxes=tuple(boxes), signs=SIGNS)
