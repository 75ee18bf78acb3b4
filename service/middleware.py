"""Wrap every request below the framework: HEAD, common headers, compression, a time limit for bodies, one log line."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from umpire_ledger.service.authentication import SAFE
from umpire_ledger.service.compression import compressed, is_worth_it, may_be_compressed, negotiated, unmarked
from umpire_ledger.service.pools import sharing, writes
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.request_guards import methods_of
from umpire_ledger.service.request_log import log_event, log_request, request_fields
from umpire_ledger.service.service import Service

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (
        b"referrer-policy",
        b"same-origin",
    ),  # with `no-referrer`, a browser would hide the origin of the service's own forms
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
PIECE = 256 * 2**10
"""Maximum number of bytes to send at once; the next bytes follow when the client has read these."""
SECURE = (b"strict-transport-security", b"max-age=31536000")


class Middleware:
    """The application as the server calls it."""

    def __init__(self, app: Any, service: Service) -> None:
        self._app = app
        self._methods = partial(methods_of, app)
        self.service = service
        self._headers = [*HEADERS, *((SECURE,) if service.settings.is_secure else ())]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked, scope["headers"] = dict(scope["headers"]), unmarked(scope["headers"])
        routed = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        answer = _Answer(
            self._methods, routed, send, self._headers, self.service.settings.slow, lambda: self._drop(scope)
        )
        answer.is_head = routed is not scope
        answer.asked = asked
        writes.set(scope["method"] not in SAFE)
        sharing.set(self.service.doors.share_of(scope))
        self.service.doors.begin(scope)
        try:
            body = _Body(receive, self.service.settings.body_seconds)
            await self._app(routed, _Gone(body) if answer.is_head else body, answer)
        finally:
            scope["path_template"] = routed.get("path_template")
            self.service.doors.release(scope)
            self._count(scope, answer)

    def _drop(self, scope: Any) -> None:
        self.service.counts.dropped()
        log_event("dropped", why="a reader is too slow", path=scope["path"], **request_fields(scope))
        drop = scope.get("state", {}).get("drop")
        if drop is not None:
            drop()

    def _count(self, scope: Any, answer: "_Answer") -> None:
        log_request(scope, answer.status, answer.began, answer.sent)
        seconds = None if request_fields(scope).get("stream") else time.perf_counter() - answer.began
        self.service.counts.request(scope["method"], scope.get("path_template") or "none", answer.status, seconds)


class _Answer:
    """A sender of answers with the common headers, in pieces, so that a large answer does not stay in memory."""

    def __init__(
        self,
        methods: Callable[[str | None], set[str]],
        scope: Any,
        send: Any,
        headers: list[tuple[bytes, bytes]],
        slow: float,
        drop: Callable[[], None],
    ) -> None:
        self._methods = methods
        self._send = send
        self._more = headers
        self._slow = slow
        self._drop = drop
        self.is_head = False
        self._scope = scope
        self.asked: dict[bytes, bytes] = {}
        self._start: Any = None
        self.began = time.perf_counter()
        self.status = 0
        self.sent = 0

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [(name.lower(), value) for name, value in message.get("headers", ())]
            self._start = negotiated(self.asked, {**message, "headers": self._completed(headers)})
            if may_be_compressed(self.asked, self._start):
                return  # wait for the body, because its length changes the headers
        message = await self._begin(message)
        if message["type"] == "http.response.body" and not self.is_head:
            await self._send_body(message)

    async def _begin(self, message: Any) -> Any:
        """Send the first message of the answer unless it is already sent, and return the next one."""
        if self._start is None:
            return message
        start, self._start = self._start, None
        if is_worth_it(self.asked, start, message):
            start, message = await compressed(start, message)
        await self._send(start)
        if self.is_head:
            await self._send({"type": "http.response.body"})
        return message

    def _completed(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        names = {name for name, _ in headers}
        if b"content-security-policy" not in names:
            headers.append((b"content-security-policy", POLICY.encode()))
        found = [(name, self._allowed(value) if name == b"allow" else value) for name, value in headers]
        return found + self._more

    def _allowed(self, said: bytes) -> bytes:
        """Return the methods of a path. If several routes share a path, the framework names the methods of only one."""
        known = self._methods(self._scope.get("path_template"))
        names = {*known, *(one.strip() for one in said.decode("latin-1").split(","))}
        return ", ".join(sorted(names | ({"HEAD"} if "GET" in names else set()))).encode("latin-1")

    async def _send_body(self, message: Any) -> None:
        body = message.get("body", b"")
        self.sent += len(body)
        if len(body) <= PIECE:
            await self._send(message)
            return
        for first in range(0, len(body), PIECE):
            last = first + PIECE >= len(body)
            more = not last or bool(message.get("more_body"))
            piece = {**message, "body": body[first : first + PIECE], "more_body": more}
            try:
                await asyncio.wait_for(self._send(piece), self._slow)
            except TimeoutError:
                self._drop()
                return


class _Gone:
    """A body that ends with a disconnect message, so that a stream ends after its headers in answer to HEAD."""

    def __init__(self, receive: Any) -> None:
        self._receive = receive
        self._whole = False

    async def __call__(self) -> Any:
        if self._whole:
            return {"type": "http.disconnect"}
        message = await self._receive()
        self._whole = not message.get("more_body")
        return message


class _Body:
    """A body with a time limit in seconds."""

    def __init__(self, receive: Any, seconds: float) -> None:
        self._receive = receive
        self._seconds = seconds
        self._left: float | None = seconds
        self._whole = False

    async def __call__(self) -> Any:
        if self._whole:
            return await self._receive()
        began = time.monotonic()
        try:
            message = await asyncio.wait_for(self._receive(), self._left)
        except TimeoutError:
            raise RequestRefused(
                HTTPStatus.REQUEST_TIMEOUT,
                "too-slow",
                "the body arrived too slowly",
                where="the request",
                rule=f"limits: {self._seconds:g} s for a body",
                remedy="send it again",
                headers={"Connection": "close"},
            ) from None
        self._left = max(0.0, (self._left or 0.0) - (time.monotonic() - began))
        self._whole = message["type"] != "http.request" or not message.get("more_body")
        return message
