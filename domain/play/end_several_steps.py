"""End several steps with one order: `done --until STEP` and `done --rest`.

A side ends every step that it may end, each with its own record. If there is only one member to pick, it is picked, and
if other sides certainly cannot act, their parts end too (`flow.automatic_moves`). Play stops at the first decision: a
required action, an answer, a choice among members, another side's part in which that side may be able to act, or a
secret step, because declining it is also a decision. It is one order, so an undo takes it back as a whole.

If play waits for other sides, `--until` stays in force until a side acts, answers or picks: the side's part of later
steps ends with the others' orders (`side.leaves`). So two sides without plans give one order each.

An order that ends several steps lists what its side forfeits in them (`forfeited`). An order of another side does not
end a step in which the side would forfeit something, so that the side sees this first.
"""

import shlex
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple, TypeGuard

from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.automatic_moves import (
    ONLY_ONE,
    borrows,
    leave_part,
    make_automatic_move,
    stands,
    until_words,
)
from umpire_ledger.domain.flow.available_orders import where_now
from umpire_ledger.domain.flow.open_steps import (
    answers_for,
    free_members,
    may_end,
    open_steps,
    rule_of,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.queries import forfeits, owed
from umpire_ledger.domain.flow.sequence_checks.reachability import Flow, Node
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.cursor import Cursor, Frame
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.errors import UnknownName
from umpire_ledger.domain.game.events import (
    AnyEvent,
    PassBegun,
    SideDone,
    SideLeaves,
    StepClosed,
    StepOpened,
    StepPassed,
)
from umpire_ledger.domain.game.events.phrases import in_brackets, step_words
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.refusals import REFUSALS, refuse
from umpire_ledger.domain.sequence.constructs import Each, Heading, Rounds, Step, Turns
from umpire_ledger.domain.sequence.plan import Plan

MOST_LEFT = 500
"""Limit of steps that one order ends. An order that reaches it names a step that play does not reach."""
PHASE_OVER = "the phase is over"


class Goal(NamedTuple):
    """The target of the order: a place, or (`rest`) the end of a place, in the same pass of the loop around it.

    `ahead`: whether the place was later in the sequence when the order was given; if play passes it by, play stops
    after it. `inside`: whether play was in the stretch that the place borrows; then the place itself is the target,
    after the stretch. `loop`: whether the place is a loop around play; then the target is the end of its pass.
    """

    place: str
    rest: bool
    depth: int = 0
    nth: int = 0
    ahead: bool = False
    inside: bool = False
    loop: bool = False

    @property
    def words(self) -> str:
        return "done --rest" if self.rest and not self.loop else until_words(self.place)


def goal_of(title: Title, game: Game, order: o.Done) -> Goal:
    """Return the target of an order.

    Raises:
        UnknownName: The sequence does not have the place.
        RuleViolation: Play is at the place already, or has passed it.
    """
    if order.rest:
        return _this_phase(title.plan, game)
    if order.until not in title.plan.places:
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-place",
            {"until": order.until, "title": title.id},
            where=game.where,
            rule=rule_of(title, game),
        )
    ahead = _lies_ahead(title.plan, game, order.until)
    goal = Goal(order.until, rest=False, ahead=ahead, inside=borrows(title.plan, game, order.until))
    if (this_pass := _pass_of(game, order.until)) is not None:
        return this_pass
    if is_reached(title.plan, game, goal):
        raise refuse(game, "already-there", rule_of(title, game), until=order.until)
    if not ahead and not goal.inside and not _comes_again(title.plan, game, order.until):
        raise refuse(game, "step-has-passed", rule_of(title, game), until=order.until)
    return goal


def _pass_of(game: Game, place: str) -> Goal | None:
    """Return the target of an order that names an open loop; None for any other place, and while the loop waits for a
    pick.
    """
    if game.cursor.opened(place) is not None:
        return None
    frames = enumerate(game.cursor.frames, 1)
    found = (
        Goal(place, rest=True, depth=depth, nth=frame.nth, loop=True)
        for depth, frame in frames
        if _is_loop(frame, place)
    )
    return next(found, None)


def _is_loop(frame: Frame, place: str) -> bool:
    return frame.of == place and frame.kind == "loop"


