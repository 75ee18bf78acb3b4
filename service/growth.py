"""Limit how fast one seat may make the log grow.

A request may record 500 rolls of 100 dice, and a seat may send 20 such requests per second. The size of a request's
records is known only at its end. Then the seat is charged, and its next request waits until its allowance is not empty.
Each worker process has its own count; a restart begins with a full allowance.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from umpire_ledger.ledger.storage.byte_counter import counted
from umpire_ledger.service.limits import Allowance
from umpire_ledger.service.problems import too_often

KIB = 2**10
AT_ONCE = 8
"""Minutes of growth that a seat may use at once."""


class Growth:
    """The bytes of records and logged refusals that each seat may add. `a_minute`: the limit per minute, in KiB."""

    def __init__(self, a_minute: int) -> None:
        self._rule = f"each seat may add {a_minute} KiB to the log per minute, and {AT_ONCE * a_minute} KiB at once"
        self._allowance = Allowance(a_minute * KIB / 60, AT_ONCE * a_minute * KIB)

    @contextmanager
    def limited(self, game_id: str, seat: str) -> Iterator[None]:
        """Charge a seat for the bytes that are recorded in the context.

        Raises:
            RequestRefused: When the seat has used up its allowance.
        """
        who = f"{game_id}\0{seat}"
        if wait := self._allowance.wait(who):
            used = int(self._allowance.used(who)) // KIB
            raise too_often(wait, self._rule, f"orders of {seat} have made the log grow by {used} KiB", where=game_id)
        with counted() as written:
            try:
                yield
            finally:
                self._allowance.spend(who, written.size)
