"""Who is waited for, and since when: one fold of the public records, in the order in which they were recorded.

A side is waited for without a break from the order that made it so. Lines that were left count too: the time passed.
"""

from collections.abc import Callable
from datetime import datetime

import msgspec

from umpire_ledger.domain.flow.available_orders import acting_now
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title, played
from umpire_ledger.ledger.order_batches import timestamp
from umpire_ledger.projections.record.visible_record import Seen


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """A side that must act. `since`: when that began, UTC, RFC 3339; `position`: the last record of that order."""

    side: str
    since: str
    position: int


Waits = tuple[Wait, ...]


class Late(msgspec.Struct):
    """Of an order's own words: when it happened, where it was written down late."""

    happened_at: str = ""


_late = msgspec.json.Decoder(Late).decode


def happened(record: Seen) -> str:
    """When a record's order happened, if its public words say so; else "". UTC, as the ledger writes times.

    An order with a secret record keeps its words there, so nobody learns from this what is not for everybody.
    """
    if record.visible_to is not None or b'"happened_at"' not in bytes(record.cause):
        return ""
    try:
        told = datetime.fromisoformat(_late(record.cause).happened_at.upper())
        return timestamp(told)
    except (msgspec.DecodeError, ValueError, OverflowError):
        return ""


def moment(at: str) -> datetime | None:
    """A time of a record; None for one that is none, in a log that somebody else wrote."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def waiting_now(title: Title | None, game: Game) -> tuple[str, ...]:
    """The sides that must act; of those that act in turn the one whose turn it is. Nobody in a game that is over."""
    if game.ended:
        return ()
    several = any(len(one.waits) > 1 for one in game.cursor.open)
    return acting_now(title, game) if title is not None and several else game.cursor.waiting()


class Waiting:
    """Who is waited for, order by order. `waits`: as it stood before the first record that is seen.

    `at`: when the order happened whose records were seen last; `changed`: whether others are waited for than before.
    """

    def __init__(self, title_of: Callable[[str], Title | None], waits: Waits = ()) -> None:
        self.title_of = title_of
        self._now = {one.side: one for one in waits}
        self.at = ""
        self.changed = False

    def title_as_in(self, game: Game) -> Title | None:
        """The title as a game plays it; None where it is not installed."""
        return played(self.title_of, game)

    @property
    def waits(self) -> Waits:
        """As it stands after the last order."""
        return tuple(self._now.values())

    def see(self, record: Seen) -> None:
        """Take in the time of a record."""
        if record.prior is not None:
            self.at = record.at
        self.at = happened(record) or self.at

    def order_ends(self, position: int, game: Game) -> bool:
        """An order is complete: whoever was waited for before still is since then. Says whether others are now."""
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
    """Waits as they are kept. Raises msgspec.DecodeError where that is hurt."""
    return _waits(text)


def waits_text(waits: Waits) -> str:
    """As `read_waits` reads them."""
    return str(_json(waits), "utf-8")


def read_names(text: str) -> tuple[str, ...]:
    """Names as they are kept, for instance of disputes. Raises as `read_waits` does."""
    return _names(text)
