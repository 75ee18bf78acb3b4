"""The closed vocabulary of what can happen in a game; a title brings no event types of its own.

The tag is the name on disk for ever: a class may be renamed, a tag may not. A new field gets a default, a new meaning
a new tag. Events carry before and after, so that one line of the audit trail needs nothing but its own event.
No floats; integers stay within ±(2^53 − 1), so that every JSON reader in the world sees the same number.
"""

from typing import Annotated, Any, Literal, cast, get_args

import msgspec

from umpire_ledger.domain.game.cursor import Frame, How, LoopKind

Int = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
Value = bool | Int | str | tuple[str, ...] | None
"""What an attribute, a marker, an option or a choice can hold."""

DiceSource = Literal["ledger", "table"]
"""Who threw a roll: the ledger from a seed, or the group on its table."""
Failed = Literal["", "refused", "fault"]
"""Why an order was not carried out after its roll: a rule refused it, or its title was at fault."""
DiceMode = Literal["ledger", "shared", "witnessed", "table"]
"""How a game's dice are thrown: from a seed that is committed to at the opening, alone or with shares of the sides, or
by the group at its table. All but the last are the ledger's."""
DicePolicy = Literal["reroll", "keep", "keep-unless-new"]
"""What happens to the dice of what is played again after a rewind."""
CopyKind = Literal["", "backup", "import", "file", "restored"]
"""How a game came into another ledger: in a backup, by an import, in a copied file, or restored for the original."""
Grounds = Literal["", "house rule", "official answer", "printed rule"]


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """A fact the ledger holds. Frozen: it cannot be argued with later. `rule` is the rule number that caused it.

    `overridden`: no rule brought it about, a ruling of the referee did.
    """

    rule: str = ""
    overridden: bool = False


# --- game -----------------------------------------------------------------------------------------------------------


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A party of the game, for instance `syracuse`, Syracuse. `plural`: its name takes plural verbs, as Allies does."""

    id: str
    name: str
    plural: bool = False


class GameOpened(Event, frozen=True, kw_only=True, tag="game.opened"):
    """A game of a title begins. `scenario` is the whole scenario as it was checked, so the log explains itself.

    `sequence`: the sequence of play where the scenario brings one of its own; it stands here and not in `scenario`.
    """

    game: str
    title: str
    version: str
    name: str
    sides: tuple[Side, ...]
    dice: DiceSource
    options: dict[str, Value] = {}
    tables: dict[str, Any] = {}
    scenario: dict[str, Any] = {}
    sequence: dict[str, Any] = {}


class GameCopied(Event, frozen=True, kw_only=True, tag="game.copied"):
    """From here on this is another game: everything before was copied out of game `of`, up to position `at`.

    Where `of` is the game itself, it is the same game in another ledger: keys stay, and the dice have a new seed.
    `how`: how it came into that ledger; `why`: the reason, if one was given.
    """

    of: str
    at: int
    game: str
    how: CopyKind = ""
    why: str = ""

    @property
    def is_same_game(self) -> bool:
        """Whether the game itself continues in another ledger."""
        return self.of == self.game


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat.taken"):
    """A seat at the table speaks for a side from now on."""

    seat: str
    side: str
    name: str = ""


class SeatKeyed(Event, frozen=True, kw_only=True, tag="seat.keyed"):
    """From the next order on this seat signs what it orders, with the key of which this is the public half.

    `key`: as `game/seat_keys.py` writes it; "": it signs no more, as behind a rewind out of a copy into the original.
    """

    seat: str
    key: str
    why: str = ""


class GameEnded(Event, frozen=True, kw_only=True, tag="game.ended"):
    """The last word of the sequence of play, or the referee's."""

    why: str
    winner: str = ""


# --- sequence of play -----------------------------------------------------------------------------------------------


