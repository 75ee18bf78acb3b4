"""Decide every recorded game again: each order of a fixture replay must cause the recorded events.

Games in `superseded/` are left out, because current rules refuse some of their orders on purpose.
"""

from pathlib import Path

import pytest

from tests.face.desk import LedgerHistory, open_ledger
from tests.face.domain import Title
from tests.face.testing import differences, replay_folders, titles
from umpire_ledger.ledger import replay_log

REPLAYS = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for folder in replay_folders(title.id)
    for file in sorted((folder / "replays").glob("*.jsonl"))
]


@pytest.mark.parametrize(("title", "file"), REPLAYS)
def test_every_order_brings_about_what_was_recorded(title: Title, file: Path) -> None:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        assert any(taken.cause for taken in LedgerHistory(ledger, name).newest_first())
        assert list(differences(ledger, name, title)) == []
