"""Open one game of a ledger: its id, title, session and read models. Services take an `OpenGame`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from typing import Any, Protocol

from umpire_ledger.desk.core.adapters import find_title_of, place_words
from umpire_ledger.desk.core.authorship import hand_of
from umpire_ledger.desk.core.errors import no_such_game, no_such_seat
from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.core.order_checks import Signer
from umpire_ledger.desk.core.outcomes import Recorded
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import NoSuchRecord, PositionConflict
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables.copies import CopyOrigin, copied_from, full_name
from umpire_ledger.projections.tables.missing_records import missing_beside, missing_words
from umpire_ledger.projections.tables.seat_visibility import seats_at


class SessionOpener(Protocol):
    """A function that opens a game session with every check of orders."""

    def __call__(self, ledger: Ledger[Game], game_id: str, *, signer: Signer | None = None) -> GameSession: ...


FindGame = Callable[[str], "OpenGame"]
"""Return the open game with an id.

Raises:
    NoSuchGame: When the ledger has no such game.
    StoreUnavailable: When the ledger cannot be read.
"""


class OpenGame:
    """A game in an open ledger. Several threads and several processes may play one game at once."""

    def __init__(self, opened: OpenLedger, id: str, open_session: SessionOpener) -> None:
        self.opened = opened
        self.id = id
        self._open_session = open_session
        self._lock = RLock()
        self._sitting: GameSession | None = None
        self._others_write = False
        if not self.size:
            raise no_such_game(id, self.ledger.game_ids())

    # --- properties ---------------------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger[Game]:
        """The ledger with this game. For the application layer only: it does not hide secrets from seats."""
        return self.opened.ledger

    @property
    def state(self) -> Game:
        """The whole state, which no seat may see unfiltered."""
        return self.ledger.state(self.id)

    @property
    def size(self) -> int:
        """The last position; 0 if the game does not exist."""
        return self.ledger.size(self.id)

    @property
    def title_id(self) -> str:
        """The id of its title, which need not be installed."""
        return self.state.title

    @property
    def title(self) -> Title | None:
        """The title; None if it is not installed. Its log can still be read."""
        return find_title_of(self.state)

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.state.name

    @property
    def copied(self) -> CopyOrigin | None:
        """The original of this copy and the last copied position; None if the game is not a copy."""
        return copied_from(self.ledger, self.id)

    @property
    def full_name(self) -> str:
        """The id and, for a copy, the original: `what-if (a copy of harbour at #585)`."""
        return full_name(self.id, self.copied)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides by id, in the order of the scenario."""
        return self.state.side_ids

    @property
    def turn(self) -> int:
        """The turn that is being played."""
        return self.state.turn

    @property
    def where(self) -> str:
        """The current step in a referee's words."""
        return place_words(self.state)

    @property
    def ended(self) -> str:
        """The reason for the end of the game; "" during play."""
        return self.state.ended

    @property
    def unreadable(self) -> str:
        """A sentence on the record that this edition cannot read; "" if it reads all."""
        return self.state.unreadable

    @property
    def missing(self) -> str:
        """A sentence about records that this ledger had before and lacks now; "" if it has all."""
        if is_database(self.opened.where):  # the read models of a database are in the same backup
            return ""
        size = self.size
        known = missing_beside(self.opened.where, self.id, size)
        return "; ".join(missing_words(self.id, size, known)) if known else ""

    @property
    def seats(self) -> tuple[str, ...]:
        """Every seat with a view of the game: the referee, the sides, claimed seats, the spectator."""
        return tuple(seats_at(self.state))

    def verify_seat(self, name: str) -> None:
        """Verify that the game has a seat.

        Raises:
            NoSuchSeat: When it has no seat with that name.
        """
        if name not in self.seats:
            raise no_such_seat(name, self.seats)

    def verify_position(self, position: int) -> None:
        """Verify that the game has a position.

        Raises:
            NoSuchRecord: When it has no such position.
        """
        size = self.size
        if not 0 <= position <= size:
            raise NoSuchRecord(game=self.id, position=position, size=size)

    # --- its session --------------------------------------------------------------------------------------------------

    def record(self, raw: Mapping[str, Any], seen: int | None = None) -> Recorded:
        """Decide an order and record it; return the unfiltered result, for the application layer only.

        Records of other writers are read first. An order that is already recorded gets its first answer. The errors
        are those of `GameSession.order`.

        Args:
            seen: Refuse a new order if the game has records after this position.
        """
        with self._lock, self._turn():
            sitting = self._refreshed()
            if seen is not None and not sitting.is_repetition(raw):
                sitting.verify_nothing_came(seen, hand_of(raw))
            try:
                return sitting.order(raw)
            except PositionConflict:
                self._others_write = True
                raise

    def throw_what_waits(self) -> bool:
        """Carry out the order that waits for its dice, if every dice share is there; return whether it was carried out.

        The last share starts it automatically. A call is needed only if Umpire was interrupted after that share.
        """
        with self._lock, self._turn():
            return bool(self._refreshed().resolve_witnessed_order())

    def verify_nothing_came(self, seen: int, seat: str) -> None:
        """Verify that the game has not grown since a position.

        Raises:
            PositionConflict: When it has; the remedy lists the new records that the seat may see.
        """
        with self.session() as sitting:
            sitting.verify_nothing_came(seen, seat)

    def leave_a_trace(self, text: str) -> None:
        """Record in a game that is closed to the referee that its secrets were exported."""
        if self.state.options.get(CLOSED_TO_REFEREE):
            self.record({"as": REFEREE, "order": "note", "text": text})

    @contextmanager
    def session(self) -> Iterator[GameSession]:
        """Lend the session after reading the records of other writers."""
        with self._lock:
            yield self._refreshed()

    def _turn(self) -> AbstractContextManager[object]:
        """Return the game's lock if others wrote just now, so that this order waits for them before it is decided."""
        return self.ledger.lock_game(self.id) if self._others_write else nullcontext()

    def _refreshed(self) -> GameSession:
        if self._sitting is None:
            self._sitting = self._open_session(self.ledger, self.id, signer=self.opened.signer)
        before = self._sitting.size
        self._sitting.refresh()
        self._others_write = self._sitting.size != before
        return self._sitting
