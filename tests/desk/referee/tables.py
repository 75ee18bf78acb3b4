"""Games at the desk: a fixture's orders played once, then copied for every story that wants to change something."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cli.terminal import Answer, Terminal

FIXTURES = Path(__file__).parents[3] / "fixtures"


class Desk(Terminal):
    """A terminal with one game of a title; `game` is its id."""

    game = "g"

    def ask(self, command: str, *words: str) -> Any:
        """Run a command about the game; return its JSON."""
        return self.ok(*command.split(), self.game, *words, "--json").json

    def order(self, seat: str, order: str, **arguments: Any) -> Answer:
        """Give one order as JSON that is not refused."""
        return self.ok("order", self.game, json.dumps({"order": order, **arguments}), "--as", seat)

    def refused(self, *words: str) -> Mapping[str, str]:
        """Run a command that must be refused; return the four parts of the refusal."""
        answer = self.type(*words, "--json")
        assert answer.code in (3, 6), answer
        parts: Mapping[str, str] = answer.error
        assert all(parts[name] for name in ("what", "rule", "remedy")), parts
        return parts


def played(title: str, folder: Path) -> Path:
    """Create a ledger with the first scenario of a title that has an order file, and play that file."""
    desk = Desk(folder)
    named = {file.stem for file in (FIXTURES / title / "orders").glob("*.jsonl")}
    scenario = min(file for file in (FIXTURES / title / "scenarios").glob("*.toml") if file.stem in named)
    desk.ok("new", title, "--id", Desk.game, "--scenario", str(scenario))
    desk.ok("play", Desk.game, str(FIXTURES / title / "orders" / f"{scenario.stem}.jsonl"))
    return folder


def copied(template: Path, folder: Path) -> Desk:
    """Return a new desk with a copy of the ledger."""
    shutil.copytree(template, folder, dirs_exist_ok=True)
    return Desk(folder)
