"""Kill -9 every command that writes, at a random moment of its work, and check the ledger.

    python -m tests.attacks.kills --count 1000 --seed 1

After each kill, all acknowledged work is in the ledger; an order, an import, a copy or an amendment is there whole or
not at all; no earlier record has changed; the file verifies and SQLite finds it sound; the read models follow and equal
rebuilt ones; an export is whole or not there; and play continues. A process is killed, not a machine: the result of a
power cut depends on the disk and on `synchronous=FULL`.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import umpire_ledger as umpire
from tests.attacks.attack import Findings, finished, folder, main, run, start
from tests.cli.terminal import SCENARIO
from tests.face.ledger import Record
from tests.face.projections import TABLES, views_path
from tests.face.testing import FIXTURES

LEDGER = "umpire.db"
ORDERS = 60
MOVES = 30
COMMANDS: dict[str, tuple[str, ...]] = {
    "order": ("order", "ford", '{"order": "move", "unit": "r1", "path": ["0909"]}', "--as", "red"),
    "play": ("play", "ford", "orders.jsonl"),
    "import": ("import", "harbour.jsonl"),
    "rebuild": ("rebuild",),
    "rewind": ("rewind", "ford", "--to", "#10", "--why", "the hex was misread"),
    "amend": ("amend", "ford", "#9", "--drop", "--why", "out of turn"),
    "fork": ("fork", "ford", "--id", "copy"),
    "new": ("new", "freeform", "--id", "second", "--scenario", "scenario.toml"),
    "first new": ("new", "freeform", "--id", "first", "--scenario", "scenario.toml", "--ledger", "new.db"),
    "export": ("export", "ford", "-o", "out.jsonl"),
}
AT_ONCE = ("import", "amend", "fork", "new", "first new")
"""Commands whose records come all together or not at all."""
KEPT_BY_LOOKING = "looked"
"""The one table of read models that no ledger could make again."""


class Line(NamedTuple):
    """A record without what chance puts into it. `begins`: it is an order's first."""

    position: int
    seat: str
    event: bytes
    begins: bool


Games = dict[str, list[Line]]


def prepare(home: Path) -> None:
    """Make a ledger with one game, a file of orders, and a log to import."""
    (home / "scenario.toml").write_text(SCENARIO)
    (home / "harbour.jsonl").write_bytes((FIXTURES / "war-galley/replays/great-harbour.jsonl").read_bytes())
    orders = [{"as": "red", "order": "move", "unit": "r1", "path": [f"{n:04}"]} for n in range(ORDERS)]
    (home / "orders.jsonl").write_text("".join(json.dumps(order) + "\n" for order in orders))
    with umpire.open(home / LEDGER) as desk:
        ford = desk.new("freeform", home / "scenario.toml", id="ford")
        for number in range(MOVES):
            seat, unit = ("red", "r1") if number % 2 else ("blue", "b1")
            ford.seat(seat).order("move", unit=unit, path=[f"{number:02}00"])
        ford.catch_up()


def games_in(ledger: Path) -> Games:
    """Return every record of every game; no games if the ledger is missing or empty."""
    if not ledger.is_file() or not ledger.stat().st_size:
        return {}
    with umpire.open(ledger, read_only=True) as desk:
        return {entry.game: list(_lines(desk, entry.game)) for entry in desk.games()}


def _lines(desk: umpire.Desk, game_id: str) -> Iterator[Line]:
    for raw in desk.ledger.lines(game_id):
        record = Record.decode(raw)
        yield Line(record.position, record.seat, bytes(record.event), record.prior is not None)


