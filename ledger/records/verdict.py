"""Describe the result of a check as plain data and in a referee's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

VALID = "VALID"
REDACTED = "VALID WITH REDACTIONS"
INCOMPLETE = "INCOMPLETE"
INVALID = "INVALID"

MOST = 100
"""Stretches, and steps back of the clock, that are named; the others are counted."""
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
        """In words."""
        return f"the clock was set back: recorded at {self.at}, after a record of {self.before}"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check."""

    verdict: Literal["VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"]
    game: str = ""
    size: int = 0
    """Records read and found good: all of them, or those before the first bad one."""
    root: str = ""
    """Over `size` records, in hex."""
    redacted: int = 0
    """The number of withheld records among them."""
    public_withheld: int = 0
    """The number of withheld public records; with any the log is INCOMPLETE."""
    public_withheld_at: tuple[Stretch, ...] = ()
    """The first `MOST` stretches of withheld public records."""
    private_withheld_at: tuple[Stretch, ...] = ()
    """The first `MOST` stretches of the other withheld records."""
    held_against: int | None = None
    """The number of records in the external checkpoint that the log was compared with and matches."""
    first_bad: int | None = None
    """The first record that is not verified; 0 is the header of a replay log."""
    changed_between: Stretch | None = None
    """One or more of these records changed: a change that only a hash shows is found at the next `prior`."""
    reason: str = ""
    expected: str = ""
    found: str = ""
    clock_back: tuple[ClockBack, ...] = ()
    """Records that are earlier than their predecessor, the first `MOST`: no fault of the log."""
    clock_back_left_out: int = 0

    @property
    def valid(self) -> bool:
        """Nothing is wrong and nothing is missing, though some private records may be withheld."""
        return self.verdict in (VALID, REDACTED)

    @property
    def private_withheld(self) -> int:
        """Withheld records that only some seats may see."""
        return self.redacted - self.public_withheld


class Withheld:
    """Counts withheld records while a log goes by, and keeps where public ones are."""

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
        """The reason for calling a log without some of its public records incomplete."""
        what = "1 public record is" if self.public == 1 else f"{self.public} public records are"
        return f"{what} withheld: {in_words(self.public_at)}"


def in_words(stretches: Sequence[Stretch]) -> str:
    """Format stretches as `#3, #7 to #9`; only the first few are named."""
    named = [f"#{first}" if first == last else f"#{first} to #{last}" for first, last in stretches[:MOST_IN_WORDS]]
    return ", ".join(named) + (", …" if len(stretches) > MOST_IN_WORDS else "")
