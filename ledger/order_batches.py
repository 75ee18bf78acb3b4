"""Convert an order to its records, and back again.

An order is a request of one seat at one moment. Its records share seat, time and order id and are written together. The
first one contains the root over all earlier records (`prior`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.ledger.merkle.tree import CompactRange
from umpire_ledger.ledger.records.errors import CannotBeWritten
from umpire_ledger.ledger.records.record import NOTHING, Draft, Record, check_name, check_object


class PendingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """One order of several that are recorded together."""

    seat: str
    command: str
    drafts: Sequence[Draft]
    state: Any = None
    """The caller's state after the order, if the caller has it."""
    at: str | None = None
    """The time at which the order was first recorded, which a copy keeps; None for now."""


def write_down(
    game_id: str, edge: CompactRange, order: PendingOrder, clock: Callable[[], datetime]
) -> tuple[Record, ...]:
    """Return the records of an order after `edge`, with new salts.

    Raises:
        CannotBeWritten: The format cannot hold the order.
    """
    check_order(game_id, edge.size + 1, order)
    at = order.at or timestamp(clock())
    prior = edge.root().hex()
    salts = os.urandom(16 * len(order.drafts)).hex()
    where = f"{game_id} #{edge.size + 1}"
    return tuple(
        Record(
            position=edge.size + 1 + index,
            at=at,
            seat=order.seat,
            command=order.command,
            prior=None if index else prior,
            follows=follows_of(draft, edge.size + 1 + index, where),
            visible_to=draft.visible_to,
            salt=salts[32 * index : 32 * index + 32],
            cause=json_object(draft.cause, "cause", where),
            event=json_object(draft.event, "event", where),
        )
        for index, draft in enumerate(order.drafts)
    )


def check_order(game_id: str, position: int, order: PendingOrder) -> None:
    """Check the names, the number of events and the cause of an order.

    Raises:
        CannotBeWritten: A name is not text, or there is no event, or there is more than one cause.
    """
    where = f"{game_id} #{position}"
    check_name(order.seat, "seat", where)
    check_name(order.command, "command id", where)
    for draft in order.drafts:
        for seat in draft.visible_to or ():
            check_name(seat, "seat", where)
    if not order.drafts:
        raise CannotBeWritten("an order without events", where=where, remedy="record at least one event")
    if sum(draft.cause is not None for draft in order.drafts) > 1:
        raise CannotBeWritten("an order with two causes", where=where, remedy="give the cause with one draft only")


def timestamp(moment: datetime) -> str:
    """Return a time in UTC, with microseconds and Z. A naive time is refused, because its zone is unknown."""
    if moment.tzinfo is None:
        raise ValueError("the clock must give times with a zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def json_object(raw: bytes | None, name: str, where: str) -> Raw:
    """Return the bytes unchanged after checking that they are a JSON object."""
    if raw is None:
        return NOTHING
    check_object(raw, name, where)
    return Raw(raw)


def follows_of(draft: Draft, position: int, where: str) -> int | None:
    """Return `follows` as the record has it: None if the record continues its predecessor."""
    follows = draft.follows
    if follows is None or follows == position - 1:
        return None
    if not 0 <= follows < position:
        raise CannotBeWritten(
            f"#{position} cannot follow #{follows}", where=where, remedy=f"give a position from 0 to {position - 1}"
        )
    return follows


def orders_of(game_id: str, records: Iterable[Record]) -> Iterator[PendingOrder]:
    """Yield recorded orders in the form in which they can be recorded again.

    Raises:
        CannotBeWritten: A record is redacted.
    """
    order: list[Record] = []
    for record in records:
        if record.redacted:
            raise CannotBeWritten(
                f"#{record.position} is redacted and cannot be copied",
                where=f"{game_id} #{record.position}",
                remedy="copy from a ledger that has the whole record",
            )
        if record.prior is not None and order:
            yield order_of(order)
            order = []
        order.append(record)
    if order:
        yield order_of(order)


def order_of(records: Sequence[Record]) -> PendingOrder:
    """Return one recorded order in the form in which it can be recorded again."""
    first = records[0]
    drafts = [
        Draft(
            event=bytes(record.event),
            visible_to=record.visible_to,
            follows=record.follows,
            cause=bytes(record.cause) if record.cause else None,
        )
        for record in records
    ]
    return PendingOrder(seat=first.seat, command=first.command, drafts=drafts, at=first.at)


def batches(orders: Iterable[PendingOrder], size: int) -> Iterator[list[PendingOrder]]:
    """Yield lists of up to `size` orders."""
    batch: list[PendingOrder] = []
    for order in orders:
        batch.append(order)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
