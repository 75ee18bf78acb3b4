"""List every route of the service with values for its parameters; the list comes from the service's own router."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from litestar import Litestar
from litestar.routes import HTTPRoute

from tests.face.service import (
    KNOWN,
    Service,
    ServiceSettings,
    build,
)

OPEN = ("/titles", "/in", "/health", "/schema", "/pages")
"""Open without a seat: these routes belong to no game. POST `/session` exchanges a token for a cookie."""
PAGES = ("/table", "/referee", "/watch", "/replay")
"""Answered in HTML, and written to by forms."""
WORDS: dict[str, str] = {
    "act": "note",
    "name": "pages.css",
    "order": "note",
    "record": "1",
    "unit": "r1",
    "who": "red",
    "dispute": "d1",
    "invitation": "0123456789abcdef",
    "title": "freeform",
}
QUERIES: dict[str, dict[str, Any]] = {
    "/account": {"name": "vp"},
    "/knew/{who:str}": {"at": 1},
    "/diff": {"before": 1, "after": 2},
}
BODIES: dict[str, Any] = {
    "/orders": {"order": "note", "text": "hm"},
    "/rewind": {"to": 2, "why": "hm"},
    "/ask-rewind": {"to": 2, "why": "hm"},
    "/amend": {"at": 3, "why": "hm", "how": "drop"},
    "/notes": {"text": "hm"},
    "/table/{game:str}/{act:str}": {"text": "hm"},
    "/referee/{game:str}/{act:str}": {"text": "hm"},
    "/disputes": {"records": [2], "claim": "hm"},
    "/disputes/{dispute:str}/settle": {"ruling": "hm", "why": "hm"},
    "/rulings": {"ruling": "hm", "why": "hm", "grounds": "printed rule"},
    "/peeks": {"who": "red", "why": "hm"},
    "/fork": {"id": "a-copy"},
    "/invitations": {"seat": "red"},
    "/new": {"id": "a-new-page", "title": "freeform", "scenario": "title = 'freeform'"},
    "/games": {"id": "a-new-one", "title": "freeform", "scenario": "title = 'freeform'"},
    "/session": {"token": "0123456789abcdef." + "A" * 43},
}


class Route(NamedTuple):
    """A route with values for its parameters. `template`: the path after the game's id; `asks`: its parameters."""

    method: str
    path: str
    template: str
    query: dict[str, Any]
    body: Any
    asks: frozenset[str] = frozenset()

    @property
    def is_page(self) -> bool:
        return self.path in ("/", "/new") or self.path.startswith(("/new/pictures", *PAGES))

    @property
    def is_of_a_game(self) -> bool:
        return self.path.startswith(("/games/", *PAGES))


def routes(game_id: str) -> Iterator[Route]:
    """Yield every route, with a game's id in its path if it takes one."""
    app = _app()
    for route in sorted(app.routes, key=lambda route: route.path):  # the framework keeps those of its own in a set
        if isinstance(route, HTTPRoute):
            for method in sorted(route.methods - {"OPTIONS"}):
                yield _called(route, method, game_id, app.state[KNOWN][route.path_format, method])


@cache
def _app() -> Litestar:
    """Build the service once for all files that list its routes while tests are collected."""
    return build(Service(ServiceSettings(where=":memory:")))


def _called(route: HTTPRoute, method: str, game_id: str, asks: frozenset[str]) -> Route:
    path = route.path
    template = path.removeprefix("/games/{game:str}")
    for name, word in {**WORDS, "game": game_id}.items():
        for kind in ("str", "int"):
            path = path.replace(f"{{{name}:{kind}}}", word)
    body = BODIES.get(template) if method == "POST" else None
    return Route(method, path, template, QUERIES.get(template, {}), body, asks)


def is_open(route: Route) -> bool:
    return route.path.startswith(OPEN) or (route.method, route.path) == ("POST", "/session")
