"""Read `umpire.toml`: settings for every command, from the working directory or its nearest parent that has the file.

    ledger = "club.db"          # UMPIRE_LEDGER; relative to this file
    seat = "athens"             # UMPIRE_SEAT
    dice = "table"              # UMPIRE_DICE, for `umpire new`
    times = "local"             # UMPIRE_TIMES
    remind = "3d"               # UMPIRE_REMIND, for `umpire notices` and `umpire serve`
    webhook = "https://…"       # UMPIRE_WEBHOOK

    [mail]                      # UMPIRE_SMTP_HOST and so on
    host = "mail.example.org"

Each entry sets a variable of the environment. A variable that is already set takes precedence, and an option takes
precedence over both. No message shows a value of the file, because some values are secrets.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from umpire_ledger.cli.errors import Refusal, usage
from umpire_ledger.domain.game.nearest import nearest

FILE = "umpire.toml"
MOST = 2**16
"""Maximum size of the file, in bytes."""
KEYS = {
    "ledger": "UMPIRE_LEDGER",
    "seat": "UMPIRE_SEAT",
    "dice": "UMPIRE_DICE",
    "times": "UMPIRE_TIMES",
    "remind": "UMPIRE_REMIND",
    "webhook": "UMPIRE_WEBHOOK",
    "mail.host": "UMPIRE_SMTP_HOST",
    "mail.port": "UMPIRE_SMTP_PORT",
    "mail.user": "UMPIRE_SMTP_USER",
    "mail.password": "UMPIRE_SMTP_PASSWORD",
    "mail.from": "UMPIRE_SMTP_FROM",
    "mail.tls": "UMPIRE_SMTP_TLS",
    "mail.addresses": "UMPIRE_ADDRESSES",
}
"""Each entry and its variable."""
CHOICES = {
    "dice": ("ledger", "shared", "witnessed", "table"),
    "times": ("local", "utc"),
    "mail.tls": ("auto", "starttls", "tls", "none"),
}


def read(file: str) -> dict[str, str]:
    """Return the variables that a file sets.

    Raises:
        Refusal: When the file cannot be read or an entry is wrong; for an unknown entry, it suggests a similar one.
    """
    try:
        raw = Path(file).read_bytes()[: MOST + 1]
        parsed = tomllib.loads(raw.decode()) if len(raw) <= MOST else {}
    except OSError as error:
        raise _refuse(file, f"{FILE} cannot be read: {error.strerror}", "make it readable, or move it away") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refuse(file, f"{FILE} is not TOML{_place(error)}", "fix that line; text needs quotes") from None
    if len(raw) > MOST:
        raise _refuse(file, f"{FILE} is larger than {MOST} bytes", "remove everything except settings")
    return {KEYS[name]: _text(file, name, value) for name, value in _flat(file, parsed)}


def _place(error: ValueError) -> str:
    """Return the line and column of a syntax error in a file, without the text there."""
    _, at, place = str(error).rpartition(" (at ")
    return f", {place.rstrip(')')}" if at else ""


def _flat(file: str, parsed: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the entries by dotted name."""
    for name, value in parsed.items():
        inside = value.items() if name == "mail" and isinstance(value, dict) else ()
        for inner, one in inside:
            yield _known(file, f"mail.{inner}"), one
        if name != "mail" or not isinstance(value, dict):
            yield _known(file, name), value


def _known(file: str, name: str) -> str:
    if name in KEYS:
        return name
    near = nearest(name, KEYS)
    remedy = f"did you mean {' or '.join(near)}?" if near else f"name one of: {', '.join(KEYS)}"
    raise _refuse(file, f"there is no setting {name}", remedy)


def _text(file: str, name: str, value: Any) -> str:
    """Return the value as text for the environment.

    Raises:
        Refusal: When the value is not valid; the message does not show it.
    """
    choices = CHOICES.get(name)
    if name == "mail.port" and type(value) is int:
        return str(value)
    if not isinstance(value, str) or name == "mail.port":
        takes = "a whole number" if name == "mail.port" else "text in quotes"
        raise _refuse(file, f"{name} is not valid", f"it needs {takes}")
    if choices and value not in choices:
        raise _refuse(file, f"{name} is not valid", f"it needs {' or '.join(choices)}, in quotes")
    return os.path.join(os.path.dirname(file), value) if name == "ledger" and not _is_place(value) else value


def _is_place(ledger: str) -> bool:
    """Return whether a ledger is a URL or in memory, not a file relative to the settings."""
    return "://" in ledger or ledger == ":memory:"


def _refuse(file: str, what: str, remedy: str) -> Refusal:
    return usage(what, where=file, rule=FILE, remedy=remedy)
