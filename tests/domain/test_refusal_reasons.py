"""Check that a refusal names its reason for programs when its code has several."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.domain import Reason, RuleViolation, refusal

ROOT = Path(__file__).parents[2]
FILES = sorted(file for file in (ROOT / "domain").rglob("*.py") if "refusals" not in str(file))
REFUSE = {"refuse", "_refuse", "refusal", "refused", "unknown"}
CLAUSES = {"why", "what", "said"}
"""The fields of refusals that contain a clause."""
TEXTS = {"cannot": ("{unit} cannot move: {why}", "name another")}


def test_reason_is_a_field_next_to_its_sentence() -> None:
    why = Reason("fouled", "it is fouled with b")
    refused = refusal(RuleViolation, TEXTS, "cannot", {"unit": "a", "why": why}, where="", rule="")
    assert refused.what == "a cannot move: it is fouled with b"
    assert refused.fields == {"unit": "a", "why": "it is fouled with b", "reason": "fouled"}
    assert {type(one) for one in refused.fields.values()} == {str}


def test_refusal_with_one_reason_has_no_such_field() -> None:
    refused = refusal(RuleViolation, TEXTS, "cannot", {"unit": "a", "why": "it is gone"}, where="", rule="")
    assert refused.fields == {"unit": "a", "why": "it is gone"}


def test_reason_that_the_words_do_not_contain_is_left_out() -> None:
    texts = {"cannot": ("{unit} cannot move", "name another")}
    fields = {"unit": "a", "why": Reason("hidden", "b is in the way")}
    assert refusal(RuleViolation, texts, "cannot", fields, where="", rule="").fields == {"unit": "a"}


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{file.relative_to(ROOT)}:{node.name}", node


def clauses_in(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the clauses that a function passes to its refusals."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in REFUSE:
            yield from (keyword.value for keyword in node.keywords if keyword.arg in CLAUSES)


def assigned_in(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    found = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
    return [node.value for node in found if name in map(ast.unparse, node.targets)]


def has_bare_alternatives(function: ast.FunctionDef, clause: ast.expr) -> bool:
    """Check whether a clause is one of several sentences without a key."""
    values = assigned_in(function, clause.id) if isinstance(clause, ast.Name) else [clause]
    choices = [part for one in values for part in ((one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,))]
    return len(choices) > 1 and any(isinstance(one, (ast.Constant, ast.JoinedStr)) for one in choices if is_text(one))


def is_text(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and not node.value)


def test_every_one_of_several_reasons_has_a_key() -> None:
    bare = [(place, ast.unparse(one)) for place, node in functions() for one in clauses_in(node)
            if has_bare_alternatives(node, one)]  # fmt: skip
    assert not bare


def test_bare_alternatives_are_found() -> None:
    for lines in (
        "why = 'it is a' if x else 'it is b'\n    raise refuse(game, 'no', why=why)",
        "raise refuse(game, 'no', why='it is a' if x else f'it is {b}')",
    ):
        (function,) = ast.parse(f"def one():\n    {lines}").body
        assert isinstance(function, ast.FunctionDef)
        assert [has_bare_alternatives(function, one) for one in clauses_in(function)] == [True]


def keys() -> list[str]:
    calls = (node for file in FILES for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    made = (node for node in calls if isinstance(node, ast.Call) and ast.unparse(node.func) == "Reason")
    return [node.args[0].value for node in made if isinstance(node.args[0], ast.Constant)]  # type: ignore[misc]


@pytest.mark.parametrize("key", sorted({*keys()} - {""}))
def test_key_is_kebab_case(key: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", key)
