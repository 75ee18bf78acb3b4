"""List the orders that a side may give in an open step, without those that would be refused in any form.

A title states whether an order could be accepted (`offered` of `does`). If it does not, Umpire decides the title's
suggestions (`tries`) up to the first roll, without rolling. The order is listed if one of them is not refused by then.
"""

from collections.abc import Callable, Iterator
from typing import Any

from umpire_ledger.domain.flow.open_steps import (
    acting,
    acting_anytime,
    answers_for,
    at_step,
    may_end,
    open_steps,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.order_scope import may_give, verify_scope
from umpire_ledger.domain.flow.queries import required_actions
from umpire_ledger.domain.game.dice import DiceOwners
from umpire_ledger.domain.game.errors import NotHeldHere, RuleViolation
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.orders import Change, Move, Order, Remove
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.generic import GENERIC
from umpire_ledger.domain.kit.table_rolls import still_to_read
from umpire_ledger.domain.kit.title import Title, takes_arguments
from umpire_ledger.domain.kit.title_errors import call
from umpire_ledger.domain.sequence.constructs import Step

ABOUT_A_UNIT: tuple[type[Order], ...] = (Move, Change, Remove)


class _Thrown(Exception):
    """A decision has reached its dice."""


class _NoDice:
    """Dice that only stop a decision: one that reaches its dice has passed all earlier refusals."""

    def roll(self, dice: str, **_: Any) -> DiceRolled:
        raise _Thrown

    def expects(self, shares: DiceOwners, fewer: bool = False) -> None:
        raise _Thrown


def offered(title: Title, game: Game, order: type[Order], side: str, step: Step | None = None) -> bool:
    """Return whether a side could have an order accepted now, judging by the title's declarations.

    `step`: the step in which the order would be given; it limits a generic order.
    """
    if step is not None and not may_give(title, game, order, side, step):
        return False
    if step is not None and still_to_read(game, (order,), step.id, side):
        return True  # The group must still read the result of its roll off the table.
    line = title.lines.get(order)
    if line is not None and line.closed is not None and line.closed(game, side):
        return False
    if line is not None and line.offered is not None:
        return line.offered(game, side)
    idea, decide = title.tries.get(order), title.decisions.get(order)
    if idea is None or decide is None:  # Every title decides the order in the same way, and its text is free.
        return order not in ABOUT_A_UNIT or _has_units(title, game, side, step)

    def some_form(game: Game, side: str) -> bool:
        here = step.id if step is not None else ""
        return any(_admitted(title, game, one, _unguarded(decide), here) for one in _unguarded(idea)(game, side))

    return bool(call(title.id, f"ideas for {order.tag()}", some_form, (game, side)))


def is_closed(title: Title, game: Game, order: type[Order], side: str, step: Step) -> bool:
    """Return whether every seat knows that a side cannot give an order in a step: it may not, or it already has."""
    line = title.lines.get(order)
    given = line is not None and line.closed is not None and line.closed(game, side)
    return given or not may_give(title, game, order, side, step)


def is_always_refused(title: Title, game: Game, order: type[Order], side: str, step: Step) -> bool:
    """Return whether an order of a side would certainly be refused in a step, whatever its arguments.

    A refused suggestion of the title proves it only for an order without arguments.
    """
    if is_closed(title, game, order, side, step):
        return True
    line = title.lines.get(order)
    is_told = line is not None and (
        line.offered is not None or (line.decide is not None and not takes_arguments(order))
    )
    is_about_a_unit = order in ABOUT_A_UNIT and order not in title.decisions
    return (is_told or is_about_a_unit) and not offered(title, game, order, side, step)


def _has_units(title: Title, game: Game, side: str, step: Step | None) -> bool:
    """Return whether there is a unit to name: in the step's set, else of the side; for the referee, any unit."""
    if step is not None and step.touches.units:
        return bool(title.sets[step.touches.units](game, side))
    return bool(game.in_play(side if side in game.side_ids else ""))


def _unguarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function without its guard, for callers with a guard of their own."""
    bare: Callable[..., Any] = getattr(function, "unguarded", function)
    return bare


def _admitted(title: Title, game: Game, order: Order, decide: Callable[..., Any], step: str) -> bool:
    """Return whether an order passes every refusal before its dice, judging by the facts in this copy of the game.

    When the last side seals, its order also reveals the other sides' sealed answers, which only the whole game holds.
    """
    return _refusal(title, game, order, decide, step) is None


def _refusal(title: Title, game: Game, order: Order, decide: Callable[..., Any], step: str) -> RuleViolation | None:
    try:
        verify_scope(title, game, order, step)
        decide(at_step(game, step), order, _NoDice())
    except (_Thrown, NotHeldHere):
        return None
    except RuleViolation as refused:
        return refused
    return None


def passes_until_dice(title: Title, game: Game, order: Order) -> bool:
    """Return whether an order is one of play and passes every refusal before its dice."""
    is_of_play = type(order) in title.decisions or type(order) in GENERIC
    return is_of_play and refusal_until_dice(title, game, order) is None


def refusal_until_dice(title: Title, game: Game, order: Order) -> RuleViolation | None:
    """Return the refusal of an order before its dice, in the step open to its side; None if it passes."""
    decide = title.decisions.get(type(order)) or GENERIC[type(order)]
    side = game.side_of(order.seat)
    steps = [step for step in open_steps(title, game) if type(order) in step.allows]
    here = next((step.id for step in steps if side in acting(title, game, step)), "")

    def taken(game: Game) -> RuleViolation | None:
        return _refusal(title, game, order, _unguarded(decide), here)

    refused: RuleViolation | None = call(title.id, f"order {order.tag()}", taken, (game,))
    return refused


def offers(title: Title, game: Game, step: Step, side: str) -> tuple[str, ...]:
    """Return the names of the orders that a side may give in a step and that may be accepted."""
    return tuple(order.tag() for order in step.allows if offered(title, game, order, side, step))


def may_leave(title: Title, game: Game, step: Step, side: str) -> bool:
    """Return whether `done` would be accepted from a side that play waits for."""
    if required_actions(title, game, step, side):
        return False
    return not step.answers or bool(answers_for(title, game, step, side))


def offers_here(title: Title, game: Game, side: str) -> Iterator[str]:
    """Yield the names of all orders that may be accepted from a side now, including `done` and `pick`."""
    for step in open_steps(title, game):
        if side in acting(title, game, step):
            yield from offers(title, game, step, side)
        if side in waits_in(game, step) and may_leave(title, game, step, side):
            yield "done"
    loop = waiting_loop(title, game)
    if loop is not None and side in game.cursor.waiting():
        yield "pick"
        if may_end(loop):
            yield "done"
    for step in title.plan.anytime:
        if side in acting_anytime(title, game, step):
            yield from offers(title, game, step, side)


def narrowed(title: Title, game: Game) -> Game:
    """Return the game as if play waited only for sides that may act now, to describe its state."""
    steps = {step.id: waits_in(game, step) for step in open_steps(title, game)}
    now = tuple(replace(one, waits=steps.get(one.step, one.waits)) for one in game.cursor.open)
    return game if now == game.cursor.open else replace(game, cursor=replace(game.cursor, open=now))


def where_now(title: Title | None, game: Game) -> str:
    """Return the present step in words, with only the sides that may act now.

    Without a title, all sides that play waits for are named.
    """
    several = title is not None and any(len(one.waits) > 1 for one in game.cursor.open)
    return narrowed(title, game).where if title is not None and several else game.where


def acting_now(title: Title, game: Game) -> tuple[str, ...]:
    """Return the sides that play waits for and that may act now; if they act in turn, only the first."""
    return narrowed(title, game).cursor.waiting()
