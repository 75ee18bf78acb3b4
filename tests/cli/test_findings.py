"""Check that `verify` reports inconsistent events in a log with correct hashes, but does not call the log invalid."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.face.desk import drafts_of, open_ledger
from tests.face.domain import events as e
from umpire_ledger.ledger import replay_log

RED = e.Side(id="red", name="Red")


def forged(folder: Path) -> Path:
    """Write a log of an unknown title with correct hashes and inconsistent events, and return its path."""
    told = (
        e.GameOpened(game="forged", title="rafts", version="1", name="The river", sides=(RED,), dice="table"),
        e.UnitPlaced(unit="heron", side="red", kind="raft", at="bend"),
        e.UnitMoved(unit="heron", path=("sea", "mill")),
        e.AccountChanged(account="coins", amount=1, before=7, after=8),
    )
    file = folder / "forged.jsonl"
    with open_ledger(":memory:", create=True) as ledger, file.open("wb") as out:
        ledger.append("forged", after=0, seat="referee", command="c", drafts=drafts_of(told, None))
        replay_log.write(ledger, "forged", out)
    return file


FOUND = [
    {"position": 3, "what": "heron is at bend, but its path starts at sea"},
    {"position": 4, "what": "coins is 0, not 7"},
]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    terminal = Terminal(tmp_path)
    forged(tmp_path)
    return terminal


def test_log_with_right_hashes_and_findings_is_valid(terminal: Terminal) -> None:
    told = terminal.ok("verify", "forged.jsonl")
    assert told.out.startswith("VALID (hashes only): forged, 4 ")
    assert [line.partition(": ")[2] for line in told.out.splitlines() if ": #" in line] == [
        f"#{one['position']} {one['what']}" for one in FOUND
    ]
    answer = terminal.ok("verify", "forged.jsonl", "--json").json
    assert (answer["verdict"], answer["first_bad"], answer["reason"]) == ("VALID", None, "")
    assert answer["findings"] == FOUND
    assert answer["findings_left_out"] == 0


def test_import_warns_of_findings_and_continues(terminal: Terminal) -> None:
    told = terminal.ok("import", "forged.jsonl")
    assert "Imported forged into umpire.db: 4 " in told.out
    assert told.err.startswith("Warning: 2 ")
    assert " forged` " in told.err
    assert terminal.ok("verify", "forged", "--json").json["findings"] == FOUND
    assert terminal.ok("import", "forged.jsonl", "--json").json == {
        "game": "forged",
        "size": 4,
        "new": 0,
        "findings": 2,
    }


def test_played_game_has_no_findings(terminal: Terminal) -> None:
    terminal.new()
    terminal.give("red", "move", unit="r1", path=["0203"])
    terminal.give("red", "undo")
    terminal.give("red", "move", unit="r1", path=["0101", "0202"])
    told = terminal.ok("verify", "ford", "--json").json
    assert (told["verdict"], told["findings"]) == ("VALID", [])
    assert "finding" not in terminal.ok("verify", "ford").out
    terminal.ok("export", "ford", "-o", "ford.jsonl")
    assert terminal.ok("import", "ford.jsonl", "--ledger", "other.db").err == ""
