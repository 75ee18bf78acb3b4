"""Share one service between many tests, each with its own game; skip them if the service's extra is missing."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.service.served import Served

MISSING = "the service needs the extra `serve`: pip install '.[serve]'"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Served"]:
    """Start a service whose limits no test reaches by accident."""
    pytest.importorskip("litestar", reason=MISSING)
    pytest.importorskip("uvicorn", reason=MISSING)
    from tests.service.served import Served  # noqa: PLC0415 -- imports what the extra brings

    service = Served(tmp_path_factory.mktemp("served"), "--rate", "5000", "--work", "6000", "--growth", "100000")
    yield service
    service.stop()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder for a separate service."""
    pytest.importorskip("litestar", reason=MISSING)
    pytest.importorskip("uvicorn", reason=MISSING)
    return tmp_path
