"""A game that is taken over in the middle, beside the one that goes on: the same orders must bring about the same.

What may differ, and nothing else: the number of a roll (a new game counts its dice from 1), who threw it (pips are
given again), whether it was kept after a rewind, and the count of acts, of which only differences matter.
"""

from collections.abc import Collection, Iterator

from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, LoopClosed, StepPassed
from umpire_ledger.domain.game.midgame_setup import Position, Secrecy, position_of
from umpire_ledger.domain.game.scenario import Scenario, read_scenario
from umpire_ledger.domain.game.scenario_text import scenario_text
from umpire_ledger.domain.game.state import Game, choice_key, replace
from umpire_ledger.domain.kit.title import Title


def standing(game: Game, untold: Collection[str] = ()) -> Position:
    """How a game stands, whatever its id and its past. `untold`: answers of which not everybody knows, by key."""
    return position_of(game, {key: Secrecy((), announced=False) for key in untold}, of="any")


def untold_in(scenario: Scenario) -> set[str]:
    """The answers of which not everybody knows: when they were given is not kept."""
    given = scenario.position.choices if scenario.position else ()
    return {choice_key(one.question, one.side) for one in given if not one.announced}


def bare(events: tuple[AnyEvent, ...]) -> Iterator[AnyEvent]:
    """The events without what may differ; a roll of an older log does not say where it was thrown."""
    for event in events:
        same = {"roll": 0, "source": "table", "kept": 0, "thrown": 0, "step": "", "about": ()}
        if isinstance(event, StepPassed | LoopClosed):  # why a step was passed is told in words, which may be mended
            yield replace(event, why="")
        else:
            yield replace(event, **same) if isinstance(event, DiceRolled) else event


def written(title: Title, base: Scenario, game: Game, secrets: dict[str, Secrecy] | None = None) -> str:
    """The scenario of a position as text; it is read back, so what is not TOML or not the schema's fails here."""
    whole = replace(base, dice="table", options=dict(game.options), position=position_of(game, secrets or {}))
    text = scenario_text(whole)
    assert scenario_text(read_scenario(text, title.scenario)) == text
    return text
