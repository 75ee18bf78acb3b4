"""Write plain data as TOML that a person can read and edit: short tables on one line, long ones as sections.

Invisible characters are escaped, so the text is the same in an editor, on a terminal and in a mail.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Plain = Mapping[str, Any]
WIDTH = 110
"""Longest line, in characters, for a table or an array on one line."""

_bare_key = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def toml_of(plain: Plain, comments: Mapping[str, Sequence[str]] = {}) -> str:
    """Return the text of a table. `comments`: lines above a section, by its name; "" for the head of the file.

    Values of None are omitted, because TOML cannot express them.
    """
    return "\n".join((*_comment(comments, ""), *_entries("", plain, comments))) + "\n"


def _entries(name: str, table: Plain, comments: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the entries of a table: first the single lines, then sections, in the order of the table."""
    later: list[tuple[str, Any]] = []
    for key, value in table.items():
        if value is None:
            continue
        line = f"{key_text(key)} = {inline(value)}"
        path = f"{name}.{key_text(key)}" if name else key_text(key)
        if _is_section(value, line, top=not name) or path in comments:
            later.append((path, value))
        elif len(line) > WIDTH and isinstance(value, Sequence) and not isinstance(value, str):
            yield from _array(key, value)
        else:
            yield line
    for path, value in later:
        yield from _section(path, value, comments)


def _is_section(value: Any, line: str, *, top: bool) -> bool:
    """Return whether a value has a section of its own: a table or an array of tables, long or at the top."""
    if isinstance(value, Mapping):
        return bool(value) and (top or len(line) > WIDTH)
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return any(isinstance(one, Mapping) for one in value) and (top or len(line) > WIDTH)


def _section(path: str, value: Any, comments: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield ""
    yield from _comment(comments, path)
    if isinstance(value, Mapping):
        lines = list(_entries(path, value, comments))
        if lines[0]:  # a table that contains only sections needs no heading of its own
            yield f"[{path}]"
        yield from lines if lines[0] else lines[1:]
        return
    for at, section in enumerate(value):
        if at:
            yield ""
        yield f"[[{path}]]"
        for key, entry in section.items():
            line = f"{key_text(key)} = {inline(entry)}"
            is_long = len(line) > WIDTH and isinstance(entry, Sequence) and not isinstance(entry, str)
            yield from _array(key, entry) if is_long else ((line,) if entry is not None else ())


def _array(key: str, values: Sequence[Any]) -> Iterator[str]:
    yield f"{key_text(key)} = ["
    yield from (f"    {inline(value)}," for value in values)
    yield "]"


def _comment(comments: Mapping[str, Sequence[str]], path: str) -> Iterator[str]:
    for line in comments.get(path, ()):
        yield "# " + "".join(sign if sign.isprintable() else "?" for sign in line)


def inline(value: Any) -> str:
    """Return a value as TOML on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _text(value)
        case Mapping():
            inside = ", ".join(f"{key_text(key)} = {inline(one)}" for key, one in value.items() if one is not None)
            return f"{{ {inside} }}" if inside else "{}"
        case _:
            return f"[{', '.join(map(inline, value or ()))}]"


def key_text(key: str) -> str:
    """Return a name as a TOML key, quoted if necessary."""
    return key if _bare_key.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return f'"{"".join(map(_sign, text))}"'


def _sign(sign: str) -> str:
    if sign in _SHORT:
        return _SHORT[sign]
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04X}" if ord(sign) < 2**16 else f"\\U{ord(sign):08X}"
