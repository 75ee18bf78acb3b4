"""Stream the records that a seat may see, as they are recorded: `GET /games/{game}/stream` (text/event-stream).

The id of an event is its position, so a reader that returns with `Last-Event-ID` gets every record exactly once.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from http import HTTPStatus
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response.base import ASGIResponse

from umpire_ledger.desk.core.errors import EXPECTED, NotAuthorized
from umpire_ledger.desk.seat import Seat
from umpire_ledger.service.change_feed import Batch
from umpire_ledger.service.game_request import PRIVATE, As, ReadRequest
from umpire_ledger.service.pools import in_a_thread
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.request_log import add_field, log_event
from umpire_ledger.service.service import Service

Sent = Callable[[Any], Awaitable[None]]
ASKED_AGAIN = 5.0
"""Seconds between two checks of a reader's admission. After a revocation, it is checked at once."""
RETRY = b"retry: 1000\n\n"
BEAT = b": still here\n\n"
STOPPING = b"event: stopping\ndata: {}\n\n"
CLOSED = b"event: closed\ndata: {}\n\n"
"""The last event for a reader that no longer has the seat."""


class Stream:
    """The events for one reader, until it leaves, is too slow or loses its seat, or until the service stops."""

    def __init__(self, service: Service, look: ReadRequest, seat: Seat, after: int, who: str) -> None:
        self._service = service
        self._look = look
        self._seat = seat
        self._after = after
        self._who = who
        self._admitted, self._admitted_at = "", 0.0

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield pieces of text to send; a piece contains whole events."""
        watch, beat = self._service.watch, self._service.settings.heartbeat
        grown = watch.listen(self._seat.game.id)
        try:
            yield RETRY
            while True:
                stops = watch.is_stopping  # checked first, so that records before the stop are sent
                grown.clear()
                told = None if stops else self._at_hand()
                text, until, records = told if told is not None else await self._asked()
                if text is None:
                    yield CLOSED
                    return
                if records:
                    self._service.counts.streamed(records)
                    yield text
                if until > self._after:
                    self._after = until
                    continue
                if stops:
                    break
                try:
                    await asyncio.wait_for(grown.wait(), beat)
                except TimeoutError:
                    yield BEAT
            yield STOPPING
        finally:
            watch.leave(self._seat.game.id, grown)

    async def _asked(self) -> tuple[bytes | None, int, int]:
        """Query the ledger in a thread for streams; if the pool refuses, return nothing, and try at the next beat."""
        try:
            return await in_a_thread(self._service.pools.streaming, self._news)
        except RequestRefused:
            return b"", self._after, 0

    def _at_hand(self) -> Batch | None:
        """Return another reader's batch for the seat; None if this reader's admission must be checked again."""
        if time.monotonic() - self._admitted_at > ASKED_AGAIN:
            return None
        return self._service.watch.at_hand(self._seat, self._after, self._admitted)

    def _news(self) -> tuple[bytes | None, int, int]:
        """Return the new records; None if the reader no longer has the seat, b"" if the ledger cannot be read."""
        try:
            admitted = (
                self._service.watch.revocation_stamp()
            )  # taken before the check, so that a revocation during it leads to another check
            self._look.still_admitted()
            self._admitted, self._admitted_at = admitted, time.monotonic()
            return self._service.watch.batch(self._seat, self._after)
        except (RequestRefused, NotAuthorized):
            return None, self._after, 0
        except EXPECTED:
            return b"", self._after, 0

    async def send(self, send: Sent, drop: Callable[[], None] | None) -> None:
        """Send all events; drop a client that reads nothing for too long."""
        settings, counts, streams = self._service.settings, self._service.counts, self._service.streams
        with streams.counted(self._who):
            counts.streams(streams.open)
            try:
                async with aclosing(self.events()) as events:
                    async for text in events:
                        await asyncio.wait_for(_body(send, text), settings.slow)
                await asyncio.wait_for(_body(send, b"", more=False), settings.slow)
            except TimeoutError:
                counts.dropped()
                log_event("dropped", why="a stream's reader is too slow", game=self._seat.game.id, seat=self._seat.name)
                if drop is not None:
                    drop()
            finally:
                counts.streams(streams.open - 1)


async def _body(send: Sent, text: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": more})


class _Streaming(ASGIResponse):
    """An answer that sends a stream until its reader disconnects."""

    _should_set_content_length = False

    def __init__(self, stream: Stream, **more: Any) -> None:
        super().__init__(**more)
        self._stream = stream

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.start_response(send=send)
        drop = scope.get("state", {}).get("drop")
        sending = asyncio.ensure_future(self._stream.send(send, drop))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)


async def _gone(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Streamed(Response[bytes]):
    """A stream, as returned by a route."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(b"", media_type="text/event-stream; charset=utf-8", headers=PRIVATE)
        self._stream = stream

    def to_asgi_response(self, request: Any, **more: Any) -> ASGIResponse:  # type: ignore[override]
        """Return the answer in the form that the framework sends."""
        headers = {**self.headers, "X-Accel-Buffering": "no"}
        return _Streaming(self._stream, media_type=self.media_type, headers=headers)


@get("/stream", sync_to_thread=True, media_type="text/event-stream")
def stream(
    request: Request[Any, Any, Any],
    game: FromPath[str],
    as_: As = "",
    last_event_id: Annotated[
        str, HeaderParameter(name="Last-Event-ID", max_length=20, description="Continue after this position.")
    ] = "",
    after: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**53, description="Continue after this position, if Last-Event-ID is not sent."),
    ] = None,
) -> Streamed:
    """Stream the records that the seat may see, as they are recorded; without a position, begin with the next one."""
    look = ReadRequest(request, game, as_)
    seat = look.seat()
    start = _start(last_event_id, after, seat)
    if look.service.streams.is_full(look.who):
        raise RequestRefused(
            HTTPStatus.TOO_MANY_REQUESTS,
            "too-often",
            "too many streams are open",
            where=game,
            rule=f"limits: {look.service.settings.streams_a_seat} streams per seat",
            remedy="close a stream or a page",
            headers={"Retry-After": "10"},
        )
    look.service.doors.release(request.scope)  # from now on, the request counts as a stream
    add_field(request.scope, stream=True)
    return Streamed(Stream(look.service, look, seat, start, look.who))


def _start(last_event_id: str, after: int | None, seat: Seat) -> int:
    """Return the position after which the stream begins.

    Raises:
        RequestRefused: When Last-Event-ID is not a position.
        NoSuchRecord: When the game has no such position.
    """
    if not last_event_id:
        start = seat.game.size if after is None else after
    elif last_event_id.isascii() and last_event_id.isdigit():
        start = int(last_event_id)
    else:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST,
            "usage",
            "Last-Event-ID is not a position",
            where="the request",
            rule="Last-Event-ID",
            remedy="send the id of the last event that you received, or omit the header",
        )
    seat.game.verify_position(start)
    return start
