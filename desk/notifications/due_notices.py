"""Find the notifications that are due in one game, from its log and the marks of its seats.

This module sends nothing and stores nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.games.games_list import GameEntry
from umpire_ledger.desk.notifications.delivery_log import EDITION, DeliveryAttempt, DeliveryMark
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.reports.notices import (
    REQUIRES,
    Notice,
    NoticeItem,
    Stretches,
    concerns,
    is_new,
    is_undone,
    news_between,
    notice,
    required_points,
)
from umpire_ledger.projections.reports.required import Present, Required, arisen, required_in
from umpire_ledger.projections.tables.waiting import moment

MOST_BACK = 64
"""Maximum number of orders to search back for the position of a required action, if the action is new in any case."""
LINES_BACK = 256
"""Number of records to read at once when searching back."""


class Due(msgspec.Struct, frozen=True):
    """A seat's mark, the records that are new to it, and the notice that is due, or None.

    `last_required`: the time of its last notice of a required action. `reminder`: the same if a reminder may be due,
    else "".
    """

    seat: str
    mark: DeliveryMark
    again: tuple[DeliveryAttempt, ...]
    stretches: Stretches
    required: Stretches
    last_required: str
    reminder: str
    notice: Notice | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the mark is of an earlier edition and records less than was checked now."""
        return self.mark.edition < EDITION and self.required != self.stretches


class DueNotices:
    """The notifications due in one game, up to the last record in its entry of the list of games."""

    def __init__(
        self, opened: OpenLedger, entry: GameEntry, *, again: bool, remind: timedelta | None, now: datetime
    ) -> None:
        self._opened = opened
        self._entry = entry
        self._again = again
        self._remind = remind
        self._now = now
        self._since = {wait.side: wait.position for wait in entry.waits}

    def of(self, marks: Mapping[str, DeliveryMark]) -> list[Due]:
        """Return the due notices of these seats; an empty list if all of them were notified of everything."""
        size, found = self._entry.records, [self._before(seat, mark) for seat, mark in marks.items()]
        starts = [after for one in found for after, _ in one.required]
        if min(starts, default=size) >= size and not any(one.reminder for one in found):
            return []
        game, ledger = self._entry.game, self._opened.ledger
        after = min((after for one in found for after, _ in one.stretches), default=size)
        news = news_between(ledger, game, after, size, self._entry.disputes) if after < size else []
        required, state = self._required([start for start in starts if start]), ledger.state(game, size)
        branch = ledger.branch(game, size)
        done = []
        for due in found:
            side = self._entry.seats.get(due.seat, "")
            mine = {action: at for action, at in required.items() if action.seat == due.seat}
            heard = [
                event.point
                for event in news
                if concerns(event, due.seat, side)
                and is_new(event.point.position, due.stretches)
                and not (event.undoes and not is_undone(event.point.position, due.stretches, branch))
                and not (event.point.kind == "rewind-done" and not is_told(event.point.position, due.stretches))
            ]
            done.append(self._with_notice(due, mine, heard, state))
        return done

    def _before(self, seat: str, mark: DeliveryMark) -> Due:
        """Return the records that are new to a seat, and whether a reminder may be due, without the notice itself."""
        size, side = self._entry.records, self._entry.seats.get(seat, "")
        again = mark.in_doubt(self._now) if self._again else ()
        since = self._since.get(side, 0) if side else 0
        stretches, required = mark.new(size, again), mark.new_required(size, since, again)
        last = self._last_required(mark) if self._remind or required != stretches else ""
        return Due(seat, mark, again, stretches, required, last, last if self._is_long_ago(last) else "")

    def _with_notice(self, due: Due, required: Mapping[Required, int], heard: Sequence[NoticeItem], state: Game) -> Due:
        entry, reminds = self._entry, ""
        fresh = {action: at for action, at in required.items() if is_new(at, due.required)}
        points = list(required_points(entry.game, state, fresh))
        if due.reminder and not any(point.kind in REQUIRES for point in points):
            still = [two for two in required_points(entry.game, state, required) if two.kind in REQUIRES]
            if still and self._has_done_nothing(due):
                points, reminds = [*still, *points], due.reminder
        if not points and not heard:
            return due
        name, size = entry.display_name or entry.game, entry.records
        return msgspec.structs.replace(
            due, notice=notice(entry.game, name, due.seat, entry.where, size, _sorted(points, heard), reminds)
        )

    # --- required actions ---------------------------------------------------------------------------------------------

    def _required(self, starts: Sequence[int]) -> dict[Required, int]:
        """Return the required actions, each with the position at which it arose, searching back only while necessary.

        Args:
            starts: Positions up to which a seat was notified.
        """
        game, size = self._entry.game, self._entry.records
        with self._opened.read_models.caught_up(game) as following:
            title = following.title_of(game)

            def required_at(positions: list[int]) -> Iterator[Present]:
                known = following.known_along(game, SPECTATOR, positions)
                return (required_in(title, one) for one in known)

            if starts:
                return arisen(order_ends(self._opened.ledger, game, min(starts), size), required_at)
            after = max(size - LINES_BACK, 0)
            ends = [end for end in order_ends(self._opened.ledger, game, after, size) if end > after]
            return arisen(ends, required_at, most=MOST_BACK)

    # --- reminders ----------------------------------------------------------------------------------------------------

    def _last_required(self, mark: DeliveryMark) -> str:
        """Return the time of a seat's last notice of a required action; "" if it is not known.

        A mark of edition 1 has no time, so use the time of the record up to which the seat was notified.
        """
        if mark.last_required or mark.edition >= EDITION or not mark.told:
            return mark.last_required
        return self._opened.ledger.record(self._entry.game, min(mark.told, self._entry.records)).at

    def _is_long_ago(self, at: str) -> bool:
        then = moment(at)
        return self._remind is not None and then is not None and self._now - then >= self._remind

    def _has_done_nothing(self, due: Due) -> bool:
        """Return whether no seat of the side gave an order since the reminder time."""
        side = self._entry.seats.get(due.seat, "") or due.seat
        seats = {seat for seat, of in self._entry.seats.items() if of == side} if side != REFEREE else {REFEREE}
        acted = last_order(self._opened.ledger, self._entry.game, seats, self._entry.records, due.reminder)
        return not acted or self._is_long_ago(acted)


