"""Find every text of the tree: Markdown outside code, docstrings, comments, string literals and names of tests.

One regular expression finds the strings and comments of a file, ten times as fast as its syntax tree.
"""

import os
import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[2]
ROOMS = ("ledger", "domain", "projections", "desk", "service", "cli", "umpire_ledger", "docs", "fixtures", "tests")
WITH_SUBROOMS = ("desk", "domain")
OWN = ("tests", "language")
"""This folder, which is left out because it quotes the smells that it counts."""

Kind = Literal["markdown", "help", "docstring", "string", "comment", "test"]
FOR_USERS = ("markdown", "help", "string")
"""Kinds of texts that users read; other kinds are read with the code."""

TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?:\b[rbfuRBFU]{1,2})?(?:"
    r'"""(?P<long>[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*)"""'
    r'|"(?P<double>[^"\\\n]*(?:\\.[^"\\\n]*)*)"'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r"|'(?P<single>[^'\\\n]*(?:\\.[^'\\\n]*)*)'"
    r")",
    re.DOTALL,
)
TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"\.(?:command|group)\(")
NOT_PROSE = re.compile(r"#!|# (?:noqa|type:)|# ---")


class Text(NamedTuple):
    """A text with its kind, place and words; for a docstring, also the line that it documents."""

    kind: Kind
    room: str
    file: str
    line: int
    words: str
    owner: str = ""


def texts() -> Iterator[Text]:
    """Yield every text of the tree."""
    for file in _files():
        content = file.read_text("utf-8")
        path = file.relative_to(ROOT)
        yield from texts_of(content, str(path), room_of(path.parts))


def texts_of(content: str, file: str, room: str) -> Iterator[Text]:
    """Yield the texts of one Markdown or Python file."""
    if file.endswith(".md"):
        yield Text("markdown", room, file, 1, CODE.sub(lambda code: "`" + "\n" * code[0].count("\n") + "`", content))
        return
    line, at = 1, 0
    for token in TOKEN.finditer(content):
        line, at = line + content.count("\n", at, token.start()), token.start()
        yield from _text(content, token, Text("comment", room, file, line, ""))
    for name in TEST.finditer(content):
        yield Text("test", room, file, content.count("\n", 0, name.start()) + 1, name[1])


def room_of(parts: tuple[str, ...]) -> str:
    """Return the room of a path: its top folder; in `desk/` and `domain/`, the next folder too."""
    deep = 2 if parts[0] in WITH_SUBROOMS and len(parts) > 2 else 1
    return "/".join(parts[:deep]) if len(parts) > 1 else "root"


def _text(content: str, token: re.Match[str], blank: Text) -> Iterator[Text]:
    if (comment := token["comment"]) is not None:
        if not NOT_PROSE.match(comment):
            yield blank._replace(words=comment.lstrip("# "))
        return
    words = next((token[group] for group in ("long", "double", "single") if token[group] is not None), "")
    starts = content.rfind("\n", 0, token.start()) + 1
    if token["long"] is not None and not content[starts : token.start()].strip():
        owner, is_command = _owner(content, starts, token.start() - starts)
        yield blank._replace(kind="help" if is_command else "docstring", words=cleandoc(words), owner=owner)
    elif " " in words.strip():
        yield blank._replace(kind="string", words=words)


def _owner(content: str, starts: int, indent: int) -> tuple[str, bool]:
    """Return the line with `def` or `class` above a docstring, and whether it defines a click command."""
    if not content[:starts].rstrip(" ").endswith(":\n"):
        return "" if starts else "module", False
    head = max(content.rfind(f"\n{' ' * (indent - 4)}{word} ", 0, starts) for word in ("def", "async def", "class"))
    above = content[content.rfind("\n\n", 0, head) + 2 : head + 1]
    return above + content[head + 1 : content.find("\n", head + 1)].strip(), bool(COMMAND.search(above))


def _files() -> Iterator[Path]:
    yield from sorted(ROOT.glob("*.md"))
    for room in ROOMS:
        for folder, folders, names in os.walk(ROOT / room):  # links of `umpire_ledger/` are not followed
            folders[:] = sorted(set(folders) - {"__pycache__", "node_modules"})
            if Path(folder).relative_to(ROOT).parts != OWN:
                yield from (Path(folder, name) for name in sorted(names) if name.endswith((".py", ".md")))
