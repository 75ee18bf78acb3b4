"""Mutate and forge replay logs without end, and ask `umpire verify` and the one-page verifier, `umpire-verify.py`.

    python -m tests.attacks.one_page --count 100000 --seed 1

The one page needs no part of Umpire. Both agree about each log: the verdict, the number of valid records, their
root, the records that contain a fault, the numbers of withheld records and of recomputed dice. In half of the logs
every hash after the change is computed again, so that no hash shows it. All forgeries are tried too, for any count.
"""

import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.attacks.attack import Findings, folder, main
from tests.attacks.damaged_logs import Damaged, damaged, forged, rehashed
from tests.face.desk import FILE, verify_file
from tests.face.ledger import Checkpoint


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("umpire_verify", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ONE_PAGE = _loaded()


def one_page(log: bytes, checkpoint: str = "") -> dict[str, Any]:
    """Return the result of the one-page verifier for a log."""
    kept = ONE_PAGE.checkpoint_in(checkpoint) if checkpoint else None
    said: dict[str, Any] = ONE_PAGE.check(io.BytesIO(log), kept)
    return said


def ours(log: bytes, checkpoint: str, file: Path) -> dict[str, Any]:
    """Return the result of `umpire verify`, under the one page's names. `file`: a place for the log."""
    file.write_bytes(log)
    checked = verify_file(file, checkpoint=Checkpoint.read(checkpoint) if checkpoint else None)
    verdict = checked.verdict
    told: dict[str, Any] = {"verdict": verdict.verdict, "game": verdict.game, "records": verdict.size}
    if verdict.first_bad is not None:
        last = verdict.first_bad if verdict.changed_between is None else verdict.changed_between[1]
        return {**told, "from": verdict.first_bad, "to": last}
    withheld = {"private withheld": verdict.private_withheld, "public withheld": verdict.public_withheld}
    dice = {"rolls recomputed": checked.dice, "rolls with secret seeds": checked.dice_closed}
    return {**told, "root": verdict.root, **withheld, **(dice if verdict.valid else dict.fromkeys(dice, 0))}


def differ(one: Damaged, file: Path) -> tuple[str, str]:
    """Return the difference between the two results, "" for none; and the verdict of `umpire verify`."""
    told, theirs = ours(one.log, one.checkpoint, file), one_page(one.log, one.checkpoint)
    if not told["game"]:  # a file that is not a log has no root
        told["root"] = theirs.get("root", told.get("root"))
    unlike = {name: (value, theirs.get(name)) for name, value in told.items() if theirs.get(name) != value}
    return (f"{one.how}: {unlike}" if unlike else ""), told["verdict"]


def attack(count: int, seed: int, found: Findings) -> None:
    with folder() as home:
        for logs in (damaged(count - count // 2, seed), rehashed(count // 2, seed), forged(seed)):
            for one in logs:
                unlike, verdict = differ(one, home / "log.jsonl")
                found.counts[verdict] += 1
                if unlike:
                    found.fault(unlike, unlike.partition(": ")[2][:80])


if __name__ == "__main__":
    sys.exit(main("one_page", "mutated logs", attack, count=4000, doc=__doc__))
