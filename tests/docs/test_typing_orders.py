"""Run every command of the pages that show commands, and compare its output with the page."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import Answer, Terminal
from tests.docs import pages

PAGES = [pages.ROOT / "docs" / f"{name}.md" for name in pages.OF_COMMANDS]


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page in order, each with its output."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for typed in block.removeprefix("$ ").split("\n$ "):
            command, _, prints = typed.partition("\n")
            yield command, prints.rstrip("\n")


def files(page: Path) -> dict[str, str]:
    """Return the files of a page: the blocks with a name after their language."""
    found = re.findall(r"^```\w+ (\S+\.\w+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return dict(found)


def line_pattern(line: str) -> str:
    if line == "…":
        return r"(?:.*\n)*?"
    return re.escape(line.removesuffix("…")) + (".*" if line.endswith("…") else "") + "\n"


def fits(said: str, prints: str) -> bool:
    """Return whether the output matches; a line of … matches any lines, … at the end of a line the rest of it."""
    pattern = "".join(map(line_pattern, prints.split("\n")))
    return re.fullmatch(pattern, said) is not None


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_command_of_the_page_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    (tmp_path / "fixtures").symlink_to(pages.ROOT / "fixtures", target_is_directory=True)
    terminal = Terminal(tmp_path)
    for name, text in files(page).items():
        terminal.write(name, text)
    for command, prints in at_least_one(commands(page)):
        program, *words = shlex.split(command)
        assert program == "umpire"
        answer: Answer = terminal.type(*words)
        assert fits(answer.out + answer.err, prints), f"{command}\n{answer.out}{answer.err}"
        assert answer.code == 0 or prints != "…", f"{command}\n{answer.out}{answer.err}"


@pytest.mark.parametrize(("prints", "fit"), [("a\n…\nd", True), ("a\nb\nc\nd", True), ("a\nd", False), ("…\nc", False)])
def test_dots_match_any_lines(prints: str, fit: bool) -> None:
    assert fits("a\nb\nc\nd\n", prints) is fit
