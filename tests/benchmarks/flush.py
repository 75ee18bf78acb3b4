"""Set the cost of a file's flush: only measures named so depend on the disk's own speed.

`again_pinned()` restarts the program with `flush.c` loaded first; `costs(0.0001)` sets the time of each flush.
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
"""Seconds a flush; None: those of the real disk."""

COSTS: dict[str, Cost] = {"no flush": 0.0, "0.1 ms": 0.0001, "1 ms": 0.001, "this disk": None}
"""Costs at which every durable row is measured."""


def again_pinned(module: str) -> None:
    """Run this module again with the shim; return at once if it is loaded already, or without a compiler."""
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
    """Return the number of flushes that this process has requested; 0 without the shim."""
    if not is_pinned():
        return 0
    asked = ctypes.CDLL(None).flushes
    asked.restype = ctypes.c_long
    return int(asked())
