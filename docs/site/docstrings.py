"""Convert docstrings from Markdown to reStructuredText, which autodoc reads."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

NOT_CODE = re.compile(r"([\\*_|])")
SECTIONS = {"Args", "Returns", "Raises", "Yields"}
BLOCK = re.compile(r"^ {4,}\S")


def convert(app: Any, kind: str, name: str, about: Any, options: Any, lines: list[str]) -> None:
    """Replace the lines of a docstring; this handles Sphinx's event `autodoc-process-docstring`."""
    if _is_pythons(kind, about, lines):
        lines.clear()
    lines[:] = as_rst(lines)


def _is_pythons(kind: str, about: Any, lines: list[str]) -> bool:
    """Return whether Python wrote a docstring: for a field of a named tuple, or for the type of a value."""
    if lines and lines[0].startswith("Alias for field number"):
        return True
    return kind in ("attribute", "data") and "\n".join(lines).strip() == (inspect.getdoc(type(about)) or "").strip()


def as_rst(lines: list[str]) -> Iterator[str]:
    """Yield the lines in reStructuredText: literals for `code`, code blocks for indented examples, escaped marks."""
    in_code = False
    section = False
    for line in _with_spans(lines):
        is_text = bool(line.strip())
        if is_text and not line.startswith(" "):
            in_code, section = False, line.rstrip().endswith(":") and line.rstrip()[:-1] in SECTIONS
        elif BLOCK.match(line) and not in_code and not section:
            in_code = True
            yield from ("::", "")
        yield line


def _with_spans(lines: list[str]) -> Iterator[str]:
    """Yield the lines with converted code spans; leave the lines of examples unchanged."""
    section = False
    for line in lines:
        if line.strip() and not line.startswith(" "):
            section = line.strip()[:-1] in SECTIONS
        if BLOCK.match(line) and not section:
            yield line
            continue
        parts = line.split("`")
        yield "".join(f"``{part}``" if number % 2 else NOT_CODE.sub(r"\\\1", part) for number, part in enumerate(parts))
