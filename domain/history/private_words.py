"""Repeat private records in an amendment: a private note, sealed orders, a courier message, or the delay of one.

To all other seats each is one withheld record. So an amendment repeats each in the same way, with the same text and
readers, in one record, and never stops at one. Otherwise the number of records, or the place at which the amendment
stops, would reveal what a record is.
"""

from umpire_ledger.domain.game.events import AnyEvent, MessageHeld, MessageSent, NoteAdded, NoteSealed, RestrictedEvent
from umpire_ledger.domain.game.sealed_choices import readers, secret_viewers
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.domain.history.history import History, PlayedOrder, said_at


def is_private_words(taken: PlayedOrder) -> bool:
    """Return whether an order has only one record, which is withheld from the seats that may not read it."""
    return len(taken.events) == 1 and _is_private(taken.events[0])


def _is_private(event: AnyEvent) -> bool:
    return isinstance(event, NoteSealed | MessageSent | MessageHeld) or (
        isinstance(event, NoteAdded) and bool(event.to)
    )


def repeated_words(game: Game, taken: PlayedOrder, history: History) -> RestrictedEvent:
    """Return the private record of an order, as an amendment repeats it. `game`: the state before it."""
    event = taken.events[0]
    match event:
        case NoteAdded(instead_of=other):
            original = said_at(history, other) if other else None
            author = original[0].seat if original else taken.seat
            return RestrictedEvent(event, readers(game, author, event.to))
        case NoteSealed():
            again = event.again or next(taken.placed())[0]
            return RestrictedEvent(replace(event, again=again), secret_viewers(game, game.side_of(taken.seat)))
        case MessageSent():
            return RestrictedEvent(replace(event, message=game.messages + 1), readers(game, event.seat, ()))
        case _:
            return RestrictedEvent(event, (REFEREE,))
