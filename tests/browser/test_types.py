"""Check the types in JSDoc with TypeScript: all scripts of a replay page together, and all scripts of the service."""

import subprocess
from pathlib import Path

import pytest

from tests.browser.conftest import missing

HERE = Path(__file__).parent
TSC = HERE / "node_modules" / ".bin" / "tsc"


@pytest.fixture(autouse=True)
def typescript() -> None:
    if not TSC.exists():
        missing("TypeScript is not installed: npm ci --prefix tests/browser")


@pytest.mark.parametrize("project", ["tsconfig.json", "tsconfig.pages.json"])
def test_scripts_have_no_type_faults(project: str) -> None:
    done = subprocess.run([str(TSC), "-p", str(HERE / project)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_type_fault_is_found(tmp_path: Path) -> None:
    (tmp_path / "fault.js").write_text("/** @param {number} at */\nfunction go(at) {}\ngo('there');\n")
    words = [str(TSC), "--noEmit", "--allowJs", "--checkJs", "--strict", str(tmp_path / "fault.js")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "is not assignable to parameter of type 'number'" in done.stdout
