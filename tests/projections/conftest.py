"""Fixtures for games of freeform and of a small lesson with a sequence of play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projections.table import LESSON, Table


@pytest.fixture
def table(tmp_path: Path, place: str) -> Iterator[Table]:
    """Game of freeform, on each store."""
    opened = Table(tmp_path, place=place)
    yield opened
    opened.close()


@pytest.fixture
def lesson(tmp_path: Path, place: str) -> Iterator[Table]:
    """Game of the lesson, on each store."""
    opened = Table(tmp_path, LESSON, place=place)
    yield opened
    opened.close()


@pytest.fixture
def file_table(tmp_path: Path) -> Iterator[Table]:
    """Game of freeform in a file, for tests that apply only to files."""
    opened = Table(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def file_lesson(tmp_path: Path) -> Iterator[Table]:
    """Game of the lesson in a file, for tests that apply only to files."""
    opened = Table(tmp_path, LESSON)
    yield opened
    opened.close()
