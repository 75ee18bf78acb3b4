"""Recordings of games that today's rules would refuse somewhere: they verify and fold as on the day they were made.

A mended rule changes what a new game accepts, never what an old log says. `fixtures/TITLE/superseded/` keeps each
recording that was replaced, with the end that it had then.
"""

from pathlib import Path

import msgspec
import pytest

from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger import replay_log
from umpire_ledger.testing.fixtures import folder_of, titles
from umpire_ledger.testing.record import end_of

SUPERSEDED = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for file in sorted((folder_of(title.id) / "superseded").glob("*.jsonl"))
]


def test_there_are_some() -> None:
    assert SUPERSEDED


@pytest.mark.parametrize(("title", "file"), SUPERSEDED)
def test_it_verifies_and_folds_to_the_end_that_it_had(title: Title, file: Path) -> None:
    with file.open("rb") as stream:
        assert replay_log.verify(stream).verdict == "VALID"
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        game = ledger.state(name)
        assert game.title == title.id
        assert not game.unreadable
        assert end_of(game) == msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
