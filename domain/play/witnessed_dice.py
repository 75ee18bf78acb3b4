"""Decide orders that roll witnessed dice: they wait until the other sides reveal new shares.

Then they are carried out word for word. So the author of an order cannot know its dice, and cannot change the order
once they are known.
"""

from typing import Any

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.dice_notation import RULE
from umpire_ledger.domain.game.dice_shares import WITNESSED, unshown
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceAsked, PlayRewound, RestrictedEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.order_json import KnowsOrders, Sent, read_order
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import History, PlayedOrder
from umpire_ledger.domain.play.refusals import REFUSALS

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def verify_is_awaited(title: KnowsOrders, game: Game, sent: Sent, history: History) -> None:
    """Check that no other order of play is given while one waits for its dice.

    Raises:
        RuleViolation: Another order is given.
    """
    if game.awaits_dice and not _is_same(title, sent, order_asking(history)):
        others = unshown(game)
        wait = (
            f"wait for the share of {' and '.join(map(game.side_name, others))}" if others else "give that order again"
        )
        raise _refuse(game, "order-awaits-dice", seat=game.awaits_dice, remedy=wait)


def order_asking(history: History) -> PlayedOrder | None:
    """Return the newest order on the current branch that asked for dice; None if there is none."""
    asks = (one for one in history.newest_first() if any(isinstance(event, DiceAsked) for event in one.events))
    return next(asks, None)


def _is_same(title: KnowsOrders, sent: Sent, asking: PlayedOrder | None) -> bool:
    if asking is None or not asking.cause:
        return False
    before = read_order(title, _decode(asking.cause))
    return (before.order, before.leave) == (sent.order, sent.leave)


def asked(game: Game, seat: str, before: Decision, trial: Decision) -> Decision | None:
    """Return the record of an order whose dice wait for other sides; None if they can be rolled now.

    The arguments of an order that is not public have a separate record.

    Args:
        before: The events before the order.
        trial: The decision of the order with other dice.

    Raises:
        RuleViolation: The same order has made a rewind.
    """
    if game.scheme != WITNESSED or game.awaits_dice:
        return None
    if any(isinstance(one, PlayRewound) for one in before.told):
        raise _refuse(game, "no-witnessed-dice-here")
    event = DiceAsked(seat=seat, roll=game.rolls + 1)
    seen = [one.visible_to for one in trial.told if isinstance(one, RestrictedEvent) and one.visible_to]
    told: tuple[AnyEvent | RestrictedEvent, ...] = (
        (event, RestrictedEvent(event, min(seen, key=len))) if seen else (event,)
    )
    return Decision(told=told, game=fold(game, (event,)))


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
