from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """Return a terminal in a folder with only a scenario."""
    return Terminal(tmp_path)


@pytest.fixture
def ford(terminal: Terminal) -> Terminal:
    """Return a terminal with an open game `ford`."""
    terminal.new()
    return terminal
