"""Define the data types of a scenario's own sequence of play: places, roles, sets, facts and orders.

Expressions are texts in the language that `language` parses. `sequence_loader` builds the sequence from this data.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import Int, Value

Name = Annotated[str, msgspec.Meta(max_length=80)]
Said = Annotated[str, msgspec.Meta(max_length=300)]
Asked = Annotated[str, msgspec.Meta(max_length=2000)]
Who = Name | tuple[Name, ...]
Given = bool | Int | Asked | tuple[Name, ...]
"""A value, or an expression for a value. A word in an expression needs its own quotes: `"'red'"`."""


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a sequence, as a scenario writes it."""


class AnswerText(Text, frozen=True, kw_only=True):
    """An answer of a side, with the place to which it leads. `by`: the sides that may answer."""

    name: Name
    to: Name = ""
    when: Asked = ""
    by: Who = ""


class GoText(Text, frozen=True, kw_only=True):
    """A place to which a step leads automatically."""

    to: Name
    when: Asked = ""
    note: Said = ""


class TouchText(Text, frozen=True, kw_only=True):
    """The limits of generic orders in a step. `units`: the name of a set in the file."""

    units: Name = ""
    attributes: tuple[Name, ...] = ()
    accounts: tuple[Name, ...] = ()
    markers: tuple[Name, ...] = ()
    questions: tuple[Name, ...] = ()
    by: Who = ""


class PlusText(Text, frozen=True, kw_only=True):
    """A modifier of a roll: an expression and its source. A modifier of 0 is left out."""

    amount: Int | Asked
    source: Said


class ActText(Text, frozen=True, kw_only=True):
    """An automatic action when a step opens: one of the entries from `set` to `wins`.

    `set`: the marker that becomes `to`. `pay`: the account that changes by `amount`. `change`: the attribute that
    becomes `to`, for all units that match `of`. `move`: the units that move, `to` a place or along a list of places.
    `place`: the id of a new unit, with a number added if the id is taken; also its `kind`, its `side`, its place `to`,
    and the attributes that it `has`. `remove`: the units that leave play, with a `fate`. `show`: the hidden units that
    are revealed to all sides. `reveal`: the question whose sealed answers are all revealed. `wins`: the side that wins,
    which ends the game. `why`: the reason for the end, in words. `when`: the condition of the action.
    """

    set: Name = ""
    pay: Name = ""
    change: Name = ""
    move: Asked = ""
    place: Name = ""
    remove: Asked = ""
    show: Asked = ""
    reveal: Name = ""
    wins: Asked = ""
    to: Given = ""
    amount: Int | Asked = 0
    of: Asked = ""
    kind: Name = ""
    side: Asked = ""
    has: dict[Name, Value] = {}
    fate: Name = "destroyed"
    why: Said = ""
    when: Asked = ""


class DoText(ActText, frozen=True, kw_only=True):
    """A line of actions of an order: an automatic action as in a step, or one of `throw`, `let` and `find`.

    `throw`: the dice to roll for a `purpose`. `table`: the table for the roll; the result of the row is `result` in
    later lines. `called`: the name of the total in later lines; `total` if left out. `into`: the marker that gets the
    total, or the result of the row. `times`: the number of dice. `least`: count the dice that show at least this
    number, instead of adding them. `let`: a name for the value of `to`. `find`: the hidden units that are revealed to
    the side that gives the order. `nothing`: the sentence if there are none.
    """

    throw: Name = ""
    table: Name = ""
    purpose: Said = ""
    called: Name = ""
    into: Name = ""
    times: Int | Asked = 0
    least: Int | Asked = 0
    modifiers: tuple[PlusText, ...] = ()
    let: Name = ""
    find: Asked = ""
    nothing: Said = ""


class DrawText(Text, frozen=True, kw_only=True):
    """A draw of a chit from a cup, a marker that lists chits. The chit goes into the marker `into`. Order: `draw`."""

    cup: Name
    into: Name


class ThrowText(Text, frozen=True, kw_only=True):
    """A roll on a table. The result of the row goes into the marker `into`. The order is `throw`.

    `purpose`: the step's name if left out. `modifiers`: expressions, each with its source.
    """

    table: Name
    into: Name = ""
    purpose: Said = ""
    modifiers: tuple[PlusText, ...] = ()


class SealText(Text, frozen=True, kw_only=True):
    """A question to which each side in `by` seals an answer with `seal-choice`. `choices`: the only valid answers."""

    question: Name
    choices: tuple[Name, ...] = ()


