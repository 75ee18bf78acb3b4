"""Flip bits of a small replay log, one at a time, and ask `verify` and `import`.

    python -m tests.attacks.bits_of_a_log --count 0 --seed 1        every bit
    python -m tests.attacks.bits_of_a_log --count 2000 --seed 1     some, at random

A changed log is never valid with its old root, and is never imported. No command ends in an unexpected error, and the
reported position is at or before the changed line. Every eighth flip comes with one more change: a byte left out, put
in, or two exchanged.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import umpire_ledger as umpire
from tests.attacks.attack import Findings, folder, main
from tests.face.desk import EXPECTED
from tests.face.testing import FIXTURES

LOGS = ("ford.whole.jsonl", "duel.spectator.jsonl")
"""A game with everything in it, and one whose dice were opened, with a record withheld."""


def changes(raw: bytes, count: int, chance: random.Random) -> Iterator[tuple[int, bytes]]:
    """Yield changed bytes, each with the offset of its last change: every bit for a count of 0, else a sample."""
    bits = range(len(raw) * 8) if not count else chance.sample(range(len(raw) * 8), min(count, len(raw) * 8))
    for bit in bits:
        at = bit // 8
        flipped = bytearray(raw)
        flipped[at] ^= 1 << bit % 8
        yield at, bytes(flipped)
        if bit % 8 == 0:
            yield chance.choice((_left_out, _put_in, _exchanged))(raw, at, chance)


def _left_out(raw: bytes, at: int, chance: random.Random) -> tuple[int, bytes]:
    return at, raw[:at] + raw[at + 1 :]


def _put_in(raw: bytes, at: int, chance: random.Random) -> tuple[int, bytes]:
    return at, raw[:at] + bytes((chance.randrange(256),)) + raw[at:]


def _exchanged(raw: bytes, at: int, chance: random.Random) -> tuple[int, bytes]:
    """Exchange two bytes; return the offset of the later one, because only a `prior` between them shows the first."""
    other = chance.randrange(len(raw))
    low, high = sorted((at, other))
    if raw[low] == raw[high]:
        return _left_out(raw, at, chance)
    return high, raw[:low] + raw[high : high + 1] + raw[low + 1 : high] + raw[low : low + 1] + raw[high + 1 :]


def judge(file: Path, raw: bytes, root: str, at: int, desk: umpire.Desk, found: Findings) -> None:
    """Check the answers of `verify` and `import` to one changed log."""
    line = file.read_bytes().count(b"\n", 0, at)
    try:
        verdict = umpire.verify(file).verdict
    except EXPECTED as error:
        found.counts["no log"] += 1
        verdict = None
        if not str(error):
            found.fault(f"byte {at}: an error without words")
    except Exception as error:
        found.fault(f"byte {at}: verify ends in {error!r}")
        return
    if verdict is not None:
        found.counts[verdict.verdict] += 1
        if verdict.valid:
            same = "with the same root" if verdict.root == root else "with another root"
            found.fault(f"byte {at}: {verdict.verdict} {same}")
        if verdict.first_bad is not None and verdict.first_bad > line + 1:
            found.fault(f"byte {at}: #{verdict.first_bad} is called bad, line {line} was changed")
    try:
        desk.import_log(file)
        found.fault(f"byte {at}: the log was taken in")
    except EXPECTED:
        return
    except Exception as error:
        found.fault(f"byte {at}: import ends in {error!r}")


def attack(count: int, seed: int, found: Findings) -> None:
    """Flip `count` bits of each log; 0: all of them."""
    chance = random.Random(seed)
    for name in LOGS:
        whole = FIXTURES / "formats" / "1-edge" / name
        raw, root = whole.read_bytes(), umpire.verify(whole).verdict.root
        with folder() as place, umpire.open(":memory:") as desk:
            for at, changed in changes(raw, count, chance):
                file = place / "changed.jsonl"
                file.write_bytes(changed)
                judge(file, changed, root, at, desk, found)
            if desk.games():
                found.fault(f"{name}: there is a game in the ledger")


if __name__ == "__main__":
    sys.exit(main("bits_of_a_log", "bits of each log (0: all)", attack, count=0, doc=__doc__))
