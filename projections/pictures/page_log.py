"""Write the lines of a replay log into a replay page so that a browser reads the same text, and read them back."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmap import mmap

OPENS, CLOSES = b'<pre id="log" hidden>\n', b"</pre>\n"
"""Markup around the log. HTML drops the line feed directly after `<pre>`, so the lines themselves are unchanged."""
_BLOCK = re.compile(rb"<[A-Za-z][^>]*?\bid\s*=\s*[\"']?log(?![A-Za-z0-9_-])[^>]*>", re.IGNORECASE)
_STRAY = re.compile(rb"<|&(?!amp;|lt;)|\r|\x00")


def put_in(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the block of a page that contains these lines. Each line ends with a line feed."""
    yield OPENS
    for line in lines:
        yield line.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
    yield CLOSES


class NoLogInPageError(Exception):
    """The log in a page is missing, damaged or ambiguous; the message says why."""


def is_page(beginning: bytes) -> bool:
    """Return whether a file with this beginning is a page, which starts with `<`; a log starts with a brace."""
    return beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def taken_out(page: "bytes | mmap") -> Iterator[bytes]:
    """Return the lines of the log in a page, byte for byte.

    Raises:
        NoLogInPageError: When the page has no complete log. It is raised before the first line is returned.
    """
    begin = _begin(page)
    end = page.find(CLOSES, begin)
    if end < 0:
        raise NoLogInPageError("its block `log` has no end: the page was cut short")
    stray = _STRAY.search(page, begin, end)
    if stray is not None:
        line = page[begin : stray.start()].count(b"\n") + 1
        raise NoLogInPageError(f"line {line} of its block `log` holds a bare {stray[0].decode()!r}")
    return _lines(page, begin, end)


def _begin(page: "bytes | mmap") -> int:
    """Return the start of the first line of the log.

    Raises:
        NoLogInPageError: When the page has no log block, several log blocks, or a changed log block.
    """
    found = [*_BLOCK.finditer(page)]
    if not found:
        raise NoLogInPageError("it has no block with the id `log`: it is not a replay page, or the block was cut out")
    if len(found) > 1:
        raise NoLogInPageError(f"it has {len(found)} blocks with the id `log`, of which a reader sees one")
    begin = found[0].start()
    opens = page[begin : begin + len(OPENS)]
    if b"\r" in opens:
        raise NoLogInPageError("its line ends were changed to CR LF on the way")
    if opens != OPENS:
        raise NoLogInPageError("its block `log` does not begin as Umpire writes it")
    return begin + len(OPENS)


def _lines(page: "bytes | mmap", begin: int, end: int) -> Iterator[bytes]:
    while begin < end:
        behind = page.find(b"\n", begin, end) + 1 or end
        yield page[begin:behind].replace(b"&lt;", b"<").replace(b"&amp;", b"&")
        begin = behind
