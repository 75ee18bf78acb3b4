"""Abuse one game of a service, route by route, and measure the orders of another game meanwhile.

    python -m tests.attacks.delay --count 1000 --seed 1

Four seats of the first game, each over several connections, send the same hostile request again and again: the longest
that the service takes, deep, with many words, in pieces of one byte. At the same time a seat of a second game gives
orders, each measured. A fault is an order that takes longer than BOUND seconds and RATIO times an undisturbed order,
twice. The limits on requests, processor time and growth of a seat are raised, so that they hide nothing.

`--routes WORD` tries only routes with that word in them. One line for each hostile request goes to standard error.
"""

import json
import os
import random
import socket
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

import httpx

from tests.attacks.attack import Findings, folder, main
from tests.service.routes import Route, routes
from tests.service.served import Caller, Served

BOUND = float(os.environ.get("UMPIRE_DELAY_BOUND", "2.0"))
"""Seconds that an order of the second game may take."""
RATIO = 100
"""Times an undisturbed order that it may take, on a machine so slow that this is more."""
ORDERS = 5
"""Orders of the second game during one hostile request."""
SEATS = ("referee", "red", "blue", "anna")
A_SEAT = 3
"""Connections of each abuser."""
PATIENCE = 20.0
"""Seconds after which an order counts as never answered."""
UNITS = 400
NOTES = 600
MIB = 2**20
GAME, OTHER = "abused", "other"
UNLIMITED = ("--rate", "100000", "--work", "100000", "--growth", "10000000")
NDJSON = "application/x-ndjson"
FORM = "application/x-www-form-urlencoded"
NUMBERS = {"last": 1000, "limit": 1000, "most": 1000, "turn": 2**53, "after": 0, "before": 1, "first": 1, "to": 2**53}
ODD = {"pause": "9" * 400 + "h", "answer": "open"}
FLAGS = (
    "check",
    "preview",
    "dice",
    "every_line",
    "gone",
    "stacks",
    "direct",
    "schema",
    "disputed",
    "archived",
    "ended",
)


class Hostile(NamedTuple):
    """A hostile request. `raw`: its bytes with TOKEN in place of the token; `shape`: its kind of hostility."""

    route: Route
    shape: str
    raw: bytes

    @property
    def name(self) -> str:
        return f"{self.route.method} {self.route.path.replace(GAME, 'G')} ({self.shape})"


def scenario() -> str:
    """Return a scenario with many units, each in a named place, for a long search by the typo check."""
    sides = '[{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]'
    units = (
        f'[[units]]\nid = "unit-{n}"\nside = "{("red", "blue")[n % 2]}"\nkind = "foot"\nat = "place {n}a"\n'
        for n in range(UNITS)
    )
    return f'title = "freeform"\nname = "Abused"\ndice = "ledger"\nsides = {sides}\n{"".join(units)}'


