"""Opening a game: the scenario's set-up, a fresh seed where the ledger throws the dice, and the first step."""

from collections.abc import Mapping

import msgspec

from domain.decision import Decision
from domain.dice import commitment_of
from domain.events import AnyEvent, DiceCommitted, DiceSeeded, DiceSource, GameOpened, Told, Value
from domain.game import Game
from domain.scenario import Scenario
from domain.sequence.walk import Walk
from domain.title import Title


def open_game(
    title: Title, scenario: Scenario, *, game: str, dice: DiceSource, seed: str, options: Mapping[str, Value]
) -> Decision:
    """The first order of every game: what the scenario sets up, and the first step. `seed`: 64 hex digits."""
    opened = GameOpened(
        game=game,
        title=title.id,
        version=title.version,
        name=scenario.name,
        sides=scenario.sides,
        dice=dice,
        options={**scenario.options, **options},
        tables=msgspec.to_builtins(scenario.tables),
        scenario=msgspec.to_builtins(scenario),
    )
    walk = Walk(title, Game())
    walk.tell(opened)
    if dice == "ledger":
        for told in seeding(seed, game):
            walk.tell(told)
    for event in title.set_up(scenario):
        walk.tell(event)
    walk.begin()
    return Decision(told=tuple(walk.told), game=walk.game)


def seeding(seed: str, label: str) -> tuple[AnyEvent | Told, ...]:
    """A new seed for the ledger's dice: its commitment for all, itself for nobody."""
    return (DiceCommitted(commitment=commitment_of(seed), label=label), Told(DiceSeeded(seed=seed), ()))
