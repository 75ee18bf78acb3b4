"""What a flush of a file costs, set by us: the disk's own mood is in no measure that is not named so.

`again_pinned()` starts the program anew with `flush.c` before it; `costs(0.0001)` says what each flush takes.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("flush.c")
MARK = "UMPIRE_BENCH_PINNED"
"""Set in a process that has the shim."""

Cost = float | None
"""Seconds a flush; None: what the real disk takes."""

COSTS: dict[str, Cost] = {"no flush": 0.0, "0.1 ms": 0.0001, "1 ms": 0.001, "this disk": None}
"""What every durable row is measured with."""


def again_pinned(module: str) -> None:
    """Run this module again with the shim; returns where that is done already, or where no compiler is."""
    if MARK in os.environ:
        return
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        print("no C compiler on Linux: flushes cannot be pinned, every durable row has the mood of this disk")
        return
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as folder:
        shim = str(Path(folder) / "flush.so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", shim, str(SOURCE), "-ldl"], check=True)
        environment = {**os.environ, "LD_PRELOAD": shim, MARK: shim}
        sys.exit(subprocess.run([sys.executable, "-m", module, *sys.argv[1:]], check=False, env=environment).returncode)


def is_pinned() -> bool:
    return MARK in os.environ


@contextmanager
def costs(seconds: Cost) -> Iterator[None]:
    """Within it each flush of this process takes so long. Without the shim it takes what it takes."""
    _set(seconds)
    try:
        yield
    finally:
        _set(None)


def _set(seconds: Cost) -> None:
    if is_pinned():
        ctypes.CDLL(None).flush_costs(ctypes.c_long(-1 if seconds is None else round(seconds * 1e9)))


def count() -> int:
    """How many flushes this process has asked for; 0 without the shim."""
    if not is_pinned():
        return 0
    asked = ctypes.CDLL(None).flushes
    asked.restype = ctypes.c_long
    return int(asked())
