"""Build the rows of orders: seat, order, arguments and sentence, limited to public facts.

The rows never contain secret facts. The audit trail has these on the order's secret record, for the seats that may see
it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.record.sentence import sentence
from umpire_ledger.projections.record.visible_record import VisibleRecord
from umpire_ledger.projections.tables.views_file import UNSEEN, row_id

OrderRow = tuple[
    str, int, int, int, str, str, str, str, str, bool, str, str, str, str, str | None, str, int
]  # fmt: skip
"""The columns of table `orders`, in the order of `catalogue.TABLES`."""
BESIDE = ("as", "order", "id", "entered_by", "happened_at", "witness")
"""Keys of an order that are not arguments. Most have their own columns."""


class OrderContext(msgspec.Struct, frozen=True):
    """The place of an order in the sequence of play, and whether the order counts."""

    turn: int
    step: str
    counts: bool


_json = msgspec.json.Encoder().encode
_order = msgspec.json.Decoder(dict[str, Any]).decode


def order_row(
    key: int, id: str, records: Sequence[VisibleRecord], given: OrderContext, title: Title | None, game: Game
) -> OrderRow:
    """Return the row of an order.

    Args:
        key: The key of its game in this file.
        id: The id of its game.
        records: All records of the order.
        given: Its place in the sequence of play.
        title: The title of its game, for its words.
        game: The game after the order, for the names of sides.
    """
    first, last = records[0], records[-1]
    seats = _seats_of_cause(records)
    cause = next((one.cause for one in records if one.cause), None) if seats is None else None
    asked = _order(cause) if cause else {}
    public = [one.event for one in records if one.visible_to is None and one.event is not None]
    return (
        id,
        first.position,
        last.position,
        given.turn,
        given.step,
        first.seat,
        sentence(title, game, first.seat, asked, public) or UNSEEN,
        str(asked.get("order", "")),
        str(_json({name: value for name, value in asked.items() if name not in BESIDE}), "utf-8"),
        given.counts,
        first.at,
        str(asked.get("entered_by", "")),
        str(asked.get("happened_at", "")),
        str(asked.get("witness", "")),
        seats,
        first.command,
        row_id(key, first.position),
    )


def _seats_of_cause(records: Sequence[VisibleRecord]) -> str | None:
    """Return the seats that may see an order's text, as JSON; None if it is public.

    The text is on the order's most secret record, and is withheld with it.
    """
    for record in records:
        if record.visible_to is not None and (record.cause or record.event is None):
            return str(_json(record.visible_to), "utf-8")
    return None
