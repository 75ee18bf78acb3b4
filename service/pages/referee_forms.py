"""Handle the forms of the referee's page: each calls the desk once and reports the result."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import msgspec

from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.errors import WrongUse, not_there
from umpire_ledger.desk.core.outcomes import Amendment, Outcome
from umpire_ledger.desk.games.invitations import Form as Form_, Invited
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import AmendMode, ResumeMode, SendOptions
from umpire_ledger.domain.game.events import Grounds
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.questions.seat_knowledge import LearntSecret
from umpire_ledger.service.games import verify_reachable
from umpire_ledger.service.pages.page_request import Fields
from umpire_ledger.service.pages.seat_forms import open_words, policy_in

MOST_REMEDIES = 200


class ShownSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """The secrets of a seat that a peek showed to the referee."""

    who: str
    secrets: tuple[LearntSecret, ...]


class CopyNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of the game. `invited`: the invitation for its referee."""

    game: str
    at: int
    invited: Invited | None


Once = Invited | ShownSecrets | Amendment | CopyNotice | str
"""Results that are shown once, in the answer itself; a string is a checkpoint."""


class FormResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a form: an order's outcome or a message, and a result that is shown once."""

    said: Outcome | str
    once: Once | None = None


Doing = Callable[[Seat, Fields, SendOptions], FormResult]


# --- orders and steps -------------------------------------------------------------------------------------------------


