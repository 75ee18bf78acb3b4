"""Test limits of the service one before and one behind, without a server: pieces, seconds of a body, slow readers."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import h11

import umpire_ledger as umpire
from tests.face.service import (
    PIECE,
    PIECES_AT_ONCE,
    CountedPieces,
    Middleware,
    RequestRefused,
    Service,
    ServiceSettings,
    StoreListener,
)

STREAMED: dict[str, Any] = {"type": "http.request", "body": b"x", "more_body": True}
STARTED: dict[str, Any] = {"type": "http.response.start", "status": 200, "headers": []}


@contextmanager
def service_in(folder: Path, **settings: Any) -> Iterator[Service]:
    service = Service(msgspec.structs.replace(ServiceSettings(where=str(folder / "umpire.db")), **settings))
    yield service
    service.desk.close()


def scope(**more: Any) -> dict[str, Any]:
    return {"type": "http", "method": "GET", "path": "/games/ford/status", "headers": [], **more}


@pytest.mark.parametrize(
    ("pieces", "taken"), [(PIECES_AT_ONCE - 1, PIECES_AT_ONCE - 1), (PIECES_AT_ONCE, None), (PIECES_AT_ONCE + 1, None)]
)
def test_pieces_of_a_body_taken_before_others_have_their_turn(pieces: int, taken: int | None) -> None:
    connection = CountedPieces(h11.SERVER)
    connection.receive_data(
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * pieces
    )
    events = [connection.next_event() for _ in range(pieces + 2)]
    assert [type(one) for one in events].count(h11.Data) == (taken or PIECES_AT_ONCE)
    assert events[-1] is h11.NEED_DATA
    connection.left = PIECES_AT_ONCE
    assert (connection.next_event() is not h11.NEED_DATA) == (pieces > PIECES_AT_ONCE)


@pytest.mark.parametrize(("pieces", "seconds", "is_in_time"), [(2, 9.0, True), (40, 0.3, False)])
def test_time_limit_of_a_body_holds_for_all_its_pieces(
    tmp_path: Path, pieces: int, seconds: float, is_in_time: bool
) -> None:
    came: list[str] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return STREAMED

    async def app(scope: Any, receive: Any, send: Any) -> None:
        came.extend([(await receive())["type"] for _ in range(pieces)])

    async def run(service: Service) -> None:
        await Middleware(app, service)(scope(method="POST"), receive, Mock())

    with service_in(tmp_path, body_seconds=seconds) as service:
        if is_in_time:
            asyncio.run(run(service))
            assert len(came) == pieces
        else:
            with pytest.raises(RequestRefused) as late:
                asyncio.run(run(service))
            assert late.value.problem.error == "too-slow"
            assert late.value.problem.rule == "limits: 0.3 s for a body"


@pytest.mark.parametrize("pieces", [1, 2])
@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_client_of_a_head_request_is_gone_after_its_body(tmp_path: Path, method: str, pieces: int) -> None:
    """End a stream, which lasts until its client goes, after its headers; a GET hears the client itself."""
    said = [{**STREAMED, "more_body": number < pieces} for number in range(1, pieces + 1)]
    heard: list[str] = []

    async def receive() -> dict[str, Any]:
        return said.pop(0) if said else {"type": "of the client"}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.extend([(await receive())["type"] for _ in range(pieces + 2)])

    with service_in(tmp_path) as service:
        asyncio.run(Middleware(app, service)(scope(method=method), receive, Mock()))
    after = "http.disconnect" if method == "HEAD" else "of the client"
    assert heard == [*["http.request"] * pieces, after, after]


@pytest.mark.parametrize(
    ("size", "state", "dropped"), [(PIECE, {}, False), (PIECE + 1, {}, True), (PIECE + 1, None, True)]
)
def test_reader_too_slow_for_a_large_answer_is_dropped(
    tmp_path: Path, size: int, state: dict[str, Any] | None, dropped: bool
) -> None:
    """Send a small answer as a whole; without a connection to drop, the answer ends all the same."""
    drop = Mock()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(STARTED)
        await send({"type": "http.response.body", "body": b"x" * size})

    async def send(message: Any) -> None:
        await asyncio.sleep(0.2 if message.get("body") else 0)

    more = {} if state is None else {"state": {"drop": drop}}
    with service_in(tmp_path, slow=0.01) as service:
        asyncio.run(Middleware(app, service)(scope(**more), Mock(), send))
    assert drop.called == (dropped and state is not None)


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize(
    ("size", "pieces"),
    [(PIECE, [PIECE]), (PIECE + 1, [PIECE, 1]), (2 * PIECE, [PIECE, PIECE]), (2 * PIECE + 1, [PIECE, PIECE, 1])],
)
def test_large_answer_is_sent_in_pieces_and_its_last_one_ends_it(
    tmp_path: Path, size: int, pieces: list[int], goes_on: bool
) -> None:
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(STARTED)
        await send({"type": "http.response.body", "body": b"x" * size, "more_body": goes_on})

    async def send(message: Any) -> None:
        sent.append(message)

    with service_in(tmp_path) as service:
        asyncio.run(Middleware(app, service)(scope(), Mock(), send))
    assert [len(one["body"]) for one in sent[1:]] == pieces
    assert [one["more_body"] for one in sent[1:]] == [*[True] * (len(pieces) - 1), goes_on]


def test_listener_waits_between_two_attempts_while_the_store_is_away() -> None:
    away = Mock(where="postgresql://nowhere/umpire")
    away.ledger.record_signals.side_effect = umpire.StoreUnavailable("it is away", where="nowhere", remedy="wait")

    async def listen() -> int:
        listener = StoreListener(away, 0.01)
        listener.open()
        await asyncio.sleep(0.2)
        listener.close()
        return int(away.ledger.record_signals.call_count)

    assert 1 <= asyncio.run(listen()) <= 3
