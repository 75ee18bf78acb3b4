"""Damage and forge logs, and ask both verifiers: `umpire verify`, and that of the replay page, which node runs.

    python -m tests.attacks.two_verifiers --count 4000 --seed 11

`ledger/FORMAT.md` is all that they share. They agree about each log: the verdict, the first bad record, the records
that contain the change, root, withheld records, recomputed dice. All forgeries are tried too, for any count.
"""

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.attacks.attack import Findings, folder, main
from tests.attacks.damaged_logs import Damaged, damaged, forged
from tests.cli.terminal import ROOT
from tests.face.desk import Checked, verify_file
from tests.face.ledger import Checkpoint

PAGE = ROOT / "projections" / "pictures" / "page"
NODE = shutil.which("node")
OWN_WORDS = (
    "the line is not a record in the form that Umpire writes",
    "the first line is not the header of a replay log",
    "the checkpoint line cannot be read",
)
"""Reasons of `umpire verify` that are more exact about an unreadable place."""
AT_ONCE = 500


def judged(logs: list[Damaged]) -> list[dict[str, Any]]:
    """Return the result of the page's verifier for each log."""
    parts = (part for one in logs for part in (one.checkpoint.encode(), one.log))
    packed = b"".join(struct.pack(">I", len(part)) + part for part in parts)
    words = (str(NODE), str(Path(__file__).with_name("verify_logs.mjs")), str(PAGE))
    done = subprocess.run(words, input=packed, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def compared(logs: list[Damaged], file: Path) -> tuple[list[str], list[str]]:
    """Return a line for each log with different results, and all verdicts. `file`: a place for one log at a time."""
    theirs = judged(logs)
    verdicts = [str(verdict["verdict"]) for verdict in theirs]
    unlike = [compare(one, verdict, file) for one, verdict in zip(logs, theirs, strict=True)]
    return [how for how in unlike if how], verdicts


def compare(one: Damaged, theirs: dict[str, Any], file: Path) -> str:
    """Return the difference between the two results; "" for none."""
    if not _is_text(one.log):
        return _as_far_as_a_browser_sees(one, theirs)
    file.write_bytes(one.log)
    ours = told(verify_file(file, checkpoint=Checkpoint.read(one.checkpoint) if one.checkpoint else None))
    if ours["verdict"] not in ("VALID", "VALID WITH REDACTIONS"):
        ours |= {"dice": 0, "closed": 0}
    if theirs["reason"] in OWN_WORDS:
        theirs |= {name: ours[name] for name in ("reason", "expected", "found")}
    elif ours["reason"].startswith(theirs["reason"]):
        theirs["reason"] = ours["reason"]
    unlike = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
    return f"{one.how}: {unlike}" if unlike else ""


def told(checked: Checked) -> dict[str, Any]:
    """Return the result of `umpire verify`, under the page's names."""
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
        "closed": checked.dice_closed,
    }


def _as_far_as_a_browser_sees(one: Damaged, theirs: dict[str, Any]) -> str:
    """Check that the page finds a change: a browser reads invalid bytes as U+FFFD, so the next `prior` differs."""
    return "" if theirs["verdict"] in ("INVALID", "INCOMPLETE") else f"{one.how}, no UTF-8: {theirs}"


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def attack(count: int, seed: int, found: Findings) -> None:
    logs = [*damaged(count, seed), *forged(seed)]
    with folder() as home:
        for at in range(0, len(logs), AT_ONCE):
            unlike, verdicts = compared(logs[at : at + AT_ONCE], home / "log.jsonl")
            for verdict in verdicts:
                found.counts[verdict] += 1
            for how in unlike:
                found.fault(how)


if __name__ == "__main__":
    sys.exit(main("two_verifiers", "damaged logs", attack, count=4000, doc=__doc__))
