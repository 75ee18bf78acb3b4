"""Check that a command whose output cannot be written finishes its work and reports its result correctly."""

import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.face.cli import BROKEN, DONE, USAGE

FULL = Path("/dev/full")
"""A device without space, on Linux."""

needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="the machine has no /dev/full")


def run(terminal: Terminal, command: Sequence[str], **streams: Any) -> Answer:
    """Run a command with streams of the test's choice."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    done = subprocess.run(
        command, cwd=terminal.folder, env=terminal.environment, encoding="utf-8", check=False, **streams
    )
    return Answer(done.returncode, done.stdout or "", done.stderr or "")


def into(terminal: Terminal, redirection: str, *words: str) -> Answer:
    """Return the answer of a command whose output a shell redirects."""
    return run(terminal, ("sh", "-c", f'"$@" {redirection}', "sh", *terminal.command(*words)))


def without_reader(terminal: Terminal, *words: str) -> Answer:
    """Return the answer of a command whose output is closed before its first line."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return run(terminal, terminal.command(*words), stdout=writing)
    finally:
        os.close(writing)


def logs(terminal: Terminal, *games: str) -> None:
    """Write a folder with a log of each game, from another ledger."""
    for game in games:
        terminal.ok("new", "freeform", "--id", game, "--scenario", "scenario.toml", "--ledger", "other.db")
    terminal.ok("export", "--all", "logs", "--ledger", "other.db")


class TestFullDisk:
    @needs_full
    @pytest.mark.parametrize("words", [("status", "ford"), ("audit", "ford", "--csv"), ("audit", "ford", "--markdown")])
    def test_look_is_an_error(self, ford: Terminal, words: tuple[str, ...]) -> None:
        answer = into(ford, "> /dev/full", *words)
        assert answer.code == USAGE
        assert answer.err.startswith("Error: standard output cannot be written: No space left on device\n")

    @needs_full
    def test_look_as_json_is_an_error_object(self, ford: Terminal) -> None:
        answer = into(ford, "> /dev/full", "status", "ford", "--json")
        assert (answer.code, answer.error["error"], answer.error["where"]) == (USAGE, "usage", "standard output")

    @needs_full
    def test_order_is_recorded_once_and_says_so(self, ford: Terminal) -> None:
        before = ford.size()
        answer = into(ford, "> /dev/full", "note", "ford", "the wind turned")
        assert (answer.code, ford.size()) == (USAGE, before + 1)
        assert "`umpire audit GAME`" in answer.err

    @needs_full
    def test_export_to_standard_output_is_an_error(self, ford: Terminal) -> None:
        assert into(ford, "> /dev/full", "export", "ford", "-o", "-").code == USAGE

    @needs_full
    def test_refusal_keeps_its_exit_code(self, ford: Terminal) -> None:
        assert (
            into(ford, "> /dev/full", "undo", "ford", "--as", "red").code
            == ford.type("undo", "ford", "--as", "red").code
        )

    def test_closed_output_is_an_error(self, ford: Terminal) -> None:
        answer = into(ford, ">&-", "status", "ford")
        assert (answer.code, "Traceback" in answer.err) == (USAGE, False)

    def test_closed_error_output_keeps_exit_code(self, ford: Terminal) -> None:
        assert into(ford, "2>&-", "status", "nowhere").code == ford.type("status", "nowhere").code


class TestReaderThatHasGone:
    def test_import_of_folder_is_complete(self, terminal: Terminal) -> None:
        logs(terminal, "alpha", "beta", "gamma")
        assert without_reader(terminal, "import", "logs") == (DONE, "", "")
        assert [game["game"] for game in terminal.ok("games", "--json").json] == ["alpha", "beta", "gamma"]

    def test_export_of_every_game_is_complete(self, terminal: Terminal) -> None:
        logs(terminal, "alpha", "beta", "gamma")
        assert without_reader(terminal, "export", "--all", "again", "--ledger", "other.db").code == DONE
        assert len(list((terminal.folder / "again").iterdir())) == 3

    def test_invalid_log_keeps_its_exit_code(self, ford: Terminal) -> None:
        ford.ok("export", "ford", "-o", "ford.jsonl")
        log = ford.folder / "ford.jsonl"
        log.write_text(log.read_text().replace("Skirmish", "Scirmish"))
        assert without_reader(ford, "verify", "ford.jsonl").code == BROKEN


class TestWhatIsNoFile:
    """Pipes and devices, which are written to but not replaced."""

    def test_export_into_pipe_reaches_reader(self, ford: Terminal) -> None:
        pipe = ford.folder / "pipe"
        os.mkfifo(pipe)
        read: list[bytes] = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
        reader.start()
        ford.ok("export", "ford", "-o", "pipe")
        reader.join(timeout=10)
        assert pipe.is_fifo()
        assert read == [ford.process("export", "ford", "-o", "-").out.encode()]

    @needs_full
    def test_export_into_device_is_an_error(self, ford: Terminal) -> None:
        answer = ford.type("export", "ford", "-o", str(FULL))
        assert (answer.code, FULL.is_char_device()) == (USAGE, True)

    def test_export_through_link_writes_its_target(self, ford: Terminal) -> None:
        (ford.folder / "logs").mkdir()
        link = ford.folder / "newest.jsonl"
        link.symlink_to("logs/ford.jsonl")
        ford.ok("export", "ford", "-o", "newest.jsonl")
        assert link.is_symlink()
        assert ford.ok("verify", "logs/ford.jsonl").out.startswith("VALID")

    def test_export_into_folder_is_an_error(self, ford: Terminal) -> None:
        (ford.folder / "logs").mkdir()
        assert ford.type("export", "ford", "-o", "logs").code == USAGE
