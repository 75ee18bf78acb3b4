"""Decide a past order again, in the state before it or in a hypothetical one.

Nothing is recorded and no dice are rolled: the dice results are those of the record. Only orders of play can be decided
again; orders that read the log need more than a game.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.access_tracking import track_access
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import (
    AccountChanged,
    AnyEvent,
    DiceRolled,
    LoopClosed,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitRemoved,
)
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.state_facts import Fact
from umpire_ledger.domain.history.history import PlayedOrder
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import DECIDES, decide

UNDECIDED = (
    *(DomainError, msgspec.MsgspecError, AssertionError, LookupError, TypeError, ValueError, AttributeError),
    *(RuntimeError, ArithmeticError),
)
"""Errors of an order that cannot be decided in a game in which it was never given."""

WORDS = ("cause", "name", "why")
"""Texts for people among the fields of events other than dice."""


class OrderAgain:
    """One order with its recorded dice results."""

    def __init__(self, title: Title, sent: Sent) -> None:
        self._title = title
        self._sent = sent

    def events(self, game: Game) -> tuple[AnyEvent, ...]:
        """Return the events of the order, each normalized by `alike`; () if it cannot be carried out."""
        try:
            decision = decide(self._title, _with_these_pips(game), self._sent, EmptyHistory())
        except UNDECIDED:
            return ()
        return tuple(map(alike, events_of(decision.told)))

    def thrown(self, pips: tuple[int, ...]) -> "OrderAgain":
        """Return the same order with other dice results."""
        return OrderAgain(self._title, replace(self._sent, pips=pips))

    def asked(self, game: Game) -> tuple[tuple[AnyEvent, ...], tuple[Fact, ...]]:
        """Return the events of the order, and the facts that its decision reads."""
        watching = track_access(game)
        return self.events(watching), watching.book.facts


def order_again(title: Title, cause: Mapping[str, Any], events: Iterable[AnyEvent]) -> OrderAgain | None:
    """Return an order from its recorded arguments and events; None if it is not an order of play."""
    words = {name: value for name, value in cause.items() if name not in ("pips", "entered_by")}
    try:
        sent = read_order(title, words)
    except UNDECIDED:
        return None
    if type(sent.order) in DECIDES:
        return None
    return OrderAgain(title, replace(sent, pips=tuple(_pips(events))))


def _pips(events: Iterable[AnyEvent]) -> Iterator[int]:
    for event in events:
        yield from event.pips if isinstance(event, DiceRolled) else ()


def _with_these_pips(game: Game) -> Game:
    """Return the game with table dice and without reuse, so that the recorded results apply."""
    return replace(game, dice="table", keep=None)


def alike(event: AnyEvent) -> AnyEvent:
    """Return an event without details that may differ for the same action: the source of dice, the value before a
    change.
    """
    match event:
        case DiceRolled():
            return replace(event, roll=0, source="table", kept=0, thrown=0, step="", about=())
        case UnitChanged() | MarkerSet():
            return replace(event, before=None)
        case AccountChanged():
            return replace(event, before=0, after=0)
        case UnitRemoved():
            return replace(event, at="")
        case StepPassed() | LoopClosed():
            return replace(event, why="")
        case _:
            return event


def without_words(event: AnyEvent) -> AnyEvent:
    """Return an event without its texts, which another version of the program may word differently."""
    if isinstance(event, DiceRolled):
        bare = tuple(replace(one, source="") for one in event.modifiers)
        return replace(event, purpose="", needed="", outcome="", modifiers=bare)
    return replace(event, **{name: "" for name in WORDS if name in event.__struct_fields__})


class EmptyHistory:
    """A history without records. Orders of play do not read it if no dice are reused."""

    tip = 0

    def __init__(self) -> None:
        self.memo: MutableMapping[Any, Any] = {}

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        return iter(())

    def order_at(self, position: int) -> tuple[int, int]:
        return 0, 0

    def state(self, position: int) -> Game:
        return Game()

    def said(self) -> Iterator[AnyEvent]:
        return iter(())

    def opened(self) -> Iterator[str]:
        return iter(())
