"""Read a replay page independently: its blocks as a browser finds them, and states built from their patches."""

import json
from base64 import b64decode
from collections.abc import Iterator
from gzip import decompress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


class Blocks(HTMLParser):
    """The text of every element with an id, and the items of the trail: (id, number, class, sentence)."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.items: list[tuple[str, str, str, str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._inside: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        name = given.get("id") or ""
        if tag in ("script", "pre", "noscript", "style"):
            self._inside.append(name or tag)
            self.texts.setdefault(name or tag, "")
        if tag == "li" and self._inside == ["trail"]:
            self.items.append((name, given.get("value") or "", given.get("class") or "", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "pre", "noscript", "style"):
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside[-1]] += data
        if self.items and self._inside == ["trail"]:
            self.items[-1] = (*self.items[-1][:3], self.items[-1][3] + data)

    @property
    def log(self) -> bytes:
        """The log, without the line feed directly after `<pre>`, which a browser drops."""
        return self.texts["log"].removeprefix("\n").encode()

    @property
    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = self._unpacked("facts")
        return found

    @property
    def records(self) -> dict[int, dict[str, Any]]:
        """The entries of records, by position."""
        return dict(enumerate(self._unpacked("records"), self.facts["first"]))

    def states(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield every position and its state. Each step modifies the same state."""
        state: Any = {}
        for position, patch in enumerate(self._unpacked("states"), self.facts["first"]):
            state = merged(state, patch)
            yield position, state

    def _unpacked(self, name: str) -> Any:
        return json.loads(decompress(b64decode(self.texts[name])))


def merged(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch as in RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result
