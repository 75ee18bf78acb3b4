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
"""The id of an existing unit; the id of a unit that the order brings into play is a `Name`."""
PlaceName = Annotated[Name, msgspec.Meta(extra={"names": PLACE})]
"""A place of the map."""
UnitOrNone = Annotated[str, msgspec.Meta(extra={"names": UNIT})]
REPEATS = {"repeats": True}
"""Meta of a list that may name a unit more than once, for instance one entry for each hit."""
FurtherUnits = Annotated[tuple[UnitName, ...], msgspec.Meta(max_length=60)]
PlaceOrNone = Annotated[str, msgspec.Meta(extra={"names": PLACE})]
SideName = Annotated[Name, msgspec.Meta(extra={"names": SIDE})]
SeatName = Annotated[Name, msgspec.Meta(extra={"names": "seat"})]
Answered = Annotated[str, msgspec.Meta(extra={"names": "answer"})]
KeyText = Annotated[str, msgspec.Meta(max_length=200)]
"""A public key, as `game/seat_keys.py` writes it."""
Hex32 = Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{64})?$")]
"""32 bytes in lower-case hex, or an empty text."""
StepOrNone = Annotated[str, msgspec.Meta(extra={"names": "step"})]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, description="reason, shown in the audit trail")]


class Order(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="order", forbid_unknown_fields=True, omit_defaults=True
):
    """An order of a seat. `seat` is written `as`."""

    seat: Name = msgspec.field(name="as")

    @classmethod
    def tag(cls) -> str:
        """Return the order's name on the command line and in order files."""
        return str(cls.__struct_config__.tag)


# --- moving through the sequence --------------------------------------------------------------------------------------


class Done(Order, frozen=True, kw_only=True, tag="done"):
    """End the step for your side, with an answer if the step asks for one. `step`: needed only if several are open.

    `until`: also end the later steps before this place. Play stops at a required action, an answer, a pick, a secret
    step, and any other side's part. The order stays in force while other sides give their orders, until a side acts,
    answers or picks. If the place is a loop around the step, the order ends the rest of the current pass.

    `rest`: also end the later steps of this phase. Play stops as for `until`.
    """

    answer: Answered = ""
    step: StepOrNone = ""
    until: Annotated[str, msgspec.Meta(extra={"names": "any step"})] = ""
    rest: bool = False


class Pick(Order, frozen=True, kw_only=True, tag="pick"):
    """Choose the member that the next pass of a loop handles, for example a battle hex or a squadron."""

    member: Annotated[Name, msgspec.Meta(extra={"names": "member"})]
    loop: str = ""


class Excuse(Order, frozen=True, kw_only=True, tag="excuse"):
    """Excuse a side, or all sides, from a step that cannot or need not be finished. For the referee."""

    reason: Reason
    step: StepOrNone = ""
    side: Annotated[str, msgspec.Meta(extra={"names": SIDE})] = ""


# --- what happens on the table ----------------------------------------------------------------------------------------


class Plus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A modifier of a roll, with its source."""

    amount: Int
    source: Words


class ByTheBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A result that the group read off its own table, with the source: `{"outcome": "success", "source": "6.18"}`.

    `outcome`: a result as in a row of the scenario's table.
    """

    outcome: str | dict[str, Value]
    source: Words


class Modified(Order, frozen=True, kw_only=True):
    """An order whose dice take modifiers from the group's rules. `modifiers`: each with its source."""

    modifiers: tuple[Plus, ...] = ()


class ReadOff(Order, frozen=True, kw_only=True):
    """An order that uses a table that its title cannot include.

    `by_the_book`: the result, as the group read it off its own table. If the ledger rolls the dice, give it in a second
    order after the roll.
    """

    by_the_book: ByTheBook | None = None


class TableRoll(ReadOff, frozen=True, kw_only=True):
    """An order that rolls on a table that its title cannot include. The group can read the result off its own table."""

    modifiers: tuple[Plus, ...] = ()


