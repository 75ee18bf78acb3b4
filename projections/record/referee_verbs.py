"""Write verb phrases for comments and for acts of the referee, from the events that they cause."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events.history import COPIED, DICE_AFTER, orders_left
from umpire_ledger.domain.game.events.notes import when_in
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, REFEREE_ORDERS
from umpire_ledger.domain.game.seat_keys import short
from umpire_ledger.domain.game.state import REFEREE, Game

TALK = frozenset(one.tag() for one in (*ANYTIME_ORDERS, *REFEREE_ORDERS)) - {"excuse", "end"}
"""Names of the orders whose sentence starts with such a verb phrase."""
MOST_NAMES = 8
"""The most names in a part of a sentence; the number of further names follows them."""


def some(names: Iterable[str], most: int = MOST_NAMES) -> str:
    """Return distinct names separated by commas, at most `most`, and the number of further names."""
    every = tuple(dict.fromkeys(names))
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def _why(words: str) -> str:
    return f" ({words})" if words else ""


def _rewound(_: Game, event: e.PlayRewound) -> str:
    verbs = {"undo": "undoes the orders after", "redo": "redoes the orders up to", "amend": "amends the orders after"}
    agreed = f", agreed by {some(event.consent)}" if event.consent else ""
    return f"{verbs.get(event.kind, 'returns play to')} #{event.to}{agreed}{_why(event.why)}{DICE_AFTER[event.dice]}"


def _amending(_: Game, event: e.AmendmentStopped | e.AmendmentEnded) -> str:
    """Return the words for an amendment that stops or ends; its rewind has the words for the start."""
    skips = f"skips #{event.skipped}; " if event.skipped else ""
    if isinstance(event, e.AmendmentStopped):
        stops = f"it stops at #{event.at}{f' of {event.seat}' if event.seat else ''}; {orders_left(event.left)}"
        return f"{skips}continues the amendment: {stops}{_why(event.why)}"
    verbs = {"played": "completes the amendment", "left": "ends the amendment here", "aborted": "aborts the amendment"}
    stay = f"; {orders_left(event.left)} on the old branch" if event.left else ""
    return f"{skips}{verbs[event.how]}{stay}{_why(event.why)}"


def _opened(_: Game, event: e.GameOpened) -> str:
    return f"opens {event.name}: {event.title} {event.version}, {' against '.join(one.name for one in event.sides)}"


def _ruling(_: Game, event: e.RulingMade) -> str:
    about = f" on {event.rule}" if event.rule else ""
    against = f", overriding {event.overrides}" if event.overrides else ""
    remedy = f"; remedy: {event.remedy}" if event.remedy else ""
    grounds = f"; {event.grounds}" if event.grounds else ""
    return f"rules{about}{against}: {event.ruling} ({event.reason}{grounds}){remedy}"


def _dispute(_: Game, event: e.DisputeOpened) -> str:
    about = f" about {some(f'#{one}' for one in event.positions)}" if event.positions else ""
    return f"opens dispute {event.dispute}{about}: {event.claim}"


def _settled(_: Game, event: e.DisputeSettled) -> str:
    return f"settles dispute {event.dispute}: {event.ruling}{_why(event.reason)}"


def _note(game: Game, event: e.NoteAdded) -> str:
    instead = f" in place of #{event.instead_of}" if event.instead_of else ""
    verb = f"writes a private note to {named(game, event.to)}" if event.to else "writes a note"
    return f"{verb}{instead}{f' on #{event.about}' if event.about else ''}: {event.text}"


def _note_opened(game: Game, event: e.NoteOpened) -> str:
    if event.withdrawn:
        return f"withdraws the sealed orders of #{event.note}"
    return (
        f"reveals the sealed orders of {game.side_name(event.side)} (#{event.note}), if {event.condition}: {event.text}"
    )


def _message_sent(game: Game, event: e.MessageSent) -> str:
    return f"sends a courier to {named(game, event.to)}, arriving in {when_in(event)}: {event.text}"


def _message_held(_: Game, event: e.MessageHeld) -> str:
    comes = f"is delayed and arrives in {when_in(event)}" if event.arrives else "is lost"
    return f"rules that the courier of message {event.message} {comes}{_why(event.why)}"


def named(game: Game, seats: Iterable[str]) -> str:
    """Return the names of sides, and the ids of seats and the referee."""
    return some("the referee" if seat == REFEREE else game.side_name(seat) for seat in seats)


def _asked(_: Game, event: e.RewindAsked) -> str:
    return f"asks all sides to return to #{event.to}{_why(event.why)}{DICE_AFTER[event.dice]}"


def _answered(_: Game, event: e.RewindAnswered) -> str:
    return f"{'consents to' if event.consents else 'declines'} the rewind{_why(event.why)}"


def _seat(game: Game, event: e.SeatTaken) -> str:
    return f"adds the seat {event.seat}{_why(event.name)} for {game.side_name(event.side)}"


def _keyed(_: Game, event: e.SeatKeyed) -> str:
    return f"gives {event.seat} the key {short(event.key)}{_why(event.why)}"


def _dice_opened(game: Game, event: e.DiceOpened) -> str:
    missing = f" and begins the draw again, without a share from {named(game, event.missing)}" if event.missing else ""
    return f"reveals the seed of the ledger's dice{missing}"


def _copied(_: Game, event: e.GameCopied) -> str:
    if not event.is_same_game:
        return f"copies {event.of} up to #{event.at} as {event.game}"
    where = COPIED.get(event.how, "another ledger")
    return f"continues the game after #{event.at} in {where} with a new seed for its dice{_why(event.why)}"


ACTS: Mapping[type, Callable[[Game, Any], str]] = {
    e.GameOpened: _opened,
    e.GameCopied: _copied,
    e.SeatTaken: _seat,
    e.SeatKeyed: _keyed,
    e.RulingMade: _ruling,
    e.DisputeOpened: _dispute,
    e.DisputeSettled: _settled,
    e.RewindAnswered: _answered,
    e.RewindAsked: _asked,
    e.PlayRewound: _rewound,
    e.AmendmentStopped: _amending,
    e.AmendmentEnded: _amending,
    e.LineSealed: lambda _, event: f"accepts everything up to #{event.position}",
    e.SecretPeeked: lambda _, event: f"looks at the secrets of {event.seat}{_why(event.reason)}",
    e.DiceOpened: _dice_opened,
    e.DicePledged: lambda *_: "commits to a share of the dice",
    e.DiceShared: lambda *_: "reveals a share of the dice",
    e.SecretsOpened: lambda _, event: "reveals every secret" if event.upto else "agrees to reveal every secret",
    e.NoteAdded: _note,
    e.NoteSealed: lambda _, event: f"seals orders, if {event.condition}: {event.text}",
    e.NoteOpened: _note_opened,
    e.MessageSent: _message_sent,
    e.MessageHeld: _message_held,
}
"""The function for each kind of event that describes it as an act of the seat that gave the order."""
