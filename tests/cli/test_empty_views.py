"""Check that an empty file of read models counts as missing, and that refusals do not create one."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.cli.terminal import Terminal
from tests.face.cli import umpire
from tests.face.projections import connect, is_views

VIEWS = "umpire.views.db"
LOOKS = [
    ("unit", "ford", "r1"),
    ("audit", "ford"),
    ("units", "ford"),
    ("games",),
    ("undo-points", "ford"),
    ("rebuild",),
]


def emptied(terminal: Terminal) -> Path:
    """Empty the file of read models, as a full disk does, and return its path."""
    for file in terminal.folder.glob(f"{VIEWS}*"):
        file.unlink()
    views = terminal.folder / VIEWS
    views.touch()
    return views


@pytest.mark.parametrize("words", LOOKS, ids=[words[0] for words in LOOKS])
def test_empty_file_counts_as_missing(ford: Terminal, words: tuple[str, ...]) -> None:
    ford.give("red", "move", unit="r1", path=["0103"])
    ford.ok(*words)  # now everybody has looked
    whole = ford.ok(*words)
    views = emptied(ford)
    assert ford.ok(*words) == whole
    assert views.stat().st_size in (0, (ford.folder / VIEWS).stat().st_size)
    assert ford.give("red", "move", unit="r1", path=["0104"]).err == ""
    assert is_views(connect(views))


def test_order_with_an_empty_file_is_recorded_without_warning(ford: Terminal) -> None:
    views = emptied(ford)
    answer = ford.give("red", "move", unit="r1", path=["0103"])
    assert (answer.code, answer.err) == (0, "")
    assert is_views(connect(views))
    assert ford.ok("units", "ford", "--json").json[1]["at"] == "0103"


def test_empty_file_loses_only_the_read_marks(ford: Terminal) -> None:
    ford.ok("status", "ford")
    before = ford.ok("status", "ford", "--json").json
    emptied(ford)
    after = ford.ok("status", "ford", "--json").json
    assert [one["position"] for one in before.pop("since")] == []
    assert [one["position"] for one in after.pop("since")] == [1]
    assert before == after


REFUSED = {
    "a ledger that is not there": ("status", "ford"),
    "games of no ledger": ("games",),
    "a scenario that is not there": ("new", "freeform", "--id", "ford", "--scenario", "none.toml"),
    "a title that is not there": ("new", "chess", "--id", "ford", "--scenario", "scenario.toml"),
    "an id that is none": ("new", "freeform", "--id", "a b", "--scenario", "scenario.toml"),
    "read models of nothing": ("rebuild",),
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED.keys())
def test_refused_command_leaves_no_file(terminal: Terminal, words: tuple[str, ...]) -> None:
    answer = terminal.type(*words)
    assert answer.code != 0 or words == ("games",), answer
    assert [file.name for file in terminal.folder.iterdir()] == ["scenario.toml"]


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif command is not None:
            yield (*path, name), command


def arguments_of(command: click.Command) -> Iterator[str]:
    """Yield a word for each argument and each required option."""
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            yield "#3" if "#N" in (parameter.metavar or "") else "red"
        elif parameter.required:
            yield from (parameter.opts[0], "other")


MAKES_A_LEDGER = {("new",), ("db", "init"), ("serve",)}


def test_command_about_a_missing_ledger_creates_none(tmp_path: Path) -> None:
    made = []
    for path, command in commands(umpire):
        if path not in MAKES_A_LEDGER:
            folder = tmp_path / "-".join(path)
            folder.mkdir()
            Terminal(folder).type(*path, *arguments_of(command))
            made += [(path, file.name) for file in folder.iterdir() if "umpire.db" in file.name]
    assert not made