class PlaceText(Text, frozen=True, kw_only=True):
    """A place of the sequence. One of the entries from `step` to `anytime` contains its id and shows its kind.

    `in`: the place around it. `when`, `until`, `needs`: conditions. `does`: automatic actions when the step opens.
    `draws`, `throws`, `seals`: the action of a step. `of`, `sides`, `may_end`: only for loops. `to`, `during`: only for
    triggers (instants).
    """

    step: Name = ""
    heading: Name = ""
    rounds: Name = ""
    each: Name = ""
    turns: Name = ""
    together: Name = ""
    procedure: Name = ""
    instant: Name = ""
    anytime: Name = ""
    name: Said = ""
    inside: Name = msgspec.field(default="", name="in")
    when: Asked = ""
    until: Asked = ""
    needs: Asked = ""
    rules: tuple[Name, ...] = ()
    by: Who = ""
    also: Who = ""
    answers: tuple[AnswerText, ...] = ()
    then: tuple[GoText, ...] = ()
    runs: tuple[Name, ...] = ()
    keep: Name = ""
    allows: tuple[Name, ...] = ()
    touches: TouchText | None = None
    in_turn: bool = False
    first_come: Said = ""
    counts_turns: bool = False
    may_end: bool = False
    secret: bool = False
    need: Literal["required", "optional", "conditional", "repeat", "obsolete"] = "required"
    rolls: Name = ""
    of: Name = ""
    sides: Name = ""
    to: Name = ""
    during: tuple[Name, ...] = ()
    does: tuple[ActText, ...] = ()
    draws: DrawText | None = None
    throws: ThrowText | None = None
    seals: SealText | None = None


class FactText(Text, frozen=True, kw_only=True):
    """A condition with its words. `is`: the condition. `words`: the text if it is true.

    `otherwise`: the text if it is false. `owed`: the action required of a side if a step needs it. `who`: the units
    that it is about.
    """

    asks: Asked = msgspec.field(name="is")
    words: Said
    otherwise: Said = ""
    owed: Said = ""
    who: Asked = ""
    lasting: bool = False


class RoleText(Text, frozen=True, kw_only=True):
    """The sides that hold a role: those in a list, those that a marker names, or every side.

    `sides`: the list. `marker`: the marker. `others`: all sides except the named ones. `when`: only the sides for which
    this is true, each `asking` for itself. `can`: only the sides that could give this order of the file. `words`: the
    name of the role. `none`: the words if no side holds it.
    """

    words: Said
    none: Said
    sides: tuple[Name, ...] = ()
    marker: Name = ""
    others: bool = False
    when: Asked = ""
    can: Name = ""


class SetText(Text, frozen=True, kw_only=True):
    """The members of a loop, or the limits of an order. Exactly one of the entries from `units` to `members`.

    `units`: the units that match. `places`: the places of units that match, each called `place` in the expression.
    `marker`: a marker that lists the members. `members`: a list of members. `words`: the name of the set. `none`: the
    words for an empty set.
    """

    words: Said
    none: Said
    units: Asked = ""
    places: Asked = ""
    marker: Name = ""
    members: tuple[Name, ...] = ()


class TakesText(Text, frozen=True, kw_only=True):
    """An argument of an order. `default`: the value if it is left out.

    `least`, `most`: the limits of a number. `choices`: the possible choices.
    """

    type: Literal["unit", "units", "place", "path", "side", "number", "text", "choice"]
    words: Said = ""
    choices: tuple[Name, ...] = ()
    least: Int = 0
    most: Int = 99
    default: Int | Name | None = None


class RequireText(Text, frozen=True, kw_only=True):
    """A requirement of an order. `is`: the condition. `words`: the refusal if it is false, with `rule` and `remedy`."""

    asks: Asked = msgspec.field(name="is")
    words: Said
    remedy: Said
    rule: Name = ""


class OrderText(Text, frozen=True, kw_only=True):
    """An order that the scenario defines. `takes`: its arguments, each with a type, a list of choices, or a full entry.

    `requires`: its requirements, in order. `does`: its actions, line by line. `closes`: whether it ends the step for
    the side of the order; the name of an answer ends the step with that answer. `rules`: its rule numbers.
    """

    words: Said
    takes: dict[Name, Name | tuple[Name, ...] | TakesText] = {}
    requires: tuple[RequireText, ...] = ()
    does: tuple[DoText, ...] = ()
    closes: bool | Name = False
    rules: tuple[Name, ...] = ()


class SequenceText(Text, frozen=True, kw_only=True):
    """A whole sequence of play, as a scenario defines it."""

    play: tuple[PlaceText, ...] = ()
    roles: dict[Name, RoleText] = {}
    sets: dict[Name, SetText] = {}
    facts: dict[Name, FactText] = {}
    orders: dict[Name, OrderText] = {}
