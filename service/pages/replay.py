"""Serve the replay page of a game as a seat may see it, `/replay/GAME?at=N`, opened at a position.

It is the same file as `page.html`, which contains its own script. Here it runs under a policy that names that script by
the hash of its text, in a separate origin without cookies.
"""

import re
import tempfile
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Any

from litestar import Response, Router, get
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from umpire_ledger.desk.seat import Seat
from umpire_ledger.service.pages.addresses import address, page_of
from umpire_ledger.service.pages.page_request import Visit
from umpire_ledger.service.pages.rendering import HTML, UNKEPT
from umpire_ledger.service.problems import RequestRefused

Visiting = NamedDependency[SkipValidation[Visit]]
_script = re.compile(rb"script-src ('sha256-[A-Za-z0-9+/=]+')").search
_HEADER = b"<header>"
_HEAD = 4000
"""Number of bytes at the beginning of a page that contain its policy."""


@get("/", sync_to_thread=True)
def replay(visit: Visiting) -> Response[Any]:
    """Show the replay page; with `?at=`, redirect to that position in the page."""
    seat = visit.seat()
    said = visit.asked_for.one("at").strip()
    if said:
        there = f"{address('replay', visit.game_id, seat.name)}#{_position(visit, seat)}"
        return Response(None, status_code=HTTPStatus.SEE_OTHER, headers={"Location": there, **UNKEPT})
    raw = _with_way_back(_made(seat), page_of(visit.game_id, seat.name))
    return Response(raw, media_type=HTML, headers={**UNKEPT, "Content-Security-Policy": policy_of(raw)})


def _position(visit: Visit, seat: Seat) -> int:
    """Return the position in the address.

    Raises:
        RequestRefused: When it is not a number.
        NoSuchRecord: When the game has no such position.
    """
    number = visit.asked_for.number("at")
    if number is None:
        what, remedy = "expected a position", "use a number, for example ?at=412"
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "usage", what, where="at", rule="positions", remedy=remedy)
    seat.game.verify_position(number)
    return max(1, number)


def _made(seat: Seat) -> bytes:
    with tempfile.TemporaryDirectory(prefix="umpire-page-") as folder:
        file = Path(folder) / "page.html"
        seat.page(file)
        return file.read_bytes()


def _with_way_back(page: bytes, there: str) -> bytes:
    """Add a link to the seat's page to the header of a replay page, which has none because it may be saved."""
    link = f'<a href="{escape(there)}">Back to the game</a>'
    return page.replace(_HEADER, b"%b\n%b" % (_HEADER, link.encode()), 1)


def policy_of(page: bytes) -> str:
    """Return the content policy of a replay page: run the one script that its own policy names, and nothing else."""
    found = _script(page[:_HEAD])
    script = found[1].decode() if found else "'none'"
    return (
        f"default-src 'none'; script-src {script}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
    )


REPLAY = Router("/replay/{game:str}", route_handlers=[replay])
