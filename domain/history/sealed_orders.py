"""Seal orders for a case that may occur, and reveal them word for word or withdraw them unread.

The referee judges whether the case has occurred and reveals the orders; the side may reveal them too. If secrets are
closed to the referee, only the side can read and reveal them. Like notes, they are independent of branches.
"""

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation
from umpire_ledger.domain.game.events import NoteOpened, NoteSealed, RestrictedEvent
from umpire_ledger.domain.game.orders import OpenWords, SealWords
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import may_see, secret_viewers
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import History, said_at
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "sealed words"


def decide_seal_words(game: Game, order: SealWords) -> RestrictedEvent:
    """Seal orders in one record, for the side and the readers of its secrets.

    Raises:
        RuleViolation: The seat has no side, as the referee.
    """
    side = game.side_of(order.seat)
    if not side:
        raise _refuse(game, "nothing-to-seal")
    return RestrictedEvent(NoteSealed(text=order.text, condition=order.condition), secret_viewers(game, side))


def decide_open_words(game: Game, order: OpenWords, history: History) -> NoteOpened:
    """Reveal sealed orders to all, or withdraw them.

    Raises:
        NoSuchPosition: There are no sealed orders at the position that the seat may know of.
        RuleViolation: The orders were revealed or withdrawn already, an amendment repeats them from another position,
            or the seat would withdraw another side's.
    """
    found = said_at(history, order.note)
    side = game.side_of(found[0].seat) if found is not None else ""
    if found is None or not isinstance(found[1], NoteSealed) or not _knows(game, order, side):
        raise refusal(NoSuchPosition, REFUSALS, "nothing-sealed", {"note": order.note}, where=game.where, rule=RULE)
    if found[1].again:
        raise _refuse(game, "sealed-elsewhere", note=order.note, again=found[1].again)
    for said in history.said():
        if isinstance(said, NoteOpened) and said.note == order.note:
            how = "withdrawn" if said.withdrawn else "opened"
            raise _refuse(game, "seal-opened-already", note=order.note, how=how)
    if not order.withdraw:
        return NoteOpened(note=order.note, side=side, text=found[1].text, condition=found[1].condition)
    if game.side_of(order.seat) != side:
        raise _refuse(game, "seal-of-another-side", side=side, note=order.note)
    return NoteOpened(note=order.note, side=side, withdrawn=True)


def _knows(game: Game, order: OpenWords, side: str) -> bool:
    return order.note <= game.secrets_open or may_see(order.seat, game.side_of(order.seat), secret_viewers(game, side))


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
