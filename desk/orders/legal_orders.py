"""Orders that are tried out and not given: which of those worth trying would the rules take?

Dice are thrown from a seed of their own: a trial must not tell what the game will throw, nor ask for pips.
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
    """An order worth trying, and what a trial threw for it where the table throws: as many dice, not these pips."""

    order: Order
    pips: tuple[int, ...]


def legal_orders(title: Title | None, known: Game, seat: str, past: History) -> Iterator[Order]:
    """Of what is worth trying for a seat now, what the rules would take, judged by what it knows."""
    if title is not None:
        trial = _trial_of(known)
        for order in suggestions(title, trial):
            if order.seat == seat and _tried(title, trial, order, past) is not None:
                yield order


def worth_trying(title: Title | None, known: Game, seats: Collection[str], past: History) -> Iterator[Idea]:
    """A few of those of each kind, for several seats: only what the title itself thinks worth trying."""
    if title is None:
        return
    trial = _trial_of(known, SEED)
    own = (one for one in suggestions(title, trial) if one.seat in seats and is_an_idea(title, one))
    for order, decision in few_of_each(own, lambda order: _tried(title, trial, order, past)):
        yield Idea(order, tuple(chain.from_iterable(_thrown(decision))) if known.dice == "table" else ())


def thrown_by(title: Title, known: Game, raw: Mapping[str, Any], past: History) -> list[DiceRolled]:
    """The rolls of an order that is only tried on what a seat knows; the pips are of a seed that is not the game's.

    None where that hangs on what only others know. Raises RuleViolation where the rules would refuse it, TitleFault.
    """
    sent = read_order(title, raw, known.where)
    tried = Sent(order=sent.order, leave=sent.leave)
    try:
        decision = decide(title, _trial_of(known, SEED), tried, past)
    except NotHeldHere:
        return []
    return [event for event in events_of(decision.told) if isinstance(event, DiceRolled)]


def _trial_of(known: Game, seed: str = "") -> Game:
    return replace(
        known,
        dice="ledger",
        scheme=SCHEME,
        awaits_dice="",
        seed=seed or secrets.token_hex(32),
        keep=None,
        dice_open=False,
    )


def _tried(title: Title, game: Game, order: Order, past: History) -> Decision | None:
    try:
        return decide(title, game, Sent(order=order), past)
    except (RuleViolation, TitleFault):  # what the title fails at cannot be given either
        return None


def _thrown(decision: Decision) -> Iterator[tuple[int, ...]]:
    """The pips of each roll of a decision."""
    return (event.pips for event in events_of(decision.told) if isinstance(event, DiceRolled))
