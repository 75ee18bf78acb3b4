"""Check that every fault of a scenario has a code for programs, in the check and in the error of a new game."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.desk import need_title
from tests.face.domain import ScenarioError, examine, open_game, scenario_for

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "domain").rglob("*.py"))
MAKERS = {"scenario_fault": 3, "ScenarioFault": 9, "fault": 3, "_option": 3, "_unhidden": 3}
"""The functions that create a fault, and the index of the code among their arguments."""
FORD = """title = "freeform"
name = "The ford"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
options = { }

[[units]]
id = "r1"
side = "red"
kind = "foot"
at = "0101"
"""
FAULTS = [
    ('kind = "foot"', 'kind = "foot"\ncolor = "red"', "unknown-entry", "color", "red", 10),
    ('kind = "foot"\n', "", "entry-missing", "kind", None, 6),
    ('kind = "foot"', "kind = 3", "wrong-value", "kind", 3, 9),
    ('side = "red"', 'side = "green"', "unknown-side", "side", "green", 8),
    ('id = "blue"', 'id = "red"', "side-id-used-twice", "sides", None, 3),
    ('id = "blue"', 'id = "referee"', "side-id-reserved", "sides", None, 3),
    ('at = "0101"', 'at = "0101"\n[[units]]\nid = "r1"\nside = "red"\nkind = "a"\nat = "b"', "unit-id-used-twice", "id",
     "r1", 12),
    ("options = { }", "options = { fog = 3 }", "wrong-option", "fog", 3, 4),
    ('kind = "foot"', 'kind = "foot"\nhidden = true', "hidden-without-fog", "hidden", True, 10),
    ('name = "Blue"', 'name = "Blue", color = "bleu"', "unknown-color", "color", "bleu", 3),
    ("options = { }", 'board = { symbols = { foot = "infantery" } }', "unknown-symbol", "foot", "infantery", 4),
    ("options = { }", 'board = { colors = { red = "#12" } }', "unknown-color", "red", "#12", 4),
    ("options = { }", 'board = { base = "see" }', "unknown-terrain", "base", "see", 4),
    ("options = { }", 'board = { hexes = {}, terrain = { 0101 = "wood" } }', "unknown-terrain", "0101", "wood", 4),
    ("options = { }", 'board = { regions = [{ kind = "lnd", outline = ["0,0", "9,0", "9,9"] }] }', "unknown-terrain",
     "kind", "lnd", 4),
    ("options = { }", 'board = { edges = [{ kind = "rver", along = ["0,0", "9,0"] }] }', "unknown-edge", "kind", "rver",
     4),
    ("options = { }", 'board = { hexes = { columns = 2, rows = 2 }, terrain = { 0303 = "land" } }', "unknown-place",
     "0303", "land", 4),
    ("options = { }", 'board = { names = { Bay = "mill" } }', "unknown-place", "Bay", "mill", 4),
    ("options = { }", 'board = { hexes = {}, edges = [{ kind = "river", between = [["0101", "0301"]] }] }',
     "no-common-side", "between[0]", None, 4),
    ('title = "freeform"', "", "title-missing", "title", None, 1),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code", "key", "value", "line"), FAULTS, ids=[one[2] for one in FAULTS])
def test_fault_has_code_key_value_and_line(old: str, new: str, code: str, key: str, value: object, line: int) -> None:
    text = FORD.replace(old, new, 1)
    assert text != FORD
    (one,) = examine(text, need_title).findings
    assert (one.code, one.key, one.value, one.line) == (code, key, value, line)
    with pytest.raises(ScenarioError) as caught:
        open_game(
            need_title("freeform"),
            scenario_for(need_title("freeform"), text),
            game_id="g",
            dice="table",
            seed="5e" * 32,
            options={},
        )
    assert caught.value.code == "scenario-error"
    assert caught.value.fields == {"reason": code, "key": key}


@pytest.mark.parametrize(
    ("new", "code", "key"),
    [
        ("options = { withdrawl = true }", "unknown-option", "withdrawl"),
        ("options = { withdrawal = 3 }", "wrong-option", "withdrawal"),
        ("numbers = { nothing = { value = 1, source = '1' } }", "wrong-number", "nothing"),
    ],
)
def test_fault_of_options_and_numbers_has_a_code(new: str, code: str, key: str) -> None:
    file = ROOT / "fixtures" / "war-galley" / "scenarios" / "off-naupactus.toml"
    text = file.read_text("utf-8").replace("options = { withdrawal = true }", new, 1)
    found = {(one.code, one.key) for one in examine(text, need_title).findings}
    assert (code, key) in found


def test_fault_of_a_look_names_the_nearest() -> None:
    (one,) = examine(FORD.replace("options = { }", 'board = { symbols = { foot = "infantery" } }'), need_title).findings
    assert one.remedy == "did you mean infantry?"


def test_file_that_is_not_toml_has_a_code_for_each_line() -> None:
    found = examine(FORD.replace('kind = "foot"', "kind = = 3"), need_title).findings
    assert [(one.code, one.line) for one in found if one.code == "not-toml"] == [("not-toml", 9)]
    with pytest.raises(ScenarioError) as caught:
        scenario_for(need_title("freeform"), "title = = 3")
    assert caught.value.fields["reason"] == "not-toml"


def test_scenario_of_another_title_has_a_code() -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_for(need_title("war-galley"), FORD)
    assert caught.value.fields == {"reason": "other-title", "key": "title"}


def test_scenario_that_is_too_large_has_a_code() -> None:
    (one,) = examine(FORD + "#" * 2_000_000, need_title).findings
    assert one.code == "too-large"


def calls() -> Iterator[tuple[str, ast.Call]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MAKERS:
                yield f"{file.relative_to(ROOT)}:{node.lineno}", node


def code_of(call: ast.Call) -> ast.expr | None:
    at = MAKERS[ast.unparse(call.func).rpartition(".")[2]]
    named = [one.value for one in call.keywords if one.arg == "code"]
    return named[0] if named else call.args[at] if len(call.args) > at else None


def test_every_fault_that_a_title_can_find_has_a_code() -> None:
    own = {
        "fault",
        "_option",
    }  # these have a default, for the declarations of a scenario's own sequence and its options
    bare = [where for where, one in calls() if code_of(one) is None]
    assert not [
        where for where, one in calls() if where in bare and ast.unparse(one.func).rpartition(".")[2] not in own
    ]


def test_codes_are_kebab_case() -> None:
    codes = {one.value for _, call in calls() if isinstance(one := code_of(call), ast.Constant)}
    assert len(codes) > 50
    assert not [code for code in codes if not re.fullmatch(r"[a-z]+(-[a-z]+)+", str(code))]
