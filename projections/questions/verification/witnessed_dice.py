"""Check that the order that rolls witnessed dice is identical to the order that waited for them.

Withheld orders are not compared. Only orders between a `dice.asked` event and the next roll are checked.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.order_json import core_of
from umpire_ledger.ledger.records.record import UNREADABLE, Record

MARK = b'"dice.asked"'


class _RollEvent(msgspec.Struct):
    type: str = ""
    kept: int = 0


class _AwaitedOrder(msgspec.Struct):
    """The compared parts of an order. `core`: the text that must not change; None if it is withheld."""

    command: str
    position: int
    core: bytes | None = None
    kinds: tuple[str, ...] = ()


_event = msgspec.json.Decoder(_RollEvent).decode
_words = msgspec.json.Decoder(dict[str, Any]).decode


class AskedOrders:
    """Reads the records of a log in order, and reports orders that differ from the waiting order."""

    def __init__(self) -> None:
        self._asked: _AwaitedOrder | None = None
        self._order: _AwaitedOrder | None = None

    def see(self, line: bytes) -> Iterable[tuple[int, str]]:
        """Read a line, and return the position and reason of each fault in the order that ends before it."""
        if self._asked is None and self._order is None and MARK not in line:
            return ()  # Nearly every line of nearly every log takes this path.
        return self._see(line)

    def _see(self, line: bytes) -> Iterator[tuple[int, str]]:
        try:
            record = Record.decode(line)
            event = _event(record.event or b"{}")
            core = core_of(_words(record.cause)) if record.cause else None
        except UNREADABLE:
            return  # Other checks report unreadable lines.
        if self._order is None or record.command != self._order.command:
            yield from self.close()
            self._order = _AwaitedOrder(record.command, record.position)
        self._order.core = self._order.core or core
        self._order.kinds += ("kept" if event.kept else event.type,)

    def close(self) -> Iterator[tuple[int, str]]:
        """Yield the faults of the last order that was read."""
        order, self._order = self._order, None
        if order is None:
            return
        if "dice.asked" in order.kinds:
            self._asked = order
        elif "play.rewound" in order.kinds:
            self._asked = None
        elif "dice.rolled" in order.kinds and self._asked is not None:
            asked, self._asked = self._asked, None
            if asked.core and order.core and asked.core != order.core:
                yield order.position, f"it rolls dice, but differs from the order that waited in #{asked.position}"
