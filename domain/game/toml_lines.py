"""Find the line of each entry of a TOML file, such as line 41 for `$.units[3].at`. The text must be valid TOML.

Paths have the form of schema faults: names after points, and indexes of an array in brackets.
"""

import re
import tomllib
from collections.abc import Iterator

Part = str | int

_token = re.compile(
    r'(?P<text>"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*')"
    r"|(?P<passed>\#[^\n]*|[ \t\r]+)"
    r"|(?P<end>\n)"
    r"|(?P<sign>[\[\]{}=,.])"
    r"|(?P<bare>[^\s\[\]{}=,.\#\"']+)",
    re.DOTALL,
)


def lines_of(text: str) -> dict[str, int]:
    """Return the line, from 1, of every entry, table and member of an array, by path; `$` is the first line."""
    return _TomlReader(text).read()


def line_of(lines: dict[str, int], path: str) -> int:
    """Return the line of a path, or of its nearest existing parent; 0 if there is none."""
    while path:
        if path in lines:
            return lines[path]
        path = path[: max(path.rfind("."), path.rfind("["))] if path != "$" else ""
    return 0


def path_of(parts: tuple[Part, ...]) -> str:
    """Return a path in text form: `("units", 3, "at")` as `$.units[3].at`."""
    return "$" + "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in parts)


class _TomlReader:
    """A reader of tokens that makes one pass. It checks nothing, because the text is valid TOML."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.found: dict[str, int] = {"$": 1}
        self.counts: dict[tuple[Part, ...], int] = {}

    def read(self) -> dict[str, int]:
        table: tuple[Part, ...] = ()
        while self.at < len(self.tokens):
            kind, word, _ = self.tokens[self.at]
            if kind == "end":
                self.at += 1
            elif word == "[" and kind == "sign":
                table = self._heading()
            else:
                self._entry(table)
        return self.found

    def _heading(self) -> tuple[Part, ...]:
        """Read `[a.b]` or `[[a.b]]`. The name of an array of tables refers to its last member."""
        line = self.tokens[self.at][2]
        many = self._is("[", 1)
        self.at += 2 if many else 1
        names = self._names()
        self.at += 2 if many else 1
        table: tuple[Part, ...] = ()
        for nth, name in enumerate(names, 1):
            table = (*table, name)
            if many and nth == len(names):
                self.counts[table] = self.counts.get(table, 0) + 1
            self.found.setdefault(path_of(table), line)
            if table in self.counts:
                table = (*table, self.counts[table] - 1)
        self.found.setdefault(path_of(table), line)
        return table

    def _entry(self, table: tuple[Part, ...]) -> None:
        line = self.tokens[self.at][2]
        for name in self._names():
            table = (*table, name)
            self.found.setdefault(path_of(table), line)
        self.at += 1  # skip the sign =
        self._value(table)

    def _value(self, path: tuple[Part, ...]) -> None:
        if self._is("["):
            self._array(path)
        elif self._is("{"):
            self.at += 1
            while not self._is("}"):
                if self._is(",") or self.tokens[self.at][0] == "end":
                    self.at += 1
                else:
                    self._entry(path)
            self.at += 1
        else:
            while self.at < len(self.tokens) and not self._ends():
                self.at += 1

    def _array(self, path: tuple[Part, ...]) -> None:
        self.at += 1
        nth = 0
        while not self._is("]"):
            if self._is(",") or self.tokens[self.at][0] == "end":
                self.at += 1
                continue
            self.found.setdefault(path_of((*path, nth)), self.tokens[self.at][2])
            self._value((*path, nth))
            nth += 1
        self.at += 1

    def _ends(self) -> bool:
        kind, word, _ = self.tokens[self.at]
        return kind == "end" or (kind == "sign" and word in ",]}")

    def _names(self) -> list[str]:
        """Read the parts of a dotted key."""
        names: list[str] = []
        while self.tokens[self.at][0] in ("bare", "text") or self._is("."):
            kind, word, _ = self.tokens[self.at]
            if kind != "sign":
                names.append(str(tomllib.loads(f"it = {word}")["it"]) if kind == "text" else word)
            self.at += 1
        return names

    def _is(self, sign: str, ahead: int = 0) -> bool:
        at = self.at + ahead
        return at < len(self.tokens) and self.tokens[at][:2] == ("sign", sign)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, text and line of each token, without comments and blanks."""
    line = 1
    for found in _token.finditer(text):
        kind = found.lastgroup or ""
        if kind != "passed":
            yield kind, found[0], line
        line += found[0].count("\n")
