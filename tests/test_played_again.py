"""Every recorded game, decided again: each order of a fixture replay must bring about the events that were recorded.

Games in `superseded/` are left out: today's rules refuse some of their orders on purpose.
"""

from pathlib import Path

import pytest

from umpire_ledger.desk.core.adapters import LedgerPast
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger import replay_log
from umpire_ledger.testing.decided_again import differences
from umpire_ledger.testing.fixtures import replay_folders, titles

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
        assert any(taken.cause for taken in LedgerPast(ledger, name).newest_first())
        assert list(differences(ledger, name, title)) == []
