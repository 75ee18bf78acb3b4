"""Show a game to its spectators with a delay: the records up to a horizon, and none after it.

Those records are copied unchanged into a ledger in memory, and a spectator queries that ledger as other seats query
theirs. So each query shows a past state, and new kinds of query need no code for the delay. The horizon is the end of
an order, never before the end of the setup, and never moves back.
"""

import io
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import chain
from threading import RLock

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.domain.game.spectator_delay import Delay
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.projections.tables.audit_search import turns_reached
from umpire_ledger.projections.tables.views_file import MEMORY


class SpectatorLedger(OpenLedger):
    """A ledger in memory with one game up to its horizon; each access updates it."""

    def __init__(self, game: OpenGame, delay: Delay) -> None:
        super().__init__(MEMORY)
        self._of = game
        self._delay = delay
        self._have = 0
        self._seen = 0, datetime.min
        self._moving = RLock()

    @property
    def ledger(self) -> Ledger[Game]:
        """The ledger with the visible records."""
        with self._moving:
            copy = super().ledger
            size, now = self._of.size, self._of.ledger.clock()
            if self._seen[0] != size or self._delay.of == "minutes":
                upto = last_visible_position(self._of, self._delay, self._have, now)
                if upto > self._have:
                    _copy(self._of, upto, copy)
                    self._have = upto
                self._seen = size, now
            return copy


def _copy(game: OpenGame, upto: int, into: Ledger[Game]) -> None:
    """Copy records 1 to `upto` unchanged; compare the records that were copied before."""
    log = io.BytesIO()
    replay_log.write(game.ledger, game.id, log, at=upto)
    log.seek(0)
    replay_log.read_into(into, log)


# --- the horizon ------------------------------------------------------------------------------------------------------


def last_visible_position(game: OpenGame, delay: Delay, have: int, now: datetime) -> int:
    """Return the last position that a spectator sees now. `have`: the last position that they have seen before.

    When the game has ended, only a delay in minutes still applies.
    """
    size = game.size
    match delay.of:
        case "minutes":
            latest = now - timedelta(minutes=delay.number)
            return _last(orders_behind(game, have), have, lambda last: datetime.fromisoformat(last.at) <= latest)
        case _ if game.ended:
            return size
        case "records":
            return _last(orders_behind(game, have), have, lambda last: last.position <= size - delay.number)
        case _:
            with game.opened.read_models.caught_up(game.id) as following:
                highest, first = turns_reached(following.connection, game.id, delay.number)
            if highest < 0 or not first:
                return size
            return _last(orders_behind(game, have), have, lambda last: last.position < first)


def orders_behind(game: OpenGame, have: int) -> Iterator[Record]:
    """Yield the last record of each order after a position."""
    before: Record | None = None
    for record in chain(game.ledger.records(game.id, have + 1), (None,)):
        if before is not None and (record is None or record.command != before.command):
            yield before
        before = record


def _last(orders: Iterator[Record], have: int, is_seen: Callable[[Record], bool]) -> int:
    """Return the end of the last visible order; the setup is always visible."""
    for last in orders:
        if have and not is_seen(last):
            break
        have = last.position
    return have


def spectators_only_look(game_id: str) -> WrongUse:
    """Return the refusal of an act by a spectator, whose delayed view allows only queries."""
    remedy = "use a seat that can act"
    return WrongUse("a spectator cannot act", where=game_id, rule="seats", remedy=remedy)
