"""Define the generic orders: JSON objects `{"as": SEAT, "order": NAME, …arguments}`.

The generic orders serve every title: a group with house rules records all its actions with them, at the right step, by
the right side. A title adds its own by subclassing `Order` in its own folder.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.game.values import DicePolicy, Int, Value

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
UNIT, PLACE, SIDE = "unit", "place", "side"
UnitName = Annotated[Name, msgspec.Meta(extra={"names": UNIT})]
"""The id of a unit that the game has; for one that the order brings into play, `Name`."""
PlaceName = Annotated[Name, msgspec.Meta(extra={"names": PLACE})]
"""A place of the map."""
UnitOrNone = Annotated[str, msgspec.Meta(extra={"names": UNIT})]
REPEATS = {"repeats": True}
"""Meta of a list that may name a unit more than once: one entry for each hit, for instance."""
FurtherUnits = Annotated[tuple[UnitName, ...], msgspec.Meta(max_length=60)]
PlaceOrNone = Annotated[str, msgspec.Meta(extra={"names": PLACE})]
SideName = Annotated[Name, msgspec.Meta(extra={"names": SIDE})]
SeatName = Annotated[Name, msgspec.Meta(extra={"names": "seat"})]
Answered = Annotated[str, msgspec.Meta(extra={"names": "answer"})]
KeyText = Annotated[str, msgspec.Meta(max_length=200)]
"""A public key, as `game/seat_keys.py` writes it."""
Hex32 = Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{64})?$")]
"""32 bytes in lower-case hex, or nothing."""
StepOrNone = Annotated[str, msgspec.Meta(extra={"names": "step"})]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, description="reason, shown in the audit trail")]


class Order(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="order", forbid_unknown_fields=True, omit_defaults=True
):
    """What a seat asks for. `seat` is written `as`."""

    seat: Name = msgspec.field(name="as")

    @classmethod
    def tag(cls) -> str:
        """Return the order's name on the command line and in order files."""
        return str(cls.__struct_config__.tag)


# --- moving through the sequence --------------------------------------------------------------------------------------


class Done(Order, frozen=True, kw_only=True, tag="done"):
    """Leave the step, with an answer where it asks for one. `step` is needed only where several are open.

    `until`: go on leaving steps up to that place; play stops where something is owed, answered, picked or secret, and
    at any other side's part. There it stands: with the others' orders the rest is left, too, as long as nobody does,
    answers or picks anything. A loop around play is the rest of its pass: until the next battle hex, the next round.
    `rest`: go on leaving steps to the end of this phase, as far as `until` would.
    """

    answer: Answered = ""
    step: StepOrNone = ""
    until: Annotated[str, msgspec.Meta(extra={"names": "any step"})] = ""
    rest: bool = False


class Pick(Order, frozen=True, kw_only=True, tag="pick"):
    """Choose what the next pass of a loop is about: a battle hex, a squadron."""

    member: Annotated[Name, msgspec.Meta(extra={"names": "member"})]
    loop: str = ""


class Excuse(Order, frozen=True, kw_only=True, tag="excuse"):
    """The referee excuses a side, or everybody, from a step that cannot or need not be finished."""

    reason: Reason
    step: StepOrNone = ""
    side: Annotated[str, msgspec.Meta(extra={"names": SIDE})] = ""


# --- what happens on the table ----------------------------------------------------------------------------------------


class Plus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A modifier of a roll and where it comes from."""

    amount: Int
    source: Words


class ByTheBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the group read off a table of its own, and which one: `{"outcome": "success", "source": "6.18"}`.

    `outcome` is what a row of the scenario's table would hold.
    """

    outcome: str | dict[str, Value]
    source: Words


class Modified(Order, frozen=True, kw_only=True):
    """An order whose dice take what the group's rules add to them. `modifiers`: each with its source."""

    modifiers: tuple[Plus, ...] = ()


class ReadOff(Order, frozen=True, kw_only=True):
    """An order that looks at a table which no page prints.

    `by_the_book`: what came of it, as the group read it off its own table; with dice of the ledger in a second order,
    when the first has thrown them.
    """

    by_the_book: ByTheBook | None = None


class TableRoll(ReadOff, frozen=True, kw_only=True):
    """An order that rolls on a table which no page prints: with modifiers, and by the book where the group has one."""

    modifiers: tuple[Plus, ...] = ()


