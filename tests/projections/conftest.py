"""Tables to look at: freeform, and a small lesson with a sequence of play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projections.table import LESSON, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def lesson(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path, LESSON)
    yield opened
    opened.close()
