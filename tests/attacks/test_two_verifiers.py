"""The page's verifier and `umpire verify` say the same of every log: whole, damaged, forged. Node runs it."""

from pathlib import Path

import pytest

from tests.attacks.damaged_logs import FORMATS, Damaged, damaged, forged, some_forged
from tests.attacks.two_verifiers import NODE, compare, compared, judged
from tests.face.testing import FIXTURES
from tests.ledger.test_format import example

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed, which runs the page's verifier")


def test_every_recorded_log(tmp_path: Path) -> None:
    files = [*FIXTURES.glob("*/replays/*.jsonl"), *FIXTURES.glob("formats/1-*/*.jsonl")]
    unlike, verdicts = compared([Damaged(file.name, file.read_bytes()) for file in files], tmp_path / "log")
    assert unlike == []
    assert set(verdicts) == {"VALID", "VALID WITH REDACTIONS"}


def test_example_of_the_format_is_valid(tmp_path: Path) -> None:
    logs = [Damaged(name, example(name).encode(), example("checkpoint")) for name in ("whole", "redacted")]
    assert compared(logs, tmp_path / "log") == ([], ["VALID", "VALID WITH REDACTIONS"])


def test_damaged_logs(tmp_path: Path) -> None:
    """Compare 600 logs; the long form is `python -m tests.attacks.two_verifiers`."""
    unlike, verdicts = compared(list(damaged(600, seed=7)), tmp_path / "log")
    assert unlike == []
    assert {"INCOMPLETE", "INVALID"} <= set(verdicts)


def test_forged_logs(tmp_path: Path) -> None:
    """Compare logs with right hashes after the forgery."""
    unlike, verdicts = compared(some_forged(7, part=0), tmp_path / "log")
    assert unlike == []
    assert set(verdicts) == {"VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"}


def test_changed_die_is_found_by_its_seed() -> None:
    duel = (FORMATS / "duel.spectator.jsonl").read_bytes()
    assert [verdict["dice"] for verdict in judged([Damaged("as it was", duel)])] == [6]
    logs = [one for one in forged(seed=7) if one.how.startswith("a die in") and one.how.endswith("duel")]
    assert len(logs) == 6
    assert all("the seed produces different results" in verdict["reason"] for verdict in judged(logs))


def test_different_verdicts_are_reported(tmp_path: Path) -> None:
    log = (FORMATS / "ford.whole.jsonl").read_bytes()
    one = Damaged("as it was", log)
    [verdict] = judged([Damaged("changed", log.replace(b"red", b"rad", 1))])
    assert "INVALID" in compare(one, verdict, tmp_path / "log")
