"""Decide every order of a recorded game again, with its recorded dice, and compare the events.

A log can be rebuilt without its title, so a rebuild does not notice a changed rule. Here, each order is decided again
on the state before it. The recorded results are given as table dice, because an export contains no seed.
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
"""Orders that are not decided again, because they need the seed, or consist of orders that are recorded separately."""


class DecisionDifference(NamedTuple):
    """An order whose events now differ from the recorded events. `differs`: the first difference."""

    position: int
    order: Mapping[str, Any]
    differs: str


class HistoryAt(LedgerHistory):
    """The history of a game up to an earlier position."""

    def __init__(self, ledger: Ledger[Game], game_id: str, at: int) -> None:
        super().__init__(ledger, game_id)
        self._at = at

    @property
    def tip(self) -> int:
        return self._at

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        return super().newest_first(self._at if at is None else at)


def differences(ledger: Ledger[Game], name: str, title: Title) -> Iterator[DecisionDifference]:
    """Decide the orders of a game again, oldest first, and yield each order whose events differ."""
    title = title.of(ledger.state(name, 1))
    for taken in sorted(LedgerHistory(ledger, name).newest_first(), key=lambda one: one.first):
        raw = msgspec.json.decode(taken.cause) if taken.cause else {}
        if not raw or raw["order"] in NOT_AGAIN or _failed(taken):
            continue
        if differs := _compared(taken, _again(ledger, name, title, taken, raw)):
            yield DecisionDifference(taken.first, raw, differs)


def _failed(taken: PlayedOrder) -> bool:
    """Return whether an order was not carried out after its roll; with table dice, it would be refused instead."""
    return any(isinstance(event, DiceRolled) and event.failed for event in taken.events)


def _again(
    ledger: Ledger[Game], name: str, title: Title, taken: PlayedOrder, raw: Mapping[str, Any]
) -> list[AnyEvent] | str:
    """Decide an order again, and return its events, or the reason why it has none."""
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
    """Return the first difference between recorded and new events, in words; "" if there is none."""
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
    """Return an event without parts that may differ: the reason why a step was passed, and the source of a roll."""
    if isinstance(event, StepPassed | LoopClosed):
        return replace(event, why="")
    if isinstance(event, DiceRolled):  # Rolls in older logs do not name their step.
        return replace(event, source="table", thrown=0, step="", about=())
    return event
