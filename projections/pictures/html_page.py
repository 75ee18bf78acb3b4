"""Write a report as one self-contained HTML file that contains its pictures, fetches nothing and runs no script."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape

import msgspec

from umpire_ledger.projections.pictures.shapes import BAD, GROUND, INK, LINE, SOFT
from umpire_ledger.projections.record.escaping import inert

STYLE = f"""
:root {{ color-scheme: light }}
body {{ font: 16px/1.45 ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: {INK};
  background: {GROUND}; max-width: 62rem; margin: 0 auto; padding: 1rem }}
h1 {{ font-size: 1.35rem }} h2 {{ font-size: 1.1rem; border-bottom: 1px solid {LINE}; margin-top: 2rem }}
.lead, figcaption {{ color: {SOFT} }} figure {{ margin: 1rem 0 }} img {{ max-width: 100%; height: auto }}
li {{ margin: .35rem 0 }} li img {{ vertical-align: middle; margin-right: .5rem; max-height: 4rem }}
details {{ color: {SOFT}; font-size: .9rem }} summary {{ cursor: pointer }}
:focus-visible {{ outline: 2px solid {BAD} }}
.beside > * {{ min-width: 0 }}
@media (min-width: 48rem) {{ .beside {{ display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem }} }}
@media print {{ body {{ max-width: none }} details > * {{ display: block }} }}
"""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An SVG picture with its caption. `words`: its content in sentences."""

    svg: str
    caption: str
    words: tuple[str, ...] = ()


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a list. `drawn`: small pictures before its text; `below`: items under it."""

    text: str
    drawn: tuple[Shown, ...] = ()
    below: tuple["Item", ...] = ()


class PageSection(msgspec.Struct, frozen=True, kw_only=True):
    """A section of the page: a heading, large pictures and a list."""

    name: str
    items: tuple[Item, ...] = ()
    figures: tuple[Shown, ...] = ()


def html_of(title: str, lead: Sequence[str], parts: Sequence[PageSection]) -> str:
    """Return the whole file. User-supplied text is escaped, so that it is never markup."""
    return "\n".join(_lines(title, lead, parts)) + "\n"


def _text(said: str) -> str:
    return escape(inert(said))


def _lines(title: str, lead: Sequence[str], parts: Sequence[PageSection]) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{_text(title)}</h1>"
    yield from (f'<p class="lead">{_text(one)}</p>' for one in lead)
    for part in parts:
        yield f"<section>\n<h2>{_text(part.name)}</h2>"
        for figure in part.figures:
            yield from _figure(figure)
        yield from _list(part.items)
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def _figure(shown: Shown) -> Iterator[str]:
    yield '<div class="beside">'
    yield f"<figure>\n{_image(shown)}\n<figcaption>{_text(shown.caption)}</figcaption>\n</figure>"
    if shown.words:
        yield "<details open>\n<summary>The same in words</summary>\n<ul>"
        yield from (f"<li>{_text(one)}</li>" for one in shown.words)
        yield "</ul>\n</details>"
    yield "</div>"


def _image(shown: Shown) -> str:
    """Return a picture as an image with a data URL, so that it cannot run or fetch anything and its ids stay local."""
    return (
        f'<img alt="{_text(shown.caption)}" src="data:image/svg+xml;base64,{b64encode(shown.svg.encode()).decode()}">'
    )


def _list(items: Sequence[Item]) -> Iterator[str]:
    if items:
        yield "<ul>"
        for item in items:
            yield f"<li>{''.join(map(_image, item.drawn))}{_text(item.text)}"
            yield from _list(item.below)
            yield "</li>"
        yield "</ul>"
