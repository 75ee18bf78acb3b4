"""Check that an order whose roll fails may not be repeated freely in the same step.

Orders of random play and of recorded games are decided with several seeds. If a roll leaves the game unchanged, and the
same order is then accepted again, a side could roll until it succeeds. An order that only notes its failure is tried
once more, because no rule may read the note. If the step's `needs` still require the order, for example after a tie,
the repetition is permitted. The generic order `roll`, and orders that are available at any time, are not tried.
"""

from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from umpire_ledger.domain.flow.open_steps import acting, open_steps
from umpire_ledger.domain.flow.queries import required_actions
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import GENERIC_ORDERS, Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.testing.examples import text_of
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.promises.typing_order import opening_of, plain
from umpire_ledger.testing.random_play import NO_HISTORY
from umpire_ledger.testing.recorded import with_ledger_dice
from umpire_ledger.testing.title_under_test import Trial

SEEDS = 8
"""Number of seeds with which each order is tried."""
RECORDED = 2
"""The most recorded orders of each kind to try."""
IN_A_ROW = 2
"""The number of consecutive tries of an order; the first may only leave a note."""
_REMEDY = (
    "record the failed try and refuse the order after it, or close the side's part of the step; if the rules let it be"
    " given again, declare that in `promises.toml` with the rule as the reason"
)


class TriedOrder(NamedTuple):
    """An order, the game in which it is given, and the step that allows it."""

    title: Title
    game: Game
    step: Step
    order: Order


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the first finding about each kind of order in each step."""
    for seen in (trial.observed, *trial.own_games):
        found: set[str] = set()
        for tried in tries_in(seen):
            about = f"{tried.step.id} {tried.order.tag()}"
            if about not in found and is_free(tried):
                found.add(about)
                step = f"{tried.step.id} {tried.step.name}"
                what = f"in {step} {tried.order.tag()} can be given again until its dice succeed"
                yield Finding(what=what, remedy=_REMEDY, about=about, order=text_of(tried.order), seed=trial.seed)


def tries_in(seen: Observed) -> Iterator[TriedOrder]:
    """Yield orders that random play kept, and some recorded orders, each with its step."""
    kept = ((example.game, example.order) for examples in seen.examples.values() for example in examples)
    for game, order in chain(kept, _recorded(seen)):
        step = _step_of(seen.title, game, order)
        if step is not None:
            yield TriedOrder(seen.title, game, step, order)


def _recorded(seen: Observed) -> Iterator[tuple[Game, Order]]:
    """Yield the first recorded orders of each kind, without their dice."""
    by_kind: dict[str, list[tuple[Game, dict[str, object]]]] = {}
    for start in seen.starts:
        by_kind.setdefault(start.order["order"], []).append((start.game, start.order))
    for game, raw in chain.from_iterable(islice(starts, RECORDED) for _, starts in sorted(by_kind.items())):
        try:
            yield game, read_order(seen.title, {name: one for name, one in raw.items() if name != "pips"}).order
        except DomainError:
            continue


def _step_of(title: Title, game: Game, order: Order) -> Step | None:
    """Return the open step in which a side gives one of the title's own orders; None for any other order."""
    if isinstance(order, GENERIC_ORDERS):
        return None
    side = game.side_of(order.seat)
    here = (
        step for step in open_steps(title, game) if type(order) in step.allows and side in acting(title, game, step)
    )
    return next(here, None)


def is_free(tried: TriedOrder) -> bool:
    """Return whether a roll may leave the game unchanged, and the same order is then accepted again."""
    for seed in range(SEEDS):
        before = tried.game
        for nth in range(IN_A_ROW):
            after = _thrown(tried, before, seed * IN_A_ROW + nth)
            if after is None and before is tried.game:
                return False  # It rolls no dice, or is refused.
            if after is None or opening_of(after, tried.step) != opening_of(tried.game, tried.step):
                break
            if plain(after) == plain(before) and _thrown(tried, after, seed) is not None:
                return not required_actions(tried.title, after, tried.step, after.side_of(tried.order.seat))
            before = after
    return False


def _thrown(tried: TriedOrder, game: Game, seed: int) -> Game | None:
    """Return the game after the order with dice from a seed; None if it is refused or rolls no dice."""
    try:
        decision = decide(tried.title, with_ledger_dice(game, f"{seed + 1:064x}"), Sent(order=tried.order), NO_HISTORY)
    except DomainError:
        return None
    thrown = any(isinstance(event, DiceRolled) for event in events_of(decision.told))
    return decision.game if thrown and decision.failure is None else None
