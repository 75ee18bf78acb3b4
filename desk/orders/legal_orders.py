"""Try suggested orders without recording them, to find those that the rules accept.

The dice have their own seed, because a trial must neither reveal the game's next rolls nor require dice results.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from umpire_ledger.desk.orders.dry_run import SEED
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice import SCHEME
from umpire_ledger.domain.game.errors import NotHeldHere, RuleViolation, TitleFault
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.history.undo_and_rewind import History
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.suggested_orders import few_of_each, is_an_idea, suggestions


class Idea(NamedTuple):
    """A suggested order. If the table rolls, it has as many dice results as its trial needed."""

    order: Order
    pips: tuple[int, ...]


def legal_orders(title: Title | None, known: Game, seat: str, history: History) -> Iterator[Order]:
    """Yield the suggested orders of a seat that the rules accept, judged by the seat's knowledge."""
    if title is not None:
        trial = trial_of(known)
        for order in suggestions(title, trial):
            if order.seat == seat and _tried(title, trial, order, history) is not None:
                yield order


def worth_trying(title: Title | None, known: Game, seats: Collection[str], history: History) -> Iterator[Idea]:
    """Yield a few suggested orders of each kind for several seats, only from the title's own suggestions."""
    if title is None:
        return
    trial = trial_of(known, SEED)
    own = (one for one in suggestions(title, trial) if one.seat in seats and is_an_idea(title, one))
    for order, decision in few_of_each(own, lambda order: _tried(title, trial, order, history)):
        yield Idea(order, tuple(chain.from_iterable(_thrown(decision))) if known.dice == "table" else ())


def thrown_by(title: Title, known: Game, raw: Mapping[str, Any], history: History) -> list[DiceRolled]:
    """Return the rolls of an order, tried with a public seed on a seat's knowledge; [] if that is insufficient.

    Raises:
        RuleViolation: When the rules refuse the order.
        TitleFault: When the title fails.
    """
    sent = read_order(title, raw, known.where)
    tried = Sent(order=sent.order, leave=sent.leave)
    try:
        decision = decide(title, trial_of(known, SEED), tried, history)
    except NotHeldHere:
        return []
    return [event for event in events_of(decision.told) if isinstance(event, DiceRolled)]


def trial_of(known: Game, seed: str = "") -> Game:
    return replace(
        known,
        dice="ledger",
        scheme=SCHEME,
        awaits_dice="",
        seed=seed or secrets.token_hex(32),
        keep=None,
        dice_open=False,
    )


def _tried(title: Title, game: Game, order: Order, history: History) -> Decision | None:
    try:
        return decide(title, game, Sent(order=order), history)
    except (RuleViolation, TitleFault):  # an order for which the title fails cannot be given either
        return None


def _thrown(decision: Decision) -> Iterator[tuple[int, ...]]:
    """Return the dice results of each roll of a decision."""
    return (event.pips for event in events_of(decision.told) if isinstance(event, DiceRolled))
