"""Check that the text of each revealed sealed order equals the sealed text (FORMAT.md, section 14).

A log is read twice. The first reading finds the positions of the sealed texts that are revealed later. The second
reading compares the texts, so that only these texts stay in memory.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.ledger.records.record import UNREADABLE

WORDS = {"text": "a different text", "condition": "a different condition"}
"""The compared fields, and a description of each difference. It does not quote the text, which may be secret."""


MOST_DIGITS = 16
"""The largest number of digits in a position."""


class WrongWords(msgspec.Struct, frozen=True, kw_only=True):
    """A record that reveals a text other than the sealed one. `position` counts from 1."""

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
    """Compares revealed texts with sealed texts. `wrong`: the first record that differs, or None."""

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
        """Read the log for the second time, compare the texts, and yield the lines unchanged."""
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
        """Describe the expected and the found text of a reveal; return "" twice if no difference is visible."""
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
    """Return the position and event of a revealed sealed order in a line, if any; other checks report damaged lines."""
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
    """Return the position of the record in a line; 0 if there is none."""
    found = line[len(b'{"position":') :].partition(b",")[0] if line.startswith(b'{"position":') else b""
    return int(found) if found.isdigit() and len(found) <= MOST_DIGITS else 0


def _whole(value: object) -> int:
    """Return a value if it is a whole number; otherwise 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
