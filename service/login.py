"""Log in by a link, and log out: exchange the token of a link for the cookie of a session.

A link is `…/in#TOKEN`. A browser does not send the part after `#`, so no log on the way contains the token. The page at
`/in` removes the token from the address and sends it in the body of the one request that exchanges it.
"""

from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.params import Body, JSONBody

from umpire_ledger.desk.core.errors import EXPECTED, NotAuthorized
from umpire_ledger.desk.games.invitations import GrantedSeat, OpenedSession
from umpire_ledger.service.bodies import verify_body
from umpire_ledger.service.game_request import PRIVATE, answer
from umpire_ledger.service.pages.addresses import page_of
from umpire_ledger.service.pages.rendering import page
from umpire_ledger.service.request_log import add_field
from umpire_ledger.service.service import Service, service_of

AnyRequest = Request[Any, Any, Any]
MOST_BODY = 4096
"""Maximum size of a request with a token, in bytes."""
SCRIPT = """const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  const form = document.querySelector("form");
  form.elements.token.value = token;
  form.submit();
}
"""


class Entering(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request with the token of a link."""

    token: str


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of the session, and the time when it ends."""

    held: tuple[GrantedSeat, ...]
    expires_at: str


@get("/in", media_type="text/html", sync_to_thread=False)
def door() -> Response[str]:
    """Return the page that a link opens."""
    return page("enter.html")


@get("/in.js", media_type="text/javascript", sync_to_thread=False)
def door_script() -> Response[str]:
    """Return the script that removes the token from the address and sends it."""
    return Response(SCRIPT, media_type="text/javascript; charset=utf-8", headers={"Cache-Control": "max-age=3600"})


@post("/in", sync_to_thread=True, status_code=303, request_max_body_size=MOST_BODY)
def enter(
    request: AnyRequest, data: Annotated[Entering, Body(media_type=RequestEncodingType.URL_ENCODED)]
) -> Response[None]:
    """Exchange the token of a link, sent by a page, for a session; redirect to the page of its seat."""
    opened = _exchange(request, data.token)
    there = page_of(opened.seat.game, opened.seat.seat)
    answered: Response[None] = Response(None, status_code=HTTPStatus.SEE_OTHER, headers={"Location": there, **PRIVATE})
    answered.set_cookie(_session_cookie(service_of(request.app), opened))
    return answered


@post("/session", sync_to_thread=True, status_code=200, request_max_body_size=MOST_BODY, before_request=verify_body)
def exchange(request: AnyRequest, data: JSONBody[Entering]) -> Response[Entered]:
    """Exchange a token in JSON, sent by a script, for a session in a cookie; the answer has the seats."""
    opened = _exchange(request, data.token)
    answered = answer(Entered(held=opened.admission.held, expires_at=opened.expires_at))
    answered.set_cookie(_session_cookie(service_of(request.app), opened))
    return answered


@get("/session", sync_to_thread=True)
def session(request: AnyRequest) -> Response[tuple[GrantedSeat, ...]]:
    """List the seats of the caller."""
    return answer(service_of(request.app).doors.admit(request, None).held)


@post("/session/leave", sync_to_thread=True, status_code=200)
def leave(request: AnyRequest) -> Response[dict[str, str]]:
    """End the session of this browser."""
    service = service_of(request.app)
    service.doors.admit(request, None)
    name = service.settings.cookie
    service.desk.invitations.leave(request.cookies.get(name, ""))
    answered = answer({"left": "the session"})
    answered.set_cookie(_cookie(service, "", 0))
    return answered


def _exchange(request: AnyRequest, token: str) -> OpenedSession:
    service = service_of(request.app)
    service.doors.verify_own_page(request, needed=True)
    try:
        opened = service.desk.invitations.exchange(token.strip(), request.cookies.get(service.settings.cookie, ""))
    except NotAuthorized:
        service.doors.count_guess(request)
        raise
    seat = opened.seat
    add_field(request.scope, who=opened.admission.id, seat=seat.seat, game=seat.game, invitation=seat.invitation)
    if seat.game:
        # The link is used up, so a failure must not lose the session. The next request records the admission.
        with suppress(*EXPECTED):
            service.desk.invitations.record(seat, seat.game)
    return opened


def _session_cookie(service: Service, opened: OpenedSession) -> Cookie:
    left = datetime.fromisoformat(opened.expires_at) - datetime.now(UTC)
    return _cookie(service, opened.token, max(0, int(left.total_seconds())))


def _cookie(service: Service, token: str, seconds: int) -> Cookie:
    """Return the cookie of a session; 0 seconds deletes it. A browser deletes it only if its attributes are equal."""
    return Cookie(
        key=service.settings.cookie,
        value=token,
        path="/",
        httponly=True,
        samesite="lax",
        secure=service.settings.is_secure,
        max_age=seconds,
    )


DOORSTEP = [door, door_script, enter, exchange, session, leave]
