"""Decide rulings: the referee states the meaning of a rule, and may carry out the remedy in the same order.

Carried orders do not follow the title's rules, so each of their events is marked as overridden. A rewind among them
must come first, so that the ruling itself is on the current branch.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import AnyEvent, DisputeSettled, RestrictedEvent, RulingMade, SecretPeeked
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.orders import COVERS, GENERIC_ORDERS, Order, Peek, Rewind, Rule
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.domain.history.disputes import open_dispute
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.kit.generic import GENERIC
from umpire_ledger.domain.kit.title import Closes, Finds, Title
from umpire_ledger.domain.play.event_visibility import restrict_visibility
from umpire_ledger.domain.play.refusals import REFUSALS

RULE = "rulings"
_KINDS: tuple[type[Order], ...] = (*GENERIC_ORDERS, *COVERS, Rewind)
CARRIED: Mapping[str, type[Order]] = {kind.tag(): kind for kind in _KINDS}
"""The orders that a ruling may carry out, by name."""


def where_made(game: Game, order: Rule, history: History, rewind: Callable[[Rewind], Decision]) -> Decision:
    """Return the state in which a ruling is made: the present one, or the one after the rewind that the ruling carries.

    Raises:
        RuleViolation: The dispute is not open, a ruling cannot carry one of the orders, or a rewind is not the first.
    """
    if order.dispute:
        open_dispute(game, order.dispute, history)
    carried = [read_carried(game, order, raw) for raw in order.orders]
    if any(isinstance(one, Rewind) for one in carried[1:]):
        raise refusal(RuleViolation, REFUSALS, "rewind-comes-first", {}, where=game.where, rule=RULE)
    backs = [rewind(one) for one in carried if isinstance(one, Rewind)]
    return backs[0] if backs else Decision(told=(), game=game)


def decide_rule(title: Title, game: Game, order: Rule, dice: Dice, begun: Decision) -> Decision:
    """Return the ruling, its carried orders, and the end of the dispute that it settles.

    `begun`: the state of the ruling.

    Raises:
        RuleViolation: A carried order is refused in that state.
    """
    carried = [one for raw in order.orders if not isinstance(one := read_carried(game, order, raw), Rewind)]
    walk = PlayAdvancer(title, begun.game)
    walk.told.extend(begun.told)
    walk.emit(_ruling(order))
    for one in carried:
        walk.decision = GENERIC[type(one)]
        for told in _carry_out(walk.game, one, order, dice):
            walk.emit(told)
    walk.decision = None
    if order.dispute:
        walk.emit(DisputeSettled(dispute=order.dispute, ruling=order.ruling, reason=order.reason))
    if carried and not walk.game.ended:
        walk.go(None)  # the carried orders may have met the condition of a trigger
    return Decision(told=tuple(walk.told), game=walk.game)


def read_carried(game: Game, ruling: Rule, raw: Mapping[str, Any]) -> Order:
    """Return an order that a ruling carries. The referee gives it, unless it names a side.

    Raises:
        UnknownName: A ruling cannot carry such an order, or its seat does not exist.
        RuleViolation: The order is not valid.
    """
    kind = CARRIED.get(str(raw.get("order")))
    if kind is None:
        raise refusal(
            UnknownName,
            REFUSALS,
            "cannot-be-ruled",
            {"order": raw.get("order"), "carried_out": CARRIED},
            where=game.where,
            rule=RULE,
        )
    why = {"why": ruling.reason} if kind is Rewind else {}
    try:
        order = msgspec.convert({"as": REFEREE, **why, **raw}, kind)
    except msgspec.ValidationError as error:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "unreadable-order",
            {"order": kind.tag(), "error": error, "title": game.title},
            where=game.where,
            rule=RULE,
        ) from error
    if order.seat != REFEREE and not game.side_of(order.seat):
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-seat-in-ruling",
            {"seat": order.seat, "sides": game.side_ids},
            where=game.where,
            rule="seats",
        )
    return order


def _ruling(order: Rule) -> RulingMade:
    return RulingMade(
        ruling=order.ruling,
        reason=order.reason,
        overrides=order.overrides,
        grounds=order.grounds,
        remedy=order.remedy,
        dispute=order.dispute,
        rule=order.rule,
    )


def _carry_out(game: Game, order: Order, ruling: Rule, dice: Dice) -> Iterator[AnyEvent | RestrictedEvent]:
    known = known_to(game, REFEREE)
    results = restrict_visibility(known, order, GENERIC[type(order)](known, order, dice))
    for result in results:
        if isinstance(result, RestrictedEvent):
            yield RestrictedEvent(_marked(result.event, ruling), result.visible_to)
        elif not isinstance(result, Closes | Finds):
            yield _marked(result, ruling)


def _marked(event: AnyEvent, ruling: Rule) -> AnyEvent:
    return replace(event, overridden=True, rule=event.rule or ruling.rule)


def decide_peek(game: Game, order: Peek, history: History) -> SecretPeeked:
    """Record that the referee looks at a seat's secrets. The record does not contain them.

    Raises:
        UnknownName: The seat has no secrets.
    """
    if not game.side_of(order.who):
        known = ", ".join((*game.side_ids, *game.seats))
        raise refusal(
            UnknownName,
            REFUSALS,
            "seat-keeps-no-secrets" if order.who in (REFEREE, SPECTATOR) else "no-such-keeper",
            {"who": order.who, "known": known},
            where=game.where,
            rule="secrets",
        )
    return SecretPeeked(seat=order.who, position=history.tip, reason=order.reason)
