"""Find the house values: declared by the title, set by a scenario, and shown with the game.

A number in a decision is either printed, and then it has its line here, or it is a house value that the title declares
(`house_values.py` of the title). A new number in neither place fails.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.face.desk import titles as catalogue
from tests.face.domain import (
    DiceRolled,
    MidgameSetup,
    Modifier,
    ScenarioError,
    Title,
    WarGalleyScenario,
    read_scenario,
    scenario_text,
    war_galley_TITLE as TITLE,
)
from tests.face.projections import turn_view
from tests.face.testing import Story, folder_of, titles
from tests.naming import Naming
from tests.titles import federation_table as fe, pacific_war_table as pw, red_coat_rags_table as rcr
from tests.titles.war_galley_table import BASE, battle, flag, says, ship, tie, to_movement

TITLES = Path(__file__).parents[2] / "domain" / "titles"
SCHEMAS = (
    *("house_values.py", "scenario.py", "scenario_parts.py", "sequence.py", "starter.py", "tables.py", "units.py"),
    "suggests.py",
)
"""Modules that declare: their numbers belong to a scenario, or are the page itself."""
GEOMETRY = ("hexes.py", "ground.py", "galaxy.py", "notation.py", "board.py")
"""Modules of the map's arithmetic."""
PRINTED: dict[str, dict[int, str]] = {
    "freeform/language.py": {2: "signs of two letters", 30: "brackets at most", 2000: "characters at most"},
    "freeform/names.py": {2: "what a word takes: nth(1..3, 'turn')"},
    "freeform/action_script.py": {
        2: "the second of one name",
        70: "characters of an id",
        100: "dice of one throw at most",
    },
    "freeform/own_orders.py": {12: "arguments of an order at most", 40: "characters of its name", 1024: "types kept"},
    "freeform/texts.py": {99: "what a number is at most, where the scenario is silent"},
    "freeform/values.py": {2: "arguments of a function, and the largest number of a log", 53: "the same"},
    "federation_and_empire/combat/damage_chart.py": {100: "percent"},
    "federation_and_empire/counters/empires.py": {2: "two turns a year, Spring and Fall"},
    "federation_and_empire/combat/intensity.py": {
        4: "5-3X2: after a fourth combat round",
        10: "5-3X1: BIR 0 against 10 in a fighting retreat",
    },
    "federation_and_empire/movement/paths.py": {2: "a way has two ends"},
    "federation_and_empire/raids/raids.py": {3: "the label 3A-3A", 4: "the label 3A-4A"},
    "federation_and_empire/movement/retrograde.py": {3: "6D1: a pacification base within three hexes"},
    "federation_and_empire/counters/sheets.py": {100: "percent"},
    "federation_and_empire/combat/skirmish.py": {2: "3A-3H: drone raiders at 50%", 4: "3A-3E: BIR 4"},
    "federation_and_empire/movement/stasis.py": {2: "a die has two faces", 3: "5-4A7C: three targets a side"},
    "federation_and_empire/economy/special_production.py": {181: "2B2: not before Spring Y181"},
    "pacific_war/activation.py": {10: "5.1.P: more than 10 Activation Points"},
    "pacific_war/month.py": {2: "5.2.O: two days", 29: "the Day Track", 30: "the Day Track", 31: "the Day Track"},
    "pacific_war/pieces.py": {2: "an order of telling, no number of the game"},
    "red_coat_rags/contact.py": {2: "half a diagonal, a middle of two", 100: "percent"},
    "red_coat_rags/fire.py": {2: "a pair"},
    "red_coat_rags/initiative.py": {2: "two sides"},
    "red_coat_rags/locks.py": {2: "a piece has two corners to its front", 100: "percent"},
    "red_coat_rags/pieces.py": {2: "a way has two ends"},
    "red_coat_rags/special_moves.py": {2: "5: 1 or 2 is 1 move, 3 or 4 is 2 moves, 5 or 6 is 3 moves"},
    "twilight_imperium_3/abilities.py": {2: "SB: roll 2 dice for each ship"},
    "twilight_imperium_3/battle.py": {2: "two sides"},
    "twilight_imperium_3/casualties.py": {2: "SB.3: two hits before being destroyed"},
    "twilight_imperium_3/landing.py": {2: "a transfer has two systems"},
    "twilight_imperium_3/mines.py": {9: "TA: on 9-10 that ship receives 1 hit"},
    "twilight_imperium_3/movement.py": {2: "TR.2: between the two activated systems"},
    "twilight_imperium_3/turn.py": {99: "no card: behind every number"},
    "war_galley/boarding.py": {2: "E.2: grappled to multiple ships"},
    "war_galley/movement.py": {2: "E.2: one-half the wind speed"},
    "war_galley/squadrons.py": {2: "a choice has two squadrons"},
    "war_galley/status.py": {5: "G.2b: on 5-6", 6: "G.4: on a 6"},
}
"""By module: each number from 2 on in a decision with its printed source, or the reason why it is not a rule."""
NO_NUMBER = ("Meta", "len", "range")


