"""Send notices from the running service, to a webhook or by mail; retry with back-off, and send no notice twice.

The ledger stores each attempt to send a notice (`desk.notifications.delivery_log`) beforehand. So several workers, a
restart after a kill, and `umpire notices` do not repeat it. The ledger also stores the worker that sends notices, and
the time of the next attempt after a failure.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from time import monotonic

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.notifications.notice_settings import NoticeSettings as Where
from umpire_ledger.desk.notifications.sender import Channel, DeliveryResult, reminder_time
from umpire_ledger.ledger.storage.metadata import MetadataEntry
from umpire_ledger.service.metrics import Metrics
from umpire_ledger.service.request_log import log_event, trouble
from umpire_ledger.service.settings import ServiceSettings

EVERY_GAME, SENDING = "", "sending"
"""Game and kind of the metadata entries of this module. The name of an entry is the channel."""
LOOKED = 1.0
"""Seconds between two checks for new records."""
AT_IT = timedelta(seconds=60)
"""Time during which only the worker that began to send may send notices."""
FIRST, LONGEST = 5.0, 600.0
"""Seconds until the first retry after a failure, doubled for each further retry, and the longest such time."""
LOOKS_IN_TIME, LEAST, MOST = 8, timedelta(minutes=1), timedelta(hours=1)
"""Number of checks of all games during the reminder time, and the limits of the time between two checks."""
HURRIED = 6
"""Longest wait for a pause in play, in multiples of the quiet time. After it, notices are sent even without a pause."""


class ChannelState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a channel. `number`: the newest record in its notices; `stopped`: the channel itself failed."""

    by: str = ""
    until: str = ""
    number: int = 0
    failures: int = 0
    stopped: bool = False
    again_at: str = ""

    def is_due(self, number: int, me: str, now: str, *, first: bool = False) -> bool:
        """Return whether to send notices now, if no other worker does. `first`: this process has not sent yet."""
        if self.until > now and self.by != me:
            return False
        if self.failures and self.again_at <= now:
            return True
        return (first or number > self.number) and not self.stopped


_sending = msgspec.json.Decoder(ChannelState).decode


