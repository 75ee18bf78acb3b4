"""The language in which a title declares its sequence of play: what can be said, and what it means.

A sequence is plain data that reads like the printed page. Places nest; the printed labels are the leaves. Every place
has an id of its own (the printed label where there is one), a name in your words, and perhaps a guard, `when`, and
the printed rule numbers, `rules`. Guard first, children last.

    FIRE = Step("4b", "fire combat", by=EACH, when=FIRE_IS_DECLARED, allows=(ResolveFire,), needs=~FIRE_IS_DECLARED)

    Step      waits for every side in `by`; nobody named in `by`: read out and left at once
    Heading   its children in order
    Rounds    its children again and again; `until` is asked at the end of each pass
    Each      one pass for each member of a living set, picked by the side in `by`, who may end it early with `may_end`
    Turns     sides in rotation, each picking from its own set; a side with nothing left is skipped
    Together  tracks open at once, each a step or a heading of steps, each going on by itself
    Instant   asked after every order, when a step has closed, and whenever somebody is waited for

Who. A role in `by`, `also` or `sides` is the name of a role of the title, `ACTIVE`, `OTHERS`, `EACH`, or a side's own
id; a step that is open at any moment may also be the `REFEREE`'s. Who is waited for is fixed when the step opens;
where nobody holds the role, the step is passed by, with the reason.

Leaving a step. A side leaves with `done`, once nothing of `needs` is owed; an order may end its side's part by
`Closes()` among its results, in a step of one side as of several. The last side closes the step. An answer closes it
for all.

Where it leads. A target in `to` is any id, or NEXT, BACK (return from the procedure) or END (the game is over). The
answer says it, else the first way of `then` whose condition holds, else it is the next place. That is settled when
the step closes. Walking into a place asks its guard; a jump to a step inside a heading does not ask the heading's. A
jump to an open loop, or to where open rounds begin, is its next pass; into the middle of a loop that is not open, a
fault.

What is remembered. `chose` and `done` know this pass of the loop or procedure that a step is in, and forget it with
the pass; a jump back forgets what is printed from the target on. A loop that is named in `keep` remembers every
answer to the end of its own pass, and `ever` asks for those.

Procedures stand off the main line. Going to one calls it, and it comes back behind the step that called; from inside
of it, going to it is a jump to its beginning. `runs` borrows a stretch of the main line in a frame of its own, from
which play always returns; `nth` does not count it. A step that is reached only by being sent there is a procedure.

Beside it all. Steps in `anytime` take orders at any moment, and play stands where it stood. An `Instant` breaks in
where it is watched; its docstring says how it gives back what it found.

Conditions are in `conditions`. Never guard on a secret: a step that is passed by tells everybody why. Prefer
`needs=~SOMETHING_IS_DUE` to `given`: an order that nobody can legally give sticks the game. `umpire doctor` and the
tests of every title check a declaration (`flow.checks`); `umpire sequence TITLE` prints it.
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
"""One role, several, or nobody ("")."""

Need = Literal["required", "optional", "conditional", "repeat", "obsolete"]


class Answer(msgspec.Struct, frozen=True):
    """What a side or a die says; it closes the step and leads to `to`.

    `by`: the roles that may give it, everybody waited for if empty.
    `by_dice`: only the decision of an order gives it, no side may.
    """

    name: str
    to: str = ""
    when: Condition | None = None
    by: Roles = ""
    by_dice: bool = False


class Go(msgspec.Struct, frozen=True):
    """Where a step leads of itself: the first whose condition holds."""

    to: str
    when: Condition | None = None
    note: str = ""


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """What the generic orders of a step may touch that they otherwise leave alone (`flow.order_scope`).

    `units`: a set of the title; they touch its members and no other unit, and those of another side they change and
    remove, but do not move. "": every unit of one's own. `attributes`, `accounts`, `markers`, `questions`: what the
    title's rules write (`Ruled`) and the table may write here too; a name may end in `*`. `by`: the only roles that
    give generic orders here.
    """

    units: str = ""
    attributes: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    by: Roles = ""


class Named(msgspec.Struct, frozen=True):
    """An id of its own, the printed label where there is one, and a name in our words."""

    id: str
    name: str


class SequencePlace(Named, frozen=True, kw_only=True, tag=True):
    """Anything with an id and a name in a sequence. `when` is asked on walking in; `rules` are printed rule numbers."""

    when: Condition | None = None
    rules: tuple[str, ...] = ()


class Step(SequencePlace, frozen=True, kw_only=True):
    """A printed leaf.

    `needs`: what must be true before a side may leave. `runs`: first and last id of a stretch that is borrowed and
    run in a fresh frame before the step itself opens. `keep`: the loop that remembers its answers beyond this pass.
    `allows`: orders that may be given here by those waited for, and by the roles in `also`. `touches`: what the generic
    ones among them may touch here. `in_turn`: the sides act one after the other. `first_come`: why orders of several
    sides count in the order in which they come; without it that order makes no difference. `counts_turns`: a turn of
    the game begins here, where no rounds count them. `need`, `secret`, `rolls` say what the printed page says:
    obligation, secrecy, dice.
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

    A finished member may be picked again after leaving the set and coming back to it.

    Where nobody picks, the members come in the set's order, and one that is a side is active in its own pass: player
    turns in an order that the scenario gives are `Each` of the sides. `may_end`: whoever picks may say `done` instead,
    and what is left is not picked («any of your units»); where several sides pick, the last `done` ends it.
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
    """Tracks that are open at once: menus, reactions beside a move, preparations that do not wait for each other.

    A track is a step, or a heading whose steps come one after the other. Each goes on by itself when its open step is
    closed; the whole is left when all are over. A step that leads out of its track breaks the others off.
    """

    steps: tuple[Step | Heading, ...]


class Instant(msgspec.Struct, frozen=True, kw_only=True):
    """At the instant that `when` holds, anywhere inside `during` (everywhere if empty), play goes to `to`.

    Any place is a jump. A procedure suspends all that is going on: its guard is not asked, its steps are played, and
    at its end or with BACK play is where it was; what it was called for must be over by then, or it begins again. A
    step that had just closed leads on only then.

    Instants nest: while a procedure of one is played, any other may break in that is watched there, and gives back
    what it found. One whose procedure has begun is not asked again until that is over. Of several that have come, the
    first in the list goes first; the next breaks in at the first moment at which it is asked where it is watched.

    An order whose events run past an instant is refused, with the last event that is permitted. From the first roll
    among its events on, the results of an order are one moment: all of them are recorded, and the instant breaks in
    after the last one if `when` holds then. What the rules stop inside a rolled order, its decision must stop.

    What is suspended does not go on: `inside` and `during` do not see it, `suspended` sees what the innermost instant
    broke into, and a procedure that is suspended may be called anew. It can be jumped to, and that breaks off whatever
    stands above; so does any jump out of the procedure.
    """

    name: str
    when: Condition
    to: str
    during: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


AnyPlace = Step | Heading | Rounds | Each | Turns | Together


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A whole sequence of play: the main line, procedures off it, and instants in the order they are asked.

    `anytime`: steps beside every other, open at any moment: an order given there opens and closes one, and play stands
    where it stood.
    """

    steps: tuple[AnyPlace, ...]
    procedures: tuple[Heading, ...] = ()
    instants: tuple[Instant, ...] = ()
    anytime: tuple[Step, ...] = ()


def names(roles: Roles) -> tuple[str, ...]:
    """One role or several, as a tuple; empty for nobody."""
    if isinstance(roles, str):
        return (roles,) if roles else ()
    return roles
