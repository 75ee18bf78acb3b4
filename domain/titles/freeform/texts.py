"""A sequence of play as a scenario writes it, in plain data: places, roles, sets and facts.

Expressions are texts in the language of `language`; `reading` makes constructs of them.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import Int, Value

Name = Annotated[str, msgspec.Meta(max_length=80)]
Said = Annotated[str, msgspec.Meta(max_length=300)]
Asked = Annotated[str, msgspec.Meta(max_length=2000)]
Who = Name | tuple[Name, ...]
Given = bool | Int | Asked | tuple[Name, ...]
"""A value, or an expression that gives one; a word stands in quotes within it: `"'red'"`."""


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a sequence as it is written."""


class AnswerText(Text, frozen=True, kw_only=True):
    """What a side says, and where it leads. `by`: who may give it."""

    name: Name
    to: Name = ""
    when: Asked = ""
    by: Who = ""


class GoText(Text, frozen=True, kw_only=True):
    """Where a step leads of itself."""

    to: Name
    when: Asked = ""
    note: Said = ""


class TouchText(Text, frozen=True, kw_only=True):
    """What generic orders may touch in a step. `units`: a set of the file."""

    units: Name = ""
    attributes: tuple[Name, ...] = ()
    accounts: tuple[Name, ...] = ()
    markers: tuple[Name, ...] = ()
    questions: tuple[Name, ...] = ()
    by: Who = ""


class PlusText(Text, frozen=True, kw_only=True):
    """A modifier of a throw: an expression, and where it comes from. One that comes to 0 is left out."""

    amount: Int | Asked
    source: Said


class ActText(Text, frozen=True, kw_only=True):
    """What a step does of itself when it opens: one of `set`, `pay`, `change`, `move`, `place` to `wins`.

    `set`: a marker, which becomes `to`. `pay`: an account, by `amount`. `change`: an attribute of the units `of`, which
    becomes `to`. `move`: units, `to` a place or along a list of places. `place`: a new unit of that id, with a number
    behind it where one was called so already; its `kind`, its `side`, where it comes `to`, what it `has`. `remove`:
    units, with a `fate`. `show`: hidden units, to everybody. `reveal`: a question; every sealed answer is laid
    open. `wins`: the side that wins, which ends the game; `why` in words. `when`: only then.
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
    """A line of an order's `does`: what a step does of itself, or one of `throw`, `let` and `find`.

    `throw`: dice, or the `table` that they are thrown on, for a `purpose`. Their total is `total` in the lines below,
    or goes by the name `called`; what the row says is `result`, and goes into the marker `into`. `times`: how many
    dice; `least`: not the total counts but how many dice show at least that. `let`: a name for what `to` comes to.
    `find`: hidden units, for the side that gives the order; `nothing`: what it is told where it finds none.
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
    """A chit is drawn from a cup, a marker that lists them, and stands in the marker `into`; the order is `draw`."""

    cup: Name
    into: Name


class ThrowText(Text, frozen=True, kw_only=True):
    """Dice are thrown on a table, and what its row says stands in the marker `into`; the order is `throw`.

    `purpose`: what for, the step's name if left out. `modifiers`: each an expression with its source.
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
    """One place of the sequence. What it is, and its id: exactly one of `step` to `anytime`.

    `in`: the place around it. `when`, `until`, `needs`: conditions. `does`: what happens of itself when a step opens.
    `draws`, `throws`, `seals`: what a step is for. `of`, `sides`, `may_end`: of loops. `to`, `during`: of instants.
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
    """A condition with its words. `is`: what is asked; `words`: that it is so; `otherwise`: that it is not.

    `owed`: what a side has to do about it where a step needs it; `who`: the units that this is about.
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
    """What a loop goes over, or an order may touch: the `units` for which it holds, a `marker`'s list, `members`.

    Or `places`: those where units stand for which it holds, each called `place` in it. Exactly one of the four.
    `words`: how it is called; `none`: that nothing is in it.
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
    """What must hold for an order: `is`. Where it does not: `words` say so, under a `rule`, with a `remedy`."""

    asks: Asked = msgspec.field(name="is")
    words: Said
    remedy: Said
    rule: Name = ""


class OrderText(Text, frozen=True, kw_only=True):
    """An order of the scenario's own. `takes`: its arguments, each by its type, a list of choices, or in full.

    `requires`: refusals, in order. `does`: what it does, line by line. `closes`: whoever gives it has done his part of
    the step; an answer of the step closes it with that. `rules`: the numbers of its rules.
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