class Notifier:
    """The sender of notices in a worker process; only one worker sends at a time."""

    def __init__(self, desk: Desk, settings: ServiceSettings, counts: Metrics) -> None:
        self._desk = desk
        self._quiet = settings.quiet
        self._counts = counts
        self._ways = list(ways(settings))
        self._remind = remind_after(settings)
        self._me = token_hex(8)
        self._stop = False
        self._seen = (0, 0.0, 0.0)
        self._whole: set[str] = set()
        self._unreached: set[tuple[str, str]] = set()
        self._looked_at_all: dict[str, float] = {}

    async def run(self) -> None:
        """Check for due notices repeatedly while the service runs."""
        while self._ways and not self._stop:
            await asyncio.sleep(LOOKED)
            if not self._stop:
                await asyncio.to_thread(self._look)

    def stop(self) -> None:
        """Begin no new notice; a notice that is being sent arrives."""
        self._stop = True

    def _look(self) -> None:
        try:
            number, _ = self._desk.ledger.changed_games()
            for name, way in self._ways:
                if not self._stop:
                    self._tell(name, way, number)
        except EXPECTED as error:
            log_event("notices wait", what=error.what)
        except Exception as error:
            trouble(error)

    def _tell(self, name: str, way: Callable[[], Channel], number: int) -> None:
        before = self._read(name)
        if self._remind and monotonic() - self._looked_at_all.get(name, 0.0) > pause_between(self._remind):
            self._whole.discard(name)
        first = name not in self._whole  # the settings may have new addresses
        if not before.is_due(number, self._me, _at(), first=first) or not self._is_quiet(number):
            return
        begun = msgspec.structs.replace(before, by=self._me, until=_at(AT_IT))
        if not self._take(name, before, begun):
            return
        among = self._grown(name, before)
        if among is None:
            self._looked_at_all[name] = monotonic()
        every = self._desk.tell(way(), remind=self._remind, among=among)
        failed = False
        try:
            for one in every:
                self._say(name, one)
                failed = failed or bool(one.trouble)
                if self._stop:
                    break
            for doubt in every.doubts:
                log_event("notice in doubt", way=name, game=doubt.game, seat=doubt.seat, since=doubt.at)
            for game, why in every.troubled.items():
                log_event("game passed over", way=name, game=game, why=why)
        finally:
            told_of = before.number if self._stop else number
            self._whole.add(name)
            self._leave(name, before, told_of, failed=failed, stopped=every.stopped)

    def _grown(self, name: str, before: ChannelState) -> list[str] | None:
        """Return the games that have grown since the last notices; None for all, at the start and after a failure."""
        whole = before.failures or name not in self._whole
        return None if whole else self._desk.ledger.changed_games(before.number)[1]

    def _is_quiet(self, number: int) -> bool:
        """Return whether play has paused, so that a turn of ten orders is one notice."""
        known, since, first = self._seen
        now = monotonic()
        if number != known:
            self._seen = number, now, (first or now)
        _, since, first = self._seen
        if now - since < self._quiet and now - first < HURRIED * self._quiet:
            return False
        self._seen = number, since, 0.0
        return True

    def _say(self, name: str, delivery: DeliveryResult) -> None:
        notice = delivery.notice
        if delivery.came == "no address":
            if (notice.game, notice.seat) in self._unreached:
                return
            self._unreached.add((notice.game, notice.seat))
        self._counts.noticed(delivery.came)
        about = {"game": notice.game, "seat": notice.seat, "upto": notice.upto, "reminder": bool(notice.reminds)}
        log_event("notice", way=name, **about, came=delivery.came, outcome=delivery.outcome, why=delivery.trouble)

    # --- the state of a channel, for every worker ---------------------------------------------------------------------

    def _read(self, name: str) -> ChannelState:
        return _read(self._desk.ledger.metadata_value(EVERY_GAME, SENDING, name))

    def _take(self, name: str, before: ChannelState, begun: ChannelState) -> bool:
        """Store that this worker begins to send; return False if another worker was faster."""
        with self._desk.ledger.metadata() as metadata:
            if _read(metadata.one(EVERY_GAME, SENDING, name)) != before:
                return False
            metadata.put(_entry(name, begun))
            return True

    def _leave(self, name: str, before: ChannelState, number: int, *, failed: bool, stopped: bool) -> None:
        failures = before.failures + 1 if failed else 0
        wait = timedelta(seconds=min(LONGEST, FIRST * 2 ** min(failures - 1, 20))) if failed else timedelta()
        left = ChannelState(number=number, failures=failures, stopped=stopped, again_at=_at(wait) if failed else "")
        with self._desk.ledger.metadata() as metadata:
            metadata.put(_entry(name, left))


def ways(settings: ServiceSettings) -> Iterator[tuple[str, Callable[[], Channel]]]:
    """Yield the name of each configured channel, with a function that builds the channel for one round.

    Raises:
        WrongUse: When a setting is wrong.
    """
    where = Where({"addresses": settings.addresses, "smtp_from": settings.sender}, os.environ)
    if settings.webhook is not None:
        typed = settings.webhook
        yield where.webhook(typed).name, lambda: where.webhook(typed)
    if settings.mail is not None:
        mail = settings.mail
        yield where.mail(mail).name, lambda: where.mail(mail)


def remind_after(settings: ServiceSettings) -> timedelta | None:
    """Return the time after which seats get a reminder; None if they get none.

    Raises:
        WrongUse: When the setting is wrong.
    """
    after = settings.remind or Where({}, os.environ).get("remind")
    return reminder_time(after) if after else None


def pause_between(remind: timedelta) -> float:
    """Return the seconds between two checks of all games for reminders."""
    return max(LEAST, min(remind / LOOKS_IN_TIME, MOST)).total_seconds()


def _read(raw: str | None) -> ChannelState:
    with suppress(msgspec.DecodeError):  # the delivery log still has the sent notices
        return ChannelState() if raw is None else _sending(raw)
    return ChannelState()


def _entry(name: str, sending: ChannelState) -> MetadataEntry:
    return MetadataEntry(EVERY_GAME, SENDING, name, msgspec.json.encode(sending).decode())


def _at(later: timedelta = timedelta()) -> str:
    return (datetime.now(UTC) + later).isoformat(timespec="milliseconds")
