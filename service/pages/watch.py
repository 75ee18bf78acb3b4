"""Build a spectator's page, `/watch/GAME`. It shows the game, now or at any position, and writes nothing.

The spectator's seat, not the page, withholds secrets and shows a game with a delay late.
"""

from http import HTTPStatus
from typing import Any

from litestar import Response, Router, get
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.seat import Seat
from umpire_ledger.domain.game.state import SPECTATOR
from umpire_ledger.projections.questions.record_explanation import Explanation
from umpire_ledger.service.pages.addresses import address, page_of
from umpire_ledger.service.pages.board import background_at, board_orders
from umpire_ledger.service.pages.game_header import header_of
from umpire_ledger.service.pages.looking_back import time_bar
from umpire_ledger.service.pages.page_request import Visit, again, shown
from umpire_ledger.service.pages.trail import FILTERS, trail_of

KEPT = ("as", "at", "about", *FILTERS)
"""Parameters that stay in the address when a link changes another one."""
Visiting = NamedDependency[SkipValidation[Visit]]


@get("/", sync_to_thread=True)
def watch(visit: Visiting) -> Response[Any]:
    """Show the page of a spectator; redirect a player to the page of their seat."""
    seat = visit.seat()
    if seat.name != SPECTATOR:
        there = {"Location": page_of(seat.game.id, seat.name), "Cache-Control": "no-store"}
        return Response(None, status_code=HTTPStatus.SEE_OTHER, headers=there)
    time = time_bar(seat, visit.asked_for)
    view = seat.at(time.at).status if time.at else seat.status
    return shown(
        visit,
        "watch.html",
        HTTPStatus.OK,
        standing=header_of(seat, view),
        time=time,
        board=board_orders(seat, view, time, "Spectators cannot give orders"),
        kept=KEPT,
        delay=seat.game.delay,
        closed=not view.ended and _keeps_secrets(seat),
        trail=trail_of(seat, view, visit.asked_for),
        record=_about(visit, seat),
        drawn=seat.map_in_page(time.shown, background=background_at(seat)),
        visit=visit,
        about=lambda position, at=0: page_again(visit, about=str(position), at=str(at or position)),
        back=lambda at: page_again(visit, at=str(at)),
        here=lambda **changed: page_again(visit, **changed),
    )


def page_again(visit: Visit, **changed: str) -> str:
    """Return the current address of this page, with changed parameters."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": SPECTATOR}
    return again(address("watch", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def _keeps_secrets(seat: Seat) -> bool:
    return any(one.sealed and not one.known for one in seat.known().choices.values())


def _about(visit: Visit, seat: Seat) -> Explanation | None:
    position = visit.asked_for.number("about")
    try:
        return seat.why(position) if position else None
    except EXPECTED:
        return None


WATCH = Router("/watch/{game:str}", route_handlers=[watch])
