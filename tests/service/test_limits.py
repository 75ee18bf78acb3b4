"""Test oversized, deep, slow, frequent and malformed requests: refused, with no record and no hanging connection."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.service.served import PATIENCE, Caller, Served

NOTE = {"order": "note", "text": "hm"}


@pytest.fixture(scope="module")
def game(served: Served) -> str:
    return served.game()


@pytest.fixture(scope="module")
def token(served: Served, game: str) -> str:
    return served.token(game, "red")


@pytest.fixture
def red(served: Served, token: str) -> Caller:
    return Caller(served.address, token)


def size(served: Served, game: str) -> int:
    with served.desk() as desk:
        return desk.game(game).size


class TestBodies:
    @pytest.mark.parametrize(
        ("body", "status", "error"),
        [
            (b"x" * (2 * 2**20), 413, "too-large"),
            (b'{"order": "note", "text": ' + b"[" * 100 + b"]" * 100 + b"}", 400, "usage"),
            (b'{"order": ' + b"[" * 100_000, 400, "usage"),
            (b'{"order": "pay", "amount": ' + b"9" * 5000 + b"}", 400, "usage"),
            (b'{"order": "note", "text": "\xff\xfe"}', 400, "usage"),
            (b'{"order": "note"', 400, "usage"),
            (b"[]", 400, "usage"),
            (b"null", 400, "usage"),
            (b'"note"', 400, "usage"),
            (b"", 400, "usage"),
            (b'{"order": "note", "text": "a", "text": "\\ud800"}', None, ""),
        ],
        ids=[
            "large",
            "deep",
            "very deep",
            "digits",
            "no utf-8",
            "broken off",
            "a list",
            "null",
            "a word",
            "empty",
            "surrogate",
        ],
    )
    def test_body_without_order_is_refused_and_not_recorded(
        self, served: Served, game: str, red: Caller, body: bytes, status: int | None, error: str
    ) -> None:
        before = size(served, game)
        answer = red.http.post(f"/games/{game}/orders", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == status or (status is None and 400 <= answer.status_code < 500), answer.text
        assert answer.json()["error"] == error or status is None
        assert size(served, game) == before

    @pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""])
    def test_body_of_form_content_type_is_refused(self, served: Served, game: str, red: Caller, kind: str) -> None:
        before = size(served, game)
        headers = {"Content-Type": kind} if kind else {}
        answer = red.http.post(f"/games/{game}/orders", content=json.dumps(NOTE).encode(), headers=headers)
        assert answer.status_code == 415
        assert answer.json()["remedy"] == "send it as application/json"
        assert size(served, game) == before

    def test_unknown_field_is_refused(self, game: str, red: Caller) -> None:
        answer = red.post(f"/games/{game}/undo", {"order": 3})
        assert answer.status_code == 400
        assert "order" in answer.json()["what"]

    def test_conflicting_content_lengths_are_refused(self, served: Served, token: str, game: str) -> None:
        head = (
            f"POST /games/{game}/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
        )
        lies = "Content-Type: application/json\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n0123456789"
        said = raw(served, head + lies)
        assert said.startswith("HTTP/1.1 400")


def raw(served: Served, text: str, wait: float = 15.0) -> str:
    """Return the answer to these exact bytes."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=wait) as line:
        line.sendall(text.encode("latin-1"))
        found = b""
        while chunk := line.recv(65536):
            found += chunk
        return found.decode("latin-1")


class TestHeaders:
    @pytest.mark.parametrize(
        "name", ["Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Authorization", "Origin", "Cookie"]
    )
    @pytest.mark.parametrize("value", ["a\r\nSet-Cookie: umpire=mine", "a\x00b", "\xff\xfe", "A" * 20_000])
    def test_header_value_adds_no_other_header(
        self, served: Served, game: str, token: str, name: str, value: str
    ) -> None:
        bearer = "" if name == "Authorization" else f"Authorization: Bearer {token}\r\n"
        said = raw(
            served,
            f"GET /games/{game}/units?limit={'%0d%0aSet-Cookie:%20umpire=mine'} HTTP/1.1\r\nHost: x\r\n{bearer}"
            f"{name}: {value}\r\nConnection: close\r\n\r\n",
        )
        assert said.startswith("HTTP/1.1 ")
        assert "set-cookie" not in said.partition("\r\n\r\n")[0].lower()
        assert "500" not in said.partition("\r\n")[0]

    def test_address_adds_no_header(self, served: Served, game: str, red: Caller) -> None:
        for number in range(3):
            red.post(f"/games/{game}/orders", {"order": "note", "text": str(number)})
        answer = red.get(f"/games/{game}/audit?limit=1&text=%0d%0aSet-Cookie:x")
        assert "set-cookie" not in answer.headers
        linked = red.get(f"/games/{game}/audit?limit=1&side=&after=0&event=%3E%0d%0aSet-Cookie:x")
        assert "set-cookie" not in linked.headers
        assert "\n" not in linked.headers.get("link", "")

    @pytest.mark.parametrize(
        "path",
        ["/games/%2e%2e/status", "/games/../../etc/passwd", "/games/a%2fb/status", "/games/%00/status"],
    )
    def test_odd_addresses_lead_nowhere(self, served: Served, token: str, path: str) -> None:
        said = raw(
            served, f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        )
        assert said.split(" ")[1] in ("400", "403", "404")


class TestTooSlow:
    def test_body_byte_by_byte_is_refused(self, place: Path) -> None:
        served = Served(place, "--slow", "1")
        token = served.token("first", "red")
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
            line.sendall(
                f"POST /games/first/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{".encode()
            )
            began = time.monotonic()
            said = line.recv(65536).decode()
        assert said.startswith("HTTP/1.1 408")
        assert time.monotonic() - began < 20
        served.stop()


class TestTooOften:
    def test_rate_limit_of_one_seat_does_not_slow_others(self, place: Path) -> None:
        served = Served(place, "--rate", "1")
        red, blue = served.program("first", "red"), served.program("first", "blue")
        codes = [red.get("/games/first/checkpoint").status_code for _ in range(8)]
        assert codes[0] == 200
        refused = red.get("/games/first/checkpoint")
        assert refused.status_code == 429
        assert refused.json()["error"] == "too-often"
        assert int(refused.headers["retry-after"]) >= 1
        assert blue.get("/games/first/checkpoint").status_code == 200
        served.stop()

    def test_public_routes_have_a_rate_limit(self, place: Path) -> None:
        served = Served(place, "--rate", "1")
        with ThreadPoolExecutor(12) as crowd:
            asked = [crowd.submit(served.nobody().get, "/titles/freeform") for _ in range(60)]
            codes = sorted(one.result().status_code for one in asked)
        assert (codes[0], codes[-1]) == (200, 429)
        assert served.program("first", "red").get("/games/first/checkpoint").status_code == 200
        served.stop()
