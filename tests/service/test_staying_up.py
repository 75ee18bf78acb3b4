"""Several workers on one ledger, one of them killed under load, answers that are lost: nothing lost, nothing twice."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

from tests.service.reading import reading
from tests.service.served import PATIENCE, Caller, Served


def note(text: str) -> dict[str, str]:
    return {"order": "note", "text": text}


@pytest.fixture
def two(place: Path) -> Iterator[Served]:
    """Two workers."""
    served = Served(place, "--workers", "2", "--rate", "5000")
    yield served
    served.stop()


def workers(served: Served) -> set[int]:
    """Return the workers that have logged their start."""
    said = [json.loads(line) for line in tuple(served.log)]
    return {one["worker"] for one in said if one["event"] == "started"}


def both(served: Served, token: str) -> dict[int, Caller]:
    """Return a connection to each worker: a connection stays with the worker that accepted it."""
    until, found = time.monotonic() + PATIENCE, {}
    while len(found) < 2 and time.monotonic() < until:
        caller = Caller(served.address, token)
        mark = f"mark-{time.monotonic_ns()}"
        caller.get(f"/health/live/{mark}")  # no such resource: it is looked for in the log
        while not (mine := [one for one in served.requests() if mark in one["path"]]):
            time.sleep(0.01)
        found.setdefault(mine[0]["worker"], caller)
    assert len(found) == 2, "one worker takes every connection"
    return found


def notes(served: Served) -> list[str]:
    with served.desk() as desk:
        return [line.text.removeprefix("note: ") for line in desk.game("first").spectator.audit(event="note.added")]


class TestSeveralWorkers:
    def test_workers_see_each_other_s_orders_within_100_ms(self, two: Served) -> None:
        """Take the median of twenty: a busy machine may be late now and then."""
        one, other = both(two, two.token("first", "red")).values()
        late = []
        with reading(other, "/games/first/stream") as stream:
            for number in range(20):
                began = time.monotonic()
                assert one.post("/games/first/orders", note(f"n{number}")).status_code == 200
                came = stream.next()
                assert came is not None
                assert came.data["text"] == f"note: n{number}"
                late.append(came.at - began)
                seen = one.get("/games/first/checkpoint").text
                assert seen.splitlines()[1] == came.id
        assert sorted(late)[10] < 0.1 + order_takes(one), late

    def test_metrics_are_summed_over_workers(self, two: Served) -> None:
        token = two.token("first", "red")
        for caller in both(two, token).values():
            assert caller.post("/games/first/orders", note("counted")).status_code == 200
        operator = two.program("", "referee")
        until = time.monotonic() + PATIENCE
        while 'umpire_orders_total{came="recorded"} 2' not in (text := operator.get("/metrics").text):
            assert time.monotonic() < until, text
            time.sleep(0.2)
        assert "umpire_workers 2" in text
        assert 'route="/games/{game}/orders",status="200"} 2' in text

    def test_key_is_known_to_both_workers(self, two: Served) -> None:
        first, second = both(two, two.token("first", "red")).values()
        given = first.post("/games/first/orders", note("once"), Idempotency_Key="k").json()
        again = second.post("/games/first/orders", note("once"), Idempotency_Key="k").json()
        assert again == {**given, "repeated": True}
        assert notes(two) == ["once"]


def order_takes(caller: Caller) -> float:
    """Return the seconds that an order takes at present; the delays under test do not include them."""
    began = time.monotonic()
    caller.post("/games/first/orders", note("timed"))
    return time.monotonic() - began


class Load:
    """A client that gives orders one by one, each with its key, and repeats each until it is answered."""

    def __init__(self, served: Served, name: str, token: str) -> None:
        self.name, self.token, self.served = name, token, served
        self.acknowledged: list[str] = []
        self.repeated = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            text = f"{self.name}-{number}"
            if self.give(text):
                self.acknowledged.append(text)
                number += 1

    def give(self, text: str) -> bool:
        """Give one order, and return whether it was answered."""
        try:
            answer = httpx.post(
                f"{self.served.address}/games/first/orders",
                json=note(text),
                headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": text},
                timeout=PATIENCE,
                trust_env=False,
            )
        except httpx.HTTPError:
            return False
        if answer.status_code == 200:
            self.repeated += bool(answer.json()["repeated"])
        return answer.status_code == 200

    def end(self) -> None:
        self.over.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


class TestKilledWorker:
    def test_killed_worker_under_load_loses_and_repeats_no_order(self, two: Served) -> None:
        token = two.token("first", "red")
        loads = [Load(two, name, token) for name in ("a", "b", "c")]
        began = workers(two)
        for _ in range(3):
            time.sleep(0.7)
            victim = max(workers(two))
            os.kill(victim, signal.SIGKILL)
            until = time.monotonic() + PATIENCE
            while max(workers(two)) == victim and time.monotonic() < until:
                time.sleep(0.05)
        time.sleep(0.5)
        for load in loads:
            load.end()
        found = notes(two)
        assert len(workers(two)) >= len(began) + 3, "the killed ones were not replaced"
        assert len(found) == len(set(found)), "an order is there twice"
        acknowledged = {text for load in loads for text in load.acknowledged}
        assert acknowledged
        assert acknowledged <= set(found), "an acknowledged order is lost"
        with two.desk() as desk:
            assert desk.game("first").verify().valid


class TestLostAnswer:
    def test_order_of_unknown_outcome_is_repeated_and_counts_once(self, served: Served) -> None:
        """Break the connection while the order is on its way: its outcome is unknown."""
        import socket  # noqa: PLC0415 -- here alone

        game = served.game()
        token = served.token(game, "red")
        body = json.dumps(note("was it taken?"))
        head = (
            f"POST /games/{game}/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            "Idempotency-Key: lost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", served.port)) as line:
            line.sendall(head.encode() + body.encode())
        answer = Caller(served.address, token).post(
            f"/games/{game}/orders", note("was it taken?"), Idempotency_Key="lost"
        )
        assert answer.status_code == 200, answer.text
        with served.desk() as desk:
            told = [line for line in desk.game(game).spectator.audit(event="note.added") if "taken" in line.text]
        assert [line.order for line in told] == ["lost"]


class TestRestart:
    def test_orders_under_way_are_answered_before_the_stop(self, two: Served) -> None:
        token = two.token("first", "red")
        loads = [Load(two, name, token) for name in ("a", "b")]
        time.sleep(1.0)
        two.stop()
        acknowledged = {text for load in loads for text in load.acknowledged}
        two.start(two.port)
        for load in loads:
            load.end()
        found = notes(two)
        assert acknowledged <= set(found)
        assert len(found) == len(set(found))

    def test_health_is_alive_and_ready(self, served: Served) -> None:
        nobody = served.nobody()
        assert nobody.get("/health/live").json() == {"status": "alive"}
        assert nobody.get("/health/ready").json() == {"status": "ready"}

    def test_missing_ledger_makes_the_service_unready(self, place: Path) -> None:
        served = Served(place)
        caller = served.program("first", "red")
        served.stop()
        served.ledger.rename(place / "elsewhere.db")
        process_ready = Served.__new__(Served)
        process_ready.__dict__.update(served.__dict__)
        process_ready.log = []
        process_ready._wait = lambda: None  # type: ignore[method-assign] # it never gets ready
        process_ready.start()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = httpx.get(f"{process_ready.address}/health/ready", trust_env=False)
                break
            except httpx.HTTPError:
                assert time.monotonic() < until
                time.sleep(0.1)
        assert answer.status_code == 503
        assert answer.json()["error"] == "store"
        assert (
            httpx.get(f"{process_ready.address}/games", headers=caller.http.headers, trust_env=False).status_code == 503
        )
        process_ready.stop()
