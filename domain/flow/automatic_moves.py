"""What goes by itself: where play has nothing to wait for, the next order goes on from there.

    a loop with one member that may be picked, and not ended early      the member is picked
    a step in which nobody can do anything, and nothing is owed         each side's part is left
    a step that a side said it leaves, and nothing was done since       that side's part is left (`side.leaves`),
                                                                        unless the side forfeits something there

Nothing moves before somebody gives an order that makes sense farther on (`play.decide`), so a table that picks and
leaves by hand plays as ever. What goes by itself is recorded with that order, before its own events.

No decision is taken from anybody: a secret step, one that asks for an answer, and several steps open at once wait.
That a side can do nothing is certain for others only where the title says so of every order (`offers.never_taken`); for
a side's own order it is enough that no idea of the title is taken. Whoever keeps something sealed is moved by an order
of his own side alone: that he can do nothing may hang on it.
"""

from collections.abc import Callable
from typing import NamedTuple

from umpire_ledger.domain.flow.advance import Walk
from umpire_ledger.domain.flow.available_orders import is_always_refused, offered
from umpire_ledger.domain.flow.open_steps import acting, free_members, may_end, open_steps, waiting_loop, waits_in
from umpire_ledger.domain.flow.queries import forfeits, required_actions
from umpire_ledger.domain.game.cursor import How
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.visibility import in_public
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Each, Step, Turns
from umpire_ledger.domain.sequence.plan import Plan

ONLY_ONE = "the only one"
FARTHEST = 100
"""Movements that one order makes by itself; where there are more, play goes in a circle."""

Finds = Callable[[Step, str], bool]
"""Whether a side finds something to do in a step."""


def next_automatic_move(
    title: Title, game: Game, side: str = "", finds: Finds | None = None
) -> Each | Turns | Step | None:
    """The loop whose only member is picked, or the step that is left, with the next order of a side; else None.

    Without a side: with an order of any. `finds`: who asked already what the side itself can do.
    """
    if game.ended or len(game.cursor.open) != 1:
        return None
    loop = waiting_loop(title, game)
    if loop is not None:
        is_only = not may_end(loop) and len(free_members(title, game, loop)) == 1
        return loop if is_only and not _keeps_secrets(game, game.cursor.waiting(), side) else None
    step = title.plan.step(game.cursor.open[0].step)
    return step if step is not None and _is_idle(title, game, step, side, finds) else None


def _is_idle(title: Title, game: Game, step: Step, side: str, finds: Finds | None) -> bool:
    """Whether nobody can do anything in a step but leave it."""
    who = acting(title, game, step)
    if step.secret or step.answers or is_foggy(game) or _keeps_secrets(game, who, side):
        return False
    orders = [order for order in step.allows if order not in title.asides]
    for one in who:
        if one != side and not all(is_always_refused(title, game, order, one, step) for order in orders):
            return False
    if any(required_actions(title, game, step, one) for one in game.cursor.waiting()):
        return False
    if side not in who:
        return True
    return not (finds(step, side) if finds else any(offered(title, game, order, side, step) for order in orders))


def _keeps_secrets(game: Game, sides: tuple[str, ...], but: str) -> bool:
    """Whether one of these sides, another than the one whose order it is, has something sealed, or may have hidden."""
    if is_foggy(game) and any(one != but for one in sides):
        return True
    return any(one.sealed and one.side in sides and one.side != but for one in game.choices.values())


def make_automatic_move(walk: Walk, side: str = "", finds: Finds | None = None) -> str:
    """Make one movement that goes by itself with an order of a side, and say it; "" where somebody has to act."""
    match next_automatic_move(walk.title, walk.game, side, finds):
        case None:
            return _keep_word(walk)
        case Step(id=step, name=name):
            _leave(walk, step)
            return f"{step} {name} is left: nobody can do anything there"
        case loop:
            picks = walk.game.cursor.waiting()
            member = free_members(walk.title, walk.game, loop)[0]
            walk.pick(loop.id, member, picks[0] if len(picks) == 1 else "", ONLY_ONE)
            return f"{member} is picked for {loop.id} {loop.name}: {ONLY_ONE}"


def _leave(walk: Walk, step: str) -> None:
    """Leave every side's part of a step, as long as no instant breaks in."""
    for side in walk.open(step).waits:
        if walk.game.cursor.opened(step) is not None:
            leave_part(walk, step, side, f"{walk.game.side_name(side)} can do nothing here", is_idle=True)


def leave_part(walk: Walk, step: str, side: str, why: str = "", *, is_idle: bool = False) -> None:
    """Leave a side's part of a step in which nothing is owed; declined where the side could have done something."""
    how: How = "done"
    if walk.game.acts == walk.open(step).acts:
        how = "idle" if is_idle or has_no_order(walk.title, walk.game, step, side) else "declined"
    walk.side_done(step, side, how, why)


def has_no_order(title: Title, game: Game, step_id: str, side: str) -> bool:
    """Return whether everybody can tell that a side has no order to give in a step.

    The answer goes into a public record, so it is computed without what is sealed or hidden.
    """
    step = title.plan.step(step_id)
    if step is None or step.secret or step.answers or is_foggy(game):
        return False
    shown = in_public(game)
    return all(is_always_refused(title, shown, order, side, step) for order in step.allows if order not in title.asides)


# --- what a side said ------------------------------------------------------------------------------------------------


def _keep_word(walk: Walk) -> str:
    """Leave one part that its side said it leaves."""
    title, game = walk.title, walk.game
    is_alone = len(game.cursor.open) == 1  # beside other open steps, a side that has left its own may still act
    for step in open_steps(title, game):
        for side in waits_in(game, step) if game.leaving else ():
            if (
                not step.secret
                and not step.answers
                and stands(title, game, side)
                and not required_actions(title, game, step, side)
                and not (is_alone and forfeits(title, game, step.id, side))
            ):
                words = until_words(game.leaving[side].until)
                leave_part(walk, step.id, side, words)
                return f"{step.id} {step.name} is left: {game.side_name(side)} said `{words}`"
    return ""


def until_words(place: str) -> str:
    return f"done --until {place}"


def stands(title: Title, game: Game, side: str) -> bool:
    """Whether what a side said that it leaves still holds: nothing was done since, and the place lies ahead."""
    said = game.leaving.get(side)
    if said is None or said.acts != game.acts:
        return False
    order = title.plan.order
    if said.until not in order or borrows(title.plan, game, said.until):
        return False
    return all(order.get(one.step, -1) < order[said.until] for one in game.cursor.open)


def borrows(plan: Plan, game: Game, place: str) -> bool:
    """Whether play is in the stretch that a step of the place borrows: before the step itself opens."""
    return any(frame.kind == "borrow" and plan.holds(place, frame.back) for frame in game.cursor.frames)


# --- where the next order finds the game -----------------------------------------------------------------------------


class Ahead(NamedTuple):
    """Where the next order finds the game, and what goes by itself until there, in words."""

    game: Game
    words: tuple[str, ...]


def ahead_of(title: Title, game: Game, side: str = "", finds: Finds | None = None) -> Ahead | None:
    """Where the next order of a side finds the game; None where nothing goes by itself.

    Also where this copy does not hold enough to say, and where play would go in a circle. `finds`: for where it stands.
    """
    walk, words = Walk(title, game), list[str]()
    try:
        while len(words) < FARTHEST:
            if not (said := make_automatic_move(walk, side, None if words else finds)):
                return Ahead(walk.game, tuple(words)) if words and not walk.game.ended else None
            words.append(said)
    except DomainError:  # whoever gives the order hears it
        pass
    return None
