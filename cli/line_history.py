"""Store the typed lines of each seat at the prompt, and declare the type of completions."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from umpire_ledger.ledger.records.ledger_address import is_database

Offer = Callable[[str], tuple[str, list[tuple[str, str]]]]
"""Return the last word before the cursor, and its completions, each with a remark."""
MOST_LINES = 1000


def history_of(where: str, game_id: str, seat: str) -> Path | None:
    """Return the history file of a seat, next to the ledger; None if it cannot be written.

    Each seat has its own file, because another seat must not read its sealed bids.
    """
    if where == ":memory:" or is_database(where):
        return None
    folder = Path(f"{where}.history")
    file = folder / f"{quote(game_id, safe='')}.{quote(seat, safe='')}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        file.touch(mode=0o600)
    except OSError:
        return None
    return file


def lines_kept(history: Path | None) -> list[str]:
    """Return the lines of earlier sessions, the newest last; an empty list if they cannot be read."""
    try:
        text = history.read_text(encoding="utf-8", errors="replace") if history is not None else ""
    except OSError:
        return []
    return text.splitlines()[-MOST_LINES:]


def keep_line(history: Path | None, line: str) -> None:
    """Store a line for the next session; ignore a failure to write."""
    if history is not None and line.strip():
        # The history is only a convenience, so a failure must not stop play.
        with suppress(OSError), history.open("a", encoding="utf-8", errors="replace") as kept:
            kept.write(line + "\n")
