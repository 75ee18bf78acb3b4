"""Handle a request for a page: its seat, its form, and the result of the form, which is shown once.

A form is answered with a redirect to its page (post, redirect, get). The page shows the result: a cookie that lasts one
minute has the order id, and the page reads that order from the log. A refused form is answered with the page itself,
which has the four parts of the refusal next to the form, and the fields as they were typed.
"""

import base64
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.params import FromPath, RawBody

from umpire_ledger.desk.core.errors import EXPECTED, NotAuthorized
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import SendOptions
from umpire_ledger.service.authentication import AnyRequest
from umpire_ledger.service.game_request import As, GameRequest, WriteRequest, position_seen
from umpire_ledger.service.pages.addresses import with_query
from umpire_ledger.service.pages.rendering import page
from umpire_ledger.service.problems import ProblemDetails, RequestRefused, problem_for
from umpire_ledger.service.request_log import add_field, log_event, trouble

TOLD = "umpire-told"
MINUTE = 60
MOST_TOLD = 400
MOST_FIELDS = 1000
FORM = "application/x-www-form-urlencoded"


class FormOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a form, as stored in a cookie. `command`: the id of a recorded order; `words`: else, a message."""

    game: str
    seat: str
    command: str = ""
    words: str = ""
    repeated: bool = False


_form_outcome = msgspec.json.Decoder(FormOutcome).decode


class Fields:
    """The fields of a form or an address: each name with its values, in order."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self.pairs = pairs

    def one(self, name: str, default: str = "") -> str:
        """Return the last value of a name."""
        return next((value for known, value in reversed(self.pairs) if known == name), default)

    def many(self, name: str) -> list[str]:
        """Return every value of a name, except blank values."""
        return [value for known, value in self.pairs if known == name and value.strip()]

    def number(self, name: str) -> int | None:
        """Return the whole number in a field; None if it has none."""
        said = self.one(name).strip().removeprefix("#")
        return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None

    def begun(self, prefix: str) -> dict[str, list[str]]:
        """Return the fields whose names begin with a prefix, by the rest of the name."""
        names = dict.fromkeys(name for name, _ in self.pairs if name.startswith(prefix))
        return {name.removeprefix(prefix): self.many(name) for name in names}


NOTHING = Fields([])


