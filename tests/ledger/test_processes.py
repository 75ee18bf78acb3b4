"""Run real processes on one file: killed in the middle of an order, and competing to write."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.face.ledger import PositionConflict
from tests.ledger.table import number, open_table, play

ROOT = Path(__file__).parents[2]


def start(place: str, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.writer", place, name, str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize("attempt", range(3))
def test_killed_writer_leaves_acknowledged_orders_whole(place: str, attempt: int) -> None:
    writer = start(place, "athens", 100_000)
    go(writer)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    acknowledged = [writer.stdout.readline() for _ in range(30)]
    time.sleep(random.Random(attempt).uniform(0, 0.05))
    writer.kill()
    acknowledged += [line for line in writer.stdout.readlines() if line.endswith("\n")]
    writer.wait()
    with open_table(place) as ledger:
        for n, line in enumerate(acknowledged):
            assert line == f"athens {n}\n"
            assert len(ledger.answer("g", f"athens {n}")) == 3
        # The additional order was durable, but its writer was killed before it could print it.
        orders = Counter(record.command for record in ledger.records("g"))
        assert set(orders.values()) == {3}
        assert len(orders) - len(acknowledged) in (0, 1)
        assert ledger.verify("g").valid
        play(ledger, "g", [7])
        assert ledger.verify("g").valid


def test_two_writers_get_conflicts_and_lose_no_order(place: str) -> None:
    with open_table(place) as ledger:
        play(ledger, "g", [0], seat="referee")
    writers = [start(place, name, 60) for name in ("athens", "syracuse")]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        go(writer)
    said = [writer.communicate()[0].splitlines() for writer in writers]
    with open_table(place) as ledger:
        assert ledger.size("g") == 1 + 2 * 60 * 3
        assert ledger.verify("g").valid
        for name in ("athens", "syracuse"):
            numbers = [record.command for record in ledger.records("g") if record.seat == name]
            assert numbers == [f"{name} {n}" for n in range(60) for _ in range(3)]
    for name, lines in zip(("athens", "syracuse"), said, strict=True):
        assert [line for line in lines if line != "late"] == [f"{name} {n}" for n in range(60)]
    assert "late" in said[0] + said[1]


def test_late_writer_gets_conflict_and_can_ask_for_its_answer(place: str) -> None:
    with open_table(place) as athens, open_table(place) as syracuse:
        play(athens, "g", [1])
        assert syracuse.state("g") == (1,)
        athens.append("g", after=1, seat="athens", command="a", drafts=[number(2)])
        with pytest.raises(PositionConflict) as refusal:
            syracuse.append("g", after=1, seat="syracuse", command="s", drafts=[number(3)])
        assert (refusal.value.expected, refusal.value.found) == (1, 2)
        assert [record.seat for record in syracuse.records("g", 2)] == ["athens"]
        (first,) = syracuse.append("g", after=2, seat="syracuse", command="s", drafts=[number(3)])
        (again,) = athens.append("g", after=2, seat="syracuse", command="s", drafts=[number(3)])
        assert again == first
        assert athens.state("g") == (1, 2, 3)
