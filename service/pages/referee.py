"""Build the referee's page, `/referee/GAME`: map, trail and one panel at a time. Each panel has its own address.

Other seats are redirected to their own page, and their forms are refused.
"""

from http import HTTPStatus
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import SendOptions
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.service.pages.addresses import address, page_of
from umpire_ledger.service.pages.board import background_at, board_orders
from umpire_ledger.service.pages.game_header import header_of
from umpire_ledger.service.pages.looking_back import time_bar
from umpire_ledger.service.pages.page_request import Fields, Refused, SubmittedForm, Visit, again, shown
from umpire_ledger.service.pages.referee_forms import FormResult, need_act
from umpire_ledger.service.pages.referee_panels import ALL_PANELS, ASKED, PANELS
from umpire_ledger.service.pages.trail import FILTERS, trail_of
from umpire_ledger.service.problems import RequestRefused

KEPT = ("as", *ASKED, *FILTERS)
"""Parameters that stay in the address after a form."""
Visiting = NamedDependency[SkipValidation[Visit]]
Sent = NamedDependency[SkipValidation[SubmittedForm]]
FIRST = next(iter(PANELS))
LOOKS_AT = "map"
"""The parameter for the position that the board shows; `at` belongs to a panel."""


@get("/", sync_to_thread=True)
def referee(visit: Visiting) -> Response[Any]:
    """Show the referee's page; redirect other seats to their own."""
    seat = visit.seat()
    if seat.name != REFEREE:
        there = {"Location": page_of(seat.game.id, seat.name), "Cache-Control": "no-store"}
        return Response(None, status_code=HTTPStatus.SEE_OTHER, headers=there)
    return show(visit, None)


@post("/{act:str}", sync_to_thread=True, status_code=303)
def act(form: Sent, act: FromPath[str]) -> Response[Any]:
    """Handle a form. A token or secret that is shown once appears in this answer only."""
    doing = need_act(act)
    found: list[FormResult] = []

    def do(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome | str:
        verify_referee(seat)
        done = doing(seat, fields, sending)
        found.append(done)
        return done.said

    answer = form.sent(act, do, show, page_again(form))
    if found and found[-1].once is not None and answer.status_code == HTTPStatus.SEE_OTHER:
        return show(form, None, act, found[-1])
    return answer


def verify_referee(seat: Seat) -> None:
    """Check that the seat is the referee's.

    Raises:
        RequestRefused: When it is another seat.
    """
    if seat.name != REFEREE:
        what, remedy = f"only the referee can use this page; your seat is {seat.name}", "ask the referee"
        raise RequestRefused(
            HTTPStatus.FORBIDDEN, "not-your-seat", what, where=seat.game.id, rule="seats", remedy=remedy
        )


def page_again(visit: Visit, **changed: str) -> str:
    """Return the current address of this page, with changed parameters."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": visit.asked}
    return again(address("referee", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def panel_at(visit: Visit, name: str, **more: str) -> str:
    """Return the address of a panel, without the parameters of the previous panel."""
    kept = dict.fromkeys(ASKED, "")
    return page_again(visit, **{**kept, "show": name, **more})


def show(visit: Visit, refused: Refused | None, act: str = "", done: FormResult | None = None) -> Response[str]:
    """Return the page, with a refusal next to its form, or with a result that is shown once."""
    seat = visit.seat()
    verify_referee(seat)
    view = seat.status
    chosen = visit.asked_for.one("show") or FIRST
    panel = chosen if chosen in ALL_PANELS else FIRST
    time = time_bar(seat, visit.asked_for, LOOKS_AT)
    return shown(
        visit,
        "referee.html",
        refused.problem.status if refused else HTTPStatus.OK,
        standing=header_of(seat, view),
        told=done.said if done else None if refused else visit.told(seat),
        refused=refused,
        once=done.once if done else None,
        once_of=act,
        trail=trail_of(seat, view, visit.asked_for),
        time=time,
        board=board_orders(seat, view, time),
        kept=KEPT,
        drawn="" if panel == "views" else seat.map_in_page(time.shown, background=background_at(seat)),
        visit=visit,
        panel=panel,
        sides=tuple((one.id, one.name or one.id) for one in view.sides),
        panels=PANELS,
        open_disputes=len(view.disputes),
        found=ALL_PANELS[panel](visit, seat, view),
        about=lambda position, at=0: panel_at(visit, "record", about=str(position), map=str(at or position)),
        back=lambda at: page_again(visit, map=str(at)),
        here=lambda **changed: page_again(visit, **{LOOKS_AT: str(time.at or ""), **changed}),
        to=lambda name, **more: panel_at(visit, name, **{LOOKS_AT: str(time.at or ""), **more}),
        does=lambda name: again(address("referee", seat.game.id, "", name), visit.asked_for, KEPT, **{"as": seat.name}),
    )


REFEREES = Router("/referee/{game:str}", route_handlers=[referee, act])
