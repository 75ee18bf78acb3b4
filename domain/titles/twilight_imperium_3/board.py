"""Lay out the galaxy on a map by adjacency, and list the drawings and signs of units. No rule depends on them."""

from collections.abc import Iterator

from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import adjacent, planets_in, systems
from umpire_ledger.kit import Board, Game, Sign

SIGNS: dict[str, Sign] = {"damaged": "crippled"}
SYMBOLS = {
    "fighter": "s-fighter",
    "destroyer": "s-destroyer",
    "cruiser": "s-cruiser",
    "carrier": "s-carrier",
    "dreadnought": "s-dreadnought",
    "war-sun": "s-warsun",
    "pds": "pds",
    "space-dock": "dock",
    "ground-force": "ground",
    "shock-troops": "ground",
    "mercenary": "ground",
    **dict.fromkeys(("admiral", "agent", "diplomat", "general", "scientist"), "leader"),
}
"""The drawings of units; a kind that is not listed keeps its label."""
Tile = tuple[int, int]
"""Column and row of flat hexes whose odd columns lie half a hex lower."""


def board(game: Game) -> Board:
    """Return a tile for each system; its planets are drawn in it."""
    within = {planet: system for system in systems(game) for planet in planets_in(game, system)}
    return Board(tiles=_tiles(game), within=within, signs=SIGNS, symbols=SYMBOLS)


def _tiles(game: Game) -> dict[str, Tile]:
    """Place each system next to as many of its neighbours as possible, the most connected first.

    A scenario whose galaxy has wormholes, or another shape, can set `board.tiles` instead.
    """
    laid: dict[str, Tile] = {}
    left = sorted(systems(game), key=lambda one: (-len(adjacent(game, one)), one))
    while left:
        system = max(left, key=lambda one: sum(beside in laid for beside in adjacent(game, one)))
        left.remove(system)
        beside = {laid[one] for one in adjacent(game, system) if one in laid}
        free = {tile for one in (beside or laid.values()) for tile in _around(one)} - set(laid.values())
        laid[system] = max(sorted(free), key=lambda tile: _fits(tile, beside, laid)) if laid else (0, 0)
    return laid


def _fits(tile: Tile, beside: set[Tile], laid: dict[str, Tile]) -> tuple[int, int]:
    """Rate a tile for a system; the highest tuple is best.

    Each adjacent neighbour of the system counts 2 and each other adjacent system -1; ties go to the tile nearest the
    middle.
    """
    around = set(_around(tile))
    strangers = set(laid.values()) - beside
    return 2 * len(around & beside) - len(around & strangers), -abs(tile[0]) - abs(tile[1])


def _around(tile: Tile) -> Iterator[Tile]:
    column, row = tile
    lower = column % 2
    yield from ((column, row - 1), (column, row + 1))
    for side in (column - 1, column + 1):
        yield from ((side, row - 1 + lower), (side, row + lower))
