"""Run each line of the tables in docs/reference/commands.md.

A row is played in a folder of its own, in a game that was played through, after the steps of `BEFORE`. A new row runs
like any other; one that needs a preparation fails until it has one.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import ROOT, Terminal
from tests.docs.journeys import Journey, journeys, words

FIXTURES = ROOT / "fixtures" / "war-galley"
DISPUTED = "umpire dispute open harbour '#303' --claim unseen --rule 8.55 --as syracuse"
STOPPED = "umpire amend harbour '#562' --drop --why unseen"
AT_MOVEMENT = "umpire rewind harbour --to '#472' --why early"
ASKED = "umpire ask-rewind harbour --to '#587' --why unseen --as syracuse"

BEFORE: Mapping[str, tuple[str, ...]] = {
    "Rule on a dispute, and find the ruling later": (DISPUTED,),
    "Hand the case to a second judge": (DISPUTED,),
    "Reveal everything when the game is over": ("umpire order harbour end late",),
    "Look at abandoned branches": ("umpire rewind harbour --to '#587' --why early",),
    "Complete a redacted log later": ("umpire export harbour -o harbour.jsonl --as spectator",),
    "Prove one record without the rest of the log": ("umpire seal harbour --as athens -o athens.checkpoint",),
    "Verify a log, or import it": ("umpire export harbour -o harbour.jsonl", "umpire archive harbour"),
}
"""Steps before a row."""
BEFORE_A_LINE: Mapping[str, tuple[str, ...]] = {
    "umpire order harbour move-ship": ("umpire rewind harbour --to '#146' --why early",),
    "umpire done harbour": (AT_MOVEMENT,),
    "umpire decline harbour": (ASKED.replace("'#587'", "'#500'"),),
    "umpire undo harbour": (AT_MOVEMENT, "umpire done harbour --as athens"),
    "umpire play harbour orders.jsonl": ("umpire rewind harbour --to '#26' --why again",),
    "umpire play harbour orders.jsonl --resume": ("umpire play harbour orders.jsonl",),
    "umpire amend harbour --continue": (STOPPED,),
    "umpire amend harbour '#562'": ("umpire rewind harbour --to '#611' --why again",),
}
"""Steps before each line that begins with these words."""
INSTEAD: Mapping[str, str] = {
    "--id harbour --scenario FILE": "--id evening --scenario great-harbour.toml",
    "--at TIP": "--at 611",
    "give-key athens KEY": "give-key athens athens+6513580f+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c",
    "fixtures/freeform/": f"{FIXTURES.parent / 'freeform'}/",
    "diff harbour TIP TIP": "diff harbour 611 612",
    "--from LINE": "--from 1",
    "umpire reveal harbour N": "umpire reveal harbour 612",
    "--continue [ORDER] --": "--",
    "--continue [ORDER] -o left.jsonl": "--skip -o left.jsonl",
    "--continue [ORDER]": "--continue fight-fire athens-3",
    "--orders 20000": "--orders 400",
    "umpire import harbour.jsonl": "umpire import harbour.jsonl --ledger second.db",
    "-o harbour.png": "-o harbour-2.svg",
    "what-if#595": "what-if#581",
}
"""Placeholders of the page, and their values here."""
LEFT_OUT: Mapping[str, str] = {
    "umpire witness add tower request": "it takes what `ask` writes: tests/cli/test_witness.py",
    "umpire key cosign harbour athens.checkpoint --as syracuse": "it needs keys of two: tests/docs/test_keys.py",
    "umpire serve": "it runs until it is stopped: tests/service",
    "umpire invitations harbour --revoke ID": "it ends what nobody has yet: tests/cli/test_invitations.py",
    "umpire notices --webhook": "it posts to a server: tests/cli/test_notices.py",
    "umpire done harbour --as athens --until": "it speaks of the option that stands before it",
}
"""Lines that are none, and why."""
STOPS = ("umpire amend harbour",)
"""Lines that may stop at an order that no longer applies, with code 3: that is what they are for."""


def line_as_run(line: str) -> str:
    for written, here in INSTEAD.items():
        line = line.replace(written, here)
    return line


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the game of the page, played through."""
    folder = tmp_path_factory.mktemp("harbour")
    shutil.copy(FIXTURES / "scenarios" / "great-harbour.toml", folder)
    shutil.copy(FIXTURES / "orders" / "great-harbour.jsonl", folder / "orders.jsonl")
    terminal = Terminal(folder)
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", "great-harbour.toml", "--dice", "table")
    terminal.ok("play", "harbour", "orders.jsonl")
    return folder


@pytest.fixture
def harbour(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.syspath_prepend(ROOT / "tests" / "titles" / "two_rivers")
    return Terminal(Path(shutil.copytree(played, tmp_path / "harbour")))


def prepare(harbour: Terminal, line: str) -> None:
    for begins, before in BEFORE_A_LINE.items():
        if line.startswith(begins):
            for one in before:
                assert harbour.type(*words(one)).code in (0, 3), one


@pytest.mark.parametrize("journey", journeys(), ids=lambda journey: journey.task)
def test_lines_of_the_row_run(journey: Journey, harbour: Terminal) -> None:
    lines = [line for line in journey.lines if line not in LEFT_OUT]
    assert lines, f"the row {journey.task!r} has no line to run"
    for one in BEFORE.get(journey.task, ()):
        harbour.ok(*words(one))
    for line in lines:
        prepare(harbour, line)
        if journey.task == "Play at a prompt":
            sits_down(harbour, line)
            continue
        answer = harbour.type(*words(line_as_run(line)))
        assert answer.code == 0 or (answer.code == 3 and line.startswith(STOPS)), (line, answer)


def sits_down(harbour: Terminal, line: str) -> None:
    """At a terminal: the prompt comes, and is left."""
    with PseudoTerminal(harbour.command(*words(line)), harbour.folder, harbour.environment) as screen:
        screen.see("turn 3")
        screen.see("Ctrl-D: quit")
        screen.see(">")
        screen.type("\x04")
        assert screen.ends() == 0


def test_row_without_a_line_has_none() -> None:
    assert list(Journey("dream", ("?", "u")).lines) == []


def test_option_after_a_line_is_run_with_it() -> None:
    row = Journey("look", ("umpire status harbour", "--at 3", "?", "umpire games", "--csv"))
    assert list(row.lines) == [
        "umpire status harbour",
        "umpire status harbour --at 3",
        "umpire games",
        "umpire games --csv",
    ]
