"""Read scenario files of any title: a fault is refused with its place in the file and the fix."""

import re
from pathlib import Path

import pytest

from tests.face.domain import (
    FreeScenario,
    ScenarioError,
    parse_scenario,
    read_scenario,
    title_of,
)
from tests.naming import Naming

TEXT = (Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")


def refused(old: str, new: str) -> ScenarioError:
    """Read the fixture with one fault, and return the error."""
    assert old in TEXT
    with pytest.raises(ScenarioError) as caught:
        read_scenario(TEXT.replace(old, new, 1), FreeScenario)
    assert caught.value.rule == Naming("title's")
    return caught.value


def test_fixture_is_valid() -> None:
    scenario = read_scenario(TEXT, FreeScenario)
    assert [unit.id for unit in scenario.units] == ["red-horse", "red-foot", "blue-guard"]
    assert title_of(parse_scenario(TEXT)) == "freeform"


@pytest.mark.parametrize(
    ("old", "new", "what", "where", "remedy"),
    [
        ('id = "blue", name', 'id = "red", name', "two sides have the same id", "$.sides", "its own id"),
        (
            'id = "blue", name',
            'id = "referee", name',
            "a side cannot have the id referee",
            "$.sides",
            "choose another id",
        ),
        (
            'id = "blue", name',
            'id = "spectator", name',
            "a side cannot have the id spectator",
            "$.sides",
            "choose another id",
        ),
        ('id = "red-foot"', 'id = "red-horse"', "two units have the id red-horse", "$.units[1].id", "its own id"),
        ('side = "blue"', 'side = "green"', "there is no side green", "$.units[2].side", "name one of: blue, red"),
        (
            'rows."6..8"',
            'rows."6 to 8"',
            "'6 to 8' is not a row of a table",
            "$.tables.fight.rows.6 to 8",
            "write 7, 3..5",
        ),
    ],
)
def test_invalid_name_is_refused(old: str, new: str, what: str, where: str, remedy: str) -> None:
    error = refused(old, new)
    assert what in error.what
    assert error.where == where
    assert remedy in error.remedy


@pytest.mark.parametrize("title", ["", "title = 7"])
def test_scenario_without_title_is_refused(title: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        title_of(parse_scenario(TEXT.replace('title = "freeform"', title, 1)))
    assert caught.value.where == "$.title"
    assert '"war-galley"' in caught.value.remedy


def test_scenario_beyond_a_limit_is_refused_before_reading() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"{TEXT}\nlong = {'9' * 21}")
    assert re.findall(r"\d+", caught.value.rule) == ["20"]
    assert parse_scenario(f"{TEXT}\nlong = {'9' * 18}")["title"] == "freeform"
