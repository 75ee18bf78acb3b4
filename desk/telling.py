"""Telling every seat what it should know, and nothing twice: looked up, noted, sent, and noted what came of it."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from umpire_ledger.desk import notice_marks as marks
from umpire_ledger.desk.errors import EXPECTED, NotSent, PerhapsSent, not_there
from umpire_ledger.desk.games_list import GameEntry
from umpire_ledger.desk.notice_marks import Mark, Try
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.ledger.application import utc_now
from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.projections.reports.notices import (
    Happened,
    Notice,
    Point,
    concerns,
    happenings,
    is_new,
    notice,
    turn_points,
)

if TYPE_CHECKING:
    from umpire_ledger.desk.desk import Desk


class Way(Protocol):
    """A way to tell people. `name`: what its marks are kept under, nothing secret in it."""

    @property
    def name(self) -> str: ...

    def reaches(self, notice: Notice) -> bool:
        """Whether this seat can be told this way; else it is left for later, and its line says so."""

    def tell(self, notice: Notice) -> None:
        """Tell it. Raises NotSent where it certainly did not arrive, PerhapsSent where nobody can know."""

    def close(self) -> None:
        """Nothing more will be told."""


Came = Literal["told", "not sent", "perhaps sent", "no address"]


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """A notice and what came of it."""

    notice: Notice
    came: Came
    trouble: str = ""
    remedy: str = ""


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A notice of which nobody knows whether it arrived. `stretches`: the records that it was about."""

    game: str
    seat: str
    at: str
    stretches: tuple[tuple[int, int], ...]


class _Ready(msgspec.Struct, frozen=True):
    """A notice that is worth sending, with the mark that it was made from."""

    notice: Notice
    mark: Mark
    again: tuple[Try, ...]
    size: int


