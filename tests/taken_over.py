"""Compare a game continued from a mid-game setup with the original: the same orders must have the same results.

Only the following may differ: the number of a roll, because a new game counts from 1; its source, because dice results
are given again; whether it was reused after a rewind; and the count of acts, because only its differences matter.
"""

from collections.abc import Collection, Iterator

from tests.face.domain import (
    AnyEvent,
    DiceRolled,
    Game,
    LoopClosed,
    MidgameSetup,
    Scenario,
    Secrecy,
    StepPassed,
    Title,
    choice_key,
    position_of,
    read_scenario,
    replace,
    scenario_text,
)


def standing(game: Game, untold: Collection[str] = ()) -> MidgameSetup:
    """Return the mid-game setup of a game, without its id and history. `untold`: keys of answers that are secret."""
    return position_of(game, {key: Secrecy((), announced=False) for key in untold}, of="any")


def untold_in(scenario: Scenario) -> set[str]:
    """Return the answers that some seats do not know, because the time of these answers is not kept."""
    given = scenario.position.choices if scenario.position else ()
    return {choice_key(one.question, one.side) for one in given if not one.announced}


def bare(events: tuple[AnyEvent, ...]) -> Iterator[AnyEvent]:
    """Yield the events without the parts that may differ, such as the step of a roll, which older logs lack."""
    for event in events:
        same = {"roll": 0, "source": "table", "kept": 0, "thrown": 0, "step": "", "about": ()}
        if isinstance(event, StepPassed | LoopClosed):  # the words for why a step was passed may change
            yield replace(event, why="")
        else:
            yield replace(event, **same) if isinstance(event, DiceRolled) else event


def written(title: Title, base: Scenario, game: Game, secrets: dict[str, Secrecy] | None = None) -> str:
    """Return the scenario of a position as text, and read it back, so that invalid TOML fails here."""
    whole = replace(base, dice="table", options=dict(game.options), position=position_of(game, secrets or {}))
    text = scenario_text(whole)
    assert scenario_text(read_scenario(text, title.scenario)) == text
    return text
