"""The games of the ledger: listed, opened, copied, put away; and who is invited to a seat."""

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
    """Of a new game: its id, its title, the text of its scenario (TOML)."""

    id: str
    title: str
    scenario: str
    dice: DiceMode | None = None
    options: dict[str, Value] = {}


class Forking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of a copy: its id, and up to which position; the last one if left out."""

    id: str
    at: int | None = None


class Inviting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of an invitation. `lasts`: for instance 36h or 4w; `who`: for whom, in the referee's words."""

    seat: str
    form: Form = "link"
    lasts: str = "30d"
    who: str = ""


class GameCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a game, and the way in for its referee where one is needed: it is shown once."""

    game: str
    of: str
    at: int
    position: int
    where: str
    invited: Invited | None = None


class Person:
    """A caller outside of any particular game."""

    def __init__(self, request: AnyRequest) -> None:
        self.service: Service = service_of(request.app)
        self.desk: Desk = self.service.desk
        self.admission: Admission = self.service.doors.admit(request, None)

    def verify_operator(self, what: str) -> None:
        """Check that the caller is the referee of every game.

        Raises:
            RequestRefused: When it is not.
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
    """List the games in which you have a seat: where they stand, who is waited for and since when."""
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
    """Open a game; for whoever keeps the ledger. Its id makes it one game, however often it is sent."""
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
        WrongUse: When it cannot.
    """
    if "/" in id or id in (".", ".."):
        what, remedy = f"the id '{id}' cannot be part of a URL", "use an id without /, and not . or .."
        raise WrongUse(what, where="id", rule="addresses", remedy=remedy)


# --- of one game ------------------------------------------------------------------------------------------------------


@post("/fork", sync_to_thread=True, status_code=200)
def fork(act: Acting, data: JSONBody[Forking]) -> Response[GameCopy]:
    """Copy the game up to a position under another id; the referee's. Whoever does it is the referee of the copy.

    The id gets an ending of its own, unless whoever keeps the ledger asks: which ids are taken is nobody else's affair.
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
    """Write the whole log beside the ledger, check it, and take the game out of the list; the referee's."""

    def do(seat: Seat) -> Archived:
        if seat.game.archived:
            what, remedy = f"{seat.game.id} is already archived", "`unarchive` lists it again"
            raise WrongUse(what, where=seat.game.id, rule="archive", remedy=remedy)
        done = seat.game.archive()
        return msgspec.structs.replace(done, file=Path(done.file).name)

    return act.by_referee(do)


@post("/unarchive", sync_to_thread=True, status_code=200)
def unarchive(act: Acting) -> Response[dict[str, str]]:
    """Put the game back into the list; the referee's."""

    def do(seat: Seat) -> dict[str, str]:
        seat.game.unarchive()
        return {"game": seat.game.id}

    return act.by_referee(do)


@get("/invitations", sync_to_thread=True)
def invitations(act: Acting) -> Response[list[Invitation]]:
    """The invitations to seats of the game; the referee's. No token is among them."""
    return act.by_referee(lambda seat: seat.game.desk.invitations.listed(seat.game.id))


@post("/invitations", sync_to_thread=True, status_code=200)
def invite(act: Acting, data: JSONBody[Inviting]) -> Response[Invited]:
    """Invite somebody to a seat; the referee's. The token is in this answer, and nowhere else."""
    lasts: timedelta = span(data.lasts)

    def do(seat: Seat) -> Invited:
        return seat.game.desk.invitations.invite(seat.game.id, data.seat, form=data.form, lasts=lasts, who=data.who)

    return act.by_referee(do)


@post("/invitations/{invitation:str}/revoke", sync_to_thread=True, status_code=200)
def revoke(act: Acting, invitation: FromPath[str]) -> Response[Invitation]:
    """End an invitation and what it let in, at once; the referee's."""
    return act.by_referee(lambda seat: seat.game.desk.invitations.revoke(invitation, seat.game.id))


GAMES = [games, open_game]
OF_ONE_GAME = [fork, archive, unarchive, invitations, invite, revoke]
