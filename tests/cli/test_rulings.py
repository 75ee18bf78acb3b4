"""Check the referee's command that a refusal suggests for an event that players cannot record."""

import json
import shlex

from tests.cli.terminal import ROOT, Terminal

SCENARIO = ROOT / "fixtures" / "twilight-imperium-3" / "scenarios" / "three-players.toml"


def test_command_in_a_refusal_can_be_typed_unchanged(terminal: Terminal) -> None:
    """Refuse a player who takes a planet by a generic order in a strategic action."""
    terminal.ok("new", "twilight-imperium-3", "--id", "round-1", "--scenario", str(SCENARIO))
    taken = json.dumps({"order": "take-action", "action": "strategic", "card": "Diplomacy"})
    terminal.ok("order", "round-1", taken, "--as", "sol")
    by_hand = json.dumps({"order": "mark", "marker": "control/quann", "to": "sol", "cause": "it's ours"})
    refused = terminal.type("order", "round-1", by_hand, "--as", "sol", "--json")
    assert refused.code == 3
    command = shlex.split(refused.error["remedy"].partition("record it: `")[2].removesuffix("`"))
    told = terminal.ok(*command[1:])
    assert "as agreed" in told.out
    status = terminal.ok("status", "round-1", "--json").json
    assert status["markers"]["control/quann"] == "sol"
    last = terminal.ok("audit", "round-1", "--json").json[-1]
    assert (last["seat"], last["event"]) == ("referee", "marker.set")