class Roll(Order, frozen=True, kw_only=True, tag="roll"):
    """Roll dice for a purpose, on a table of the scenario if one is named.

    `purpose`: the purpose, in words. `dice`: the dice, for example 2d6 or 1d10+1; 1d6 if left out. `modifiers`: the
    amounts to add, each with its source. `needed`: the target, in words. `table`: the table of the scenario in which
    the total is looked up. `subjects`: the units that the roll is about. `rule`: the rule number.
    """

    dice: Name = "1d6"
    purpose: Words
    modifiers: tuple[Plus, ...] = ()
    needed: str = ""
    table: str = ""
    subjects: tuple[str, ...] = ()
    rule: str = ""


class Move(Order, frozen=True, kw_only=True, tag="move"):
    """Move a unit along a path of places. The path may leave out the place where the unit is.

    `only`: with fog, the unit is hidden before it moves, and apart from its own side only these sides still see it.
    """

    unit: UnitName
    path: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1)]
    cause: str = ""
    only: tuple[SideName, ...] = ()


class Place(Order, frozen=True, kw_only=True, tag="place"):
    """Bring a unit into play.

    `hidden`: with fog, only its own side sees the unit. `only`: other sides that see it too.
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
    """Remove a unit from play; its fate is recorded."""

    unit: UnitName
    fate: Name = "destroyed"
    cause: str = ""


class Pay(Order, frozen=True, kw_only=True, tag="pay"):
    """Change an account by an amount, which is negative for spending."""

    account: Annotated[Name, msgspec.Meta(extra={"names": "account"})]
    amount: Int
    cause: str = ""


class Mark(Order, frozen=True, kw_only=True, tag="mark"):
    """Set a marker of the game; null removes it."""

    marker: Annotated[Name, msgspec.Meta(extra={"names": "marker"})]
    to: Value
    cause: str = ""


class Choose(Order, frozen=True, kw_only=True, tag="choose"):
    """Answer a question openly."""

    question: Name
    choice: Value


class SealChoice(Order, frozen=True, kw_only=True, tag="seal-choice"):
    """Answer a question secretly. It is public that you answered, but not what you chose."""

    question: Name
    choice: Value


class Show(Order, frozen=True, kw_only=True, tag="show"):
    """Reveal a hidden unit where it is. `to`: only to these sides; to all sides if left out.

    `units`: more units to reveal with it.
    """

    unit: UnitName
    to: tuple[SideName, ...] = ()
    cause: str = ""
    units: FurtherUnits = ()


class Hide(Order, frozen=True, kw_only=True, tag="hide"):
    """Hide a unit where it is. `only`: other sides that still see it.

    `units`: more units to hide with it.
    """

    unit: UnitName
    only: tuple[SideName, ...] = ()
    cause: str = ""
    units: FurtherUnits = ()


class Reveal(Order, frozen=True, kw_only=True, tag="reveal"):
    """Reveal your sealed choice."""

    question: Name


# --- the table's talk and the referee's acts --------------------------------------------------------------------------


class Note(Order, frozen=True, kw_only=True, tag="note"):
    """Write a note, about a position if you name one. `instead_of`: the position of your mistyped note.

    `to`: the sides and seats that can read it. The writer's side can read it too, and so can the referee unless secrets
    are closed to the referee.
    """

    text: Words
    about: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    instead_of: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    to: Annotated[tuple[SeatName, ...], msgspec.Meta(max_length=100)] = ()


class SealWords(Order, frozen=True, kw_only=True, tag="seal-words"):
    """Seal orders for a case that may occur, for example what a garrison does if it is attacked.

    Until they are revealed, only your side can read them, and the referee unless secrets are closed to the referee.
    """

    text: Words
    condition: Words


class OpenWords(Order, frozen=True, kw_only=True, tag="open-words"):
    """Reveal the orders sealed at a position to all sides, word for word. `withdraw`: withdraw your own, unread."""

    note: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    withdraw: bool = False


class SendMessage(Order, frozen=True, kw_only=True, tag="send-message"):
    """Send a courier. The readers in `to` get the message when turn `arrives` begins, and not before.

    `step`: deliver the message when this step opens in that turn, or in a later turn if the step is skipped.
    """

    text: Words
    to: Annotated[tuple[SeatName, ...], msgspec.Meta(min_length=1, max_length=100)]
    arrives: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    step: StepOrNone = ""


class HoldMessage(Order, frozen=True, kw_only=True, tag="hold-message"):
    """Delay a courier to a turn, or to a step of a turn. For the referee. `message`: the number of its message.

    Without `arrives`, the message is lost. No other seat learns of this until the message is overdue.
    """

    message: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    arrives: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    step: StepOrNone = ""
    why: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class OpenSecrets(Order, frozen=True, kw_only=True, tag="open-secrets"):
    """Reveal everything to all sides after the end of the game: private notes, sealed choices and secret rolls.

    The referee gives this order. If secrets are closed to the referee, each side gives it, and the last one reveals
    everything.
    """


class TakeSeat(Order, frozen=True, kw_only=True, tag="take-seat"):
    """Add a seat for a side, so that several people can act for the side. For the referee. `key`: its public key."""

    taker: Name
    side: SideName
    name: str = ""
    key: KeyText = ""


class GiveKey(Order, frozen=True, kw_only=True, tag="give-key"):
    """Set the key with which a seat signs its orders from the next order on. Then no one else can give its orders.

    `key`: the public half of the key, as `umpire key show` prints it. A seat can set its own key. The referee can set
    the key of any seat, and can replace a lost or stolen key for a reason.
    """

    who: Annotated[Name, msgspec.Meta(extra={"names": "seat"})]
    key: KeyText
    reason: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Undo(Order, frozen=True, kw_only=True, tag="undo"):
    """Take back orders, newest first. A seat can undo its own, up to the last roll, reveal, seal or change of side.

    `dice`: the dice for repeated orders, if the referee undoes: reroll, keep or keep-unless-new.
    """

    orders: Annotated[int, msgspec.Meta(ge=1)] = 1
    why: str = ""
    dice: DicePolicy | None = None


class Redo(Order, frozen=True, kw_only=True, tag="redo"):
    """Return to the branch that the last undo or rewind abandoned, if nothing has been played since."""


class Rewind(Order, frozen=True, kw_only=True, tag="rewind"):
    """Return play to a position, a step (`5-3D of 0407`) or a turn (`turn 2`). Nothing is deleted.

    The referee can rewind to any position, a seat only over its own orders that it could undo. `dice`: the dice for
    repeated orders, if the referee rewinds: reroll (new dice), keep (a roll for the same purpose and subjects in the
    same step takes its old results, in order) or keep-unless-new (keep until something new is decided).
    """

    to: int | str
    why: str = ""
    dice: DicePolicy | None = None


class AskRewind(Order, frozen=True, kw_only=True, tag="ask-rewind"):
    """Ask the other sides to return to a position, step or turn. The rewind happens when the last side consents."""

    to: int | str
    why: Reason
    dice: DicePolicy | None = None


class Consent(Order, frozen=True, kw_only=True, tag="consent"):
    """Consent to the requested rewind for your side."""


class Refuse(Order, frozen=True, kw_only=True, tag="refuse"):
    """Decline the requested rewind for your side, or withdraw your own request."""

    why: str = ""


class Amend(Order, frozen=True, kw_only=True, tag="amend"):
    """Amend one order of the current branch, and re-play the later orders that are still valid. For the referee.

    `how`: replace the order by `given`, drop it, insert `given` before it, or repeat it with new dice (reroll).
    """

    at: Annotated[int, msgspec.Meta(ge=1)]
    how: Literal["replace", "drop", "before", "reroll"] = "replace"
    given: dict[str, Any] = {}
    why: Reason
    dice: DicePolicy = "keep"


class Amending(Order, frozen=True, kw_only=True, tag="amending"):
    """Continue an amendment that stopped, with the order that stopped it or with `given` in its place. For the referee.

    `how`: continue; skip that order; leave the remaining orders on the old branch; or abort and return to that branch.
    """

    how: Literal["continue", "skip", "leave", "abort"] = "continue"
    given: dict[str, Any] = {}
    why: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Dispute(Order, frozen=True, kw_only=True, tag="dispute"):
    """Contest records by position; play continues. `dispute`: an id of your choice; d1, d2, … if left out."""

    records: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1)], ...], msgspec.Meta(min_length=1, max_length=1000)]
    claim: Words
    rule: str = ""
    dispute: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Settle(Order, frozen=True, kw_only=True, tag="settle"):
    """Settle a dispute with an answer. The seat that opened the dispute can withdraw it without an answer."""

    dispute: Annotated[Name, msgspec.Meta(extra={"names": "dispute"})]
    ruling: str = ""
    reason: str = ""


class Rule(Order, frozen=True, kw_only=True, tag="rule"):
    """Make a ruling, with its rule number, grounds and remedy. The `orders` are carried out with the ruling.

    These are generic orders, a rewind first if there is one. Their records are marked as overridden.
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
    """Accept all records so far. After that, only the referee (with a reason) or all sides together can undo them."""


