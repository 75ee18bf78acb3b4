"""Each attack in its short form. The long forms are one command each, `python -m tests.attacks.NAME --help`."""

import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.attacks.attack import Findings
from tests.attacks.kills import Line, half
from tests.attacks.mutants_in import EXPECTED
from tests.attacks.mutants_in import Attack as Mutants
from tests.attacks.secrets import Worlds
from tests.attacks.worlds import Pair, pairs
from tests.cli.terminal import ROOT

SHORT = {"kills": 20, "writers": 80, "bits_of_a_log": 60, "mutants_in": 120, "secrets": 90, "stores": 1}
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


def test_the_readme_shows_every_attack_with_its_command() -> None:
    attacks = {
        file.stem for file in Path(__file__).parent.glob("*.py") if "attack(" in file.read_text(encoding="utf-8")
    }
    shown = (ROOT / "README.md").read_text(encoding="utf-8").split("## Attacked\n", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`python -m tests\.attacks\.(\w+) --count \d+ --seed \d+", shown))
    assert named == {name for name in attacks if name not in ("attack", "test_attacks", "test_bits_of_a_store")}


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


@pytest.fixture(scope="module")
def pair() -> Pair:
    return next(pairs(1))


def test_whoever_may_not_see_it_is_offered_the_same_to_type(tmp_path: Path, pair: Pair) -> None:
    """Orders, examples and completions, with both secrets."""
    found = Findings()
    Worlds(tmp_path, pair, found, random.Random(1)).typing()
    assert not found.faults
    assert found.counts["outputs"] > 100


class TestASecretThatIsTold:
    """The same: with a filter taken out, or with the eyes of whoever may see it, the attack finds something."""

    @pytest.fixture
    def found(self) -> Findings:
        return Findings()

    def worlds(self, place: Path, pair: Pair, found: Findings) -> Worlds:
        return Worlds(place, pair, found, random.Random(1))

    def test_by_a_command(self, tmp_path: Path, pair: Pair, found: Findings) -> None:
        holder = next(side for side in pair.game.side_ids if side not in pair.blind)
        worlds = self.worlds(tmp_path, pair, found)
        assert not found.faults
        worlds.pair = pair._replace(blind=(holder,))
        worlds.commands(25)
        assert found.faults

    def test_by_the_answer_to_whoever_comes_too_late(
        self, tmp_path: Path, pair: Pair, found: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        worlds = self.worlds(tmp_path, pair, found)
        monkeypatch.setattr("umpire_ledger.desk.sitting.sees", lambda *_: True)
        worlds.too_late()
        assert any("has seen" in fault for fault in found.faults)


class TestAnInputThatCrashes:
    def test_a_traceback_and_a_code_that_is_not_documented(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = Findings()
        attack = Mutants(tmp_path, 1, found)
        monkeypatch.setattr("umpire_ledger.cli.order.read_order_json", lambda text: 1 // 0)
        monkeypatch.setattr("tests.attacks.mutants_in.EXPECTED", EXPECTED[:1])
        attack.go(30)
        assert any(fault.startswith("ZeroDivisionError") for fault in found.faults)
        assert any("answered 2" in fault or "answered 3" in fault for fault in found.faults)
