"""Run every command on a store that is full, read-only, locked, missing or damaged.

    python -m tests.attacks.stores --count 20 --seed 1

Each kind of damage is done to the ledger and to its read models `--count` times. From 10 on every command meets every
other condition; below 10, that many tenths of the commands, drawn at random:

    full         the file may grow no further than a random size (RLIMIT_FSIZE: a write fails as on a full disk)
    read-only    file, folder, or both, without the right to write, or without any; root gives up what makes it root
    locked       another process holds the ledger, or the read models
    missing      no file, no folder, a folder in its place
    hurt         cut off, a page of zeros or of noise, another header, another file; the same for the read models

Every command answers with a documented exit code, in words, in reasonable time, and never with a traceback. After a
temporary condition, every game is unchanged or has more whole orders, and verifies. With damaged read models a view
works or names the remedy; `rebuild` repairs them, and then it works.
"""

import math
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import umpire_ledger as umpire
from tests.attacks.attack import Answer, Findings, folder, in_child, main, run
from tests.attacks.command_table import commands, required, word
from tests.attacks.kills import LEDGER, Games, games_in, prepare
from tests.face.projections import views_path
from tests.no_root import give_up_root

EXPECTED = (0, 2, 3, 5, 6, 7)
PATIENCE = 60
"""Seconds: a command waits five for another writer, and the machine may be busy."""
KNOWN = {
    "game_id": "ford",
    "title_id": "freeform",
    "what": "ford",
    "file": "orders.jsonl",
    "scenario": "scenario.toml",
    "output": "out.html",
    "new_id": "copy",
    "unit_id": "r1",
    "account_id": "vp",
    "dispute_id": "d1",
    "who": "red",
    "order_name": "move",
    "text": '{"order": "note", "text": "hm"}',
}
LOCK = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE');"
HOLD = f"{LOCK} print('held', flush=True); sys.stdin.read()"
SLOW = ("doctor",)
MOST_LOCKED = 12
SOMEBODY_ELSE_S = ("another database", "text")
"""Foreign files: `rebuild` leaves them in place and says so."""


class Attack:
    """A home that is copied for each condition, and every command with the words that it cannot do without."""

    def __init__(self, place: Path, seed: int, share: float, found: Findings) -> None:
        self.chance, self.found = random.Random(seed), found
        self.home, self.copy, self.said = place / "home", place / "copy", place / "said"
        self.home.mkdir()
        prepare(self.home)
        run(("dispute", "open", "ford", "#4", "--claim", "no", "--as", "red"), self.home)
        self.before = games_in(self.home / LEDGER)
        self.calls = [
            [*name, *required(command, lambda _, param: word(param, KNOWN, "9"))] for name, command in commands()
        ]
        self.calls = [words for words in self.calls if words[0] not in SLOW]
        self.calls = self.chance.sample(self.calls, math.ceil(len(self.calls) * share))
        for words in self.calls:
            self.lay()
            run(words, self.copy)  # imports what the command imports

    @property
    def ledger(self) -> Path:
        return self.copy / LEDGER

    @property
    def views(self) -> Path:
        return Path(views_path(self.ledger))

    def lay(self) -> None:
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.home, self.copy)

    def judge(self, kind: str, words: list[str], answer: Answer, took: float) -> None:
        self.found.counts[kind.partition(" ")[0]] += 1
        what = f"{kind}: umpire {' '.join(words)}"
        if answer.crash:
            self.found.fault(f"{what}: {answer.crash}", f"{kind}: {words[0]}: {answer.crash.splitlines()[-1]}")
        elif answer.code not in EXPECTED or (answer.code and not (answer.err + answer.out).strip()):
            self.found.fault(f"{what}: answered {answer.code}: {answer.err}")
        elif took > PATIENCE:
            self.found.fault(f"{what}: took {took:.0f} s")

    def call(self, kind: str, words: list[str], before: Callable[[], None] | None = None) -> Answer:
        began = time.monotonic()
        answer = in_child(words, self.copy, self.said, before)
        self.judge(kind, words, answer, time.monotonic() - began)
        return answer

    def still_there(self, kind: str, words: list[str]) -> None:
        """Check that every earlier record is there, followed only by whole orders."""
        what = f"{kind}: umpire {' '.join(words)}"
        try:
            now = games_in(self.ledger)
            if problem := _problem(self.ledger, self.before, now):
                self.found.fault(f"{what}: {problem}")
        except Exception as error:
            self.found.fault(f"{what}: afterwards {error!r}")

    # --- the conditions -----------------------------------------------------------------------------------------------

    def full(self) -> None:
        for words in self.calls:
            self.lay()
            sizes = [file.stat().st_size for file in (self.ledger, self.views)]
            limit = self.chance.randrange(1000, max(sizes) + 60_000)
            self.call("full", words, partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)))
            self.still_there("full", words)

    def read_only(self) -> None:
        for file_mode, folder_mode in ((0o444, 0o755), (0o644, 0o555), (0o444, 0o555), (0, 0o755), (0o644, 0o000)):
            for words in self.calls:
                self.lay()
                with _modes(self.copy, file_mode, folder_mode):
                    self.call(f"read-only {file_mode:o} in {folder_mode:o}", words, give_up_root)
                self.still_there("read-only", words)

    def locked(self) -> None:
        writing = [
            words for words in self.calls if words[0] in ("order", "note", "import", "rebuild", "status", "audit")
        ]
        for file in (LEDGER, Path(views_path(LEDGER)).name):
            for words in writing:
                self.lay()
                with _held(self.copy / file):
                    self.call(f"locked {file}", words)
                self.still_there(f"locked {file}", words)

    def missing(self) -> None:
        for kind, take_away in (("no file", _no_file), ("no folder", _no_folder), ("a folder", _a_folder)):
            for words in self.calls:
                self.lay()
                where = take_away(self.ledger)
                takes = any(
                    param.name == "where"
                    for name, command in commands()
                    if name[0] == words[0]
                    for param in command.params
                )
                self.call(f"missing {kind}", [*words, *(("--ledger", str(where)) if takes else ())])

    def hurt(self) -> None:
        """Damage the ledger at random, then its read models; run commands after each."""
        for name, deal in HURTS.items():
            words = self.chance.choice(self.calls)
            self.lay()
            deal(self.ledger, self.chance)
            self.call(f"hurt ledger {name}", words)
            self.call(f"hurt ledger {name}", ["doctor"])
            self.lay()
            deal(self.views, self.chance)
            self._with_hurt_views(name, words)

    def _with_hurt_views(self, name: str, words: list[str]) -> None:
        kind = f"hurt views {name}"
        self.call(kind, words)
        self.call(kind, ["status", "ford"])
        if (made := self.call(kind, ["rebuild"])).code and name not in SOMEBODY_ELSE_S:
            self.found.fault(f"{kind}: rebuild answers {made.code}: {made.err}", f"{kind}: rebuild")
        elif (looked := self.call(kind, ["status", "ford"])).code:
            what = f"{kind}: status answers {looked.code} after rebuild, after umpire {' '.join(words)}: {looked.err}"
            self.found.fault(what, f"{kind}: status")
        self.still_there(kind, words)


