"""Define a scenario's own sequence of play in plain data: places, roles, sets and facts.

Expressions are texts in the language of `language`; `sequence_loader` turns them into constructs.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import Int, Value

Name = Annotated[str, msgspec.Meta(max_length=80)]
Said = Annotated[str, msgspec.Meta(max_length=300)]
Asked = Annotated[str, msgspec.Meta(max_length=2000)]
Who = Name | tuple[Name, ...]
Given = bool | Int | Asked | tuple[Name, ...]
"""A value, or an expression for one; quote a word within it: `"'red'"`."""


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a sequence as it is written."""


class AnswerText(Text, frozen=True, kw_only=True):
    """An answer of a side, with the place it leads to. `by`: the sides that may answer."""

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
    """The limits of generic orders in a step. `units`: a set of the file."""

    units: Name = ""
    attributes: tuple[Name, ...] = ()
    accounts: tuple[Name, ...] = ()
    markers: tuple[Name, ...] = ()
    questions: tuple[Name, ...] = ()
    by: Who = ""


class PlusText(Text, frozen=True, kw_only=True):
    """A modifier of a throw: an expression and its source. A modifier of 0 is left out."""

    amount: Int | Asked
    source: Said


class ActText(Text, frozen=True, kw_only=True):
    """An automatic action of a step when it opens: one of `set`, `pay`, `change`, `move`, `place` to `wins`.

    `set`: a marker, which becomes `to`. `pay`: an account, by `amount`. `change`: an attribute of the units `of`, which
    becomes `to`. `move`: units, `to` a place or along a list of places. `place`: a new unit of that id, with a number
    after it if the id is taken; its `kind`, its `side`, its place `to`, and the attributes that it `has`. `remove`:
    units, with a `fate`. `show`: hidden units, to all sides. `reveal`: a question, whose sealed answers are all
    revealed. `wins`: the side that wins, which ends the game; `why` in words. `when`: only then.
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
    """A line of an order's `does`: an automatic action as in a step, or one of `throw`, `let` and `find`.

    `throw`: dice, or the `table` for the throw, for a `purpose`. Their total is `total` in the lines below, or has the
    name `called`; the row's result is `result`, and goes into the marker `into`. `times`: the number of dice. `least`:
    count the dice that show at least that, instead of the total. `let`: a name for the value of `to`. `find`: hidden
    units, for the side that gives the order; `nothing`: the sentence if there are none.
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
    """A draw of a chit from a cup, which is a marker that lists chits, into the marker `into`; the order is `draw`."""

    cup: Name
    into: Name


class ThrowText(Text, frozen=True, kw_only=True):
    """A throw on a table, with the row's result put into the marker `into`; the order is `throw`.

    `purpose`: the step's name if left out. `modifiers`: each an expression with its source.
    """

    table: Name
    into: Name = ""
    purpose: Said = ""
    modifiers: tuple[PlusText, ...] = ()


class SealText(Text, frozen=True, kw_only=True):
    """Everybody in `by` seals an answer to a question; the order is `seal-choice`. `choices`: the only ones."""

    question: Name
    choices: tuple[Name, ...] = ()


class PlaceText(Text, frozen=True, kw_only=True):
    """One place of the sequence. Its kind and its id: exactly one of `step` to `anytime`.

    `in`: the place around it. `when`, `until`, `needs`: conditions. `does`: automatic actions when a step opens.
    `draws`, `throws`, `seals`: the action of a step. `of`, `sides`, `may_end`: of loops. `to`, `during`: of instants.
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
    """A condition with its words. `is`: the condition; `words`: that it is true; `otherwise`: that it is not.

    `owed`: the action required of a side if a step needs it; `who`: the units that this is about.
    """

    asks: Asked = msgspec.field(name="is")
    words: Said
    otherwise: Said = ""
    owed: Said = ""
    who: Asked = ""
    lasting: bool = False


class RoleText(Text, frozen=True, kw_only=True):
    """The sides that hold a role: `sides` as listed, or those that a `marker` names, or every side.

    `others`: all but those. `when`: of them the sides for which it holds, each `asking` for itself. `can`: of them the
    sides that could give this order of the file. `words`: the name of the role; `none`: the words if no side holds it.
    """

    words: Said
    none: Said
    sides: tuple[Name, ...] = ()
    marker: Name = ""
    others: bool = False
    when: Asked = ""
    can: Name = ""


class SetText(Text, frozen=True, kw_only=True):
    """Members of a loop, or limits of an order: the `units` that match, a `marker`'s list, `members`.

    Or `places`: places of units that match, each called `place` in it. Exactly one of the four. `words`: its name;
    `none`: the words for an empty set.
    """

    words: Said
    none: Said
    units: Asked = ""
    places: Asked = ""
    marker: Name = ""
    members: tuple[Name, ...] = ()


class TakesText(Text, frozen=True, kw_only=True):
    """An argument of an order. `default`: it may be left out. `least`, `most`: of a number. `choices`: of a choice."""

    type: Literal["unit", "units", "place", "path", "side", "number", "text", "choice"]
    words: Said = ""
    choices: tuple[Name, ...] = ()
    least: Int = 0
    most: Int = 99
    default: Int | Name | None = None


class RequireText(Text, frozen=True, kw_only=True):
    """A requirement of an order: `is`. If it is false: `words` say so, under a `rule`, with a `remedy`."""

    asks: Asked = msgspec.field(name="is")
    words: Said
    remedy: Said
    rule: Name = ""


class OrderText(Text, frozen=True, kw_only=True):
    """An order of the scenario's own. `takes`: its arguments, each by its type, a list of choices, or in full.

    `requires`: refusals, in order. `does`: its actions, line by line. `closes`: it ends the step for the side of the
    order; the name of an answer ends the step with that answer. `rules`: the numbers of its rules.
    """

    words: Said
    takes: dict[Name, Name | tuple[Name, ...] | TakesText] = {}
    requires: tuple[RequireText, ...] = ()
    does: tuple[DoText, ...] = ()
    closes: bool | Name = False
    rules: tuple[Name, ...] = ()


class SequenceText(Text, frozen=True, kw_only=True):
    """A whole sequence of play as a scenario brings it."""

    play: tuple[PlaceText, ...] = ()
    roles: dict[Name, RoleText] = {}
    sets: dict[Name, SetText] = {}
    facts: dict[Name, FactText] = {}
    orders: dict[Name, OrderText] = {}
