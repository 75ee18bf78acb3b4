"""Let Ctrl-C interrupt only the work that may be given up, so that no order is left half done."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Interrupts:
    """Ignore Ctrl-C, except within `allowed`, in which the first one raises KeyboardInterrupt.

    A second one is ignored too: it would interrupt the answer to the first.
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
