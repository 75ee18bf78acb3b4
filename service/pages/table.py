"""`/table/GAME`: the page of a seat. Where we are, who is waited for, what is owed; the map, the trail, the orders."""

from collections.abc import Callable
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, SkipValidation

from umpire_ledger.desk.acts import Sending
from umpire_ledger.desk.errors import not_there
from umpire_ledger.desk.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.service.pages.addresses import address
from umpire_ledger.service.pages.standing import standing_of
from umpire_ledger.service.pages.trail import FILTERS, trail_of
from umpire_ledger.service.pages.visiting import Fields, Form, Refused, Visit, again, problem_page, shown

KEPT = ("as", "order", *FILTERS)
"""What of the address stays when a form leads back."""
Visiting = NamedDependency[SkipValidation[Visit]]
Sent = NamedDependency[SkipValidation[Form]]
SINCE = 30
"""Orders since a seat last looked that are told."""


@get("/", sync_to_thread=True)
def table(visit: Visiting) -> Response[str]:
    """The page of a seat."""
    return show(visit, None)


@post("/{act:str}", sync_to_thread=True, status_code=303)
def act(form: Sent, act: FromPath[str]) -> Response[Any]:
    """One of its forms."""
    return form.sent(act, need_act(act), show, page_again(form))


def page_again(visit: Visit, **changed: str) -> str:
    """The address of this page as it was asked for, with something changed."""
    asked = visit.asked_for
    seat = {} if asked.one("as") else {"as": visit.asked}
    return again(address("table", visit.game_id, ""), asked, KEPT, **{**seat, **changed})


def show(visit: Visit, refused: Refused | None) -> Response[str]:
    """The page, with what was refused where it was given."""
    seat = visit.seat()
    view = seat.status
    news = seat.since(most=SINCE)
    return shown(
        visit,
        "table.html",
        refused.problem.status if refused else 200,
        standing=standing_of(seat, view),
        told=None if refused else visit.told(seat),
        refused=refused,
        trail=trail_of(seat, view, visit.asked_for),
        news=news,
        drawn=seat.map_in_page(),
        visit=visit,
        about=lambda position: page_again(visit, about=str(position)) + "#about",
        here=lambda **changed: page_again(visit, **changed),
        does=lambda name: again(address("table", seat.game.id, "", name), visit.asked_for, KEPT, **{"as": seat.name}),
    )


# --- what its forms do ------------------------------------------------------------------------------------------------

Doing = Callable[[Seat, Fields, Sending], Outcome | str]


def _typed(seat: Seat, fields: Fields, sending: Sending) -> Outcome:
    return seat.typed(fields.one("typed"), id=sending.get("id", ""), seen=sending.get("seen"))


def _note(seat: Seat, fields: Fields, sending: Sending) -> Outcome:
    return seat.note(fields.one("text"), about=fields.number("about") or 0, **sending)


def _looked(seat: Seat, fields: Fields, sending: Sending) -> str:
    at = fields.number("upto") or seat.game.size
    seat.note_look(min(at, seat.game.size))
    return f"You have seen everything up to #{min(at, seat.game.size)}."


ACTS: dict[str, Doing] = {
    "typed": _typed,
    "note": _note,
    "looked": _looked,
}


def need_act(name: str) -> Doing:
    """What a form of that name does. Raises NotThere."""
    if name not in ACTS:
        raise not_there("form", name, ACTS, "this page")
    return ACTS[name]


TABLE = Router(
    "/table/{game:str}",
    route_handlers=[table, act],
    dependencies={
        "visit": Provide(Visit, sync_to_thread=False),
        "form": Provide(Form, sync_to_thread=False),
    },
    exception_handlers={Exception: problem_page},
    include_in_schema=False,
)