def _comes_again(plan: Plan, game: Game, place: str) -> bool:
    """Return whether the sequence can lead play to a place before the next turn."""
    counted: list[Node] = [("in", step.id) for step in plan.leaves() if step.counts_turns]
    turns = [one for one in plan.places.values() if isinstance(one, Rounds) and one.counts_turns]
    counted += [("in", plan.first(one.id)) for one in turns]
    ahead = Flow(plan).reached(_ways_on(game.cursor), closed=counted)
    return any(node != "out" and plan.holds(place, to) for node, to in ahead)


def _ways_on(cursor: Cursor) -> Iterator[Node]:
    """Yield the nodes from which play can continue: open steps, suspended steps, and returns of procedures."""
    for one in chain(cursor.open, *(frame.held for frame in cursor.frames)):
        yield "open", one.step
    for frame in cursor.frames:
        if frame.back:
            yield ("open" if frame.kind == "borrow" else "out"), frame.back
        if frame.kind == "instant":
            yield from (("in", place) for place in frame.stretch)


def _this_phase(plan: Plan, game: Game) -> Goal:
    """Return the phase of play, to be ended: the outermost heading around the open step within its loop or procedure.

    Without such a heading, it is the rest of the pass.
    """
    step = game.cursor.open[0].step if game.cursor.open else ""
    home = plan.home(step)
    inside = [place for place in plan.around(step) if place != home and plan.holds(home, place)]
    headings = [place for place in inside if isinstance(plan.places[place], Heading)]
    return Goal(headings[-1] if headings else home, rest=True, depth=len(game.cursor.frames), nth=game.cursor.top.nth)


def is_reached(plan: Plan, game: Game, goal: Goal) -> bool:
    """Return whether play has reached its target or, with `rest`, has left its phase."""
    if goal.loop:
        return not _in_pass(game, goal)
    inside = any(plan.holds(goal.place, one.step) for one in game.cursor.open)
    if not goal.rest:
        return inside or (not goal.inside and borrows(plan, game, goal.place))
    frames = game.cursor.frames
    same_pass = len(frames) >= goal.depth and frames[goal.depth - 1].nth == goal.nth
    return not (inside and same_pass)


def _in_pass(game: Game, goal: Goal) -> bool:
    """Return whether play is still in the pass of a loop that the order is to end, perhaps in a called procedure."""
    frames = game.cursor.frames[goal.depth - 1 :]
    is_same = bool(frames) and _is_loop(frames[0], goal.place) and frames[0].nth == goal.nth
    return is_same and game.cursor.opened(goal.place) is None


def leave_many(walk: PlayAdvancer, side: str, goal: Goal) -> None:
    """End one step after another until the target is reached or a decision is required.

    If play waits for other sides, record the promise to end later steps.

    Raises:
        RuleViolation: The order would end more than `MOST_LEFT` steps.
    """
    ahead, before = goal.ahead, 0
    for _ in range(MOST_LEFT):
        if is_reached(walk.plan, walk.game, goal) or _came_by(walk, goal):
            return
        if ahead and _is_behind(walk, goal, before):
            return
        ahead, before = not goal.rest and _lies_ahead(walk.plan, walk.game, goal.place), len(walk.told)
        if not leave_one(walk, side, goal.words):
            if not goal.rest and not walk.game.ended and side not in walk.game.cursor.waiting():
                walk.emit(SideLeaves(side=side, until=goal.place))
            return
    raise refuse(walk.game, "too-many-steps", rule_of(walk.title, walk.game), limit=MOST_LEFT, place=goal.place)


def _came_by(walk: PlayAdvancer, goal: Goal) -> bool:
    """Return whether play came to the target and continued, because nothing there waits for a side."""
    told = () if goal.rest else events_of(tuple(walk.told))
    opened = (event.step for event in told if isinstance(event, StepOpened | StepPassed))
    return any(walk.plan.holds(goal.place, step) for step in opened)


def _lies_ahead(plan: Plan, game: Game, place: str) -> bool:
    """Return whether a place is printed after every open step.

    A procedure counts as printed at the last step calling it.
    """
    procedure = next((one for one in plan.around(place) if one in plan.procedures), "")
    calls = [plan.order[step.id] for step in plan.leaves() if procedure and _calls(plan, step, procedure)]
    at = max(calls, default=plan.order[place])
    return all(plan.order.get(one.step, -1) <= at for one in game.cursor.open)


def _calls(plan: Plan, step: Step, procedure: str) -> bool:
    targets = (*(answer.to for answer in step.answers), *(go.to for go in step.then))
    return not plan.holds(procedure, step.id) and any(plan.holds(procedure, to) for to in targets if to in plan.places)


