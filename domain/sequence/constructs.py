"""Define the language in which a title declares its sequence of play.

A sequence is plain data that reads like the printed page. Places nest; the printed labels are the leaves. Every place
has an id of its own (the printed label if there is one), a name in your words, and optionally a guard (`when`) and the
printed rule numbers (`rules`). Write the guard first and the children last.

    FIRE = Step("4b", "fire combat", by=EACH, when=FIRE_IS_DECLARED, allows=(ResolveFire,), needs=~FIRE_IS_DECLARED)

    Step      waits for every side in `by`; without `by`, it is recorded and closes at once
    Heading   its children in order
    Rounds    its children again and again; `until` is checked at the end of each pass
    Each      one pass for each member of a changing set, picked by the side in `by`, which may end it with `may_end`
    Turns     sides in rotation, each picking from its own set; a side whose set is empty is skipped
    Together  tracks open at once, each a step or a heading of steps, each continuing independently
    Instant   a trigger: checked after every order, when a step has closed, and whenever play waits for a side

Roles. A role in `by`, `also` or `sides` is the name of a role of the title, `ACTIVE`, `OTHERS`, `EACH`, or a side's own
id. A step that is open at any time may also have the role `REFEREE`. The sides that a step waits for are fixed when it
opens. If no side holds the role, the step is passed by, with the reason.

Ending a step. A side ends its part with `done`, after every action in `needs` is taken. An order can end its side's
part with `Closes()` among its results, in steps of one side and of several. The last side closes the step. An answer
closes it for all sides.

Next place. A target in `to` is any id, or NEXT, BACK (return from the procedure) or END (the game is over). The target
of a step is that of its answer, else of the first entry of `then` whose condition holds, else the next place. It is
fixed when the step closes. Walking into a place checks its guard. A jump to a step inside a heading does not check the
heading's guard. A jump to an open loop, or to the first place of open rounds, begins its next pass. A jump into the
middle of a loop that is not open is a fault.

Memory. `chose` and `done` refer to the present pass of the loop or procedure around a step, and its results are
forgotten with that pass. A jump back forgets the answers of all steps printed from the target on. A loop that is named
in `keep` remembers every answer until its own pass ends, and `ever` tests those.

Procedures are not on the main line. Going to a procedure calls it, and it returns after the step that called it. From
inside it, going to it is a jump to its beginning. `runs` borrows a stretch of the main line in a frame of its own, from
which play always returns; `nth` does not count it. A step that is reached only by a jump is a procedure.

Any time. Steps in `anytime` accept orders at any time, and play stays at its place. An `Instant` interrupts if play is
inside its `during`; its docstring says how play returns.

Conditions are in `conditions`. Never guard on a secret, because a step that is passed by shows the reason to all.
Prefer `needs=~SOMETHING_IS_DUE` to `given`, because an order that no side can legally give blocks the game. `umpire
doctor` and the tests of every title check a declaration (`flow.sequence_checks`); `umpire sequence TITLE` prints it.
"""

from typing import Literal

import msgspec

from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.sequence.conditions import Condition

ACTIVE = "active"
"""The side of the innermost pass that has one."""
OTHERS = "others"
"""Every side except the active one."""
EACH = "each"
"""Every side of the game."""
REFEREE = "referee"
"""The referee's own seat; only for steps that are open at any time."""

NEXT, BACK, END = "next", "back", "end"

Roles = str | tuple[str, ...]
"""One role, several, or none ("")."""

Need = Literal["required", "optional", "conditional", "repeat", "obsolete"]


class Answer(msgspec.Struct, frozen=True):
    """An answer that a side or the dice give. It closes the step and leads to `to`.

    `by`: the roles that may give it, by default all sides that the step waits for. `by_dice`: only the decision of an
    order can give it, no side directly.
    """

    name: str
    to: str = ""
    when: Condition | None = None
    by: Roles = ""
    by_dice: bool = False


class Go(msgspec.Struct, frozen=True):
    """A possible exit of a step. Play takes the first one whose condition holds."""

    to: str
    when: Condition | None = None
    note: str = ""


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """State that generic orders may change in a step, although they may not change it elsewhere (`flow.order_scope`).

    `units`: a set of the title. Generic orders can name only its members; members of another side can be changed and
    removed, but not moved. "": every unit of the side that orders. `attributes`, `accounts`, `markers`, `questions`:
    state that otherwise only the title's rules write (`Ruled`); a name may end in `*`. `by`: the only roles that may
    give generic orders here.
    """

    units: str = ""
    attributes: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    by: Roles = ""


