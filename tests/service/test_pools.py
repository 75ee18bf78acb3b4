"""Threads are shared: a caller or a game that asks for much does not keep another one waiting."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.face.service import (
    A_CALLER,
    Allowance,
    RequestRefused,
    Share,
    ThreadPool,
    sharing,
)

PATIENCE = 20.0


class Table:
    """A pool of three threads, and requests that last until they are let go."""

    def __init__(self, work: float = 1000.0) -> None:
        self.pool = ThreadPool("testing", 3, 40, Allowance(work, work))
        self.begun: list[str] = []
        self.gates: dict[str, threading.Event] = {}
        self.answers: dict[str, Future[None]] = {}

    def ask(self, name: str, game_id: str, caller: str) -> None:
        self.gates[name] = threading.Event()
        sharing.set(Share(f"of {game_id}", f"by {caller}"))
        self.answers[name] = self.pool.submit(self._lasting(name))

    def _lasting(self, name: str) -> Callable[[], None]:
        def last() -> None:
            self.begun.append(name)
            assert self.gates[name].wait(PATIENCE)

        return last

    def idle(self) -> None:
        """Wait until every thread has counted what it did."""
        for _ in range(2000):
            if not self.pool._running.total():
                return
            threading.Event().wait(0.01)

    def wait_for(self, *names: str) -> None:
        until = threading.Event()
        for _ in range(2000):
            if set(names) <= set(self.begun):
                return
            until.wait(0.01)
        raise AssertionError((names, self.begun))


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    for gate in table.gates.values():
        gate.set()
    table.pool.shutdown()


def test_caller_has_half_of_the_threads_at_most(table: Table) -> None:
    for number in range(4):
        table.ask(f"red-{number}", "first", "red")
    table.ask("blue", "first", "blue")
    table.wait_for("red-0", "blue")
    assert table.begun == ["red-0", "blue"]


def test_game_leaves_a_thread_to_others(table: Table) -> None:
    for caller in ("red", "blue", "referee", "spectator"):
        table.ask(caller, "first", caller)
    table.ask("green", "second", "green")
    table.wait_for("red", "blue", "green")
    assert "referee" not in table.begun


def test_freed_thread_goes_to_the_game_that_waits_longest(table: Table) -> None:
    for number in range(2):
        for game in ("first", "second", "third"):
            table.ask(f"{game}-{number}", game, f"{game}-{number}")
    table.ask("late", "fourth", "late")
    table.wait_for("first-0", "second-0", "third-0")
    table.gates["second-0"].set()
    table.wait_for("late")
    assert len(table.begun) == 4


def test_queue_of_a_caller_is_bounded_and_others_enter(table: Table) -> None:
    table.ask("red", "first", "red")
    for number in range(A_CALLER):
        table.ask(f"red-{number}", "first", "red")
    with pytest.raises(RequestRefused) as refusal:
        table.ask("red-more", "first", "red")
    assert refusal.value.problem.status == 429
    assert refusal.value.headers["Retry-After"]
    table.ask("blue", "second", "blue")
    table.wait_for("blue")


def test_caller_that_used_its_time_waits_and_others_do_not() -> None:
    table = Table(work=0.01)
    sharing.set(Share("of first", "by red"))

    def compute() -> int:
        return sum(range(3_000_000))

    table.pool.submit(compute).result(PATIENCE)
    table.idle()
    with pytest.raises(RequestRefused) as refusal:
        table.pool.submit(compute)
    assert "s of processor time per minute and seat" in refusal.value.problem.rule
    sharing.set(Share("of first", "by blue"))
    table.pool.submit(int).result(PATIENCE)
    table.pool.shutdown()
