"""Limit connections below the level of requests: their number, and the time until they send or read.

Each connection has one timer. It runs while no request is under way, and while the client reads no data.
"""

import asyncio
from collections import Counter
from functools import cache
from typing import Any, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from umpire_ledger.service.request_log import log_event
from umpire_ledger.service.settings import ServiceSettings, from_environment

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 10\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%b"
)
BODY = (
    b'{"type":"urn:umpire:busy","title":"The service is busy","status":503,"detail":"too many connections are open",'
    b'"error":"busy","what":"too many connections are open","where":"the service","rule":"limits: connections",'
    b'"remedy":"close some, or come back in 10 s"}'
)
MOST_HEAD = 32 * 2**10
"""Maximum size of the head of a request, in bytes."""
MOST_PIECES = 1024
"""Maximum number of pieces of a body. In the loop that all requests share, each piece takes as long as a small request,
and a piece may have only one byte."""
PIECES_AT_ONCE = 16
"""Number of pieces to read before other connections get a turn."""
PIECES_BODY = (
    b'{"type":"urn:umpire:too-large","title":"Too much was sent","status":413,'
    b'"detail":"the body comes in too many pieces",'
    b'"error":"too-large","what":"the body comes in too many pieces","where":"the request",'
    b'"rule":"limits: %d pieces of a body","remedy":"send it in larger chunks, or with a Content-Length"}' % MOST_PIECES
)
PIECES = b"HTTP/1.1 413 Content Too Large\r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
Waits = Literal["", "head", "next", "reader"]
"""The reason why a connection waits: none, for the head of a request, for the next request, for a slow reader."""
PROXIES = ("127.0.0.1", "::1")
"""Addresses of a proxy on this machine.

All clients behind a proxy share its address, so only the total number of connections is limited, not the number per
address.
"""


class OpenConnections:
    """The connections of this process, by address."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self._by_address: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more connection; return whether the limits allow it."""
        settings, alone = self.settings, not (self.settings.at and address in PROXIES)
        self._by_address[address] += 1
        crowded = alone and self._by_address[address] > settings.connections_an_address
        return self._by_address.total() <= settings.connections and not crowded

    def seconds(self, waits: Waits) -> float:
        """Return the time limit of a wait. The server itself closes idle connections; this limit drops unread bytes."""
        settings = self.settings
        found = {
            "head": settings.head_seconds,
            "reader": settings.slow + 1.0,
        }  # so that the sender's own limit ends first
        return found.get(waits, settings.idle_seconds + settings.head_seconds)

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


@cache
def of_this_process() -> OpenConnections:
    """Return the only counter of this process, with the settings from the parent process."""
    return OpenConnections(from_environment())


class CountedPieces(h11.Connection):
    """A parser that refuses a body of too many pieces.

    `left`: the number of pieces that it may still read before other connections get a turn.
    """

    pieces = 0
    left = PIECES_AT_ONCE

    def next_event(self) -> Any:
        """Return the next event, or NEED_DATA if it is the turn of other connections."""
        if self.left <= 0:
            return h11.NEED_DATA
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.pieces = 0
        elif isinstance(event, h11.Data):
            self.pieces += 1
            self.left -= 1
            if self.pieces > MOST_PIECES:
                raise h11.RemoteProtocolError("too many pieces")
        return event


class LimitedConnection(H11Protocol):
    """A connection that is dropped if there are too many, or if the client sends or reads nothing for too long."""

    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _waits: Waits = ""
    _begun = True
    _deaf = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn: CountedPieces = CountedPieces(h11.SERVER, self.config.h11_max_incomplete_event_size or MOST_HEAD)

    def handle_events(self) -> None:
        """Read some pieces, and read the rest after every other connection has had its turn."""
        self.conn.left = PIECES_AT_ONCE
        super().handle_events()
        if self.conn.left <= 0:
            self.loop.call_soon(self._handle_more)

    def _handle_more(self) -> None:
        if not self.transport.is_closing():
            self.handle_events()

    def send_400_response(self, msg: str) -> None:
        """Answer a body of too many pieces with a problem, unless an answer has begun; else do as the server does."""
        if self.conn.pieces <= MOST_PIECES:
            super().send_400_response(msg)
            return
        if self.conn.our_state is h11.SEND_RESPONSE:
            self.transport.write(PIECES + b"Content-Length: %d\r\n\r\n%b" % (len(PIECES_BODY), PIECES_BODY))
        self.transport.close()

    def connection_made(self, transport: Any) -> None:
        """Count a new connection, and let the app drop it through `state`."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "drop": transport.abort}
        self._address = self.client[0] if self.client else ""
        if not of_this_process().enter(self._address):
            transport.write(FULL % (len(BODY), BODY))
            transport.close()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting a connection."""
        super().connection_lost(exc)
        self._set_timer("")
        if self._address is not None:
            of_this_process().leave(self._address)
            self._address = None

    def data_received(self, data: bytes) -> None:
        """Read data. If no request is under way, it begins the next one or is the rest of an answered one."""
        super().data_received(data)
        self._begun = True
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have arrived already; else the connection is idle."""
        self._begun = False
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Note that the client no longer reads the data."""
        super().pause_writing()
        self._deaf = True
        self._watch()

    def resume_writing(self) -> None:
        """Note that the client reads data again."""
        super().resume_writing()
        self._deaf = False
        self._watch()

    def _watch(self) -> None:
        """Start the timer for the current wait. More data during the same wait does not restart it."""
        waits: Waits = "head" if self._begun else "next"
        if self._deaf:
            waits = "reader"
        elif self.cycle is not None and not self.cycle.response_complete:
            waits = ""
        if waits != self._waits:
            self._set_timer(waits)

    def _set_timer(self, waits: Waits) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._waits, self._timer = waits, None
        if waits:
            self._timer = self.loop.call_later(of_this_process().seconds(waits), self._drop)

    def _drop(self) -> None:
        """Close the connection and drop its unread data."""
        if self._waits == "reader":
            log_event("dropped", why="a reader is too slow", address=self._address)
        self.transport.abort()
