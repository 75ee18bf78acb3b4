"""Explain a record: its order, seat, step and rule, the records it depended on, and those that depend on it."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import AnyEvent, PlayRewound
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import NoSuchRecord
from umpire_ledger.projections.questions.dependency.model import Cause, Dependent
from umpire_ledger.projections.questions.dependency.queries import KnownAt, Telling, causes, dependents, dependents_in
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import decode
from umpire_ledger.projections.tables.order_history import RecordedOrder, orders_on_branch
from umpire_ledger.projections.tables.views_file import HIDDEN, UNSEEN


class RecordText(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a record; for a hidden record, a note that it is hidden."""

    position: int
    event: str
    text: str
    rule: str


class DependentOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order that depends on a record, and the reason.

    `positions`: the records that would be missing; if found by last touch, all records of the order. `degree`: 1 if the
    order depends on the record directly, 2 if it depends on such an order, and so on.
    """

    positions: tuple[int, ...]
    seat: str
    turn: int
    step: str
    order: str
    text: tuple[str, ...]
    why: tuple[str, ...]
    degree: int
    found_by: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Explanation of one record. `beside`: the other records of its order; `counts`: whether it still counts.

    `sentence`: the order and its results, limited to what the seat may see. `found_by`: the method that found
    `built_on`, deciding the order again or last touch. `because`: the reason for using last touch, or "".
    """

    position: int
    at: str
    seat: str
    counts: bool
    record: RecordText
    order: dict[str, Any]
    sentence: str
    turn: int
    step: str
    where: str
    beside: tuple[RecordText, ...]
    built_on: tuple[Cause, ...]
    found_by: str
    because: str
    led_to: tuple[DependentOrder, ...]


def why(ledger: Ledger[Game], game_id: str, seat: str, position: int, title: Title | None = None) -> Explanation:
    """Explain one record, as a seat may know it; with the game's title, its order is decided again.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    tip = tip_with(ledger, game_id, position)
    along = list(orders_on_branch(ledger, game_id, seat, tip))
    deed = next(one for one in along if one.first <= position <= one.last)
    record = next(one for one in deed.records if one.position == position)
    names = ledger.state(game_id)
    built = causes(along, position, title, names)
    return Explanation(
        position=position,
        at=record.at,
        seat=record.seat,
        counts=tip == ledger.size(game_id),
        record=said(position, record.event),
        order=deed.cause,
        sentence=Telling(title, names).of(deed),
        turn=deed.turn,
        step=deed.step,
        where=deed.where,
        beside=tuple(said(one.position, one.event) for one in deed.records if one.position != position),
        built_on=built.causes,
        found_by=built.found_by,
        because=built.because,
        led_to=tuple(listed(dependents(along, (position,), title, direct=True))),
    )


def said(position: int, event: AnyEvent | None) -> RecordText:
    """Return a record as text."""
    if event is None:
        return RecordText(position=position, event=HIDDEN, text=UNSEEN, rule="")
    return RecordText(position=position, event=str(event.__struct_config__.tag), text=text_of(event), rule=event.rule)


def tip_with(ledger: Ledger[Game], game_id: str, position: int) -> int:
    """Return the tip of the branch with a position: the current branch, or the branch that the first rewind abandoned.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    size = ledger.size(game_id)
    if position in ledger.branch(game_id):
        return size
    if not 1 <= position <= size:
        raise NoSuchRecord(game=game_id, position=position, size=size)
    for line in ledger.lines_with(game_id, b'"type":"play.rewound"'):
        record = decode(line)
        event = record.event
        if (
            record.position > position
            and isinstance(event, PlayRewound)
            and position in ledger.branch(game_id, event.tip)
        ):
            return event.tip
    return position


def depending(
    ledger: Ledger[Game],
    game_id: str,
    seat: str,
    contested: Collection[int],
    title: Title | None = None,
    known_at: KnownAt | None = None,
) -> list[DependentOrder]:
    """Return the orders that depend on records, on the current branch and on the branch of the newest of the records.

    Args:
        known_at: Returns the game as the seat knew it. With it, only records from the first contested order on are
            read.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    tips = {tip_with(ledger, game_id, max(contested)), ledger.size(game_id)}
    asked = (dependents_in(ledger, game_id, seat, contested, title, at=tip, known_at=known_at) for tip in tips)
    found = [one for some in asked for one in listed(some)]
    return sorted({one.positions: one for one in found}.values(), key=lambda one: one.positions)


def listed(found: Iterable[Dependent]) -> list[DependentOrder]:
    """Return dependent orders with their texts."""
    return [_listed(one.deed, one) for one in found]


def _listed(deed: RecordedOrder, dependent: Dependent) -> DependentOrder:
    events = dict(deed.events)
    return DependentOrder(
        positions=dependent.positions,
        seat=deed.seat,
        turn=deed.turn,
        step=deed.step,
        order=deed.order,
        text=tuple(text_of(events[position]) for position in dependent.positions if position in events),
        why=tuple(reason.text for reason in dependent.why),
        degree=dependent.degree,
        found_by=dependent.found_by,
    )
