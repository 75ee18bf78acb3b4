"""The nearest names for one that is a slip of the pen."""

from collections.abc import Iterable

CLOSE = 0.6
"""How alike two names are, from 0 to 1, for one to be offered for the other."""
MOST = 3


def nearest(name: str, known: Iterable[str], close: float = CLOSE) -> list[str]:
    """The names that are most like one that is not among them, whatever the case, the likeliest first; at most 3."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only a slip needs it

    lower = {one.lower(): one for one in reversed(tuple(known))}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n=MOST, cutoff=close)]
