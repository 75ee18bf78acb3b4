"""Build a seat's page, `/table/GAME`: the step, the sides that must act, required actions, map, trail and orders."""

from typing import Any

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.domain.game.events import LineSealed
from umpire_ledger.service.pages.addresses import address, with_query
from umpire_ledger.service.pages.board import background_at, board_orders
from umpire_ledger.service.pages.game_header import header_of
from umpire_ledger.service.pages.looking_back import time_bar
from umpire_ledger.service.pages.ordering import FIELD, closed_orders, ordering_of
from umpire_ledger.service.pages.page_request import Fields, Refused, SubmittedForm, Visit, again, shown
from umpire_ledger.service.pages.seat_forms import ON_WHAT_WAS_SEEN, about_of, need_act, ways_of
from umpire_ledger.service.pages.trail import FILTERS, trail_of

KEPT = ("as", "order", *FILTERS)
"""Parameters that stay in the address after a form."""
Visiting = NamedDependency[SkipValidation[Visit]]
Sent = NamedDependency[SkipValidation[SubmittedForm]]
SINCE = 30
"""Number of orders to search for orders of other seats since the seat last looked."""


@get("/", sync_to_thread=True)
def table(visit: Visiting) -> Response[str]:
    """Show the page of a seat."""
    return show(visit, None)


@post("/{act:str}", sync_to_thread=True, status_code=303)
def act(form: Sent, act: FromPath[str]) -> Response[Any]:
    """Handle a form."""
    return form.sent(act, need_act(act), show, page_again(form), judged_on_what_was_seen=act in ON_WHAT_WAS_SEEN)


def page_again(visit: Visit, **changed: str) -> str:
    """Return the current address of this page, with changed parameters."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": visit.asked}
    return again(address("table", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def show(visit: Visit, refused: Refused | None) -> Response[str]:
    """Return the page, with a refusal next to its form."""
    seat = visit.seat()
    view = seat.status
    asked = Fields([*visit.asked_for.pairs, *(refused.fields.pairs if refused and refused.act == "order" else [])])
    told = None if refused else visit.told(seat)
    time = time_bar(seat, visit.asked_for)
    news = seat.since(most=SINCE)
    board = board_orders(seat, view, time, "This page cannot sign orders" if seat.signs_with else "")
    return shown(
        visit,
        "table.html",
        refused.problem.status if refused else 200,
        standing=header_of(seat, view),
        told=told,
        checkpoint=_checkpoint(seat, told),
        signs_with=seat.signs_with,
        refused=refused,
        time=time,
        board=board,
        kept=KEPT,
        ordering=closed_orders(board.closed) if time.at and not refused else ordering_of(seat, view, asked),
        ways=ways_of(seat, view),
        record=about_of(seat, visit.asked_for),
        trail=trail_of(seat, view, visit.asked_for),
        news=tuple(one for one in news.since if one.seat != seat.name),
        is_new=bool(news.since),
        most_news=SINCE,
        drawn=seat.map_in_page(time.shown, background=background_at(seat)),
        visit=visit,
        about=lambda position, at=0: page_again(visit, about=str(position), at=str(at or position)) + "#about",
        back=lambda at: page_again(visit, at=str(at)),
        here=lambda **changed: page_again(visit, **{"at": str(time.at or ""), **changed}),
        fill=lambda order, given: _filled(visit, order, given),
        does=lambda name: again(address("table", seat.game.id, "", name), visit.asked_for, KEPT, **{"as": seat.name}),
    )


def _filled(visit: Visit, order: str, given: dict[str, tuple[str, ...]]) -> str:
    """Return the address of the page with the filled-in form of an order."""
    kept = [(name, value) for name, value in visit.asked_for.pairs if name in KEPT and name != "order"]
    said = [(f"{FIELD}{name}", word) for name, words in given.items() for word in words]
    return with_query(address("table", visit.game_id, ""), [*kept, ("order", order), *said]) + "#order"


def _checkpoint(seat: Seat, told: Outcome | str | None) -> str:
    """Return the three lines of the checkpoint to keep after a seal; "" after any other order."""
    if not isinstance(told, Outcome) or not any(isinstance(one.event, LineSealed) for one in told.records):
        return ""
    return seat.game.checkpoint(told.position).text()


TABLE = Router("/table/{game:str}", route_handlers=[table, act])
