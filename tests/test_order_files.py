"""Play every order file to its recorded end, with the same events as in the recording."""

from pathlib import Path

import msgspec
import pytest

from tests.face.desk import (
    event_of,
    new_game,
    open_ledger,
    open_session,
    order_lines,
)
from tests.face.domain import (
    AnyEvent,
    DiceCommitted,
    DiceRolled,
    DiceSeeded,
    GameOpened,
    LoopClosed,
    StepPassed,
    Title,
    replace,
)
from tests.face.ledger import Record
from tests.face.testing import (
    OWN,
    end_of,
    folder_of,
    replay_folders,
    titles,
)
from umpire_ledger.ledger import replay_log

FILES = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for folder in replay_folders(title.id)
    for file in sorted((folder / "orders").glob("*.jsonl"))
    if (folder / "replays" / file.name).is_file()
]


def told(records: tuple[Record, ...]) -> list[AnyEvent]:
    """Return the events without those that are drawn for each new game, in comparable form."""
    events = [event for record in records if (event := event_of(record)) is not None]
    kept = [event for event in events if not isinstance(event, DiceCommitted | DiceSeeded)]
    return [_comparable(one) for one in kept]


def _comparable(event: AnyEvent) -> AnyEvent:
    """Return an event without parts that may change: the step of a roll, and the reason why a step was passed."""
    if isinstance(event, DiceRolled):
        return replace(event, step="", about=())
    return replace(event, why="") if isinstance(event, StepPassed | LoopClosed) else event


def scenario_of(title: Title, opened: GameOpened) -> str:
    """Return the fixture scenario from which a recorded game was opened, found by its name."""
    for file in (*(folder_of(title.id) / "scenarios").glob("*.toml"), *OWN.glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        if f'name = "{opened.name}"' in text:
            return text
    raise AssertionError(f"no scenario is called {opened.name}")


@pytest.mark.parametrize(("title", "file"), FILES)
def test_order_file_leads_to_the_recorded_end(title: Title, file: Path) -> None:
    replay = file.parents[1] / "replays" / file.name
    with open_ledger(":memory:", create=True) as recorded, replay.open("rb") as stream:
        name = replay_log.read_into(recorded, stream)
        before = told(tuple(recorded.records(name)))
    opened = before[0]
    assert isinstance(opened, GameOpened)
    if opened.dice == "ledger":
        pytest.skip("the dice of the ledger fall anew in every game; test_recorded_games.py decides these orders again")
    with open_ledger(":memory:", create=True) as ledger:
        new_game(ledger, title, scenario_of(title, opened), game_id=name, dice=opened.dice, options=opened.options)
        sitting = open_session(ledger, name)
        for _, raw in order_lines(file):
            sitting.order(raw)
        after = told(tuple(ledger.records(name)))
        assert after[1:] == before[1:]
        assert end_of(sitting.game) == msgspec.json.decode(replay.with_suffix(".end.json").read_bytes())
