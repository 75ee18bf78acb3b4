"""Show a game at an earlier position: read the position in an address, and find the orders before and after it."""

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.seat import Seat
from umpire_ledger.projections.tables.time_marks import TimeMarks
from umpire_ledger.service.pages.page_request import Fields
from umpire_ledger.service.problems import ProblemDetails, problem_for

MOST_OF_AN_ORDER = 400
"""Maximum number of records to search for the next order."""


class TimeBar(msgspec.Struct, frozen=True, kw_only=True):
    """The position that a page shows. `at`: the position, 0 for now; `field`: its parameter in an address.

    `earlier`, `later`: positions of the neighboring orders, 0 for none. `looked`: the position that the seat read last.
    """

    field: str
    at: int
    size: int
    earlier: int
    later: int
    wrong: ProblemDetails | None = None
    marks: TimeMarks = TimeMarks()
    looked: int = 0

    @property
    def data(self) -> str:
        """The marks for the script of the page, as JSON."""
        return msgspec.json.encode({**msgspec.to_builtins(self.marks), "looked": self.looked}).decode()

    @property
    def shown(self) -> int | None:
        """The position in the form for the desk; None for now."""
        return self.at or None


def time_bar(seat: Seat, fields: Fields, field: str = "at") -> TimeBar:
    """Return the time bar for the position in an address; for a wrong position, show now and give the reason."""
    at, wrong = _position(seat, fields, field)
    last = seat.game.size
    before = seat.orders(stop=at or last, all_lines=True, last=2)
    behind = seat.orders(start=at + 1, stop=min(last, at + MOST_OF_AN_ORDER), all_lines=True) if at else []
    return TimeBar(
        field=field,
        at=at,
        size=last,
        earlier=before[0].last if len(before) > 1 else 0,
        later=behind[0].last if behind else 0,
        wrong=wrong,
        marks=seat.time_marks(),
        looked=seat.looked,
    )


def _position(seat: Seat, fields: Fields, field: str) -> tuple[int, ProblemDetails | None]:
    """Return the position in an address, 0 for now; and the problem if it is wrong."""
    said = fields.one(field).strip()
    if not said:
        return 0, None
    number = fields.number(field)
    try:
        seat.game.verify_position(-1 if number is None else number)
    except EXPECTED as error:
        return 0, problem_for(error)
    return (number or 0) if number != seat.game.size else 0, None
