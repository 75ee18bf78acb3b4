"""A ledger that is served: `umpire serve` in a process of its own, on a real port, over a real file."""

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx

import umpire_ledger as umpire
from tests.cli.terminal import ROOT, SCENARIO

PATIENCE = 60.0
"""Seconds: generous, because other tests run at the same time."""
CERTIFICATES = httpx.create_ssl_context(trust_env=False)
"""Read once: every client wants them, although no test calls a service over TLS with them."""
_numbers = count(1)


class Caller:
    """A client of the service: with a program's token, with a cookie, or with neither."""

    def __init__(self, address: str, token: str = "", **headers: str) -> None:
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=address,
            headers={**bearer, **headers},
            timeout=PATIENCE,
            trust_env=False,
            verify=CERTIFICATES,
        )

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Post JSON; headers are written with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return (
            self.http.post(path, json=body, headers=named) if body is not None else self.http.post(path, headers=named)
        )


class Served:
    """The process, its ledger, its log. A game of its own for each test: `game()`."""

    def __init__(self, folder: Path, *options: str, ledger: str = "") -> None:
        self.folder = folder
        self.ledger = ledger or folder / "umpire.db"
        with umpire.open(self.ledger) as desk:
            desk.new_from_text("freeform", SCENARIO, id="first")
        self.options = options
        self.log: list[str] = []
        self.start()

    def start(self, port: int = 0) -> None:
        words = ("serve", "--port", str(port), "--ledger", str(self.ledger), *self.options)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "umpire_ledger.cli.main", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.process.terminate)  # a test that fails may never come to its stop
        assert self.process.stdout is not None
        self.said = said = self.process.stdout.readline()
        found = re.search(r"http://[0-9.]+:([0-9]+)", said)
        if not found:
            self.process.kill()
            raise AssertionError(f"{said} {self.process.communicate()[1]}")
        self.address, self.port = found[0], int(found[1])
        threading.Thread(target=self._read_log, daemon=True).start()
        self._wait()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.address}/health/ready", trust_env=False, verify=CERTIFICATES).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
        raise AssertionError("".join(self.log))

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """Send it a signal, wait until it ends, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        return self.process.wait(PATIENCE)

    def requests(self) -> list[dict[str, Any]]:
        """Return the log lines about requests."""
        return [one for one in map(json.loads, tuple(self.log)) if one["event"] == "request"]

    # --- games and seats ----------------------------------------------------------------------------------------------

    @contextmanager
    def desk(self) -> Iterator[umpire.Desk]:
        with umpire.open(self.ledger) as desk:
            yield desk

    def game(self, scenario: str = SCENARIO, title: str = "freeform", **options: Any) -> str:
        """Open a game of its own."""
        game = f"game-{next(_numbers)}"
        with self.desk() as desk:
            desk.new_from_text(title, scenario, id=game, **options)
        return game

    def token(self, game_id: str, seat: str, form: Any = "program") -> str:
        with self.desk() as desk:
            return desk.invitations.invite(game_id, seat, form=form).token

    def program(self, game_id: str, seat: str) -> Caller:
        """Return a program that has this seat; game "": the operator, who referees every game."""
        return Caller(self.address, self.token(game_id, seat))

    def browser(self, game_id: str, *seats: str) -> Caller:
        """Return a browser that has exchanged a link for each of these seats."""
        caller = Caller(self.address, Origin=self.address)
        for seat in seats:
            answer = caller.post("/session", {"token": self.token(game_id, seat, "link")})
            assert answer.status_code == 200, answer.text
        return caller

    def nobody(self) -> Caller:
        return Caller(self.address)
