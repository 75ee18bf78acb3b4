"""Validate values by the part of JSON Schema 2020-12 that the schemas of orders use; an unknown keyword is an error."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

PASSED = {"title", "description", "default", "$defs", "discriminator", "format"}
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def misfits(schema: Mapping[str, Any], value: Any, top: Mapping[str, Any] | None = None, at: str = "$") -> list[str]:
    """Return the faults of a value with their paths; [] if it is valid."""
    top = schema if top is None else top
    found: list[str] = []
    for keyword, wanted in schema.items():
        if keyword not in PASSED:
            found += _ask(keyword, wanted, schema, value, top, at)
    return found


def _ask(
    keyword: str, wanted: Any, schema: Mapping[str, Any], value: Any, top: Mapping[str, Any], at: str
) -> list[str]:
    match keyword:
        case "$ref":
            return misfits(top["$defs"][wanted.rsplit("/", 1)[-1]], value, top, at)
        case "anyOf":
            return [] if any(not misfits(one, value, top, at) for one in wanted) else [f"{at}: fits nothing of anyOf"]
        case "type":
            fits = isinstance(value, TYPES[wanted]) and not (isinstance(value, bool) and wanted != "boolean")
            return [] if fits else [f"{at}: no {wanted}"]
        case "enum":
            return [] if value in wanted else [f"{at}: none of {wanted}"]
        case "required":
            return [f"{at}.{name}: missing" for name in wanted if name not in value]
        case "properties" | "additionalProperties" | "propertyNames" | "items":
            parts = _parts(keyword, wanted, schema, value, at)
            return [said for one, part, path in parts for said in misfits(one, part, top, path)]
        case _:
            return _measure(keyword, wanted, value, at)


def _parts(
    keyword: str, wanted: Any, schema: Mapping[str, Any], value: Any, at: str
) -> Iterator[tuple[Mapping[str, Any], Any, str]]:
    """Yield the parts of a value, each with its schema and path; `{"enum": []}` accepts no value."""
    if keyword == "items":
        yield from ((wanted, one, f"{at}[{nth}]") for nth, one in enumerate(value))
    elif keyword == "propertyNames":
        yield from ((wanted, name, f"{at}.{name}") for name in value)
    elif keyword == "properties":
        yield from ((wanted[name], value[name], f"{at}.{name}") for name in value if name in wanted)
    else:
        others = [name for name in value if name not in schema.get("properties", ())]
        inner = wanted if isinstance(wanted, Mapping) else {} if wanted else {"enum": []}
        yield from ((inner, value[name], f"{at}.{name}") for name in others)


def _measure(keyword: str, wanted: Any, value: Any, at: str) -> list[str]:
    number = isinstance(value, int) and not isinstance(value, bool)
    held = {
        "minLength": lambda: not isinstance(value, str) or len(value) >= wanted,
        "maxLength": lambda: not isinstance(value, str) or len(value) <= wanted,
        "pattern": lambda: not isinstance(value, str) or re.search(wanted, value) is not None,
        "minimum": lambda: not number or value >= wanted,
        "maximum": lambda: not number or value <= wanted,
        "minItems": lambda: not isinstance(value, list) or len(value) >= wanted,
        "maxItems": lambda: not isinstance(value, list) or len(value) <= wanted,
        "minProperties": lambda: not isinstance(value, dict) or len(value) >= wanted,
        "maxProperties": lambda: not isinstance(value, dict) or len(value) <= wanted,
    }[keyword]
    return [] if held() else [f"{at}: {keyword} {wanted}"]
