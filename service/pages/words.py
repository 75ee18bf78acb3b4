"""Write times and values as pages show them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from umpire_ledger.domain.game.verb_agreement import counted

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def read(at: str) -> datetime | None:
    """Return a time that the ledger wrote; None if it is malformed."""
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return None


def moment(at: str) -> str:
    """Return a time as in a page's `<time>` element: `2026-11-22 13:40 UTC`."""
    found = read(at)
    return found.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if found else at


def clock(at: str) -> str:
    """Return the hour and minute of a time, in UTC."""
    found = read(at)
    return found.astimezone(UTC).strftime("%H:%M") if found else ""


def ago(at: str, now: datetime | None = None) -> str:
    """Return the duration since a time: `less than a minute`, `5 min`, `2 h 10 min`, `3 days`."""
    found = read(at)
    if found is None:
        return ""
    gone = (now or datetime.now(UTC)) - found
    if gone < MINUTE:
        return "less than a minute"
    if gone < HOUR:
        return f"{gone // MINUTE} min"
    if gone < DAY:
        minutes = gone % HOUR // MINUTE
        return f"{gone // HOUR} h" + (f" {minutes} min" if minutes else "")
    return counted(gone // DAY, "day")


def plain_value(value: Any) -> str:
    """Return the value of a marker or a choice as text."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
