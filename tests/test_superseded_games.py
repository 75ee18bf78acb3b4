"""Verify and rebuild recordings that current rules would refuse, and check that their end state is unchanged.

A corrected rule changes which orders a new game accepts, but never the content of an old log. Each replaced recording
is stored in `fixtures/TITLE/superseded/` with its original end state.
"""

from pathlib import Path

import msgspec
import pytest

from tests.face.desk import open_ledger
from tests.face.domain import Title
from tests.face.testing import end_of, folder_of, titles
from umpire_ledger.ledger import replay_log

SUPERSEDED = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for file in sorted((folder_of(title.id) / "superseded").glob("*.jsonl"))
]


def test_there_are_some() -> None:
    assert SUPERSEDED


@pytest.mark.parametrize(("title", "file"), SUPERSEDED)
def test_superseded_game_verifies_and_ends_as_recorded(title: Title, file: Path) -> None:
    with file.open("rb") as stream:
        assert replay_log.verify(stream).verdict == "VALID"
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        game = ledger.state(name)
        assert game.title == title.id
        assert not game.unreadable
        assert end_of(game) == msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
