"""Build the panels of the referee's page: each collects plain data from the desk for its template."""

from collections.abc import Callable
from typing import Any

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.orders.typed_orders import short_form
from umpire_ledger.desk.seat import Seat
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.projections.questions.order_lines import OrderLine
from umpire_ledger.projections.questions.rewind_preview import Impact
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.service.pages.board import background_at
from umpire_ledger.service.pages.game_header import GameHeader, header_of
from umpire_ledger.service.pages.page_request import Visit
from umpire_ledger.service.pages.referee_forms import target
from umpire_ledger.service.problems import ProblemDetails, problem_for

ASKED = ("show", "who", "to", "back", "orders", "at", "dispute", "on", "words", "about")
"""Parameters of an address that belong to panels."""
POINTS, REFUSED, SIDE_BY_SIDE, WATCHED = 60, 60, 2, 4
Found = dict[str, Any]


class SeatLook(msgspec.Struct, frozen=True, kw_only=True):
    """The view of one seat among several. `closed`: the referee may not see its secrets, so the rest is empty."""

    seat: str
    name: str
    closed: bool = False
    standing: GameHeader | None = None
    drawn: str = ""
    new: int = 0


def _desk(visit: Visit, seat: Seat, view: TurnView) -> Found:
    return {"seats": _seats(seat, view), "excusable": [(one.step, one.name, one.waits) for one in view.steps]}


def _seats(seat: Seat, view: TurnView) -> list[tuple[str, str]]:
    """Return every seat that gives orders, each with its name."""
    names = {one.id: one.name or one.id for one in view.sides}
    return [(one, names.get(one, one)) for one in seat.game.seats if one != SPECTATOR]


def _views(visit: Visit, seat: Seat, view: TurnView) -> Found:
    everybody = [one for one in seat.game.seats if one != REFEREE]
    asked = [one for one in visit.asked_for.many("who") if one in everybody][:WATCHED]
    return {
        "seats": everybody,
        "chosen": asked or everybody[:SIDE_BY_SIDE],
        "looks": [_look(seat, who) for who in asked or everybody[:SIDE_BY_SIDE]],
        "is_closed": bool(seat.known().options.get(CLOSED_TO_REFEREE)),
        "sides": [one.id for one in view.sides],
    }


def _look(seat: Seat, who: str) -> SeatLook:
    """Return a seat's view, if the referee may see it."""
    names = {one.id: one.name for one in seat.known().sides}
    name = names.get(who, who)
    try:
        other = seat.looking_as(who)
    except EXPECTED:
        return SeatLook(seat=who, name=name, closed=True)
    return SeatLook(
        seat=who,
        name=name,
        standing=header_of(other, other.status),
        drawn=other.map_in_page(background=background_at(seat)),
        new=max(0, other.game.size - other.looked),
    )


def _invitations(visit: Visit, seat: Seat, view: TurnView) -> Found:
    listed = seat.game.desk.invitations.listed(seat.game.id)
    players = [one for one in seat.game.seats if one != REFEREE]
    return {"listed": listed[::-1], "seats": [*players, REFEREE]}  # the first is preselected


def _rewind(visit: Visit, seat: Seat, view: TurnView) -> Found:
    asked = visit.asked_for
    back = asked.one("back") if asked.one("back") in ("undo", "redo") else "rewind" if asked.one("to").strip() else ""
    impact: Impact | None = None
    wrong: ProblemDetails | None = None
    try:
        match back:
            case "undo":
                impact = seat.preview("undo", orders=max(1, asked.number("orders") or 1))
            case "redo":
                impact = seat.preview("redo")
            case "rewind":
                impact = seat.preview("rewind", to=target(asked))
            case _:
                pass
    except EXPECTED as error:
        wrong = problem_for(error)
    return {
        "back": back,
        "impact": impact,
        "wrong": wrong,
        "points": seat.undo_points(POINTS),
        "lines": seat.lines(POINTS),
        "ledger_dice": view.dice["from"] == "ledger",
    }


