"""Send a page to a reader who has an earlier one as the parts that changed (delta encoding, RFC 3229).

A listener reads its page again after each record. The page has 60 to 130 kB, of which a record changes a few. So the
service remembers the pages that it sent to scripts. A reader names the page that it has by its ETag and gets literal
text and references to pieces of that page. A reader whose page is no longer remembered gets the whole page.
"""

import hashlib
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus

import msgspec
from litestar import Response

MANIPULATION = "pieces"
"""Name of the delta encoding in `A-IM` and `IM`."""
BORDER = "<"
"""Border between two pieces of a page. Scripts count characters otherwise, but split at it alike."""
MOST_BYTES = 16 * 2**20
"""Compressed pages that a process remembers at most: about a thousand."""
Change = str | list[int]
"""Literal text, or the first piece and the piece after the last one of the earlier page."""


def changes(old: str, new: str) -> list[Change]:
    """Return the changes that make a page from an earlier one: all of them, joined by `BORDER`, are the new page."""
    return [
        BORDER.join(found) if isinstance(found, list) else [found.start, found.stop]
        for found in _runs(old.split(BORDER), new.split(BORDER))
    ]


def _runs(had: Sequence[str], now: Sequence[str]) -> Iterator[list[str] | range]:
    """Yield runs of new pieces, and runs of pieces that are in the earlier page in the same order."""
    first = {piece: nth for nth, piece in reversed(tuple(enumerate(had)))}
    run: list[str] | range = []
    for piece in now:
        following = run.stop if isinstance(run, range) else len(had)
        at = following if following < len(had) and had[following] == piece else first.get(piece)
        if at is None and isinstance(run, list):
            run.append(piece)
        elif at is not None and at == following and isinstance(run, range):
            run = range(run.start, at + 1)
        else:
            if run:
                yield run
            run = [piece] if at is None else range(at, at + 1)
    yield run


class SentPages:
    """The pages that were sent to scripts, each for its game and seat; the oldest ones are forgotten first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._pages: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()
        self._most = most
        self._bytes = 0
        self._lock = threading.Lock()

    def shortened(self, asked: Mapping[str, str], game: str, seat: str, whole: Response[str]) -> Response[str]:
        """Return the answer with an ETag; with the changes alone, if the reader has a page that is remembered.

        A request without `A-IM` gets the answer as it is.

        Args:
            asked: The headers of the request, names in lower case.
        """
        if MANIPULATION not in [one.strip() for one in asked.get("a-im", "").split(",")]:
            return whole
        tag = hashlib.sha256(whole.content.encode()).hexdigest()[:32]
        base = asked.get("if-none-match", "").strip().strip('"')
        old = self._recall((game, seat, base))
        self._remember((game, seat, tag), whole.content)
        whole.headers["ETag"] = f'"{tag}"'
        if old is None:
            return whole
        delta = {"IM": MANIPULATION, "Delta-Base": f'"{base}"', "Cache-Control": "private, no-store"}
        return Response(
            msgspec.json.encode(changes(old, whole.content)).decode(),
            status_code=HTTPStatus.IM_USED,
            media_type="application/json",
            headers={**whole.headers, **delta},
        )

    def _recall(self, key: tuple[str, str, str]) -> str | None:
        with self._lock:
            found = self._pages.get(key)
        return None if found is None else zlib.decompress(found).decode()

    def _remember(self, key: tuple[str, str, str], text: str) -> None:
        packed = zlib.compress(text.encode(), 1)
        with self._lock:
            self._bytes += len(packed) - len(self._pages.pop(key, b""))
            self._pages[key] = packed
            while self._bytes > self._most:
                self._bytes -= len(self._pages.popitem(last=False)[1])
