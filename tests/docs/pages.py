"""Run the fenced blocks of a page from top to bottom, in one session, in a folder of their own.

A ```python block that begins with `# name.py` is a file: it is written to the folder and imported. Any other runs in
the page's session. A ```text block directly after a ```python block is the output of that one.
"""

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.at_least_one import at_least_one

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n*^```text\n(?P<prints>.*?)^```\n)?", re.MULTILINE | re.DOTALL)
OF_COMMANDS = (
    "tutorials/first-battle",
    "how-to/settle-a-dispute",
    "how-to/correct-a-past-order",
    "how-to/second-judge",
    "how-to/back-up-and-restore",
    "how-to/typing-orders",
    "how-to/manage-many-games",
    "how-to/replay-page",
    "how-to/secrets-and-fog",
    "reference/order-files",
    "reference/scenario-format",
    "reference/exit-codes-and-limits",
)
"""Pages that show commands and what they print."""
OF_A_TITLE = "your-own-title"
"""The page whose Python is a file of another package: `tests/testing/test_title_page.py` runs it."""
FILE = re.compile(r"# (\w+)\.py\n")


def pages() -> list[Path]:
    """Return every page under docs/ that has Python in it; those of commands and of a title have tests of their own."""
    found = sorted((ROOT / "docs").rglob("*.md"))
    return [page for page in found if "```python\n" in page.read_text(encoding="utf-8") and page.stem != OF_A_TITLE]


def blocks(page: Path) -> Iterator[tuple[int, str, str | None]]:
    """Yield the Python blocks of a page: first line, code, and shown output (None: not shown)."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield text.count("\n", 0, found.start()) + 2, found["code"], found["prints"]


def file_in(page: Path, name: str) -> str:
    """Return the block of a page that is a file of that name."""
    (code,) = [code for _, code, _ in blocks(page) if code.startswith(f"# {name}\n")]
    return code


def load(code: str, name: str, file: str) -> ModuleType:
    """Return a block as a module that is imported, not run as a program."""
    module = ModuleType(name)
    exec(compile(code, file, "exec"), module.__dict__)
    return module


def run(page: Path, folder: Path) -> dict[str, Any]:
    """Run every block of a page, compare its output with the page, and return the page's session."""
    session = ModuleType("__main__").__dict__
    for line, code, prints in at_least_one(blocks(page)):
        where = f"{page.name}, line {line}"
        named = FILE.match(code)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            if named:
                (folder / f"{named[1]}.py").write_text(code, encoding="utf-8")
                load(code, named[1], where)
            else:
                exec(compile(code, where, "exec"), session)
        if prints is not None:
            assert said.getvalue() == prints, f"{where} prints something else:\n{said.getvalue()}"
    return session
