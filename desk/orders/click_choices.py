"""Define the choices after a click on the board, and the reasons to confirm one of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from umpire_ledger.domain.game.events import AccountChanged, AnyEvent, DiceRolled
from umpire_ledger.domain.history.history import PlayedOrder
from umpire_ledger.domain.history.undo_and_rewind import undo_blocker

AsksAgain = Literal["", "dice", "pays", "no undo"]
Given = dict[str, tuple[str, ...]]


class ClickableOrder(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole order that the rules would accept.

    `place`, `unit`: its target. `given`: the words of each argument, as a form takes them. `path`: the places of its
    path; `costs`: the cost up to each of them; `cost`: the total cost. `asks_again`: the reason for which a table
    should confirm it. `dice`: the number of dice results that the table enters with it. `pays`: the amount that each
    account pays, if payment is that reason.
    """

    given: Given
    typed: str
    words: str
    asks_again: AsksAgain
    dice: int = 0
    pays: dict[str, int] = {}
    place: str = ""
    unit: str = ""
    path: tuple[str, ...] = ()
    cost: int = 0
    costs: tuple[int, ...] = ()


class RefusedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The reason for which the rules refuse an order now."""

    code: str
    text: str
    remedy: str


class UnitOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order of a unit. `seat`: the seat that gives it; `form`: the words with which its form is filled in.

    `whole`: the order without a target; `targets`: the orders with each possible target. If it has neither and is not
    `refused`, it must be completed in its form.
    """

    order: str
    seat: str
    words: str
    help: str
    form: Given
    whole: ClickableOrder | None
    targets: tuple[ClickableOrder, ...]
    refused: RefusedOrder | None


class UnitOrders(msgspec.Struct, frozen=True, kw_only=True):
    """The orders of a unit, of a place, or of neither. `root_at`: the number of records for which they are valid."""

    unit: str
    place: str
    side: str
    root_at: int
    orders: tuple[UnitOrder, ...]


def asks_again(events: Sequence[AnyEvent], side: str) -> AsksAgain:
    """Return the reason to confirm an order with these events: it rolls dice, pays, or cannot be undone by its side."""
    if any(isinstance(one, DiceRolled) for one in events):
        return "dice"
    if any(isinstance(one, AccountChanged) and one.amount < 0 for one in events):
        return "pays"
    taken = PlayedOrder(first=0, last=0, seat=side, events=tuple(events))
    return "no undo" if undo_blocker(taken, side) else ""


def paid(events: Sequence[AnyEvent]) -> dict[str, int]:
    """Return the amount that events take from each account."""
    amounts = Counter[str]()
    for one in events:
        if isinstance(one, AccountChanged):
            amounts[one.account] -= one.amount
    return {account: amount for account, amount in amounts.items() if amount > 0}
