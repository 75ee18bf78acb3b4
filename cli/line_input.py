"""Reading lines at a terminal: with `prompt_toolkit` where it is installed, else with what Python has."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from umpire_ledger.cli.printing import say
from umpire_ledger.ledger.records.places import is_database

Offer = Callable[[str], tuple[str, list[tuple[str, str]]]]
"""From the line up to the cursor to its last word and what could stand for it, each with a remark."""
MOST_LINES = 1000


class LineReader(Protocol):
    """Reads a line. Raises EOFError where there is no more, KeyboardInterrupt."""

    def read(self, label: str) -> str: ...


def reader_for(offer: Offer, history: Path | None) -> LineReader:
    """A reader that completes and keeps a history. `history`: None for one that is forgotten."""
    try:
        from umpire_ledger.cli.toolkit_input import ToolkitReader  # noqa: PLC0415 -- an extra, and slow to import
    except ImportError:
        return PlainReader(offer, history)
    return ToolkitReader(offer, history)


def history_of(where: str, game: str, seat: str) -> Path | None:
    """The file of a seat's lines, beside the ledger: one for each, as one seat's sealed bids are not another's to see.

    None where it cannot be written.
    """
    if where == ":memory:" or is_database(where):
        return None
    folder = Path(f"{where}.history")
    file = folder / f"{quote(game, safe='')}.{quote(seat, safe='')}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        file.touch(mode=0o600)
    except OSError:
        return None
    return file


def lines_kept(history: Path | None) -> list[str]:
    """The lines of earlier evenings, the newest last; none where they cannot be read."""
    try:
        text = history.read_text(encoding="utf-8", errors="replace") if history is not None else ""
    except OSError:
        return []
    return text.splitlines()[-MOST_LINES:]


def keep_line(history: Path | None, line: str) -> None:
    """Keep a line for the next evening; let go where it cannot be written."""
    if history is not None and line.strip():
        # A history of typed lines is a convenience.
        with suppress(OSError), history.open("a", encoding="utf-8", errors="replace") as kept:
            kept.write(line + "\n")


class PlainReader:
    """`input`, with the completion and history of `readline` where Python has it."""

    def __init__(self, offer: Offer, history: Path | None) -> None:
        self._offer = offer
        self._history = history
        self._found: list[str] = []
        try:
            import readline  # noqa: PLC0415 -- not everywhere
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
            say("")  # the cursor still stands behind what was typed
            raise
        keep_line(self._history, line)
        return line

    def _complete(self, _text: str, nth: int) -> str | None:
        """The nth word that readline may put in; it asks from 0 until there is none."""
        import readline  # noqa: PLC0415 -- it is there, it asked

        if nth == 0:
            _, found = self._offer(readline.get_line_buffer()[: readline.get_endidx()])
            self._found = [word for word, _ in found]
        return self._found[nth] if nth < len(self._found) else None
