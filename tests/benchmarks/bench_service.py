"""Measure `umpire serve` under load: orders and views a second, their times, and the same work without HTTP.

    python -m tests.benchmarks.bench_service                  # the short form
    python -m tests.benchmarks.bench_service --games 1000 --seconds 10 --requests 200000 --boardgame FOLDER

Everything runs on this machine, the client too, which takes its share of the cores. Ratios are of one run.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.benchmarks.games import SCENARIO
from tests.benchmarks.http_client import Load, Readers, load, request, together
from tests.cli.terminal import ROOT
from tests.service.served import Served

PLAYERS = 8
"""Connections that give orders, each in a game of its own."""
EMPTY = """
import sys
import uvicorn
from litestar import Litestar, get
from umpire_ledger.service.running import bound

@get("/", sync_to_thread=True)
def nothing() -> dict[str, str]:
    return {}

listening = bound("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
app = Litestar([nothing], openapi_config=None, logging_config=None)
uvicorn.Server(uvicorn.Config(app, http="h11", access_log=False, log_config=None)).run(sockets=[listening])
"""
ROUNDS = 5
"""Stretches of each measure."""
UNLIMITED = ("--rate", "1000000", "--work", "1000000", "--growth", "1000000")
_numbers = count(1)


def note() -> dict[str, Any]:
    """Return an order with an order id of its own, on which no later one depends."""
    number = next(_numbers)
    return {"order": "note", "text": f"hull at {number % 97}", "id": f"n{number}"}


class Bench:
    """A served ledger with many games, some of which are played."""

    def __init__(self, folder: Path, games: int, workers: int) -> None:
        self.served = Served(folder, *UNLIMITED, "--workers", str(workers), "--connections", "4000")
        with self.served.desk() as desk:
            for number in range(games):
                desk.new_from_text("freeform", SCENARIO, id=f"g{number}")
            tokens = [desk.invitations.invite(f"g{number}", "red", form="program").token for number in range(PLAYERS)]
            self.operator = desk.invitations.invite("", "referee", form="program").token
            watching = [
                desk.invitations.invite(f"g{number % PLAYERS}", "spectator", form="program").token
                for number in range(25 * PLAYERS)
            ]
        self.tokens, self.watching = tokens, watching
        self.port = self.served.port

    def orders(self, player: int) -> Iterator[bytes]:
        path, token = f"/games/g{player}/orders", self.tokens[player]
        while True:
            yield request("POST", path, token, json.dumps(note()).encode())

    def looks(self, player: int, tail: str, **headers: str) -> Iterator[bytes]:
        return cycle([request("GET", f"/games/g{player}/{tail}", self.tokens[player], **headers)])

    def readers(self, streams: int) -> Readers:
        asked = [
            request("GET", f"/games/g{number % PLAYERS}/stream", self.watching[number]) for number in range(streams)
        ]
        return Readers(self.port, asked)

    def etag(self) -> str:
        import httpx  # noqa: PLC0415 -- once

        bearer = {"Authorization": f"Bearer {self.tokens[0]}"}
        return httpx.get(f"{self.served.address}/games/g0/status", headers=bearer, trust_env=False).headers["etag"]


def told(name: str, one: Load, against: str = "") -> None:
    bad = {status: times for status, times in one.statuses.items() if status not in (200, 304)}
    times = f"p50 {one.at(0.5):6.2f}  p95 {one.at(0.95):6.2f}  p99 {one.at(0.99):6.2f} ms"
    print(f"{name:<46} {one.a_second:8.0f}/s  {times}  {against} {bad or ''}", flush=True)


def beside(name: str, base: Callable[[float], float], ours: Callable[[float], Load], seconds: float, of: str) -> None:
    """Measure a load and its base in turn, in short stretches: other work on the machine meets both sides."""
    ratios, every = [], []
    for _ in range(ROUNDS):
        floor, one = base(seconds / ROUNDS), ours(seconds / ROUNDS)
        ratios.append(one.a_second / floor)
        every.append(one)
    told(name, together(every), f"{statistics.median(ratios):.2f} of {of}")


class Library:
    """The library as the base: the same orders in this process."""

    def __init__(self, folder: Path) -> None:
        self.desk = umpire.open(folder / "library.db")
        for player in range(PLAYERS):
            self.desk.new_from_text("freeform", SCENARIO, id=f"g{player}")

    def orders(self, seconds: float, threads: int) -> float:
        """Return the orders a second."""
        done, until = [0] * PLAYERS, time.perf_counter() + seconds

        def play(player: int) -> None:
            seat = self.desk.game(f"g{player}").seat("red")
            while time.perf_counter() < until:
                seat.order(note())
                done[player] += 1

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, range(threads)))
        return sum(done) / seconds


def orders(bench: Bench, folder: Path, seconds: float) -> None:
    """Measure orders with 0, 1, 10 and 200 streams, against the library."""
    library = Library(folder)
    for threads in (1, PLAYERS):
        rate = library.orders(seconds, threads)
        print(f"{f'orders through the library, {threads} threads':<46} {rate:8.0f}/s", flush=True)

    def given(players: int) -> Callable[[float], Load]:
        return lambda seconds: load(bench.port, [bench.orders(player) for player in range(players)], seconds)

    alone, eight = (partial(library.orders, threads=threads) for threads in (1, PLAYERS))
    beside("orders, one connection", alone, given(1), seconds, "the library's, one thread")
    for streams in (0, 1, 10, 200):
        readers = bench.readers(streams) if streams else None
        name = f"orders, {PLAYERS} games, {streams} streams"
        beside(name, eight, given(PLAYERS), seconds, f"the library's, {PLAYERS} threads")
        if readers:
            time.sleep(1)
            print(f"{'':46} {readers.end()} records came to them", flush=True)
    library.desk.close()


@contextmanager
def empty() -> Iterator[Callable[[float], float]]:
    """Yield an empty route of the framework, the upper limit for every service in it."""
    command = [sys.executable, "-c", EMPTY]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        time.sleep(1.5)
        yield lambda seconds: load(port, [cycle([request("GET", "/")]) for _ in range(PLAYERS)], seconds).a_second
    finally:
        server.terminate()
        server.wait()


def looks(bench: Bench, seconds: float) -> None:
    """Measure views, as a ratio of an empty route."""
    known = {"If_None_Match": bench.etag()}

    def asked(tail: str, headers: dict[str, str]) -> Callable[[float], Load]:
        every = [bench.looks(0 if headers else player, tail, **headers) for player in range(PLAYERS)]
        return lambda seconds: load(bench.port, every, seconds)

    with empty() as floor:
        print(f"{'an empty route of Litestar':<46} {floor(seconds):8.0f}/s", flush=True)
        for name, tail, headers in (
            ("status, unchanged (304)", "status", known),
            ("checkpoint", "checkpoint", {}),
            ("status", "status", {}),
            ("units (40)", "units", {}),
            ("audit, the newest 50", "audit?last=50", {}),
        ):
            beside(name, floor, asked(tail, headers), seconds, "an empty route")
    for name, token in (("the list of a seat's games", bench.tokens[0]), ("the list of all games", bench.operator)):
        told(name, load(bench.port, [cycle([request("GET", "/games", token)])], seconds))


def by_wrk(bench: Bench, folder: Path, seconds: float) -> None:
    """Measure with `wrk`, if installed, an independent client: it costs less than our own and so leaves more."""
    if shutil.which("wrk") is None:
        print("wrk is not installed: our own client has measured alone", flush=True)
        return
    tokens = folder / "tokens"
    tokens.write_text("\n".join(bench.tokens) + "\n", encoding="utf-8")
    for players, streams in ((1, 0), (PLAYERS, 0), (PLAYERS, 1), (PLAYERS, 10), (PLAYERS, 200)):
        readers = bench.readers(streams) if streams else None
        _wrk(bench, tokens, "orders", players, seconds, f"orders, {players} games, {streams} streams")
        if readers:
            readers.end()
    for asked in ("status", "checkpoint", "units", "audit?last=50"):
        _wrk(bench, tokens, asked, PLAYERS, seconds, asked)


def _wrk(bench: Bench, tokens: Path, asked: str, players: int, seconds: float, name: str) -> None:
    script = str(Path(__file__).with_name("orders.lua"))
    load = ["wrk", f"-t{players}", f"-c{players}", f"-d{max(1, round(seconds))}s", "-s", script]
    command = [*load, f"http://127.0.0.1:{bench.port}", "--", asked, str(tokens), f"w{next(_numbers)}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60).stdout
    _other(f"wrk: {name}", json.loads(said.splitlines()[-1]))


def _other(name: str, came: dict[str, float]) -> None:
    times = "  ".join(f"{part} {came[part]:6.2f}" for part in ("p50", "p95", "p99"))
    bad = f"  {came['errors']} errors" if came.get("errors") else ""
    print(f"{name:<46} {came['a_second']:8.0f}/s  {times} ms{bad}", flush=True)


def memory(bench: Bench, requests: int) -> None:
    """Measure the memory of the workers over many requests: views, unchanged views and orders in turn."""
    watched = workers(bench)
    threading.Thread(target=_forget_log, args=(bench,), daemon=True).start()
    known = {"If_None_Match": '"0-0"'}

    def mixed(player: int) -> Iterator[bytes]:
        asked = (bench.orders(player), bench.looks(player, "status", **known), bench.looks(player, "checkpoint"))
        turn = cycle([asked[0], asked[1], asked[2], asked[2], asked[2]])
        for _ in range(requests // PLAYERS // 20):
            yield next(next(turn))

    held = [sum(map(kib, watched))]
    for part in range(20):
        load(bench.port, [mixed(player) for player in range(PLAYERS)])
        held.append(sum(map(kib, watched)))
        if part in (0, 4, 9, 14, 19):
            print(f"  {(part + 1) * requests // 20:>8} requests: {held[-1] / 1024:7.1f} MiB", flush=True)
    grown = (held[-1] - held[5]) / max(1, requests * 0.75) * 100_000
    print(f"{'memory, from a quarter of them on':<46} {grown / 1024:+8.2f} MiB for 100,000 requests", flush=True)


def workers(bench: Bench) -> list[int]:
    """Return the process numbers of the workers."""
    said = [json.loads(line) for line in tuple(bench.served.log)]
    return sorted({one["worker"] for one in said if one["event"] == "started"})


def kib(process: int) -> int:
    text = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(text.partition("VmRSS:")[2].split()[0])


def other_server(home: str, seconds: float) -> None:
    """Measure boardgame.io's server and client; both in one process, without a ledger, hashes or causes."""
    script = str(Path(__file__).with_name("boardgame_io.cjs"))
    for kept in ("memory", "files"):
        for players in (1, PLAYERS):
            with tempfile.TemporaryDirectory(prefix="umpire-bench-") as folder:
                command = ["node", script, home, str(seconds), str(players), folder if kept == "files" else ""]
                done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60)
            _other(f"boardgame.io, matches in {kept}, {players} players", json.loads(done.stdout))


def main(seconds: float = 2.0, games: int = 20, requests: int = 2_000, workers: int = 1, boardgame: str = "") -> None:
    """Everything, printed line by line."""
    print(f"{games} games, {workers} workers, {PLAYERS} connections, {seconds:g} s each", flush=True)
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as place:
        bench = Bench(Path(place), games, workers)
        try:
            orders(bench, Path(place), seconds)
            looks(bench, seconds)
            by_wrk(bench, Path(place), seconds)
            memory(bench, requests)
            if boardgame:
                other_server(boardgame, seconds)
        finally:
            bench.served.stop()


def _forget_log(bench: Bench) -> None:
    """Delete the request log continuously, because its memory is not to be measured."""
    while bench.served.process.poll() is None:
        del bench.served.log[:]
        time.sleep(1)


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--seconds", type=float, default=2.0)
    given.add_argument("--boardgame", default="", help="where `npm install boardgame.io node-persist@3.1.0` was run")
    for name, default in (("games", 20), ("requests", 2_000), ("workers", 1)):
        given.add_argument(f"--{name}", type=int, default=default)
    main(**vars(given.parse_args()))
