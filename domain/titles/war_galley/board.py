"""Where the hexes lie, and what is seen on a ship. No rule asks for it."""

from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {
    "fire": "burning",
    "grappled": "bound",
    "fouled": "bound",
    "rammed": "crippled",
}
"""A ship that burns, that hangs on another, that was rammed and may sink."""


def board(game: Game) -> Board:
    """The grid in the scenario's size; see `hexes`."""
    size = (game.markers.get("columns"), game.markers.get("rows"))
    columns, rows = (one if isinstance(one, int) else 0 for one in size)
    return Board(hexes=Hexes(columns=columns, rows=rows), signs=SIGNS, facing="facing")
