"""Run each benchmark once at the smallest size, so that it stays usable. Its figures are not checked here.

Two benchmarks are left out: `federation` plays with a thousand units for a minute, and `page` requires a browser.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import BENCHES
from tests.cli.terminal import ROOT

LONG = {"federation", "page"}


@pytest.mark.parametrize("name", sorted(BENCHES.keys() - LONG))
def test_benchmark_runs(name: str, tmp_path: Path) -> None:
    found = tmp_path / "figures.json"
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", "--records", "2000", "--only", name, "--json"]
    done = subprocess.run([*command, str(found)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-2_000:]
    rows = json.loads(found.read_text(encoding="utf-8"))["rows"]
    assert rows
    assert all(row["ratio"] > 0 for row in rows)
