"""Dependents of a record are found from its order on: the result is the same if the earlier branch is read too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.desk import Desk
from tests.face.domain import REFEREE, Title
from tests.face.projections import depending, impact
from tests.face.testing import folder_of, titles
from umpire_ledger.ledger import replay_log

SHORTEST = 2
"""Replays of each title, the smallest files."""
ASKED = 4


def shortest(title: Title) -> list[Path]:
    files = (folder_of(title.id) / "replays").glob("*.jsonl")
    return sorted(files, key=lambda file: file.stat().st_size)[:SHORTEST]


@pytest.mark.parametrize("title", titles(), ids=lambda title: title.id)
def test_dependents_are_the_same_without_earlier_records(title: Title) -> None:
    asked = [one for file in shortest(title) for one in compared(title, file)]
    assert asked
    assert [where for where, same in asked if not same] == []


def compared(title: Title, file: Path) -> Iterator[tuple[str, bool]]:
    """Yield each record and seat, and whether both answers were the same."""
    with Desk(":memory:") as desk, file.open("rb") as stream:
        game = desk.game(replay_log.read_into(desk.ledger, stream))
        for name in (REFEREE, *game.sides):
            known = game.seat(name).known
            for at in range(game.size // 3, game.size, max(1, game.size // ASKED)):
                whole = depending(desk.ledger, game.id, name, [at], title)
                yield f"{file.stem} {name} #{at}", depending(desk.ledger, game.id, name, [at], title, known) == whole
                cost = impact(desk.ledger, game.id, at, name, title)
                same = impact(desk.ledger, game.id, at, name, title, known) == cost
                yield f"{file.stem} {name} back to #{at}", same
