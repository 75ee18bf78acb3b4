"""Make automatic moves, so that the next order need not wait for steps that need no decision.

    a loop with one member to pick that cannot be ended early      the member is picked
    a step in which no side can act and no action is required      each side's part ends
    a step that a side promised to end, if no side acted since     that side's part ends (`side.leaves`),
                                                                   unless the side forfeits something there

Umpire makes no automatic move before an order that is legal at a later step (`play.decide`), so a group that picks and
ends steps by hand plays as before. Automatic moves are recorded with that order, before its own events.

Automatic moves take no decision from a side: play waits at a secret step, at a step that asks for an answer, and while
several steps are open. Another side counts as unable to act only if the title says so for every order
(`is_always_refused`). For the side that gives the order, it is enough that no suggestion of the title is accepted. If a
side has sealed answers, only its own orders move it on, because its options may depend on these answers.
"""

from collections.abc import Callable
from typing import NamedTuple

from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.available_orders import is_always_refused, offered
from umpire_ledger.domain.flow.open_steps import acting, free_members, may_end, open_steps, waiting_loop, waits_in
from umpire_ledger.domain.flow.queries import forfeits, required_actions
from umpire_ledger.domain.game.cursor import How
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events.phrases import in_brackets, step_words
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.sealed_choices import in_public
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Called, Title
from umpire_ledger.domain.sequence.constructs import Each, Step, Turns
from umpire_ledger.domain.sequence.plan import Plan

DONE_UNTIL = "done --until"
ONLY_ONE = "the only one"
FARTHEST = 100
"""Limit of automatic moves for one order; more than this means that play goes in a circle."""

Finds = Callable[[Step, str], bool]
"""Function that returns whether a side can do anything in a step."""


def next_automatic_move(
    title: Title, game: Game, side: str = "", finds: Finds | None = None
) -> Each | Turns | Step | None:
    """Return the loop or step that the next order of a side moves past automatically; None if there is none.

    A returned loop has only one member to pick; a returned step ends.

    Args:
        side: The side that gives the order; by default, any side.
        finds: Known results about the side's own options.
    """
    if game.ended or len(game.cursor.open) != 1:
        return None
    loop = waiting_loop(title, game)
    if loop is not None:
        is_only = not may_end(loop) and len(free_members(title, game, loop)) == 1
        return loop if is_only and _is_seen_by_all(title, game, loop, side) else None
    step = title.plan.step(game.cursor.open[0].step)
    return step if step is not None and _is_idle(title, game, step, side, finds) else None


def _is_idle(title: Title, game: Game, step: Step, side: str, finds: Finds | None) -> bool:
    """Return whether no side can do anything in a step but end it."""
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


def _is_seen_by_all(title: Title, game: Game, loop: Each | Turns, side: str) -> bool:
    """Return whether every seat sees the members of a loop: its set is public, or no picking side has a secret."""
    if not _keeps_secrets(game, game.cursor.waiting(), side):
        return True
    held = title.sets.get(loop.of)
    return not is_foggy(game) and isinstance(held, Called) and held.is_public


def _keeps_secrets(game: Game, sides: tuple[str, ...], but: str) -> bool:
    """Return whether any of these sides except `but` has a sealed answer or may have hidden units."""
    if is_foggy(game) and any(one != but for one in sides):
        return True
    return any(one.sealed and one.side in sides and one.side != but for one in game.choices.values())


def make_automatic_move(walk: PlayAdvancer, side: str = "", finds: Finds | None = None) -> str:
    """Make one automatic move before an order of a side, and return it in words; "" if a side must act first."""
    match next_automatic_move(walk.title, walk.game, side, finds):
        case None:
            return _keep_word(walk)
        case Step(id=step, name=name):
            _leave(walk, step)
            return f"{step_words(step, name)} ends: no side can do anything in it"
        case loop:
            picks = walk.game.cursor.waiting()
            member = free_members(walk.title, walk.game, loop)[0]
            walk.pick(loop.id, member, picks[0] if len(picks) == 1 else "", ONLY_ONE)
            return f"{member} is picked for {loop.id}{in_brackets(loop.name)}: {ONLY_ONE}"


def _leave(walk: PlayAdvancer, step: str) -> None:
    """End every side's part of a step, unless a trigger interrupts."""
    for side in walk.open(step).waits:
        if walk.game.cursor.opened(step) is not None:
            leave_part(walk, step, side, f"{walk.game.side_name(side)} can do nothing here", is_idle=True)


def leave_part(walk: PlayAdvancer, step: str, side: str, why: str = "", *, is_idle: bool = False) -> None:
    """End a side's part of a step that requires no action. If the side could have acted but did not, it declines."""
    how: How = "done"
    if walk.game.acts == walk.open(step).acts:
        how = "idle" if is_idle or has_no_order(walk.title, walk.game, step, side) else "declined"
    walk.side_done(step, side, how, why)


def has_no_order(title: Title, game: Game, step_id: str, side: str) -> bool:
    """Return whether it is public knowledge that a side has no order to give in a step."""
    step = title.plan.step(step_id)
    if step is None or step.secret or step.answers or is_foggy(game):
        return False
    shown = in_public(game)
    return all(is_always_refused(title, shown, order, side, step) for order in step.allows if order not in title.asides)


# --- promises to end steps --------------------------------------------------------------------------------------------


def _keep_word(walk: PlayAdvancer) -> str:
    """End one side's part of an open step as it promised, and return that in words; "" if no promise applies."""
    title, game = walk.title, walk.game
    is_alone = len(game.cursor.open) == 1  # otherwise a side that has ended one part may still act
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
                return f"{step_words(step.id, step.name)} ends: {game.side_does(side, 'has given')} `{words}`"
    return ""


def until_words(place: str) -> str:
    return f"{DONE_UNTIL} {place}"


def stands(title: Title, game: Game, side: str) -> bool:
    """Return whether a promise to end steps is still in force: no side has acted since, and its place is ahead."""
    said = game.leaving.get(side)
    if said is None or said.acts != game.acts:
        return False
    order = title.plan.order
    if said.until not in order or borrows(title.plan, game, said.until):
        return False
    return all(order.get(one.step, -1) < order[said.until] for one in game.cursor.open)


def borrows(plan: Plan, game: Game, place: str) -> bool:
    """Return whether play is in the stretch that a step in this place borrows, before the step itself opens."""
    return any(frame.kind == "borrow" and plan.holds(place, frame.back) for frame in game.cursor.frames)


# --- the game at the next order ---------------------------------------------------------------------------------------


class Ahead(NamedTuple):
    """The game in which the next order will be decided, with the automatic moves that lead there, in words."""

    game: Game
    words: tuple[str, ...]


def ahead_of(title: Title, game: Game, side: str = "", finds: Finds | None = None) -> Ahead | None:
    """Return the game in which a side's next order will be decided; None without automatic moves.

    It is also None if this copy of the game lacks secrets that it needs, or if play would go in a circle.

    Args:
        side: The side that gives the order; by default, any side.
        finds: Known results for the present state.
    """
    walk, words = PlayAdvancer(title, game), list[str]()
    try:
        while len(words) < FARTHEST:
            if not (said := make_automatic_move(walk, side, None if words else finds)):
                return Ahead(walk.game, tuple(words)) if words and not walk.game.ended else None
            words.append(said)
    except DomainError:  # The next order raises the error.
        pass
    return None
