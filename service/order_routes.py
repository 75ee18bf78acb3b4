"""Give orders in a seat's game: a route for a single order, one for an order file, and one for each other operation.

Every write accepts `Idempotency-Key` (the order id) and `If-Match` (the position that the client last saw), and answers
with the outcome as the seat may see it. With `preview` or `check`, a route records nothing.
"""

from typing import Annotated, Any

import msgspec
from litestar import Response, post
from litestar.params import Body, FromPath, JSONBody, QueryParameter, RawBody

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.order_ids import verify_same_lines
from umpire_ledger.desk.core.outcomes import Amendment, Outcome
from umpire_ledger.desk.orders.file_play import Played
from umpire_ledger.desk.orders.order_files import orders_in
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import AmendMode, ResumeMode, SendOptions
from umpire_ledger.desk.seat_queries import News
from umpire_ledger.domain.game.events import DicePolicy, Grounds
from umpire_ledger.projections.questions.rewind_preview import Impact
from umpire_ledger.projections.questions.seat_knowledge import LearntSecret
from umpire_ledger.service.game_request import Acting
from umpire_ledger.service.order_files import in_pieces, too_many_lines

Preview = Annotated[bool, QueryParameter(description="Return what it would undo, and record nothing.")]
Check = Annotated[bool, QueryParameter(description="Dry run: record nothing.")]
Order = Annotated[
    dict[str, Any],
    Body(description='An order as in an order file: {"order": NAME, …arguments}; or {"typed": "move-ship a1 0610"}.'),
]


class _Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a write. Unknown fields are refused, so that a typo is not ignored."""


class DoneForm(_Form, frozen=True, kw_only=True):
    """The body of `done`: the answer if the step asks for one, the step, the steps to end, and dice results."""

    answer: str = ""
    step: str = ""
    until: str = ""
    rest: bool = False
    pips: list[int] | None = None


class Undoing(_Form, frozen=True, kw_only=True):
    """The body of `undo`."""

    orders: int = 1
    why: str = ""
    dice: DicePolicy | None = None


class Rewinding(_Form, frozen=True, kw_only=True):
    """The body of `rewind` and `ask-rewind`. `to`: a position, a step, or a turn such as `turn 2`."""

    to: int | str
    why: str = ""
    dice: DicePolicy | None = None


class ReasonForm(_Form, frozen=True, kw_only=True):
    """A body with an optional reason."""

    why: str = ""


class AmendForm(_Form, frozen=True, kw_only=True):
    """The body of `amend`: replace the order at a position by `given`, drop it, insert one before it, or reroll it."""

    at: int
    why: str
    given: dict[str, Any] | str | None = None
    how: AmendMode = "replace"
    dice: DicePolicy = "keep"


class GoingOn(_Form, frozen=True, kw_only=True):
    """The body of `amending`, which continues a stopped amendment."""

    how: ResumeMode = "continue"
    given: dict[str, Any] | str | None = None
    why: str = ""


class Noting(_Form, frozen=True, kw_only=True):
    """The body of a note. `about`: the position of its subject; `to`: the only seats and sides that may read it."""

    text: str
    about: int = 0
    to: list[str] = []


class Disputing(_Form, frozen=True, kw_only=True):
    """The body of a dispute. `records`: the positions of the contested records."""

    records: list[int]
    claim: str
    rule: str = ""
    dispute: str = ""


class Settling(_Form, frozen=True, kw_only=True):
    """The body to settle a dispute without a ruling on a rule; without `ruling`, withdraw your own dispute."""

    ruling: str = ""
    why: str = ""


class Ruling(_Form, frozen=True, kw_only=True):
    """The body of a ruling. `orders`: the orders that it carries out, a rewind first; `dice`: that rewind's policy."""

    ruling: str
    why: str
    grounds: Grounds
    rule: str = ""
    overrides: str = ""
    remedy: str = ""
    dispute: str = ""
    orders: list[dict[str, Any] | str] = []
    pips: list[int] | None = None
    dice: DicePolicy | None = None


class Peeking(_Form, frozen=True, kw_only=True):
    """The body of a peek at a seat's secrets, which is recorded first."""

    who: str
    why: str


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """A seal, and the three lines of the checkpoint to keep, which covers the seal."""

    outcome: Outcome
    checkpoint: str


