"""Show long answers on a terminal with a pager (`PAGER`, else `less -FRX`), and print short answers directly."""

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

LOOKS = frozenset(
    (
        *(
            "account",
            "audit",
            "branches",
            "conformance",
            "dice",
            "diff",
            "dispute",
            "doctor",
            "games",
            "known",
            "orders",
        ),
        *("referee", "refusals", "rulings", "scenario", "sequence", "since", "sitrep", "status", "times", "titles"),
        *("undo-points", "unit", "units", "why"),
    )
)
"""Commands whose answers may be long; commands that give an order or ask a question do not use a pager."""


@contextmanager
def paged(words: list[str]) -> Iterator[None]:
    """Show standard output in a pager if it is a terminal and the text is longer than the screen."""
    command = _command() if words and words[0] in LOOKS else []
    if not command:
        yield
        return
    terminal = sys.stdout
    through = _Through(command, shutil.get_terminal_size().lines)
    sys.stdout = through
    try:
        yield
    finally:
        sys.stdout = terminal
        through.finish(terminal)


def _command() -> list[str]:
    """Return the pager and its options; [] for no pager."""
    given = os.environ.get("PAGER")
    if given is None:
        return ["less", "-FRX"] if shutil.which("less") and os.environ.get("TERM", "") not in ("", "dumb") else []
    words = shlex.split(given)
    return [] if not words or words == ["cat"] or not shutil.which(words[0]) else words


class _Through(io.TextIOBase):
    """A text stream that stores text until it is longer than the screen, and then passes it to the pager."""

    def __init__(self, command: list[str], screen: int) -> None:
        self.command, self.screen = command, screen
        self.kept = ""
        self.pager: subprocess.Popen[str] | None = None

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.kept += text
        if self.pager is None and self.kept.count("\n") >= self.screen:
            environment = {"LESS": "FRX", **os.environ}
            self.pager = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", env=environment
            )
        if self.pager is not None and self.pager.stdin is not None:
            held, self.kept = self.kept, ""
            self.pager.stdin.write(held)
        return len(text)

    def finish(self, terminal: TextIO) -> None:
        """Print the stored text, or wait until the user closes the pager."""
        if self.pager is None:
            terminal.write(self.kept)
            terminal.flush()
            return
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with suppress(BrokenPipeError):  # the user closed the pager
                self.pager.communicate()
        finally:
            signal.signal(signal.SIGINT, before)
