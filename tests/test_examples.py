"""Check that examples of property tests are fixed, so that every run on every machine tries the same ones."""

import re
from pathlib import Path

from hypothesis import settings

from tests.examples import times

TESTS = Path(__file__).parent
SEARCHES = {"service/test_fuzz.py", "test_examples.py"}
"""A test that only `.ci/run` runs, with its own seed, and this file."""


def test_default_examples_are_fixed() -> None:
    assert settings.default.derandomize is not bool(times())
    assert settings.default.deadline is None


def test_property_tests_take_settings_from_examples() -> None:
    files = {file.relative_to(TESTS).as_posix(): file.read_text("utf-8") for file in TESTS.rglob("test_*.py")}
    own = {name for name, text in files.items() if re.search(r"^from hypothesis .*\bsettings\b", text, re.M)}
    assert own == SEARCHES
