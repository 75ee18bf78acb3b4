"""Show the cost of an undo, redo or rewind before it is recorded."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory, need_title_of, place_words
from umpire_ledger.desk.core.errors import Problem, problem_of
from umpire_ledger.desk.orders.dry_run import SEED
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.undo_and_rewind import target_position
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.dependency.queries import KnownAt
from umpire_ledger.projections.questions.rewind_preview import Impact, impact


def preview(
    ledger: Ledger[Game], game_id: str, raw: Mapping[str, Any], known_to: Callable[[str], KnownAt] | None = None
) -> Impact:
    """Return what an undo, redo, rewind or ask-rewind would undo, as its seat may see it; record nothing.

    The preview does not check whether the seat may give the order.

    Args:
        known_to: Returns a seat's knowledge of the game at a position; if given, no other records are read.

    Raises:
        RuleViolation: When there is no position to return to.
    """
    state = ledger.state(game_id)
    title = need_title_of(state)
    sent = read_order(title, raw, place_words(state))
    to = target_position(state, sent.order, LedgerHistory(ledger, game_id))
    return impact(ledger, game_id, to, sent.order.seat, title, known_to and known_to(sent.order.seat))


def refusal_of(ledger: Ledger[Game], game_id: str, raw: Mapping[str, Any]) -> Problem | None:
    """Return why the rules would refuse an order that goes back; None if they would accept it. Record nothing."""
    state = ledger.state(game_id)
    title = need_title_of(state)
    try:
        sent = msgspec.structs.replace(read_order(title, raw, place_words(state)), seed=SEED)
        decide(title, state, sent, LedgerHistory(ledger, game_id))
    except RuleViolation as refusal:
        return problem_of(refusal)
    return None
