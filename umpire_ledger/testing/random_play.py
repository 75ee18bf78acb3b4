"""Play any title at random from a seed, by trying suggested orders in random order until one is legal."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, DiceSource, Value
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import Done, Order, Pick
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.undo_and_rewind import PlayedOrder
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.game_setup import open_game
from umpire_ledger.domain.play.suggested_orders import suggestions
from umpire_ledger.testing.examples import refusal_texts
from umpire_ledger.testing.hidden_orders import hidden_orders
from umpire_ledger.testing.recorded import with_ledger_dice

ASIDE = 0.01
"""The probability of first trying the referee's orders that are available at any time."""
UNSEEN = 0.4
"""The probability, under fog, of first trying orders about hidden units."""
TURNED = 0.3
"""The probability that an option differs from the scenario's."""
PARTS = ("what", "where", "rule", "remedy")
"""The parts of every refusal."""


P = ParamSpec("P")
R = TypeVar("R")


def _accepting_game(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function accept the keyword `game`, the deprecated name of `game_id`, for one release."""

    @wraps(function)
    def renamed(*given: P.args, **named: P.kwargs) -> R:
        if "game" in named:
            named["game_id"] = named.pop("game")
        return function(*given, **named)

    return renamed


@_accepting_game
def opened(
    title: Title,
    scenario: Scenario,
    seed: int,
    game_id: str = "random",
    options: Mapping[str, Value] | None = None,
    dice: DiceSource = "ledger",
) -> Decision:
    """Open a game whose ledger dice depend only on the seed. `options`: options that replace the scenario's."""
    return open_game(title, scenario, game_id=game_id, dice=dice, seed=f"{seed:064x}", options=options or {})


Pips = tuple[int, ...]


def pips_for(title: Title, game: Game, order: Order, seed: int) -> tuple[Decision, Pips]:
    """Decide an order with ledger dice; return the decision and the results to give in a game with table dice."""
    decision = decide(title, with_ledger_dice(game, f"{seed:064x}"), Sent(order=order), NO_HISTORY)
    rolls = (event for event in events_of(decision.told) if isinstance(event, DiceRolled) and not event.kept)
    return decision, tuple(pip for roll in rolls for pip in roll.pips)


def other_options(title: Title, scenario: Scenario, seed: int) -> dict[str, Value]:
    """Return the inverted values of randomly chosen yes-or-no options; the choice depends only on the seed."""
    chance = random.Random(seed)
    set_now = {name: scenario.options.get(name, value) for name, value in sorted(title.options.items())}
    return {name: not value for name, value in set_now.items() if isinstance(value, bool) and chance.random() < TURNED}


class UnreadHistory:
    """An empty history, which nothing reads, because random play neither undoes nor rewinds."""

    tip = 0

    @property
    def memo(self) -> dict[Any, Any]:
        return {}

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        return iter(())

    def order_at(self, position: int) -> tuple[int, int]:
        return 0, 0

    def state(self, position: int) -> Game:
        raise AssertionError("nobody rewinds")

    def said(self) -> Iterator[AnyEvent]:
        return iter(())

    def opened(self) -> Iterator[str]:
        return iter(())


NO_HISTORY = UnreadHistory()
NO_PAST = NO_HISTORY
"""Deprecated name of `NO_HISTORY`, kept for one release."""


class StuckError(AssertionError):
    """No side has a legal order left."""


class Player:
    """Plays every side of a game at random. `patience`: the probability that a side acts before it ends a step.

    `curiosity`: the probability of trying the rarest kinds of orders first. `suggested`: the kinds of orders suggested
    so far. `given`: the number of accepted orders of each kind, which its user updates.
    """

    def __init__(self, title: Title, seed: int, *, patience: float = 0.6, curiosity: float = 0.0) -> None:
        self.title = title
        self.random = random.Random(seed)
        self.patience = patience
        self.curiosity = curiosity
        self.given: Counter[type[Order]] = Counter()
        self.refusals = 0
        self.suggested: set[type[Order]] = set()

    def choose(self, game: Game) -> tuple[Order, Decision]:
        """Return a legal order and its decision. Exceptions other than RuleViolation are bugs, and are not caught.

        Raises:
            StuckError: When no suggested order is legal.
            AssertionError: When a refusal lacks a part.
        """
        refused: list[tuple[Order, RuleViolation]] = []
        for order in self.candidates(game):
            try:
                return order, decide(self.title, game, Sent(order=order), NO_HISTORY)
            except RuleViolation as violation:
                self.refusals += 1
                refused.append((order, violation))
                if missing := missing_parts(violation):
                    raise AssertionError(f"a refusal without {missing}: {order}") from violation
        refusals = "\n  ".join(("", *refusal_texts(refused)))
        raise StuckError(f"{self.title.id} is stuck at {game.where}: {msgspec.to_builtins(game.cursor)}{refusals}")

    def candidates(self, game: Game) -> Iterator[Order]:
        """Yield the current suggestions, in random order.

        The referee's orders that are available at any time are rare, so that they do not hide that a game is stuck.
        """
        if is_foggy(game) and self.random.random() < UNSEEN:
            yield from hidden_orders(self.title, game, self.random)
        anytime = {order for step in self.title.plan.anytime for order in step.allows}
        found = list(suggestions(self.title, game, ahead=False))
        self.suggested.update(map(type, found))
        self.random.shuffle(found)
        every = [order for order in found if order.seat != REFEREE or type(order) not in anytime]
        if anytime and self.random.random() < ASIDE:
            yield from (order for order in found if order not in every)
        acts = [order for order in every if not isinstance(order, Done | Pick)]
        ways = [order for order in every if isinstance(order, Done | Pick)]
        if self.curiosity and self.random.random() < self.curiosity:
            acts.sort(key=lambda order: self.given[type(order)])
        first, then = (acts, ways) if self.random.random() < self.patience else (ways, acts)
        yield from first
        yield from then


def missing_parts(violation: RuleViolation) -> list[str]:
    """Return the names of the empty parts of a refusal."""
    return [part for part in PARTS if not getattr(violation, part)]
