"""The threads that routes run in: some for looks, some for what writes, so that neither waits for the other.

A queue that is full refuses what comes at once: whoever waits in it would have given up before an answer came.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from http import HTTPStatus
from threading import BoundedSemaphore, Thread
from typing import Any, ParamSpec, TypeVar

from litestar.concurrency import set_asyncio_executor

from umpire_ledger.service.problems import BACK_IN, Turned

P = ParamSpec("P")
T = TypeVar("T")
writes: ContextVar[bool] = ContextVar("writes", default=False)
"""Whether the request under way is one that writes; set where it comes in."""


class Pool:
    """So many threads, and so many that may wait for one."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._name = name
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._room = BoundedSemaphore(threads + waiting)

    def submit(self, do: Callable[[], T]) -> Future[T]:
        """Run it as soon as a thread is free. Raises Turned where too many wait already."""
        if not self._room.acquire(blocking=False):
            raise Turned(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "busy",
                "too many requests wait already",
                where="the service",
                rule=f"limits: requests that wait for {self._name}",
                remedy=f"come back in {BACK_IN} s",
                headers={"Retry-After": str(BACK_IN)},
            )
        try:
            begun = self._threads.submit(do)
        except BaseException:
            self._room.release()
            raise
        begun.add_done_callback(lambda _: self._room.release())
        return begun

    def shutdown(self) -> None:
        """Wait for what is under way."""
        self._threads.shutdown(wait=True)


class Pools(Executor):
    """Both pools, as the framework's executor: a request goes where its method leads it."""

    def __init__(self, *, lookers: int, writers: int, waiting: int) -> None:
        self.looking = Pool("looking", lookers, waiting)
        self.writing = Pool("writing", writers, waiting)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run it where the request under way belongs. Raises Turned."""
        pool = self.writing if writes.get() else self.looking
        return pool.submit(partial(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what is under way."""
        self.looking.shutdown()
        self.writing.shutdown()

    def serve_routes(self) -> None:
        """Let every route of this process run here. The framework takes that outside of its loop alone."""
        setting = Thread(target=set_asyncio_executor, args=(self,))
        setting.start()
        setting.join()


async def in_a_thread(pool: Pool, do: Callable[..., T], *args: Any) -> T:
    """Run something of a request elsewhere than in the loop that all requests share. Raises Turned."""
    return await asyncio.wrap_future(pool.submit(partial(do, *args)))
