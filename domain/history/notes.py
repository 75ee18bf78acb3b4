"""Decide notes, which no rewind takes back. An author corrects a note by writing another in its place.

A private note is visible to its recipients, to the side that writes it, and to the referee unless secrets are closed to
the referee. All others see its author, its time and its recipients, as players at a table see a slip being passed.
"""

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation, UnknownName
from umpire_ledger.domain.game.events import NoteAdded, RestrictedEvent
from umpire_ledger.domain.game.nearest import listed, nearest
from umpire_ledger.domain.game.orders import Note
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import may_see, readers
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.history import History, said_at
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "notes"


def decide_note(game: Game, order: Note, history: History) -> NoteAdded | RestrictedEvent:
    """Write a note, or replace one. A replacement has the recipients of the first note, and its subject by default.

    Raises:
        NoSuchPosition: There is no note at the position that the seat may read.
        RuleViolation: The note is another seat's, was replaced already, or has other recipients.
        UnknownName: There is no such recipient.
    """
    verify_readers(game, order.to, RULE)
    if not order.instead_of:
        return _restrict_note(game, order.seat, NoteAdded(text=order.text, about=order.about, to=order.to))
    author, note = _own_note(game, order, history)
    for said in history.said():
        if isinstance(said, NoteAdded) and said.instead_of == order.instead_of:
            raise _refuse(game, "note-withdrawn-already", instead_of=order.instead_of)
    if order.to and set(order.to) != set(note.to):
        meant = f"to {', '.join(note.to)}" if note.to else "for everybody"
        raise _refuse(game, "other-readers", instead_of=order.instead_of, meant=meant)
    instead = NoteAdded(text=order.text, about=order.about or note.about, instead_of=order.instead_of, to=note.to)
    return _restrict_note(game, author, instead)


def _restrict_note(game: Game, author: str, note: NoteAdded) -> NoteAdded | RestrictedEvent:
    return RestrictedEvent(note, readers(game, author, note.to)) if note.to else note


def verify_readers(game: Game, to: tuple[str, ...], rule: str) -> None:
    """Check that all recipients are seats of the game.

    Raises:
        UnknownName: One of them is not.
    """
    known = (*game.side_ids, *(seat for seat in game.seats if seat not in game.side_ids), REFEREE)
    for seat in to:
        if seat not in known:
            near = nearest(seat, known)
            raise refusal(
                UnknownName,
                REFUSALS,
                "no-such-reader-nearest" if near else "no-such-reader",
                {"seat": seat, "near": " or ".join(near), "known": listed(known, seat)},
                where=game.where,
                rule=rule,
            )


def _own_note(game: Game, order: Note, history: History) -> tuple[str, NoteAdded]:
    """Return the author of the note to replace, and the note.

    A seat can replace its own notes, the referee any note.
    """
    found = said_at(history, order.instead_of)
    if found is None or not isinstance(found[1], NoteAdded) or not _may_read(game, order, found[0].seat, found[1]):
        raise refusal(
            NoSuchPosition, REFUSALS, "not-a-note", {"instead_of": order.instead_of}, where=game.where, rule=RULE
        )
    taken, note = found[0], found[1]
    if order.seat not in (taken.seat, REFEREE):
        raise _refuse(game, "note-of-another-seat", instead_of=order.instead_of, seat=taken.seat)
    return taken.seat, note


def _may_read(game: Game, order: Note, author: str, note: NoteAdded) -> bool:
    """Return whether a seat may know of a note. To other seats the position has no note."""
    if not note.to or order.instead_of <= game.secrets_open:
        return True
    return may_see(order.seat, game.side_of(order.seat), readers(game, author, note.to))


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
