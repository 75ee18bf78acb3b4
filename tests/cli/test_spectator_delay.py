"""Check that `--as spectator` prints a delayed game only up to its delay."""

import json
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal

LOOKS = (
    *(("status",), ("units",), ("audit",), ("audit", "--json"), ("audit", "--markdown"), ("undo-points",), ("lines",)),
    *(
        ("dice",),
        ("since",),
        ("disputes",),
        ("referee",),
        ("sitrep",),
        ("conformance",),
        ("refusals",),
        ("show", "orders"),
    ),
)


@pytest.fixture
def late(tmp_path: Path) -> Terminal:
    """Game in which Red has just moved, and spectators see records two positions late."""
    terminal = Terminal(tmp_path)
    terminal.ok("new", "freeform", "--id", "g", "--scenario", "scenario.toml", "--option", "spectator_delay=2 records")
    terminal.ok("order", "g", "note", "seen by all", "--as", "red")
    terminal.ok("order", "g", "move", "r1", "0201", "--as", "red")
    terminal.ok("order", "g", "note", "marching", "--as", "red")
    return terminal


class TestLate:
    def test_views_of_a_spectator_end_at_the_delay(self, late: Terminal) -> None:
        for words in at_least_one(LOOKS):
            answer = late.type(words[0], "g", *words[1:], "--as", "spectator")
            assert "marching" not in answer.out + answer.err, words
            assert "0201" not in answer.out, words
        assert "seen by all" in late.ok("audit", "g", "--as", "spectator").out
        assert "marching" in late.ok("audit", "g", "--as", "blue").out

    def test_status_says_the_position_that_is_seen(self, late: Terminal) -> None:
        seen = json.loads(late.ok("status", "g", "--as", "spectator", "--json").out)["position"]
        assert seen == json.loads(late.ok("status", "g", "--json").out)["position"] - 2
        assert late.type("status", "g", "--at", str(seen + 1), "--as", "spectator").code == 6

    def test_export_for_a_spectator_ends_at_the_delay_and_verifies(self, late: Terminal) -> None:
        late.ok("export", "g", "-o", "seen.jsonl", "--as", "spectator")
        assert "marching" not in (late.folder / "seen.jsonl").read_text(encoding="utf-8")
        assert "VALID" in late.ok("verify", "seen.jsonl").out

    def test_invalid_spectator_delay_is_refused(self, late: Terminal) -> None:
        said = ("--id", "h", "--scenario", "scenario.toml", "--option", "spectator_delay=soon")
        answer = late.type("new", "freeform", *said)
        assert answer.code != 0
        assert "30m, 12h" in answer.err
