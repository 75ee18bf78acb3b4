"""Read the tables of docs/reference/commands.md: the task and the command lines of each row."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "commands.md"
HEADING = "| Task | Command |"


class Journey(NamedTuple):
    """A row. `spans`: the texts in backticks, in order."""

    task: str
    spans: tuple[str, ...]

    @property
    def lines(self) -> Iterator[str]:
        """Yield its command lines: each as printed, and again with each option that is named after it."""
        line = ""
        for span in self.spans:
            if span.startswith("umpire "):
                line = span
                yield line
            elif span.startswith("-") and span != "-" and line:
                yield f"{line} {span}"


def journeys() -> list[Journey]:
    section = PAGE.read_text(encoding="utf-8").split("\n## Settings\n", 1)[0]
    rows = [line for line in section.split("\n") if line.startswith("| ") and line != HEADING]
    cells = (re.split(r"(?<!\\) \| ", row.strip("| ")) for row in rows)
    return [Journey(task, tuple(re.findall(r"`([^`]+)`", " | ".join(types)))) for task, *types in cells]


def words(line: str) -> list[str]:
    return shlex.split(line)[1:]
