"""The lines of a replay log inside a replay page: put in so that a browser reads the very same text, and taken out."""

import re
from collections.abc import Iterable, Iterator

OPENS, CLOSES = b'<pre id="log" hidden>\n\n', b"</pre>\n"
"""HTML drops the first line feed behind `<pre>`, so there are two."""
_BLOCK = re.compile(rb"<[A-Za-z][^>]*?\bid\s*=\s*[\"']?log(?![A-Za-z0-9_-])[^>]*>", re.IGNORECASE)
_STRAY = re.compile(rb"<|&(?!amp;|lt;)|\r|\x00")


def put_in(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The block of a page that holds these lines, each with its line feed."""
    yield OPENS
    for line in lines:
        yield line.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
    yield CLOSES


class NoLogInPageError(Exception):
    """A page whose log cannot be read as every browser reads it; the message says why."""


def is_page(beginning: bytes) -> bool:
    """Whether a file that begins so is a page: a log begins with a brace."""
    return beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def taken_out(page: bytes) -> bytes:
    """The log that a page holds, byte for byte. Raises NoLogInPageError."""
    found = [*_BLOCK.finditer(page)]
    if not found:
        raise NoLogInPageError(
            'it has no block `<pre id="log" hidden>`: it is no replay page, or the block was cut out'
        )
    if len(found) > 1:
        raise NoLogInPageError(f"it has {len(found)} blocks with the id `log`, and a reader sees only the first")
    begin = found[0].start()
    if not page.startswith(OPENS, begin):
        raise NoLogInPageError("its block `log` does not begin as Umpire writes it")
    begin += len(OPENS)
    end = page.find(CLOSES, begin)
    if end < 0:
        raise NoLogInPageError("its block `log` has no end: the page is cut short")
    block = page[begin:end]
    stray = _STRAY.search(block)
    if stray is not None:
        line = block.count(b"\n", 0, stray.start()) + 1
        raise NoLogInPageError(
            f"line {line} of its block `log` holds a bare {stray[0].decode()!r}, which no log in a page has"
        )
    return block.replace(b"&lt;", b"<").replace(b"&amp;", b"&")
