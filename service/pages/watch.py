"""Build a spectator's page, `/watch/GAME`. It shows the game, now or at any position, and writes nothing.

Secrets are withheld, and a game opened with a delay is shown late: both by the seat, not by the page.
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
from umpire_ledger.service.pages.game_header import standing_of
from umpire_ledger.service.pages.page_request import Visit, again, shown
from umpire_ledger.service.pages.trail import FILTERS, trail_of
from umpire_ledger.service.problems import ProblemDetails, problem_for

KEPT = ("as", "at", "about", *FILTERS)
"""Parameters of the address that stay when a link changes another part of it."""
Visiting = NamedDependency[SkipValidation[Visit]]


@get("/", sync_to_thread=True)
def watch(visit: Visiting) -> Response[Any]:
    """Show the page of a spectator; redirect a player to the page of the seat."""
    seat = visit.seat()
    if seat.name != SPECTATOR:
        there = {"Location": page_of(seat.game.id, seat.name), "Cache-Control": "no-store"}
        return Response(None, status_code=HTTPStatus.SEE_OTHER, headers=there)
    at, wrong = _position(visit, seat)
    view = seat.status if at is None else seat.at(at).status
    return shown(
        visit,
        "watch.html",
        HTTPStatus.OK,
        standing=standing_of(seat, view),
        size=seat.game.size,
        at=at,
        wrong=wrong,
        delay=seat.game.delay,
        closed=not view.ended and _keeps_secrets(seat),
        steps=_steps(seat, at),
        trail=trail_of(seat, view, visit.asked_for),
        record=_about(visit, seat),
        drawn=seat.map_in_page(at),
        visit=visit,
        about=lambda position: page_again(visit, about=str(position)),
        here=lambda **changed: page_again(visit, **changed),
    )


def page_again(visit: Visit, **changed: str) -> str:
    """Return the present address of this page, with something changed."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": SPECTATOR}
    return again(address("watch", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def _position(visit: Visit, seat: Seat) -> tuple[int | None, ProblemDetails | None]:
    """Return the position in the address, None for now; and the problem if it is wrong."""
    said = visit.asked_for.one("at").strip()
    if not said:
        return None, None
    number = visit.asked_for.number("at")
    try:
        seat.game.verify_position(-1 if number is None else number)
    except EXPECTED as error:
        return None, problem_for(error)
    return number or None, None


def _keeps_secrets(seat: Seat) -> bool:
    return any(one.sealed and not one.known for one in seat.known().choices.values())


def _steps(seat: Seat, at: int | None) -> dict[str, int]:
    """Return the positions of the previous and the next order for the links; 0: there is none."""
    last = seat.game.size
    now = last if at is None else at
    before = seat.orders(stop=now, all_lines=True, last=2)
    behind = seat.orders(start=now + 1, stop=min(last, now + MOST_OF_AN_ORDER), all_lines=True)
    earlier = before[0].last if len(before) > 1 else 0
    return {"earlier": earlier, "later": behind[0].last if behind else 0}


MOST_OF_AN_ORDER = 400
"""Records that are looked through for the next order."""


def _about(visit: Visit, seat: Seat) -> Explanation | None:
    position = visit.asked_for.number("about")
    try:
        return seat.why(position) if position else None
    except EXPECTED:
        return None


WATCH = Router("/watch/{game:str}", route_handlers=[watch])
