"""Sealed words that are open: whether they are what was sealed, letter for letter (FORMAT.md, section 14).

A log is read twice, as for its dice: first for the positions whose words are opened, then for what was sealed there, so
that no more is kept than that.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.ledger.records.record import UNREADABLE

WORDS = {"text": "another text", "condition": "another case"}
"""What of the words is compared, and what is found where it differs: the words themselves may be secret."""


MOST_DIGITS = 16
"""Of a position."""


class WrongWords(msgspec.Struct, frozen=True, kw_only=True):
    """A record that opens other words than were sealed. `position` counts from 1."""

    position: int
    why: str
    expected: str
    found: str


class _Line(msgspec.Struct, frozen=True):
    """Of a stored line only what is looked at here."""

    position: int = 0
    visible_to: tuple[str, ...] | None = None
    event: Raw = Raw(b"")


_line = msgspec.json.Decoder(_Line).decode


class OpenedWords:
    """Compares what is opened with what was sealed. `wrong`: the first record that does not fit."""

    def __init__(self) -> None:
        self.wrong: WrongWords | None = None
        self._asked: set[int] = set()
        self._sealed: dict[int, tuple[tuple[str, ...] | None, dict[str, Any] | None]] = {}

    def look_ahead(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The first reading: the lines as they are."""
        for line in lines:
            for _, event in _openings(line):
                self._asked.add(_whole(event.get("note")))
            yield line

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The second: the lines as they are."""
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
            why = f"it opens other words than were sealed at #{note}"
            self.wrong = WrongWords(position=position, why=why, expected=expected, found=found)

    def _unlike(self, note: int, opened: dict[str, Any]) -> tuple[str, str]:
        """What was expected and what is there instead; nothing where all fits, as far as it is there."""
        eyes, sealed = self._sealed.get(note, (None, {}))
        if sealed is not None and sealed.get("type") != "note.sealed":
            return f"words sealed at #{note}", "nothing is sealed there"
        if eyes is not None and opened.get("side") not in eyes:
            return f"a side that reads #{note}", "another side"
        for field, differs in WORDS.items():
            if sealed is not None and not opened.get("withdrawn") and opened.get(field, "") != sealed.get(field, ""):
                return f"the {field} of #{note}", differs
        return "", ""


def _openings(line: bytes) -> Iterable[tuple[int, dict[str, Any]]]:
    """The opening of sealed words that a line tells, with its position; what is damaged others will find."""
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
    """Where a record stands; 0 for a line that is none."""
    found = line[len(b'{"position":') :].partition(b",")[0] if line.startswith(b'{"position":') else b""
    return int(found) if found.isdigit() and len(found) <= MOST_DIGITS else 0


def _whole(value: object) -> int:
    """A position; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
