"""Define every event of a game; a title adds no event types of its own.

The tag is the permanent name on disk: a class may be renamed, a tag may not. A new field gets a default, a new meaning
a new tag. Events carry the values before and after, so that each line of the audit trail can be written from its event
alone. No floats; integers stay within ±(2^53 − 1), so that every JSON reader in the world sees the same number.

One module per family holds its events, with their effect (`apply`), their validity (`transition_error`) and their words
(`audit_text`). A new event is a class in its family, a member of that family's union and a name here.
"""

from typing import Any, cast, get_args

import msgspec

from umpire_ledger.domain.game.events.base import Event as Event
from umpire_ledger.domain.game.events.choices import ChoiceMade as ChoiceMade
from umpire_ledger.domain.game.events.choices import ChoiceRevealed as ChoiceRevealed
from umpire_ledger.domain.game.events.choices import ChoiceSealed as ChoiceSealed
from umpire_ledger.domain.game.events.choices import ChoicesEvent
from umpire_ledger.domain.game.events.choices import SecretPeeked as SecretPeeked
from umpire_ledger.domain.game.events.choices import SecretsOpened as SecretsOpened
from umpire_ledger.domain.game.events.dice import DiceAsked as DiceAsked
from umpire_ledger.domain.game.events.dice import DiceCommitted as DiceCommitted
from umpire_ledger.domain.game.events.dice import DiceEvent
from umpire_ledger.domain.game.events.dice import DiceOpened as DiceOpened
from umpire_ledger.domain.game.events.dice import DicePledged as DicePledged
from umpire_ledger.domain.game.events.dice import DicePledges as DicePledges
from umpire_ledger.domain.game.events.dice import DiceRolled as DiceRolled
from umpire_ledger.domain.game.events.dice import DiceSeeded as DiceSeeded
from umpire_ledger.domain.game.events.dice import DiceShared as DiceShared
from umpire_ledger.domain.game.events.dice import Failed as Failed
from umpire_ledger.domain.game.events.dice import Modifier as Modifier
from umpire_ledger.domain.game.events.disputes import DisputeOpened as DisputeOpened
from umpire_ledger.domain.game.events.disputes import DisputeSettled as DisputeSettled
from umpire_ledger.domain.game.events.disputes import DisputesEvent
from umpire_ledger.domain.game.events.disputes import Grounds as Grounds
from umpire_ledger.domain.game.events.disputes import RulingMade as RulingMade
from umpire_ledger.domain.game.events.history import AmendmentEnded as AmendmentEnded
from umpire_ledger.domain.game.events.history import AmendmentStopped as AmendmentStopped
from umpire_ledger.domain.game.events.history import CopyKind as CopyKind
from umpire_ledger.domain.game.events.history import GameCopied as GameCopied
from umpire_ledger.domain.game.events.history import GameEnded as GameEnded
from umpire_ledger.domain.game.events.history import GameOpened as GameOpened
from umpire_ledger.domain.game.events.history import HistoryEvent
from umpire_ledger.domain.game.events.history import LineSealed as LineSealed
from umpire_ledger.domain.game.events.history import PlayRewound as PlayRewound
from umpire_ledger.domain.game.events.history import RewindAnswered as RewindAnswered
from umpire_ledger.domain.game.events.history import RewindAsked as RewindAsked
from umpire_ledger.domain.game.events.notes import MessageArrived as MessageArrived
from umpire_ledger.domain.game.events.notes import MessageHeld as MessageHeld
from umpire_ledger.domain.game.events.notes import MessageSent as MessageSent
from umpire_ledger.domain.game.events.notes import NoteAdded as NoteAdded
from umpire_ledger.domain.game.events.notes import NoteOpened as NoteOpened
from umpire_ledger.domain.game.events.notes import NoteSealed as NoteSealed
from umpire_ledger.domain.game.events.notes import NotesEvent
from umpire_ledger.domain.game.events.seats import SeatKeyed as SeatKeyed
from umpire_ledger.domain.game.events.seats import SeatsEvent
from umpire_ledger.domain.game.events.seats import SeatTaken as SeatTaken
from umpire_ledger.domain.game.events.steps import LoopClosed as LoopClosed
from umpire_ledger.domain.game.events.steps import LoopOpened as LoopOpened
from umpire_ledger.domain.game.events.steps import OrderGiven as OrderGiven
from umpire_ledger.domain.game.events.steps import PassBegun as PassBegun
from umpire_ledger.domain.game.events.steps import PlayJumped as PlayJumped
from umpire_ledger.domain.game.events.steps import PlayResumed as PlayResumed
from umpire_ledger.domain.game.events.steps import SideDone as SideDone
from umpire_ledger.domain.game.events.steps import SideLeaves as SideLeaves
from umpire_ledger.domain.game.events.steps import StepClosed as StepClosed
from umpire_ledger.domain.game.events.steps import StepOpened as StepOpened
from umpire_ledger.domain.game.events.steps import StepPassed as StepPassed
from umpire_ledger.domain.game.events.steps import StepsEvent
from umpire_ledger.domain.game.events.units import AccountChanged as AccountChanged
from umpire_ledger.domain.game.events.units import HiddenDone as HiddenDone
from umpire_ledger.domain.game.events.units import HiddenOrdered as HiddenOrdered
from umpire_ledger.domain.game.events.units import MarkerSet as MarkerSet
from umpire_ledger.domain.game.events.units import UnitChanged as UnitChanged
from umpire_ledger.domain.game.events.units import UnitCovered as UnitCovered
from umpire_ledger.domain.game.events.units import UnitEvent as UnitEvent
from umpire_ledger.domain.game.events.units import UnitMoved as UnitMoved
from umpire_ledger.domain.game.events.units import UnitPlaced as UnitPlaced
from umpire_ledger.domain.game.events.units import UnitRemoved as UnitRemoved
from umpire_ledger.domain.game.events.units import UnitsEvent
from umpire_ledger.domain.game.events.units import UnitShown as UnitShown
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.values import DiceMode as DiceMode
from umpire_ledger.domain.game.values import DicePolicy as DicePolicy
from umpire_ledger.domain.game.values import DiceSource as DiceSource
from umpire_ledger.domain.game.values import Int as Int
from umpire_ledger.domain.game.values import Pledge as Pledge
from umpire_ledger.domain.game.values import Side as Side
from umpire_ledger.domain.game.values import Value as Value
from umpire_ledger.domain.game.values import Where as Where

