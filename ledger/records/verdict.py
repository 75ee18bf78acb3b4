"""Define the result of a check, as plain data and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

VALID = "VALID"
REDACTED = "VALID WITH REDACTIONS"
INCOMPLETE = "INCOMPLETE"
INVALID = "INVALID"

MOST = 100
"""Limit of stretches and of backward steps of the clock that are named. Further ones are only counted."""
MOST_IN_WORDS = 8

Stretch = tuple[int, int]
"""First and last position, both included."""


class ClockBack(msgspec.Struct, frozen=True):
    """A record whose time is earlier than its predecessor's. Times are UTC, as in the records."""

    position: int
    at: str
    before: str
    """The predecessor's time."""

    @property
    def what(self) -> str:
        """The finding in words."""
        return f"the clock was set back: recorded at {self.at}, after a record of {self.before}"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check of a log or a game."""

    verdict: Literal["VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"]
    game: str = ""
    size: int = 0
    """Number of records read and found good: all of them, or those before the first bad one."""
    root: str = ""
    """Root over `size` records, in hex."""
    redacted: int = 0
    """Number of withheld records among them."""
    public_withheld: int = 0
    """Number of withheld public records. If there are any, the log is INCOMPLETE."""
    public_withheld_at: tuple[Stretch, ...] = ()
    """The first `MOST` stretches of withheld public records."""
    private_withheld_at: tuple[Stretch, ...] = ()
    """The first `MOST` stretches of withheld private records."""
    held_against: int | None = None
    """Number of records in the external checkpoint that the log was compared with and matches."""
    first_bad: int | None = None
    """The first record that is not verified; 0 is the header of a replay log."""
    changed_between: Stretch | None = None
    """Range in which one or more records changed. A change that only a hash reveals is found at the next `prior`."""
    reason: str = ""
    expected: str = ""
    found: str = ""
    clock_back: tuple[ClockBack, ...] = ()
    """The first `MOST` records that are earlier than their predecessor. This is not a fault of the log."""
    clock_back_left_out: int = 0

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong and nothing is missing. Private records may be withheld."""
        return self.verdict in (VALID, REDACTED)

    @property
    def private_withheld(self) -> int:
        """Number of withheld records that only some seats may see."""
        return self.redacted - self.public_withheld


class Withheld:
    """A counter of withheld records in a log, with the positions of public ones."""

    def __init__(self) -> None:
        self.all = 0
        self.public = 0
        self.public_at: list[Stretch] = []
        self.private_at: list[Stretch] = []

    def see(self, position: int, *, public: bool) -> None:
        """Count one more withheld record."""
        self.all += 1
        self.public += public
        stretches = self.public_at if public else self.private_at
        if stretches and stretches[-1][1] == position - 1:
            stretches[-1] = stretches[-1][0], position
        elif len(stretches) < MOST:
            stretches.append((position, position))

    @property
    def reason(self) -> str:
        """The reason why a log without some of its public records is incomplete."""
        what = "1 public record is" if self.public == 1 else f"{self.public} public records are"
        return f"{what} withheld: {in_words(self.public_at)}"


def in_words(stretches: Sequence[Stretch]) -> str:
    """Return stretches as `#3, #7 to #9`. Only the first few are named."""
    named = [f"#{first}" if first == last else f"#{first} to #{last}" for first, last in stretches[:MOST_IN_WORDS]]
    return ", ".join(named) + (", …" if len(stretches) > MOST_IN_WORDS else "")
