from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal in an empty folder with a scenario."""
    return Terminal(tmp_path)


@pytest.fixture
def ford(terminal: Terminal) -> Terminal:
    """A terminal with an open game `ford`."""
    terminal.new()
    return terminal
