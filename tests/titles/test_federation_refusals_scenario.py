"""Federation & Empire: a scenario is checked whole, and a fault is named with its path."""

import re

import pytest

from tests.face.domain import FederationScenario, ScenarioError, read_scenario
from tests.titles.federation_table import BORDER_WAR, border_war

TEXT = BORDER_WAR.read_text()
TURNS = 'turn_order = ["coalition", "alliance"]'
WARS = 'wars = [["coalition", "alliance"]]'
SMALL = 'map = { columns = 10, rows = 99, source = "made up" }'


def faulty(old: str, new: str) -> ScenarioError:
    """Return the border war with one fault in it."""
    assert old in TEXT
    with pytest.raises(ScenarioError) as caught:
        read_scenario(TEXT.replace(old, new, 1), FederationScenario)
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "path", "named", "remedy"),
    [
        (TURNS, 'turn_order = ["coalition"]', "$.turn_order", (), ""),
        (TURNS, 'turn_order = ["coalition", "axis"]', "$.turn_order[1]", ("axis",), ""),
        (TURNS, 'turn_order = ["coalition", "coalition"]', "$.turn_order[1]", ("coalition",), ""),
        (TURNS, f'{TURNS}\nwars = [["coalition", "axis"]]', "$.wars[0]", ("coalition", "axis"), ""),
        (TURNS, f'{TURNS}\nwars = [["coalition", "orion"]]', "$.wars[0]", ("coalition", "orion"), ""),
        (TURNS, f'{TURNS}\nwars = [["alliance", "alliance"]]', "$.wars[0]", ("alliance",), ""),
        (TURNS, f"{TURNS}\n{SMALL}", "$.units[0].at", ("1206", "10", "99"), ""),
        ('side = "coalition"', 'side = "axis"', "$.empires[0].side", ("axis",), ""),
        ('id = "romulan"', 'id = "klingon"', "$.empires[1]", ("klingon", "R"), ""),
        ('letter = "R"', 'letter = "K"', "$.empires[1]", ("romulan", "K"), ""),
        ('empire = "klingon"', 'empire = "kzinti"', "$.units[0].empire", ("kzinti", "coalition"), ""),
        ('empire = "klingon"', 'empire = "nobody"', "$.units[0].empire", ("nobody", "coalition"), ""),
        ('at = "1206"', 'at = "126"', "$.units[0].at", ('"126"',), "at = "),
        ('at = "1206"', 'at = "12060"', "$.units[0].at", ('"12060"',), "at = "),
        ("[tables.sfg]", "[tables.other]", "$.tables.sfg", ("sfg",), "5-4A7C"),
        ('{ "scrap D6" = 2 }', '{ "scrp D6" = 2 }', "$.costs.of.scrp D6", ("scrp D6",), "scrap D6"),
        (
            '{ "scrap D6" = 2 }',
            '{ "repair BATTS" = 2 }',
            "$.costs.of.repair BATTS",
            ("repair BATTS",),
            "repair BATS",
        ),
        (
            "{ annexation = 3 }",
            "{ annexation = 100 }",
            "$.turns_needed.annexation",
            ("100", "1", "99"),
            "annexation = 1",
        ),
        (
            '[[yards]]\nempire = "klingon"',
            '[[yards]]\nfacility = "yard"\nempire = "klingon"',
            "$.yards[0].facility",
            ("yard",),
            "`construct yard`",
        ),
        (
            '[[kinds]]\nkind = "FF"',
            '[[kinds]]\ntraits = ["scuot"]\nkind = "FF"',
            "$.kinds[0].traits[0]",
            ("scuot",),
            "scout",
        ),
        (
            '"1..2" = "frozen"',
            '"1..2" = "frosen"',
            "$.tables.sfg.rows.1..2",
            ("'frosen'", "sfg"),
            "frozen, missed, random, breakdown",
        ),
        (
            "[tables.sfg]",
            '[tables.pursuit]\ndice = "1d6"\nsource = "made up"\nrows = { "1..6" = "draw" }\n[tables.sfg]',
            "$.tables.pursuit.rows.1..6",
            ("'draw'", "pursuit"),
            "success, failure",
        ),
        ('{ "scrap D6" = 2 }', '{ "colonies" = 2 }', "$.costs.of.colonies", ("colonies",), "colony"),
        ('{ "scrap D6" = 2 }', '{ "zzz" = 2 }', "$.costs.of.zzz", ("zzz",), "build KIND"),
        ('[[yards]]\nempire = "klingon"', '[[yards]]\nempire = "gorn"', "$.yards[0].empire", ("gorn",), ""),
        (
            'place = "1502"\nside = "coalition"',
            'place = "1502"\nside = "orion"',
            "$.counters[0].side",
            ("orion",),
            "",
        ),
    ],
)
def test_fault_is_named_with_its_path(old: str, new: str, path: str, named: tuple[str, ...], remedy: str) -> None:
    """Check the path of the fault, the names and numbers in its sentence, and those in its remedy ("": nothing)."""
    fault = faulty(old, new)
    assert fault.where == path
    assert [one for one in named if not re.search(rf"(?<!\w){re.escape(one)}(?!\w)", fault.what)] == []
    assert remedy in fault.remedy


def test_declared_war_is_the_only_one() -> None:
    stated = read_scenario(TEXT.replace(TURNS, f"{TURNS}\n{WARS}", 1), FederationScenario)
    assert stated.wars == (("coalition", "alliance"),)
    assert border_war().game.markers["wars"] == ("coalition alliance",)


def test_freeze_table_is_not_needed_without_generators() -> None:
    without = TEXT.replace("[tables.sfg]", "[tables.other]", 1).replace('"sfg"', '"scout"')
    assert "sfg" not in read_scenario(without, FederationScenario).tables


class TestPrices:
    """`costs`: a price without an order for it is a typo, and the refusal names the nearest price."""

    @pytest.mark.parametrize(
        ("wrong", "right"),
        [
            ("scrp D6", "scrap D6"),
            ("repair BATTS", "repair BATS"),
            ("repair SID", "repair SIDS"),
            ("colonial bases", "colonial base"),
            ("drone rade", "drone raid"),
        ],
    )
    def test_nearest_is_named(self, wrong: str, right: str) -> None:
        offered = faulty('"scrap D6" = 2', f'"{wrong}" = 2').remedy
        assert right in offered
        assert "build KIND" not in offered

    def test_unknown_price_shows_the_list(self) -> None:
        assert "build KIND" in faulty('"scrap D6" = 2', '"zzz" = 2').remedy

    @pytest.mark.parametrize("name", ["build MB", "deploy MB", "battleship B10", "construct minor shipyard", "colony"])
    def test_prices_of_things_to_buy_are_accepted(self, name: str) -> None:
        """Accept a price for a kind that no side has yet, because it can be built."""
        known = read_scenario(TEXT.replace('"scrap D6" = 2', f'"{name}" = 2', 1), FederationScenario)
        assert known.costs is not None
        assert known.costs.of == {name: 2}
