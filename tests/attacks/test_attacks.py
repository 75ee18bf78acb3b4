"""Each attack in its short form. The long forms are one command each, `python -m tests.attacks.NAME --help`."""

import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.attacks.kills import Line, half
from tests.cli.terminal import ROOT

SHORT = {"kills": 40, "writers": 80}
"""Counts for a few seconds each."""


@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_found(name: str) -> None:
    """In a process of its own: some of them fork."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.attacks.{name}", "--count", str(SHORT[name]), "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": 0 faults" in done.stdout


class TestAKillThatLeftSomethingHalf:
    """That the attack would see it."""

    BEFORE = (Line(1, "referee", b"{}", begins=True),)
    AFTER = (*BEFORE, Line(2, "red", b"{}", begins=True), Line(3, "red", b"{}", begins=False))

    def judged(self, name: str, there: Sequence[Line], *, acknowledged: bool = False) -> str:
        return half(name, {"g": list(self.BEFORE)}, {"g": list(there)}, {"g": list(self.AFTER)}, acknowledged)

    def test_all_or_nothing_is_well(self) -> None:
        assert self.judged("amend", self.BEFORE) == self.judged("amend", self.AFTER, acknowledged=True) == ""

    def test_half_an_order(self) -> None:
        assert "inside an order" in self.judged("play", self.AFTER[:2])

    def test_what_was_acknowledged_and_is_gone(self) -> None:
        assert "acknowledged" in self.judged("order", self.BEFORE, acknowledged=True)

    def test_a_record_that_became_another(self) -> None:
        assert "other records" in self.judged("play", [Line(1, "blue", b"{}", begins=True)])

    def test_a_part_of_what_comes_all_at_once(self) -> None:
        assert "some of it" in self.judged("import", self.AFTER[:2])
