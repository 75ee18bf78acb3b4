"""Compare the reference pages about scenarios, exit codes and the table with the program, and run their commands."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.docs import pages
from tests.face.cli import EPILOG
from tests.face.domain import FreeScenario, field_types_fields_of as fields_of
from tests.face.testing import FIXTURES

FOLDER = pages.ROOT / "docs" / "reference"
HARBOUR = FIXTURES / "war-galley"
PLACEHOLDERS = {
    "GAME": "harbour",
    "SEAT": "athens",
    "STEP": "G.2b",
    "UNIT": "athens-5",
    "RULE": "8.55",
    "TEXT": "text",
    "REASON": "reason",
}
ORDERS = {"amend": "check-spread syracuse-3 --pips 2"}
"""The order that a command gives; the other commands roll the wind."""
AT_A_TERMINAL = "play GAME"
"""The prompt, which the tests of docs/reference/commands.md run."""
LONGEST = 64
"""Lines that are printed on one page."""


def text_of(page: str) -> str:
    return (FOLDER / page).read_text(encoding="utf-8")


def test_quick_reference_fits_one_page() -> None:
    assert text_of("quick-reference.md").count("\n") <= LONGEST


def test_commands_of_quick_reference_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run them from top to bottom; the rules may refuse one, but it must be valid."""
    monkeypatch.setenv("PAGER", "")
    shutil.copy(HARBOUR / "orders" / "great-harbour.jsonl", tmp_path / "evening.jsonl")
    terminal = Terminal(tmp_path)
    scenario = str(HARBOUR / "scenarios" / "great-harbour.toml")
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", scenario, "--dice", "table")
    terminal.ok("play", "harbour", "evening.jsonl")
    lines = at_least_one(re.findall(r"`umpire ([^`]+)`", text_of("quick-reference.md")))
    for line in (line for line in lines if line != AT_A_TERMINAL):
        typed = line.replace("ORDER", ORDERS.get(line.split()[0], "roll-wind"))
        for placeholder, value in PLACEHOLDERS.items():
            typed = typed.replace(placeholder, value)
        answer = terminal.type(*shlex.split(typed))
        assert answer.code in (0, 3), (line, answer)


def test_exit_codes_are_those_of_the_help() -> None:
    codes = re.findall(r"^\| (\d+) \|", text_of("exit-codes-and-limits.md"), re.MULTILINE)
    assert codes == re.findall(r"(\d+) [a-z]", EPILOG.partition(" Settings")[0])


def test_scenario_format_has_every_entry() -> None:
    text = text_of("scenario-format.md")
    entries = [field.encode_name for field in fields_of(FreeScenario)]
    own = {"sequence", "sets", "facts", "roles", "play", "orders", "cups", "questions", "units"}
    missing = [name for name in at_least_one(entries) if f"| `{name}` |" not in text and name not in own]
    assert missing == []
