"""Handle a seat's forms other than orders of play: going back, consent, disputes, notes, seals."""

from collections.abc import Callable, Mapping
from typing import get_args

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED, not_there
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import SendOptions
from umpire_ledger.domain.game.events import DicePolicy
from umpire_ledger.projections.questions.record_explanation import Explanation
from umpire_ledger.projections.questions.rewind_preview import Impact
from umpire_ledger.projections.reports.disputes import DisputeLine
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.undo_points import UndoPoint
from umpire_ledger.service.pages.ordering import is_number, order_of, pips_of
from umpire_ledger.service.pages.page_request import Fields

Doing = Callable[[Seat, Fields, SendOptions], Outcome | str]
POINTS = 25
"""Maximum number of undo points to offer."""


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """The forms with which a seat can go back, withdraw a dispute or reveal secrets.

    `undoes`: the order that it can undo; `no_undo`: the reason if it cannot. `redo`: whether there is a branch to
    return to. `points`: the positions to which it can request a rewind. `own`: its open disputes. `asked`: the effects
    of the requested rewind. `opens`: whether it can reveal all secrets.
    """

    undoes: str = ""
    no_undo: str = ""
    redo: bool = False
    points: tuple[UndoPoint, ...] = ()
    own: tuple[DisputeLine, ...] = ()
    asked: Impact | None = None
    opens: bool = False


def ways_of(seat: Seat, view: TurnView) -> Ways:
    """Return these forms for a seat of a side; no forms for another seat."""
    if not view.side:
        return Ways()
    refusal = seat.refusal_of("undo")
    undone = seat.preview("undo").orders if refusal is None else ()
    return Ways(
        undoes=undone[-1].text if undone else "",
        no_undo=refusal.what if refusal is not None else "",
        redo=seat.refusal_of("redo") is None,
        opens=bool(view.ended) and seat.refusal_of("open-secrets") is None,
        points=tuple(one for one in seat.undo_points(POINTS) if one.orders),
        own=tuple(one for one in seat.disputes("open") if one.seat == seat.name),
        asked=_asked(seat, view),
    )


def _asked(seat: Seat, view: TurnView) -> Impact | None:
    """Return the effects of the requested rewind, as this seat may see them."""
    if view.asked is None:
        return None
    try:
        return seat.preview("rewind", to=view.asked.to)
    except EXPECTED:
        return None


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A record that the page shows. `before`: the last position before its order, 0 if there is none."""

    position: int
    why: Explanation
    before: int


def about_of(seat: Seat, fields: Fields) -> About | None:
    """Return the record that an address names; None if it names none, or one that does not exist."""
    position = fields.number("about")
    if not position:
        return None
    try:
        why = seat.why(position)
    except EXPECTED:
        return None
    first = min((one.position for one in why.beside), default=position)
    return About(position=position, why=why, before=min(first, position) - 1)


# --- functions of the forms -------------------------------------------------------------------------------------------


def _typed(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.typed(fields.one("typed"), id=sending.get("id", ""))


def _order(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.order({**order_of(seat, fields), "id": sending.get("id", "")})


def _done(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    far = fields.one("far")
    return seat.done(
        fields.one("answer"),
        step="" if far else fields.one("step"),
        rest=far == "rest",
        pips=pips_of(fields) or None,
        **sending,
    )


def _undo(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.undo(why=fields.one("why"), **sending)


def _redo(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.redo(**sending)


def _ask_rewind(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    to = fields.one("other").strip() or fields.one("to")
    position = to.removeprefix("#")
    target = int(position) if is_number(position) else to
    return seat.ask_rewind(target, why=fields.one("why"), dice=policy_in(fields), **sending)


def policy_in(fields: Fields) -> DicePolicy | None:
    """Return the dice policy that a form names; None if it names none.

    Raises:
        NotThere: When the policy is unknown.
    """
    said, known = fields.one("dice"), get_args(DicePolicy)
    if said and said not in known:
        raise not_there("dice policy", said, known, "this form")
    return next((one for one in known if one == said), None)


def _consent(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.consent(**sending)


def _refuse(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.refuse(why=fields.one("why"), **sending)


def _dispute(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    words = fields.one("records").replace(",", " ").replace("#", " ").split()
    records = [int(one) for one in words if is_number(one)]
    return seat.dispute(records, fields.one("claim"), rule=fields.one("rule"), **sending)


def _settle(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.settle(fields.one("dispute"), why=fields.one("why"), **sending)


def _note(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    to = fields.one("to").replace(",", " ").split()
    return seat.note(fields.one("text"), about=fields.number("about") or 0, to=to, **sending)


def _send_message(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    to, step = fields.one("to").replace(",", " ").split(), fields.one("step").strip()
    return seat.send_message(fields.one("text"), to, fields.number("arrives") or 0, step=step, **sending)


def _seal_words(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.seal_words(fields.one("text"), fields.one("condition"), **sending)


def open_words(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    """Reveal the words that were sealed at a position to all players, or withdraw them."""
    return seat.open_words(fields.number("note") or 0, withdraw=bool(fields.one("withdraw")), **sending)


def _open_secrets(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    return seat.open_secrets(**sending)


def _seal(seat: Seat, fields: Fields, sending: SendOptions) -> Outcome:
    outcome, _ = seat.seal(**sending)
    return outcome


def _looked(seat: Seat, fields: Fields, sending: SendOptions) -> str:
    at = min(fields.number("upto") or seat.game.size, seat.game.size)
    seat.note_look(at)
    if seat.looked != at:  # another program has locked the read models
        return "Your reading mark was not stored, because the read models are locked. Try again in a moment."
    return f"Marked as read up to #{at}."


ACTS: Mapping[str, Doing] = {
    "order": _order,
    "typed": _typed,
    "done": _done,
    "undo": _undo,
    "redo": _redo,
    "ask-rewind": _ask_rewind,
    "consent": _consent,
    "refuse": _refuse,
    "dispute": _dispute,
    "settle": _settle,
    "note": _note,
    "send-message": _send_message,
    "seal-words": _seal_words,
    "open-words": open_words,
    "seal": _seal,
    "open-secrets": _open_secrets,
    "looked": _looked,
}
ON_WHAT_WAS_SEEN = ("consent", "seal")
"""Forms that accept the current state. If a record was added meanwhile, the page reports it and accepts nothing."""


def need_act(name: str) -> Doing:
    """Return the function that handles a form.

    Raises:
        NotThere: When there is no such form.
    """
    if name not in ACTS:
        raise not_there("form", name, ACTS, "this page")
    return ACTS[name]
