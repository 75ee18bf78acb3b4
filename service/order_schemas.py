"""Describe the body of `POST /games/ID/orders` for the OpenAPI document: one schema for each order of every title.

The schemas are those of `umpire orders --schema`. Fields that every order has are components of their own: that halves
the document.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from umpire_ledger.desk.orders.titles import FIELDS_OF_EVERY_ORDER

REF = "#/components/schemas/"
ORDER, TYPED = "AnyOrder", "TypedOrder"
BODY = {"oneOf": [{"$ref": REF + ORDER}, {"$ref": REF + TYPED}]}
_IN_SCHEMA = "#/$defs/"
Schema = dict[str, Any]


def order_components(orders: Mapping[str, Mapping[str, Schema]]) -> dict[str, Schema]:
    """Return the components: any order, a typed order, each order, their common fields and parts.

    Args:
        orders: The schema of each order by its name and the title.
    """
    found: dict[str, Schema] = {f"order-field.{name}": schema for name, schema in FIELDS_OF_EVERY_ORDER.items()}
    mapping = {}
    for order, by_title in orders.items():
        name = f"order.{_key(order)}"
        mapping[order] = f"{REF}{name}"
        found |= _components(name, by_title)
    found[TYPED] = {
        "description": "The words of an order, as in `move-ship a1 0610`.",
        "type": "object",
        "properties": {"typed": {"type": "string"}},
        "required": ["typed"],
        "additionalProperties": False,
    }
    found[ORDER] = {
        "description": "An order as a line of an order file. `x-titles` of an order: the titles that have it.",
        "oneOf": [{"$ref": ref} for ref in mapping.values()],
        "discriminator": {"propertyName": "order", "mapping": mapping},
    }
    return found


def _key(order: str) -> str:
    """Return the name of an order with the characters that the key of a component may have."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda found: f"_{ord(found[0]):x}_", order)


def _components(name: str, by_title: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the component of an order; if titles differ in its fields, one for each of them as well."""
    variants = list(_variants(by_title))
    if len(variants) == 1:
        return _linked(name, *variants[0])
    found: dict[str, Schema] = {}
    for schema, titles in variants:
        found |= _linked(f"{name}.{titles[0]}", schema, titles)
    return {name: {"anyOf": [{"$ref": f"{REF}{name}.{titles[0]}"} for _, titles in variants]}, **found}


def _variants(by_title: Mapping[str, Schema]) -> Iterator[tuple[Schema, list[str]]]:
    """Yield each schema that differs from the others, with its titles."""
    left = dict(by_title)
    while left:
        schema = next(iter(left.values()))
        titles = [title for title, other in left.items() if other == schema]
        yield schema, titles
        left = {title: other for title, other in left.items() if title not in titles}


def _linked(name: str, schema: Schema, titles: list[str]) -> dict[str, Schema]:
    """Return a schema as a component, and its definitions as others: titles may use one name for different parts."""
    own = f"order-part.{name.removeprefix('order.')}."
    parts = {own + part: _with_refs(what, own) for part, what in schema.get("$defs", {}).items()}
    properties = {
        field: {"$ref": f"{REF}order-field.{field}"}
        if what == FIELDS_OF_EVERY_ORDER.get(field)
        else _with_refs(what, own)
        for field, what in schema["properties"].items()
    }
    whole = {key: value for key, value in schema.items() if key != "$defs"}
    return {name: {**whole, "properties": properties, "x-titles": titles}, **parts}


def _with_refs(value: Any, own: str) -> Any:
    """Return a schema whose references to its own definitions refer to components with this prefix."""
    if isinstance(value, dict):
        return {key: _ref(one, own) if key == "$ref" else _with_refs(one, own) for key, one in value.items()}
    return [_with_refs(one, own) for one in value] if isinstance(value, list) else value


def _ref(said: str, own: str) -> str:
    return f"{REF}{own}{said.removeprefix(_IN_SCHEMA)}" if said.startswith(_IN_SCHEMA) else said
