"""Test completion of every kind of name with Tab in real shells: bash, zsh and fish."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import Terminal
from tests.face.cli import umpire

CASES = [
    ("status f", {"ford"}),
    ("sequence war", {"war-galley"}),
    ("orders war-galley boa", {"board"}),
    ("new war", {"war-galley"}),
    ("new war-galley --option wi", {"withdrawal=true", "withdrawal=false"}),
    ("new war-galley --dice ", {"ledger", "table"}),
    ("status ford --as re", {"red", "referee"}),
    ("unit ford r", {"r1"}),
    ("audit ford --unit b", {"b1"}),
    ("audit ford --event unit.", {"unit.placed", "unit.moved", "unit.changed", "unit.removed"}),
    ("units ford --side b", {"blue"}),
    ("knew ford b", {"blue"}),
    ("account ford poi", {"points/red"}),
    ("dispute settle ford ", {"d1"}),
    ("case ford d", {"d1"}),
    ("rule ford x --dispute ", {"d1"}),
    ("rulings ford --rule 8", {"8.55"}),
    ("rewind ford --to '#", {"#4"}),
    ("order ford settle ", {"d1"}),
    ("scenario fr", {"freeform"}),
    ("import for", {"for-blue.jsonl"}),
    ("why ford ", {"1", "4", "5", "6"}),
    ("verify ", {"ford"}),
    ("verify for-", {"for-blue.jsonl"}),
    ("referee f", {"ford"}),
]
"""The words typed after `umpire`, and a completion that Tab must offer."""


@pytest.fixture
def table(ford: Terminal) -> Terminal:
    """Return a game with a unit, an account, a dispute and a ruling."""
    assert ford.give("red", "pay", account="points/red", amount=2).code == 0
    ford.ok("dispute", "open", "ford", "#4", "--claim", "not so", "--rule", "8.55", "--as", "blue")
    ford.ok("rule", "ford", "it stands", "--rule", "8.55", "--grounds", "house", "--why", "seen")
    ford.write("for-blue.jsonl", "")
    return ford


@pytest.mark.parametrize(("typed", "names"), CASES, ids=[typed for typed, _ in CASES])
def test_tab_offers_completions(table: Terminal, typed: str, names: set[str]) -> None:
    from click.shell_completion import ShellComplete  # noqa: PLC0415 -- in this process: 21 of them start slowly

    words = typed.replace("'", "").split(" ")
    before, environment = Path.cwd(), os.environ.get("_UMPIRE_COMPLETE")
    os.chdir(table.folder)
    os.environ["_UMPIRE_COMPLETE"] = "bash_complete"
    try:
        found = ShellComplete(umpire, {}, "umpire", "_UMPIRE_COMPLETE").get_completions(words[:-1], words[-1])
    finally:
        os.chdir(before)
        os.environ.pop("_UMPIRE_COMPLETE")
        os.environ.update({"_UMPIRE_COMPLETE": environment} if environment else {})
    if any(one.type == "file" for one in found):
        assert names <= {one.name for one in table.folder.iterdir()}
    else:
        assert names <= {one.value for one in found}
        assert all(one.value.startswith(words[-1]) for one in found)


# --- in the shells themselves -----------------------------------------------------------------------------------------


@pytest.fixture
def environment(table: Terminal) -> Mapping[str, str]:
    """Return an environment whose `PATH` finds this `umpire`."""
    folder = table.folder / "bin"
    folder.mkdir()
    program = folder / "umpire"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m umpire_ledger.cli.main "$@"\n')
    program.chmod(0o755)
    return {**table.environment, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(table.folder)}


def said(table: Terminal, environment: Mapping[str, str], *command: str) -> str:
    done = subprocess.run(
        command, cwd=table.folder, env=dict(environment), capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell} here")


@needs("bash")
def test_in_bash(table: Terminal, environment: Mapping[str, str]) -> None:
    script = """
        eval "$(_UMPIRE_COMPLETE=bash_source umpire)"
        COMP_WORDS=(umpire audit ford --unit b) COMP_CWORD=4
        _umpire_completion umpire b --unit
        echo "${COMPREPLY[@]}"
    """
    assert said(table, environment, "bash", "--norc", "-c", script).split() == ["b1"]


@needs("fish")
def test_in_fish(table: Terminal, environment: Mapping[str, str]) -> None:
    script = 'env _UMPIRE_COMPLETE=fish_source umpire | source; complete -C "umpire dispute settle ford "'
    assert said(table, environment, "fish", "--no-config", "-c", script).split() == ["d1"]


@needs("zsh")
def test_in_zsh(table: Terminal, environment: Mapping[str, str]) -> None:
    """Type Tab in a terminal, because zsh completes nowhere else."""
    with PseudoTerminal(["zsh", "-f", "-i"], table.folder, {**environment, "PS1": "> "}) as zsh:
        zsh.type("autoload -Uz compinit; compinit -u; eval \"$(_UMPIRE_COMPLETE=zsh_source umpire)\"; echo re''ady\n")
        zsh.see("ready")
        zsh.type("umpire status fo\t")
        zsh.see("status ford")
        zsh.type("\n")
        assert "war-galley" not in zsh.see("Skirmish at the ford")
