"""Seeded random play of any title: tries what is suggested, in random order, until something is legal."""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from cli.wiring import need_title, title_references
from domain.decide import decide
from domain.decision import Decision
from domain.errors import RuleViolation
from domain.game import Game
from domain.opening import open_game
from domain.orders import Done, Order, Pick
from domain.reading import Sent
from domain.rewind import Past
from domain.scenario import Scenario, read_scenario
from domain.suggesting import suggestions
from domain.title import Title

FIXTURES = Path(__file__).parent.parent / "fixtures"


def titles() -> list[Title]:
    """Every title on this machine, by id."""
    return [need_title(title) for title in sorted(title_references())]


def scenarios(title: Title) -> list[Scenario]:
    """The fixture scenarios of a title; each title has at least one."""
    found = sorted((FIXTURES / title.id / "scenarios").glob("*.toml"))
    assert found, f"{title.id} has no scenario under fixtures"
    return [read_scenario(file.read_text(encoding="utf-8"), title.scenario) for file in found]


def opened(title: Title, scenario: Scenario, seed: int, game: str = "random") -> Decision:
    """A game with ledger dice that are the same for the same seed."""
    return open_game(title, scenario, game=game, dice="ledger", seed=f"{seed:064x}", options={})


class StuckError(AssertionError):
    """Nobody has anything legal left to do."""


class Player:
    """Plays every side of a game at random. `patience`: how likely a side acts before it leaves a step."""

    def __init__(self, title: Title, seed: int, *, patience: float = 0.6) -> None:
        self.title = title
        self.random = random.Random(seed)
        self.patience = patience
        self.refusals = 0

    def choose(self, game: Game, past: Past) -> tuple[Order, Decision]:
        """A legal order and what comes of it. Raises StuckError; anything but RuleViolation is a bug and passes through."""
        for order in self._in_random_order(game):
            try:
                return order, decide(self.title, game, Sent(order=order), past)
            except RuleViolation as refusal:
                assert refusal.what, order
                assert refusal.rule, order
                assert refusal.remedy, order
                self.refusals += 1
        raise StuckError(f"{self.title.id} is stuck at {game.where}: {msgspec.to_builtins(game.cursor)}")

    def _in_random_order(self, game: Game) -> Iterator[Order]:
        every = list(suggestions(self.title, game))
        self.random.shuffle(every)
        acts = [order for order in every if not isinstance(order, Done | Pick)]
        ways = [order for order in every if isinstance(order, Done | Pick)]
        first, then = (acts, ways) if self.random.random() < self.patience else (ways, acts)
        yield from first
        yield from then
