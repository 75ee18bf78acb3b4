"""List the installed titles, their sequences of play and their orders as plain data."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import need_title, title_references
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import read_text
from umpire_ledger.desk.orders.order_examples import example_of
from umpire_ledger.desk.orders.order_pages import OrderPage, page_of_order
from umpire_ledger.desk.orders.typed_orders import short_form, usage_of
from umpire_ledger.domain.flow.sequence_checks.fault import Fault
from umpire_ledger.domain.flow.sequence_listing import page_of
from umpire_ledger.domain.game.errors import TitleFault
from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.orders import (
    ANYTIME_ORDERS,
    BESIDE_SCHEMA,
    REFEREE_ORDERS,
    SEQUENCE_ORDERS,
    Order,
    order_schema,
)
from umpire_ledger.domain.game.scenario import parse_scenario, title_of
from umpire_ledger.domain.kit.house_values import HouseValue
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.kit.title_errors import call
from umpire_ledger.domain.play.game_setup import scenario_for, sound
from umpire_ledger.domain.play.scenario_needs import brought
from umpire_ledger.ledger.records.limits import MOST_SCENARIO

FIELDS_OF_EVERY_ORDER = BESIDE_SCHEMA
"""Schemas of the fields that every line of an order file may have."""


class TitleEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An installed title."""

    id: str
    """Its id."""
    name: str
    """Its name."""
    version: str
    """Version of its rules."""
    publisher: str
    """Publisher of the game."""
    steps: int
    """Number of steps in its sequence."""
    fault: str = ""
    """Reason why the title of another package cannot be played; "" if it can be played."""


class OrderEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An order of a title: its steps, its seats, its effect and its typed form."""

    order: str
    """Its name."""
    usage: str
    """Its short typed form."""
    example: str
    """A typed example with its seat."""
    example_json: str
    """That example as a line of an order file."""
    steps: tuple[str, ...]
    """The steps that accept it."""
    by: tuple[str, ...]
    """The seats that may give it."""
    help: str
    """Its effect."""
    schema: dict[str, Any]
    """JSON Schema (2020-12) of a line in an order file."""


class TitlePage(msgspec.Struct, frozen=True, kw_only=True):
    """The allowed contents of a scenario: options with their defaults, tables, traits of units, and house values."""

    id: str
    name: str
    version: str
    publisher: str
    options: dict[str, Value]
    readings: dict[str, str]
    tables: tuple[str, ...]
    ours: tuple[HouseValue, ...]
    traits: dict[str, str] = {}


def title_ids() -> list[str]:
    """Return the ids of all installed titles."""
    return sorted(title_references())


def titles() -> list[TitleEntry]:
    """Return the installed titles, sorted by id; titles that cannot be played have a fault."""
    return list(map(_entry, title_ids()))


def title(id: str) -> TitleEntry:
    """Return a title by id.

    Raises:
        NoSuchTitle: When it is not installed.
        TitleFault: When it cannot be used.
    """
    need_title(id)
    return _entry(id)


def page(id: str) -> TitlePage:
    """Return the allowed contents of a title's scenarios.

    Raises:
        NoSuchTitle: When it is not installed.
        TitleFault: When it cannot be used.
    """
    title = need_title(id)
    looked_up = (*(one.tables for one in title.orders), *title.tables.values(), tuple(title.rows))
    return TitlePage(
        id=title.id,
        name=title.name,
        version=title.version,
        publisher=title.publisher,
        options=dict(title.options),
        readings=dict(title.readings),
        tables=tuple(dict.fromkeys(table for tables in looked_up for table in tables)),
        ours=title.ours,
        traits=dict(title.traits),
    )


def _entry(id: str) -> TitleEntry:
    try:
        title = need_title(id)
        steps = call(id, "its sequence of play", lambda: len(tuple(title.plan.leaves())), ())
    except TitleFault as fault:
        return TitleEntry(id=id, name="", version="", publisher="", steps=0, fault=fault.what)
    return TitleEntry(id=id, name=title.name, version=title.version, publisher=title.publisher, steps=steps)


def sequence(title: str | Path | Title) -> list[dict[str, Any]]:
    """Return the sequence of play of a title, one item per step or heading in printed order; [] without a sequence.

    Keys: `id, parent, name, by, need, cites, secret, rolls, orders, leads_to, printed, kind, depth`, and more.

    Args:
        title: An id; `PlayedGame.title`; or the path of a scenario file, which may have its own sequence.

    Raises:
        NoSuchTitle: When the title is not installed.
        ScenarioError: When the scenario's file has a fault.
        WrongUse: When the scenario's file cannot be read.
    """
    return page_of(_meant(title))


def _meant(title: str | Path | Title) -> Title:
    """Return the title with an id, the title of a game, or the title that a game of a scenario file would play.

    Raises:
        NoSuchTitle: When the title is not installed.
        ScenarioError: When the scenario's file has a fault.
        WrongUse: When the scenario's file cannot be read.
    """
    if isinstance(title, Title):
        return title
    if isinstance(title, str):
        return need_title(title)
    text = read_text(title, MOST_SCENARIO)
    found = need_title(title_of(parse_scenario(text)))
    return brought(found, scenario_for(found, text))


def orders(title: str | Path | Title, order: str = "") -> list[OrderEntry]:
    """Return a title's orders, or one of them. `title`: as for `sequence`.

    Raises:
        NoSuchTitle: When the title is not installed.
        WrongUse: When the title does not have the order.
    """
    found = _meant(title)
    known = found.every_order
    if order and order not in known:
        near = nearest(order, known)
        what = f"{found.name} has no order {order}"
        remedy = f"did you mean {' or '.join(near)}?" if near else f"it has: {', '.join(sorted(known))}"
        raise WrongUse(what, where="orders", rule="orders", remedy=remedy)
    chosen = [known[order]] if order else list(known.values())
    return [_order_entry(found, one) for one in chosen]


def order_names(title: str | Path | Title) -> frozenset[str]:
    """Return the names of all orders of a title, including the orders of every game and of the referee.

    Raises:
        NoSuchTitle: When the title is not installed.
    """
    return frozenset(_meant(title).every_order)


def order_schemas() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the JSON Schema of each order by its name and the title; titles that cannot be played are left out."""
    schema_of = cache(order_schema)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for id in title_ids():
        # No seat can give an order of such a title, and `umpire titles` reports its fault.
        with suppress(TitleFault):
            for name, order in need_title(id).every_order.items():
                found.setdefault(name, {})[id] = schema_of(order)
    return found


