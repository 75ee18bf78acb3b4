"""Orders that throw witnessed dice. They are given, and wait; the other sides show new shares; then they are carried
out, word for word. So who gives an order cannot know its dice, and who knows them can give no other.
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
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import History, PlayedOrder

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def verify_is_awaited(title: KnowsOrders, game: Game, sent: Sent, past: History) -> None:
    """Nothing else is played while an order waits for its dice. Raises RuleViolation."""
    if game.awaits_dice and not _is_same(title, sent, order_asking(past)):
        others = unshown(game)
        wait = f"wait for the share of {' and '.join(others)}" if others else "give that order once more"
        raise _refuse(game, f"an order of {game.awaits_dice} waits for its dice", f"{wait}; or the referee rewinds")


def order_asking(past: History) -> PlayedOrder | None:
    """The newest order that asked for dice, on the line that counts."""
    asks = (one for one in past.newest_first() if any(isinstance(event, DiceAsked) for event in one.events))
    return next(asks, None)


def _is_same(title: KnowsOrders, sent: Sent, asking: PlayedOrder | None) -> bool:
    if asking is None or not asking.cause:
        return False
    before = read_order(title, _decode(asking.cause))
    return (before.order, before.leave) == (sent.order, sent.leave)


def asked(game: Game, seat: str, before: Decision, trial: Decision) -> Decision | None:
    """What is recorded of an order that throws while its dice wait for others; None where they may be thrown.

    `before`: what is told in front of the order. `trial`: what came of it with other dice. The words of an order that
    is not for everybody go with a record of their own. Raises RuleViolation behind a rewind of the same order.
    """
    if game.scheme != WITNESSED or game.awaits_dice:
        return None
    if any(isinstance(one, PlayRewound) for one in before.told):
        raise _refuse(game, "witnessed dice are asked for where play stands", "rewind first, then give the ruling")
    event = DiceAsked(seat=seat, roll=game.rolls + 1)
    seen = [one.visible_to for one in trial.told if isinstance(one, RestrictedEvent) and one.visible_to]
    told: tuple[AnyEvent | RestrictedEvent, ...] = (
        (event, RestrictedEvent(event, min(seen, key=len))) if seen else (event,)
    )
    return Decision(told=told, game=fold(game, (event,)))


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
