"""War Galley: scenarios are checked whole, and a fault is named with its path."""

import pytest

from tests.face.domain import ScenarioError, WarGalleyScenario, read_scenario
from tests.titles.war_galley_table import BATTLE, great_harbour

TEXT = BATTLE.read_text()


def refused(old: str, new: str) -> ScenarioError:
    """Return the error of the fixture with one fault in it."""
    assert old in TEXT
    with pytest.raises(ScenarioError) as caught:
        read_scenario(TEXT.replace(old, new, 1), WarGalleyScenario)
    return caught.value


class TestScenario:
    def test_fixture_is_valid_and_places_its_ships(self) -> None:
        game = great_harbour().game
        assert len(game.in_play("athens")) == len(game.in_play("syracuse")) == 8
        flagship = game.units["athens-1"]
        assert (flagship.at, flagship.get("leads"), flagship.number("command_range")) == ("0510", "demosthenes", 5)
        assert (game.number("columns"), game.number("last_turn"), game.number("victory_points")) == (20, 8, 25)

    @pytest.mark.parametrize(
        ("old", "new", "path", "what"),
        [
            ("ram_defense = 3", "ram_defence = 3", "$.units[0].ram_defence", "ram_defence"),
            ("crew = 4", "crew = -1", "$.units[0].crew", "20"),
            ("crew = 4\n", "", "$.units[0].crew", "crew"),
            ('at = "0510"', 'at = "510"', "$.units[0].at", '"510"'),
            ('at = "0510"', 'at = "2110"', "$.units[0].at", "2110"),
            ("[tables.wind]", "[tables.weather]", "$.tables.weather", "weather"),
            ("points = 25", "points = -1", "$.victory.points", "-1"),
            ("turns = 8", "turn = 8", "$.victory.turn", "turn"),
            ('direction = "N", speed = 3', 'direction = "up", speed = 3', "$.tables.wind.rows.2..4.direction", "up"),
            ('rows."5..6" = { direction', 'rows."6" = { direction', "$.tables.wind.rows", "5"),
            ('"2d6"\nsource', '"1d6"\nsource', "$.tables.wind.dice", "2d6"),
            ('dice = "1d6"\nsource', "source", "$.tables.double-activation.dice", "''"),
            ('= "success"', '= "succes"', "$.tables.double-activation.rows.4..6", "succes"),
            ('rows."5 or less"', 'rows."3..5"', "$.tables.boarding.rows", "-38"),
            ('leads = "menander"', 'leads = "demosthenes"', "$.units[3].leads", "demosthenes"),
            ('leads = "menander"', 'leads = "athens-1"', "$.units[3].leads", "athens-1"),
            ('leads = "menander"', 'leads = "menander"\nadmiral = true', "$.units[3].admiral", "athens"),
            ('leads = "menander"', "admiral = true", "$.units[3].admiral", "Admiral"),
            (', { id = "syracuse", name = "Syracuse" }', "", "$.sides", "(id, name, plural, color, letter)"),
        ],
    )
    def test_scenario_fault_names_its_path(self, old: str, new: str, path: str, what: str) -> None:
        error = refused(old, new)
        assert error.where == path
        assert what in error.what
        assert error.code == "scenario-error"
        assert error.remedy
