"""Measure the time that play waited for each side.

The time between two orders is charged in full to every side that had to act; `alone` is the part in which only one side
had to act. An order has the ledger's time, or its `happened_at` if it was recorded late and that field is public. If an
order happened before the previous one, no time passes between them. Abandoned branches count, because the time passed.
A gap longer than the given pause is charged to no side. The current wait is not in the totals; `since` is its
beginning.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

import msgspec

from umpire_ledger.domain.game.events import Side
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.step_index import order_by_order
from umpire_ledger.projections.tables.turn_view import TitleOf
from umpire_ledger.projections.tables.waiting import Waiting, moment

NOTHING = timedelta()


class SideTime(msgspec.Struct, frozen=True, kw_only=True):
    """The time that play waited for one side. All durations are whole seconds, without pauses."""

    side: str
    """Id of the side."""
    name: str
    """Its display name."""
    seats: tuple[str, ...]
    """Ids of the seats that act for it."""
    waited: int
    """Total time in which the side had to act."""
    alone: int
    """Part of `waited` in which no other side had to act."""
    waits: int
    """Number of its waits."""
    longest: int
    """Its longest wait."""
    orders: int
    """Number of its orders."""
    since: str
    """Beginning of the current wait, UTC, RFC 3339; "" if play does not wait for the side."""


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a game. Durations are whole seconds."""

    game: str
    """Id of the game."""
    began: str
    """Time of the first order, UTC, RFC 3339."""
    last: str
    """Time of the newest order, UTC, RFC 3339."""
    seconds: int
    """Time from the first to the newest order."""
    nobody: int
    """Time in which no side had to act."""
    pause: int
    """Length above which a gap between two orders is a pause; 0 if no limit was given."""
    pauses: int
    """Number of pauses."""
    paused: int
    """Total time of the pauses."""
    sides: tuple[SideTime, ...]
    """The waiting times by side."""


def times(ledger: Ledger[Game], game_id: str, title_of: TitleOf, pause: timedelta | None = None) -> Times:
    """Return the time that play waited for each side of a game.

    Raises:
        NoSuchGame: When the ledger has no such game.
        BrokenLedger: When the stored records are damaged.
    """
    state = ledger.state(game_id)
    clock, waiting, orders = _Clock(pause), Waiting(title_of), Counter[str]()
    for order, place in order_by_order(ledger.lines(game_id), lambda earlier: ledger.state(game_id, earlier)):
        for record in order:
            waiting.see(record)
        before = {wait.side: wait for wait in waiting.waits}
        clock.strikes(waiting.at, before)
        orders[place.side_of(order[0].seat)] += 1
        waiting.order_ends(order[-1].position, place)
        for wait in waiting.waits:
            if before.get(wait.side) != wait:
                clock.charged[wait.side].begins()
    return _times_from(game_id, clock, state, orders, {wait.side: wait.since for wait in waiting.waits})


class _Charged:
    """The time charged to a side so far."""

    def __init__(self) -> None:
        self.waited = self.alone = self.longest = self.running = NOTHING
        self.waits = 0

    def passes(self, time: timedelta, *, alone: bool) -> None:
        """Add time to the current wait."""
        self.waited += time
        self.alone += time if alone else NOTHING
        self.running += time
        self.longest = max(self.longest, self.running)

    def begins(self) -> None:
        """Begin a wait."""
        self.waits += 1
        self.running = NOTHING


class _Clock:
    """The time that a game has taken, and the time charged to each side."""

    def __init__(self, pause: timedelta | None) -> None:
        self.pause = pause
        self.pauses: list[timedelta] = []
        self.nobody = NOTHING
        self.charged: defaultdict[str, _Charged] = defaultdict(_Charged)
        self.first: datetime | None = None
        self.now: datetime | None = None

    def strikes(self, at: str, sides: Collection[str]) -> None:
        """Advance the clock to a time, and charge these sides for the time since the last order."""
        now = moment(at)
        if now is None:
            return
        self.first, before = self.first or now, self.now or now
        self.now = max(before, now)
        passed = self.now - before
        if self.pause is not None and passed > self.pause:
            self.pauses.append(passed)
            return
        self.nobody += NOTHING if sides else passed
        for side in sides:
            self.charged[side].passes(passed, alone=len(sides) == 1)


def _times_from(game_id: str, clock: _Clock, state: Game, orders: Mapping[str, int], since: Mapping[str, str]) -> Times:
    first, now = clock.first or datetime.min, clock.now or datetime.min
    return Times(
        game=game_id,
        began=first.isoformat(timespec="seconds"),
        last=now.isoformat(timespec="seconds"),
        seconds=_seconds(now - first),
        nobody=_seconds(clock.nobody),
        pause=_seconds(clock.pause or NOTHING),
        pauses=len(clock.pauses),
        paused=_seconds(sum(clock.pauses, NOTHING)),
        sides=tuple(_side(clock.charged[side.id], side, state, orders, since) for side in state.sides),
    )


def _side(charged: _Charged, side: Side, state: Game, orders: Mapping[str, int], since: Mapping[str, str]) -> SideTime:
    return SideTime(
        side=side.id,
        name=side.name,
        seats=tuple(seat for seat, of in state.seats.items() if of == side.id),
        waited=_seconds(charged.waited),
        alone=_seconds(charged.alone),
        waits=charged.waits,
        longest=_seconds(charged.longest),
        orders=orders.get(side.id, 0),
        since=since.get(side.id, ""),
    )


def _seconds(time: timedelta) -> int:
    return int(time.total_seconds())


def length_of_time(seconds: int) -> str:
    """Return a length of time in its two largest units: `3 d 4 h`, `12 min 5 s`."""
    parts = []
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
