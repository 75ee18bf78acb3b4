"""What can be played: titles, their sequences of play, and their orders, as plain data."""

from collections.abc import Iterator
from typing import Any

import msgspec

from umpire_ledger.desk.errors import WrongUse
from umpire_ledger.desk.wiring import find_title, need_title, title_references
from umpire_ledger.domain.flow.checks import Fault, check
from umpire_ledger.domain.flow.page import page_of
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, REFEREE_ORDERS, SEQUENCE_ORDERS, Order, order_schema
from umpire_ledger.domain.kit.title import Title


class TitleEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A title that can be played. `version`: of its rules; `steps`: how many its sequence has."""

    id: str
    name: str
    version: str
    publisher: str
    steps: int


class OrderEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An order of a title: where it may be given and by whom, what it does, and its JSON Schema (2020-12)."""

    order: str
    steps: tuple[str, ...]
    by: tuple[str, ...]
    help: str
    schema: dict[str, Any]


def title_ids() -> list[str]:
    """The ids of all titles on this machine."""
    return sorted(title_references())


def titles() -> list[TitleEntry]:
    """The titles on this machine, by id."""
    found = (title for title in map(find_title, title_ids()) if title is not None)
    return [
        TitleEntry(
            id=title.id,
            name=title.name,
            version=title.version,
            publisher=title.publisher,
            steps=len(tuple(title.plan.leaves())),
        )
        for title in found
    ]


def title(id: str) -> TitleEntry:
    """A title by id. Raises NoSuchTitle."""
    need_title(id)
    return next(one for one in titles() if one.id == id)


def sequence(title: str) -> list[dict[str, Any]]:
    """The whole sequence of play of a title, one line a place in printed order; [] for one without. Raises NoSuchTitle.

    Keys: `id, parent, name, by, need, cites, secret, rolls, orders, leads_to, printed, kind, depth`, and more.
    """
    return page_of(need_title(title))


def orders(title: str, order: str = "") -> list[OrderEntry]:
    """A title's orders, or one of them. Raises NoSuchTitle; WrongUse for an order that it does not have."""
    found = need_title(title)
    known = found.every_order
    if order and order not in known:
        what, remedy = f"{found.name} has no order {order}", f"it has: {', '.join(sorted(known))}"
        raise WrongUse(what, where="orders", rule="", remedy=remedy)
    chosen = [known[order]] if order else list(known.values())
    return [_order_entry(found, one) for one in chosen]


def faults() -> Iterator[tuple[str, tuple[Fault, ...]]]:
    """What the static checks find in every title's sequence of play, by title id."""
    for name in title_ids():
        found = find_title(name)
        yield name, check(found) if found else ()


def _order_entry(title: Title, order: type[Order]) -> OrderEntry:
    steps = [step for step in title.plan.leaves() if order in step.allows]
    by = dict.fromkeys(role for step in steps for role in _who(step.by, step.also))
    return OrderEntry(
        order=order.tag(),
        steps=tuple(step.id for step in steps) or (_anywhere(order),),
        by=tuple(by) or _default_by(order),
        help=(order.__doc__ or "").split("\n")[0],
        schema=order_schema(order),
    )


def _who(*roles: str | tuple[str, ...]) -> list[str]:
    return [role for some in roles for role in ((some,) if isinstance(some, str) else some) if role]


def _anywhere(order: type[Order]) -> str:
    return "open steps" if order in SEQUENCE_ORDERS else "any"


def _default_by(order: type[Order]) -> tuple[str, ...]:
    if order in REFEREE_ORDERS:
        return ("referee",)
    return ("any seat",) if order in ANYTIME_ORDERS else ("each",)
