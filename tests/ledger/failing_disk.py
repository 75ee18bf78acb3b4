"""Simulate a disk whose flushes fail (`failing_flush.c`), for programs that a test starts."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("failing_flush.c")
ALWAYS = "1-999999"


@functools.cache
def shim() -> str:
    """Return the compiled shim; skip the test if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler on Linux")
    made = Path(tempfile.mkdtemp(prefix="umpire-flush-")) / "flush.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"], check=True)
    return str(made)


def failing(flushes: str, file: str = "umpire.db-wal") -> dict[str, str]:
    """Return the environment of a program in which these flushes of a file fail, for instance `2-3`."""
    return {"LD_PRELOAD": shim(), "FAILING_FILE": file, "FAILING_FLUSHES": flushes}
