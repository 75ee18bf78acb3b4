"""Define the grid of hexes, and the drawings and signs of ships. No rule depends on it."""

from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {
    "fire": "burning",
    "grappled": "bound",
    "fouled": "bound",
    "rammed": "crippled",
}
"""Signs of a ship that burns, is tied to another, or was rammed and may sink."""
SYMBOLS = {
    **dict.fromkeys(("trireme", "bireme", "hemiolia", "trihemiolia", "liburnian"), "trireme"),
    **dict.fromkeys(("quadrireme", "quinquereme", "hexareme", "septireme", "octere"), "quinquereme"),
    **dict.fromkeys(("merchantman", "transport"), "merchantman"),
    **dict.fromkeys(("boat", "penteconter", "pentekonter", "lembus"), "boat"),
}
"""The drawings of ships; a kind that is not listed keeps its label."""


def board(game: Game) -> Board:
    """Return the grid in the scenario's size; see `hexes`."""
    size = (game.markers.get("columns"), game.markers.get("rows"))
    columns, rows = (one if isinstance(one, int) else 0 for one in size)
    return Board(hexes=Hexes(columns=columns, rows=rows), signs=SIGNS, symbols=SYMBOLS, facing="facing")
