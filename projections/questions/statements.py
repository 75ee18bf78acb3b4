"""List the events of a unit and the entries of an account, on the current branch, as a seat may know them."""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.events import AccountChanged
from umpire_ledger.projections.record.event_text import text_of, units_of
from umpire_ledger.projections.tables.order_history import RecordedOrder, placed


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a unit, or a roll about it."""

    position: int
    turn: int
    step: str
    seat: str
    event: str
    text: str
    rule: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One change of an account."""

    position: int
    step: str
    seat: str
    amount: int
    before: int
    after: int
    cause: str
    rule: str


class TurnStatement(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of an account in one turn; turn 0 is before the first."""

    turn: int
    opening: int
    entries: tuple[Entry, ...]
    closing: int


def life(deeds: Iterable[RecordedOrder], unit: str) -> list[Moment]:
    """Return all events of a unit, oldest first; [] for a unit that the seat does not know."""
    return [
        Moment(
            position=position,
            turn=turn,
            step=step,
            seat=deed.seat,
            event=str(event.__struct_config__.tag),
            text=text_of(event),
            rule=event.rule,
        )
        for deed in deeds
        for position, event, turn, step in placed(deed)
        if unit in units_of(event)
    ]


def statement(deeds: Iterable[RecordedOrder], account: str) -> list[TurnStatement]:
    """Return the turns in which an account changed, with the changes; [] for an account that the seat does not know."""
    by_turn: dict[int, list[Entry]] = {}
    for deed in deeds:
        for position, event, turn, step in placed(deed):
            if isinstance(event, AccountChanged) and event.account == account:
                entry = Entry(
                    position=position,
                    step=step,
                    seat=deed.seat,
                    amount=event.amount,
                    before=event.before,
                    after=event.after,
                    cause=event.cause,
                    rule=event.rule,
                )
                by_turn.setdefault(turn, []).append(entry)
    return [
        TurnStatement(turn=turn, opening=entries[0].before, entries=tuple(entries), closing=entries[-1].after)
        for turn, entries in by_turn.items()
    ]
