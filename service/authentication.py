"""Authenticate requests: a browser by its session cookie, a program by its bearer token, a form by its own page."""

import time
from http import HTTPStatus
from typing import Any

from litestar import Request

from umpire_ledger.desk.core.errors import NotAuthorized
from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.games.invitations import Admission
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.service.limits import Allowance, UnderWay
from umpire_ledger.service.pools import Share
from umpire_ledger.service.problems import RequestRefused, too_often
from umpire_ledger.service.request_log import add_field
from umpire_ledger.service.settings import ServiceSettings

AnyRequest = Request[Any, Any, Any]
SAFE = ("GET", "HEAD", "OPTIONS")
STALE = 1.0
"""Seconds for which an admission is valid within one request. After that it is checked again, as a body may be slow."""
_ADMITTED, _UNDER_WAY = "umpire_admitted", "umpire_under_way"
NOT_YET = (None, "")


class Authenticator:
    """A check of every request. A revoked token or session is refused from the next request on."""

    def __init__(self, desk: Desk, settings: ServiceSettings) -> None:
        self._desk = desk
        self._settings = settings
        self._allowance = Allowance(settings.rate, settings.burst)
        self._visits = Allowance(settings.rate, settings.burst)
        self._guesses = Allowance(settings.guesses, max(10.0, 50 * settings.guesses))
        self._looks, self._acts = UnderWay(settings.looks_at_once), UnderWay(settings.acts_at_once)

    # --- callers ------------------------------------------------------------------------------------------------------

    def admit(self, request: AnyRequest, game_id: str | None) -> Admission:
        """Return the admission of a request, with its seats in a game (None: in all).

        A request counts once against the rate. Later calls for the same request only check the admission again if it is
        older than `STALE`.

        Raises:
            NotAuthorized: When the token or session is not valid.
            RequestRefused: When the caller sends too many requests.
        """
        scope: Any = request.scope
        if _ADMITTED in scope:
            at, before = scope[_ADMITTED]
            return self.known(request, game_id) if time.monotonic() - at > STALE else before
        admission = self._come_in(request, game_id)
        scope[_ADMITTED] = time.monotonic(), admission
        return admission

    def _come_in(self, request: AnyRequest, game_id: str | None) -> Admission:
        if request.method not in SAFE:
            self.verify_own_page(request, needed=not _bearer(request) and bool(self._session(request)))
        admission = self.known(request, game_id)
        add_field(request.scope, who=admission.id)
        if wait := self._allowance.take(admission.id):
            raise too_often(wait, f"{self._settings.rate:g} requests per second from one seat")
        under_way, scope = self._looks if request.method in SAFE else self._acts, request.scope
        if scope.get(_UNDER_WAY) == NOT_YET:
            if not under_way.enter(admission.id):
                raise too_often(0.0, f"{under_way.most} concurrent requests per seat")
            scope[_UNDER_WAY] = under_way, admission.id  # type: ignore[literal-required]
        return admission

    def share_of(self, scope: Any) -> Share:
        """Return the share of the threads that a request uses, before its caller is admitted.

        A request to a game uses the shares of the game and of the caller; any other request, only the caller's.
        """
        request: AnyRequest = Request(scope)
        address = request.client.host if request.client else ""
        caller = f"by {_bearer(request) or self._session(request) or address}"
        _, _, rest = scope["path"].lstrip("/").partition("/")
        game = rest.partition("/")[0]
        return Share(f"of {game}" if game else caller, caller)

    def begin(self, scope: Any) -> None:
        """Mark the start of a request, which counts as under way until `release`."""
        scope[_UNDER_WAY] = NOT_YET

    def release(self, scope: Any) -> None:
        """Mark the end of a request, or its change to a stream; it no longer counts as under way."""
        under_way, who = scope.pop(_UNDER_WAY, NOT_YET)
        if under_way is not None:
            under_way.leave(who)

    def known(self, request: AnyRequest, game_id: str | None) -> Admission:
        """Return the admission of a request without counting it.

        Raises:
            NotAuthorized: When the token or session is not valid.
            RequestRefused: When the address of the caller has sent too many wrong tokens.
        """
        invitations, bearer = self._desk.invitations, _bearer(request)
        session = self._session(request)
        if not bearer and not session:
            remedy = "open the link from the referee; a program sends a bearer token"
            what = "the request has no token or session"
            raise NotAuthorized(what, where="access", rule="invitations", remedy=remedy)
        try:
            return invitations.by_program(bearer) if bearer else invitations.by_session(session, game_id)
        except NotAuthorized:
            self.count_guess(request)
            raise

    def _session(self, request: AnyRequest) -> str:
        return request.cookies.get(self._settings.cookie, "")

    def throttle_public(self, request: AnyRequest) -> None:
        """Limit the requests for public pages by address.

        Raises:
            RequestRefused: When the address sends too many requests.
        """
        if wait := self._visits.take(request.client.host if request.client else ""):
            raise too_often(wait, f"{self._settings.rate:g} requests per second from one address")

    def count_guess(self, request: AnyRequest) -> None:
        """Count a request with a wrong token.

        Raises:
            RequestRefused: When its address has sent too many of them.
        """
        if wait := self._guesses.take(request.client.host if request.client else ""):
            raise too_often(wait, "invalid tokens")

    # --- origins ------------------------------------------------------------------------------------------------------

    def verify_own_page(self, request: AnyRequest, *, needed: bool) -> None:
        """Check that a request comes from a page of this service.

        Args:
            needed: Also refuse a request without a header that shows its origin.

        Raises:
            RequestRefused: When another site's page sent it.
        """
        origin = request.headers.get("origin")
        site = request.headers.get("sec-fetch-site")
        if origin is not None:
            own = self._is_own(origin.lower(), request.headers.get("host", "").lower())
        elif site is not None:
            own = site in ("same-origin", "none")
        else:
            own = not needed
        if not own:
            raise RequestRefused(
                HTTPStatus.FORBIDDEN,
                "foreign-page",
                "this request comes from a page of another site",
                where="access",
                rule="same origin",
                remedy="send it from a page of this service; a program sends a bearer token and no cookie",
            )

    def _is_own(self, origin: str, host: str) -> bool:
        if self._settings.origin:
            return origin == self._settings.origin
        return bool(host) and origin == f"http://{host}"

    # --- seats --------------------------------------------------------------------------------------------------------

    def seat_of(self, admission: Admission, game_id: str, asked: str) -> str:
        """Return the seat of a request: the seat that it names, or the only seat of the caller.

        A caller without a seat in a game gets the same answer whether or not the game exists.

        Raises:
            RequestRefused: When the caller does not have that seat, or has several seats and names none.
        """
        seats = admission.seats(game_id)
        if not seats:
            raise _not_yours(f"you have no seat in {game_id}", "ask its referee for a link")
        if asked in seats or (asked and REFEREE in seats):
            return asked
        if asked:
            raise _not_yours(f"{asked} in {game_id} is not your seat", f"you have: {', '.join(seats)}")
        if len(seats) > 1 and REFEREE not in seats:
            raise _not_yours(f"you have several seats in {game_id}", f"choose one, for example ?as={seats[0]}")
        return REFEREE if REFEREE in seats else seats[0]


def _bearer(request: AnyRequest) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _not_yours(what: str, remedy: str) -> RequestRefused:
    return RequestRefused(HTTPStatus.FORBIDDEN, "not-your-seat", what, where="access", rule="seats", remedy=remedy)
