"""Test connections that send nothing, send or read too slowly, or are too many: each ends and none delays another."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.service.served import PATIENCE, Served

LATE = 15.0
"""Seconds within which the connection must end; the service waits one second."""
HEAD = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture
def quick(place: Path) -> Iterator[Served]:
    """Start a service that waits one second for a head, a body or a reader."""
    served = Served(place, "--rate", "5000", "--slow", "1")
    yield served
    served.stop()


def connected(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)


def answered(line: socket.socket) -> bytes:
    """Read one whole answer about the service's health."""
    said = b""
    while not said.endswith(b"}") and (some := line.recv(65536)):
        said += some
    return said


def ends(line: socket.socket, dripping: bytes = b"") -> bool:
    """Return whether the server ends the connection in time, even if a byte arrives now and then."""
    until = time.monotonic() + LATE
    line.settimeout(0.2)
    while time.monotonic() < until:
        try:
            if dripping:
                line.sendall(dripping)
            if line.recv(65536) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


class TestSlowSenders:
    def test_head_missing_ends_the_connection(self, quick: Served) -> None:
        with closing(connected(quick)) as line:
            assert ends(line)

    def test_head_byte_by_byte_ends_the_connection(self, quick: Served) -> None:
        with closing(connected(quick)) as line:
            line.sendall(HEAD + b"X-Long: ")
            assert ends(line, b"x")

    def test_second_head_byte_by_byte_ends_the_connection(self, quick: Served) -> None:
        with closing(connected(quick)) as line:
            line.sendall(HEAD + b"\r\n")
            assert answered(line).startswith(b"HTTP/1.1 200")
            line.sendall(HEAD + b"X-Long: ")
            assert ends(line, b"x")

    def test_body_after_answer_does_not_keep_connection_open(self, quick: Served) -> None:
        """Send a body byte by byte after the answer."""
        with closing(connected(quick)) as line:
            line.sendall(HEAD + b"Content-Length: 1000000\r\n\r\n")
            assert answered(line).startswith(b"HTTP/1.1 200")
            assert ends(line, b"x")

    def test_connection_with_occasional_requests_stays_open(self, quick: Served) -> None:
        with closing(connected(quick)) as line:
            for _ in range(3):
                line.sendall(HEAD + b"\r\n")
                assert answered(line).startswith(b"HTTP/1.1 200")
                time.sleep(1.5)


class TestSlowReaders:
    @pytest.fixture
    def full(self, place: Path) -> Iterator[Served]:
        """Start a game whose log is larger than all buffers between the server and its reader."""
        served = Served(place, "--rate", "5000", "--growth", "10000", "--slow", "3")
        red = served.program("first", "red")
        many = (json.dumps({"order": "note", "text": "x" * 1900}) + "\n") * 400
        for _ in range(15):
            lines = {"Content-Type": "application/x-ndjson"}
            assert red.http.post("/games/first/order-files", content=many, headers=lines).status_code == 200
        yield served
        served.stop()

    def test_export_reader_stalled_is_dropped_and_slow_one_served(self, full: Served) -> None:
        token = full.token("first", "blue")
        asked = f"GET /games/first/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        with socket.socket() as deaf, socket.socket() as slow:
            for line in (deaf, slow):
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
                line.connect(("127.0.0.1", full.port))
                line.settimeout(PATIENCE)
                line.sendall(asked)
            got = b""
            while b'"checkpoint"' not in got[-2000:] and (some := slow.recv(400_000)):
                got += some
                time.sleep(0.02)
            head, _, body = got.partition(b"\r\n\r\n")
            assert len(body) == int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            until = time.monotonic() + LATE
            while not any('"dropped"' in line for line in tuple(full.log)) and time.monotonic() < until:
                time.sleep(0.1)
            dropped = [line for line in map(json.loads, tuple(full.log)) if line["event"] == "dropped"]
            assert [one["path"] for one in at_least_one(dropped)] == ["/games/first/export"]
            assert sum(len(some) for some in iter(lambda: deaf.recv(65536), b"")) < len(got)


class TestTooManyConnections:
    def test_connection_over_limit_is_refused_and_others_stay(self, place: Path) -> None:
        served = Served(place, "--rate", "5000", "--connections", "40")
        lines = [connected(served) for _ in range(8)]
        for line in lines:
            line.sendall(HEAD + b"\r\n")
            assert answered(line).startswith(b"HTTP/1.1 200")
        crowd = [connected(served) for _ in range(6)]
        said = [line.recv(65536) for line in at_least_one(crowd[2:])]
        assert all(one.startswith(b"HTTP/1.1 503") and b"Retry-After" in one for one in said), said
        assert json.loads(said[-1].partition(b"\r\n\r\n")[2])["error"] == "busy"
        for line in (*lines, *crowd):
            line.close()
        until = time.monotonic() + LATE
        while time.monotonic() < until:
            if served.nobody().get("/health/live").status_code == 200:
                break
        assert served.nobody().get("/health/live").status_code == 200
        served.stop()


class TestPieces:
    """A chunk of one byte costs the loop of all requests as much as a small request."""

    def send(self, served: Served, pieces: int, size: int) -> bytes:
        body = b'{"order": "note", "text": "hm"}'.ljust(pieces * size)
        chunks = (body[at : at + size] for at in range(0, len(body), size))
        with connected(served) as line:
            line.sendall(
                b"POST /games/first/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
                b"Content-Type: application/json\r\nAuthorization: Bearer %b\r\n\r\n" % self.token.encode()
            )
            line.sendall(b"".join(b"%x\r\n%b\r\n" % (len(one), one) for one in chunks) + b"0\r\n\r\n")
            return b"".join(iter(lambda: line.recv(65536), b""))

    def test_body_of_too_many_pieces_is_refused(self, served: Served) -> None:
        self.token = served.token("first", "red")
        assert self.send(served, 1024, 1).startswith(b"HTTP/1.1 200")
        assert self.send(served, 1000, 900).startswith(b"HTTP/1.1 200")
        head, _, body = self.send(served, 1025, 1).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 413")
        assert json.loads(body)["rule"] == "limits: 1024 pieces of a body"
