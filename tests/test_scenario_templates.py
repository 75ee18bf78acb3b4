"""Check for every title that its template opens a game, and that its JSON Schema accepts only valid scenarios."""

import json
import tomllib
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.at_least_one import at_least_one
from tests.face.domain import (
    Title,
    examine,
    field_types_fields_of as fields_of,
    open_game,
    scenario_for,
    schema_of,
    template_of,
)
from tests.face.testing import FIXTURES
from tests.naming import Naming
from tests.test_every_title import INSTALLED, two_rivers

TITLES = [*(one for one in INSTALLED if one.id != "two-rivers"), two_rivers().title]


@pytest.fixture(params=TITLES, ids=lambda title: title.id)
def title(request: pytest.FixtureRequest) -> Title:
    found: Title = request.param
    return found


def validator(title: Title) -> Draft7Validator:
    schema = json.loads(json.dumps(schema_of(title)))
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def sound(title: Title) -> list[dict[str, Any]]:
    files = sorted((FIXTURES / title.id / "scenarios").glob("*.toml"))
    return [tomllib.loads(text) for text in (template_of(title), *(file.read_text("utf-8") for file in files))]


class TestTemplate:
    def test_template_opens_a_game_unchanged(self, title: Title) -> None:
        scenario = scenario_for(title, template_of(title))
        assert open_game(title, scenario, game_id="g", dice="table", seed="5e" * 32, options={}).told
        assert examine(template_of(title), lambda _: title).findings == ()

    def test_template_names_every_entry_of_scenario_and_units(self, title: Title) -> None:
        text = template_of(title)
        units = {field.encode_name for piece in scenario_for(title, text).pieces() for field in fields_of(type(piece))}
        names = (*(one.encode_name for one in fields_of(title.scenario)), *units, *title.options)
        lines = [line.lstrip("# [") for line in text.split("\n")]
        assert [name for name in names if not any(line.startswith(name) for line in lines)] == []

    def test_template_names_every_table_and_number_with_its_rule(self, title: Title) -> None:
        text = template_of(title)
        untold = [one for one in title.rows if f"[tables.{one}]" not in text and f'[tables."{one}"]' not in text]
        numbers = [one for one in title.ours if not one.where]
        untold += [one.name for one in numbers if f"[numbers.{one.name}]" not in text or f"{one.rule}:" not in text]
        assert untold == []

    def test_template_has_lines_of_at_most_120_characters(self, title: Title) -> None:
        assert max(map(len, template_of(title).split("\n"))) <= 120

    def test_template_entries_after_a_hash_are_toml(self, title: Title) -> None:
        """Remove the hashes one at a time, to check that every default is a valid entry."""
        behind = [line.removeprefix("# ") for line in template_of(title).split("\n") if line.startswith("# ")]
        entries = [line for line in behind if " = " in line.split("  #")[0] and not line.startswith(("rows", "NAME"))]
        plain = [entry for entry in entries if entry.split(" = ")[0].replace("_", "").isalnum()]
        for entry in at_least_one(plain):
            assert tomllib.loads(entry), entry


class TestSchema:
    def test_schema_accepts_every_scenario(self, title: Title) -> None:
        valid = validator(title)
        for scenario in at_least_one(sound(title)):
            assert [(list(one.path), one.message) for one in valid.iter_errors(scenario)] == []

    def test_schema_refuses_a_broken_scenario(self, title: Title) -> None:
        valid, scenario = validator(title), sound(title)[0]
        breaks: list[dict[str, Any]] = [
            {**scenario, "tittle": "x"},
            {**scenario, "title": "another"},
            {**scenario, "dice": "loaded"},
            {**scenario, "accounts": {"gold": "much"}},
            {**scenario, "numbers": {"no-such-number": {"value": 1, "source": "x"}}},
            {**scenario, "sides": []},
            {name: value for name, value in scenario.items() if name != "name"},
        ]
        assert [not valid.is_valid(one) for one in breaks] == [True] * len(breaks)

    def test_schema_refuses_a_row_that_the_table_cannot_hold(self, title: Title) -> None:
        valid, scenario = validator(title), sound(title)[0]
        broken = {"dice": "1d6", "rows": {"1": {"nonsense": 1}}}
        names = [one for one, row in title.rows.items() if row is not str]
        tables = {name: {**scenario.get("tables", {}), name: broken} for name in names}
        assert [name for name in names if valid.is_valid({**scenario, "tables": tables[name]})] == []

    def test_schema_refuses_an_option_of_another_type(self, title: Title) -> None:
        valid, scenario = validator(title), sound(title)[0]
        switches = [name for name, value in title.options.items() if isinstance(value, bool)]
        assert [name for name in switches if valid.is_valid({**scenario, "options": {name: "yes"}})] == []

    def test_schema_has_the_required_entries_of_a_new_unit(self) -> None:
        schema = schema_of(next(one for one in TITLES if one.id == "war-galley"))
        ship = schema["definitions"]["Ship"]
        assert {"id", "side", "at", "crew", "maximum"} <= set(ship["x-taplo"]["initKeys"])
        assert ship["properties"]["manpower"]["description"].endswith("(E.2, F.3)")
        table = schema["properties"]["tables"]["properties"]["boarding"]
        assert table["description"] == Naming("board", "E.2, F.3")
