"""List the visitor's games at `/`, starting with those that wait for the visitor."""

from collections.abc import Iterator, Mapping
from contextlib import suppress

import msgspec
from litestar import Response, get

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.games.games_list import GameEntry
from umpire_ledger.desk.games.invitations import EVERY_GAME, Admission
from umpire_ledger.desk.games.read_marks import last_look
from umpire_ledger.desk.orders.titles import titles
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.service.authentication import AnyRequest
from umpire_ledger.service.pages.rendering import page
from umpire_ledger.service.service import service_of

WAITED_FOR, GOES_ON, OVER = "Waiting for you", "In progress", "Ended"


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of the visitor in a game. `waits`: its side must act; `new`: number of records since it last looked."""

    seat: str
    name: str
    waits: bool
    new: int


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the lobby, with the visitor's seats and the names of the sides that must act."""

    entry: GameEntry
    title_name: str
    seats: tuple[SeatLine, ...]
    waiting: tuple[str, ...]
    mine: bool


@get("/", sync_to_thread=True, include_in_schema=False, media_type="text/html")
def lobby(request: AnyRequest) -> Response[str]:
    """Show the visitor's games, first the games that wait for the visitor."""
    service = service_of(request.app)
    admission = service.doors.admit(request, None)
    lines = sorted(_lines(service.desk, admission), key=lambda one: (not one.mine, _waited_since(one)))
    groups: dict[str, list[GameLine]] = {WAITED_FOR: [], GOES_ON: [], OVER: []}
    for one in lines:
        groups[OVER if one.entry.ended else WAITED_FOR if one.mine else GOES_ON].append(one)
    return page(
        "lobby.html", groups={name: found for name, found in groups.items() if found}, keeps=admission.is_operator
    )


def _waited_since(line: GameLine) -> tuple[bool, str]:
    """Return a sort key: the longest wait first, games that wait for no seat last."""
    return not line.entry.since, line.entry.since


def _lines(desk: Desk, admission: Admission) -> Iterator[GameLine]:
    own = {one.game for one in admission.held}
    names = {one.id: one.name for one in titles()}
    for entry in desk.games(among=None if EVERY_GAME in own else own, watched=admission.watched):
        sides = _names_of_sides(desk, entry)
        seats = tuple(_seat_line(desk, entry, seat, sides) for seat in admission.seats(entry.game))
        yield GameLine(
            entry=entry,
            title_name=names.get(entry.title, entry.title),
            seats=seats,
            waiting=tuple(sides.get(side, side) for side in entry.waiting),
            mine=any(one.waits for one in seats),
        )


def _names_of_sides(desk: Desk, entry: GameEntry) -> dict[str, str]:
    """Return the display name of each side; {} for a game that cannot be read."""
    with suppress(*EXPECTED):  # a faulty game does not break the list
        return {one.id: one.name or one.id for one in desk.ledger.state(entry.game, 1).sides}
    return {}


def _seat_line(desk: Desk, entry: GameEntry, seat: str, sides: Mapping[str, str]) -> SeatLine:
    looked = last_look(desk, entry.game, seat)
    side = entry.seats.get(seat, "")
    waits = bool(side) and side in entry.waiting
    return SeatLine(
        seat=seat,
        name=_seat_name(seat, side, sides),
        waits=waits or (seat == REFEREE and bool(entry.disputes)),
        new=entry.records - looked,
    )


def _seat_name(seat: str, side: str, sides: Mapping[str, str]) -> str:
    """Return the name of a side's own seat or of a role; for a claimed seat, its id and the side's name."""
    if seat in (side, REFEREE, SPECTATOR):
        return sides.get(seat, seat.capitalize())
    return f"{seat} ({sides.get(side, side)})" if side else seat


LOBBY = [lobby]
