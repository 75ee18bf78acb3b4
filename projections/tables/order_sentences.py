"""The orders of a game, each in one sentence as a seat may see it: the newest ones, or those of given positions."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.outcome_phrases import is_kept
from umpire_ledger.projections.record.sentence import sentence
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.record.visible_record import Seen, decode
from umpire_ledger.projections.tables.seat_visibility import Visibility

Records = tuple[Seen, ...]
AT_FIRST = 12
"""Records that an order is taken to have when the newest orders are looked for; more are read where that is wrong."""

_cause = msgspec.json.Decoder(dict[str, Any]).decode


class OrderSentence(msgspec.Struct, frozen=True, kw_only=True):
    """An order in one sentence. `position`, `last`: its first and last record."""

    position: int
    last: int
    seat: str
    text: str


def order_told(title: Title | None, game: Game, records: Records, seen: Visibility) -> OrderSentence | None:
    """An order as those see it for whom these secret records are open; None where they see nothing of it.

    `game`: for the names of sides and seats.
    """
    mine = [one for one in records if seen.see(one.position, one.visible_to)]
    text = sentence(
        title,
        game,
        records[0].seat,
        _cause(cause) if (cause := next((one.cause for one in mine if one.cause), None)) else {},
        [one.event for one in mine if one.event is not None],
    )
    if not text:
        return None
    first, last = records[0], records[-1]
    return OrderSentence(position=first.position, last=last.position, seat=first.seat, text=text)


class SentenceBuilder(msgspec.Struct, frozen=True):
    """Tells the orders of a game to those for whom these secret records are open. `names`: of sides and seats."""

    title: Title | None
    names: Game
    seen: Visibility

    def told(self, records: Records) -> OrderSentence | None:
        """An order in its sentence; None where nothing of it may be seen."""
        return order_told(self.title, self.names, records, self.seen)

    def marks(self, records: Records) -> Iterator[int]:
        """The positions of records that may be seen, and are marks that only the rules of the title keep."""
        words = words_of(self.title)
        for one in records:
            if one.event is not None and self.seen.see(one.position, one.visible_to) and is_kept(words, one.event):
                yield one.position


def orders_of(lines: Iterable[bytes], *, whole: bool = True) -> Iterator[Records]:
    """Lines grouped by order, oldest first. `whole`: they begin with an order; else what comes before one is left."""
    group: list[Seen] = []
    for record in map(decode, lines):
        if record.prior is not None:
            if group:
                yield tuple(group)
            group, whole = [], True
        if whole:
            group.append(record)
    if group:
        yield tuple(group)


def newest_orders(ledger: Ledger[Game], game: str, at: int, most: int) -> list[Records]:
    """The newest orders that count at a position, no more than so many, oldest first. Raises as the ledger does."""
    span = AT_FIRST * most
    while True:
        start = max(at - span, 0)
        found = list(orders_of(ledger.branch_bytes(game, at, after=start), whole=not start))
        if len(found) >= most or not start:
            return found[-most:] if most else []
        span *= 4
