"""Find the sides that must act, and the beginning of each wait, from the public records in the order of the log.

A wait begins with an order, and continues without interruption. Abandoned branches count too, because the time passed.
"""

from collections.abc import Callable
from datetime import datetime

import msgspec

from umpire_ledger.domain.flow.available_orders import acting_now
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title, title_as_played
from umpire_ledger.ledger.order_batches import timestamp
from umpire_ledger.projections.record.visible_record import VisibleRecord


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """A side that must act. `since`: start of the wait, UTC, RFC 3339; `position`: last record of its first order."""

    side: str
    since: str
    position: int


Waits = tuple[Wait, ...]


class Late(msgspec.Struct):
    """The time that an order itself states because it was recorded late."""

    happened_at: str = ""


_late = msgspec.json.Decoder(Late).decode


def happened(record: VisibleRecord) -> str:
    """Return the time that an order states, if its text is public; otherwise "". UTC, in the ledger's format.

    The text of an order with a secret record is on that record, so this function never reveals a secret.
    """
    if record.visible_to is not None or b'"happened_at"' not in bytes(record.cause):
        return ""
    try:
        told = datetime.fromisoformat(_late(record.cause).happened_at.upper())
        return timestamp(told)
    except (msgspec.DecodeError, ValueError, OverflowError):
        return ""


def moment(at: str) -> datetime | None:
    """Parse a record's time; return None if it is not a valid time with a time zone, as in a foreign log."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def waiting_now(title: Title | None, game: Game) -> tuple[str, ...]:
    """Return the sides that must act; if sides act in turn, only the current one. Returns () if the game is over."""
    if game.ended:
        return ()
    several = any(len(one.waits) > 1 for one in game.cursor.open)
    return acting_now(title, game) if title is not None and several else game.cursor.waiting()


class Waiting:
    """Tracks the sides that must act, order by order, from the waits before the first record.

    `at`: the time of the order that was read last; `changed`: whether the waits have changed since the first record.
    """

    def __init__(self, title_of: Callable[[str], Title | None], waits: Waits = ()) -> None:
        self.title_of = title_of
        self._now = {one.side: one for one in waits}
        self.at = ""
        self.changed = False

    def title_as_in(self, game: Game) -> Title | None:
        """Return the title in the form that a game uses; None if it is not installed or does not match."""
        return title_as_played(self.title_of, game)

    @property
    def waits(self) -> Waits:
        """The waits after the last order."""
        return tuple(self._now.values())

    def see(self, record: VisibleRecord) -> None:
        """Read the time of a record's order."""
        if record.prior is not None:
            self.at = record.at
        self.at = happened(record) or self.at

    def order_ends(self, position: int, game: Game) -> bool:
        """Complete an order, and return whether the waits changed; a side that must still act keeps its start."""
        sides = waiting_now(self.title_as_in(game), game)
        if tuple(self._now) == sides:
            return False
        self.changed = True
        self._now = {side: self._now.get(side) or Wait(side=side, since=self.at, position=position) for side in sides}
        return True


_json = msgspec.json.Encoder().encode
_waits = msgspec.json.Decoder(Waits).decode
_names = msgspec.json.Decoder(tuple[str, ...]).decode


def read_waits(text: str) -> Waits:
    """Parse stored waits.

    Raises:
        msgspec.DecodeError: When the text is damaged.
    """
    return _waits(text)


def waits_text(waits: Waits) -> str:
    """Return waits in the form that `read_waits` reads."""
    return str(_json(waits), "utf-8")


def read_names(text: str) -> tuple[str, ...]:
    """Parse stored names, for example of disputes.

    Raises:
        msgspec.DecodeError: When the text is damaged.
    """
    return _names(text)
