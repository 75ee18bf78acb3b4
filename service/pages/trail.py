"""Show the audit trail on a page: one line for each order, the newest first, with the filters in the address."""

from collections.abc import Iterable

import msgspec

from umpire_ledger.desk.core.errors import NotThere
from umpire_ledger.desk.seat import Seat
from umpire_ledger.projections.questions.order_lines import OrderLine
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.service.pages.page_request import Fields

FILTERS = ("text", "side", "unit", "step", "rule", "dice", "undone", "many")
"""Parameters of an address that filter the trail."""
AT_FIRST, MOST = 40, 1000


class TrailPage(msgspec.Struct, frozen=True, kw_only=True):
    """Orders, the newest first. `asked`: the filters; `wrong`: why the trail is empty; `more`: older orders exist."""

    orders: tuple[OrderLine, ...]
    asked: dict[str, str]
    wrong: str
    more: int
    sides: tuple[tuple[str, str], ...]
    units: tuple[str, ...]
    steps: tuple[str, ...]


def trail_of(seat: Seat, view: TurnView, fields: Fields) -> TrailPage:
    """Return the trail for the filters in an address."""
    asked = {name: fields.one(name).strip()[:400] for name in FILTERS if fields.one(name).strip()}
    many = min(max(fields.number("many") or AT_FIRST, 1), MOST)
    orders: Iterable[OrderLine] = ()
    wrong = ""
    try:
        orders = seat.orders(
            last=many + 1,
            dice="dice" in asked,
            all_lines="undone" in asked,
            **{name: asked[name] for name in ("text", "side", "unit", "step", "rule") if name in asked},
        )
    except NotThere as error:
        wrong = f"{error.what}: {error.remedy}"
    newest = tuple(reversed(list(orders)))
    known = seat.known()
    title = seat.game.title
    return TrailPage(
        orders=newest[:many],
        asked=asked,
        wrong=wrong,
        more=min(many * 3, MOST) if len(newest) > many < MOST else 0,
        sides=tuple((one.id, one.name or one.id) for one in view.sides),
        units=tuple(sorted(known.units)),
        steps=tuple(title.plan.places) if title is not None else (),
    )
