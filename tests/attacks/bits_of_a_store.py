"""Flip bits of a small ledger, one at a time, and check that each visible change is reported.

    python -m tests.attacks.bits_of_a_store --count 10000 --seed 1
    python -m tests.attacks.bits_of_a_store --count 10000 --seed 1 --file views
    python -m tests.attacks.bits_of_a_store --count 10000 --seed 1 --even

Every flip is one of these:

    refused      the file cannot be opened, or a view of it names the fault
    verify       a view differs, and `umpire verify` of one of the games reports it
    doctor       a view differs, and `umpire doctor` reports it
    deep         a view differs, and `umpire doctor --deep` reports it
    unused       every row, the schema and SQLite's own check are the same; for one in ten, every view too
    told         every view is the same, but `umpire doctor` reports a fault
    nothing      every view is the same, and so is the output of every command in every way to call it
    UNNOTICED    a view differs, and no check reports it
    CRASHED      a view, a check or a doctor ended in an unexpected error

The last two must be zero. `--file ledger` damages the ledger itself and rebuilds the read models from it;
`--file views` damages the read models of a sound ledger. Most of a small file is unused: `--even` damages each table
and each index equally often, and only bits that change the rows SQLite reads.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import umpire_ledger as umpire
from tests.attacks.attack import Answer, crash_of
from tests.attacks.shown import GAMES, LEDGER, VIEWS, answers, calls, looks, make_store, pages, rows
from tests.face.desk import EXPECTED, check_up, faults

FAILURES = ("UNNOTICED", "CRASHED")
OUTCOMES = ("refused", "verify", "doctor", "deep", "unused", "told", "nothing", *FAILURES)
PAGE = 4096
FEW = 1
"""Commands run on the damaged store, in addition to the views."""
TELL_EVERY = 500
LOOKED_AT = 10
"""One in this many flips that change no row has its views read too."""
NOTHING_STORED = b"null"
"""No current status in store: the status is read from the ledger."""


class Attack:
    """A store, what it shows while it is whole, and a copy of it to hurt."""

    def __init__(self, folder: Path, file: str) -> None:
        whole = folder / "whole"
        whole.mkdir()
        self.where = make_store(whole)
        self.file = LEDGER if file == "ledger" else VIEWS
        self.bytes = (whole / self.file).read_bytes()
        self._hurt, self._beside = folder / "hurt", folder / "beside"
        self._hurt.mkdir()
        self._lay(self.bytes)
        self.whole = looks(self._hurt / LEDGER)
        self._rows = rows(self._hurt / self.file)
        self._found = {(one.check, one.what) for one in _findings(self._hurt / LEDGER, deep=True)}
        self._calls, self._chance = list(calls()), random.Random(1)
        self._answers: dict[str, Answer] = {}
        assert not any(look.said or look.crashed for look in self.whole.values()), self.whole
        assert self._rows is not None
        assert not self._verify()
        assert not self._bad(deep=True)

    @property
    def pages(self) -> dict[str, list[int]]:
        """The pages of each table and index of the file that is hurt."""
        return pages(self.where.with_name(self.file))

    def _lay(self, raw: bytes) -> None:
        """Write the store with these bytes as its damaged file, without read models if that file is the ledger."""
        shutil.rmtree(self._hurt)
        self._hurt.mkdir()
        for name in (LEDGER,) if self.file == LEDGER else (LEDGER, VIEWS):
            shutil.copyfile(self.where.with_name(name), self._hurt / name)
        (self._hurt / self.file).write_bytes(raw)

    def flipped(self, bit: int) -> bytes:
        """Return the bytes of the file with one bit flipped."""
        raw = bytearray(self.bytes)
        raw[bit // 8] ^= 1 << bit % 8
        return bytes(raw)

    def reads_otherwise(self, bit: int) -> bool:
        """Return whether SQLite reads anything else with this bit flipped."""
        beside = self._hurt.with_name("read")
        beside.write_bytes(self.flipped(bit))
        return rows(beside) != self._rows

    def flip(self, bit: int) -> tuple[str, str]:
        """Return the outcome of one flipped bit and its description."""
        raw = self.flipped(bit)
        self._lay(raw)
        unused = rows(self._hurt / self.file) == self._rows
        if unused and self._chance.randrange(LOOKED_AT):
            return "unused", ""
        self._lay(raw)
        seen = looks(self._hurt / LEDGER)
        if crash := next((f"{name}: {look.crashed}" for name, look in seen.items() if look.crashed), ""):
            return "CRASHED", crash
        other = [name for name, look in seen.items() if look.shown not in (b"", NOTHING_STORED, self.whole[name].shown)]
        said = next((look.said for look in seen.values() if look.said), "")
        try:
            if crash := self._crash_of_a_command() if other or said else "":
                return "CRASHED", crash
            if other:
                return self._noticed(other)
            if said:
                return "refused", said
            return ("unused", "") if unused else self._unseen(raw)
        except Exception as error:
            return "CRASHED", f"while checking: {crash_of(error)}"

    def _noticed(self, other: Sequence[str]) -> tuple[str, str]:
        """Return the check that reports the difference, with its words."""
        if reason := self._verify():
            return "verify", reason
        for deep in (False, True):
            if bad := self._bad(deep=deep):
                return ("deep" if deep else "doctor"), bad
        return "UNNOTICED", ", ".join(other[:4])

    def _unseen(self, raw: bytes) -> tuple[str, str]:
        """Check all commands too, although no view differs."""
        self._lay(raw)  # a view may have repaired the read models
        found = {(one.check, one.what) for one in _findings(self._hurt / LEDGER, deep=True)}
        if told := sorted(found - self._found):
            return "told", told[0][1]
        self._lay(raw)
        said = answers(self._hurt, self._beside, self._calls)
        differ = [words for words, answer in said.items() if answer != self._sound_answer(words)]
        return ("UNNOTICED", f"umpire {differ[0]}") if differ else ("nothing", "")

    def _crash_of_a_command(self) -> str:
        """Return the crash of a few random commands, because commands read more than views; "" for none."""
        said = answers(self._hurt, self._beside, self._chance.sample(self._calls, FEW))
        return next((f"umpire {words}: {answer.crash}" for words, answer in said.items() if answer.crash), "")

    def _sound_answer(self, words: str) -> Answer:
        """Return the answer of a command while the store is undamaged."""
        if not self._answers:
            whole = self._hurt.with_name("sound")
            whole.mkdir()
            for name in (LEDGER,) if self.file == LEDGER else (LEDGER, VIEWS):
                shutil.copyfile(self.where.with_name(name), whole / name)
            self._answers = answers(whole, self._beside, self._calls)
        return self._answers[words]

    def _bad(self, *, deep: bool) -> str:
        return next((one.what for one in _findings(self._hurt / LEDGER, deep=deep) if one.state == "bad"), "")

    def _verify(self) -> str:
        try:
            with umpire.open(self._hurt / LEDGER, read_only=True) as desk:
                for game in GAMES:
                    verdict = desk.ledger.verify(game)
                    if not verdict.valid:
                        return verdict.reason
        except EXPECTED as error:
            return str(error)
        return ""


def _findings(where: Path, *, deep: bool) -> Iterator[Any]:
    found = check_up(str(where), deep=deep)
    yield from (one for one in found.machine if one.check != "room")
    yield from found.games


# --- many -------------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Outcomes of many flips: a count for each, the number of bits in the file, and the first failures in words."""

    counts: Counter[str]
    bits: int
    failures: list[str]


