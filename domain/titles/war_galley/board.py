"""Define the grid of hexes and the signs on a ship. No rule depends on it."""

from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {
    "fire": "burning",
    "grappled": "bound",
    "fouled": "bound",
    "rammed": "crippled",
}
"""Signs of a ship that burns, is tied to another, or was rammed and may sink."""


def board(game: Game) -> Board:
    """Return the grid in the scenario's size; see `hexes`."""
    size = (game.markers.get("columns"), game.markers.get("rows"))
    columns, rows = (one if isinstance(one, int) else 0 for one in size)
    return Board(hexes=Hexes(columns=columns, rows=rows), signs=SIGNS, facing="facing")
