"""Find every part of plain data that does not match a schema, each with its path and an example of a valid value."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from umpire_ledger.domain.game.field_types import (
    arms_of,
    bare,
    entry_of,
    example_of,
    fields_of,
    is_struct,
    item_of,
    limits_of,
    type_words,
    words_of_fields,
)
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.scenario_fault import ScenarioFault


def faults_of(value: Any, kind: Any, path: str = "$") -> Iterator[ScenarioFault]:
    """Yield a fault for each part of a value that does not match a type."""
    inner, entry, item = bare(kind), entry_of(kind), item_of(kind)
    if is_struct(inner) and isinstance(value, Mapping):
        parts = _of_fields(value, inner, path)
    elif entry is not None and isinstance(value, Mapping):
        parts = _of_entries(value, entry, path)
    elif item is not None and isinstance(value, list):
        parts = (one for at, part in enumerate(value) for one in faults_of(part, item, f"{path}[{at}]"))
    else:
        parts = iter(())
    found = list(parts)
    yield from found
    yield from _of_itself(value, kind, path, whole=not found)


def _of_fields(value: Mapping[str, Any], schema: type[msgspec.Struct], path: str) -> Iterator[ScenarioFault]:
    fields = {one.encode_name: one for one in fields_of(schema)}
    for name in value:
        if name not in fields:
            near = nearest(name, fields)
            has = f"name one of: {', '.join(fields)}"
            remedy = f"did you mean {' or '.join(near)}?" if near else has
            yield ScenarioFault(
                path=f"{path}.{name}", what=f"there is no entry {name}", remedy=remedy, code="unknown-entry"
            )
    for name, field in fields.items():
        if name in value:
            yield from faults_of(value[name], field.type, f"{path}.{name}")
        elif field.required:
            used = words_of_fields(schema).get(field.name, "")
            what = f"{name} is missing{f': {used}' if used else ''}"
            yield ScenarioFault(path=f"{path}.{name}", what=what, remedy=_write(name, field.type), code="entry-missing")


def _of_entries(value: Mapping[str, Any], entry: tuple[Any, Any], path: str) -> Iterator[ScenarioFault]:
    for name, part in value.items():
        yield from _of_itself(name, entry[0], f"{path}.{name}", whole=True)
        yield from faults_of(part, entry[1], f"{path}.{name}")


def _of_itself(value: Any, kind: Any, path: str, *, whole: bool) -> Iterator[ScenarioFault]:
    """Yield faults of a value itself.

    Unless it is checked as a whole, ignore its parts, which have their own faults.
    """
    try:
        msgspec.convert(value, kind if whole else _outside(value, kind))
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        at = where.strip("`").removeprefix("$") if where else ""
        if _is_type_error(what):
            yield ScenarioFault(
                path=path, what=_wrong(value, kind), remedy=_write(path.rpartition(".")[2], kind), code="wrong-value"
            )
        else:
            yield ScenarioFault(
                path=(at and f"{path}{at}") or path, what=what, remedy="fix this entry", code="wrong-value"
            )


def _outside(value: Any, kind: Any) -> Any:
    """Return the container type of a value with any contents, but with the limits of its own type."""
    outside: Any = list[Any] if isinstance(value, list) else dict[str, Any] if isinstance(value, Mapping) else Any
    for one in limits_of(kind):
        outside = Annotated[outside, one]
    return outside


def _is_type_error(what: str) -> bool:
    """Return whether a decoder's message is about types; any other message is from a schema's own check."""
    return what.startswith(("Expected ", "Invalid enum value", "Object ", "Integer ", "Number "))


def _wrong(value: Any, kind: Any) -> str:
    wanted = type_words(kind)
    shown = _shown(value)
    return f"{shown or 'the value'} is not valid: the entry takes {wanted}"


def _shown(value: Any) -> str:
    """Return a value as written in the file; "" if it is long."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    if isinstance(value, str):
        text = f'"{value}"'
    return text if (len(text) <= 60 and not isinstance(value, (Mapping, Sequence))) or isinstance(value, str) else ""


def _write(name: str, kind: Any) -> str:
    """Return a remedy that describes a valid value, with an example."""
    wanted, inner = type_words(kind), bare(arms_of(kind)[0])
    if is_struct(inner) or item_of(kind) is not None or entry_of(kind) is not None:
        return f"write {wanted}"
    example = example_of(kind)
    shown = f'"{example}"' if isinstance(example, str) else str(example).lower()
    named = f"{name} = " if name.isidentifier() else ""
    return f"write {wanted}, for example {named}{shown}"


# --- repairs ----------------------------------------------------------------------------------------------------------


def mended(value: Any, kind: Any) -> Any:
    """Return a value in which examples replace invalid parts, so that the remaining checks can run."""
    if not list(faults_of(value, kind)):
        return value
    inner, entry, item = bare(kind), entry_of(kind), item_of(kind)
    if is_struct(inner) and isinstance(value, Mapping):
        return _mended_fields(value, inner)
    if entry is not None and isinstance(value, Mapping):
        parts = {name: mended(one, entry[1]) for name, one in value.items() if not _misnamed(name, entry[0])}
        return {name: one for name, one in parts.items() if not list(faults_of(one, entry[1]))}
    if item is not None and isinstance(value, list):
        members = [mended(one, item) for one in value]
        return members if not list(_of_itself(members, kind, "$", whole=True)) else example_of(kind)
    return example_of(kind)


def _misnamed(name: str, kind: Any) -> bool:
    return bool(list(_of_itself(name, kind, "$", whole=True)))


def _mended_fields(value: Mapping[str, Any], schema: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the valid entries of a struct, and repaired ones if they are required or have parts."""
    found: dict[str, Any] = {}
    for field in fields_of(schema):
        name = field.encode_name
        has_parts = is_struct(bare(field.type)) or item_of(field.type) or entry_of(field.type)
        if name in value and (field.required or has_parts or not list(faults_of(value[name], field.type))):
            found[name] = mended(value[name], field.type)
        elif field.required:
            found[name] = example_of(field.type)
    return found
