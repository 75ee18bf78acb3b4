"""Convert errors to RFC 9457 problems with the four parts of a refusal. Each exit code of `umpire` has its own status.

    2 wrong usage 400 · 3 refused by the rules 422 · 4 another client wrote first 412 · 5 broken log 500
    6 no such game, record or title 404 · 7 the store cannot be used 503 · 8 a title is at fault 501 · 9 not sent 502

Refusals of the service itself (no token, a page of another site, too large, too often) have no exit code.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from umpire_ledger.desk.core.errors import (
    BROKEN,
    CONFLICT,
    EXPECTED,
    REFUSED,
    STORE,
    TITLE,
    UNKNOWN,
    UNSENT,
    USAGE,
    NotAuthorized,
    problem_of,
)
from umpire_ledger.desk.core.failed_orders import Failure
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.ledger.records.errors import CommitUnknown, StoreUnavailable
from umpire_ledger.projections.record.escaping import inert_json
from umpire_ledger.service.request_log import add_field, log_event, trouble

STATUS: dict[int, HTTPStatus] = {
    USAGE: HTTPStatus.BAD_REQUEST,
    REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    CONFLICT: HTTPStatus.PRECONDITION_FAILED,
    BROKEN: HTTPStatus.INTERNAL_SERVER_ERROR,
    UNKNOWN: HTTPStatus.NOT_FOUND,
    STORE: HTTPStatus.SERVICE_UNAVAILABLE,
    TITLE: HTTPStatus.NOT_IMPLEMENTED,
    UNSENT: HTTPStatus.BAD_GATEWAY,
}
MEDIA_TYPE = "application/problem+json"
BACK_IN = 2
"""Seconds after which a caller may try again if the ledger or every thread was occupied."""
MOST_SAID = 2000
"""Maximum length of a part in characters, because it may quote a caller's text."""
TITLES = {
    "usage": "The request is malformed",
    "refused": "The rules refuse this order",
    "somebody-wrote-first": "The game has newer records",
    "position-ahead": "The game has fewer records",
    "not-of-this-game": "The ETag belongs to another game",
    "broken": "The log is damaged",
    "unknown": "Not found",
    "store": "The ledger is unavailable",
    "commit-unknown": "It is unknown whether the order was recorded",
    "title-fault": "The title has a fault",
    "not-let-in": "Sign-in required",
    "not-your-seat": "This is not your seat",
    "foreign-page": "The request comes from another site",
    "too-often": "Too many requests",
    "busy": "The service is busy",
    "too-large": "The request is too large",
    "too-slow": "The request took too long",
    "stopping": "The service is stopping",
    "method": "Method not allowed",
    "fault": "Internal error",
}


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem of RFC 9457, with `what` (also `detail`), `where`, `rule` and `remedy`.

    `code`: the exit code of `umpire`, if any. `refusal_code`: the stable name of the fault. `fields`: the values in its
    words, by name. `carried_out`: False for an order of which only the roll is recorded; `outcome`: its outcome.
    """

    type: str
    title: str
    status: int
    detail: str
    error: str
    what: str
    where: str = ""
    rule: str = ""
    remedy: str = ""
    code: int | None = None
    refusal_code: str = ""
    fields: Mapping[str, Any] = {}
    carried_out: bool | None = None
    outcome: Outcome | None = None


class RequestRefused(Exception):
    """The service itself refuses a request, before it calls the desk."""

    def __init__(
        self,
        status: int,
        error: str,
        what: str,
        *,
        where: str = "",
        rule: str = "",
        remedy: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(what)
        self.headers = headers or {}
        self.problem = _problem(status, error, what, where=where, rule=rule, remedy=remedy)


def too_often(wait: float, rule: str, what: str = "too many requests", where: str = "access") -> RequestRefused:
    """Return the refusal of a caller who has used up a limit, with the seconds to wait."""
    seconds = max(1, round(wait + 0.5))
    return RequestRefused(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too-often",
        what,
        where=where,
        rule=f"limits: {rule}",
        remedy=f"wait {seconds} s",
        headers={"Retry-After": str(seconds)},
    )


def _problem(
    status: int, error: str, what: str, *, where: str = "", rule: str = "", remedy: str = "", code: int | None = None
) -> ProblemDetails:
    what, where, remedy = (part[:MOST_SAID] for part in (what, where, remedy))
    return ProblemDetails(
        type=f"urn:umpire:{error}",
        title=TITLES.get(error, error),
        status=int(status),
        detail=what,
        error=error,
        what=what,
        where=where,
        rule=rule,
        remedy=remedy,
        code=code,
        refusal_code=error,
    )


def problem_for(error: Exception) -> ProblemDetails:
    """Return the public problem of any error; a bug of the service gets no details."""
    if isinstance(error, RequestRefused):
        return error.problem
    if isinstance(error, CommitUnknown):  # first, because it is also a StoreUnavailable
        return _commit_unknown(error)
    if isinstance(error, StoreUnavailable):  # its words may name files of the machine
        what, remedy = (
            "the ledger is unavailable",
            "try again; if it persists, the operator finds the cause in the service's log",
        )
        return _problem(STATUS[STORE], "store", what, where="the ledger", remedy=remedy, code=STORE)
    if isinstance(error, EXPECTED):
        said = problem_of(error)
        status = HTTPStatus.UNAUTHORIZED if isinstance(error, NotAuthorized) else STATUS[said.code]
        code = None if isinstance(error, NotAuthorized) else said.code
        found = _problem(status, said.error, said.what, where=said.where, rule=said.rule, remedy=said.remedy, code=code)
        return msgspec.structs.replace(found, refusal_code=said.refusal_code, fields=said.fields)
    if isinstance(error, HTTPException):
        return _of_framework(error)
    return _problem(
        500,
        "fault",
        "internal error",
        remedy="try again; if it persists, the operator finds the cause in the service's log",
    )


def _commit_unknown(error: CommitUnknown) -> ProblemDetails:
    ids = error.order_ids
    what = f"it is unknown whether {f'order {ids[0]}' if len(ids) == 1 else 'this'} was recorded"
    remedy = (
        "send it again with the same keys" if len(ids) > 1 else "check whether it is recorded before you send it again"
    )
    if len(ids) == 1:
        remedy = f"send the same order again with `Idempotency-Key: {ids[0]}`: it is not recorded twice"
    return _problem(STATUS[STORE], "commit-unknown", what, where="the ledger", remedy=remedy, code=STORE)


def problem_of_failed(outcome: Outcome) -> ProblemDetails:
    """Return the problem of an order that could not be carried out after its roll."""
    error = Failure(refused=outcome.refused, fault=outcome.fault).error(outcome.where)
    return msgspec.structs.replace(problem_for(error), carried_out=False, outcome=outcome)


def _of_framework(error: HTTPException) -> ProblemDetails:
    match error.status_code:
        case 400:
            faults = (
                [one for one in error.extra or () if isinstance(one, dict)] if isinstance(error.extra, list) else []
            )
            said = "; ".join(f"{one.get('key', '')}: {one.get('message', '')}".removeprefix(": ") for one in faults)
            what = said if isinstance(error, ValidationException) and said else "the request is malformed"
            return _problem(400, "usage", what, where="the request", remedy="see /schema", code=USAGE)
        case 404:
            return _problem(
                404, "unknown", "there is no such resource", remedy="/schema lists all resources", code=UNKNOWN
            )
        case 405:
            return _problem(
                405, "method", "this resource does not support the method", remedy="the header Allow lists its methods"
            )
        case 413:
            return _problem(413, "too-large", "the body is too large", remedy="send a smaller body")
        case status:
            return _problem(status, "usage", HTTPStatus(status).phrase, remedy="see /schema")


def answer_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer any exception with its problem, and log it if it needs the operator."""
    found = problem_for(error)
    add_field(request.scope, error=found.error)
    if found.error == "fault":
        trouble(error)
    headers = dict(error.headers or {}) if isinstance(error, RequestRefused | HTTPException) else {}
    if isinstance(error, StoreUnavailable):
        headers["Retry-After"] = str(BACK_IN)
        log_event("ledger unavailable", what=error.what, where=error.where, remedy=error.remedy)
    if found.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="umpire"'
    return Response(
        inert_json(msgspec.json.encode(found).decode("utf-8", "surrogatepass")).encode(),
        status_code=found.status,
        headers={**headers, "Cache-Control": "no-store"},
        media_type=MEDIA_TYPE,
    )
