"""Messages that arrive later: a courier rides, and its words are told when the turn of its arrival begins.

They are play, not words beside it: what was sent on a line that is left was not sent, and what a rewind took back
arrives again. It is told with the order that opened the turn. Who is not meant learns that a message was sent, by whom,
and later that one arrived.
"""

from collections.abc import Collection

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import MessageArrived, MessageSent, Told
from umpire_ledger.domain.game.orders import SendMessage
from umpire_ledger.domain.game.secrets import readers
from umpire_ledger.domain.game.state import Game, fold
from umpire_ledger.domain.history.notes import verify_readers
from umpire_ledger.domain.sequence.constructs import Rounds, Step

RULE = "messages"
NOTE = "write a note, `--to` those who may read it"


def decide_message(game: Game, order: SendMessage, places: Collection[object]) -> Told:
    """A courier sets out. `places`: those of the sequence, one of which counts the turns.

    Raises RuleViolation: no turns, the game is over, a turn that has come; UnknownName for readers that nobody is.
    """
    verify_readers(game, order.to, RULE)
    if game.ended:
        raise _refuse(game, "the game is over, and no turn comes any more", NOTE)
    if not any(isinstance(one, Rounds | Step) and one.counts_turns for one in places):
        raise _refuse(game, "this game counts no turns", NOTE)
    if order.arrives <= game.turn:
        what = f"turn {order.arrives} has come already"
        raise _refuse(game, what, f"name a turn from {game.turn + 1} on, or write a note, which is read at once")
    sent = MessageSent(
        message=game.messages + 1, seat=order.seat, to=order.to, text=order.text, arrives=order.arrives, sent=game.turn
    )
    return Told(sent, readers(game, order.seat, ()))


def with_arrivals(decision: Decision) -> Decision:
    """What an order brings about, and behind it what arrives in the turn that play has come to."""
    game = decision.game
    told = tuple(
        Told(
            MessageArrived(message=one.message, seat=one.seat, to=one.to, text=one.text, sent=one.sent),
            readers(game, one.seat, one.to),
        )
        for one in game.couriers
        if one.arrives <= game.turn
    )
    return Decision(told=(*decision.told, *told), game=fold(game, events_of(told))) if told else decision


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
