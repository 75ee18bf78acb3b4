"""Reading orders: from the JSON object of a line to an `Order`, with refusals that say what would have been right."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Protocol

import msgspec

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS

AGAIN = "again"
"""In the words of an order that was played again: the position of the one it repeats."""
SIGNATURE = ("saw", "signed")
"""In the words of an order that its seat has signed: the position it saw, and the signature."""
BESIDE = ("id", "pips", "leave", "happened_at", "witness", AGAIN, "entered_by", *SIGNATURE)
"""Keys that an order may have in addition to its own arguments. `entered_by`: the seat that entered it for another."""

VOLATILE = {"pips", AGAIN, *SIGNATURE, "entered_by"}
"""Keys of a recorded order that may differ when it is re-played."""

_encode = msgspec.json.Encoder(order="sorted").encode


def core_of(words: Mapping[str, Any]) -> bytes:
    """Return a hash of the arguments that an order and its repetition have in common."""
    return hashlib.sha256(_encode({name: value for name, value in words.items() if name not in VOLATILE})).digest()


class KnowsOrders(Protocol):
    """A title as the order reader needs it: its id, and every readable order, by name."""

    @property
    def id(self) -> str: ...
    @property
    def every_order(self) -> Mapping[str, type[o.Order]]: ...


HERE = "here"
"""The value of `leave` that ends no more than the step."""

Witness = Annotated[str, msgspec.Meta(max_length=200)]


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """An order as it was sent: `id` makes it one order however often it is sent, `pips` are results rolled at the
    table.

    `leave`: with it the side ends the step: `HERE`, or further steps up to a place, as `done --until` does.
    `happened_at`: the time of the event, if it is written down late; RFC 3339, checked by the caller with a clock.
    `witness`: the person who saw it. Both stay in the order's cause. `seed`: a new one for the ledger's dice, which no
    file holds: the recorder draws it, for an order that may need it. `entered_by`: the referee, who entered it for its
    seat; "" if the seat itself gives it.
    """

    order: o.Order
    id: str = ""
    pips: tuple[int, ...] | None = None
    leave: str = ""
    happened_at: str = ""
    witness: str = ""
    seed: str = ""
    entered_by: str = ""

    @property
    def hand(self) -> str:
        """The seat that gives the order: its own, or the referee who enters it."""
        return self.entered_by or self.order.seat


SENT: Mapping[str, Any] = {
    "id": str,
    "pips": tuple[int, ...] | None,
    "leave": str,
    "happened_at": str,
    "witness": Witness,
    "entered_by": str,
}
"""The fields of `Sent` that an order may be sent with, and the type of each."""


def read_order(title: KnowsOrders, raw: Mapping[str, Any], where: str = "") -> Sent:
    """Return the order of a JSON object.

    Raises:
        RuleViolation: When the name is unknown, an argument is wrong, or the results are wrong.
    """
    body = {name: value for name, value in raw.items() if name not in BESIDE}
    known = title.every_order
    name = body.get("order")
    order = known.get(name) if isinstance(name, str) else None
    if order is None:
        raise no_such_order(name, known, where)
    try:
        return Sent(
            order=msgspec.convert(body, order),
            **{name: msgspec.convert(raw[name], kind) for name, kind in SENT.items() if name in raw},
        )
    except msgspec.ValidationError as error:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "unreadable-order",
            {"name": name, "error": error, "title": title.id},
            where=where,
            rule=f"order {name}",
        ) from error


def no_such_order(name: object, known: Mapping[str, type[o.Order]], where: str) -> UnknownName:
    """Return the refusal of an unknown order name, with the nearest names of the title."""
    near = nearest(str(name), known)
    return refusal(
        UnknownName,
        REFUSALS,
        "no-such-order-nearest"
        if name is not None and near
        else "no-such-order"
        if name is not None and not (near)
        else "order-name-missing-nearest"
        if not (name is not None) and near
        else "order-name-missing",
        {"name": name, "near": near},
        where=where,
        rule="orders",
    )
