"""List, open, copy and archive the games of the ledger, and invite people to seats."""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.games.games_list import GameEntry
from umpire_ledger.desk.games.invitations import EVERY_GAME, Admission, Form, Invitation, Invited
from umpire_ledger.desk.logs.archive import Archived
from umpire_ledger.desk.seat import Seat
from umpire_ledger.domain.game.events import DiceMode, Value
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.service.game_request import Acting, answer, no_key
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.service import Service, service_of
from umpire_ledger.service.view_routes import Name

AnyRequest = Request[Any, Any, Any]


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body to open a game: its id, its title and the text of its scenario (TOML)."""

    id: str
    title: str
    scenario: str
    dice: DiceMode | None = None
    options: dict[str, Value] = {}


class Forking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body to copy a game: the id of the copy, and its last position; by default the last one of the game."""

    id: str
    at: int | None = None


class Inviting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body to invite a person or program. `lasts`: a length of time, such as 36h; `who`: a name for the invited."""

    seat: str
    form: Form = "link"
    lasts: str = "30d"
    who: str = ""


class GameCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a game. If its referee needs an invitation, it is included, and shown only once."""

    game: str
    of: str
    at: int
    position: int
    where: str
    invited: Invited | None = None


class Person:
    """The caller of a request that is not about one game."""

    def __init__(self, request: AnyRequest) -> None:
        self.service: Service = service_of(request.app)
        self.desk: Desk = self.service.desk
        self.admission: Admission = self.service.doors.admit(request, None)

    def verify_operator(self, what: str) -> None:
        """Check that the caller is the referee of every game.

        Raises:
            RequestRefused: When the caller is not the operator.
        """
        if not self.admission.is_operator:
            remedy = "ask the operator: `umpire invite --every-game`"
            raise RequestRefused(403, "not-your-seat", what, where="the ledger", rule="seats", remedy=remedy)


@get("/games", sync_to_thread=True)
def games(
    request: AnyRequest,
    waiting: Name = "",
    title: Name = "",
    idle: Name = "",
    disputed: FromQuery[bool] = False,
    ended: FromQuery[bool | None] = None,
    archived: FromQuery[bool | None] = False,
    sort: Name = "entered",
    reverse: FromQuery[bool] = False,
) -> Response[list[GameEntry]]:
    """List the games in which the caller has a seat, each with its current step and the sides that must act."""
    person = Person(request)
    own = {one.game for one in person.admission.held}
    found = person.desk.games(
        among=None if EVERY_GAME in own else own,
        watched=person.admission.watched,
        waiting=waiting,
        title=title,
        idle=idle or None,
        ended=ended,
        disputed=disputed,
        archived=archived,
        sort=sort,
        reverse=reverse,
    )
    return answer(found)


@post("/games", sync_to_thread=True)
def open_game(request: AnyRequest, data: JSONBody[NewGame]) -> Response[Outcome]:
    """Open a game; for the operator only. Because of its id, a repeated request opens no second game."""
    if request.headers.get("idempotency-key"):
        raise no_key("the ledger")
    person = Person(request)
    person.verify_operator("only the operator can open games")
    verify_reachable(data.id)
    game = person.desk.new_from_text(data.title, data.scenario, id=data.id, dice=data.dice, options=data.options)
    return answer(game.opening, {"Location": f"/games/{quote(data.id, safe='')}/status"}, status=201)


def verify_reachable(id: str) -> None:
    """Check that the id of a game can be part of an address.

    Raises:
        WrongUse: When the id cannot be part of an address.
    """
    if "/" in id or id in (".", ".."):
        what, remedy = f"the id '{id}' cannot be part of a URL", "use an id without /, and not . or .."
        raise WrongUse(what, where="id", rule="addresses", remedy=remedy)


# --- one game ---------------------------------------------------------------------------------------------------------


@post("/fork", sync_to_thread=True, status_code=200)
def fork(act: Acting, data: JSONBody[Forking]) -> Response[GameCopy]:
    """Copy the game up to a position under another id; for the referee only, who also becomes the copy's referee.

    The id gets a random ending unless the caller is the operator, so that no other caller learns which ids are taken.
    """

    def do(seat: Seat) -> GameCopy:
        verify_reachable(data.id)
        id = data.id if act.is_operator else f"{data.id}-{secrets.token_hex(4)}"
        copy = seat.game.fork(id, at=data.at)
        upto = seat.game.size if data.at is None else seat.game.between_orders(data.at)
        invited = None
        if not act.is_operator:
            invited = seat.game.desk.invitations.invite(copy.id, REFEREE, form="link")
        return GameCopy(game=copy.id, of=seat.game.id, at=upto, position=copy.size, where=copy.where, invited=invited)

    return act.by_referee(do)


@post("/archive", sync_to_thread=True, status_code=200)
def archive(act: Acting) -> Response[Archived]:
    """Write the whole log next to the ledger, check it, and take the game out of the list; for the referee only."""

    def do(seat: Seat) -> Archived:
        if seat.game.archived:
            what, remedy = f"{seat.game.id} is already archived", "`unarchive` lists it again"
            raise WrongUse(what, where=seat.game.id, rule="archive", remedy=remedy)
        done = seat.game.archive()
        return msgspec.structs.replace(done, file=Path(done.file).name)

    return act.by_referee(do)


@post("/unarchive", sync_to_thread=True, status_code=200)
def unarchive(act: Acting) -> Response[dict[str, str]]:
    """Put the game back into the list; for the referee only."""

    def do(seat: Seat) -> dict[str, str]:
        seat.game.unarchive()
        return {"game": seat.game.id}

    return act.by_referee(do)


@get("/invitations", sync_to_thread=True)
def invitations(act: Acting) -> Response[list[Invitation]]:
    """List the invitations to seats of the game, without tokens; for the referee only."""
    return act.by_referee(lambda seat: seat.game.desk.invitations.listed(seat.game.id))


@post("/invitations", sync_to_thread=True, status_code=200)
def invite(act: Acting, data: JSONBody[Inviting]) -> Response[Invited]:
    """Make an invitation to a seat; for the referee only. Only this answer has the token."""
    lasts: timedelta = span(data.lasts)

    def do(seat: Seat) -> Invited:
        return seat.game.desk.invitations.invite(seat.game.id, data.seat, form=data.form, lasts=lasts, who=data.who)

    return act.by_referee(do)


@post("/invitations/{invitation:str}/revoke", sync_to_thread=True, status_code=200)
def revoke(act: Acting, invitation: FromPath[str]) -> Response[Invitation]:
    """End an invitation and all access through it at once; for the referee only."""
    return act.by_referee(lambda seat: seat.game.desk.invitations.revoke(invitation, seat.game.id))


GAMES = [games, open_game]
OF_ONE_GAME = [fork, archive, unarchive, invitations, invite, revoke]
