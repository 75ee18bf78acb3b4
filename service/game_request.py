"""Handle one request to a game: a read, answered from the log with an ETag, or a write, with its order id.

The ETag of a read begins with the position that it shows. `If-Match` of a write accepts that ETag or the bare position.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from http import HTTPStatus
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlencode

from litestar import Response
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter, SkipValidation

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.game import PlayedGame
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_orders import SendOptions
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.ledger.records.errors import PositionConflict
from umpire_ledger.service.authentication import AnyRequest
from umpire_ledger.service.encoding import encoded
from umpire_ledger.service.problems import MEDIA_TYPE, RequestRefused, problem_of_failed
from umpire_ledger.service.request_log import add_field
from umpire_ledger.service.service import Service, service_of

T = TypeVar("T")
JSON = "application/json"
TRIES = 8
"""Maximum number of attempts to decide an order while others write, if the order names no position that was seen."""
_seen = re.compile(r'"?#?([0-9]{1,16})(?:-([0-9a-f]{1,64}))?"?', re.ASCII).fullmatch

As = Annotated[str, QueryParameter(name="as", description="Your seat, if you have several.", max_length=200)]
At = Annotated[int | None, QueryParameter(ge=0, le=2**53, description="The game at this position.")]
Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=80,
        description="The order id: an order sent again with the same key is recorded once and gets the same answer.",
    ),
]
Match = Annotated[
    str,
    HeaderParameter(
        name="If-Match",
        max_length=80,
        description="The newest position that you saw. The answer is 412 if the game has grown (with the newer "
        "records) or has no such position.",
    ),
]
NoneMatch = Annotated[
    str, HeaderParameter(name="If-None-Match", max_length=500, description="ETag of a cached answer.")
]


class GameRequest:
    """A seat's request to a game. It calls the desk in a worker thread, never in the loop that routes requests."""

    writes = False

    def __init__(self, request: AnyRequest, game: FromPath[str], asked: str) -> None:
        self.request = request
        self.game_id = game
        self.asked = asked
        self.service: Service = service_of(request.app)
        self.who = ""
        self.is_operator = False

    def seat(self) -> Seat:
        """Return the seat of the request, after recording the admission of a referee; the operator's at a write only.

        Raises:
            NotAuthorized: When the token or session is not valid.
            RequestRefused: When the caller does not have the seat.
            NoSuchGame: When there is no such game.
        """
        doors, desk = self.service.doors, self.service.desk
        admission = doors.admit(self.request, self.game_id)
        name = doors.seat_of(admission, self.game_id, self.asked)
        self.who, self.is_operator = admission.id, admission.is_operator
        add_field(self.request.scope, seat=name, game=self.game_id)
        game = desk.game(self.game_id)
        for held in admission.held:
            if held.game or self.writes:  # a read by the operator changes no game
                desk.invitations.record(held, self.game_id)
        return self._as(game, name, admission.seats(self.game_id))

    def still_admitted(self) -> None:
        """Check that the caller still has the seat.

        Raises:
            NotAuthorized: When the token or session was revoked.
            RequestRefused: When the caller no longer has the seat.
        """
        doors = self.service.doors
        doors.seat_of(doors.known(self.request, self.game_id), self.game_id, self.asked)

    def _as(self, game: PlayedGame, name: str, held: tuple[str, ...]) -> Seat:
        return game.seat(name) if name in held else game.referee.looking_as(name)


class ReadRequest(GameRequest):
    """A read. Call it with a function of the seat, which it calls unless nothing has changed; then it answers 304."""

    def __init__(self, request: AnyRequest, game: FromPath[str], as_: As = "", if_none_match: NoneMatch = "") -> None:
        super().__init__(request, game, as_)
        self._known = if_none_match

    def __call__(
        self, ask: Callable[[Seat], T], *, media: str = JSON, headers: Mapping[str, str] | None = None
    ) -> Response[T]:
        """Answer a read whose result changes only with a new record or a new display name of the game."""
        seat = self.seat()
        tag = tag_of(seat)
        if self._is_known(tag):
            return self._unchanged(tag)
        return answer(ask(seat), {"ETag": tag, **(headers or {})}, media)

    def fresh(
        self, ask: Callable[[Seat], T], *, media: str = JSON, headers: Mapping[str, str] | None = None
    ) -> Response[T]:
        """Answer a read whose result does not follow the records, so that its ETag is a hash of the answer."""
        found = encoded(ask(self.seat()))
        tag = f'"{hashlib.sha256(found).hexdigest()[:32]}"'
        return self._unchanged(tag) if self._is_known(tag) else answer(found, {"ETag": tag, **(headers or {})}, media)

    def page_after(self, position: int) -> str:
        """Return the address of the next page of this read."""
        asked = [(name, value) for name, value in self.request.query_params.multi_items() if name != "after"]
        return f"{quote(self.request.scope['path'])}?{urlencode([*asked, ('after', position)])}"

    def _is_known(self, tag: str) -> bool:
        return is_known(tag, self._known)

    def _unchanged(self, tag: str) -> Response[Any]:
        return Response(b"", status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag, **PRIVATE})


