"""Find the names nearest to a mistyped one, and list known names with the nearest first."""

from collections.abc import Iterable

CLOSE = 0.6
"""Least similarity, from 0 to 1, at which a name is suggested."""
MOST = 3
LONGEST = 200
"""Longest name, in characters, that may be a typing error."""


def nearest(name: str, known: Iterable[str], close: float = CLOSE) -> list[str]:
    """Return up to three known names that are most similar to a name, ignoring case, most similar first."""
    from difflib import get_close_matches  # noqa: PLC0415 -- 0.8 ms: only a typo needs it

    if len(name) > LONGEST:
        return []
    lower = {one.lower(): one for one in reversed(tuple(known))}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n=MOST, cutoff=close)]


MOST_LISTED = 24
"""Limit of names that a remedy lists."""
SLIP = 0.5
"""Least similarity, from 0 to 1, at which a name is listed before others."""


def listed(names: Iterable[str], meant: str = "") -> str:
    """Return the known names for a remedy.

    If there are many, list those most similar to `meant` and count the others.
    """
    found = list(dict.fromkeys(names))
    if len(found) <= MOST_LISTED:
        return ", ".join(found) or "none"
    likely = nearest(meant, found, SLIP) if meant else []
    first = [*likely, *(name for name in found if name not in likely)][:MOST_LISTED]
    return f"{', '.join(first)} and {len(found) - len(first)} more"
