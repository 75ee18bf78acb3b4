"""Read an `Order` from the JSON object of a line, with refusals that say what is valid."""

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
"""Key of a re-played order: the position of the order that it repeats."""
SIGNATURE = ("saw", "signed")
"""Keys of a signed order: the newest position that its seat saw, and the signature."""
BESIDE = ("id", "pips", "leave", "happened_at", "witness", AGAIN, "entered_by", *SIGNATURE)
"""Keys that an order may have in addition to its own arguments. `entered_by`: the seat that entered it for another."""

VOLATILE = {"pips", AGAIN, *SIGNATURE, "entered_by"}
"""Keys of a recorded order that may differ when it is re-played."""

_encode = msgspec.json.Encoder(order="sorted").encode


def core_of(words: Mapping[str, Any]) -> bytes:
    """Return a hash of the arguments that an order and its repetition share."""
    return hashlib.sha256(_encode({name: value for name, value in words.items() if name not in VOLATILE})).digest()


class KnowsOrders(Protocol):
    """A title as the reader of orders needs it: its id, and every readable order by name."""

    @property
    def id(self) -> str: ...
    @property
    def every_order(self) -> Mapping[str, type[o.Order]]: ...


HERE = "here"
"""Value of `leave` that ends only the current step."""

Witness = Annotated[str, msgspec.Meta(max_length=200)]


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """An order as it was sent.

    `id`: the order id; an order sent several times counts once. `pips`: results rolled at the table. `leave`: the side
    also ends the step (`HERE`), or the steps up to a place, as `done --until` does. `happened_at`: the time of the
    event if it is written down late, in RFC 3339, checked by a caller that has a clock. `witness`: the person who saw
    it. The last two are stored in the order's cause. `seed`: a new seed for the ledger's dice, for an order that may
    need one; the recorder draws it, and no file holds it. `entered_by`: the referee, if the referee entered the order
    for its seat; "" if the seat itself gave it.
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
        """The seat that gives the order: its own, or the referee if the referee enters it."""
        return self.entered_by or self.order.seat


SENT: Mapping[str, Any] = {
    "id": str,
    "pips": tuple[int, ...] | None,
    "leave": str,
    "happened_at": str,
    "witness": Witness,
    "entered_by": str,
}
"""Fields of `Sent` that a caller may send with an order, and their types."""


def read_order(title: KnowsOrders, raw: Mapping[str, Any], where: str = "") -> Sent:
    """Return the order in a JSON object.

    Raises:
        RuleViolation: The order name is unknown, an argument is wrong, or the dice results are wrong.
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
