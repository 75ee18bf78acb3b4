"""Notes, sealed orders and messages: each event with its effect, its validity and its audit text."""

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.phrases import in_brackets
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Courier, replace


class NoteAdded(Event, frozen=True, kw_only=True, tag="note.added"):
    """A note is written; it changes nothing. `instead_of`: the position of the note that it replaces.

    `to`: the sides and seats that can read it, if not everyone may.
    """

    text: str
    about: int = 0
    instead_of: int = 0
    to: tuple[str, ...] = ()

    def audit_text(self) -> str:
        instead = f" in place of #{self.instead_of}" if self.instead_of else ""
        private = f"private note to {', '.join(self.to)}" if self.to else "note"
        return f"{private}{instead}{f' on #{self.about}' if self.about else ''}: {self.text}"


class NoteSealed(Event, frozen=True, kw_only=True, tag="note.sealed"):
    """A side seals orders for a case that may occur. That side and all readers of all secrets can read them.

    `again`: the position of the sealed orders that an amendment repeats here; 0 for new ones.
    """

    text: str
    condition: str
    again: int = 0

    def audit_text(self) -> str:
        again = f" again, as #{self.again}" if self.again else ""
        return f"sealed orders{again}, if {self.condition}: {self.text}"


class NoteOpened(Event, frozen=True, kw_only=True, tag="note.opened"):
    """The orders that a side sealed at position `note` are revealed word for word, or withdrawn unread."""

    note: int
    side: str
    text: str = ""
    condition: str = ""
    withdrawn: bool = False

    def audit_text(self) -> str:
        if self.withdrawn:
            return f"the sealed orders of #{self.note} are withdrawn unread"
        return f"{self.side} reveals the sealed orders of #{self.note}, if {self.condition}: {self.text}"


class MessageSent(Event, frozen=True, kw_only=True, tag="message.sent"):
    """A courier leaves.

    Until turn `arrives` begins, only its sender and the readers of all secrets can read the message.

    `message`: its number on this branch, from 1; `sent`: the turn in which it was sent. `step`: if set, the message
    arrives when that step opens in turn `arrives`, or in a later turn if the step is passed by.
    """

    message: int
    seat: str
    to: tuple[str, ...]
    text: str
    arrives: int
    sent: int = 0
    step: str = ""

    def apply(self, draft: FoldingGame) -> None:
        courier = Courier(
            message=self.message,
            seat=self.seat,
            to=self.to,
            text=self.text,
            arrives=self.arrives,
            sent=self.sent,
            step=self.step,
        )
        draft.more["couriers"] = (*draft.now("couriers"), courier)
        draft.more["messages"] = self.message

    def audit_text(self) -> str:
        of = f"message {self.message} from {self.seat} to {', '.join(self.to)}"
        return f"{of}, arrives in {when_in(self)}: {self.text}"


class MessageHeld(Event, frozen=True, kw_only=True, tag="message.held"):
    """The referee delays a message; only the referee knows.

    `message`: its number. `arrives`: the new turn of arrival; 0 if the message is lost. `step`: the step of that turn
    in which it arrives, if one is set.
    """

    message: int
    arrives: int = 0
    step: str = ""
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["couriers"] = tuple(
            replace(one, arrives=self.arrives, step=self.step) if one.message == self.message else one
            for one in draft.now("couriers")
            if one.message != self.message or self.arrives
        )

    def audit_text(self) -> str:
        comes = f"is delayed: it arrives in {when_in(self)}" if self.arrives else "is lost"
        return f"message {self.message} {comes}{in_brackets(self.why)}"


class MessageArrived(Event, frozen=True, kw_only=True, tag="message.arrived"):
    """A message reaches its recipients. `message`: its number."""

    message: int
    seat: str
    to: tuple[str, ...]
    text: str
    sent: int = 0

    def apply(self, draft: FoldingGame) -> None:
        draft.more["couriers"] = tuple(one for one in draft.now("couriers") if one.message != self.message)

    def audit_text(self) -> str:
        of = f"message {self.message} from {self.seat} to {', '.join(self.to)}"
        return f"{of}, sent in turn {self.sent}, arrives: {self.text}"


NotesEvent = NoteAdded | NoteSealed | NoteOpened | MessageSent | MessageHeld | MessageArrived


def when_in(event: MessageSent | MessageHeld) -> str:
    """Return when a message arrives: `turn 4`, or `turn 4 in step E.2`."""
    return f"turn {event.arrives}{f' in step {event.step}' if event.step else ''}"
