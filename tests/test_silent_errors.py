"""Check that every place that ignores an error has a comment with the reason why that is safe."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("ledger", "domain", "projections", "desk", "cli", "service", "umpire_ledger/testing")
PASSED_OVER = re.compile(r"\bsuppress\(|except (?:Base)?Exception\b|except:")
REPORTED = re.compile(r"^\s+raise\b|\berror\b", re.M)
"""Pattern of a handler that raises or uses the error."""


def lines_that_pass_over() -> Iterator[tuple[str, str]]:
    """Yield each line that suppresses errors, or catches all of them without a report, with the line above it."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text("utf-8")
            lines = text.splitlines()
            for number in dict.fromkeys(text.count("\n", 0, found.start()) for found in PASSED_OVER.finditer(text)):
                line = lines[number]
                handler = "\n".join(lines[number + 1 : number + 12]).split("\n\n")[0]
                if "suppress(" in line or not REPORTED.search(handler):
                    yield f"{file.relative_to(ROOT)}:{number + 1}", f"{lines[number - 1]}\n{line}"


@pytest.mark.parametrize(("place", "lines"), list(lines_that_pass_over()))
def test_suppressed_error_has_reason(place: str, lines: str) -> None:
    above, line = lines.split("\n")
    assert "#" in line or above.lstrip().startswith("#"), f"{place}: say in a comment why this error is passed over"