class Notices:
    """The notices of one ledger by one way: told one by one as this is iterated, and noted, each at most once.

    `games`, `seats`: those alone, of the games `among` these (None: all). `again`: those too of which nobody knows
    whether they arrived; without it they stand in `doubts` afterwards.
    """

    def __init__(
        self,
        desk: "Desk",
        way: str,
        *,
        games: Sequence[str] = (),
        seats: Sequence[str] = (),
        again: bool = False,
        by: Way | None = None,
        among: Collection[str] | None = None,
    ) -> None:
        self._desk = desk
        self._way = way
        self._by = by
        self._again = again
        self._games = games
        self._seats = seats
        self._among = among
        self.troubled: dict[str, str] = {}
        """Games that could not be looked at, and why; none of them holds up another."""
        self.doubts: list[Doubt] = []
        self.stopped = False
        """Whether the way itself failed, so that nothing more was tried."""

    def look(self) -> Iterator[Notice]:
        """What each seat should be told now; nothing is noted."""
        return (ready.notice for ready in self._ready(noting=False))

    def __iter__(self) -> Iterator[Telling]:
        """Tell it, notice by notice; it stops where the way does, which is closed at the end."""
        way = self._by
        if way is None:
            raise TypeError("notices are told by a way: `desk.tell(way)`")
        try:
            for ready in self._ready(noting=True):
                if not way.reaches(ready.notice):
                    yield Telling(notice=ready.notice, came="no address")
                    continue
                stops, told = self._told(way, ready)
                if told is not None:
                    yield told
                if stops:
                    self.stopped = True
                    return
        finally:
            way.close()

    def _told(self, way: Way, ready: _Ready) -> tuple[bool, Telling | None]:
        """Whether the way stops here, and what came of it; nothing where another process was faster."""
        one, name = ready.notice, marks.key(self._way, ready.notice.seat)
        ledger = self._desk.ledger
        with ledger.notes() as notes:
            begun = marks.begin(notes, one.game, name, ready.mark, ready.size, ready.again, utc_now())
        if begun is None:
            return False, None
        try:
            way.tell(one)
        except NotSent as error:
            with ledger.notes() as notes:
                marks.failed(notes, one.game, name, begun)
            return error.stops, Telling(notice=one, came="not sent", trouble=error.what, remedy=error.remedy)
        except PerhapsSent as error:
            with ledger.notes() as notes:
                marks.doubted(notes, one.game, name, begun)
            return True, Telling(notice=one, came="perhaps sent", trouble=error.what, remedy=error.remedy)
        with ledger.notes() as notes:
            marks.arrived(notes, one.game, name, begun)
        return False, Telling(notice=one, came="told")

    # --- what there is to tell ----------------------------------------------------------------------------------------

    def _ready(self, *, noting: bool) -> Iterator[_Ready]:
        entries = self._desk.games(among=self._among)
        self._verify_names(entries)
        now = utc_now()
        for entry in entries:
            if self._games and entry.game not in self._games:
                continue
            try:
                found = self._of_game(entry, now, noting=noting)
            except StoreUnavailable:
                raise
            except Exception as error:  # whatever it is, the next game is looked at
                self.troubled[entry.game] = str(error) if isinstance(error, EXPECTED) else repr(error)
                continue
            yield from found

    def _verify_names(self, entries: Sequence[GameEntry]) -> None:
        seats = {seat for entry in entries for seat in recipients(entry)}
        for kind, asked, known in (
            ("game", self._games, [entry.game for entry in entries]),
            ("seat that is told anything", self._seats, sorted(seats)),
        ):
            for name in asked:
                if name not in known:
                    raise not_there(kind, name, known, "the games of this ledger")

    def _of_game(self, entry: GameEntry, now: datetime, *, noting: bool) -> list[_Ready]:
        ledger, game = self._desk.ledger, entry.game
        kept = marks.read(ledger.noted(marks.TOLD, game))
        size = entry.records  # not more than the entry knows of: what comes meanwhile is told next time
        asked = {
            seat: kept.get(marks.key(self._way, seat), Mark())
            for seat in recipients(entry)
            if seat in self._seats or not self._seats
        }
        self._note_doubts(game, asked, now)
        behind = {seat: mark.new(size, mark.in_doubt(now) if self._again else ()) for seat, mark in asked.items()}
        after = min((first for stretches in behind.values() for first, _ in stretches), default=size)
        if after >= size:
            return []
        told = happenings(ledger, game, after, size, entry.disputes)
        found: list[_Ready] = []
        for seat, mark in asked.items():
            points = [one for one in self._points(entry, seat, told) if is_new(one, behind[seat])]
            if points:
                one = notice(game, entry.display_name or game, seat, entry.where, size, points)
                again = mark.in_doubt(now) if self._again else ()
                found.append(_Ready(one, mark, again, size))
            elif noting and (mark.unsent or size - mark.told > marks.FAR):
                with ledger.notes() as notes:
                    marks.skip(notes, game, marks.key(self._way, seat), mark, size)
        return found

    def _points(self, entry: GameEntry, seat: str, told: Sequence[Happened]) -> Iterator[Point]:
        side = entry.seats.get(seat, "")
        if side in entry.waiting:
            yield from turn_points(entry.waits, side, self._desk.game(entry.game)._public_status())
        yield from (one.point for one in told if concerns(one, seat, side))

    def _note_doubts(self, game: str, asked: dict[str, Mark], now: datetime) -> None:
        if not self._again:
            self.doubts += [
                Doubt(game=game, seat=seat, at=one.at, stretches=one.stretches)
                for seat, mark in asked.items()
                for one in mark.in_doubt(now)
            ]


def recipients(entry: GameEntry) -> list[str]:
    """Who is told: the seats that were taken for a side, the side's own name where none was, and the referee."""
    sides = [seat for seat, side in entry.seats.items() if seat == side]
    taken = {seat: side for seat, side in entry.seats.items() if side and seat != side}
    return [*(side for side in sides if side not in taken.values()), *taken, REFEREE]
