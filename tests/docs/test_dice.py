"""Run docs/how-to/shared-dice.md from top to bottom."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.at_least_one import at_least_one
from tests.cli.terminal import ROOT
from tests.face.testing import FIXTURES

PAGE = ROOT / "docs" / "how-to" / "shared-dice.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_page_of_dice_runs(tmp_path: Path) -> None:
    umpire = tmp_path / "bin" / "umpire"
    umpire.parent.mkdir()
    umpire.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m umpire_ledger.cli.main "$@"\n')
    umpire.chmod(0o755)
    (tmp_path / "great-harbour.toml").write_bytes((FIXTURES / "war-galley/scenarios/great-harbour.toml").read_bytes())
    env = {
        **os.environ,
        "PATH": f"{umpire.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    said = []
    for block in at_least_one(BLOCK.findall(PAGE.read_text(encoding="utf-8"))):
        words = ["bash", "-euo", "pipefail", "-c", block]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (block, done.stdout, done.stderr)
        said.append(done.stdout)
    drawn, thrown, waits, shown = said
    assert "dice wait for no side" in drawn.splitlines()[-1]
    assert re.search(r"^VALID \(hashes only · \d+ rolls? not recomputed\): harbour", thrown, re.MULTILINE)
    assert "the order of Athens waits for the share of Syracuse" in waits
    assert "[repeats #" in shown