class Peek(Order, frozen=True, kw_only=True, tag="peek"):
    """Look at the secrets of a seat. For the referee. The look is a public record."""

    who: SeatName
    reason: Reason


class SeatDice(Order, frozen=True, kw_only=True, tag="seat-dice"):
    """Give a side's part in shared or witnessed dice. `umpire dice-share` draws it and knows which part is required.

    `pledge`: SHA-256 of the share that the side will reveal first. `share`: 32 random bytes in hex, whose SHA-256 is
    the pledge or the share revealed before.
    """

    pledge: Hex32 = ""
    share: Hex32 = ""


class OpenDice(Order, frozen=True, kw_only=True, tag="open-dice"):
    """Reveal the seed of the ledger's dice, so that every roll can be recomputed. For the referee.

    During the game, this is possible only before the first roll of a turn, and the ledger commits to the next seed at
    the same time. If a side withholds its share of the dice, it is possible at any time: the side is named, and the
    draw begins again.
    """


class End(Order, frozen=True, kw_only=True, tag="end"):
    """End the game outside its sequence. For the referee."""

    reason: Reason
    winner: str = ""


SEQUENCE_ORDERS: tuple[type[Order], ...] = (Done, Pick)
REFEREE_ORDERS: tuple[type[Order], ...] = (
    *(Excuse, TakeSeat, Rewind, Amend, Amending, Rule, Peek, OpenDice, HoldMessage, End),
)
COVERS: tuple[type[Order], ...] = (Show, Hide)
"""Orders about hidden units, which a game with fog accepts at any time."""
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
"""Orders whose decision reads the log."""
MAY_NEED_SEED: tuple[type[Order], ...] = (Undo, Redo, Rewind, AskRewind, Consent, Rule, OpenDice)
"""Orders that may rotate the seed of the ledger's dice."""
GENERIC_ORDERS: tuple[type[Order], ...] = (Roll, Move, Place, Change, Remove, Pay, Mark, Choose, SealChoice, Reveal)
EVERYWHERE: tuple[type[Order], ...] = (*SEQUENCE_ORDERS, *COVERS, *ANYTIME_ORDERS, *REFEREE_ORDERS)
"""Orders that every title accepts at every step."""


def looks_back(order: Order) -> bool:
    """Return whether an order's decision reads the log, so that pending records must be written first."""
    return isinstance(order, LOOKING_BACK) or (isinstance(order, Note) and order.instead_of > 0)


def _any_value(_: type) -> dict[str, Any]:
    """Return the schema of a type that a title defines and that has none."""
    return {"description": "a value as the title's order describes it"}


def order_schema(order: type[Order]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one order as a line of a file, with the reference at its top resolved.

    `as` is optional; the default is the seat that gives the order. The keys that every line may have are included.
    """
    schema = msgspec.json.schema(order, schema_hook=_any_value)
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
    "id": {
        "description": "order id: an order sent twice with the same id counts once",
        "type": "string",
        "default": "",
    },
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
"""Schemas of the keys that every line may have."""
