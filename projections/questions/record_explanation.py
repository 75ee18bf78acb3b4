"""Why a record is there: the order, who gave it, under which step and rule, what it built on, what it led to."""

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
    """A record in words; what the seat may not see says so."""

    position: int
    event: str
    text: str
    rule: str


class DependentOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order that depends on a record, and why it is listed. `degree`: 1 directly, 2 on one that does, and so on.

    `positions`: of the records that would not have come about; by last touch all that the order wrote.
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
    """Everything about one record. `beside`: the other records of its order; `counts`: not rewound.

    `sentence`: what was ordered and what came of it, as far as the seat may see it.

    `found_by`: how `built_on` was found, by deciding the order again or by last touch, and then `because`: why not.
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


def why(ledger: Ledger[Game], game: str, seat: str, position: int, title: Title | None = None) -> Explanation:
    """The answer for one record, as a seat may know it; with the game's title its order is decided again.

    Raises NoSuchGame, NoSuchRecord.
    """
    tip = tip_with(ledger, game, position)
    along = list(orders_on_branch(ledger, game, seat, tip))
    deed = next(one for one in along if one.first <= position <= one.last)
    record = next(one for one in deed.records if one.position == position)
    names = ledger.state(game)
    built = causes(along, position, title, names)
    return Explanation(
        position=position,
        at=record.at,
        seat=record.seat,
        counts=tip == ledger.size(game),
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
    """A record in words."""
    if event is None:
        return RecordText(position=position, event=HIDDEN, text=UNSEEN, rule="")
    return RecordText(position=position, event=str(event.__struct_config__.tag), text=text_of(event), rule=event.rule)


def tip_with(ledger: Ledger[Game], game: str, position: int) -> int:
    """The end of the line on which a position is: the present one, or the one that was left when it was abandoned.

    Raises NoSuchGame, NoSuchRecord.
    """
    size = ledger.size(game)
    if position in ledger.branch(game):
        return size
    if not 1 <= position <= size:
        raise NoSuchRecord(game=game, position=position, size=size)
    for line in ledger.lines_with(game, b'"type":"play.rewound"'):
        record = decode(line)
        event = record.event
        if record.position > position and isinstance(event, PlayRewound) and position in ledger.branch(game, event.tip):
            return event.tip
    return position


def depending(
    ledger: Ledger[Game],
    game: str,
    seat: str,
    contested: Collection[int],
    title: Title | None = None,
    known_at: KnownAt | None = None,
) -> list[DependentOrder]:
    """What depends on records, on the line of the newest of them and on the present one.

    `known_at`: the game as the seat knew it; then nothing before the first of them is read. Raises NoSuchGame,
    NoSuchRecord.
    """
    tips = {tip_with(ledger, game, max(contested)), ledger.size(game)}
    asked = (dependents_in(ledger, game, seat, contested, title, at=tip, known_at=known_at) for tip in tips)
    found = [one for some in asked for one in listed(some)]
    return sorted({one.positions: one for one in found}.values(), key=lambda one: one.positions)


def listed(found: Iterable[Dependent]) -> list[DependentOrder]:
    """Dependent orders in words."""
    return [_listed(one.deed, one) for one in found]


def _listed(deed: RecordedOrder, one: Dependent) -> DependentOrder:
    events = dict(deed.events)
    return DependentOrder(
        positions=one.positions,
        seat=deed.seat,
        turn=deed.turn,
        step=deed.step,
        order=deed.order,
        text=tuple(text_of(events[position]) for position in one.positions if position in events),
        why=tuple(reason.text for reason in one.why),
        degree=one.degree,
        found_by=one.found_by,
    )
