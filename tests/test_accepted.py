"""Check that `accepted.py` counts an order if a story gets it accepted, and only then."""

from pathlib import Path

import pytest

from tests.accepted import ACCEPTED, every_kind, is_story, never_accepted
from tests.face.domain import freeform_TITLE as TITLE, read_scenario
from tests.face.testing import Story, folder_of

MARK = {"as": "referee", "order": "mark", "marker": "weather", "to": "rain"}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Set that collects kinds of orders during this test, separately from other tests."""
    found: set[tuple[str, str]] = set()
    monkeypatch.setattr(ACCEPTED, "seen", found)
    monkeypatch.setattr(ACCEPTED, "in_a_story", True)
    return found


def story() -> Story:
    file: Path = min((folder_of(TITLE.id) / "scenarios").glob("*.toml"))
    return Story(TITLE, read_scenario(file.read_text(encoding="utf-8"), TITLE.scenario))


def test_accepted_order_is_noted_but_not_a_refused_one(seen: set[tuple[str, str]]) -> None:
    table = story()
    table.when({"as": "referee", "order": "remove", "unit": "nobody"}).then_refused(
        rule="units", says="nobody", do="`umpire units GAME`"
    )
    table.when({**MARK, "pips": [3]}).then_refused("too-many-pips", rule="dice", unused=1, given=1)
    assert not seen
    table.when(MARK).then_accepted()
    assert seen == {("freeform", "mark")}


def test_tests_of_recorded_games_do_not_count_as_directed() -> None:
    assert is_story("tests/titles/test_federation_turn.py::TestBuild::test_it")
    for path in (
        "tests/test_recorded_games.py",
        "tests/titles/test_pacific_war_fixtures.py",
        "tests/test_every_title.py",
    ):
        assert not is_story(path)


def test_missing_kinds_are_listed_by_title_and_order() -> None:
    every = set(every_kind())
    assert never_accepted(every) == []
    assert never_accepted(every - {("war-galley", "ram")}) == ["war-galley: ram"]
