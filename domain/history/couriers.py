"""Deliver messages later: a courier leaves, and the message arrives when the turn of its arrival begins.

Messages are play, not comments. A message sent on an abandoned branch does not count, and after a rewind a message
arrives again. It arrives with the order that opens the turn. Other seats see that a message was sent and by which seat,
and later that one arrived.
"""

from collections.abc import Collection, Iterator

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import MessageArrived, MessageHeld, MessageSent, RestrictedEvent, StepOpened
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.orders import HoldMessage, SendMessage
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE, readers
from umpire_ledger.domain.game.state import REFEREE, Courier, Game, replace
from umpire_ledger.domain.history.notes import verify_readers
from umpire_ledger.domain.history.refusals import REFUSALS
from umpire_ledger.domain.sequence.constructs import Rounds, Step

RULE = "messages"
NOTE = "write a private note: `umpire note GAME TEXT --to SEAT`"


def decide_message(game: Game, order: SendMessage, places: Collection[object]) -> RestrictedEvent:
    """Send a courier. `places`: the places of the sequence, one of which must count turns.

    Raises:
        RuleViolation: There are no turns, the game is over, or the turn or step has already begun.
        UnknownName: There is no such reader or step.
    """
    verify_readers(game, order.to, RULE)
    if game.ended:
        raise _refuse(game, "game-over")
    if not any(isinstance(one, Rounds | Step) and one.counts_turns for one in places):
        raise _refuse(game, "no-turns")
    _verify_to_come(game, order.arrives, order.step, places, "or write a note, which arrives at once")
    sent = MessageSent(
        message=game.messages + 1, seat=order.seat, to=order.to, text=order.text,
        arrives=order.arrives, sent=game.turn, step=order.step,
    )  # fmt: skip
    return RestrictedEvent(sent, readers(game, order.seat, ()))


def decide_hold(game: Game, order: HoldMessage, places: Collection[object]) -> RestrictedEvent:
    """Delay a courier, or mark its message as lost. Only the referee can see the record.

    Raises:
        RuleViolation: Secrets are closed to the referee, there is no such courier, a step is given without a turn, or
            the turn or step has already begun.
        UnknownName: There is no such step.
    """
    if game.options.get(CLOSED_TO_REFEREE):
        raise _refuse(game, "closed-to-referee")
    if all(one.message != order.message for one in game.couriers):
        numbers = ", ".join(str(one.message) for one in game.couriers) or "none"
        raise _refuse(game, "not-on-its-way", message=order.message, numbers=numbers)
    if order.step and not order.arrives:
        raise _refuse(game, "turn-missing", step=order.step)
    if order.arrives:
        _verify_to_come(game, order.arrives, order.step, places, "or no turn, if the message is lost")
    return RestrictedEvent(
        MessageHeld(message=order.message, arrives=order.arrives, step=order.step, why=order.why), (REFEREE,)
    )


def _verify_to_come(game: Game, turn: int, step: str, places: Collection[object], other: str) -> None:
    """Check that a turn or step has not begun yet.

    Raises:
        RuleViolation: It has already begun.
        UnknownName: There is no such step.
    """
    steps = {one.id for one in places if isinstance(one, Step)}
    if step and step not in steps:
        near = nearest(step, steps)
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-step-nearest" if near else "no-such-step",
            {"step": step, "near": " or ".join(near), "title": game.title},
            where=game.where,
            rule=RULE,
        )
    if turn < game.turn or (turn == game.turn and (not step or _is_open(game, step))):
        raise _refuse(
            game,
            "turn-has-come",
            step=f"{step} of " if step else "",
            turn=turn,
            first_possible=game.turn + 1,
            other=other,
        )


def _is_open(game: Game, step: str) -> bool:
    return any(one.step == step for one in game.cursor.open)


def with_arrivals(decision: Decision) -> Decision:
    """Return the decision with the messages that have arrived: their turn has begun, and their step is open or was
    passed.
    """
    game = decision.game
    if not game.couriers:
        return decision
    told = tuple(
        RestrictedEvent(
            MessageArrived(message=one.message, seat=one.seat, to=one.to, text=one.text, sent=one.sent),
            readers(game, one.seat, one.to),
        )
        for one in game.couriers
        if one.arrives <= game.turn and (not one.step or _is_open(game, one.step) or _came_by(decision, one))
    )
    return replace(decision, told=(*decision.told, *told), game=fold(game, events_of(told))) if told else decision


def _came_by(decision: Decision, courier: Courier) -> bool:
    """Return whether the order opened the courier's step, even if the step is closed again."""
    opened: Iterator[StepOpened] = (one for one in events_of(decision.told) if isinstance(one, StepOpened))
    return any(one.step == courier.step and one.where.turn >= courier.arrives for one in opened)


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE)
