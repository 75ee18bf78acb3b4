"""Write the replay page, a single file: its data blocks, and the HTML, styles and scripts around them."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.domain.game.looks import SYMBOLS
from umpire_ledger.projections.pictures.counters import SideLook
from umpire_ledger.projections.pictures.drawn_ground import GROUND_CLASS
from umpire_ledger.projections.pictures.layout import Layout
from umpire_ledger.projections.pictures.page_log import put_in
from umpire_ledger.projections.pictures.page_records import Mark
from umpire_ledger.projections.pictures.svg import definitions_of, ground_of
from umpire_ledger.projections.pictures.symbols import CARD, DRAWINGS, SEVERAL, TORN, UNIT
from umpire_ledger.projections.record.escaping import inert

PAGE = files("umpire_ledger.projections.pictures") / "page"
SCRIPTS = (
    *("read.js", "read_log.js", "hashes.js", "dice.js", "dice_shares.js", "verify.js", "proof.js"),
    *("elements.js", "long_list.js", "map.js", "counters.js", "stacks.js", "trail.js", "lives.js", "charts.js"),
    *("panels.js", "player.js"),
)
"""Scripts of the page, in the order in which they are concatenated."""
_HOLE = re.compile(r"\$(policy|title|style|blocks|script)\b")
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
_BLANK = re.compile(r"^\s+", re.MULTILINE)
_json = msgspec.json.Encoder().encode

GROUND = f'class="{GROUND_CLASS}"'
Stretch = tuple[int, int]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about all positions of a page, `first` to `last`. `size`: number of records in its log.

    `line`: stretches of positions that count; `undone`: stretches that do not. `seats`: each seat's side. `map`,
    `charts`, `dice`: data for the drawings.
    """

    edition: str
    game: str
    name: str
    copied: str
    title: str
    seat: str
    first: int
    last: int
    size: int
    turns: list[tuple[int, int]]
    steps: list[tuple[int, str, str]]
    rolls: list[int]
    disputes: list[Mark]
    seals: list[Mark]
    rulings: list[Mark]
    undone: list[Stretch]
    line: list[Stretch]
    sides: list[SideLook]
    seats: dict[str, str]
    map: dict[str, Any]
    charts: dict[str, Any]
    dice: dict[str, Any]
    sentences: str = ""
    """SHA-256 of the text of the trail, in hex. Other blocks are compressed, and detect damage by their checksum."""
    command: str = "umpire verify game.html"


class TrailOrder(NamedTuple):
    """An order of the audit trail, readable without scripts. `first`: its first position."""

    first: int
    text: str
    counts: bool


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """All data of a page except its log. `states`: the first state in full, then a merge patch for each position."""

    facts: Facts
    trail: list[TrailOrder]
    states: list[bytes]
    records: list[bytes]


def map_of(
    layout: Layout, sides: Mapping[str, SideLook], symbols: Mapping[str, str], background: str = ""
) -> dict[str, Any]:
    """Return the map for a page: its ground as markup, the spot of each place, and the drawings for kinds of units."""
    return {
        "extent": [round(one, 1) for one in layout.extent],
        "ground": ground_of(layout, background),
        "defs": definitions_of(sides.values(), symbols.values()),
        "spots": {place: [round(one, 1) for one in plot.at] for place, plot in layout.plots.items()},
        "within": {place: other for place, other in layout.within.items() if other in layout.plots},
        "kinds": symbols,
        "symbols": [{"name": name, "place": DRAWINGS[name].place} for name in SYMBOLS if name in symbols.values()],
        "cards": {"whole": CARD, "torn": TORN, "scale": round(UNIT, 4), "several": SEVERAL},
    }


def page_html(page: Page, log: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the file in parts. `log`: the lines of the seat's export, each with its line feed."""
    script = _script()
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    texts = {
        "policy": policy,
        "title": escape(inert(page.facts.name or page.facts.game)),
        "style": lean(_text("palette.css") + _ground_style(page) + _text("page.css")),
        "script": script,
    }
    parts = _HOLE.split(_text("page.html"))
    for at, part in enumerate(parts):
        if at % 2 == 0:
            yield part.encode()
        elif part == "blocks":
            yield from _blocks(page, log)
        else:
            yield texts[part].encode()


def palette() -> str:
    """Return the style sheet with the colors and fonts of every page that Umpire writes."""
    return _text("palette.css") + _text("ground.css")


def _ground_style(page: Page) -> str:
    """Return the style of the ground, if the page's map has any."""
    return _text("ground.css") if GROUND in page.facts.map["ground"] else ""


def _text(name: str) -> str:
    """Return the text of a part of the page; "" if its file does not exist."""
    part = PAGE / name
    return part.read_text(encoding="utf-8") if part.is_file() else ""


def _script() -> str:
    return "".join(map(lean, map(_text, SCRIPTS)))


def lean(source: str) -> str:
    """Return a script or a style sheet without indentation and without comments on separate lines."""
    return _BLANK.sub("", _COMMENT.sub("", source))


def _blocks(page: Page, log: Iterable[bytes]) -> Iterator[bytes]:
    trail = b"".join(_trail(page.trail))
    yield _packed("facts", _json(msgspec.structs.replace(page.facts, sentences=sha256(trail).hexdigest())))
    yield from put_in(log)
    yield b'<noscript id="trail">%b</noscript>\n' % trail
    yield _packed("states", b"[%b]" % b",".join(page.states))
    yield _packed("records", b"[%b]" % b",".join(page.records))


def _trail(orders: Iterable[TrailOrder]) -> Iterator[bytes]:
    """Yield the trail with one order on each line, because a browser with scripts reads this block as plain text."""
    yield b"<ol>\n"
    for first, text, counts in orders:
        undone = "" if counts else " class=undone"
        yield f"<li id={first} value={first}{undone}>{_escaped(text)}\n".encode()
    yield b"</ol>"


def _escaped(text: str) -> str:
    return inert(text).replace("&", "&amp;").replace("<", "&lt;")


def _packed(name: str, json: bytes) -> bytes:
    """Return a compressed block that the page unpacks. User-supplied text in it is escaped."""
    packed = b64encode(compress(inert(json.decode()).encode(), 9, mtime=0)).decode()
    return f'<script type="text/plain" id="{name}">{packed}</script>\n'.encode()
