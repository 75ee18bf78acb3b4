"""Make file names for logs that are valid on every file system and differ for different game ids."""

import re
from collections.abc import Iterable
from hashlib import sha256

ENDING = ".jsonl"
LONGEST = 120
"""Maximum number of bytes before the ending. File systems allow 255, but backup programs may add to a name."""

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
    """Return a file name for each game; add a hash if ids differ only in case, for case-insensitive file systems."""
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
