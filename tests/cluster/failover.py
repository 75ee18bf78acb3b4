"""Kill a primary while eight writers play, and count the acknowledged orders: python -m tests.cluster.failover [rounds]

Prints a row a round and a sum. A round: eight writers, three on one game and five on a game each, two of these with the
command `umpire`; Patroni and every process of the primary are killed with -9; the standby takes over; the writers
continue without notice; then every acknowledged order is looked for, and many are given again. The killed server
becomes the standby of the next round.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import umpire_ledger as umpire
from tests.cluster.servers import Cluster, own_folder, until
from tests.face.desk import Desk

ROOT = Path(__file__).parents[2]
SCENARIO = """
title = "freeform"
name = "Through the storm"
dice = "ledger"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
"""
WRITERS = (
    *(("desk", "shared", f"shared{n}") for n in range(3)),
    *(("desk", f"own{n}", f"own{n}") for n in range(3)),
    *(("program", f"own{n}", f"own{n}") for n in (3, 4)),
)
GAMES = tuple(dict.fromkeys(game for _, game, _ in WRITERS))
BEFORE, BEHIND = 3, 3
"""Orders of each writer before the primary is killed, and after the takeover."""
LONG = 300.0
"""Seconds until all have given this number, on a machine with other work; a command restarts for each order."""
AGAIN = 50
"""Orders of each writer, the last of them, that are given once more; all are counted in the ledger."""


class Round(NamedTuple):
    """The result of a round. `missing`, `twice`: orders; `beyond`: recorded, but not acknowledged at the writer's end;
    `waited`: the longest time in seconds that each writer waited for an acknowledgement.
    """

    acknowledged: int
    missing: int
    twice: int
    beyond: int
    waited: tuple[float, ...]
    changed: bool


class Writer:
    """One of the eight, in a process of its own."""

    def __init__(self, how: str, url: str, game_id: str, name: str, folder: Path) -> None:
        self.game, self.name = game_id, name
        self._file = folder / f"{name}.out"
        self._errors = folder / f"{name}.err"
        words = (sys.executable, "-m", "tests.cluster.writer", how, url, game_id, name, str(folder / "stop"))
        with self._file.open("w") as out, self._errors.open("w") as err:
            self._process = subprocess.Popen(words, stdout=out, stderr=err, cwd=ROOT)

    @property
    def acknowledged(self) -> list[tuple[str, int, float]]:
        """(id, position, time) of each."""
        whole = self._file.read_text().rpartition("\n")[0].splitlines()
        words = [line.split() for line in whole if line != "ready"]
        return [(id, int(position), float(at)) for id, position, at in words]

    def count(self, since: float = 0.0) -> int:
        """Return the number of orders acknowledged after a moment."""
        self.verify_goes_on()
        return sum(at > since for _, _, at in self.acknowledged)

    @property
    def waited(self) -> float:
        times = [at for _, _, at in self.acknowledged]
        return max(behind - before for before, behind in pairwise(times))

    def verify_goes_on(self) -> None:
        assert self._process.poll() in (None, 0), (self.name, self._errors.read_text())

    def end(self) -> None:
        self._process.wait(LONG)
        self.verify_goes_on()

    def told(self) -> str:
        """Return the progress and the stack of the writer, to help find a fault."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(0.5)
        done, now = self.acknowledged, time.monotonic()
        return f"{self.name}: {len(done)} acknowledged, last {done[-1:]}, now {now:.1f}\n{self._errors.read_text()}"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(LONG)


def play_a_round(cluster: Cluster, folder: Path, number: int) -> Round:
    """Play one round, from a primary and a standby to a primary and a standby."""
    here = folder / f"round{number}"
    here.mkdir()
    url = cluster.url()
    games = {game: f"{game}-{number}" for game in GAMES}
    with umpire.open(url) as desk:
        for game in games.values():
            desk.new_from_text("freeform", SCENARIO, id=game)
    writers = [Writer(how, url, games[game], f"{name}-{number}", here) for how, game, name in WRITERS]
    try:
        return with_writers(cluster, writers, here)
    except BaseException:
        print(*(writer.told() for writer in writers), sep="\n", file=sys.stderr)
        for writer in writers:
            writer.kill()
        raise


