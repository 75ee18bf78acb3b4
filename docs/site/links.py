"""Check the links of a built site: files and anchors must exist, and no page may load a file from outside."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
"""Elements whose files a browser loads with the page."""


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.anchors |= {value for value in (named.get("id"), named.get("name")) if value}
        if tag == "a" and named.get("href"):
            self.links.append(str(named["href"]))
        if (source := named.get(LOADS.get(tag, ""))) and named.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(source)


@cache
def _read(file: Path) -> _Page:
    page = _Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def faults_of(folder: Path) -> Iterator[str]:
    """Yield a line for each broken link, and for each file that a page loads from outside."""
    for file in sorted(folder.resolve().rglob("*.html")):
        name = file.relative_to(folder.resolve()).as_posix()
        page = _read(file)
        for link in sorted({*page.links, *page.loaded}):
            if fault := _fault(file, link):
                yield f"{name}: {link}: {fault}"
        for loaded in page.loaded:
            if urlsplit(loaded).netloc:
                yield f"{name}: loads {loaded} from outside"


def _fault(file: Path, link: str) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not target.is_file():
        return "no such file"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _read(target).anchors:
        return "" if parts.fragment == "" else "no such anchor"
    return ""
