"""Render templates and static files. Text from users is escaped, so it never becomes HTML or control characters."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, QueryParameter
from markupsafe import Markup, escape

from umpire_ledger.desk.pictures.pictures import palette
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.record.escaping import inert
from umpire_ledger.service.game_request import NoneMatch, is_known
from umpire_ledger.service.pages.addresses import address, page_of
from umpire_ledger.service.pages.words import ago, clock, moment, plain_value

HTML = "text/html"
UNKEPT = {"Cache-Control": "private, no-store", "Vary": "Cookie, Authorization"}
"""Headers of a page. No browser may store it, because it contains order ids, each for one order."""
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
YEAR = 31_536_000


def _shown(value: Any) -> Any:
    """Escape invisible characters in text for people; leave markup of the templates unchanged."""
    return inert(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _as_typed(value: object) -> Markup:
    """Escape a value for a field, but keep its invisible characters as they were typed."""
    return escape(str(value))


@cache
def environment() -> Environment:
    """Return the templates, with the functions that every template may use."""
    made = Environment(
        loader=PackageLoader("umpire_ledger.service.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(static=static, address=address, page_of=page_of)
    made.filters.update(
        as_typed=_as_typed, ago=ago, moment=moment, clock=clock, counted=counted, value=plain_value, drawing=Markup
    )
    return made


def page(template: str, status: int = 200, headers: dict[str, str] | None = None, /, **said: Any) -> Response[str]:
    """Return a page made from its template."""
    text = environment().get_template(template).render(**said)
    return Response(text, status_code=status, media_type=HTML, headers={**UNKEPT, **(headers or {})})


# --- static files -----------------------------------------------------------------------------------------------------


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    """Return each static file by its name, with the hash of its content."""
    folder = files("umpire_ledger.service.pages") / "static"
    found = {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in KINDS}
    found["palette.css"] = palette().encode()
    return {name: (raw, hashlib.sha256(raw).hexdigest()[:16]) for name, raw in found.items()}


def static(name: str) -> str:
    """Return the address of a static file; new content gets a new address."""
    return f"/pages/{name}?v={_files()[name][1]}"


@get("/pages/{name:str}", sync_to_thread=False, include_in_schema=False, media_type="text/css")
def static_file(
    name: FromPath[str], v: Annotated[str, QueryParameter(max_length=64)] = "", if_none_match: NoneMatch = ""
) -> Response[bytes]:
    """Return a style sheet or a script. A browser may cache an address with the hash of its content for a year."""
    if name not in _files():
        raise NotFoundException
    raw, mark = _files()[name]
    kept = f"public, max-age={YEAR}, immutable" if v == mark else "public, no-cache"
    headers = {"Cache-Control": kept, "ETag": f'"{mark}"'}
    if is_known(headers["ETag"], if_none_match):
        return Response(b"", status_code=304, headers=headers)
    return Response(raw, media_type=KINDS[name.rpartition(".")[2]], headers=headers)