class PeekResult(msgspec.Struct, frozen=True, kw_only=True):
    """A peek, and the secrets that it showed to the referee."""

    outcome: Outcome
    secrets: tuple[LearntSecret, ...]


# --- orders -----------------------------------------------------------------------------------------------------------


@post("/orders", sync_to_thread=True, status_code=200)
def give(act: Acting, data: Order) -> Response[Outcome]:
    """Give one order: its JSON object as in an order file, or words as people type them."""
    typed = data.get("typed")
    if set(data) == {"typed"} and isinstance(typed, str):
        return act(lambda seat, sending: seat.typed(typed, id=act.key, seen=act.seen))
    return act(lambda seat, sending: seat.order(_with_key(data, sending), seen=sending.get("seen")))


def _with_key(raw: dict[str, Any], sending: SendOptions) -> dict[str, Any]:
    """Return the order with its order id.

    Raises:
        WrongUse: When body and header name different ids.
    """
    key, own = sending.get("id", ""), raw.get("id", "")
    if key and own and key != own:
        what = "the order's body and header have different ids"
        raise WrongUse(what, where="Idempotency-Key", rule="command ids", remedy="send only one of them")
    return {**raw, "id": key or own} if key or own else raw


@post("/order-files", sync_to_thread=True, status_code=200)
def play(act: Acting, body: RawBody, check: Check = False) -> Response[Played]:
    """Play an order file (JSON Lines). Play stops at the first refusal, which names its line.

    With a key, each line without its own id gets one, so that a file that is sent twice is recorded once.
    """
    text, most = body.decode(errors="surrogateescape"), act.service.settings.lines

    def do(seat: Seat, sending: SendOptions) -> Played:
        key = sending.get("id", "")
        lines = [(at, {"id": f"{key}/{at}", **raw} if key else raw) for at, raw in orders_in(text, "orders")]
        if len(lines) > most:
            raise too_many_lines(len(lines), most)
        if key:
            verify_same_lines(seat.game.ledger, seat.game.id, key, {raw["id"] for _, raw in lines}, seat.game.where)
        return in_pieces(seat, lines, check=check, seen=sending.get("seen"))

    return act(do, anew=bool(act.key))


@post("/done", sync_to_thread=True, status_code=200)
def done(act: Acting, data: JSONBody[DoneForm | None] = None) -> Response[Outcome]:
    """End the current step."""
    said = data or DoneForm()
    return act(lambda seat, sending: seat.done(**_fields_of(said), **sending))


# --- going back -------------------------------------------------------------------------------------------------------


@post("/undo", sync_to_thread=True, status_code=200)
def undo(act: Acting, data: JSONBody[Undoing | None] = None, preview: Preview = False) -> Response[Outcome | Impact]:
    """Undo orders, the newest first. A seat can undo only its own orders."""
    said = data or Undoing()
    if preview:
        return _preview(act, "undo", said)
    return act(lambda seat, sending: seat.undo(**_fields_of(said), **sending))


@post("/redo", sync_to_thread=True, status_code=200)
def redo(act: Acting, preview: Preview = False) -> Response[Outcome | Impact]:
    """Return to the branch before the last undo or rewind."""
    if preview:
        return _preview(act, "redo", ReasonForm())
    return act(lambda seat, sending: seat.redo(**sending))


@post("/rewind", sync_to_thread=True, status_code=200)
def rewind(act: Acting, data: JSONBody[Rewinding], preview: Preview = False) -> Response[Outcome | Impact]:
    """Return play to an earlier position, step or turn; for the referee only. Nothing is deleted."""
    if preview:
        return _preview(act, "rewind", data)
    return act(lambda seat, sending: seat.rewind(**_fields_of(data), **sending))


@post("/ask-rewind", sync_to_thread=True, status_code=200)
def ask_rewind(act: Acting, data: JSONBody[Rewinding], preview: Preview = False) -> Response[Outcome | Impact]:
    """Request a rewind from all other sides. Play is rewound when the last of them consents."""
    if preview:
        return _preview(act, "ask-rewind", data)
    return act(lambda seat, sending: seat.ask_rewind(**_fields_of(data), **sending))


@post("/consent", sync_to_thread=True, status_code=200)
def consent(act: Acting) -> Response[Outcome]:
    """Consent, for this side, to the requested rewind."""
    return act(lambda seat, sending: seat.consent(**sending))


