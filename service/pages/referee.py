"""`/referee/GAME`: the referee's desk. One panel at a time beside map and trail, each with an address.

Seats that are not the referee's are led to their own page; what they send here is turned away.
"""

from http import HTTPStatus
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import Sending
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.service.pages.addresses import address, page_of
from umpire_ledger.service.pages.game_header import standing_of
from umpire_ledger.service.pages.page_request import Fields, Refused, SubmittedForm, Visit, again, shown
from umpire_ledger.service.pages.referee_panels import ALL_PANELS, ASKED, PANELS
from umpire_ledger.service.pages.refereeing import FormResult, need_act
from umpire_ledger.service.pages.trail import FILTERS, trail_of
from umpire_ledger.service.problems import Turned

KEPT = ("as", *ASKED, *FILTERS)
"""What of the address stays when a form leads back."""
Visiting = NamedDependency[SkipValidation[Visit]]
Sent = NamedDependency[SkipValidation[SubmittedForm]]
FIRST = next(iter(PANELS))


@get("/", sync_to_thread=True)
def referee(visit: Visiting) -> Response[Any]:
    """The referee's page; other seats go to their own."""
    seat = visit.seat()
    if seat.name != REFEREE:
        there = {"Location": page_of(seat.game.id, seat.name), "Cache-Control": "no-store"}
        return Response(None, status_code=HTTPStatus.SEE_OTHER, headers=there)
    return show(visit, None)


@post("/{act:str}", sync_to_thread=True, status_code=303)
def act(form: Sent, act: FromPath[str]) -> Response[Any]:
    """One of its forms. What is shown once, a token or a secret, is in the answer itself and nowhere else."""
    doing = need_act(act)
    found: list[FormResult] = []

    def do(seat: Seat, fields: Fields, sending: Sending) -> Outcome | str:
        verify_referee(seat)
        done = doing(seat, fields, sending)
        found.append(done)
        return done.said

    answer = form.sent(act, do, show, page_again(form))
    if found and found[-1].once is not None and answer.status_code == HTTPStatus.SEE_OTHER:
        return show(form, None, act, found[-1])
    return answer


def verify_referee(seat: Seat) -> None:
    """Raises Turned for every other seat."""
    if seat.name != REFEREE:
        what, remedy = f"this is the referee's, and you are {seat.name}", "ask the referee"
        raise Turned(HTTPStatus.FORBIDDEN, "not-your-seat", what, where=seat.game.id, rule="seats", remedy=remedy)


def page_again(visit: Visit, **changed: str) -> str:
    """The address of this page as it was asked for, with something changed."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": visit.asked}
    return again(address("referee", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def panel_at(visit: Visit, name: str, **more: str) -> str:
    """The address of a panel, with nothing kept of the panel that was there."""
    kept = dict.fromkeys(ASKED, "")
    return page_again(visit, **{**kept, "show": name, **more})


def show(visit: Visit, refused: Refused | None, act: str = "", done: FormResult | None = None) -> Response[str]:
    """The page, with what was refused, or what is shown once, where it was asked for."""
    seat = visit.seat()
    verify_referee(seat)
    view = seat.status
    chosen = visit.asked_for.one("show") or FIRST
    panel = chosen if chosen in ALL_PANELS else FIRST
    return shown(
        visit,
        "referee.html",
        refused.problem.status if refused else HTTPStatus.OK,
        standing=standing_of(seat, view),
        told=done.said if done else None if refused else visit.told(seat),
        refused=refused,
        once=done.once if done else None,
        once_of=act,
        trail=trail_of(seat, view, visit.asked_for),
        drawn="" if panel == "views" else seat.map_in_page(),
        visit=visit,
        panel=panel,
        panels=PANELS,
        open_disputes=len(view.disputes),
        found=ALL_PANELS[panel](visit, seat, view),
        about=lambda position: panel_at(visit, "record", about=str(position)),
        here=lambda **changed: page_again(visit, **changed),
        to=lambda name, **more: panel_at(visit, name, **more),
        does=lambda name: again(address("referee", seat.game.id, "", name), visit.asked_for, KEPT, **{"as": seat.name}),
    )


REFEREES = Router("/referee/{game:str}", route_handlers=[referee, act])
