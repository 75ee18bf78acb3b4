"""Send each seat its notices, no notice twice: find the notices, store an attempt, send it, store the result."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal, Protocol

import msgspec

from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.errors import EXPECTED, DeliveryUnconfirmed, NotSent, NotThere, WrongUse, not_there
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.games.games_list import GameEntry, GameFilter, list_games
from umpire_ledger.desk.notifications import delivery_log as marks
from umpire_ledger.desk.notifications.delivery_log import DeliveryMark
from umpire_ledger.desk.notifications.due_notices import Due, DueNotices
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.ledger.ledger import utc_now
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.projections.reports.notices import Notice
from umpire_ledger.projections.reports.required import recipients

LEDGER = "the games of this ledger"


class Channel(Protocol):
    """A channel for notices. `name`: the public name of the channel in its marks."""

    @property
    def name(self) -> str: ...

    def reaches(self, notice: Notice) -> bool:
        """Return whether the channel reaches this seat; if not, the notice stays due, and its result shows that."""

    def tell(self, notice: Notice) -> None:
        """Send a notice.

        Raises:
            NotSent: When it was certainly not delivered.
            DeliveryUnconfirmed: When its delivery is unknown.
        """

    def close(self) -> None:
        """Close the channel after the last notice."""


Came = Literal["told", "not sent", "perhaps sent", "no address"]
Outcome = Literal["delivered", "failed", "unconfirmed", "not addressed"]
OUTCOMES: dict[Came, Outcome] = {
    "told": "delivered",
    "not sent": "failed",
    "perhaps sent": "unconfirmed",
    "no address": "not addressed",
}


class DeliveryResult(msgspec.Struct, frozen=True, kw_only=True):
    """A notice and the result of sending it."""

    notice: Notice
    came: Came
    trouble: str = ""
    remedy: str = ""

    @property
    def outcome(self) -> Outcome:
        """The result `came` in the words of the documentation."""
        return OUTCOMES[self.came]


class UnconfirmedDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """A notice with unconfirmed delivery. `stretches`: its records."""

    game: str
    seat: str
    at: str
    stretches: tuple[tuple[int, int], ...]


class Notices:
    """The notices of one ledger on one channel. Iteration sends them one by one, each at most once.

    Args:
        games: These games only, of the games in `among` (None: all).
        seats: These seats only.
        again: Also send unconfirmed notices again; without it they are in `doubts` afterwards.
        remind: Also notify seats that were notified of a required action this long ago and gave no order since.
    """

    def __init__(
        self,
        opened: OpenLedger,
        way: str,
        *,
        games: Sequence[str] = (),
        seats: Sequence[str] = (),
        again: bool = False,
        remind: timedelta | None = None,
        by: Channel | None = None,
        among: Collection[str] | None = None,
    ) -> None:
        self._opened = opened
        self._way = way
        self._by = by
        self._again = again
        self._remind = remind
        self._games = games
        self._seats = seats
        self._among = among
        self.troubled: dict[str, str] = {}
        """Games that could not be read, with the reason; none of them stops the others."""
        self.doubts: list[UnconfirmedDelivery] = []
        self.stopped = False
        """Whether the channel itself failed, so that no other notice was tried."""

    def look(self) -> Iterator[Notice]:
        """Return the notices that are due now; store nothing."""
        return (notice for notice, _ in self._ready(noting=False))

    def __iter__(self) -> Iterator[DeliveryResult]:
        """Send the notices one by one; stop if the channel fails, and close it at the end."""
        channel = self._by
        if channel is None:
            raise TypeError("expected a channel such as umpire.Webhook(url)")
        try:
            for notice, due in self._ready(noting=True):
                if not channel.reaches(notice):
                    yield DeliveryResult(notice=notice, came="no address")
                    continue
                stops, told = self._send(channel, notice, due)
                if told is not None:
                    yield told
                if stops:
                    self.stopped = True
                    return
        finally:
            channel.close()

    def _send(self, channel: Channel, notice: Notice, due: Due) -> tuple[bool, DeliveryResult | None]:
        """Send a notice; return whether the channel failed, and the result, or None if another process was faster."""
        name, ledger = marks.key(self._way, notice.seat), self._opened.ledger
        with ledger.metadata() as metadata:
            begun = marks.begin(metadata, notice.game, name, due.mark, notice, due.again, utc_now())
        if begun is None:
            return False, None
        try:
            channel.tell(notice)
        except NotSent as error:
            with ledger.metadata() as metadata:
                marks.failed(metadata, notice.game, name, begun)
            return error.stops, DeliveryResult(notice=notice, came="not sent", trouble=error.what, remedy=error.remedy)
        except DeliveryUnconfirmed as error:
            with ledger.metadata() as metadata:
                marks.doubted(metadata, notice.game, name, begun)
            return True, DeliveryResult(notice=notice, came="perhaps sent", trouble=error.what, remedy=error.remedy)
        with ledger.metadata() as metadata:
            marks.arrived(metadata, notice.game, name, begun)
        return False, DeliveryResult(notice=notice, came="told")

    # --- due notices --------------------------------------------------------------------------------------------------

    def _ready(self, *, noting: bool) -> Iterator[tuple[Notice, Due]]:
        entries = list_games(self._opened, GameFilter(), among=self._among)
        self._verify_names(entries)
        now = utc_now()
        for entry in entries:
            if self._games and entry.game not in self._games:
                continue
            try:
                found = self._of_game(entry, now, noting=noting)
            except StoreUnavailable:
                raise
            except Exception as error:  # any fault of a game must not stop the others
                self.troubled[entry.game] = str(error) if isinstance(error, EXPECTED) else repr(error)
                continue
            yield from ((due.notice, due) for due in found if due.notice is not None)

    def _verify_names(self, entries: Sequence[GameEntry]) -> None:
        games = {entry.game: entry for entry in entries}
        for name in self._games:
            if name not in games:
                self._verify_not_archived(name)
                raise not_there("game", name, list(games), LEDGER)
        chosen = [games[name] for name in self._games] or entries
        seats = sorted({seat for entry in chosen for seat in recipients(entry.seats)})
        for name in self._seats:
            if name not in seats and not any(entry.trouble for entry in chosen):
                raise not_there("seat with notifications", name, seats, ", ".join(self._games) or LEDGER)

    def _verify_not_archived(self, game_id: str) -> None:
        if any(entry.game == game_id for entry in list_games(self._opened, GameFilter(archived=True))):
            remedy = f"unarchive it: umpire unarchive {game_id}"
            raise NotThere(
                f"{game_id} is archived, so it sends no notifications", where=LEDGER, rule="notices", remedy=remedy
            )

    def _of_game(self, entry: GameEntry, now: datetime, *, noting: bool) -> list[Due]:
        ledger, game = self._opened.ledger, entry.game
        kept = marks.read(ledger.metadata_of_kind(marks.TOLD, game))
        asked = {
            seat: kept.get(marks.key(self._way, seat), DeliveryMark())
            for seat in recipients(entry.seats)
            if seat in self._seats or not self._seats
        }
        self._note_doubts(game, asked, now)
        found = DueNotices(self._opened, entry, again=self._again, remind=self._remind, now=now).of(asked)
        if noting:
            self._skip(entry, found)
        return found

    def _skip(self, entry: GameEntry, found: Sequence[Due]) -> None:
        """Update the marks of seats without a due notice if this saves reading many records again."""
        size, none = entry.records, [one for one in found if one.notice is None]
        notes_now = len(none) < len(found)  # the metadata of this game is written in any case
        far = [
            one
            for one in none
            if one.mark.unsent or one.is_stale or size - one.mark.told > (0 if notes_now else marks.FAR)
        ]
        if far:
            with self._opened.ledger.metadata() as metadata:
                for one in far:
                    marks.skip(metadata, entry.game, marks.key(self._way, one.seat), one.mark, size, one.last_required)

    def _note_doubts(self, game_id: str, asked: dict[str, DeliveryMark], now: datetime) -> None:
        if not self._again:
            self.doubts += [
                UnconfirmedDelivery(game=game_id, seat=seat, at=one.at, stretches=one.stretches)
                for seat, mark in asked.items()
                for one in mark.in_doubt(now)
            ]


def reminder_time(remind: str | timedelta) -> timedelta:
    """Return the time after which a seat gets a reminder.

    Raises:
        WrongUse: When it is not a length of time, or not positive.
    """
    found = span(remind) if isinstance(remind, str) else remind
    if found <= timedelta():
        what = f"a reminder cannot be sent after {remind}"
        raise WrongUse(what, where="the arguments", rule="notices", remedy="use a longer time, for example 36h or 3d")
    return found


def verify_addresses(opened: OpenLedger, given: Collection[str], every: Collection[str]) -> list[str]:
    """Return warnings about addresses in the settings that belong to no seat of the ledger.

    Args:
        opened: The ledger; its archived games count too.
        given: The seats, `athens` or `harbour/athens`, of addresses that were typed.
        every: The seats of all addresses, in the same form.

    Raises:
        NotThere: When an address that was typed belongs to no seat.
    """
    entries = list_games(opened, GameFilter(archived=None))
    known = {name for entry in entries for seat in (*entry.seats, REFEREE) for name in (seat, f"{entry.game}/{seat}")}
    known |= {name for entry in entries if entry.trouble for name in every if name.startswith(f"{entry.game}/")}
    if any(entry.trouble for entry in entries):
        known |= {name for name in every if "/" not in name}
    for name in given:
        if name not in known:
            raise not_there("seat", name, sorted(known), LEDGER)
    return [f"the address for {name} is unused: this ledger has no such seat" for name in every if name not in known]