class Roll(Order, frozen=True, kw_only=True, tag="roll"):
    """Roll dice for a purpose, on one of the scenario's tables if one is named.

    `purpose`: what for, in words. `dice`: which, for instance 2d6 or 1d10+1; 1d6 if left out. `modifiers`: what is
    added, each with where it comes from. `needed`: what would be enough, in words. `table`: a table of the scenario,
    looked up with the total. `subjects`: the units it is about. `rule`: the number of the rule.
    """

    dice: Name = "1d6"
    purpose: Words
    modifiers: tuple[Plus, ...] = ()
    needed: str = ""
    table: str = ""
    subjects: tuple[str, ...] = ()
    rule: str = ""


class Move(Order, frozen=True, kw_only=True, tag="move"):
    """Move a unit along places; the place where it stands may be left out.

    `only`: under fog, it slips out of sight first: beside its own side only these see it from then on.
    """

    unit: UnitName
    path: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1)]
    cause: str = ""
    only: tuple[SideName, ...] = ()


class Place(Order, frozen=True, kw_only=True, tag="place"):
    """Bring a unit into play.

    `hidden`: under fog, only its side sees it; `only`: beside it these sides do, too.
    """

    unit: Name
    side: SideName
    kind: Name
    at: PlaceName
    attributes: dict[str, Value] = {}
    cause: str = ""
    hidden: bool = False
    only: tuple[SideName, ...] = ()


class Change(Order, frozen=True, kw_only=True, tag="change"):
    """Set one attribute of a unit."""

    unit: UnitName
    attribute: Annotated[Name, msgspec.Meta(extra={"names": "attribute"})]
    to: Value
    cause: str = ""


class Remove(Order, frozen=True, kw_only=True, tag="remove"):
    """Take a unit out of play; its fate is kept."""

    unit: UnitName
    fate: Name = "destroyed"
    cause: str = ""


class Pay(Order, frozen=True, kw_only=True, tag="pay"):
    """Change an account by an amount, negative to spend."""

    account: Annotated[Name, msgspec.Meta(extra={"names": "account"})]
    amount: Int
    cause: str = ""


class Mark(Order, frozen=True, kw_only=True, tag="mark"):
    """Set a marker of the whole game; null takes it off the table."""

    marker: Annotated[Name, msgspec.Meta(extra={"names": "marker"})]
    to: Value
    cause: str = ""


class Choose(Order, frozen=True, kw_only=True, tag="choose"):
    """Answer a question openly."""

    question: Name
    choice: Value


class SealChoice(Order, frozen=True, kw_only=True, tag="seal-choice"):
    """Answer a question secretly; that you did is public, what you chose is not."""

    question: Name
    choice: Value


class Show(Order, frozen=True, kw_only=True, tag="show"):
    """Show a hidden unit where it stands; `to`: to these sides alone, to everybody if left out.

    `units`: further units that are shown with it.
    """

    unit: UnitName
    to: tuple[SideName, ...] = ()
    cause: str = ""
    units: FurtherUnits = ()


class Hide(Order, frozen=True, kw_only=True, tag="hide"):
    """Take a unit out of sight where it stands. `only`: beside its own side these go on seeing it.

    `units`: further units that go out of sight with it.
    """

    unit: UnitName
    only: tuple[SideName, ...] = ()
    cause: str = ""
    units: FurtherUnits = ()


class Reveal(Order, frozen=True, kw_only=True, tag="reveal"):
    """Lay your sealed answer open."""

    question: Name


# --- the table's talk and the referee's acts --------------------------------------------------------------------------


class Note(Order, frozen=True, kw_only=True, tag="note"):
    """A remark for the record, about a position if one is named. `instead_of`: your own mistyped remark.

    `to`: only these sides, seats or the referee read it, beside the side that writes it and, unless secrets are closed
    to the referee, the referee.
    """

    text: Words
    about: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    instead_of: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    to: Annotated[tuple[SeatName, ...], msgspec.Meta(max_length=100)] = ()


class SealWords(Order, frozen=True, kw_only=True, tag="seal-words"):
    """Lay words down for a case that may come, for instance what a garrison does if it is attacked.

    Your side reads them and, unless secrets are closed to the referee, the referee, until one of you opens them.
    """

    text: Words
    condition: Words


class OpenWords(Order, frozen=True, kw_only=True, tag="open-words"):
    """Open to everybody what was sealed at a position, letter for letter; `withdraw`: take your own back, unread."""

    note: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    withdraw: bool = False


class SendMessage(Order, frozen=True, kw_only=True, tag="send-message"):
    """Send a courier: `to` whom its words are told when turn `arrives` begins, and to nobody of them before.

    `step`: when that step opens in this turn, or in a later one where it is passed by.
    """

    text: Words
    to: Annotated[tuple[SeatName, ...], msgspec.Meta(min_length=1, max_length=100)]
    arrives: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    step: StepOrNone = ""


