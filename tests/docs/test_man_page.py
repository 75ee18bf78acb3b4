"""The man page is that of the commands as they are, and `man` takes it."""

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def written() -> str:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        text: str = import_module("man_page").man_page()
    finally:
        sys.path.remove(str(ROOT / "docs"))
    return text


def test_man_page_is_current() -> None:
    now = (ROOT / "docs" / "umpire.1").read_text(encoding="utf-8")
    assert now == written(), "write it again: `python docs/man_page.py`"


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
def test_man_takes_it_without_a_warning() -> None:
    done = subprocess.run(
        ["man", "--warnings", "-l", str(ROOT / "docs" / "umpire.1")], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "umpire - a referee's ledger for board wargames" in done.stdout.replace("\b", "")
