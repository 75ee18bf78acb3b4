"""Write the orders of a game, each as one sentence that a seat may see, and find the newest orders."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.outcome_phrases import is_kept
from umpire_ledger.projections.record.sentence import sentence
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.seat_visibility import Visibility

Records = tuple[VisibleRecord, ...]
AT_FIRST = 12
"""Assumed number of records per order in the first search for the newest orders; further searches read more."""

_cause = msgspec.json.Decoder(dict[str, Any]).decode


class OrderSentence(msgspec.Struct, frozen=True, kw_only=True):
    """An order in one sentence. `position`, `last`: its first and last record."""

    position: int
    last: int
    seat: str
    text: str


def order_told(title: Title | None, game: Game, records: Records, seen: Visibility) -> OrderSentence | None:
    """Return an order as a sentence; None if nothing of it is visible.

    Args:
        title: The title, for its words.
        game: A game with the names of sides and seats.
        records: All records of the order.
        seen: The secret records that may be used.
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
    """Writes the orders of a game as sentences. `names`: a game with the names of sides and seats.

    `seen`: the secret records that the sentences may use.
    """

    title: Title | None
    names: Game
    seen: Visibility

    def told(self, records: Records) -> OrderSentence | None:
        """Return an order as a sentence; None if nothing of it is visible."""
        return order_told(self.title, self.names, records, self.seen)

    def marks(self, records: Records) -> Iterator[int]:
        """Yield the positions of visible records that set values for the rules only, or withdraw a choice."""
        words = words_of(self.title)
        for one in records:
            if one.event is not None and self.seen.see(one.position, one.visible_to) and is_kept(words, one.event):
                yield one.position


def orders_of(lines: Iterable[bytes], *, whole: bool = True) -> Iterator[Records]:
    """Yield lines grouped by order, oldest first.

    `whole`: whether the lines begin with the start of an order; if False, lines before the first start are skipped.
    """
    group: list[VisibleRecord] = []
    for record in map(decode, lines):
        if record.prior is not None:
            if group:
                yield tuple(group)
            group, whole = [], True
        if whole:
            group.append(record)
    if group:
        yield tuple(group)


def newest_orders(ledger: Ledger[Game], game_id: str, at: int, most: int) -> list[Records]:
    """Return the newest `most` orders that count at a position, oldest first. Errors of the ledger are raised."""
    span = AT_FIRST * most
    while True:
        start = max(at - span, 0)
        found = list(orders_of(ledger.branch_bytes(game_id, at, after=start), whole=not start))
        if len(found) >= most or not start:
            return found[-most:] if most else []
        span *= 4
