from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.desk.game import DeskGame, great_harbour


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskGame]:
    """Yield a skirmish with dice of the ledger, before its first order."""
    game = DeskGame(tmp_path / "umpire.db")
    yield game
    game.close()


@pytest.fixture
def harbour(tmp_path: Path) -> Iterator[DeskGame]:
    """Two and a half turns of the Great Harbour."""
    game = great_harbour(tmp_path / "harbour.db")
    yield game
    game.close()


@pytest.fixture
def ford(store: str, request: pytest.FixtureRequest) -> Iterator[DeskGame]:
    """Yield the skirmish in memory, and in a database."""
    game = DeskGame(":memory:" if store == "sqlite" else request.getfixturevalue("database"))
    yield game
    game.close()


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """Return a terminal in an empty folder with a scenario."""
    return Terminal(tmp_path)


@pytest.fixture
def desk_file(tmp_path: Path) -> Path:
    """Return a path for a new ledger."""
    return tmp_path / "umpire.db"
