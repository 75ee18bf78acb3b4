"""Notes: words for the record, which no rewind takes back. Whoever mistyped one writes another in its place."""

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation
from umpire_ledger.domain.game.events import NoteAdded
from umpire_ledger.domain.game.orders import Note
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.past import Past

RULE = "notes"


def decide_note(game: Game, order: Note, past: Past) -> NoteAdded:
    """A remark; one that takes the place of another is about what that one was about, unless it says otherwise.

    Raises NoSuchPosition where no note was written; RuleViolation for another seat's, and for one that was taken back.
    """
    if not order.instead_of:
        return NoteAdded(text=order.text, about=order.about)
    note = _own_note(game, order, past)
    for said in past.said():
        if isinstance(said, NoteAdded) and said.instead_of == order.instead_of:
            what = f"the note #{order.instead_of} was taken back already"
            raise _refuse(game, what, "name the one that was written in its place; `umpire audit` lists them")
    return NoteAdded(text=order.text, about=order.about or note.about, instead_of=order.instead_of)


def _own_note(game: Game, order: Note, past: Past) -> NoteAdded:
    """The note that is taken back: the seat's own, or any where the referee does it."""
    _, last = past.order_at(order.instead_of)
    taken = next(past.newest_first(last), None) if last else None
    note = dict(taken.placed()).get(order.instead_of) if taken is not None else None
    if taken is None or not isinstance(note, NoteAdded):
        raise NoSuchPosition(
            f"#{order.instead_of} is no note", where=game.where, rule=RULE, remedy="`umpire audit` lists the notes"
        )
    if order.seat not in (taken.seat, REFEREE):
        raise _refuse(game, f"the note #{order.instead_of} is {taken.seat}'s", f"ask {taken.seat}, or the referee")
    return note


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