def attack(count: int, seed: int, file: str, *, even: bool = False, tell: Callable[[str], None] = str) -> Told:
    """Flip `count` bits of the file, each in a fresh copy; the same `seed` picks the same bits of the same bytes."""
    with _quick_place() as folder:
        hurting = Attack(folder, file)
        bits, chance = len(hurting.bytes) * 8, random.Random(seed)
        counts: Counter[str] = Counter()
        failures = []
        chosen = _evenly(hurting, chance) if even else iter(chance.sample(range(bits), min(count, bits)))
        for bit in islice(chosen, count):
            outcome, seen = hurting.flip(bit)
            counts[outcome] += 1
            if outcome in FAILURES:
                failures.append(f"{outcome} byte {bit // 8} bit {bit % 8}: {seen}")
                tell(failures[-1])
            if counts.total() % TELL_EVERY == 0:
                tell(f"{counts.total()} done")
        return Told(counts, bits, failures)


@contextmanager
def _quick_place() -> Iterator[Path]:
    """Use a folder in memory if there is one, also for temporary files of `doctor`; check the titles only once."""
    sound, shelf, before = tuple(faults()), Path("/dev/shm"), tempfile.tempdir
    with (
        tempfile.TemporaryDirectory(dir=shelf if shelf.is_dir() else None) as folder,
        mock.patch("umpire_ledger.desk.upkeep.doctor.faults", return_value=sound),
    ):
        tempfile.tempdir = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = before


def _evenly(hurting: Attack, chance: random.Random) -> Iterator[int]:
    """Yield bits that SQLite reads, from each table and index in turn until all are used."""
    waiting = {name: _of_pages(hurting, of, chance) for name, of in hurting.pages.items()}
    while waiting:
        for name, bits in list(waiting.items()):
            bit = next(bits, None)
            if bit is None:
                del waiting[name]
            else:
                yield bit


def _of_pages(hurting: Attack, of: Sequence[int], chance: random.Random) -> Iterator[int]:
    bits = [page * PAGE * 8 + bit for page in of for bit in range(PAGE * 8)]
    chance.shuffle(bits)
    return (bit for bit in bits if hurting.reads_otherwise(bit))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", choices=("ledger", "views"), default="ledger")
    parser.add_argument("--even", action="store_true")
    asked = parser.parse_args()
    begun = time.monotonic()
    told = attack(
        asked.count, asked.seed, asked.file, even=asked.even, tell=partial(print, file=sys.stderr, flush=True)
    )
    figures = " · ".join(f"{outcome} {told.counts[outcome]}" for outcome in OUTCOMES)
    which = f"{asked.file}, evenly" if asked.even else asked.file
    took = time.monotonic() - begun
    done = f"{told.counts.total()} of {told.bits} bits, seed {asked.seed}"
    print(f"bits_of_a_store ({which}): {done}: {len(told.failures)} faults ({figures}) in {took:.0f} s")
    return 1 if told.failures else 0


if __name__ == "__main__":
    sys.exit(main())