class WriteRequest(GameRequest):
    """A write. Call it with a function of the seat, which it calls once for each key; it answers with the position."""

    writes = True

    def __init__(
        self, request: AnyRequest, game: FromPath[str], as_: As = "", idempotency_key: Key = "", if_match: Match = ""
    ) -> None:
        super().__init__(request, game, as_)
        self.key = idempotency_key
        self.seen, self._mark = position_and_mark(if_match)

    def seat(self) -> Seat:
        """Return the seat that writes.

        Raises:
            NotAuthorized: When the token or session is not valid.
            RequestRefused: When the caller does not have the seat, or If-Match has an ETag of another game.
            NoSuchGame: When there is no such game.
        """
        seat = super().seat()
        is_answered = bool(self.key and self._mark) and seat.answered(self.key) is not None
        if (
            self._mark
            and not is_answered
            and self._mark not in (mark_of(seat.game, one) for one in (seat.name, *seat.game.seats))
        ):
            raise RequestRefused(
                HTTPStatus.PRECONDITION_FAILED,
                "not-of-this-game",
                "the ETag in If-Match belongs to another game, or to an older version of the service",
                where=self.game_id,
                rule="If-Match",
                remedy="the game was renamed or the service updated: read the game again and send its new ETag",
            )
        return seat

    def _as(self, game: PlayedGame, name: str, held: tuple[str, ...]) -> Seat:
        if name not in held:
            raise RequestRefused(
                HTTPStatus.FORBIDDEN,
                "not-your-seat",
                f"{name} is not your seat",
                where=self.game_id,
                rule="seats",
                remedy='the referee enters orders of others with "as" in the order',
            )
        return game.seat(name)

    @property
    def sending(self) -> SendOptions:
        """The order id and the position that was seen, as arguments of the desk."""
        return {"id": self.key, "seen": self.seen} if self.seen is not None else {"id": self.key}

    def __call__(self, do: Callable[[Seat, SendOptions], T], *, anew: bool = True) -> Response[T]:
        """Carry out the write, and answer with the outcome and the position after it."""
        seat = self.seat()
        done = self.does(seat, do, anew=anew)
        outcome = _outcome_of(done)
        position = getattr(outcome, "position", None)
        headers = UNKEPT if position is None else {"ETag": tag_of(seat, position)}
        if isinstance(outcome, Outcome) and not outcome.carried_out:
            problem = problem_of_failed(outcome)
            return answer(problem, headers, MEDIA_TYPE, problem.status)
        return answer(done, headers)

    def does(self, seat: Seat, do: Callable[[Seat, SendOptions], T], *, anew: bool = True) -> T:
        """Carry out the write. If it names no position that was seen and others wrote first, decide it again.

        Args:
            anew: False to raise the conflict instead of deciding again.
        """
        with self._growing(seat):
            for left in range(TRIES, 0, -1):
                try:
                    done = do(seat, self.sending)
                    break
                except PositionConflict:
                    if self.seen is not None or left == 1 or not anew:
                        raise
        self._count(_outcome_of(done))
        return done

    def _growing(self, seat: Seat) -> AbstractContextManager[None]:
        """Charge the seat for the bytes that are recorded in the context.

        Raises:
            RequestRefused: When the seat has used up its allowance.
        """
        return self.service.growth.limited(self.game_id, seat.name)

    def without_record(self, ask: Callable[[Seat], T]) -> Response[T]:
        """Answer a question before a write, and record nothing. A key is ignored, as there is nothing to repeat."""
        seat = self.seat()
        if self.seen is not None:
            seat.game.verify_nothing_came(self.seen, seat.name)
        return answer(ask(seat), UNKEPT)

    def beside(self, do: Callable[[Seat], T]) -> Response[T]:
        """Do something other than an order. `If-Match` is checked, but the answer is not stored, so no key is allowed.

        Raises:
            RequestRefused: When the request has a key, or the seat has used up its allowance.
        """
        if self.key:
            raise no_key(self.game_id)

        def charged(seat: Seat) -> T:
            with self._growing(seat):
                return do(seat)

        return self.without_record(charged)

    def by_referee(self, do: Callable[[Seat], T]) -> Response[T]:
        """Do something other than an order, for the referee only.

        Raises:
            RequestRefused: When the seat is not the referee's, the request has a key, or the allowance is used up.
        """

        def refereed(seat: Seat) -> T:
            if seat.name == REFEREE:
                return do(seat)
            what, remedy = f"only the referee can do this; your seat is {seat.name}", "ask the referee"
            raise RequestRefused(
                HTTPStatus.FORBIDDEN, "not-your-seat", what, where=self.game_id, rule="seats", remedy=remedy
            )

        return self.beside(refereed)

    def _count(self, outcome: object) -> None:
        if isinstance(outcome, Outcome):
            add_field(self.request.scope, command=outcome.command, position=outcome.position, repeated=outcome.repeated)
            self.service.counts.orders("repeated" if outcome.repeated else "recorded")


