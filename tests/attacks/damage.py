"""Flip bits of a replay log and of the lines in a store, one at a time, and run every command that reads them.

    python -m tests.attacks.damage --count 88160 --seed 1     that many bits of a log
    python -m tests.attacks.damage --count 0                  every bit of it

Every second bit is in a line about dice, which is read twice. `verify` and `referee` of the log, and `import`, end with
exit code 5; with every twentieth bit the same line is changed in a store, where every view of a game either answers or
refuses in words. No command ends in an unexpected error. `tests.attacks.hurt_views` has the kinds of damage to the read
models.
"""

import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.attacks.attack import Answer, Findings, folder, main, run
from tests.cli.terminal import SCENARIO
from tests.face.desk import (
    BROKEN,
    DONE,
    REFUSED,
    STORE,
    UNKNOWN,
)

LOG = "ford.jsonl"
IN_STORE = 20
"""One flip in this many is tried in a store too."""
LOOKS: tuple[tuple[str, ...], ...] = (
    *(("status", "ford"), ("audit", "ford"), ("audit", "ford", "--dice"), ("undo-points", "ford"), ("units", "ford")),
    *(("dice", "ford"), ("why", "ford", "#6"), ("referee", "ford"), ("export", "ford", "-o", "out.jsonl"), ("games",)),
    *(("status", "ford", "--at", "5"), ("undo", "ford", "--preview"), ("note", "ford", "still there"), ("rebuild",)),
)
IN_WORDS = {DONE, REFUSED, BROKEN, UNKNOWN, STORE}


def prepare(home: Path) -> None:
    """Make a game with ledger dice, rewinds, secrets and rulings; its seeds are revealed at the end."""
    (home / "scenario.toml").write_text(SCENARIO)
    red, referee = {"as": "red"}, {"as": "referee"}
    orders = [
        {**red, "order": "roll", "purpose": "to hit", "dice": "2d6+1", "subjects": ["r1"], "rule": "8.55"},
        {**red, "order": "move", "unit": "r1", "path": ["0201", "0202"], "cause": "Marsch über die Brücke"},
        {**red, "order": "seal-choice", "question": "flank", "choice": "left"},
        {**red, "order": "roll", "purpose": "morale", "dice": "1d10"},
        {**red, "order": "reveal", "question": "flank"},
        {**referee, "order": "rewind", "to": 9, "why": "a cocked die", "dice": "keep"},
        {**red, "order": "roll", "purpose": "morale", "dice": "1d10"},
        {**referee, "order": "rule", "ruling": "it burns", "reason": "8.55", "grounds": "printed rule"}
        | {"orders": [{"order": "change", "unit": "b1", "attribute": "fire", "to": True}], "rule": "8.55"},
        {**red, "order": "dispute", "records": [6], "claim": "out of range"},
        {**referee, "order": "end", "reason": "nightfall", "winner": "red"},
        {**referee, "order": "open-dice"},
    ]
    (home / "orders.jsonl").write_text("".join(json.dumps(order) + "\n" for order in orders))
    for words in (
        ("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", "--dice", "ledger"),
        ("play", "ford", "orders.jsonl"),
        ("export", "ford", "-o", LOG, "--whole"),
    ):
        answer = run(words, home)
        assert not answer.code, answer


def bits(raw: bytes, count: int, chance: random.Random) -> Iterator[int]:
    """Yield every bit, or this number of bits: every second one in a line about dice."""
    if not count or count >= 8 * len(raw):
        yield from range(8 * len(raw))
        return
    lines, starts, at = raw.splitlines(keepends=True), [], 0
    for line in lines:
        starts.append((at, len(line), b'"dice.' in line))
        at += len(line)
    dice = [8 * start + bit for start, length, is_dice in starts if is_dice for bit in range(8 * length)]
    for number in range(count):
        yield chance.choice(dice) if number % 2 else chance.randrange(8 * len(raw))


def attack(count: int, seed: int, found: Findings) -> None:
    chance = random.Random(seed)
    with folder() as home:
        prepare(home)
        raw = (home / LOG).read_bytes()
        for number, bit in enumerate(bits(raw, count, chance)):
            flipped = bytearray(raw)
            flipped[bit // 8] ^= 1 << bit % 8
            (home / "flipped.jsonl").write_bytes(flipped)
            _judge_log(home, bit, found)
            if number % IN_STORE == 0:
                _judge_store(home, bytes(flipped), bit, found)


def _judge_log(home: Path, bit: int, found: Findings) -> None:
    for words in (("verify",), ("referee",), ("import", "--ledger", "other.db")):
        # A file with a damaged header is not a log, and its name is not the id of a game.
        answer = run((words[0], "flipped.jsonl", *words[1:]), home)
        found.counts[words[0]] += 1
        _judge(words[0], bit, answer, {BROKEN}, found)
    for left in home.glob("other.*"):
        left.unlink()


def _judge_store(home: Path, log: bytes, bit: int, found: Findings) -> None:
    """Put the changed line in place of its record, past the guards of the store."""
    number = log.count(b"\n", 0, bit // 8)
    lines = log.split(b"\n")
    changed = home / "store"
    changed.mkdir()
    shutil.copy(home / "umpire.db", changed / "umpire.db")
    with closing(sqlite3.connect(changed / "umpire.db")) as connection:
        connection.execute("DROP TRIGGER record_stays")
        line = lines[number] if 0 < number < len(lines) else b"{}"
        connection.execute("UPDATE record SET line = ? WHERE position = ?", (line, number))
        connection.commit()
    for words in LOOKS:
        answer = run(words, changed)
        found.counts["looks"] += 1
        _judge(words[0], bit, answer, IN_WORDS, found)
    if 0 < number < len(lines) - 2:
        _judge("verify", bit, run(("verify", "ford"), changed), {BROKEN}, found)
    shutil.rmtree(changed)


def _judge(command: str, bit: int, answer: Answer, codes: set[int], found: Findings) -> None:
    if answer.crash:
        found.fault(f"bit {bit}: {command}: {answer.crash}", f"{command}: {answer.crash.partition(':')[0]}")
    elif answer.code not in codes:
        found.fault(
            f"bit {bit}: {command} ended with {answer.code}: {answer.err or answer.out}", f"{command} {answer.code}"
        )


if __name__ == "__main__":
    sys.exit(main("damage", "flipped bits", attack, count=88_160, doc=__doc__))