def _enter(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    """Give a typed order for a seat; a late entry also has its time and its witness."""
    raw = seat.read(fields.one("typed"))
    if who := fields.one("who"):
        raw = {**raw, "as": who}
    late: dict[str, Any] = {"happened_at": _moment(fields.one("happened_at")), "witness": fields.one("witness")}
    return FormResult(said=seat.order({**raw, **{name: value for name, value in late.items() if value}}, **sending))


def _moment(said: str) -> str:
    """Return a date and time from a form in UTC, as the ledger writes it; return other text unchanged."""
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        return said
    return said if found.tzinfo else found.replace(tzinfo=UTC).isoformat(timespec="seconds")


def _leave(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=seat.done(fields.one("answer"), step=fields.one("step"), **sending))


def _excuse(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    step, side = fields.one("step"), fields.one("side")
    return FormResult(said=seat.order("excuse", reason=fields.one("why"), step=step, side=side, **sending))


def _give_seat(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    taker, side, name = (fields.one(one) for one in ("taker", "side", "name"))
    return FormResult(said=seat.order("take-seat", taker=taker, side=side, name=name, **sending))


def _note(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    to = fields.one("to").replace(",", " ").split()
    return FormResult(said=seat.note(fields.one("text"), about=fields.number("about") or 0, to=to, **sending))


def _open_words(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=open_words(seat, fields, sending))


def _seal(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    outcome, checkpoint = seat.seal(**sending)
    return FormResult(said=outcome, once=checkpoint.text())


def _open_secrets(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=seat.open_secrets(**sending))


# --- rewinds and amendments -------------------------------------------------------------------------------------------


def _undo(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    orders = fields.number("orders") or 1
    return FormResult(said=seat.undo(orders, why=fields.one("why"), dice=policy_in(fields), **sending))


def _redo(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=seat.redo(**sending))


def _rewind(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=seat.rewind(target(fields), why=fields.one("why"), dice=policy_in(fields), **sending))


def target(fields: Fields) -> int | str:
    """Return the target of a rewind: a position, a step, or `turn 2`.

    Raises:
        WrongUse: When the field is empty.
    """
    number, said = fields.number("to"), fields.one("to").strip()
    if number is None and not said:
        what, remedy = "the target of the rewind is missing", "enter a position, a step, or `turn 2`"
        raise WrongUse(what, where="To", rule="rewind", remedy=remedy)
    return said if number is None else number


def _one_of(kind: Any, said: str, what: str) -> Any:
    """Return the chosen word.

    Raises:
        NotThere: When it is not one of the choices.
    """
    known = [one for one in get_args(kind) if one]
    if said not in known:
        raise not_there(what, said, known, "this form")
    return said


def _amend(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    at = fields.number("at")
    if at is None:
        what, remedy = "the order to amend is missing", "enter the position of one of its records"
        raise WrongUse(what, where="At", rule="amend", remedy=remedy)
    how: AmendMode = _one_of(AmendMode, fields.one("how"), "way to amend")
    given = fields.one("given").strip() if how in ("replace", "before") else ""
    check, dice = bool(fields.one("check")), policy_in(fields) or "keep"
    more = SendOptions() if check else sending
    amendment = seat.amend(at, given or None, why=fields.one("why"), how=how, dice=dice, check=check, **more)
    return _amended(seat, amendment, sending, check=check)


def _amending(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    how: ResumeMode = _one_of(ResumeMode, fields.one("how"), "way to continue")
    given = fields.one("given").strip() if how == "continue" else ""
    check = bool(fields.one("check"))
    more = SendOptions() if check else sending
    amendment = seat.go_on_amending(how, given or None, why=fields.one("why"), check=check, **more)
    return _amended(seat, amendment, sending, check=check)


def _amended(seat: Seat, amendment: Amendment, sending: SendOptions, *, check: bool) -> FormResult:
    """Return the result of an amendment; report a recorded one as its order."""
    if check:
        dice = " Its dice came from a different seed than the game's." if amendment.other_dice else ""
        return FormResult(said=f"Dry run: nothing was recorded.{dice}", once=amendment)
    stop = amendment.stopped
    words = f"The amendment stopped at #{stop.position}: {stop.what}." if stop else ""
    outcome = seat.answered(sending.get("id", ""))
    return FormResult(
        said=msgspec.structs.replace(outcome, stopped=words) if outcome else words or "The order is amended."
    )


# --- disputes, rulings, secrets ---------------------------------------------------------------------------------------


def positions_in(said: str) -> list[int]:
    """Return positions as people write them: `#12, #14 20`.

    Raises:
        WrongUse: When a word is not a position.
    """
    words = said.replace(",", " ").replace("#", " ").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 16 for word in words):
        raise WrongUse(
            "expected record numbers", where="Records", rule="positions", remedy="enter numbers, for example #12 #14"
        )
    return [int(word) for word in words]


def _dispute(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    records = positions_in(fields.one("records"))
    outcome = seat.dispute(records, fields.one("claim"), rule=fields.one("rule"), **sending)
    return FormResult(said=outcome)


def _settle(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    return FormResult(said=seat.settle(fields.one("dispute"), fields.one("ruling"), why=fields.one("why"), **sending))


def _rule(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    grounds: Grounds = _one_of(Grounds, fields.one("grounds"), "ground")
    orders = [line for line in map(str.strip, fields.one("orders").splitlines()) if line][:MOST_REMEDIES]
    outcome = seat.rule(
        fields.one("ruling"),
        why=fields.one("why"),
        grounds=grounds,
        rule=fields.one("rule"),
        overrides=fields.one("overrides"),
        remedy=fields.one("remedy"),
        dispute=fields.one("dispute"),
        orders=orders,
        pips=_pips(fields.one("pips")),
        dice=policy_in(fields),
        **sending,
    )
    return FormResult(said=outcome)


def _pips(said: str) -> list[int] | None:
    """Return dice results as people write them: `3, 5`.

    Raises:
        WrongUse: When a word is not a number.
    """
    words = said.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise WrongUse(
            f"'{said}' is not a list of dice results",
            where="Pips",
            rule="dice",
            remedy="enter numbers, for example 3 5",
        )
    return [int(word) for word in words] or None


def _peek(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    who = fields.one("who")
    outcome, secrets = seat.peek(who, why=fields.one("why"), **sending)
    return FormResult(said=outcome, once=ShownSecrets(who=who, secrets=secrets))


# --- invitations and the whole game -----------------------------------------------------------------------------------


def _invite(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    form: Form_ = _one_of(Form_, fields.one("form"), "kind of invitation")
    who, lasts = fields.one("who"), span(fields.one("lasts") or "30d")
    invited = seat.game.desk.invitations.invite(seat.game.id, fields.one("seat"), form=form, lasts=lasts, who=who)
    return FormResult(said=f"{fields.one('seat')} is invited.", once=invited)


def _revoke(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    found = seat.game.desk.invitations.revoke(fields.one("invitation"), seat.game.id)
    return FormResult(said=f"The invitation for {found.seat} is revoked. Its sessions and tokens have ended.")


def _fork(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    id, at = fields.one("id").strip(), fields.number("at")
    verify_reachable(id)
    copy = seat.game.fork(id, at=at)
    upto = seat.game.size if at is None else seat.game.between_orders(at)
    invited = seat.game.desk.invitations.invite(copy.id, REFEREE)
    return FormResult(
        said=f"{copy.id} is a copy up to #{upto}.", once=CopyNotice(game=copy.id, at=upto, invited=invited)
    )


def _rename(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    seat.game.rename(fields.one("name"))
    return FormResult(said=f"The game is now called {seat.game.display_name}.")


def _archive(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    if seat.game.archived:
        what, remedy = f"{seat.game.id} is already archived", "unarchive it first"
        raise WrongUse(what, where=seat.game.id, rule="archive", remedy=remedy)
    done = seat.game.archive()
    return FormResult(
        said=f"Archived {counted(done.size, 'record')} in {Path(done.file).name}. The list no longer shows the game."
    )


def _unarchive(seat: Seat, fields: Fields, sending: SendOptions) -> FormResult:
    seat.game.unarchive()
    return FormResult(said="The list of games shows the game again.")


ACTS: dict[str, Doing] = {
    "enter": _enter,
    "leave": _leave,
    "excuse": _excuse,
    "give-seat": _give_seat,
    "note": _note,
    "open-words": _open_words,
    "seal": _seal,
    "open-secrets": _open_secrets,
    "undo": _undo,
    "redo": _redo,
    "rewind": _rewind,
    "amend": _amend,
    "amending": _amending,
    "dispute": _dispute,
    "settle": _settle,
    "rule": _rule,
    "peek": _peek,
    "invite": _invite,
    "revoke": _revoke,
    "fork": _fork,
    "rename": _rename,
    "archive": _archive,
    "unarchive": _unarchive,
}


def need_act(name: str) -> Doing:
    """Return the function that handles a form.

    Raises:
        NotThere: When there is no such form.
    """
    if name not in ACTS:
        raise not_there("form", name, ACTS, "this page")
    return ACTS[name]
