"""Decide seals: a seat accepts all records so far. Only the referee, with a reason, or all sides can undo them."""

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import LineSealed
from umpire_ledger.domain.game.orders import Seal
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.refusals import REFUSALS


def decide_seal(game: Game, order: Seal, history: History) -> LineSealed:
    """Record that a seat accepts every record so far.

    Raises:
        RuleViolation: The seat has already accepted them, and nothing was recorded since.
    """
    newest = next(history.newest_first(), None)
    if newest is not None and LineSealed(seat=order.seat, position=newest.first - 1) in newest.events:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "sealed-already",
            {"seat": order.seat, "first": newest.first - 1},
            where=game.where,
            rule="seals",
            names=game.seat_names,
        )
    return LineSealed(seat=order.seat, position=history.tip)
