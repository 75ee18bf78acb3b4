"""How large, long and many the things of a scenario file may be, is written down once more here."""

import pytest

from tests.scenario_limits import FOLDER, TITLES, limits_of


@pytest.mark.parametrize("title", TITLES)
def test_no_limit_of_a_scenario_has_moved(title: str) -> None:
    """`python -m tests.scenario_limits` writes them anew, for a change that is meant: only wider ones may be."""
    assert limits_of(title) == (FOLDER / f"{title}.txt").read_text(encoding="utf-8")


def test_every_title_has_its_limits_written_down() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == TITLES