def _is_behind(walk: PlayAdvancer, goal: Goal, before: int) -> bool:
    """Return whether play has gone past the target: it is now later in the sequence, or in a new pass of a loop around
    it.
    """
    begun = (one for one in events_of(tuple(walk.told[before:])) if isinstance(one, PassBegun) and one.nth > 1)
    if any(walk.plan.holds(one.loop, goal.place) for one in begun):
        return True
    return not _lies_ahead(walk.plan, walk.game, goal.place)


def leave_one(walk: PlayAdvancer, side: str, why: str) -> bool:
    """End one open step of the side, or pick the only member; otherwise make an automatic move, even of another side.

    Return false if a decision is required first.
    """
    title, game = walk.title, walk.game
    loop = waiting_loop(title, game)
    if loop is not None and side in game.cursor.waiting() and not _why_no_pick(title, game, loop):
        walk.pick(loop.id, free_members(title, game, loop)[0], side, ONLY_ONE)
        return True
    for step in _mine(title, game, side):
        if not why_not_left(title, game, step, side):
            leave_part(walk, step.id, side, why)
            return True
    return bool(make_automatic_move(walk, side))


def _mine(title: Title, game: Game, side: str) -> list[Step]:
    return [step for step in open_steps(title, game) if side in waits_in(game, step)]


def why_not_left(title: Title, game: Game, step: Step, side: str) -> str:
    """Return in words the decision that a side must make before a step ends; "" if none is required."""
    if step.secret:
        return f"{_named(step)} is secret: end it with `done` alone"
    if step.answers:
        answers = ", ".join(f"`done {shlex.quote(answer.name)}`" for answer in answers_for(title, game, step, side))
        return f"{_named(step)} needs an answer: {answers or 'give an order that decides it'}"
    still = owed(title, game, step, side)
    return f"{_named(step)}: {'; '.join(still)}" if still else ""


def _named(step: Step) -> str:
    return step_words(step.id, step.name)


def _why_no_pick(title: Title, game: Game, loop: Each | Turns) -> str:
    free = free_members(title, game, loop)
    if len(free) == 1 and not may_end(loop):
        return ""
    return f"`pick` for {loop.id}{in_brackets(loop.name)}: {', '.join(free)}{', or `done`' if may_end(loop) else ''}"


def why_stopped(title: Title, game: Game, side: str, until: str = "", before: Game | None = None) -> str:
    """Return the reason why `done --until` or `--rest` stopped, in words for the side.

    Args:
        before: The game before the order. Without it, a loop around play counts as reached.
    """
    if game.ended:
        return f"the game is over: {game.ended}"
    begun = _pass_of(before, until) if before is not None else None
    if until and is_reached(title.plan, game, Goal(until, rest=False)) and not (begun and _in_pass(game, begun)):
        return f"play is at {until}"
    nothing = f"play has passed {until}" if until else PHASE_OVER
    loop = waiting_loop(title, game)
    if loop is not None and side in game.cursor.waiting():
        return _why_no_pick(title, game, loop) or nothing
    mine = _mine(title, game, side)
    if not mine:
        waited = f"play waits: {where_now(title, game)}"
        if not stands(title, game, side):
            return waited
        return f"{waited}; your optional steps up to {game.leaving[side].until} end automatically, until a side acts"
    return why_not_left(title, game, mine[0], side) or nothing


# --- forfeits ---------------------------------------------------------------------------------------------------------


def forfeited(title: Title, game: Game, side: str, events: Iterable[AnyEvent]) -> tuple[str, ...]:
    """Return what a side forfeited by ending the steps that these events end, in words.

    Args:
        title: The title of the game.
        game: The game before the first event.
        side: The side that ended the steps.
        events: All events of the order, in order.
    """
    found: list[str] = []
    for event in events:
        if _leaves_part(event, game, side):
            found += [f"{event.step}: {words}" for words in forfeits(title, game, event.step, side)]
        game = evolve(game, event)
    return tuple(found)


def _leaves_part(event: AnyEvent, game: Game, side: str) -> TypeGuard[SideDone | StepClosed]:
    """Return whether an event ends a side's part of a step that still waits for it."""
    if not isinstance(event, SideDone | StepClosed):
        return False
    one = game.cursor.opened(event.step)
    return one is not None and side in one.waits and event.side in ("", side)