class Named(msgspec.Struct, frozen=True):
    """A part of a sequence with its own id, the printed label if there is one, and a name in our words."""

    id: str
    name: str


class SequencePlace(Named, frozen=True, kw_only=True, tag=True):
    """Any part of a sequence with an id and a name.

    `when`: its guard, checked on entry; `rules`: printed rule numbers.
    """

    when: Condition | None = None
    rules: tuple[str, ...] = ()


class Step(SequencePlace, frozen=True, kw_only=True):
    """A printed leaf.

    `needs`: the condition under which a side can end its part. `runs`: first and last id of a stretch that is borrowed
    and played in a new frame before the step itself opens. `keep`: the loop that remembers its answers beyond this
    pass. `allows`: orders that the sides it waits for, and the roles in `also`, can give here. `touches`: state that
    generic orders may change here. `in_turn`: the sides act one after the other. `first_come`: the reason why it
    matters in which order the orders of several sides arrive; without a reason, it does not. `counts_turns`: a turn of
    the game begins here, if no rounds count turns. `need`, `secret`, `rolls` repeat the printed page: obligation,
    secrecy, dice.
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
    """A printed heading over its children, which are played in order.

    If it is not on the main line, it is a procedure.
    """

    steps: tuple["AnyPlace", ...]


class Rounds(SequencePlace, frozen=True, kw_only=True):
    """Children that are played again and again. `counts_turns`: its passes are the turns of the game."""

    steps: tuple["AnyPlace", ...]
    until: Condition | None = None
    counts_turns: bool = False


class Each(SequencePlace, frozen=True, kw_only=True):
    """One pass for each member of a changing set of the title, which `of` names.

    A finished member can be picked again after it has left the set and returned. If no side picks, the members come in
    the set's order, and a member that is a side is active in its own pass. So player turns in an order that the
    scenario sets are `Each` of the sides. `may_end`: the picking side can give `done` instead, and the remaining
    members are not picked («any of your units»). If several sides pick, the last `done` ends the loop.
    """

    of: str
    steps: tuple["AnyPlace", ...]
    by: Roles = ""
    may_end: bool = False


class Turns(SequencePlace, frozen=True, kw_only=True):
    """Sides in rotation, each picking from its own set, until all sets are empty (the keep-going rule)."""

    of: str
    sides: str
    steps: tuple["AnyPlace", ...]


class Together(SequencePlace, frozen=True, kw_only=True):
    """Tracks that are open at once: menus, reactions during a move, preparations that do not wait for each other.

    A track is a step, or a heading whose steps come one after the other. Each track continues independently when its
    open step closes; the whole ends when all tracks are over. A step that leads out of its track breaks off the others.
    """

    steps: tuple[Step | Heading, ...]


class Instant(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger: when `when` holds anywhere inside `during` (everywhere if empty), play goes to `to`.

    If `to` is a procedure, it suspends all open steps. Its guard is not checked. Its steps are played, and at its end
    or with BACK play returns. Its condition must be false by then, or it begins again. If a step had just closed, its
    exit is followed only then. Any other place is the target of a jump.

    Triggers nest. During the procedure of one, any other trigger that is watched there may interrupt and return to it.
    A trigger whose procedure has begun is not checked again until the procedure is over. If several hold, the first in
    the list comes first; the next one follows as soon as it is checked inside its `during`.

    An order whose events continue past a trigger is refused, with the last event that is permitted. All events from an
    order's first roll on count as one moment. They are all recorded, and the trigger interrupts after the last one if
    `when` holds then. If the rules stop a rolled order in the middle, its decision must stop it.

    Suspended places do not continue: `inside` and `during` ignore them, `suspended` tests those that the innermost
    trigger suspended, and a suspended procedure can be called again. A jump to a suspended place is possible and breaks
    off every later frame; so does any jump out of the procedure.
    """

    name: str
    when: Condition
    to: str
    during: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


AnyPlace = Step | Heading | Rounds | Each | Turns | Together


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A whole sequence of play: the main line, the procedures, and the triggers in the order in which they are checked.

    `anytime`: further steps, open at any time. An order there opens and closes its step, and play stays at its place.
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
