"""Check a body before any route reads it."""

from typing import Any

from litestar import Request
from litestar.utils.scope.state import ScopeState

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.orders.order_files import read_order_json
from umpire_ledger.service.pools import in_a_thread
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.service import service_of

LARGE = 16 * 2**10
"""Minimum size, in bytes, of a body that is parsed in a thread and not in the loop that all requests share."""
LINES = ("application/x-ndjson", "application/jsonl", "text/plain")


async def verify_body(request: Request[Any, Any, Any]) -> None:
    """Check that a body is JSON within the limits of an order.

    Raises:
        RequestRefused: When it is of another type or too large.
        WrongUse: When it is not valid JSON.
    """
    raw = await request.body()
    if not raw:
        return
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    lines = request.scope["path"].endswith("/order-files")
    wanted = LINES if lines else ("application/json",)
    if kind not in wanted:
        raise RequestRefused(
            415,
            "usage",
            f"unsupported content type: {kind or 'none'}",
            where="the request",
            rule="Content-Type",
            remedy=f"send it as {wanted[0]}",
        )
    if lines:
        return
    found = await in_a_thread(service_of(request.app).pools.looking, _parsed, raw) if len(raw) > LARGE else _parsed(raw)
    ScopeState.from_scope(request.scope).json = found  # so that the framework does not parse it again


def _parsed(raw: bytes) -> dict[str, Any]:
    return read_order_json(_text(raw), where="the body")


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        what, remedy = f"the body is not UTF-8 text (byte {error.start + 1})", "send it as UTF-8"
        raise WrongUse(what, where="the body", rule="limits: text in UTF-8", remedy=remedy) from error
