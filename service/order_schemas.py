"""Describe the body of `POST /games/ID/orders` for the OpenAPI document: one schema for each order of every title.

The schemas are those of `umpire orders --schema`. Fields that every order has, and parts that several have, are
components of their own: that halves the document.
"""

from collections.abc import Iterator
from typing import Any

from umpire_ledger.desk.orders.titles import FIELDS_OF_EVERY_ORDER, order_schemas

REF = "#/components/schemas/"
ORDER, TYPED = "AnyOrder", "TypedOrder"
BODY = {"oneOf": [{"$ref": REF + ORDER}, {"$ref": REF + TYPED}]}
_IN_SCHEMA = "#/$defs/"
Schema = dict[str, Any]


def order_components() -> dict[str, Schema]:
    """Return the components: any order, a typed order, each order, their common fields and parts."""
    found: dict[str, Schema] = {f"order-field.{name}": schema for name, schema in FIELDS_OF_EVERY_ORDER.items()}
    mapping = {}
    for order, by_title in order_schemas().items():
        mapping[order] = f"{REF}order.{order}"
        found |= _components(f"order.{order}", by_title)
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


def _components(name: str, by_title: dict[str, Schema]) -> dict[str, Schema]:
    """Return the component of an order; if titles differ in its fields, one for each of them as well."""
    variants = list(_variants(by_title))
    if len(variants) == 1:
        return _linked(name, *variants[0])
    found: dict[str, Schema] = {}
    for schema, titles in variants:
        found |= _linked(f"{name}.{titles[0]}", schema, titles)
    return {name: {"anyOf": [{"$ref": f"{REF}{name}.{titles[0]}"} for _, titles in variants]}, **found}


def _variants(by_title: dict[str, Schema]) -> Iterator[tuple[Schema, list[str]]]:
    """Yield each schema that differs from the others, with its titles."""
    left = dict(by_title)
    while left:
        schema = next(iter(left.values()))
        titles = [title for title, other in left.items() if other == schema]
        yield schema, titles
        left = {title: other for title, other in left.items() if title not in titles}


def _linked(name: str, schema: Schema, titles: list[str]) -> dict[str, Schema]:
    """Return a schema as a component, and its definitions as others."""
    parts = {f"order-part.{part}": _with_refs(what) for part, what in schema.get("$defs", {}).items()}
    properties = {
        field: {"$ref": f"{REF}order-field.{field}"} if what == FIELDS_OF_EVERY_ORDER.get(field) else _with_refs(what)
        for field, what in schema["properties"].items()
    }
    whole = {key: value for key, value in schema.items() if key != "$defs"}
    return {name: {**whole, "properties": properties, "x-titles": titles}, **parts}


def _with_refs(value: Any) -> Any:
    """Return a schema whose references to its own definitions refer to components."""
    if isinstance(value, dict):
        return {key: _ref(one) if key == "$ref" else _with_refs(one) for key, one in value.items()}
    return [_with_refs(one) for one in value] if isinstance(value, list) else value


def _ref(said: str) -> str:
    return f"{REF}order-part.{said.removeprefix(_IN_SCHEMA)}" if said.startswith(_IN_SCHEMA) else said
