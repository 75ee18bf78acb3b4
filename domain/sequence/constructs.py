"""Define the language in which a title declares its sequence of play.

A sequence is plain data that reads like the printed page. Places nest; the printed labels are the leaves. Every place
has an id of its own (the printed label if there is one), a name in your words, and perhaps a guard, `when`, and the
printed rule numbers, `rules`. Guard first, children last.

    FIRE = Step("4b", "fire combat", by=EACH, when=FIRE_IS_DECLARED, allows=(ResolveFire,), needs=~FIRE_IS_DECLARED)

    Step      waits for every side in `by`; without `by`: read out and closed at once
    Heading   its children in order
    Rounds    its children again and again; `until` is checked at the end of each pass
    Each      one pass for each member of a living set, picked by the side in `by`, who may end it early with `may_end`
    Turns     sides in rotation, each picking from its own set; a side with nothing left is skipped
    Together  tracks open at once, each a step or a heading of steps, each continuing independently
    Instant   checked after every order, when a step has closed, and whenever play waits for a side

Roles. A role in `by`, `also` or `sides` is the name of a role of the title, `ACTIVE`, `OTHERS`, `EACH`, or a side's own
id; a step that is open at any moment may also be the `REFEREE`'s. The sides that a step waits for are fixed when it
opens; if no side holds the role, the step is passed by, with the reason.

Ending a step. A side ends its part with `done`, once every action in `needs` is taken; an order may end its side's part
by `Closes()` among its results, in a step of one side as of several. The last side closes the step. An answer closes it
for all.

Next place. A target in `to` is any id, or NEXT, BACK (return from the procedure) or END (the game is over). The answer
says it, else the first way of `then` whose condition holds, else it is the next place. That is settled when the step
closes. Walking into a place checks its guard; a jump to a step inside a heading does not check the heading's. A jump to
an open loop, or to the first place of open rounds, is its next pass; into the middle of a loop that is not open, a
fault.

Memory. `chose` and `done` know this pass of the loop or procedure that a step is in, and forget it with the pass; a
jump back forgets every answer that is printed from the target on. A loop that is named in `keep` remembers every answer
to the end of its own pass, and `ever` checks those.

Procedures are off the main line. Going to one calls it, and it returns after the step that called; from inside of it,
going to it is a jump to its beginning. `runs` borrows a stretch of the main line in a frame of its own, from which play
always returns; `nth` does not count it. A step that is reached only by a jump is a procedure.

Any time. Steps in `anytime` take orders at any moment, and play stays at its place. An `Instant` breaks in if play is
inside its `during`; its docstring says how it returns.

Conditions are in `conditions`. Never guard on a secret: a step that is passed by shows the reason to all. Prefer
`needs=~SOMETHING_IS_DUE` to `given`: an order that no side can legally give blocks the game. `umpire doctor` and the
tests of every title check a declaration (`flow.sequence_checks`); `umpire sequence TITLE` prints it.
"""

from typing import Literal

import msgspec

from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.sequence.conditions import Condition

ACTIVE = "active"
"""The side whose pass it is in the innermost loop that has one."""
OTHERS = "others"
"""Every side but the active one."""
EACH = "each"
"""Every side of the game."""
REFEREE = "referee"
"""The referee's own seat; only for steps that are open at any moment."""

NEXT, BACK, END = "next", "back", "end"

Roles = str | tuple[str, ...]
"""One role, several, or none ("")."""

Need = Literal["required", "optional", "conditional", "repeat", "obsolete"]


class Answer(msgspec.Struct, frozen=True):
    """An answer of a side or a die; it closes the step and leads to `to`.

    `by`: the roles that may give it, by default all sides that the step waits for. `by_dice`: only the decision of an
    order gives it, no side may.
    """

    name: str
    to: str = ""
    when: Condition | None = None
    by: Roles = ""
    by_dice: bool = False


class Go(msgspec.Struct, frozen=True):
    """A way on from a step; play takes the first whose condition holds."""

    to: str
    when: Condition | None = None
    note: str = ""


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """State that the generic orders of a step may change and that they otherwise leave alone (`flow.order_scope`).

    `units`: a set of the title; they touch its members and no other unit, and those of another side they change and
    remove, but do not move. "": every unit of one's own. `attributes`, `accounts`, `markers`, `questions`: state that
    the title's rules write (`Ruled`) and players may write here, too; a name may end in `*`. `by`: the only roles that
    give generic orders here.
    """

    units: str = ""
    attributes: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    by: Roles = ""


class Named(msgspec.Struct, frozen=True):
    """A part with an id of its own, the printed label if there is one, and a name in our words."""

    id: str
    name: str


