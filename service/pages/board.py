"""Describe the board of a page for its script: the side whose units it may command, or the reason for no orders."""

from urllib.parse import quote

import msgspec

from umpire_ledger.desk.seat import Seat
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.service.pages.looking_back import TimeBar


def background_at(seat: Seat) -> str:
    """Return the address of the background picture of a seat's map."""
    return f"/games/{quote(seat.game.id)}/background?as={quote(seat.name)}"


class BoardOrders(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a click on the board. `side`: the side whose units are chosen first; `dice`: the dice mode.

    `closed`: the reason why a click gives no order; "" if it can.
    """

    side: str
    dice: str
    closed: str = ""


def board_orders(seat: Seat, view: TurnView, time: TimeBar, closed: str = "") -> BoardOrders:
    """Return the effect of clicks on the board. `closed`: the reason why the page accepts no orders at all."""
    back = (
        f"You are looking at #{time.at} of {time.size}. You cannot give orders until you return to now"
        if time.at
        else ""
    )
    over = f"The game is over: {view.ended}" if view.ended else ""
    return BoardOrders(
        side=view.side or next(iter(view.waiting), ""),
        dice=str(view.dice.get("from", "")),
        closed=closed or back or over,
    )
