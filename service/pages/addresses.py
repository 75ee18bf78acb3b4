"""Where each page stands. A seat is always named: one browser may hold several."""

from collections.abc import Iterable
from urllib.parse import quote, urlencode

from umpire_ledger.domain.game.state import REFEREE, SPECTATOR

LOBBY = "/"
OF_ROLE = {REFEREE: "referee", SPECTATOR: "watch"}
"""The page of a role; every other seat has the page of its table."""


def page_of(game: str, seat: str) -> str:
    """The page of a seat at its game; "": of every game."""
    if not game:
        return LOBBY
    return address(OF_ROLE.get(seat, "table"), game, seat)


def address(page: str, game: str, seat: str, *below: str, **more: str | int) -> str:
    """A page of a game as a seat, `below` it the name of an act; `more`: what is asked besides."""
    path = "/".join(quote(part, safe="") for part in (page, game, *below))
    return with_query(f"/{path}", [("as", seat), *((name, str(value)) for name, value in more.items())])


def with_query(path: str, asked: Iterable[tuple[str, str]]) -> str:
    """An address with what is asked, what is empty left out."""
    said = urlencode([(name, value) for name, value in asked if value])
    return f"{path}?{said}" if said else path
