"""Keep the lines that a person typed, and describe what could be typed next."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from umpire_ledger.ledger.records.places import is_database

Offer = Callable[[str], tuple[str, list[tuple[str, str]]]]
"""From the line up to the cursor to its last word and what could stand for it, each with a remark."""
MOST_LINES = 1000


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
