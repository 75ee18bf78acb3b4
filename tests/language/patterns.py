"""Read the patterns of `patterns.tsv` and count the sentences that match them.

The patterns are smells, not bans. Never twist a sentence to avoid one. Write the plain sentence, and add it to the
pattern's column `except` with a reason.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("patterns.tsv")


class Pattern(NamedTuple):
    """A smell: its name in the counts, the expression that finds it, and the replacement to use."""

    name: str
    regex: re.Pattern[str]
    instead: str

    def hits(self, text: str) -> Iterator[str]:
        """Yield the matching words of a text, without the excepted phrases."""
        for found in self.regex.finditer(text):
            if found["hit"] is not None:
                yield found["hit"]


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns of the table.

    Raises:
        ValueError: A row has an exception without a reason.
    """
    rows = (line.split("\t") for line in TABLE.read_text("utf-8").splitlines()[1:])
    return tuple(_pattern(*(*row, "", "")[:5]) for row in rows)


def _pattern(name: str, pattern: str, instead: str, excepted: str, reason: str) -> Pattern:
    if bool(excepted) != bool(reason):
        raise ValueError(f"pattern {name}: an exception needs its reason, and a reason its exception")
    found = f"(?P<hit>{pattern})"
    return Pattern(name, re.compile(f"{excepted}|{found}" if excepted else found, re.I | re.M), instead)
