"""Run docs/how-to/keys.md from top to bottom, with the refusals that it shows."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

from tests.at_least_one import at_least_one
from tests.cli.terminal import ROOT
from tests.face.testing import FIXTURES

PAGE = ROOT / "docs" / "how-to" / "keys.md"
BLOCK = re.compile(r"^```sh(?P<refused> refused)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def test_page_of_keys_runs(tmp_path: Path) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    umpire = commands / "umpire"
    umpire.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m umpire_ledger.cli.main "$@"\n')
    umpire.chmod(0o755)
    (tmp_path / "great-harbour.toml").write_bytes((FIXTURES / "war-galley/scenarios/great-harbour.toml").read_bytes())
    config = tmp_path / "config"
    paths = {"PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(config)}

    def run(script: str) -> subprocess.CompletedProcess[str]:
        words = ["bash", "-euo", "pipefail", "-c", script]
        env = {**os.environ, **paths}
        return subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    said = ""
    for block in at_least_one(BLOCK.finditer(PAGE.read_text(encoding="utf-8"))):
        if block["refused"]:
            for line in at_least_one(block["text"].splitlines()):
                answer = run(line)
                assert (answer.returncode, "rule: keys" in answer.stderr) == (3, True), (line, answer)
        else:
            answer = run(block["text"])
            assert answer.returncode == 0, (block["text"], answer)
            said = answer.stdout
    assert re.search(r"VALID \(signed by athens up to #\d+ · signed by anna up to #\d+\): harbour", said), said
    assert re.findall(r"signed: (\d+) orders? of (\w+), key ([\w-]+)\+", said) == [
        ("5", "athens", "athens"),
        ("1", "anna", "anna"),
        ("1", "athens", "athens-2"),
    ]
    secret = config / "umpire" / "keys" / "athens.pem"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
