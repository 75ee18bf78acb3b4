"""Let Ctrl-C interrupt only work that can be abandoned, so that no order is half done."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Interrupts:
    """A guard that ignores Ctrl-C, except within `allowed`: there, the first Ctrl-C raises KeyboardInterrupt.

    A second Ctrl-C is also ignored, because it would interrupt the answer to the first.
    """

    def __init__(self) -> None:
        self._allowed = False
        self._before: signal._HANDLER = None

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Let one Ctrl-C raise KeyboardInterrupt."""
        self._allowed = True
        try:
            yield
        finally:
            self._allowed = False

    def _heard(self, _signal: int, _frame: FrameType | None) -> None:
        if self._allowed:
            self._allowed = False
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
