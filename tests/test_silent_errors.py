"""Check that every place that passes over an error has a comment with the reason why that is safe."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("ledger", "domain", "projections", "desk", "cli", "service", "umpire_ledger/testing")
PASSED_OVER = re.compile(r"\bsuppress\(|except (?:Base)?Exception\b|except:")
REPORTED = re.compile(r"^\s+raise\b|\berror\b", re.M)
"""A handler that raises, or does something with the error."""


def lines_that_pass_over() -> Iterator[tuple[str, str]]:
    """Yield each line that suppresses errors or catches all of them without a report, after the line above it."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            lines = file.read_text("utf-8").splitlines()
            for number, line in enumerate(lines):
                handler = "\n".join(lines[number + 1 : number + 12]).split("\n\n")[0]
                is_reported = "suppress(" not in line and REPORTED.search(handler)
                if PASSED_OVER.search(line) and not is_reported:
                    yield f"{file.relative_to(ROOT)}:{number + 1}", f"{lines[number - 1]}\n{line}"


@pytest.mark.parametrize(("place", "lines"), list(lines_that_pass_over()))
def test_suppressed_error_has_reason(place: str, lines: str) -> None:
    above, line = lines.split("\n")
    assert "#" in line or above.lstrip().startswith("#"), f"{place}: say in a comment why this error is passed over"
