"""Every line of a file that is no TOML, at once: each is taken out, and the rest is read again."""

import re
import tomllib
from typing import Any

import msgspec

UNREAD = "\ue000 unread"
"""Stands where a value could not be read: whoever looks at the rest passes it over."""
MOST = 50
"""Faults of a file that are told; behind them it is another kind of file."""
_entry = re.compile(r"""[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*[ \t]*=""")


class LineFault(msgspec.Struct, frozen=True, kw_only=True):
    """A line that cannot be read, from 1; 0: the end of the file."""

    line: int
    what: str
    remedy: str


class Lenient(msgspec.Struct, frozen=True, kw_only=True):
    """What can be read of a file, with `UNREAD` for values that cannot; `parsed`: None where too little can.

    `text`: what was read in the end, each line where it stood.
    """

    text: str
    parsed: dict[str, Any] | None
    faults: tuple[LineFault, ...]


def read_leniently(text: str) -> Lenient:
    """A file with every line that cannot be read taken out."""
    lines = text.split("\n")
    found: list[LineFault] = []
    while len(found) < MOST:
        try:
            left = "\n".join(lines)
            return Lenient(text=left, parsed=tomllib.loads(left), faults=tuple(found))
        except tomllib.TOMLDecodeError as error:
            line = line_of_fault(error)
            found.append(LineFault(line=line, what=said_of(error), remedy=remedy_for(lines, line)))
            if not line or line in {one.line for one in found[:-1]}:
                break
            lines[line - 1] = _without_value(lines[line - 1])
    return Lenient(text=text, parsed=None, faults=tuple(found))


def line_of_fault(error: tomllib.TOMLDecodeError) -> int:
    """The line of a fault; 0 for the end of the file."""
    found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
    return int(found[1]) if found else 0


def said_of(error: tomllib.TOMLDecodeError) -> str:
    """The fault in the reader's words, without the place."""
    return f"this is not TOML: {str(error).rpartition(' (at ')[0]}"


def remedy_for(lines: list[str], line: int) -> str:
    """What to do about a line: what is written without quotes is the usual slip."""
    if not line:
        return "close the quotes, brackets and braces that are open"
    key, equals, value = lines[line - 1].partition("=")
    value = value.partition("#")[0].strip()
    if equals and not _entry.match(f"{key}="):
        return f'put the name in quotes: "{key.strip()}" = {value}'
    if equals and re.fullmatch(r"[\w][\w .,/-]*", value):
        return f'put text and hexes in quotes: {key.strip()} = "{value}"'
    return "mend the line of the scenario file"


def _without_value(line: str) -> str:
    """The line with a value that can be read, or as a comment where it has no name."""
    named = _entry.match(line)
    return f'{named[0]} "{UNREAD}"' if named else f"# {line}"
