"""Run a program in a real pseudo-terminal, type into it and read its screen."""

import os
import pty
import re
import select
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>]|[\x00-\x08\x0e-\x1f]")
ASKS_WHERE = b"\x1b[6n"
"""A program's request for the position of the cursor, and a terminal's answer."""
PATIENCE = 30.0


class PseudoTerminal:
    """`with PseudoTerminal([...]) as terminal: terminal.see("> "); terminal.type("status\\r")`."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._unread = b""
        self._code: int | None = None
        self._program, self._mine = pty.fork()
        if self._program == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {**environment, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"})

    def type(self, text: str) -> None:
        os.write(self._mine, text.encode())

    def see(self, words: str) -> str:
        """Return the output up to and including these words, or fail if they do not appear."""
        until = time.monotonic() + PATIENCE
        while words not in (text := _plain(self._unread)):
            assert time.monotonic() < until, f"no {words!r} in {text!r}"
            if not self._hear(0.2):
                assert self._goes_on(), f"it ended without {words!r}: {text!r}"
        self._unread = text.partition(words)[2].encode()
        return text.partition(words)[0] + words

    def shows(self, words: str, seconds: float) -> bool:
        """Return whether these words appear within some seconds."""
        until = time.monotonic() + seconds
        while words not in _plain(self._unread) and time.monotonic() < until:
            self._hear(0.2)
        return words in _plain(self._unread)

    def leave(self) -> int:
        """Send Ctrl-D until the program ends, because one that is sent during a change of terminal mode is lost."""
        for _ in range(5):
            self.type("\x04")
            until = time.monotonic() + 5
            while self._goes_on() and time.monotonic() < until:
                self._hear(0.1)
            if not self._goes_on():
                break
        return self.ends()

    def ends(self) -> int:
        """Wait until the program ends, discard its output, and return the exit code."""
        until = time.monotonic() + PATIENCE
        while self._goes_on():
            assert time.monotonic() < until, f"it goes on: {_plain(self._unread)!r}"
            self._hear(0.1)
        assert self._code is not None
        return self._code

    def _goes_on(self) -> bool:
        if self._code is None:
            ended, status = os.waitpid(self._program, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code is None

    def _hear(self, patience: float) -> bool:
        """Read the available output, and return whether there was any."""
        ready, _, _ = select.select([self._mine], [], [], patience)
        if not ready:
            return False
        try:
            heard = os.read(self._mine, 65536)
        except OSError:  # the other end is closed
            return False
        if ASKS_WHERE in heard:
            os.write(self._mine, b"\x1b[1;1R")
        self._unread += heard
        return bool(heard)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._goes_on():
            os.kill(self._program, signal.SIGKILL)
            os.waitpid(self._program, 0)
        os.close(self._mine)


def _plain(heard: bytes) -> str:
    return CONTROLS.sub("", heard.decode(errors="replace")).replace("\r", "")
