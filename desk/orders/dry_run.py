"""Decide orders without recording them, with dice from another seed than the game's.

A dry run shows how the rules decide an order, but reveals nothing about the ledger's next rolls.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.orders.sessions import signature_check
from umpire_ledger.desk.orders.typo_check import typo_error
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import Amend, Amending, looks_back
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.domain.history.end_of_game_reveal import verify_may_try
from umpire_ledger.domain.history.history import History, PlayedOrder
from umpire_ledger.domain.play.amend import Amended
from umpire_ledger.ledger.ledger import Ledger

SEED = "00" * 32
"""The public seed of dry runs, so that the same dry run shows the same dice."""


def rehearsed(game: Game) -> Game:
    """Return the game with the seed of dry runs; a game without a seed stays as it is."""
    return replace(game, seed=SEED) if game.seed else game


def throws(events: Iterable[AnyEvent]) -> bool:
    """Return whether the ledger rolled dice in these events; reused rolls are the game's own."""
    return any(isinstance(one, DiceRolled) and one.source == "ledger" and not one.kept for one in events)


class DryRunHistory:
    """A `domain.history.history.History` whose states roll the dice of dry runs."""

    def __init__(self, history: History) -> None:
        self._history = history

    @property
    def tip(self) -> int:
        return self._history.tip

    @property
    def memo(self) -> MutableMapping[Any, Any]:
        return self._history.memo

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        return self._history.newest_first(at)

    def order_at(self, position: int) -> tuple[int, int]:
        return self._history.order_at(position)

    def state(self, position: int) -> Game:
        return rehearsed(self._history.state(position))

    def said(self) -> Iterator[AnyEvent]:
        return self._history.said()

    def opened(self) -> Iterator[str]:
        return self._history.opened()


class Rehearsal(GameSession):
    """A session with the dice of dry runs. `has_thrown`: whether an order rolled dice."""

    has_thrown = False

    def __init__(self, ledger: Ledger[Game], game_id: str, *, batch: int = 1) -> None:
        signatures = signature_check(ledger, game_id)
        super().__init__(ledger, game_id, typo_check=typo_error, signatures=signatures, batch=batch)

    def _first_of_copy(self) -> None:
        """Return None, because a dry run records nothing and rolls none of the game's dice."""

    def _decide(self, sent: Sent) -> Decision:
        verify_may_try(self.game, sent.order.seat, sent.hand)
        decision = self._finding_nothing(sent, rehearsed(self.game))
        self.has_thrown = self.has_thrown or throws(events_of(decision.told))
        return decision

    def _finding_nothing(self, sent: Sent, game: Game) -> Decision:
        """Decide an order without the hidden facts that its seat does not know, so that a search finds nothing."""
        seat = sent.order.seat
        if seat == REFEREE or looks_back(sent.order):
            return self._decided(sent, game, DryRunHistory(self._history))
        seen = known_to(game, seat).hidden
        unseen = {name: one for name, one in game.hidden.items() if name not in seen}
        decision = self._decided(sent, replace(game, hidden=seen), DryRunHistory(self._history))
        return replace(decision, game=replace(decision.game, hidden={**unseen, **decision.game.hidden}))

    def _with_signature(self, sent: Sent, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the order as it is, because a dry run needs no signature."""
        return raw

    def amendment(self, order: Amend | Amending, raw: Mapping[str, Any]) -> Amended:
        self.flush()
        if set(order.given) - {"pips"}:
            verify_may_try(self.game, str(order.given.get("as", "")) or self._seat_at(order), order.seat)
        amended = self._amended(order, raw, rehearsed(self.game), DryRunHistory(self._history))
        told = (one.decision.told for one in amended.orders)
        self.has_thrown = self.has_thrown or any(throws(events_of(one)) for one in told)
        return amended

    def _seat_at(self, order: Amend | Amending) -> str:
        """Return the seat of the order that an amendment replaces, or at which the amendment stopped."""
        if isinstance(order, Amending):
            return self.game.amending.seat if self.game.amending else ""
        _, last = self._history.order_at(order.at)
        return next(self._history.newest_first(last)).seat if last else ""