def said_in(text: str) -> Fields:
    """Return the fields of a form or an address, in their order.

    Raises:
        RequestRefused: When there are more fields than any form has.
    """
    try:
        return Fields(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        what, remedy = f"the request has more than {MOST_FIELDS} fields", "send fewer fields"
        raise RequestRefused(400, "usage", what, where="the request", rule="limits: fields", remedy=remedy) from error


def fields_in(request: AnyRequest, body: bytes) -> Fields:
    """Return the fields of a form in the body of a request.

    Raises:
        RequestRefused: When the body is not a form.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM:
        what, remedy = f"unsupported content type: {kind or 'none'}", f"send the form as {FORM}"
        raise RequestRefused(415, "usage", what, where="the request", rule="Content-Type", remedy=remedy)
    text = body.decode("utf-8", "replace").replace("\r\n", "\n")
    return said_in(text.replace("%0D%0A", "%0A"))


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A refused form: its name, the four parts of the refusal, and its fields."""

    act: str
    problem: ProblemDetails
    fields: Fields


class Visit(GameRequest):
    """A request for a page of a game."""

    def __init__(self, request: AnyRequest, game: FromPath[str], as_: As = "") -> None:
        super().__init__(request, game, as_)
        asked = request.scope["query_string"].decode(
            "latin-1"
        )  # the framework's own parser loses the order of parameters
        self.asked_for = said_in(asked)

    def key(self) -> str:
        """Return a new order id for one form of this page."""
        return secrets.token_hex(8)

    def told(self, seat: Seat) -> Outcome | str | None:
        """Return the result of the form that redirected to this page: an order or a message; None without a form."""
        found = outcome_in(self.request)
        if found is None or (found.game, found.seat) != (seat.game.id, seat.name):
            return None
        if not found.command:
            return found.words
        outcome = seat.answered(found.command)
        if outcome is None:
            return found.words or None
        return msgspec.structs.replace(outcome, repeated=found.repeated, stopped=found.words)


class SubmittedForm(Visit):
    """A submitted form. It is carried out once for each key, and then redirects to its page."""

    def __init__(self, request: AnyRequest, game: FromPath[str], body: RawBody, as_: As = "") -> None:
        super().__init__(request, game, as_)
        self._body = body

    @property
    def fields(self) -> Fields:
        """The fields of the form.

        Raises:
            RequestRefused: When the body is not a form.
        """
        return fields_in(self.request, self._body)

    def sent(
        self,
        act: str,
        do: Callable[[Seat, Fields, SendOptions], Outcome | str],
        show: Callable[["Visit", Refused], Response[str]],
        back: str,
        *,
        judged_on_what_was_seen: bool = False,
    ) -> Response[Any]:
        """Carry out a form, and redirect to a page; if it is refused, `show` that page with the refusal.

        `do` returns the outcome of an order, or a message about any other act.
        """
        acting = WriteRequest(self.request, self.game_id, self.asked)
        seat = acting.seat()
        fields = self.fields
        acting.key = fields.one("key")[:80]
        acting.seen = position_seen(fields.one("seen")[:20]) if judged_on_what_was_seen else None
        try:
            done = acting.does(seat, lambda one, sending: do(one, fields, sending))
        except NotAuthorized:
            raise
        except EXPECTED as error:
            problem = problem_for(error)
            add_field(self.request.scope, error=problem.error)
            self.who, self.is_operator = acting.who, acting.is_operator
            return show(self, Refused(act=act, problem=problem, fields=fields))
        return leads_back(self, seat, done, back)


def leads_back(visit: GameRequest, seat: Seat, done: Outcome | str, back: str) -> Response[None]:
    """Return a redirect to a page that reports the result."""
    words = done if isinstance(done, str) else done.stopped
    told = FormOutcome(
        game=seat.game.id,
        seat=seat.name,
        command="" if isinstance(done, str) else done.command,
        words=words[:MOST_TOLD],
        repeated=not isinstance(done, str) and done.repeated,
    )
    answered: Response[None] = Response(
        None, status_code=HTTPStatus.SEE_OTHER, headers={"Location": back, "Cache-Control": "no-store"}
    )
    value = base64.urlsafe_b64encode(msgspec.json.encode(told)).decode()
    answered.set_cookie(_cookie(visit, value, MINUTE))
    return answered


def shown(visit: Visit, template: str, status: int = 200, /, **said: Any) -> Response[str]:
    """Return a page for an admitted visitor. If it reports a result, delete the cookie, so that it reports it once."""
    answered = page(template, status, **said)
    if status == HTTPStatus.OK:
        seat = said["standing"].seat
        answered = visit.service.sent_pages.shortened(visit.request.headers, visit.game_id, seat, answered)
    if said.get("told") is not None:
        answered.set_cookie(_cookie(visit, "", 0))
    return answered


def outcome_in(request: AnyRequest) -> FormOutcome | None:
    """Return the result in the cookie; None if there is no cookie, or if this service did not write it."""
    try:
        return _form_outcome(base64.urlsafe_b64decode(request.cookies.get(TOLD, "")))
    except ValueError:
        return None


def _cookie(visit: GameRequest, value: str, seconds: int) -> Cookie:
    secure = visit.service.settings.is_secure
    return Cookie(key=TOLD, value=value, path="/", httponly=True, samesite="lax", secure=secure, max_age=seconds)


def kept_query(fields: Fields, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the parameters in `names`, which stay in the address after a form."""
    return [(name, value) for name, value in fields.pairs if name in names]


def again(path: str, fields: Fields, names: tuple[str, ...], **changed: str) -> str:
    """Return the address of a page with its parameters, some of them changed; "" removes one."""
    kept = [(name, value) for name, value in kept_query(fields, names) if name not in changed]
    return with_query(path, [*kept, *changed.items()])


# --- problems ---------------------------------------------------------------------------------------------------------


def problem_page(request: AnyRequest, error: Exception) -> Response[str]:
    """Answer any exception with a page that shows the same problem as the JSON answer."""
    found = problem_for(error)
    add_field(request.scope, error=found.error)
    if found.error == "fault":
        trouble(error)
    if found.error in ("store", "commit-unknown"):
        log_event("ledger unavailable", what=getattr(error, "what", ""))
    headers: Mapping[str, str] = getattr(error, "headers", None) or {}
    return page("problem.html", found.status, dict(headers), problem=found)
