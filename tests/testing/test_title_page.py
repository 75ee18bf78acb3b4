"""Run docs/tutorials/your-own-title.md as printed there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorials" / "your-own-title.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Environment with the `python` and `umpire` of these tests on the path, as after README's first command."""
    for name, words in (("python", ""), ("umpire", "-m umpire_ledger ")):
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        file.chmod(0o755)
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "PYTHONPATH"))}
    return {**clean, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def test_commands_of_the_page_run(environment: dict[str, str]) -> None:
    (commands,) = blocks("sh")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Two Rivers: sequence of play, 1" in done.stdout
    assert "promises held, 0 broken, 0 not asked" in done.stdout
    assert re.search(r"\d\d passed, \d+ deselected", done.stdout)
    assert "VALID" in done.stdout


def test_test_file_of_a_package_is_three_lines(environment: dict[str, str], tmp_path: Path) -> None:
    (lines,) = blocks("python")
    assert len([line for line in lines.splitlines() if line]) == 3
    file = tmp_path / "test_promises.py"
    file.write_text(lines)
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "titles" / "two_rivers")))
    done = subprocess.run(
        ["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "declaration or secrets-kept", str(file)],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
