"""Suggest orders: the title's suggestions, generic orders, and the ways to end a step.

Suggestions are concrete orders. Only `decide` knows which of them are legal.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.open_steps import (
    acting,
    acting_anytime,
    answers_for,
    free_members,
    may_end,
    open_steps,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.order_scope import may_give
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.state import Game, choice_key
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Step

OF_A_KIND, MOST_TRIED = 2, 40
"""Number of suggested orders listed for each class, and number of orders tried to find them."""


def suggestions(title: Title, game: Game, *, ahead: bool = True) -> Iterator[o.Order]:
    """Yield concrete orders of every side that may act now. `ahead`: also orders after automatic moves."""
    if game.ended:
        return
    if title.sequence is None:
        for side in game.side_ids:
            for one in title.orders:
                yield from suggested(title, game, one.order, side)
        return
    yield from suggested_here(title, game)
    yield from _anytime(title, game)
    for side in game.side_ids if ahead else ():
        found = ahead_of(title, game, side)
        if found is not None:
            yield from (order for order in suggested_here(title, found.game) if order.seat == side)


def suggested_here(title: Title, game: Game) -> Iterator[o.Order]:
    """Yield orders at the present step: first orders that the steps allow, then picks, then ways to end the steps."""
    for step in open_steps(title, game):
        for side in acting(title, game, step):
            yield from _allowed(title, game, step, side)
    yield from _picks(title, game)
    yield from _leaving(title, game)


def _anytime(title: Title, game: Game) -> Iterator[o.Order]:
    for step in title.plan.anytime:
        for seat in acting_anytime(title, game, step):
            yield from _allowed(title, game, step, seat)


def _allowed(title: Title, game: Game, step: Step, seat: str) -> Iterator[o.Order]:
    for order in step.allows:
        if may_give(title, game, order, seat, step):
            yield from suggested(title, game, order, seat)


def suggested(title: Title, game: Game, order: type[o.Order], side: str) -> Iterable[o.Order]:
    """Return concrete orders of one class for a side: the title's own suggestions, or generic ones."""
    idea = title.tries.get(order) or GENERIC_IDEAS.get(order)
    return idea(game, side) if idea else ()


def is_an_idea(title: Title, order: o.Order) -> bool:
    """Return whether the title itself suggests the order. Generic suggestions are for random play only."""
    return type(order) in title.tries or not isinstance(order, o.GENERIC_ORDERS)


def few_of_each(
    orders: Iterable[o.Order], tried_out: Callable[[o.Order], Decision | None]
) -> Iterator[tuple[o.Order, Decision]]:
    """Yield the first legal orders of each class and seat.

    A list of twenty moves of one ship would not help a player.
    """
    tried: Counter[tuple[str, str]] = Counter()
    taken: Counter[tuple[str, str]] = Counter()
    for order in orders:
        kind = (order.tag(), order.seat)
        if taken[kind] < OF_A_KIND and tried[kind] < MOST_TRIED:
            tried[kind] += 1
            decision = tried_out(order)
            if decision is not None:
                taken[kind] += 1
                yield order, decision


def _picks(title: Title, game: Game) -> Iterator[o.Order]:
    loop = waiting_loop(title, game)
    if loop is not None:
        for side in game.cursor.waiting():
            for member in free_members(title, game, loop):
                yield o.Pick(seat=side, member=member)
            if may_end(loop):
                yield o.Done(seat=side, step=loop.id)


def _leaving(title: Title, game: Game) -> Iterator[o.Order]:
    for step in open_steps(title, game):
        for side in waits_in(game, step):
            if not step.answers:
                yield o.Done(seat=side, step=step.id)
            for answer in answers_for(title, game, step, side):
                yield o.Done(seat=side, step=step.id, answer=answer.name)


# --- generic suggestions ----------------------------------------------------------------------------------------------


def _rolls(game: Game, side: str) -> Iterator[o.Order]:
    yield o.Roll(seat=side, purpose="as the rule requires", dice="2d6")


def _moves(game: Game, side: str) -> Iterator[o.Order]:
    places = sorted({unit.at for unit in game.units.values()})
    for unit in game.in_play(side):
        for place in places:
            yield o.Move(seat=side, unit=unit.id, path=(place,))


def _places(game: Game, side: str) -> Iterator[o.Order]:
    number = len(game.units) + 1
    yield o.Place(seat=side, unit=f"{side}-new-{number}", side=side, kind="unit", at="somewhere")


def _changes(game: Game, side: str) -> Iterator[o.Order]:
    for unit in game.in_play(side):
        yield o.Change(seat=side, unit=unit.id, attribute="note", to=unit.number("note") + 1)


def _removals(game: Game, side: str) -> Iterator[o.Order]:
    for unit in game.in_play(side)[3:]:
        yield o.Remove(seat=side, unit=unit.id)


def _payments(game: Game, side: str) -> Iterator[o.Order]:
    yield o.Pay(seat=side, account=f"points/{side}", amount=1)
    yield o.Pay(seat=side, account=f"points/{side}", amount=-1)


def _marks(game: Game, side: str) -> Iterator[o.Order]:
    yield o.Mark(seat=side, marker=f"count/{side}", to=game.number(f"count/{side}") + 1)


def _choices(game: Game, side: str) -> Iterator[o.Order]:
    yield o.Choose(seat=side, question="which way", choice="left")
    yield o.Choose(seat=side, question="which way", choice="right")


def _seals(game: Game, side: str) -> Iterator[o.Order]:
    yield o.SealChoice(seat=side, question="in secret", choice="yes")
    yield o.SealChoice(seat=side, question="in secret", choice="no")


def _reveals(game: Game, side: str) -> Iterator[o.Order]:
    sealed = game.choices.get(choice_key("in secret", side))
    if sealed is not None and sealed.sealed:
        yield o.Reveal(seat=side, question="in secret")


GENERIC_IDEAS: Mapping[type[o.Order], Callable[[Game, str], Iterable[o.Order]]] = {
    o.Roll: _rolls,
    o.Move: _moves,
    o.Place: _places,
    o.Change: _changes,
    o.Remove: _removals,
    o.Pay: _payments,
    o.Mark: _marks,
    o.Choose: _choices,
    o.SealChoice: _seals,
    o.Reveal: _reveals,
}