def found_in(file: Path) -> set[int]:
    """Return the whole numbers from 2 on in a module, except limits of arguments and subscripts."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    passed = {id(one) for node in ast.walk(module) for one in _passed(node)}
    constants = (node for node in ast.walk(module) if isinstance(node, ast.Constant) and id(node) not in passed)
    return {one.value for one in constants if type(one.value) is int and one.value > 1}


def _passed(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript):
        yield from ast.walk(node.slice)
    called = node.func if isinstance(node, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name in NO_NUMBER:
        yield from ast.walk(node)


MODULES = [
    pytest.param(file, id=file.relative_to(TITLES).as_posix())
    for file in sorted(TITLES.glob("*/**/*.py"))
    if file.name not in (*SCHEMAS, *GEOMETRY)
    and not file.name.startswith("suggest")
    and file.parent.name != "suggestions"
]


@pytest.mark.parametrize("file", MODULES)
def test_number_in_a_decision_is_printed_or_declared(file: Path) -> None:
    assert found_in(file) == set(PRINTED.get(file.relative_to(TITLES).as_posix(), {}))


def test_number_hard_coded_in_a_module_is_found(tmp_path: Path) -> None:
    module = tmp_path / "made_up.py"
    module.write_text("def lost(row: int) -> int:\n    return row // 3 + row[7]\n", encoding="utf-8")
    assert found_in(module) == {3}


# --- declared, and said -----------------------------------------------------------------------------------------------

OURS = {
    "federation-and-empire": {
        "approach-damage": 0,
        "carry-over": 0,
        "directed-cost": 2,
        "minimum-force": 1,
        "pursuit-declined": 0,
        "pursuit-fast": 0,
        "pursuit-x": 0,
        "raised-bir": 1,
        "repair-tugs": 1,
        "ships-as-cargo": 0,
        "ships-per-core": 0,
        "small-scale-units": 0,
        "die": "1d6",
        "police-attack": 2,
        "police-defense": 3,
        "station-defense": 4,
        "pinwheel-ships": 2,
        "reactions": 1,
        "reserves-to-battle": 0,
        "pool-to-own": 1,
        "raiders-move": 0,
        "build-at-own": 1,
        "begin-at-own": 1,
        "police-per-raid": 1,
    },
    "freeform": {},
    "pacific-war": {
        "bombing-point": 1,
        "attrition-level": 1,
        "attrition-submarine": 1,
        "attrition-escort": -1,
        "attrition-other": 2,
        "condition-level": 1,
        "engineering-hits": 1,
    },
    "red-coat-rags": {"white-cube": 1, "disengage-slack": 10, "disengage-points": 1, "contact-slack": 10},
    "twilight-imperium-3": {},
    "war-galley": {
        "boarding-boarders": 1,
        "boarding-target": -1,
        "rigging-cost": 1,
        "sails-before-the-wind": 1,
        "missile-range": 1,
        "withdrawal-total": 7,
        "withdrawal-behind": 1,
        "withdrawal-points": 25,
    },
}
EVERY = [pytest.param(title, id=title.id) for title in titles()]


@pytest.mark.parametrize("title", EVERY)
def test_title_declares_its_house_values(title: Title) -> None:
    assert {one.name: one.value for one in title.ours if not one.where} == OURS[title.id]
    assert len({one.name for one in title.ours}) == len(title.ours)


@pytest.mark.parametrize("title", EVERY)
def test_source_page_names_every_house_value(title: Title) -> None:
    source = (folder_of(title.id) / "SOURCE.md").read_text(encoding="utf-8")
    assert [one.name for one in title.ours if f"`{one.name}`" not in source] == []


@pytest.mark.parametrize("title", EVERY)
def test_schema_defaults_are_the_declared_values(title: Title) -> None:
    """Compare defaults: `naval.cripples 2` is the default of the scenario's own schema."""
    parts = {one.name: (one.value, *one.where.partition(".")[::2]) for one in title.ours}
    of_schema = {name: part for name, part in parts.items() if part[2] and part[1] != "tables"}
    assert {name: value for name, (value, _, _) in of_schema.items()} == {
        name: default_of(title, group, field.removeprefix("KIND.")) for name, (_, group, field) in of_schema.items()
    }


