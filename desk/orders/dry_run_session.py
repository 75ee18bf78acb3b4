"""Try several orders without recording them, each decided after the one before.

The dice are those of a dry run. Most orders need only the state of the game and its history, and take the same time as
when they are recorded. Orders that read the log itself, such as an undo, are tried on a log in memory (`Ledger.tried`).
"""

from collections.abc import Mapping
from typing import Any

from umpire_ledger.desk.core.adapters import LedgerHistory, place_words
from umpire_ledger.desk.core.failed_orders import failure_of
from umpire_ledger.desk.core.order_ids import OrderIdUsed, words_of
from umpire_ledger.desk.core.outcomes import Recorded
from umpire_ledger.desk.orders.dry_run import Rehearsal
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import Order, looks_back
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.play.amend import Replayed, ReplayHistory
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Draft
from umpire_ledger.ledger.writing import OrderRecords


class NeedsRecordedHistory(Exception):
    """The order reads the log itself, to which a dry run writes nothing."""


class DryRunSession(Rehearsal):
    """A dry run of a game; the ledger stays unchanged.

    The errors are those of a GameSession, and NeedsRecordedHistory.
    """

    def __init__(self, ledger: Ledger[Game], game_id: str) -> None:
        super().__init__(ledger, game_id)
        self._onward = ReplayHistory(LedgerHistory(ledger, game_id), self.size)
        self._history = self._onward
        self._tried: dict[str, tuple[Mapping[str, Any], Recorded]] = {}

    def _answer(self, raw: Mapping[str, Any]) -> Recorded | None:
        known = self._tried.get(str(raw.get("id") or ""))
        if known is None:
            return super()._answer(raw)
        words, recorded = known
        if words != words_of(raw):
            raise OrderIdUsed(str(raw["id"]), place_words(self.game))
        return recorded

    def _settle(self, order: Order) -> None:
        if looks_back(order):
            raise NeedsRecordedHistory

    def _keep_refusal(self, raw: Mapping[str, Any], refusal: RuleViolation) -> None:
        """Leave the refusal log unchanged."""

    def _take(self, sent: Sent, raw: Mapping[str, Any], decision: Decision, drafts: list[Draft]) -> Recorded:
        words = words_of(raw)
        self._onward.take(Replayed(of=0, raw=words, seat=sent.order.seat, decision=decision))
        before, self.game, self.size = self.game, decision.game, self._onward.tip
        answer = Recorded(records=(), game=self.game, failure=failure_of(decision, sent.order.seat))
        recorded = self._with_end(answer, sent, before, events_of(decision.told), self.game)
        if sent.id:
            self._tried[sent.id] = words, Recorded(records=(), game=self.game, repeated=True)
        return recorded

    def flush(self) -> OrderRecords:
        """Return no records, because no order is pending."""
        return OrderRecords()
