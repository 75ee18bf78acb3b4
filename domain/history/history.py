"""Define the history that a decision reads: the orders on the current branch, and the states after them."""

from collections.abc import Iterator, MutableMapping
from typing import Any, Protocol

import msgspec

from umpire_ledger.domain.game.events import (
    AmendmentEnded,
    AmendmentStopped,
    AnyEvent,
    DiceCommitted,
    DicePledged,
    DicePledges,
    DiceSeeded,
    DiceShared,
    DisputeOpened,
    DisputeSettled,
    GameCopied,
    LineSealed,
    NoteAdded,
    NoteOpened,
    NoteSealed,
    PlayRewound,
    RewindAnswered,
    RewindAsked,
    RulingMade,
    SeatKeyed,
    SecretPeeked,
)
from umpire_ledger.domain.game.state import Game

TALK = (
    *(NoteAdded, LineSealed, DisputeOpened, DisputeSettled, RulingMade, SecretPeeked, RewindAsked, RewindAnswered),
    *(AmendmentStopped, AmendmentEnded, GameCopied, SeatKeyed, NoteSealed, NoteOpened),
    *(DicePledged, DiceShared, DicePledges),
)
"""Events without play to take back, which undo and redo pass over."""


def is_branch_independent(event: AnyEvent) -> bool:
    """Return whether an event is independent of branches, so that decisions on every branch find it."""
    match event:
        case DisputeOpened() | DisputeSettled() | NoteOpened():
            return True
        case NoteAdded(instead_of=other):
            return other > 0
        case _:
            return False


class PlayedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order on a branch: its first and last position, its seat, its events, and the order as it was given.

    `cause`: the order as JSON; empty if there is none, as for the opening of a game. `positions`: the positions of the
    events, if some records are withheld from this copy of the log. `hidden`: whether one of its records is not public.
    """

    first: int
    last: int
    seat: str
    events: tuple[AnyEvent, ...]
    cause: bytes = b""
    positions: tuple[int, ...] = ()
    hidden: bool = False

    def placed(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield each event with its position."""
        return zip(self.positions or range(self.first, self.last + 1), self.events, strict=False)

    @property
    def rewound(self) -> PlayRewound | None:
        return next((event for event in self.events if isinstance(event, PlayRewound)), None)

    @property
    def is_talk(self) -> bool:
        """Whether the order contains no play, so that there is nothing to take back."""
        return self.is_copying or all(isinstance(event, TALK) for event in self.events)

    @property
    def is_copying(self) -> bool:
        """Whether this is the first order of the game in another ledger, which gives its dice a new seed."""
        first = next(iter(self.events), None)
        return isinstance(first, GameCopied) and first.is_same_game

    @property
    def is_bare_rewind(self) -> bool:
        """Whether this is a rewind with no other events than comments and a seed.

        A ruling may contain a rewind and play.
        """
        beside = (PlayRewound, DiceCommitted, DiceSeeded, *TALK)
        return self.rewound is not None and all(isinstance(event, beside) for event in self.events)


class History(Protocol):
    """The history of a game, as decisions read it."""

    @property
    def tip(self) -> int:
        """Position of the last record in the log."""

    @property
    def memo(self) -> MutableMapping[Any, Any]:
        """Cache for log scans; never stale, because the log is append-only."""

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        """Yield the orders of the branch at a position (None: now), back to the opening of the game."""

    def order_at(self, position: int) -> tuple[int, int]:
        """Return the first and last position of the order that wrote a record; (0, 0) if there is none."""

    def state(self, position: int) -> Game:
        """Return the state after a position."""

    def said(self) -> Iterator[AnyEvent]:
        """Yield the branch-independent events of all branches, oldest first.

        These open or settle disputes, reveal or withdraw sealed orders, or replace notes.
        """

    def opened(self) -> Iterator[str]:
        """Yield the revealed seeds of all branches, oldest first. In a valid log they are in hex."""


def said_at(history: History, position: int) -> tuple[PlayedOrder, AnyEvent] | None:
    """Return the order that wrote a record, on any branch, and its event; None if it is absent or withheld."""
    _, last = history.order_at(position)
    taken = next(history.newest_first(last), None) if last else None
    event = dict(taken.placed()).get(position) if taken is not None else None
    return (taken, event) if taken is not None and event is not None else None
