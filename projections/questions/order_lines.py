"""List the audit trail by order: find the records that match a filter, and show each of their orders as a sentence."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.audit_search import AuditLine, Filter, audit_lines, late_of, order_bounds
from umpire_ledger.projections.tables.order_sentences import Records, SentenceBuilder, orders_of
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import UNSEEN

GAP = 200
"""Number of records between two matching records; a larger gap is skipped, a smaller one is read."""


class OrderLine(msgspec.Struct, frozen=True, kw_only=True):
    """An order of the audit trail. `position`, `last`: its first and last record; `text`: the sentence.

    `rules`: the rule numbers of its records, each once; `dice`: its rolls. `order`: the order id; `counts`: whether it
    is on the current branch. `marks`: positions of records that set values for the rules only. `cause`,
    `happened_at`, `witness` and `entered_by` have the same meaning as in `AuditLine`.
    """

    position: int
    last: int
    at: str
    turn: int
    step: str
    seat: str
    text: str
    rules: tuple[str, ...]
    dice: tuple[str, ...]
    cause: dict[str, Any] | None
    counts: bool
    order: str
    happened_at: str
    witness: str
    entered_by: str
    records: tuple[AuditLine, ...]
    marks: tuple[int, ...]


def order_lines(
    ledger: Ledger[Game], following: Follower, game_id: str, seat: str, wanted: Filter, last: int | None = None
) -> list[OrderLine]:
    """Return the orders with a matching record, as a seat may see them, oldest first.

    The read models must be up to date.

    Args:
        last: The largest number of orders; the newest are returned. None: all.
    """
    views = following.connection
    late, teller = late_of(views, game_id, seat), following.teller(game_id, seat)
    fitting = audit_lines(views, game_id, seat, wanted, newest_first=True, late=late)
    commands, positions = _newest(fitting, last)
    found: list[OrderLine] = []
    for first, stop in _runs(positions):
        low, _ = order_bounds(views, game_id, first)
        _, behind = order_bounds(views, game_id, stop)
        high = behind - 1 if behind else ledger.size(game_id)
        everything = Filter(start=low, stop=high, all_lines=True)
        lines = {one.position: one for one in audit_lines(views, game_id, seat, everything, late=late)}
        found += [
            _line(teller, records, [lines[one.position] for one in records])
            for records in orders_of(ledger.lines(game_id, low, high))
            if records[0].command in commands
        ]
    return found


def _newest(fitting: Iterator[AuditLine], most: int | None) -> tuple[set[str], list[int]]:
    """Return the ids of the newest matching orders, and the positions of their matching records, oldest first."""
    commands: set[str] = set()
    positions = []
    for line in fitting:
        if line.order not in commands and len(commands) == most:
            break
        commands.add(line.order)
        positions.append(line.position)
    return commands, positions[::-1]


def _runs(positions: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last position of each stretch to read."""
    first = last = 0
    for position in positions:
        if first and position > last + GAP:
            yield first, last
            first = 0
        first, last = first or position, position
    if first:
        yield first, last


def _line(teller: SentenceBuilder, records: Records, lines: list[AuditLine]) -> OrderLine:
    told, first = teller.told(records), lines[0]
    return OrderLine(
        position=first.position,
        last=lines[-1].position,
        at=first.at,
        turn=first.turn,
        step=first.step,
        seat=first.seat,
        text=told.text if told is not None else UNSEEN,
        rules=tuple(dict.fromkeys(one.rule for one in lines if one.rule)),
        dice=tuple(one.dice for one in lines if one.dice),
        cause=next((one.cause for one in lines if one.cause), None),
        counts=first.counts,
        order=first.order,
        happened_at=first.happened_at,
        witness=first.witness,
        entered_by=next((one.entered_by for one in lines if one.entered_by), ""),
        records=tuple(lines),
        marks=tuple(teller.marks(records)),
    )
