"""Find the names nearest to a mistyped one, and list names with these first."""

from collections.abc import Iterable

CLOSE = 0.6
"""The similarity, from 0 to 1, from which one name is suggested for another."""
MOST = 3
LONGEST = 200
"""Characters of the longest name that may be a typing error."""


def nearest(name: str, known: Iterable[str], close: float = CLOSE) -> list[str]:
    """Return the known names most similar to another name, ignoring case, the likeliest first; at most 3."""
    from difflib import get_close_matches  # noqa: PLC0415 -- 0.8 ms: only a typo needs it

    if len(name) > LONGEST:
        return []
    lower = {one.lower(): one for one in reversed(tuple(known))}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n=MOST, cutoff=close)]


MOST_LISTED = 24
"""Names that a remedy lists."""
SLIP = 0.5
"""The similarity, from 0 to 1, from which a name is listed first for another."""


def listed(names: Iterable[str], meant: str = "") -> str:
    """Return the known names for a remedy; of many the most similar to the one meant, and the number of others."""
    found = list(dict.fromkeys(names))
    if len(found) <= MOST_LISTED:
        return ", ".join(found) or "none"
    likely = nearest(meant, found, SLIP) if meant else []
    first = [*likely, *(name for name in found if name not in likely)][:MOST_LISTED]
    return f"{', '.join(first)} and {len(found) - len(first)} more"
