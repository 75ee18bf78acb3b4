"""Emit events: record each, check it against the current game, and apply it at once."""

from collections.abc import Callable
from typing import Any, Self

from umpire_ledger.domain.flow.queries import evaluate, why
from umpire_ledger.domain.game.cursor import OpenStep
from umpire_ledger.domain.game.events import AnyEvent, RestrictedEvent
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.transition_rules import transition_error
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.kit.title_errors import untrue
from umpire_ledger.domain.sequence.conditions import Condition


class EventEmitter:
    """The result of an order so far: its events in `told`, and the game after them.

    `decision`: the function that emits the current events; None for the sequence of play itself.
    """

    def __init__(self, title: Title, game: Game) -> None:
        self.title = title
        self.plan = title.plan
        self.game = game
        self.told: list[AnyEvent | RestrictedEvent] = []
        self.decision: Callable[..., Any] | None = None

    def copy(self) -> Self:
        """Return a copy with the same events, for a trial that does not change this one."""
        other = type(self)(self.title, self.game)
        other.told = list(self.told)
        return other

    def emit(self, event: AnyEvent | RestrictedEvent) -> None:
        """Record an event and apply it.

        Raises:
            TitleFault: The event is not valid in the current game, or cannot be applied to it.
        """
        bare = event.event if isinstance(event, RestrictedEvent) else event
        if why := transition_error(self.game, bare):
            raise untrue(self.title.id, self.game, self.decision, bare, why)
        try:
            self.game = evolve(self.game, bare)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise untrue(self.title.id, self.game, self.decision, bare, f"it cannot be applied: {error}") from error
        self.told.append(event)

    def holds(self, condition: Condition | None, side: str = "", step: str = "") -> bool:
        """Return whether a condition holds now; a missing condition (None) always holds."""
        return condition is None or evaluate(self.title, self.game, condition, side, step)

    def why(self, condition: Condition) -> str:
        """Return the reason why a condition holds now, or does not, in words."""
        return why(self.title, self.game, condition)

    def open(self, step: str) -> OpenStep:
        """Return an open step by its id."""
        one = self.game.cursor.opened(step)
        assert one is not None
        return one
