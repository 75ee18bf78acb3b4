"""Collect the observations of random play: orders suggested and accepted, facts, steps reached, and faults."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from umpire_ledger.domain.flow.admission import unreachable_reason
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.testing.arguments import ArgumentUse
from umpire_ledger.testing.examples import Example, Script
from umpire_ledger.testing.fact_recorder import FactRecorder
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.forbidden_orders import WrittenFacts
from umpire_ledger.testing.recorded import Start

POSITIONS = 10
"""The most positions of each step to keep."""
ENOUGH = 5
"""The most findings of one promise to keep, because further findings rarely show anything new."""


class Observed:
    """The observations of random play. `starts`: positions of recorded games from which the last run continues."""

    def __init__(self, title: Title, scenarios: list[Scenario], starts: Sequence[Start] = ()) -> None:
        self.answers = FactRecorder()
        self.title = self.answers.watched(title)
        self.scenarios = scenarios
        self.starts = starts
        self.steps: set[str] = set()
        self.suggested: set[type[Order]] = set()
        self.accepted: Counter[type[Order]] = Counter()
        self.refused: Counter[type[Order]] = Counter()
        self.examples: dict[type[Order], list[Example]] = defaultdict(list)
        self.secrets: dict[type[Order], list[Example]] = defaultdict(list)
        self.positions: dict[str, list[Game]] = defaultdict(list)
        """A random sample of positions with ledger dice, by open step."""
        self.written = WrittenFacts()
        self.arguments = ArgumentUse()
        self.scripts: list[Script] = []
        self.openings: list[Game] = []
        self.findings: dict[str, list[Finding]] = defaultdict(list)
        self._kept: set[tuple[str, str]] = set()
        self._stood: Counter[str] = Counter()

    def could_open(self, place: str) -> bool:
        """Return whether a step could open in any of the played games, given their options and lasting facts."""
        return any(not unreachable_reason(self.title, game, place) for game in self.openings)

    def note_position(self, game: Game, chance: Random) -> None:
        """Keep a position for each open step with equal probability for all positions (reservoir sampling)."""
        for step in game.cursor.open:
            self._stood[step.step] += 1
            kept = self.positions[step.step]
            if len(kept) < POSITIONS:
                kept.append(game)
            elif (at := chance.randrange(self._stood[step.step])) < POSITIONS:
                kept[at] = game

    def note(self, promise: str, finding: Finding) -> None:
        """Keep a finding if it is the first about its subject, up to `ENOUGH` findings of a promise."""
        key = (promise, finding.about)
        if key not in self._kept and len(self.findings[promise]) < ENOUGH:
            self._kept.add(key)
            self.findings[promise].append(finding)
