"""Read lines at a terminal with `prompt_toolkit` if it is installed, else with Python's standard library."""

from pathlib import Path
from typing import Protocol

from umpire_ledger.cli.line_history import MOST_LINES, Offer, keep_line, lines_kept
from umpire_ledger.cli.printing import say


class LineReader(Protocol):
    """A reader of lines. It raises `EOFError` at the end of input, and `KeyboardInterrupt` at Ctrl-C."""

    def read(self, label: str) -> str: ...


def reader_for(offer: Offer, history: Path | None) -> LineReader:
    """Return a reader with completion and a history. `history`: its file; None for no history."""
    try:
        from umpire_ledger.cli.toolkit_input import ToolkitReader  # noqa: PLC0415 -- 68 ms: an extra, and slow to import
    except ImportError:
        return PlainReader(offer, history)
    return ToolkitReader(offer, history)


class PlainReader:
    """A reader that uses `input`, with completion and history by `readline` if Python has it."""

    def __init__(self, offer: Offer, history: Path | None) -> None:
        self._offer = offer
        self._history = history
        self._found: list[str] = []
        try:
            import readline  # noqa: PLC0415 -- may be missing: not everywhere
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
        readline.set_history_length(MOST_LINES)
        for line in lines_kept(history):
            readline.add_history(line)

    def read(self, label: str) -> str:
        try:
            line = input(label)
        except KeyboardInterrupt:
            say("")  # the cursor is still at the end of the typed text
            raise
        keep_line(self._history, line)
        return line

    def _complete(self, _text: str, nth: int) -> str | None:
        """Return the nth completion for readline, which calls this with 0, 1, 2, … until it gets None."""
        import readline  # noqa: PLC0415 -- may be missing: it is there, it asked

        if nth == 0:
            _, found = self._offer(readline.get_line_buffer()[: readline.get_endidx()])
            self._found = [word for word, _ in found]
        return self._found[nth] if nth < len(self._found) else None
