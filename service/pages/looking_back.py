"""Look back at a position of a game: the position in an address, and the orders before and after it."""

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.seat import Seat
from umpire_ledger.service.pages.page_request import Fields
from umpire_ledger.service.problems import ProblemDetails, problem_for

MOST_OF_AN_ORDER = 400
"""Records that are looked through for the next order."""


class TimeBar(msgspec.Struct, frozen=True, kw_only=True):
    """The position that a page shows. `at`: 0 for now; `field`: its name in an address; `wrong`: why it is not shown.

    `earlier`, `later`: positions of the neighboring orders, 0 for none.
    """

    field: str
    at: int
    size: int
    earlier: int
    later: int
    wrong: ProblemDetails | None = None

    @property
    def shown(self) -> int | None:
        """The position as the desk takes it; None for now."""
        return self.at or None


def time_bar(seat: Seat, fields: Fields, field: str = "at") -> TimeBar:
    """Return the time bar for the position that an address names; an unknown position is now, with the reason."""
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