AnyEvent = HistoryEvent | SeatsEvent | StepsEvent | DiceEvent | UnitsEvent | ChoicesEvent | DisputesEvent | NotesEvent


def unrolled(event: AnyEvent) -> tuple[AnyEvent, ...]:
    """Return the events of a hidden order one by one, or any other event alone, for callers that sort by kind."""
    return event.events if isinstance(event, HiddenDone) else (event,)


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEvent).decode
"""JSON bytes to an event; raises msgspec.ValidationError for an unknown tag or field."""
TAGS = sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent))
"""The `type` of every event."""


class Unreadable(Event, frozen=True, kw_only=True, tag="unreadable"):
    """An event that this edition does not know, as a reader sees it: it changes nothing, and every view names it.

    It is never recorded, and no log holds it. `kind`: the tag in the log; `why`: the reason why it cannot be read.
    """

    position: int
    kind: str
    why: str

    def apply(self, draft: FoldingGame) -> None:
        if not draft.now("unreadable"):
            draft.more["unreadable"] = f"#{self.position} cannot be read by this edition ({self.kind}: {self.why})"

    def transition_error(self, game: Game) -> str:
        return f"{self!r} is no event"

    def audit_text(self) -> str:
        return f"a record that this edition cannot read ({self.kind}: {self.why})"


class _Tagged(msgspec.Struct):
    """Of an event only its tag."""

    type: str = ""


_tag_of = msgspec.json.Decoder(_Tagged).decode
_MOST_WORDS = 200
"""Characters of a reason that are kept: it may quote the log."""


def read(raw: bytes, position: int) -> AnyEvent:
    """Return the event of some bytes, or `Unreadable` if this edition cannot read it; never raise.

    It is typed as any event, because every table of event kinds has an entry for it.
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
    """An event that only some sides, seats or the `referee` may see; with an empty tuple no one until it is opened."""

    event: AnyEvent
    visible_to: tuple[str, ...]


Told = RestrictedEvent
"""Deprecated name of `RestrictedEvent`, kept for one release."""
