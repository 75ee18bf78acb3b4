"""Complete the OpenAPI document of the service: authentication, all problems, and bodies other than JSON.

The framework writes the document from the types of the routes. This module adds the parts that types do not show, such
as refusals.
"""

from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from umpire_ledger.desk.orders.titles import order_schemas
from umpire_ledger.service.bodies import LINES
from umpire_ledger.service.order_schemas import BODY, order_components
from umpire_ledger.service.problems import MEDIA_TYPE, TITLES, ProblemDetails

Operation = dict[str, Any]
REF = "#/components/schemas/{name}"
ANY_REQUEST = (400, 429, 500, 503)
"""Errors of any request: an unknown parameter, too many requests, a fault of the service, an unreachable ledger."""
LET_IN = (401, 403)
OPEN = ("/titles", "/in", "/health", "/schema")
SECURITY: list[dict[str, list[str]]] = [{"program": []}, {"session": []}]
SCHEMES = {
    "program": {"type": "http", "scheme": "bearer", "description": "`umpire invite GAME SEAT --program`"},
    "session": {"type": "apiKey", "in": "cookie", "name": "umpire", "description": "a link, exchanged at /in"},
}


class Document(JsonRenderPlugin):
    """The served document, made once."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json")
        self._made: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the completed document."""
        if self._made is None:
            self._made = self.render_json(request, completed(openapi_schema))
        return self._made


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Complete the framework's document."""
    paths = {
        path: {method: _completed(path, method, operation) for method, operation in operations.items()}
        for path, operations in document["paths"].items()
    }
    _, schemas = msgspec.json.schema_components((ProblemDetails,), ref_template=REF)
    known = document.get("components", {})
    every_schema = {**known.get("schemas", {}), **schemas, **order_components(order_schemas())}
    components = {**known, "schemas": every_schema, "securitySchemes": SCHEMES}
    return {**document, "paths": paths, "components": components}


def _completed(path: str, method: str, operation: Operation) -> Operation:
    problems = {str(status): _problem(status) for status in _statuses(path, method, operation)}
    found = {**operation, "responses": {**operation["responses"], **problems}}
    if "If-None-Match" in _parameters(operation):
        found["responses"]["304"] = {"description": "The cached answer is current."}
    if path.endswith("/order-files"):
        lines = {kind: {"schema": {"type": "string", "description": "One order per line."}} for kind in LINES}
        found["requestBody"] = {"required": True, "content": lines}
    if (path, method) == ("/games/{game}/orders", "post"):
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": BODY}}}
    if path.endswith("/{title}/scenario"):  # with ?schema=true
        found["responses"]["200"]["content"]["application/json"] = {"schema": {"type": "object"}}
    is_door = path.startswith(OPEN) or (path, method) == ("/session", "post")
    return {**found, "security": [] if is_door else SECURITY}


def _statuses(path: str, method: str, operation: Operation) -> tuple[int, ...]:
    """Return the error statuses of an operation."""
    found: tuple[int, ...] = ANY_REQUEST
    if not path.startswith(OPEN) or method == "post":
        found += LET_IN
    if path.startswith(("/games", "/titles")):
        found += (404, 422, 501)
    if method == "post":
        found += (408, 413, 415)
    if "If-Match" in _parameters(operation):
        found += (412,)
    return found


def _parameters(operation: Operation) -> set[str]:
    return {one["name"] for one in operation.get("parameters") or ()}


def _problem(status: int) -> Operation:
    schema = {"$ref": REF.format(name=ProblemDetails.__name__)}
    says = {
        400: TITLES["usage"],
        412: "; or ".join(TITLES[one] for one in ("somebody-wrote-first", "position-ahead", "not-of-this-game")),
        422: TITLES["refused"],
        429: "Too many requests, too much processor time, or too much growth of the log; Retry-After has the seconds",
    }
    return {
        "description": says.get(status, HTTPStatus(status).phrase),
        "content": {MEDIA_TYPE: {"schema": schema}},
    }