def with_writers(cluster: Cluster, writers: list[Writer], here: Path) -> Round:
    """Kill the primary during a round and count the results."""
    until(lambda: all(writer.count() >= BEFORE for writer in writers), "everybody plays", LONG)
    victim = cluster.primary()
    victim.kill()
    killed = time.monotonic() + 1  # nothing is acknowledged by the dead
    until(lambda: all(writer.count(killed) >= BEHIND for writer in writers), "everybody plays on", LONG)
    changed = cluster.primary() is not victim
    victim.start()
    (here / "stop").touch()
    for writer in writers:
        writer.end()
    with umpire.open(cluster.url()) as desk:
        missing, twice, beyond = counted(desk, writers)
    cluster.wait_for_standby()
    return Round(
        sum(len(one.acknowledged) for one in writers),
        missing,
        twice,
        beyond,
        tuple(one.waited for one in writers),
        changed,
    )


def counted(desk: Desk, writers: list[Writer]) -> tuple[int, int, int]:
    """Return (missing, twice, beyond) of all games."""
    missing = twice = 0
    acknowledged: Counter[str] = Counter()
    for writer in writers:
        for id, position, _ in writer.acknowledged:
            acknowledged[id] += 1
            answer = desk.ledger.answer(writer.game, id)
            missing += not answer or answer[-1].position != position
    recorded: Counter[str] = Counter()
    for game in {writer.game for writer in writers}:
        assert desk.ledger.verify(game).valid, game
        recorded.update(record.command for record in desk.ledger.records(game) if record.cause)
    for writer in writers:
        before = desk.ledger.size(writer.game)
        seats = {"red": desk.game(writer.game).seat("red"), "blue": desk.game(writer.game).seat("blue")}
        for id, position, _ in writer.acknowledged[-AGAIN:]:
            seat = seats[desk.ledger.record(writer.game, position).seat]
            again = seat.order({"order": "roll", "dice": "2d6", "purpose": id, "id": id})
            twice += again.position != position
        twice += desk.ledger.size(writer.game) - before
    twice += sum(count - 1 for count in recorded.values())
    beyond = sum(1 for id in recorded if id not in acknowledged and id.rpartition("-")[2].isdigit())
    return missing, twice, beyond


def main(rounds: int = 20) -> None:
    """Play many rounds and print the table."""
    print("| round | acknowledged | missing | twice | not told | waited: least, median, most (s) |")
    print("|---|---|---|---|---|---|")
    done: list[Round] = []
    with own_folder() as folder:
        cluster = Cluster(folder)
        try:
            cluster.start()
            for number in range(1, rounds + 1):
                one = play_a_round(cluster, folder, number)
                done.append(one)
                print(f"| {number} | {row(one)} |", flush=True)
        except BaseException:
            print(cluster.said(), file=sys.stderr)
            raise
        finally:
            cluster.stop()
    total = Round(*(sum(one[at] for one in done) for at in range(4)), sum((one.waited for one in done), ()), True)  # type: ignore[arg-type]
    print(f"| all {rounds} | {row(total)} |")
    print(f"{rounds} passed, 0 failed" if all(map(sound, done)) else "what was acknowledged is not what is there")
    sys.exit(not all(map(sound, done)))


def sound(one: Round) -> bool:
    return one.changed and not one.missing and not one.twice


def row(one: Round) -> str:
    waits = sorted(one.waited)
    said = ", ".join(f"{wait:.1f}" for wait in (waits[0], waits[len(waits) // 2], waits[-1]))
    return f"{one.acknowledged} | {one.missing} | {one.twice} | {one.beyond} | {said}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
