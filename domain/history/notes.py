"""Notes: words for the record, which no rewind takes back. Whoever mistyped one writes another in its place.

A note to some is told to them, to the side that writes it, and to the referee where secrets are not closed to the
referee. Everybody else learns who wrote it, when and to whom, as at a table where a slip of paper is passed.
"""

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation, UnknownName
from umpire_ledger.domain.game.events import NoteAdded, RestrictedEvent
from umpire_ledger.domain.game.nearest import listed, nearest
from umpire_ledger.domain.game.orders import Note
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.game.visibility import may_see, readers
from umpire_ledger.domain.history.history import History, said_at

RULE = "notes"


def decide_note(game: Game, order: Note, past: History) -> NoteAdded | RestrictedEvent:
    """A remark; one that takes the place of another is about what that one was about, unless it says otherwise, and
    has the same readers.

    Raises NoSuchPosition where no note was written that the seat may read; RuleViolation for another seat's, for one
    that was taken back, and for other readers; UnknownName for readers that nobody is.
    """
    verify_readers(game, order.to, RULE)
    if not order.instead_of:
        return _told(game, order.seat, NoteAdded(text=order.text, about=order.about, to=order.to))
    author, note = _own_note(game, order, past)
    for said in past.said():
        if isinstance(said, NoteAdded) and said.instead_of == order.instead_of:
            what = f"the note #{order.instead_of} was taken back already"
            raise _refuse(game, what, "name the one that was written in its place; `umpire audit` lists them")
    if order.to and set(order.to) != set(note.to):
        meant = f"to {', '.join(note.to)}" if note.to else "for everybody"
        remedy = "leave `to` out: one in its place has the same readers; or write another note"
        raise _refuse(game, f"the note #{order.instead_of} is {meant}", remedy)
    instead = NoteAdded(text=order.text, about=order.about or note.about, instead_of=order.instead_of, to=note.to)
    return _told(game, author, instead)


def _told(game: Game, author: str, note: NoteAdded) -> NoteAdded | RestrictedEvent:
    return RestrictedEvent(note, readers(game, author, note.to)) if note.to else note


def verify_readers(game: Game, to: tuple[str, ...], rule: str) -> None:
    """Raises UnknownName for readers that nobody is."""
    known = (*game.side_ids, *(seat for seat in game.seats if seat not in game.side_ids), REFEREE)
    for seat in to:
        if seat not in known:
            near = nearest(seat, known)
            remedy = f"did you mean {' or '.join(near)}?" if near else f"name some of: {listed(known, seat)}"
            raise UnknownName(f"there is no seat {seat} to write to", where=game.where, rule=rule, remedy=remedy)


def _own_note(game: Game, order: Note, past: History) -> tuple[str, NoteAdded]:
    """The note that is taken back, with its author: the seat's own, or any where the referee does it."""
    found = said_at(past, order.instead_of)
    if found is None or not isinstance(found[1], NoteAdded) or not _may_read(game, order, found[0].seat, found[1]):
        raise NoSuchPosition(
            f"#{order.instead_of} is no note", where=game.where, rule=RULE, remedy="`umpire audit` lists the notes"
        )
    taken, note = found[0], found[1]
    if order.seat not in (taken.seat, REFEREE):
        raise _refuse(game, f"the note #{order.instead_of} is {taken.seat}'s", f"ask {taken.seat}, or the referee")
    return taken.seat, note


def _may_read(game: Game, order: Note, author: str, note: NoteAdded) -> bool:
    """Whether a seat knows of a note at all: to others one that it may not read is no note."""
    if not note.to or order.instead_of <= game.secrets_open:
        return True
    return may_see(order.seat, game.side_of(order.seat), readers(game, author, note.to))


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
