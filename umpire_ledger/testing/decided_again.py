"""Decide every order of a recorded game again, with its recorded dice, and compare the events.

A log folds without its title, so a changed rule does not show there. Each order is decided on the state before it, with
the recorded results given as dice of the table, because an export holds no seed.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, LoopClosed, StepPassed
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.domain.history.history import PlayedOrder
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.testing.examples import error_text, text_of

NOT_AGAIN = ("open-dice", "amend", "amending")
"""Orders that need the seed, or that are many orders, each of which is recorded with its own words."""


class DecisionDifference(NamedTuple):
    """An order that brings about other events today. `differs`: the first of them."""

    position: int
    order: Mapping[str, Any]
    differs: str


class HistoryAt(LedgerHistory):
    """The history as it was at a position, which is not the last one of the ledger."""

    def __init__(self, ledger: Ledger[Game], game_id: str, at: int) -> None:
        super().__init__(ledger, game_id)
        self._at = at

    @property
    def tip(self) -> int:
        return self._at

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        return super().newest_first(self._at if at is None else at)


def differences(ledger: Ledger[Game], name: str, title: Title) -> Iterator[DecisionDifference]:
    """Decide the orders of a game again, the oldest first; each order whose events differ."""
    title = title.of(ledger.state(name, 1))
    for taken in sorted(LedgerHistory(ledger, name).newest_first(), key=lambda one: one.first):
        raw = msgspec.json.decode(taken.cause) if taken.cause else {}
        if not raw or raw["order"] in NOT_AGAIN or _failed(taken):
            continue
        if differs := _compared(taken, _again(ledger, name, title, taken, raw)):
            yield DecisionDifference(taken.first, raw, differs)


def _failed(taken: PlayedOrder) -> bool:
    """Return whether only the roll of an order is recorded; with dice of the table it is refused instead."""
    return any(isinstance(event, DiceRolled) and event.failed for event in taken.events)


def _again(
    ledger: Ledger[Game], name: str, title: Title, taken: PlayedOrder, raw: Mapping[str, Any]
) -> list[AnyEvent] | str:
    """Return the events of an order today, or the reason why there are none."""
    before = replace(ledger.state(name, taken.first - 1), dice="table")
    try:
        sent = read_order(title, {key: value for key, value in raw.items() if key != "pips"})
        sent = replace(sent, pips=_pips(taken))
        return list(events_of(decide(title, before, sent, HistoryAt(ledger, name, taken.first - 1)).told))
    except Exception as error:
        return error_text(error)


def _pips(taken: PlayedOrder) -> tuple[int, ...]:
    """Return the dice results of an order, except those that it reused from an abandoned branch."""
    rolls = (event for event in taken.events if isinstance(event, DiceRolled) and not event.kept)
    return tuple(pip for roll in rolls for pip in roll.pips)


def _compared(taken: PlayedOrder, again: list[AnyEvent] | str) -> str:
    """Return the first event that differs in words; "" if none does."""
    if isinstance(again, str):
        return f"today {again}"
    recorded, today = list(map(_comparable, taken.events)), list(map(_comparable, again))
    if recorded == today:
        return ""
    pairs = zip(recorded, today, strict=False)
    one, other = next(
        ((a, b) for a, b in pairs if a != b), (counted(len(recorded), "event"), counted(len(today), "event"))
    )
    return f"recorded {_words(one)}, today {_words(other)}"


def _words(one: AnyEvent | str) -> str:
    return one if isinstance(one, str) else text_of(one)


def _comparable(event: AnyEvent) -> AnyEvent:
    """Return the event without the words of a guard, which may be edited, and without the source of a roll."""
    if isinstance(event, StepPassed | LoopClosed):
        return replace(event, why="")
    if isinstance(event, DiceRolled):  # a roll of an older log does not name its step
        return replace(event, source="table", thrown=0, step="", about=())
    return event
