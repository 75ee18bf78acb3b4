"""Check that no step waits for a side that can certainly do nothing in it.

If no side can do anything in a step, the next order ends it automatically, and the record states the reason
(`flow.automatic_moves`). A finding is a step that waits for a side that can do nothing there, although another side
can. Such a side would have to give the order `done` without a choice. Secret steps are not reported, nor are steps
while units or answers are hidden, because they wait for all sides.
"""

from collections.abc import Iterator
from itertools import chain

from umpire_ledger.domain.flow.available_orders import is_always_refused
from umpire_ledger.domain.flow.open_steps import acting, open_steps, waits_in
from umpire_ledger.domain.flow.queries import required_actions
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.title_under_test import Trial

_REMEDY = "let `by` of the step name a role of the sides that can do something there; the others are not asked"


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the first finding about each step, in random play and in games with their own sequence."""
    for seen in (trial.observed, *trial.own_games):
        found: set[str] = set()
        for game in _games(seen):
            for step, side in asked_in_vain(seen.title, game):
                if step.id not in found:
                    found.add(step.id)
                    what = f"in {step.id} {step.name} {side} can do nothing, and the step waits for it"
                    yield Finding(what=what, remedy=_REMEDY, about=step.id, seed=trial.seed)


def _games(seen: Observed) -> Iterator[Game]:
    """Yield positions of random play, and recorded positions at which a side ended a step."""
    yield from chain.from_iterable(seen.positions.values())
    yield from (start.game for start in seen.starts if start.order["order"] == "done")


def asked_in_vain(title: Title, game: Game) -> Iterator[tuple[Step, str]]:
    """Yield each newly opened step with each side that it waits for although the side can certainly do nothing."""
    if game.ended or is_foggy(game):
        return
    for step in open_steps(title, game):
        one = game.cursor.opened(step.id)
        if step.secret or step.answers or one is None or one.acts != game.acts:
            continue
        idle = [side for side in acting(title, game, step) if _is_idle(title, game, step, side)]
        if len(idle) < len(acting(title, game, step)):  # Otherwise the next order ends the step.
            yield from ((step, side) for side in idle if side in waits_in(game, step) and not _seals(game, side))


def _is_idle(title: Title, game: Game, step: Step, side: str) -> bool:
    """Return whether a side can certainly do nothing in a step, and has no required action there."""
    orders = [order for order in step.allows if order not in title.asides]
    return all(is_always_refused(title, game, order, side, step) for order in orders) and not required_actions(
        title, game, step, side
    )


def _seals(game: Game, side: str) -> bool:
    """Return whether a side has a sealed choice, on which its orders may depend."""
    return any(choice.sealed and choice.side == side for choice in game.choices.values())
