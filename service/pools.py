"""Run requests in threads: separate threads for reads, writes and streams, so that none waits for the others.

Each game and each caller has a share of the threads. The next request comes from the game that has waited longest. So
one seat cannot stop other games: their next order waits for one request at most, not for a queue of requests. A full
queue refuses a request at once, because its caller would give up before an answer.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from http import HTTPStatus
from itertools import count
from threading import Lock, Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from litestar.concurrency import set_asyncio_executor

from umpire_ledger.service.limits import FORGOTTEN, Allowance
from umpire_ledger.service.problems import BACK_IN, RequestRefused, too_often
from umpire_ledger.service.settings import ServiceSettings

P = ParamSpec("P")
T = TypeVar("T")
writes: ContextVar[bool] = ContextVar("writes", default=False)
"""Whether the current request is a write; set when it arrives."""
A_CALLER = 16
"""Maximum number of requests of one caller that wait for a thread."""
A_GAME = 64
"""Maximum number of requests to one game that wait for a thread."""
UNLIMITED = 1e9


class Share(NamedTuple):
    """The game and the caller of a request; each has a share of the threads."""

    game: str
    caller: str


NOBODY = Share("", "")
sharing: ContextVar[Share] = ContextVar("sharing", default=NOBODY)
"""The share of the current request; set when it arrives."""


class _Job(NamedTuple):
    share: Share
    do: Callable[[], Any]
    answer: Future[Any]


class ThreadPool:
    """A pool of threads with a limited queue. `work`: the allowance of processor seconds of each caller."""

    def __init__(self, name: str, threads: int, waiting: int, work: Allowance | None = None) -> None:
        self._name = name
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._of_a_game, self._of_a_caller = max(1, threads - 1), max(1, threads // 2)
        self._most = waiting
        self._work = work or Allowance(UNLIMITED, UNLIMITED)
        self._waiting: list[_Job] = []
        self._running: Counter[str] = Counter()
        self._begun: dict[str, int] = {}
        self._turns = count()
        self._lock = Lock()

    def submit(self, do: Callable[[], T]) -> Future[T]:
        """Run a function when its request has its turn.

        Raises:
            RequestRefused: When too many requests wait, or the caller has used too much processor time.
        """
        share, answer = sharing.get(), Future[T]()
        self._verify_work(share.caller)
        with self._lock:
            self._verify_room(share)
            self._waiting.append(_Job(share, do, answer))
            self._start()
        return answer

    def shutdown(self) -> None:
        """Wait for the running requests."""
        self._threads.shutdown(wait=True)

    def _verify_work(self, caller: str) -> None:
        if wait := self._work.wait(caller):
            raise too_often(wait, f"{self._work.rate * 60:g} s of processor time per minute and seat")

    def _verify_room(self, share: Share) -> None:
        callers = sum(job.share.caller == share.caller for job in self._waiting)
        games = sum(job.share.game == share.game for job in self._waiting)
        if callers >= A_CALLER or games >= A_GAME:
            what = f"{A_CALLER} requests per seat" if callers >= A_CALLER else f"{A_GAME} requests per game"
            raise too_often(float(BACK_IN), f"{what} waiting for {self._name}")
        if len(self._waiting) >= self._most:
            raise RequestRefused(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "busy",
                "too many requests are waiting",
                where="the service",
                rule=f"limits: requests waiting for {self._name}",
                remedy=f"try again in {BACK_IN} s",
                headers={"Retry-After": str(BACK_IN)},
            )

    def _start(self) -> None:
        """Start requests while a thread is free; called with the lock."""
        while self._free and (ready := [job for job in self._waiting if self._has_room(job.share)]):
            job = min(ready, key=self._rank)
            self._waiting.remove(job)
            self._free -= 1
            if len(self._begun) >= FORGOTTEN:
                self._begun.clear()
            self._begun.update(dict.fromkeys(job.share, next(self._turns)))
            self._running.update({*job.share})
            self._threads.submit(self._run, job)

    def _has_room(self, share: Share) -> bool:
        return self._running[share.game] < self._of_a_game and self._running[share.caller] < self._of_a_caller

    def _rank(self, job: _Job) -> tuple[int, ...]:
        """Return the rank of a request, lowest first.

        The rank prefers the game, and then the caller, with the fewest running requests and the longest wait.
        """
        return tuple(number for one in job.share for number in (self._running[one], self._begun.get(one, -1)))

    def _run(self, job: _Job) -> None:
        began = time.thread_time()
        try:
            _carry_out(job)
        finally:
            self._work.spend(job.share.caller, time.thread_time() - began)
            with self._lock:
                self._free += 1
                self._running -= Counter({*job.share})
                self._start()


def _carry_out(job: _Job) -> None:
    if not job.answer.set_running_or_notify_cancel():
        return
    try:
        found = job.do()
    except BaseException as error:
        job.answer.set_exception(error)
    else:
        job.answer.set_result(found)


class Pools(Executor):
    """The pools, as an executor for the framework: a request runs in the pool for its method."""

    def __init__(self, settings: ServiceSettings) -> None:
        work = Allowance(settings.work / 60, 3 * settings.work)
        self.looking = ThreadPool("looking", settings.lookers, settings.waiting, work)
        self.writing = ThreadPool("writing", settings.writers, settings.waiting, work)
        self.streaming = ThreadPool("streaming", settings.streamers, settings.streams, work)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function in the pool of the current request.

        Raises:
            RequestRefused: When too many requests wait.
        """
        pool = self.writing if writes.get() else self.looking
        return pool.submit(partial(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the running requests."""
        for pool in (self.looking, self.writing, self.streaming):
            pool.shutdown()

    def serve_routes(self) -> None:
        """Let every route of this process run here. The framework accepts this setting only outside its loop."""
        setting = Thread(target=set_asyncio_executor, args=(self,))
        setting.start()
        setting.join()


async def in_a_thread(pool: ThreadPool, do: Callable[..., T], *args: Any) -> T:
    """Run a part of a request in a pool, outside the loop that all requests share.

    Raises:
        RequestRefused: When too many requests wait.
    """
    return await asyncio.wrap_future(pool.submit(partial(do, *args)))
