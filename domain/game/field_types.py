"""Describe the values that a field of a schema accepts, in words and by example, for templates and refusals."""

import re
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

MOST_SHOWN = 2**31
"""Limits above this number are never reached in practice and are not printed."""

FEW = 6
"""Tables with at most this many entries are described by naming them."""


def fields_of(schema: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a struct, in the order of their declaration."""
    return msgspec.structs.fields(schema)


def is_struct(kind: Any) -> TypeGuard[type[msgspec.Struct]]:
    """Return whether a type is a struct."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def bare(kind: Any) -> Any:
    """Return a type without annotations, and without None and Unset if one other type remains."""
    if get_origin(kind) is Annotated:
        return bare(get_args(kind)[0])
    arms = arms_of(kind)
    return bare(arms[0]) if len(arms) == 1 and arms[0] is not kind else kind


def arms_of(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union without None and Unset; any other type alone."""
    if get_origin(kind) is Annotated and is_union(get_args(kind)[0]):
        return arms_of(get_args(kind)[0])
    if not is_union(kind):
        return (kind,)
    return tuple(one for one in get_args(kind) if one not in (NoneType, msgspec.UnsetType))


def is_union(kind: Any) -> bool:
    """Return whether a type is a union."""
    return get_origin(kind) in (Union, UnionType)


def limits_of(kind: Any) -> tuple[msgspec.Meta, ...]:
    """Return the limits annotated on a type, also inside a union of one type."""
    if get_origin(kind) is Annotated:
        inner, *noted = get_args(kind)
        return (*limits_of(inner), *(one for one in noted if isinstance(one, msgspec.Meta)))
    arms = arms_of(kind)
    return limits_of(arms[0]) if len(arms) == 1 and arms[0] is not kind else ()


def item_of(kind: Any) -> Any:
    """Return the type of the members of a list of any length; None for any other type."""
    inner = bare(kind)
    args = get_args(inner)
    if get_origin(inner) is list:
        return args[0]
    return args[0] if get_origin(inner) is tuple and args[-1:] == (Ellipsis,) else None


def entry_of(kind: Any) -> tuple[Any, Any] | None:
    """Return the types of keys and values of a mapping; None for any other type."""
    inner = bare(kind)
    if get_origin(inner) in (dict, Mapping):
        name, value = get_args(inner)
        return name, value
    return None


# --- words ------------------------------------------------------------------------------------------------------------


def type_words(kind: Any) -> str:
    """Return the accepted values in words: "a whole number from 0 to 20", `"north" or "south"`."""
    arms = arms_of(kind)
    if len(arms) > 1:
        words = list(dict.fromkeys(type_words(one) for one in arms))
        return f"{', '.join(words[:-1])} or {words[-1]}"
    inner, limits = bare(kind), limits_of(kind)
    if get_origin(inner) is Literal:
        return _either(get_args(inner))
    if inner is bool:
        return "true or false"
    if inner is int:
        return f"a whole number{_range(limits)}"
    if inner is str:
        return f"text{_shape(limits)}"
    item, entry = item_of(kind), entry_of(kind)
    if item is not None:
        return f"a list of {_plural(item)}{_length(limits)}"
    if entry is not None:
        return f"a table of names, each with {type_words(entry[1])}{_length(limits)}"
    if get_origin(inner) is tuple:
        return f"a list of {len(get_args(inner))}: {', '.join(map(type_words, get_args(inner)))}"
    return _table_words(inner) if is_struct(inner) else "any value"


def _table_words(schema: type[msgspec.Struct]) -> str:
    names = [one.encode_name for one in fields_of(schema)]
    return f"a table ({', '.join(names)})" if len(names) <= FEW else "a table"


def _either(words: tuple[Any, ...]) -> str:
    shown = [_quoted(one) for one in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _quoted(one: Any) -> str:
    return f'"{one}"' if isinstance(one, str) else str(one)


def _plural(item: Any) -> str:
    inner = bare(item)
    named = {str: "texts", int: "whole numbers", bool: "true or false"}
    if is_struct(inner):
        return _table_words(inner).replace("a table", "tables")
    return named.get(inner) or f"values, each {type_words(item)}"


def _range(limits: tuple[msgspec.Meta, ...]) -> str:
    least = next((one.ge for one in limits if one.ge is not None), None)
    most = next((one.le for one in limits if one.le is not None), None)
    if least is not None and abs(least) < MOST_SHOWN and most is not None and most < MOST_SHOWN:
        return f" from {least} to {most}"
    if least is not None and abs(least) < MOST_SHOWN:
        return f", {least} or more"
    return ""


def _shape(limits: tuple[msgspec.Meta, ...]) -> str:
    said = next((one.description for one in limits if one.description), "")
    if said:
        return f": {said}"
    pattern = next((one.pattern for one in limits if one.pattern), "")
    return f", such as {example_of(_noted(str, limits))!r}" if pattern and _from_pattern(pattern) is not None else ""


def _noted(kind: Any, limits: tuple[msgspec.Meta, ...]) -> Any:
    for one in limits:
        kind = Annotated[kind, one]
    return kind


def _length(limits: tuple[msgspec.Meta, ...]) -> str:
    least = next((one.min_length for one in limits if one.min_length), None)
    most = next((one.max_length for one in limits if one.max_length), None)
    if least is not None and least == most:
        return f", {least} of them"
    return f", at least {least}" if least else ""


# --- examples ---------------------------------------------------------------------------------------------------------


def example_of(kind: Any) -> Any:
    """Return a valid value of a type, as plain data; for a struct only its required fields."""
    arms = arms_of(kind)
    inner, limits = bare(arms[0]) if arms else None, limits_of(arms[0]) if arms else ()
    if get_origin(inner) is Literal:
        return next((one for one in get_args(inner) if one != ""), get_args(inner)[0])
    if inner is bool:
        return True
    if inner is int:
        return _number(limits)
    if inner is str:
        return _word(limits)
    if is_struct(inner):
        return {one.encode_name: example_of(one.type) for one in fields_of(inner) if one.required}
    item, entry = item_of(kind), entry_of(kind)
    least = next((one.min_length for one in limits if one.min_length), None) or 0
    if item is not None:
        return [example_of(item) for _ in range(least)]
    if entry is not None:
        return {example_of(entry[0]): example_of(entry[1])} if least else {}
    return [example_of(one) for one in get_args(inner)] if get_origin(inner) is tuple else "any"


def _number(limits: tuple[msgspec.Meta, ...]) -> int:
    least = next((int(one.ge) for one in limits if one.ge is not None and abs(one.ge) < MOST_SHOWN), 0)
    most = next((int(one.le) for one in limits if one.le is not None), MOST_SHOWN)
    return min(max(least, 1), most)


def _word(limits: tuple[msgspec.Meta, ...]) -> str:
    pattern = next((one.pattern for one in limits if one.pattern), "")
    found = _from_pattern(pattern) if pattern else None
    return found if found is not None else "name"


_TRIED = ("name", "1.5", "0101", "A", "B1", "0000")


def _from_pattern(pattern: str) -> str | None:
    """Return the first usual word that matches a pattern, or None."""
    return next((one for one in _TRIED if re.search(pattern, one)), None)


# --- words about fields in docstrings ---------------------------------------------------------------------------------

_said = re.compile(
    r"((?:`\w+`(?:, (?:and )?| and )?)+)(?::|(?= in | of ))\s*(.+?)(?=[.;] `|, `\w+`:|\.\s|\n\n|\Z)", re.DOTALL
)


def words_of_fields(schema: type[msgspec.Struct]) -> dict[str, str]:
    """Return the description of each field, from the docstrings of a schema and its bases."""
    found: dict[str, str] = {}
    for one in reversed(schema.__mro__):
        for names, words in _clauses(one.__doc__ or "") if is_struct(one) else ():
            found |= dict.fromkeys(names, words)
    return found


def _clauses(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for clause in _said.finditer(text):
        words = " ".join(clause[2].split()).rstrip(".;")
        yield tuple(re.findall(r"`(\w+)`", clause[1])), words
