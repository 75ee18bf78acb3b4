"""A page as a reader takes it: its forms with their fields, its words."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import httpx

from tests.service.served import Caller

FIELDS = ("input", "select", "textarea", "button")


class FormRead:
    """A form: its address and the values of its fields."""

    def __init__(self, action: str, method: str) -> None:
        self.action, self.method = action, method
        self.fields: list[tuple[str, str]] = []

    def value(self, name: str) -> str:
        return dict(self.fields)[name]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[FormRead] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.by_id: dict[str, list[str]] = {}
        self._open: list[str] = []
        self._select = ""
        self._hidden = 0

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in given}
        self.tags.append((tag, attributes))
        if tag == "form":
            self.forms.append(FormRead(attributes.get("action", ""), attributes.get("method", "get")))
        if self.forms and tag in ("input", "textarea") and "name" in attributes:
            ticks = attributes.get("type") in ("checkbox", "radio")
            if not ticks or "checked" in attributes:
                self.forms[-1].fields.append((attributes["name"], attributes.get("value", "")))
        if tag == "select":
            self._select = attributes.get("name", "")
        if self.forms and tag == "option" and "selected" in attributes:
            self.forms[-1].fields.append((self._select, attributes.get("value", "")))
        if tag == "section":
            self._open.append(attributes.get("id", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "section" and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.text.append(data.strip())
            for one in self._open:
                self.by_id.setdefault(one, []).append(data.strip())


class PageRead:
    """The words of a page and the forms and links that work without a script."""

    def __init__(self, caller: Caller, answer: httpx.Response) -> None:
        self.caller, self.answer = caller, answer
        self._read = _Reader()
        self._read.feed(answer.text)

    @property
    def status(self) -> int:
        return self.answer.status_code

    @property
    def words(self) -> str:
        return " ".join(self._read.text)

    def part(self, id: str) -> str:
        """The words of a part of the page."""
        return " ".join(self._read.by_id.get(id, []))

    @property
    def tags(self) -> list[tuple[str, dict[str, str]]]:
        return self._read.tags

    @property
    def forms(self) -> list[FormRead]:
        return self._read.forms

    def form(self, act: str, **holds: str) -> FormRead:
        """The form of that act, the first that holds these values."""
        fit = [
            one
            for one in self._read.forms
            if urljoin("/", one.action).partition("?")[0].rpartition("/")[2] == act
            and all((name, value) in one.fields for name, value in holds.items())
        ]
        assert fit, f"there is no form {act} with {holds}; there are {[one.action for one in self._read.forms]}"
        return fit[0]

    def send(self, act: str, holds: dict[str, str] | None = None, /, **typed: Any) -> "PageRead":
        """Fill in a form, send it and follow the answer."""
        form = self.form(act, **(holds or {}))
        said = [(name, value) for name, value in form.fields if name not in typed]
        for name, value in typed.items():
            said += [(name, one) for one in (value if isinstance(value, list) else [value])]
        return self.sent(form.action, said)

    def sent(self, action: str, said: list[tuple[str, str]]) -> "PageRead":
        """Send these fields and follow the answer."""
        content = str(httpx.QueryParams(said))
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        address = urljoin(str(self.answer.url), action)
        answer = self.caller.http.post(address, content=content, headers=headers)
        if answer.status_code == 303:
            answer = self.caller.get(urljoin(str(answer.url), answer.headers["location"]))
        return PageRead(self.caller, answer)


def page_at(caller: Caller, path: str) -> PageRead:
    """Look at a page."""
    return PageRead(caller, caller.get(path))
