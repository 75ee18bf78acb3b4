"""Define every event of a game; a title adds no event types of its own.

The tag is the permanent name on disk: a class may be renamed, a tag may not. A new field gets a default, a new meaning
a new tag. Events carry the values before and after, so that each line of the audit trail can be written from its event
alone. No floats; integers stay within ±(2^53 − 1), so that every JSON reader in the world sees the same number.

One module per family holds its events, with their effect (`apply`), their validity (`transition_error`) and their words
(`audit_text`). A new event is a class in its family, a member of that family's union, a name here, and a line in
`projections/questions/visibility_check.py`, which says which seats may see it.
"""

from typing import Any, cast, get_args

import msgspec

from umpire_ledger.domain.game.events.base import Event as Event
from umpire_ledger.domain.game.events.choices import (
    ChoiceMade as ChoiceMade,
    ChoiceRevealed as ChoiceRevealed,
    ChoiceSealed as ChoiceSealed,
    ChoicesEvent,
    SecretPeeked as SecretPeeked,
    SecretsOpened as SecretsOpened,
)
from umpire_ledger.domain.game.events.dice import (
    DiceAsked as DiceAsked,
    DiceCommitted as DiceCommitted,
    DiceEvent,
    DiceOpened as DiceOpened,
    DicePledged as DicePledged,
    DicePledges as DicePledges,
    DiceRolled as DiceRolled,
    DiceSeeded as DiceSeeded,
    DiceShared as DiceShared,
    Failed as Failed,
    Modifier as Modifier,
)
from umpire_ledger.domain.game.events.disputes import (
    DisputeOpened as DisputeOpened,
    DisputeSettled as DisputeSettled,
    DisputesEvent,
    Grounds as Grounds,
    RulingMade as RulingMade,
)
from umpire_ledger.domain.game.events.history import (
    AmendmentEnded as AmendmentEnded,
    AmendmentStopped as AmendmentStopped,
    CopyKind as CopyKind,
    GameCopied as GameCopied,
    GameEnded as GameEnded,
    GameOpened as GameOpened,
    HistoryEvent,
    LineSealed as LineSealed,
    PlayRewound as PlayRewound,
    RewindAnswered as RewindAnswered,
    RewindAsked as RewindAsked,
)
from umpire_ledger.domain.game.events.notes import (
    MessageArrived as MessageArrived,
    MessageHeld as MessageHeld,
    MessageSent as MessageSent,
    NoteAdded as NoteAdded,
    NoteOpened as NoteOpened,
    NoteSealed as NoteSealed,
    NotesEvent,
)
from umpire_ledger.domain.game.events.seats import SeatKeyed as SeatKeyed, SeatsEvent, SeatTaken as SeatTaken
from umpire_ledger.domain.game.events.steps import (
    LoopClosed as LoopClosed,
    LoopOpened as LoopOpened,
    OrderGiven as OrderGiven,
    PassBegun as PassBegun,
    PlayJumped as PlayJumped,
    PlayResumed as PlayResumed,
    SideDone as SideDone,
    SideLeaves as SideLeaves,
    StepClosed as StepClosed,
    StepOpened as StepOpened,
    StepPassed as StepPassed,
    StepsEvent,
)
from umpire_ledger.domain.game.events.units import (
    AccountChanged as AccountChanged,
    HiddenDone as HiddenDone,
    HiddenOrdered as HiddenOrdered,
    MarkerSet as MarkerSet,
    UnitChanged as UnitChanged,
    UnitCovered as UnitCovered,
    UnitEvent as UnitEvent,
    UnitMoved as UnitMoved,
    UnitPlaced as UnitPlaced,
    UnitRemoved as UnitRemoved,
    UnitsEvent,
    UnitShown as UnitShown,
)
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.values import (
    DiceMode as DiceMode,
    DicePolicy as DicePolicy,
    DiceSource as DiceSource,
    Int as Int,
    Pledge as Pledge,
    Side as Side,
    Value as Value,
    Where as Where,
)

AnyEvent = HistoryEvent | SeatsEvent | StepsEvent | DiceEvent | UnitsEvent | ChoicesEvent | DisputesEvent | NotesEvent


def inner_events(event: AnyEvent) -> tuple[AnyEvent, ...]:
    """Return the events of a hidden order one by one, or any other event alone, for callers that sort by kind."""
    return event.events if isinstance(event, HiddenDone) else (event,)


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEvent).decode
"""Return the event in JSON bytes; raise msgspec.ValidationError for an unknown tag or field."""
TAGS = sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent))
"""All event tags, as in the `type` field of the log."""


class Unreadable(Event, frozen=True, kw_only=True, tag="unreadable"):
    """An event that this edition does not know, as a reader sees it. It changes nothing, and every view names it.

    It is never recorded, and no log holds it. `kind`: the tag in the log; `why`: the reason why it cannot be read.
    """

    position: int
    kind: str
    why: str

    def apply(self, draft: FoldingGame) -> None:
        if not draft.now("unreadable"):
            draft.more["unreadable"] = f"this version of Umpire cannot read #{self.position} ({self.kind}: {self.why})"

    def transition_error(self, game: Game) -> str:
        return f"{self!r} is not an event"

    def audit_text(self) -> str:
        return f"a record that this version of Umpire cannot read ({self.kind}: {self.why})"


class _Tagged(msgspec.Struct):
    """The tag of an event, without its other fields."""

    type: str = ""


_tag_of = msgspec.json.Decoder(_Tagged).decode
_MOST_WORDS = 200
"""Limit of characters of a reason, which may quote the log."""


def read(raw: bytes, position: int) -> AnyEvent:
    """Return the event in JSON bytes, or `Unreadable` if this edition cannot read it. Never raise.

    The result has the type of any event, because every table of event classes has an entry for `Unreadable`.
    """
    try:
        event: AnyEvent = decode(raw)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        why = str(error)[:_MOST_WORDS]
    else:
        return event
    try:
        kind = _tag_of(raw).type[:_MOST_WORDS]
    except (msgspec.DecodeError, ValueError, RecursionError):
        kind = "?"
    unreadable: Any = Unreadable(position=position, kind=kind, why=why)
    return cast("AnyEvent", unreadable)


class RestrictedEvent(msgspec.Struct, frozen=True):
    """An event that only some sides, some seats or the `referee` may see.

    With an empty tuple, no one may see it yet.
    """

    event: AnyEvent
    visible_to: tuple[str, ...]


Told = RestrictedEvent
"""Deprecated name of `RestrictedEvent`, kept for one release."""
