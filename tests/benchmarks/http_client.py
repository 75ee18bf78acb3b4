"""A client that costs little: connections that stay open, one request at a time on each, no library in between."""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

Requests = Callable[[], Iterator[bytes]]


class Load(NamedTuple):
    """The results of a load. Times are in seconds."""

    requests: int
    seconds: float
    times: list[float]
    statuses: dict[int, int]

    @property
    def a_second(self) -> float:
        return self.requests / self.seconds

    def at(self, part: float) -> float:
        """The time within which so large a part was answered, in milliseconds."""
        return statistics.quantiles(self.times, n=1000, method="inclusive")[round(part * 1000) - 1] * 1000


def request(method: str, path: str, token: str = "", body: bytes = b"", **headers: str) -> bytes:
    """Return the bytes of a request; headers are written with `_` for `-`."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x"]
    lines += [f"Authorization: Bearer {token}"] if token else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Type: application/json\r\nContent-Length: {len(body)}"] if method == "POST" else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


async def answered(reader: asyncio.StreamReader) -> int:
    """Read an answer; its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    _, _, length = head.lower().partition(b"content-length: ")
    if length and status != 304:
        await reader.readexactly(int(length.partition(b"\r\n")[0]))
    return status


async def _one(port: int, asked: Iterator[bytes], until: float, times: list[float], statuses: dict[int, int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    for raw in asked:
        began = time.perf_counter()
        if began > until:
            break
        writer.write(raw)
        status = await answered(reader)
        times.append(time.perf_counter() - began)
        statuses[status] = statuses.get(status, 0) + 1
    writer.close()


async def _all(port: int, every: Sequence[Iterator[bytes]], seconds: float) -> Load:
    times: list[float] = []
    statuses: dict[int, int] = {}
    began = time.perf_counter()
    await asyncio.gather(*(_one(port, asked, began + seconds, times, statuses) for asked in every))
    return Load(len(times), time.perf_counter() - began, times, statuses)


def load(port: int, every: Sequence[Iterator[bytes]], seconds: float = 1e9) -> Load:
    """Send each connection's requests, the next one after each answer, for `seconds` or to their end."""
    return asyncio.run(_all(port, every, seconds))


def together(every: Sequence[Load]) -> Load:
    """Several loads as one."""
    statuses: dict[int, int] = {}
    for one in every:
        for status, times in one.statuses.items():
            statuses[status] = statuses.get(status, 0) + times
    times = [time for one in every for time in one.times]
    return Load(len(times), sum(one.seconds for one in every), times, statuses)


# --- streams ----------------------------------------------------------------------------------------------------------


class Readers:
    """A number of open streams, read in a process of their own."""

    def __init__(self, port: int, asked: Sequence[bytes]) -> None:
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_read_all, args=(port, list(asked), theirs), daemon=True)
        self._process.start()
        self._line.recv()

    def end(self) -> int:
        """Close them and return the number of records received."""
        self._line.send("end")
        found = int(self._line.recv())
        self._process.join()
        return found


def _read_all(port: int, asked: list[bytes], line: Connection) -> None:
    asyncio.run(_read(port, asked, line))


async def _read(port: int, asked: list[bytes], line: Connection) -> None:
    came = [0]

    async def read(raw: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(raw)
        began.append(await reader.readuntil(b"retry: 1000\n\n"))
        while some := await reader.read(2**16):
            came[0] += some.count(b"event: record")

    began: list[bytes] = []
    tasks: list[asyncio.Task[Any]] = [asyncio.ensure_future(read(raw)) for raw in asked]
    while len(began) < len(asked):
        await asyncio.sleep(0.05)
    line.send("open")
    await asyncio.to_thread(line.recv)
    for task in tasks:
        task.cancel()
    line.send(came[0])
