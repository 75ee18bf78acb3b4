"""What going back would cost, before anybody goes."""

from collections.abc import Mapping
from typing import Any

from umpire_ledger.desk.wiring import LedgerPast, need_title, place_words
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.undo_and_rewind import leads_to
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.questions.impact import Impact, impact


def preview(ledger: Ledger[Game], game: str, raw: Mapping[str, Any]) -> Impact:
    """What an undo, redo, rewind or ask-rewind would undo, as its seat may see it; nothing is recorded.

    Raises RuleViolation where there is nowhere to return to; whether the seat may do it is not asked.
    """
    state = ledger.state(game)
    title = need_title(state.title)
    sent = read_order(title, raw, place_words(state))
    to = leads_to(state, sent.order, LedgerPast(ledger, game))
    return impact(ledger, game, to, sent.order.seat, title)
