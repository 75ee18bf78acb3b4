"""Check that a step allows the generic orders `remove` and `place` only for the units that it is about.

Random play observes which kinds of units the title's own orders remove and place (`WrittenFacts`). A finding is a step
in which a side can remove any unit of such a kind, or place one more, by a generic order. The side then avoids the
rules of the title's orders. If the step's `touches` names a set of units, it is a finding only if every tried unit is
in that set. The promise `others-untouched` checks the state that `change` may write.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from umpire_ledger.domain.flow.open_steps import acting, open_steps
from umpire_ledger.domain.flow.order_scope import may_give
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import Done, Order, Place, Remove
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.forbidden_orders import NEW
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.random_play import NO_HISTORY
from umpire_ledger.testing.title_under_test import Trial

POSITIONS, OF_A_KIND = 4, 2
"""The most positions of each step, and the most units of each kind and side, to try."""
TWICE = 2
"""The number of accepted units of a kind before it means anything that none was refused."""
_REMEDY = (
    "let the step's `touches` name a set of the units that it is about, or decide the order by kind and condition;"
    " if the page does not print what it would be, give that as the reason in `promises.toml`"
)


class Tried(NamedTuple):
    """A kind of generic order in a step, the kind of the unit that it is about, and whether it was accepted."""

    step: Step
    order: type[Order]
    kind: str
    accepted: bool


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield a finding about each step and generic order that avoids the rules of other orders."""
    for seen in (trial.observed, *trial.own_games):
        governed = {Remove: seen.written.removed, Place: seen.written.placed}
        for (step, order), kinds in sorted(open_kinds(seen).items(), key=lambda one: (one[0][0].id, one[0][1].tag())):
            by = {kind: governed[order][kind] for kind in sorted(kinds) if kind in governed[order]}
            if by:
                yield _finding(step, order, by, trial.seed)


def _finding(step: Step, order: type[Order], by: dict[str, dict[str, None]], seed: int) -> Finding:
    orders = ", ".join(sorted({tag for tags in by.values() for tag in tags} - {Done.tag()}))
    what = (
        f"in {step.id} {step.name} `{order.tag()}` is accepted for any {', '.join(by)} of a side, which other"
        f" orders govern ({orders or 'what happens by itself'})"
    )
    return Finding(what=what, remedy=_REMEDY, about=f"{step.id} {order.tag()}", seed=seed)


def open_kinds(seen: Observed) -> dict[tuple[Step, type[Order]], list[str]]:
    """Return the kinds of units whose tries were all accepted, by step and generic order."""
    counted: dict[tuple[Step, type[Order]], dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in chain.from_iterable(tried_in(seen.title, games) for games in seen.positions.values()):
        counted[one.step, one.order][one.kind].append(one.accepted)
    return {
        (step, order): [kind for kind, tried in kinds.items() if all(tried) and len(tried) >= TWICE]
        for (step, order), kinds in counted.items()
        if not step.touches.units or all(chain.from_iterable(kinds.values()))
    }


def tried_in(title: Title, games: list[Game]) -> Iterator[Tried]:
    """Try generic orders of each side about its own units at positions of one step, and yield the results."""
    for game in games[:POSITIONS]:
        for step in open_steps(title, game):
            for kind in (one for one in (Remove, Place) if one in step.allows):
                for side in (one for one in acting(title, game, step) if may_give(title, game, kind, one, step)):
                    for unit in _of_each_kind(game, side):
                        yield Tried(step, kind, unit.kind, _is_accepted(title, game, _order(kind, side, unit)))


def _of_each_kind(game: Game, side: str) -> Iterator[Unit]:
    """Yield a few units of each kind that a side has in play."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in game.in_play(side):
        found[unit.kind].append(unit)
    return chain.from_iterable(units[:OF_A_KIND] for units in found.values())


def _order(kind: type[Order], side: str, unit: Unit) -> Order:
    """Return an order that removes a unit, or that places a similar unit."""
    if kind is Remove:
        return Remove(seat=side, unit=unit.id)
    return Place(seat=side, unit=NEW, side=side, kind=unit.kind, at=unit.at, attributes={**unit.attributes})


def _is_accepted(title: Title, game: Game, order: Order) -> bool:
    try:
        return decide(title, game, Sent(order=order), NO_HISTORY).failure is None
    except DomainError:
        return False