class HoldMessage(Order, frozen=True, kw_only=True, tag="hold-message"):
    """The referee holds a courier up, by the number of its message: it arrives in that turn, or at that step of it.

    Without `arrives` it is lost. Nobody else learns of it; that it has not arrived, they see when its time has come.
    """

    message: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    arrives: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    step: StepOrNone = ""
    why: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class OpenSecrets(Order, frozen=True, kw_only=True, tag="open-secrets"):
    """When the game is over everything is laid open to everybody: words, sealed answers, dice thrown in secret.

    It is the referee's. Where secrets are closed to the referee, every side gives it, and the last opens all.
    """


class TakeSeat(Order, frozen=True, kw_only=True, tag="take-seat"):
    """The referee gives a seat to a side, so that several people can speak for it. `key`: what it signs with."""

    taker: Name
    side: SideName
    name: str = ""
    key: KeyText = ""


class GiveKey(Order, frozen=True, kw_only=True, tag="give-key"):
    """From the next order on a seat signs with this key, and nobody else can give its orders.

    `key`: its public half, as `umpire key show` prints it. A seat gives itself one; the referee may give any seat one,
    another in place of a lost or stolen one with a reason.
    """

    who: Annotated[Name, msgspec.Meta(extra={"names": "seat"})]
    key: KeyText
    reason: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Undo(Order, frozen=True, kw_only=True, tag="undo"):
    """Take back orders, newest first. A seat undoes only its own, to the last roll, reveal, seal or change of side.

    `dice`, the referee's choice: reroll, keep, or keep unless something new is decided.
    """

    orders: Annotated[int, msgspec.Meta(ge=1)] = 1
    why: str = ""
    dice: DicePolicy | None = None


class Redo(Order, frozen=True, kw_only=True, tag="redo"):
    """Return to the line that the last undo or rewind left, as long as nothing was played since."""


class Rewind(Order, frozen=True, kw_only=True, tag="rewind"):
    """Return play to a position, to a step, `5-3D of 0407`, or to a turn, `turn 2`; nothing is deleted.

    The referee anywhere; a seat over its own orders, as far as it may undo them. `dice`, the referee's choice: reroll,
    keep (the same purpose for the same subjects in the same step takes its old pips, in order), or keep until something
    new is decided.
    """

    to: int | str
    why: str = ""
    dice: DicePolicy | None = None


class AskRewind(Order, frozen=True, kw_only=True, tag="ask-rewind"):
    """A seat asks the other sides to return to a position, step or turn; it happens when the last has consented."""

    to: int | str
    why: Reason
    dice: DicePolicy | None = None


class Consent(Order, frozen=True, kw_only=True, tag="consent"):
    """Agree, for your side, to the rewind that was asked for."""


class Refuse(Order, frozen=True, kw_only=True, tag="refuse"):
    """Refuse, for your side, the rewind that was asked for."""

    why: str = ""


class Amend(Order, frozen=True, kw_only=True, tag="amend"):
    """The referee mends one order of the line; everything after it is played again as far as it still applies.

    `how`: replace it by `given`, drop it, insert `given` before it, or give it again with fresh dice (`reroll`).
    """

    at: Annotated[int, msgspec.Meta(ge=1)]
    how: Literal["replace", "drop", "before", "reroll"] = "replace"
    given: dict[str, Any] = {}
    why: Reason
    dice: DicePolicy = "keep"


class Amending(Order, frozen=True, kw_only=True, tag="amending"):
    """The referee goes on with an amendment that stopped: with the order that stopped it, or `given` in its place.

    `how`: continue; skip that order; leave what is left on the old line; or abort, and return to that line.
    """

    how: Literal["continue", "skip", "leave", "abort"] = "continue"
    given: dict[str, Any] = {}
    why: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Dispute(Order, frozen=True, kw_only=True, tag="dispute"):
    """Contest records by position; play goes on under protest. `dispute`: an id of your own, d1, d2, … if left out."""

    records: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1)], ...], msgspec.Meta(min_length=1, max_length=1000)]
    claim: Words
    rule: str = ""
    dispute: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Settle(Order, frozen=True, kw_only=True, tag="settle"):
    """Answer a dispute; the seat that opened it may withdraw it, without an answer."""

    dispute: Annotated[Name, msgspec.Meta(extra={"names": "dispute"})]
    ruling: str = ""
    reason: str = ""


class Rule(Order, frozen=True, kw_only=True, tag="rule"):
    """Rule on a question: the rule, what the ruling rests on, the remedy; `orders` are carried out with it.

    What is carried out (generic orders, first of all a rewind) is marked as overridden.
    """

    ruling: Words
    reason: Reason
    grounds: Literal["house rule", "official answer", "printed rule"]
    rule: str = ""
    remedy: str = ""
    overrides: str = ""
    dispute: str = ""
    orders: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=200)] = ()


