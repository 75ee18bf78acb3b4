"""Play through a failover without knowledge of it.

    python -m tests.cluster.writer desk|program URL GAME NAME STOP

Give one order after the other, each with an id of its own, until a file STOP exists, and print for each acknowledged
one the id, the position and the time. `desk`: through the Python API, with a view now and then; `program`: each by
`umpire order`. A writer that lost to another one gives the same order again; any other error ends it.
"""

from __future__ import annotations

import faulthandler
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import umpire_ledger as umpire
from tests.face.desk import Seat
from tests.face.ledger import PositionConflict, StoreUnavailable

Give = Callable[[str], int | None]
"""A function that gives the order of an id and returns its position, or None if another writer was first."""
PAUSE = 0.03
"""Seconds between two orders."""
LOOK = 10
"""Number of orders from one read of the turn view to the next."""


def main(how: str, url: str, game_id: str, name: str, stop: str) -> None:
    faulthandler.register(signal.SIGUSR1)
    count = 0
    give = by_desk(url, game_id) if how == "desk" else by_program(url, game_id)
    print("ready", flush=True)
    while not Path(stop).exists():
        position = give(f"{name}-{count}")
        if position is not None:
            print(f"{name}-{count} {position} {time.monotonic()}", flush=True)
            count += 1
        time.sleep(PAUSE)


def by_desk(url: str, game_id: str) -> Give:
    seat = umpire.open(url).game(game_id).seat("red")

    def give(id: str) -> int | None:
        try:
            done = seat.order({"order": "roll", "dice": "2d6", "purpose": id, "id": id})
        except PositionConflict:
            return None
        if int(id.rpartition("-")[2]) % LOOK == 0:
            assert looked(seat) >= done.position
        return done.position

    return give


def looked(seat: Seat) -> int:
    """Return the position of a turn view; read it again if the connection broke."""
    try:
        return seat.status.position
    except StoreUnavailable:
        return seat.status.position


def by_program(url: str, game_id: str) -> Give:
    first_wrote = 4

    def give(id: str) -> int | None:
        words = ("order", game_id, "roll", id, "--dice", "2d6", "--id", id, "--as", "blue", "--json", "--ledger", url)
        done = subprocess.run(
            [sys.executable, "-m", "umpire_ledger.cli.main", *words], capture_output=True, text=True, check=False
        )
        if done.returncode == first_wrote:
            return None
        assert done.returncode == 0, done.stderr
        return int(json.loads(done.stdout)["position"])

    return give


if __name__ == "__main__":
    main(*sys.argv[1:])