def _amend(visit: Visit, seat: Seat, view: TurnView) -> Found:
    at = visit.asked_for.number("at")
    order = _order_at(seat, at) if at else None
    return {
        "at": at,
        "order": order,
        "typed": _as_typed(seat, order),
        "left": seat.left_to_amend() if view.amending else (),
    }


def _order_at(seat: Seat, position: int) -> OrderLine | None:
    """Return the order to which a record belongs, as the referee may see it."""
    found = seat.orders(start=position, stop=position, all_lines=True)
    return found[0] if found else None


def _as_typed(seat: Seat, order: OrderLine | None) -> str:
    """Return an order as a person would type it; "" if it cannot be shown."""
    title = seat.game.title
    if order is None or not order.cause or title is None:
        return ""
    try:
        return short_form(title, {name: value for name, value in order.cause.items() if name not in BESIDE})
    except EXPECTED:
        return ""


BESIDE = ("id", "as", "entered_by", "happened_at", "witness")
"""Fields of an order that are not part of its typed words, and stay when an amendment changes the words."""


def _record(visit: Visit, seat: Seat, view: TurnView) -> Found:
    position = visit.asked_for.number("about")
    wrong: ProblemDetails | None = None
    why = None
    try:
        why = seat.why(position) if position else None
    except EXPECTED as error:
        wrong = problem_for(error)
    order = _order_at(seat, position) if why and position else None
    return {"position": position, "why": why, "order": order, "wrong": wrong}


def _disputes(visit: Visit, seat: Seat, view: TurnView) -> Found:
    chosen, wrong, shown = visit.asked_for.one("dispute"), None, None
    try:
        shown = seat.dispute_page(chosen) if chosen else None
    except EXPECTED as error:
        wrong = problem_for(error)
    records = list(map(seat.why, shown.dispute.records)) if shown else []
    own = [one for one in shown.precedents if _is_open(visit, seat, one.game)] if shown else []
    about = visit.asked_for.number("about")
    return {
        "listed": seat.disputes()[::-1],
        "shown": shown,
        "records": records,
        "precedents": own,
        "wrong": wrong,
        "at": about,
    }


def _is_open(visit: Visit, seat: Seat, game_id: str) -> bool:
    """Return whether a ruling may be shown. Only the referee of every game sees rulings of other games."""
    return game_id == seat.game.id or visit.is_operator


def _rulings(visit: Visit, seat: Seat, view: TurnView) -> Found:
    rule, words = visit.asked_for.one("on").strip(), visit.asked_for.one("words").strip()
    every = seat.game.desk.rulings(rule=rule, text=words) if visit.is_operator else seat.rulings(rule=rule, text=words)
    return {"listed": every[::-1], "rule": rule, "words": words}


def _acts(visit: Visit, seat: Seat, view: TurnView) -> Found:
    return {"acts": seat.referee_acts()[::-1], "refused": seat.refusals(REFUSED)[::-1]}


def _game(visit: Visit, seat: Seat, view: TurnView) -> Found:
    return {
        "archived": seat.game.archived,
        "checkpoint": seat.game.checkpoint().text(),
        "seals": seat.audit(event="line.sealed", all_lines=True)[::-1],
        "called": seat.game.display_name,
        "sides": view.sides,
        "full_name": seat.game.full_name,
    }


Panel = Callable[[Visit, Seat, TurnView], Found]
LOOKED_UP: dict[str, tuple[str, Panel]] = {
    "desk": ("Orders", _desk),
    "views": ("All views", _views),
    "rewind": ("Rewind", _rewind),
    "amend": ("Amend", _amend),
    "disputes": ("Disputes", _disputes),
    "rulings": ("Rulings", _rulings),
    "invitations": ("Invitations", _invitations),
    "acts": ("Referee actions", _acts),
    "game": ("Game", _game),
}
PANELS = {name: words for name, (words, _) in LOOKED_UP.items()}
"""The panels with a tab, in order: the name in the address, and the words on the tab."""
ALL_PANELS: dict[str, Panel] = {name: panel for name, (_, panel) in LOOKED_UP.items()} | {"record": _record}
