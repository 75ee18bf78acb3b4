"""Decide every recorded game again: each order of a fixture replay must cause the recorded events."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.face.desk import LedgerHistory, open_ledger
from tests.face.domain import (
    AnyEvent,
    DiceRolled,
    LoopClosed,
    PlayedOrder,
    StepPassed,
    Title,
    decide,
    events_of,
    read_order,
    replace,
)
from tests.face.testing import HistoryAt, replay_folders, titles
from umpire_ledger.ledger import replay_log

REPLAYS = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for folder in replay_folders(title.id)
    for file in sorted((folder / "replays").glob("*.jsonl"))
]


def pips_of(taken: PlayedOrder) -> tuple[int, ...]:
    """Return the dice results of an order, except reused ones."""
    return tuple(
        pip for event in taken.events if isinstance(event, DiceRolled) and not event.kept for pip in event.pips
    )


def from_the_table(events: tuple[AnyEvent, ...]) -> Iterator[AnyEvent]:
    """Yield the events with table dice, because an export contains no seed, and its dice results are given again."""
    for event in events:
        bare = {"source": "table", "thrown": 0, "step": "", "about": ()}  # a roll of an older log does not say where
        if isinstance(event, StepPassed | LoopClosed):  # the words for why a step was passed may change
            yield replace(event, why="")
        else:
            yield replace(event, **bare) if isinstance(event, DiceRolled) else event


@pytest.mark.parametrize(("title", "file"), REPLAYS)
def test_every_order_brings_about_what_was_recorded(title: Title, file: Path) -> None:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        orders = [taken for taken in LedgerHistory(ledger, name).newest_first() if taken.cause]
        assert orders
        title = title.of(ledger.state(name, 1))
        for taken in orders:
            raw = msgspec.json.decode(taken.cause)
            if raw["order"] in ("open-dice", "amend"):
                continue  # the seed is not in the export; an amendment is many orders, each of which is also here
            before = replace(ledger.state(name, taken.first - 1), dice="table")
            pips = pips_of(taken)
            sent = replace(read_order(title, {key: value for key, value in raw.items() if key != "pips"}), pips=pips)
            try:
                decision = decide(title, before, sent, HistoryAt(ledger, name, taken.first - 1))
            except Exception as error:
                raise AssertionError(f"#{taken.first} {raw}: {error}") from error
            assert list(from_the_table(tuple(events_of(decision.told)))) == list(from_the_table(taken.events)), raw