def order_page(title: str | Path | Title, order: str) -> OrderPage:
    """Return the explanation of an order: its arguments and an example.

    Raises:
        NoSuchTitle: When the title is not installed.
        UnknownName: When the title does not have the order; its remedy suggests similar names.
    """
    return page_of_order(_meant(title), order)


def faults() -> Iterator[tuple[str, tuple[Fault, ...]]]:
    """Yield each title's id and faults: the faults of the static checks, or the reason why it cannot be used."""
    for name in title_ids():
        try:
            yield name, sound(need_title(name))
        except TitleFault as fault:
            yield name, (Fault(place=fault.where, what=fault.what, remedy=fault.remedy),)


def _order_entry(title: Title, order: type[Order]) -> OrderEntry:
    steps = [step for step in title.plan.leaves() if order in step.allows]
    example = example_of(title, order)
    by = dict.fromkeys(role for step in steps for role in _who(step.by, step.also))
    return OrderEntry(
        order=order.tag(),
        usage=usage_of(order),
        example=short_form(title, example, seat=True),
        example_json=msgspec.json.encode(example).decode(),
        steps=tuple(step.id for step in steps) or (_anywhere(order),),
        by=tuple(by) or _default_by(order),
        help=_help(title, order),
        schema=order_schema(order),
    )


def _help(title: Title, order: type[Order]) -> str:
    """Return the help of an order, with a hint on the dice of several units."""
    first = (order.__doc__ or "").split("\n")[0]
    return f"{first} Enter dice results in the order of units in `umpire status`." if order in title.rolls else first


def _who(*roles: str | tuple[str, ...]) -> list[str]:
    return [role for some in roles for role in ((some,) if isinstance(some, str) else some) if role]


def _anywhere(order: type[Order]) -> str:
    return "open steps" if order in SEQUENCE_ORDERS else "any"


def _default_by(order: type[Order]) -> tuple[str, ...]:
    if order in REFEREE_ORDERS:
        return ("referee",)
    return ("any seat",) if order in ANYTIME_ORDERS else ("each",)
