"""Define the hex grid, and the drawings and status signs of ships. No rule depends on them."""

from umpire_ledger.kit import Board, Game, Hexes, Sign

SIGNS: dict[str, Sign] = {
    "fire": "burning",
    "grappled": "bound",
    "fouled": "bound",
    "rammed": "crippled",
}
"""The sign of each ship attribute: a ship burns, is tied to another, or was rammed and may sink."""
SYMBOLS = {
    **dict.fromkeys(("trireme", "bireme", "hemiolia", "trihemiolia", "liburnian"), "trireme"),
    **dict.fromkeys(("quadrireme", "quinquereme", "hexareme", "septireme", "octere"), "quinquereme"),
    **dict.fromkeys(("merchantman", "transport"), "merchantman"),
    **dict.fromkeys(("boat", "penteconter", "pentekonter", "lembus"), "boat"),
}
"""The drawing of each kind of ship. A kind that is not listed shows its label."""


def board(game: Game) -> Board:
    """Return a hex grid of the scenario's size; `hexes` explains the names of hexes."""
    size = (game.markers.get("columns"), game.markers.get("rows"))
    columns, rows = (one if isinstance(one, int) else 0 for one in size)
    return Board(hexes=Hexes(columns=columns, rows=rows), signs=SIGNS, symbols=SYMBOLS, facing="facing")
