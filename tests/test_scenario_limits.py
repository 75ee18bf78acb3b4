"""Compare the limits of scenario files, for size, length and number, with a second copy."""

import pytest

from tests.scenario_limits import FOLDER, TITLES, limits_of


@pytest.mark.parametrize("title", TITLES)
def test_scenario_limits_are_unchanged(title: str) -> None:
    """Run `python -m tests.scenario_limits` after an intended change; limits may only become wider."""
    assert limits_of(title) == (FOLDER / f"{title}.txt").read_text(encoding="utf-8")


def test_every_title_has_its_limits_written_down() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == TITLES
