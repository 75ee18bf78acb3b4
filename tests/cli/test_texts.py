"""Check the sentences of the command line, which no other test compares."""

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


def plural_side(terminal: Terminal) -> str:
    terminal.ok("scenario", "red-coat-rags", "-o", "moor.toml")
    moor = (terminal.folder / "moor.toml").read_text()
    terminal.write("picts.toml", moor.replace('name = "Red"', 'name = "Picts"\nplural = true'))
    terminal.ok("new", "red-coat-rags", "--id", "picts", "--scenario", "picts.toml")
    return terminal.ok("order", "picts", "roll-initiative", "--pips", "3", "--as", "red").out


def played_one(terminal: Terminal) -> str:
    orders = terminal.orders({"as": "red", "order": "note", "text": "a"}, {"as": "red", "order": "move"})
    return terminal.type("play", "ford", orders).err


def played_none(terminal: Terminal) -> str:
    return terminal.type("play", "ford", terminal.orders({"as": "red", "order": "move"})).err


def undoes_one(terminal: Terminal) -> str:
    terminal.give("red", "pay", account="vp/red", amount=1)
    return terminal.ok("undo", "ford", "--preview").out


def withheld(terminal: Terminal) -> str:
    """Return the text about a choice that Red sealed, in a proof for the spectator."""
    terminal.give("red", "seal-choice", question="stance", choice="attack")
    terminal.ok("seal", "ford", "-o", "kept")
    terminal.ok("prove", "ford", str(terminal.size() - 1), "--as", "spectator", "-o", "one.proof")
    return terminal.ok("verify", "one.proof", "--checkpoint", "kept").out


def set_to(text: str) -> Callable[[Terminal], str]:
    """Return a function that lists the games with these settings."""

    def act(terminal: Terminal) -> str:
        terminal.write("umpire.toml", text)
        return terminal.type("games").err

    return act


TOLD: tuple[tuple[str, Callable[[Terminal], str], str], ...] = (
    ("log that is a folder", skipped_folder, "it is a folder"),
    ("file that is no log", skipped_folder, "its name does not end with .jsonl"),
    ("nothing new", copied_twice, "none of them new"),
    ("records behind a checkpoint", vouched, "; 0 records after it"),
    ("one signed order", vouched, "signed: 1 order of red, key red+"),
    ("signature not checked", proved, "not checked: 1 signature below the checkpoint; a proof contains no keys"),
    ("no notice", lambda terminal: terminal.ok("notices", "--seat", "red").err, "No new notices."),
    ("setting of text", set_to("ledger = 7\n"), "it needs text in quotes"),
    ("setting of a number", set_to('[mail]\nport = "x"\n'), "it needs a whole number"),
    ("settings that are not TOML", set_to("[mail]\npassword = x\n"), "umpire.toml is not TOML, line 2"),
    ("settings too large", set_to("x" * 70_000), "umpire.toml is larger than"),
    ("side in the plural", plural_side, "Picts roll for the initiative"),
    ("one order before", played_one, "(the 1 order before it is recorded, this one and the rest are not)"),
    ("no order before", played_none, "(no orders before it are recorded, "),
    ("one order undone", undoes_one, "would take back 1 order of red"),
    ("proof of a secret", withheld, "withheld: the event; only its hash is proved"),
    (
        "nothing looked at",
        lambda terminal: terminal.ok("since", "ford", "--as", "red").out,
        "red has not looked yet",
    ),
    ("no key", lambda terminal: terminal.type("key", "show", "red").err, "there is no key red"),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_command_says_this_sentence(tmp_path: Path, act: Callable[[Terminal], str], sentence: str) -> None:
    terminal = Terminal(tmp_path)
    terminal.new()
    assert sentence in act(terminal)
