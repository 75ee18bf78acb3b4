"""The nearest names for one that is a slip of the pen, and lists of names in which they come first."""

from collections.abc import Iterable

CLOSE = 0.6
"""How alike two names are, from 0 to 1, for one to be offered for the other."""
MOST = 3
LONGEST = 200
"""Characters of the longest name that may be a typing error."""


def nearest(name: str, known: Iterable[str], close: float = CLOSE) -> list[str]:
    """The names that are most like one that is not among them, whatever the case, the likeliest first; at most 3."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only a slip needs it

    if len(name) > LONGEST:
        return []
    lower = {one.lower(): one for one in reversed(tuple(known))}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n=MOST, cutoff=close)]


MOST_LISTED = 24
"""Names that a remedy lists."""
SLIP = 0.5
"""How alike two names are, from 0 to 1, for one to be listed first for the other."""


def listed(names: Iterable[str], meant: str = "") -> str:
    """The names that would do, for a remedy; of many those first that are like the one meant, and how many more."""
    found = list(dict.fromkeys(names))
    if len(found) <= MOST_LISTED:
        return ", ".join(found) or "none"
    likely = nearest(meant, found, SLIP) if meant else []
    first = [*likely, *(name for name in found if name not in likely)][:MOST_LISTED]
    return f"{', '.join(first)} and {len(found) - len(first)} more"
