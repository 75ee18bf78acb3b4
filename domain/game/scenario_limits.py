"""Limit the size of a scenario. A larger file is refused before it is parsed, and the refusal names the limit.

The TOML parser reads one character at a time, and a dotted key takes time in the square of its parts. With these limits
the worst file takes less than a second. The largest scenario in play has some 300 entries in 9 KiB.
"""

import re

from umpire_ledger.domain.game.errors import ScenarioError

MOST_CHARACTERS = 2**20
MOST_PARTS = 16
"""Limit of dotted parts in one key."""
MOST_LEVELS = 32
"""Limit of levels of nested arrays and inline tables."""
MOST_ENTRIES = 30_000
"""Limit of keys with a value."""
MOST_ITEMS = 100_000
"""Limit of values in all arrays and inline tables together."""
MOST_DIGITS = 20

_texts = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
_PART = r'(?:[\w-]+|"")'
_deep_key = re.compile(rf'(?<![\w"-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{MOST_PARTS}}}')
_long_number = re.compile(rf"(?<![\w-])(?:0[xob][0-9A-Fa-f_]{{{MOST_DIGITS + 1}}}|[0-9][0-9_]{{{MOST_DIGITS}}})")


def verify_size(text: str) -> None:
    """Check the text of a scenario against the limits.

    Raises:
        ScenarioError: The text exceeds a limit.
    """
    beyond = _beyond(text)
    if beyond:
        what, limit = beyond
        remedy = "remove what the game does not need, or set it up with orders"
        raise ScenarioError(
            f"the scenario is too large: {what}",
            where="$",
            rule=f"limits: {limit}",
            remedy=remedy,
            fields={"reason": "too-large"},
        )


def _beyond(text: str) -> tuple[str, str] | None:
    """Return the excess and the limit in words; None if the text is within the limits."""
    if len(text) > MOST_CHARACTERS:
        return f"{len(text):,} characters", f"at most {MOST_CHARACTERS:,} characters"
    bare = _texts.sub(lambda found: "" if found[0].startswith("#") else '""', text)
    if _deep_key.search(bare):
        return f"a key of more than {MOST_PARTS} parts", f"a key has at most {MOST_PARTS} dotted parts"
    if _is_deeper(bare):
        return f"it is nested deeper than {MOST_LEVELS} levels", f"at most {MOST_LEVELS} levels"
    if _long_number.search(bare):
        return f"a number of more than {MOST_DIGITS} digits", f"a number has at most {MOST_DIGITS} digits"
    if bare.count("=") > MOST_ENTRIES:
        return f"{bare.count('='):,} entries", f"at most {MOST_ENTRIES:,} entries"
    if bare.count(",") > MOST_ITEMS:
        return f"{bare.count(','):,} values in arrays", f"at most {MOST_ITEMS:,} values in arrays"
    return None


def _is_deeper(bare: str) -> bool:
    level = 0
    for sign in re.findall(r"[\[\]{}]", bare):
        level += 1 if sign in "[{" else -1
        if level > MOST_LEVELS:
            return True
    return False
