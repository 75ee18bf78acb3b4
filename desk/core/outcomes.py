"""Report the result of an order as its seat may see it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import event_of, find_title_of, place_words
from umpire_ledger.desk.core.dice_use import DiceUse, reused_in
from umpire_ledger.desk.core.failed_orders import Failure, failure_in
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.events import (
    AnyEvent,
    DiceRolled,
    PlayRewound,
    RestrictedEvent,
    SideDone,
    StepClosed,
    StepPassed,
)
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.play.amend import Amended, RemainingOrder, words_seen
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.sentence import sentence
from umpire_ledger.projections.tables.seat_visibility import sees

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class SeenRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record that a seat may see."""

    position: int
    """Number of the record in the log."""
    at: str
    """Time, UTC, RFC 3339."""
    seat: str
    """The seat that gave its order."""
    text: str
    """The event in words."""
    event: AnyEvent | None
    """The typed event; None if this copy of the log withholds the record."""
    command: str = ""
    """Id of the order that caused it."""
    visible_to: tuple[str, ...] | None = None
    """Seats that may see it; None for all."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """The first order that no longer applies when a branch is re-played, with its refusal as in `Problem`."""

    position: int
    seat: str
    order: Mapping[str, Any]
    what: str
    where: str
    rule: str
    remedy: str
    refusal_code: str
    fields: Mapping[str, Any]


class AmendedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order of an amendment. `of`: the position of the order that it repeats, 0 for a new one.

    `carried_out`: False for an order that failed after its roll, when only the roll is recorded.
    """

    of: int
    seat: str
    order: Mapping[str, Any]
    carried_out: bool = True


class LeftOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A remaining order of an amendment: its position and its words.

    `closed`: the referee may not read its words, so `order` has only the name of the order.
    """

    position: int
    seat: str
    order: Mapping[str, Any]
    closed: bool = False


class Amendment(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an amendment, recorded or tried."""

    at: int
    """Position of the amended order, or of the order at which the amendment had stopped."""
    orders: tuple[AmendedOrder, ...]
    """The orders after it on the new branch, in order."""
    stopped: Conflict | None
    """The order at which it stopped; None if it did not stop."""
    left: int
    """Number of orders after the one at which it stopped."""
    where: str
    """The step of play after the amendment."""
    rest: tuple[LeftOrder, ...] = ()
    """The order at which it stopped and those after it, as given."""
    other_dice: bool = False
    """Whether it was a dry run with other dice than the game's."""
    dice: DiceUse | None = None
    """Its dice policy and the reused old rolls."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an order."""

    game: str
    """Id of the game."""
    seat: str
    """The seat that gave the order."""
    command: str
    """Id of the order."""
    records: tuple[SeenRecord, ...]
    """The records of the order that the seat may see."""
    position: int
    """Position of the game's last record."""
    where: str
    """The current step."""
    ended: str = ""
    """The reason why the game has ended, or ""."""
    repeated: bool = False
    """Whether the order id was known, so that nothing was written again."""
    amendment: Amendment | None = None
    """The result of an amendment; None for any other order."""
    left: tuple[str, ...] = ()
    """For `done` with `until` or `rest`: the steps that it ended."""
    stopped: str = ""
    """For `done` with `until` or `rest`: the reason why it stopped."""
    forfeited: tuple[str, ...] = ()
    """The actions that its side forfeited in those steps, each with its step."""
    told: tuple[str, ...] = ()
    """A sentence for each order and its result; an amendment has several. Empty if the seat may see nothing."""
    dice: DiceUse | None = None
    """For an order that goes back: its dice policy and the reused old rolls; the same is in `told`."""
    carried_out: bool = True
    """False for an order that failed after its roll, when only the roll is recorded."""
    refused: str = ""
    """The refusal, if a rule refused the order after its roll; else ""."""
    fault: str = ""
    """The fault, if the title failed after the roll; else ""."""

    def verify_carried_out(self) -> None:
        """Raise an error for an order that was not carried out.

        Raises:
            RuleViolation: A rule refused it after its roll.
            TitleFault: Its title was at fault after its roll.
        """
        if not self.carried_out:
            raise Failure(refused=self.refused, fault=self.fault).error(self.where)


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """The unfiltered result of an order: all records and the whole game. For the application layer only."""

    records: tuple[Record, ...]
    game: Game
    repeated: bool = False
    amended: Amended | None = None
    stopped: str = ""
    forfeited: tuple[str, ...] = ()
    failure: Failure | None = None


