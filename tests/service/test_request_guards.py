"""Test that identity, rate and size are checked before a body is awaited or parsed."""

import contextlib
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO
from tests.face.service import RequestRefused, ThreadPool, UnderWay
from tests.service.routes import is_open, routes
from tests.service.served import PATIENCE, Caller, Served

NOTE = {"order": "note", "text": "hm"}
SENT_TO = [route for route in routes("GAME") if route.method == "POST" and not is_open(route)]
OURS = [route for route in routes("first") if not (route.is_page or route.path.startswith(("/schema", "/pages")))]
"""Without the one that the framework brings, and the pages, whose address may be typed by hand."""


def begun(served: Served, path: str, token: str, length: int) -> bytes:
    """Return the answer to a request whose body has not begun."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: x\r\n{bearer}Content-Type: application/json\r\n"
            f"Content-Length: {length}\r\n\r\n".encode()
        )
        return line.recv(65536)


class TestBeforeBody:
    @pytest.mark.parametrize("route", SENT_TO, ids=lambda route: route.path)
    def test_caller_without_seat_is_refused_before_the_body(self, served: Served, route: object) -> None:
        """Refuse at once, for any announced size."""
        path = route.path.replace("GAME", served.game())
        began = time.monotonic()
        assert begun(served, path, "", 1000).startswith(b"HTTP/1.1 401")
        assert begun(served, path, "0123456789abcdef." + "A" * 43, 1000).startswith(b"HTTP/1.1 401")
        assert time.monotonic() - began < 15, "a body was waited for"

    def test_caller_of_another_game_is_refused_before_the_body(self, served: Served) -> None:
        game, other = served.game(), served.game()
        answered = begun(served, f"/games/{game}/orders", served.token(other, "referee"), 1000)
        assert answered.startswith(b"HTTP/1.1 403")
        assert begun(served, "/games", served.token(game, "referee"), 1000).startswith(b"HTTP/1.1 403")

    def test_announced_size_too_large_is_refused_unread(self, served: Served) -> None:
        game = served.game()
        assert begun(served, f"/games/{game}/orders", served.token(game, "red"), 2**30).startswith(b"HTTP/1.1 413")

    def test_rate_limit_applies_before_the_size_limit(self, place: Path) -> None:
        served = Served(place, "--rate", "1")
        token = served.token("first", "red")
        answers = [begun(served, "/games/first/orders", token, 2**30)[9:12] for _ in range(5)]
        assert (answers[0], answers[-1]) == (b"413", b"429")
        doors = [begun(served, "/session", "", 2**30)[9:12] for _ in range(6)]
        assert (doors[0], doors[-1]) == (b"413", b"429")
        served.stop()

    def test_token_revoked_during_the_body_gives_no_order(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red")
        body = json.dumps(NOTE).encode()
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
            line.sendall(
                f"POST /games/{game}/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body[:5]
            )
            time.sleep(1.5)
            with served.desk() as desk:
                desk.invitations.revoke(token.partition(".")[0])
            line.sendall(body[5:])
            assert line.recv(65536).startswith(b"HTTP/1.1 401")

    def test_large_order_delays_no_other_request(self, served: Served) -> None:
        """Parse it outside the event loop; other requests are answered meanwhile."""
        game = served.game()
        red, blue = served.program(game, "red"), served.program(game, "blue")
        large = {"order": "note", "text": "x", "pips": list(range(100_000))}
        assert red.post(f"/games/{game}/orders", large).status_code in (400, 413, 422)
        assert blue.get(f"/games/{game}/checkpoint").status_code == 200


class TestParameters:
    def test_unknown_parameter_is_refused_with_the_nearest(self, served: Served) -> None:
        """Refuse `?til=5`: ignoring it would show another position than `?at=5`."""
        game = served.game()
        red = served.program(game, "red")
        answer = red.get(f"/games/{game}/audit?aftr=5")
        assert (answer.status_code, answer.json()["what"]) == (400, "unknown parameter 'aftr'")
        assert answer.json()["rule"] == "query parameters"
        assert answer.json()["remedy"].startswith("did you mean after? known parameters: after, as, by, ")
        assert red.get(f"/games/{game}/status?AT=1").status_code == 400
        before = red.get(f"/games/{game}/checkpoint").text
        assert red.post(f"/games/{game}/order-files?chek=true", None, Content_Type="text/plain").status_code == 400
        assert red.post(f"/games/{game}/undo?previw=true", {}).json()["remedy"].startswith("did you mean preview?")
        assert red.get(f"/games/{game}/checkpoint").text == before
        for path in ("/titles/freeform?x=1", "/session?x=1", "/games?x=1", "/in?token=x", "/health/live?x=1"):
            assert red.get(path).status_code == 400, path

    @pytest.mark.parametrize("route", OURS, ids=lambda route: f"{route.method} {route.path}")
    def test_unknown_parameter_is_refused_by_every_route(self, served: Served, route: object) -> None:
        method, path = route.method, route.path
        operator = served.program("", "referee")
        answer = operator.http.request(method, path, params={"no-such-parameter": "1"})
        assert answer.status_code == 400, answer.text
        assert "no-such-parameter" in answer.text


class TestPercent:
    """A percent sign and text that looks like an escape are ordinary letters of an id."""

    @pytest.mark.parametrize("id", ["50%", "50%41", "a%2fb", "100%25", "%zz", "%00"])
    def test_in_the_id_of_a_game(self, served: Served, id: str) -> None:
        operator = served.program("", "referee")
        opened = operator.post("/games", {"id": f"game-{id}", "title": "freeform", "scenario": SCENARIO})
        assert opened.status_code == 201, opened.text
        assert operator.get(opened.headers["location"]).json()["game"] == f"game-{id}"
        page = operator.get(f"/games/{quote(f'game-{id}', safe='')}/audit?limit=1")
        following = page.headers["link"].partition("<")[2].partition(">")[0]
        assert [one["position"] for one in operator.get(following).json()] == [2]

    @pytest.mark.parametrize("id", ["50%", "50%41", "a%2fb", "%00", "a?b#c", "a b"])
    def test_in_the_id_of_a_dispute(self, served: Served, id: str) -> None:
        game = served.game()
        red = served.program(game, "red")
        opened = red.post(f"/games/{game}/disputes", {"records": [2], "claim": "hm", "dispute": id})
        assert opened.status_code == 200, opened.text
        there = f"/games/{game}/disputes/{quote(id, safe='')}"
        assert red.get(there).json()["dispute"]["dispute"] == id
        assert red.post(f"{there}/settle").status_code == 200


class TestConcurrency:
    def test_requests_under_way_are_limited_per_seat(self) -> None:
        under_way = UnderWay(2)
        assert [under_way.enter("red") for _ in range(3)] == [True, True, False]
        assert under_way.enter("blue")
        under_way.leave("red")
        assert under_way.enter("red")

    def test_full_queue_refuses_at_once(self) -> None:
        pool, go = ThreadPool("looking", 1, 1), threading.Event()
        first, second = pool.submit(go.wait), pool.submit(go.wait)
        with pytest.raises(RequestRefused) as refused:
            pool.submit(go.wait)
        assert refused.value.problem.error == "busy"
        assert int(refused.value.headers["Retry-After"]) >= 1
        go.set()
        assert (first.result(PATIENCE), second.result(PATIENCE)) == (True, True)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(RequestRefused):
                assert pool.submit(go.wait).result(PATIENCE)
                break
        pool.shutdown()


@contextlib.contextmanager
def locked(served: Served) -> Iterator[None]:
    """Hold the ledger's write lock in another connection."""
    with contextlib.closing(sqlite3.connect(served.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


class TestLockedLedger:
    def test_locked_ledger_refuses_writers_and_answers_readers(self, place: Path) -> None:
        served = Served(place, "--rate", "5000")
        seats = [served.program("first", seat) for seat in ("red", "blue", "red", "blue")]
        looker = served.program("first", "spectator")
        for caller in (*seats, looker):
            assert caller.get("/games/first/checkpoint").status_code == 200  # each was let in before it is locked
        with locked(served), ThreadPoolExecutor(8) as together:
            began = time.monotonic()
            sent = [together.submit(one.post, "/games/first/orders", NOTE) for one in (*seats, *seats)]
            time.sleep(0.5)
            assert looker.get("/games/first/checkpoint").status_code == 200
            looked = time.monotonic() - began
            answers = [one.result() for one in at_least_one(sent)]
        assert looked < 3, "a look waited for those who write"
        assert {one.status_code for one in answers} == {503}
        assert all(int(one.headers["retry-after"]) >= 1 for one in answers)
        assert seats[0].post("/games/first/orders", NOTE).status_code == 200
        served.stop()


def test_many_acts_of_one_seat_at_once_are_not_all_taken(place: Path) -> None:
    served = Served(place, "--rate", "5000")
    token = served.token("first", "red")
    for caller in (Caller(served.address, token),):
        assert caller.get("/games/first/checkpoint").status_code == 200
    with locked(served), ThreadPoolExecutor(12) as together:
        callers = [Caller(served.address, token) for _ in range(12)]
        answers = list(together.map(lambda one: one.post("/games/first/orders", NOTE), callers))
        codes = [one.status_code for one in answers]
    assert codes.count(429) >= 8, codes
    assert "concurrent requests per seat" in next(one for one in answers if one.status_code == 429).json()["rule"]
    served.stop()
