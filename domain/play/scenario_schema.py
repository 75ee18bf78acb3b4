"""Build the JSON Schema of a title's scenarios, for editors: taplo (Even Better TOML) reads draft 7 and `x-taplo`.

The title adds to the type of a scenario: its options, the rows of its tables, its numbers, and `victory`. The schema
does not contain relations between entries; `umpire scenario --check` checks those too.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.field_types import fields_of, is_struct, words_of_fields
from umpire_ledger.domain.game.hidden_units import FOG
from umpire_ledger.domain.game.scenario import Number, Table
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.spectator_delay import SPECTATOR_DELAY
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.scenario_needs import all_uses, uses_of_tables

DRAFT = "http://json-schema.org/draft-07/schema#"
_TYPES: dict[type, str] = {bool: "boolean", int: "integer", str: "string"}


def schema_of(title: Title) -> dict[str, Any]:
    """Return the schema as plain JSON."""
    open_types = [title.scenario, Number, Table, *title.rows.values(), *filter(None, (title.victory,))]
    found, parts = msgspec.json.schema_components(open_types, ref_template="#/definitions/{name}")
    row_schemas = dict(zip(title.rows, found[3:], strict=False))
    top = parts.pop(title.scenario.__name__)
    for schema in _structs(open_types):
        _describe(parts.get(schema.__name__, top if schema is title.scenario else {}), schema)
    own = top["properties"]
    own["title"] = {"const": title.id, "type": "string", "description": "the title of the game"}
    own["options"] = _options(title)
    own["numbers"] = _numbers(title)
    own["tables"] = _tables(title, row_schemas)
    if title.victory is not None:
        own["victory"] = found[-1]
    whole = {
        "$schema": DRAFT,
        "title": f"A scenario of {title.name}",
        **{key: value for key, value in top.items() if key != "title"},
        "x-taplo": {"initKeys": [one.encode_name for one in fields_of(title.scenario) if one.required]},
        "definitions": parts,
    }
    plain: dict[str, Any] = _as_draft_7(msgspec.to_builtins(whole))
    return plain


def _structs(kinds: list[Any]) -> Iterator[type[msgspec.Struct]]:
    """Yield every struct type that the given types contain."""
    seen: set[Any] = set()
    left = list(kinds)
    while left:
        kind = left.pop()
        if isinstance(kind, type) and kind in seen:
            continue
        if is_struct(kind):
            seen.add(kind)
            yield kind
            left += [one.type for one in fields_of(kind)]
        else:
            left += list(getattr(kind, "__args__", ()))


def _describe(part: dict[str, Any], schema: type[msgspec.Struct]) -> None:
    """Add descriptions from the docstring to each entry, and the entries that an editor inserts for a new one."""
    words = words_of_fields(schema)
    for field in fields_of(schema):
        entry = part.get("properties", {}).get(field.encode_name)
        says = words.get(field.name) or words.get(field.encode_name)
        if entry is not None and says:
            part["properties"][field.encode_name] = (
                {"allOf": [entry], "description": says} if "$ref" in entry else {**entry, "description": says}
            )
    needed = [one.encode_name for one in fields_of(schema) if one.required]
    if part and needed:
        part["x-taplo"] = {"initKeys": needed}


def _options(title: Title) -> dict[str, Any]:
    known = {**title.options, CLOSED_TO_REFEREE: False, SPECTATOR_DELAY: "", FOG: False}
    return {
        "type": "object",
        "properties": {
            name: {
                **({"type": _TYPES[type(value)]} if type(value) in _TYPES else {}),
                "default": value,
                **({"description": title.readings[name]} if name in title.readings else {}),
            }
            for name, value in known.items()
        },
        "additionalProperties": title.sequence is None,
    }


def _numbers(title: Title) -> dict[str, Any]:
    own = {one.name: one for one in title.ours if not one.where}
    return {
        "type": "object",
        "properties": {
            name: {
                "allOf": [{"$ref": "#/definitions/Number"}],
                "properties": {"value": {"type": _TYPES[type(one.value)], "default": one.value}},
                "description": f"{one.rule}: {one.says}",
            }
            for name, one in own.items()
        },
        "additionalProperties": False,
    }


def _tables(title: Title, rows: dict[str, Any]) -> dict[str, Any]:
    uses = uses_of_tables(title)
    return {
        "type": "object",
        "properties": {
            name: {
                "allOf": [{"$ref": "#/definitions/Table"}],
                **({"properties": {"rows": _rows(rows[name])}} if name in rows else {}),
                **({"description": f"looked up by {all_uses(uses[name])}"} if name in uses else {}),
            }
            for name in dict.fromkeys((*uses, *rows))
        },
        "additionalProperties": {"$ref": "#/definitions/Table"},
    }


def _rows(row: Any) -> dict[str, Any]:
    """Return the schema of rows by their totals: `7`, `3..5`, `2 or less`, `12 or more`."""
    number = r"-?[0-9]{1,9}"
    return {
        "type": "object",
        "propertyNames": {"pattern": rf"^{number}(\.\.{number}| or less| or more)?$"},
        "additionalProperties": row,
    }


def _as_draft_7(value: Any) -> Any:
    """Return a schema in draft 7: a list of fixed length has a list of `items`, and optional fields do not allow null.

    TOML has no null.
    """
    if isinstance(value, list):
        return [_as_draft_7(one) for one in value]
    if not isinstance(value, dict):
        return value
    plain = {name: _as_draft_7(one) for name, one in value.items()}
    if "prefixItems" in plain:
        plain["items"] = plain.pop("prefixItems")
        plain["additionalItems"] = False
    return plain