def default_of(title: Title, group: str, field: str) -> Any:
    """Return the default of a field of the structs that a scenario lists under a key."""
    wanted = {one.name: one.type for one in msgspec.structs.fields(title.scenario)}[group]
    (struct,) = (one for one in structs_in(wanted) if field in one.__struct_fields__)
    return next(one.default for one in msgspec.structs.fields(struct) if one.name == field)


def structs_in(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from structs_in(inner)


def test_umpire_titles_shows_them() -> None:
    page = catalogue.page("war-galley")
    assert page.tables == ("wind", "double-activation", "boarding", "disengage", "firefight")
    assert (page.ours[1].name, page.ours[1].value, page.ours[1].rule) == ("boarding-target", -1, "E.2")


# --- a scenario sets them ---------------------------------------------------------------------------------------------


def given(value: int | str) -> dict[str, Any]:
    return {"value": value, "source": "the group's copy of the rules"}


def grappled(**numbers: Any) -> Story:
    """Open E.2 for Athens, with manpower 3 against 2."""
    more = {"numbers": numbers} if numbers else {}
    table = battle(
        flag("athens-1", "0505", "left", manpower=3),
        ship("athens-9", "1915"),
        flag("syracuse-1", "0504", "foe"),
        **more,
    )
    tie(table, "athens-1", "syracuse-1")
    return to_movement(table, "left").play(says("athens", "done"))


class TestScenarioNumbers:
    def test_boarding_target_set_to_0_counts_no_manpower(self) -> None:
        table = grappled(**{"boarding-target": given(0)})
        table.when(says("athens", "board", 1, 2, ships=["athens-1"], target="syracuse-1"))
        table.then(DiceRolled, total=6, modifiers=(Modifier(amount=3, source=Naming("athens-1")),))

    def test_status_shows_house_values_that_are_not_set(self) -> None:
        ours = turn_view(TITLE, grappled().game, "athens", 1).ours
        assert [(one.name, one.value, one.rule) for one in ours][:2] == [
            ("boarding-boarders", 1, "E.2"),
            ("boarding-target", -1, "E.2"),
        ]
        set_here = turn_view(TITLE, grappled(**{"boarding-target": given(0)}).game, "athens", 1).ours
        assert "boarding-target" not in [one.name for one in set_here]

    def test_log_holds_numbers_with_sources_only_if_set(self) -> None:
        assert "numbers" not in grappled().game.tables
        numbers = grappled(**{"rigging-cost": given(2)}).game.tables["numbers"]
        assert numbers == {"rigging-cost": {"value": 2, "source": "the group's copy of the rules"}}

    def test_merchant_attrition_goes_by_the_scenarios_numbers(self) -> None:
        base = pw.scenario("marianas")
        plain = pw.until(Story(pw.TITLE, base), "5.1.F")
        numbers = {"numbers": {"attrition-escort": given(-2), "attrition-submarine": given(0)}}
        raw = {**msgspec.to_builtins(base), **numbers}
        other = pw.until(Story(pw.TITLE, read_scenario(raw, type(base))), "5.1.F")
        amounts = []
        for table in (plain, other):
            rolled = table.when(pw.says(pw.ALLIES, "count-attrition", 5)).then(DiceRolled)
            amounts.append([one.amount for one in rolled.modifiers])
        (level, submarines, escorts), (same, none, twice) = amounts
        assert submarines
        assert (same, none, twice) == (level, 0, 2 * escorts)

    def test_white_cube_set_to_2_adds_2(self) -> None:
        story = rcr.to_activation(rcr.table(numbers={"white-cube": given(2)}))
        unit = str(story.game.units["carrs-1"].get("unit"))
        story.when(rcr.says(rcr.KING, "activate", 1, unit=unit, dice=1, cubes=[{"ashby": 1}]))
        story.then(DiceRolled, modifiers=(Modifier(amount=2, source=Naming("ashby")),))

    def test_federation_die_set_to_2d6_rolls_2d6(self) -> None:
        units = fe.ship("K-D7", "klingon", "1105"), fe.ship("Z-CC", "kzinti", "1105")
        war = fe.battle(*units, numbers={"die": given("2d6")}).to("5-4C3")
        war.says(war.game.cursor.waiting()[0], "roll-damage", 3, 4)
        war.story.then(DiceRolled, dice="2d6", total=7)

    @pytest.mark.parametrize(
        ("name", "value", "what", "remedy"),
        [
            ("boarding-captain", 1, Naming("War Galley", "boarding-captain"), Naming("boarding-target")),
            ("boarding-target", "two", Naming("boarding-target", "'two'"), Naming("-1")),
        ],
    )
    def test_another_number_is_refused_before_a_game_is_opened(
        self, name: str, value: int | str, what: Naming, remedy: Naming
    ) -> None:
        with pytest.raises(ScenarioError) as refusal:
            grappled(**{name: given(value)})
        assert (refusal.value.what, refusal.value.where) == (what, f"$.numbers.{name}")
        assert refusal.value.remedy == remedy

    def test_number_that_is_not_dice_is_refused_at_opening(self) -> None:
        with pytest.raises(ScenarioError) as refusal:
            fe.war(fe.ship("K-D7", "klingon", "1105"), numbers={"die": given("six")})
        assert (refusal.value.where, refusal.value.what) == ("$.numbers.die", Naming("'six'"))
        assert refusal.value.remedy == Naming("2d6")

    def test_scenario_written_to_a_file_keeps_numbers_and_book(self) -> None:
        tables = {**BASE["tables"], "wind": {"dice": "2d6", "by_the_book": "second edition"}}
        raw = {**BASE, "tables": tables, "numbers": {"rigging-cost": given(2)}}
        position = MidgameSetup(at=7, game="harbour")
        before = msgspec.structs.replace(read_scenario(raw, WarGalleyScenario), position=position)
        assert read_scenario(scenario_text(before), WarGalleyScenario) == before

    def test_number_without_a_source_is_refused(self) -> None:
        with pytest.raises(ScenarioError) as refusal:
            read_scenario({**BASE, "numbers": {"rigging-cost": {"value": 2, "source": ""}}}, WarGalleyScenario)
        assert refusal.value.where.endswith("source")
