from pathlib import Path

import pytest

from tests.desk.referee.tables import Desk, copied, played
from tests.face.desk import need_title
from tests.face.testing import Story, scenarios


@pytest.fixture(scope="session")
def harbour_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played("war-galley", tmp_path_factory.mktemp("harbour"))


@pytest.fixture(scope="session")
def ford_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played("freeform", tmp_path_factory.mktemp("ford"))


@pytest.fixture
def harbour(harbour_played: Path, tmp_path: Path) -> Desk:
    """Two and a half turns of the Great Harbour: #303 is the fire that spreads to syracuse-3."""
    return copied(harbour_played, tmp_path / "harbour")


@pytest.fixture
def ford(ford_played: Path, tmp_path: Path) -> Desk:
    """Return the skirmish at the ford, a game without a sequence of play."""
    return copied(ford_played, tmp_path / "ford")


@pytest.fixture
def freeform() -> Story:
    """Return the skirmish as a story, before its first order."""
    title = need_title("freeform")
    return Story(title, scenarios(title)[0])


@pytest.fixture(scope="session")
def border_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played("federation-and-empire", tmp_path_factory.mktemp("border"))


@pytest.fixture
def border(border_played: Path, tmp_path: Path) -> Desk:
    """Return the small border war after its first turn."""
    return copied(border_played, tmp_path / "border")