def _problem(ledger: Path, before: Games, now: Games) -> str:
    for game, lines in before.items():
        if now.get(game, [])[: len(lines)] != lines:
            return f"{game} is not what it was"
    with umpire.open(ledger, read_only=True) as desk:
        for game in now:
            verdict = desk.game(game).verify().verdict
            if verdict.verdict != "VALID":
                return f"{game} is {verdict.verdict}: {verdict.reason}"
    return ""


# --- ways to take rights, files and bytes away ------------------------------------------------------------------------


@contextmanager
def _modes(place: Path, file_mode: int, folder_mode: int) -> Iterator[None]:
    for file in place.iterdir():
        if file.name.startswith("umpire"):
            file.chmod(file_mode)
    place.chmod(folder_mode)
    try:
        yield
    finally:
        place.chmod(0o755)
        for file in place.iterdir():
            file.chmod(0o644)


@contextmanager
def _held(file: Path) -> Iterator[None]:
    """Another process has begun to write and does not end."""
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        other.communicate()


def _no_file(ledger: Path) -> Path:
    ledger.unlink()
    return ledger


def _no_folder(ledger: Path) -> Path:
    return ledger.parent / "nowhere" / ledger.name


def _a_folder(ledger: Path) -> Path:
    ledger.unlink()
    ledger.mkdir()
    return ledger


def _cut_off(file: Path, chance: random.Random) -> None:
    raw = file.read_bytes()
    file.write_bytes(raw[: chance.randrange(len(raw))])


def _page(file: Path, chance: random.Random, page: bytes) -> None:
    raw = file.read_bytes()
    at = 4096 * chance.randrange(max(1, len(raw) // 4096))
    file.write_bytes(raw[:at] + page + raw[at + len(page) :])


def _zeros(file: Path, chance: random.Random) -> None:
    _page(file, chance, bytes(4096))


def _noise(file: Path, chance: random.Random) -> None:
    _page(file, chance, chance.randbytes(4096))


def _bytes(file: Path, chance: random.Random) -> None:
    raw = bytearray(file.read_bytes())
    for _ in range(20):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    file.write_bytes(raw)


def _header(file: Path, chance: random.Random) -> None:
    raw = file.read_bytes()
    file.write_bytes(chance.randbytes(100) + raw[100:])


def _text(file: Path, chance: random.Random) -> None:
    file.write_text("a shopping list " * chance.randrange(1, 2000))


def _empty(file: Path, chance: random.Random) -> None:
    file.write_bytes(b"")


def _other_database(file: Path, chance: random.Random) -> None:
    file.unlink()
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE shopping (item TEXT)")
    other.commit()
    other.close()


def _wal(file: Path, chance: random.Random) -> None:
    file.with_name(f"{file.name}-wal").write_bytes(chance.randbytes(chance.choice((10, 4096, 20_000))))


def _shm(file: Path, chance: random.Random) -> None:
    file.with_name(f"{file.name}-shm").write_bytes(chance.randbytes(32_768))


HURTS: dict[str, Callable[[Path, random.Random], None]] = {
    "cut off": _cut_off,
    "a page of zeros": _zeros,
    "a page of noise": _noise,
    "bytes": _bytes,
    "the header": _header,
    "text": _text,
    "empty": _empty,
    "another database": _other_database,
    "the write-ahead log": _wal,
    "the shared memory": _shm,
}


def attack(count: int, seed: int, found: Findings) -> None:
    """Apply each kind of damage `count` times, the other conditions once for each command."""
    with folder() as place:
        attacked = Attack(place, seed, min(1, max(1, count) / 10), found)
        for _ in range(count):
            attacked.hurt()
        attacked.full()
        attacked.read_only()
        attacked.missing()
        attacked.locked()


if __name__ == "__main__":
    sys.exit(main("stores", "hurts of each kind, and every other condition", attack, count=20, doc=__doc__))