def outcome_for(seat: str, game_id: str, recorded: Recorded) -> Outcome:
    """Return the result of an order as a seat may see it."""
    last = recorded.records[-1]
    seen = tuple(seen_records(recorded.records, recorded.game, seat))
    failure = _failure(recorded, seat)
    return Outcome(
        game=game_id,
        seat=seat,
        command=recorded.records[0].command,
        records=seen,
        position=last.position,
        where=place_words(recorded.game),
        ended=recorded.game.ended,
        repeated=recorded.repeated,
        amendment=amendment_of(recorded.amended) if recorded.amended else None,
        left=_left(seen) if recorded.stopped else (),
        stopped=recorded.stopped,
        forfeited=recorded.forfeited,
        told=(*_sentences(recorded, seen), *_still_waiting(recorded.game)),
        carried_out=failure is None,
        refused=failure.refused if failure else "",
        fault=failure.fault if failure else "",
    )


def _still_waiting(game: Game) -> Iterator[str]:
    """Yield a sentence about an order that waits for its dice although every share is there: it was not carried out."""
    if game.awaits_dice and not awaited(game):
        whose = f"the order of {game.awaits_dice} that waits for its dice"
        yield f"all dice shares are given, but {whose} failed: repeat that order, or ask the referee to rewind"


def _failure(recorded: Recorded, seat: str) -> Failure | None:
    """Return why the first of these orders was not carried out, as the seat may see it; None if it was."""
    rolls = (
        (event, sees(recorded.game, seat, record.position, record.visible_to))
        for record in recorded.records
        if record.command == recorded.records[0].command and b'"failed"' in bytes(record.event or b"")
        if isinstance(event := event_of(record), DiceRolled)
    )
    return failure_in(rolls)


def _sentences(recorded: Recorded, seen: Iterable[SeenRecord]) -> Iterator[str]:
    """Yield a sentence for each order, from the records that the seat sees."""
    events = {record.position: record.event for record in seen}
    order: list[Record] = []
    for record in (*recorded.records, None):
        if order and (record is None or record.command != order[0].command):
            mine = [one for one in order if one.position in events]
            cause = next((bytes(one.cause) for one in mine if one.cause), b"{}")
            told = [event for one in mine if (event := events[one.position]) is not None]
            title = find_title_of(recorded.game)
            if text := sentence(title, recorded.game, order[0].seat, _decode(cause), told):
                yield text
            order = []
        order += [record] if record is not None else []


def _left(seen: Iterable[SeenRecord]) -> tuple[str, ...]:
    """Return the ended and passed steps, in order."""
    events = (record.event for record in seen)
    return tuple(event.step for event in events if isinstance(event, StepClosed | StepPassed | SideDone))


def seen_records(records: Iterable[Record], game: Game, seat: str) -> Iterable[SeenRecord]:
    """Yield the records that a seat may see. `game` need only have the public state."""
    for record in records:
        if sees(game, seat, record.position, record.visible_to):
            event = event_of(record)
            yield SeenRecord(
                position=record.position,
                at=record.at,
                seat=record.seat,
                text="withheld" if event is None else text_of(event),
                event=event,
                command=record.command,
                visible_to=record.visible_to,
            )


def amendment_of(amended: Amended, *, other_dice: bool = False) -> Amendment:
    """Return an amendment as plain data."""
    stop = amended.stop
    return Amendment(
        at=amended.at,
        orders=tuple(
            AmendedOrder(
                of=one.of,
                seat=one.seat,
                order=dict(words_seen(amended.game, one)),
                carried_out=one.decision.failure is None,
            )
            for one in amended.orders[1:]
        ),
        stopped=None
        if stop is None
        else Conflict(
            position=stop.position,
            seat=stop.seat,
            order=dict(stop.raw),
            what=stop.refusal.what,
            where=stop.refusal.where,
            rule=stop.refusal.rule,
            remedy=stop.refusal.remedy,
            refusal_code=stop.refusal.code,
            fields=stop.refusal.fields,
        ),
        left=max(len(amended.rest) - 1, 0),
        where=place_words(amended.game),
        rest=left_orders(amended.rest),
        other_dice=other_dice,
        dice=_dice_of(amended),
    )


def _dice_of(amended: Amended) -> DiceUse | None:
    """Return the dice policy that an amendment sets, and the public old rolls that it reuses.

    Return None if the amendment continues an older one, whose policy is in the log.
    """
    told = [event for one in amended.orders for event in one.decision.told]
    back = next((event for event in told if isinstance(event, PlayRewound) and event.kind == "amend"), None)
    public = (event for event in told if not isinstance(event, RestrictedEvent))
    return None if back is None else DiceUse(policy=back.dice, reused=reused_in(public))


def left_orders(left: Iterable[RemainingOrder]) -> tuple[LeftOrder, ...]:
    """Return remaining orders as plain data."""
    return tuple(
        LeftOrder(position=one.position, seat=one.seat, order=dict(one.raw), closed=one.closed) for one in left
    )
