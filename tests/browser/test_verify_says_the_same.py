"""The page's verifier and `umpire verify` say the same of every log: whole, damaged, forged. Node runs it."""

import json
import shutil
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.damaged_logs import FORMATS, Damaged, damaged, forged
from tests.ledger.test_format import example
from umpire_ledger.desk.log_files import Checked, verify_file
from umpire_ledger.ledger.tree import Checkpoint
from umpire_ledger.testing.fixtures import FIXTURES

PAGE = Path(__file__).parents[2] / "projections" / "pictures" / "page"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="the page's verifier runs in node here, which is not installed")

OWN_WORDS = (
    "the line is not a record as a ledger writes it",
    "the first line is not the header of a replay log",
    "the checkpoint line cannot be read",
)
"""Where `umpire verify` says more exactly which byte cannot be read."""


def judged(logs: Iterable[Damaged]) -> list[dict[str, Any]]:
    """What the page's verifier says of each."""
    packed = b"".join(
        struct.pack(">I", len(part)) + part for one in logs for part in (one.checkpoint.encode(), one.log)
    )
    words = (str(NODE), str(Path(__file__).with_name("verify_logs.mjs")), str(PAGE))
    done = subprocess.run(words, input=packed, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def told(checked: Checked) -> dict[str, Any]:
    """What `umpire verify` says, under the page's names."""
    verdict = checked.verdict
    return {
        "verdict": verdict.verdict,
        "game": verdict.game,
        "size": verdict.size,
        "root": verdict.root,
        "redacted": verdict.redacted,
        "publicWithheld": verdict.public_withheld,
        "firstBad": verdict.first_bad,
        "changed": None if verdict.changed_between is None else list(verdict.changed_between),
        "reason": verdict.reason,
        "expected": verdict.expected,
        "found": verdict.found,
        "clockBack": [one.position for one in verdict.clock_back],
        "dice": checked.dice,
    }


def compare(one: Damaged, theirs: dict[str, Any], file: Path) -> str:
    """How the two differ; "" for not at all."""
    file.write_bytes(one.log)
    ours = told(verify_file(file, checkpoint=Checkpoint.read(one.checkpoint) if one.checkpoint else None))
    if not _is_text(one.log):
        return _as_far_as_a_browser_sees(one, theirs)
    if ours["verdict"] not in ("VALID", "VALID WITH REDACTIONS"):
        ours["dice"] = 0
    if theirs["reason"] in OWN_WORDS:
        theirs |= {name: ours[name] for name in ("reason", "expected", "found")}
    elif ours["reason"].startswith(theirs["reason"]):
        theirs["reason"] = ours["reason"]
    unlike = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
    return f"{one.how}: {unlike}, {ours['reason']!r}, {theirs['reason']!r}" if unlike else ""


def _as_far_as_a_browser_sees(one: Damaged, theirs: dict[str, Any]) -> str:
    """A browser has read other bytes as U+FFFD: it sees a record changed, at the next `prior`."""
    return "" if theirs["verdict"] in ("INVALID", "INCOMPLETE") else f"{one.how}, no UTF-8: {theirs}"


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def compared(logs: list[Damaged], folder: Path) -> tuple[list[str], list[str]]:
    """How the two differ, a line a log; and the verdicts."""
    theirs = judged(logs)
    verdicts = [str(verdict["verdict"]) for verdict in theirs]
    unlike = [compare(one, verdict, folder / "log") for one, verdict in zip(logs, theirs, strict=True)]
    return [how for how in unlike if how], verdicts


def test_every_recorded_log(tmp_path: Path) -> None:
    files = [*FIXTURES.glob("*/replays/*.jsonl"), *FIXTURES.glob("formats/*/*.jsonl")]
    unlike, verdicts = compared([Damaged(file.name, file.read_bytes()) for file in files], tmp_path)
    assert unlike == []
    assert set(verdicts) == {"VALID", "VALID WITH REDACTIONS"}


def test_the_example_of_the_format(tmp_path: Path) -> None:
    logs = [Damaged(name, example(name).encode(), example("checkpoint")) for name in ("whole", "redacted")]
    assert compared(logs, tmp_path) == ([], ["VALID", "VALID WITH REDACTIONS"])


def test_damaged_logs(tmp_path: Path) -> None:
    """More of them: another count and seed; 12,000 differed nowhere."""
    unlike, verdicts = compared(list(damaged(600, seed=7)), tmp_path)
    assert unlike == []
    assert {"INCOMPLETE", "INVALID"} <= set(verdicts)


def test_forged_logs(tmp_path: Path) -> None:
    """Written anew behind the forgery, so that no hash tells it."""
    unlike, verdicts = compared(list(forged(seed=7)), tmp_path)
    assert unlike == []
    assert set(verdicts) == {"VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"}


def test_a_changed_die_is_found_by_its_seed(tmp_path: Path) -> None:
    duel = (FORMATS / "duel.spectator.jsonl").read_bytes()
    assert [verdict["dice"] for verdict in judged([Damaged("as it was", duel)])] == [6]
    logs = [one for one in forged(seed=7) if one.how.startswith("a die in") and one.how.endswith("duel")]
    assert len(logs) == 6
    assert all("the seed gives other dice" in verdict["reason"] for verdict in judged(logs))
