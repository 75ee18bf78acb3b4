"""Make file names for logs: valid on every file system for every id of a game, and different for different ids."""

import re
from collections.abc import Iterable
from hashlib import sha256

ENDING = ".jsonl"
LONGEST = 120
"""Bytes before the ending; file systems take 255, some less with what backups add."""

_strange = re.compile(r"[^A-Za-z0-9._-]|^\.|\.$")
_devices = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE).fullmatch


def log_name(game_id: str, more: str = "") -> str:
    """Return the name of a game's log."""
    return f"{plain_name(game_id)}{more}{ENDING}"


def plain_name(game_id: str) -> str:
    """Return an id with %XX for each byte that a file system might misread."""
    plain = _strange.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), game_id)
    if _devices(plain):
        plain = f"%{ord(plain[0]):02X}{plain[1:]}"
    if len(plain) > LONGEST:
        plain = f"{plain[: LONGEST - 17]}-{_short_hash(game_id)}"
    return plain


def log_names(games: Iterable[str]) -> dict[str, str]:
    """Return a name for each game; ids that differ only in case get a hash, for case-insensitive file systems."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for game in games:
        name = log_name(game)
        if name.lower() in taken:
            name = log_name(game, f"-{_short_hash(game)}")
        taken.add(name.lower())
        found[game] = name
    return found


def _short_hash(game_id: str) -> str:
    return sha256(game_id.encode()).hexdigest()[:16]
