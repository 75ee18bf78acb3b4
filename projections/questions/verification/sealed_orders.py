"""Compare opened sealed words with the sealed ones, letter for letter (FORMAT.md, section 14).

A log is read twice, as for its dice: first for the positions whose words are opened, then for the words sealed there,
so that only those are kept in memory.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.ledger.records.record import UNREADABLE

WORDS = {"text": "a different text", "condition": "a different condition"}
"""The fields that are compared, and the finding for each if it differs: the words themselves may be secret."""


MOST_DIGITS = 16
"""The most digits of a position."""


class WrongWords(msgspec.Struct, frozen=True, kw_only=True):
    """A record that opens other words than were sealed. `position` counts from 1."""

    position: int
    why: str
    expected: str
    found: str


class _SealedLine(msgspec.Struct, frozen=True):
    """The part of a stored record that this check reads."""

    position: int = 0
    visible_to: tuple[str, ...] | None = None
    event: Raw = Raw(b"")


_line = msgspec.json.Decoder(_SealedLine).decode


class OpenedWords:
    """Compares opened words with sealed ones. `wrong`: the first record that differs."""

    def __init__(self) -> None:
        self.wrong: WrongWords | None = None
        self._asked: set[int] = set()
        self._sealed: dict[int, tuple[tuple[str, ...] | None, dict[str, Any] | None]] = {}

    def look_ahead(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Read the log for the first time, and yield the lines unchanged."""
        for line in lines:
            for _, event in _openings(line):
                self._asked.add(_whole(event.get("note")))
            yield line

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Read the log for the second time, and yield the lines unchanged."""
        for line in lines:
            if self._asked:
                for position, event in _openings(line):
                    self._compare(position, event)
                self._keep(line)
            yield line

    def _keep(self, line: bytes) -> None:
        position = _position(line)
        if not position or position not in self._asked:
            return
        try:
            read = _line(line)
            event = json.loads(bytes(read.event)) if bytes(read.event) else None
        except UNREADABLE:
            return
        if event is None or isinstance(event, dict):
            self._sealed[position] = read.visible_to, event

    def _compare(self, position: int, opened: dict[str, Any]) -> None:
        note = _whole(opened.get("note"))
        expected, found = self._unlike(note, opened)
        if found and self.wrong is None:
            why = f"it reveals a text other than the one sealed at #{note}"
            self.wrong = WrongWords(position=position, why=why, expected=expected, found=found)

    def _unlike(self, note: int, opened: dict[str, Any]) -> tuple[str, str]:
        """Return the expected and the found words of an opening, described; "" twice if no difference is visible."""
        eyes, sealed = self._sealed.get(note, (None, {}))
        if sealed is not None and sealed.get("type") != "note.sealed":
            return f"a sealed text at #{note}", "no sealed text"
        if eyes is not None and opened.get("side") not in eyes:
            return f"a side that can see #{note}", "another side"
        for field, differs in WORDS.items():
            if sealed is not None and not opened.get("withdrawn") and opened.get(field, "") != sealed.get(field, ""):
                return f"the {field} of #{note}", differs
        return "", ""


def _openings(line: bytes) -> Iterable[tuple[int, dict[str, Any]]]:
    """Yield the opening of sealed words in a line, with its position; other checks report damaged lines."""
    return _opening(line) if b"note.opened" in line or b"\\u" in line else ()


def _opening(line: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        read = _line(line)
        event = json.loads(bytes(read.event) or b"{}")
    except UNREADABLE:
        return
    if isinstance(event, dict) and event.get("type") == "note.opened":
        yield read.position, event


def _position(line: bytes) -> int:
    """Return the position of a record; 0 for a line without one."""
    found = line[len(b'{"position":') :].partition(b",")[0] if line.startswith(b'{"position":') else b""
    return int(found) if found.isdigit() and len(found) <= MOST_DIGITS else 0


def _whole(value: object) -> int:
    """Return a position; 0 if the value is not one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