class Attack:
    """The attacked place: a home folder, copied for each kill, and the result of each command that runs to its end."""

    def __init__(self, place: Path, found: Findings) -> None:
        self.home, self.copy, self.said = place / "home", place / "copy", place / "said"
        self.found = found
        self.home.mkdir()
        prepare(self.home)
        self.before = games_in(self.home / LEDGER)
        self.after: dict[str, Games] = {}
        self.takes: dict[str, float] = {}
        for name, words in COMMANDS.items():
            self._lay()
            run((*words, "--json"), self.copy)  # imports what the command imports
            self._lay()
            began = time.monotonic()
            assert finished(start(words, self.copy, self.said)) == 0, self.said.with_suffix(".err").read_text()
            self.takes[name] = time.monotonic() - began
            self.after[name] = games_in(self.ledger(name))

    def _lay(self) -> None:
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.home, self.copy)

    def ledger(self, name: str) -> Path:
        return self.copy / ("new.db" if name == "first new" else LEDGER)

    def kill(self, name: str, moment: float) -> None:
        """Kill a command at a moment of its work, from 0 to 1, and look."""
        self._lay()
        child = start(COMMANDS[name], self.copy, self.said)
        time.sleep(moment * self.takes[name])
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        killed = finished(child) == -signal.SIGKILL
        acknowledged = not killed or self.said.stat().st_size > 0
        self.takes[name] *= 1.01 if killed else 0.98  # the machine may be busier than it was
        try:
            problem = self._problem(name, acknowledged)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            self.found.fault(f"{name} killed at {moment:.3f} of {self.takes[name]:.3f} s: {problem}")
        self.found.counts["killed" if killed else "done before"] += 1

    def _problem(self, name: str, acknowledged: bool) -> str:
        ledger = self.ledger(name)
        before = {} if name == "first new" else self.before
        now = games_in(ledger)
        if problem := half(name, before, now, self.after[name], acknowledged):
            return problem
        if before != self.after[name]:
            self.found.counts["all recorded" if now == self.after[name] else "none" if now == before else "part"] += 1
        if name == "export":
            return _export_problem(self.copy / "out.jsonl", acknowledged)
        return _ledger_problem(ledger, now) if now else ""


def half(name: str, before: Games, now: Games, after: Games, acknowledged: bool) -> str:
    """Return a description of partial, missing or changed records, also of missing acknowledged ones; "" for none."""
    if acknowledged and now != after:
        return "what was acknowledged is not there"
    if name in AT_ONCE and now not in (before, after):
        return "some of it is there and some is not"
    for game, lines in after.items():
        there, was = now.get(game, []), before.get(game, [])
        if there != lines[: len(there)] or len(there) < len(was):
            return f"{game} has other records than it was told"
        if len(there) < len(lines) and not lines[len(there)].begins:
            return f"{game} ends inside an order, at #{len(there)}"
    return "" if now.keys() <= after.keys() else "there is a game that nobody opened"


def _export_problem(file: Path, acknowledged: bool) -> str:
    if not file.exists():
        return "the export that was acknowledged is not there" if acknowledged else ""
    return "" if umpire.verify(file).valid else "half an export is there"


def _ledger_problem(ledger: Path, now: Games) -> str:
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as store:
        sound = store.execute("PRAGMA integrity_check").fetchone()[0]
    if sound != "ok":
        return f"SQLite finds: {sound}"
    with umpire.open(ledger) as desk:
        for game in now:
            verdict = desk.game(game).verify().verdict
            if verdict.verdict != "VALID":
                return f"{game} is {verdict.verdict}: {verdict.reason}"
            if warning := desk.game(game).catch_up(views=True):
                return f"the read models do not follow: {warning}"
        followed = read_models(ledger)
        desk.rebuild()
        if (table := differs(followed, read_models(ledger))) is not None:
            return f"the read models that followed are not those made from nothing: {table}"
        for game in now:
            desk.game(game).referee.note("after the kill")
            if not desk.game(game).verify().valid:
                return f"{game} is not valid after one more order"
    return ""


def read_models(ledger: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables of the read models, except snapshots, which are a cache.

    A game's key, and with it the row ids, depend on which game was followed first, so they are left out.
    """
    with closing(sqlite3.connect(f"file:{views_path(ledger)}?mode=ro", uri=True)) as views:
        found = {}
        for name, table in TABLES.items():
            if name not in (KEPT_BY_LOOKING, "snapshot"):
                keyed = ("key", *table.row_ids)
                plain = [f'"{column}"' for column in table.names if column not in keyed]
                found[name] = sorted(views.execute(f"SELECT {', '.join(plain)} FROM {name}").fetchall(), key=repr)
        return found


def differs(one: dict[str, list[tuple[object, ...]]], other: dict[str, list[tuple[object, ...]]]) -> str | None:
    return next((name for name in one if one[name] != other[name]), None)


def attack(count: int, seed: int, found: Findings) -> None:
    """Run the commands in turn, each killed at a random moment, until `count` were killed before their end."""
    chance = random.Random(seed)
    with folder() as place:
        attacked = Attack(place, found)
        for name in cycle(COMMANDS):
            attacked.kill(name, chance.uniform(0, 1.05))
            if found.counts["killed"] >= count:
                return


if __name__ == "__main__":
    sys.exit(main("kills", "kills", attack, count=100, doc=__doc__))