def _outcome_of(done: Any) -> Any:
    return done[0] if isinstance(done, tuple) else getattr(done, "outcome", done)


Looking = NamedDependency[SkipValidation[ReadRequest]]
Acting = NamedDependency[SkipValidation[WriteRequest]]
PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Cookie, Authorization"}
UNKEPT = {"Cache-Control": "no-store"}
"""Headers of an answer without a position, which must not be stored."""


def tag_of(seat: Seat, position: int | None = None) -> str:
    """Return the ETag of a seat's reads of its game at a position, by default the last one."""
    at = seat.game.size if position is None else position
    return f'"{at}-{mark_of(seat.game, seat.name)}"'


def mark_of(game: PlayedGame, seat: str) -> str:
    """Return the part of an ETag that names the game and the seat."""
    who = f"{EDITION}\0{game.id}\0{seat}\0{game.display_name}"
    return hashlib.sha256(who.encode()).hexdigest()[:12]


def is_known(tag: str, if_none_match: str) -> bool:
    """Return whether an If-None-Match names an ETag."""
    known = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return tag in known or known == ["*"]


def no_key(where: str) -> RequestRefused:
    """Return the refusal of a key for a request whose answer is not stored."""
    return RequestRefused(
        HTTPStatus.BAD_REQUEST,
        "usage",
        "this request is not an order, so it cannot have an Idempotency-Key",
        where=where,
        rule="Idempotency-Key",
        remedy="send it without the header; if an answer was lost, first check whether the request took effect",
    )


def position_seen(if_match: str) -> int | None:
    """Return the position of an If-Match; None if it sets no condition.

    Raises:
        RequestRefused: When it is neither one position nor the strong ETag of a read.
    """
    return position_and_mark(if_match)[0]


def position_and_mark(if_match: str) -> tuple[int | None, str]:
    """Return the position of an If-Match and the rest of its ETag; (None, "") if it sets no condition.

    Raises:
        RequestRefused: When it is neither one position nor the strong ETag of a read.
    """
    if if_match.strip() in ("", "*"):
        return None, ""
    found = _seen(if_match.strip())
    if found is None:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST,
            "usage",
            _not_a_position(if_match),
            where="the request",
            rule="If-Match",
            remedy='send the position that you saw, for example If-Match: "612", or the ETag of an answer',
        )
    return int(found[1]), found[2] or ""


def _not_a_position(if_match: str) -> str:
    if "," in if_match:
        return "If-Match has several ETags; expected one"
    if if_match.strip().startswith("W/"):
        return "If-Match has a weak ETag, which never matches"
    return "If-Match has no position"


def answer(value: Any, headers: Mapping[str, str] | None = None, media: str = JSON, status: int = 200) -> Response[Any]:
    """Return an answer for one seat. Encode it in this thread, not in the loop that all requests share."""
    raw = encoded(value) if media in (JSON, MEDIA_TYPE) or not isinstance(value, str) else value.encode()
    return Response(raw, status_code=status, media_type=media, headers={**PRIVATE, **(headers or {})})