def opened(place: Path) -> Served:
    """Open a service with two games, the first with a long log."""
    served = Served(place, *UNLIMITED)
    with served.desk() as desk:
        game = desk.new_from_text("freeform", scenario(), id=GAME)
        desk.new_from_text("freeform", scenario(), id=OTHER)
        game.referee.order({"order": "take-seat", "taker": "anna", "side": "red"})
        turns = [{"order": "move", "unit": f"unit-{n % UNITS}", "path": [f"place {n}b"]} for n in range(NOTES // 2)]
        notes = [{"order": "note", "text": f"a{'a' * (n % 900)}! <b> {n}"} for n in range(NOTES // 2)]
        game.play(list(enumerate([*turns, *notes], 1)))
    return served


# --- hostile requests -------------------------------------------------------------------------------------------------


def hostile(route: Route) -> Iterator[Hostile]:
    """Yield every hostile request to a route."""
    shapes = _written(route) if route.method == "POST" else _asked(route)
    yield from (Hostile(route, shape, raw) for shape, raw in shapes)


def request(route: Route, path: str, body: bytes = b"", kind: str = "", **headers: str) -> bytes:
    """Return the bytes of a request, with TOKEN in place of the token."""
    lines = [f"{route.method} {path} HTTP/1.1", "Host: x", "Authorization: Bearer TOKEN"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if route.method == "POST" and "Transfer_Encoding" not in headers:
        lines += [f"Content-Type: {kind or 'application/json'}", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def _asked(route: Route) -> Iterator[tuple[str, bytes]]:
    """Yield read requests: plain, with the largest parameters, with difficult search words, too long."""
    yield "as it is", request(route, _with(route.path, route.query))
    most = {name: _most(name) for name in sorted(route.asks) if name not in ("as", "schema")}
    if most:
        yield "every parameter", request(route, _with(route.path, {**most, **route.query}))
    for name in sorted(route.asks & {"text", "rule", "unit", "name", "waiting"}):
        for words in ("a" * 390 + "!", '"' * 390, "NEAR(" * 70, "%_" * 190):
            yield f"{name}={words[:6]}…", request(route, _with(route.path, {**route.query, name: words}))
    if "given" in route.asks:
        given = "&".join(f"given={quote(f'path=place {n}q')}" for n in range(1200))
        yield "1,200 words", request(route, f"{route.path}?{given}")
    yield "7,000 parameters", request(route, f"{route.path}?{'&'.join('a=1' for _ in range(7000))}")
    yield "cookies", request(route, _with(route.path, route.query), Cookie="; ".join(f"c{n}=1" for n in range(3000)))
    yield "30 KiB of path", request(route, f"{route.path}{'x' * 30_000}")


def _most(name: str) -> object:
    return "true" if name in FLAGS else NUMBERS.get(name, ODD.get(name, 900 if name == "at" else "x" * 390))


def _with(path: str, query: dict[str, object]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _written(route: Route) -> Iterator[tuple[str, bytes]]:
    """Yield write requests: plain, and with the largest bodies of every shape."""
    if route.is_page or route.path == "/in":
        yield from ((shape, request(route, route.path, body, FORM)) for shape, body in _forms(route))
    elif route.path.endswith("/order-files"):
        for shape, body in _files():
            yield shape, request(route, route.path, body, NDJSON)
            yield f"{shape}, tried", request(route, f"{route.path}?check=true", body, NDJSON)
    else:
        yield "as it is", request(route, route.path, json.dumps(route.body).encode() if route.body else b"")
        bodies = _orders() if route.template == "/orders" else _bodies(route.body or {})
        yield from ((shape, request(route, route.path, body)) for shape, body in bodies)
    pieces = b"".join(b"1\r\n \r\n" for _ in range(200_000)) + b"0\r\n\r\n"
    chunked = {"Transfer_Encoding": "chunked", "Content_Type": NDJSON if "order-files" in route.path else FORM}
    yield "pieces of a byte", request(route, route.path, pieces, **chunked)


def _bodies(body: dict[str, object]) -> Iterator[tuple[str, bytes]]:
    """JSON of nearly 1 MiB: one string in place of each, deep, wide, with numbers and with escapes."""
    for name in body:
        yield f"long {name}", _json({**body, name: "x" * (MIB - 500)})
        yield f"many {name}", _json({**body, name: ["x"] * 200_000})
    given = {"order": "move", "unit": "unit-1", "path": [f"qwx {n}" for n in range(60_000)]}
    if "at" in body or not body:
        yield "typed given", _json({**body, "given": "move a" + " a" * 400_000})
        yield "long given", _json({**body, "given": given})
    if "grounds" in body:
        yield "200 orders", _json({**body, "orders": [{**given, "path": given["path"][:150]}] * 200})
        yield "200 typed", _json({**body, "orders": ["move " + "a " * 2000] * 200})
    yield "deep", b'{"a":' * 63 + b"[" + b"[]," * 300_000 + b"[]]" + b"}" * 63
    yield "too deep", b"[" * (MIB - 10)
    yield "escapes", b'{"order": "' + b"\\u0000" * 170_000 + b'"}'
    yield "many names", _json({f"n{n}": n for n in range(70_000)})


def _orders() -> Iterator[tuple[str, bytes]]:
    names = [f"qwx {n}" for n in range(60_000)]
    moved = {"order": "move", "unit": "unit-1"}
    yield "typed", _json({"typed": "move a" + " a" * 400_000})
    yield "typed in quotes", _json({"typed": 'move "' + "a" * (MIB - 100)})
    yield "typed, 4 KiB", _json({"typed": "move" + " a" * 2045})
    yield "path", _json({**moved, "path": names})
    yield "path that is refused", _json({**moved, "path": names, "pips": [1]})
    yield "unknown units", _json({"order": "roll", "dice": "d6", "purpose": "x", "subjects": names, "pips": [1]})
    yield (
        "modifiers",
        _json({"order": "roll", "dice": "d6", "purpose": "x", "modifiers": [{"amount": 1, "source": "s"}] * 25_000}),
    )
    yield "100d256", _json({"order": "roll", "dice": "100d256", "purpose": "x" * 80})
    yield "attributes", _json({"order": "change", "unit": "unit-1", "attributes": dict.fromkeys(names, 1)})
    yield "long rewind", _json({"order": "rewind", "to": "x" * (MIB - 200), "why": "x"})
    yield from _bodies({"order": "note", "text": "x", "to": ["red"]})


def _files() -> Iterator[tuple[str, bytes]]:
    yield "500 rolls", _lines([{"order": "roll", "dice": "100d256", "purpose": "x" * 80}] * 500)
    yield (
        "500 moves",
        _lines([{"order": "move", "unit": f"unit-{n % UNITS}", "path": [f"place {n}b"] * 120} for n in range(500)]),
    )
    yield "500 notes", _lines([{"order": "note", "text": "x" * 1900}] * 500)
    yield "undo and redo", _lines([{"order": "undo"}, {"order": "redo"}] * 250)
    yield "rewinds", _lines([{"order": "rewind", "to": 3 + n, "why": "x"} for n in range(500)])
    yield "blank lines", b"\n" * (MIB - 1)
    yield "remarks", b"#\n" * (MIB // 2 - 1)
    yield "one line", _json({"order": "note", "text": "x" * (MIB - 100)})


def _forms(route: Route) -> Iterator[tuple[str, bytes]]:
    base = dict(route.body or {})
    yield "as it is", urlencode(base).encode()
    for act in ("text", "typed", "records", "to", "scenario", "token", "o.path"):
        yield f"long {act}", urlencode({**base, act: "a " * (MIB // 3)}).encode()
    yield "1,000 fields", urlencode([(f"o.path{n % 9}", "x" * 900) for n in range(1000)]).encode()
    yield "1,001 fields", urlencode([("a", "") for n in range(300_000)]).encode()
    yield "percents", b"text=" + b"%" * (MIB - 10)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()[:MIB]


def _lines(orders: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in orders)[:MIB]


# --- abusers ----------------------------------------------------------------------------------------------------------


def abuse(port: int, requests: list[bytes], until: float) -> None:
    """Send each request again and again, on connections of its own; in a process of its own."""
    for raw in requests * A_SEAT:
        threading.Thread(target=_abuse, args=(port, raw, until), daemon=True).start()
    time.sleep(max(0.0, until - time.monotonic()))


def _abuse(port: int, raw: bytes, until: float) -> None:
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.settimeout(max(0.1, until - time.monotonic()))
            line.sendall(raw)
            while line.recv(2**18) and time.monotonic() < until:
                pass


class Measured(NamedTuple):
    """Seconds. `before`: an undisturbed order; `beside`: orders under abuse; `after`: until normal again."""

    hostile: Hostile
    before: float
    beside: list[float]
    after: float

    @property
    def slowest(self) -> float:
        return max(*self.beside, self.after)

    @property
    def median(self) -> float:
        return statistics.median(self.beside)

    @property
    def is_fault(self) -> bool:
        return self.slowest > max(BOUND, RATIO * self.before)

    def __str__(self) -> str:
        shown = (self.before, self.median, max(self.beside), self.after)
        return f"{' '.join(f'{one:7.3f}' for one in shown)}  {self.hostile.name}"


class Delay:
    """The service, its abusers and the seat whose orders are measured."""

    def __init__(self, place: Path) -> None:
        self.served = opened(place)
        self.tokens = [self.served.token(GAME, seat) for seat in SEATS]
        self.victim = Caller(self.served.address, self.served.token(OTHER, "red"))
        self.victim.http.timeout = httpx.Timeout(PATIENCE)
        self.order()

    def order(self) -> float:
        """Return the seconds that an order of the second game takes."""
        began = time.perf_counter()
        try:
            answer = self.victim.post(f"/games/{OTHER}/orders", {"order": "note", "text": "hm"})
        except httpx.TransportError:
            return PATIENCE
        assert answer.status_code in (200, 503), answer.text
        return time.perf_counter() - began if answer.status_code == 200 else PATIENCE

    def orders(self, number: int) -> list[float]:
        """Return the seconds of several orders, up to the first without an answer."""
        found: list[float] = []
        while len(found) < number and PATIENCE not in found:
            found.append(self.order())
            time.sleep(0.03)
        return found

    def beside(self, one: Hostile) -> list[float]:
        """Return the seconds of orders during a hostile request."""
        closing = one.raw.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        requests = [closing.replace(b"TOKEN", token.encode(), 1) for token in self.tokens]
        until = time.monotonic() + 10 * PATIENCE
        abusers = get_context("fork").Process(target=abuse, args=(self.served.port, requests, until), daemon=True)
        abusers.start()
        try:
            time.sleep(0.3)
            return self.orders(ORDERS)
        finally:
            abusers.kill()
            abusers.join()

    def measured(self, one: Hostile) -> Measured:
        """Measure orders before and during a hostile request, and the time until they are undisturbed again."""
        before = statistics.median(self.orders(3))
        beside = self.beside(one)
        began = time.monotonic()
        while self.order() > 3 * before and time.monotonic() - began < PATIENCE:
            time.sleep(0.05)
        return Measured(one, before, beside, time.monotonic() - began)


def attack(count: int, seed: int, found: Findings, routes: str = "") -> None:
    """Send `count` hostile requests, drawn by the seed from those to every route, or all if there are fewer."""
    every = [one for route in every_route() for one in hostile(route) if routes in one.name]
    drawn = random.Random(seed).sample(every, min(count, len(every)))
    print(" before  median slowest   after  (seconds)", file=sys.stderr)
    with folder() as place:
        delay = Delay(place)
        results = [judged(delay, one, found) for one in drawn]
        delay.served.stop()
    tell(results, found)


def every_route() -> list[Route]:
    """Return all routes."""
    return list(routes(GAME))


def judged(delay: Delay, one: Hostile, found: Findings) -> Measured:
    """Measure a hostile request; a delay counts if it comes again, for the machine may be busy with other work."""
    result = delay.measured(one)
    if result.is_fault:
        result = min(result, delay.measured(one), key=lambda result: result.slowest)
    print(result, file=sys.stderr, flush=True)
    if result.is_fault:
        found.fault(f"{one.name}: an order of another game took {result.slowest:.1f} s", one.name)
    return result


def tell(results: list[Measured], found: Findings) -> None:
    """Count the routes, and show the worst in milliseconds and as a ratio to an undisturbed order."""
    ratios = [result.median / result.before for result in results]
    found.counts["routes"] = len({(one.hostile.route.method, one.hostile.route.path) for one in results})
    found.counts["ms undisturbed"] = round(statistics.median(one.before for one in results) * 1000)
    found.counts["ms beside"] = round(statistics.median(one.median for one in results) * 1000)
    found.counts["ms worst median"] = round(max(one.median for one in results) * 1000)
    found.counts["ms slowest"] = round(max(max(one.beside) for one in results) * 1000)
    found.counts["times undisturbed, worst median"] = round(max(ratios))


if __name__ == "__main__":
    more = {"routes": "only routes with this word"}
    sys.exit(main("delay", "hostile requests", attack, count=1000, doc=__doc__, more=more))
