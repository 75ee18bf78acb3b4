"""Check that each record is visible to the right seats, and that its order names the record's seat as its author.

A forged log with correct hashes may still show everyone a secret choice, hide a public record, or attribute an order to
the wrong side. One table states which seats may see each kind of event.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.hidden_units import viewers_of
from umpire_ledger.domain.game.sealed_choices import readers, secret_viewers
from umpire_ledger.domain.game.state import REFEREE, Game, choice_key

Seats = tuple[str, ...]


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """The public part of a record. `visible_to`: the seats that may see it; None for everyone.

    `is_opening`: whether it belongs to the order that opened the game. `follows_withheld`: whether an earlier record is
    withheld or unreadable, so that the state is incomplete.
    """

    seat: str
    visible_to: Seats | None
    is_opening: bool = False
    follows_withheld: bool = False


Limit = Callable[[Game, Envelope, Any], Seats | None]
"""Returns the seats that may see an event; None if no rule limits them. `Game`: the state before the event."""

PUBLIC: tuple[type, ...] = (
    *(e.GameOpened, e.GameCopied, e.GameEnded, e.SeatTaken, e.SeatKeyed),
    *(e.StepOpened, e.OrderGiven, e.SideDone, e.SideLeaves, e.StepClosed, e.StepPassed, e.PlayJumped),
    *(e.LoopOpened, e.PassBegun, e.LoopClosed, e.PlayResumed),
    *(e.DiceCommitted, e.DicePledged, e.DiceShared, e.DicePledges, e.DiceOpened),
    *(e.ChoiceSealed, e.HiddenOrdered, e.RulingMade, e.DisputeOpened, e.DisputeSettled),
    *(e.PlayRewound, e.AmendmentStopped, e.AmendmentEnded, e.RewindAsked, e.RewindAnswered),
    *(e.LineSealed, e.SecretPeeked, e.SecretsOpened, e.NoteOpened),
)
"""Events that are always public. Events in neither `PUBLIC` nor `LIMITS` may be restricted by a title."""
FREE: tuple[type, ...] = (e.DiceAsked, e.DiceRolled, e.AccountChanged, e.MarkerSet, e.ChoiceRevealed)
"""Events that a title may show to everybody or to some seats."""
OF_ITS_SEAT = (e.DiceAsked, e.RewindAsked, e.LineSealed, e.MessageSent)
"""Events that name the seat of their own record."""


def visibility_fault(game: Game, record: Envelope, event: AnyEvent) -> str:
    """Return the contradiction between a record's envelope and its event, or "". `game`: the state before the event."""
    if isinstance(event, OF_ITS_SEAT) and event.seat != record.seat:
        return f"the event is by {event.seat}, but the record is by {record.seat}"
    if isinstance(event, PUBLIC):
        return "" if record.visible_to is None else "the event is public, but the record restricts it"
    limit = LIMITS.get(type(event))
    allowed = limit(game, record, event) if limit is not None else None
    if allowed is None:
        return ""
    if record.visible_to is None:
        return f"the event is for {_names(allowed)}, but the record shows it to everyone"
    others = [one for one in record.visible_to if one not in allowed]
    return f"the event is for {_names(allowed)}, but the record shows it to {', '.join(others)}" if others else ""


def order_fault(seat: str, author: object, entered_by: object) -> str:
    """Return the contradiction between the text of an order and the seat of its record, or "".

    Args:
        seat: The seat of the record.
        author: The author in the order's text; None if the text has none.
        entered_by: The seat that entered the order for its author; None if the text has none.
    """
    if author not in (None, seat):
        return f"the record is by {seat}, but its order is by {author}"
    return (
        f"{entered_by} entered it for {seat}, but only the referee can enter orders for a seat"
        if entered_by not in (None, REFEREE)
        else ""
    )


def _names(seats: Seats) -> str:
    return ", ".join(seats) or "no seat"


def _seed(game: Game, record: Envelope, event: e.DiceSeeded) -> Seats | None:
    return ()


def _choice(game: Game, record: Envelope, event: e.ChoiceMade) -> Seats | None:
    """Return the seats that may read a choice: those of its side if it is secret, or None for no limit.

    In a mid-game setup, the scenario names the readers.
    """
    before = game.choices.get(choice_key(event.question, event.side))
    is_half = before is not None and before.sealed and not before.known and not record.follows_withheld
    if record.is_opening:
        return secret_viewers(game, event.side) if is_half and record.visible_to is None else None
    return secret_viewers(game, event.side) if event.sealed or is_half else None


def _note(game: Game, record: Envelope, event: e.NoteAdded) -> Seats | None:
    """Return the seats that may read a note: its author's side and its readers.

    When the referee replaces a note, every side is allowed, because the first author may belong to any of them.
    """
    if not event.to:
        return None if record.visible_to is None else ()
    own = game.side_ids if event.instead_of and record.seat == REFEREE else ()
    return (*readers(game, record.seat, event.to), *own)


def _sealed_orders(game: Game, record: Envelope, event: e.NoteSealed) -> Seats | None:
    return secret_viewers(game, game.side_of(record.seat))


def _message(game: Game, record: Envelope, event: e.MessageSent) -> Seats | None:
    return readers(game, event.seat, ())


def _arrived(game: Game, record: Envelope, event: e.MessageArrived) -> Seats | None:
    return readers(game, event.seat, event.to)


def _held(game: Game, record: Envelope, event: e.MessageHeld) -> Seats | None:
    return (REFEREE,)


def _unit(game: Game, record: Envelope, event: e.UnitEvent) -> Seats | None:
    """Return the seats that may read an event about a unit: those that see the unit, or None if it is not hidden."""
    return _seers(game, (event,))


def _hidden(game: Game, record: Envelope, event: e.HiddenDone) -> Seats | None:
    found = _seers(game, event.events)
    return (*game.side_ids, REFEREE) if found is None else found


def _seers(game: Game, done: Iterable[e.UnitEvent]) -> Seats | None:
    """Return the seats that see the units of all these events; None if all events are public."""
    seen_by = {name: one.seen_by for name, one in game.hidden.items()}
    limits = [set(viewers_of(game, seers)) for seers in _seen(seen_by, done) if seers]
    return tuple(sorted(set.intersection(*limits))) if limits else None


def _seen(seen_by: dict[str, Seats], done: Iterable[e.UnitEvent]) -> Iterator[Seats]:
    """Yield the seats that see the unit of each event, in order; () if every seat sees it.

    A unit that an event covers keeps its entry, because the seats that saw it already limit the record.
    """
    for event in done:
        if isinstance(event, e.UnitShown) or (isinstance(event, e.UnitPlaced) and event.seen_by):
            seen_by[event.unit] = event.seen_by
        yield seen_by.get(event.unit, ())


LIMITS: Mapping[type, Limit] = {
    e.DiceSeeded: _seed,
    e.ChoiceMade: _choice,
    e.NoteAdded: _note,
    e.NoteSealed: _sealed_orders,
    e.MessageSent: _message,
    e.MessageArrived: _arrived,
    e.MessageHeld: _held,
    e.UnitPlaced: _unit,
    e.UnitMoved: _unit,
    e.UnitChanged: _unit,
    e.UnitRemoved: _unit,
    e.UnitCovered: _unit,
    e.UnitShown: _unit,
    e.HiddenDone: _hidden,
}
"""The function for each kind of event that returns the seats that may see it."""
