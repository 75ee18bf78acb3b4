"""The sentences of the command line: the only place that pins them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


def skipped_folder(terminal: Terminal) -> str:
    (terminal.folder / "logs" / "old.jsonl").mkdir(parents=True)
    (terminal.folder / "logs" / "README.txt").write_text("ours")
    return terminal.type("import", "logs").out


def copied_twice(terminal: Terminal) -> str:
    terminal.ok("export", "ford", "-o", "ford.jsonl")
    terminal.ok("import", "ford.jsonl", "--ledger", "club.db")
    return terminal.ok("import", "ford.jsonl", "--ledger", "club.db").out


def sealed(terminal: Terminal) -> None:
    public = terminal.ok("key", "new", "red").out.strip()
    terminal.new("keyed", "--key", f"red={public}")
    terminal.ok("seal", "keyed", "--as", "red", "-o", "kept")


def vouched(terminal: Terminal) -> str:
    sealed(terminal)
    return terminal.ok("verify", "keyed", "--checkpoint", "kept").out


def proved(terminal: Terminal) -> str:
    sealed(terminal)
    terminal.ok("prove", "keyed", "#2", "--checkpoint", "kept", "-o", "2.proof")
    return terminal.ok("verify", "2.proof", "--checkpoint", "kept").out


def set_to(text: str) -> Callable[[Terminal], str]:
    """Return an act that lists the games with these settings."""

    def act(terminal: Terminal) -> str:
        terminal.write("umpire.toml", text)
        return terminal.type("games").err

    return act


TOLD: tuple[tuple[str, Callable[[Terminal], str], str], ...] = (
    ("log that is a folder", skipped_folder, "it is a folder"),
    ("file that is no log", skipped_folder, "its name does not end with .jsonl"),
    ("nothing new", copied_twice, "none of them new"),
    ("records behind a checkpoint", vouched, "those that it was made of, 0 records behind it"),
    ("one signed order", vouched, "signed: 1 order of red, key red+"),
    ("signature not checked", proved, "not checked: 1 signature below the checkpoint; a proof holds no keys"),
    ("no notice", lambda terminal: terminal.ok("notices", "--seat", "red").err, "nobody has to be told anything"),
    ("setting of text", set_to("ledger = 7\n"), "it takes text in quotes"),
    ("setting of a number", set_to('[mail]\nport = "x"\n'), "it takes a whole number"),
    ("settings that are not TOML", set_to("[mail]\npassword = x\n"), "umpire.toml is not TOML, line 2"),
    ("settings too large", set_to("x" * 70_000), "umpire.toml is larger than"),
    ("no key", lambda terminal: terminal.type("key", "show", "red").err, "there is no key red"),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_command_says_this_sentence(tmp_path: Path, act: Callable[[Terminal], str], sentence: str) -> None:
    terminal = Terminal(tmp_path)
    terminal.new()
    assert sentence in act(terminal)
