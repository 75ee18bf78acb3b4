"""Measure the lines that a service reaches, which tests start in a process of its own."""

import atexit
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverage import Coverage

ROOT = Path(__file__).parents[2]
STEP = 0.002
"""Seconds between two looks at the name of the test."""
SITE = """import os
import sys

if "serve" in sys.orig_argv and "MUTANTS_MEASURE" in os.environ:
    from tests.mutants.children import measure_child

    measure_child()
"""
"""What Python runs first in each process that a test starts in a copy of the tree."""


def coverage_in(folder: Path) -> "Coverage":
    from coverage import Coverage  # noqa: PLC0415 -- of an extra that only measuring needs

    packages = [str(ROOT / name) for name in ("cli", "desk", "domain", "ledger", "projections", "service")]
    file = folder / f"{os.getpid()}.coverage"
    return Coverage(data_file=file, source=packages, config_file=False, messages=False)


def measure_child() -> None:
    """Note the lines that this process reaches, as lines of the test that its parent is at."""
    at, coverage = Path(os.environ["MUTANTS_AT"]), coverage_in(Path(os.environ["MUTANTS_MEASURE"]))
    coverage.start()
    atexit.register(coverage.save)
    threading.Thread(target=_follow, args=(coverage, at), daemon=True).start()


def _follow(coverage: "Coverage", at: Path) -> None:
    before = ""
    while True:
        now = at.read_text(encoding="utf-8")
        if now and now != before:
            coverage.switch_context(now)
            before = now
        time.sleep(STEP)