def is_told(position: int, stretches: Stretches) -> bool:
    """Return whether a record is new to a seat that was notified of earlier records."""
    return any(after for after, upto in stretches if after < position <= upto)


def _sorted(points: Iterable[NoticeItem], heard: Iterable[NoticeItem]) -> list[NoticeItem]:
    """Return the turn and its actions first, then the news by position."""
    turn = [point for point in points if point.kind in ("your-turn", "you-owe")]
    news = [point for point in (*points, *heard) if point not in turn]
    return [*turn, *sorted(news, key=lambda point: point.position)]


def order_ends(ledger: Ledger[Game], game_id: str, after: int, size: int) -> list[int]:
    """Return the position of the last record of each order after a position, and that position unless it is 0."""
    starts = (
        position
        for position, line in enumerate(ledger.lines(game_id, after + 1, size), after + 1)
        if b'"prior":' in line and _first(line).prior is not None
    )
    return sorted({end for end in (after, *(start - 1 for start in starts), size) if end})


class _First(msgspec.Struct):
    prior: str | None = None


_first = msgspec.json.Decoder(_First).decode


def last_order(ledger: Ledger[Game], game_id: str, seats: set[str], size: int, since: str) -> str:
    """Return the time of the last order of these seats after a given time; "" if they gave none."""
    began = moment(since)
    for first in range(max(size - LINES_BACK, 0), -LINES_BACK, -LINES_BACK):
        records = list(ledger.records(game_id, max(first, 0) + 1, min(first + LINES_BACK, size)))
        found = [record.at for record in records if record.seat in seats and _is_after(record.at, began)]
        if found:
            return found[-1]
        if not records or not _is_after(records[0].at, began):
            return ""
    return ""


def _is_after(at: str, began: datetime | None) -> bool:
    then = moment(at)
    return then is not None and began is not None and then > began