class SequencePlace(Named, frozen=True, kw_only=True, tag=True):
    """Any part of a sequence with an id and a name. `when` is checked on walking in; `rules`: printed rule numbers."""

    when: Condition | None = None
    rules: tuple[str, ...] = ()


class Step(SequencePlace, frozen=True, kw_only=True):
    """A printed leaf.

    `needs`: the condition for a side to end its part. `runs`: first and last id of a stretch that is borrowed and run
    in a fresh frame before the step itself opens. `keep`: the loop that remembers its answers beyond this pass.
    `allows`: orders that the sides it waits for, and the roles in `also`, may give here. `touches`: state that the
    generic ones among them may change here. `in_turn`: the sides act one after the other. `first_come`: the reason why
    orders of several sides count in the order in which they come; without it that order makes no difference.
    `counts_turns`: a turn of the game begins here, if no rounds count them. `need`, `secret`, `rolls` repeat the
    printed page: obligation, secrecy, dice.
    """

    by: Roles = ""
    answers: tuple[Answer, ...] = ()
    then: tuple[Go, ...] = ()
    needs: Condition | None = None
    runs: tuple[str, str] | None = None
    keep: str = ""
    allows: tuple[type[Order], ...] = ()
    touches: Touch = Touch()
    also: Roles = ""
    in_turn: bool = False
    first_come: str = ""
    counts_turns: bool = False
    need: Need = "required"
    secret: bool = False
    rolls: str = ""


class Heading(SequencePlace, frozen=True, kw_only=True):
    """A printed heading over its children, in order. Off the main line it is a procedure: going to it calls it."""

    steps: tuple["AnyPlace", ...]


class Rounds(SequencePlace, frozen=True, kw_only=True):
    """Its children again and again. `counts_turns`: its passes are the turns of the game."""

    steps: tuple["AnyPlace", ...]
    until: Condition | None = None
    counts_turns: bool = False


class Each(SequencePlace, frozen=True, kw_only=True):
    """One pass for each member of a living set of the title, named by `of`.

    A finished member may be picked again after leaving the set and coming back to it. If no side picks, the members
    come in the set's order, and one that is a side is active in its own pass: player turns in an order that the
    scenario sets are `Each` of the sides. `may_end`: the picking side may say `done` instead, and the remaining members
    are not picked («any of your units»); if several sides pick, the last `done` ends it.
    """

    of: str
    steps: tuple["AnyPlace", ...]
    by: Roles = ""
    may_end: bool = False


class Turns(SequencePlace, frozen=True, kw_only=True):
    """Sides in rotation, each picking from its own set; over when all sets are empty (the keep-going rule)."""

    of: str
    sides: str
    steps: tuple["AnyPlace", ...]


class Together(SequencePlace, frozen=True, kw_only=True):
    """Tracks that are open at once: menus, reactions during a move, preparations that do not wait for each other.

    A track is a step, or a heading whose steps come one after the other. Each continues independently when its open
    step is closed; the whole ends when all are over. A step that leads out of its track breaks the others off.
    """

    steps: tuple[Step | Heading, ...]


class Instant(msgspec.Struct, frozen=True, kw_only=True):
    """At the moment that `when` holds, anywhere inside `during` (everywhere if empty), play goes to `to`.

    Any place is a jump. A procedure suspends everything that is open: its guard is not checked, its steps are played,
    and at its end or with BACK play returns; its condition must be false by then, or it begins again. A step that had
    just closed leads on only then.

    Instants nest: while a procedure of one is played, any other may break in that is watched there, and returns to it.
    One whose procedure has begun is not checked again until that is over. If several hold, the first in the list goes
    first; the next breaks in at the first moment at which it is checked inside its `during`.

    An order whose events run past an instant is refused, with the last event that is permitted. From the first roll
    among its events on, the results of an order are one moment: all of them are recorded, and the instant breaks in
    after the last one if `when` holds then. If the rules stop something inside a rolled order, its decision must stop
    it.

    Suspended places do not continue: `inside` and `during` ignore them, `suspended` sees those that the innermost
    instant suspended, and a procedure that is suspended may be called again. A jump to one is possible and breaks off
    every later frame; so does any jump out of the procedure.
    """

    name: str
    when: Condition
    to: str
    during: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


AnyPlace = Step | Heading | Rounds | Each | Turns | Together


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A whole sequence of play: the main line, procedures off it, and instants in the order they are checked.

    `anytime`: further steps, open at any moment: an order given there opens and closes one, and play stays at its
    place.
    """

    steps: tuple[AnyPlace, ...]
    procedures: tuple[Heading, ...] = ()
    instants: tuple[Instant, ...] = ()
    anytime: tuple[Step, ...] = ()


def names(roles: Roles) -> tuple[str, ...]:
    """Return one role or several as a tuple; () for none."""
    if isinstance(roles, str):
        return (roles,) if roles else ()
    return roles
