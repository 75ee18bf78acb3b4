"""Decide the orders that move play along its sequence: end a step, pick for a loop, and excuse a side."""

import shlex

from umpire_ledger.domain.flow.admission import not_yours
from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.automatic_moves import leave_part
from umpire_ledger.domain.flow.available_orders import acting_now, offers
from umpire_ledger.domain.flow.open_steps import (
    answers_for,
    free_members,
    may_end,
    open_steps,
    rule_of,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.queries import RequiredAction, required_actions
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import RulingMade
from umpire_ledger.domain.game.order_json import HERE
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.end_several_steps import goal_of, leave_many, leave_one, why_stopped
from umpire_ledger.domain.play.refusals import REFUSALS, refuse
from umpire_ledger.domain.sequence.constructs import Answer, Each, Step, Turns


def decide_done(walk: PlayAdvancer, order: o.Done) -> None:
    """End a side's part of a step, with an answer if the step asks for one; with `until` or `rest`, also end later
    steps.

    The first step ends as by `done` alone, even if it is secret.

    Raises:
        RuleViolation: The first step cannot end, both `until` and `rest` are given, or play cannot reach the place.
    """
    if not order.until and not order.rest:
        _leave(walk, order)
        return
    if order.until and order.rest:
        raise refuse(walk.game, "two-places-to-stop", rule_of(walk.title, walk.game))
    side = walk.game.side_of(order.seat)
    goal = goal_of(walk.title, walk.game, order)
    if order.answer or order.step or not leave_one(walk, side, goal.words):
        _verify_no_pick(walk, side)
        _verify_asked(walk, order, side, goal.words)
        _leave(walk, order)
    leave_many(walk, side, goal)


def leave_after(walk: PlayAdvancer, seat: str, step: str, leave: str) -> None:
    """End the side's part of an order's step, if the step still waits for it, and of later steps up to a place.

    Raises:
        RuleViolation: The step is open at any time, or cannot end yet.
    """
    side = walk.game.side_of(seat)
    if any(one.id == step for one in walk.title.plan.anytime):
        raise refuse(walk.game, "always-open", rule_of(walk.title, walk.game, step), step=step)
    goal = None if leave == HERE else goal_of(walk.title, walk.game, o.Done(seat=seat, until=leave))
    one = walk.game.cursor.opened(step)
    if one is not None and side in one.waits:
        _leave(walk, o.Done(seat=seat, step=step))
    if goal is not None:
        leave_many(walk, side, goal)


def _verify_no_pick(walk: PlayAdvancer, side: str) -> None:
    """Check that a side does not have to pick, because `done` chooses no member.

    Raises:
        RuleViolation: The side must pick.
    """
    title, game = walk.title, walk.game
    if waiting_loop(title, game) is not None and side in game.cursor.waiting():
        raise refuse(game, "choose-first", rule_of(title, game), why_stopped=why_stopped(title, game, side))


def _verify_asked(walk: PlayAdvancer, order: o.Done, side: str, words: str) -> None:
    """Check that play waits for a side that ends several steps. Otherwise its order would have no effect.

    Raises:
        RuleViolation: Play waits only for other sides.
    """
    title, game = walk.title, walk.game
    waits = acting_now(title, game)
    if order.step or not side or not waits or REFEREE in waits or side in game.cursor.waiting():
        return
    step, sides = title.plan.place(game.cursor.open[0].step), " and ".join(map(game.side_name, waits))
    raise refuse(
        game,
        "nothing-to-end-yet",
        rule_of(title, game),
        step=step.id,
        step_name=step.name,
        sides=sides,
        side=game.side_name(side),
        words=words,
    )


def _leave(walk: PlayAdvancer, order: o.Done) -> None:
    """End a side's part of a step, with an answer if the step asks for one."""
    title, game = walk.title, walk.game
    side = game.side_of(order.seat)
    loop = waiting_loop(title, game)
    if loop is not None and may_end(loop) and order.step in ("", loop.id):
        _end_picks(walk, order, loop.id, side)
        return
    step = _step_to_leave(title, game, order, side)
    still = required_actions(title, game, step, side)
    if still:
        raise _still_required(title, game, step, side, still)
    if step.answers:
        answer = _answer(title, game, step, order, side)
        walk.close(step.id, answer=answer.name, side=side)
        return
    if order.answer:
        raise refuse(game, "no-answer-asked-for", rule_of(title, game, step.id), step=step.id)
    leave_part(walk, step.id, side)


def _still_required(title: Title, game: Game, step: Step, side: str, due: tuple[RequiredAction, ...]) -> RuleViolation:
    """Return the refusal of ending a step, with the orders that are required of the side.

    If the side can only wait, has no order, or cannot give a required one yet, the refusal names the other sides. It
    lists the required orders; if none is required by name, it lists all available ones.
    """
    rule, required = rule_of(title, game, step.id), "; ".join(one.sentence for one in due)
    able, others = offers(title, game, step, side), [one for one in waits_in(game, step) if one != side]
    only_waits = all(one.waits for one in due)
    by_name = {name for one in due for name in one.orders}
    cannot_yet = bool(by_name) and by_name.isdisjoint(able)
    if others and (only_waits or cannot_yet or not {*able} - {order.tag() for order in title.asides}):
        sides = " and ".join(map(game.side_name, others))
        return refuse(game, "others-act-first", rule, step=step.id, step_name=step.name, required=required, sides=sides)
    named = tuple(name for name in able if name in by_name) or able or ("ask the referee",)
    return refuse(
        game, "orders-required", rule, step=step.id, step_name=step.name, required=required, orders=tuple(named)
    )


def _end_picks(walk: PlayAdvancer, order: o.Done, loop: str, side: str) -> None:
    """End a side's picks for a loop that it may end early."""
    title, game = walk.title, walk.game
    waits = game.cursor.waiting()
    if side not in waits:
        raise not_yours(title, game, order.seat, loop, waits)
    if order.answer:
        raise refuse(game, "no-answer-asked-for-in-loop", rule_of(title, game, loop), loop=loop)
    walk.pick_no_more(loop, side)


def _step_to_leave(title: Title, game: Game, order: o.Done, side: str) -> Step:
    waiting = [step for step in open_steps(title, game) if order.step in ("", step.id)]
    mine = [step for step in waiting if side in waits_in(game, step)]
    if not waiting and (loop := waiting_loop(title, game)) is not None:
        raise _pick_first(title, game, order, loop, side)
    if not waiting:
        open_now = ", ".join(one.step for one in game.cursor.open)
        raise refusal(
            UnknownName,
            REFUSALS,
            "step-not-open",
            {"step": order.step, "open_now": open_now},
            where=game.where,
            rule=rule_of(title, game),
        )
    if not mine:
        raise not_yours(title, game, order.seat, waiting[0].id, acting_now(title, game))
    if len(mine) > 1:
        ids = ", ".join(step.id for step in mine)
        raise refuse(game, "several-steps-open", rule_of(title, game), steps=ids)
    return mine[0]


def _pick_first(title: Title, game: Game, order: o.Done, loop: Each | Turns, side: str) -> RuleViolation:
    """Return the refusal for a side that must first pick the next member of a loop."""
    waits = game.cursor.waiting()
    if side not in waits:
        return not_yours(title, game, order.seat, loop.id, waits)
    return refuse(game, "pick-first", rule_of(title, game), members=tuple(free_members(title, game, loop)))


def _answer(title: Title, game: Game, step: Step, order: o.Done, side: str) -> Answer:
    possible = answers_for(title, game, step, side)
    chosen = next((answer for answer in possible if answer.name == order.answer), None)
    if chosen is not None:
        return chosen
    choices = ", ".join(answer.name for answer in possible) or _decided_by(title, game, step, side)
    example = next((f"; for example `done {shlex.quote(answer.name)}`" for answer in possible), "")
    raise refuse(
        game,
        "not-an-answer" if order.answer else "answer-missing",
        rule_of(title, game, step.id),
        answer=order.answer,
        step=step.id,
        step_name=step.name,
        choices=choices,
        example=example,
    )


def _decided_by(title: Title, game: Game, step: Step, side: str) -> str:
    """Return in words the orders that answer a step whose answers `done` cannot give."""
    return f"an order that decides it: {', '.join(offers(title, game, step, side)) or 'none is possible now'}"


def decide_pick(walk: PlayAdvancer, order: o.Pick) -> None:
    title, game = walk.title, walk.game
    loop = waiting_loop(title, game)
    if loop is None:
        raise refuse(game, "nothing-to-pick", rule_of(title, game))
    side = game.side_of(order.seat)
    waits = game.cursor.waiting()
    if side not in waits:
        raise not_yours(title, game, order.seat, loop.id, waits)
    free = free_members(title, game, loop)
    if order.member not in free:
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-member",
            {"member": order.member, "loop": loop.id, "loop_name": loop.name, "free": free},
            where=game.where,
            rule=rule_of(title, game, loop.id),
        )
    walk.pick(loop.id, order.member, side)


def decide_excuse(walk: PlayAdvancer, order: o.Excuse) -> None:
    """Excuse a side as the referee, so that play continues without its required actions."""
    game = walk.game
    open_now = [one for one in game.cursor.open if order.step in ("", one.step)]
    if len(open_now) != 1:
        ids = ", ".join(one.step for one in game.cursor.open)
        raise refusal(
            UnknownName,
            REFUSALS,
            "excused-step-missing",
            {"steps": ids},
            where=game.where,
            rule=rule_of(walk.title, game),
        )
    one = open_now[0]
    if order.side and order.side not in one.waits:
        waits = ", ".join(one.waits)
        raise refusal(
            UnknownName,
            REFUSALS,
            "side-not-waited-for",
            {"step": one.step, "side": order.side, "waits": waits},
            where=game.where,
            rule=rule_of(walk.title, game, one.step),
        )
    who = order.side or "everybody"
    walk.emit(RulingMade(ruling=f"{who} is excused from {one.step}", reason=order.reason, overrides=one.step))
    if walk.plan.step(one.step) is None:
        walk.give_up(one.step, order.reason)
    elif order.side:
        walk.side_done(one.step, order.side, "excused", order.reason)
    else:
        walk.close(one.step, how="overridden", why=order.reason)
