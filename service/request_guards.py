"""Check a request before its body is read: admission, rate, size, and parameters.

The checks are guards of the framework, which run before it reads or parses a body.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute

from umpire_ledger.service.authentication import SAFE, AnyRequest
from umpire_ledger.service.games import Person
from umpire_ledger.service.pools import in_a_thread
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.service import service_of

Connection = ASGIConnection[Any, Any, Any, Any]
KNOWN = "query_parameters"


async def let_in(connection: Connection, _: BaseRouteHandler) -> None:
    """Refuse a write from a caller without a seat in the game or ledger.

    A read has no body, so it is checked later, in its thread.

    Raises:
        NotAuthorized: When the token or session is not valid.
        RequestRefused: When the caller has no seat there, or sends too many requests.
    """
    request, game = _request(connection), str(connection.path_params.get("game", ""))
    if request.method in SAFE:
        return
    service = service_of(request.app)

    def admit() -> None:
        doors = service.doors
        admission = doors.admit(request, game or None)
        if game:
            doors.seat_of(admission, game, request.query_params.get("as", ""))

    await in_a_thread(service.pools.looking, admit)


async def let_operator_in(connection: Connection, _: BaseRouteHandler) -> None:
    """Refuse a write to the ledger as a whole from any caller except the referee of every game.

    Raises:
        NotAuthorized: When the token or session is not valid.
        RequestRefused: When the caller is not that referee, or sends too many requests.
    """
    request = _request(connection)
    if request.method == "POST":
        await in_a_thread(service_of(request.app).pools.looking, _operator, request)


def _operator(request: AnyRequest) -> None:
    Person(request).verify_operator("only the operator can open games")


async def verify_measure(connection: Connection, _: BaseRouteHandler) -> None:
    """Limit the requests for public addresses.

    Raises:
        RequestRefused: When the caller sends too many requests.
    """
    request = _request(connection)
    service_of(request.app).doors.throttle_public(request)


async def verify_asked(connection: Connection, _: BaseRouteHandler) -> None:
    """Refuse unknown query parameters.

    Raises:
        RequestRefused: When a parameter is unknown; the remedy names the most similar known one.
    """
    known = connection.app.state[KNOWN].get((connection.scope["path_template"], _request(connection).method), ())
    for name in connection.query_params:
        if name not in known:
            near = get_close_matches(name[:100], known, 1)
            listed = f"known parameters: {', '.join(sorted(known))}" if known else "send it without parameters"
            raise RequestRefused(
                HTTPStatus.BAD_REQUEST,
                "usage",
                f"unknown parameter '{name}'",
                where="the request",
                rule="query parameters",
                remedy=f"did you mean {near[0]}? {listed}" if near else listed,
            )


def know_parameters(app: Litestar) -> None:
    """Store the parameters of each route, including those of its dependencies."""
    app.state[KNOWN] = {
        (route.path_format, method): frozenset(_names(model.expected_query_params))
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (_, model) in route.route_handler_map.items()
    }


def methods_of(app: Litestar, path: str | None) -> set[str]:
    """Return the methods of all routes of a path."""
    return {method for template, method in app.state[KNOWN] if template == path}


def _names(found: Iterable[Any]) -> Iterable[str]:
    return (one.field_alias for one in found)


def _request(connection: Connection) -> AnyRequest:
    assert isinstance(connection, Request)
    return connection
