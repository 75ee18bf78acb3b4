"""Create a ledger of recorded games and a game with a dispute, to open with sqlite3, sqlite-utils and Datasette."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.face.testing import FIXTURES

REPLAYS = (
    *("war-galley/replays/great-harbour.jsonl", "pacific-war/replays/coral-sea-at-once.jsonl"),
    *("twilight-imperium-3/replays/full-round.jsonl", "red-coat-rags/replays/mill-ford.jsonl"),
)
QUARREL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("red", {"order": "seal-choice", "question": "stance", "choice": "the-north-road"}),
    ("red", {"order": "move", "unit": "red-horse", "path": ["hill", "road", "ford-north"]}),
    ("blue", {"order": "dispute", "records": [9, 10], "claim": "the horse was never on the hill", "rule": "4.2"}),
    ("red", {"order": "move", "unit": "ghost", "path": ["nowhere"]}),
    (
        "referee",
        {
            "order": "rule",
            "ruling": "it was",
            "reason": "the map",
            "rule": "4.2",
            "grounds": "printed rule",
            "dispute": "d1",
        },
    ),
    ("red", {"order": "move", "unit": "red-foot", "path": ["village", "road"]}),
    ("red", {"order": "undo"}),
    ("blue", {"order": "seal"}),
)
SECRET = "the-north-road"


def make(where: Path) -> Path:
    """Create the ledger and its read models; return the path of the read models."""
    with umpire.open(where) as desk:
        for replay in REPLAYS:
            desk.import_log(FIXTURES / replay)
        ford = desk.new("freeform", FIXTURES / "freeform/scenarios/ford.toml", id="ford", dice="table")
        for seat, order in QUARREL:
            with suppress(umpire.Refused):
                ford.seat(seat).order(order)
        return Path(desk.views().file)