class Seal(Order, frozen=True, kw_only=True, tag="seal"):
    """Accept everything up to here; then only the referee undoes it, with a reason, or all sides consent."""


class Peek(Order, frozen=True, kw_only=True, tag="peek"):
    """The referee looks at what only a seat may know; that this was done is a public record."""

    who: SeatName
    reason: Reason


class SeatDice(Order, frozen=True, kw_only=True, tag="seat-dice"):
    """A side's part in shared or witnessed dice; `umpire dice-share` draws it and knows which is due.

    `pledge`: SHA-256 of the share that it will show first. `share`: 32 random bytes in hex that fit the pledge, or the
    share that it showed before.
    """

    pledge: Hex32 = ""
    share: Hex32 = ""


class OpenDice(Order, frozen=True, kw_only=True, tag="open-dice"):
    """The referee makes the seed of the ledger's dice public; every roll can then be thrown again.

    While the game goes on that is before the first roll of a turn, and the next seed is committed to with it. Where a
    side keeps back its share in the dice, at any time: it is named, and the draw begins again.
    """


class End(Order, frozen=True, kw_only=True, tag="end"):
    """The referee ends the game outside its sequence."""

    reason: Reason
    winner: str = ""


SEQUENCE_ORDERS: tuple[type[Order], ...] = (Done, Pick)
REFEREE_ORDERS: tuple[type[Order], ...] = (
    *(Excuse, TakeSeat, Rewind, Amend, Amending, Rule, Peek, OpenDice, HoldMessage, End),
)
COVERS: tuple[type[Order], ...] = (Show, Hide)
"""Orders about hidden units, which a game under fog takes at any time."""
ANYTIME_ORDERS: tuple[type[Order], ...] = (
    *(
        Note,
        SendMessage,
        SealWords,
        OpenWords,
        OpenSecrets,
        Undo,
        Redo,
        AskRewind,
        Consent,
        Refuse,
        Dispute,
        Settle,
        Seal,
        GiveKey,
        SeatDice,
    ),
)
LOOKING_BACK: tuple[type[Order], ...] = (
    *(Undo, Redo, Rewind, AskRewind, Consent, Refuse, Amend, Amending),
    *(Rule, Peek, Dispute, Settle, Seal, OpenDice, OpenSecrets, OpenWords),
)
"""Orders whose decision asks the log."""
MAY_NEED_SEED: tuple[type[Order], ...] = (Undo, Redo, Rewind, AskRewind, Consent, Rule, OpenDice)
"""Orders that may rotate the seed of the ledger's dice."""
GENERIC_ORDERS: tuple[type[Order], ...] = (Roll, Move, Place, Change, Remove, Pay, Mark, Choose, SealChoice, Reveal)
EVERYWHERE: tuple[type[Order], ...] = (*SEQUENCE_ORDERS, *COVERS, *ANYTIME_ORDERS, *REFEREE_ORDERS)
"""Orders that every title takes at every step."""


def looks_back(order: Order) -> bool:
    """Return whether the order's decision reads the log, so that pending records must be written first."""
    return isinstance(order, LOOKING_BACK) or (isinstance(order, Note) and order.instead_of > 0)


def order_schema(order: type[Order]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one order as a line of a file holds it, references resolved at its top.

    `as` may be left out, for the seat that gives it; the keys that every line may have are added to the arguments.
    """
    schema = msgspec.json.schema(order)
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    definitions: dict[str, Any] = schema.get("$defs", {})
    if name not in definitions:
        return schema
    top: dict[str, Any] = definitions.pop(name)
    top["properties"] = {**top["properties"], **BESIDE_SCHEMA}
    top["required"] = [one for one in top.get("required", ()) if one != "as"]
    return {**top, "$defs": definitions} if definitions else top


BESIDE_SCHEMA: Mapping[str, Any] = {
    "pips": {
        "description": "dice results rolled at the table, in order",
        "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}],
        "default": None,
    },
    "id": {"description": "order id: an order sent twice with one id counts once", "type": "string", "default": ""},
    "leave": {
        "description": "end the step with this order, or several steps up to a place",
        "type": "string",
        "default": "",
    },
    "happened_at": {"description": "time of the order, RFC 3339", "type": "string", "default": ""},
    "witness": {"description": "name of the witness", "type": "string", "maxLength": 200, "default": ""},
    "saw": {"description": "for a signed order: the newest record that its seat saw", "type": "integer", "minimum": 1},
    "signed": {"description": "signature by the seat's key", "type": "string", "maxLength": 92},
}
"""The schema of the keys that every line may have."""