@post("/refuse", sync_to_thread=True, status_code=200)
def refuse(act: Acting, data: JSONBody[ReasonForm | None] = None) -> Response[Outcome]:
    """Decline the requested rewind, or withdraw your own request."""
    return act(lambda seat, sending: seat.refuse(**_fields_of(data or ReasonForm()), **sending))


@post("/amend", sync_to_thread=True, status_code=200)
def amend(act: Acting, data: JSONBody[AmendForm], check: Check = False) -> Response[Amendment]:
    """Amend an order on a new branch, and re-play all later orders; for the referee only."""
    if check:
        return act.without_record(lambda seat: seat.amend(check=True, **_fields_of(data)))
    return act(lambda seat, sending: seat.amend(**_fields_of(data), **sending))


@post("/amending", sync_to_thread=True, status_code=200)
def amending(act: Acting, data: JSONBody[GoingOn | None] = None, check: Check = False) -> Response[Amendment]:
    """Continue a stopped amendment; for the referee only."""
    said = _fields_of(data or GoingOn())
    if check:
        return act.without_record(lambda seat: seat.go_on_amending(check=True, **said))
    return act(lambda seat, sending: seat.go_on_amending(**said, **sending))


def _preview(act: Acting, order: str, said: msgspec.Struct) -> Response[Any]:
    return act.without_record(lambda seat: seat.preview(order, **_fields_of(said)))


# --- refereeing -------------------------------------------------------------------------------------------------------


@post("/notes", sync_to_thread=True, status_code=200)
def note(act: Acting, data: JSONBody[Noting]) -> Response[Outcome]:
    """Record a remark; it changes nothing in the game."""
    return act(lambda seat, sending: seat.note(**_fields_of(data), **sending))


@post("/disputes", sync_to_thread=True, status_code=200)
def dispute(act: Acting, data: JSONBody[Disputing]) -> Response[Outcome]:
    """Contest records; play continues under protest."""
    return act(lambda seat, sending: seat.dispute(**_fields_of(data), **sending))


@post("/disputes/{dispute:str}/settle", sync_to_thread=True, status_code=200)
def settle(act: Acting, dispute: FromPath[str], data: JSONBody[Settling | None] = None) -> Response[Outcome]:
    """Settle a dispute without a ruling on a rule; without a text, withdraw your own dispute."""
    said = data or Settling()
    return act(lambda seat, sending: seat.settle(dispute, **_fields_of(said), **sending))


@post("/rulings", sync_to_thread=True, status_code=200)
def rule(act: Acting, data: JSONBody[Ruling]) -> Response[Outcome]:
    """Rule on a question, carry out the remedy and settle the dispute in one order; for the referee only."""
    return act(lambda seat, sending: seat.rule(**_fields_of(data), **sending))


@post("/seals", sync_to_thread=True, status_code=200)
def seal(act: Acting) -> Response[Sealed]:
    """Seal all records so far as accepted; the checkpoint also covers the seal."""

    def do(seat: Seat, sending: SendOptions) -> Sealed:
        outcome, checkpoint = seat.seal(**sending)
        return Sealed(outcome=outcome, checkpoint=checkpoint.text())

    return act(do)


@post("/peeks", sync_to_thread=True, status_code=200)
def peek(act: Acting, data: JSONBody[Peeking]) -> Response[PeekResult]:
    """Return a seat's secrets to the referee, after recording the peek."""

    def do(seat: Seat, sending: SendOptions) -> PeekResult:
        outcome, secrets = seat.peek(data.who, why=data.why, **sending)
        return PeekResult(outcome=outcome, secrets=secrets)

    return act(do)


@post("/looked", sync_to_thread=True, status_code=200)
def looked(act: Acting) -> Response[News]:
    """Record that this seat has read all records so far, and return the news."""

    def do(seat: Seat) -> News:
        upto = seat.game.size  # records that come during the answer count as unread
        found = seat.since()
        seat.note_look(upto)
        return found

    return act.beside(do)


def _fields_of(form: msgspec.Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(form)


ACTS = [
    *(give, play, done, undo, redo, rewind, ask_rewind, consent, refuse, amend, amending),
    *(note, dispute, settle, rule, seal, peek, looked),
]
