"""Build the addresses of pages. They always name a seat, because one browser may have several."""

from collections.abc import Iterable
from urllib.parse import quote, urlencode

from umpire_ledger.domain.game.state import REFEREE, SPECTATOR

LOBBY = "/"
OF_ROLE = {REFEREE: "referee", SPECTATOR: "watch"}
"""The page of each role; every other seat has the page `table`."""


def page_of(game_id: str, seat: str) -> str:
    """Return the address of a seat's page of a game; for the game id "", the address of the lobby."""
    if not game_id:
        return LOBBY
    return address(OF_ROLE.get(seat, "table"), game_id, seat)


def address(page: str, game_id: str, seat: str, *below: str, **more: str | int) -> str:
    """Return the address of a seat's page of a game. `below`: the name of a form; `more`: further parameters."""
    path = "/".join(quote(part, safe="") for part in (page, game_id, *below))
    return with_query(f"/{path}", [("as", seat), *((name, str(value)) for name, value in more.items())])


def with_query(path: str, asked: Iterable[tuple[str, str]]) -> str:
    """Return an address with its parameters, except empty ones."""
    said = urlencode([(name, value) for name, value in asked if value])
    return f"{path}?{said}" if said else path