class Where(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place in the sequence as the table sees it. `turn` and `round` count from 1; 0: none is running."""

    turn: int = 0
    side: str = ""
    items: tuple[str, ...] = ()
    round: int = 0


class StepOpened(Event, frozen=True, kw_only=True, tag="step.opened"):
    """A step begins. `waits`: the sides it waits for, fixed now. `path`: the places around it, outermost first.

    `given`, `acts`: the orders given in it before and how much was done, where play goes on from a scenario's position.
    """

    step: str
    name: str
    where: Where = Where()
    waits: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    secret: bool = False
    given: tuple[str, ...] = ()
    acts: int = 0


class OrderGiven(Event, frozen=True, kw_only=True, tag="order.given"):
    """An order was carried out under a step that later asks whether it was given."""

    step: str
    order: str
    side: str


class SideDone(Event, frozen=True, kw_only=True, tag="side.done"):
    """One of several sides has finished with a step that still waits for others."""

    step: str
    side: str
    how: How = "done"
    why: str = ""


class SideLeaves(Event, frozen=True, kw_only=True, tag="side.leaves"):
    """A side leaves what it may leave on the way to a place, as long as nobody does, answers or picks anything."""

    side: str
    until: str


class StepClosed(Event, frozen=True, kw_only=True, tag="step.closed"):
    """A step is over. `to`: where it leads, settled now. `keep`: the loop that remembers the answer beyond its pass.

    `item`: the member that was picked for the innermost loop.
    """

    step: str
    answer: str = ""
    how: How = "done"
    to: str = "next"
    side: str = ""
    keep: str = ""
    item: str = ""
    why: str = ""


class StepPassed(Event, frozen=True, kw_only=True, tag="step.passed"):
    """A step, or a whole heading, does not apply now, and why."""

    step: str
    name: str
    why: str


class PlayJumped(Event, frozen=True, kw_only=True, tag="play.jumped"):
    """Play goes elsewhere than to the next step, in one event: down to `frames` frames, forgetting some answers.

    `broke_off`: steps that were open and are left unfinished. `stays`: steps beside it that stay open.
    """

    to: str
    frames: int
    forgets: tuple[str, ...] = ()
    broke_off: tuple[str, ...] = ()
    note: str = ""
    stays: tuple[str, ...] = ()


class LoopOpened(Event, frozen=True, kw_only=True, tag="loop.opened"):
    """A frame is laid on the cursor: a loop, a called procedure, a borrowed stretch, or one that an instant calls.

    `back`: the place after which play goes on when the frame closes. `stretch`: first and last borrowed step.
    """

    loop: str
    name: str
    kind: LoopKind = "loop"
    back: str = ""
    stretch: tuple[str, ...] = ()


class PassBegun(Event, frozen=True, kw_only=True, tag="pass.begun"):
    """A pass of the innermost loop begins, the first is 1. `finished`: members that are done, `turn`: the new turn."""

    loop: str
    nth: int
    item: str = ""
    side: str = ""
    finished: tuple[str, ...] = ()
    turn: int = 0


class LoopClosed(Event, frozen=True, kw_only=True, tag="loop.closed"):
    """The innermost frame is taken off the cursor; one laid by an instant gives back what it had suspended."""

    loop: str
    why: str = ""


class PlayResumed(Event, frozen=True, kw_only=True, tag="play.resumed"):
    """Play goes on from a position that the scenario holds: the loops that are open and what they remember.

    The steps that wait there are opened behind it. `of`, `at`: the game and the record that the position was written
    from. `acts`: the count of acts, high enough for what was done in those steps; `answered`: the count at which an
    answer was given, by its key.
    """

    frames: tuple[Frame, ...] = ()
    turn: int = 0
    acts: int = 0
    answered: dict[str, int] = {}
    of: str = ""
    at: int = 0


# --- dice -----------------------------------------------------------------------------------------------------------


class Modifier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was added to the pips, and where it comes from."""

    amount: Int
    source: str


class DiceCommitted(Event, frozen=True, kw_only=True, tag="dice.committed"):
    """SHA-256 of the seed in hex, public before the first roll. `label` goes into every roll drawn from it.

    `scheme`: how a roll is drawn (`domain.game.dice`), from 1, which is that of logs that do not say it, to 4.
    """

    commitment: str
    label: str
    scheme: int = 1


class DicePledged(Event, frozen=True, kw_only=True, tag="dice.pledged"):
    """SHA-256, in hex, of the first share that a side will show, before anybody shows one."""

    side: str
    pledge: str


class DiceShared(Event, frozen=True, kw_only=True, tag="dice.shared"):
    """A side shows a share, 32 bytes in hex: its SHA-256 is the share that the side showed before, else its pledge."""

    side: str
    share: str


class DiceAsked(Event, frozen=True, kw_only=True, tag="dice.asked"):
    """A seat has given an order that throws, and it waits for new shares. `roll`: the number of its first roll."""

    seat: str
    roll: int


class Pledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a side has given to the dice: its pledge, and the share that it showed last; "" where it showed none.

    `since`: whether that was since the newest order that asked for dice.
    """

    pledge: str
    share: str = ""
    since: bool = False


class DicePledges(Event, frozen=True, kw_only=True, tag="dice.pledges"):
    """What the sides have given to the dice, told once more: a rewind takes none of it back."""

    pledges: dict[str, Pledge]


class DiceSeeded(Event, frozen=True, kw_only=True, tag="dice.seeded"):
    """The 32-byte seed in hex, in a record that nobody may see until the dice are opened."""

    seed: str


class DiceRolled(Event, frozen=True, kw_only=True, tag="dice.rolled"):
    """A roll with everything a doubter asks. `roll` counts from 1 and is never reused, whatever is rewound.

    `step`: under which it was rolled; `about`: what the loops around it were about, a battle hex, a squadron.
    `kept`: the record whose pips it keeps after a rewind, 0 for a fresh roll; `thrown`: the number of the roll that
    showed these pips first, where that is another one. `book`: the group's own table, where the outcome was read there.
    `failed`: its order was not carried out after the roll, because a rule refused it or its title was at fault.
    """

    roll: int
    purpose: str
    dice: str
    pips: tuple[int, ...]
    total: Int
    modifiers: tuple[Modifier, ...] = ()
    needed: str = ""
    outcome: str = ""
    subjects: tuple[str, ...] = ()
    table: str = ""
    row: str = ""
    source: DiceSource = "ledger"
    step: str = ""
    about: tuple[str, ...] = ()
    kept: int = 0
    thrown: int = 0
    book: str = ""
    failed: Failed = ""


class DiceOpened(Event, frozen=True, kw_only=True, tag="dice.opened"):
    """The seed made public: anybody can throw every die again. `missing`: sides that kept back their share in it."""

    seed: str
    missing: tuple[str, ...] = ()


# --- units, counts and choices ---------------------------------------------------------------------------------------


class UnitPlaced(Event, frozen=True, kw_only=True, tag="unit.placed"):
    """A unit comes into play at a place. `seen_by`: it does so hidden, and only these sides see it; (): everybody."""

    unit: str
    side: str
    kind: str
    at: str
    attributes: dict[str, Value] = {}
    cause: str = ""
    seen_by: tuple[str, ...] = ()


class UnitMoved(Event, frozen=True, kw_only=True, tag="unit.moved"):
    """A unit went along a path: places in order, the first where it stood."""

    unit: str
    path: tuple[str, ...]
    cause: str = ""


class UnitChanged(Event, frozen=True, kw_only=True, tag="unit.changed"):
    """One attribute of a unit became another; an attribute that was not there was null."""

    unit: str
    attribute: str
    before: Value
    after: Value
    cause: str = ""


class UnitRemoved(Event, frozen=True, kw_only=True, tag="unit.removed"):
    """A unit leaves play. `fate`: destroyed, sunk, captured, withdrawn, …; `at`: where it last stood."""

    unit: str
    fate: str
    at: str = ""
    cause: str = ""


class UnitCovered(Event, frozen=True, kw_only=True, tag="unit.covered"):
    """A unit is taken out of sight. `blind`: who loses sight of it; `at`: where they saw it last.

    For those who still see it, it is placed again in a private record behind this one.
    """

    unit: str
    at: str
    blind: tuple[str, ...]
    cause: str = ""


class UnitShown(Event, frozen=True, kw_only=True, tag="unit.shown"):
    """A hidden unit is shown as it stands now, not where it was. `seen_by`: who sees it from now on; (): everybody."""

    unit: str
    side: str
    kind: str
    at: str
    attributes: dict[str, Value] = {}
    seen_by: tuple[str, ...] = ()
    cause: str = ""


UnitEvent = UnitPlaced | UnitMoved | UnitChanged | UnitRemoved | UnitCovered | UnitShown


class HiddenOrdered(Event, frozen=True, kw_only=True, tag="hidden.ordered"):
    """A side, or the referee (""), gave an order to hidden units: all that the others learn of it.

    `search`: it looked for those of others, whether it found any or not.
    """

    side: str = ""
    search: bool = False


class HiddenDone(Event, frozen=True, kw_only=True, tag="hidden.done"):
    """What a hidden order did, however much that was, in one private record: so the number of records tells nothing.

    `says`: what is said of it to those who see it, for instance that nothing was found.
    """

    events: tuple[UnitEvent, ...] = ()
    says: str = ""


class AccountChanged(Event, frozen=True, kw_only=True, tag="account.changed"):
    """Points, money, supplies: `after` is `before` plus `amount`."""

    account: str
    amount: Int
    before: Int
    after: Int
    cause: str = ""


class MarkerSet(Event, frozen=True, kw_only=True, tag="marker.set"):
    """A marker of the whole game; null: it is not on the table."""

    marker: str
    before: Value
    after: Value
    cause: str = ""


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice.made"):
    """A side's answer to a question. Beside a `choice.sealed` it is the private half."""

    question: str
    side: str
    choice: Value
    sealed: bool = False


class ChoiceSealed(Event, frozen=True, kw_only=True, tag="choice.sealed"):
    """A side has chosen; what, only those know who may see the record beside this one."""

    question: str
    side: str


class ChoiceRevealed(Event, frozen=True, kw_only=True, tag="choice.revealed"):
    """A sealed choice is laid open; it equals what was sealed."""

    question: str
    side: str
    choice: Value


# --- referee ----------------------------------------------------------------------------------------------------------


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling.made"):
    """The referee decides, with a reason; what an override changed follows in the same order.

    `overrides`: the step or the rule that it goes against. `rule`: the rule it is about, by which it is found again.
    `grounds`: what it rests on. `remedy`: what is to be done about it. `dispute`: the one it settles.
    """

    ruling: str
    reason: str
    overrides: str = ""
    grounds: Grounds = ""
    remedy: str = ""
    dispute: str = ""


class DisputeOpened(Event, frozen=True, kw_only=True, tag="dispute.opened"):
    """A seat contests records by position. `rule`: the rule that the quarrel is about."""

    dispute: str
    claim: str
    positions: tuple[int, ...] = ()
    seat: str = ""


class DisputeSettled(Event, frozen=True, kw_only=True, tag="dispute.settled"):
    """A dispute has its answer."""

    dispute: str
    ruling: str
    reason: str = ""


class PlayRewound(Event, frozen=True, kw_only=True, tag="play.rewound"):
    """Play stands again as it stood at position `to`. Nothing is deleted; what follows starts another line.

    `kind`: undo, redo or rewind; amend: the orders that follow play the line again. `rolls`: rolls made so far on any
    line. `tip`: the last position of the line that is left, where a redo returns to. `dice`: what happens to the dice
    of what is played again, `fresh`: records whose rolls are not kept in any case. `consent`: the sides that agreed,
    where they did so instead of the referee. `secrets_open`: up to where secrets are open; no rewind closes them.
    """

    to: int
    kind: Literal["undo", "redo", "rewind", "amend"]
    why: str = ""
    rolls: int = 0
    tip: int = 0
    dice: DicePolicy = "reroll"
    fresh: tuple[int, ...] = ()
    consent: tuple[str, ...] = ()
    secrets_open: int = 0


class AmendmentStopped(Event, frozen=True, kw_only=True, tag="amendment.stopped"):
    """An amendment waits: an order of the line that it plays again no longer applies.

    `at`: that order; `seat`: whose it is; `tip`: where that line ended; `left`: how many of its orders are to come,
    that one among them. `skipped`: an order that was left out to go on.
    """

    at: int
    tip: int
    left: int
    seat: str = ""
    skipped: int = 0
    why: str = ""


class AmendmentEnded(Event, frozen=True, kw_only=True, tag="amendment.ended"):
    """An amendment that had stopped waits no more. `left`: how many orders stay on the line that it was to play again.

    `how`: all that was left is played again; it was left there; or the amendment was aborted.
    """

    how: Literal["played", "left", "aborted"] = "played"
    left: int = 0
    skipped: int = 0
    why: str = ""


class RewindAsked(Event, frozen=True, kw_only=True, tag="rewind.asked"):
    """A seat asks all other sides to return to a position; play goes on until the last of them has consented."""

    seat: str
    side: str
    to: int
    why: str
    dice: DicePolicy = "reroll"


class RewindAnswered(Event, frozen=True, kw_only=True, tag="rewind.answered"):
    """A side consents to the rewind that was asked for, or refuses it, and then it is off the table."""

    side: str
    consents: bool
    why: str = ""


class LineSealed(Event, frozen=True, kw_only=True, tag="line.sealed"):
    """A seat accepts everything up to a position."""

    seat: str
    position: int


class SecretPeeked(Event, frozen=True, kw_only=True, tag="secret.peeked"):
    """The referee looked at what only a seat may know, as it stood at a position."""

    seat: str
    position: int
    reason: str


class SecretsOpened(Event, frozen=True, kw_only=True, tag="secrets.opened"):
    """What only some could see is open to everybody, up to a position; a seed that is not opened stays closed.

    `upto`: 0 while a side has only agreed, where every side opens its own. `side`: the one that agrees.
    """

    upto: int = 0
    side: str = ""


class NoteAdded(Event, frozen=True, kw_only=True, tag="note.added"):
    """A remark for the record; it changes nothing. `instead_of`: the position of the one that it takes back.

    `to`: the sides and seats that it is meant for, where not everybody may read it.
    """

    text: str
    about: int = 0
    instead_of: int = 0
    to: tuple[str, ...] = ()


class NoteSealed(Event, frozen=True, kw_only=True, tag="note.sealed"):
    """Words that a side lays down for a case that may come, read by that side and whoever sees all secrets.

    `again`: the position of the sealed words that an amendment repeats here; 0: these are new.
    """

    text: str
    condition: str
    again: int = 0


class NoteOpened(Event, frozen=True, kw_only=True, tag="note.opened"):
    """The words that were sealed at position `note` are open, letter for letter; or withdrawn, and then not told."""

    note: int
    side: str
    text: str = ""
    condition: str = ""
    withdrawn: bool = False


class MessageSent(Event, frozen=True, kw_only=True, tag="message.sent"):
    """A courier rides: only its sender and whoever sees all secrets know the words until turn `arrives` begins.

    `message`: its number on this line, from 1; `sent`: the turn in which it was sent. `step`: it arrives when that step
    opens in turn `arrives`, or in a later one where the step is passed by.
    """

    message: int
    seat: str
    to: tuple[str, ...]
    text: str
    arrives: int
    sent: int = 0
    step: str = ""


class MessageHeld(Event, frozen=True, kw_only=True, tag="message.held"):
    """The referee holds a courier up, who arrives in turn `arrives`, at `step` if one is named; 0: never, it is lost.

    `message`: its number. Only the referee knows.
    """

    message: int
    arrives: int = 0
    step: str = ""
    why: str = ""


class MessageArrived(Event, frozen=True, kw_only=True, tag="message.arrived"):
    """The message of that number is told to those whom it is meant for."""

    message: int
    seat: str
    to: tuple[str, ...]
    text: str
    sent: int = 0


AnyEvent = (
    GameOpened
    | GameCopied
    | SeatTaken
    | SeatKeyed
    | GameEnded
    | StepOpened
    | OrderGiven
    | SideDone
    | SideLeaves
    | StepClosed
    | StepPassed
    | PlayJumped
    | LoopOpened
    | PassBegun
    | LoopClosed
    | PlayResumed
    | DiceCommitted
    | DiceSeeded
    | DicePledged
    | DiceShared
    | DiceAsked
    | DicePledges
    | DiceRolled
    | DiceOpened
    | UnitPlaced
    | UnitMoved
    | UnitChanged
    | UnitRemoved
    | UnitCovered
    | UnitShown
    | HiddenOrdered
    | HiddenDone
    | AccountChanged
    | MarkerSet
    | ChoiceMade
    | ChoiceSealed
    | ChoiceRevealed
    | RulingMade
    | DisputeOpened
    | DisputeSettled
    | PlayRewound
    | AmendmentStopped
    | AmendmentEnded
    | RewindAsked
    | RewindAnswered
    | LineSealed
    | SecretPeeked
    | SecretsOpened
    | NoteAdded
    | NoteSealed
    | NoteOpened
    | MessageSent
    | MessageHeld
    | MessageArrived
)


def unrolled(event: AnyEvent) -> tuple[AnyEvent, ...]:
    """An event, or one by one what a hidden order did, for whoever looks at events by kind."""
    return event.events if isinstance(event, HiddenDone) else (event,)


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEvent).decode
"""JSON bytes to an event; raises msgspec.ValidationError for an unknown tag or field."""
TAGS = sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent))
"""The `type` of every event."""


class Unreadable(Event, frozen=True, kw_only=True, tag="unreadable"):
    """What a reader makes of an event that this edition does not know: nothing happens, and every look says so.

    It is never recorded, and no log holds it. `kind`: the tag that stands in the log; `why`: what cannot be read.
    """

    position: int
    kind: str
    why: str


class _Tagged(msgspec.Struct):
    """Of an event only its tag."""

    type: str = ""


_tag_of = msgspec.json.Decoder(_Tagged).decode
_MOST_WORDS = 200
"""Characters of a reason that are kept: it may quote the log."""


def read(raw: bytes, position: int) -> AnyEvent:
    """An event's bytes to the event, or to `Unreadable` where this edition cannot read it. Never raises.

    Typed as any event, because whoever goes by a table of kinds has a line for it.
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


class Told(msgspec.Struct, frozen=True):
    """An event that only some may see: sides, seats, `referee`. An empty tuple: nobody, until it is opened."""

    event: AnyEvent
    visible_to: tuple[str, ...]
