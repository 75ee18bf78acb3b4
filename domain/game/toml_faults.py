"""Find all faulty lines of a file that is not valid TOML: remove each one, and parse the rest again."""

import re
import tomllib
from typing import Any

import msgspec

UNREAD = "\ue000 unread"
"""Placeholder for an unreadable value, which later checks ignore."""
MOST = 50
"""Limit of reported faults. A file with more is probably not meant as TOML."""
_entry = re.compile(r"""[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*[ \t]*=""")


class LineFault(msgspec.Struct, frozen=True, kw_only=True):
    """A line that cannot be read. `line`: its number, from 1; 0 for the end of the file."""

    line: int
    what: str
    remedy: str


class Lenient(msgspec.Struct, frozen=True, kw_only=True):
    """The readable part of a file, with `UNREAD` in place of unreadable values.

    `parsed`: None if too little can be read. `text`: the text that was parsed in the end, with the same line numbers.
    """

    text: str
    parsed: dict[str, Any] | None
    faults: tuple[LineFault, ...]


def read_leniently(text: str) -> Lenient:
    """Return the readable part of a file, with the faults of the other lines."""
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
    """Return the line of a parser's error, from 1; 0 for the end of the file."""
    found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
    return int(found[1]) if found else 0


def said_of(error: tomllib.TOMLDecodeError) -> str:
    """Return the parser's message, without the place."""
    return f"the file is not valid TOML: {str(error).rpartition(' (at ')[0]}"


def remedy_for(lines: list[str], line: int) -> str:
    """Return the remedy for a line. The most frequent fault is text without quotes."""
    if not line:
        return "close every open quote, bracket and brace"
    key, equals, value = lines[line - 1].partition("=")
    value = value.partition("#")[0].strip()
    if equals and not _entry.match(f"{key}="):
        return f'put the name in quotes: "{key.strip()}" = {value}'
    if equals and re.fullmatch(r"[\w][\w .,/-]*", value):
        return f'put text and hexes in quotes: {key.strip()} = "{value}"'
    return "fix this line of the scenario file"


def _without_value(line: str) -> str:
    """Return the line with a placeholder as its value, or commented out if it has no name."""
    named = _entry.match(line)
    return f'{named[0]} "{UNREAD}"' if named else f"# {line}"
